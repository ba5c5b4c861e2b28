//! pi's agent loop, played: runs scripts in virtual time and hands out the trace of the real one.
//!
//! A script is data (`corpus::Script`); the real pi runs it through `pi-drift`, this module runs it
//! here. The loop is written from what pi was seen to do; where releases differ, [`CHANGES`] says
//! since when. An [`Extension`] plugs in where one plugs into pi.
//!
//! Not played, and said so by [`Unplayable`]: tools that really work (but reading and writing whole
//! files), scripts of `codemode`, and questions about the installed package.

mod ask;
mod calls;
pub mod chaos;
mod classify;
mod compaction;
mod compare;
mod entries;
pub mod generate;
mod hooks;
mod js;
mod live;
mod log;
mod message;
mod misfit;
mod partial;
mod profile;
mod provider;
mod reference;
mod run;
mod session;
mod signal;
mod tick;
mod tools;
mod user;
mod wire;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt,
    rc::Rc,
    time::Duration,
};

use corpus::{Model, Origin, Release, SCRIPT_FORMAT, Script, Trace, Trigger, Turn};
use serde_json::Value;
use tokio::{runtime, sync::Notify, task::LocalSet, time};

pub use compare::{Difference, compare, masked, without_words};
pub use profile::{CHANGES, Change, GENERATIONS, Profile, Way};
pub use reference::{Parts, Reference, grammar};

use entries::{Entry, Kind};
use log::Log;
use message::Msg;
use session::Why;
use signal::{Signal, fired};

/// Virtual milliseconds after which a script counts as stuck.
const LIMIT_MS: u64 = 20_000;
/// Moments of the clock in one millisecond of the script.
const SCALE: u64 = 100_000;

/// What plugs into the loop where an extension plugs into pi.
///
/// It is asked after the recorder and before the script's own handlers.
pub trait Extension {
    /// An event; may be changed in place, and what is returned is what a handler returns.
    ///
    /// # Errors
    ///
    /// What the handler throws.
    fn at(&self, name: &str, event: &mut Value) -> Result<Option<Value>, String>;

    /// Whether it wraps this tool's `prepareArguments`.
    fn prepares(&self, tool: &str) -> bool;

    /// The wrapped hook: may change the arguments in place, or return others.
    ///
    /// # Errors
    ///
    /// What the hook throws; it becomes the result of the call.
    fn prepare(&self, tool: &str, args: &mut Value) -> Result<Option<Value>, String>;
}

/// The script does something that cannot be played here; the reason.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unplayable(pub String);

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot be played: {}", self.0)
    }
}

impl std::error::Error for Unplayable {}

/// Plays a script as one release would run it.
///
/// # Errors
///
/// The script needs more than the loop; see the module's page.
pub fn play(script: &Script, release: Release) -> Result<Trace, Unplayable> {
    play_with(script, release, None)
}

/// Plays a script with an extension plugged in.
///
/// # Errors
///
/// As [`play`].
pub fn play_with(
    script: &Script,
    release: Release,
    extension: Option<Rc<dyn Extension>>,
) -> Result<Trace, Unplayable> {
    if script.codemode {
        return Err(Unplayable("`codemode` runs JavaScript".to_owned()));
    }
    let clock = runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let clock = clock.map_err(|error| Unplayable(format!("no runtime: {error}")))?;
    let local = LocalSet::new();
    local.block_on(&clock, async {
        let sim = Sim::new(script, release, extension);
        let limit = Duration::from_millis(LIMIT_MS * SCALE);
        let ended = time::timeout(limit, sim.act_all()).await;
        ended.map_err(|_| Unplayable("the script did not end".to_owned()))?;
        sim.trace()
    })
}

/// One script in one session.
struct Sim {
    script: Rc<Script>,
    profile: Profile,
    extension: Option<Rc<dyn Extension>>,
    started: time::Instant,
    idle: Notify,
    log: RefCell<Log>,
    state: RefCell<State>,
}

