//! Treats the leaks of one message: reports them, removes them, and makes calls of those that may run.

use std::borrow::Cow;
use std::ops::Range;

use super::config::{Grammar, Mode, UnknownTools};
use super::gates::{Attempt, CALLS_MAX};
use super::promote::{Promoted, Ready, ready};
use super::scanner::{Found, Leak};
use super::sighting::{Sighting, blocks, compare, first_change, holds, outside_code, unchanged};
use super::{BlockState, markdown, standing};
use crate::{Context, Registry, StopReason};

/// A message as far as the treatment of leaks needs to know it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Message<'m> {
    /// True if the assistant wrote it.
    pub assistant: bool,
    /// Its texts, in order; thinking is none of them.
    pub texts: &'m [&'m str],
    /// How many native calls it holds.
    pub native_calls: usize,
    /// The tools that are active; `None` if all registered ones are.
    pub active: Option<&'m [String]>,
}

/// What is done about one leak.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Action {
    /// It is only reported: so says the mode.
    Observed,
    /// It stays because it may be data: its tool is unknown, its model is not known to print such
    /// calls, or it may be an example, in code or in a sentence.
    Preserved,
    /// It stays because removing it would make a new marker out of its two sides.
    LeftAlone,
    /// It is removed.
    Removed,
    /// It is removed, and its calls run.
    Promoted,
}

impl Action {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::Preserved => "preserved",
            Self::LeftAlone => "left-alone",
            Self::Removed => "removed",
            Self::Promoted => "promoted",
        }
    }
}

/// What stands in a leak's range, without what it says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum State {
    /// A whole block.
    Whole,
    /// A block in which something does not belong; the text says what.
    Damaged(&'static str),
    /// A block that the text ends in.
    CutOff,
    /// A marker alone.
    Dangling,
    /// An opener and its closer with something in between that no family reads.
    Unread,
    /// A marker at the end of the text, or the beginning of one.
    CutMarker,
}

impl State {
    fn of(found: &Found) -> Self {
        match found {
            Found::Dangling | Found::Leading => Self::Dangling,
            Found::Unread => Self::Unread,
            Found::CutMarker => Self::CutMarker,
            Found::Block(block) => match block.state {
                BlockState::Whole => Self::Whole,
                BlockState::Damaged(why) => Self::Damaged(why),
                BlockState::CutOff => Self::CutOff,
            },
        }
    }

    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Damaged(_) => "damaged",
            Self::CutOff => "cut-off",
            Self::Dangling => "dangling",
            Self::Unread => "unread",
            Self::CutMarker => "cut-marker",
        }
    }
}

/// One leak and what is done about it. Holds no value of the message, and names registered tools only.
#[derive(Clone, Debug, PartialEq)]
pub struct Handled {
    /// Which text of the message.
    pub part: usize,
    /// Its bytes in that text.
    pub range: Range<usize>,
    /// The family.
    pub family: &'static str,
    /// The spelling; empty where the block is not whole.
    pub spelling: &'static str,
    /// What stands there.
    pub state: State,
    /// The registered tools that it names.
    pub tools: Vec<String>,
    /// What is done.
    pub action: Action,
    /// The gates that keep it from running; all of them.
    pub closed: Vec<&'static str>,
    /// Why a tool refuses the arguments, as the ids of [`crate::REASONS`].
    pub refused: Vec<&'static str>,
}

/// What becomes of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Treatment {
    /// Each text as it is to be; `None` if it stays the same bytes.
    pub texts: Vec<Option<String>>,
    /// The calls that run, in order.
    pub calls: Vec<Promoted>,
    /// Everything that was found, in order.
    pub leaks: Vec<Handled>,
    /// Bytes that were looked at.
    pub steps: u64,
}

impl Treatment {
    /// True if the message is to be replaced.
    pub fn changes_message(&self) -> bool {
        !self.calls.is_empty() || self.texts.iter().any(Option::is_some)
    }

    /// The calls, each with the id that `id` gives for its place in the list.
    pub fn with_ids(self, mut id: impl FnMut(usize) -> String) -> Vec<(String, Promoted)> {
        self.calls.into_iter().enumerate().map(|(at, call)| (id(at), call)).collect()
    }
}

