//! What a host reports of a session: calls side by side, one inside another, failed, cut short.

use std::fmt;
use std::str::FromStr;

use super::Bias;
use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;

/// Arguments as models send them, by tool; `zqvalue` stands where a value is, `zqkey` for a key.
const ARGS: &[(&str, &str)] = &[
    ("read", r#"{"path":"zqvalue"}"#),
    ("read", r#"{"path":"zqvalue","limit":null}"#),
    ("read", r#"{"file_path":"zqvalue"}"#),
    ("read", r#"{"path":["zqvalue"]}"#),
    ("read", r#"{"path":"zqvalue","limit":"5"}"#),
    ("read", r#"{"limit":5,"path":"zqvalue","offset":null}"#),
    ("read", r#"{"path":["zqvalue","zqvalue"]}"#),
    ("read", r#"{"path":"zqvalue","zqkey":1}"#),
    ("read", r#"{"path":"zqvalue","limit":"zqvalue"}"#),
    ("read", r#""zqvalue""#),
    ("edit", r#"{"path":"zqvalue","edits":"[{\"oldText\":\"zqvalue\",\"newText\":\"\"}]"}"#),
    ("edit", r#"{"path":"zqvalue","edits":{"oldText":"zqvalue","newText":"zqvalue"}}"#),
    ("edit", r#"{"path":"zqvalue","oldText":"zqvalue","newText":null}"#),
    ("edit", r#"{"path":"zqvalue","edits":[{"zqkey":"zqvalue"}]}"#),
    ("bash", r#"{"command":"zqvalue","timeout":null}"#),
    ("bash", r#"{"cmd":"zqvalue"}"#),
    ("bash", r#"{"zqkey":"zqvalue"}"#),
    ("grep", r#"{"pattern":"zqvalue","ignoreCase":"TRUE","path":null,"glob":null}"#),
    ("label", r#"{"tags":{"zqkey":"[\"zqvalue\"]"}}"#),
    ("label", r#"{"tags":{"zqkey":"zqvalue"},"colour":"RED"}"#),
    ("label", r#"{"tags":{"zqkey":{"zqkey":["zqvalue"]}}}"#),
    ("my tool", r#"{"n":null}"#),
    ("ls", "{}"),
];

/// The first so many rows of [`ARGS`] are one call, sent well and in several wrong ways.
const ALIKE: usize = 4;

/// Notations of calls in text; ids of the grammar's table.
const FAMILIES: &[&str] = &["dsml", "hermes", "kimi"];

/// Waits, in milliseconds, around the ages that caps know of; a clock may also go back.
const WAITS: &[i64] = &[60, 101, 400, 1001, 300_001, 86_400_001, -50, -5000];

/// How a call comes to the host.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Entry {
    /// As the model called the tool.
    Plain,
    /// Its name was mended in the message.
    Renamed,
    /// It stood in the text, in this notation.
    Promoted(&'static str),
}

impl Entry {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Renamed => "renamed",
            Self::Promoted(family) => family,
        }
    }

    /// The entry of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let promoted = || FAMILIES.iter().find(|family| **family == name);
        match name {
            "plain" => Some(Self::Plain),
            "renamed" => Some(Self::Renamed),
            _ => promoted().map(|family| Self::Promoted(family)),
        }
    }
}

/// One call as the model made it.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its id at the host; not always its own.
    pub id: String,
    /// The tool as the model named it.
    pub name: String,
    /// The arguments, JSON.
    pub args: String,
    /// The provider was given a strict schema, so that absent fields come as null.
    pub strict: bool,
    /// Another tool made the call.
    pub nested: bool,
    /// How it came.
    pub entry: Entry,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Doing {
    /// Its message has ended.
    Announce,
    /// It starts.
    Start,
    /// Its arguments are prepared.
    Prepare,
    /// It is about to run.
    Run,
    /// It has a result.
    Finish,
    /// Nothing more comes of it.
    End,
}

/// Everything that happens to calls, by name.
pub const DOINGS: &[(Doing, &str)] = &[
    (Doing::Announce, "announce"),
    (Doing::Start, "start"),
    (Doing::Prepare, "prepare"),
    (Doing::Run, "run"),
    (Doing::Finish, "finish"),
    (Doing::End, "end"),
];

/// What the host reports.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum What {
    /// Something about the call at this place.
    Call(Doing, usize),
    /// No call is running.
    RunEnded,
    /// The session ends.
    Shutdown,
}

/// One report, and the milliseconds since the one before.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Step {
    /// Milliseconds; negative if the clock goes back.
    pub wait: i64,
    /// The report.
    pub what: What,
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wait, what } = self;
        match what {
            What::Call(doing, call) => {
                let name = DOINGS.iter().find(|row| row.0 == *doing).map_or("", |row| row.1);
                write!(out, "{wait} {name} {call}")
            }
            What::RunEnded => write!(out, "{wait} run-ended"),
            What::Shutdown => write!(out, "{wait} shutdown"),
        }
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no step");
        let mut words = text.split(' ');
        let wait = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
        let what = match (words.next(), words.next()) {
            (Some("run-ended"), None) => What::RunEnded,
            (Some("shutdown"), None) => What::Shutdown,
            (Some(name), Some(call)) => {
                let doing = DOINGS.iter().find(|row| row.1 == name).ok_or_else(wrong)?.0;
                What::Call(doing, call.parse().map_err(|_| wrong())?)
            }
            _ => return Err(wrong()),
        };
        Ok(Self { wait, what })
    }
}

/// Calls, and what the host reports of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The calls.
    pub calls: Vec<Call>,
    /// The reports, in the host's order.
    pub steps: Vec<Step>,
}

/// What happens to a call, in groups between which other calls may come.
type Course = &'static [&'static [Doing]];

/// A call that runs to its end.
const WHOLE: Course =
    &[&[Doing::Start, Doing::Prepare], &[Doing::Run], &[Doing::Finish], &[Doing::End]];

/// A call that comes to nothing, or is told of once too often.
const FAILING: &[Course] = &[
    &[&[Doing::Start, Doing::Prepare], &[Doing::End]],
    &[&[Doing::Start, Doing::Prepare], &[Doing::Run], &[Doing::End]],
    &[&[Doing::Start, Doing::End]],
    &[&[Doing::Start, Doing::Prepare], &[Doing::Run]],
    &[&[Doing::Start, Doing::Prepare]],
    &[&[Doing::Start, Doing::Prepare], &[Doing::Run], &[Doing::Finish], &[Doing::Finish]],
    &[&[Doing::Start, Doing::Prepare], &[Doing::Run], &[Doing::Finish]],
];

/// What a name is like, with how often.
const NAMES: &[(&str, u32)] = &[
    ("", 20),
    ("name-upper-case", 2),
    ("name-prefixed", 2),
    ("name-behind-space", 1),
    ("name-unknown", 1),
    ("name-with-residue", 1),
    ("name-of-two-lines", 1),
];

/// How a call comes, with how often.
const ENTRIES: &[(&str, u32)] = &[("", 10), ("renamed-in-message", 1), ("printed-as-text", 1)];

/// How a message ends, with how often.
const ENDS: &[(&str, u32)] = &[("", 6), ("run-ends", 2), ("session-ends", 1)];

/// What a script is made of, by name.
pub(super) fn features() -> impl Iterator<Item = &'static str> {
    let tables = [NAMES, ENTRIES, ENDS];
    let rows = tables.into_iter().flatten().map(|row| row.0).filter(|id| !id.is_empty());
    rows.chain(["strict-schema", "calls-in-step", "call-fails", "call-in-call"])
}

/// The place of a row that is on; the case carries it if it has a name.
fn weigh(source: &mut dyn Source, rows: &[(&'static str, u32)]) -> usize {
    let at = source.weigh_rows(rows);
    if !rows[at].0.is_empty() {
        source.carry(rows[at].0);
    }
    at
}

/// A call on its way.
struct Lane {
    call: usize,
    course: Course,
    done: usize,
}

/// A host at work.
struct Host<'s> {
    source: &'s mut dyn Source,
    bias: &'s Bias,
    /// Says which call it is before it prepares.
    named: bool,
    script: Script,
}

impl Script {
    /// Draws a session.
    pub(super) fn draw(source: &mut dyn Source, bias: &Bias) -> Self {
        let named = !source.chance(bias.unnamed, 16);
        let mut host = Host { source, bias, named, script: Self::default() };
        for _ in 0..host.source.range(1, bias.messages_max) {
            host.message();
        }
        host.script
    }

    /// True if the host says which call it is before it prepares: no other call is ever prepared.
    pub fn names_starts(&self) -> bool {
        let starts = |call| self.position(Doing::Start, call).is_some();
        self.of(Doing::Prepare).all(|call| self.calls[call].nested || starts(call))
    }

    /// True if every prepared call runs, in the order of preparation.
    pub fn is_orderly(&self) -> bool {
        self.of(Doing::Prepare).eq(self.of(Doing::Run))
    }

    /// True if nobody waits long, and the clock does not go back.
    pub fn is_brisk(&self) -> bool {
        self.steps.iter().all(|step| (0..100).contains(&step.wait))
    }

    /// True if the call shares its id with another.
    pub fn shares_id(&self, call: usize) -> bool {
        let id = &self.calls[call].id;
        self.calls.iter().filter(|other| other.id == *id).count() > 1
    }

    /// True if a result comes once, in the run in which its call began, before the call's end.
    pub fn results_are_in_time(&self) -> bool {
        (0..self.calls.len()).all(|call| {
            let (mut begun, mut done) = (false, false);
            self.steps.iter().all(|step| match step.what {
                What::Call(Doing::Finish, about) if about == call => {
                    let in_time = begun && !done;
                    done = true;
                    in_time
                }
                What::Call(doing, about) if about == call => {
                    begun |= doing == Doing::Start;
                    done |= doing == Doing::End;
                    true
                }
                What::Call(..) => true,
                What::RunEnded | What::Shutdown => {
                    begun = false;
                    true
                }
            })
        })
    }

    /// True if of the calls under one id an announced one is the next to start: hosts start the calls
    /// of a message in its order, and the id alone tells what was announced for whom.
    pub fn announced_start_next(&self) -> bool {
        let next = |announced: usize, after: &[Step]| {
            after.iter().find_map(|step| match step.what {
                What::Call(Doing::Start, call)
                    if self.calls[call].id == self.calls[announced].id =>
                {
                    Some(call == announced)
                }
                _ => None,
            })
        };
        self.steps.iter().enumerate().all(|(at, step)| match step.what {
            What::Call(Doing::Announce, call) => next(call, &self.steps[at..]).unwrap_or(true),
            _ => true,
        })
    }

    fn of(&self, doing: Doing) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().filter_map(move |step| match step.what {
            What::Call(done, call) if done == doing => Some(call),
            _ => None,
        })
    }

    fn position(&self, doing: Doing, call: usize) -> Option<usize> {
        self.steps.iter().position(|step| step.what == What::Call(doing, call))
    }
}

impl Host<'_> {
    fn call(&mut self, nested: bool) -> usize {
        let made = self.script.calls.len();
        let id = if self.source.chance(self.bias.reused, 16) {
            format!("call_{}", self.source.below(2))
        } else {
            format!("id{made}")
        };
        let alike = self.source.chance(self.bias.alike, 16);
        let (tool, args) = *self.source.pick(if alike { &ARGS[..ALIKE] } else { ARGS });
        let name = match weigh(self.source, NAMES) {
            1 => tool.to_uppercase(),
            2 => format!("functions.{tool}"),
            3 => format!(" {tool}"),
            4 => "zqname".to_owned(),
            5 => format!("{tool}zqname"),
            6 => format!("functions.zqname\n{tool}"),
            _ => tool.to_owned(),
        };
        let args = args.replace("zqvalue", &format!("zqvalue{}", self.source.below(2)));
        let strict = self.source.chance_row("strict-schema", 1, 5);
        let entry = match weigh(self.source, ENTRIES) {
            1 if !nested => Entry::Renamed,
            2 if !nested => {
                let family = *self.source.pick(FAMILIES);
                Entry::Promoted(family)
            }
            _ => Entry::Plain,
        };
        self.script.calls.push(Call { id, name, args, strict, nested, entry });
        made
    }

    fn lane(&mut self) -> Lane {
        let call = self.call(false);
        let failing = self.source.chance_row("call-fails", self.bias.failing, 16);
        let course = if failing { *self.source.pick(FAILING) } else { WHOLE };
        Lane { call, course, done: 0 }
    }

    /// A call by another tool: no start is reported.
    fn nested(&mut self) -> Lane {
        let call = self.call(true);
        let failing = self.source.chance_row("call-fails", self.bias.failing, 32);
        let course: Course = if failing {
            &[&[Doing::Prepare]]
        } else {
            &[&[Doing::Prepare], &[Doing::Run], &[Doing::Finish]]
        };
        Lane { call, course, done: 0 }
    }

    /// The calls of one message, in step or each at its own pace, until all have ended or the run is aborted.
    fn message(&mut self) {
        let count = self.source.below(self.bias.calls_max + 1);
        let mut lanes: Vec<Lane> = (0..count).map(|_| self.lane()).collect();
        for lane in &lanes {
            if self.script.calls[lane.call].entry != Entry::Plain {
                self.step(What::Call(Doing::Announce, lane.call));
            }
        }
        // A host may prepare all calls before any runs.
        let in_step = self.source.chance_row("calls-in-step", 1, 3);
        while !lanes.is_empty() && !self.source.chance(1, 60) {
            let done = |place: &usize| lanes[*place].done;
            let at = if in_step {
                (0..lanes.len()).min_by_key(done).unwrap_or_default()
            } else {
                self.source.index(lanes.len())
            };
            let lane = &mut lanes[at];
            let (call, group) = (lane.call, lane.course[lane.done]);
            lane.done += 1;
            let ended = lane.done == lane.course.len();
            let runs = group.contains(&Doing::Run) && !self.script.calls[call].nested;
            for doing in group {
                if self.named || *doing != Doing::Start {
                    self.step(What::Call(*doing, call));
                }
            }
            if ended {
                lanes.remove(at);
            }
            if runs && self.source.chance_row("call-in-call", self.bias.nested, 16) {
                lanes.push(self.nested());
            }
        }
        match weigh(self.source, ENDS) {
            1 => self.step(What::RunEnded),
            2 => self.step(What::Shutdown),
            _ => {}
        }
        // A result may come late.
        if let Some(lane) = lanes.first() {
            self.step(What::Call(Doing::Finish, lane.call));
        }
    }

    fn step(&mut self, what: What) {
        let long = self.source.chance(self.bias.clock, 16);
        let wait = if long { *self.source.pick(WAITS) } else { i64::from(self.source.below(20)) };
        self.script.steps.push(Step { wait, what });
    }
}
