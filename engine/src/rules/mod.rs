//! Repair rules: one file each, run at the places the schema rejects, in the order of [`RULES`].

use std::fmt;

use serde_json::Value;

use crate::policy::Grade;
use crate::reader::{LibertyUse, ReadErrorKind, ReadOptions, Reading};
use crate::schema::Node;
use crate::{Context, Operation, Pointer, Reason, Tool};

mod decode_json;
mod drop_empty;
mod drop_null;
mod match_case;
mod read_boolean;
mod read_json_text;
mod read_nothing;
mod read_number;
mod unwrap_arguments;
mod unwrap_item;
mod unwrap_list;
mod wrap_item;
mod wrap_text;

pub(crate) use unwrap_arguments::{NAMES, WRAPPERS, wraps_call};

/// Every rule. Order is meaning: a text is read as JSON before it is wrapped as it stands, and
/// placeholders go before anything tries to make sense of them.
pub const RULES: &[Rule] = &[
    read_nothing::RULE,
    decode_json::RULE,
    unwrap_arguments::RULE,
    unwrap_list::RULE,
    wrap_text::RULE,
    drop_null::RULE,
    drop_empty::RULE,
    read_json_text::RULE,
    read_number::RULE,
    read_boolean::RULE,
    match_case::RULE,
    unwrap_item::RULE,
    wrap_item::RULE,
];

/// One repair rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The id in changes and records; the tail is the file's name.
    pub id: &'static str,
    /// When it fires, as a clause.
    pub fires: &'static str,
    /// What the model should do instead; `{field}` stands for the place.
    pub note: &'static str,
    /// What it asks of the policy.
    pub grade: Grade,
    /// Where it may fire.
    pub scope: Scope,
    /// Calls before and after; they run as tests and seed generators.
    pub examples: &'static [Example],
    /// The edit at one place.
    #[doc(hidden)]
    pub propose: fn(&Site<'_>) -> Proposal,
}

impl fmt::Debug for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Rule").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Where a rule may fire.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Scope {
    /// At the whole arguments, if the schema rejects any part of them.
    Root,
    /// At the whole arguments, also if the schema accepts them.
    RootEvenIfValid,
    /// At a place the schema rejects.
    Site,
}

/// A rule's example.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The tool's schema, as JSON.
    pub schema: &'static str,
    /// The arguments before, as JSON.
    pub before: &'static str,
    /// The arguments after, as JSON.
    pub after: &'static str,
}

/// What a rule makes of a place.
#[doc(hidden)]
#[derive(Debug)]
pub enum Proposal {
    /// The rule does not apply.
    Nothing,
    /// The place can be repaired.
    Edit(Edit),
    /// The place must not be repaired, by this rule or a later one.
    Refuse(Reason),
}

/// A proposed repair; its paths are relative to the site's scene.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Edit {
    pub operations: Vec<Operation>,
    /// The host would read the same from the text as it stands.
    pub spelling: bool,
    /// Liberties taken in reading a text.
    pub liberties: Vec<LibertyUse>,
    /// Texts read.
    pub decodes: u32,
    /// Steps spent.
    pub work: u64,
}

impl Edit {
    /// Puts `value` at the site.
    pub fn replace(site: &Site<'_>, value: Value) -> Self {
        let path = site.pointer.clone();
        Self { operations: vec![Operation::Replace { path, value }], ..Self::default() }
    }
}

/// A place the schema rejects, and what is known of it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Site<'a> {
    pub(crate) value: &'a Value,
    /// Relative to the scene: the whole arguments, or a union's value.
    pub(crate) pointer: &'a Pointer,
    pub(crate) node: &'a Node<'a>,
    /// The member's name; empty at the root and in lists.
    pub(crate) key: &'a str,
    /// The place is the whole arguments.
    pub(crate) whole: bool,
    /// The place is an item of a list.
    pub(crate) in_list: bool,
    /// An object's member that need not be present.
    pub(crate) optional: bool,
    pub(crate) tool: &'a Tool,
    pub(crate) context: &'a Context<'a>,
    /// Texts that may still be read.
    pub(crate) decodes_left: u32,
}

