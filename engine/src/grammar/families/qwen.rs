//! Qwen XML: `<tool_call><function=NAME><parameter=KEY>…</parameter></function></tool_call>`.

use crate::grammar::tags::{self, Dialect, Frame, Mark, Seen, Tag};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "<tool_call>";
const CLOSER: &str = "</tool_call>";
const OPENERS: &[&str] = &[OPENER, "<function="];

pub(super) const FAMILY: Family = Family {
    id: "qwen",
    says: "Values stand unquoted between tags. White space between tags is syntax. Of a value that \
           starts on a new line, one line end in front and one behind are syntax; a value that \
           starts on the line of its tag is exact.",
    models: &["Qwen3-Coder", "Qwen 3.5 and 3.6", "Nemotron 3", "Step 3.5"],
    gate: &[],
    whole_message: false,
    openers: OPENERS,
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "functions in one pair of tags", proof: "" },
        Spelling {
            id: "no-opener",
            says: "`<tool_call>` is missing, `</tool_call>` is there",
            proof: "Everything that carries a name or a value is whole, and the closing tag says \
                    that a call was printed; the missing tag carries nothing.",
        },
        Spelling {
            id: "bare",
            says: "neither `<tool_call>` nor `</tool_call>`",
            proof: "The function's own tags are whole and hold all that is said; the wrapper \
                    carries nothing.",
        },
        Spelling {
            id: "fused-end",
            says: "`</parameter_function>`, `</parameterfunction>`, `</parameter/>` or \
                   `</parameter1>` where `</parameter>` or also `</function>` must stand",
            proof: "The tag closes a parameter and structure follows, so the value ends before it; \
                    no template prints these tags otherwise.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<tool_call>\n<function=write>\n<parameter=path>\n/x\n</parameter>\n\
                   <parameter=content>\n  a\n\n</parameter>\n</function>\n</tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "/x", "content": "  a\n"}}]"#,
        },
        Example {
            text: "<tool_call><function=write><parameter=content>doc: </parameter> here</parameter></function></tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"content": "doc: </parameter> here"}}]"#,
        },
        Example {
            text: "<function=read>\n<parameter=path>\n/x\n</parameter>\n</function>\n</tool_call>",
            spelling: "no-opener",
            calls: r#"[{"name": "read", "arguments": {"path": "/x"}}]"#,
        },
        Example {
            text: "<function=ls></function>",
            spelling: "bare",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<tool_call>\n<function=weather>\n<parameter=city>\n上海\n</parameter_function>\n</tool_call>",
            spelling: "fused-end",
            calls: r#"[{"name": "weather", "arguments": {"city": "上海"}}]"#,
        },
        Example {
            text: "<tool_call>\n<function=edit>\n<parameter=command=create</parameter>\n</function>\n</tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call><function=write><parameter=content>a\n</parameter></function></tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call><function=read><parameter=path>/x</function></tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call><function=bash><parameter=command>ls</parameter=timeout>5</parameter></function></tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_call><function=bash><parameter=command>ls</parameter>parameter=timeout>5</parameter></function></tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<tool_call><function=read><parameter=pa", spelling: "", calls: "cut off" },
        Example {
            text: "<tool_call><function=read><parameter=path>/x</parameter>",
            spelling: "",
            calls: "cut off",
        },
    ],
};

const DIALECT: Dialect = Dialect {
    lead: "<",
    tag: |cursor| tag(cursor, OPENER, CLOSER),
    shared: &[OPENER],
    frame: Frame::Lines,
    openers: OPENERS,
    inner: &["</parameter", "</function"],
    outer: &[CLOSER, "</function>"],
    spelling,
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut inside = cursor;
    if inside.eat("<function=") {
        // A function with an object in it is another format.
        inside.go(tags::assigned(inside, Mark::OpenCall).end);
        tags::take_some(&mut inside, char::is_whitespace);
        if inside.sees("{") {
            return None;
        }
    }
    tags::read(&DIALECT, cursor)
}

/// Reads a tag of this format in a wrapper of these tags.
pub(super) fn tag<'t>(
    mut cursor: Cursor<'_, 't>,
    opener: &'static str,
    closer: &'static str,
) -> Option<Tag<'t>> {
    const PLAIN: &[(&str, Mark)] = &[
        ("</parameter>", Mark::CloseField),
        ("</function>", Mark::CloseCall),
        ("</parameter_function>", Mark::CloseFieldAndCall),
        ("</parameterfunction>", Mark::CloseFieldAndCall),
        ("</parameter/>", Mark::CloseFieldAndCall),
        ("</parameter1>", Mark::CloseFieldAndCall),
    ];
    if cursor.eat("<function=") {
        return Some(tags::assigned(cursor, Mark::OpenCall));
    }
    if cursor.eat("<parameter=") {
        return Some(tags::assigned(cursor, Mark::OpenField));
    }
    let wrapper = [(opener, Mark::OpenWrapper), (closer, Mark::CloseWrapper)];
    let known = PLAIN.iter().chain(&wrapper).find(|(text, _)| cursor.eat(text));
    known.map(|(_, mark)| Tag::plain(*mark, cursor.at()))
}

fn spelling(seen: Seen) -> Result<&'static str, &'static str> {
    Ok(match seen {
        Seen { fused: true, closed: true, .. } => "fused-end",
        Seen { fused: true, .. } => return Err("a fused closing tag outside a wrapper"),
        Seen { opened: true, .. } => "canonical",
        Seen { closed: true, .. } => "no-opener",
        _ => "bare",
    })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let text: String = calls.iter().map(|call| print(call, spelling == "fused-end")).collect();
    let text = match spelling {
        "bare" => text,
        "no-opener" => text + CLOSER,
        _ => format!("{OPENER}\n{text}{CLOSER}"),
    };
    tags::faithful(text, calls, scan)
}

/// Prints one function with its parameters.
fn print(call: &Printed<'_>, fused: bool) -> String {
    let fields = call.arguments.iter();
    let fields = fields
        .map(|(key, value)| format!("<parameter={key}>\n{}\n</parameter>\n", tags::plain(value)));
    let text = format!("<function={}>\n{}</function>\n", call.name, fields.collect::<String>());
    if fused {
        text.replace("</parameter>\n</function>\n", "</parameter_function>\n")
    } else {
        text
    }
}
