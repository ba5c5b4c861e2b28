//! A message that is nothing but `[name(key="text"), …]`, as Llama 3.2 and 4 print calls.

use crate::grammar::reading::{Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, python, stops};

pub(super) const FAMILY: Family = Family {
    id: "bare_pythonic",
    says: "A list of calls in Python's syntax that is the whole message, every name a tool's. Values are Python \
           literals and become JSON exactly. A list that is cut off or damaged is left to be read as prose.",
    models: &["Llama 3.2", "Llama 4", "ToolACE", "Gemma 3 with a community template"],
    gate: &["llama", "toolace", "gemma-3", "gemma3"],
    whole_message: true,
    openers: &["["],
    closers: &[],
    stray_words: &[],
    spellings: &[Spelling {
        id: "canonical",
        says: "the list, perhaps with the token that ends a turn",
        proof: "",
    }],
    scan,
    render,
    examples: &[Example {
        text: "[read(path='a'), read(path=\"b\")]<|eot|>",
        spelling: "canonical",
        calls: r#"[{"name": "read", "arguments": {"path": "a"}}, {"name": "read", "arguments": {"path": "b"}}]"#,
    }],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let whole = block(cursor, "[", &[], |reading| {
        python::list(reading)?;
        reading.cursor.skip_space();
        stops::pass(&mut reading.cursor);
        let mut ahead = reading.cursor;
        ahead.skip_space();
        let known = reading.calls.iter().all(|call| ahead.is_tool(&call.name));
        if known && ahead.is_at_end() { Ok("canonical") } else { Err(Stop::NoBlock) }
    });
    whole.filter(Block::is_whole)
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let calls: Option<Vec<String>> = calls.iter().map(python::print).collect();
    Some(format!("[{}]", calls?.join(", ")))
}

#[cfg(test)]
mod tests {
    use crate::grammar::Page;

    #[test]
    fn anything_else_is_prose() {
        let tools = ["read".to_owned()];
        for text in [
            r#"[read(path="a")] is a call"#,
            r#"[rm(path="a")]"#,
            "[read]",
            "[1, 2]",
            r#"[read(path="a""#,
            "[text](https://example.com)",
            r#"[read("a")]"#,
            "[]",
        ] {
            assert_eq!(super::scan(Page::new(text, &tools).cursor(0)), None, "{text}");
        }
    }
}
