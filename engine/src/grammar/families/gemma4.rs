//! Gemma 4: `<|tool_call>call:name{key:<|"|>text<|"|>}<tool_call|>`, and `FunctionGemma` in its tokens.

use std::fmt::Write as _;

use crate::grammar::gemma::{Notation, Tokens, print_entries, print_value};
use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::{Arguments, Block, Cursor, Example, Family, LeakedCall, Printed, Spelling};

const GEMMA: Tokens = Tokens { open: "<|tool_call>", close: "<tool_call|>", quote: "<|\"|>" };
const FUNCTION_GEMMA: Tokens =
    Tokens { open: "<start_function_call>", close: "<end_function_call>", quote: "<escape>" };

/// The end of a thought, which the model sometimes leaves for a call without the call's opening token.
const THOUGHT_END: &str = "<channel|>call:";

/// What begins the tool's answer; the model prints it behind its calls and stops there.
const RESPONSE: &str = "<|tool_response>";
const RESPONSE_GEMMA: &str = "<start_function_response>";

pub(super) const FAMILY: Family = Family {
    id: "gemma4",
    says: "A call in a notation of its own. Texts stand between two quoting tokens and are data as they are, \
           with no escapes; keys are bare up to the colon; numbers, `true`, `false`, `null`, lists and objects as in \
           JSON. A quoting token must be followed by what ends a value, or it is not known where the text ends.",
    models: &["Gemma 4", "FunctionGemma"],
    gate: &[],
    whole_message: false,
    openers: &[GEMMA.open, THOUGHT_END, FUNCTION_GEMMA.open],
    closers: &[GEMMA.close, FUNCTION_GEMMA.close],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "texts between `<|\"|>`", proof: "" },
        Spelling { id: "function-gemma", says: "texts between `<escape>`", proof: "" },
        Spelling {
            id: "json-quotes",
            says: "texts or keys in JSON's quotes",
            proof: "No value and no key begins with a quotation mark otherwise, and a JSON string delimits itself.",
        },
        Spelling {
            id: "equals",
            says: "`key=` for `key:` before a quoted text",
            proof: "The quoting token behind the sign shows where the key ends; keys of tools are words.",
        },
        Spelling {
            id: "round-brackets",
            says: "`call:name(key=…)`, everything within as usual",
            proof: "Only the outermost brackets and the sign behind the outermost keys are other ones, all of them, and \
                    the token closes the call.",
        },
        Spelling {
            id: "no-last-bracket",
            says: "the bracket that closes the arguments is missing",
            proof: "The closing token stands right behind a whole value at the outermost level, so the model had \
                    finished; one bracket in one place makes it whole.",
        },
        Spelling {
            id: "no-opening-quote",
            says: "a text without the quoting token before it, with the one behind it",
            proof: "The colon shows where the text begins, and the token with what ends a value behind it where it ends. \
                    It holds nothing that could be a further key, a bracket or a quotation mark.",
        },
        Spelling {
            id: "after-thought",
            says: "`<channel|>call:name{…}`, without the opening token",
            proof: "The token that ends a thought stands right before `call:`, and brackets and texts are whole up to the \
                    closing token or the end of the text.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|tool_call>call:write{path:<|\"|>a.txt<|\"|>,content:<|\"|>say \"hi\" } <tool_call|> ok<|\"|>,deep:{n:1.5e-05,list:[true,null]}}<tool_call|>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "a.txt", "content": "say \"hi\" } <tool_call|> ok", "deep": {"n": 1.5e-05, "list": [true, null]}}}]"#,
        },
        Example {
            text: "<start_function_call>call:read{path:<escape>a<escape>}<end_function_call>",
            spelling: "function-gemma",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call>call:read{\"path\": \"a,b\"}<tool_call|>",
            spelling: "json-quotes",
            calls: r#"[{"name": "read", "arguments": {"path": "a,b"}}]"#,
        },
        Example {
            text: "<|tool_call>call:read{path=<|\"|>a<|\"|>}<tool_call|>",
            spelling: "equals",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call>call:read(path=<|\"|>a<|\"|>, list=[{k:<|\"|>=)<|\"|>}])<tool_call|>",
            spelling: "round-brackets",
            calls: r#"[{"name": "read", "arguments": {"path": "a", "list": [{"k": "=)"}]}}]"#,
        },
        Example {
            text: "<|tool_call>call:read{files:[{path:<|\"|>c:\\a<|\"|>,start:1}]<tool_call|>",
            spelling: "no-last-bracket",
            calls: r#"[{"name": "read", "arguments": {"files": [{"path": "c:\\a", "start": 1}]}}]"#,
        },
        Example {
            text: "<|tool_call>call:read{query:Paris, France<|\"|>,limit:5}<tool_call|>",
            spelling: "no-opening-quote",
            calls: r#"[{"name": "read", "arguments": {"query": "Paris, France", "limit": 5}}]"#,
        },
        Example {
            text: "<channel|>call:read{path:<|\"|>a<|\"|>}",
            spelling: "after-thought",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call>call:read{path:<|\"|>a <|\"|><tool_call|> b<|\"|>}<tool_call|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|tool_call>call:read{query:Paris,limit:5,unit:c<|\"|>}<tool_call|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|tool_call>call:read{path:\"a\\n\"}<tool_call|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|tool_call>call:read{path:a,limit:1}<tool_call|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|tool_call>call:read no brace<tool_call|>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<|tool_call>call:read{path:<|\"|>a", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut ahead = cursor;
    let opener = ahead.eat_any(&[GEMMA.open, THOUGHT_END, FUNCTION_GEMMA.open])?;
    let tokens = if opener == FUNCTION_GEMMA.open { &FUNCTION_GEMMA } else { &GEMMA };
    block(cursor, opener, &[tokens.close], |reading| {
        reading.cursor.eat(opener);
        if opener != THOUGHT_END {
            reading.cursor.skip_space();
            if !reading.cursor.eat("call:") {
                return Err(reading.no_block(&["call:"]));
            }
        }
        let mut notation = Notation { tokens, spelling: "canonical" };
        call(reading, &mut notation)?;
        if let Some(quote) = quote_left(reading.cursor, tokens) {
            let mut left = reading.cursor;
            left.go(quote);
            // Beyond an empty line stands what may be prose and code that no text ever held.
            if !left.since(reading.cursor.at()).contains("\n\n") {
                reading.cursor = left;
            }
            return Err(Stop::Damaged("a quoting token is left behind the call"));
        }
        let ends = reading.expect(tokens.close, "the closing token is missing");
        if opener == THOUGHT_END {
            ends.or_else(|_| if reading.cursor.is_at_end() { Ok(()) } else { ends })?;
            return Ok("after-thought");
        }
        ends?;
        // Models repeat the closing token, and go on to the tool's answer, where they are stopped.
        while reading.cursor.eat(tokens.close) {}
        reading.cursor.eat_any(&[RESPONSE, RESPONSE_GEMMA]);
        let usual = notation.spelling == "canonical";
        let other = opener == FUNCTION_GEMMA.open;
        Ok(if usual && other { "function-gemma" } else { notation.spelling })
    })
}

/// Where a quoting token stands behind the call and before the next one: then a text held one, and what
/// was read of it is not the whole.
fn quote_left(cursor: Cursor<'_, '_>, tokens: &Tokens) -> Option<usize> {
    let next = cursor.find_any(&[tokens.open, THOUGHT_END]);
    cursor.find(tokens.quote).filter(|quote| next.is_none_or(|(next, _)| *quote < next))
}

/// Reads `name{…}`, or with round brackets.
fn call(reading: &mut Reading<'_, '_>, notation: &mut Notation) -> Read<()> {
    let name = reading.name();
    if name.is_empty() {
        return Err(reading.no_block(&[]));
    }
    reading.named.push(name.to_owned());
    reading.cursor.skip_space();
    let Some(open) = reading.cursor.eat_any(&["{", "("]) else {
        return Err(reading.missing(&[], "no arguments in brackets"));
    };
    if open == "(" {
        notation.spelling = "round-brackets";
    }
    let closer = if open == "(" { ")" } else { "}" };
    let arguments = Arguments::Json(notation.entries(reading, 1, closer)?);
    reading.named.pop();
    reading.calls.push(LeakedCall { name: name.to_owned(), arguments });
    Ok(())
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let tokens = if spelling == "function-gemma" { &FUNCTION_GEMMA } else { &GEMMA };
    let mut printed = String::new();
    if spelling == "round-brackets" {
        return print_round(calls);
    }
    for call in calls {
        let head = if spelling == "after-thought" { "<channel|>" } else { tokens.open };
        let _ = write!(printed, "{head}call:{}", call.name);
        print_entries(call.arguments, tokens, spelling, &mut printed)?;
        if spelling == "no-last-bracket" {
            if call.arguments.is_empty() {
                return None;
            }
            printed.pop();
        }
        printed.push_str(tokens.close);
    }
    Some(printed)
}

fn print_round(calls: &[Printed<'_>]) -> Option<String> {
    let mut printed = String::new();
    for call in calls {
        let _ = write!(printed, "{}call:{}(", GEMMA.open, call.name);
        for (at, (key, value)) in call.arguments.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(printed, "{comma}{key}=");
            print_value(value, &GEMMA, "canonical", &mut printed)?;
        }
        let _ = write!(printed, "){}", GEMMA.close);
    }
    let words = |key: &String| key.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    calls.iter().all(|call| call.arguments.keys().all(words)).then_some(printed)
}