/// Treats the leaks of `message`.
///
/// Code and quotations in its markdown are never touched. The markdown is parsed only where a marker
/// was found: as it stands, and again with the blocks blanked, so that a fence inside a value neither
/// hides what follows nor lays it open. Where that shows other blocks, it is parsed once more with those
/// blanked, a few times at most. What only the later readings show is removed and never runs; what any
/// of them hides again is preserved.
///
/// A block runs if every one of [`super::GATES`] is open: all its calls, or none. Two equal calls in
/// one block are two, as in a native message. An equal call in a later block is the echo of a model that
/// repeats itself: that block is removed and does not run.
///
/// If scanning the result again would find more to remove, sides were joined into a marker: then the
/// whole message is left alone, and nothing runs.
///
/// # Examples
///
/// ```
/// use engine::grammar::{Grammar, GrammarConfig, Message, treat};
/// use engine::{Context, Policy, Registry, Tool};
///
/// let registry = Registry::new(Tool::builtin("read", None))?;
/// let grammar = Grammar::new(GrammarConfig::default())?;
/// let text = "Reading.\n<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": \"/x\"}}</tool_call>";
/// let message = Message { assistant: true, texts: &[text], ..Message::default() };
/// let context = Context { policy: Policy::Recover, ..Context::default() };
/// let treatment = treat(&message, &grammar, &registry, &context);
/// assert_eq!(treatment.texts, [Some("Reading.".to_owned())]);
/// assert_eq!(treatment.calls[0].args, serde_json::json!({"path": "/x"}));
/// # Ok::<(), engine::ConfigError>(())
/// ```
pub fn treat(
    message: &Message<'_>,
    grammar: &Grammar,
    registry: &Registry,
    context: &Context<'_>,
) -> Treatment {
    let mut treatment =
        Treatment { texts: vec![None; message.texts.len()], ..Treatment::default() };
    let mode = grammar.mode(context);
    if mode == Mode::Off {
        return treatment;
    }
    let mut session = Session { message, grammar, registry, context, mode, steps: 0 };
    let sightings = session.find_all();
    if !sightings.is_empty() {
        session.decide(&sightings, &mut treatment);
        session.rewrite(&mut treatment);
    }
    treatment.steps = session.steps;
    treatment
}

/// The treatment of one message.
struct Session<'s> {
    message: &'s Message<'s>,
    grammar: &'s Grammar,
    registry: &'s Registry,
    context: &'s Context<'s>,
    mode: Mode,
    steps: u64,
}

