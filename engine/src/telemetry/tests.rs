//! Examples of records, logs and pages.

use serde_json::json;

use super::*;
use crate::{Context, Policy, Registry, Tool, ToolSpec};

const CANARY: &str = "cn4ry-7c1e";

fn registry() -> Registry {
    let schema = json!({
        "type": "object",
        "required": ["path"],
        "properties": {
            "path": {"type": "string"},
            "limit": {"type": "number"},
            "tags": {"type": "object", "additionalProperties": {"type": "array"}}
        }
    });
    let tool = Tool::compile(ToolSpec { name: "read".into(), schema, ..ToolSpec::default() });
    Registry::new([tool.expect("compiles")]).expect("one tool")
}

fn facts(model: &str) -> Facts<'_> {
    Facts { time: 20_000 * 86_400_000, model: Some(model), profile: Policy::Adaptive }
}

fn line_of(name: &str, args: &serde_json::Value) -> String {
    let registry = registry();
    let call = registry.repair_call(name, args, &Context::default());
    Recorder::default().call(&registry, &call, facts("glm-4.6")).to_line()
}

fn read(log: &[u8]) -> (Vec<Record>, Skipped) {
    let mut records = Vec::new();
    let mut reader = LogReader::default();
    reader.push(log, &mut |record| records.push(record));
    let skipped = reader.finish(&mut |record| records.push(record));
    (records, skipped)
}