/// A liberty that passes over part of a text: inside a member there is no talk to pass over.
fn leaves_out(used: &LibertyUse) -> bool {
    matches!(used.liberty.id, "read.skip-surrounding-text" | "read.drop-repeated-value")
}

/// How a text inside the arguments came out.
pub(crate) enum TextRead {
    Json(Reading),
    NotJson,
    Refused(Reason),
}

impl<'a> Site<'a> {
    /// The whole arguments.
    pub(crate) fn whole(
        tool: &'a Tool,
        value: &'a Value,
        (pointer, node): (&'a Pointer, &'a Node<'a>),
        context: &'a Context<'a>,
    ) -> Self {
        let decodes_left = context.limits.decodes_max;
        Self {
            value,
            pointer,
            node,
            key: "",
            whole: true,
            in_list: false,
            optional: false,
            tool,
            context,
            decodes_left,
        }
    }
}

impl Site<'_> {
    /// The value at the place.
    pub fn value(&self) -> &Value {
        self.value
    }

    /// True for an object's member that need not be present.
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// The place, relative to the arguments or to the union's value it lies in.
    pub fn pointer(&self) -> &Pointer {
        self.pointer
    }

    /// Reads a text under the limits and the policy.
    pub(crate) fn read(&self, text: &str) -> TextRead {
        let limits = &self.context.limits;
        if text.len() > limits.input_bytes_max as usize {
            return TextRead::Refused(Reason::OverLimit("input_bytes_max"));
        }
        if self.decodes_left == 0 {
            return TextRead::Refused(Reason::OverLimit("decodes_max"));
        }
        let options = ReadOptions { depth_max: limits.depth_max, nested: !self.whole };
        match (self.tool.tables().read)(text, &options) {
            Err(error) => match error.kind {
                ReadErrorKind::NotJson | ReadErrorKind::Empty => TextRead::NotJson,
                kind => TextRead::Refused(Reason::from_read(kind)),
            },
            Ok(reading) if !self.whole && reading.liberties.iter().any(leaves_out) => {
                TextRead::Refused(Reason::Unreadable)
            }
            Ok(reading) if reading.inexact.is_some() => TextRead::Refused(Reason::InexactNumber),
            Ok(reading) => {
                match crate::pipeline::forbidden(&reading.liberties, self.tool, self.context) {
                    Some(reason) => TextRead::Refused(reason),
                    None => TextRead::Json(reading),
                }
            }
        }
    }

    /// The edit that puts what was read at the place.
    pub(crate) fn put_reading(&self, reading: Reading) -> Edit {
        let mut edit = Edit::replace(self, reading.value);
        edit.liberties = reading.liberties;
        edit.decodes = 1;
        edit.work = reading.steps;
        edit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, ToolConfig, ToolSpec};

    #[test]
    fn rules_have_a_file_each_named_as_the_tail() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "mod.rs")
            .map(|name| name.trim_end_matches(".rs").replace('_', "-"))
            .collect();
        files.sort();
        let mut tails: Vec<&str> =
            RULES.iter().filter_map(|rule| rule.id.split('.').nth(1)).collect();
        tails.sort_unstable();
        assert_eq!(files, tails);
    }

    #[test]
    fn examples_do_what_they_say() {
        for rule in RULES {
            assert!(!rule.examples.is_empty(), "{}", rule.id);
            for example in rule.examples {
                let tool = Tool::compile(ToolSpec {
                    name: "example".to_owned(),
                    schema: serde_json::from_str(example.schema).expect("a schema"),
                    config: ToolConfig::default(),
                    ..ToolSpec::default()
                })
                .expect("compiles");
                let before: Value = serde_json::from_str(example.before).expect("arguments");
                let outcome = tool.repair(&before, &Context::default());
                let Outcome::Repaired { args, changes, .. } = outcome else {
                    panic!("{}: {outcome:?}", rule.id)
                };
                assert_eq!(args.to_string(), example.after, "{}", rule.id);
                assert!(changes.iter().any(|change| change.rule == rule.id), "{}", rule.id);
            }
        }
    }
}
