//! Reads single tags, with their names as attributes or behind an equals sign.

use super::{Mark, TAG_BYTES_MAX, Tag};
use crate::grammar::{Cursor, FieldKind};

/// Longest name, quoted value and run of white space in a tag, in characters.
const PIECE_CHARS_MAX: usize = 128;

/// The words of a format whose tags carry names as attributes.
#[derive(Clone, Copy, Debug)]
pub(in crate::grammar) struct Words {
    pub(in crate::grammar) wrappers: &'static [&'static str],
    pub(in crate::grammar) call: &'static str,
    pub(in crate::grammar) field: &'static str,
}

/// Reads the rest of a tag whose names are attributes; the cursor stands at the word. `None` if the word
/// is none of the format's, or is used in another way.
pub(in crate::grammar) fn attributed<'t>(
    mut cursor: Cursor<'_, 't>,
    closing: bool,
    words: &Words,
) -> Option<Tag<'t>> {
    let word = take_some(&mut cursor, |letter| letter.is_alphanumeric() || "_:-".contains(letter));
    let wrapper = words.wrappers.iter().copied().find(|known| *known == word);
    let (open, close) = if word == words.call {
        (Mark::OpenCall, Mark::CloseCall)
    } else if word == words.field {
        (Mark::OpenField, Mark::CloseField)
    } else if wrapper.is_some() {
        (Mark::OpenWrapper, Mark::CloseWrapper)
    } else {
        return None;
    };
    if closing || wrapper.is_some() {
        take_some(&mut cursor, char::is_whitespace);
        let mark = if closing { close } else { open };
        let whole = cursor.eat(">");
        return whole.then(|| Tag { variant: wrapper, ..Tag::plain(mark, cursor.at()) });
    }
    if !cursor.rest().starts_with(char::is_whitespace) && !cursor.is_at_end() {
        return None;
    }
    Some(attributes(cursor, open))
}

/// Reads the attributes of an opening tag and its end.
fn attributes<'t>(mut cursor: Cursor<'_, 't>, mark: Mark) -> Tag<'t> {
    let start = cursor.at();
    let mut tag = Tag::plain(mark, start);
    let mut kind = None;
    while !tag_end(&mut cursor) {
        let Some((key, value)) = attribute(&mut cursor) else {
            let cut = cursor.is_at_end() && cursor.since(start).len() < TAG_BYTES_MAX;
            return Tag::plain(if cut { Mark::Cut } else { Mark::Broken }, start);
        };
        match (key, value) {
            ("name", value) if tag.name.is_empty() && !value.is_empty() => tag.name = value,
            ("string", "true") if kind.is_none() => kind = Some(FieldKind::Text),
            ("string", "false") if kind.is_none() => kind = Some(FieldKind::Json),
            _ => return Tag::plain(Mark::Broken, start),
        }
    }
    tag.kind = kind.unwrap_or(FieldKind::Untyped);
    tag.end = cursor.at();
    if tag.name.is_empty() || (kind.is_some() && mark != Mark::OpenField) {
        tag.mark = Mark::Broken;
    }
    tag
}

fn tag_end(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    take_some(&mut ahead, char::is_whitespace);
    let ends = ahead.eat(">");
    if ends {
        *cursor = ahead;
    }
    ends
}

/// Opening quotes with the quotes that close them; models print typographic ones, too.
const QUOTES: &[(&str, char)] = &[("\"", '"'), ("'", '\''), ("\u{201c}", '\u{201d}')];

/// Reads one attribute with its quoted value; leaves the cursor at the end of the text if that is why
/// it cannot be read.
fn attribute<'t>(cursor: &mut Cursor<'_, 't>) -> Option<(&'t str, &'t str)> {
    if take_some(cursor, char::is_whitespace).is_empty() {
        return None;
    }
    let key = take_some(cursor, char::is_alphanumeric);
    take_some(cursor, |letter| letter == ' ');
    if !cursor.eat("=") {
        return None;
    }
    take_some(cursor, |letter| letter == ' ');
    let quote = QUOTES.iter().find(|(open, _)| cursor.eat(open)).map(|(_, close)| *close)?;
    let value = take_some(cursor, |letter| letter != quote && !"<>\r\n".contains(letter));
    cursor.eat(quote.encode_utf8(&mut [0; 4])).then_some((key, value))
}

/// Steps over a bounded number of characters as long as `inside` is true.
pub(in crate::grammar) fn take_some<'t>(
    cursor: &mut Cursor<'_, 't>,
    inside: impl Fn(char) -> bool,
) -> &'t str {
    let left = std::cell::Cell::new(PIECE_CHARS_MAX + 1);
    cursor.take_while(|letter| {
        left.set(left.get().saturating_sub(1));
        left.get() > 0 && inside(letter)
    })
}

/// Reads the end of a tag of the form `<word=NAME>`; the cursor stands behind the `=`.
pub(in crate::grammar) fn assigned<'t>(mut cursor: Cursor<'_, 't>, mark: Mark) -> Tag<'t> {
    let start = cursor.at();
    let name =
        take_some(&mut cursor, |letter| !letter.is_whitespace() && !"<>='\"".contains(letter));
    if cursor.is_at_end() {
        return Tag::plain(Mark::Cut, start);
    }
    if name.is_empty() || !cursor.eat(">") {
        return Tag::plain(Mark::Broken, start);
    }
    Tag::named(mark, name, cursor.at())
}
