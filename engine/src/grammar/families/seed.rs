//! Seed: `<seed:tool_call><function=NAME><parameter=KEY>…</parameter></function></seed:tool_call>`.

use super::qwen;
use crate::grammar::tags::{self, Dialect, Frame};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "<seed:tool_call>";
const CLOSER: &str = "</seed:tool_call>";

pub(super) const FAMILY: Family = Family {
    id: "seed",
    says: "The tags of Qwen in a wrapper of its own. A value is everything between its tags: the \
           template prints no line ends there. One between two line ends may be printed as Qwen does, \
           and is not run.",
    models: &["Seed-OSS", "Doubao Seed"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "functions in one pair of tags", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "<seed:tool_call>\n<function=write>\n<parameter=path>/x</parameter>\n\
                   <parameter=content>  a\n</parameter>\n</function>\n</seed:tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "/x", "content": "  a\n"}}]"#,
        },
        Example {
            text: "<seed:tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</seed:tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<seed:tool_call>\n</function>\n</seed:tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<seed:tool_call>\n<function=ls>", spelling: "", calls: "cut off" },
    ],
};

const DIALECT: Dialect = Dialect {
    lead: "<",
    tag: |cursor| qwen::tag(cursor, OPENER, CLOSER),
    shared: &[],
    frame: Frame::ExactButNoLines,
    openers: &[OPENER],
    inner: &["</parameter", "</function"],
    outer: &[CLOSER],
    spelling: |seen| if seen.fused { Err("a fused closing tag") } else { Ok("canonical") },
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    tags::read(&DIALECT, cursor)
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter();
        let fields = fields
            .map(|(key, value)| format!("<parameter={key}>{}</parameter>\n", tags::plain(value)));
        format!("<function={}>\n{}</function>\n", call.name, fields.collect::<String>())
    };
    let text: String = calls.iter().map(print).collect();
    tags::faithful(format!("{OPENER}\n{text}{CLOSER}"), calls, scan)
}
