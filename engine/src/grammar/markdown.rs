//! Tells which ranges of a text are markdown code or quotations, where nothing is a leak.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// The ranges of `text` that are code (fenced, indented, inline, elements such as `<pre>`),
/// block quotes or comments, sorted and apart.
///
/// The parser sees the text with every `<` replaced, as call syntax would otherwise begin HTML blocks
/// that hide the code in them; those elements are looked for afterwards. Linear: a text
/// that could make the parser nest deeply is protected as a whole.
pub fn protect(text: &str) -> Vec<Range<usize>> {
    if !may_show(text) {
        return Vec::new();
    }
    if nests_deeply(text) {
        return Vec::from([Range { start: 0, end: text.len() }]);
    }
    let plain = text.replace('<', "x");
    let mut ranges = Vec::new();
    for (event, range) in Parser::new_ext(&plain, Options::empty()).into_offset_iter() {
        if matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_) | Tag::BlockQuote(_))) {
            ranges.push(range);
        }
    }
    let mut ranges = merge(ranges);
    let elements = elements(text, &ranges);
    if elements.is_empty() {
        return ranges;
    }
    ranges.extend(elements);
    merge(ranges)
}

/// True if the text holds anything that code or a quotation needs; where it does not, nothing is parsed.
///
/// That is a backtick, a tilde, a tab or four blanks in a row, `>` where a line or an item may begin,
/// or one of the elements.
fn may_show(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        before.is_none_or(u8::is_ascii_whitespace)
    };
    memchr::memchr3(b'`', b'~', b'\t', bytes).is_some()
        || memchr::memmem::find(bytes, b"    ").is_some()
        || memchr::memchr_iter(b'>', bytes).any(begins)
        || memchr::memchr_iter(b'<', bytes).any(|at| opens(text, at).is_some())
}

/// `text` with every character of `ranges` but line ends replaced by a letter; the same length.
pub(super) fn blank(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.get_mut(range).unwrap_or_default() {
            *byte = if *byte == b'\n' { b'\n' } else { b'x' };
        }
    }
    // INVARIANT: ranges end at the boundaries of characters, so that what is left is text.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Containers (quotes, list items) that one line may open, and columns that it may be indented by, before
/// the text is not parsed at all: every open container costs work on every line below it.
const CONTAINERS_MAX: usize = 64;
const INDENTATION_MAX: usize = 4 * CONTAINERS_MAX;

/// True if some line opens more containers than anybody writes, or one deeper than anybody does.
fn nests_deeply(text: &str) -> bool {
    text.lines().any(|line| {
        let (mut rest, mut containers, mut columns) = (line, 0, 0);
        loop {
            let front = rest.trim_start_matches([' ', '\t']);
            let blanks = rest.bytes().take(rest.len() - front.len());
            columns += blanks.map(|byte| if byte == b'\t' { 4 } else { 1 }).sum::<usize>();
            let Some(next) = behind_container(front) else { break };
            (rest, containers) = (next, containers + 1);
        }
        // Marks of one kind and nothing else are a thematic break.
        let only = |mark| line.bytes().all(|byte| b" \t".contains(&byte) || byte == mark);
        let rule = only(b'-') || only(b'*');
        !rule && (containers > CONTAINERS_MAX || containers > 0 && columns > INDENTATION_MAX)
    })
}

/// What follows the mark of a quote or list item that `front` begins with.
fn behind_container(front: &str) -> Option<&str> {
    if let Some(rest) = front.strip_prefix('>') {
        return Some(rest);
    }
    let numbered = front.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bullet = front.strip_prefix(['-', '*', '+']);
    let mark = bullet.or_else(|| numbered.strip_prefix(['.', ')']).filter(|_| numbered != front));
    mark.filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Sorts, and joins what overlaps.
fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// What shows code or a quotation in markup: the beginning of its first tag, and of its last.
const ELEMENTS: [(&str, &str); 14] = [
    ("pre", "</pre"),
    ("code", "</code"),
    ("samp", "</samp"),
    ("xmp", "</xmp"),
    ("textarea", "</textarea"),
    ("blockquote", "</blockquote"),
    ("details", "</details"),
    ("example", "</example"),
    ("examples", "</examples"),
    ("document", "</document"),
    ("tool_response", "</tool_response"),
    ("tool_result", "</tool_result"),
    ("system-reminder", "</system-reminder"),
    ("!--", "-->"),
];

/// The ranges of elements and comments whose tags stand outside `code`.
///
/// One that is never closed reaches to the end of the text where it begins a line, and to the end of
/// its paragraph elsewhere: a tag that is only mentioned must not protect the rest of the message.
fn elements(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut ends: [Option<Vec<usize>>; ELEMENTS.len()] = [const { None }; ELEMENTS.len()];
    for at in memchr::memchr_iter(b'<', text.as_bytes()) {
        let Some(index) = opens(text, at) else { continue };
        let behind = code.partition_point(|range| range.end <= at);
        let hidden = code.get(behind).is_some_and(|range| range.start <= at);
        if hidden || found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let Some(ends) = ends.get_mut(index) else { continue };
        let closer = ELEMENTS.get(index).map_or("", |row| row.1);
        let ends = ends.get_or_insert_with(|| ends_of(text, closer));
        let end = ends.get(ends.partition_point(|end| *end <= at)).copied();
        found.push(at..end.unwrap_or_else(|| unclosed(text, at)));
    }
    found
}

/// Where `closer` ends in `text`, ignoring case.
fn ends_of(text: &str, closer: &str) -> Vec<usize> {
    let front = closer.get(..2).unwrap_or(closer);
    let found = memchr::memmem::find_iter(text.as_bytes(), front);
    let is_closer = |at: &usize| {
        let tag = text.as_bytes().get(*at..at + closer.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(closer.as_bytes()))
    };
    found.filter(is_closer).map(|at| at + closer.len()).collect()
}

/// Which element's opening tag stands at this byte.
fn opens(text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at + 1..)?;
    ELEMENTS.iter().position(|(name, _)| {
        let named =
            rest.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
        let next = rest.get(name.len());
        let apart = next.is_some_and(|byte| *byte == b'>' || byte.is_ascii_whitespace());
        named && (apart || *name == "!--")
    })
}

