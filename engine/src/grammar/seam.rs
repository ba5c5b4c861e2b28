//! Joins what stays of a text once ranges are taken out of it.

use std::ops::Range;

/// The most line ends that a removed range leaves between its two sides.
const LINE_ENDS_MAX: usize = 2;

/// The seam rule for tables: where a removed range stands, and what becomes of the white space that touches
/// it. Nothing else of a text changes.
pub const SEAMS: &[[&str; 2]] = &[
    ["beside another removed range, only white space between", "it goes: the ranges count as one"],
    [
        "at the end of the text",
        "what stands before the range goes, and what stands behind it, line ends too",
    ],
    [
        "at the front of the text",
        "it goes, but the text behind keeps its indentation if it began on a line of its own",
    ],
    [
        "with a line end on either side",
        "the side with more line ends (the left one if equal) leaves its line ends, at most two (a blank \
         line), each as it was, `\\n` or `\\r\\n`; blanks beside them go, and the text behind keeps its \
         indentation if it began on a line of its own",
    ],
    [
        "within a line",
        "the blanks before the range stay, or those behind it if there are none before",
    ],
];

/// Takes `ranges`, which are sorted and apart, out of `text`.
///
/// The one seam rule: only white space that touches a removed range changes, and ranges with nothing
/// but white space between them are one.
///
/// - Where nothing but white space is left on a side, that side goes.
/// - Where a line end touches the range, the side with more of them keeps its line ends, at most two
///   (a blank line), and the right side keeps its indentation if it stood on its own line.
/// - Otherwise the blanks of one side stay: those before the range, or else those behind it.
///
/// Everything else stays byte for byte.
pub fn remove(text: &str, ranges: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for range in merged(text, ranges) {
        let kept = text.get(rest..range.start).unwrap_or_default();
        let left = kept.trim_ascii_end();
        out.push_str(left);
        let behind = text.get(range.end..).unwrap_or_default();
        let right = behind.trim_ascii_start();
        let before = kept.get(left.len()..).unwrap_or_default();
        let after = behind.get(..behind.len() - right.len()).unwrap_or_default();
        if !right.is_empty() {
            gap(&mut out, before, after);
        }
        rest = text.len() - right.len();
    }
    out.push_str(text.get(rest..).unwrap_or_default());
    out
}

/// The ranges, joined where only white space stands between them.
fn merged(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if is_blank(text.get(last.end..range.start)) => last.end = range.end,
            _ => merged.push(range.clone()),
        }
    }
    merged
}

fn is_blank(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.trim_ascii().is_empty())
}

/// Writes what is left of the white space on both sides; `out` holds what stands before it.
fn gap(out: &mut String, before: &str, after: &str) {
    let indentation = after.rsplit_once('\n').map_or("", |(_, indentation)| indentation);
    if out.is_empty() {
        return out.push_str(indentation);
    }
    let (above, below) = (line_ends(before), line_ends(after));
    if above == 0 && below == 0 {
        return out.push_str(if before.is_empty() { after } else { before });
    }
    let side = if above >= below { before } else { after };
    for line in side.split_inclusive('\n').take(LINE_ENDS_MAX).filter(|line| line.ends_with('\n')) {
        out.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
    }
    out.push_str(indentation);
}

fn line_ends(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `X` stands for a removed byte.
    fn check(text: &str, expected: &str) {
        let ranges: Vec<_> = text.match_indices('X').map(|(at, _)| at..at + 1).collect();
        assert_eq!(remove(text, &ranges), expected, "{text:?}");
    }

    #[test]
    fn one_rule_joins_the_sides() {
        for (text, expected) in [
            ("a\nX", "a"),
            ("X\n\n  b \n", "  b \n"),
            ("X b", "b"),
            ("a X b", "a b"),
            ("aX b", "a b"),
            ("aXb", "ab"),
            ("a X b X c", "a b c"),
            ("a\nX\nb", "a\nb"),
            ("a\r\n\r\nX\r\nb", "a\r\n\r\nb"),
            ("a\n\n\n\nX b", "a\n\nb"),
            ("a  \nX\n    b", "a\n    b"),
            ("a\nX \n XX\n\nb  c\n", "a\n\nb  c\n"),
            ("X", ""),
            (" \n X \n", ""),
            ("  a\n\n\n\nb X", "  a\n\n\n\nb"),
        ] {
            check(text, expected);
        }
    }
}
