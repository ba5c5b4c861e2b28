//! The early look at arguments changes what an outcome costs, never the outcome.

use std::sync::atomic::{AtomicU32, Ordering};

use corpus::{Area, CaseInput};
use engine::tables::Tables;
use engine::{Context, Limits, Outcome, Tool, ToolConfig, ToolSpec, builtin};
use serde_json::{Value, json};

/// Generated texts a tool.
const TEXTS_PER_TOOL: u64 = 2_000;

/// How often arguments passed in outline.
static PASSED: AtomicU32 = AtomicU32::new(0);
static MEASURED: AtomicU32 = AtomicU32::new(0);

/// The same tool with the early look, and without.
struct Pair {
    early: Tool,
    ordinary: Tool,
    schema: Value,
}

impl Pair {
    fn compile(spec: &ToolSpec) -> Self {
        let tables = Tables { accept_early: false, ..Tables::default() };
        Self {
            early: Tool::compile(spec.clone()).expect("compiles"),
            ordinary: Tool::compile_with(spec.clone(), tables).expect("compiles"),
            schema: spec.schema.clone(),
        }
    }

    /// Fails if the two disagree; true if the early look decided.
    fn compare(&self, text: &str, context: &Context<'_>) -> bool {
        let name = self.early.name();
        let early = format!("{:?}", self.early.repair_text(text, None, context));
        let ordinary = format!("{:?}", self.ordinary.repair_text(text, None, context));
        assert_eq!(early, ordinary, "{name}: {text}");
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            let early = format!("{:?}", self.early.repair(&value, context));
            let ordinary = format!("{:?}", self.ordinary.repair(&value, context));
            assert_eq!(early, ordinary, "{name} as a value: {text}");
            self.outline(&value, context);
        }
        self.early.text_passes_early(text, context)
    }

    /// Fails if arguments pass in outline that would not be left alone as a whole.
    fn outline(&self, value: &Value, context: &Context<'_>) {
        let is_left = matches!(self.ordinary.repair(value, context), Outcome::Valid(_));
        for (most, measured) in
            [0, 4, 8, 16].into_iter().flat_map(|most| [(most, false), (most, true)])
        {
            let outline = outlined(value, most, measured).to_string();
            let passes = self.early.passes_in_outline(&outline, context);
            assert!(is_left || !passes, "{}: {outline} of {value}", self.early.name());
            PASSED.fetch_add(u32::from(passes), Ordering::Relaxed);
            MEASURED.fetch_add(u32::from(passes && measured), Ordering::Relaxed);
        }
    }
}

/// The value with every text of more than `most` bytes only said to be one, or to be of its length.
fn outlined(value: &Value, most: usize, measured: bool) -> Value {
    match value {
        Value::String(text) if measured && text.len() > most => {
            format!("\0{}", text.encode_utf16().count()).into()
        }
        Value::String(text) if text.len() > most || text.starts_with('\0') => "\0".into(),
        Value::Array(items) => items.iter().map(|item| outlined(item, most, measured)).collect(),
        Value::Object(members) => {
            let row =
                |(key, value): (&String, &Value)| (key.clone(), outlined(value, most, measured));
            Value::Object(members.iter().map(row).collect())
        }
        other => other.clone(),
    }
}

/// Bounded choices from a seed.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

/// String literals as spelled in JSON: plain ones, and everything a preprocessor could act on.
const TEXTS: &[&str] = &[
    r#""a""#,
    r#""/w/src/main.rs""#,
    r#""""#,
    r#""red""#,
    r#""line\n\"two\"\t\\""#,
    r#""[a.md](http://a.md)""#,
    r#""see [a](b)""#,
    r#""\u005ba.md](http://a.md)""#,
    r#""C:\new\b""#,
    r#""C:\\new""#,
    r#""^/x$""#,
    r#""\u005e/x$""#,
    r#""a &amp; b""#,
    r#""a && b""#,
    r#""a \u0026amp; b""#,
    r#""a &amp; b > c""#,
    r#""<arg_value>x</arg_value>""#,
    r#""<arg_value>x<\/arg_value>""#,
    r#""x</tool_call>""#,
    r#""x\u003c/tool_call>""#,
    r#""5""#,
    r#""true""#,
    r#""[\"a\"]""#,
    r#""{\"path\":\"/x\"}""#,
    r#""\ud83d\ude00""#,
    r#""\ud83d""#,
    r#""a\x""#,
    "\"raw\ttab\"",
    "\"é ☃ \u{7f}\"",
];

