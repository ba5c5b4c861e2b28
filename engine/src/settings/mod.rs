//! The settings file: read, migrated, resolved and printed; whoever calls reads and writes it.
//!
//! The names of the members are those of pi-repair-layer, so that its file works as it is. A file
//! is edited member by member: unknown members, the order, the white space and every number that
//! is none of our business stay the bytes they were.

mod diagnostic;
mod keys;
mod migrate;
mod profile;
mod splice;
#[doc(hidden)]
pub mod tables;

use serde_json::{Map, Value};

use crate::Policy;
use crate::grammar::{Mode, UnknownTools};
use crate::reader::{self, ReadErrorKind, ReadOptions};
pub use diagnostic::{Diagnostic, SaveError};
pub use keys::{KEYS, Key};
pub use migrate::{MIGRATIONS, Migration};
pub use profile::{PROFILES, Profile};
use splice::ObjectText;
use tables::Tables;

/// What the user chose.
#[derive(Clone, Debug, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "five independent switches of one file")]
pub struct Settings {
    /// Malformed calls are repaired.
    pub repair: bool,
    /// The model is told why a request failed.
    pub advisor: bool,
    /// How far repair may go.
    pub profile: Policy,
    /// Overrides what the profile does about calls in text.
    pub grammar: Option<Mode>,
    /// Overrides what the profile does about unknown tools in text.
    pub unknown_text: Option<UnknownTools>,
    /// The tools that a call in text may run; empty for all active ones.
    pub allowed_tools: Vec<String>,
    /// Repaired calls are marked on their result row.
    pub show_indicator: bool,
    /// The note text is shown below the mark.
    pub show_notes: bool,
    /// Repairs are counted in a local file.
    pub telemetry: bool,
}

impl Default for Settings {
    /// Everything on, adaptive, marks without note texts.
    fn default() -> Self {
        Self {
            repair: true,
            advisor: true,
            profile: Policy::default(),
            grammar: None,
            unknown_text: None,
            allowed_tools: Vec::new(),
            show_indicator: true,
            show_notes: false,
            telemetry: true,
        }
    }
}

/// What is to be done, after the profile and its overrides.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Resolved {
    /// For arguments.
    pub policy: Policy,
    /// For calls in text.
    pub grammar: Mode,
    /// For calls in text to a tool that is not known.
    pub unknown_text: UnknownTools,
}

impl Settings {
    /// The profile's row of [`PROFILES`], with the overrides in their places.
    ///
    /// An override always counts: `recover` promotes under every profile, `off` looks for nothing.
    pub fn resolve(&self) -> Resolved {
        let row = Profile::of(self.profile);
        Resolved {
            policy: row.policy,
            grammar: self.grammar.unwrap_or(row.grammar),
            unknown_text: self.unknown_text.unwrap_or(row.unknown_text),
        }
    }

    /// Chooses a profile. An override that said no more than the old profile does goes with it,
    /// since older files spell out what the profile says anyway; a real one stays.
    pub fn choose_profile(&mut self, profile: Policy) {
        let old = Profile::of(self.profile);
        self.grammar = self.grammar.filter(|mode| *mode != old.grammar);
        self.unknown_text = self.unknown_text.filter(|choice| *choice != old.unknown_text);
        self.profile = profile;
    }

