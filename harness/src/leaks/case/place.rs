//! Where a block stands in the markdown of a message.

use super::values;
use crate::generate::hostile::boundary;
use crate::source::{Choose, Source};

/// A block with what was put around it; `start..end` is where it is, or where its protection is.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The text.
    pub text: String,
    /// Where the block begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// One way of placing a block.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its name.
    pub id: &'static str,
    /// True if it is code or a quotation there.
    pub shows: bool,
    /// True if the block has lines of its own.
    pub alone: bool,
    /// True if all that follows is in it as well.
    pub last: bool,
    /// Places the block; `None` if this one cannot stand there.
    pub put: fn(&mut dyn Source, &str) -> Option<Placed>,
}

const fn open(
    id: &'static str,
    alone: bool,
    put: fn(&mut dyn Source, &str) -> Option<Placed>,
) -> Place {
    Place { id, shows: false, alone, last: false, put }
}

const fn shown(id: &'static str, put: fn(&mut dyn Source, &str) -> Option<Placed>) -> Place {
    Place { id, shows: true, alone: true, last: false, put }
}

/// Places outside code; the first is the simplest.
pub const OPEN: &[Place] = &[
    open("alone", true, |_, block| between("", block, "")),
    open("after-line", true, |_, block| between("I will look at it.\n", block, "")),
    open("before-line", true, |_, block| between("", block, "\nThat is all.")),
    open("in-sentence", false, |_, block| between("Now ", block, " and then more.")),
    open("glued", false, |_, block| between("Now:", block, "Then.")),
    open("after-heading", true, |_, block| between("# Heading\n\n", block, "\n\nText.  \n")),
    open("after-setext", true, |_, block| between("Heading\n=======\n\n", block, "\n\n---\n")),
    open("announced", true, |_, block| between("For example:\n\n", block, "")),
    open("over-lines", false, |_, block| between("A call is\n", block, "\nand no more.")),
    open("in-list", false, |_, block| between("- first\n- ", block, "\n- third")),
    open("below-list", true, |_, block| between("1. first\n2. second\n\n", block, "")),
    open("after-code", true, |_, block| {
        between("```py\nx = 1   \n\n\ny = 2\n```\n", block, "\n~~~\nz\n~~~")
    }),
    open("after-inline", true, |_, block| between("Use `a` and ``b ` c``.\n", block, "")),
    open("in-table", false, |_, block| between("| a | b |\n|---|---|\n| ", block, " | x |")),
    open("in-html", true, |_, block| between("<div>\n`code`\n", block, "\n</div>")),
    open("between-blanks", true, |_, block| {
        between("Text.  \n\n\n \n", block, "  \n\n\n\n    \nMore.")
    }),
    open("crlf", true, |_, block| between("Text.\r\n\r\n", block, "\r\nMore.\r\n")),
    open("below-quote", true, |_, block| between("> said\n\n", block, "")),
    open("in-marker", false, |source, block| {
        let marker = values::marker(source);
        let (head, tail) = marker.split_at(boundary(marker, marker.len() / 2));
        between(&format!("Text\n{head}"), block, tail)
    }),
];

/// Places in code and quotations.
pub const SHOWN: &[Place] = &[
    shown("fence", |source, block| fenced(source, block, '`')),
    shown("tildes", |source, block| fenced(source, block, '~')),
    shown("inline", inline),
    shown("quote", |_, block| lines("Quoting:\n\n> ", block, "> ")),
    shown("indented", |_, block| lines("So:\n\n    ", block, "    ")),
    shown("pre", |_, block| {
        // A fence inside is one for markdown, wherever the element ends.
        let ends = ["</pre", "</code", "`", "~~~"].iter().any(|mark| block.contains(mark));
        if ends { None } else { between("<pre>\n", block, "\n</pre>") }
    }),
    Place {
        id: "unclosed-fence",
        shows: true,
        alone: true,
        last: true,
        put: |_, block| {
            let fence = "`".repeat(longest(block, '`').max(2) + 1);
            between(&format!("Example:\n{fence}\n"), block, "")
        },
    },
];

fn between(before: &str, block: &str, after: &str) -> Option<Placed> {
    let (start, end) = (before.len(), before.len() + block.len());
    Some(Placed { text: format!("{before}{block}{after}"), start, end })
}

/// The longest run of `mark` in a text.
fn longest(text: &str, mark: char) -> usize {
    text.split(|c| c != mark).map(|run| run.chars().count()).max().unwrap_or(0)
}

fn fenced(source: &mut dyn Source, block: &str, mark: char) -> Option<Placed> {
    let length = longest(block, mark).max(2) + 1 + source.index(2);
    let fence = mark.to_string().repeat(length);
    let info = *source.pick(&["", "xml", "text"]);
    let indent = *source.pick(&["", "", " ", "   "]);
    let before = format!("Example:\n{indent}{fence}{info}\n");
    between(&before, block, &format!("\n{indent}{fence}\nSo."))
}

fn inline(_: &mut dyn Source, block: &str) -> Option<Placed> {
    if block.contains(['\n', '\r']) {
        return None;
    }
    let ticks = "`".repeat(longest(block, '`') + 1);
    between(&format!("Write {ticks} "), block, &format!(" {ticks} to call."))
}

/// A block with `mark` before each line.
fn lines(before: &str, block: &str, mark: &str) -> Option<Placed> {
    if block.contains('\r') || block.starts_with([' ', '\n']) {
        return None;
    }
    let marked = block.replace('\n', &format!("\n{mark}"));
    between(before, &marked, "")
}
