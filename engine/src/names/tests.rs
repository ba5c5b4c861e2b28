//! Each kind of name, each kind of damage, and hostile input.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{EXAMPLE_ALIASES, EXAMPLE_TOOLS, NAME_RULES, NameError, Names, Resolved, resolve};

/// Modules of this folder that are no rule.
const NOT_RULES: &[&str] = &["error", "mod", "object", "tests", "tokens"];

fn read_strict(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn resolve_among(known: &[&str], name: &str) -> Result<Resolved, NameError> {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    let aliases: BTreeMap<String, String> =
        EXAMPLE_ALIASES.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
    resolve(name, &Names { known: &known, aliases: &aliases, read: read_strict })
}

/// Tool, arguments and rules in short, or the error's variant.
fn outcome(known: &[&str], name: &str) -> String {
    match resolve_among(known, name) {
        Ok(found) => {
            let rules = found.rules.iter().map(|rule| rule.id.trim_start_matches("name."));
            let arguments = found.arguments.map(|value| value.to_string());
            let announced = if found.announced { "!" } else { "" };
            let parts = std::iter::once(found.tool + announced).chain(arguments);
            parts.chain(rules.map(str::to_owned)).collect::<Vec<_>>().join(" ")
        }
        Err(error) => format!("{error:?}").split([' ', '{']).next().unwrap_or_default().to_owned(),
    }
}

fn check(known: &[&str], cases: &[(&str, &str)]) {
    for (name, expected) in cases {
        assert_eq!(&outcome(known, name), expected, "name {name:?}");
    }
}

#[test]
fn examples_resolve_by_their_rule() {
    for rule in NAME_RULES {
        assert!(!rule.examples.is_empty(), "{} has no example", rule.id);
        assert!(rule.note_for("ls").contains("`ls`"), "{}", rule.id);
        for example in rule.examples {
            let found = resolve_among(EXAMPLE_TOOLS, example.name).expect(example.name);
            assert_eq!(found.tool, example.tool, "{}", example.name);
            let arguments = example.arguments.map(|text| read_strict(text).expect(text));
            assert_eq!(found.arguments, arguments, "{}", example.name);
            assert!(found.rules.iter().any(|fired| fired.id == rule.id), "{}", example.name);
        }
    }
}

#[test]
fn every_file_has_a_row_and_every_row_a_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/names");
    let stems = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
    let files: BTreeSet<String> =
        stems.filter(|stem| !NOT_RULES.contains(&stem.as_str())).collect();
    let row = |id: &str| id.strip_prefix("name.").unwrap().replace('-', "_");
    let rows: Vec<String> = NAME_RULES.iter().map(|rule| row(rule.id)).collect();
    assert_eq!(files, rows.iter().cloned().collect());
    assert_eq!(files.len(), rows.len(), "a row stands twice");
}

#[test]
fn reported_names_resolve() {
    check(
        &["read", "bash", "edit", "write", "grep", "find", "ls"],
        &[
            ("read", "read"),
            ("Read", "read fold-case"),
            ("write<|channel|>commentary", "write strip-residue"),
            ("ls</arg_value>", "ls strip-residue"),
            (
                "read<arg_key>filePath</arg_key><arg_value>/w/exam</arg_value>",
                r#"read {"filePath":"/w/exam"} lift-pairs"#,
            ),
            ("open_file", "Unknown"),
            ("repo_browser.read_file", "Unknown"),
            ("", "Empty"),
            (" \n", "Empty"),
        ],
    );
}

#[test]
fn steps_combine_up_to_four() {
    check(
        &["read", "ls"],
        &[
            ("functions.Read", "read strip-prefix fold-case"),
            ("Functions.READ", "read strip-prefix fold-case"),
            ("functions.read<|channel|>analysis", "read strip-residue strip-prefix"),
            ("READ<|constrain|>json", "read strip-residue fold-case"),
            ("read <|call|>", "read strip-residue trim-space"),
            ("read[CALL_ID]a1B2c3D4e[ARGS]", "read! strip-residue"),
            (
                "functions.Read:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
                "read {} lift-call strip-call-id strip-prefix fold-case",
            ),
            (" functions.Read:0<|tool_call_argument_begin|>{}", "Unknown"),
            ("functions.functions.read", "read strip-prefix strip-prefix"),
            ("functions.functions.functions.functions.functions.read", "Unknown"),
            ("functions.", "Unknown"),
            ("functions.read_file", "read strip-prefix use-alias"),
            ("Read_File", "Unknown"),
        ],
    );
}

