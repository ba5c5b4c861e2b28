//! Llama 3 and 4: calls behind `<|python_tag|>`, between `<|python_start|>` and `<|python_end|>`, and `<function=name>{…}</function>`.

use serde_json::Value;

use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object, python};

const TAG: &str = "<|python_tag|>";
const START: &str = "<|python_start|>";
const END: &str = "<|python_end|>";
/// How built-in tools are called.
const METHOD: &str = ".call";
const FUNCTION: &str = "<function=";
const FUNCTION_END: &str = "</function>";

/// Tokens that end a message or a turn; right behind a call they belong to it.
const TAILS: &[&str] = &["<|eom_id|>", "<|eot_id|>", "<|eom|>", "<|eot|>"];

pub(super) const FAMILY: Family = Family {
    id: "llama",
    says: "One call object, or several with `;` between them, or a call of a built-in tool in Python's syntax, behind \
           a token; or arguments as a JSON object in a tag that carries the name. JSON is data, tags and tokens in \
           it included. The token that ends the turn belongs to the block.",
    models: &["Llama 3.1", "Llama 3.2", "Llama 3.3", "Llama 4", "functionary 3.1"],
    gate: &[],
    whole_message: false,
    openers: &[TAG, START, FUNCTION],
    closers: &[END, "<|eom_id|>"],
    stray_words: &[],
    spellings: &[
        Spelling {
            id: "canonical",
            says: "`<|python_tag|>{\"name\": …, \"parameters\": …}`",
            proof: "",
        },
        Spelling { id: "built-in", says: "`<|python_tag|>name.call(key=\"text\")`", proof: "" },
        Spelling { id: "python-start", says: "`<|python_start|>{…}<|python_end|>`", proof: "" },
        Spelling {
            id: "python-list",
            says: "`<|python_start|>[name(key=\"text\")]<|python_end|>`",
            proof: "",
        },
        Spelling { id: "function-tag", says: "`<function=name>{…}</function>`", proof: "" },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|python_tag|>{\"name\": \"read\", \"parameters\": {\"path\": \"<|eom_id|>; \"}}; {\"name\": \"ls\", \"parameters\": {}}<|eom_id|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|eom_id|>; "}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<|python_tag|>search.call(query=\"gold\")<|eom_id|>",
            spelling: "built-in",
            calls: r#"[{"name": "search", "arguments": {"query": "gold"}}]"#,
        },
        Example {
            text: "<|python_start|>{\"name\": \"search\", \"parameters\": {\"query\": \"latest news\"}}<|python_end|>",
            spelling: "python-start",
            calls: r#"[{"name": "search", "arguments": {"query": "latest news"}}]"#,
        },
        Example {
            text: "<|python_start|>[read(path='a')]<|python_end|>",
            spelling: "python-list",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<function=read>{\"path\": \"</function>\"}</function>",
            spelling: "function-tag",
            calls: r#"[{"name": "read", "arguments": {"path": "</function>"}}]"#,
        },
        Example {
            text: "<|python_start|>{\"name\": read}<|python_end|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|python_tag|>{\"name\": \"read\", \"para",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut ahead = cursor;
    match ahead.eat_any(&[TAG, START, FUNCTION])? {
        TAG => block(cursor, TAG, &["<|eom_id|>"], tagged),
        START => block(cursor, START, &[END], started),
        _ => block(cursor, FUNCTION, &[FUNCTION_END], function),
    }
}

/// The tag with JSON in it; with anything else it is another family's.
fn function(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    reading.cursor.eat(FUNCTION);
    let name = reading.name();
    if name.is_empty() || !reading.cursor.eat(">") {
        return Err(Stop::NoBlock);
    }
    reading.cursor.skip_space();
    if !reading.cursor.sees("{") {
        return Err(Stop::NoBlock);
    }
    reading.json_arguments(name)?;
    reading.expect(FUNCTION_END, "the closing tag is missing")?;
    reading.cursor.eat_any(TAILS);
    Ok("function-tag")
}

fn tagged(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    reading.cursor.eat(TAG);
    reading.cursor.skip_space();
    let spelling = if reading.cursor.sees("{") {
        objects(reading)?;
        "canonical"
    } else if python::sees_call(reading.cursor) && sees_method(reading.cursor) {
        python::call(reading, METHOD)?;
        "built-in"
    } else {
        return Err(reading.no_block(&[]));
    };
    if reading.cursor.eat_any(TAILS).is_none() {
        reading.line_ends()?;
    }
    Ok(spelling)
}

/// True for `name.call(`: anything else behind the token is a program.
fn sees_method(mut cursor: Cursor<'_, '_>) -> bool {
    let name = cursor.take_while(|letter| letter.is_alphanumeric() || "_-.".contains(letter));
    name.strip_suffix(METHOD).is_some()
}

fn started(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    reading.cursor.eat(START);
    reading.cursor.skip_space();
    let spelling = if reading.cursor.sees("{") {
        objects(reading)?;
        "python-start"
    } else if reading.cursor.sees("[") {
        python::list(reading)?;
        "python-list"
    } else {
        return Err(reading.no_block(&[]));
    };
    reading.expect(END, "the closing token is missing")?;
    reading.cursor.eat_any(TAILS);
    Ok(spelling)
}

/// Call objects with `;` between them.
fn objects(reading: &mut Reading<'_, '_>) -> Read<()> {
    loop {
        reading.object(call_object::read)?;
        let mut ahead = reading.cursor;
        ahead.skip_space();
        if !ahead.eat(";") {
            return Ok(());
        }
        reading.cursor = ahead;
    }
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let joined = || {
        let print = |call| call_object::print(call, "parameters");
        calls.iter().map(print).collect::<Vec<_>>().join("; ")
    };
    match (spelling, calls) {
        ("python-start", _) => Some(format!("{START}{}{END}", joined())),
        ("python-list", _) => {
            let calls: Option<Vec<String>> = calls.iter().map(python::print).collect();
            Some(format!("{START}[{}]{END}", calls?.join(", ")))
        }
        ("built-in", [call]) => {
            let printed = python::print(call)?;
            let (name, rest) = printed.split_once('(')?;
            Some(format!("{TAG}{name}.call({rest}<|eom_id|>"))
        }
        ("function-tag", _) if calls.iter().all(|call| !call.name.contains('>')) => {
            let print = |call: &Printed<'_>| {
                let arguments = Value::Object(call.arguments.clone());
                format!("{FUNCTION}{}>{arguments}{FUNCTION_END}", call.name)
            };
            Some(calls.iter().map(print).collect())
        }
        ("canonical", _) => Some(format!("{TAG}{}<|eom_id|>", joined())),
        _ => None,
    }
}
