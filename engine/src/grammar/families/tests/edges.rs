//! Where blocks begin and end, what is damaged rather than a call, and what a format cannot say.

use serde_json::{Value, json};

use super::{FAMILIES, map, print, tools};
use crate::grammar::{BlockState, Family, Page};

fn family(id: &str) -> &'static Family {
    FAMILIES.iter().find(|family| family.id == id).unwrap()
}

/// What the family makes of the text at its first opener: the spelling or the state, the names, and what
/// is left behind the block.
fn told<'t>(id: &str, text: &'t str) -> (String, &'t str) {
    let (family, tools) = (family(id), tools());
    let page = Page::new(text, &tools);
    let at = family.openers.iter().filter_map(|opener| text.find(opener)).min().unwrap();
    let Some(block) = (family.scan)(page.cursor(at)) else { return ("no block".to_owned(), "") };
    let state = match block.state {
        BlockState::Whole => block.spelling,
        BlockState::Damaged(_) => "damaged",
        BlockState::CutOff => "cut off",
    };
    let called = block.calls.into_iter().map(|call| call.name).chain(block.named);
    (called.fold(state.to_owned(), |all, name| all + " " + &name), &text[block.end..])
}

#[test]
fn blocks_begin_and_end_where_they_should() {
    for (family, text, read, rest) in BLOCKS.iter().chain(TAGS) {
        assert_eq!(told(family, text), ((*read).to_owned(), *rest), "{family}: {text}");
    }
}

type Row = (&'static str, &'static str, &'static str, &'static str);

/// Formats of markers and JSON.
const BLOCKS: &[Row] = &[
    ("calling_tool", "a\n[Calling tool: ls({})]\nb", "canonical ls", "\nb"),
    ("calling_tool", "a [Calling tool: ls({})]", "no block", ""),
    (
        "command_r",
        "a\nAction: ```json\n[{\"tool_name\": \"ls\", \"parameters\": {}}]```b",
        "canonical ls",
        "b",
    ),
    (
        "command_r",
        "a Action: ```json\n[{\"tool_name\": \"ls\", \"parameters\": {}}]```",
        "no block",
        "",
    ),
    ("command_r", "Action: ```json\n[{\"name\": \"ls\"}]```", "no block", ""),
    ("command_r", "Action: ```json\n\"tool_name\"```", "no block", ""),
    ("deepseek_v3", "<tool_calls_begin>ls<tool_calls_end>a", "damaged", "a"),
    ("deepseek_v3", "<tool_calls_begin> is a token", "no block", ""),
    (
        "deepseek_v3",
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{}<｜tool▁call▁end｜>",
        "no-section function",
        "",
    ),
    (
        "deepseek_v3",
        "<｜tool▁call▁begin｜>read<｜tool▁sep｜>ls\n{}<｜tool▁call▁end｜>",
        "damaged read",
        "",
    ),
    (
        "function-call",
        "<function_call> {\"name\": \"ls\"}<|im_end|> a",
        "no-closer ls",
        "<|im_end|> a",
    ),
    ("functools", "a\nfunctools[{\"name\": \"ls\"}]\nb", "canonical ls", "\nb"),
    ("functools", "a functools[{\"name\": \"ls\"}]", "no block", ""),
    ("functools", "functools[1]", "no block", ""),
    (
        "gemma4",
        "<|tool_call>call:ls{}<tool_call|><|tool_call>call:read{path:<|\"|>a<|\"|>}<tool_call|>",
        "canonical ls",
        "<|tool_call>call:read{path:<|\"|>a<|\"|>}<tool_call|>",
    ),
    (
        "gemma4",
        "<|tool_call>call:ls{}<tool_call|> a<|\"|><|tool_call>call:ls{}<tool_call|>",
        "damaged ls",
        "<|\"|><|tool_call>call:ls{}<tool_call|>",
    ),
    ("granite", "<|tool_call|>[{\"name\": \"ls\"}]<|end_of_text|> a", "canonical ls", " a"),
    ("granite", "<|tool_call|>[{\"name\": \"ls\"}]<|/tool_call|> a", "closed ls", " a"),
    ("granite", "<|tool_call|>[{\"name\": \"ls\"}] a", "damaged ls", " a"),
    ("granite", "<tool_call>[{\"name\": \"ls\"}]\na", "tag ls", "\na"),
    ("kimi", "<|tool_calls_section_begin|>ls<|tool_calls_section_end|>a", "damaged", "a"),
    ("kimi", "<|tool_calls_section_begin|> is a token", "no block", ""),
    (
        "kimi",
        "<|tool_call_begin|>functions.ls:x<|tool_call_argument_begin|>{}<|tool_call_end|>",
        "damaged",
        "",
    ),
    (
        "kimi",
        "<|tool_call_begin|>functions.:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
        "damaged",
        "",
    ),
    ("llama", "<|python_tag|>print(1)", "no block", ""),
    ("llama", "<|python_tag|>ls.call", "no block", ""),
    ("mistral", "[TOOL_CALLS]ls[ARGS]{}</s> a", "canonical ls", " a"),
    ("mistral", "[TOOL_CALLS]ls[ARGS]{}\n[/TOOL_CALLS] a", "canonical ls", " a"),
    ("mistral", "[TOOL_CALLS]ls[ARGS]{}[TOOL_CALLS]", "canonical ls", "[TOOL_CALLS]"),
    ("mistral", "[TOOL_CALLS]ls[ARGS]{} a", "damaged ls", " a"),
    ("mistral", "[TOOL_CALLS][ARGS]{}", "no block", ""),
    ("mistral", "[TOOL_CALLS]ls is called", "no block", ""),
    (
        "qwen-coder",
        "<tools>{\"name\":\"ls\",\"arguments\":{}}\n{\"name\":\"ls\",\"parameters\":{}}</tools>",
        "damaged ls ls",
        "",
    ),
    ("qwen-coder", "<tools>{\"name\":\"ls\", \"description\":\"\"}</tools>", "no block", ""),
    ("qwen-coder", "<tools>{\"name\":1", "no block", ""),
];

