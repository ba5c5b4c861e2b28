//! Tells how a leak stands in the prose of its message: whether a sentence mentions it, and what follows.

use std::ops::Range;

use super::markdown::blank;
use super::telling;

/// Marks that open a quotation and nothing else.
const OPENING: [char; 7] = ['“', '„', '«', '‹', '「', '『', '‘'];

/// What stands at the front of a quoted line.
const LINE_MARKS: &[&str] = &["+", "//", "#", "--", ";", "|", "%"];

/// For each of `ranges`, which are sorted and apart, whether the text around it only mentions it.
///
/// Ranges with nothing but white space and marks of a list between them stand together. A mention is
///
/// - part of a sentence: text stands before it that ends no sentence, and text behind it, on the same line
///   or, if it begins as only the rest of a sentence does, on the next;
/// - or quoted: behind an opening quotation mark, in a line of a diff, a comment or a numbered listing;
/// - or told of: the line before it says that it is an example, a quotation, or not to be run.
///
/// A conversation that stands in `code` is no conversation of this message.
///
/// Work is linear: each gap between ranges is looked at twice.
pub(super) fn mentioned(text: &str, code: &[Range<usize>], ranges: &[Range<usize>]) -> Vec<bool> {
    if ranges.is_empty() {
        return Vec::new();
    }
    let spoken = blank(text, code.iter().cloned());
    let mut found = Vec::with_capacity(ranges.len());
    let mut floor = 0;
    let mut rest = ranges;
    while let Some(first) = rest.first() {
        let apart = rest.windows(2).position(|pair| match pair {
            [one, next] => !is_list(text.get(one.end..next.start).unwrap_or_default()),
            _ => true,
        });
        let (group, behind) =
            rest.split_at_checked(apart.map_or(rest.len(), |at| at + 1)).unwrap_or((rest, &[]));
        let end = group.last().map_or(first.end, |last| last.end);
        let before = text.get(floor..first.start).unwrap_or_default();
        let said = spoken.get(floor..first.start).unwrap_or_default();
        let ceiling = behind.first().map_or(text.len(), |next| next.start);
        let after = text.get(end..ceiling).unwrap_or_default();
        let mention = is_in_sentence(before, after)
            || is_quoted(before)
            || is_long_string(before, after)
            || telling::withholds(before, said);
        found.extend(group.iter().map(|_| mention));
        (floor, rest) = (end, behind);
    }
    found
}

/// True if anything but white space stands outside `ranges`, which are sorted and apart, from `from` on.
pub(super) fn says_more<'r>(
    text: &str,
    from: usize,
    ranges: impl Iterator<Item = &'r Range<usize>>,
) -> bool {
    let mut at = from;
    for range in ranges {
        if !is_blank(text, at, range.start) {
            return true;
        }
        at = at.max(range.end);
    }
    !is_blank(text, at, text.len())
}

fn is_blank(text: &str, from: usize, to: usize) -> bool {
    from >= to || text.get(from..to).is_some_and(|gap| gap.trim().is_empty())
}

/// True if nothing stands in a gap but white space and what begins the items of a list.
fn is_list(gap: &str) -> bool {
    gap.split('\n').map(str::trim).all(|line| line.is_empty() || telling::is_list_mark(line))
}

/// True if one sentence stands on both sides.
fn is_in_sentence(before: &str, after: &str) -> bool {
    let (head, tail) = (before.trim_end(), after.trim_start());
    let gap = |side: &str, kept: &str| side.len().checked_sub(kept.len());
    let above = before.get(head.len()..).map(line_ends);
    let below = gap(after, tail).and_then(|length| after.get(..length)).map(line_ends);
    let (Some(above), Some(below), Some(next)) = (above, below, tail.chars().next()) else {
        return false;
    };
    let goes_on = next.is_lowercase() || matches!(next, ',' | '.' | ';' | ')');
    is_unfinished(head) && (above + below == 0 || above < 2 && below < 2 && goes_on)
}

/// True if a text ends within a sentence or a cell of a table.
fn is_unfinished(head: &str) -> bool {
    let open = |last: char| last.is_alphanumeric() || ",:;()\"'`|：，*~".contains(last);
    !head.ends_with("```") && head.chars().next_back().is_some_and(open)
}

/// True if a quotation opens right before the leak, or the line it stands in is itself quoted: as an
/// addition, a comment, or with its number.
fn is_quoted(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let odd = ['"', '`', '\'']
        .iter()
        .any(|mark| line.ends_with(*mark) && line.matches(*mark).count() % 2 == 1);
    let mark = line.trim();
    let digits = mark.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered = digits.len() < mark.len() && matches!(digits.trim_start(), "|" | ":" | "→");
    odd || line.ends_with(OPENING) || numbered || LINE_MARKS.contains(&mark)
}

