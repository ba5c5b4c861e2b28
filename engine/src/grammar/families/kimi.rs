//! Kimi K2: `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>` in a section.

use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const SECTION: &str = "<|tool_calls_section_begin|>";
const SECTION_END: &str = "<|tool_calls_section_end|>";
const SINGULAR: &str = "<|tool_call_section_begin|>";
const SINGULAR_END: &str = "<|tool_call_section_end|>";
const CALL: &str = "<|tool_call_begin|>";
const ARGUMENTS: &str = "<|tool_call_argument_begin|>";
const CALL_END: &str = "<|tool_call_end|>";

/// What may stand before a name, the longest first.
const PREFIXES: &[&str] = &["functions.", "functions_", "functions", ""];

pub(super) const FAMILY: Family = Family {
    id: "kimi",
    says: "A section of calls between special tokens. The id is the only carrier of the name: \
           `functions.`, the name, `:` and a counter. The arguments are one JSON object, in which \
           tokens are data. White space between tokens is syntax.",
    models: &["Kimi K2", "Kimi K2 Thinking", "Kimi K2.5 and later K2"],
    gate: &[],
    whole_message: false,
    openers: &[SECTION, SINGULAR, CALL],
    closers: &[SECTION_END, SINGULAR_END, ARGUMENTS, CALL_END],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "a section, ids as `functions.name:0`", proof: "" },
        Spelling {
            id: "no-section",
            says: "calls without the section around them",
            proof: "Each call has its own opening and closing tokens; the section adds nothing to it.",
        },
        Spelling {
            id: "singular",
            says: "the section's tokens with `call` for `calls`",
            proof: "The same two tokens in the singular, which serving engines read as well.",
        },
        Spelling {
            id: "altered-id",
            says: "an id that lost or changed its separators: `name:0`, `functions_name_3`, `functionsname5`, `name`",
            proof: "Of all registered names exactly one fits between `functions` and the counter. A bare \
                    counter fits none.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"path\": \"<|tool_call_end|>\"}<|tool_call_end|><|tool_calls_section_end|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|tool_call_end|>"}}]"#,
        },
        Example {
            text: "<|tool_call_begin|>functions.read:0 <|tool_call_argument_begin|> {\"path\": \"a\"} <|tool_call_end|>",
            spelling: "no-section",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call_section_begin|>\n<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{}<|tool_call_end|>\n<|tool_call_section_end|>",
            spelling: "singular",
            calls: r#"[{"name": "read", "arguments": {}}]"#,
        },
        Example {
            text: "<|tool_calls_section_begin|><|tool_call_begin|>functions_read_3<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
            spelling: "altered-id",
            calls: r#"[{"name": "read", "arguments": {}}]"#,
        },
        Example {
            text: "<|tool_calls_section_begin|><|tool_call_begin|>3<|tool_call_argument_begin|>{\"path\": \"a\"}<|tool_call_end|><|tool_calls_section_end|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"path\": \"a\"}<|tool_call_end|>",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut ahead = cursor;
    let (opener, closers): (_, &[_]) = match ahead.eat_any(&[SECTION, SINGULAR]) {
        Some(section) => (section, &[SECTION_END, SINGULAR_END]),
        None => (CALL, &[CALL_END]),
    };
    block(cursor, opener, closers, |reading| match opener {
        SECTION => section(reading, SECTION, SECTION_END),
        SINGULAR => section(reading, SINGULAR, SINGULAR_END).map(|_| "singular"),
        _ => {
            let usual = call(reading)?;
            Ok(if usual { "no-section" } else { "altered-id" })
        }
    })
}

