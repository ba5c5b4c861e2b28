//! Formats made of tags: how a block is put together, and where a value that nothing quotes ends.
//!
//! **The end of a value.** A value starts behind its opening tag. It ends at the first closing tag of
//! its kind that structure follows: white space, and then the next field or the end of the call. A
//! closing tag that anything else follows belongs to the value. Where another reading is possible,
//! the block is damaged: if an opening tag of the family stands inside a value, if the call
//! ends before its value does, and if a closing tag of a field or a call stands behind the block
//! with no opener before it, because the value may have gone on to there.
//!
//! **Work.** A block owns what was read for it, or stops at the next opener of its family; what is
//! asked about the text behind it goes through the memory of [`Cursor::find`].

mod lex;

use std::collections::BTreeSet;

pub(super) use lex::{Words, assigned, attributed, take_some};
use serde_json::Value;

use super::{Arguments, Block, BlockState, Cursor, Field, FieldKind, LeakedCall, Page, Printed};

/// What a tag does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    OpenWrapper,
    OpenCall,
    OpenField,
    CloseField,
    CloseCall,
    CloseWrapper,
    /// One tag that ends a field and its call: two closing tags fused.
    CloseFieldAndCall,
    /// An opening tag of the family in which something does not belong.
    Broken,
    /// The text ends inside the tag.
    Cut,
}

/// A tag of a family.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'t> {
    pub(super) mark: Mark,
    /// The name of the call or field that is opened; empty otherwise.
    pub(super) name: &'t str,
    /// What the tag says about the type of the field it opens.
    pub(super) kind: FieldKind,
    /// How the tag is spelled, where a family has several ways that must not be mixed in a block; of a
    /// wrapper, which one it is.
    pub(super) variant: Option<&'static str>,
    /// The byte behind the tag.
    pub(super) end: usize,
}

impl<'t> Tag<'t> {
    /// A tag that carries no name.
    pub(super) fn plain(mark: Mark, end: usize) -> Self {
        Self { mark, name: "", kind: FieldKind::Untyped, variant: None, end }
    }

    /// A tag that opens what has this name.
    pub(super) fn named(mark: Mark, name: &'t str, end: usize) -> Self {
        Self { name, ..Self::plain(mark, end) }
    }
}

/// Which white space at the edges of a value is syntax.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Frame {
    /// None: the value is everything between its tags.
    Exact,
    /// None either; but the same tags stand in another format that puts values on lines of their own. A value
    /// between two line ends may be one of those, and the block is damaged.
    ExactButNoLines,
    /// A value that starts on a new line has one line end in front and one behind which are not part
    /// of it. A value that starts on the line of its tag is exact; if that one ends in a line end,
    /// it cannot be told whether this is data, and the block is damaged.
    Lines,
}

/// A format made of tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// What every tag begins with.
    pub(super) lead: &'static str,
    /// Reads the tag at the cursor; looks at a bounded piece of the text.
    pub(super) tag: for<'p, 't> fn(Cursor<'p, 't>) -> Option<Tag<'t>>,
    /// The wrapper's opening tags that other families have as well.
    pub(super) shared: &'static [&'static str],
    pub(super) frame: Frame,
    /// The openers of the family.
    pub(super) openers: &'static [&'static str],
    /// Closing tags of fields and calls.
    pub(super) inner: &'static [&'static str],
    /// Closing tags with which a damaged block ends.
    pub(super) outer: &'static [&'static str],
    /// The spelling's name for a whole block, or what is wrong with it.
    pub(super) spelling: fn(Seen) -> Result<&'static str, &'static str>,
}

/// What was seen of a whole block's frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// The wrapper was opened.
    pub(super) opened: bool,
    /// The wrapper was closed.
    pub(super) closed: bool,
    /// Which wrapper was opened, where the family has several.
    pub(super) wrapper: Option<&'static str>,
    /// A fused closing tag stands in it.
    pub(super) fused: bool,
    /// How the tags of calls and fields are spelled.
    pub(super) variant: Option<&'static str>,
}

/// Most bytes behind which a text that ends in a tag counts as cut off there.
const TAG_BYTES_MAX: usize = 512;

