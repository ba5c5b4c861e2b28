//! The seam rule, written a second time from its words.

use std::ops::Range;

/// What must be left of `text` without `ranges`.
pub fn joined(text: &str, ranges: &[Range<usize>]) -> String {
    let mut pieces: Vec<&str> = Vec::new();
    let mut from = 0;
    for range in ranges {
        pieces.push(&text[from..range.start]);
        from = range.end;
    }
    pieces.push(&text[from..]);
    let last = pieces.len() - 1;
    // Ranges with nothing but white space between them are one: what is between them goes.
    let kept: Vec<(usize, &str)> = pieces
        .into_iter()
        .enumerate()
        .filter(|(at, piece)| *at == 0 || *at == last || !is_white(piece))
        .collect();
    let mut out = kept[0].1.to_owned();
    for (_, piece) in &kept[1..] {
        seam(&mut out, piece);
    }
    out
}

fn is_white(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Joins the next piece to what is there.
fn seam(out: &mut String, next: &str) {
    let end = out.bytes().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |at| at + 1);
    let left = out.split_off(end);
    let start = next.bytes().position(|byte| !byte.is_ascii_whitespace());
    let Some(start) = start else { return };
    let (right, rest) = next.split_at(start);
    let indentation =
        if right.contains('\n') { right.rsplit('\n').next().unwrap_or("") } else { "" };
    let count = |text: &str| text.matches('\n').count();
    if out.is_empty() {
        out.push_str(indentation);
    } else if count(&left) + count(right) == 0 {
        out.push_str(if left.is_empty() { right } else { &left });
    } else {
        let side = if count(&left) >= count(right) { &left } else { right };
        let mut lines = side.split('\n').peekable();
        let mut ends = 0;
        while let (Some(line), true) = (lines.next(), ends < 2) {
            if lines.peek().is_none() {
                break;
            }
            out.push_str(if line.ends_with('\r') { "\r\n" } else { "\n" });
            ends += 1;
        }
        out.push_str(indentation);
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_joined_as_the_rule_says() {
        let check = |text: &str, expected: &str| {
            let ranges: Vec<_> = text.match_indices('X').map(|(at, _)| at..at + 1).collect();
            assert_eq!(joined(text, &ranges), expected, "{text:?}");
        };
        check("a\nX", "a");
        check("X\n\n  b \n", "  b \n");
        check("a X b", "a b");
        check("a\r\n\r\n\r\nX\r\nb", "a\r\n\r\nb");
        check("a  \nX\n    b", "a\n    b");
        check("aX X\n\n\nb X", "a\n\nb");
    }
}
