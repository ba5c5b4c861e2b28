//! An engine behind processes: asked one line at a time, started again where it failed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::process::{Fault, Process, ended};
use super::{Hello, PROTOCOL, wire};
use crate::area::Ended;

/// How an engine is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The command with its arguments.
    pub command: Vec<String>,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Failures after which it is asked no more; see [`Remote::forgive`].
    pub faults_max: u64,
}

/// The least time for the first answer of a process: runtimes take their time to start.
const START_MIN: Duration = Duration::from_secs(20);

/// An engine elsewhere.
#[derive(Debug)]
pub struct Remote {
    settings: Settings,
    hello: Hello,
    idle: Mutex<Vec<Process>>,
    next_id: AtomicU64,
    faults: AtomicU64,
    kinds: Mutex<BTreeMap<&'static str, u64>>,
    closed: AtomicBool,
    last: Mutex<Option<String>>,
}

/// The engine cannot be tested: it does not start, or does not greet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StartError(String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StartError {}

/// What to do with a program that is no engine.
const SPEAK: &str = "give a program that answers `hello` as PROTOCOL.md says";

impl Remote {
    /// Starts the engine once, and hears what it says of itself.
    ///
    /// # Errors
    ///
    /// A command that cannot be run, or whose first answer is no greeting of this protocol.
    pub fn start(settings: Settings) -> Result<Self, StartError> {
        let shown = settings.command.join(" ");
        let (process, answer) =
            greet(&settings).map_err(|says| StartError(format!("`{shown}`: {says}; {SPEAK}")))?;
        let hello = Hello::read(&answer)
            .map_err(|says| StartError(format!("`{shown}` gives no greeting: {says}; {SPEAK}")))?;
        Ok(Self {
            settings,
            hello,
            idle: Mutex::new(vec![process]),
            next_id: AtomicU64::new(1),
            faults: AtomicU64::new(0),
            kinds: Mutex::new(BTreeMap::new()),
            closed: AtomicBool::new(false),
            last: Mutex::new(None),
        })
    }

    /// What it says of itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Asks one question; a question is an object without `id`.
    ///
    /// Where there is no answer, or an answer that says `unsupported`, this ends the run of the
    /// case as [`Ended`].
    pub fn ask(&self, question: &Map<String, Value>) -> Value {
        if self.is_closed() || self.has_given_up() {
            Ended::Skipped.throw();
        }
        let answer = self.try_ask(question).unwrap_or_else(|fault| {
            if self.is_closed() {
                Ended::Skipped.throw();
            }
            self.faults.fetch_add(1, Ordering::Relaxed);
            *lock(&self.kinds).entry(fault.kind()).or_default() += 1;
            Ended::Failed(fault.says()).throw()
        });
        let Some(error) = answer.get("error") else { return answer };
        match error.get("code").and_then(Value::as_str) {
            Some("unsupported") => Ended::Skipped.throw(),
            _ => Ended::Failed(format!("it answered with an error: {error}")).throw(),
        }
    }

    fn try_ask(&self, question: &Map<String, Value>) -> Result<Value, Fault> {
        let idle = lock(&self.idle).pop();
        let mut process = match idle {
            Some(process) => process,
            None => greet(&self.settings).map_err(Fault::Died)?.0,
        };
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let line = wire::line(id, question);
        *lock(&self.last) = Some(line.clone());
        let answer = process.ask(&line, self.settings.timeout)?;
        let answer = read(&answer, id)?;
        lock(&self.idle).push(process);
        Ok(answer)
    }

    /// Asks no more, and ends all that runs.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        lock(&self.idle).clear();
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed) || ended()
    }

    /// Whether it failed so often that it is asked no more.
    pub fn has_given_up(&self) -> bool {
        self.faults.load(Ordering::Relaxed) >= self.settings.faults_max
    }

    /// Starts counting failures towards giving up anew; the scorecard still tells all.
    pub fn forgive(&self) {
        self.faults.store(0, Ordering::Relaxed);
    }

    /// Failures so far by kind: hung, died, flooded, nonsense. Each cost a process.
    pub fn faults(&self) -> BTreeMap<&'static str, u64> {
        lock(&self.kinds).clone()
    }

    /// The line that was sent last, over all threads.
    pub fn last_line(&self) -> Option<String> {
        lock(&self.last).clone()
    }

    /// The command, as it was given.
    pub fn command(&self) -> &[String] {
        &self.settings.command
    }
}

/// Starts a process and greets it.
fn greet(settings: &Settings) -> Result<(Process, Value), String> {
    let mut process = Process::start(&settings.command).map_err(|error| error.to_string())?;
    let Value::Object(question) = json!({"op": "hello", "protocol": PROTOCOL}) else {
        return Err("a greeting is an object".to_owned());
    };
    let timeout = settings.timeout.max(START_MIN);
    let answer = process.ask(&wire::line(0, &question), timeout).map_err(|fault| fault.says())?;
    let answer = read(&answer, 0).map_err(|fault| fault.says())?;
    Ok((process, answer))
}

/// Reads an answer and holds it to its number.
fn read(line: &str, id: u64) -> Result<Value, Fault> {
    let nonsense = |what: String| Fault::Nonsense(what);
    let answer = wire::read(line).map_err(|says| {
        let shown: String = line.trim_end().chars().take(200).collect();
        nonsense(format!("{says}: {shown}"))
    })?;
    match answer.get("id").and_then(Value::as_u64) {
        Some(got) if got == id => Ok(answer),
        _ => Err(nonsense(format!("the answer has the id {:?}, not {id}", answer.get("id")))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
