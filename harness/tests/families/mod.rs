//! Inputs that grow, shared by the test that counts steps and the example whose instructions are counted.

use engine::{Context, Limits, ToolConfig, ToolSpec, builtin};
use serde_json::{Map, Value, json};

/// Every limit above what the largest input needs.
const LIMITS: Limits = Limits::MOST;

/// A kind of input that grows, with the tool it is meant to trouble.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) spec: ToolSpec,
    pub(crate) grow: Box<dyn Fn(usize) -> Input>,
}

/// Arguments as a value, or as raw text that may be no JSON.
pub(crate) enum Input {
    Value(Value),
    Text(String),
}

impl Input {
    /// The arguments, where they are a value.
    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::Text(_) => None,
        }
    }

    /// The arguments as raw text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Value(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

fn of_value(
    name: &'static str,
    spec: &ToolSpec,
    grow: impl Fn(usize) -> Value + 'static,
) -> Family {
    Family { name, spec: spec.clone(), grow: Box::new(move |size| Input::Value(grow(size))) }
}

fn own(schema: Value) -> ToolSpec {
    ToolSpec {
        name: "own".to_owned(),
        schema,
        config: ToolConfig::default(),
        ..ToolSpec::default()
    }
}

fn pi(name: &str) -> ToolSpec {
    builtin::spec(name, None).expect("reads").expect("is there")
}

/// An object with `size` members.
fn members(size: usize, value: impl Fn(usize) -> Value) -> Value {
    (0..size).map(|at| (format!("k{at}"), value(at))).collect::<Map<_, _>>().into()
}

fn items(size: usize, value: impl Fn(usize) -> Value) -> Value {
    (0..size).map(value).collect::<Vec<_>>().into()
}

/// Many places that the schema rejects, each with a rule of its own.
pub(crate) fn many_places() -> Vec<Family> {
    let map = |of: Value| own(json!({"type": "object", "additionalProperties": of}));
    let list = |of: Value| {
        own(
            json!({"type": "object", "required": ["l"], "properties": {"l": {"type": "array", "items": of}}}),
        )
    };
    let text = json!({"type": "string"});
    let object =
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "number"}}});
    let choice =
        json!({"anyOf": [{"type": "number"}, {"type": "array", "items": {"type": "number"}}]});
    let closed = own(json!({"type": "object", "additionalProperties": false, "properties": {}}));
    vec![
        of_value("nulls at optional keys", &map(text.clone()), |n| members(n, |_| Value::Null)),
        of_value(
            "nulls in a list",
            &list(text.clone()),
            |n| json!({"l": items(n, |_| Value::Null)}),
        ),
        of_value("numbers for texts", &map(text), |n| members(n, Value::from)),
        of_value(
            "items as text",
            &list(object.clone()),
            |n| json!({"l": items(n, |at| format!("{{\"a\":{at}}}").into())}),
        ),
        of_value(
            "a list as text",
            &list(object),
            |n| json!({"l": items(n, |at| json!({"a": at})).to_string()}),
        ),
        of_value("numbers as text", &map(json!({"type": "number"})), |n| {
            members(n, |at| at.to_string().into())
        }),
        of_value("choices in another case", &map(json!({"enum": ["red", "blue"]})), |n| {
            members(n, |_| "RED".into())
        }),
        of_value("no choice", &map(json!({"enum": ["red", "blue"]})), |n| {
            members(n, |_| "green".into())
        }),
        of_value("bare items", &map(json!({"type": "array", "items": {"type": "number"}})), |n| {
            members(n, Value::from)
        }),
        of_value("wide unions", &map(choice.clone()), |n| members(n, |at| at.to_string().into())),
        of_value("wide unions of lists", &map(choice), |n| members(n, |_| json!(["1", null]))),
        of_value("unknown keys", &closed, |n| members(n, Value::from)),
        of_value("unknown keys of read", &pi("read"), |n| members(n, |_| "x".into())),
        of_value("placeholders", &map(json!({"type": "array"})), |n| members(n, |_| json!({}))),
    ]
}

/// Many edits, each of which a preprocessor acts on.
pub(crate) fn many_edits() -> Vec<Family> {
    let edits = |name, edit: fn(usize) -> Value| {
        of_value(name, &pi("edit"), move |n| json!({"path": "/x", "edits": items(n, edit)}))
    };
    vec![
        edits("aliases", |_| json!({"old_string": "a", "new_string": "b"})),
        edits("token ends", |_| json!({"oldText": "<arg_value>a</arg_value>", "newText": "b"})),
        edits("token keys", |_| json!({"oldText</arg_key>": "a", "newText": "b"})),
        edits("edits as text", |_| json!("{\"oldText\":\"a\",\"newText\":\"b\"}")),
        of_value("flat fields beside many edits", &pi("edit"), |n| {
            let edits = items(n, |_| json!({"oldText": "a", "newText": "b"}));
            json!({"path": "/x", "edits": edits, "oldText": "c", "newText": "d"})
        }),
        of_value("flat fields beside unknown keys", &pi("edit"), |n| {
            let mut args = members(n, Value::from);
            args["old_string"] = "x".repeat(n).into();
            args["new_string"] = "y".repeat(n).into();
            args
        }),
    ]
}