/// True if the mark of a long string stands right before the leak, and nothing else than it behind.
fn is_long_string(before: &str, after: &str) -> bool {
    let (head, tail) = (before.trim_end(), after.trim_start());
    let is_in = |mark| head.ends_with(mark) && (tail.is_empty() || tail.starts_with(mark));
    is_in("\"\"\"") || is_in("'''")
}

/// For each of `ranges`, which are sorted and apart, whether it stands in thoughts that are not over.
///
/// Thoughts begin where `<think>` or `<thinking>` begins a line outside the ranges.
pub(super) fn thought(text: &str, ranges: &[Range<usize>]) -> Vec<bool> {
    let mut thinks = false;
    let mut floor = 0;
    let inside = ranges.iter().map(|range| {
        let gap = text.get(floor..range.start).unwrap_or_default();
        floor = range.end;
        for line in gap.split('\n') {
            let begins = line.trim_start().starts_with("<think");
            thinks = (thinks || begins) && !line.contains("</think");
        }
        thinks
    });
    inside.collect()
}

/// True if nothing but white space stands behind `at` in its line.
pub(super) fn ends_line(text: &str, at: usize) -> bool {
    let line = text.get(at..).and_then(|rest| rest.split('\n').next());
    line.is_none_or(|line| line.trim().is_empty())
}

fn line_ends(gap: &str) -> usize {
    gap.bytes().filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `X` stands for a leak.
    fn mentions(text: &str) -> Vec<bool> {
        let ranges: Vec<_> = text.match_indices('X').map(|(at, _)| at..at + 1).collect();
        mentioned(text, &[], &ranges)
    }

    #[test]
    fn sentences_go_on_around_a_mention() {
        for text in [
            "a call is X here",
            "a call is (X).",
            "call\nX\nand so on",
            "| a | X | b |",
            "so: X Then",
            "like X, Y or X.",
            "An example:\n\nX",
            "You can call it like:\nX",
            "the format:\n\nX\n\nThat is all.",
            "It looks like this：X",
            "the text is “X”",
            "it ended in \"X",
            "+X\n+X",
            "  // X",
            " 12 | X",
            "s = \"\"\"\nX\n\"\"\"",
            "**X**",
            "Do not run this:\nX",
            "Do not run these:\n- X\n- X",
            "Never send what follows.\n1. X",
            "a call is X X here",
            "Now\nX\nand so on",
            "Let me read \"X",
        ] {
            assert!(mentions(text).iter().all(|mention| *mention), "{text:?}");
        }
    }

    #[test]
    fn leaks_stand_apart() {
        for text in [
            "X",
            "Let me look. X",
            "Let me look:\nX",
            "Let me look.\nX\nthen more",
            "Done. X Next",
            "X and more",
            "now\n\nX\n\nthen",
            "now\nX\nThen",
            "Let me use the right format:\nX",
            "I’ll use this syntax:\n\nX",
            "```\na\n```\nX\ntail",
            "- a\n- X\n- b",
            "He said \"yes.\"\nX",
            "I use `a` and `b`.\nX",
            "Now X",
            "Done\nX X\n",
            "Now X\nThen more",
            "now\n\nX\nthen more",
            "now\nX\n\nthen more",
            "Let me see what's there. X",
            "Now I read `b`X",
            "1. X",
            "→ X",
            "1. Let me look\n2. X",
        ] {
            assert!(mentions(text).iter().all(|mention| !mention), "{text:?}");
        }
    }

    #[test]
    fn what_is_said_before_one_leak_is_not_said_of_the_next() {
        assert_eq!(mentions("Do not run this:\nX\nDone.\nX"), [true, false]);
    }

    #[test]
    fn thoughts_end() {
        let thoughts = |text: &str| {
            let ranges: Vec<_> = text.match_indices('X').map(|(at, _)| at..at + 1).collect();
            thought(text, &ranges)
        };
        assert_eq!(thoughts("<think>\nX\n</think>X"), [true, false]);
        assert_eq!(thoughts("<think>a</think>X a <think> X"), [false, false]);
        assert_eq!(thoughts("a\n<thinking>X"), [true]);
    }

    #[test]
    fn a_conversation_in_code_is_none_of_this_message() {
        let text = "```\n<|im_start|>user\nUser: hi\n```\nNow I read it.\n\nX";
        let ranges = |marks| text.match_indices(marks).map(|(at, own)| at..at + own.len());
        let (code, leak): (Vec<_>, Vec<_>) =
            (ranges("```\n<|im_start|>user\nUser: hi\n```").collect(), ranges("X").collect());
        assert_eq!(mentioned(text, &code, &leak), [false]);
        assert_eq!(mentioned(text, &[], &leak), [true]);
    }

    #[test]
    fn text_behind_is_more() {
        let more = |text: &str, from| {
            let ranges: Vec<_> = text.match_indices('X').map(|(at, _)| at..at + 1).collect();
            says_more(text, from, ranges.iter())
        };
        assert!(
            !more("a X \n X\n", 2) && more("a X \n X\n", 0) && more("X b", 0) && more("X b X", 0)
        );
    }
}