fn section(reading: &mut Reading<'_, '_>, begin: &str, end: &'static str) -> Read<&'static str> {
    reading.cursor.eat(begin);
    reading.cursor.skip_space();
    let closed = reading.cursor.find(end).is_some();
    if !closed && !reading.cursor.sees(CALL) {
        return Err(reading.no_block(&[CALL, end]));
    }
    let mut usual = true;
    loop {
        reading.cursor.skip_space();
        if !reading.cursor.sees(CALL) {
            break;
        }
        usual &= match call(reading) {
            Err(Stop::NoBlock) => return Err(Stop::Damaged("the call has no arguments")),
            read => read?,
        };
    }
    if !reading.cursor.eat(end) {
        return Err(reading.missing(&[CALL, end], "something stands beside the calls"));
    }
    match reading.calls.is_empty() {
        true => Err(Stop::Damaged("the section is empty")),
        false if usual => Ok("canonical"),
        false => Ok("altered-id"),
    }
}

/// Reads one call; true if its id is as it should be.
fn call(reading: &mut Reading<'_, '_>) -> Read<bool> {
    reading.cursor.eat(CALL);
    reading.cursor.skip_space();
    let id = reading.name();
    reading.cursor.skip_space();
    if !reading.cursor.eat(ARGUMENTS) {
        return Err(reading.no_block(&[ARGUMENTS]));
    }
    let named = plain_name(id);
    let name = named.or_else(|| only_fit(id, reading.cursor.tools()));
    let Some(name) = name else {
        return Err(Stop::Damaged("the id does not carry the name of one tool"));
    };
    reading.json_arguments(name)?;
    reading.expect(CALL_END, "the closing token of the call is missing")?;
    Ok(named.is_some())
}

/// The name in `functions.name:0`.
fn plain_name(id: &str) -> Option<&str> {
    let (name, counter) = id.strip_prefix("functions.")?.rsplit_once(':')?;
    (!name.is_empty() && is_counter(counter)).then_some(name)
}

/// The one tool whose name stands in `id` between nothing but the usual decoration.
fn only_fit<'t>(id: &'t str, tools: &[String]) -> Option<&'t str> {
    let mut fit = None;
    for prefix in PREFIXES {
        let Some(rest) = id.strip_prefix(prefix) else { continue };
        let fits = |name: &&str| {
            !is_counter(name) && tools.binary_search_by(|tool| tool.as_str().cmp(name)).is_ok()
        };
        for name in stems(rest).filter(fits) {
            if fit.is_some_and(|other| other != name) {
                return None;
            }
            fit = Some(name);
        }
    }
    fit
}

/// `text` without each thing at its end that may be a counter, and `text` itself.
fn stems(text: &str) -> impl Iterator<Item = &str> {
    let digits = text.len() - text.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    (0..=digits.min(6)).flat_map(move |count| {
        let stem = text.get(..text.len() - count);
        let bare = stem.filter(|_| count > 0).and_then(|stem| stem.strip_suffix([':', '_']));
        stem.into_iter().chain(bare)
    })
}

fn is_counter(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let print = |(at, call): (usize, &Printed<'_>)| {
        let id = match spelling {
            "altered-id" => format!("functions_{}_{at}", call.name),
            _ => format!("functions.{}:{at}", call.name),
        };
        let arguments = serde_json::Value::Object(call.arguments.clone());
        format!("{CALL}{id}{ARGUMENTS}{arguments}{CALL_END}")
    };
    let calls: String = calls.iter().enumerate().map(print).collect();
    Some(match spelling {
        "no-section" => calls,
        "singular" => format!("{SINGULAR}{calls}{SINGULAR_END}"),
        _ => format!("{SECTION}{calls}{SECTION_END}"),
    })
}

#[cfg(test)]
mod tests {
    use super::only_fit;

    #[test]
    fn an_id_names_a_tool_only_if_one_fits() {
        for (id, tools, fit) in [
            ("functionsexec5", &["exec", "read"][..], Some("exec")),
            ("functions_read_file_3", &["read", "read_file"], Some("read_file")),
            ("functions.read", &["read"], Some("read")),
            ("read:0", &["read"], Some("read")),
            ("read", &["read"], Some("read")),
            ("3", &["3", "read"], None),
            ("functions:3", &["read"], None),
            ("read12", &["read", "read1"], None),
            ("functions_read_1", &["read", "read_1"], None),
            ("functionsread", &["functionsread", "read"], None),
            ("reader:0", &["read"], None),
            ("read_", &["read"], None),
            ("read_", &["read", "read_"], Some("read_")),
        ] {
            let mut tools: Vec<String> = tools.iter().map(|&tool| tool.to_owned()).collect();
            tools.sort();
            assert_eq!(only_fit(id, &tools), fit, "{id}");
        }
    }
}
