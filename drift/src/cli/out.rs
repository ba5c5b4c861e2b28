//! What the command prints, and how it says that it cannot.

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};
use indicatif::{ProgressBar, ProgressStyle};

/// Something the user has to mend; a sentence that says how.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// A file or folder that cannot be written.
pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure(format!("{} cannot be written: {error}", path.display()))
}

const BAD: Style = AnsiColor::Red.on_default().bold();
const WIDTH_PIPED: u16 = 120;
const TICK: Duration = Duration::from_millis(200);

/// Prints `text` and a line end on standard output; a reader that has left is no failure.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a failure on standard error.
pub(crate) fn complain(failure: &Failure) {
    // Where standard error cannot be written, there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "{BAD}error:{BAD:#} {}", failure.0);
}

/// Prints a remark on standard error.
pub(crate) fn note(text: &str) {
    // Where standard error cannot be written, there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "note: {text}");
}

/// A table of words.
pub(crate) fn table(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    if table.width().is_none() {
        table.set_width(WIDTH_PIPED);
    }
    table.add_rows(rows);
    table.to_string()
}

/// A bar on standard error, where somebody watches; elsewhere one line for each release.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new(steps: usize) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(steps as u64);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_bar} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// Tells what is being done, also where no bar is drawn.
    pub(crate) fn stage(&self, message: &str) {
        self.0.set_message(message.to_owned());
        if self.0.is_hidden() {
            let _ = writeln!(anstream::stderr().lock(), "{message}");
        }
    }

    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    pub(crate) fn done(&self) {
        self.0.finish_and_clear();
    }
}