#[test]
fn registered_names_win_over_their_parts() {
    let known = ["read", "functions.read", "a", "a:0", "a[ARGS]", "b<|x|>", "b", "m.n:o"];
    check(
        &known,
        &[
            ("functions.read", "functions.read"),
            ("Functions.Read", "functions.read fold-case"),
            ("functions.read:3", "functions.read strip-call-id"),
            ("functions.read<|call|>", "functions.read strip-residue"),
            ("functions.Read<|call|>", "functions.read strip-residue fold-case"),
            ("a:0", "a:0"),
            ("functions.a:0", "a:0 strip-prefix"),
            ("functions.A:0", "a:0 strip-prefix fold-case"),
            ("a:1", "a strip-call-id"),
            ("a[ARGS]", "a[ARGS]"),
            ("functions.a[ARGS]", "a[ARGS] strip-prefix"),
            ("b<|x|><|call|>", "b<|x|> strip-residue"),
            ("tool.M.N:O", "m.n:o strip-prefix fold-case"),
        ],
    );
    check(&["functions.x"], &[("x", "Unknown"), ("functions.X", "functions.x fold-case")]);
}

#[test]
fn case_folds_only_onto_one_name() {
    check(
        &["Read", "read", "ÄNDERN", "ls", "ls"],
        &[
            ("READ", "Ambiguous"),
            ("functions.READ", "Ambiguous"),
            ("read", "read"),
            ("ändern", "ÄNDERN fold-case"),
            ("LS", "ls fold-case"),
        ],
    );
}

#[test]
fn plain_text_behind_a_name_is_never_dropped() {
    check(
        &["read", "ls"],
        &[
            ("read file", "Unknown"),
            ("read<b>", "Unknown"),
            ("ls<|channel|>tmp", "Unknown"),
            ("ls<tool_sep>/tmp", "Unknown"),
            ("ls<|tool_call_end|> then read", "Unknown"),
            ("ls<arg_value>/tmp</arg_value>", "Unknown"),
            ("ls</arg_value>/tmp", "Unknown"),
            ("ls(path='/tmp')", "Unknown"),
            ("ls:12345", "Unknown"),
            ("ls:", "Unknown"),
            ("re-ad", "Unknown"),
            ("<|channel|>commentary", "Unknown"),
        ],
    );
}