const SCALARS: &[&str] = &[
    "0",
    "-0",
    "5",
    "5.0",
    "-1",
    "1e2",
    "1e400",
    "0.1",
    "123456789012345678",
    "18446744073709551615",
    "123456789012345678901234567890",
    "01",
    "true",
    "false",
    "null",
    "True",
    "nul",
];

/// Keys that something may act on, beside the schema's own.
const KEYS: &[&str] = &[
    "x",
    "y",
    "file_path",
    "cmd",
    "arguments",
    "input",
    "name",
    "old_string",
    "newText",
    "query",
    "path</arg_key>",
    "pa\\u0074h",
    "",
    "a/b",
    "~1",
    "directory",
    "type",
    "__proto__",
];

const GAPS: &[&str] = &["", "", "", "", " ", "\n  ", "\t", "\r\n"];

/// Writes a text that fits `schema` more often than not.
fn write(schema: &Value, choices: &mut Choices, levels: usize) -> String {
    if levels == 0 || choices.one_in(40) {
        return choices.pick(if choices.0.is_multiple_of(2) { TEXTS } else { SCALARS }).to_owned();
    }
    let branches = schema["anyOf"].as_array().or(schema["oneOf"].as_array());
    if let Some(branches) = branches {
        return write(&branches[choices.below(branches.len())], choices, levels);
    }
    if let Some(target) = schema["$ref"].as_str() {
        let part = if target.ends_with('b') {
            json!({"type": "integer"})
        } else {
            json!({"type": "array"})
        };
        return write(&part, choices, levels - 1);
    }
    let kind = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => names[choices.below(names.len())].as_str().unwrap_or("").to_owned(),
        _ => choices.pick(&["object", "array", "string", "number", "null"]).to_owned(),
    };
    let gap = choices.pick(GAPS);
    match kind.as_str() {
        "object" => object(schema, choices, levels),
        "array" => {
            let items: Vec<String> = (0..choices.below(4))
                .map(|_| write(&schema["items"], choices, levels - 1))
                .collect();
            format!("[{gap}{}{gap}]", items.join(&format!("{gap},")))
        }
        "string" if choices.one_in(2) => choices.pick(&TEXTS[..4]).to_owned(),
        "string" => choices.pick(TEXTS).to_owned(),
        "integer" | "number" if choices.one_in(2) => "5".to_owned(),
        "boolean" => choices.pick(&["true", "false"]).to_owned(),
        "null" => "null".to_owned(),
        _ => choices.pick(SCALARS).to_owned(),
    }
}

fn object(schema: &Value, choices: &mut Choices, levels: usize) -> String {
    let none = serde_json::Map::new();
    let mut members = Vec::new();
    let gap = choices.pick(GAPS);
    for (key, part) in schema["properties"].as_object().unwrap_or(&none) {
        let required =
            schema["required"].as_array().is_some_and(|names| names.contains(&key.as_str().into()));
        if choices.one_in(8) || (!required && choices.one_in(2)) {
            continue;
        }
        let repeats = if choices.one_in(60) { 2 } else { 1 };
        for _ in 0..repeats {
            let value = write(part, choices, levels - 1);
            members.push(format!("{}{gap}:{gap}{value}{gap}", Value::from(key.as_str())));
        }
    }
    let extras = if choices.one_in(4) { choices.below(4) } else { 0 };
    for _ in 0..extras {
        let value = write(&Value::Null, choices, levels - 1);
        members.push(format!("\"{}\":{value}", choices.pick(KEYS)));
    }
    if members.len() > 1 && choices.one_in(3) {
        members.swap(0, 1);
    }
    let tail = if choices.one_in(50) { "," } else { "" };
    format!("{{{gap}{}{tail}}}{gap}", members.join(&format!(",{gap}")))
}

