//! Real failures: what a model, server or provider got wrong, and the outcome a careful user wants.

use std::fmt;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::{error::CorpusError, lines, recipe::expand};

const FORMAT: &str = "corpus/data/cases/README.md";

/// What part of the engine a case speaks to; one file each.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
pub enum Area {
    /// Arguments of a call to a known tool.
    Arguments,
    /// Calls whose tool name is not spelled as registered.
    ToolNames,
    /// Calls printed as text.
    Leaks,
    /// Error texts of providers.
    ProviderErrors,
}

impl Area {
    /// Every area, in the order tables print them.
    pub const ALL: [Area; 4] =
        [Area::Arguments, Area::ToolNames, Area::Leaks, Area::ProviderErrors];

    /// The name used in the field `area` and as the stem of the file.
    pub fn name(self) -> &'static str {
        match self {
            Area::Arguments => "arguments",
            Area::ToolNames => "tool-names",
            Area::Leaks => "leaks",
            Area::ProviderErrors => "provider-errors",
        }
    }

    /// The area a file's name speaks of, for lines that do not say.
    fn of_file(file: &str) -> Option<Self> {
        let stem = file.rsplit(['/', '\\']).next()?.strip_suffix(".jsonl")?;
        Area::ALL.into_iter().find(|area| area.name() == stem)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The outcome a case asks for; which ones can occur depends on its area.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// Right as it stands: arguments are untouched, text is left alone.
    Valid,
    /// Repaired to the expected value.
    Repaired,
    /// Refused.
    Unrepairable,
    /// The leak becomes the expected calls.
    Recover,
    /// The leak is removed, nothing runs.
    Strip,
    /// Error class: the context is too long.
    Overflow,
    /// Error class: the same request may succeed later.
    Transient,
    /// Error class: retrying does not help.
    Fatal,
}

/// What the case puts in, in the form in which it reached the hook.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseInput {
    /// Argument text, exactly as the model sent it.
    Raw(String),
    /// Arguments, or a call, as a JSON value.
    Value(Value),
    /// Message text with a leak, or the text of an error.
    Text(String),
}

/// Circumstances of a call; what is absent has the default of the corresponding accessor.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct CaseContext {
    /// Why the provider says the message ended.
    pub stop_reason: Option<String>,
    /// The provider's id.
    pub provider: Option<String>,
    /// The channel the text came on.
    pub channel: Option<String>,
    /// Author of the message.
    pub role: Option<String>,
    /// Policy profile.
    #[serde(alias = "profile")]
    pub policy: Option<String>,
    /// What is done about leaks.
    pub mode: Option<String>,
    #[serde(deserialize_with = "calls")]
    native_calls: Option<u64>,
}

impl CaseContext {
    /// The stop reason; `stop` where the case does not say.
    pub fn stop_reason(&self) -> &str {
        self.stop_reason.as_deref().unwrap_or("stop")
    }

    /// The author's role; `assistant` where the case does not say.
    pub fn role(&self) -> &str {
        self.role.as_deref().unwrap_or("assistant")
    }

    /// The policy; `adaptive` where the case does not say.
    pub fn policy(&self) -> &str {
        self.policy.as_deref().unwrap_or("adaptive")
    }

    /// The mode for leaks; `recover` where the case does not say.
    pub fn mode(&self) -> &str {
        self.mode.as_deref().unwrap_or("recover")
    }

    /// Native calls in the same message; none where the case does not say.
    pub fn native_calls(&self) -> u64 {
        self.native_calls.unwrap_or(0)
    }
}

/// One public report, reduced to the tokens that matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Unique within its file.
    pub id: String,
    /// Where it was reported.
    pub source: Option<String>,
    /// Kind of failure, finer than the area.
    pub category: Option<String>,
    /// What part of the engine it speaks to.
    pub area: Area,
    /// Model that did it, in the reporter's words.
    pub model: Option<String>,
    /// The tool called.
    pub tool: Option<String>,
    /// That tool's JSON Schema.
    pub schema: Option<Value>,
    /// Name and schema of every active tool, where more than one has a schema.
    pub tools: Map<String, Value>,
    /// Names of the active tools; see [`Case::active_tools`].
    pub known_tools: Vec<String>,
    /// Circumstances.
    pub context: CaseContext,
    /// What reached the hook.
    pub input: CaseInput,
    /// The outcome wanted.
    pub expect: Expect,
    /// The value of that outcome, where it has one.
    pub expected_value: Option<Value>,
    /// Other outcomes that are not wrong.
    pub accept: Vec<Expect>,
    /// The only value allowed if an accepted outcome has one.
    pub accept_value: Option<Value>,
    /// Why this outcome is the wanted one.
    pub why: Option<String>,
    /// How sure its reader was: `high` or `medium`.
    pub confidence: Option<String>,
}

