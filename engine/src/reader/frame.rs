//! Finds the one value of a text and judges everything around it.

use serde_json::Value;

use super::{
    ReadError, ReadErrorKind, Stop,
    liberties::{
        close_containers, drop_repeated_value, drop_surplus_closer, skip_surrounding_text,
        unwrap_fence,
    },
    number, parse, prose,
    quote::{Kind, Quote},
    scan::{Scanner, is_space},
};

/// Reads the whole text.
pub(super) fn read(scanner: &mut Scanner<'_>, depth_max: u32) -> Result<Value, ReadError> {
    scanner.skip_outer_gap();
    let mut frame = Frame { scanner, depth_max, fence: None };
    match frame.scanner.peek() {
        Some(b'{' | b'[') => frame.value_and_tail(),
        Some(_) if Quote::opening(frame.scanner.bytes()).is_some() => frame.root_string(),
        Some(_) => frame.scalar().map_or_else(|| frame.after_lead(), Ok),
        None => Err(frame.nothing()),
    }
}

#[derive(Debug)]
struct Frame<'s, 't> {
    scanner: &'s mut Scanner<'t>,
    depth_max: u32,
    /// The fence that the value stands in.
    fence: Option<Fence>,
}

/// The characters that open or close a markdown code fence.
#[derive(Clone, Copy, Debug)]
struct Fence {
    mark: u8,
    bytes: usize,
}

impl Fence {
    fn at(bytes: &[u8]) -> Option<Self> {
        let mark = bytes.first().copied().filter(|first| matches!(first, b'`' | b'~'))?;
        let bytes = bytes.iter().take_while(|byte| **byte == mark).count();
        (bytes >= 3).then_some(Self { mark, bytes })
    }
}

impl Frame<'_, '_> {
    /// The error for a text without any value.
    fn nothing(&self) -> ReadError {
        let text = self.scanner.text();
        if text.bytes().all(is_space) {
            return ReadError::new(ReadErrorKind::Empty, 0);
        }
        if text.contains(['{', '[']) || prose::resembles_scalar(text.trim()) {
            return ReadError::broken(0);
        }
        ReadError::new(ReadErrorKind::NotJson, 0)
    }

