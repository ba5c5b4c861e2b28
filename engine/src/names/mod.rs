//! Finds the registered tool a malformed name stands for, by steps that can each be proven.
//!
//! No edit distance, no synonyms, no folding of `-` and `_`: a name is cut, folded in case, or looked
//! up in the owner's own table, until a registered name stands. Anything else is refused.

mod error;
mod fold_case;
mod lift_call;
mod lift_envelope;
mod lift_pairs;
mod object;
mod strip_call_id;
mod strip_prefix;
mod strip_residue;
mod tokens;
mod trim_space;
mod use_alias;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{Change, Pointer, Stage};

pub use error::NameError;

/// Steps after which a name that is still not registered is refused.
pub const NAME_STEPS_MAX: usize = 4;

/// What a name is resolved against.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The registered names, in the order they are listed to the model.
    pub known: &'a [String],
    /// Foreign name to registered name, from the owner's configuration only.
    pub aliases: &'a BTreeMap<String, String>,
    /// Reads one JSON text, and answers `None` if it is damaged, too deep or has a key twice.
    ///
    /// It is only ever given objects whose brackets are balanced, so it need not detect a cut.
    pub read: fn(&str) -> Option<Value>,
}

impl Names<'_> {
    fn is_known(&self, name: &str) -> bool {
        self.known.iter().any(|known| known == name)
    }

    /// Length in bytes of the longest registered name that `text` begins with; 0 if there is none.
    ///
    /// INVARIANT: a cut behind this length never cuts a registered name that holds a bracket itself.
    fn head_len(&self, text: &str) -> usize {
        let heads = self.known.iter().filter(|known| text.starts_with(known.as_str()));
        heads.map(String::len).max().unwrap_or(0)
    }

    /// Splits `text` before the first bracket behind a registered name.
    fn split_at_bracket<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (start, rest) = text.split_at_checked(self.head_len(text))?;
        let at = start.len() + rest.find(['<', '[', '{', '('])?;
        text.split_at_checked(at).filter(|(head, _)| !head.is_empty())
    }
}

/// A registered tool, and how its name was found.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The registered name.
    pub tool: String,
    /// The rules that fired, in order; empty if the name was registered as it stood.
    pub rules: Vec<&'static NameRule>,
    /// The arguments object that was written into the name, complete.
    pub arguments: Option<Value>,
    /// The name ended in a token that announces arguments (`[ARGS]`), and none followed.
    ///
    /// The arguments should then stand beside the name; an empty object there is not evidence of
    /// a call without arguments.
    pub announced: bool,
}

/// One provable step from a malformed name towards a registered one.
#[derive(Debug)]
pub struct NameRule {
    /// `name.verb-object`; the tail is the file stem.
    pub id: &'static str,
    /// When the rule fires.
    pub fires: &'static str,
    /// What the model reads; `{tool}` stands for the registered name.
    pub note: &'static str,
    /// Names the rule resolves against [`EXAMPLE_TOOLS`] and [`EXAMPLE_ALIASES`].
    pub examples: &'static [NameExample],
    apply: fn(&str, &Names<'_>) -> Result<Option<Step>, NameError>,
}

impl NameRule {
    /// The note with the registered name filled in.
    pub fn note_for(&self, tool: &str) -> String {
        self.note.replace("{tool}", tool)
    }

    /// The change that tells of the rule; it has no operations.
    pub(crate) fn change_for(&self, tool: &str) -> Change {
        Change {
            rule: self.id,
            stage: Stage::Name,
            pointer: Pointer::root(),
            operations: Vec::new(),
            note: self.note_for(tool),
        }
    }
}

/// A malformed name and what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct NameExample {
    /// The name as the model sent it.
    pub name: &'static str,
    /// The registered name.
    pub tool: &'static str,
    /// The arguments lifted out of the name, as JSON.
    pub arguments: Option<&'static str>,
}

impl NameExample {
    const fn plain(name: &'static str, tool: &'static str) -> Self {
        Self { name, tool, arguments: None }
    }

    const fn lifted(name: &'static str, tool: &'static str, arguments: &'static str) -> Self {
        Self { name, tool, arguments: Some(arguments) }
    }
}

/// The registered names that examples are resolved against.
pub const EXAMPLE_TOOLS: &[&str] = &["read", "bash", "edit", "write", "grep", "find", "ls"];

/// The owner's aliases that examples are resolved against.
pub const EXAMPLE_ALIASES: &[(&str, &str)] = &[("read_file", "read")];

