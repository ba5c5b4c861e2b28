//! `DeepSeek` V3, R1 and V3.1: `<｜tool▁calls▁begin｜>` with calls in it, `<｜tool▁calls▁end｜>`.

use serde_json::Value;

use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

/// The five tokens in one way of writing them.
#[derive(Debug)]
struct Tokens {
    calls: &'static str,
    calls_end: &'static str,
    call: &'static str,
    call_end: &'static str,
    separator: &'static str,
}

const TOKENS: &[Tokens] = &[
    Tokens {
        calls: "<｜tool▁calls▁begin｜>",
        calls_end: "<｜tool▁calls▁end｜>",
        call: "<｜tool▁call▁begin｜>",
        call_end: "<｜tool▁call▁end｜>",
        separator: "<｜tool▁sep｜>",
    },
    Tokens {
        calls: "<|tool▁calls▁begin|>",
        calls_end: "<|tool▁calls▁end|>",
        call: "<|tool▁call▁begin|>",
        call_end: "<|tool▁call▁end|>",
        separator: "<|tool▁sep|>",
    },
    Tokens {
        calls: "<｜tool_calls_begin｜>",
        calls_end: "<｜tool_calls_end｜>",
        call: "<｜tool_call_begin｜>",
        call_end: "<｜tool_call_end｜>",
        separator: "<｜tool_sep｜>",
    },
    Tokens {
        calls: "<|tool_calls_begin|>",
        calls_end: "<|tool_calls_end|>",
        call: "<|tool_call_begin|>",
        call_end: "<|tool_call_end|>",
        separator: "<|tool_sep|>",
    },
    Tokens {
        calls: "<tool_calls_begin>",
        calls_end: "<tool_calls_end>",
        call: "<tool_call_begin>",
        call_end: "<tool_call_end>",
        separator: "<tool_sep>",
    },
];

const FENCE: &str = "```json";
const FENCE_END: &str = "```";

