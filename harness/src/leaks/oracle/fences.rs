//! A naive reading of fenced code: line by line, at the left margin.

use std::ops::Range;

/// The fenced code blocks of a text, fences included; `None` where lists or quotations hold fences, so that
/// reading line by line is not enough.
pub fn fences(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut open: Option<(char, usize, usize)> = None;
    let mut lists = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_start_matches(' ');
        let indentation = line.len() - body.len();
        let mark = fence(body);
        match (open, mark) {
            (None, Some((letter, count))) if indentation < 4 => {
                if lists && indentation > 0 {
                    return None;
                }
                open = Some((letter, count, start));
            }
            (Some((letter, count, from)), Some((other, length)))
                if indentation < 4
                    && letter == other
                    && length >= count
                    && closes(body, letter) =>
            {
                found.push(from..at);
                open = None;
            }
            (None, None) => {
                let item = body.starts_with(['-', '*', '+', '>'])
                    || body.starts_with(|c: char| c.is_ascii_digit());
                lists |= item;
                if item && (body.contains("```") || body.contains("~~~")) {
                    return None;
                }
            }
            _ => {}
        }
    }
    found.extend(open.map(|(_, _, from)| from..text.len()));
    Some(found)
}

/// The mark and length of the fence that a line begins with, if it may open one.
fn fence(body: &str) -> Option<(char, usize)> {
    let letter = body.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
    let count = body.chars().take_while(|c| *c == letter).count();
    let info = &body[count..];
    (count >= 3 && (letter == '~' || !info.contains('`'))).then_some((letter, count))
}

/// True if nothing but blanks follows the marks.
fn closes(body: &str, letter: char) -> bool {
    body.trim_start_matches(letter).trim().is_empty()
}

/// The text with every letter of `ranges` but line ends made an `x`.
pub fn blanked<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in
            bytes.iter_mut().take(range.end).skip(range.start).filter(|byte| **byte != b'\n')
        {
            *byte = b'x';
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_open_and_close() {
        assert_eq!(fences("a\n```x\nb\n```\nc"), Some(vec![Range { start: 2, end: 13 }]));
        assert_eq!(fences("~~~\n```\n~~~~\n"), Some(vec![Range { start: 0, end: 13 }]));
        assert_eq!(fences("````\n```\n"), Some(vec![Range { start: 0, end: 9 }]));
        assert_eq!(fences("``` a ` b\n    ```\n"), Some(vec![]));
        assert_eq!(fences("- ```\n  x\n  ```\n"), None);
    }
}
