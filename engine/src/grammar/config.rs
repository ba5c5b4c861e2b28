//! How leaks are treated, as data: mode, unknown tools, families, model gates, allowed tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::Family;
use super::scanner::Scanner;
use super::tables::GrammarTables;
use crate::{ConfigError, Context, Gate, Policy};

/// What is done about leaks.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Mode {
    /// Nothing; the text is not looked at.
    Off,
    /// They are reported.
    Observe,
    /// They are also removed.
    Strip,
    /// Where every gate is open, they also become calls.
    Recover,
}

/// Every mode with its name.
pub const MODES: &[(Mode, &str)] = &[
    (Mode::Off, "off"),
    (Mode::Observe, "observe"),
    (Mode::Strip, "strip"),
    (Mode::Recover, "recover"),
];

impl Mode {
    /// What it does, in a sentence for tables.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Off => "nothing is looked for; the text stays",
            Self::Observe => "leaks are reported; the text stays, and nothing runs",
            Self::Strip => "leaks are removed, but for what may be data (preserved); nothing runs",
            Self::Recover => {
                "as `strip`, and a block for which every gate is open becomes calls (promoted)"
            }
        }
    }

    /// The name in settings and on the command line.
    pub fn name(self) -> &'static str {
        MODES.iter().find(|(mode, _)| *mode == self).map_or("off", |row| row.1)
    }

    /// The mode that goes with a policy where none is configured.
    pub const fn of(policy: Policy) -> Self {
        match policy {
            Policy::Conservative => Self::Observe,
            Policy::Adaptive => Self::Strip,
            Policy::Recover => Self::Recover,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let found = MODES.iter().find(|(_, name)| *name == text).map(|(mode, _)| *mode);
        found.ok_or(ConfigError::Shape {
            member: "mode",
            expected: "off, observe, strip or recover",
        })
    }
}

/// What is done about a block whose tool nobody registered.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum UnknownTools {
    /// It stays: it may be data.
    #[default]
    Preserve,
    /// It goes, as a block of a known tool would.
    Strip,
}

/// Both choices with their names.
pub const UNKNOWN_TOOLS: &[(UnknownTools, &str)] =
    &[(UnknownTools::Preserve, "preserve"), (UnknownTools::Strip, "strip")];

impl UnknownTools {
    /// The name in settings.
    pub fn name(self) -> &'static str {
        UNKNOWN_TOOLS.iter().find(|(choice, _)| *choice == self).map_or("preserve", |row| row.1)
    }
}

/// How leaks are treated. The default follows the policy, for all families.
#[derive(Clone, Debug, Default)]
pub struct GrammarConfig {
    /// The mode; `None` follows the policy of each message.
    pub mode: Option<Mode>,
    /// What is done about blocks of unknown tools.
    pub unknown_tools: UnknownTools,
    /// The ids of the families to look for; `None` means all.
    pub families: Option<Vec<String>>,
    /// Model gates by family id, in place of the family's own; an open gate admits any model.
    pub gates: BTreeMap<String, Gate>,
    /// Tools that may be called although they are not active.
    pub allowed: BTreeSet<String>,
}

impl GrammarConfig {
    /// Reads a configuration from JSON; absent members have their default, unknown ones are ignored.
    ///
    /// The form is `{"mode": "recover", "unknownTools": "strip", "families": ["hermes"], "gates":
    /// {"pythonic": {"models": ["olmo"], "providers": []}}, "allowedTools": ["web"]}`.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Shape`] where a member has the wrong type.
    pub fn from_json(json: &Value) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        if let Some(mode) = json.get("mode").filter(|mode| !mode.is_null()) {
            config.mode = Some(mode.as_str().unwrap_or_default().parse()?);
        }
        if let Some(choice) = json.get("unknownTools") {
            let found = UNKNOWN_TOOLS.iter().find(|row| choice == row.1);
            config.unknown_tools = found.ok_or(shape("unknownTools", "preserve or strip"))?.0;
        }
        config.families = json.get("families").map(|list| texts(list, "families")).transpose()?;
        let allowed = json.get("allowedTools").map(|list| texts(list, "allowedTools"));
        config.allowed = allowed.transpose()?.into_iter().flatten().collect();
        let gates =
            json.get("gates").map(|gates| gates.as_object().ok_or(shape("gates", "an object")));
        for (family, gate) in gates.transpose()?.into_iter().flatten() {
            let list = |name: &'static str| {
                gate.get(name)
                    .map(|list| texts(list, name))
                    .transpose()
                    .map(Option::unwrap_or_default)
            };
            let gate = Gate { model_families: list("models")?, providers: list("providers")? };
            config.gates.insert(family.clone(), gate);
        }
        Ok(config)
    }
}