/// Why reading stopped; the cursor stands where it did.
enum Stop {
    Cut,
    /// What follows up to a closing tag still belongs to the block.
    Damaged(&'static str),
    /// The block ends here.
    Ended(&'static str),
}

const EARLY: &str = "the call ends before its value does";

const FUSED: &str = "a closing tag goes on as the next opening one";

/// True if the name of this tag stands there, and what an opening tag holds behind its name.
fn opens(text: &str, tag: &str) -> bool {
    let inside = text.strip_prefix(tag.trim_end_matches('>'));
    inside.is_some_and(|inside| inside.starts_with(['=', ' ', '\t']))
}

/// Reads the block at the cursor.
pub(super) fn read(dialect: &Dialect, cursor: Cursor<'_, '_>) -> Option<Block> {
    let first = (dialect.tag)(cursor)?;
    let mut reader =
        Reader { dialect, cursor, calls: vec![], named: vec![], seen: Seen::default() };
    match first.mark {
        Mark::OpenWrapper => {
            reader.cursor.go(first.end);
            reader.seen.opened = true;
            reader.seen.wrapper = first.variant;
            if dialect.shared.iter().any(|opener| cursor.sees(opener)) && !reader.has_inside() {
                return None;
            }
        }
        Mark::OpenCall => {}
        Mark::Cut => return Some(reader.stop(&Stop::Cut)),
        Mark::Broken => {
            reader.cursor.go(first.end);
            return Some(reader.stop(&Stop::Damaged("an opening tag is not whole")));
        }
        _ => return None,
    }
    Some(match reader.body() {
        Ok(()) => reader.finish(),
        Err(stop) => reader.stop(&stop),
    })
}

struct Reader<'d, 'p, 't> {
    dialect: &'d Dialect,
    cursor: Cursor<'p, 't>,
    calls: Vec<LeakedCall>,
    named: Vec<String>,
    seen: Seen,
}

impl<'p, 't> Reader<'_, 'p, 't> {
    fn tag(&self) -> Option<Tag<'t>> {
        (self.dialect.tag)(self.cursor)
    }

    /// The next tag, if nothing but white space stands before it, and where it would stand.
    fn ahead(&self) -> (Cursor<'p, 't>, Option<Tag<'t>>) {
        let mut ahead = self.cursor;
        ahead.skip_space();
        (ahead, (self.dialect.tag)(ahead))
    }

    fn ahead_is(&self, marks: &[Mark]) -> bool {
        self.ahead().1.is_some_and(|tag| marks.contains(&tag.mark))
    }

    /// True if what stands in a shared wrapper is of this family.
    fn has_inside(&self) -> bool {
        self.ahead_is(&[Mark::OpenCall, Mark::Broken, Mark::Cut])
    }

    fn body(&mut self) -> Result<(), Stop> {
        loop {
            self.call()?;
            match self.ahead().1 {
                Some(tag) if tag.mark == Mark::OpenCall => {}
                Some(tag) if tag.mark == Mark::CloseWrapper => {
                    self.cursor.go(tag.end);
                    self.seen.closed = true;
                    if self.seen.opened && self.seen.wrapper != tag.variant {
                        return Err(Stop::Ended("the wrapper is closed as another one"));
                    }
                    return Ok(());
                }
                _ if self.seen.opened => return Err(self.missing("the wrapper is not closed")),
                _ => return Ok(()),
            }
        }
    }

    /// What must come is not here: either the text ends, or the block is damaged.
    fn missing(&mut self, why: &'static str) -> Stop {
        let (ahead, tag) = self.ahead();
        let (rest, lead) = (ahead.rest(), self.dialect.lead);
        let begun = rest.len() < TAG_BYTES_MAX
            && (lead.starts_with(rest)
                || rest.strip_prefix(lead).is_some_and(|tag| !tag.contains(['>', '<', '\n'])));
        let cut = begun || tag.is_some_and(|tag| tag.mark == Mark::Cut);
        if let Some(Tag { mark: Mark::Broken, end, .. }) = tag {
            self.cursor.go(end);
        }
        if cut { Stop::Cut } else { Stop::Damaged(why) }
    }

    fn call(&mut self) -> Result<(), Stop> {
        self.cursor.skip_space();
        let Some(tag) = self.tag().filter(|tag| tag.mark == Mark::OpenCall) else {
            return Err(self.missing("no call where one must stand"));
        };
        self.named.push(tag.name.to_owned());
        self.enter(tag)?;
        let arguments = Arguments::Fields(self.fields()?);
        self.calls.push(LeakedCall { name: tag.name.to_owned(), arguments });
        Ok(())
    }

    /// Reads fields up to and over the end of the call.
    fn fields(&mut self) -> Result<Vec<Field>, Stop> {
        let mut fields = Vec::new();
        let mut keys = BTreeSet::new();
        loop {
            self.cursor.skip_space();
            match self.tag() {
                Some(tag) if tag.mark == Mark::OpenField => {
                    self.enter(tag)?;
                    let (text, over) = self.value()?;
                    if !keys.insert(tag.name) {
                        return Err(Stop::Damaged("a field is given twice"));
                    }
                    fields.push(Field { name: tag.name.to_owned(), text, kind: tag.kind });
                    if over {
                        return Ok(fields);
                    }
                }
                Some(tag) if tag.mark == Mark::CloseCall => {
                    self.enter(tag)?;
                    return Ok(fields);
                }
                _ => return Err(self.missing("something else than a field stands in the call")),
            }
        }
    }

    /// Steps over a tag, if it is spelled like those before it.
    fn enter(&mut self, tag: Tag<'t>) -> Result<(), Stop> {
        self.cursor.go(tag.end);
        let Some(variant) = tag.variant else { return Ok(()) };
        if *self.seen.variant.get_or_insert(variant) == variant {
            Ok(())
        } else {
            Err(Stop::Damaged("tags of two spellings in one block"))
        }
    }

    /// Reads a value and over its closing tag; true if that tag closed the call as well.
    fn value(&mut self) -> Result<(String, bool), Stop> {
        let start = self.cursor.at();
        let mut lost = None;
        while self.cursor.take_until(self.dialect.lead).is_some() {
            let Some(tag) = self.tag() else {
                if self.is_fused() {
                    return Err(Stop::Damaged(FUSED));
                }
                self.cursor.eat(self.dialect.lead);
                continue;
            };
            let text = self.cursor.since(start);
            match tag.mark {
                Mark::OpenField if lost.is_none() => {
                    return Err(Stop::Damaged("a field begins inside a value"));
                }
                Mark::OpenWrapper | Mark::OpenCall | Mark::OpenField | Mark::Broken => {
                    self.cursor.go(lost.unwrap_or(self.cursor.at()));
                    return Err(Stop::Ended("a tag of the format stands inside a value"));
                }
                Mark::Cut => break,
                _ => self.cursor.go(tag.end),
            }
            if self.is_value_end(tag.mark) {
                self.enter(tag)?;
                let text = framed(text, self.dialect.frame);
                let text = text.ok_or(Stop::Damaged("a last line end that may be data or not"))?;
                let fused = tag.mark == Mark::CloseFieldAndCall;
                self.seen.fused |= fused;
                return Ok((text.to_owned(), fused && !self.ahead_is(&[Mark::CloseCall])));
            }
            if self.is_early_end(tag.mark) {
                return Err(Stop::Damaged(EARLY));
            }
            if tag.mark == Mark::CloseField && self.may_end() {
                return Err(Stop::Damaged("a tag or a new line behind a value: it may end there"));
            }
            if matches!(tag.mark, Mark::CloseCall | Mark::CloseWrapper) {
                lost.get_or_insert(tag.end);
            }
        }
        let Some(lost) = lost else { return Err(Stop::Cut) };
        self.cursor.go(lost);
        Err(Stop::Ended(EARLY))
    }

    /// True if a closing tag that ends no value may be meant to: the end of a line or something like a
    /// tag follows, as where the marker of the next field was lost, or the next tag without its bracket.
    fn may_end(&self) -> bool {
        let rest = self.cursor.rest().trim_start_matches([' ', '\t']);
        let bare = |closer: &&str| closer.strip_prefix("</").is_some_and(|name| opens(rest, name));
        rest.starts_with(['<', '\n', '\r']) || self.dialect.inner.iter().any(bare)
    }

    /// True if a closing tag goes on as an opening one does, as where the tag between them was lost.
    fn is_fused(&self) -> bool {
        self.dialect.inner.iter().any(|closer| opens(self.cursor.rest(), closer))
    }

    /// True if the closing tag behind which the cursor stands ends a value.
    fn is_value_end(&self, mark: Mark) -> bool {
        match mark {
            Mark::CloseField => self.ahead_is(&[Mark::OpenField, Mark::CloseCall]),
            Mark::CloseFieldAndCall => {
                self.ahead_is(&[Mark::CloseCall, Mark::OpenCall, Mark::CloseWrapper])
            }
            _ => false,
        }
    }

    /// True if the closing tag behind which the cursor stands ends more than the value it stands in.
    fn is_early_end(&self, mark: Mark) -> bool {
        let ends: &[Mark] = match mark {
            Mark::CloseCall => &[Mark::OpenCall, Mark::CloseWrapper],
            Mark::CloseWrapper => &[Mark::OpenWrapper, Mark::OpenCall],
            _ => return false,
        };
        self.ahead_is(ends) || self.ahead().0.is_at_end()
    }

    fn finish(self) -> Block {
        let Self { dialect, cursor, calls, named, seen } = self;
        match (dialect.spelling)(seen) {
            Ok(spelling) => {
                let block = Block::whole(cursor.at(), spelling, calls);
                unless_closed_again(block, cursor, dialect.inner, dialect.openers)
            }
            Err(why) => Block::broken(cursor.at(), BlockState::Damaged(why), named),
        }
    }

    fn stop(mut self, stop: &Stop) -> Block {
        let state = match *stop {
            Stop::Cut => {
                self.cursor.go(self.cursor.at() + self.cursor.rest().len());
                BlockState::CutOff
            }
            Stop::Damaged(why) => {
                self.skip_damage();
                BlockState::Damaged(why)
            }
            Stop::Ended(why) => BlockState::Damaged(why),
        };
        Block::broken(self.cursor.at(), state, self.named)
    }

    /// Steps behind the closing tag with which the damaged block ends, if no opener stands before it.
    fn skip_damage(&mut self) {
        let opener = self.cursor.find_any(self.dialect.openers).map(|(at, _)| at);
        let mut closers = self.dialect.outer.iter().filter_map(|closer| {
            let at = self.cursor.find(closer)?;
            let own = opener.is_none_or(|opener| at < opener) && !self.cursor.has_code_to(at);
            own.then_some(at + closer.len())
        });
        if let Some(end) = closers.next() {
            self.cursor.go(end);
        }
    }
}

