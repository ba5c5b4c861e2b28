//! Tokens that end a turn. Printed right behind a leak, they belong to it; anywhere else they are text.

use super::Cursor;

/// Every token, as the makers' chat templates spell them.
pub(super) const STOPS: &[&str] = &[
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|eom|>",
    "<|end|>",
    "<|return|>",
    "<|user|>",
    "<|observation|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|END_RESPONSE|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "<turn|>",
    "<seed:eos>",
    "</s>",
    "<eos>",
    "[e~[",
];

/// Where the tokens end that stand behind `at`, with nothing but white space before each; `at` if there
/// is none.
pub(super) fn behind(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let token = rest.trim_start();
        let Some(stop) = STOPS.iter().find(|stop| token.starts_with(**stop)) else { return end };
        end += rest.len() - token.len() + stop.len();
    }
}

/// Steps over the tokens that stand at the cursor, and white space before each.
pub(super) fn pass(cursor: &mut Cursor<'_, '_>) {
    let length = behind(cursor.rest(), 0);
    cursor.go(cursor.at() + length);
}

/// Closing tags of fields and calls that also stand in other markup: before a closer that stands alone,
/// with nothing but white space between, they were left over together.
const INNER: &[&str] = &["</parameter>", "</function>", "</invoke>"];

/// Where the tags begin that stand before `at`, not before `floor`.
pub(super) fn inner_before(text: &str, floor: usize, at: usize) -> usize {
    let mut start = at;
    loop {
        let head = text.get(floor..start).unwrap_or_default().trim_ascii_end();
        let Some(rest) = INNER.iter().find_map(|tag| head.strip_suffix(tag)) else { return start };
        start = floor + rest.len();
    }
}

/// Where the closing brackets end that stand right behind `at` and are all that is left of its line; `at`
/// if something else is.
pub(super) fn brackets_behind(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let behind = rest.trim_start_matches(['}', ']']);
    let line = behind.trim_start_matches([' ', '\t', '\r']);
    if line.is_empty() || line.starts_with('\n') { at + rest.len() - behind.len() } else { at }
}

/// Where the tags end that stand behind `at`, with nothing but white space before each; `at` if there is
/// none.
pub(super) fn inner_behind(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let tag = rest.trim_ascii_start();
        let Some(inner) = INNER.iter().find(|inner| tag.starts_with(**inner)) else { return end };
        end += rest.len() - tag.len() + inner.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_belong_to_what_they_end() {
        for (text, end) in
            [("x", 1), ("x </s> y", 6), ("x<|im_end|>\n<|endoftext|>\n", 25), ("x y </s>", 1)]
        {
            assert_eq!(behind(text, 1), end, "{text}");
        }
    }

    #[test]
    fn inner_tags_go_with_the_closer_behind_them() {
        let text = "x</invoke>\n</function> </parameter>\nX";
        assert_eq!(inner_before(text, 0, text.len() - 1), 1);
        assert_eq!(inner_before(text, 5, text.len() - 1), 11);
        assert_eq!(inner_before("x y", 0, 2), 2);
    }
    #[test]
    fn what_is_left_behind_damage_goes_with_it() {
        for (text, end) in [("x}] \ny", 3), ("x}", 2), ("x}] y", 1), ("x\n}", 1), ("xy", 1)] {
            assert_eq!(brackets_behind(text, 1), end, "{text}");
        }
        for (text, end) in [("x</invoke>\n</function> y", 22), ("x y</invoke>", 1)] {
            assert_eq!(inner_behind(text, 1), end, "{text}");
        }
    }
}
