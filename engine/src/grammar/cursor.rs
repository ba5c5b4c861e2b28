//! A place in a text, moved by the few steps that families read with; every step is counted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

use super::json::{self, JsonEnd};

/// One text under scan: what all cursors into it share.
#[derive(Debug)]
pub struct Page<'t> {
    text: &'t str,
    tools: &'t [String],
    /// What is code in the text, sorted and apart.
    code: &'t [Range<usize>],
    steps: Cell<u64>,
    /// Where each marker was found last, as (from, found): a later question between the two has the
    /// same answer, so that looking for a closer from thousands of openers reads the text once.
    found: RefCell<BTreeMap<&'static str, (usize, Option<usize>)>>,
}

impl<'t> Page<'t> {
    /// A page over `text`; `tools` are the names a call may have, sorted.
    pub fn new(text: &'t str, tools: &'t [String]) -> Self {
        Self { text, tools, code: &[], steps: Cell::new(0), found: RefCell::new(BTreeMap::new()) }
    }

    /// The page, with `code` in its text: ranges that are sorted and apart.
    #[must_use]
    pub fn with_code(self, code: &'t [Range<usize>]) -> Self {
        Self { code, ..self }
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Bytes looked at so far, by all cursors.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// A cursor at this byte.
    pub fn cursor(&self, at: usize) -> Cursor<'_, 't> {
        Cursor { page: self, at }
    }

    fn charge(&self, bytes: usize) {
        self.steps.set(self.steps.get().saturating_add(bytes as u64));
    }

    fn find(&self, marker: &'static str, from: usize) -> Option<usize> {
        let known = self.found.borrow().get(marker).copied();
        if let Some((asked, found)) = known
            && asked <= from
            && found.is_none_or(|at| from <= at)
        {
            return found;
        }
        let rest = self.text.get(from..)?;
        let found = memchr::memmem::find(rest.as_bytes(), marker.as_bytes());
        self.charge(found.unwrap_or(rest.len()) + 1);
        let found = found.map(|at| at + from);
        self.found.borrow_mut().insert(marker, (from, found));
        found
    }
}

/// A place in a text. Copy it to look ahead and come back.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'p, 't> {
    page: &'p Page<'t>,
    at: usize,
}