fn shape(member: &'static str, expected: &'static str) -> ConfigError {
    ConfigError::Shape { member, expected }
}

fn texts(list: &Value, member: &'static str) -> Result<Vec<String>, ConfigError> {
    let wrong = || shape(member, "a list of texts");
    let items = list.as_array().ok_or_else(wrong)?.iter();
    items.map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

/// A configuration made ready: its families stand in one automaton. Build it once for a session.
#[derive(Debug)]
pub struct Grammar {
    pub(super) config: GrammarConfig,
    pub(super) scanner: Scanner,
    pub(super) tables: GrammarTables,
    gates: BTreeMap<&'static str, Gate>,
}

impl Grammar {
    /// Makes a configuration ready.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Shape`] if it names a family that does not exist.
    pub fn new(config: GrammarConfig) -> Result<Self, ConfigError> {
        Self::with_tables(config, GrammarTables::default())
    }

    /// The same on altered tables, to plant a bug.
    ///
    /// # Errors
    ///
    /// As [`Grammar::new`].
    #[doc(hidden)]
    pub fn with_tables(config: GrammarConfig, tables: GrammarTables) -> Result<Self, ConfigError> {
        let is_family = |id: &String| tables.families.iter().any(|family| family.id == id);
        if !config.families.iter().flatten().all(is_family) {
            return Err(shape("families", "a list of the families' ids"));
        }
        if !config.gates.keys().all(is_family) {
            return Err(shape("gates", "an object with families' ids as keys"));
        }
        let listed = |family: &&Family| {
            config.families.as_ref().is_none_or(|ids| ids.iter().any(|id| id == family.id))
        };
        let families: Vec<Family> = tables.families.iter().filter(listed).copied().collect();
        let gate = |family: &Family| {
            let own = || Gate {
                model_families: family.gate.iter().map(|name| (*name).to_owned()).collect(),
                providers: Vec::new(),
            };
            (family.id, config.gates.get(family.id).cloned().unwrap_or_else(own))
        };
        let gates = families.iter().map(gate).collect();
        Ok(Self { scanner: Scanner::new(&families), config, tables, gates })
    }

    /// The configuration.
    pub fn config(&self) -> &GrammarConfig {
        &self.config
    }

    /// The scanner of the configured families.
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// The mode for a message: the configured one, or that of its policy.
    pub fn mode(&self, context: &Context<'_>) -> Mode {
        self.config.mode.unwrap_or_else(|| Mode::of(context.policy))
    }

    /// True if the message's model is one of those that `family` is limited to.
    pub(super) fn admits(&self, family: &str, context: &Context<'_>) -> bool {
        self.gates.get(family).is_some_and(|gate| (self.tables.admits)(gate, context))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn configurations_are_read() {
        let config = GrammarConfig::from_json(&json!({
            "mode": "recover", "unknownTools": "strip", "families": ["hermes"],
            "gates": {"hermes": {"models": ["qwen"]}}, "allowedTools": ["web"], "else": 1
        }))
        .expect("reads");
        assert_eq!((config.mode, config.unknown_tools), (Some(Mode::Recover), UnknownTools::Strip));
        let grammar = Grammar::new(config).expect("is ready");
        let context = Context { model: Some("qwen3"), ..Context::default() };
        assert!(
            grammar.admits("hermes", &context) && !grammar.admits("hermes", &Context::default())
        );
        for wrong in [json!({"mode": "on"}), json!({"families": "all"}), json!({"gates": []})] {
            assert!(GrammarConfig::from_json(&wrong).is_err(), "{wrong}");
        }
        let strange =
            GrammarConfig { families: Some(vec!["x".into()]), ..GrammarConfig::default() };
        assert!(Grammar::new(strange).is_err());
    }

    #[test]
    fn policies_have_modes() {
        assert_eq!(Mode::of(Policy::Adaptive), Mode::Strip);
        assert!(MODES.iter().all(|(mode, name)| name.parse() == Ok(*mode)));
        assert_eq!(Mode::Strip.to_string(), "strip");
        assert!(UNKNOWN_TOOLS.iter().all(|(choice, name)| choice.name() == *name));
        let config = GrammarConfig { mode: Some(Mode::Off), ..GrammarConfig::default() };
        let grammar = Grammar::new(config).expect("is ready");
        assert_eq!(grammar.config().mode, Some(Mode::Off));
    }
}
