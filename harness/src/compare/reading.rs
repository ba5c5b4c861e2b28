//! What a call says, read the slow and plain way: the arguments a ledger row expects of us.
//!
//! Shares no code with the engine. It knows the damages the peer's generator makes and nothing
//! else, works on whole values instead of rejected places, and repeats until nothing changes.

use corpus::PeerTool;
use serde_json::{Map, Value, json};

use super::text::decode;

/// Rounds after which a call that still changes is left as it is.
const ROUNDS_MAX: usize = 12;

/// One reading in progress.
pub(super) struct Reader<'a> {
    /// The tool as the peer was given it.
    pub(super) tool: &'a PeerTool,
    /// The model's id.
    pub(super) model: Option<&'a str>,
    /// Whether the policy is more than conservative.
    pub(super) adaptive: bool,
}

impl Reader<'_> {
    /// Reads `given`, the value after the host's own hook.
    pub(super) fn read(&self, given: &Value) -> Value {
        let mut value = given.clone();
        for _ in 0..ROUNDS_MAX {
            let next = self.round(value.clone());
            if next == value {
                break;
            }
            value = next;
        }
        value
    }

    fn round(&self, value: Value) -> Value {
        let nothing = || self.needs_nothing().then(|| json!({}));
        let whole = |item: &Value| {
            item.is_object() || item.as_str().is_some_and(|text| self.decode(text).is_some())
        };
        match value {
            Value::Object(members) => self.object(members),
            Value::String(text) => match self.decode(&text) {
                Some(inner) => inner,
                None if text.trim().is_empty() => nothing().unwrap_or(Value::String(text)),
                None => self.root_text(text),
            },
            Value::Array(mut items) if items.len() == 1 && whole(&items[0]) => items.remove(0),
            Value::Array(items) if items.is_empty() => nothing().unwrap_or(Value::Array(items)),
            Value::Null => nothing().unwrap_or_default(),
            other => other,
        }
    }

    fn decode(&self, text: &str) -> Option<Value> {
        decode(text, self.adaptive)
    }

    fn needs_nothing(&self) -> bool {
        required(&self.tool.parameters).next().is_none()
    }

    fn root_text(&self, text: String) -> Value {
        match self.tool.config.pointer("/rootString/field").and_then(Value::as_str) {
            Some(field) => json!({ field: text }),
            None => Value::String(text),
        }
    }

    fn object(&self, members: Map<String, Value>) -> Value {
        let members = if self.adaptive { self.without_key_tokens(members) } else { members };
        let mut value = Value::Object(members);
        for entry in &self.tool.preprocessors {
            if self.admits(entry) {
                self.preprocess(entry, &mut value);
            }
        }
        fit(value, &self.tool.parameters, false, &|text| self.decode(text)).unwrap_or_default()
    }

    /// True if the entry is for every model, or the policy and the model admit it.
    fn admits(&self, entry: &Value) -> bool {
        let Some(families) = entry.get("modelFamilies").and_then(Value::as_array) else {
            return true;
        };
        let model = self.model.unwrap_or_default().to_ascii_lowercase();
        self.adaptive
            && families.iter().filter_map(Value::as_str).any(|family| model.contains(family))
    }

    /// Takes template tokens off keys; one such key proves them for the values beside it.
    fn without_key_tokens(&self, members: Map<String, Value>) -> Map<String, Value> {
        let known = |name: &str| {
            let alias = |entry: &Value| aliases(entry).any(|alias| alias == name);
            self.tool.parameters.pointer("/properties").is_some_and(|all| all.get(name).is_some())
                || self.tool.preprocessors.iter().any(alias)
        };
        let bare = |key: &str| {
            let inner = key.replace("<arg_key>", "").replace("</arg_key>", "");
            (inner != key && known(&inner)).then_some(inner)
        };
        if !members.keys().any(|key| bare(key).is_some()) {
            return members;
        }
        let mut clean: Map<String, Value> = Map::new();
        for (key, value) in members {
            let value = match value.as_str().and_then(unwrapped) {
                Some(inner) => inner.into(),
                None => value,
            };
            let name = bare(&key).unwrap_or(key);
            if clean.get(&name).is_none_or(Value::is_null) {
                clean.insert(name, value);
            }
        }
        clean
    }

    fn preprocess(&self, entry: &Value, root: &mut Value) {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let selector = text("selector");
        let on_texts = |root: &mut Value, change: fn(&str) -> Option<String>| {
            for place in texts_at(root, selector) {
                if let Some(changed) = place.as_str().and_then(change) {
                    *place = changed.into();
                }
            }
        };
        match text("kind") {
            "alias" => {
                let (above, field) = selector.rsplit_once('/').unwrap_or_default();
                for parent in places(root, above) {
                    if let Some(members) = parent.as_object_mut() {
                        rename(entry, members, field);
                    }
                }
            }
            "filesystem-path" => on_texts(root, |text| Some(without_links(text))),
            "anchor-bleed" => on_texts(root, |text| {
                let inner = text.strip_prefix('^')?.strip_suffix('$')?;
                (!inner.is_empty()).then(|| inner.to_owned())
            }),
            "grammar-tokens" => on_texts(root, |text| unwrapped(text).map(str::to_owned)),
            "structural" => self.fold(root),
            _ => {}
        }
    }

    /// Puts a flat edit into an absent list.
    fn fold(&self, root: &mut Value) {
        let Some(members) = root.as_object_mut() else { return };
        let blank = |list: &Value| list.is_null() || *list == json!([]);
        if !members.get("edits").is_none_or(blank) {
            return;
        }
        let flat = |field: &str| {
            let names = self.tool.config.pointer("/fieldAliases").and_then(|all| all.get(field));
            let names = names.and_then(Value::as_array).into_iter().flatten();
            let mut found = std::iter::once(field)
                .chain(names.filter_map(Value::as_str))
                .filter(|name| members.get(*name).is_some_and(Value::is_string));
            let name = found.next()?.to_owned();
            found.next().is_none().then_some(name)
        };
        let (Some(old), Some(new)) = (flat("oldText"), flat("newText")) else { return };
        let edit = json!({"oldText": members.remove(&old), "newText": members.remove(&new)});
        members.insert("edits".to_owned(), json!([edit]));
    }
}

