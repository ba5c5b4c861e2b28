//! Every malformation applies, does what it says, and composes.

use super::*;
use crate::generate::builtins::builtins;
use crate::generate::{schema, subject};
use crate::json;
use crate::source::{Recording, Replay, Seeded};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn call(case: u64) -> (Seeded, Call) {
    let mut source = Seeded::new(11, case);
    let bias = *source.pick(&[Bias::well_formed(), Bias::near_miss(), Bias::hostile()]);
    let subject = subject(&mut source, &builtins(), &bias);
    let call = begin(&mut source, subject, &bias);
    (source, call)
}

fn seen(call: &Call) -> (Form, String) {
    (call.form.clone(), call.name.clone())
}

#[test]
fn every_malformation_applies_and_changes_the_call() {
    let mut counts: BTreeMap<&str, u32> = MALFORMATIONS.iter().map(|row| (row.id, 0)).collect();
    for case in 0..3_000 {
        let (mut source, call) = call(case);
        let mut damaged = call.clone();
        for row in MALFORMATIONS {
            if apply(&mut damaged, row, &mut source) {
                assert_ne!(
                    seen(&damaged),
                    seen(&call),
                    "{} in case {case} changed nothing",
                    row.id
                );
                *counts.entry(row.id).or_default() += 1;
                damaged.clone_from(&call);
            } else {
                assert_eq!(seen(&damaged), seen(&call), "{} in case {case} left a trace", row.id);
            }
        }
    }
    assert!(counts.values().all(|count| *count >= 10), "{counts:#?}");
}

#[test]
fn every_file_is_a_row_and_every_row_a_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/malform");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the folder of this module")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.replace('_', "-")))
        .filter(|stem| !["mod", "call", "tests"].contains(&stem.as_str()))
        .collect();
    let rows: BTreeSet<String> = MALFORMATIONS.iter().map(|row| row.id.to_owned()).collect();
    assert_eq!(files, rows);
    assert_eq!(rows.len(), MALFORMATIONS.len());
}

#[test]
fn stages_ascend() {
    assert!(MALFORMATIONS.is_sorted_by_key(|row| row.stage));
}

#[test]
fn lossless_chains_reach_four() {
    let mut depths = [0_u32; 5];
    let mut pairs = BTreeSet::new();
    for case in 0..5_000 {
        let (mut source, mut call) = call(case);
        let applied = lossless(&mut call, &mut source, 4);
        assert!(call.lossless && call.allows(&call.original));
        depths[applied as usize] += 1;
        pairs.extend(call.applied.windows(2).map(|pair| (pair[0], pair[1])));
    }
    assert!(depths[1..].iter().all(|count| *count > 100), "{depths:?}");
    assert!(pairs.len() > 250, "{}", pairs.len());
}

#[test]
fn lossy_damage_is_never_valid_as_meant() {
    let mut applied = 0;
    for case in 0..5_000 {
        let (mut source, mut call) = call(case);
        if lossy(&mut call, &mut source) {
            applied += 1;
            assert!(!call.lossless);
            assert_ne!(
                seen(&call),
                seen(&Call::new(Arc::clone(&call.subject), call.original.clone())),
                "{:?}",
                call.applied
            );
        }
    }
    assert!(applied > 2_000, "{applied}");
}

/// A validator that shares no code with the generators, compiled once for a schema.
fn validator(schema: &Value) -> impl Fn(&Value) -> bool {
    let mut compiler = boon::Compiler::new();
    let mut schemas = boon::Schemas::new();
    compiler.add_resource("mem:///tool", schema.clone()).expect("a schema");
    let index = compiler.compile("mem:///tool", &mut schemas).expect("a schema that compiles");
    move |value| schemas.validate(value, index).is_ok()
}

