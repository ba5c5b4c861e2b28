//! One Node process that runs scripts in one release of pi.

use std::{
    env, fmt, fs, io,
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
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

/// Where the scripted server of a script listens, on a port the system picks.
const LOOPBACK: ([u8; 4], u16) = ([127, 0, 0, 1], 0);
/// How long a connection to ourselves may take.
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

/// Runs `scripts` in one process, in order; `progress` hears of each that is done. Where the user
/// wants an end, the outcomes until then come back.
///
/// # Errors
///
/// Node or pi does not start, the process ends before the last script, or a script needs loopback
/// and there is none.
pub fn run(
    pi: &Installed,
    scripts: &[&Script],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Outcome>, HostError> {
    if let Some(script) = scripts.iter().find(|script| script.api != Api::Scripted) {
        reach(LOOPBACK.into()).map_err(|error| no_loopback(&script.name, &error))?;
    }
    let Started { mut child, folder } = start_with(pi, Stdio::piped())?;
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
    drop(folder);
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

/// Connects to ourselves at `address`.
fn reach(address: SocketAddr) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    TcpStream::connect_timeout(&listener.local_addr()?, LOOPBACK_MAX).map(drop)
}

fn no_loopback(script: &str, error: &io::Error) -> HostError {
    HostError(format!(
        "scripts such as `{script}` need loopback, and 127.0.0.1 cannot be used here: {error}; \
         bring the interface up (`ip link set lo up`), or run where there is one"
    ))
}

/// A process of Node on the driver, and the folder that its scripts work in.
pub(crate) struct Started {
    pub(crate) child: Child,
    /// Goes when it is dropped, however the process ended.
    pub(crate) folder: TempDir,
}

/// Starts Node on the driver; `complaints` is where its standard error goes.
pub(crate) fn start_with(pi: &Installed, complaints: Stdio) -> Result<Started, HostError> {
    for (name, text) in DRIVER {
        let file = pi.folder.join(name);
        // Another process may be reading it just now; what is right is left alone.
        if fs::read_to_string(&file).ok().as_deref() != Some(text) {
            fs::write(&file, text).map_err(|error| unusable(&file, &error))?;
        }
    }
    let home = pi.folder.join("home");
    fs::create_dir_all(&home).map_err(|error| unusable(&home, &error))?;
    let folder = tempfile::Builder::new().prefix("pi-drift-").tempdir().map_err(|error| {
        let place = env::temp_dir();
        let advice = "name another folder for temporary files with TMPDIR";
        HostError(format!("{} cannot be written: {error}; {advice}", place.display()))
    })?;
    let mut command = Command::new(pi.node());
    command.arg("driver.mjs").current_dir(&pi.folder).env_clear();
    command.env("HOME", &home).env("PI_OFFLINE", "1").env("TZ", "UTC").env("LANG", "C.UTF-8");
    command.env("PATH", env::var_os("PATH").unwrap_or_default()).env("TMPDIR", folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints);
    let child = child::spawn(&mut command).map_err(|error| {
        let node = pi.node();
        let advice = "remove the folder, so that it is installed again";
        HostError(format!("{} cannot be started: {error}; {advice}", node.display()))
    })?;
    Ok(Started { child, folder })
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
    use super::{LOOPBACK, no_loopback, outcome, reach};

    #[test]
    fn an_address_that_is_not_here_is_no_loopback() {
        reach(LOOPBACK.into()).unwrap();
        // Kept for documentation, so that no machine has it.
        let error = reach(([192, 0, 2, 1], 0).into()).unwrap_err();
        let said = no_loopback("wired", &error).to_string();
        assert!(said.contains("`wired` need loopback, and 127.0.0.1 cannot be used"), "{said}");
    }

    #[test]
    fn half_a_surrogate_pair_fails_its_own_script_with_a_sentence() {
        let said = outcome(r#"{"trace":{"format":1,"script":"\ud800"}}"#).unwrap_err();
        assert!(said.contains("half of a surrogate pair"), "{said}");
        let said = outcome("TypeError").unwrap_err();
        assert!(said.contains("the driver wrote no trace"), "{said}");
    }
}
