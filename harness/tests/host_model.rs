//! The engine's model of the host's coercion, held to what the host was seen to do.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use engine::host::{HostProfile, SchemaOrigin, convert, edit_hook};
use serde::Deserialize;
use serde_json::Value;

/// Mismatches shown in one failure.
const SHOWN_MAX: usize = 40;

#[derive(Deserialize)]
struct Declared {
    id: String,
    origin: String,
    schema: Value,
}

#[derive(Deserialize)]
struct Group {
    schema: String,
    /// Arguments, then what ran; no second element if the host rejected the call.
    rows: Vec<Vec<Value>>,
}

#[derive(Deserialize)]
struct HookRow {
    args: Value,
    out: Value,
}

#[test]
fn the_model_converts_as_the_host_was_seen_to() {
    let schemas: BTreeMap<String, Declared> =
        lines::<Declared>("schemas").into_iter().map(|row| (row.id.clone(), row)).collect();
    let mut mismatches = Vec::new();
    for profile in HostProfile::ALL {
        let mut seen = 0;
        for group in lines::<Group>(profile.name()) {
            let declared = &schemas[&group.schema];
            seen += group.rows.len();
            mismatches.extend(group.rows.iter().filter_map(|row| mismatch(profile, declared, row)));
        }
        assert!(seen > 4_000, "{profile}: only {seen} observations were found");
    }
    assert_none(&mismatches);
}

#[test]
fn the_edit_hook_prepares_as_the_host_was_seen_to() {
    let mut mismatches = Vec::new();
    for profile in HostProfile::ALL {
        let rows = lines::<HookRow>(&format!("edit-{profile}"));
        assert!(rows.len() > 30, "{profile}: only {} observations were found", rows.len());
        for HookRow { args, out } in rows {
            let ours = edit_hook(profile, &args);
            // The order of keys counts here.
            let [ours, out] = [ours, out].map(|value| value.to_string());
            if ours != out {
                mismatches.push(format!("{profile} {args}: host {out}, model {ours}"));
            }
        }
    }
    assert_none(&mismatches);
}

#[test]
fn converted_arguments_convert_to_themselves() {
    let schema = serde_json::json!({"type": "object", "required": ["n"], "properties": {
        "n": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}}});
    let given = serde_json::json!({"n": "7", "tags": "x", "more": null});
    for profile in HostProfile::ALL {
        let once = convert(profile, SchemaOrigin::TypeBox, &schema, &given).expect("converts");
        let twice = convert(profile, SchemaOrigin::TypeBox, &schema, &once);
        assert_eq!(twice.as_ref(), Some(&once), "{profile}");
    }
}

#[test]
fn nesting_beyond_the_limit_is_not_modelled() {
    let deep = |levels| (0..levels).fold(Value::Null, |inner, _| Value::from(vec![inner]));
    let any = serde_json::json!({"type": "object"});
    for profile in HostProfile::ALL {
        let converted = |levels| {
            let args = serde_json::json!({ "x": deep(levels) });
            convert(profile, SchemaOrigin::Json, &any, &args).is_some()
        };
        assert!(converted(126), "{profile}");
        assert!(!converted(127), "{profile}");
    }
}

fn mismatch(profile: HostProfile, declared: &Declared, row: &[Value]) -> Option<String> {
    let origin = match declared.origin.as_str() {
        "typebox" => SchemaOrigin::TypeBox,
        _ => SchemaOrigin::Json,
    };
    let args = row.first()?;
    let ours = convert(profile, origin, &declared.schema, args);
    let agrees = match (&ours, row.get(1)) {
        (Some(ours), Some(host)) => is_same(ours, host),
        (None, None) => true,
        _ => false,
    };
    let text = |value: Option<&Value>| value.map_or("rejection".to_owned(), ToString::to_string);
    (!agrees).then(|| {
        let (host, ours) = (text(row.get(1)), text(ours.as_ref()));
        format!("{profile} {} {args}: host {host}, model {ours}", declared.id)
    })
}

/// Equality with numbers compared as JavaScript does.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| is_same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, l)| right.get(key).is_some_and(|r| is_same(l, r)))
        }
        _ => left == right,
    }
}

fn assert_none(mismatches: &[String]) {
    let shown = mismatches.iter().take(SHOWN_MAX).cloned().collect::<Vec<_>>().join("\n");
    assert!(mismatches.is_empty(), "{} mismatches\n{shown}", mismatches.len());
}

fn lines<Row: for<'a> Deserialize<'a>>(stem: &str) -> Vec<Row> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/host");
    let file = folder.join(format!("{stem}.jsonl"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{stem}: {error}"));
    let row = |(index, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{stem} line {index}: {error}"))
    };
    text.lines().enumerate().map(row).collect()
}
