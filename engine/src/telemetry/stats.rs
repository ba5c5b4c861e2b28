//! Counts records: by tool, model, rule and so on, in bounded memory.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::day::{DAY_MAX, DAY_MS, civil};
use super::ident::OTHER;
use super::record::Record;
use super::tables::Tables;

/// The most names of one section; what comes later counts as `other`.
const NAMES_MAX: usize = 2_000;

/// What is counted together.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum By {
    /// What became of it.
    Outcome,
    /// The tool.
    Tool,
    /// The model.
    Model,
    /// The rule that fired; a call counts once for each.
    Rule,
    /// The rule that was withheld by policy, or only counted.
    Observed,
    /// Why a repair was refused.
    Reason,
    /// The place in the arguments, as the schema declares it.
    Place,
    /// The notation of a call in text.
    Family,
    /// The class of a failed request.
    Class,
    /// The day, in UTC.
    Day,
}

impl By {
    /// Every section and its name, in the order they are printed.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Outcome, "outcome"),
        (Self::Tool, "tool"),
        (Self::Model, "model"),
        (Self::Rule, "rule"),
        (Self::Observed, "observed"),
        (Self::Reason, "reason"),
        (Self::Place, "place"),
        (Self::Family, "family"),
        (Self::Class, "class"),
        (Self::Day, "day"),
    ];

    /// The name, for headings and options.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(by, _)| *by == self).map_or("outcome", |row| row.1)
    }

    /// The section of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(by, _)| *by)
    }

    /// Hands on the names under which a record counts.
    fn names(self, record: &Record, each: &mut dyn FnMut(&str)) {
        let mut one = |name: &Option<String>| name.iter().for_each(|name| each(name));
        match self {
            Self::Outcome => each(&record.outcome),
            Self::Tool => one(&record.tool),
            Self::Model => one(&record.model),
            Self::Rule => record.rules.iter().for_each(|rule| each(rule)),
            Self::Observed => record.observed.iter().for_each(|rule| each(rule)),
            Self::Reason => one(&record.reason),
            Self::Place => {
                let tool = record.tool.as_deref().unwrap_or_default();
                record.places.iter().for_each(|place| each(&format!("{tool} {place}")));
            }
            Self::Family => one(&record.family),
            Self::Class => one(&record.class),
            Self::Day => {
                if let Some(day) = record.day() {
                    each(&civil(day));
                }
            }
        }
    }
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// Calls that needed no repair.
    pub fine: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// Everything else: repairs, calls in text, notes.
    pub treated: u64,
}

impl Tally {
    /// What is shown: all that was not fine.
    pub fn faults(&self) -> u64 {
        self.refused.saturating_add(self.treated)
    }
}

/// Counts an outcome so many times.
pub(super) fn count(tally: &mut Tally, outcome: &str, times: u64) {
    let slot = match outcome {
        "valid" | "deferred" => &mut tally.fine,
        "unrepairable" => &mut tally.refused,
        _ => &mut tally.treated,
    };
    *slot = slot.saturating_add(times);
}

impl Record {
    /// The day, counted from 1970-01-01; `None` for a time that is missing or absurd.
    fn day(&self) -> Option<u64> {
        let day = self.time / DAY_MS;
        (self.time > 0 && day <= DAY_MAX).then_some(day)
    }
}

/// The counts of a log.
///
/// # Examples
///
/// ```
/// use engine::telemetry::{By, LogReader, Look, Stats};
///
/// let log = br#"{"v":1,"time":86400000,"channel":"tool","tool":"ls","outcome":"repaired"}"#;
/// let mut stats = Stats::default();
/// let mut reader = LogReader::default();
/// reader.push(log, &mut |record| stats.add(&record));
/// reader.finish(&mut |record| stats.add(&record));
/// assert_eq!(stats.of(By::Tool)[0].0, "ls");
/// assert!(stats.text(&[], 80, &Look::PLAIN).contains("1970-01-02"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stats {
    tables: Tables,
    records: u64,
    all: Tally,
    /// First and last time, in milliseconds.
    span: Option<(u64, u64)>,
    sections: BTreeMap<By, BTreeMap<String, Tally>>,
}

impl Stats {
    /// Counts by altered steps, to plant a bug.
    #[doc(hidden)]
    pub fn planted(tables: Tables) -> Self {
        Self { tables, ..Self::default() }
    }

