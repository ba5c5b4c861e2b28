//! Child processes that end early when the user wants them to.

use std::{
    io,
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};

static STOPPED: AtomicBool = AtomicBool::new(false);

const LOOK_MS: Duration = Duration::from_millis(20);

/// Ends every child, those to come included.
pub fn stop_all() {
    STOPPED.store(true, Ordering::Relaxed);
}

/// Whether the user wanted an end.
pub fn stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Starts a child in a group of its own: Ctrl-C is for us alone, and whoever ends the group ends
/// what the child started, too.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0).spawn()
}

/// A child that is watched until it ends or is to be ended.
pub(crate) struct Watched {
    child: Arc<Mutex<Child>>,
    heard: Arc<Mutex<Instant>>,
}

impl Watched {
    /// Watches a child that may be silent for so long.
    pub(crate) fn new(child: Child, silent_max: Duration) -> Self {
        let child = Arc::new(Mutex::new(child));
        let heard = Arc::new(Mutex::new(Instant::now()));
        let (watched, last) = (Arc::clone(&child), Arc::clone(&heard));
        thread::spawn(move || {
            while !ended(&watched) {
                let silent = last.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
                if stopped() || silent > silent_max {
                    end(&watched);
                }
                thread::sleep(LOOK_MS);
            }
        });
        Self { child, heard }
    }

    /// The child was heard of; it is left alone for a while.
    pub(crate) fn hear(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Waits for the end.
    pub(crate) fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            let status = self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait()?;
            if let Some(status) = status {
                return Ok(status);
            }
            thread::sleep(LOOK_MS);
        }
    }
}

/// Ends the group of a child; one that has ended by itself meanwhile needs no killing.
fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Ok(None), Ok(group)) = (child.try_wait(), i32::try_from(child.id())) {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

fn ended(child: &Mutex<Child>) -> bool {
    let state = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
    !matches!(state, Ok(None))
}