/// Formats of tags.
const TAGS: &[Row] = &[
    (
        "dsml",
        "<｜DSML｜invoke name=\"ls\"></｜DSML｜invoke> a </｜DSML｜invoke> b",
        "damaged ls",
        " a </｜DSML｜invoke> b",
    ),
    (
        "dsml",
        "<｜DSML｜invoke name=\"sh\">ls</｜DSML｜invoke> a <｜DSML｜invoke name=\"ls\"></｜DSML｜invoke>",
        "damaged sh",
        " a <｜DSML｜invoke name=\"ls\"></｜DSML｜invoke>",
    ),
    ("dsml", "<｜DSML｜fetch> a", "damaged", " a"),
    (
        "dsml",
        "<｜DSML｜tool_calls><｜DSML｜invoke name=\"ls\"></｜DSML｜invoke></｜DSML｜calls>",
        "damaged ls",
        "",
    ),
    ("glm", "<tool_call>read<arg_key>pa\"th and on\na", "damaged read", "\na"),
    (
        "glm",
        "<tool_call>read<arg_key>path</arg_key> /x</arg_value></tool_call>",
        "damaged read",
        "",
    ),
    ("glm", "<tool_call>read<arg_key>path</arg_key></arg_value></tool_call>", "damaged read", ""),
    (
        "glm",
        "<tool_call>read<arg_key>path</arg_key>value>/x</arg_value></tool_call>",
        "damaged read",
        "",
    ),
    (
        "glm",
        "<tool_call>read<arg_key>path</arg_key>>/x</arg_value></tool_call>",
        "damaged read",
        "",
    ),
    ("glm", "<tool_call>read<arg_key>path</arg_key><arg_va", "cut off read", ""),
    ("glm", "<tool_call>fly path</arg_key><arg_value>/x</arg_value></tool_call>", "no block", ""),
    ("kimi_k3", "<|open|>call tool=\"ls\" id=\"1\"<|sep|><|close|>call<|sep|>", "damaged", ""),
    (
        "kimi_k3",
        "<|open|>call tool=\"ls\" index=\"1\" index=\"2\"<|sep|><|close|>call<|sep|>",
        "damaged",
        "",
    ),
    ("longcat", "<longcat_tool_call>fly away", "no block", ""),
    ("longcat", "<longcat_tool_call><b>", "no block", ""),
    ("longcat", "<longcat_tool_call>ls away</longcat_tool_call>a", "damaged", "a"),
    ("longcat", "<longcat_tool_call><longcat_arg_key>a</longcat_tool_call>", "damaged", ""),
    (
        "longcat",
        "<longcat_tool_call>ls<longcat_arg_key></longcat_arg_key><longcat_arg_value>a</longcat_arg_value></longcat_tool_call>",
        "damaged ls",
        "",
    ),
    ("qwen", "<function=read><parameter=path>a</parameter1></function>", "damaged read", ""),
];