    /// Counts one record.
    pub fn add(&mut self, record: &Record) {
        let counts = self.tables.count;
        let count = |tally: &mut Tally| counts(tally, &record.outcome, record.count);
        self.records += 1;
        count(&mut self.all);
        if record.day().is_some() {
            let (first, last) = self.span.unwrap_or((record.time, record.time));
            self.span = Some((first.min(record.time), last.max(record.time)));
        }
        for (by, _) in By::ALL {
            let section = self.sections.entry(*by).or_default();
            by.names(record, &mut |name| {
                if let Some(tally) = section.get_mut(name) {
                    return count(tally);
                }
                let name = if section.len() < NAMES_MAX { name } else { OTHER };
                count(section.entry(name.to_owned()).or_default());
            });
        }
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How often everything happened.
    pub fn all(&self) -> Tally {
        self.all
    }

    /// The dates of the first and the last record, where any has a time.
    pub fn days(&self) -> Option<(String, String)> {
        self.span.map(|(first, last)| (civil(first / DAY_MS), civil(last / DAY_MS)))
    }

    /// The names of a section with their counts: days in order, all else by count, then by name.
    pub fn of(&self, by: By) -> Vec<(&str, Tally)> {
        let section = self.sections.get(&by).into_iter().flatten();
        let mut rows: Vec<(&str, Tally)> =
            section.map(|(name, tally)| (name.as_str(), *tally)).collect();
        if by != By::Day {
            rows.sort_by_key(|(name, tally)| (u64::MAX - tally.faults(), *name));
        }
        rows
    }

    /// The counts as a JSON object: `records`, `from`, `to`, `fine`, `refused`, `treated`, and `by`
    /// with a list for each of `sections`, or for all of them if there are none.
    pub fn to_json(&self, sections: &[By]) -> Value {
        let row = |(name, tally): (&str, Tally)| json!({"name": name, "fine": tally.fine, "refused": tally.refused, "treated": tally.treated});
        let mut by = Map::new();
        for (section, name) in By::ALL {
            if sections.is_empty() || sections.contains(section) {
                by.insert((*name).to_owned(), self.of(*section).into_iter().map(row).collect());
            }
        }
        let days = self.days();
        json!({
            "records": self.records,
            "from": days.as_ref().map(|days| &days.0),
            "to": days.as_ref().map(|days| &days.1),
            "fine": self.all.fine,
            "refused": self.all.refused,
            "treated": self.all.treated,
            "by": by,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Channel;
    use super::*;

    fn record(time: u64, tool: &str, count: u64) -> Record {
        let mut record = Record::new(time, Channel::Tool, "repaired");
        record.tool = Some(tool.to_owned());
        record.times(count)
    }

    #[test]
    fn sections_are_found_by_the_names_they_are_printed_with() {
        for (by, name) in By::ALL {
            assert_eq!((by.name(), By::from_name(name)), (*name, Some(*by)));
        }
        assert_eq!(By::from_name("tools"), None);
    }

    #[test]
    fn times_that_are_missing_or_absurd_have_no_day() {
        let end = (DAY_MAX + 1) * DAY_MS;
        let mut stats = Stats::default();
        for (time, day) in [
            (0, None),
            (end, None),
            (u64::MAX, None),
            (1, Some(0)),
            (DAY_MS - 1, Some(0)),
            (DAY_MS, Some(1)),
            (end - 1, Some(DAY_MAX)),
        ] {
            assert_eq!(record(time, "ls", 1).day(), day, "{time}");
            stats.add(&record(time, "ls", 1));
            assert_eq!(stats.days().is_some(), day.is_some() || stats.records() > 3, "{time}");
        }
        assert_eq!(stats.records(), 7);
        assert_eq!(stats.days(), Some(("1970-01-01".to_owned(), "9999-12-31".to_owned())));
    }

    #[test]
    fn days_stand_in_order_and_all_else_by_count() {
        let mut stats = Stats::default();
        for (day, tool, count) in [(3, "b", 9), (2, "a", 1), (1, "c", 1), (1, "a", 4)] {
            stats.add(&record(day * DAY_MS, tool, count));
        }
        let names = |by| stats.of(by).iter().map(|row| row.0).collect::<Vec<_>>();
        assert_eq!(names(By::Tool), ["b", "a", "c"]);
        assert_eq!(names(By::Day), ["1970-01-02", "1970-01-03", "1970-01-04"]);
        let keys = |sections: &[By]| {
            let json = stats.to_json(sections);
            json["by"].as_object().map(|by| by.keys().cloned().collect::<Vec<_>>())
        };
        assert_eq!(keys(&[By::Tool, By::Day]), Some(vec!["tool".to_owned(), "day".to_owned()]));
        assert_eq!(keys(&[]).map(|keys| keys.len()), Some(By::ALL.len()));
    }
}