    /// Sets one key, by its name in the file; `Null` takes an override back.
    ///
    /// # Errors
    ///
    /// [`Diagnostic::Value`] if the key may not have this value, [`Diagnostic::NoKey`] if there is
    /// no such key; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), Diagnostic> {
        let Some(key) = keys::key(name) else {
            return Err(Diagnostic::NoKey { name: diagnostic::shown(name) });
        };
        let policy = value.as_str().and_then(|name| name.parse().ok());
        match (key.name, value) {
            ("grammarRecovery", Value::Null) => self.grammar = None,
            ("unknownGrammarText", Value::Null) => self.unknown_text = None,
            (PROFILE, _) if let Some(policy) = policy => self.choose_profile(policy),
            _ if (key.take)(self, value) => {}
            _ => return Err(self.misfit(key, value)),
        }
        Ok(())
    }

    /// The whole file as it is printed where there is none yet.
    pub fn to_text(&self) -> String {
        let member = |key: &Key| {
            let value = (key.give)(self)?;
            Some(format!("\t{}: {value}", Value::from(key.name)))
        };
        let members: Vec<String> = KEYS.iter().filter_map(member).collect();
        format!("{{\n{}\n}}\n", members.join(",\n"))
    }

    /// The diagnostic for a value that a key may not have.
    fn misfit(&self, key: &'static Key, value: &Value) -> Diagnostic {
        let used =
            (key.give)(self).map_or_else(|| "what the profile says".into(), |v| v.to_string());
        let got = diagnostic::shown(&value.to_string());
        Diagnostic::Value { key: key.name, got, accepts: key.accepts, used }
    }
}

/// A settings file that has been read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What it says, or the defaults.
    pub settings: Settings,
    /// What is odd about it, in the order of the keys.
    pub diagnostics: Vec<Diagnostic>,
    source: Source,
    finish: fn(String) -> String,
    /// Keys whose value does not stand in the file under its own name.
    migrated: Vec<&'static str>,
}

/// The key that tells a file of today from one of the time before profiles.
const PROFILE: &str = "policyProfile";

/// What there was to read.
#[derive(Clone, Debug)]
enum Source {
    /// No file, or an empty one.
    Absent,
    /// An object, its text.
    Object(String),
    /// Something that must not be written over, and why.
    Unreadable(String),
}

impl Loaded {
    /// Reads a file; `None` if there is none. Never fails: what cannot be read is a diagnostic.
    ///
    /// # Examples
    ///
    /// ```
    /// use engine::Policy;
    /// use engine::settings::Loaded;
    ///
    /// let loaded = Loaded::read(Some("{\"grammarRecovery\": \"recover\", \"mine\": 1e400}"));
    /// assert_eq!(loaded.settings.profile, Policy::Recover);
    /// let mut settings = loaded.settings.clone();
    /// settings.show_notes = true;
    /// let text = loaded.save(&settings)?;
    /// assert!(text.contains("\"mine\": 1e400, \"policyProfile\": \"recover\""));
    /// # Ok::<(), engine::settings::SaveError>(())
    /// ```
    pub fn read(text: Option<&str>) -> Self {
        Self::planted(text, &Tables::default())
    }

    /// Reads a file with altered tables, to plant a bug.
    #[doc(hidden)]
    pub fn planted(text: Option<&str>, tables: &Tables) -> Self {
        Self { finish: tables.finish, ..Self::from_text(text, tables) }
    }

