//! A position in the text, and everything that stands between tokens.

use super::{
    ReadError, Stop,
    liberties::{Taken, skip_comment, skip_literal_newline, skip_odd_space},
};

/// The text, how far it has been read, and what that took.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Bytes looked at, repeated looks included.
    pub(super) steps: u64,
    pub(super) taken: Taken,
    /// The first number that nothing holds exactly.
    pub(super) inexact: Option<usize>,
    /// The first string with a backslash in it that JSON's own quotes do not delimit.
    pub(super) escaped_at: Option<usize>,
    /// Whether the text is the inside of a JSON string, already unescaped once.
    pub(super) unescaped: bool,
    /// Whether the text stood inside another one.
    pub(super) nested: bool,
}

/// What may follow; some comments would be values there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Gap {
    /// A value is due: `#fff` and `//host` are no comments.
    BeforeValue,
    /// A number stood before: `60 // 2` is no comment.
    AfterNumber,
    Elsewhere,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let taken = Taken::default();
        Self {
            text,
            at: 0,
            steps: 0,
            taken,
            inexact: None,
            escaped_at: None,
            unescaped: false,
            nested: false,
        }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text not yet read; empty if the position were inside a character, which no caller does.
    pub(super) fn rest(&self) -> &'t str {
        self.slice(self.at, self.text.len())
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(super) fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn peek_second(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at + 1).copied()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
        self.spend(bytes);
    }

    /// Counts bytes looked at without moving on.
    pub(super) fn spend(&mut self, bytes: usize) {
        self.steps = self.steps.saturating_add(bytes as u64);
    }

    pub(super) fn broken(&self) -> ReadError {
        ReadError::broken(self.at)
    }

    pub(super) fn cut(&self, stop: Stop) -> ReadError {
        ReadError::cut(stop, self.text.len())
    }

    /// The bytes of the space that stands here and that JSON does not count as one.
    fn odd_space(&self) -> Option<usize> {
        if self.peek()? < 0x80 {
            return None;
        }
        let first = self.rest().chars().next()?;
        is_odd_space(first).then(|| first.len_utf8())
    }

    /// Skips white space, real, odd or spelled out as `\n`.
    pub(super) fn skip_space(&mut self) {
        loop {
            let blank = self.bytes().iter().take_while(|byte| is_space(**byte)).count();
            self.advance(blank);
            if let Some(odd) = self.odd_space() {
                self.taken.take(&skip_odd_space::LIBERTY, self.at);
                self.advance(odd);
                continue;
            }
            if self.peek() != Some(b'\\') || !matches!(self.peek_second(), Some(b'n' | b't' | b'r'))
            {
                return;
            }
            self.taken.take(&skip_literal_newline::LIBERTY, self.at);
            self.advance(2);
        }
    }

    /// Skips white space and comments between the tokens of a value.
    pub(super) fn skip_gap(&mut self, gap: Gap) -> Result<(), ReadError> {
        loop {
            self.skip_space();
            let Some(comment) = self.comment(gap)? else { return Ok(()) };
            if !comment.closed {
                return Err(self.cut(Stop::InComment));
            }
            if self.may_be_text(&comment) {
                return Err(self.broken());
            }
            self.taken.take(&skip_comment::LIBERTY, self.at);
            self.advance(comment.bytes);
        }
    }

    /// Whether the comment that starts here may be the rest of a string on its line whose own quotes were
    /// not escaped, as in `"a": "" # x"`: then the quote that ends the string stands in the comment.
    fn may_be_text(&mut self, comment: &Comment) -> bool {
        let inside = self.slice(self.at, self.at + comment.bytes);
        let quotes = ['"', '\''].map(|quote| inside.contains(quote));
        if quotes == [false, false] {
            return false;
        }
        let before = self.slice(0, self.at);
        let line = before.rsplit('\n').next().unwrap_or_default();
        self.spend(line.len());
        let end = line.trim_end_matches([' ', '\t', ',', ':']);
        let [double, single] = quotes;
        double && line.contains('"') || single && end.ends_with('\'')
    }

    /// Skips white space and comments outside the value, if they hold no structure of their own.
    pub(super) fn skip_outer_gap(&mut self) {
        loop {
            self.skip_space();
            let Ok(Some(comment)) = self.comment(Gap::Elsewhere) else { return };
            let inside = self.slice(self.at, self.at + comment.bytes);
            if (!comment.closed && inside.starts_with("/*")) || inside.contains(is_bracket) {
                return;
            }
            self.taken.take(&skip_comment::LIBERTY, self.at);
            self.advance(comment.bytes);
        }
    }

    /// The comment that starts here, if one does.
    fn comment(&mut self, gap: Gap) -> Result<Option<Comment>, ReadError> {
        let rest = self.rest();
        let comment = if let Some(inside) = rest.strip_prefix("/*") {
            let end = inside.find("*/");
            Comment { bytes: end.map_or(rest.len(), |end| end + 4), closed: end.is_some() }
        } else if let Some(inside) = rest.strip_prefix("//").or_else(|| rest.strip_prefix('#')) {
            if is_content(inside, gap) {
                return Err(self.broken());
            }
            let end = rest.find('\n');
            // The line break is white space behind it.
            Comment { bytes: end.unwrap_or(rest.len()), closed: end.is_some() }
        } else {
            return Ok(None);
        };
        self.spend(comment.bytes);
        Ok(Some(comment))
    }
}

#[derive(Clone, Copy, Debug)]
struct Comment {
    bytes: usize,
    closed: bool,
}

/// Whether what looks like a line comment is rather a value, or part of one.
fn is_content(inside: &str, gap: Gap) -> bool {
    match gap {
        Gap::BeforeValue => {
            !inside.is_empty() && !inside.starts_with([' ', '\t', '/', '#', '\n', '\r'])
        }
        Gap::AfterNumber => {
            let line = inside.lines().next().unwrap_or_default();
            line.contains(|letter: char| letter.is_ascii_digit())
                && !line.contains(char::is_alphabetic)
        }
        Gap::Elsewhere => false,
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// A byte order mark, or a space or line separator beyond ASCII.
pub(super) fn is_odd_space(letter: char) -> bool {
    matches!(
        letter,
        '\u{feff}' | '\u{a0}' | '\u{2000}'
            ..='\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{3000}'
    )
}

pub(super) fn is_bracket(letter: char) -> bool {
    matches!(letter, '{' | '}' | '[' | ']')
}