/// Order is meaning, among the rules that land on a registered name and among the others.
///
/// The owner's word comes first; then what keeps every character (`fold_case`), so that a registered
/// `functions.read` beats a stripped `read`; then what cuts the end; the prefix goes last, for the
/// same reason. `strip_residue` and the `lift_…` rules exclude each other.
pub const NAME_RULES: &[NameRule] = &[
    trim_space::RULE,
    use_alias::RULE,
    fold_case::RULE,
    strip_call_id::RULE,
    strip_residue::RULE,
    lift_pairs::RULE,
    lift_envelope::RULE,
    lift_call::RULE,
    strip_prefix::RULE,
];

/// The name after one step, and what the step found in the part it cut.
#[derive(Debug)]
struct Step {
    name: String,
    load: Load,
}

/// What stood in the part that a step cut off.
#[derive(Debug, PartialEq)]
enum Load {
    Nothing,
    /// A token that announces arguments, without them.
    Announced,
    Arguments(Value),
    /// Part of a call. An error only if the name before it is a registered one.
    CutOff,
    /// A key with two values. An error only if the name before it is a registered one.
    Conflict,
}

impl Step {
    fn to(name: &str) -> Self {
        Self::with(name, Load::Nothing)
    }

    fn with(name: &str, load: Load) -> Self {
        Self { name: name.to_owned(), load }
    }
}

/// Finds the registered tool that `name` stands for.
///
/// A registered name is taken as it stands. Otherwise the first of [`NAME_RULES`] that applies makes
/// a step, until a registered name stands or [`NAME_STEPS_MAX`] steps are spent. The work is linear in the
/// length of `name` plus that of the registered names.
///
/// # Errors
///
/// [`NameError`]; no variant holds or prints any part of `name`.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use engine::names::{Names, resolve};
///
/// let (known, aliases) = (vec!["read".to_owned()], BTreeMap::new());
/// let names = Names { known: &known, aliases: &aliases, read: |text| serde_json::from_str(text).ok() };
/// let found = resolve("functions.Read:0", &names).unwrap();
/// assert_eq!(found.tool, "read");
/// assert!(resolve("read_file", &names).is_err());
/// ```
pub fn resolve(name: &str, names: &Names<'_>) -> Result<Resolved, NameError> {
    let mut found =
        Resolved { tool: name.to_owned(), rules: Vec::new(), arguments: None, announced: false };
    let mut fault = None;
    while !names.is_known(&found.tool) {
        if name.trim().is_empty() {
            return Err(NameError::Empty { available: names.known.to_vec() });
        }
        let Some((rule, step)) = next_step(&found, names)? else {
            return Err(NameError::Unknown { available: names.known.to_vec() });
        };
        found.rules.push(rule);
        found.tool = step.name;
        match step.load {
            Load::Nothing => {}
            Load::Announced => found.announced = true,
            Load::Arguments(_) if found.arguments.is_some() => fault = Some(NameError::Conflict),
            Load::Arguments(arguments) => found.arguments = Some(arguments),
            Load::CutOff => fault = Some(NameError::CutOff),
            Load::Conflict => fault = Some(NameError::Conflict),
        }
    }
    found.announced &= found.arguments.is_none();
    fault.map_or(Ok(found), Err)
}

/// The step to take from the name as it now stands; none once the steps are spent.
///
/// A step that lands on a registered name goes before one that does not: with `a` and `a:0` registered,
/// `functions.a:0` is `a:0`. Otherwise the first rule that applies.
fn next_step(
    found: &Resolved,
    names: &Names<'_>,
) -> Result<Option<(&'static NameRule, Step)>, NameError> {
    if found.rules.len() >= NAME_STEPS_MAX {
        return Ok(None);
    }
    let mut first = None;
    for rule in NAME_RULES {
        let Some(step) = (rule.apply)(&found.tool, names)? else { continue };
        if lands(&step.name, names) {
            return Ok(Some((rule, step)));
        }
        first = first.or(Some((rule, step)));
    }
    Ok(first)
}

/// Whether `name` is registered, as it stands, as an alias, or in another case.
fn lands(name: &str, names: &Names<'_>) -> bool {
    let by_lookup = [use_alias::RULE, fold_case::RULE];
    names.is_known(name)
        || by_lookup.iter().any(|rule| !matches!((rule.apply)(name, names), Ok(None)))
}
