//! The session's entries, the context they amount to, and where a compaction cuts.

use std::{collections::BTreeSet, rc::Rc};

use serde_json::json;

use super::message::{Msg, context_tokens, estimate, role, shared};

/// One entry; its id is its place.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: usize,
    pub(super) at_ms: u64,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Message(Msg),
    /// A message an extension put there.
    Custom(Msg),
    Compaction(Compaction),
    /// Takes the entry of that id out of the context.
    Edit(usize),
    /// Of no weight for the context.
    Mark(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Compaction {
    pub(super) summary: String,
    pub(super) first_kept: usize,
    /// The prompt of that moment, where releases keep it.
    pub(super) system: Option<Msg>,
    /// Files the summed up calls named; none where an extension wrote the summary.
    pub(super) files: Files,
    message: Msg,
}

/// Files that calls of pi's own tools named.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    read: BTreeSet<String>,
    modified: BTreeSet<String>,
}

impl Files {
    /// Adds what the calls of a message name.
    fn add(&mut self, message: &Msg) {
        let message = message.borrow();
        let blocks = message["content"].as_array().into_iter().flatten();
        for block in blocks.filter(|block| block["type"] == "toolCall") {
            let path = block["arguments"]["path"].as_str().filter(|path| !path.is_empty());
            let (Some(path), Some(name)) = (path, block["name"].as_str()) else { continue };
            match name {
                "read" => drop(self.read.insert(path.to_owned())),
                "write" | "edit" => drop(self.modified.insert(path.to_owned())),
                _ => {}
            }
        }
    }

    /// As it stands behind a summary; a file that was modified is not told as read.
    pub(super) fn told(&self) -> String {
        let read = self.read.difference(&self.modified).cloned().collect::<Vec<String>>();
        let modified = self.modified.iter().cloned().collect::<Vec<String>>();
        let section = |(name, files): (&str, Vec<String>)| {
            let lines = files.join("\n");
            (!files.is_empty()).then(|| format!("\n\n<{name}>\n{lines}\n</{name}>"))
        };
        [("read-files", read), ("modified-files", modified)]
            .into_iter()
            .filter_map(section)
            .collect()
    }
}

impl Compaction {
    pub(super) fn new(
        summary: String,
        first_kept: usize,
        system: Option<Msg>,
        files: Files,
        now: u64,
    ) -> Self {
        let message = json!({"role": "compactionSummary", "summary": summary, "timestamp": now});
        Self { message: shared(message), summary, first_kept, system, files }
    }
}

impl Entry {
    /// How a trace names it.
    pub(super) fn told(&self) -> String {
        match &self.kind {
            Kind::Message(message) => format!("message:{}", corpus::brief(&message.borrow())),
            Kind::Custom(_) => "custom_message".to_owned(),
            Kind::Compaction(_) => "compaction".to_owned(),
            Kind::Edit(_) => "context_edit".to_owned(),
            Kind::Mark(name) => (*name).to_owned(),
        }
    }

    pub(super) fn is_compaction(&self) -> bool {
        matches!(self.kind, Kind::Compaction(_))
    }

    /// The messages it stands for, whatever was edited later.
    fn own(&self) -> Vec<Msg> {
        match &self.kind {
            Kind::Message(message) | Kind::Custom(message) => vec![message.clone()],
            Kind::Compaction(it) => it.system.iter().chain([&it.message]).cloned().collect(),
            Kind::Edit(_) | Kind::Mark(_) => Vec::new(),
        }
    }

    /// Whether it is the entry of this message.
    pub(super) fn holds(&self, message: &Msg) -> bool {
        let (Kind::Message(own) | Kind::Custom(own)) = &self.kind else { return false };
        Rc::ptr_eq(own, message)
    }

    fn is_system(&self) -> bool {
        matches!(&self.kind, Kind::Message(message) if role(message) == "system")
    }
}

/// An entry of the context with the messages it contributes.
#[derive(Clone, Debug)]
pub(super) struct Projected {
    pub(super) entry: Entry,
    pub(super) messages: Vec<Msg>,
}

