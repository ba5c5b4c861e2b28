//! `LongCat`: `<longcat_tool_call>` around a call object, or around a name and pairs of key and value.

use crate::grammar::families::glm;
use crate::grammar::reading::block;
use crate::grammar::tags::{self, Dialect, Frame, Mark, Tag};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const OPENER: &str = "<longcat_tool_call>";
const CLOSER: &str = "</longcat_tool_call>";

pub(super) const FAMILY: Family = Family {
    id: "longcat",
    says: "A JSON call object between tags, or a name with keys and values in pairs of tags. The object is data: a tag \
           in one of its strings belongs to the string. A value in tags is everything between them. White space \
           between tags and around object and name is syntax.",
    models: &["LongCat Flash", "LongCat Flash Lite"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER, KEY_END, VALUE_END],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "one object in one pair of tags", proof: "" },
        Spelling {
            id: "pairs",
            says: "a name, and keys and values in pairs of tags",
            proof: "Newer models of the maker are trained on it; every tag is there.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<longcat_tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"</longcat_tool_call>\"}}\n</longcat_tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</longcat_tool_call>"}}]"#,
        },
        Example {
            text: "<longcat_tool_call>read\n<longcat_arg_key>path</longcat_arg_key>\n\
                   <longcat_arg_value>a.md</longcat_arg_value>\n</longcat_tool_call>",
            spelling: "pairs",
            calls: r#"[{"name": "read", "arguments": {"path": "a.md"}}]"#,
        },
        Example {
            text: "<longcat_tool_call>read<longcat_arg_key>path</longcat_arg_key>a.md</longcat_tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<longcat_tool_call>read\n<longcat_arg_key>pa",
            spelling: "",
            calls: "cut off",
        },
        Example {
            text: "<longcat_tool_call>{\"name\": read}</longcat_tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<longcat_tool_call>{\"name\": \"read\"}\n</long",
            spelling: "",
            calls: "cut off",
        },
    ],
};

const KEY: &str = "<longcat_arg_key>";
const KEY_END: &str = "</longcat_arg_key>";
const VALUE: &str = "<longcat_arg_value>";
const VALUE_END: &str = "</longcat_arg_value>";

const PAIRS: Dialect = Dialect {
    lead: "<",
    tag,
    shared: &[],
    frame: Frame::Exact,
    openers: &[OPENER],
    inner: &[VALUE_END, KEY_END],
    outer: &[CLOSER],
    spelling: |_| Ok("pairs"),
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut inside = cursor;
    inside.eat(OPENER);
    tags::take_some(&mut inside, char::is_whitespace);
    if inside.sees("{") || inside.is_at_end() { object(cursor) } else { tags::read(&PAIRS, cursor) }
}

fn object(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        if !reading.cursor.sees("{") {
            return Err(reading.no_block(&[]));
        }
        reading.object(call_object::read)?;
        reading.expect(CLOSER, "the closing tag is missing")?;
        Ok("canonical")
    })
}

fn tag<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    if cursor.eat(OPENER) {
        return call(cursor);
    }
    let closers = [(CLOSER, Mark::CloseCall), (VALUE_END, Mark::CloseField), (VALUE, Mark::Broken)];
    if let Some((_, mark)) = closers.into_iter().find(|(tag, _)| cursor.eat(tag)) {
        return Some(Tag::plain(mark, cursor.at()));
    }
    cursor.eat(KEY).then(|| key(cursor))
}

/// Reads a name. `None` if what follows is not of this format.
fn call<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    let start = cursor.at();
    tags::take_some(&mut cursor, char::is_whitespace);
    let name = tags::take_some(&mut cursor, glm::in_name);
    let open = Tag::named(Mark::OpenCall, name, cursor.at());
    tags::take_some(&mut cursor, char::is_whitespace);
    if cursor.is_at_end() {
        return Some(Tag::plain(Mark::Cut, start));
    }
    let follows = cursor.sees(KEY) || cursor.sees(CLOSER);
    match (name.is_empty(), follows) {
        (false, true) => Some(open),
        (false, false) if !cursor.is_tool(name) => None,
        (true, false) => None,
        _ => Some(Tag::plain(Mark::Broken, start)),
    }
}

/// Reads a key, and over the opening tag of its value.
fn key<'t>(mut cursor: Cursor<'_, 't>) -> Tag<'t> {
    let name = tags::take_some(&mut cursor, |letter| !"<>\"\n".contains(letter)).trim_ascii();
    let ended = cursor.eat(KEY_END);
    if ended {
        tags::take_some(&mut cursor, char::is_whitespace);
    }
    if !name.is_empty() && ended && cursor.eat(VALUE) {
        return Tag::named(Mark::OpenField, name, cursor.at());
    }
    let next = if ended { VALUE } else { KEY_END };
    let cut = cursor.is_at_end() || cursor.sees_cut(next);
    Tag::plain(if cut { Mark::Cut } else { Mark::Broken }, cursor.at())
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    if spelling != "pairs" {
        let print = |call| format!("{OPENER}\n{}\n{CLOSER}", call_object::print(call, "arguments"));
        return Some(calls.iter().map(print).collect::<Vec<_>>().join("\n"));
    }
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| {
            let value = tags::plain(value);
            format!("{KEY}{key}{KEY_END}\n{VALUE}{value}{VALUE_END}\n")
        });
        format!("{OPENER}{}\n{}{CLOSER}", call.name, fields.collect::<String>())
    };
    let text = calls.iter().map(print).collect::<Vec<_>>().join("\n");
    tags::faithful(text, calls, scan)
}