impl<'t> Cursor<'_, 't> {
    /// The byte offset in the text; always at a character boundary.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Moves to this byte; a place inside a character or behind the end leaves the cursor where it is.
    pub fn go(&mut self, at: usize) {
        if self.page.text.is_char_boundary(at) {
            self.at = at;
        }
    }

    /// What follows.
    pub fn rest(&self) -> &'t str {
        self.page.text.get(self.at..).unwrap_or_default()
    }

    /// The text from `from` to here.
    pub fn since(&self, from: usize) -> &'t str {
        self.page.text.get(from..self.at).unwrap_or_default()
    }

    /// The character before this place.
    pub fn before(&self) -> Option<char> {
        self.page.text.get(..self.at)?.chars().next_back()
    }

    /// True behind the last character.
    pub fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// True if this exact text follows.
    pub fn sees(&self, literal: &str) -> bool {
        self.rest().starts_with(literal)
    }

    /// True if the text ends here within the beginning of `literal`: a marker that was cut.
    pub fn sees_cut(&self, literal: &str) -> bool {
        !self.is_at_end() && literal.len() > self.rest().len() && literal.starts_with(self.rest())
    }

    /// Steps over `literal` if it follows.
    pub fn eat(&mut self, literal: &str) -> bool {
        let follows = self.sees(literal);
        if follows {
            self.at += literal.len();
            self.page.charge(literal.len());
        }
        follows
    }

    /// Steps over the first of `literals` that follows, and returns it.
    pub fn eat_any(&mut self, literals: &[&'static str]) -> Option<&'static str> {
        literals.iter().copied().find(|literal| self.eat(literal))
    }

    /// Steps over characters as long as `inside` is true, and returns them. At most to the end.
    pub fn take_while(&mut self, inside: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !inside(letter)).unwrap_or(rest.len());
        self.page.charge(end + 1);
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Steps over white space, line ends included.
    pub fn skip_space(&mut self) {
        // Mostly there is none.
        if self.page.text.as_bytes().get(self.at).is_none_or(u8::is_ascii_graphic) {
            return self.page.charge(1);
        }
        self.take_while(char::is_whitespace);
    }

    /// Steps over blanks and tabs.
    pub fn skip_blanks(&mut self) {
        self.take_while(|letter| letter == ' ' || letter == '\t');
    }

    /// Where `marker` stands next, as a byte offset in the text. Asking again and again costs the
    /// length of the text once, as long as the questions move forward.
    pub fn find(&self, marker: &'static str) -> Option<usize> {
        self.page.find(marker, self.at)
    }

    /// Where the first of `markers` stands next.
    pub fn find_any(&self, markers: &[&'static str]) -> Option<(usize, &'static str)> {
        let found = markers.iter().filter_map(|marker| Some((self.find(marker)?, *marker)));
        found.min_by_key(|(at, marker)| (*at, std::cmp::Reverse(marker.len())))
    }

    /// Steps to `marker` and returns what stands before it; stays where it is if there is none.
    pub fn take_until(&mut self, marker: &'static str) -> Option<&'t str> {
        let end = self.find(marker)?;
        let taken = self.page.text.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// True if code begins behind the cursor and not behind `at`: a marker in it is only shown, and one
    /// behind it would take the code along, so no damaged block may end there. Code that begins before
    /// the cursor may be a value's.
    pub fn has_code_to(&self, at: usize) -> bool {
        let behind = self.page.code.partition_point(|range| range.start < self.at);
        self.page.code.get(behind).is_some_and(|range| range.start <= at)
    }

    /// Steps behind the next `closer` if no `opener` stands before it, and if it is not in code; stays
    /// otherwise. For the end of a damaged block: what it owns must not reach into another one.
    pub fn go_behind(&mut self, closer: &'static str, opener: &'static str) {
        if let Some(at) = self.find(closer)
            && !self.has_code_to(at)
            && self.find(opener).is_none_or(|other| at < other)
        {
            self.at = at + closer.len();
        }
    }

    /// Steps over one JSON value and returns its text; see [`JsonEnd`]. Nothing may stand before it.
    ///
    /// Brackets, commas and colons must be where JSON has them; strings may hold raw control
    /// characters, and what is inside strings and scalars is not looked at: reading is for later.
    /// On a break the cursor stands at the byte that does not belong.
    pub fn json(&mut self) -> JsonEnd<'t> {
        let rest = self.rest();
        let (length, end) = json::end(rest);
        self.page.charge(length + 1);
        self.at += length;
        let taken = rest.get(..length).unwrap_or_default();
        match end {
            json::End::Whole => JsonEnd::Whole(taken),
            json::End::Broken => JsonEnd::Broken,
            json::End::CutOff => JsonEnd::CutOff,
        }
    }

    /// The names a call may have, sorted.
    pub fn tools(&self) -> &'t [String] {
        self.page.tools
    }

    /// True if this is exactly the name of a tool.
    pub fn is_tool(&self, name: &str) -> bool {
        self.page.tools.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_counted_and_no_search_twice() {
        let page = Page::new("ab x", &[]);
        assert_eq!(page.cursor(0).find("x"), Some(3));
        assert_eq!(page.steps(), 4);
        assert_eq!((page.cursor(1).find("x"), page.steps()), (Some(3), 4));
        assert_eq!((page.cursor(0).take_while(|_| false), page.steps()), ("", 5));
        assert_eq!((page.cursor(2).json(), page.steps()), (JsonEnd::Broken, 6));
    }

    #[test]
    fn code_counts_where_it_begins_behind_the_cursor() {
        let code = [Range { start: 2, end: 10 }];
        let page = Page::new("0123456789ab", &[]).with_code(&code);
        assert!(page.cursor(0).has_code_to(7) && page.cursor(0).has_code_to(11));
        assert!(!page.cursor(5).has_code_to(7) && !page.cursor(0).has_code_to(1));
    }
}
