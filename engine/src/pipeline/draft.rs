//! The state of one repair, and the part of the arguments it is about.

use jsonschema::Validator;
use serde_json::Value;

use crate::schema::Node;
use crate::{Change, Context, Observation, Pointer, Reason, Tool};

/// The state of one repair.
pub(super) struct Draft {
    pub(super) value: Value,
    pub(super) changes: Vec<Change>,
    pub(super) observations: Vec<Observation>,
    /// Every change so far only spells what the host would read from the text.
    pub(super) spelling_only: bool,
    /// Why a union's branch was given up; the reason of a refusal if nothing better is known.
    pub(super) hint: Option<Reason>,
    pub(super) decodes: u32,
    pub(super) work: u64,
}

impl Draft {
    /// A draft of `value` that goes on counting from `spent`.
    pub(super) fn of(value: Value, decodes: u32, work: u64) -> Self {
        Self {
            value,
            changes: Vec::new(),
            observations: Vec::new(),
            spelling_only: true,
            hint: None,
            decodes,
            work,
        }
    }

    pub(super) fn spend(&mut self, steps: u64, context: &Context<'_>) -> Result<(), Reason> {
        self.work = self.work.saturating_add(steps);
        if self.work > context.limits.work_max {
            return Err(Reason::OverLimit("work_max"));
        }
        Ok(())
    }

    pub(super) fn record(&mut self, change: Change, context: &Context<'_>) -> Result<(), Reason> {
        if self.changes.len() >= context.limits.changes_max as usize {
            return Err(Reason::OverLimit("changes_max"));
        }
        self.changes.push(change);
        Ok(())
    }

    pub(super) fn observe(&mut self, observation: Observation) {
        if !self.observations.contains(&observation) {
            self.observations.push(observation);
        }
    }
}

/// The part of the arguments that a schema is held against: all of them, or a union's value.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) tool: &'a Tool,
    pub(super) context: &'a Context<'a>,
    pub(super) validator: &'a Validator,
    pub(super) node: &'a Node<'a>,
    /// Where the part lies in the arguments.
    pub(super) base: &'a Pointer,
    /// The name of the member the part is; empty for all of them.
    pub(super) key: &'a str,
    /// Unions that may still be entered.
    pub(super) levels: u8,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, ObservationKind, Stage};

    #[test]
    fn work_may_reach_the_limit_and_not_pass_it() {
        let limits = Limits { work_max: 5, ..Limits::DEFAULT };
        let context = Context { limits, ..Context::default() };
        for (steps, allowed) in [(4, true), (5, true), (6, false), (u64::MAX, false)] {
            let mut draft = Draft::of(Value::Null, 0, 0);
            assert_eq!(draft.spend(steps, &context).is_ok(), allowed, "{steps}");
        }
    }

    #[test]
    fn what_is_seen_twice_is_told_once() {
        let mut draft = Draft::of(Value::Null, 0, 0);
        for rule in ["a.b", "a.c", "a.b"] {
            let kind = ObservationKind::Withheld;
            draft.observe(Observation { rule, stage: Stage::Repair, kind });
        }
        let rules: Vec<&str> = draft.observations.iter().map(|seen| seen.rule).collect();
        assert_eq!(rules, ["a.b", "a.c"]);
    }
}
