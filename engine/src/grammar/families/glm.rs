//! GLM 4.5 to 5: `<tool_call>NAME<arg_key>KEY</arg_key><arg_value>…</arg_value></tool_call>`.

use crate::grammar::tags::{self, Dialect, Frame, Mark, Seen, Tag};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "<tool_call>";
const CLOSER: &str = "</tool_call>";

pub(super) const FAMILY: Family = Family {
    id: "glm",
    says: "A value is everything between its tags, white space included. White space between tags, \
           and around the name, is syntax. A name that no key and no closing tag follows is not \
           of this format.",
    models: &["GLM 4.5", "GLM 4.6", "GLM 4.7", "GLM 5"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER, "</arg_key>", "</arg_value>"],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "keys and values in pairs of tags", proof: "" },
        Spelling {
            id: "fused-name",
            says: "the first `<arg_key>` is missing, so that name and key run together",
            proof: "Just one registered name is the beginning of what stands before `</arg_key>`, \
                    and a key is left behind it.",
        },
        Spelling {
            id: "no-value-opener",
            says: "`<arg_value>` is missing behind `</arg_key>`",
            proof: "The value's end is marked, and it begins right behind the end of the key with \
                    something else than white space, which could be the template's, or an end of the tag.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>/x</arg_value>\n\
                   <arg_key>content</arg_key>\n<arg_value>  a\n</arg_value>\n</tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "/x", "content": "  a\n"}}]"#,
        },
        Example {
            text: "<tool_call>write<arg_key>content</arg_key><arg_value>use </arg_value> here</arg_value></tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"content": "use </arg_value> here"}}]"#,
        },
        Example {
            text: "<tool_call>ls</tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<tool_call>readpath</arg_key><arg_value>/x</arg_value></tool_call>",
            spelling: "fused-name",
            calls: r#"[{"name": "read", "arguments": {"path": "/x"}}]"#,
        },
        Example {
            text: "<tool_call>read<arg_key>path</arg_key>/x</arg_value></tool_call>",
            spelling: "no-value-opener",
            calls: r#"[{"name": "read", "arguments": {"path": "/x"}}]"#,
        },
        Example {
            text: "<tool_call>write<arg_key></arg_key><arg_value>JUNK</arg_value><arg_key>path</arg_key><arg_value>/x</arg_value></tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call>terminal<arg_key>command\":\"which memo</arg_value></tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call>read\n{\"path\": \"/x\"}</tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call>read<arg_key>path</arg_key><arg_value>/x</tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<tool_call>read<arg_key>pa", spelling: "", calls: "cut off" },
        Example { text: "<tool_call>rea", spelling: "", calls: "cut off" },
    ],
};

const DIALECT: Dialect = Dialect {
    lead: "<",
    tag,
    shared: &[],
    frame: Frame::Exact,
    openers: &[OPENER],
    inner: &["</arg_value>", "</arg_key>"],
    outer: &[CLOSER],
    spelling: |Seen { variant, .. }| Ok(variant.unwrap_or("canonical")),
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    tags::read(&DIALECT, cursor)
}

fn tag<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    if cursor.eat(OPENER) {
        return call(cursor);
    }
    if cursor.eat(CLOSER) {
        return Some(Tag::plain(Mark::CloseCall, cursor.at()));
    }
    if cursor.sees("<") {
        return field(cursor);
    }
    let behind_name = cursor.since(0).trim_end().ends_with(in_name);
    if behind_name { fused_key(cursor) } else { None }
}

/// Reads the tags of a field.
pub(super) fn field<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    if cursor.eat("</arg_value>") {
        return Some(Tag::plain(Mark::CloseField, cursor.at()));
    }
    if cursor.eat("<arg_key>") {
        return Some(key(cursor));
    }
    let stray = cursor.eat("<arg_value>");
    stray.then(|| Tag::plain(Mark::Broken, cursor.at()))
}

