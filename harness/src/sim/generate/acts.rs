//! What a generated user does.

use serde_json::{Value, json};

use super::Made;
use crate::source::{Choose, Source};

pub(super) fn actions(source: &mut (impl Source + ?Sized), made: &mut Made) {
    let first = prompt(source, made, 1);
    made.actions.push(first);
    for number in 2..=source.weighted(&[3, 4, 2, 1]) + 1 {
        let action = match source.weighted(&[8, if made.hostile { 2 } else { 0 }, 1, 1, 1, 1]) {
            1 => json!({"do": "compact"}),
            2 => json!({"do": "model", "id": source.pick(&["scripted-2", "scripted-1"])}),
            3 => json!({"do": "retry", "enabled": source.chance(1, 2)}),
            4 => json!({"do": "compaction", "enabled": source.chance(1, 2)}),
            5 => json!({"do": source.pick(&["abort", "abort_retry", "abort_compaction"])}),
            _ => prompt(source, made, number),
        };
        made.actions.push(action);
    }
}

fn prompt(source: &mut (impl Source + ?Sized), made: &Made, number: usize) -> Value {
    let text =
        *source.pick(&["go", "on", "and a longer one that goes on for more than forty letters"]);
    let mut prompt = json!({"do": "prompt", "text": format!("{text} {number}")});
    if source.chance(1, 3) {
        prompt["repeat"] = json!(40);
    }
    let mut during = Vec::new();
    for at in &made.hanging {
        // Whatever prompt comes to this answer, an abort ends it.
        during.push(json!({"at": "P:request", "nth": at, "do": "abort"}));
    }
    if made.hostile {
        for _ in 0..source.weighted(&[5, 3, 1]) {
            let trigger = trigger(source, made.is_wired());
            during.push(trigger);
        }
    }
    if !during.is_empty() {
        prompt["during"] = json!(during);
    }
    prompt
}

/// Only events that are followed by a wait: what is set off comes before anything else. No manual
/// compaction: the oldest release does not wait for one, and what comes next is a race.
fn trigger(source: &mut (impl Source + ?Sized), wired: bool) -> Value {
    let at = *source.pick(&["P:request", "S:auto_retry_start", "P:summary", "T:execute slow"]);
    let ways = [
        json!({"do": "steer", "text": "steered"}),
        json!({"do": "follow_up", "text": "followed"}),
        json!({"do": "model", "id": "scripted-2"}),
        json!({"do": "retry", "enabled": false}),
        json!({"do": "compaction", "enabled": false}),
        json!({"do": "prompt", "text": "too early"}),
        json!({"do": "abort"}),
        json!({"do": "abort_retry"}),
        json!({"do": "abort_compaction"}),
    ];
    let mut trigger = source.pick(if wired { &ways[..6] } else { &ways }).clone();
    trigger["at"] = json!(at);
    trigger["nth"] = json!(source.range(1, 2));
    trigger
}