#[test]
fn records_say_what_happened_and_no_value() {
    let line = line_of("READ", &json!({"path": CANARY, "limit": null}));
    assert!(line.contains(r#""outcome":"repaired""#), "{line}");
    assert!(line.contains(r#""rules":["name.fold-case","schema.drop-null"]"#), "{line}");
    assert!(line.contains(r#""places":["/limit"]"#), "{line}");
    for (name, args) in [
        ("read", json!({"path": CANARY})),
        ("read", json!({"path": CANARY, "limit": null})),
        ("read", json!({"path": [CANARY, CANARY]})),
        ("read", json!({"path": "x", CANARY: 1, "tags": {CANARY: "x,y"}})),
        ("read", json!({"path": "x", "tags": {CANARY: {CANARY: 1}}})),
        (CANARY, json!({CANARY: CANARY})),
        (&format!("functions.{CANARY}"), json!({})),
        (&format!("read{CANARY}"), json!({"path": CANARY})),
        (CANARY, json!(CANARY)),
    ] {
        let line = line_of(name, &args);
        assert!(!line.contains("cn4ry") && !line.contains("7c1e"), "{line}");
        let (records, skipped) = read(line.as_bytes());
        assert_eq!((records.len(), skipped.total()), (1, 0), "{line}");
        assert_eq!(records[0].to_line(), line);
    }
    let one = line_of(CANARY, &json!({}));
    assert!(one.contains(r#""tool":"unknown""#), "{one}");
    assert_eq!(one, line_of("another", &json!({})), "the fingerprint must not tell names apart");
}

#[test]
fn refusals_say_where_and_fingerprints_what_kind() {
    let kind = |name: &str, args: serde_json::Value| {
        let line = line_of(name, &args);
        let record: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        record["fingerprint"].as_str().map(str::to_owned).expect("a fingerprint")
    };
    let line = line_of("read", &json!({"path": {"a": 1}, "limit": {"a": 1}}));
    assert!(line.contains(r#""outcome":"unrepairable""#), "{line}");
    assert!(line.contains(r#""places":["/path","/limit"]"#), "{line}");
    let root = line_of("read", &json!(5));
    assert!(root.contains(r#""outcome":"unrepairable""#) && !root.contains("places"), "{root}");
    let kinds = [
        ("read", json!({"path": "a", "limit": null}), json!({"path": "b", "limit": null})),
        ("READ", json!({"path": "a", "limit": null}), json!({"path": "b", "limit": null})),
        ("read", json!({"path": "a", "tags": null}), json!({"path": "b", "tags": null})),
        ("read", json!({"path": {"a": 1}}), json!({"path": {"a": 1}})),
        ("read", json!({"path": "a", "limit": {"a": 1}}), json!({"path": "a", "limit": {"a": 1}})),
        (CANARY, json!({}), json!({})),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (name, one, other) in kinds {
        let one = kind(name, one);
        assert_eq!(one, kind(name, other), "{name}");
        assert!(seen.insert(one), "{name}");
    }
}

#[test]
fn lists_of_a_record_are_short_and_hold_nothing_twice() {
    let names: Vec<String> = (10..40).map(|n| format!("f{n}")).collect();
    let field = |value: &serde_json::Value| {
        let members = names.iter().map(|name| (name.clone(), value.clone()));
        serde_json::Value::Object(members.collect())
    };
    let schema = json!({"type": "object", "properties": field(&json!({"type": "number"}))});
    let tool = Tool::compile(ToolSpec { name: "many".into(), schema, ..ToolSpec::default() });
    let registry = Registry::new([tool.expect("compiles")]).expect("one tool");
    let args = field(&json!(null));
    let call = registry.repair_call("many", &args, &Context::default());
    let record = Recorder::default().call(&registry, &call, facts("glm-4.6")).to_json();
    assert_eq!(record["rules"], json!(["schema.drop-null"]));
    assert_eq!(record["places"].as_array().map(Vec::len), Some(16));
}

#[test]
fn planted_steps_are_the_ones_that_run() {
    let tables = tables::Tables {
        name_registered: |_, sent| sent.to_owned(),
        count: |tally, _, times| tally.fine += times,
        ..tables::Tables::default()
    };
    let (registry, args) = (registry(), json!({}));
    let call = registry.repair_call(CANARY, &args, &Context::default());
    let record = Recorder::planted(tables).call(&registry, &call, facts("glm-4.6"));
    assert_eq!(record.to_json()["tool"], CANARY);
    let mut stats = Stats::planted(tables);
    stats.add(&record);
    assert_eq!((stats.all().fine, stats.all().refused), (1, 0));
}

#[test]
fn leaks_and_notes_are_recorded_by_id() {
    let (registry, recorder) = (registry(), Recorder::default());
    for (tool, named) in [(Some("read"), "read"), (Some(CANARY), "unknown")] {
        let leak = LeakFacts { family: "dsml", action: "stripped", reason: None, tool };
        let record = recorder.leak(&registry, leak, facts(CANARY)).to_json();
        assert_eq!(record["tool"], named);
        assert_eq!(record["family"], "dsml");
        assert_eq!(record["model"], "other");
    }
    let record = recorder.advice("overflow", facts("glm-4.6")).times(3).to_json();
    assert_eq!((&record["class"], &record["count"]), (&json!("overflow"), &json!(3)));
}

#[test]
fn older_lines_are_read_and_newer_and_foreign_ones_counted() {
    let older = r#"{"ts":"2024-10-04T00:00:00.000Z","tool":"read","model":"zai/glm-4.6","outcome":"recovered","rules":["grammarRecovery:dsml"],"grammar":"dsml","issues":"path: x"}"#;
    let log =
        format!("{older}\n{{\"v\":2,\"time\":1}}\n\nhello\n[1]\n{{\"v\":1}}\n\u{0}\u{0}{older}");
    let (records, skipped) = read(log.as_bytes());
    assert_eq!(records.len(), 2);
    let json = records[0].to_json();
    assert_eq!((&json["outcome"], &json["model"]), (&json!("promoted"), &json!("glm-4.6")));
    assert_eq!((records[0].outcome(), records[0].time()), ("promoted", 20_000 * 86_400_000));
    assert_eq!(skipped, Skipped { torn: 0, foreign: 3, newer: 1 });
    assert_eq!(skipped.explained().len(), 2);
}

#[test]
fn rotation_keeps_whole_lines_and_drops_the_oldest() {
    let log = b"one\ntwo\nthree\n";
    let rotation = |bytes_kept| Rotation { bytes_max: 5, bytes_kept };
    let kept = |bytes_kept| rotate(log, rotation(bytes_kept)).and_then(|from| log.get(from..));
    assert_eq!(kept(14), None);
    assert_eq!(kept(13), Some(&b"two\nthree\n"[..]));
    assert_eq!(kept(10), Some(&b"two\nthree\n"[..]));
    assert_eq!(kept(9), Some(&b"three\n"[..]));
    assert_eq!(kept(1), Some(&b"three\n"[..]));
    assert_eq!(rotate(b"only one line", rotation(2)), None);
    assert_eq!(rotate(b"", rotation(0)), None);
}

#[test]
fn pages_fit_their_width() {
    let mut stats = Stats::default();
    let (registry, recorder) = (registry(), Recorder::default());
    for n in 0..40_u64 {
        let facts = Facts { time: (20_000 + n) * 86_400_000, ..facts("glm-4.6") };
        for args in [json!({"path": "x", "limit": null}), json!({"path": 1, "tags": {"a": 1}})] {
            let call = registry.repair_call("read", &args, &Context::default());
            stats.add(&recorder.call(&registry, &call, facts).times(n.pow(12).max(1)));
        }
    }
    for width in [0, 40, 41, 60, 80, 120, 4000] {
        let page = stats.text(&[], width, &Look::PLAIN);
        let widest = page.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        assert!(widest <= width.clamp(40, 120), "{width}: {widest}\n{page}");
    }
    let page = stats.text(&[By::Day], 80, &Look::PLAIN);
    assert_eq!(page.lines().filter(|line| line.contains("2024-1")).count(), 41, "{page}");
}

/// The counts of records, each a tool, an outcome and how often; a day apart.
fn counted(rows: &[(&str, &str, u64)]) -> Stats {
    let mut stats = Stats::default();
    for (day, (tool, outcome, count)) in (20_000..).zip(rows) {
        let mut record = Record::new(day * 86_400_000, Channel::Tool, outcome);
        record.tool = Some((*tool).to_owned());
        if *outcome == "repaired" {
            record.rules.push("schema.drop-null".to_owned());
        }
        stats.add(&record.times(*count));
    }
    stats
}

#[test]
fn a_page_shows_what_was_at_fault_with_bars_to_the_same_scale() {
    let rows = [("read", "repaired", 30), ("read", "unrepairable", 10), ("grep", "repaired", 5)];
    let stats = counted(&[&rows[..], &[("ls", "valid", 7)]].concat());
    let page = stats.text(&[By::Outcome, By::Tool, By::Rule], 60, &Look::PLAIN);
    let full = |columns| "█".repeat(columns);
    let wanted = [
        "35 treated, 10 refused, 7 fine".to_owned(),
        "4 records, 2024-10-04 to 2024-10-07".to_owned(),
        "\nBy outcome".to_owned(),
        format!("  repaired      {}  35", full(40)),
        format!("  unrepairable  {}▍{}  10", full(11), " ".repeat(28)),
        "\nBy tool".to_owned(),
        format!("  read  {}  40, 10 refused", full(36)),
        format!("  grep  {}▌{}   5", full(4), " ".repeat(31)),
        "\nBy rule".to_owned(),
        format!("  schema.drop-null  {}  35\n", full(36)),
    ];
    assert_eq!(page, wanted.join("\n"));
    let widest = page.lines().map(|line| line.chars().count()).max();
    assert_eq!(widest, Some(60));
}

#[test]
fn a_page_says_how_much_it_leaves_out() {
    let names: Vec<String> = (10..21).map(|n| format!("tool-{n}")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_str(), "noted", 1)).collect();
    let (all, few) = (counted(&rows), counted(&rows[..10]));
    let page = all.text(&[], 80, &Look { dim: ("<", ">"), ..Look::PLAIN });
    assert!(page.contains("\n<11 records, 2024-10-04 to 2024-10-14>\n"), "{page}");
    assert!(page.contains("\n<  1 more: --by tool>\n"), "{page}");
    assert!(page.contains("tool-19") && !page.contains("tool-20"), "the first tools: {page}");
    assert!(page.contains("10-14  █") && !page.contains("10-04  █"), "the last days: {page}");
    assert!(!page.contains("By class"), "{page}");
    assert!(!few.text(&[], 80, &Look::PLAIN).contains("more"));
    let asked = all.text(&[By::Tool], 80, &Look::PLAIN);
    assert!(asked.contains("tool-20") && !asked.contains("more"), "{asked}");
    assert!(!asked.contains("By day"), "{asked}");
    let one = counted(&[("ls", "valid", 7)]).text(&[], 80, &Look::PLAIN);
    assert_eq!(one, "0 treated, 0 refused, 7 fine\n1 record, 2024-10-04 to 2024-10-04\n");
}

#[test]
fn narrow_pages_cut_names_to_half_and_tell_refusals_where_a_bar_of_ten_is_left() {
    for (name, row) in [
        ("abcdefghijkl", "  abcdefghijkl  ██████████  1, 1 refused"),
        ("abcdefghijklm", "  abcdefghijklm  ████████████████████  1"),
        ("abcdefghijklmnopqrst", "  abcdefghijklmnopqrst  █████████████  1"),
        ("abcdefghijklmnopqrstu", "  abcdefghi…lmnopqrstu  █████████████  1"),
    ] {
        let page = counted(&[(name, "unrepairable", 1)]).text(&[By::Tool], 0, &Look::PLAIN);
        assert_eq!(page.lines().last(), Some(row));
    }
}