#[test]
fn calls_in_the_name_are_lifted_whole_or_refused() {
    check(
        &["read", "ls"],
        &[
            (r#"{"name":"READ","arguments":{"a":1}}"#, r#"read {"a":1} lift-envelope fold-case"#),
            (r#"{"name":"open","arguments":{}}"#, "Unknown"),
            (r#"{"name":"read","arguments":{},"id":1}"#, "Unknown"),
            (r#"{"name":"read","arguments":[1]}"#, "Unknown"),
            (r#"{"name":"read","arguments":"{\"a\":1"}"#, "CutOff"),
            (r#"{"name":"read({\"a\":1})","arguments":{"a":2}}"#, "Conflict"),
            (r#"{"name":"read","argu"#, "CutOff"),
            (r#"read ( {"a":"})"} ) </tool_call>"#, r#"read {"a":"})"} lift-call trim-space"#),
            ("read(", "CutOff"),
            (r#"read({"a":1}"#, "CutOff"),
            (r#"read{"a":1} ls{"a":2}"#, "CutOff"),
            (r#"read{"a":1,}"#, "CutOff"),
            ("read{]", "CutOff"),
            (r#"open{"a":"#, "Unknown"),
            ("read<arg_key>a</arg_key>", "CutOff"),
            ("read<arg_key>a</arg_key><arg_value>b", "CutOff"),
            ("read<arg_key>a<arg_value>b</arg_value>", "CutOff"),
            ("read<arg_key>a</arg_key><arg_value>b</arg_value></arg_value>", "CutOff"),
            ("read<arg_key>a</arg_key><arg_value>b</arg_value> rest", "CutOff"),
            (
                "read<arg_key>a</arg_key><arg_value>b</arg_value><arg_key>a</arg_key><arg_value>c</arg_value>",
                "Conflict",
            ),
        ],
    );
}

/// Calls resolve by each rule that lifts, with two arguments.
fn serialised_calls() -> Vec<(String, Value)> {
    let arguments = json!({"path": "ä}\\\"{<|call|>", "nested": [{"x": [1, "2"]}]});
    let quoted = Value::String(arguments.to_string());
    let mut calls: Vec<(String, Value)> = [
        format!(r#"{{"name":"functions.Read","arguments":{arguments}}}<|call|>"#),
        format!(r#"{{"arguments":{quoted},"name":"read"}}"#),
        format!("read({arguments})"),
        format!("Read{arguments}</tool_call>"),
        format!("functions.read:0<|tool_call_argument_begin|>{arguments}<|tool_call_end|>"),
        format!("read<|channel|>commentary <|constrain|>json<|message|>{arguments}<|call|>"),
        format!("read[CALL_ID]abcdefghi[ARGS]{arguments}"),
    ]
    .into_iter()
    .map(|name| (name, arguments.clone()))
    .collect();
    let pairs = "read\n<arg_key>path</arg_key>\n<arg_value>ä b\n</arg_value>\n\
                 <arg_key>limit</arg_key>\n<arg_value>12</arg_value>\n</tool_call>";
    calls.push((pairs.to_owned(), json!({"path": "ä b\n", "limit": "12"})));
    calls
}

#[test]
fn a_cut_call_never_yields_a_cut_argument() {
    for (name, arguments) in serialised_calls() {
        let whole = resolve_among(&["read"], &name).expect(&name);
        assert_eq!(whole.arguments.as_ref(), Some(&arguments), "{name}");
        for (end, _) in name.char_indices() {
            let cut = name.get(..end).unwrap();
            let Ok(Resolved { arguments: Some(found), .. }) = resolve_among(&["read"], cut) else {
                continue;
            };
            // Tags may be cut between two pairs, where nothing shows it; each value is then whole.
            let by_tags = name.contains("<arg_key>");
            let is_part =
                found.as_object().unwrap().iter().all(|(k, v)| arguments.get(k) == Some(v));
            assert!(found == arguments || (by_tags && is_part), "{cut} gave {found}");
        }
    }
}

#[test]
fn messages_list_at_most_thirty_names_and_nothing_of_the_input() {
    let many: Vec<String> = (0..40).map(|n| format!("tool_{n}")).collect();
    let known: Vec<&str> = many.iter().map(String::as_str).collect();
    let hostile = "SECRET\u{1b}[31m";
    let message = resolve_among(&known, hostile).unwrap_err().to_string();
    assert!(message.contains("`tool_29` and 10 more.") && !message.contains("tool_30"));
    assert!(!message.contains("SECRET"));
    let none = resolve_among(&[], hostile).unwrap_err().to_string();
    assert_eq!(none, "No tool has this name. No tools are available; answer without a call.");
    let two = resolve_among(&["Read", "read"], "READ").unwrap_err().to_string();
    assert!(two.ends_with("exactly as written here: `Read`, `read`."), "{two}");
}

#[test]
fn hostile_names_neither_panic_nor_find_another_tool() {
    let parts = [
        "<|channel|>",
        "<|",
        "<｜",
        "<",
        "[ARGS]",
        "{",
        "{\"a\":",
        "(",
        ":0",
        "functions.",
        "a",
        "\0",
        "\u{202e}",
        " ",
        "\\",
        "\"",
        "<arg_key>",
        "<arg_key>k</arg_key><arg_value>v</arg_value>",
        "</arg_value>",
        "İ",
        "<|a|>b",
        "json ",
        "<|channel|>json ",
        "[CALL_ID]",
        "read",
        "{}",
        "[{",
    ];
    for part in parts {
        for head in ["", "read", "read{", "read(", "read<|channel|>", "{\"name\":\"", "functions."]
        {
            let name = format!("{head}{}", part.repeat(40_000 / part.len()));
            let known = ["read", "write"];
            let _either = resolve_among(&known, &name).map(|found| assert_eq!(found.tool, "read"));
            let _either = resolve_among(&known, &format!("{name}<|x"))
                .map(|found| assert_eq!(found.tool, "read"));
        }
    }
}

#[test]
fn a_backslash_outside_a_text_escapes_nothing() {
    assert_eq!(super::object::split(r"{\}x"), Some((r"{\}", "x")));
    assert_eq!(super::object::split(r#"{"\"}"}x"#), Some((r#"{"\"}"}"#, "x")));
}

#[test]
fn the_beginning_of_a_token_is_a_cut() {
    check(
        &["read"],
        &[
            ("read<|chan", "CutOff"),
            ("read<|foo", "CutOff"),
            ("read<|foo|", "CutOff"),
            ("read</arg_va", "CutOff"),
            ("read[AR", "CutOff"),
        ],
    );
}
