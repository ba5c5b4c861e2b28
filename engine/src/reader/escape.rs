//! Backslashes inside a string: what each may be, and what the whole literal therefore means.

use super::quote::Kind;

/// One backslash and what belongs to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
    pub(super) class: Class,
    /// Length, backslash included.
    pub(super) bytes: usize,
    /// The character it stands for, unless it stands for half of a surrogate pair or for nothing.
    pub(super) decoded: Option<char>,
}

/// How likely a backslash is meant as an escape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Class {
    /// An escape that nobody writes by accident.
    Meant,
    /// `\n`, `\t`, `\r`: meant, unless it is part of a Windows path.
    Blank,
    /// `\b`, `\f`: valid JSON, yet never what a model means.
    Bell,
    /// No escape at all.
    Invalid,
    /// No escape in JSON but one in other languages; itself in a Windows path.
    Foreign,
    /// No escape in JSON but one in other languages; could be either.
    Doubtful,
}

impl Escape {
    /// Looks at the backslash that `bytes` starts with.
    pub(super) fn at(bytes: &[u8], kind: Kind) -> Self {
        let python = kind == Kind::Single;
        let found = |class, bytes, decoded| Self { class, bytes, decoded };
        let meant = |letter| found(Class::Meant, 2, Some(letter));
        match bytes.get(1..).unwrap_or_default() {
            [b'"', ..] => meant('"'),
            [b'\\', ..] => meant('\\'),
            [b'\'', ..] if python => meant('\''),
            [b'/', ..] if !python => meant('/'),
            [b'n', ..] => found(Class::Blank, 2, Some('\n')),
            [b't', ..] => found(Class::Blank, 2, Some('\t')),
            [b'r', ..] => found(Class::Blank, 2, Some('\r')),
            [b'b', ..] => found(Class::Bell, 2, Some('\u{8}')),
            [b'f', ..] => found(Class::Bell, 2, Some('\u{c}')),
            [b'u', digits @ ..] => match hex(digits, 4) {
                Some(unit) => Self::unicode(unit, digits.get(4..).unwrap_or_default()),
                None => found(Class::Invalid, 1, None),
            },
            [b'x', digits @ ..] => Self::foreign(hex(digits, 2), 4, python),
            [b'U', digits @ ..] => Self::foreign(hex(digits, 8), 10, python),
            [b'/' | b'0'..=b'9' | b'a' | b'v', ..] if python => found(Class::Doubtful, 1, None),
            // A continued line, a kept line break, or a damaged `\\n`.
            [0..b' ', ..] => found(Class::Doubtful, 1, None),
            [b'\'', ..] => found(Class::Doubtful, 2, None),
            [0xE2, 0x80, 0x98..=0x9F, ..] => found(Class::Doubtful, 4, None),
            _ => found(Class::Invalid, 1, None),
        }
    }

    /// `\uXXXX`, together with the second half of a surrogate pair.
    fn unicode(unit: u32, after: &[u8]) -> Self {
        let high = (0xD800..0xDC00).contains(&unit);
        let low = match after {
            [b'\\', b'u', digits @ ..] if high => {
                hex(digits, 4).filter(|low| (0xDC00..0xE000).contains(low))
            }
            _ => None,
        };
        let pair = low.map(|low| 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
        let bytes = if pair.is_some() { 12 } else { 6 };
        Self { class: Class::Meant, bytes, decoded: char::from_u32(pair.unwrap_or(unit)) }
    }

    /// `\xNN` and `\UNNNNNNNN`, which a Python repr writes and JSON does not have.
    fn foreign(code: Option<u32>, bytes: usize, python: bool) -> Self {
        match code {
            Some(code) if python => {
                Self { class: Class::Meant, bytes, decoded: char::from_u32(code) }
            }
            Some(_) => Self { class: Class::Foreign, bytes: 1, decoded: None },
            None => Self { class: Class::Invalid, bytes: 1, decoded: None },
        }
    }
}

/// Exactly `count` hexadecimal digits.
fn hex(bytes: &[u8], count: usize) -> Option<u32> {
    let digits = bytes.get(..count)?;
    digits
        .iter()
        .try_fold(0_u32, |code, digit| Some((code << 4) | char::from(*digit).to_digit(16)?))
}

/// Where each class of backslash stands first in one literal, in bytes from its start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    meant: Option<usize>,
    blank: Option<usize>,
    bell: Option<usize>,
    doubtful: Option<usize>,
    foreign: Option<usize>,
    pub(super) invalid: Option<usize>,
}

