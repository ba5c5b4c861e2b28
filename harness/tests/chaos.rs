//! Stored failures through the whole loop, on every generation of the host, with the engine plugged in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use corpus::{Area, Case, CaseInput, Expect, Release, Script, Trace, View};
use engine::lifecycle::NOTE_OPEN;
use engine::same_value;
use harness::sim::chaos::{Plan, executed, plans};
use harness::sim::generate::{self, Flavour};
use harness::sim::{GENERATIONS, Reference, play, play_with};
use harness::source::Seeded;
use serde_json::{Value, json};

fn all_plans() -> Vec<Plan> {
    let areas = [Area::Arguments, Area::ToolNames, Area::Leaks];
    let cases: Vec<Case> =
        areas.iter().flat_map(|area| corpus::cases(*area).expect("cases")).collect();
    plans(&cases).expect("scripts")
}

fn repaired(script: &Script, release: Release, provider: Option<&str>) -> Trace {
    let engine = Reference::new(script, release).expect("tools that compile");
    let engine = Rc::new(engine.with_provider(provider));
    play_with(script, release, Some(engine)).expect("a playable script")
}

#[test]
fn the_stored_scripts_are_those_the_cases_make() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/scripts");
    let mut made = BTreeSet::new();
    for plan in all_plans() {
        let file = folder.join(format!("{}.json", plan.script.name));
        let stored = fs::read_to_string(&file).unwrap_or_default();
        let page: Value = serde_json::from_str(&stored).unwrap_or_default();
        assert!(page == plan.page, "{}: run `cargo run -p drift -- chaos`", plan.script.name);
        made.insert(plan.script.name);
    }
    let stored = corpus::scripts().expect("scripts").into_iter().map(|script| script.name);
    let stored: BTreeSet<String> = stored.filter(|name| name.starts_with("chaos-")).collect();
    assert_eq!(stored, made);
}

/// The calls a careful user would accept for a case; none is always accepted.
fn wanted(case: &Case) -> Vec<Vec<Value>> {
    let call = |args: &Value| vec![json!({"name": case.tool, "arguments": args})];
    let given = match &case.input {
        CaseInput::Value(value) => Some(value.clone()),
        CaseInput::Raw(text) | CaseInput::Text(text) => serde_json::from_str(text).ok(),
    };
    let of = |expect: Expect, value: Option<&Value>| -> Option<Vec<Value>> {
        match (case.area, expect) {
            (Area::Leaks, Expect::Recover) => value?["calls"].as_array().cloned(),
            (Area::Arguments, Expect::Valid | Expect::Repaired) => Some(call(value?)),
            (Area::ToolNames, Expect::Valid | Expect::Repaired) => Some(vec![value?.clone()]),
            _ => None,
        }
    };
    let expected = case.expected_value.as_ref();
    let own = if case.expect == Expect::Valid { expected.or(given.as_ref()) } else { expected };
    let accepted = case.accept.iter().filter_map(|accept| match accept {
        Expect::Valid => of(*accept, given.as_ref()),
        _ => of(*accept, case.accept_value.as_ref().or(expected)),
    });
    of(case.expect, own).into_iter().chain(accepted).collect()
}

/// Whether what ran is what was wanted; native calls beside a leak are the model's own.
fn is_wanted(case: &Case, ran: &[Value]) -> bool {
    let native = usize::try_from(case.context.native_calls()).unwrap_or(0);
    let ran = &ran[native.min(ran.len())..];
    let same = |calls: &Vec<Value>| {
        calls.len() == ran.len() && calls.iter().zip(ran).all(|(one, other)| same_value(one, other))
    };
    ran.is_empty() || wanted(case).iter().any(same)
}

/// What no extension can prevent: the first release on which it cannot happen any more, why it
/// happens, and the cases.
const BEYOND_REACH: &[(Release, &str, &[&str])] = &[
    (
        Release::new(0, 85, 0),
        "a null that the schema allows is bent after the last hook",
        &["null-nullable-schema"],
    ),
    (
        Release::new(1, 3, 0),
        "what can be read of a broken text runs, and no hook sees that there was more",
        &[
            "env-colon-in-array",
            "env-comment-prose",
            "env-concat-different",
            "env-literal-backslash-n",
            "env-missing-quote-parens",
            "env-truncated-goose-shell",
            "env-truncated-hidden-length",
            "env-truncated-vllm-local",
            "env-unbalanced-nesting",
        ],
    ),
    (
        Release::new(u32::MAX, 0, 0),
        "of two equal keys the last one wins before any hook",
        &["env-duplicate-keys"],
    ),
];

