//! Whoever answers calls about arguments: this engine, or any other behind a process.

use std::fmt::Debug;
use std::sync::Arc;

use engine::host::{HostProfile, edit_hook};
use engine::{OwnerHook, Policy, ReadArguments, Refusal, Registry, Tool};
use serde_json::Value;

use super::case::Case;
use super::run::Answer;
use crate::malform::Form;

/// One question about a case's call, or about another form of it.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The case, for all circumstances that are not said here.
    pub case: &'a Case,
    /// What is sent.
    pub form: &'a Form,
    /// The policy.
    pub policy: Policy,
    /// Whether the host's own hook runs.
    pub hook: bool,
}

/// The registered tool that a name leads to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Found {
    /// The tool.
    pub tool: String,
    /// The rules that led there; empty if the name was exact.
    pub rules: Vec<&'static str>,
}

/// One tool among others, with everything that can be asked about it.
pub trait Subject: Debug + Send + Sync {
    /// What becomes of a call.
    fn repair(&self, ask: Ask<'_>) -> Answer;

    /// What the reader alone makes of a text; `None` if it cannot be asked alone.
    fn read(&self, text: &str, case: &Case) -> Option<Result<ReadArguments, Box<Refusal>>>;

    /// The tool that a name leads to, or none.
    fn resolve(&self, name: &str) -> Option<Found>;

    /// The registered names.
    fn names(&self) -> &[String];

    /// Whether changes name their rules as the catalogue does.
    fn names_rules(&self) -> bool {
        true
    }

    /// Whether this damage is none that the subject claims to undo, so that it may refuse.
    fn may_refuse(&self, _case: &Case) -> bool {
        false
    }

    /// A value as the subject can spell it, where its numbers are not ours.
    fn spelled(&self, value: Value) -> Value {
        value
    }
}

/// This engine.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) registry: Arc<Registry>,
    pub(super) name: String,
}

impl Own {
    fn tool(&self) -> &Tool {
        self.registry.tool(&self.name).expect("the registry holds the tool it was built for")
    }
}

impl Subject for Own {
    fn repair(&self, ask: Ask<'_>) -> Answer {
        answer(self.tool(), ask)
    }

    fn read(&self, text: &str, case: &Case) -> Option<Result<ReadArguments, Box<Refusal>>> {
        Some(self.tool().read(text, &case.context(case.policy)))
    }

    fn resolve(&self, name: &str) -> Option<Found> {
        let found = self.registry.resolve_name(name).ok()?;
        let rules = found.rules.iter().map(|rule| rule.id).collect();
        Some(Found { tool: found.tool, rules })
    }

    fn names(&self) -> &[String] {
        self.registry.names()
    }
}

/// What a compiled tool answers.
pub(super) fn answer(tool: &Tool, ask: Ask<'_>) -> Answer {
    let context = ask.case.context(ask.policy);
    let profile = ask.case.host.unwrap_or(HostProfile::Pi15);
    let own = |value: &Value| Ok(edit_hook(profile, value));
    let hook: Option<OwnerHook<'_>> = if ask.hook { Some(&own) } else { None };
    match (ask.form, hook) {
        (Form::Value(value), None) => Answer::from_value(tool.repair(value, &context), value),
        (Form::Value(value), Some(hook)) => {
            Answer::from_value(tool.repair_hooked(value, hook, &context), value)
        }
        (Form::Text(text), hook) => Answer::from_text(tool.repair_text(text, hook, &context), text),
    }
}