fn contexts() -> Vec<Context<'static>> {
    let named = |model, provider| Context { model, provider, ..Context::default() };
    let depth = |depth_max| Context {
        limits: Limits { depth_max, ..Limits::default() },
        ..Context::default()
    };
    let conservative =
        Context { policy: engine::Policy::Conservative, ..named(Some("glm-4.6"), None) };
    vec![
        Context::default(),
        named(Some("glm-4.6"), None),
        named(Some("moonshotai/Kimi-K2"), None),
        named(Some("grok-4"), Some("xai")),
        conservative,
        depth(0),
        depth(1),
        depth(2),
    ]
}

/// Tools of plain and of less plain schemas, with every kind of preprocessor.
fn specs() -> Vec<ToolSpec> {
    let custom = |name: &str, schema: Value, preprocessors: Value| ToolSpec {
        name: name.to_owned(),
        schema,
        config: ToolConfig::from_json(&json!({ "preprocessors": preprocessors })).expect("reads"),
        ..ToolSpec::default()
    };
    let text = json!({"type": "string"});
    let mut specs: Vec<ToolSpec> = builtin::TOOLS
        .iter()
        .map(|name| builtin::spec(name, None).expect("reads").expect("is there"))
        .collect();
    specs.extend([
        custom(
            "closed",
            json!({"type": "object", "additionalProperties": false, "required": ["n"], "properties": {
                "n": {"type": "integer"}, "mode": {"enum": ["red", "a"]}, "maybe": {"type": ["string", "null"]},
                "many": {"type": "array", "items": {"type": ["number", "boolean"]}}}}),
            json!([]),
        ),
        custom(
            "kinds",
            json!({"type": "object", "properties": {
                "path": text, "files": {"type": "array", "items": text}, "limit": {"type": ["number", "string"]},
                "include": {"type": ["array", "string"], "items": text}, "any": {}, "open": {"type": "object"},
                "list": {"type": "array"}}}),
            json!([
                {"kind": "filesystem-path-array", "selector": "/files"},
                {"kind": "filesystem-path-array", "selector": "/list"},
                {"kind": "scalar", "selector": "/limit"},
                {"kind": "string-or-array", "selector": "/include"},
                {"kind": "glob", "selector": "/any"},
                {"kind": "filesystem-path", "selector": "/open/x"},
                {"kind": "alias", "selector": "/open/y", "aliases": ["x", "query"]},
                {"kind": "anchor-bleed", "selector": "/files/*"},
                {"kind": "grammar-tokens", "selector": "/open"},
                {"kind": "html-entities", "selector": "/x"}
            ]),
        ),
        custom(
            "extras",
            json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}},
                "properties": {"input": {"type": "object"}, "name": text}, "required": ["name"]}),
            json!([]),
        ),
        custom(
            "unions",
            json!({"type": "object", "properties": {
                "a": {"anyOf": [text, {"type": "null"}]}, "b": {"$ref": "#/$defs/b"}, "c": {"type": "string", "minLength": 2},
                "d": {"type": "number", "description": "plain"}, "e": {"const": "a"}}, "$defs": {"b": {"type": "integer"}}}),
            json!([]),
        ),
        custom(
            "alternatives",
            json!({"type": "object", "required": ["a"], "properties": {
                "a": {"anyOf": [{"type": "string", "minLength": 2, "maxLength": 9}, {"$ref": "#/$defs/b"}]},
                "b": {"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]},
                "c": {"oneOf": [{"enum": [5, "5"]}, {"type": "integer"}, {"type": "null"}]},
                "d": {"$ref": "#/$defs/b", "description": "a reference"},
                "e": {"type": "string", "anyOf": [{"minLength": 4}, {"type": "null"}]},
                "f": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/f"}},
                "path": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
                "h": {"anyOf": [{"type": "object", "properties": {"x": {"const": "a"}}}, {"type": "number"}]}},
                "$defs": {"b": {"type": "integer", "minimum": 0, "maximum": 5},
                    "f": {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "array", "items": {"$ref": "#/$defs/f"}}]}}}),
            json!([
                {"kind": "filesystem-path", "selector": "/path"},
                {"kind": "filesystem-path-array", "selector": "/path"},
                {"kind": "grammar-tokens", "selector": "/path/*"},
                {"kind": "alias", "selector": "/h/x", "aliases": ["y"]}
            ]),
        ),
        custom("root union", json!({"anyOf": [{"type": "object", "properties": {"a": text}}, {"type": "array"}]}), json!([])),
        custom("nothing", json!({}), json!([])),
    ]);
    specs
}

