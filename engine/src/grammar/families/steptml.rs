//! Step 3: `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="NAME">…`.

use crate::grammar::tags::{self, Dialect, Frame, Mark, Tag, Words};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "<｜tool_calls_begin｜>";
const CLOSER: &str = "<｜tool_calls_end｜>";
const CALL: &str = "<｜tool_call_begin｜>";
const CALL_END: &str = "<｜tool_call_end｜>";
const SEPARATOR: &str = "function<｜tool_sep｜>";
const OPENERS: &[&str] =
    &[OPENER, CALL, "<steptml:toolcall>", "<steptml:tool_call>", "<steptml:invoke name="];

const WORDS: Words =
    Words { wrappers: &["toolcall", "tool_call"], call: "invoke", field: "parameter" };

pub(super) const FAMILY: Family = Family {
    id: "steptml",
    says: "Values stand unquoted between tags and are exact. White space between tags is syntax, and \
           so are the tokens around a call.",
    models: &["Step 3", "Step DeepResearch"],
    gate: &[],
    whole_message: false,
    openers: OPENERS,
    closers: &[
        CLOSER,
        CALL_END,
        "</steptml:toolcall>",
        "</steptml:invoke>",
        "</steptml:parameter>",
    ],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "calls between tokens", proof: "" },
        Spelling { id: "tags-only", says: "calls in `<steptml:toolcall>`", proof: "" },
        Spelling {
            id: "bare",
            says: "the wrapper is missing",
            proof: "The calls' own tags are whole and hold all that is said; the wrapper carries \
                    nothing.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"read\"><steptml:parameter name=\"path\">/x</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "/x"}}]"#,
        },
        Example {
            text: "<steptml:toolcall>\n<steptml:invoke name=\"ls\">\n</steptml:invoke>\n</steptml:toolcall>",
            spelling: "tags-only",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<steptml:invoke name=\"ls\"></steptml:invoke>",
            spelling: "bare",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<steptml:invoke name=\"ls\">/</steptml:invoke>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<steptml:invoke name=\"ls\">", spelling: "", calls: "cut off" },
    ],
};

const DIALECT: Dialect = Dialect {
    lead: "<",
    tag,
    shared: &[],
    frame: Frame::Exact,
    openers: OPENERS,
    inner: &["</steptml:parameter>", "</steptml:invoke>", CALL_END],
    outer: &[CLOSER, "</steptml:toolcall>", "</steptml:tool_call>", "</steptml:invoke>"],
    spelling: |seen| {
        Ok(match (seen.opened, seen.wrapper) {
            (false, _) => "bare",
            (true, None) => "canonical",
            (true, Some(_)) => "tags-only",
        })
    },
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    tags::read(&DIALECT, cursor)
}

fn tag<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    if cursor.eat(OPENER) {
        return Some(Tag::plain(Mark::OpenWrapper, cursor.at()));
    }
    if cursor.eat(CLOSER) {
        return Some(Tag::plain(Mark::CloseWrapper, cursor.at()));
    }
    let begun = cursor.eat(CALL);
    if begun {
        tags::take_some(&mut cursor, char::is_whitespace);
        cursor.eat(SEPARATOR);
        tags::take_some(&mut cursor, char::is_whitespace);
    }
    let closing = cursor.sees("</");
    if !cursor.eat_any(&["<steptml:", "</steptml:"]).is_some_and(|_| !begun || !closing) {
        let mark = if cursor.is_at_end() { Mark::Cut } else { Mark::Broken };
        return begun.then(|| Tag::plain(mark, cursor.at()));
    }
    let tag = tags::attributed(cursor, closing, &WORDS)?;
    if tag.mark != Mark::CloseCall {
        return Some(tag);
    }
    cursor.go(tag.end);
    tags::take_some(&mut cursor, char::is_whitespace);
    Some(if cursor.eat(CALL_END) { Tag::plain(Mark::CloseCall, cursor.at()) } else { tag })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let (before, behind) = match spelling {
        "canonical" => (format!("{CALL}{SEPARATOR}"), format!("{CALL_END}\n")),
        _ => (String::new(), "\n".to_owned()),
    };
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| {
            let value = tags::plain(value);
            format!("<steptml:parameter name=\"{key}\">{value}</steptml:parameter>\n")
        });
        let (name, fields) = (call.name, fields.collect::<String>());
        format!("{before}<steptml:invoke name=\"{name}\">\n{fields}</steptml:invoke>{behind}")
    };
    let text: String = calls.iter().map(print).collect();
    let text = match spelling {
        "canonical" => format!("{OPENER}\n{text}{CLOSER}"),
        "tags-only" => format!("<steptml:toolcall>\n{text}</steptml:toolcall>"),
        _ => text,
    };
    tags::faithful(text, calls, scan)
}