/// Moves the one value that stands under another name of `field` to the absent field.
fn rename(entry: &Value, members: &mut Map<String, Value>, field: &str) {
    let empty_is_missing = entry.get("emptyEquivalentToMissing") == Some(&Value::Bool(true));
    let missing =
        |value: &Value| value.is_null() || (empty_is_missing && value.as_str() == Some(""));
    let wanted = entry.get("accepts").and_then(Value::as_str).unwrap_or("string");
    let takes = |value: &Value| match wanted {
        "array" => value.is_array(),
        _ => value.is_string() && !missing(value),
    };
    if !members.get(field).is_none_or(missing) {
        return;
    }
    let mut names = aliases(entry).filter(|name| members.get(*name).is_some_and(takes));
    let (Some(name), None) = (names.next().map(str::to_owned), names.next()) else { return };
    if let Some(value) = members.shift_remove(&name) {
        members.insert(field.to_owned(), value);
    }
}

fn aliases(entry: &Value) -> impl Iterator<Item = &str> {
    entry.get("aliases").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The text between the tokens of a value.
fn unwrapped(text: &str) -> Option<&str> {
    let mut inner = text;
    while let Some(less) =
        inner.strip_prefix("<arg_value>").or_else(|| inner.strip_suffix("</arg_value>"))
    {
        inner = less;
    }
    (inner.len() < text.len() && !inner.is_empty()).then_some(inner)
}

/// The text with every link to its own name replaced by the name.
fn without_links(text: &str) -> String {
    let mut out = text.to_owned();
    for (start, _) in text.match_indices('[') {
        let Some(name) = text[start + 1..].split(']').next() else { continue };
        for scheme in ["http", "https"] {
            out = out.replace(&format!("[{name}]({scheme}://{name})"), name);
        }
    }
    out
}

/// The places a selector names; `*` stands for every item.
fn places<'v>(root: &'v mut Value, selector: &str) -> Vec<&'v mut Value> {
    let mut found = vec![root];
    for segment in selector.split('/').skip(1) {
        found = found
            .into_iter()
            .flat_map(|place| match (segment, place) {
                ("*", Value::Array(items)) => items.iter_mut().collect(),
                (name, Value::Object(members)) => Vec::from_iter(members.get_mut(name)),
                _ => Vec::new(),
            })
            .collect();
    }
    found
}