impl Case {
    /// Names of all active tools: those listed, those with a schema, else the tool of the call.
    pub fn active_tools(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.known_tools.iter().map(String::as_str).collect();
        let others = self.tools.keys().map(String::as_str);
        let own = self.tool.as_deref().filter(|_| self.known_tools.is_empty());
        for name in others.chain(own) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The schema a tool has in this case, if any.
    pub fn schema_of(&self, tool: &str) -> Option<&Value> {
        let own = self.schema.as_ref().filter(|_| self.tool.as_deref() == Some(tool));
        self.tools.get(tool).or(own)
    }
}

/// Reads cases, one JSON object a line; `file` names the text in errors.
///
/// Unknown fields and blank lines are passed over, optional fields may be absent or null. A line
/// without an `area` takes the one its file is named after.
///
/// # Errors
///
/// A line that is not JSON, lacks a field it needs, or repeats an id.
pub fn parse_cases(file: &str, text: &str) -> Result<Vec<Case>, CorpusError> {
    lines::parse(file, text, FORMAT, |row: Row| {
        let case = row.into_case(file)?;
        Ok((case.id.clone(), case))
    })
}

/// A line as it is written.
#[derive(Deserialize)]
struct Row {
    id: String,
    source: Option<String>,
    category: Option<String>,
    area: Option<Area>,
    model: Option<String>,
    tool: Option<String>,
    schema: Option<Value>,
    tools: Option<Map<String, Value>>,
    known_tools: Option<Vec<String>>,
    context: Option<CaseContext>,
    input_kind: Kind,
    #[serde(default, deserialize_with = "present")]
    input: Option<Value>,
    text: Option<String>,
    expect: Expect,
    expected_value: Option<Value>,
    accept: Option<Vec<Expect>>,
    accept_value: Option<Value>,
    why: Option<String>,
    confidence: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Raw,
    Value,
    Text,
}

impl Row {
    fn into_case(self, file: &str) -> Result<Case, CorpusError> {
        let area = self.area.or_else(|| Area::of_file(file)).ok_or_else(|| {
            let known = Area::ALL.map(Area::name).join(", ");
            let problem = format!("`{}` says no `area`", self.id);
            CorpusError::new(file, problem, format!("add `area`: one of {known}"))
        })?;
        let input = input(self.input_kind, self.input, self.text).ok_or_else(|| {
            let (field, kind) = match self.input_kind {
                Kind::Raw => ("input", "argument text"),
                Kind::Value => ("input", "a JSON value"),
                Kind::Text => ("text", "the text"),
            };
            let problem = format!("`{}` has no usable `{field}`", self.id);
            CorpusError::new(file, problem, format!("its `input_kind` wants {kind} in `{field}`"))
        })?;
        Ok(Case {
            id: self.id,
            source: self.source,
            category: self.category,
            area,
            model: self.model,
            tool: self.tool,
            schema: self.schema,
            tools: self.tools.unwrap_or_default(),
            known_tools: self.known_tools.unwrap_or_default(),
            context: self.context.unwrap_or_default(),
            input,
            expect: self.expect,
            expected_value: self.expected_value,
            accept: self.accept.unwrap_or_default(),
            accept_value: self.accept_value,
            why: self.why,
            confidence: self.confidence,
        })
    }
}

/// The input in the form its kind asks for; raw text may be given as a recipe.
fn input(kind: Kind, input: Option<Value>, text: Option<String>) -> Option<CaseInput> {
    match (kind, input) {
        (Kind::Raw, Some(Value::String(raw))) => Some(CaseInput::Raw(raw)),
        (Kind::Raw, Some(recipe @ Value::Object(_))) => match expand(&recipe) {
            Ok(Value::String(raw)) => Some(CaseInput::Raw(raw)),
            Ok(other) => {
                crate::dismantle(other);
                None
            }
            Err(_) => None,
        },
        (Kind::Value, Some(value)) => Some(CaseInput::Value(value)),
        (Kind::Text, _) => text.map(CaseInput::Text),
        _ => None,
    }
}

/// Tells a field that is null, which is a value, from one that is absent.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// Native calls are given by number, or one by one.
fn calls<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Calls {
        Number(u64),
        List(Vec<Value>),
    }
    Ok(Option::<Calls>::deserialize(from)?.map(|calls| match calls {
        Calls::Number(number) => number,
        Calls::List(list) => list.len() as u64,
    }))
}
