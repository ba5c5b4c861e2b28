//! The value itself: objects and arrays on an explicit stack, with strings, numbers and literals in them.

use serde_json::{Map, Value, map::Entry};

use super::{
    ReadError, ReadErrorKind, Stop,
    liberties::{
        close_containers, drop_trailing_comma, merge_equal_members, quote_bare_key,
        read_python_literal,
    },
    quote::Quote,
    scan::{Gap, Scanner},
};

/// Everything that stands for a value in plain letters.
const LITERALS: &[(&str, Value)] = &[
    ("true", Value::Bool(true)),
    ("false", Value::Bool(false)),
    ("null", Value::Null),
    ("True", Value::Bool(true)),
    ("False", Value::Bool(false)),
    ("None", Value::Null),
];

/// Reads the object or array that starts here, and stops right after it.
pub(super) fn container(scanner: &mut Scanner<'_>, depth_max: u32) -> Result<Value, ReadError> {
    let mut parser = Parser { scanner, stack: Vec::new(), depth_max };
    loop {
        // INVARIANT: a value is due here, and the gap before it has been skipped.
        if let Some(value) = parser.value()?
            && let Some(root) = parser.place(value)?
        {
            return Ok(root);
        }
    }
}

#[derive(Debug)]
struct Parser<'s, 't> {
    scanner: &'s mut Scanner<'t>,
    stack: Vec<Open>,
    depth_max: u32,
}

/// A container that still lacks its closer.
#[derive(Debug)]
enum Open {
    Array(Vec<Value>),
    /// `key` waits for its value.
    Object {
        members: Map<String, Value>,
        key: String,
        key_at: usize,
    },
}

impl Open {
    fn closer(&self) -> u8 {
        match self {
            Self::Array(_) => b']',
            Self::Object { .. } => b'}',
        }
    }

    fn into_value(self) -> Value {
        match self {
            Self::Array(items) => Value::Array(items),
            Self::Object { members, .. } => Value::Object(members),
        }
    }
}

impl Parser<'_, '_> {
    /// Reads a scalar or an empty container; `None` if a container was opened and its first value
    /// is due.
    fn value(&mut self) -> Result<Option<Value>, ReadError> {
        let stop = match self.stack.last() {
            Some(Open::Object { .. }) => Stop::AfterKey,
            _ => Stop::BetweenMembers,
        };
        match self.next_byte(stop)? {
            b'{' => self.open_object(),
            b'[' => self.open_array(),
            b'-' | b'0'..=b'9' => Ok(Some(Value::Number(self.scanner.number(false)?))),
            _ => match Quote::opening(self.scanner.bytes()) {
                Some(quote) => Ok(Some(Value::String(self.scanner.string(quote, Stop::InString)?))),
                None => self.literal().map(Some),
            },
        }
    }

    /// The next byte, or the error that the text stops here. A last lone backslash starts nothing.
    fn next_byte(&self, stop: Stop) -> Result<u8, ReadError> {
        match (self.scanner.peek(), self.scanner.peek_second()) {
            (None, _) | (Some(b'\\'), None) => Err(self.scanner.cut(stop)),
            (Some(byte), _) => Ok(byte),
        }
    }

    fn open_object(&mut self) -> Result<Option<Value>, ReadError> {
        self.descend()?;
        self.scanner.skip_gap(Gap::Elsewhere)?;
        if self.next_byte(Stop::BetweenMembers)? == b'}' {
            self.scanner.advance(1);
            return Ok(Some(Value::Object(Map::new())));
        }
        let (key, key_at) = self.key()?;
        self.stack.push(Open::Object { members: Map::new(), key, key_at });
        Ok(None)
    }

    fn open_array(&mut self) -> Result<Option<Value>, ReadError> {
        self.descend()?;
        self.scanner.skip_gap(Gap::BeforeValue)?;
        if self.next_byte(Stop::BetweenMembers)? == b']' {
            self.scanner.advance(1);
            return Ok(Some(Value::Array(Vec::new())));
        }
        self.stack.push(Open::Array(Vec::new()));
        Ok(None)
    }

    /// Steps over an opener unless that is one level too many.
    fn descend(&mut self) -> Result<(), ReadError> {
        let depth_max = self.depth_max;
        if usize::try_from(depth_max).is_ok_and(|most| self.stack.len() >= most) {
            return Err(ReadError::new(ReadErrorKind::TooDeep { depth_max }, self.scanner.at()));
        }
        self.scanner.advance(1);
        Ok(())
    }

    /// Reads a key, its colon and the gap before the value.
    fn key(&mut self) -> Result<(String, usize), ReadError> {
        self.next_byte(Stop::BetweenMembers)?;
        let at = self.scanner.at();
        let key = match Quote::opening(self.scanner.bytes()) {
            Some(quote) => self.scanner.string(quote, Stop::InKey)?,
            None => self.bare_key()?,
        };
        self.scanner.skip_gap(Gap::Elsewhere)?;
        if self.next_byte(Stop::AfterKey)? != b':' {
            return Err(self.scanner.broken());
        }
        self.scanner.advance(1);
        self.scanner.skip_gap(Gap::BeforeValue)?;
        Ok((key, at))
    }

