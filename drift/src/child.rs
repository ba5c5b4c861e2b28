//! Child processes that end early when the user wants them to.

use std::{
    io,
    process::{Child, ExitStatus},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
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

/// A child that is watched until it ends or is to be ended.
pub(crate) struct Watched(Arc<Mutex<Child>>);

impl Watched {
    pub(crate) fn new(child: Child) -> Self {
        let child = Arc::new(Mutex::new(child));
        let watched = Arc::clone(&child);
        thread::spawn(move || {
            while !ended(&watched) {
                if stopped() {
                    // One that has ended by itself meanwhile needs no killing.
                    let _ = watched.lock().unwrap_or_else(PoisonError::into_inner).kill();
                }
                thread::sleep(LOOK_MS);
            }
        });
        Self(child)
    }

    /// Waits for the end.
    pub(crate) fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            let status = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait()?;
            if let Some(status) = status {
                return Ok(status);
            }
            thread::sleep(LOOK_MS);
        }
    }
}

fn ended(child: &Mutex<Child>) -> bool {
    let state = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
    !matches!(state, Ok(None))
}
