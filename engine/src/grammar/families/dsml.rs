//! `DeepSeek` 3.2 and 4: `<｜DSML｜invoke name="NAME"><｜DSML｜parameter name="KEY" string="true">…`.

use crate::grammar::tags::{self, Dialect, Frame, Mark, Tag, Words};
use crate::grammar::{Block, BlockState, Cursor, Example, Family, Printed, Spelling};

const OPENERS: &[&str] = &[
    "<｜DSML",
    "<｜｜DSML",
    "<|DSML",
    "<||DSML",
    "<\u{2016}DSML",
    "<\u{2016}\u{2016}DSML",
    "<｜ DSML",
    "<｜｜ DSML",
    "<| DSML",
    "<|| DSML",
    "< ｜DSML",
    "< ｜｜DSML",
    "< |DSML",
    "< ｜ DSML",
    "< | DSML",
];

/// The beginnings of closing tags.
const CLOSERS: &[&str] = &[
    "</｜DSML",
    "</｜｜DSML",
    "</|DSML",
    "</||DSML",
    "</\u{2016}DSML",
    "</\u{2016}\u{2016}DSML",
    "</｜ DSML",
    "</｜｜ DSML",
    "</| DSML",
    "</|| DSML",
    "</ ｜DSML",
    "</ ｜｜DSML",
    "</ |DSML",
    "</ ｜ DSML",
    "</ | DSML",
    "< /｜DSML",
    "< /|DSML",
];

const WORDS: Words = Words {
    wrappers: &["tool_calls", "function_calls", "calls"],
    call: "invoke",
    field: "parameter",
};

/// The ways of printing the bars, as the spelling that each is.
const BARS: &[(&str, &str)] = &[
    ("｜｜", "double-bar"),
    ("｜", "canonical"),
    ("||", "double-ascii-bar"),
    ("|", "ascii-bar"),
    ("\u{2016}\u{2016}", "double-vertical-line"),
    ("\u{2016}", "double-vertical-line"),
];

const SAME_TAGS: &str = "The bars only set the format's tags apart from text; whichever are printed, \
                         nothing else looks like such a tag, and all tags of the block agree.";

pub(super) const FAMILY: Family = Family {
    id: "dsml",
    says: "Values stand unquoted between tags and are exact. `string=\"true\"` says that a value is \
           text, `string=\"false\"` that it is JSON. White space between tags, and blanks beside the \
           bars, are syntax. The wrapper may be `tool_calls`, `function_calls` or `calls`.",
    models: &["DeepSeek V3.2", "DeepSeek V4"],
    gate: &[],
    whole_message: false,
    openers: OPENERS,
    closers: &[
        "</｜DSML｜tool_calls>",
        "</｜DSML｜function_calls>",
        "</｜DSML｜invoke>",
        "</｜DSML｜parameter>",
        "</｜｜DSML｜｜tool_calls>",
        "</｜｜DSML｜｜function_calls>",
        "</｜｜DSML｜｜invoke>",
        "</｜｜DSML｜｜parameter>",
        "</|DSML|tool_calls>",
        "</|DSML|function_calls>",
        "</|DSML|calls>",
        "</|DSML|invoke>",
        "</|DSML|parameter>",
        "</||DSML||tool_calls>",
        "</||DSML||invoke>",
        "</||DSML||parameter>",
        "</\u{2016}DSML\u{2016}tool_calls>",
        "</\u{2016}DSML\u{2016}invoke>",
        "</\u{2016}DSML\u{2016}parameter>",
    ],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "one fullwidth bar on each side", proof: "" },
        Spelling { id: "double-bar", says: "two fullwidth bars", proof: SAME_TAGS },
        Spelling { id: "ascii-bar", says: "one ASCII bar", proof: SAME_TAGS },
        Spelling { id: "double-ascii-bar", says: "two ASCII bars", proof: SAME_TAGS },
        Spelling { id: "double-vertical-line", says: "U+2016", proof: SAME_TAGS },
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
            text: "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"read\">\n<｜DSML｜parameter name=\"path\" string=\"true\">a.rs\n</｜DSML｜parameter>\n<｜DSML｜parameter name=\"offset\" string=\"false\">10</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "a.rs\n", "offset": 10}}]"#,
        },
        Example {
            text: "<｜｜DSML｜｜tool_calls>\n<｜｜DSML｜｜invoke name=\u{201c}ls\u{201d}>\n</｜｜DSML｜｜invoke>\n</｜｜DSML｜｜tool_calls>",
            spelling: "double-bar",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<| DSML |function_calls><| DSML |invoke name=\"ls\"></| DSML |invoke></| DSML |function_calls>",
            spelling: "ascii-bar",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<||DSML||tool_calls><||DSML||invoke name=\"ls\"></||DSML||invoke></||DSML||tool_calls>",
            spelling: "double-ascii-bar",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<\u{2016}DSML\u{2016}tool_calls><\u{2016}DSML\u{2016}invoke name=\"ls\"></\u{2016}DSML\u{2016}invoke></\u{2016}DSML\u{2016}tool_calls>",
            spelling: "double-vertical-line",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<|DSML|invoke name=\"pwsh\">\n<|DSML|parameter name=\"command\" string=\"true\">ls</|DSML|parameter>\n</|DSML|invoke>\n</|DSML|calls>",
            spelling: "bare",
            calls: r#"[{"name": "pwsh", "arguments": {"command": "ls"}}]"#,
        },
        Example {
            text: "<｜DSML｜fetch>\n <url>https://example.com</url>\n</｜DSML｜fetch>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<｜DSML｜invoke name=\"sh\">ls</｜DSML｜invoke>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<｜DSML｜tool_calls", spelling: "", calls: "cut off" },
        Example {
            text: "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"re",
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
    openers: OPENERS,
    inner: CLOSERS,
    outer: &[],
    spelling: |seen| Ok(if seen.opened { seen.variant.unwrap_or("canonical") } else { "bare" }),
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let block = tags::read(&DIALECT, cursor)?;
    Some(match block.state {
        // It was read to its own end: what stands between there and a lone closing tag is prose.
        BlockState::Damaged(tags::CLOSED_AGAIN) => block,
        BlockState::Damaged(_) => whole_damage(cursor, block),
        _ => block,
    })
}

