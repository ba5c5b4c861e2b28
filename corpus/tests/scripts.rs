//! Scripts, traces and claims load, agree with each other, and say where they are wrong.

use std::collections::BTreeSet;

use corpus::{Release, SCRIPT_FORMAT, View};

const SCRIPT: &str = r#"{
  "format": 1,
  "says": "s",
  "turns": [
    { "content": [{ "type": "call", "name": "probe", "arguments": null }], "stop": "length" }
  ],
  "actions": [{ "do": "prompt", "text": "go", "during": [{ "at": "P:request", "do": "abort" }] }]
}"#;

#[test]
fn every_script_loads_and_reads_back_with_its_defaults() {
    let scripts = corpus::scripts().unwrap();
    assert!(scripts.len() >= 3);
    for script in scripts {
        let written = serde_json::to_string_pretty(&script).unwrap();
        assert_eq!(corpus::parse_script(&script.name, &written).unwrap(), script);
        assert!(!script.actions.is_empty(), "{} does nothing", script.name);
    }
}

#[test]
fn every_claim_has_a_script_and_every_script_a_claim_or_a_trace() {
    let scripts: BTreeSet<_> = corpus::scripts().unwrap().into_iter().map(|it| it.name).collect();
    for claim in corpus::claims().unwrap() {
        assert!(scripts.contains(&claim.script), "{} has no script {}", claim.name, claim.script);
    }
}

#[test]
fn recorded_traces_are_of_this_format_and_of_their_release() {
    for release in [Release::new(0, 80, 6), Release::new(1, 6, 0)] {
        let traces = corpus::traces(release).unwrap();
        assert!(!traces.is_empty());
        for trace in traces {
            assert_eq!((trace.format, trace.pi), (SCRIPT_FORMAT, release.to_string()));
        }
    }
}

#[test]
fn views_turn_a_trace_into_lines() {
    let traces = corpus::traces(Release::new(0, 80, 6)).unwrap();
    let valid = traces.iter().find(|trace| trace.script == "valid-call").unwrap();
    assert_eq!(valid.view(View::Executed), [r#"probe {"path":"/ok"}"#]);
    assert_eq!(valid.view(View::Results), [r#"probe ok: probe ran {"path":"/ok"}"#]);
    assert_eq!(
        valid.view(View::Requests),
        ["[user]", "[user assistant(toolUse,1call) toolResult(probe)]"]
    );
    assert_eq!(valid.view(View::Sent)[0], "1 user: go");
    assert!(valid.view(View::Events).contains(&"X:tool_call probe".to_owned()));
}

#[test]
fn script_faults_name_line_and_cure() {
    let read = |text: &str| corpus::parse_script("s", text).map_err(|error| error.to_string());
    let script = read(SCRIPT).unwrap();
    assert_eq!((script.name.as_str(), script.turns[0].stop_reason()), ("s", "length"));
    let typo = read(&SCRIPT.replace("\"turns\"", "\"turn\"")).unwrap_err();
    assert!(typo.starts_with("s.json:4: unknown field `turn`"), "{typo}");
    assert!(typo.ends_with("scripts/README.md"), "{typo}");
    let kind = read(&SCRIPT.replace("\"call\"", "\"cal\"")).unwrap_err();
    assert!(kind.starts_with("s.json:5: unknown variant `cal`"), "{kind}");
    let format = read(&SCRIPT.replace("\"format\": 1", "\"format\": 2")).unwrap_err();
    assert_eq!(format, "s.json: format 2 is not known; write 1");
}

#[test]
fn claim_faults_name_line_and_cure() {
    let read = |rest: &str| {
        let head = "says = 's'\nleans = ['x']\nscript = 'valid-call'\n";
        corpus::parse_claim("c", &format!("{head}{rest}")).map_err(|error| error.to_string())
    };
    let view = read("[[seen]]\nsince = '0.80.6'\nresult = {is = []}").unwrap_err();
    assert!(view.contains("unknown variant `result`"), "{view}");
    let release = read("[[seen]]\nsince = '0.80'\nresults = {is = []}").unwrap_err();
    assert!(release.contains("`0.80` is no release; write three numbers"), "{release}");
    let order = "[[seen]]\nsince = '1.0.3'\nresults = {is = []}\n[[seen]]\nsince = '0.80.6'\nresults = {is = []}";
    assert!(read(order).unwrap_err().contains("rows are out of order"));
}

#[test]
fn claims_tell_what_is_missing() {
    let traces = corpus::traces(Release::new(0, 80, 6)).unwrap();
    let valid = traces.iter().find(|trace| trace.script == "valid-call").unwrap();
    let misses = |rows: &str| {
        let text = format!(
            "says = 's'\nleans = ['x']\nscript = 'valid-call'\n[[seen]]\nsince = '0.80.6'\n{rows}"
        );
        let claim = corpus::parse_claim("c", &text).unwrap();
        let misses = claim.check(Release::new(1, 0, 0), valid);
        misses.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(misses("executed = {is = ['probe {\"path\":*}']}"), [""; 0]);
    assert_eq!(misses("events = {has = ['X:tool_call probe', 'T:execute probe']}"), [""; 0]);
    assert_eq!(
        misses("events = {has = ['T:execute probe', 'X:tool_call probe']}"),
        ["events: `X:tool_call probe` is missing, or comes too early"]
    );
    assert_eq!(
        misses("events = {lacks = ['T:execute *']}"),
        ["events: `T:execute probe` should not be there"]
    );
    assert_eq!(
        misses("executed = {is = []}"),
        ["executed: line 1 is `probe {\"path\":\"/ok\"}`, not the end"]
    );
}
