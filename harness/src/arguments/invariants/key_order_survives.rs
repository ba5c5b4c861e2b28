//! Keys stay in the order in which they were sent.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::json;
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "key_order_survives",
    says: "The keys that a repair leaves alone keep their order, in every object.",
    kills: &["sort-keys"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (Some(args), Some(start)) = (run.answer.args(), run.start()) else {
        return Verdict::Vacuous;
    };
    let written: Vec<&str> = run
        .answer
        .changes()
        .iter()
        .flat_map(|change| &change.operations)
        .map(|operation| operation.path().as_str())
        .collect();
    let mut seen = false;
    let mut open = vec![(String::new(), start, args)];
    while let Some((at, before, after)) = open.pop() {
        if written.contains(&at.as_str()) {
            continue;
        }
        let children: Vec<(String, &Value, &Value)> = match (before, after) {
            (Value::Array(before), Value::Array(after)) => before
                .iter()
                .zip(after)
                .enumerate()
                .map(|(index, (before, after))| (index.to_string(), before, after))
                .collect(),
            (Value::Object(before), Value::Object(after)) => {
                let kept = |key: &&String| {
                    let place = format!("{at}/{}", json::escape(key));
                    !written.contains(&place.as_str())
                };
                let old: Vec<&String> =
                    before.keys().filter(|key| after.contains_key(*key)).filter(kept).collect();
                let new: Vec<&String> =
                    after.keys().filter(|key| before.contains_key(*key)).filter(kept).collect();
                if old != new {
                    return Verdict::Broken(format!("at `{at}` {old:?} became {new:?}"));
                }
                seen |= old.len() > 1;
                old.into_iter().map(|key| (key.clone(), &before[key], &after[key])).collect()
            }
            _ => continue,
        };
        let below = children.into_iter();
        open.extend(
            below.map(|(key, before, after)| {
                (format!("{at}/{}", json::escape(&key)), before, after)
            }),
        );
    }
    if seen { Verdict::Holds } else { Verdict::Vacuous }
}