/// Stretches a damaged block over the tags of the format that follow it: up to the last closing tag
/// before the next opening one, or as far as reading went.
fn whole_damage(mut cursor: Cursor<'_, '_>, mut block: Block) -> Block {
    cursor.go(block.end);
    let opener = cursor.find_any(OPENERS).map(|(at, _)| at);
    while let Some((at, _)) = cursor.find_any(CLOSERS)
        && opener.is_none_or(|opener| at < opener)
        && !cursor.has_code_to(at)
    {
        cursor.go(at);
        cursor.eat("<");
        tags::take_some(&mut cursor, |letter| !"<>\n".contains(letter));
        cursor.eat(">");
        block.end = cursor.at();
    }
    block
}

fn tag<'t>(mut cursor: Cursor<'_, 't>) -> Option<Tag<'t>> {
    if !cursor.eat("<") {
        return None;
    }
    tags::take_some(&mut cursor, |letter| letter == ' ');
    let closing = cursor.eat("/");
    let bars = bars(&mut cursor)?;
    if !cursor.eat("DSML") {
        return None;
    }
    self::bars(&mut cursor);
    let broken = Tag::plain(if closing { Mark::CloseWrapper } else { Mark::Broken }, cursor.at());
    let Some(mut tag) = tags::attributed(cursor, closing, &WORDS) else {
        tags::take_some(&mut cursor, |letter| !"<>\n".contains(letter));
        let cut = !closing && cursor.is_at_end();
        cursor.eat(">");
        let mark = if cut { Mark::Cut } else { broken.mark };
        return Some(Tag { mark, end: cursor.at(), ..broken });
    };
    if tag.variant.is_none() && !matches!(tag.mark, Mark::Broken | Mark::Cut) {
        tag.variant = Some(bars);
    }
    Some(tag)
}

/// Steps over bars with blanks beside them; their spelling.
fn bars(cursor: &mut Cursor<'_, '_>) -> Option<&'static str> {
    tags::take_some(cursor, |letter| letter == ' ');
    let found = BARS.iter().find(|(bars, _)| cursor.eat(bars)).map(|(_, spelling)| *spelling);
    tags::take_some(cursor, |letter| letter == ' ');
    found
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let bars = BARS.iter().find(|(_, id)| *id == spelling).map_or("｜", |(bars, _)| bars);
    let lead = format!("{bars}DSML{bars}");
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| {
            let (text, value) = (value.is_string(), tags::plain(value));
            let open = format!("<{lead}parameter name=\"{key}\" string=\"{text}\">");
            format!("{open}{value}</{lead}parameter>\n")
        });
        let (name, fields) = (call.name, fields.collect::<String>());
        format!("<{lead}invoke name=\"{name}\">\n{fields}</{lead}invoke>\n")
    };
    let text: String = calls.iter().map(print).collect();
    let text = if spelling == "bare" {
        text
    } else {
        format!("<{lead}tool_calls>\n{text}</{lead}tool_calls>")
    };
    tags::faithful(text, calls, scan)
}
