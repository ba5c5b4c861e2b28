//! Takes out of a text what a reader cannot see: control characters, escape sequences, invisible
//! and direction marks.

/// Every visible character and every line break of `text`; other white space becomes a blank.
///
/// Terminal escape sequences go as a whole, also where they are cut off. U+FFFD, which stands for a
/// half surrogate or broken bytes, goes as well. Costs time linear in the text.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.peek() {
                Some('[') => {
                    chars.next();
                    skip_control(&mut chars);
                }
                Some(']' | 'P' | 'X' | '^' | '_') => skip_string(&mut chars),
                _ => {}
            },
            '\u{9b}' => skip_control(&mut chars),
            '\u{9d}' | '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => skip_string(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{b}' | '\u{c}' => out.push('\n'),
            _ if c.is_control() && c != '\t' => {}
            _ if c.is_whitespace() => out.push(' '),
            _ if is_invisible(c) => {}
            _ => out.push(c),
        }
    }
    out
}

type Chars<'t> = std::iter::Peekable<std::str::Chars<'t>>;

/// Skips a control sequence behind its introducer: parameters, then one final character.
fn skip_control(chars: &mut Chars<'_>) {
    while chars.next_if(|c| ('\u{20}'..='\u{3f}').contains(c)).is_some() {}
    chars.next_if(|c| ('\u{40}'..='\u{7e}').contains(c));
}

/// Skips a string sequence to its terminator, or to the end of the line if it has none.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' if chars.next_if_eq(&'\\').is_some() => return,
            _ => {}
        }
    }
}

/// Zero width, direction, variation, tag and filler characters, noncharacters, private use.
fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0xad | 0x34f
            | 0x61c
            | 0x115f
            | 0x1160
            | 0x17b4
            | 0x17b5
            | 0x180b..=0x180f
            | 0x200b..=0x200f
            | 0x202a..=0x202e
            | 0x2060..=0x206f
            | 0x2800
            | 0x3164
            | 0xe000..=0xf8ff
            | 0xfdd0..=0xfdef
            | 0xfe00..=0xfe0f
            | 0xfeff
            | 0xffa0
            | 0xfff0..=0xfffd
            | 0xfffe
            | 0xffff
            | 0x1_bca0..=0x1_bca3
            | 0x1_d173..=0x1_d17a
            | 0xe_0000..=0xe_0fff
            | 0xf_0000..=0x10_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn only_what_can_be_seen_stays() {
        for (text, wanted) in [
            ("a\u{1b}[31mred\u{1b}[0m b", "ared b"),
            ("a\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\ b", "alink b"),
            ("a\u{9b}31mb\u{1b}[3", "ab"),
            ("a\u{9d}8;;http://x\u{9c}b\u{90}c", "ab"),
            ("s\u{200b}k\u{2060}-\u{feff}1\u{202e}2", "sk-12"),
            ("a\u{0}b\u{7f}c\u{85}d\r\ne\rf\tg", "abc\nd\ne\nf g"),
            ("x\u{fffd}y\u{e0041}z", "xyz"),
            ("größe 文字 ∙ 🙂", "größe 文字 ∙ 🙂"),
        ] {
            assert_eq!(clean(text), wanted, "{text:?}");
        }
    }
}
