//! Strings by class: what models put into fields, from plain words to text that looks like something else.

use super::Bias;
use crate::source::{Choose, Source};

const PLAIN: &[&str] =
    &["alpha", "beta", "notes", "draft one", "done", "x", "main", "two words here"];
const PATHS: &[&str] = &[
    "src/main.rs",
    "notes.txt",
    "README.md",
    "/w/project/lib.rs",
    "./a/b.ts",
    "../up/c.json",
    "docs/a.md",
    "Makefile",
    "my-dir/.env",
    "/tmp/x_1.log",
];
const WINDOWS_PATHS: &[&str] = &[
    "C:\\Users\\dev\\app.exe",
    "D:\\work\\docs",
    "E:\\Docs\\report.md",
    "C:\\bin\\app.exe",
    "C:\\new\\table\\x",
    "\\\\host\\share\\a",
];
const GLOBS: &[&str] =
    &["*.ts", "**/*.rs", "src/**/*.spec.ts", "{a,b}/*.json", "[a-z]*.md", "!node_modules"];
const REGEXES: &[&str] = &[
    "^use std::.*;$",
    "\\d+\\.\\d+",
    "\\bfoo\\b",
    "fn\\s+\\w+",
    "a|b",
    "(x|y)*?",
    "\\$\\{[A-Z]+\\}",
    "\\w+@\\w+",
    "\\s\\S",
    "\\(\\)",
];
const COMMANDS: &[&str] = &[
    "ls -la",
    "echo a && echo b",
    "grep -rn 'foo bar' src | head -5",
    "cat <<EOF\nhi\nEOF",
    "rm -r build",
    "git commit -m \"fix: a b\"",
    "awk '{print $1}' x",
    "cargo test",
    "echo \"$HOME\"",
    "cd /w; make",
];
const JSON_LIKE: &[&str] = &[
    "{\"a\":1}",
    "[\"a\",\"b\"]",
    "{'a': None}",
    "\"quoted\"",
    "null",
    "true",
    "42",
    "{\"path\":\"x\"",
    "[]",
    "{}",
    "{\"name\":\"read\",\"arguments\":{}}",
    "\\\"a\\\"",
    "a\",\"b\":\"c",
    "let a = \"\" // \"b",
    "a\"} done",
    "a\", # b",
    "say \"x\", /* y */ then",
    "print('a') # \"b\"",
    "\"}, {\"a\": \"",
];
const MARKUP_LIKE: &[&str] = &[
    "<b>x</b>",
    "<tool_call>{}</tool_call>",
    "<|channel|>final",
    "</arg_value>",
    "[x](http://x)",
    "```json\n{}\n```",
    "Tom &amp; Ann",
    "~~~\ncode\n~~~",
    "<arg_key>a</arg_key>",
];
const UNICODE: &[&str] = &[
    "naïve café",
    "日本語.md",
    "👩‍👩‍👧 ok",
    "e\u{301}",
    "“quoted”",
    "ﬁ",
    "ΑΒΓ",
    "\u{202e}rtl",
    "İstanbul",
    "ß",
    "𝒳𝒴",
    "\u{feff}bom",
    "zero\u{200b}width",
];
const CONTROLS: &[&str] = &[
    "a\tb",
    "line one\nline two",
    "\u{7}bell",
    "a\u{0}b",
    "\r\n",
    "\u{1b}[31mred",
    "\u{1}",
    "tab\tnew\nline\n",
];
const CODE: &[&str] = &[
    "fn main() {\n    println!(\"hi\");\n}\n",
    "if a < b && c > d {",
    "# Title\n\nBody, with a comma.\n",
    "const x = 'a';\n",
    "\treturn nil\n",
    "Use the file. It works.",
    "let s = \"a\\nb\";",
];

/// A word that no grammar, schema or configuration gives a meaning.
pub fn plain(source: &mut dyn Source) -> String {
    (*source.pick(PLAIN)).to_owned()
}

/// A clean file-system path: no blanks, brackets, backslashes or control characters.
pub fn path(source: &mut dyn Source) -> String {
    (*source.pick(PATHS)).to_owned()
}

/// A string of any class; choice 0 is a plain word.
pub fn any(source: &mut dyn Source, bias: &Bias) -> String {
    if source.chance(bias.hostile_words, 16) {
        return match source.below(7) {
            0 => (*source.pick(JSON_LIKE)).to_owned(),
            1 => (*source.pick(MARKUP_LIKE)).to_owned(),
            2 => (*source.pick(UNICODE)).to_owned(),
            3 => (*source.pick(CONTROLS)).to_owned(),
            4 => long(source, bias),
            5 => String::new(),
            _ => salad(source),
        };
    }
    let class =
        *source.pick::<&[&str]>(&[PLAIN, PATHS, COMMANDS, CODE, GLOBS, REGEXES, WINDOWS_PATHS]);
    (*source.pick(class)).to_owned()
}

/// A long text of many lines; ends with a newline in half the cases.
fn long(source: &mut dyn Source, bias: &Bias) -> String {
    let line = *source.pick(&[
        "a line of text",
        "x = {\"k\": [1]};",
        "\tindented \\ back",
        "quote ' and \"",
    ]);
    let lines = 1 + source.below(bias.long_max) as usize / (line.len() + 1);
    let mut text = vec![line; lines].join("\n");
    if source.chance(1, 2) {
        text.push('\n');
    }
    text
}

/// Characters that mean something to some reader, in no order.
fn salad(source: &mut dyn Source) -> String {
    const LETTERS: &[char] = &[
        'a', ' ', '"', '\\', '{', '}', '[', ']', ',', ':', '\'', '\n', '0', '<', '>', '/', 'n',
        'u', '^', '$', '`', '(', ')', 'é', '“', '\u{7f}', '~', '#', '\u{2028}',
    ];
    let count = source.below(12);
    (0..count).map(|_| *source.pick(LETTERS)).collect()
}
