//! One process that speaks lines: bounded, watched, and ended with everything it started.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a line; more is a flood.
pub(super) const LINE_BYTES_MAX: usize = 16 << 20;

/// The most lines that wait to be read. A process that writes more has to wait.
const LINES_WAITING_MAX: usize = 4;

/// The last bytes of standard error that are kept.
const ERRORS_BYTES_MAX: usize = 2 << 10;

/// Processes that are running, by the number of their group.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Whether the user wanted an end.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Ends every process that was started here, with everything it started itself, and counts none of
/// it as a failure. For Ctrl-C.
pub fn end_all() {
    ENDED.store(true, Ordering::Relaxed);
    for group in lock(&RUNNING).iter() {
        kill_group(*group);
    }
}

/// Whether [`end_all`] was called.
pub(super) fn ended() -> bool {
    ENDED.load(Ordering::Relaxed)
}

/// Why there is no answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// It did not answer in time.
    Hung(Duration),
    /// It ended; the text says how.
    Died(String),
    /// Its line was too long.
    Flooded,
    /// It said something that is no answer.
    Nonsense(String),
}

impl Fault {
    /// The kind of fault, as the scorecard counts it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Hung(_) => "hung",
            Self::Died(_) => "died",
            Self::Flooded => "flooded",
            Self::Nonsense(_) => "nonsense",
        }
    }

    pub(super) fn says(&self) -> String {
        match self {
            Self::Hung(most) => format!("it hung: no answer within {} ms", most.as_millis()),
            Self::Died(how) => format!("it died: {how}"),
            Self::Flooded => format!("it flooded: a line of more than {LINE_BYTES_MAX} bytes"),
            Self::Nonsense(what) => format!("it spoke nonsense: {what}"),
        }
    }
}

enum Heard {
    Line(String),
    TooLong,
    NotText,
    End,
}

/// A running process. Dropping it ends it and its process group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    to: Sender<String>,
    from: Receiver<Heard>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts a command in a process group of its own.
    pub(super) fn start(command: &[String]) -> io::Result<Self> {
        let (program, args) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        lock(&RUNNING).insert(child.id());
        let (to, lines) = mpsc::channel::<String>();
        let (heard, from) = mpsc::sync_channel(LINES_WAITING_MAX);
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                // A process that no longer reads is noticed by the one who waits for its answer.
                let write = |line: String| input.write_all(line.as_bytes()).and(input.flush());
                let _ = lines.into_iter().map(write).find(Result::is_err);
            });
        }
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || listen(BufReader::new(output), &heard));
        }
        if let Some(mut output) = child.stderr.take() {
            let kept = Arc::clone(&errors);
            thread::spawn(move || {
                let mut piece = [0; 4096];
                while let Ok(read @ 1..) = output.read(&mut piece) {
                    let mut kept = lock(&kept);
                    kept.extend_from_slice(&piece[..read]);
                    let surplus = kept.len().saturating_sub(ERRORS_BYTES_MAX);
                    kept.drain(..surplus);
                }
            });
        }
        Ok(Self { child, to, from, errors })
    }

    /// Sends a line and waits for the one that answers it.
    pub(super) fn ask(&mut self, line: &str, timeout: Duration) -> Result<String, Fault> {
        match self.from.try_recv() {
            Ok(Heard::Line(said)) => {
                return Err(Fault::Nonsense(format!("a line nobody asked for: {}", clip(&said))));
            }
            Ok(Heard::End) => return Err(self.died()),
            Ok(Heard::TooLong) => return Err(Fault::Flooded),
            Ok(Heard::NotText) => return Err(Fault::Nonsense("bytes that are no UTF-8".into())),
            Err(_) => {}
        }
        if self.to.send(format!("{line}\n")).is_err() {
            return Err(self.died());
        }
        match self.from.recv_timeout(timeout) {
            Ok(Heard::Line(answer)) => Ok(answer),
            Ok(Heard::TooLong) => Err(Fault::Flooded),
            Ok(Heard::NotText) => Err(Fault::Nonsense("bytes that are no UTF-8".into())),
            Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => Err(self.died()),
            Err(RecvTimeoutError::Timeout) => Err(Fault::Hung(timeout)),
        }
    }

    /// How the process ended, with the last error it wrote to standard error, or else the last line.
    fn died(&mut self) -> Fault {
        let began = Instant::now();
        let mut status = None;
        while status.is_none() && began.elapsed() < Duration::from_millis(500) {
            status = self.child.try_wait().ok().flatten();
            thread::sleep(Duration::from_millis(2));
        }
        let how = status.map_or("it closed its output".to_owned(), |status| status.to_string());
        let errors = String::from_utf8_lossy(&lock(&self.errors)).into_owned();
        // Node ends with its version, Python with the error.
        let said = errors.lines().rfind(|line| line.contains("Error"));
        let last = said.or_else(|| errors.lines().rfind(|line| !line.trim().is_empty()));
        Fault::Died(last.map_or(how.clone(), |last| format!("{how}; it said: {}", clip(last))))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let group = self.child.id();
        kill_group(group);
        // It may have ended by itself; either way nobody waits for it after this.
        let _ = self.child.kill();
        let _ = self.child.wait();
        lock(&RUNNING).remove(&group);
    }
}

/// Reads lines until the end, a flood or the last listener is gone.
fn listen(mut output: BufReader<impl io::Read>, heard: &SyncSender<Heard>) {
    loop {
        let mut line = Vec::new();
        let most = LINE_BYTES_MAX as u64 + 1;
        let read = output.by_ref().take(most).read_until(b'\n', &mut line);
        let told = match read {
            Err(_) | Ok(0) => Heard::End,
            Ok(_) if line.len() > LINE_BYTES_MAX => Heard::TooLong,
            Ok(_) => String::from_utf8(line).map_or(Heard::NotText, Heard::Line),
        };
        let last = !matches!(told, Heard::Line(_));
        if heard.send(told).is_err() || last {
            return;
        }
    }
}

fn clip(text: &str) -> String {
    text.trim_end().chars().take(200).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a process group; one that is gone already needs no ending.
#[cfg(unix)]
fn kill_group(group: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(group) = i32::try_from(group) {
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Without process groups the child alone is ended, by its owner.
#[cfg(not(unix))]
fn kill_group(_: u32) {}