/// Why a block that was read to its end is damaged all the same.
pub(super) const CLOSED_AGAIN: &str = "a closing tag behind the block: a value may go on to there";

/// The block, damaged if one of the `inner` closing tags stands behind it with no opener before it: a
/// value may go on to there.
pub(super) fn unless_closed_again(
    block: Block,
    mut cursor: Cursor<'_, '_>,
    inner: &[&'static str],
    openers: &[&'static str],
) -> Block {
    cursor.go(block.end);
    let closer = cursor.find_any(inner).map(|(at, _)| at);
    let opener = cursor.find_any(openers).map(|(at, _)| at);
    let again = closer.is_some_and(|at| opener.is_none_or(|opener| at < opener));
    if block.state != BlockState::Whole || !again {
        return block;
    }
    let state = BlockState::Damaged(CLOSED_AGAIN);
    Block::broken(block.end, state, block.calls.into_iter().map(|call| call.name).collect())
}

/// The value in this text; `None` if its last line end, or blanks behind it, may be data or syntax.
fn framed(text: &str, frame: Frame) -> Option<&str> {
    let lines = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'));
    match frame {
        Frame::Exact => return Some(text),
        Frame::ExactButNoLines => {
            return (lines.is_none() || !text.ends_with('\n')).then_some(text);
        }
        Frame::Lines => {}
    }
    let Some(lines) = lines else { return (!text.ends_with('\n')).then_some(text) };
    let Some((body, last)) = lines.rsplit_once('\n') else { return Some(lines) };
    match last {
        "" => Some(body.strip_suffix('\r').unwrap_or(body)),
        last if last.trim_ascii().is_empty() => None,
        _ => Some(lines),
    }
}

/// A value as these formats print it: text as it is, and anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A printed text, if reading it gives back just these calls: these formats have no escape for what
/// looks like their own tags.
pub(super) fn faithful(
    text: String,
    calls: &[Printed<'_>],
    scan: fn(Cursor<'_, '_>) -> Option<Block>,
) -> Option<String> {
    let names: BTreeSet<_> = calls.iter().map(|call| call.name.to_owned()).collect();
    let names: Vec<_> = names.into_iter().collect();
    let page = Page::new(&text, &names);
    let mut read = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let block = scan(page.cursor(at))?;
        read.extend(block.calls);
        at = block.end + text.get(block.end..)?.chars().take_while(|c| *c == '\n').count();
    }
    let same = |(read, call): (&LeakedCall, &Printed<'_>)| {
        let Arguments::Fields(fields) = &read.arguments else { return false };
        let printed = call.arguments.iter().map(|(key, value)| (key.clone(), plain(value)));
        let fields = fields.iter().map(|field| (field.name.clone(), field.text.clone()));
        read.name == call.name && fields.eq(printed)
    };
    let faithful = read.len() == calls.len() && read.iter().zip(calls).all(same);
    faithful.then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{FAMILIES, Found, scan};
    use super::*;

    /// The end of the first leak of `text` and its values, or why it has none; `I` and `P` open a call and
    /// a field, `!` and `;` close them, `W` and `.` are the wrapper's.
    fn read(text: &str) -> (usize, String) {
        let text = text
            .replace('I', "<invoke name=\"ls\">")
            .replace('P', "<parameter name=\"path\">")
            .replace('W', "<function_calls>")
            .replace(';', "</parameter>")
            .replace('!', "</invoke>")
            .replace('.', "</function_calls>");
        let scan = scan(&text, FAMILIES, &["ls".to_owned()]);
        let leak = scan.leaks.first().expect("is a leak");
        let Found::Block(block) = &leak.found else { return (leak.range.end, "marker".into()) };
        let said = match block.state {
            BlockState::Damaged(why) => why.to_owned(),
            BlockState::CutOff => "cut off".to_owned(),
            BlockState::Whole => {
                let fields = block.calls.iter().map(|call| match &call.arguments {
                    Arguments::Fields(fields) => {
                        fields.iter().map(|field| field.text.clone()).collect()
                    }
                    other => panic!("{other:?}"),
                });
                fields.collect::<Vec<Vec<String>>>().concat().join("|")
            }
        };
        (leak.range.end, said)
    }

    #[test]
    fn a_value_ends_where_nothing_else_can_be_meant() {
        const INSIDE: &str = "a tag of the format stands inside a value";
        const NO_FIELD: &str = "something else than a field stands in the call";
        let long = |length| format!("WI!<{}", "x".repeat(length));
        for (text, said) in [
            ("IPa;!\nIPb;!", "a|b"),
            ("IPa <parameter> b;!", "a <parameter> b"),
            ("IPa I b;!", INSIDE),
            ("IPa! and Pb;!", INSIDE),
            ("IPa!\nI!", EARLY),
            ("WIPa.\nI!", EARLY),
            ("IPaPb;!", "a field begins inside a value"),
            ("WI!\n", "cut off"),
            ("I<parameter name=\"pa", "cut off"),
            ("IPa <parameter name=\"pa", "cut off"),
            ("I<parameter name=x>y;!", NO_FIELD),
            ("I<parameter name=\"a\" string=\"true\" string=\"true\">y;!", NO_FIELD),
            ("I<parameter name=\"a\" string=\"true\" string=\"false\">y;!", NO_FIELD),
            ("I<parameter string=\"true\">y;!", NO_FIELD),
            ("<invoke name=\"ls\" name=\"rm\">!", "an opening tag is not whole"),
            (&long(510), "cut off"),
            (&long(511), "the wrapper is not closed"),
        ] {
            assert_eq!(read(text).1, said, "{text}");
        }
    }

    #[test]
    fn damage_never_reaches_into_another_block() {
        assert_eq!(read("IoopsI!").0, 18);
        assert_eq!(read("Ioops! I!").0, 18 + 4 + 9);
        assert_eq!(read("IPa! and Pb;!").0, 18 + 23 + 1 + 9);
    }

    #[test]
    fn line_ends_around_a_value_are_no_part_of_it() {
        for (text, value) in [
            ("\na\n", Some("a")),
            ("\r\na\r\n", Some("a")),
            ("\na\nb", Some("a\nb")),
            ("\na\n  ", None),
            ("a\n", None),
            ("a", Some("a")),
        ] {
            assert_eq!(framed(text, Frame::Lines), value, "{text:?}");
        }
    }

    #[test]
    fn only_what_is_read_back_is_printed() {
        let family = FAMILIES.iter().find(|family| family.id == "invoke").expect("is there");
        let block = "<invoke name=\"ls\"><parameter name=\"path\">a</parameter></invoke>";
        let print = |values: &[&str]| {
            let arguments: Vec<_> = values.iter().map(|value| json!({"path": value})).collect();
            let arguments = arguments.iter().filter_map(Value::as_object);
            let calls: Vec<_> = arguments.map(|it| Printed { name: "ls", arguments: it }).collect();
            faithful(format!("{block}\n{block}\n"), &calls, family.scan).is_some()
        };
        assert!(print(&["a", "a"]) && !print(&["a", "b"]) && !print(&["a"]));
    }

    #[test]
    fn pieces_of_a_tag_are_bounded() {
        let text = "x".repeat(200);
        assert_eq!(take_some(&mut Page::new(&text, &[]).cursor(0), |_| true).len(), 128);
    }
}
