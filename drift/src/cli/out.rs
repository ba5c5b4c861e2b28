//! What the command prints, and how it says that it cannot.

use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};
use drift::child;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// Something the user has to mend; a sentence that says how.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
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

/// How many are done; of how many, if the user did not want to wait for all.
pub(crate) fn so_far(done: usize, all: impl Display) -> String {
    if child::stopped() { format!("stopped; {done} of {all}") } else { done.to_string() }
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

/// Creates a folder, and those it lies in.
pub(crate) fn folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| unwritable(path, &error))
}

/// Writes JSON for people into a file.
pub(crate) fn file(path: &Path, page: &impl Serialize) -> Result<(), Failure> {
    let text = format!("{}\n", serde_json::to_string_pretty(page)?);
    fs::write(path, text).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("{} cannot be written: {error}", path.display()))
}

/// A bar on standard error, where somebody watches; elsewhere one line for each stage. It goes when
/// it is dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// So many steps of one stage.
    pub(crate) fn new(steps: usize, stage: &str) -> Self {
        Self::shown(ProgressBar::new(steps as u64), "{wide_bar} {pos}/{len} {msg}", stage)
    }

    /// Something that takes its time and does not say how far it is.
    pub(crate) fn waiting(stage: &str) -> Self {
        let bar =
            Self::shown(ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed} so far", stage);
        bar.0.enable_steady_tick(TICK);
        bar
    }

    fn shown(bar: ProgressBar, template: &str, stage: &str) -> Self {
        if !io::stderr().is_terminal() {
            // Where standard error cannot be written, there is nobody left to tell.
            let _ = writeln!(anstream::stderr().lock(), "{stage}");
            return Self(ProgressBar::hidden());
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        Self(bar)
    }

    pub(crate) fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Names that are told where one is not known.
const NEAR_MAX: usize = 6;

/// Names that share a word with the one that is not there.
pub(crate) fn near<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> String {
    let shares = |name: &&str| {
        given.split('-').any(|word| word.len() > 2 && name.split('-').any(|own| own == word))
    };
    let near: Vec<&str> = names.filter(shares).take(NEAR_MAX).collect();
    if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) }
}
