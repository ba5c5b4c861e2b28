//! No value is invented.

use serde_json::Value;

use super::{Invariant, Verdict};
use crate::json;
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "promoted_leaves_come_from_the_text",
    says: "Every text and number of a call that runs stands in its block, as it is or with its escapes undone.",
    kills: &["values-in-capitals"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let all = run.case.texts.join("\n");
    for call in &run.treatment.calls {
        let told = || &run.case.texts[call.part][call.range.clone()];
        let block = if run.tells() { told() } else { &all };
        let once = unescaped(block, false);
        let kept = unescaped(block, true);
        for (place, leaf) in json::leaves(&call.args) {
            let stands = match leaf {
                Value::String(text) => {
                    let there = |level: &str| level.contains(text.as_str());
                    there(block) || there(&once) || there(&kept) || there(&unescaped(&once, false))
                }
                Value::Number(number) => stands_as_number(number.as_f64(), block),
                _ => true,
            };
            if !stands {
                let at = json::pointer(&place);
                return Verdict::Broken(format!("`{at}` holds {leaf}, which stands nowhere"));
            }
        }
    }
    if run.treatment.calls.is_empty() { Verdict::Vacuous } else { Verdict::Holds }
}

/// True if the number stands in the text in some spelling.
fn stands_as_number(number: Option<f64>, block: &str) -> bool {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    let mut runs = block.split(|c| !part(c)).filter_map(|run| run.parse::<f64>().ok());
    runs.any(|run| Some(run) == number)
}

/// The text with one level of escapes undone; `keeps` says that an unknown one stays and a line goes on
/// behind one, as in Python.
fn unescaped(text: &str, keeps: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        if !before.is_empty() {
            flush(&mut units, &mut out);
        }
        out.push_str(before);
        if let Some((code, length)) = code(escape) {
            let mut buffer = [0; 2];
            match char::from_u32(code) {
                Some(letter) => units.extend_from_slice(letter.encode_utf16(&mut buffer)),
                None => units.extend(u16::try_from(code)),
            }
            rest = &escape[length..];
            continue;
        }
        flush(&mut units, &mut out);
        let mut letters = escape[1..].chars();
        let letter = letters.next();
        if keeps && letter == Some('\n') {
            rest = letters.as_str();
            continue;
        }
        let known = [
            ('n', '\n'),
            ('t', '\t'),
            ('r', '\r'),
            ('b', '\u{8}'),
            ('f', '\u{c}'),
            ('a', '\u{7}'),
            ('v', '\u{b}'),
            ('0', '\0'),
        ];
        let meant = known.iter().find(|(name, _)| Some(*name) == letter).map(|row| row.1);
        if keeps && meant.is_none() && !matches!(letter, Some('\\' | '\'' | '"')) {
            out.push('\\');
        }
        out.extend(meant.or(letter));
        rest = letters.as_str();
    }
    flush(&mut units, &mut out);
    out.push_str(rest);
    out
}

/// The code that an escape gives in digits, and how long the escape is.
fn code(escape: &str) -> Option<(u32, usize)> {
    [("\\x", 4), ("\\u", 6), ("\\U", 10)].into_iter().find_map(|(start, length)| {
        let digits = escape.strip_prefix(start).and_then(|_| escape.get(2..length))?;
        Some((u32::from_str_radix(digits, 16).ok()?, length))
    })
}

fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or('\u{fffd}')));
}
