//! Holds the engine to the real failures and to the peer's outcomes, as they are stored.

use std::process::Command;

use corpus::Area;
use engine::host::HostProfile;
use harness::compare::{LEDGER, compare};
use harness::score::{Score, Verdict, score};

fn scored(area: Area, host: Option<HostProfile>) -> Score {
    let cases = corpus::cases(area).unwrap_or_else(|error| panic!("{error}"));
    score(&cases, host).unwrap_or_else(|error| panic!("{error}"))
}

fn check(area: Area, cases: usize, accepted_min: usize) {
    for host in [Some(HostProfile::Pi15), Some(HostProfile::Pi085), Some(HostProfile::Pi080), None]
    {
        let score = scored(area, host);
        let wrong: Vec<_> = score.cases.iter().filter(|c| c.verdict == Verdict::Wrong).collect();
        assert!(wrong.is_empty(), "{host:?}: {wrong:#?}");
        assert_eq!(score.cases.len(), cases);
        let accepted = score.of(Verdict::Right) + score.of(Verdict::Allowed);
        assert!(accepted >= accepted_min, "{host:?}: {accepted} of {cases}");
    }
}

#[test]
fn no_real_argument_is_wrong_and_few_are_refused() {
    check(Area::Arguments, 73, 70);
}

#[test]
fn every_real_tool_name_is_answered_right() {
    check(Area::ToolNames, 8, 8);
}

#[test]
fn no_real_leak_runs_or_goes_that_should_not() {
    check(Area::Leaks, 29, 27);
}

#[test]
fn every_real_provider_error_is_classed_right() {
    check(Area::ProviderErrors, 23, 23);
}

#[test]
fn scores_have_the_published_shape() {
    let json = scored(Area::ToolNames, Some(HostProfile::Pi15)).to_json();
    let counts = serde_json::json!({"right": 8, "allowed": 0, "refused": 0, "wrong": 0});
    assert_eq!(json["areas"]["tool-names"], counts);
    assert_eq!(json["cases"][0]["verdict"], "right");
    let got = serde_json::json!({
        "outcome": "valid",
        "args": {"path": "a.md"},
        "name": "read",
    });
    assert_eq!(json["cases"][0]["got"], got);
}

#[test]
fn every_difference_to_the_peer_has_its_reason() {
    let outcomes = corpus::outcomes().unwrap_or_else(|error| panic!("{error}"));
    let tools = corpus::tools().unwrap_or_else(|error| panic!("{error}"));
    let comparison = compare(&outcomes, &tools).unwrap_or_else(|error| panic!("{error}"));
    let open = &comparison.unexplained;
    assert!(open.is_empty(), "{} unexplained, first: {:#?}", open.len(), open.first());
    let deliberate: usize = comparison.deliberate.values().sum();
    assert_eq!(comparison.same + deliberate, outcomes.len());
    for row in LEDGER {
        let count = comparison.deliberate.get(row.id).copied().unwrap_or_default();
        assert!(count > 0, "`{}` explains nothing", row.id);
        assert!(!(row.peer_rules.is_empty() && row.malformations.is_empty()), "`{}`", row.id);
    }
    assert!(LEDGER.len() <= 20);
}

/// Scores one made-up call to pi's `read`.
fn verdict(input: &str, expectation: &str) -> Verdict {
    let schema = r#"{"type":"object","required":["path"],"properties":{"path":{"type":"string"},"offset":{"type":"number"},"limit":{"type":"number"}}}"#;
    let line = format!(
        r#"{{"id":"x","area":"arguments","tool":"read","schema":{schema},{input},{expectation}}}"#
    );
    let cases = corpus::parse_cases("made.jsonl", &line).unwrap_or_else(|error| panic!("{error}"));
    let score = score(&cases, Some(HostProfile::Pi15)).unwrap_or_else(|error| panic!("{error}"));
    score.cases[0].verdict
}

#[test]
fn verdicts_follow_the_published_rules() {
    let whole = r#""input_kind":"raw","input":"{\"path\": \"/x\"}""#;
    let cut = r#""input_kind":"raw","input":"{\"path\": \"/x""#;
    let spelled = r#""input_kind":"value","input":{"path":"/x","limit":"5"}"#;
    let valid = r#""expect":"valid""#;
    let none = r#""expect":"unrepairable""#;
    let repaired = r#""expect":"repaired","expected_value":{"path":"/x","limit":5.0}"#;
    assert_eq!(verdict(whole, valid), Verdict::Right);
    assert_eq!(verdict(whole, none), Verdict::Wrong);
    assert_eq!(verdict(whole, &format!(r#"{none},"accept":["valid"]"#)), Verdict::Allowed);
    assert_eq!(verdict(cut, none), Verdict::Right);
    assert_eq!(verdict(cut, valid), Verdict::Refused);
    assert_eq!(verdict(cut, &format!(r#"{repaired},"accept":["unrepairable"]"#)), Verdict::Allowed);
    assert_eq!(verdict(spelled, repaired), Verdict::Right);
    assert_eq!(verdict(spelled, none), Verdict::Wrong);
    let other = r#""expect":"repaired","expected_value":{"path":"/y","limit":5}"#;
    assert_eq!(verdict(spelled, other), Verdict::Wrong);
}

/// Runs the command; its exit status, output and errors.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pi-repair"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/data"))
        .output()
        .unwrap_or_else(|error| panic!("{error}"));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_says_how_it_went_by_its_status() {
    let (status, out, _) = run(&["score", "cases/arguments.jsonl", "cases/tool-names.jsonl"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("tool-names") && !out.contains('\u{1b}'), "{out}");
    let (status, out, errors) = run(&["score", "differential/outcomes.jsonl"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(errors.contains("outcomes.jsonl:1:"), "{errors}");
    let (status, out, _) = run(&["explain", "--tool", "read", "--json", r#"{"file":"/x"}"#]);
    assert_eq!(status, Some(0));
    let told: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
    assert_eq!(told["steps"][0]["rule"], "preprocess.rename-alias");
}