/// The texts at a selector's places; of an object, the texts among its members.
fn texts_at<'v>(root: &'v mut Value, selector: &str) -> Vec<&'v mut Value> {
    let members = |place: &'v mut Value| match place {
        Value::Object(members) => members.values_mut().collect(),
        other => vec![other],
    };
    places(root, selector).into_iter().flat_map(members).filter(|v| v.is_string()).collect()
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The value in the shape of `schema`; `None` if it is a placeholder that may be left out.
fn fit(
    value: Value,
    schema: &Value,
    optional: bool,
    decode: &dyn Fn(&str) -> Option<Value>,
) -> Option<Value> {
    let wanted = schema.get("type").and_then(Value::as_str).unwrap_or("string");
    let placeholder = match &value {
        Value::Null => true,
        Value::Object(members) => members.is_empty() && wanted != "object",
        Value::String(text) => text.is_empty() && wanted != "string",
        _ => false,
    };
    let needs = required(schema).next().is_some();
    if optional && (placeholder || (needs && value == json!({}))) {
        return None;
    }
    let item = schema.get("items");
    let item_is = |name: &str| item.and_then(|item| item.get("type")) == Some(&name.into());
    Some(match (wanted, value) {
        ("object", Value::Object(members)) => {
            let known = schema.get("properties");
            let fitted = members.into_iter().filter_map(|(key, value)| {
                match known.and_then(|known| known.get(&key)) {
                    Some(part) => {
                        let optional = !required(schema).any(|name| name == key);
                        fit(value, part, optional, decode).map(|value| (key, value))
                    }
                    None => Some((key, value)),
                }
            });
            Value::Object(fitted.collect())
        }
        ("array", Value::Array(items)) => {
            let part = item.cloned().unwrap_or_default();
            items.into_iter().filter_map(|value| fit(value, &part, false, decode)).collect()
        }
        ("array", Value::Object(members)) if item_is("object") => json!([members]),
        ("array", Value::String(text)) => match decode(&text) {
            Some(Value::Array(items)) => Value::Array(items),
            Some(Value::Object(members)) if item_is("object") => json!([members]),
            _ if text.is_empty() || text.starts_with(['[', '{']) => text.into(),
            _ if item_is("string") => json!([text]),
            _ => text.into(),
        },
        ("object", Value::String(text)) => {
            let inner = decode(&text).filter(|inner| inner.is_object() || inner.is_string());
            inner.unwrap_or(text.into())
        }
        ("number" | "integer" | "boolean", Value::String(text)) => scalar(wanted, text),
        ("string" | "number" | "integer" | "boolean", Value::Array(mut items))
            if items.len() == 1 && !items[0].is_array() =>
        {
            items.remove(0)
        }
        (_, value) => value,
    })
}

/// The number or boolean a text spells, or the text.
fn scalar(wanted: &str, text: String) -> Value {
    match serde_json::from_str::<Value>(text.trim()) {
        Ok(Value::Bool(truth)) if wanted == "boolean" => truth.into(),
        Ok(number @ Value::Number(_)) if wanted == "number" || number.is_i64() => number,
        _ => text.into(),
    }
}
