//! Tokens of strict JSON, found in the text and left there.

/// The escapes that a text was spelled with, beyond those for `"`, `\` and `/`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    /// Any escape at all.
    pub(super) any: bool,
    /// `\b`, `\f`, `\n`, `\r` or `\t`.
    pub(super) control: bool,
    /// `\u`; it could stand for any character.
    pub(super) unicode: bool,
}

/// The integer that a number is spelled as: without fraction or exponent, and within 64 bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Spelling(pub(super) Option<i64>);

/// A position in a text that is strict JSON up to here.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte behind white space; the position is then at that byte.
    pub(super) fn next_token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Steps over `byte`, white space before it included.
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next_token()? == byte).then(|| self.step())
    }

    /// Steps over the letters of a literal.
    pub(super) fn literal(&mut self, letters: &str) -> Option<()> {
        self.rest().starts_with(letters.as_bytes()).then(|| self.at += letters.len())
    }

    /// Steps over the string that starts here; gives its content as it is spelled.
    pub(super) fn string(&mut self) -> Option<(&'t str, Escapes)> {
        let mut escapes = Escapes::default();
        self.step();
        let start = self.at;
        loop {
            self.at += plain_run(self.rest())?;
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape(&mut escapes)?,
                _ => return None,
            }
        }
        let content = self.text.get(start..self.at)?;
        self.step();
        Some((content, escapes))
    }

    /// Steps over one escape; a surrogate must stand in a pair.
    fn escape(&mut self, escapes: &mut Escapes) -> Option<()> {
        escapes.any = true;
        self.at += match self.rest() {
            [_, b'"' | b'\\' | b'/', ..] => 2,
            [_, b'b' | b'f' | b'n' | b'r' | b't', ..] => {
                escapes.control = true;
                2
            }
            [_, b'u', digits @ ..] => {
                escapes.unicode = true;
                match unit(digits)? {
                    0xD800..0xDC00 => match digits.get(4..)? {
                        [b'\\', b'u', low @ ..] if (0xDC00..0xE000).contains(&unit(low)?) => 12,
                        _ => return None,
                    },
                    0xDC00..0xE000 => return None,
                    _ => 6,
                }
            }
            _ => return None,
        };
        Some(())
    }

    /// Steps over the number that starts here.
    pub(super) fn number(&mut self) -> Option<Spelling> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.step();
        }
        match self.peek()? {
            b'0' => self.step(),
            _ => self.digits()?,
        }
        let whole = self.at;
        if self.peek() == Some(b'.') {
            self.step();
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.step();
            if let Some(b'+' | b'-') = self.peek() {
                self.step();
            }
            self.digits()?;
        }
        let literal = self.text.get(start..self.at)?;
        let plain = whole == self.at && literal != "-0";
        Some(Spelling(literal.parse().ok().filter(|_| plain)))
    }

    fn digits(&mut self) -> Option<()> {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += digits;
        (digits > 0).then_some(())
    }
}

/// Four hexadecimal digits.
fn unit(digits: &[u8]) -> Option<u32> {
    let digits = digits.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some((unit << 4) | char::from(*digit).to_digit(16)?))
}

/// Where the first byte stands that is a quote, a backslash or a control character; eight at a time.
fn plain_run(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = marks(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let last = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
    Some(words.len() * 8 + last)
}

/// The top bit of every byte that ends a plain run; above the lowest one there may be false marks.
fn marks(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
    let quote = zero(word ^ (ONES * 0x22));
    let backslash = zero(word ^ (ONES * 0x5C));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quote | backslash | control) & (ONES * 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_at_the_first_mark() {
        for mark in ['"', '\\', '\n', '\0', '\u{1f}'] {
            for before in 0..20 {
                let text = format!("{}{mark}{}", "é".repeat(before), "\"\\\u{7f}~!#[]".repeat(2));
                assert_eq!(plain_run(text.as_bytes()), Some(before * 2), "{text:?}");
            }
        }
        for before in 0..20 {
            let text = format!("{}\"", "a".repeat(before));
            assert_eq!(plain_run(text.as_bytes()), Some(before), "{text:?}");
        }
        assert_eq!(plain_run("plain, äöü, ~\u{7f}".as_bytes()), None);
    }

    #[test]
    fn short_escapes_are_told_apart() {
        for (text, control) in [
            (r#""\b""#, true),
            (r#""\f""#, true),
            (r#""\n""#, true),
            (r#""\r""#, true),
            (r#""\t""#, true),
            (r#""\/""#, false),
        ] {
            let (_, escapes) = Cursor::new(text).string().expect(text);
            assert_eq!((escapes.any, escapes.control), (true, control), "{text}");
        }
    }

    #[test]
    fn strings_are_strict() {
        for good in [r#""""#, r#""a\"b""#, r#""\u00e9\ud83d\ude00""#, r#""\\u""#, r#""\/""#] {
            assert!(Cursor::new(good).string().is_some(), "{good}");
        }
        for bad in [
            "\"",
            r#""\""#,
            r#""\x41""#,
            r#""\ud83d""#,
            r#""\ude00""#,
            r#""\ud83d\u0041""#,
            "\"a\tb\"",
        ] {
            assert!(Cursor::new(bad).string().is_none(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_strict() {
        let long = "12345678901234567890";
        for (number, plain) in
            [("0", Some(0)), ("-7", Some(-7)), ("-0", None), ("5.0", None), (long, None)]
        {
            assert_eq!(Cursor::new(number).number(), Some(Spelling(plain)), "{number}");
        }
        for bad in ["-", "1.", "1e", ".5", "1e+", ""] {
            assert_eq!(Cursor::new(bad).number(), None, "{bad}");
        }
    }
}