/// One long text of a mark that some scan might go over again and again.
pub(crate) fn long_texts() -> Vec<Family> {
    let marks = [
        "[",
        "](http",
        "[a](http://",
        "[a](http://a)",
        "$",
        "^",
        "&",
        "&amp;",
        "&amp;amp;",
        "<",
        "<arg_value>",
        "</arg_value>",
        "\\",
        "\"",
        "\n",
        "```\n",
        "~~~\n",
        "{",
        "}",
        "{\"a\":",
        "/*",
        "//",
        "# ",
        "'",
        "“",
        "\u{8}",
        "\u{1f600}",
        "|",
        "a,",
        " ",
    ];
    let [read, edit, grep, bash] = ["read", "edit", "grep", "bash"].map(pi);
    let mut families = Vec::new();
    for mark in marks {
        for (spec, field) in
            [(&read, "path"), (&edit, "edits"), (&grep, "glob"), (&bash, "command")]
        {
            let grow = move |n: usize| json!({ field: mark.repeat(n * 2) });
            families.push(of_value(mark, spec, grow));
        }
        families.push(of_value(mark, &bash, move |n| mark.repeat(n * 2).into()));
        let grow = move |n: usize| Input::Text(mark.repeat(n * 2));
        families.push(Family { name: mark, spec: read.clone(), grow: Box::new(grow) });
        let grow = move |n: usize| Input::Text(format!("{{\"path\":\"/x\"{}", mark.repeat(n * 2)));
        families.push(Family { name: mark, spec: read.clone(), grow: Box::new(grow) });
    }
    families
}

/// Marks in pairs, long keys above many members, and alternatives within alternatives.
pub(crate) fn awkward() -> Vec<Family> {
    let node = json!({"anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"$ref": "#/$defs/node"}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "required": ["a"]}]});
    let tree = own(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}},
        "$defs": {"node": node}}));
    let open = own(json!({"type": "object"}));
    let wrapped = |open: &'static str, close: &'static str| move |n: usize| json!({ "path": format!("{}/x{}", open.repeat(n), close.repeat(n)) });
    vec![
        of_value("anchors in pairs", &pi("read"), wrapped("^", "$")),
        of_value("tokens in pairs", &pi("read"), wrapped("<arg_value>", "</arg_value>")),
        of_value("links in links", &pi("read"), wrapped("[", "](http://x)")),
        of_value(
            "a long key over many members",
            &open,
            |n| json!({"k".repeat(n * 16): members(n, Value::from), "path</arg_key>": "/x"}),
        ),
        of_value(
            "alternatives in alternatives",
            &tree,
            |n| json!({"a": items(n / 20, |_| json!({"a": [{"a": [{"a": 5}]}]}))}),
        ),
        of_value("alternatives side by side", &tree, |n| json!({"a": items(n / 10, Value::from)})),
    ]
}

/// Raw text in which the reader takes the same liberty again and again.
pub(crate) fn raw_texts() -> Vec<Family> {
    type Row = (&'static str, fn(usize) -> String);
    let rows: [Row; 12] = [
        ("comments", |n| format!("{{\"path\":\"/x\"{}}}", "/* c */".repeat(n))),
        ("line comments", |n| format!("{{{}\"path\":\"/x\"}}", "// c\n".repeat(n))),
        ("repeated objects", |n| "{\"path\":\"/x\"}\n".repeat(n)),
        ("surplus closers", |n| format!("{{\"path\":\"/x\"}}{}", "}".repeat(n))),
        ("equal members", |n| format!("{{\"path\":\"/x\"{}}}", ",\"a\":[1]".repeat(n))),
        ("single quotes", |n| format!("{{'path':'/x','a':[{}]}}", "'q',".repeat(n))),
        ("python words", |n| format!("{{\"path\":\"/x\",\"a\":[{}]}}", "None,".repeat(n))),
        ("inexact numbers", |n| format!("{{\"path\":\"/x\",\"a\":[{}0]}}", "1e400,".repeat(n))),
        ("long number", |n| format!("{{\"path\":\"/x\",\"a\":{}}}", "9".repeat(n * 4))),
        ("invalid escapes", |n| format!("{{\"path\":\"{}\"}}", r"\q".repeat(n * 2))),
        ("unclosed lists", |n| format!("{{\"path\":\"/x\",\"a\":[{}", "[1],".repeat(n))),
        ("prose", |n| format!("{} {{\"path\":\"/x\"}}", "Here it is. ".repeat(n))),
    ];
    rows.into_iter()
        .map(|(name, grow)| Family {
            name,
            spec: pi("read"),
            grow: Box::new(move |n| Input::Text(grow(n))),
        })
        .collect()
}

/// The models that the most gated rules and preprocessors are meant for.
pub(crate) fn contexts() -> [Context<'static>; 2] {
    let context = Context { limits: LIMITS, ..Context::default() };
    [
        Context { model: Some("glm-4.6"), ..context },
        Context { model: Some("grok-4"), provider: Some("xai"), ..context },
    ]
}
