//! One record: what it may hold, and the line it is written as.

use serde_json::{Map, Value};

use super::ident::{is_plain, plain_or_other, plain_place};
use super::model::model_name;
use crate::Policy;

/// The version of the record's form that this engine writes.
pub const VERSION: u64 = 1;

/// The most stages, rules and places a record keeps.
pub(super) const LIST_MAX: usize = 16;

/// What a record is about.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Channel {
    /// A tool call.
    Tool,
    /// The text of a message.
    Message,
    /// A note to the model about a failed request.
    Advisor,
}

impl Channel {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Message => "message",
            Self::Advisor => "advisor",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Tool, Self::Message, Self::Advisor].into_iter().find(|row| row.name() == name)
    }
}

/// One thing that happened, without any value of it. Its form as JSON is documented, member by
/// member, in `extension/docs/operations.md`.
///
/// Built by a [`super::Recorder`], read by a [`super::LogReader`], and by nothing else: every text
/// in it is a known id, a registered name or `other`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Record {
    /// Milliseconds since 1970; 0 where an older record does not say.
    pub(super) time: u64,
    pub(super) channel: Channel,
    pub(super) tool: Option<String>,
    pub(super) model: Option<String>,
    pub(super) profile: Option<Policy>,
    pub(super) outcome: String,
    pub(super) reason: Option<String>,
    pub(super) stages: Vec<String>,
    pub(super) rules: Vec<String>,
    pub(super) places: Vec<String>,
    /// Rules that a stricter policy withheld, or that are counted for another reason.
    pub(super) observed: Vec<String>,
    pub(super) family: Option<String>,
    pub(super) class: Option<String>,
    pub(super) count: u64,
    pub(super) fingerprint: Option<u64>,
}

impl Record {
    pub(super) fn new(time: u64, channel: Channel, outcome: &str) -> Self {
        Self {
            time,
            channel,
            tool: None,
            model: None,
            profile: None,
            outcome: outcome.to_owned(),
            reason: None,
            stages: Vec::new(),
            rules: Vec::new(),
            places: Vec::new(),
            observed: Vec::new(),
            family: None,
            class: None,
            count: 1,
            fingerprint: None,
        }
    }

    /// When it happened, in milliseconds since 1970; 0 if an older record does not say.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// What it is about.
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// `valid`, `deferred`, `repaired`, `unrepairable`; for a text `observed`, `stripped`,
    /// `promoted`, `preserved`; for the advisor `noted`.
    pub fn outcome(&self) -> &str {
        &self.outcome
    }

    /// The record stands for this many equal events; for the many valid calls of a session.
    #[must_use]
    pub fn times(mut self, count: u64) -> Self {
        self.count = count.max(1);
        self
    }

    /// The record as a JSON object; members that say nothing are left out.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("v".into(), VERSION.into());
        out.insert("time".into(), self.time.into());
        out.insert("channel".into(), self.channel.name().into());
        let mut put = |name: &str, text: Option<&str>| {
            if let Some(text) = text {
                out.insert(name.into(), text.into());
            }
        };
        put("tool", self.tool.as_deref());
        put("model", self.model.as_deref());
        put("profile", self.profile.map(Policy::name));
        put("outcome", Some(&self.outcome));
        put("reason", self.reason.as_deref());
        put("family", self.family.as_deref());
        put("class", self.class.as_deref());
        let lists = [
            ("stages", &self.stages),
            ("rules", &self.rules),
            ("places", &self.places),
            ("observed", &self.observed),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            out.insert(name.into(), list.clone().into());
        }
        if self.count != 1 {
            out.insert("count".into(), self.count.into());
        }
        if let Some(fingerprint) = self.fingerprint {
            // As text: JavaScript cannot hold 64 bits.
            out.insert("fingerprint".into(), format!("{fingerprint:016x}").into());
        }
        Value::Object(out)
    }

    /// The line to append, line end included; write it in one go.
    pub fn to_line(&self) -> String {
        format!("{}\n", self.to_json())
    }

    /// Reads a record of this version; `None` if it is none.
    pub(super) fn from_json(object: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        let time = object.get("time")?.as_u64()?;
        let channel = Channel::from_name(text("channel")?)?;
        let outcome = text("outcome").filter(|outcome| is_plain(outcome))?;
        let mut record = Self::new(time, channel, outcome);
        record.tool = text("tool").map(plain_or_other);
        record.model = text("model").map(model_name);
        record.profile = text("profile").and_then(|name| name.parse().ok());
        record.reason = text("reason").map(plain_or_other);
        record.family = text("family").map(plain_or_other);
        record.class = text("class").map(plain_or_other);
        record.stages = list(object, "stages", plain_or_other);
        record.rules = list(object, "rules", plain_or_other);
        record.places = list(object, "places", plain_place);
        record.observed = list(object, "observed", plain_or_other);
        record.count = object.get("count").and_then(Value::as_u64).unwrap_or(1).max(1);
        record.fingerprint =
            text("fingerprint").and_then(|text| u64::from_str_radix(text, 16).ok());
        Some(record)
    }
}

/// The texts of a list, made safe.
pub(super) fn list(
    object: &Map<String, Value>,
    name: &str,
    safe: fn(&str) -> String,
) -> Vec<String> {
    let items = object.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items.iter().take(LIST_MAX).filter_map(Value::as_str).map(safe).collect()
}