#[test]
fn arguments_of_kimi_are_named_and_typed() {
    for (tag, read) in [
        ("key=\"a\" type=\"string\"<|sep|>", "no-section ls"),
        ("name=\"a\" type=\"string\"<|sep|>", "damaged ls"),
        ("key=\"a\" kind=\"string\"<|sep|>", "damaged ls"),
        ("key=\"\" type=\"string\"<|sep|>", "damaged ls"),
        ("key=\"a\"<|sep|>", "damaged ls"),
        ("key=\"a\" type=\"string\" x=\"1\"<|sep|>", "damaged ls"),
        ("key=\"a\" type=\"string", "cut off ls"),
        ("key=\"a\" type=\"string\" x=\"1", "damaged ls"),
    ] {
        let end =
            if tag.ends_with('>') { "<|close|>argument<|sep|><|close|>call<|sep|>" } else { "" };
        let text = format!("<|open|>call tool=\"ls\"<|sep|><|open|>argument {tag}{end}");
        assert_eq!(told("kimi_k3", &text).0, read, "{tag}");
    }
}

/// `MiniMax` M3, where `@` stands for the token and `[]` for a call of `ls`.
const ELEMENTS: &[(&str, &str, &str)] = &[
    ("@<tool_call>[]@</tool_call> a", "canonical ls", " a"),
    ("[][] a", "bare ls ls", " a"),
    ("[]@</tool_call> a", "bare ls", " a"),
    // A wrapper that is cut, closes nothing, holds nothing, or stands where none may.
    ("@<tool_call>\n", "cut off", ""),
    ("@<tool_call>\n]<]mini", "cut off", ""),
    ("@<tool_call>a", "damaged", "a"),
    ("@<tool_call>@</tool_call>a", "damaged", "a"),
    ("@</tool_call>a", "damaged", "a"),
    ("@<tool_call>[] a @</tool_call>b", "damaged ls", "b"),
    ("@<tool_call>@<tool_call>[]", "damaged", ""),
    ("[]@<tool_call>[]@</tool_call>", "damaged ls", ""),
    ("[]@<invoke name=\"read\">@</tool_call>a", "damaged ls read", "a"),
    ("@<tool_call>@<invoke name=\"read\">@</tool_call>a", "damaged read", "a"),
    ("@<tool_call>@<invoke name=\"read\">", "cut off read", ""),
    // Elements where calls belong, and calls where elements do.
    ("@<tool_call>@<path>a@</path>[]@</tool_call>", "damaged", ""),
    ("@<tool_call>@<invoke>@</invoke>[]@</tool_call>", "damaged", ""),
    ("@<tool_call>@<invoke name=\"\">@</invoke>[]@</tool_call>", "damaged", ""),
    ("@<invoke name=\"ls\">@</invoke name=\"ls\">", "damaged ls", "</invoke name=\"ls\">"),
    ("@<invoke name=\"read\">[]@</invoke>", "damaged read", ""),
    ("@<invoke name=\"read\">@<path>[]@</path>@</invoke>", "damaged read", ""),
    ("@<invoke name=\"read\">@<path name=\"a\">b@</path>@</invoke>", "damaged read", ""),
    ("@<invoke name=\"read\">@<path>a@</paths>@</invoke>", "damaged read", ""),
    ("@<invoke name=\"read\">@<path>a@</path>@<path>b@</path>@</invoke>", "damaged read", ""),
    // Text beside elements would be lost.
    ("@<invoke name=\"read\">a@<path>b@</path>@</invoke>", "damaged read", ""),
    (
        "@<tool_call>@<invoke name=\"read\">a@<path>b@</path>@</invoke>@</tool_call>",
        "damaged read",
        "",
    ),
    (
        "@<tool_call>@<invoke name=\"read\">@<path>b@</path>a@</invoke>@</tool_call>",
        "damaged read",
        "",
    ),
    ("@<invoke name=\"read\">@<to>a@<zip>1@</zip>@</to>@</invoke>", "damaged read", ""),
    ("@<invoke name=\"read\">@<to>@<zip>1@</zip>a@</to>@</invoke>", "damaged read", ""),
    ("@<invoke name=\"read\">@<to>\n@<zip>1@</zip>\n@</to>@</invoke>", "bare read", ""),
    ("@<invoke name=\"read\">@<l>@<item>1@</item>@<a>2@</a>@</l>@</invoke>", "damaged read", ""),
    // The token before something else than a tag.
    ("@<invo", "cut off", ""),
    ("@<b and > on", "damaged", "<b and > on"),
    ("@<invoke name=\"sh\">ls@</command> a @<tool_call>[]", "damaged sh", " a @<tool_call>[]"),
];