/// What the entries amount to; with `edits`, edited entries and older summaries contribute nothing.
pub(super) fn project(entries: &[Entry], edits: bool) -> Vec<Projected> {
    let visible = visible(entries, edits);
    let edited: Vec<usize> = visible
        .iter()
        .filter_map(|entry| match entry.kind {
            Kind::Edit(target) if edits => Some(target),
            _ => None,
        })
        .collect();
    let contributes = |index: usize, entry: &Entry| {
        let is_older_summary = edits && index > 0 && entry.is_compaction();
        !edited.contains(&entry.id) && !is_older_summary
    };
    let project = |(index, entry): (usize, Entry)| {
        let messages = if contributes(index, &entry) { entry.own() } else { Vec::new() };
        Projected { entry, messages }
    };
    visible.into_iter().enumerate().map(project).collect()
}

/// The last compaction, what it kept, and what came after.
fn visible(entries: &[Entry], edits: bool) -> Vec<Entry> {
    let Some(at) = entries.iter().rposition(Entry::is_compaction) else { return entries.to_vec() };
    let Kind::Compaction(compaction) = &entries[at].kind else { return entries.to_vec() };
    let kept = entries[..at]
        .iter()
        .skip_while(|entry| entry.id != compaction.first_kept)
        .filter(|entry| !(edits && entry.is_system()));
    [&entries[at]].into_iter().chain(kept).chain(&entries[at + 1..]).cloned().collect()
}

pub(super) fn messages(projected: &[Projected]) -> Vec<Msg> {
    projected.iter().flat_map(|it| it.messages.iter().cloned()).collect()
}

/// Tokens of the context; a report from before an edit or a compaction does not count.
pub(super) fn projected_tokens(projected: &[Projected], entries: &[Entry]) -> u64 {
    let all = messages(projected);
    let (tokens, last) = context_tokens(&all);
    if let Some(last) = last {
        let owners = projected.iter().flat_map(|it| it.messages.iter().map(|_| it.entry.id));
        let reporter = owners.clone().nth(last).and_then(|id| place(entries, id));
        let breaks = |entry: &Entry| entry.is_compaction() || matches!(entry.kind, Kind::Edit(_));
        if reporter > entries.iter().rposition(breaks) {
            return tokens;
        }
    }
    let system = all.iter().rev().find(|message| role(message) == "system");
    let others = all.iter().filter(|message| role(message) != "system");
    system.into_iter().chain(others).map(|message| estimate(&message.borrow())).sum()
}

fn place(entries: &[Entry], id: usize) -> Option<usize> {
    entries.iter().position(|entry| entry.id == id)
}

/// What a compaction is about to do.
#[derive(Clone, Debug)]
pub(super) struct Preparation {
    pub(super) first_kept: usize,
    pub(super) history: Vec<Msg>,
    pub(super) prefix: Vec<Msg>,
    pub(super) is_split: bool,
    pub(super) previous: Option<String>,
    pub(super) files: Files,
}

/// Where to cut so that about `keep` tokens stay as they are; `None` if nothing would be summed up.
pub(super) fn prepare(entries: &[Entry], keep: u64, edits: bool) -> Option<Preparation> {
    if entries.last()?.is_compaction() {
        return None;
    }
    let rows = if edits { project(entries, true) } else { plain(entries) };
    let last = boundary(&rows, edits);
    let start = last.as_ref().map_or(0, |(start, _)| *start);
    let cut = cut_point(&rows, start, keep, edits);
    let first_kept = rows.get(cut.kept)?.entry.id;
    let until = cut.turn.unwrap_or(cut.kept);
    let gather = |rows: &[Projected]| {
        let summed = rows.iter().filter(|row| !row.entry.is_compaction());
        let messages = summed.flat_map(|row| row.messages.clone());
        messages.filter(|message| role(message) != "system").collect::<Vec<Msg>>()
    };
    let history = gather(&rows[start.min(until)..until]);
    let prefix = cut.turn.map_or(Vec::new(), |turn| gather(&rows[turn..cut.kept]));
    if history.is_empty() && prefix.is_empty() {
        return None;
    }
    let mut files = last.as_ref().map(|(_, it)| it.files.clone()).unwrap_or_default();
    history.iter().chain(&prefix).for_each(|message| files.add(message));
    let previous = last.map(|(_, it)| it.summary);
    Some(Preparation { first_kept, history, prefix, is_split: cut.turn.is_some(), previous, files })
}