/// Every script with the engine plugged in, on every generation.
static MENDED: LazyLock<Vec<(Release, Plan, Trace)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for release in GENERATIONS {
        for plan in all_plans() {
            let trace = repaired(&plan.script, *release, plan.provider.as_deref());
            all.push((*release, plan, trace));
        }
    }
    all
});

#[test]
fn nothing_runs_that_nobody_wanted_and_most_of_what_was_wanted_does() {
    for release in GENERATIONS {
        let (mut wrong, mut ran, mut all) = (BTreeMap::new(), 0, 0);
        for (_, plan, trace) in MENDED.iter().filter(|(on, ..)| on == release) {
            let prompts = executed(trace);
            assert_eq!(prompts.len(), plan.cases.len(), "{}", plan.script.name);
            for (case, calls) in plan.cases.iter().zip(prompts) {
                let wants = !wanted(case).is_empty();
                all += usize::from(wants);
                ran += usize::from(wants && !calls.is_empty());
                if !is_wanted(case, &calls) {
                    wrong.insert(case.id.as_str(), calls);
                }
            }
        }
        let rows = BEYOND_REACH.iter().filter(|(until, ..)| release < until);
        let known: BTreeSet<&str> = rows.flat_map(|(_, _, cases)| cases.iter().copied()).collect();
        let found: BTreeSet<&str> = wrong.keys().copied().collect();
        assert_eq!(found, known, "{release}: {wrong:#?}");
        assert!(ran * 100 >= all * 86, "{release}: {ran} of {all} ran");
    }
}

/// The notes that each prompt's results begin with; a note elsewhere is a fault.
fn notes(trace: &Trace) -> Vec<usize> {
    let mut prompts = Vec::new();
    for message in &trace.transcript {
        if message["role"] == "user" {
            prompts.push(0);
        }
        let blocks = message["content"].as_array().into_iter().flatten();
        for (place, block) in blocks.enumerate() {
            let text = block["text"].as_str().unwrap_or_default();
            let count = text.matches(NOTE_OPEN).count();
            let stands = message["role"] == "toolResult" && message["isError"] == false;
            assert!(count == 0 || (count == 1 && place == 0 && stands), "{message}");
            if let Some(last) = prompts.last_mut() {
                *last += count;
            }
        }
    }
    prompts
}

#[test]
fn every_repaired_call_has_one_note_and_no_other_has_one() {
    let mut noted = 0;
    for (release, plan, mended) in MENDED.iter() {
        let bare = play(&plan.script, *release).expect("a playable script");
        assert_eq!(notes(&bare).iter().sum::<usize>(), 0);
        let rows = plan.cases.iter().zip(executed(mended)).zip(executed(&bare)).zip(notes(mended));
        for (((case, calls), alone), notes) in rows {
            let differs = calls.iter().filter(|call| !alone.contains(call)).count();
            // What the host would have made the same of may have been repaired all the same.
            let fits = (differs..=calls.len()).contains(&notes);
            assert!(fits, "{} on {release}: {notes} notes for {calls:?}", case.id);
            noted += notes;
        }
    }
    assert!(noted > 240, "{noted} notes");
}

#[test]
fn an_orderly_script_is_played_alike_with_and_without_the_engine() {
    let mut played = 0;
    for number in 0..40 {
        let made = generate::script(&mut Seeded::new(23, number), "made", Flavour::WellFormed);
        let made = made.expect("a script");
        for release in GENERATIONS {
            let Ok(bare) = play(&made, *release) else { continue };
            // A failed request is what an advisor speaks of.
            if bare.view(View::Events).iter().any(|label| label.contains("assistant(error")) {
                continue;
            }
            assert_eq!(repaired(&made, *release, None), bare, "case {number} on {release}");
            played += 1;
        }
    }
    assert!(played > 100, "only {played}");
}
