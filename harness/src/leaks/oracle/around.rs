//! A naive reading of what stands around a leak: the line it is on, the line above, the text behind.

use std::ops::Range;

/// `text` with everything in `ranges` replaced by blanks, so that only what surrounds them is left.
pub fn without<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for byte in ranges.cloned().flatten() {
        bytes[byte] = if bytes[byte] == b'\n' { b'\n' } else { b' ' };
    }
    // A range that is no leak's may split a character; then nothing is known.
    String::from_utf8(bytes).unwrap_or_default()
}

/// True if a word stands before the range and text behind it, on the same line, or if the line above
/// ends in `example:`. `rest` is the text without leaks.
pub fn is_surely_mentioned(rest: &str, range: &Range<usize>) -> bool {
    let (Some(before), Some(after)) = (rest.get(..range.start), rest.get(range.end..)) else {
        return false;
    };
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let behind = after.split('\n').next().unwrap_or_default();
    let within = line.ends_with(char::is_alphanumeric) && !behind.trim().is_empty();
    within || before.trim_end().to_lowercase().ends_with("for example:")
}

/// True unless it is plain that nothing mentions the range: a sentence ends before it, or nothing stands
/// before it, and no colon announces it.
pub fn may_be_mentioned(rest: &str, range: &Range<usize>) -> bool {
    let before = rest.get(..range.start).unwrap_or_default().trim_end();
    !before.is_empty() && !before.ends_with(['.', '!', '?'])
}

/// True if text stands behind the first of these ranges, the others aside.
pub fn has_more(texts: &[String], ranges: &[(usize, Range<usize>)]) -> bool {
    let Some(first) = ranges.iter().min_by_key(|(part, range)| (*part, range.start)) else {
        return false;
    };
    texts.iter().enumerate().skip(first.0).any(|(part, text)| {
        let here = ranges.iter().filter(|(other, _)| *other == part);
        let rest = without(text, here.map(|(_, range)| range));
        let from = if part == first.0 { first.1.end } else { 0 };
        !rest.get(from..).unwrap_or_default().trim().is_empty()
    })
}