#[test]
fn elements_of_minimax_hold_elements_or_text() {
    let ls = "@<invoke name=\"ls\">@</invoke>";
    for (text, read, rest) in ELEMENTS {
        let full = |text: &str| text.replace("[]", ls).replace('@', "]<]minimax[>[");
        let (text, rest) = (full(text), full(rest));
        let (told, left) = told("minimax-m3", &text);
        assert_eq!((told.as_str(), left), (*read, rest.as_str()), "{text}");
    }
    for (length, read) in [(63, "cut off"), (64, "damaged")] {
        let text = format!("]<]minimax[>[{}", "a".repeat(length));
        assert_eq!(told("minimax-m3", &text).0, read, "{length}");
    }
}

#[test]
fn a_name_between_the_tags_of_tools_ends() {
    for (length, read) in [(255, "cut off"), (256, "no block")] {
        let text = format!("<tools>{{\"name\":\"{}", "a".repeat(length));
        assert_eq!(told("qwen-coder", &text).0, read, "{length}");
    }
}

/// The text in which the family prints a call of `name`.
fn shown(id: &str, spelling: &str, name: &str, arguments: &Value) -> Option<String> {
    print(family(id), spelling, &[(name.to_owned(), map(arguments))])
}

#[test]
fn what_a_format_cannot_say_is_not_printed() {
    let mark = "]<]minimax[>[";
    for (family, spelling, name, arguments, prints) in [
        ("gemma4", "round-brackets", "ls", json!({"a_b": 1}), true),
        ("gemma4", "round-brackets", "ls", json!({"a-b": 1}), false),
        ("llama", "function-tag", "a>b", json!({}), false),
        ("minimax-m3", "canonical", "ls", json!({"a": {"b": [1]}}), true),
        ("minimax-m3", "canonical", "ls", json!({"a": null}), false),
        ("minimax-m3", "canonical", "ls", json!({"a": []}), false),
        ("minimax-m3", "canonical", "ls", json!({"a": {}}), false),
        ("minimax-m3", "canonical", "ls", json!({"a": {"item": 1}}), false),
        ("minimax-m3", "canonical", "ls", json!({"a": {"b>c": 1}}), false),
        (
            "minimax-m3",
            "canonical",
            "ls",
            json!({"a": [format!("b{mark}</item>{mark}<item>c")]}),
            false,
        ),
    ] {
        let text = shown(family, spelling, name, &arguments);
        assert_eq!(text.is_some(), prints, "{family}: {arguments} {text:?}");
    }
    assert_eq!(print(family("minimax-m3"), "canonical", &[]), None);
}

#[test]
fn elements_are_printed_as_deep_as_they_are_read() {
    let nested = |levels| (0..levels).fold(json!("a"), |inner, _| json!([inner]));
    for (levels, prints) in [(30, true), (31, false)] {
        let text = shown("minimax-m3", "bare", "ls", &json!({"a": nested(levels)}));
        assert_eq!(text.is_some(), prints, "{levels}");
    }
}

#[test]
fn calls_are_printed_as_templates_do() {
    for (family, spelling, text) in [
        (
            "kimi_k3",
            "canonical",
            "<|open|>tools<|sep|><|open|>call tool=\"ls\" index=\"1\"<|sep|><|open|>argument key=\"l\" type=\"array\"<|sep|>[{\"k\":\"a\"}]<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        ),
        (
            "minimax-m3",
            "bare",
            "]<]minimax[>[<invoke name=\"ls\">\n]<]minimax[>[<l>]<]minimax[>[<item>]<]minimax[>[<k>a]<]minimax[>[</k>]<]minimax[>[</item>]<]minimax[>[</l>\n]<]minimax[>[</invoke>\n",
        ),
        (
            "steptml",
            "canonical",
            "<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"ls\">\n<steptml:parameter name=\"l\">[{\"k\":\"a\"}]</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>",
        ),
    ] {
        let printed = shown(family, spelling, "ls", &json!({"l": [{"k": "a"}]}));
        assert_eq!(printed.as_deref(), Some(text), "{family}");
    }
}
