//! The steps in which families of markers and JSON read a block, with one way to stop for all of them.

use super::{Arguments, Block, BlockState, Cursor, JsonEnd, LeakedCall, call_object, json};

/// Why a block is not read to its end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Stop {
    /// What follows the opener is no call: the opener is only mentioned.
    NoBlock,
    /// The text ends.
    CutOff,
    /// Something does not belong.
    Damaged(&'static str),
    /// The calls were read to their end, and what follows is none of the format's: it stays.
    Ended(&'static str),
}

/// What a step yields, or why reading stops.
pub(super) type Read<T> = Result<T, Stop>;

/// A block being read.
#[derive(Debug)]
pub(super) struct Reading<'p, 't> {
    /// Where reading stands.
    pub(super) cursor: Cursor<'p, 't>,
    /// The calls read so far.
    pub(super) calls: Vec<LeakedCall>,
    /// The name of a call whose arguments are still to come.
    pub(super) named: Vec<String>,
}

/// Reads a block: `read` steps through it and returns the name of the spelling.
///
/// A damaged block reaches behind the nearest of `closers` unless `opener` stands before it.
pub(super) fn block<'p, 't>(
    cursor: Cursor<'p, 't>,
    opener: &'static str,
    closers: &[&'static str],
    read: impl FnOnce(&mut Reading<'p, 't>) -> Read<&'static str>,
) -> Option<Block> {
    let mut reading = Reading { cursor, calls: Vec::new(), named: Vec::new() };
    let state = match read(&mut reading) {
        Ok(spelling) => {
            return Some(Block::whole(reading.cursor.at(), spelling, reading.calls));
        }
        Err(Stop::NoBlock) => return None,
        Err(Stop::CutOff) => {
            let rest = reading.cursor.rest().len();
            reading.cursor.go(reading.cursor.at() + rest);
            BlockState::CutOff
        }
        Err(Stop::Damaged(why)) => {
            reading.go_behind(closers, opener);
            BlockState::Damaged(why)
        }
        Err(Stop::Ended(why)) => BlockState::Damaged(why),
    };
    let called = reading.calls.into_iter().map(|call| call.name);
    let named = called.chain(reading.named).collect();
    Some(Block::broken(reading.cursor.at(), state, named))
}

impl<'t> Reading<'_, 't> {
    /// Steps over white space and `marker`.
    pub(super) fn expect(&mut self, marker: &str, missing: &'static str) -> Read<()> {
        self.cursor.skip_space();
        if self.cursor.eat(marker) {
            return Ok(());
        }
        Err(self.missing(&[marker], missing))
    }

    /// Why a marker is not there: because the text ends here or within it, or because something
    /// else stands in its place.
    pub(super) fn missing(&self, markers: &[&str], why: &'static str) -> Stop {
        let cursor = self.cursor;
        if cursor.is_at_end() || markers.iter().any(|marker| cursor.sees_cut(marker)) {
            Stop::CutOff
        } else {
            Stop::Damaged(why)
        }
    }

    /// Nothing but the opener is a cut block; an opener before something else is only a mention.
    pub(super) fn no_block(&self, follows: &[&str]) -> Stop {
        match self.missing(follows, "") {
            Stop::CutOff => Stop::CutOff,
            _ => Stop::NoBlock,
        }
    }

    /// Steps over white space and a JSON value, and returns its text.
    pub(super) fn json(&mut self) -> Read<&'t str> {
        self.cursor.skip_space();
        match self.cursor.json() {
            JsonEnd::Whole(text) => Ok(text),
            JsonEnd::CutOff => Err(Stop::CutOff),
            JsonEnd::Broken => Err(Stop::Damaged("what stands where JSON belongs is not JSON")),
        }
    }

    /// Steps over a JSON object that holds arguments of the call named last.
    pub(super) fn json_arguments(&mut self, name: &str) -> Read<()> {
        self.named.push(name.to_owned());
        self.cursor.skip_space();
        if !self.cursor.sees("{") {
            return Err(self.missing(&[], "the arguments are not a JSON object"));
        }
        let arguments = Arguments::Json(self.json()?.to_owned());
        self.named.pop();
        self.calls.push(LeakedCall { name: name.to_owned(), arguments });
        Ok(())
    }

    /// Steps over one call object, read by `one`.
    pub(super) fn object(&mut self, one: One) -> Read<()> {
        let text = self.calls_json()?;
        self.one(text, one)
    }

    /// True if a list of objects begins here, or is cut where it begins; `[1]` is something else.
    pub(super) fn sees_list(&self) -> bool {
        let mut ahead = self.cursor;
        let opens = ahead.eat("[");
        ahead.skip_space();
        opens && (ahead.sees("{") || ahead.is_at_end())
    }

    /// Steps over a JSON list of call objects, at least one, each read by `one`.
    pub(super) fn list(&mut self, one: One) -> Read<()> {
        let text = self.calls_json()?;
        let items = json::items(text).unwrap_or_default();
        if items.is_empty() {
            return Err(Stop::Damaged("the list holds no calls"));
        }
        for item in items {
            self.one(item, one)?;
        }
        Ok(())
    }

    fn one(&mut self, text: &str, one: One) -> Read<()> {
        let read = one(text).map_err(|why| {
            self.named.extend(call_object::begun_name(text));
            Stop::Damaged(why)
        });
        self.calls.push(read?);
        Ok(())
    }

    /// Steps over the JSON of calls; where it is not whole, the first name in it is noted.
    fn calls_json(&mut self) -> Read<&'t str> {
        self.cursor.skip_space();
        let rest = self.cursor.rest();
        let read = self.json();
        if read.is_err() {
            self.named.extend(call_object::begun_name(rest));
        }
        read
    }

    /// Steps over characters a tool's name consists of, and the marks that join names: `.`, `:`, `/`.
    pub(super) fn name(&mut self) -> &'t str {
        self.cursor.take_while(|letter| letter.is_alphanumeric() || "_-.:/".contains(letter))
    }

    /// Makes sure that nothing but blanks follows on the line: for formats in which nothing closes
    /// a block, so that a call mentioned within a sentence is none.
    pub(super) fn line_ends(&mut self) -> Read<()> {
        let mut ahead = self.cursor;
        ahead.skip_blanks();
        if ahead.is_at_end() || ahead.sees("\n") || ahead.sees("\r\n") {
            return Ok(());
        }
        Err(Stop::Ended("text follows on the line"))
    }

    fn go_behind(&mut self, closers: &[&'static str], opener: &'static str) {
        if let Some((at, closer)) = self.cursor.find_any(closers)
            && !self.cursor.has_code_to(at)
            && self.cursor.find(opener).is_none_or(|other| at < other)
        {
            self.cursor.go(at + closer.len());
        }
    }
}

/// Reads one call out of the text of a JSON object.
pub(super) type One = fn(&str) -> Result<LeakedCall, &'static str>;

/// Reads a call object that gives its arguments: what a message that is nothing else must have.
pub(super) fn full_call(text: &str) -> Result<LeakedCall, &'static str> {
    let call = call_object::read(text)?;
    let members = json::members(text).unwrap_or_default();
    let inner = members.iter().find(|(key, _)| key == "function");
    let members =
        inner.map_or(members.clone(), |(_, text)| json::members(text).unwrap_or_default());
    let gives = members.iter().any(|(key, _)| call_object::ARGUMENT_KEYS.contains(&key.as_ref()));
    if gives { Ok(call) } else { Err("the call has no arguments") }
}