/// Reads a key, and over the opening tag of its value.
fn key<'t>(mut cursor: Cursor<'_, 't>) -> Tag<'t> {
    let name = tags::take_some(&mut cursor, |letter| !"<>\"\n".contains(letter)).trim_ascii();
    // What is left of a broken key goes with it, up to the next tag or the end of the line.
    let broken = |mut cursor: Cursor<'_, '_>| {
        let next = ["</arg_key>", "<arg_value>"];
        let cut = cursor.is_at_end() || next.iter().any(|tag| cursor.sees_cut(tag));
        tags::take_some(&mut cursor, |letter| !"<\n".contains(letter));
        Tag::plain(if cut { Mark::Cut } else { Mark::Broken }, cursor.at())
    };
    if name.is_empty() || !cursor.eat("</arg_key>") {
        return broken(cursor);
    }
    let glued = cursor;
    tags::take_some(&mut cursor, char::is_whitespace);
    if cursor.eat("<arg_value>") {
        return Tag::named(Mark::OpenField, name, cursor.at());
    }
    let begun =
        cursor.at() > glued.at() || cursor.sees("<") || cursor.is_at_end() || sees_left(cursor);
    if begun {
        return broken(cursor);
    }
    Tag { variant: Some("no-value-opener"), ..Tag::named(Mark::OpenField, name, cursor.at()) }
}

/// True if the end of a value's opening tag is left here: more of it is missing than the text tells.
fn sees_left(cursor: Cursor<'_, '_>) -> bool {
    let tag = "<arg_value>";
    tag.char_indices().any(|(at, _)| tag.get(at..).is_some_and(|end| cursor.sees(end)))
}

/// True in the name of a tool.
pub(super) fn in_name(letter: char) -> bool {
    letter.is_alphanumeric() || "_-.:/".contains(letter)
}

/// Reads a name. `None` if what follows is not of this format.
fn call<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    let start = cursor.at();
    tags::take_some(&mut cursor, char::is_whitespace);
    let name = tags::take_some(&mut cursor, in_name);
    let open = Tag::named(Mark::OpenCall, name, cursor.at());
    let fused = cursor.sees("</arg_key>");
    tags::take_some(&mut cursor, char::is_whitespace);
    if cursor.is_at_end() {
        return Some(Tag::plain(Mark::Cut, start));
    }
    let broken = Some(Tag::plain(Mark::Broken, start));
    if name.is_empty() {
        return if cursor.sees("<arg_") { broken } else { None };
    }
    if cursor.sees("<arg_") || cursor.sees(CLOSER) {
        return Some(open);
    }
    if fused {
        let behind = name.len() - split(cursor, name).map_or(name.len(), str::len);
        let (name, _) = name.split_at_checked(name.len() - behind)?;
        return if behind == 0 {
            broken
        } else {
            Some(Tag { name, end: open.end - behind, ..open })
        };
    }
    if fused_key(cursor).is_some() && cursor.is_tool(name) {
        return Some(open);
    }
    if cursor.is_tool(name) || cursor.sees("</arg_key>") { broken } else { None }
}

/// The one tool's name that is a beginning of `text`.
fn split<'t>(cursor: Cursor<'_, 't>, text: &str) -> Option<&'t str> {
    let mut tools = cursor.tools().iter().filter(|tool| text.starts_with(tool.as_str()));
    let tool = tools.next()?;
    tools.next().is_none().then_some(tool.as_str())
}

/// Reads a key whose opening tag is missing.
fn fused_key<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    let name = tags::take_some(&mut cursor, in_name);
    if name.is_empty() || !cursor.eat("</arg_key>") {
        return None;
    }
    tags::take_some(&mut cursor, char::is_whitespace);
    let tag = Tag::named(Mark::OpenField, name, cursor.at());
    let tag = Tag { variant: Some("fused-name"), end: tag.end + "<arg_value>".len(), ..tag };
    cursor.eat("<arg_value>").then_some(tag)
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| {
            let value = tags::plain(value);
            format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n")
        });
        let (name, fields) = (call.name, fields.collect::<String>());
        match spelling {
            "fused-name" => format!("{OPENER}{name}{fields}{CLOSER}").replacen("<arg_key>", "", 1),
            "no-value-opener" => {
                let fields = fields.replacen("\n<arg_value>", "", 1);
                format!("{OPENER}{name}{fields}{CLOSER}")
            }
            _ => format!("{OPENER}{name}\n{fields}{CLOSER}"),
        }
    };
    let text = calls.iter().map(print).collect::<Vec<_>>().join("\n");
    tags::faithful(text, calls, scan)
}
