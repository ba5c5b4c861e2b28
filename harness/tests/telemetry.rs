//! A log cut at every byte, and hostile ones at length; mixed logs and rotation are promises of the area `session`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use engine::telemetry::{Facts, LeakFacts, LogReader, Record, Recorder, Skipped, Stats};
use engine::{Context, Policy, Registry, Tool, builtin};
use serde_json::json;

fn registry() -> Registry {
    let spec = |name: &&str| builtin::spec(name, None).expect("reads").expect("is one of pi's");
    let tools = builtin::TOOLS.iter().map(|name| Tool::compile(spec(name)).expect("compiles"));
    Registry::new(tools).expect("distinct names")
}

/// A few records of every channel, each with its own time.
fn records() -> Vec<Record> {
    let (registry, recorder) = (registry(), Recorder::default());
    let facts = |time| Facts { time, model: Some("zai/glm-4.6"), profile: Policy::Adaptive };
    let calls = [
        ("Read", json!({"file_path": "/x", "limit": null})),
        ("edit", json!({"path": "/x", "edits": "[]"})),
        ("bash", json!({"cmd": 1})),
        ("nothing", json!({})),
    ];
    let mut records: Vec<Record> = calls
        .iter()
        .zip(1..)
        .map(|((name, args), time)| {
            let call = registry.repair_call(name, args, &Context::default());
            recorder.call(&registry, &call, facts(time))
        })
        .collect();
    let tool = Some("read");
    let leak = LeakFacts { family: "dsml", action: "stripped", reason: Some("unknown-tool"), tool };
    records.push(recorder.leak(&registry, leak, facts(5)));
    records.push(recorder.advice("overflow", facts(6)).times(3));
    records
}

fn read_in(log: &[u8], chunk: usize) -> (Vec<Record>, Skipped) {
    let mut records = Vec::new();
    let mut reader = LogReader::default();
    for part in log.chunks(chunk) {
        reader.push(part, &mut |record| records.push(record));
    }
    let skipped = reader.finish(&mut |record| records.push(record));
    (records, skipped)
}

fn lines(records: &[Record]) -> Vec<String> {
    records.iter().map(Record::to_line).collect()
}

#[test]
fn a_log_cut_at_every_byte_keeps_every_whole_record() {
    let lines = lines(&records());
    let log = lines.concat().into_bytes();
    for end in 0..=log.len() {
        let (kept, skipped) = read_in(&log[..end], 7 + end % 91);
        let (mut whole, mut at) = (0, 0);
        for line in &lines {
            at += line.len();
            // A record is whole without its line end.
            whole += usize::from(at - 1 <= end);
        }
        assert_eq!(kept.len(), whole, "cut at {end}");
        assert!(kept.iter().zip(&lines).all(|(record, line)| record.to_line() == *line));
        assert!(skipped.torn <= 1 && skipped.foreign == 0 && skipped.newer == 0, "cut at {end}");
    }
}

#[test]
fn what_is_appended_behind_a_cut_is_not_lost() {
    let lines = lines(&records());
    let (head, tail) = (lines[..3].concat(), lines[3..].concat());
    for end in 0..head.len() {
        let log = [&head.as_bytes()[..end], tail.as_bytes()].concat();
        let (kept, _) = read_in(&log, 64);
        let whole = head.as_bytes()[..end]
            .split(|byte| *byte == b'\n')
            .filter(|line| line.ends_with(b"}"))
            .count();
        assert_eq!(kept.len(), whole + 3, "cut at {end}");
    }
}

#[test]
fn hostile_logs_are_read_in_linear_time_and_bounded_memory() {
    let time = |unit: &str, bytes: usize| {
        let log = unit.repeat(bytes / unit.len());
        let start = std::time::Instant::now();
        let (_, skipped) = read_in(log.as_bytes(), 65_536);
        assert!(skipped.total() > 0, "{unit}");
        start.elapsed().as_secs_f64()
    };
    for unit in
        ["{\"v\":", "{\"ts\":", "{", "x", "{\"v\":1}", "[", "\"", "{\"v\":1,\"time\":1\n", "{}"]
    {
        let (small, large) = (time(unit, 1 << 18).max(0.002), time(unit, 1 << 20));
        assert!(large < small * 16.0 + 0.5, "{unit}: {small} s, then {large} s");
    }
}

#[test]
fn names_in_a_log_are_counted_in_bounded_memory() {
    let mut stats = Stats::default();
    let mut log = String::new();
    for n in 0..5_000 {
        let tail = r#""channel":"tool","outcome":"x"}"#;
        let _ = writeln!(log, r#"{{"v":1,"time":1,"tool":"t{n}",{tail}"#);
    }
    for record in read_in(log.as_bytes(), 4096).0 {
        stats.add(&record);
    }
    let tools = stats.of(engine::telemetry::By::Tool);
    assert!(tools.len() <= 2_001, "{}", tools.len());
    assert_eq!(tools.iter().map(|(_, tally)| tally.faults()).sum::<u64>(), 5_000);
}

/// The page on which the form of a record stands, and the examples on it.
fn page() -> (String, String) {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../extension/docs/operations.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let examples = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    let examples = examples.expect("examples").to_owned();
    (page, examples)
}

#[test]
fn the_documented_records_are_read_and_written_as_they_stand_there() {
    let (_, examples) = page();
    let (read, skipped) = read_in(examples.as_bytes(), 64);
    assert_eq!(skipped.total(), 0);
    assert_eq!(lines(&read).concat(), examples);
    let channels: Vec<&str> = read.iter().map(|record| record.channel().name()).collect();
    assert_eq!(channels, ["tool", "message", "advisor", "tool"]);
}

#[test]
fn every_member_and_outcome_of_a_record_is_documented() {
    let (page, examples) = page();
    let written = lines(&records()).concat() + &examples;
    for line in written.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for name in record.as_object().expect("an object").keys() {
            assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
        }
        let outcome = record["outcome"].as_str().expect("an outcome");
        let row = page.lines().find(|line| line.starts_with("| `outcome` | ")).expect("a row");
        assert!(row.contains(&format!("`{outcome}`")), "{outcome}");
    }
}

/// Runs `pi-repair stats -` on a log; its status, output and errors.
fn stats_of(log: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pi-repair"))
        .args(["stats", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    child.stdin.take().expect("a pipe").write_all(log.as_bytes()).expect("is read");
    let output = child.wait_with_output().expect("ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_tells_no_record_from_no_line() {
    let (_, examples) = page();
    let (status, out, _) = stats_of(examples.lines().next().expect("a line"));
    assert_eq!(status, Some(0));
    assert!(out.contains("1 record, "), "{out}");
    let (status, out, _) = stats_of(&examples);
    assert!(status == Some(0) && out.contains("3 treated, 0 refused, 41 fine"), "{out}");
    assert_eq!(stats_of("").0, Some(0));
    let (status, _, errors) = stats_of("no record\n");
    assert_eq!(status, Some(2));
    assert!(errors.contains("standard input: holds no record"), "{errors}");
}