pub(super) const FAMILY: Family = Family {
    id: "deepseek_v3",
    says: "A section of calls between special tokens. V3 and R1: `function`, a separating token, the name, and the \
           arguments in a fence; V3.1: the name, a separating token, the arguments. The arguments are one JSON \
           object, in which tokens are data. White space between tokens, fence and JSON is syntax.",
    models: &["DeepSeek V3", "DeepSeek R1", "DeepSeek V3.1", "DeepSeek V3.2"],
    gate: &[],
    whole_message: false,
    openers: &[
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁call▁begin｜>",
        "<|tool▁calls▁begin|>",
        "<|tool▁call▁begin|>",
        "<｜tool_calls_begin｜>",
        "<｜tool_call_begin｜>",
        "<|tool_calls_begin|>",
        "<|tool_call_begin|>",
        "<tool_calls_begin>",
        "<tool_call_begin>",
    ],
    closers: &[
        "<｜tool▁calls▁end｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁sep｜>",
        "<|tool▁calls▁end|>",
        "<|tool▁call▁end|>",
        "<|tool▁sep|>",
        "<｜tool_calls_end｜>",
        "<｜tool_call_end｜>",
        "<|tool_calls_end|>",
    ],
    stray_words: &[],
    spellings: &[
        Spelling {
            id: "canonical",
            says: "`function`, separator, name, arguments in a fence (V3, R1)",
            proof: "",
        },
        Spelling {
            id: "name-first",
            says: "name, separator, arguments (V3.1 and later)",
            proof: "",
        },
        Spelling {
            id: "no-fence",
            says: "as V3 without the fence, or as V3.1 with one",
            proof: "The arguments are one JSON object, which delimits itself with a fence and without.",
        },
        Spelling {
            id: "no-section",
            says: "one call without the section around it",
            proof: "The call has its own opening and closing tokens; the section adds nothing to it.",
        },
        Spelling {
            id: "ascii",
            says: "the tokens with `|` or nothing for `｜`, or `_` for `▁`, the same way throughout",
            proof: "Look-alike letters in the same five tokens, all of them in their places.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{\"query\": \"meaning of <｜tool▁calls▁end｜>\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            spelling: "canonical",
            calls: r#"[{"name": "search", "arguments": {"query": "meaning of <｜tool▁calls▁end｜>"}}]"#,
        },
        Example {
            text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\": \"a\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            spelling: "name-first",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n{\"path\": \"a\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            spelling: "no-fence",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\": \"a\"}<｜tool▁call▁end｜>",
            spelling: "no-section",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<tool_calls_begin><tool_call_begin>read<tool_sep>{\"path\": \"a\"}<tool_call_end><tool_calls_end>",
            spelling: "ascii",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\": \"a\"<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\": \"a\"}<｜tool▁call▁end｜>",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let tokens = TOKENS.iter().find(|known| cursor.sees(known.calls) || cursor.sees(known.call))?;
    let written = |spelling| if cursor.sees("<｜tool▁call") { spelling } else { "ascii" };
    if cursor.sees(tokens.calls) {
        return block(cursor, tokens.calls, &[tokens.calls_end], |reading| {
            section(reading, tokens).map(written)
        });
    }
    block(cursor, tokens.call, &[tokens.call_end], |reading| {
        call(reading, tokens).map(|_| written("no-section"))
    })
}

fn section(reading: &mut Reading<'_, '_>, tokens: &Tokens) -> Read<&'static str> {
    reading.cursor.eat(tokens.calls);
    reading.cursor.skip_space();
    let closed = reading.cursor.find(tokens.calls_end).is_some();
    if !closed && !reading.cursor.sees(tokens.call) {
        return Err(reading.no_block(&[tokens.call]));
    }
    let mut spelling = "";
    while reading.cursor.sees(tokens.call) {
        let this = match call(reading, tokens) {
            Err(Stop::NoBlock) => return Err(Stop::Damaged("the call has no arguments")),
            read => read?,
        };
        spelling = if spelling.is_empty() || spelling == this { this } else { "no-fence" };
        reading.cursor.skip_space();
    }
    if !reading.cursor.eat(tokens.calls_end) {
        let markers = [tokens.call, tokens.calls_end];
        return Err(reading.missing(&markers, "something stands beside the calls"));
    }
    if spelling.is_empty() { Err(Stop::Damaged("the section is empty")) } else { Ok(spelling) }
}

fn call(reading: &mut Reading<'_, '_>, tokens: &Tokens) -> Read<&'static str> {
    reading.cursor.eat(tokens.call);
    reading.cursor.skip_space();
    let mut name = reading.name();
    reading.cursor.skip_space();
    if name.is_empty() || !reading.cursor.eat(tokens.separator) {
        return Err(reading.no_block(&[tokens.separator]));
    }
    reading.cursor.skip_space();
    let first =
        !(name == "function" && !reading.cursor.sees("{") && !reading.cursor.sees(FENCE_END));
    if !first {
        name = reading.name();
        reading.cursor.skip_space();
    }
    if name.is_empty() {
        return Err(reading.missing(&[], "the name is missing"));
    }
    let fenced = reading.cursor.eat(FENCE);
    reading.json_arguments(name)?;
    if fenced {
        reading.expect(FENCE_END, "the fence is not closed")?;
    }
    reading.expect(tokens.call_end, "the closing token of the call is missing")?;
    Ok(match (first, fenced) {
        (false, true) => "canonical",
        (true, false) => "name-first",
        _ => "no-fence",
    })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let tokens = if spelling == "ascii" { TOKENS.last()? } else { TOKENS.first()? };
    let Tokens { calls: begin, calls_end, call, call_end, separator } = tokens;
    let print = |printed: &Printed<'_>| {
        let name = printed.name;
        let arguments = Value::Object(printed.arguments.clone());
        match spelling {
            "canonical" => {
                format!(
                    "{call}function{separator}{name}\n{FENCE}\n{arguments}\n{FENCE_END}{call_end}"
                )
            }
            "no-fence" => format!("{call}function{separator}{name}\n{arguments}{call_end}"),
            _ => format!("{call}{name}{separator}{arguments}{call_end}"),
        }
    };
    let printed: String = calls.iter().map(print).collect();
    Some(if spelling == "no-section" { printed } else { format!("{begin}{printed}{calls_end}") })
}