/// The rows whose damage some schemas accept as it stands: an undeclared alias beside nothing required, a gated
/// strip, a link or a name. An engine changes those by configuration, not because validation failed.
const MAY_STAY_VALID: &[&str] = &[
    "alias",
    "nested-alias",
    "auto-link",
    "anchor-pair",
    "glm-value-token",
    "glm-key-residue",
    "name-prefix",
    "name-residue",
    "name-case",
    "unknown-tool",
    "over-deep",
    "duplicate-key",
    "raw-controls",
];

#[test]
fn damaged_values_do_not_fit_the_schema() {
    for case in 0..1_500 {
        let (mut source, call) = call(case);
        let fits = validator(&call.subject.schema);
        for row in MALFORMATIONS.iter().filter(|row| !MAY_STAY_VALID.contains(&row.id)) {
            let mut damaged = call.clone();
            if !apply(&mut damaged, row, &mut source) {
                continue;
            }
            let read = match &damaged.form {
                Form::Value(value) => Some(value.clone()),
                Form::Text(text) => serde_json::from_str(text).ok(),
            };
            if let Some(value) = read {
                assert!(
                    !fits(&value),
                    "{} in case {case} is still valid: {value}\n{}",
                    row.id,
                    call.subject.schema
                );
            }
        }
    }
}

#[test]
fn the_same_choices_make_the_same_call() {
    for case in 0..200 {
        let make = |source: &mut dyn Source| {
            let subject = subject(source, &builtins(), &Bias::hostile());
            let mut call = begin(source, subject, &Bias::hostile());
            lossless(&mut call, source, 4);
            (seen(&call), call.original, call.applied)
        };
        let mut recording = Recording::new(Seeded::new(5, case));
        let first = make(&mut recording);
        assert_eq!(first, make(&mut Seeded::new(5, case)));
        assert_eq!(first, make(&mut Replay::new(recording.into_choices())));
    }
}

#[test]
fn a_found_damage_shrinks_to_a_small_call() {
    let shows = |choices: &[u32]| {
        let mut source = Replay::new(choices.to_vec());
        let subject = subject(&mut source, &builtins(), &Bias::near_miss());
        let mut call = begin(&mut source, subject, &Bias::near_miss());
        lossless(&mut call, &mut source, 4);
        call.applied.contains(&"flat-edit").then_some(call)
    };
    let choices = (0..20_000).find_map(|case| {
        let mut recording = Recording::new(Seeded::new(9, case));
        let subject = subject(&mut recording, &builtins(), &Bias::near_miss());
        let mut call = begin(&mut recording, subject, &Bias::near_miss());
        lossless(&mut call, &mut recording, 4);
        let choices = recording.into_choices();
        shows(&choices).map(|_| choices)
    });
    let small = crate::source::shrink(
        &choices.expect("a flat edit"),
        |choices| shows(choices).is_some(),
        5_000,
    );
    let call = shows(&small).expect("still a flat edit");
    assert_eq!(call.applied, ["flat-edit"]);
    assert_eq!(call.as_text(), r#"{"path":"src/main.rs","oldText":"alpha","newText":"alpha"}"#);
}

#[test]
fn cut_texts_allow_whole_leaves_only() {
    let subject = builtins().swap_remove(3);
    let original = serde_json::json!({"path": "a.txt", "content": "first line"});
    let mut call = Call::new(subject, original);
    assert!(apply(&mut call, named("cut-text").expect("a row"), &mut Replay::default()));
    assert!(call.allows(&serde_json::json!({"path": "a.txt"})));
    assert!(!call.allows(&serde_json::json!({"path": "a.txt", "content": "first"})));
    assert!(!call.allows(&serde_json::json!({})));
}

#[test]
fn texts_of_undamaged_calls_read_back() {
    for case in 0..500 {
        let mut source = Seeded::new(2, case);
        let schema = schema::tool(&mut source, &Bias::hostile());
        let value = values::valid(&mut source, &schema, &Bias::hostile());
        let text = json::render(&value, json::Spacing::Lines);
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    }
}