/// Where an element ends that nothing closes.
fn unclosed(text: &str, at: usize) -> usize {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.bytes().all(|byte| byte == b' ') {
        return text.len();
    }
    rest.find("\n\n").map_or(text.len(), |offset| at + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `X` stands for a place that is protected, `O` for one that is not.
    fn check(text: &str) {
        let ranges = protect(text);
        for (at, mark) in text.char_indices().filter(|(_, mark)| matches!(mark, 'X' | 'O')) {
            let inside = ranges.iter().any(|range| range.contains(&at));
            assert_eq!(inside, mark == 'X', "{text:?} at {at}: {ranges:?}");
        }
    }

    #[test]
    fn code_and_quotes_are_protected() {
        for text in [
            "O\n```xml\nX\n```\nO",
            "O\n~~~\nX\n```\nX\n~~~\nO",
            "`````\nX\n```\nX\n`````\nO",
            "O\n\n    X\n\nO",
            "O `X` O ``X ` X`` O",
            "> X\nX\n\nO",
            "- O\n  ```\n  X\n  ```\n",
            "Use ``` to fence.\nO",
            "<div>\n`X`\n</div>\nO",
            "<pre>\nX\n</pre>\nO",
            "a <code>X</code> O",
            "a <PRE class=\"x\">X</Pre> O",
            "the <pre> X tag\n\nO",
            "<pre>\nX\n\nX",
            "a `<pre>` O\n\nO",
            "<!-- X -->O",
            "<!--\nX\n\nX\n-->\nO",
            "<details>\n\nX\n\n</details>\nO",
            "<example>X</example> O",
            "<examples>X</examples> O",
            "1<tool O",
            "<a>\n> X\n\nO",
            "- O\n\n      X\n",
            "-     X\n",
            "- > X\n",
            ">X\n",
            ">>X\n",
            "1.\tO\n\n\t\tX",
            "<pre>a <code> X</pre> O",
            "<code>X</code>O<code>X</code><code>X</code>O",
            "<!--X--><pre>X</pre>O",
            "<prefix> O",
            "<!--X--> O",
            "  <pre>\nX\n\nX",
        ] {
            check(text);
        }
    }

    #[test]
    fn deep_nesting_protects_everything() {
        let all = |end| Vec::from([Range { start: 0, end }]);
        assert_eq!(protect(&"> ".repeat(1000)), all(2000));
        assert!(protect(&"-".repeat(1000)).is_empty());
        assert!(protect(&"- ".repeat(1000)).is_empty());
        assert!(protect(&"1".repeat(1000)).is_empty());
        assert_eq!(protect(&format!("{}- a", " ".repeat(300))), all(303));
    }

    #[test]
    fn what_only_looks_deep_is_read() {
        check(&format!("- {} O `X` O", "word ".repeat(100)));
        check(&format!("-{}X\n\nO", " ".repeat(256)));
        check(&format!("a\n{}O `X`", " ".repeat(300)));
        check(&format!("{}\nO `X` O", "- ".repeat(1000)));
        check(&format!("{}O `X` O", "- ".repeat(64)));
        for deep in ["- ", "1. "].map(|mark| format!("{}a `b`", mark.repeat(65))) {
            assert_eq!(protect(&deep), [Range { start: 0, end: deep.len() }]);
        }
        assert!(protect(&format!("{}a", "- ".repeat(100))).is_empty());
        assert_eq!(protect("> `a`\n").len(), 1);
    }

    #[test]
    fn blanking_keeps_every_place() {
        assert_eq!(blank("aé\nbc", [Range { start: 1, end: 5 }]), "axx\nxc");
    }
}
