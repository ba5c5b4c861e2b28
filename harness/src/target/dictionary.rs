//! The tokens that a fuzzer should know, out of the engine's tables.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use engine::advisor::CLASSES;
use engine::grammar::FAMILIES;
use engine::names::NAME_RULES;
use engine::reader::LIBERTIES;
use engine::settings::KEYS;

use super::pool::tools;
use crate::generate::shape;

/// Tokens of JSON, Python and Markdown that no table lists.
const COMMON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\":",
    "\",\"",
    "\\\"",
    "\\\\",
    "\\u0000",
    "\\ud83d",
    "null",
    "true",
    "false",
    "None",
    "True",
    "False",
    "1e400",
    "-0",
    "0.1",
    "//",
    "/*",
    "*/",
    "```",
    "~~~",
    "```json\n",
    "    ",
    "> ",
    "\r\n",
    "\u{feff}",
    "\u{201c}",
    "\u{200b}",
    "__proto__",
    "arguments",
    "429",
    "retry-after",
];

/// The longest token worth a place.
const TOKEN_MAX: usize = 60;

/// Every token, once, in order.
pub fn tokens() -> BTreeSet<String> {
    let mut tokens: BTreeSet<String> = COMMON.iter().map(|token| (*token).to_owned()).collect();
    let mut add = |token: &str| tokens.insert(token.to_owned());
    for family in FAMILIES {
        let marks = family.openers.iter().chain(family.closers).chain(family.stray_words);
        marks.for_each(|mark| {
            add(mark);
        });
        for example in family.examples {
            marks_in(example.text).for_each(|mark| {
                add(mark);
            });
        }
    }
    NAME_RULES.iter().flat_map(|rule| rule.examples).for_each(|example| {
        add(example.name);
    });
    LIBERTIES.iter().flat_map(|liberty| liberty.examples).for_each(|(text, _)| {
        add(text);
    });
    for key in KEYS {
        add(key.name);
    }
    for tool in tools().iter().take(engine::builtin::TOOLS.len()) {
        add(&tool.name);
        for field in shape::text_fields(&tool.schema) {
            field.rsplit('/').take(1).for_each(|key| {
                add(key);
            });
        }
        tool.aliases.iter().flat_map(|set| &set.names).for_each(|name| {
            add(name);
        });
    }
    CLASSES.iter().flat_map(|class| class.kinds).for_each(|(kind, _)| {
        add(kind);
    });
    tokens.retain(|token| !token.is_empty() && token.len() <= TOKEN_MAX);
    tokens
}

/// Tags and special tokens in a text: from `<` to the next `>`.
fn marks_in(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('<').filter_map(|(start, _)| {
        let rest = text.get(start..)?;
        rest.get(..=rest.find('>')?)
    })
}

/// The dictionary as libFuzzer reads it.
pub fn dictionary() -> String {
    let mut page = String::from(
        "# Written from the engine's tables by `cargo run -p harness --example fuzz dictionary`.\n",
    );
    for token in tokens() {
        page.push('"');
        for byte in token.bytes() {
            match byte {
                b'"' | b'\\' => {
                    page.push('\\');
                    page.push(char::from(byte));
                }
                b' '..=b'~' => page.push(char::from(byte)),
                _ => {
                    let _ = write!(page, "\\x{byte:02X}");
                }
            }
        }
        page.push_str("\"\n");
    }
    page
}