/// Every entry with its own messages.
fn plain(entries: &[Entry]) -> Vec<Projected> {
    let row = |entry: &Entry| Projected { entry: entry.clone(), messages: entry.own() };
    entries.iter().map(row).collect()
}

/// Where the part begins that was not summed up yet, and the compaction before it.
fn boundary(rows: &[Projected], edits: bool) -> Option<(usize, Compaction)> {
    let is_summary = |row: &Projected| row.entry.is_compaction() && !row.messages.is_empty();
    let at = rows.iter().rposition(is_summary)?;
    let Kind::Compaction(it) = &rows[at].entry.kind else { return None };
    let kept = rows.iter().position(|row| row.entry.id == it.first_kept);
    let start = if edits { at + 1 } else { kept.unwrap_or(at + 1) };
    Some((start, it.clone()))
}

struct Cut {
    /// The first row that is kept.
    kept: usize,
    /// The row the turn begins with, where the cut lies within one.
    turn: Option<usize>,
}

fn cut_point(rows: &[Projected], start: usize, keep: u64, edits: bool) -> Cut {
    let is_point = |row: &Projected| {
        !row.entry.is_compaction() && row.messages.iter().any(|it| is_cut_point(&role(it)))
    };
    let points: Vec<usize> = (start..rows.len()).filter(|at| is_point(&rows[*at])).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Cut { kept: start, turn: None };
    };
    let mut kept = *first;
    let mut sum = 0;
    let mut is_over = false;
    for at in (start..rows.len()).rev() {
        let own: u64 = rows[at].messages.iter().map(|message| estimate(&message.borrow())).sum();
        sum += own;
        if own > 0 && sum >= keep {
            is_over = true;
            let fallback = if edits { *last } else { *first };
            kept = points.iter().copied().find(|point| *point >= at).unwrap_or(fallback);
            break;
        }
    }
    if edits && is_over && only_omitted_follow(&rows[kept + 1..]) {
        kept += 1;
    }
    while kept > start {
        let before = &rows[kept - 1];
        if before.entry.is_compaction() || !before.messages.is_empty() {
            break;
        }
        kept -= 1;
    }
    let begins = |row: &Projected| {
        !row.entry.is_compaction() && row.messages.iter().any(|it| begins_turn(&role(it)))
    };
    if rows.get(kept).is_some_and(begins) {
        return Cut { kept, turn: None };
    }
    let turn = (start..=kept.min(rows.len().saturating_sub(1))).rev().find(|at| begins(&rows[*at]));
    Cut { kept, turn }
}

fn is_cut_point(role: &str) -> bool {
    matches!(role, "user" | "assistant" | "custom" | "compactionSummary")
}

fn begins_turn(role: &str) -> bool {
    matches!(role, "user" | "custom" | "compactionSummary")
}

/// Whether behind the cut stand only attempts that were edited out, an answer among them.
fn only_omitted_follow(suffix: &[Projected]) -> bool {
    let is_visible = |row: &Projected| !row.entry.own().is_empty();
    let is_omitted = |row: &Projected| is_visible(row) && row.messages.is_empty();
    let is_answer = |row: &Projected| matches!(&row.entry.kind, Kind::Message(message) if role(message) == "assistant");
    suffix.iter().any(|row| is_answer(row) && is_omitted(row))
        && suffix
            .iter()
            .all(|row| !row.entry.is_compaction() && (!is_visible(row) || is_omitted(row)))
}
