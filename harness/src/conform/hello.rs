//! What an engine says of itself before it is asked anything.

use engine::grammar::FAMILIES;
use serde_json::{Value, json};

use super::PROTOCOL;
use crate::malform;

/// Something an engine can be asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Operation {
    /// Arguments as a JSON value.
    Repair,
    /// Arguments as text.
    RepairText,
    /// The reader alone.
    Read,
    /// The tool that a name means.
    ResolveName,
    /// Calls printed as text: where.
    Scan,
    /// Calls printed as text: what becomes of them.
    Treat,
    /// What a provider's error means.
    Advise,
}

/// Every operation by its name.
pub const OPERATIONS: &[(Operation, &str)] = &[
    (Operation::Repair, "repair"),
    (Operation::RepairText, "repair_text"),
    (Operation::Read, "read"),
    (Operation::ResolveName, "resolve_name"),
    (Operation::Scan, "scan"),
    (Operation::Treat, "treat"),
    (Operation::Advise, "advise"),
];

impl Operation {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        OPERATIONS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// Something an engine heeds or tells; without it, some promises say nothing about it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Feature {
    /// It holds arguments to the tool's schema.
    Schema,
    /// It heeds the tool's configuration.
    Config,
    /// It heeds `context.policy`.
    Policies,
    /// It heeds `context.limits`.
    Limits,
    /// It heeds `context.host`, and defers to it.
    Hosts,
    /// It runs pi's own hook for `edit` where it is told to.
    Hook,
    /// A repair comes with all changes, as operations that replay.
    Changes,
    /// Changes name their rules as the catalogue does.
    Rules,
    /// A refusal gives its reason by an id of the catalogue.
    Reasons,
    /// A refusal has a fingerprint that does not depend on values.
    Fingerprints,
    /// The reader counts its steps, and so does the treatment of leaks.
    Steps,
    /// A treatment tells every leak that was found, and where each call stood.
    Leaks,
    /// A treatment heeds the mode and what to do about unknown tools.
    Modes,
    /// A treatment heeds everything around a message that may hold its calls back.
    Gates,
    /// Advice is given for the steps of a session, too.
    Sessions,
    /// Advice comes with the text that a model reads.
    Notes,
    /// Errors have classes of the catalogue.
    Classes,
    /// Notes are made of our sentences.
    Wordings,
}

/// Every feature by its name, and what it means.
pub const FEATURES: &[(Feature, &str, &str)] = &[
    (Feature::Schema, "schema", "what is accepted was held to `tool.schema`"),
    (Feature::Config, "config", "`tool.config` is heeded: aliases, paths, gated strips"),
    (Feature::Policies, "policies", "`context.policy` is heeded"),
    (Feature::Limits, "limits", "`context.limits` are heeded"),
    (Feature::Hosts, "hosts", "`context.host` is heeded; `deferred` leaves spelling to it"),
    (Feature::Hook, "hook", "`context.hook` runs pi's own hook of `edit` before the repair"),
    (Feature::Changes, "changes", "`changes` are complete and replay to `args`"),
    (Feature::Rules, "rules", "`changes[].rule` are ids of docs/catalog.md"),
    (Feature::Reasons, "reasons", "`reason` is an id of docs/catalog.md"),
    (Feature::Fingerprints, "fingerprints", "`fingerprint` never depends on a value"),
    (Feature::Steps, "steps", "`read` and `treat` tell `steps`"),
    (Feature::Leaks, "leaks", "`treat` tells `leaks`, and of each call where it stood"),
    (Feature::Modes, "modes", "`grammar.mode` and `grammar.unknownTools` are heeded"),
    (
        Feature::Gates,
        "gates",
        "`role`, `native_calls`, `active`, `grammar.allowedTools`, and the context's `stop_reason` and `model` are heeded by `treat`",
    ),
    (Feature::Sessions, "sessions", "`advise` answers `steps`: warnings, and notes by `kind`"),
    (Feature::Notes, "notes", "`advise` gives the text that the model reads"),
    (Feature::Classes, "classes", "`class` is an id of docs/catalog.md"),
    (Feature::Wordings, "wordings", "notes are this engine's own sentences, with their parts"),
];

impl Feature {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        FEATURES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// Which numbers an engine can hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Numbers {
    /// 64-bit integers and doubles, told apart.
    Exact,
    /// Doubles alone.
    Doubles,
}

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Hello {
    /// Its name.
    pub engine: String,
    /// Its version.
    pub version: String,
    /// What it can be asked.
    pub operations: Vec<Operation>,
    /// What it heeds and tells.
    pub features: Vec<Feature>,
    /// Its numbers.
    pub numbers: Numbers,
    /// The damage it claims to undo, by id; `None` means all.
    pub undoes: Option<Vec<&'static str>>,
    /// The families of leaks that it claims to know, or single spellings of them; `None` means all.
    pub families: Option<Vec<String>>,
    /// The promises it claims to keep, by name; `None` means all that can be asked of it.
    pub promises: Option<Vec<String>>,
    /// The limits it works within, by name.
    pub limits: Vec<(String, u64)>,
}

