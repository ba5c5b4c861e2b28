//! One Node process that runs scripts in one release of pi.

use std::{
    fmt, fs, io,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use corpus::{Api, Script, Trace};
use serde::Deserialize;
use tempfile::TempDir;

use crate::{
    child::{self, Watched},
    install::Installed,
};

/// The files of the driver; they are written beside `node_modules`, so that Node finds pi.
const DRIVER: &[(&str, &str)] = &[
    ("ask.mjs", include_str!("../node/ask.mjs")),
    ("driver.mjs", include_str!("../node/driver.mjs")),
    ("normal.mjs", include_str!("../node/normal.mjs")),
    ("provider.mjs", include_str!("../node/provider.mjs")),
    ("session.mjs", include_str!("../node/session.mjs")),
    ("steps.mjs", include_str!("../node/steps.mjs")),
];

/// How long pi may be silent; a script ends within 20 s, whatever it does.
pub(crate) const SILENT_MAX: Duration = Duration::from_mins(2);
/// How long a connection to this machine itself may take.
const LOOPBACK_MAX: Duration = Duration::from_secs(5);

/// The process could not be run to its end.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HostError(String);

impl HostError {
    pub(crate) fn new(problem: &str) -> Self {
        Self(problem.to_owned())
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostError {}

impl From<io::Error> for HostError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

/// What became of one script: its trace, or why pi could not run it.
pub type Outcome = Result<Trace, String>;

/// A line of the driver.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    trace: Option<Trace>,
    #[serde(default)]
    error: Option<String>,
}

/// Runs `scripts` in one process, in order; `progress` hears of each that is done.
///
/// Where the user wants an end, what became of the scripts until then comes back.
///
/// # Errors
///
/// Node or pi does not start, a script needs a server on this machine and none can listen, or the process ends
/// before the last script.
pub fn run(
    pi: &Installed,
    scripts: &[&Script],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Outcome>, HostError> {
    if scripts.iter().any(|script| script.api != Api::Scripted) {
        loopback()?;
    }
    let Started { mut child, room } = start(pi, Stdio::piped())?;
    let writer = feed(&mut child, scripts)?;
    let output = child.stdout.take().ok_or_else(|| HostError("no output".to_owned()))?;
    let complaints = child.stderr.take().ok_or_else(|| HostError("no errors".to_owned()))?;
    let listener = thread::spawn(move || io::read_to_string(complaints).unwrap_or_default());
    let child = Watched::new(child, SILENT_MAX);
    let mut lines = BufReader::new(output).lines();
    let greeted = lines.next().transpose()?;
    let mut outcomes = Vec::new();
    if greeted.is_some() {
        for script in scripts {
            let Some(line) = lines.next().transpose()? else { break };
            child.hear();
            outcomes.push(outcome(&line));
            progress(&script.name);
        }
    }
    let status = child.wait()?;
    // The writer ends with the process that reads from it.
    let _ = writer.join();
    let said = listener.join().unwrap_or_default();
    drop(room);
    if outcomes.len() == scripts.len() || child::stopped() {
        return Ok(outcomes);
    }
    let release = pi.release;
    let last = said.lines().rev().find(|line| line.contains("Error")).unwrap_or("nothing");
    let done = outcomes.len();
    let all = scripts.len();
    let at = scripts.get(done).map_or("", |script| &script.name);
    Err(HostError(format!(
        "pi {release} stopped after {done} of {all} scripts, at `{at}` ({status}); it said: {}",
        last.trim()
    )))
}

/// Sees that a server can be reached on this machine: scripts that are sent over the wire need one.
fn loopback() -> Result<(), HostError> {
    let reached = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| TcpStream::connect_timeout(&listener.local_addr()?, LOOPBACK_MAX));
    let advice = "bring the loopback interface up, or leave those scripts out with --claim";
    reached.map(drop).map_err(|error| {
        HostError(format!(
            "no server can be reached on 127.0.0.1, and some scripts need one: {error}; {advice}"
        ))
    })
}

/// A process that waits for scripts.
pub(crate) struct Started {
    pub(crate) child: Child,
    /// Holds the folders of its scripts, and goes when it is dropped, however the process ended.
    pub(crate) room: TempDir,
}

/// Starts Node on the driver; `complaints` is where its standard error goes.
pub(crate) fn start(pi: &Installed, complaints: Stdio) -> Result<Started, HostError> {
    for (name, text) in DRIVER {
        let file = pi.folder.join(name);
        // Another process may be reading it just now; what is right is left alone.
        if fs::read_to_string(&file).ok().as_deref() != Some(text) {
            fs::write(&file, text).map_err(|error| unusable(&file, &error))?;
        }
    }
    let home = pi.folder.join("home");
    fs::create_dir_all(&home).map_err(|error| unusable(&home, &error))?;
    let mut command = Command::new(pi.node());
    command.arg("driver.mjs").current_dir(&pi.folder).env_clear();
    command.env("HOME", &home).env("PI_OFFLINE", "1").env("TZ", "UTC").env("LANG", "C.UTF-8");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let room = tempfile::Builder::new().prefix("pi-drift-").tempdir()?;
    command.env("TMPDIR", room.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints);
    let child = command.spawn().map_err(|error| {
        let node = pi.node();
        let advice = "remove the folder, so that it is installed again";
        HostError(format!("{} cannot be started: {error}; {advice}", node.display()))
    })?;
    Ok(Started { child, room })
}

/// A file of the cache that is not as it must be.
fn unusable(path: &Path, error: &io::Error) -> HostError {
    HostError(format!("{}: {error}; remove it, so that it is written again", path.display()))
}

/// Writes all scripts from a thread of its own, so that neither side waits for the other.
fn feed(child: &mut Child, scripts: &[&Script]) -> Result<thread::JoinHandle<()>, HostError> {
    let mut input = child.stdin.take().ok_or_else(|| HostError("no input".to_owned()))?;
    let mut text = Vec::new();
    for script in scripts {
        serde_json::to_writer(&mut text, script).map_err(io::Error::from)?;
        text.push(b'\n');
    }
    Ok(thread::spawn(move || {
        // A process that ended early is noticed by whoever reads from it.
        let _ = input.write_all(&text);
    }))
}

/// Reads a line of the driver; one that cannot be read is a failure of its script alone.
pub(crate) fn outcome(line: &str) -> Outcome {
    let read: Line = serde_json::from_str(line).map_err(|error| unreadable(line, &error))?;
    read.trace.ok_or_else(|| read.error.unwrap_or_else(|| "nothing came back".to_owned()))
}

fn unreadable(line: &str, error: &serde_json::Error) -> String {
    // Node writes whole JSON, so that an escape serde cannot read is half of a pair.
    if line.starts_with('{') && error.to_string().contains("hex escape") {
        return "its trace holds half of a surrogate pair, which is no text and which no trace \
                can carry; take the escape out of the script"
            .to_owned();
    }
    format!("the driver wrote no trace: {error}")
}

#[cfg(test)]
mod tests {
    use super::outcome;

    #[test]
    fn half_a_surrogate_pair_fails_its_own_script_with_a_sentence() {
        let said = outcome(r#"{"trace":{"format":1,"script":"\ud800"}}"#).unwrap_err();
        assert!(said.contains("half of a surrogate pair"), "{said}");
        let said = outcome("TypeError").unwrap_err();
        assert!(said.contains("the driver wrote no trace"), "{said}");
    }
}
