//! Hostile JSON text: strict text that was cut, spliced, unbalanced or grown, and texts that test limits.

use super::{Bias, anything};
use crate::json::{self, Spacing};
use crate::source::{Choose, Source};

/// Nesting depths worth trying: around the engine's limit, around the parser's own, and far beyond both.
pub const DEPTHS: &[usize] = &[1, 64, 126, 127, 128, 129, 200, 1_000, 10_000];

/// Text sizes in bytes worth trying.
pub const SIZES: &[usize] = &[16, 1_024, 65_536, 262_144, 262_145];

/// A text made from any JSON value by up to four mutations; choice 0 is the strict text itself.
pub fn text(source: &mut dyn Source, bias: &Bias) -> String {
    let value = anything::value(source, bias, bias.depth_max);
    let spacing = *source.pick(&[Spacing::Dense, Spacing::Blank, Spacing::Lines]);
    mutate(source, json::render(&value, spacing))
}

/// Up to four mutations of a text; choice 0 leaves it alone.
pub fn mutate(source: &mut dyn Source, text: String) -> String {
    let mut text = text;
    for _ in 0..source.below(5) {
        text = once(source, &text);
    }
    text
}

fn once(source: &mut dyn Source, text: &str) -> String {
    let at = boundary(text, source.index(text.len() + 1));
    let (head, tail) = text.split_at(at);
    match source.below(9) {
        0 => head.to_owned(),
        1 => tail.to_owned(),
        2 => {
            let mut rest = tail.chars();
            rest.next();
            format!("{head}{}", rest.as_str())
        }
        3 => {
            let end = boundary(tail, source.index(tail.len().min(24) + 1));
            format!("{head}{}{tail}", &tail[..end])
        }
        4 => text.replacen(
            '"',
            source.pick::<&str>(&["'", "`", "“", "\\\"", ""]),
            source.range(1, 4) as usize,
        ),
        5 => format!(
            "{head}{}{tail}",
            source.pick(&["\u{0}", "\n", "\t", "\u{7}", "\u{2028}", "\u{feff}", "\\", "\\u"])
        ),
        6 => format!(
            "{head}{}{tail}",
            source.pick(&["{", "}", "[", "]", "\"", ",", ":", "}}", "]]", "/*", "//", "#"])
        ),
        7 => format!("{text}{}", source.pick(&["}", "]", ",", "{}", " true", "\n```", text])),
        _ => text.replacen(
            *source.pick(&['{', '}', '[', ']', ',', ':']),
            source.pick::<&str>(&["", "}", "]", ";", "="]),
            1,
        ),
    }
}

/// The nearest character boundary at or below a byte offset.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A deeply nested text, closed or not, of lists, objects or both; choice 0 is one list.
pub fn deep(source: &mut dyn Source) -> String {
    let depth = *source.pick(DEPTHS);
    let (open, close) = *source.pick(&[("[", "]"), ("{\"a\":", "}"), ("[{\"b\":", "}]")]);
    let closers = if source.chance(1, 3) { String::new() } else { close.repeat(depth) };
    format!("{}0{closers}", open.repeat(depth))
}

/// A big text of one repeated piece; choice 0 is small.
pub fn big(source: &mut dyn Source) -> String {
    const PIECES: &[&str] = &[
        "a",
        "[",
        "{",
        "\"",
        "\\",
        "\n",
        " ",
        "[a](http://",
        "```\n",
        "<tool_call>",
        "{\"name\":\"",
        ",",
        "é",
        "'",
        "/*",
    ];
    let piece = *source.pick(PIECES);
    let size = *source.pick(SIZES);
    let body = piece.repeat(size / piece.len());
    match source.below(4) {
        0 => format!("{{\"path\":{}}}", json::quote(&body)),
        1 => body,
        2 => format!("{{\"path\":\"{body}"),
        _ => format!("{{\"path\":\"a\"}}{body}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Replay, Seeded};

    #[test]
    fn the_simplest_text_is_strict() {
        assert_eq!(text(&mut Replay::default(), &Bias::hostile()), "null");
    }

    #[test]
    fn most_texts_are_broken_and_none_hangs() {
        let broken = |case| {
            let text = text(&mut Seeded::new(3, case), &Bias::hostile());
            serde_json::from_str::<serde_json::Value>(&text).is_err()
        };
        let count = (0..2_000).filter(|case| broken(*case)).count();
        assert!((600..1_900).contains(&count), "{count}");
    }
}