impl Hello {
    /// Reads the answer to the greeting.
    ///
    /// # Errors
    ///
    /// What is missing or unknown.
    pub fn read(answer: &Value) -> Result<Self, String> {
        let protocol = answer.get("protocol").and_then(Value::as_u64);
        if protocol != Some(PROTOCOL) {
            return Err(format!("`protocol` must be {PROTOCOL}"));
        }
        let engine = answer.get("engine").and_then(Value::as_str).filter(|name| !name.is_empty());
        let known = |name: &str| OPERATIONS.iter().find(|row| row.1 == name).map(|row| row.0);
        let operations = listed(answer, "operations", known)?.unwrap_or_default();
        let known = |name: &str| FEATURES.iter().find(|row| row.1 == name).map(|row| row.0);
        let features = listed(answer, "features", known)?.unwrap_or_default();
        let numbers = match answer.get("numbers").and_then(Value::as_str) {
            None | Some("exact") => Numbers::Exact,
            Some("doubles") => Numbers::Doubles,
            Some(other) => return Err(format!("`numbers` is exact or doubles, not {other}")),
        };
        let undoes = listed(answer, "undoes", |id| malform::named(id).map(|row| row.id))?;
        let families = listed(answer, "families", family)?;
        let promises = listed(answer, "promises", |name| Some(name.to_owned()))?;
        let limits = answer.get("limits").and_then(Value::as_object).into_iter().flatten();
        let limits = limits.filter_map(|(name, most)| Some((name.clone(), most.as_u64()?)));
        Ok(Self {
            engine: engine.ok_or("`engine` must be a name")?.to_owned(),
            version: answer.get("version").and_then(Value::as_str).unwrap_or("").to_owned(),
            operations,
            features,
            numbers,
            undoes,
            families,
            promises,
            limits: limits.collect(),
        })
    }

    /// As an engine would send it.
    pub fn to_json(&self) -> Value {
        let operations: Vec<&str> = self.operations.iter().map(|row| row.name()).collect();
        let features: Vec<&str> = self.features.iter().map(|row| row.name()).collect();
        let limits: serde_json::Map<String, Value> =
            self.limits.iter().map(|(name, most)| (name.clone(), (*most).into())).collect();
        let numbers = if self.numbers == Numbers::Exact { "exact" } else { "doubles" };
        let mut hello = json!({
            "protocol": PROTOCOL,
            "engine": self.engine,
            "version": self.version,
            "operations": operations,
            "features": features,
            "numbers": numbers,
            "limits": limits,
        });
        if let Some(undoes) = &self.undoes {
            hello["undoes"] = undoes.clone().into();
        }
        if let Some(families) = &self.families {
            hello["families"] = families.clone().into();
        }
        if let Some(promises) = &self.promises {
            hello["promises"] = promises.clone().into();
        }
        hello
    }

    /// Whether it can be asked this.
    pub fn can(&self, operation: Operation) -> bool {
        self.operations.contains(&operation)
    }

    /// Whether it heeds or tells this.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// Whether it can be asked about arguments at all.
    pub fn judges_arguments(&self) -> bool {
        self.can(Operation::Repair) || self.can(Operation::RepairText)
    }

    /// Whether it claims to know this spelling of this family.
    pub fn knows(&self, family: &str, spelling: &str) -> bool {
        let names = |known: &String| match known.split_once('/') {
            None => known == family,
            Some(row) => row == (family, spelling),
        };
        self.families.as_ref().is_none_or(|known| known.iter().any(names))
    }

    /// Whether it claims to undo all of this damage.
    pub fn undoes(&self, damage: &[&str]) -> bool {
        self.undoes.as_ref().is_none_or(|known| damage.iter().all(|id| known.contains(id)))
    }
}

/// The name of a family or, behind a slash, of one of its spellings.
fn family(name: &str) -> Option<String> {
    let known = FAMILIES.iter().any(|family| {
        let rest = name.strip_prefix(family.id);
        rest.is_some_and(|rest| {
            let spelling = rest.strip_prefix('/');
            rest.is_empty() || family.spellings.iter().any(|row| Some(row.id) == spelling)
        })
    });
    known.then(|| name.to_owned())
}

/// A list of names, each of which must be known.
fn listed<T>(
    answer: &Value,
    member: &str,
    known: impl Fn(&str) -> Option<T>,
) -> Result<Option<Vec<T>>, String> {
    let Some(list) = answer.get(member).filter(|list| !list.is_null()) else { return Ok(None) };
    let list = list.as_array().ok_or_else(|| format!("`{member}` must be a list of names"))?;
    let named = list.iter().map(|item| {
        let name = item.as_str().unwrap_or_default();
        known(name).ok_or_else(|| format!("`{member}` names `{name}`, which is unknown"))
    });
    named.collect::<Result<Vec<T>, String>>().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_reads_back() {
        let sent = json!({
            "protocol": 1, "engine": "x", "version": "2", "operations": ["repair", "scan"],
            "features": ["schema"], "numbers": "doubles", "undoes": ["null-optional"],
            "promises": ["nothing_panics"], "limits": {"depth_max": 64},
            "families": ["hermes/canonical", "glm"],
        });
        let hello = Hello::read(&sent).expect("is a greeting");
        assert!(hello.can(Operation::Scan) && !hello.can(Operation::Read));
        assert!(hello.undoes(&["null-optional"]) && !hello.undoes(&["alias"]));
        assert!(hello.knows("hermes", "canonical") && hello.knows("glm", "bare"));
        assert!(!hello.knows("hermes", "list") && !hello.knows("qwen", "canonical"));
        assert_eq!(Hello::read(&hello.to_json()), Ok(hello));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |sent: Value| Hello::read(&sent).expect_err("is no greeting");
        assert!(wrong(json!({})).contains("protocol"));
        assert!(wrong(json!({"protocol": 1})).contains("engine"));
        let unknown = json!({"protocol": 1, "engine": "x", "features": ["magic"]});
        assert!(wrong(unknown).contains("magic"));
        let unknown = json!({"protocol": 1, "engine": "x", "families": ["hermes/sung"]});
        assert!(wrong(unknown).contains("sung"));
    }
}