impl Session<'_> {
    fn find_all(&mut self) -> Vec<Sighting> {
        let texts = self.message.texts.iter().enumerate();
        texts.flat_map(|(part, text)| self.find(part, text)).collect()
    }

    /// True if no other text of the message says anything.
    fn is_alone(&self, part: usize) -> bool {
        let mut texts = self.message.texts.iter().enumerate();
        texts.all(|(at, text)| at == part || text.trim().is_empty())
    }

    /// What stands in one text, outside code by either reading of its markdown.
    fn find(&mut self, part: usize, text: &str) -> Vec<Sighting> {
        let scanner = &self.grammar.scanner;
        self.steps += text.len() as u64;
        if !scanner.sees(text) {
            return Vec::new();
        }
        let code = (self.grammar.tables.protect)(text);
        let first = self.scan(text, &code);
        let again = self.grammar.tables.second_parse;
        let last = if again { self.read_again(text, &first, &code) } else { None };
        let mut found = match last {
            Some(last) => compare(part, &first, &last),
            None => unchanged(part, first),
        };
        found.retain(|sighting| self.is_wanted(sighting));
        self.mark_mentions(text, &code, &mut found);
        self.mark_led(&mut found);
        found
    }

    /// What the text shows once its blocks are blanked, `first` being what it shows as it stands, with
    /// `code` in it; `None` if its markdown is the same either way.
    ///
    /// A block that was hidden so far was not blanked, and a fence in it may lay open what follows or hide
    /// it; so the markdown is read until the blocks stay the same. What is hidden after it was seen is not
    /// believed, and if the blocks never stay the same, nothing behind the first that changes is.
    fn read_again(
        &mut self,
        text: &str,
        first: &[Leak],
        code: &[Range<usize>],
    ) -> Option<Vec<Leak>> {
        let (mut code, mut leaks) = (Cow::Borrowed(code), Cow::Borrowed(first));
        let mut hidden: Vec<Leak> = Vec::new();
        let mut change = blocks(first).next().map(|range| range.start);
        for _ in 0..READINGS_MAX {
            if change.is_none() {
                break;
            }
            let blanked = markdown::blank(text, blocks(&leaks).cloned());
            let again = (self.grammar.tables.protect)(&blanked);
            if again == *code {
                change = None;
                break;
            }
            let next = self.scan(text, &again);
            hidden.extend(leaks.iter().filter(|leak| !holds(&next, leak)).cloned());
            change = first_change(&leaks, &next);
            (code, leaks) = (Cow::Owned(again), Cow::Owned(next));
        }
        let Cow::Owned(mut last) = leaks else { return None };
        hidden.sort_by_key(|leak| leak.range.start);
        last.retain(|leak| !holds(&hidden, leak) && change.is_none_or(|at| leak.range.start <= at));
        Some(last)
    }

    /// Notes which leaks the text around them only mentions, and which stand in thoughts.
    ///
    /// What no family reads may be text like any other, or belong to the leak beside it, and so may a
    /// damaged block of no tool that ends within a line: a leak that is mentioned by either reading is.
    fn mark_mentions(&self, text: &str, code: &[Range<usize>], sightings: &mut [Sighting]) {
        self.mark(text, code, sightings, |sighting| sighting.in_second);
        let doubted = |sighting: &Sighting| {
            let leak = &sighting.leak;
            let damaged = leak.block().is_some_and(|block| !block.is_whole());
            let within = || !standing::ends_line(text, leak.range.end);
            sighting.is_unread() || damaged && within() && !self.is_meant(leak)
        };
        if sightings.iter().any(|sighting| sighting.in_second && doubted(sighting)) {
            self.mark(text, code, sightings, |sighting| sighting.in_second && !doubted(sighting));
        }
    }

    /// Notes the same, as if only what is `counted` were none of the text.
    fn mark(
        &self,
        text: &str,
        code: &[Range<usize>],
        sightings: &mut [Sighting],
        counted: impl Fn(&Sighting) -> bool,
    ) {
        let ranges: Vec<Range<usize>> = sightings
            .iter()
            .filter(|sighting| counted(sighting))
            .map(|sighting| sighting.leak.range.clone())
            .collect();
        let mentions = (self.grammar.tables.mentions)(text, code, &ranges);
        let thoughts = standing::thought(text, &ranges);
        let leaks = sightings.iter_mut().filter(|sighting| counted(sighting));
        for (sighting, (mentioned, thought)) in leaks.zip(mentions.into_iter().zip(thoughts)) {
            sighting.mentioned |= mentioned;
            sighting.thought |= thought;
        }
    }

    /// Notes which openers stand before a leak that stays: nothing is taken from a block that may be data.
    fn mark_led(&self, sightings: &mut [Sighting]) {
        let mut stays = false;
        for sighting in sightings.iter_mut().rev().filter(|sighting| sighting.in_second) {
            sighting.led = stays && sighting.leak.found == Found::Leading;
            stays = !self.removes(sighting);
        }
    }

    /// Scans `text`; what is code is passed over.
    fn scan(&mut self, text: &str, code: &[Range<usize>]) -> Vec<Leak> {
        let scan = self.grammar.scanner.scan(text, self.registry.names(), code);
        self.steps = self.steps.saturating_add(scan.steps).saturating_add(text.len() as u64);
        scan.leaks
    }

    fn is_wanted(&self, sighting: &Sighting) -> bool {
        let family = self.grammar.scanner.family(sighting.leak.family);
        let bare = family.is_some_and(|family| family.whole_message);
        let lone = sighting.leak.block().is_none();
        (!bare || lone || self.is_alone(sighting.part)) && (!lone || self.grammar.tables.dangling)
    }

    /// Decides about every leak; calls that run are collected.
    fn decide(&self, sightings: &[Sighting], treatment: &mut Treatment) {
        let settled = sightings.iter().filter(|sighting| sighting.in_second);
        let mut states = settled.map(|sighting| State::of(&sighting.leak.found));
        let clean = states.all(|state| state == State::Whole);
        let blocks = sightings.iter().filter_map(|sighting| sighting.leak.block());
        let few = blocks.map(|block| block.calls.len()).sum::<usize>() <= CALLS_MAX;
        let last = !self.is_followed(sightings);
        for sighting in sightings {
            // Beyond the limit nothing runs, and what the calls would be is not looked at.
            let calls = if few { self.calls(sighting) } else { Vec::new() };
            let message = Attempt { clean, last, few, ..self.facts() };
            let attempt = self.attempt(sighting, &calls, message, &treatment.calls);
            let gates = self.grammar.tables.gates.iter();
            let closed: Vec<&'static str> =
                gates.filter(|gate| !(gate.holds)(&attempt)).map(|gate| gate.id).collect();
            let promoted = closed.is_empty();
            let action = match self.removes(sighting) {
                _ if promoted => Action::Promoted,
                _ if self.mode == Mode::Observe => Action::Observed,
                true => Action::Removed,
                false => Action::Preserved,
            };
            treatment.leaks.push(Handled {
                part: sighting.part,
                range: sighting.leak.range.clone(),
                family: sighting.leak.family,
                spelling: sighting.leak.block().map_or("", |block| block.spelling),
                state: State::of(&sighting.leak.found),
                tools: self.tools(&sighting.leak),
                action,
                closed,
                refused: calls
                    .iter()
                    .filter_map(|call| call.result.as_ref().err().copied())
                    .collect(),
            });
            if promoted {
                treatment.calls.extend(promotions(sighting, calls));
            }
        }
    }

    fn calls(&self, sighting: &Sighting) -> Vec<Ready<'_>> {
        let block = sighting.leak.block().filter(|_| sighting.leak.is_whole());
        let calls = block.into_iter().flat_map(|block| &block.calls);
        calls.map(|call| ready(call, self.grammar, self.registry, self.context)).collect()
    }

    /// What is known about the message.
    fn facts(&self) -> Attempt {
        Attempt {
            recovers: self.mode == Mode::Recover,
            assistant: self.message.assistant,
            stopped: self.context.stop_reason == StopReason::Stop,
            no_native_call: self.message.native_calls == 0,
            ..Attempt::default()
        }
    }

    /// What is known about one block, beside `message`, what is known about its message.
    fn attempt(
        &self,
        sighting: &Sighting,
        calls: &[Ready<'_>],
        message: Attempt,
        before: &[Promoted],
    ) -> Attempt {
        let has_calls = sighting.leak.block().is_some_and(|block| !block.calls.is_empty());
        Attempt {
            whole: sighting.leak.is_whole() && has_calls,
            undisputed: sighting.in_first && sighting.in_second,
            apart: !sighting.mentioned && !sighting.thought,
            admitted: self.grammar.admits(sighting.leak.family, self.context),
            active: calls
                .iter()
                .all(|call| call.tool.is_some_and(|tool| self.is_active(tool.name()))),
            declared: calls.iter().all(|call| call.declared),
            accepted: calls.iter().all(|call| call.tool.is_none() || call.result.is_ok()),
            given: calls.iter().all(|call| call.given),
            first: !calls.iter().any(|call| self.is_repeated(call, before)),
            ..message
        }
    }

    /// True if text stands behind the first block of the message, leaks aside.
    fn is_followed(&self, sightings: &[Sighting]) -> bool {
        let blocks = |sighting: &&Sighting| sighting.in_second && sighting.leak.block().is_some();
        let Some(first) = sightings.iter().find(blocks) else { return false };
        let mut from = first.leak.range.start;
        self.message.texts.iter().enumerate().skip(first.part).any(|(part, text)| {
            let ranges = outside_code(of_part(sightings, part, |sighting| sighting.part))
                .filter(|range| range.end > from);
            let more = standing::says_more(text, from, ranges);
            from = 0;
            more
        })
    }

    fn is_active(&self, name: &str) -> bool {
        let active = self.message.active;
        active.is_none_or(|active| active.iter().any(|tool| tool == name))
            || self.grammar.config.allowed.contains(name)
    }

    fn is_repeated(&self, call: &Ready<'_>, before: &[Promoted]) -> bool {
        let (Some(tool), Ok((args, _))) = (call.tool, &call.result) else { return false };
        let same = self.grammar.tables.same;
        before.iter().any(|earlier| earlier.tool == tool.name() && same(&earlier.args, args))
    }

    /// The registered tool that a name is meant for.
    fn known(&self, name: &str) -> Option<Cow<'_, str>> {
        let exact = self.registry.tool(name).map(|tool| Cow::Borrowed(tool.name()));
        let found = || self.registry.resolve_name(name).ok().map(|resolved| resolved.tool);
        exact.or_else(|| found().map(Cow::Owned))
    }

    /// The registered tools that a leak names, each once.
    fn tools(&self, leak: &Leak) -> Vec<String> {
        let mut tools: Vec<String> = Vec::new();
        for tool in names(leak).filter_map(|name| self.known(name)) {
            if !tools.iter().any(|known| *known == tool) {
                tools.push(tool.into_owned());
            }
        }
        tools
    }

    /// True if the leak is nothing but call syntax that went astray, so that it may go.
    fn removes(&self, sighting: &Sighting) -> bool {
        let leak = &sighting.leak;
        let lone = leak.block().is_none();
        let read = leak.found != Found::Unread;
        sighting.in_second
            && !sighting.mentioned
            && !sighting.led
            && self.is_meant(leak)
            && read
            && (lone || self.grammar.admits(leak.family, self.context))
    }

    /// True if every name in the leak is a tool's, or those of others may go as well.
    fn is_meant(&self, leak: &Leak) -> bool {
        names(leak).all(|name| self.known(name).is_some())
            || self.grammar.config.unknown_tools == UnknownTools::Strip
            || !self.grammar.tables.keeps_unknown
    }

    /// Takes what goes out of the texts, unless a text then holds something new to remove.
    fn rewrite(&mut self, treatment: &mut Treatment) {
        if self.mode < Mode::Strip {
            return;
        }
        let mut texts: Vec<Option<String>> = Vec::new();
        for (part, text) in self.message.texts.iter().enumerate() {
            let here = of_part(&treatment.leaks, part, |leak| leak.part);
            let leaks = here.iter().filter(|leak| leak.action >= Action::Removed);
            let ranges: Vec<Range<usize>> = leaks.map(|leak| leak.range.clone()).collect();
            let removed = || (self.grammar.tables.remove)(text, &ranges);
            texts.push((!ranges.is_empty()).then(removed));
        }
        if self.grammar.tables.fixpoint && !self.is_settled(&texts) {
            treatment.calls.clear();
            for leak in treatment.leaks.iter_mut().filter(|leak| leak.action >= Action::Removed) {
                leak.action = Action::LeftAlone;
            }
            return;
        }
        treatment.texts = texts;
    }

    /// True if nothing would be removed from the message that these texts make.
    fn is_settled(&mut self, texts: &[Option<String>]) -> bool {
        let pairs = texts.iter().zip(self.message.texts);
        let after: Vec<&str> = pairs.map(|(new, old)| new.as_deref().unwrap_or(old)).collect();
        let message = Message { texts: &after, ..*self.message };
        let mut session = Session { message: &message, ..*self };
        let sightings = session.find_all();
        self.steps = session.steps;
        !sightings.iter().any(|sighting| self.removes(sighting))
    }
}

