//! Tells which ranges of a text are markdown code or quotations, where nothing is a leak.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// The ranges of `text` that are code (fenced, indented, inline, `<pre>` and `<code>` elements) or
/// block quotes, sorted and apart.
///
/// The parser sees the text with every `<` replaced, as call syntax would otherwise begin HTML blocks
/// that hide the code in them; the two elements of code are looked for afterwards. Linear: a text
/// that could make the parser nest deeply is protected as a whole.
pub fn protect(text: &str) -> Vec<Range<usize>> {
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

/// `text` with every character of `ranges` but line ends replaced by a letter; the same length.
pub(super) fn blank(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for range in ranges {
        out.push_str(text.get(rest..range.start).unwrap_or_default());
        let inside = text.get(range.start..range.end).unwrap_or_default();
        out.extend(inside.bytes().map(|byte| if byte == b'\n' { '\n' } else { 'x' }));
        rest = range.end;
    }
    out.push_str(text.get(rest..).unwrap_or_default());
    out
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

/// The HTML elements that show code.
const ELEMENTS: [(&str, &str); 2] = [("pre", "</pre"), ("code", "</code")];

/// The ranges of HTML code elements whose tags stand outside `code`.
///
/// One that is never closed reaches to the end of the text where it begins a line, and to the end of
/// its paragraph elsewhere: a tag that is only mentioned must not protect the rest of the message.
fn elements(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut ends: Option<[Vec<usize>; ELEMENTS.len()]> = None;
    for at in memchr::memchr_iter(b'<', text.as_bytes()) {
        let Some(index) = opens(text, at) else { continue };
        let behind = code.partition_point(|range| range.end <= at);
        let hidden = code.get(behind).is_some_and(|range| range.start <= at);
        if hidden || found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let ends = ends.get_or_insert_with(|| ELEMENTS.map(|(_, closer)| ends_of(text, closer)));
        let ends = ends.get(index).map_or(&[][..], Vec::as_slice);
        let end = ends.get(ends.partition_point(|end| *end <= at)).copied();
        found.push(at..end.unwrap_or_else(|| unclosed(text, at)));
    }
    found
}

/// Where `closer` ends in `text`, ignoring case.
fn ends_of(text: &str, closer: &str) -> Vec<usize> {
    let found = memchr::memmem::find_iter(text.as_bytes(), b"</");
    let is_closer = |at: &usize| {
        let tag = text.as_bytes().get(*at..at + closer.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(closer.as_bytes()))
    };
    found.filter(is_closer).map(|at| at + closer.len()).collect()
}

/// Which code element's opening tag stands at this byte.
fn opens(text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at + 1..)?;
    ELEMENTS.iter().position(|(name, _)| {
        let named =
            rest.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
        let next = rest.get(name.len());
        named && next.is_some_and(|byte| *byte == b'>' || byte.is_ascii_whitespace())
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
            "1<tool O",
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
    fn blanking_keeps_every_place() {
        assert_eq!(blank("aé\nbc", [Range { start: 1, end: 5 }]), "axx\nxc");
    }
}
