//! Eight times the input costs at most about eight times the steps, whatever the input.
//!
//! Steps are what the engine itself counts; what it does not count, such as names and replays, is
//! watched by the instructions of `examples/grow.rs`, which `.ci/growth` runs.

mod families;

use std::collections::BTreeSet;

use engine::{Context, Limits, Outcome, Reason, Registry, Tool};
use families::{Family, Input};
use serde_json::Value;

/// Size of the small input, in items or repeats.
const SIZE: usize = 100;

/// How many times as large the larger inputs are.
const FACTORS: [usize; 2] = [2, 8];

/// An entry point under a limit of work; true if the limit stopped it.
type Entry<'a> = &'a dyn Fn(&Input, u64) -> bool;

/// The steps that something linear may take at `factor` times the size at which it took `small`.
fn allowed(small: u64, factor: usize) -> u64 {
    small * 115 / 100 * factor as u64 + 2_000
}

fn is_stopped<T: ?Sized>(outcome: &Outcome<'_, T>) -> bool {
    matches!(outcome, Outcome::Unrepairable(refusal) if refusal.reason == Reason::OverLimit("work_max"))
}

/// The steps an entry point takes: the least `work_max` that does not stop it.
fn work(input: &Input, entry: Entry<'_>) -> u64 {
    let mut high = 1;
    while entry(input, high) {
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if entry(input, middle) { low = middle } else { high = middle }
    }
    high
}

/// Notes a growth that is not linear. The large inputs run once, under the limit they must keep.
fn judge(faults: &mut BTreeSet<String>, label: &str, inputs: &[Input], entry: Entry<'_>) {
    let Some((small, large)) = inputs.split_first() else { return };
    let steps = work(small, entry);
    for (input, factor) in large.iter().zip(FACTORS) {
        if entry(input, allowed(steps, factor)) {
            let seen = work(input, entry);
            faults.insert(format!("{label}: {steps} steps became {seen} at {factor} times"));
        }
    }
}

/// Notes a reading whose own count of steps is not linear.
fn judge_reading(
    faults: &mut BTreeSet<String>,
    label: &str,
    inputs: &[Input],
    read: &dyn Fn(&Input) -> Option<u64>,
) {
    let steps: Vec<_> = inputs.iter().map(read).collect();
    let Some((Some(small), large)) = steps.split_first() else { return };
    for (seen, factor) in large.iter().zip(FACTORS) {
        if let Some(seen) = seen.filter(|seen| *seen > allowed(*small, factor)) {
            faults.insert(format!("{label}: {small} steps became {seen} at {factor} times"));
        }
    }
}

/// One family through every entry point that takes arguments.
fn entry_points(family: &Family, context: &Context<'_>, faults: &mut BTreeSet<String>) {
    let tool = Tool::compile(family.spec.clone()).expect("compiles");
    let registry =
        Registry::new([Tool::compile(family.spec.clone()).expect("compiles")]).expect("one");
    let sizes = [SIZE, SIZE * FACTORS[0], SIZE * FACTORS[1]];
    let inputs = sizes.map(|size| (family.grow)(size));
    let within = |work_max| Context { limits: Limits { work_max, ..context.limits }, ..*context };
    let label = |entry: &str| {
        let name: String = family.name.escape_debug().collect();
        format!("{entry}, {}, `{name}`", family.spec.name)
    };
    judge_reading(faults, &label("read"), &inputs, &|input| {
        tool.read(&input.text(), context).ok().map(|read| read.steps)
    });
    judge(faults, &label("repair_text"), &inputs, &|input, work_max| {
        is_stopped(&tool.repair_text(&input.text(), None, &within(work_max)))
    });
    judge(faults, &label("repair_text with a hook"), &inputs, &|input, work_max| {
        let hook = |value: &Value| Ok(value.clone());
        is_stopped(&tool.repair_text(&input.text(), Some(&hook), &within(work_max)))
    });
    judge(faults, &label("repair"), &inputs, &|input, work_max| {
        input.value().is_some_and(|value| is_stopped(&tool.repair(value, &within(work_max))))
    });
    judge(faults, &label("repair_call"), &inputs, &|input, work_max| {
        input.value().is_some_and(|value| {
            let call = registry.repair_call(&family.spec.name, value, &within(work_max));
            is_stopped(&call.outcome)
        })
    });
}

fn check(families: Vec<Family>) {
    let mut faults = BTreeSet::new();
    for family in families {
        for context in families::contexts() {
            entry_points(&family, &context, &mut faults);
        }
    }
    let list: Vec<String> = faults.into_iter().collect();
    assert!(list.is_empty(), "not linear:\n{}", list.join("\n"));
}

#[test]
fn many_rejected_places_cost_linear_work() {
    check(families::many_places());
}

#[test]
fn many_edits_cost_linear_work() {
    check(families::many_edits());
}

#[test]
fn long_texts_cost_linear_work() {
    check(families::long_texts());
}

#[test]
fn raw_texts_cost_linear_work() {
    check(families::raw_texts());
}

#[test]
fn awkward_input_costs_linear_work() {
    check(families::awkward());
}