/// How often the markdown of a text is read at most once blocks are found in it: each reading costs the
/// length of the text, and more are needed only where one block's fence hides another with a fence.
const READINGS_MAX: usize = 3;

/// What is of one text, in a list that is sorted by text.
fn of_part<T>(list: &[T], part: usize, of: fn(&T) -> usize) -> &[T] {
    let start = list.partition_point(|item| of(item) < part);
    let rest = list.get(start..).unwrap_or_default();
    rest.get(..rest.partition_point(|item| of(item) == part)).unwrap_or_default()
}

/// The names that stand in a leak.
fn names(leak: &Leak) -> impl Iterator<Item = &str> {
    leak.block().into_iter().flat_map(|block| {
        let calls = block.calls.iter().map(|call| call.name.as_str());
        calls.chain(block.named.iter().map(String::as_str))
    })
}

/// The calls of a block that runs.
fn promotions(sighting: &Sighting, calls: Vec<Ready<'_>>) -> impl Iterator<Item = Promoted> {
    let leak = &sighting.leak;
    calls.into_iter().filter_map(move |call| {
        let (args, changes) = call.result.ok()?;
        Some(Promoted {
            tool: call.tool?.name().to_owned(),
            args,
            changes,
            family: leak.family,
            spelling: leak.block().map_or("", |block| block.spelling),
            part: sighting.part,
            range: leak.range.clone(),
        })
    })
}
