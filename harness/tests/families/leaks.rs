//! Messages that grow, shared by the test that counts steps and the example whose instructions are counted.

use engine::grammar::{FAMILIES, Printed};
use serde_json::json;

/// A kind of message that grows.
pub(crate) struct Growing {
    pub(crate) name: String,
    pub(crate) grow: Box<dyn Fn(usize) -> String>,
}

fn growing(name: String, grow: impl Fn(usize) -> String + 'static) -> Growing {
    Growing { name, grow: Box::new(grow) }
}

/// What markdown, JSON or a seam may go over again and again.
const MARKS: &[&str] = &[
    "\n",
    " ",
    "[",
    "](",
    "`",
    "` ``",
    "```\n",
    "~~~\n",
    "> ",
    "- ",
    "1. ",
    "<",
    "</",
    "<pre>",
    "<code>",
    "{",
    "}",
    "{\"name\":",
    "{\"a\":[",
    "\"",
    "\\",
    "*",
    "_",
    "|",
    "    x\n\n",
    "\r\n",
    "&",
    "｜",
    "▁",
    "<|",
    "[TOOL",
    "é",
];

/// Every kind.
pub(crate) fn messages() -> Vec<Growing> {
    let mut all: Vec<Growing> = Vec::new();
    for mark in MARKS {
        all.push(growing(format!("mark {mark:?}"), |n| mark.repeat(n)));
        all.push(growing(format!("leak, then {mark:?}"), |n| {
            format!("<tool_call>{{\"name\":\"ls\"}}</tool_call>{}x", mark.repeat(n))
        }));
        all.push(growing(format!("open leak, then {mark:?}"), |n| {
            format!("<tool_call>{{\"name\":\"ls\",\"arguments\":{{\"path\":\"{}", mark.repeat(n))
        }));
    }
    for family in FAMILIES {
        let arguments = json!({"path": "/x"});
        let call = Printed { name: "ls", arguments: arguments.as_object().expect("an object") };
        let block = (family.render)(&[call], "canonical").expect("a plain call can be printed");
        for opener in family.openers {
            all.push(growing(format!("{} {opener:?}", family.id), |n| opener.repeat(n)));
            all.push(growing(format!("{} {opener:?} and text", family.id), move |n| {
                format!("{opener}x\n").repeat(n)
            }));
        }
        let half = cut(&block);
        let (closer, opener) =
            (family.closers.first().copied().unwrap_or_default(), family.openers[0]);
        all.push(growing(format!("{} nested", family.id), move |n| {
            format!("{}{}", opener.repeat(n / 2), closer.repeat(n / 2))
        }));
        let name = family.id;
        all.push(growing(format!("{name} halves"), move |n| half.repeat(n / 8)));
        all.push(growing(format!("{name} blocks"), move |n| format!("{block}\n").repeat(n / 8)));
    }
    let call = "<tool_call>{\"name\":\"ls\"}</tool_call>";
    let pieces = [
        ("mentions", format!("a {call} b ")),
        ("announcements", format!("For example:\n\n{call}\n\n")),
        ("stop tokens", format!("{call}<|im_end|>\n</s>\n")),
        ("stop tokens behind one call", "<|im_end|>\n".to_owned()),
        ("inner closers", "</parameter>\n</function>\n".to_owned()),
        ("closers in lines", "</function>\n</tool_call>\n".to_owned()),
        ("fences between calls", format!("```\nx\n```\n{call}\n")),
    ];
    for (name, piece) in pieces {
        let front = if name.ends_with("one call") { call } else { "" };
        all.push(growing(name.to_owned(), move |n| {
            format!("{front}{}</tool_call>", piece.repeat(n.div_ceil(4)))
        }));
    }
    let closers = || FAMILIES.iter().filter_map(|family| family.closers.first().copied());
    let every: String = closers().collect();
    all.push(growing("closers in turn".to_owned(), move |n| every.repeat(n.div_ceil(64))));
    let openers = || FAMILIES.iter().filter_map(|family| family.openers.first().copied());
    let every: String = openers().collect();
    all.push(growing("openers in turn".to_owned(), move |n| every.repeat(n.div_ceil(64))));
    all
}

/// The first two thirds of a block.
fn cut(block: &str) -> String {
    block.chars().take(block.chars().count() * 2 / 3).collect()
}
