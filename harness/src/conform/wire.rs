//! Lines of the protocol: how they are written, and how what comes back is read.

use engine::host::SchemaOrigin;
use engine::{Limits, ToolConfig, ToolSpec};
use serde::de::Deserialize as _;
use serde_json::{Map, Number, Value, json};

use crate::area::Ended;
use crate::arguments::case::Case;

/// Levels of a line. Below this, reading, copying and dropping are safe on any stack.
const DEPTH_MAX: usize = 300;

/// The largest integer up to which doubles hold every one.
const DOUBLE_INTEGER_MAX: f64 = 9_007_199_254_740_992.0;

/// A question as one line, without its end.
pub fn line(id: u64, question: &Map<String, Value>) -> String {
    let mut all = Map::new();
    all.insert("id".to_owned(), id.into());
    all.extend(question.clone());
    Value::Object(all).to_string()
}

/// Reads one line: an object. Half of a surrogate pair reads as U+FFFD, which no question holds.
///
/// # Errors
///
/// What is wrong with the line.
pub fn read(line: &str) -> Result<Value, String> {
    if is_deeper(line, DEPTH_MAX) {
        return Err(format!("a line of more than {DEPTH_MAX} levels"));
    }
    let read =
        parse(line).or_else(|error| parse(&without_lone_surrogates(line)).map_err(|_| error));
    match read {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err("a line that is no JSON object".to_owned()),
        Err(error) => Err(format!("a line that is no JSON ({error})")),
    }
}

fn parse(line: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(line);
    // INVARIANT: the caller has measured the depth.
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Whether the brackets outside of strings nest deeper than this.
fn is_deeper(line: &str, most: usize) -> bool {
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    for byte in line.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = inside,
            b'"' => inside = !inside,
            b'{' | b'[' if !inside => depth += 1,
            b'}' | b']' if !inside => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > most {
            return true;
        }
    }
    false
}