    /// Reads a text that is one JSON number or literal, and nothing else.
    fn scalar(&mut self) -> Option<Value> {
        let text = self.scanner.rest().trim_end_matches([' ', '\t', '\n', '\r']);
        let value = match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => {
                self.scanner.spend(text.len());
                return if number::is_number(text) {
                    self.scanner.number(true).ok().map(Value::Number)
                } else {
                    None
                };
            }
        };
        self.scanner.advance(text.len());
        Some(value)
    }

    /// Reads a text that is one string. Without JSON's own quotes it must hold an object or an
    /// array: of other text it is anyone's guess whether the quotes belong to it.
    fn root_string(&mut self) -> Result<Value, ReadError> {
        let start = self.scanner.at();
        let Some(quote) = Quote::opening(self.scanner.bytes()) else { return Err(self.nothing()) };
        let content = self.scanner.string(quote, Stop::InString)?;
        self.scanner.skip_outer_gap();
        let holds_container = content.trim_start().starts_with(['{', '[']);
        if self.scanner.peek().is_some() || !(quote.kind == Kind::Standard || holds_container) {
            return Err(ReadError::broken(start));
        }
        Ok(Value::String(content))
    }

    /// Reads the value behind a lead of other text or behind a fence.
    fn after_lead(&mut self) -> Result<Value, ReadError> {
        let start = self.scanner.at();
        let Some((at, fence)) = self.first_candidate() else { return Err(self.nothing()) };
        let lead = self.scanner.slice(start, at);
        self.scanner.spend(lead.len().saturating_mul(2));
        if !lead.is_empty() {
            if !prose::announces(lead) {
                return Err(self.nothing());
            }
            self.scanner.taken.take(&skip_surrounding_text::LIBERTY, start);
        }
        self.scanner.advance(lead.len());
        if let Some(fence) = fence {
            self.open_fence(fence)?;
        }
        self.value_and_tail()
    }

    /// Where the first opener stands, or the fence before it.
    fn first_candidate(&mut self) -> Option<(usize, Option<Fence>)> {
        let bytes = self.scanner.bytes();
        let opener = bytes.iter().position(|byte| matches!(byte, b'{' | b'['))?;
        self.scanner.spend(opener);
        let start = self.scanner.at();
        let mut line_at = 0;
        for line in self.scanner.slice(start, start + opener).split_inclusive('\n') {
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            if let Some(fence) = Fence::at(line.as_bytes().get(indent..).unwrap_or_default()) {
                return Some((start + line_at + indent, Some(fence)));
            }
            line_at += line.len();
        }
        Some((start + opener, None))
    }

    /// Steps over an opening fence and its info string, up to the value in it.
    fn open_fence(&mut self, fence: Fence) -> Result<(), ReadError> {
        self.scanner.taken.take(&unwrap_fence::LIBERTY, self.scanner.at());
        self.scanner.advance(fence.bytes);
        let line = self.scanner.rest().split(['\n', '{', '[']).next().unwrap_or_default();
        let is_word =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '+' | '.');
        if !line.trim().chars().all(is_word) {
            return Err(self.scanner.broken());
        }
        self.scanner.advance(line.len());
        self.scanner.skip_outer_gap();
        if !matches!(self.scanner.peek(), Some(b'{' | b'[')) {
            return Err(self.scanner.broken());
        }
        self.fence = Some(fence);
        Ok(())
    }

    /// Reads the value that starts here and judges what follows it.
    fn value_and_tail(&mut self) -> Result<Value, ReadError> {
        let value = parse::container(self.scanner, self.depth_max)?;
        loop {
            let end = self.scanner.at();
            self.scanner.skip_outer_gap();
            match self.scanner.peek() {
                None => return Ok(value),
                Some(b'{' | b'[') => self.repeated(&value)?,
                Some(b'}' | b']') => return self.surplus_closers().map(|()| value),
                Some(_) if self.closes_fence() => {}
                Some(_) => return self.trailing_text(end, value.is_object()).map(|()| value),
            }
        }
    }

    /// Reads another value, which must be the first one again and as complete.
    fn repeated(&mut self, first: &Value) -> Result<(), ReadError> {
        let at = self.scanner.at();
        let again = parse::container(self.scanner, self.depth_max)?;
        self.scanner.spend(self.scanner.at() - at);
        if *first != again {
            return Err(ReadError::new(ReadErrorKind::TwoValues, at));
        }
        if self.scanner.taken.includes(&close_containers::LIBERTY) {
            return Err(self.scanner.cut(Stop::BetweenMembers));
        }
        self.scanner.taken.take(&drop_repeated_value::LIBERTY, at);
        Ok(())
    }

    /// Steps over closers that close nothing; only a closing fence may come after them.
    fn surplus_closers(&mut self) -> Result<(), ReadError> {
        while matches!(self.scanner.peek(), Some(b'}' | b']')) {
            self.scanner.taken.take(&drop_surplus_closer::LIBERTY, self.scanner.at());
            self.scanner.advance(1);
            self.scanner.skip_space();
        }
        if self.closes_fence() {
            self.scanner.skip_space();
        }
        if self.scanner.peek().is_some() { Err(self.scanner.broken()) } else { Ok(()) }
    }

    /// Steps over the fence that closes the open one, if it stands here.
    fn closes_fence(&mut self) -> bool {
        match (self.fence, Fence::at(self.scanner.bytes())) {
            (Some(open), Some(close)) if open.mark == close.mark && close.bytes >= open.bytes => {
                self.scanner.advance(close.bytes);
                self.fence = None;
                true
            }
            _ => false,
        }
    }

    /// Steps over text behind the value, which ended at `end`.
    fn trailing_text(&mut self, end: usize, is_object: bool) -> Result<(), ReadError> {
        let text = self.scanner.rest();
        self.scanner.spend(text.len().saturating_mul(3));
        let touches = self.scanner.at() == end;
        if self.fence.is_some() || !prose::comments(text, touches, is_object) {
            return Err(self.scanner.broken());
        }
        self.scanner.taken.take(&skip_surrounding_text::LIBERTY, self.scanner.at());
        self.scanner.advance(text.len());
        Ok(())
    }
}
