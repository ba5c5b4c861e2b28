//! String literals: their delimiters, and where each one ends.

use super::{
    ReadError, ReadErrorKind, Stop,
    escape::{Escape, Escapes},
    liberties::{
        Liberty, accept_single_quotes, accept_typographic_quotes, keep_invalid_escape,
        keep_raw_control, read_over_escaped,
    },
    scan::Scanner,
};

/// What opens a string, and so what closes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) kind: Kind,
    /// Length of the opener.
    bytes: usize,
    /// For typographic quotes: last bytes of the closers, and of the quotes that must not be inside.
    closers: &'static [u8],
    barred: &'static [u8],
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Standard,
    Single,
    OverEscaped,
    Typographic,
}

/// What a byte that could end a string turns out to be.
enum Mark {
    Closer(usize),
    Content(usize),
    Barred,
}

/// All typographic quotes are three bytes long and share the first two.
const TYPOGRAPHIC: [u8; 2] = [0xE2, 0x80];

impl Quote {
    /// The quote that opens here, if one does.
    pub(super) fn opening(bytes: &[u8]) -> Option<Self> {
        let plain = |kind, bytes| Some(Self { kind, bytes, closers: &[], barred: &[] });
        let typographic =
            |closers, barred| Some(Self { kind: Kind::Typographic, bytes: 3, closers, barred });
        match bytes {
            [b'"', ..] => plain(Kind::Standard, 1),
            [b'\'', ..] => plain(Kind::Single, 1),
            [b'\\', b'"', ..] => plain(Kind::OverEscaped, 2),
            [0xE2, 0x80, 0x98 | 0x99, ..] => typographic(&[0x99], &[0x98]),
            [0xE2, 0x80, 0x9C | 0x9D | 0x9F, ..] => typographic(&[0x9D], &[0x9C, 0x9E, 0x9F]),
            [0xE2, 0x80, 0x9E, ..] => typographic(&[0x9C, 0x9D], &[0x9E, 0x9F]),
            _ => None,
        }
    }

    fn liberty(self) -> Option<&'static Liberty> {
        match self.kind {
            Kind::Standard => None,
            Kind::Single => Some(&accept_single_quotes::LIBERTY),
            Kind::OverEscaped => Some(&read_over_escaped::LIBERTY),
            Kind::Typographic => Some(&accept_typographic_quotes::LIBERTY),
        }
    }

    /// Length of the content that needs no look: no quote, backslash or control character.
    fn plain_run(self, bytes: &[u8]) -> Option<usize> {
        let (quote, lead) = match self.kind {
            Kind::Standard | Kind::OverEscaped => (b'"', b'"'),
            Kind::Single => (b'\'', b'\''),
            Kind::Typographic => (b'"', 0xE2),
        };
        bytes.iter().position(|&byte| byte == quote || byte == b'\\' || byte < b' ' || byte == lead)
    }

    fn mark(self, bytes: &[u8]) -> Mark {
        match (self.kind, bytes) {
            (Kind::Standard | Kind::Single, _) => Mark::Closer(1),
            (Kind::OverEscaped, _) | (_, [b'"', ..]) => Mark::Barred,
            (Kind::Typographic, [first, second, third, ..]) => {
                if [*first, *second] != TYPOGRAPHIC {
                    Mark::Content(3)
                } else if self.closers.contains(third) {
                    Mark::Closer(3)
                } else if self.barred.contains(third) {
                    Mark::Barred
                } else {
                    Mark::Content(3)
                }
            }
            (Kind::Typographic, _) => Mark::Content(1),
        }
    }
}

impl Scanner<'_> {
    /// Reads the string that `quote` opens here; `stop` says what it is if the text ends inside.
    pub(super) fn string(&mut self, quote: Quote, stop: Stop) -> Result<String, ReadError> {
        if let Some(liberty) = quote.liberty() {
            self.taken.take(liberty, self.at());
        }
        self.advance(quote.bytes);
        let start = self.at();
        let mut escapes = Escapes::default();
        loop {
            let run = quote.plain_run(self.bytes()).ok_or_else(|| self.cut(stop))?;
            self.advance(run);
            match self.bytes() {
                [b'\\', rest @ ..] if quote.kind == Kind::OverEscaped => match rest.first() {
                    Some(b'"') => return Ok(self.close(start, 2)),
                    Some(_) => return Err(self.broken()),
                    None => return Err(self.cut(stop)),
                },
                [b'\\', ..] => {
                    let escape = Escape::at(self.bytes(), quote.kind);
                    escapes.note(escape.class, self.at() - start);
                    self.advance(escape.bytes);
                }
                [control, ..] if *control < b' ' => self.keep_control()?,
                bytes => match quote.mark(bytes) {
                    Mark::Closer(closer) if escapes.is_empty() => {
                        return Ok(self.close(start, closer));
                    }
                    Mark::Closer(closer) => {
                        let raw = self.slice(start, self.at());
                        self.advance(closer);
                        return self.unescape(raw, start, escapes, quote.kind);
                    }
                    Mark::Content(bytes) => self.advance(bytes),
                    Mark::Barred => return Err(self.broken()),
                },
            }
        }
    }

    /// The content as it stands; moves behind the closer.
    fn close(&mut self, start: usize, closer: usize) -> String {
        let content = self.slice(start, self.at()).to_owned();
        self.advance(closer);
        content
    }

    fn keep_control(&mut self) -> Result<(), ReadError> {
        // In a text that was escaped as a whole, an escaped control character is either part of a
        // Windows path or was escaped once too little.
        if self.unescaped {
            return Err(ReadError::new(ReadErrorKind::AmbiguousEscape, self.at()));
        }
        self.taken.take(&keep_raw_control::LIBERTY, self.at());
        self.advance(1);
        Ok(())
    }

    /// Decodes the escapes of a whole literal, or keeps all its backslashes, or refuses.
    fn unescape(
        &mut self,
        raw: &str,
        start: usize,
        escapes: Escapes,
        kind: Kind,
    ) -> Result<String, ReadError> {
        self.spend(raw.len());
        if kind != Kind::Standard {
            self.escaped_at.get_or_insert(start);
        }
        let foreign = kind != Kind::Standard || self.unescaped || self.nested;
        let ambiguous = |at| ReadError::new(ReadErrorKind::AmbiguousEscape, start + at);
        if let Some(at) = escapes.ambiguity(raw, foreign) {
            return Err(ambiguous(at));
        }
        if let Some(at) = escapes.invalid {
            self.taken.take(&keep_invalid_escape::LIBERTY, start + at);
            return Ok(raw.to_owned());
        }
        super::escape::decode(raw, kind)
            .map_err(|at| ReadError::new(ReadErrorKind::LoneSurrogate, start + at))
    }
}
