//! The played loop: every claim about pi holds on it, and it tells what the real pi was seen to do.

use std::collections::BTreeSet;
use std::rc::Rc;

use corpus::{Claim, Release, Script, Trace};
use harness::sim::generate::{self, Flavour};
use harness::sim::{Extension, GENERATIONS, compare, masked, play, play_with, without_words};
use harness::source::Seeded;
use serde_json::{Value, json};

/// Scripts that need more than the loop, and why that is so. Their claims are checked on recorded traces.
const UNPLAYABLE: &[(&str, &str)] = &[
    ("builtin-definitions", "asks the installed package about its definitions"),
    ("codemode-call", "runs JavaScript"),
    ("codemode-tools", "asks the installed package for its tools"),
    ("default-tools", "asks the installed package for its tools"),
    ("error-classes", "asks about providers the loop does not have"),
    ("exports", "asks the installed package for its exports"),
    ("overflow-patterns", "asks the installed package for its patterns"),
];

fn scripts() -> Vec<Script> {
    corpus::scripts().expect("scripts")
}

fn script(name: &str) -> Script {
    scripts().into_iter().find(|script| script.name == name).expect("a script of that name")
}

/// The trace of a script on one release: played, or recorded from the real pi where it cannot be played.
fn shown(script: &Script, release: Release, recorded: &[Trace]) -> Option<Trace> {
    let of = |trace: &&Trace| trace.script == script.name;
    play(script, release).ok().or_else(|| recorded.iter().find(of).cloned())
}

#[test]
fn every_claim_holds_on_the_played_loop_for_every_generation() {
    let scripts = scripts();
    let claims = corpus::claims().expect("claims");
    let mut misses = Vec::new();
    for release in GENERATIONS {
        let recorded = corpus::traces(*release).expect("traces");
        for claim in claims.iter().filter(|claim| claim.row(*release).is_some()) {
            let script = scripts.iter().find(|script| script.name == claim.script);
            let script = script.unwrap_or_else(|| panic!("no script `{}`", claim.script));
            let Some(trace) = shown(script, *release, &recorded) else {
                misses.push(format!("{} on {release}: neither played nor recorded", claim.name));
                continue;
            };
            let (claim, trace) = worded(claim, trace);
            for miss in claim.check(*release, &trace) {
                misses.push(format!("{} on {release}: {miss}\n  got {:#?}", claim.name, miss.got));
            }
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn what_was_seen_of_pi_before_is_shown_by_the_scripts() {
    let scripts = scripts();
    let observations = corpus::observations().expect("observations");
    let mut misses = Vec::new();
    let mut releases = BTreeSet::new();
    for release in GENERATIONS {
        let recorded = corpus::traces(*release).expect("traces");
        for it in observations.iter().filter(|it| it.pi.contains(release)) {
            releases.insert(*release);
            let script = scripts.iter().find(|script| script.name == it.script);
            let script = script.unwrap_or_else(|| panic!("no script `{}`", it.script));
            let trace = shown(script, *release, &recorded).expect("played or recorded");
            for miss in it.check(&trace) {
                misses.push(format!("{} on {release}: {miss}", it.observed));
            }
        }
    }
    assert_eq!(releases.len(), GENERATIONS.len());
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

/// Claims whose lines quote the JSON reader of Node; those words are left out on both sides.
const WORDED: &[&str] = &["wire-texts-stand-anthropic", "wire-texts-stand-openai"];

fn worded(claim: &Claim, mut trace: Trace) -> (Claim, Trace) {
    let mut claim = claim.clone();
    if !WORDED.contains(&claim.name.as_str()) {
        return (claim, trace);
    }
    trace.transcript = trace.transcript.iter().map(masked).collect();
    for row in &mut claim.seen {
        for lines in row.expect.values_mut() {
            let all = lines.is.iter_mut().flatten().chain(&mut lines.has);
            all.for_each(|line| *line = without_error_words(line));
        }
    }
    (claim, trace)
}

fn without_error_words(line: &str) -> String {
    match line.split_once(" error: ") {
        Some((tool, error)) => format!("{tool} error: {}", without_words(error)),
        None => line.to_owned(),
    }
}

#[test]
fn what_cannot_be_played_is_listed_with_a_reason() {
    let listed: BTreeSet<String> = UNPLAYABLE.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut found = BTreeSet::new();
    for script in scripts() {
        if GENERATIONS.iter().any(|release| play(&script, *release).is_err()) {
            found.insert(script.name);
        }
    }
    assert_eq!(found, listed);
}

#[test]
fn recorded_traces_of_the_real_pi_are_told_again() {
    let mut compared = 0;
    for release in GENERATIONS {
        for real in corpus::traces(*release).expect("traces") {
            let script = script(&real.script);
            let Ok(played) = play(&script, *release) else { continue };
            compared += 1;
            if let Some(difference) = compare(&played, &real) {
                panic!("{} on {release}, played, then recorded: {difference}", script.name);
            }
        }
    }
    assert!(compared > 40, "only {compared} traces");
}

#[test]
fn equal_scripts_give_equal_traces_also_when_generated() {
    for case in 0..60 {
        let mut source = Seeded::new(11, case);
        let made = generate::script(&mut source, "made", Flavour::Hostile).expect("a script");
        for release in GENERATIONS {
            let twice = [play(&made, *release), play(&made, *release)];
            assert_eq!(twice[0], twice[1], "case {case} on {release}");
        }
    }
}

/// Mends one tool's arguments, and marks its results.
struct Mender;

impl Extension for Mender {
    fn at(&self, name: &str, event: &mut Value) -> Result<Option<Value>, String> {
        if name == "tool_result" {
            event["content"][0]["text"] = json!("marked");
        }
        Ok(None)
    }

    fn prepares(&self, tool: &str) -> bool {
        tool == "probe"
    }

    fn prepare(&self, _tool: &str, args: &mut Value) -> Result<Option<Value>, String> {
        Ok(Some(json!({"path": args["file_path"]})))
    }
}

#[test]
fn an_extension_plugs_in_where_one_plugs_into_pi() {
    let mut script = script("valid-call");
    script.turns[0].content = vec![corpus::Block::Call {
        name: "probe".to_owned(),
        arguments: json!({"file_path": "/mended"}),
        id: None,
        raw: None,
        arguments_error: None,
    }];
    for release in GENERATIONS {
        let trace: Trace =
            play_with(&script, *release, Some(Rc::new(Mender))).expect("a playable script");
        assert_eq!(trace.view(corpus::View::Executed), [r#"probe {"path":"/mended"}"#]);
        assert_eq!(trace.view(corpus::View::Results), ["probe ok: marked"]);
    }
}