#[test]
fn generated_texts_have_the_same_outcome_without_it() {
    let contexts = contexts();
    for spec in specs() {
        let pair = Pair::compile(&spec);
        let mut choices = Choices(0x5eed);
        let mut early = 0;
        for case in 0..TEXTS_PER_TOOL {
            let text = write(&pair.schema, &mut choices, 5);
            let context = &contexts[usize::try_from(case).unwrap_or(0) % contexts.len()];
            early += u64::from(pair.compare(&text, context));
        }
        assert!(early * 200 > TEXTS_PER_TOOL, "{}: {early} were passed early", pair.early.name());
    }
    assert!(PASSED.load(Ordering::Relaxed) > 1_000, "too few passed in outline");
    assert!(MEASURED.load(Ordering::Relaxed) > 500, "too few passed by their lengths");
}

#[test]
fn real_cases_have_the_same_outcome_without_it() {
    let mut seen = 0;
    for case in corpus::cases(Area::Arguments).expect("reads") {
        let name = case.tool.clone().unwrap_or_default();
        let Some(schema) = case.schema.clone().or_else(|| case.schema_of(&name).cloned()) else {
            continue;
        };
        let config = builtin::config_for(&name, &schema).expect("reads");
        let pair = Pair::compile(&ToolSpec { name, schema, config, ..ToolSpec::default() });
        let text = match &case.input {
            CaseInput::Raw(text) | CaseInput::Text(text) => text.clone(),
            CaseInput::Value(value) => value.to_string(),
        };
        let context = Context { model: case.model.as_deref(), ..Context::default() };
        pair.compare(&text, &context);
        seen += 1;
    }
    assert!(seen > 50, "only {seen} cases were compared");
}

#[test]
fn plain_valid_calls_of_every_built_in_pass_early() {
    let calls = [
        ("read", json!({"path": "/w/a.rs", "offset": 3, "limit": 4.5})),
        ("bash", json!({"command": "cd /w && ls | grep '[a-z]' > \"$f\"\n", "timeout": 5})),
        ("powershell", json!({"command": "Get-ChildItem"})),
        ("edit", json!({"path": "/w/a.rs", "edits": [{"oldText": "<a>\n", "newText": ""}]})),
        ("write", json!({"path": "C:\\w\\[slug].ts", "content": "<html>&amp;</html>\n"})),
        (
            "grep",
            json!({"pattern": "^fn [a-z]+$", "glob": "*.[ch]", "ignoreCase": true, "extra": 1}),
        ),
        ("find", json!({"pattern": "**/*.rs", "path": "src"})),
        ("ls", json!({})),
    ];
    for (name, args) in calls {
        let tool = Tool::builtin(name, None).expect("is there");
        for context in contexts().iter().filter(|context| context.limits.depth_max > 2) {
            let grok = context.provider.is_some();
            let text = args.to_string();
            assert!(tool.passes_early(&args, context) || grok, "{name}: {args}");
            assert!(tool.text_passes_early(&text, context) || grok, "{name}: {text}");
        }
    }
}
