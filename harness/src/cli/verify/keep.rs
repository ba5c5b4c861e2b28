//! The file of `--resume`: read where it is there, written as the campaign goes on.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use harness::area::Lab;
use harness::campaign::state::{self, Setup};
use harness::campaign::{Begun, Progress, Settings};

use super::Bar;
use crate::cli::files;
use crate::cli::out::Failure;

/// Time between two writes, at least.
const EVERY: Duration = Duration::from_secs(3);

/// Where a campaign is kept.
pub(super) struct Keep {
    path: PathBuf,
    setup: Setup,
    written: Mutex<Instant>,
    /// Why the file could not be written the last time.
    trouble: Mutex<Option<String>>,
}

impl Keep {
    /// A file for a campaign of this setup.
    pub(super) fn new(path: PathBuf, setup: Setup) -> Self {
        Self { path, setup, written: Mutex::new(Instant::now()), trouble: Mutex::new(None) }
    }

    /// What was done by then; nothing if there is no file yet. Fails before any work if it cannot be written.
    pub(super) fn begin(&self, settings: &Settings, lab: &Lab) -> Result<Begun, Failure> {
        let begun = match std::fs::metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Begun::new(settings.seed),
            _ => {
                let named = |error| Failure(format!("{}: {error}", self.path.display()));
                let begun = state::read(&files::read(&self.path)?, &self.setup).map_err(named)?;
                state::recognise(&begun, settings, lab).map_err(named)?;
                begun
            }
        };
        self.write(&begun);
        self.trouble().map_or(Ok(begun), |trouble| Err(Failure(trouble)))
    }

    /// Writes what is done.
    pub(super) fn write(&self, begun: &Begun) {
        let text = state::write(&self.setup, begun);
        *held(&self.trouble) = files::write(&self.path, &text).err().map(|failure| failure.0);
        *held(&self.written) = Instant::now();
    }

    /// Why the file does not hold what was done, if it does not.
    pub(super) fn trouble(&self) -> Option<String> {
        held(&self.trouble).clone()
    }

    fn is_due(&self) -> bool {
        held(&self.written).elapsed() >= EVERY
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches a campaign: the bar, and the file if there is one.
pub(super) struct Watch<'w> {
    /// The bar.
    pub(super) bar: &'w Bar,
    /// The file.
    pub(super) keep: Option<&'w Keep>,
}

impl Progress for Watch<'_> {
    fn advance(&self, cases: u64) {
        self.bar.advance(cases);
    }

    fn keep(&self, begun: &Begun) {
        if let Some(keep) = self.keep.filter(|keep| keep.is_due()) {
            keep.write(begun);
        }
    }
}