impl Escapes {
    pub(super) fn note(&mut self, class: Class, at: usize) {
        let first = match class {
            Class::Meant => &mut self.meant,
            Class::Blank => &mut self.blank,
            Class::Bell => &mut self.bell,
            Class::Doubtful => &mut self.doubtful,
            Class::Invalid => &mut self.invalid,
            Class::Foreign => {
                self.foreign.get_or_insert(at);
                &mut self.invalid
            }
        };
        first.get_or_insert(at);
    }

    pub(super) fn is_empty(self) -> bool {
        [self.meant, self.blank, self.bell, self.doubtful, self.invalid].iter().all(Option::is_none)
    }

    /// Where the literal stops having one meaning, if it does.
    ///
    /// `foreign` says that the text is not escaped as JSON is, so that valid escapes are no proof
    /// of care.
    pub(super) fn ambiguity(self, raw: &str, foreign: bool) -> Option<usize> {
        let path_like = self.blank.or(self.foreign);
        if self.doubtful.is_some() {
            self.doubtful
        } else if self.invalid.is_some() {
            self.meant.or_else(|| path_like.filter(|at| !is_windows_path(raw, *at)))
        } else if foreign {
            self.bell.or_else(|| self.blank.filter(|_| has_drive(raw)))
        } else {
            None
        }
    }
}

/// Whether `C:\` with a single backslash stands anywhere in a literal, at the start of a word; the `n`
/// of `\n:\"` is no drive.
fn has_drive(raw: &str) -> bool {
    raw.match_indices(":\\").any(|(colon, _)| {
        let single = !raw.get(colon + 2..).unwrap_or_default().starts_with('\\');
        let mut before = raw.get(..colon).unwrap_or_default().chars().rev();
        let drive = before.next().filter(char::is_ascii_alphabetic);
        single && drive.is_some_and(|letter| may_follow(letter, before.next()))
    })
}

/// Whether a drive's letter may stand behind `before`: not inside a word, nor as the rest of an escape.
fn may_follow(letter: char, before: Option<char>) -> bool {
    let escape = before == Some('\\') && matches!(letter, 'n' | 't' | 'r');
    !escape && before.is_none_or(|before| !before.is_alphanumeric())
}

/// Whether a literal starts like `C:\`, with a single backslash.
fn starts_with_drive(raw: &str) -> bool {
    match raw.as_bytes() {
        [drive, b':', b'\\', next, ..] => drive.is_ascii_alphabetic() && *next != b'\\',
        _ => false,
    }
}

/// Whether a literal is one Windows path, also if the backslash at `at` is one of its separators.
fn is_windows_path(raw: &str, at: usize) -> bool {
    // Beside a space, or behind a file's extension, `\n` would rather start a new line of some text.
    let before = raw.get(..at).unwrap_or_default();
    let name_before = before.rsplit('\\').next().unwrap_or_default();
    let tail_is_one_word = !raw.contains(' ') && !name_before.contains('.');
    let barred = |letter: char| {
        letter.is_control() || matches!(letter, '"' | '\'' | '<' | '>' | '|' | '?' | '*')
    };
    starts_with_drive(raw) && tail_is_one_word && !raw.contains(barred)
}

/// Replaces all escapes of a literal; fails at the first half of a surrogate pair.
pub(super) fn decode(raw: &str, kind: Kind) -> Result<String, usize> {
    let mut decoded = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(run) = rest.find('\\') {
        let (plain, escaped) = rest.split_at_checked(run).unwrap_or((rest, ""));
        decoded.push_str(plain);
        let escape = Escape::at(escaped.as_bytes(), kind);
        let Some(letter) = escape.decoded else { return Err(raw.len() - escaped.len()) };
        decoded.push(letter);
        rest = escaped.get(escape.bytes..).unwrap_or_default();
    }
    decoded.push_str(rest);
    Ok(decoded)
}
