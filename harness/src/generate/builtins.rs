//! The host's built-in tools as the generators see them: schemas and alias tables, written down from its behaviour.

use super::{AliasSet, Fold, Subject};
use serde_json::{Value, json};

const PATH: &[&str] = &[
    "file_path",
    "filePath",
    "filepath",
    "absolute_path",
    "absolutePath",
    "pathname",
    "file",
    "filename",
    "fileName",
    "target_file",
    "targetFile",
];
const FOLDER: &[&str] = &["directory", "dir", "folder"];
const COMMAND: &[&str] =
    &["cmd", "script", "shell", "bash_command", "bashCommand", "command_line", "commandLine"];
const EDITS: &[&str] = &["changes", "replacements", "modifications", "operations"];
const OLD: &[&str] = &[
    "old_string",
    "oldString",
    "old_str",
    "oldStr",
    "old_text",
    "oldValue",
    "old_value",
    "oldContent",
    "old_content",
    "old",
    "from",
    "search",
];
const NEW: &[&str] = &[
    "new_string",
    "newString",
    "new_str",
    "newStr",
    "new_text",
    "newValue",
    "new_value",
    "newContent",
    "new_content",
    "new",
    "to",
    "replace",
];
const CONTENT: &[&str] = &[
    "text",
    "body",
    "data",
    "contents",
    "file_content",
    "fileContent",
    "file_text",
    "fileText",
    "new_content",
    "newContent",
];
const GREP: &[&str] =
    &["query", "regex", "search", "q", "expression", "search_pattern", "searchPattern"];
const FIND: &[&str] = &[
    "glob",
    "query",
    "name_pattern",
    "namePattern",
    "file_pattern",
    "filePattern",
    "search",
    "name",
];

/// Every built-in tool: read, bash, edit, write, grep, find, ls.
pub fn builtins() -> Vec<Subject> {
    vec![read(), bash(), edit(), write(), grep(), find(), ls()]
}

fn tool(name: &str, required: &[&str], properties: &Value) -> Subject {
    Subject::bare(name, json!({"type": "object", "required": required, "properties": properties}))
}

fn alias(selector: &str, names: &[&str]) -> AliasSet {
    AliasSet {
        selector: selector.to_owned(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
    }
}

fn list(selectors: &[&str]) -> Vec<String> {
    selectors.iter().map(|&selector| selector.to_owned()).collect()
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "number"})
}

fn with_path(mut subject: Subject, names: &[&str]) -> Subject {
    subject.aliases.push(alias("/path", names));
    subject.path_fields = list(&["/path"]);
    subject.anchored = list(&["/path"]);
    subject
}

fn read() -> Subject {
    let subject =
        tool("read", &["path"], &json!({"path": text(), "offset": number(), "limit": number()}));
    Subject {
        root_field: Some("path".to_owned()),
        tokens: list(&["/path"]),
        ..with_path(subject, PATH)
    }
}

fn bash() -> Subject {
    let subject = tool("bash", &["command"], &json!({"command": text(), "timeout": number()}));
    Subject {
        aliases: vec![alias("/command", COMMAND)],
        root_field: Some("command".to_owned()),
        tokens: list(&["/command"]),
        ..subject
    }
}

fn edit() -> Subject {
    let item = json!({
        "type": "object",
        "required": ["oldText", "newText"],
        "properties": {"oldText": text(), "newText": text()},
    });
    let subject = tool(
        "edit",
        &["path", "edits"],
        &json!({"path": text(), "edits": {"type": "array", "items": item}}),
    );
    let mut subject = with_path(subject, PATH);
    subject.aliases.extend([
        alias("/edits", EDITS),
        alias("/edits/*/oldText", OLD),
        alias("/edits/*/newText", NEW),
    ]);
    subject.fold = Some(Fold { array: "/edits".to_owned(), fields: list(&["oldText", "newText"]) });
    subject.tokens = list(&["/path", "/edits/*/oldText", "/edits/*/newText"]);
    subject
}

fn write() -> Subject {
    let subject = tool("write", &["path", "content"], &json!({"path": text(), "content": text()}));
    let mut subject = with_path(subject, PATH);
    subject.aliases.push(alias("/content", CONTENT));
    subject.tokens = list(&["/path", "/content"]);
    subject
}

fn grep() -> Subject {
    let flag = json!({"type": "boolean"});
    let subject = tool(
        "grep",
        &["pattern"],
        &json!({
            "pattern": text(), "path": text(), "glob": text(), "ignoreCase": flag, "literal": flag,
            "context": number(), "limit": number(),
        }),
    );
    let mut subject = with_path(subject, FOLDER);
    subject.aliases.push(alias("/pattern", GREP));
    subject.root_field = Some("pattern".to_owned());
    subject.tokens = list(&["/pattern", "/path", "/glob"]);
    subject
}

fn find() -> Subject {
    let subject =
        tool("find", &["pattern"], &json!({"pattern": text(), "path": text(), "limit": number()}));
    let mut subject = with_path(subject, FOLDER);
    subject.aliases.push(alias("/pattern", FIND));
    subject.root_field = Some("pattern".to_owned());
    subject.anchored.push("/pattern".to_owned());
    subject.tokens = list(&["/pattern", "/path"]);
    subject
}

fn ls() -> Subject {
    let subject = tool("ls", &[], &json!({"path": text(), "limit": number()}));
    let names: Vec<&str> =
        FOLDER.iter().chain(&["directory_path", "directoryPath"]).chain(PATH).copied().collect();
    Subject {
        root_field: Some("path".to_owned()),
        tokens: list(&["/path"]),
        ..with_path(subject, &names)
    }
}
