//! Claude and `MiniMax` M2: `<invoke name="NAME"><parameter name="KEY">…</parameter></invoke>`.

use crate::grammar::tags::{self, Dialect, Frame, Seen, Tag, Words};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENERS: &[&str] = &[
    "<function_calls>",
    "<antml:function_calls>",
    "<minimax:tool_call>",
    "<invoke name=",
    "<antml:invoke name=",
    "<tool_call>",
    "<tool_calls>",
];

const WORDS: Words = Words {
    wrappers: &["function_calls", "minimax:tool_call", "tool_call", "tool_calls"],
    call: "invoke",
    field: "parameter",
};

/// The namespace of Claude's tags, which text without it has lost.
const SPACE: &str = "antml:";

pub(super) const FAMILY: Family = Family {
    id: "invoke",
    says: "Values stand unquoted between tags. White space between tags is syntax; a value is \
           everything between its tags.",
    models: &["Claude", "MiniMax M2", "models trained on transcripts of Claude"],
    gate: &[],
    whole_message: false,
    openers: OPENERS,
    closers: &[
        "</function_calls>",
        "</antml:function_calls>",
        "</minimax:tool_call>",
        "</antml:invoke>",
        "</antml:parameter>",
    ],
    stray_words: &["court", "count", "call"],
    spellings: &[
        Spelling { id: "canonical", says: "calls in `<function_calls>`", proof: "" },
        Spelling { id: "namespaced", says: "the same with `antml:` in each tag", proof: "" },
        Spelling { id: "minimax", says: "calls in `<minimax:tool_call>`", proof: "" },
        Spelling {
            id: "foreign-wrapper",
            says: "calls in `<tool_call>` or `<tool_calls>`",
            proof: "The wrapper says that a call is made and carries nothing else; the calls in it \
                    are whole.",
        },
        Spelling {
            id: "bare",
            says: "the wrapper, or its opening tag, is missing",
            proof: "The calls' own tags are whole and hold all that is said; the wrapper carries \
                    nothing.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<function_calls>\n<invoke name=\"write\">\n<parameter name=\"path\">/x</parameter>\n\
                   <parameter name=\"content\">  a\n</parameter>\n</invoke>\n</function_calls>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "/x", "content": "  a\n"}}]"#,
        },
        Example {
            text: "<antml:function_calls><antml:invoke name='ls'></antml:invoke></antml:function_calls>",
            spelling: "namespaced",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<minimax:tool_call>\n  <invoke name=\"exec\">\n    <parameter name=\"command\">ls</parameter>\n  </invoke>\n</minimax:tool_call>",
            spelling: "minimax",
            calls: r#"[{"name": "exec", "arguments": {"command": "ls"}}]"#,
        },
        Example {
            text: "<tool_call> <invoke name=\"find\"> <parameter name=\"q\">[\"a\"]</parameter> </invoke> </tool_call>",
            spelling: "foreign-wrapper",
            calls: r#"[{"name": "find", "arguments": {"q": "[\"a\"]"}}]"#,
        },
        Example {
            text: "<invoke name=\"read\">\n<parameter name=\"file_path\">/w/SKILL.md</parameter>\n</invoke>",
            spelling: "bare",
            calls: r#"[{"name": "read", "arguments": {"file_path": "/w/SKILL.md"}}]"#,
        },
        Example {
            text: "<invoke name=\"read\"><antml:parameter name=\"path\">/x</antml:parameter></invoke>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<invoke name=\"read\">{\"path\": \"/x\"}</invoke>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<invoke name=\"read\"><parameter name=\"pa",
            spelling: "",
            calls: "cut off",
        },
    ],
};

const DIALECT: Dialect = Dialect {
    lead: "<",
    tag,
    shared: &["<tool_call>", "<tool_calls>"],
    frame: Frame::Exact,
    openers: OPENERS,
    inner: &["</parameter>", "</antml:parameter>", "</invoke>", "</antml:invoke>"],
    outer: &[
        "</function_calls>",
        "</antml:function_calls>",
        "</minimax:tool_call>",
        "</tool_call>",
        "</tool_calls>",
        "</invoke>",
        "</antml:invoke>",
    ],
    spelling,
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    tags::read(&DIALECT, cursor)
}

fn tag<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    if !cursor.eat("<") {
        return None;
    }
    let closing = cursor.eat("/");
    let spaced = cursor.eat(SPACE);
    let mut tag = tags::attributed(cursor, closing, &WORDS)?;
    if tag.variant.is_none() {
        tag.variant = Some(if spaced { SPACE } else { "" });
    }
    Some(tag)
}

fn spelling(seen: Seen) -> Result<&'static str, &'static str> {
    Ok(match seen.wrapper {
        None => "bare",
        Some("function_calls") if seen.variant == Some(SPACE) => "namespaced",
        Some("function_calls") => "canonical",
        Some("minimax:tool_call") => "minimax",
        Some(_) => "foreign-wrapper",
    })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let space = if spelling == "namespaced" { SPACE } else { "" };
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| {
            let value = tags::plain(value);
            format!("<{space}parameter name=\"{key}\">{value}</{space}parameter>\n")
        });
        let (name, fields) = (call.name, fields.collect::<String>());
        format!("<{space}invoke name=\"{name}\">\n{fields}</{space}invoke>\n")
    };
    let text: String = calls.iter().map(print).collect();
    let wrapper = match spelling {
        "bare" => return tags::faithful(text, calls, scan),
        "minimax" => "minimax:tool_call",
        "foreign-wrapper" => "tool_call",
        _ => "function_calls",
    };
    let text = format!("<{space}{wrapper}>\n{text}</{space}{wrapper}>");
    tags::faithful(text, calls, scan)
}