/// What changes while the script runs.
#[expect(clippy::struct_excessive_bools, reason = "independent switches of one session")]
struct State {
    /// The agent's messages.
    messages: Vec<Msg>,
    /// The session's entries.
    entries: Vec<Entry>,
    model: usize,
    retries: bool,
    compacts: bool,
    turns: VecDeque<Turn>,
    summaries: VecDeque<Turn>,
    /// Calls made so far.
    calls: u32,
    /// Timers set so far.
    timers: u64,
    /// How often each handler acted.
    acted: Vec<u32>,
    steering: VecDeque<Msg>,
    follow_ups: VecDeque<Msg>,
    files: BTreeMap<String, String>,
    /// The abort of the request under way.
    run: Option<Signal>,
    /// The abort of a pause before a retry.
    pause: Option<Signal>,
    manual: Option<Signal>,
    automatic: Option<Signal>,
    active: bool,
    abort_requested: bool,
    deaf: bool,
    /// Whether the prompt was put into the session.
    declared: bool,
    attempt: u32,
    overflow_tried: bool,
    last_answer: Option<Msg>,
    outcome: Why,
    /// Calls made by a call, by its id.
    nested: BTreeMap<String, u32>,
    signals: BTreeMap<String, Signal>,
    /// Nested calls that run alone, and those they made.
    alone: BTreeSet<String>,
    /// Fires when the last of them is done.
    alone_after: Signal,
    /// Actions of the running one that wait for an event.
    during: Vec<Trigger>,
    unplayable: Option<String>,
}

impl State {
    fn new(script: &Script) -> Self {
        let marks = ["model_change", "thinking_level_change"].into_iter().enumerate();
        let entries = marks.map(|(id, name)| Entry { id, at_ms: 0, kind: Kind::Mark(name) });
        Self {
            messages: Vec::new(),
            entries: entries.collect(),
            model: 0,
            retries: script.settings.retry.enabled,
            compacts: script.settings.compaction.enabled,
            turns: script.turns.iter().cloned().collect(),
            summaries: script.summaries.iter().cloned().collect(),
            calls: 0,
            timers: 0,
            acted: vec![0; script.handlers.len()],
            steering: VecDeque::new(),
            follow_ups: VecDeque::new(),
            files: script.files.clone(),
            run: None,
            pause: None,
            manual: None,
            automatic: None,
            active: false,
            abort_requested: false,
            deaf: false,
            declared: false,
            attempt: 0,
            overflow_tried: false,
            last_answer: None,
            outcome: Why::Completed,
            nested: BTreeMap::new(),
            signals: BTreeMap::new(),
            alone: BTreeSet::new(),
            alone_after: fired(),
            during: Vec::new(),
            unplayable: None,
        }
    }
}

impl Sim {
    fn new(script: &Script, release: Release, extension: Option<Rc<dyn Extension>>) -> Rc<Self> {
        Rc::new(Self {
            script: Rc::new(script.clone()),
            profile: Profile::of(release),
            extension,
            started: time::Instant::now(),
            idle: Notify::new(),
            log: RefCell::default(),
            state: RefCell::new(State::new(script)),
        })
    }

    /// Milliseconds since the start, as the script counts them.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX) / SCALE
    }

    /// Waits for `ms` milliseconds of the script.
    ///
    /// Of two timers that are due together the older one is served first, and everything that
    /// follows from it is done before the next: each timer has a moment of its own within its
    /// millisecond.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()> + use<> {
        let mut state = self.state.borrow_mut();
        state.timers = (state.timers + 1) % (SCALE - 1);
        let due = (self.now() + ms.max(1)) * SCALE + state.timers;
        time::sleep_until(self.started + Duration::from_millis(due))
    }

    fn model(&self) -> &Model {
        &self.script.models[self.state.borrow().model]
    }

    /// Writes an event, and starts what it sets off.
    fn log(self: &Rc<Self>, from: Origin, name: &str, what: &str, saw: Option<Value>) {
        let due = self.log.borrow_mut().add(from, name, what, saw);
        for index in due {
            self.set_off(index);
        }
    }

    fn may_act(&self, handler: usize) -> bool {
        let acted = self.state.borrow().acted[handler];
        self.script.handlers[handler].times.is_none_or(|times| acted < times)
    }

    fn count(&self, handler: usize) {
        self.state.borrow_mut().acted[handler] += 1;
    }

    fn trace(&self) -> Result<Trace, Unplayable> {
        let state = self.state.borrow();
        if let Some(why) = &state.unplayable {
            return Err(Unplayable(why.clone()));
        }
        let log = self.log.take();
        let told = state.messages.iter().filter(|message| message::role(message) != "system");
        Ok(Trace {
            format: SCRIPT_FORMAT,
            script: self.script.name.clone(),
            pi: self.profile.release().to_string(),
            events: log.events,
            transcript: told.map(|message| message::normal(&message.borrow())).collect(),
            entries: state.entries.iter().map(Entry::told).collect(),
            errors: log.errors,
            failures: log.failures,
            answers: log.answers,
        })
    }
}