    fn from_text(text: Option<&str>, tables: &Tables) -> Self {
        let text = text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Self::plain(Source::Absent, Vec::new());
        };
        match read_object(text) {
            Ok((file, object)) => Self::from_object(&file, object, tables),
            Err(says) => {
                let diagnostics = vec![Diagnostic::Unreadable { says: says.clone() }];
                let keep = tables.keep_unreadable;
                let source = if keep { Source::Unreadable(says) } else { Source::Absent };
                Self::plain(source, diagnostics)
            }
        }
    }

    /// True if a save would lose what stands in the file.
    pub fn is_unreadable(&self) -> bool {
        matches!(self.source, Source::Unreadable(_))
    }

    /// The text to write so that the file says `settings`.
    ///
    /// Only members whose setting was changed, or was migrated, are touched; a value that could not
    /// be used stays until its setting is changed.
    ///
    /// # Errors
    ///
    /// [`SaveError`] if the file is there and cannot be read; write [`Settings::to_text`] only
    /// after the user has agreed to lose it.
    pub fn save(&self, settings: &Settings) -> Result<String, SaveError> {
        let text = match &self.source {
            Source::Absent => return Ok(settings.to_text()),
            Source::Unreadable(says) => return Err(SaveError { says: says.clone() }),
            Source::Object(text) => text.clone(),
        };
        let unreadable = || SaveError { says: "it is no JSON object".to_owned() };
        let mut object = ObjectText::new(text).ok_or_else(unreadable)?;
        for key in KEYS {
            let wanted = (key.give)(settings);
            let same = wanted == (key.give)(&self.settings);
            // An override without a profile beside it is the oldest shape, and means another thing.
            let alone = key.name == PROFILE && settings.grammar.is_some() && !object.has(PROFILE);
            if same && !alone && !self.migrated.contains(&key.name) {
                continue;
            }
            object = match wanted {
                Some(value) => object.set(key.name, &value),
                None => key
                    .aliases
                    .iter()
                    .chain([&key.name])
                    .try_fold(object, |object, name| object.remove(name)),
            }
            .ok_or_else(unreadable)?;
        }
        Ok((self.finish)(object.into_text()))
    }

    fn plain(source: Source, diagnostics: Vec<Diagnostic>) -> Self {
        let (settings, finish) = (Settings::default(), std::convert::identity);
        Self { settings, diagnostics, source, finish, migrated: Vec::new() }
    }

    fn from_object(file: &Map<String, Value>, object: ObjectText, tables: &Tables) -> Self {
        let mut loaded = Self::plain(Source::Absent, Vec::new());
        let repeated = object.repeated();
        loaded.diagnostics.extend(
            repeated.iter().map(|name| Diagnostic::Repeated { name: diagnostic::shown(name) }),
        );
        loaded.migrate(file, tables);
        for key in KEYS {
            loaded.take(key, file);
        }
        if tables.keep_unknown {
            loaded.source = Source::Object(object.into_text());
        }
        loaded
    }

    /// Takes what older shapes mean, before the members that stand under their own names.
    fn migrate(&mut self, file: &Map<String, Value>, tables: &Tables) {
        for row in &tables.migrations {
            let means = (row.apply)(file);
            if !means.is_empty() {
                self.diagnostics.push(Diagnostic::OldShape { id: row.id, says: row.fires });
            }
            for (name, value) in means {
                let Some(key) = keys::key(name).filter(|_| !self.migrated.contains(&name)) else {
                    continue;
                };
                if (key.take)(&mut self.settings, &value) {
                    self.migrated.push(name);
                }
            }
        }
    }

    /// Takes one setting from the file, under its name or an older one.
    fn take(&mut self, key: &'static Key, file: &Map<String, Value>) {
        let old = || key.aliases.iter().find_map(|name| Some((*name, file.get(*name)?)));
        let Some((name, value)) = file.get(key.name).map(|value| (key.name, value)).or_else(old)
        else {
            return;
        };
        if !(key.take)(&mut self.settings, value) {
            let diagnostic = self.settings.misfit(key, value);
            self.diagnostics.push(diagnostic);
        } else if name != key.name {
            self.diagnostics.push(Diagnostic::OldName { name, key: key.name });
            self.migrated.push(key.name);
        }
    }
}

/// Reads a text that must be one JSON object. A value that this crate cannot hold (`1e400`, half a
/// surrogate pair, a key twice in an unknown member) is JSON all the same; it reads as `null`.
fn read_object(text: &str) -> Result<(Map<String, Value>, ObjectText), String> {
    let why = || match serde_json::from_str::<Value>(text) {
        Err(error) => error.to_string(),
        Ok(_) => "it is no JSON object".to_owned(),
    };
    let object = ObjectText::new(text.to_owned()).ok_or_else(why)?;
    let mut file = Map::new();
    for (name, value) in object.values() {
        let value = match serde_json::from_str(value) {
            Ok(value) => value,
            Err(_) if is_json(value) => Value::Null,
            Err(_) => return Err(why()),
        };
        file.insert(name.to_owned(), value);
    }
    Ok((file, object))
}

/// True for JSON that a `Value` cannot hold.
fn is_json(text: &str) -> bool {
    match reader::read(text, &ReadOptions::default()) {
        Ok(reading) => reading.liberties.is_empty(),
        Err(error) => {
            matches!(error.kind, ReadErrorKind::LoneSurrogate | ReadErrorKind::DuplicateKey { .. })
        }
    }
}

#[cfg(test)]
mod tests;
