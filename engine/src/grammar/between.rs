//! Calls as JSON between two markers: one object, several, or a list of them.

use super::{Block, BlockState, Cursor, JsonEnd, LeakedCall, Page, Printed, call_object};

/// How the calls stand between the markers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    One,
    Several,
    List,
}

/// The markers of a format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Markers {
    pub(super) opener: &'static str,
    pub(super) closer: &'static str,
    /// Reads one object.
    pub(super) object: fn(&str) -> Result<LeakedCall, &'static str>,
    /// The name of the spelling that each form is, or what is wrong with it.
    pub(super) spelling: fn(Form) -> Result<&'static str, &'static str>,
}

/// Reads the block at the cursor, from the opener to the closer; `None` if neither a JSON object or list
/// nor the end of the text follows the opener.
///
/// White space beside the markers and between the objects is syntax. A marker in a string belongs
/// to the string.
pub(super) fn read(mut cursor: Cursor<'_, '_>, markers: &Markers) -> Option<Block> {
    cursor.eat(markers.opener).then_some(())?;
    cursor.skip_space();
    if !cursor.is_at_end() && !cursor.sees("{") && !cursor.sees("[") {
        return None;
    }
    Some(inside(cursor, markers))
}

/// Reads on behind the opener.
pub(super) fn inside(cursor: Cursor<'_, '_>, markers: &Markers) -> Block {
    let mut reader = Reader { cursor, markers, calls: vec![], named: None, form: Form::One };
    let state = match reader.run() {
        Ok(()) => match (markers.spelling)(reader.form) {
            Ok(id) => return Block::whole(reader.cursor.at(), id, reader.calls),
            Err(why) => BlockState::Damaged(why),
        },
        Err(state) => state,
    };
    let names = reader.calls.into_iter().map(|call| call.name).chain(reader.named).collect();
    Block::broken(reader.cursor.at(), state, names)
}

struct Reader<'m, 'p, 't> {
    cursor: Cursor<'p, 't>,
    markers: &'m Markers,
    calls: Vec<LeakedCall>,
    /// The name in an object that is no whole call.
    named: Option<String>,
    form: Form,
}

impl Reader<'_, '_, '_> {
    fn run(&mut self) -> Result<(), BlockState> {
        let mut values = 0;
        loop {
            self.cursor.skip_space();
            if self.cursor.eat(self.markers.closer) {
                return if self.calls.is_empty() {
                    Err(BlockState::Damaged("no call"))
                } else {
                    Ok(())
                };
            }
            if self.cursor.is_at_end() || self.cursor.sees_cut(self.markers.closer) {
                self.cursor.go(self.cursor.at() + self.cursor.rest().len());
                return Err(BlockState::CutOff);
            }
            let begins = self.cursor.sees("{") || self.cursor.sees("[");
            if !begins || values > 0 && self.sees_prose() {
                return Err(self.damaged("something else than calls stands between the markers"));
            }
            self.value()?;
            values += 1;
            if values > 1 {
                self.form = Form::Several;
            }
        }
    }

    /// True if a bracket opens here and no object or list follows in it: behind a call that is prose.
    fn sees_prose(&self) -> bool {
        let mut ahead = self.cursor;
        ahead.eat("[") && {
            ahead.skip_space();
            !ahead.is_at_end() && !["{", "[", "]"].iter().any(|mark| ahead.sees(mark))
        }
    }

    fn damaged(&mut self, why: &'static str) -> BlockState {
        self.cursor.go_behind(self.markers.closer, self.markers.opener);
        BlockState::Damaged(why)
    }

    fn value(&mut self) -> Result<(), BlockState> {
        let start = self.cursor;
        let text = match self.cursor.json() {
            JsonEnd::Whole(text) => text,
            JsonEnd::Broken => {
                self.named = call_object::begun_name(start.rest());
                return Err(self.damaged("what stands between the markers is not JSON"));
            }
            JsonEnd::CutOff => {
                self.named = call_object::begun_name(start.rest());
                // An open string runs over everything: where a closer stands, that is damage.
                let end = self.cursor;
                self.cursor = start;
                let state = self.damaged("the JSON between the markers does not end");
                let closed = self.cursor.at() > start.at();
                if !closed {
                    self.cursor = end;
                }
                return Err(if closed { state } else { BlockState::CutOff });
            }
        };
        let items = if text.starts_with('[') {
            self.form = Form::List;
            items(text)
        } else {
            vec![text]
        };
        for item in items {
            match (self.markers.object)(item) {
                Ok(call) => self.calls.push(call),
                Err(why) => {
                    self.named = call_object::begun_name(item);
                    return Err(self.damaged(why));
                }
            }
        }
        Ok(())
    }
}

/// The texts of the items of a whole JSON list.
fn items(list: &str) -> Vec<&str> {
    let page = Page::new(list, &[]);
    let mut cursor = page.cursor(0);
    let mut items = Vec::new();
    while cursor.eat("[") || cursor.eat(",") {
        cursor.skip_space();
        if let JsonEnd::Whole(item) = cursor.json() {
            items.push(item);
        }
        cursor.skip_space();
    }
    items
}

/// Prints calls between the markers, as a list or one behind the other.
pub(super) fn print(
    calls: &[Printed<'_>],
    markers: &Markers,
    form: Form,
    key: &str,
) -> Option<String> {
    let Markers { opener, closer, .. } = markers;
    let objects: Vec<_> = calls.iter().map(|call| call_object::print(call, key)).collect();
    let inside = match form {
        Form::List => format!("[{}]", objects.join(", ")),
        Form::Several if objects.len() < 2 => return None,
        Form::Several => objects.join("\n"),
        Form::One => {
            let print = |object| format!("{opener}\n{object}\n{closer}");
            return Some(objects.into_iter().map(print).collect::<Vec<_>>().join("\n"));
        }
    };
    Some(format!("{opener}\n{inside}\n{closer}"))
}