    fn bare_key(&mut self) -> Result<String, ReadError> {
        let at = self.scanner.at();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let length = self.scanner.bytes().iter().take_while(|byte| is_part(byte)).count();
        let key = self.scanner.slice(at, at + length);
        // `{None: 1}` could mean the key `None` or the key `null`.
        let is_literal = LITERALS.iter().any(|(name, _)| *name == key);
        // `{\name: 1}` could mean the key `name` or, behind a spelled-out line break, `ame`.
        let is_glued =
            [r"\n", r"\t", r"\r"].contains(&self.scanner.slice(at.saturating_sub(2), at));
        if key.starts_with(|first: char| !first.is_ascii_digit()) && !is_literal && !is_glued {
            self.scanner.advance(length);
            if self.scanner.peek().is_none() {
                return Err(self.scanner.cut(Stop::InKey));
            }
            self.scanner.taken.take(&quote_bare_key::LIBERTY, at);
            return Ok(key.to_owned());
        }
        Err(self.scanner.broken())
    }

    fn literal(&mut self) -> Result<Value, ReadError> {
        let at = self.scanner.at();
        let letters = self.scanner.bytes().iter().take_while(|byte| byte.is_ascii_alphabetic());
        let length = letters.count();
        let word = self.scanner.slice(at, at + length);
        if let Some((name, value)) = LITERALS.iter().find(|(name, _)| *name == word) {
            if name.starts_with(|first: char| first.is_ascii_uppercase()) {
                self.scanner.taken.take(&read_python_literal::LIBERTY, at);
            }
            self.scanner.advance(length);
            return Ok(value.clone());
        }
        self.scanner.spend(length);
        let is_last = at + length == self.scanner.text().len();
        if is_last && LITERALS.iter().any(|(name, _)| name.starts_with(word)) {
            return Err(self.scanner.cut(Stop::InLiteral));
        }
        Err(self.scanner.broken())
    }

    /// Puts a complete value where it belongs and closes what is complete with it; gives back the
    /// root once that is closed, `None` if another value is due.
    fn place(&mut self, mut value: Value) -> Result<Option<Value>, ReadError> {
        loop {
            let gap = if value.is_number() { Gap::AfterNumber } else { Gap::Elsewhere };
            if let Some(root) = self.attach(value)? {
                return Ok(Some(root));
            }
            self.scanner.skip_gap(gap)?;
            match self.scanner.peek() {
                None => return self.close_all().map(Some),
                Some(b',') => {
                    if !self.step_over_comma()? {
                        return Ok(None);
                    }
                }
                closer if closer == self.stack.last().map(Open::closer) => {}
                Some(_) => return Err(self.scanner.broken()),
            }
            // INVARIANT: the closer of the innermost container stands here.
            let Some(open) = self.stack.pop() else { return Err(self.scanner.broken()) };
            self.scanner.advance(1);
            value = open.into_value();
        }
    }

    /// Steps over a comma and, in an object, the next key; whether a closer follows the comma.
    fn step_over_comma(&mut self) -> Result<bool, ReadError> {
        let comma_at = self.scanner.at();
        self.scanner.advance(1);
        let in_array = matches!(self.stack.last(), Some(Open::Array(_)));
        self.scanner.skip_gap(if in_array { Gap::BeforeValue } else { Gap::Elsewhere })?;
        let next = self.next_byte(Stop::BetweenMembers)?;
        if Some(next) == self.stack.last().map(Open::closer) {
            self.scanner.taken.take(&drop_trailing_comma::LIBERTY, comma_at);
            return Ok(true);
        }
        if !in_array {
            let (next_key, next_at) = self.key()?;
            if let Some(Open::Object { key, key_at, .. }) = self.stack.last_mut() {
                *key = next_key;
                *key_at = next_at;
            }
        }
        Ok(false)
    }

    /// Adds a value to the innermost container; without one it is the root.
    fn attach(&mut self, value: Value) -> Result<Option<Value>, ReadError> {
        match self.stack.last_mut() {
            None => return Ok(Some(value)),
            Some(Open::Array(items)) => items.push(value),
            Some(Open::Object { members, key, key_at }) => {
                match members.entry(std::mem::take(key)) {
                    Entry::Vacant(slot) => {
                        slot.insert(value);
                    }
                    Entry::Occupied(slot) => {
                        self.scanner.spend(self.scanner.at().saturating_sub(*key_at));
                        if *slot.get() != value {
                            let key = slot.key().clone();
                            return Err(ReadError::new(
                                ReadErrorKind::DuplicateKey { key },
                                *key_at,
                            ));
                        }
                        self.scanner.taken.take(&merge_equal_members::LIBERTY, *key_at);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Closes everything that is open at the end of the text.
    fn close_all(&mut self) -> Result<Value, ReadError> {
        while let Some(open) = self.stack.pop() {
            self.scanner.taken.take(&close_containers::LIBERTY, self.scanner.at());
            if let Some(root) = self.attach(open.into_value())? {
                return Ok(root);
            }
        }
        Err(self.scanner.broken())
    }
}