/// The line with every escape that is half of a pair made U+FFFD.
fn without_lone_surrogates(line: &str) -> String {
    let unit = |at: usize| -> Option<u16> {
        let digits = line.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut out, mut at) = (String::new(), 0);
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(found) = rest.find('\\') else {
            out.push_str(rest);
            break;
        };
        out.push_str(&rest[..found]);
        at += found;
        let wide = match unit(at) {
            Some(0xd800..=0xdbff) => match unit(at + 6) {
                Some(0xdc00..=0xdfff) => 12,
                _ => 0,
            },
            Some(0xdc00..=0xdfff) => 0,
            Some(_) => 6,
            // A backslash and what it escapes.
            None => 1 + line[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        if wide == 0 {
            out.push_str("\\ufffd");
            at += 6;
        } else {
            out.push_str(line.get(at..at + wide).unwrap_or_default());
            at += wide;
        }
    }
    out
}

/// A value in the numbers that doubles hold, spelled as JavaScript spells them; `None` if one is beyond.
pub fn as_doubles(value: Value) -> Option<Value> {
    Some(match value {
        Value::Number(number) => Value::Number(as_double(&number)?),
        Value::Array(items) => {
            items.into_iter().map(as_doubles).collect::<Option<Vec<_>>>()?.into()
        }
        Value::Object(map) => {
            let members = map.into_iter().map(|(key, value)| Some((key, as_doubles(value)?)));
            Value::Object(members.collect::<Option<Map<_, _>>>()?)
        }
        other => other,
    })
}

fn as_double(number: &Number) -> Option<Number> {
    let double = number.as_f64()?;
    if double.abs() >= DOUBLE_INTEGER_MAX && !number.is_f64() {
        return None;
    }
    let whole = double.fract() == 0.0 && double.abs() < DOUBLE_INTEGER_MAX;
    if !number.is_f64() || !whole {
        return Some(number.clone());
    }
    // INVARIANT: below 2^53 the text of a whole double is that of an integer.
    format!("{double:.0}").parse::<i64>().ok().map(Number::from)
}

/// Ends the run over an answer that is none.
pub fn wrong(says: &str, answer: &Value) -> ! {
    let shown: String = answer.to_string().chars().take(300).collect();
    Ended::Failed(format!("its answer cannot be used, {says}: {shown}")).throw()
}

/// The member `tool` of a question.
pub fn tool(spec: &ToolSpec) -> Value {
    let mut tool =
        json!({"name": spec.name, "schema": spec.schema, "config": config(&spec.config)});
    if spec.origin == SchemaOrigin::TypeBox {
        tool["origin"] = "typebox".into();
    }
    tool
}

/// A configuration in the form that [`ToolConfig::from_json`] reads.
pub fn config(config: &ToolConfig) -> Value {
    let entries = config.preprocessors.iter().map(|entry| {
        let mut row = Map::new();
        row.insert("kind".into(), entry.kind.name.into());
        row.insert("selector".into(), entry.selector.as_str().into());
        let mut list = |name: &str, texts: &[String]| {
            if !texts.is_empty() {
                row.insert(name.into(), texts.to_vec().into());
            }
        };
        list("aliases", &entry.aliases);
        list("accepts", &entry.accepts);
        list("modelFamilies", &entry.gate.model_families);
        list("providers", &entry.gate.providers);
        for (name, on) in
            [("emptyEquivalentToMissing", entry.empty_is_missing), ("alone", entry.alone)]
        {
            if on {
                row.insert(name.into(), true.into());
            }
        }
        if !entry.fields.is_empty() {
            let fields = entry.fields.iter().cloned().map(|(name, also)| (name, also.into()));
            row.insert("fields".into(), Value::Object(fields.collect()));
        }
        Value::Object(row)
    });
    let mut out = Map::new();
    if let Some(field) = &config.root_field {
        out.insert("rootField".into(), field.as_str().into());
    }
    let unknown = config.unknown_kinds.iter().map(|kind| json!({"kind": kind}));
    out.insert("preprocessors".into(), entries.chain(unknown).collect::<Vec<_>>().into());
    Value::Object(out)
}

/// The member `context` of a question; what is as ever is left out.
pub fn context(case: &Case, policy: engine::Policy, hook: bool) -> Value {
    let mut out = Map::new();
    let mut text = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            out.insert(name.to_owned(), value.into());
        }
    };
    text("model", case.call.model.as_deref());
    text("provider", case.call.provider.as_deref());
    text("policy", Some(policy.name()));
    text("stop_reason", Some(&case.stop_reason.to_string()));
    text("host", case.host.map(engine::host::HostProfile::name));
    if hook {
        out.insert("hook".into(), true.into());
    }
    let rows = case.limits.rows().into_iter().zip(Limits::DEFAULT.rows());
    let small: Map<String, Value> = rows
        .filter(|(row, default)| row.1 != default.1)
        .map(|(row, _)| (row.0.to_owned(), row.1.into()))
        .collect();
    if !small.is_empty() {
        out.insert("limits".into(), small.into());
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_configurations_survive_the_wire() {
        for name in engine::builtin::TOOLS {
            let spec = engine::builtin::spec(name, None).expect("reads").expect("is there");
            let again = ToolConfig::from_json(&config(&spec.config)).expect("reads");
            assert_eq!(format!("{again:?}"), format!("{:?}", spec.config), "{name}");
        }
    }

    #[test]
    fn half_of_a_pair_reads_as_a_replacement() {
        let read = |text: &str| read(text).map(|value| value["a"].clone());
        assert_eq!(read(r#"{"a":"\ud83d\ude00"}"#), Ok("😀".into()));
        assert_eq!(read(r#"{"a":"x\ud83d\\ud83d"}"#), Ok("x\u{fffd}\\ud83d".into()));
        assert_eq!(read(r#"{"a":"\ude00é"}"#), Ok("\u{fffd}é".into()));
        assert!(read("[1]").is_err() && read("{\"a\"").is_err());
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(250), "]".repeat(250));
        assert!(super::read(&deep).is_ok());
        assert!(super::read(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn doubles_are_spelled_as_javascript_does() {
        let read = |text: &str| as_doubles(serde_json::from_str(text).expect("is JSON"));
        assert_eq!(read("[1.0,-0.0,1.5]").map(|v| v.to_string()), Some("[1,0,1.5]".into()));
        assert_eq!(read("9007199254740993"), None);
        assert_eq!(read("1e300").map(|v| v.to_string()), Some("1e+300".into()));
    }
}
