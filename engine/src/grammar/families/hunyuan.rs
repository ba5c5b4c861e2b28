//! Hunyuan 3: `<tool_calls><tool_call>NAME<tool_sep><arg_key>KEY</arg_key><arg_value>…`.

use super::glm;
use crate::grammar::tags::{self, Dialect, Frame, Mark, Tag};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "<tool_calls>";
const CLOSER: &str = "</tool_calls>";
const CALL: &str = "<tool_call>";
const SEPARATOR: &str = "<tool_sep>";

pub(super) const FAMILY: Family = Family {
    id: "hunyuan",
    says: "The fields of GLM behind a name and a separator. A value is everything between its tags; \
           white space between tags, and around the name, is syntax.",
    models: &["Hunyuan 3", "Hy3"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER, CALL],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "calls in `<tool_calls>`", proof: "" },
        Spelling {
            id: "bare",
            says: "`<tool_calls>` is missing",
            proof: "The calls' own tags are whole and hold all that is said; the wrapper carries \
                    nothing.",
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
            text: "<tool_calls>\n<tool_call>write<tool_sep>\n<arg_key>path</arg_key>\n<arg_value>/x</arg_value>\n<arg_key>content</arg_key>\n<arg_value> a\n</arg_value>\n</tool_call>\n</tool_calls>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "/x", "content": " a\n"}}]"#,
        },
        Example {
            text: "<tool_call>ls<tool_sep></tool_call>",
            spelling: "bare",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<tool_call>read<tool_sep><arg_key>path</arg_key>/x</arg_value></tool_call>",
            spelling: "no-value-opener",
            calls: r#"[{"name": "read", "arguments": {"path": "/x"}}]"#,
        },
        Example {
            text: "<tool_calls><tool_call>ls<tool_sep>{\"path\": \"/\"}</tool_call></tool_calls>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_calls><tool_call>ls<tool_sep><arg_key>",
            spelling: "",
            calls: "cut off",
        },
    ],
};

const DIALECT: Dialect = Dialect {
    lead: "<",
    tag,
    shared: &[],
    frame: Frame::Exact,
    openers: &[OPENER, CALL],
    inner: &["</arg_value>", "</arg_key>"],
    outer: &[CLOSER, "</tool_call>"],
    spelling: |seen| Ok(seen.variant.unwrap_or(if seen.opened { "canonical" } else { "bare" })),
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut call = cursor;
    if call.eat(OPENER) {
        tags::take_some(&mut call, char::is_whitespace);
    }
    let separated = tag(call).is_some_and(|tag| tag.mark == Mark::OpenCall);
    separated.then(|| tags::read(&DIALECT, cursor))?
}

fn tag<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    let marks = [
        (OPENER, Mark::OpenWrapper),
        (CLOSER, Mark::CloseWrapper),
        ("</tool_call>", Mark::CloseCall),
    ];
    if let Some((_, mark)) = marks.iter().find(|(text, _)| cursor.eat(text)) {
        return Some(Tag::plain(*mark, cursor.at()));
    }
    if !cursor.eat(CALL) {
        return glm::field(cursor);
    }
    tags::take_some(&mut cursor, char::is_whitespace);
    let name = tags::take_some(&mut cursor, glm::in_name);
    tags::take_some(&mut cursor, char::is_whitespace);
    let separated = !name.is_empty() && cursor.eat(SEPARATOR);
    let mark = if separated { Mark::OpenCall } else { Mark::Broken };
    Some(Tag::named(mark, name, cursor.at()))
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| {
            let value = tags::plain(value);
            format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n")
        });
        let (name, fields) = (call.name, fields.collect::<String>());
        let fields = match spelling {
            "no-value-opener" => fields.replacen("\n<arg_value>", "", 1),
            _ => fields,
        };
        format!("{CALL}{name}{SEPARATOR}\n{fields}</tool_call>\n")
    };
    let text: String = calls.iter().map(print).collect();
    let text = if spelling == "bare" { text } else { format!("{OPENER}\n{text}{CLOSER}") };
    tags::faithful(text, calls, scan)
}
