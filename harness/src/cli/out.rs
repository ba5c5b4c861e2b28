//! What the command prints, and how it says that it cannot.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};

use anstyle::{AnsiColor, Style};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use serde_json::Value;

/// Something the user has to mend; a sentence that says how.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What cost something.
pub(crate) const FAIR: Style = AnsiColor::Yellow.on_default();
/// What must not be.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A heading.
pub(crate) const HEAD: Style = Style::new().bold();
/// What may be passed over.
pub(crate) const DIM: Style = Style::new().dimmed();

/// `text` in `style`; the codes are left out where nobody could see them.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints `text` and a line end on standard output; a reader that has left is no failure.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    told(writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush()))
}

/// Writes `text` on standard output, byte for byte: escape codes and line ends are data.
pub(crate) fn say_raw(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    told(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn told(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints `value` as JSON on standard output.
pub(crate) fn say_json(value: &Value) -> Result<(), Failure> {
    say(&serde_json::to_string_pretty(value)?)
}

/// Says something on standard error that is no part of the result.
pub(crate) fn remark(text: &str) {
    // Where standard error cannot be written, there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "{}", text.trim_end());
}

/// Prints `failure` on standard error.
pub(crate) fn complain(failure: &Failure) {
    let label = styled(BAD, "error:");
    // Where standard error cannot be written, there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "{label} {}", failure.0);
}

/// Columns of a table that no terminal limits.
const WIDTH_PIPED: u16 = 120;

/// A table; columns whose cells are all numbers stand to the right.
pub(crate) fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.to_vec());
    if table.width().is_none() {
        table.set_width(WIDTH_PIPED);
    }
    let numeric = |index: usize| {
        rows.iter().all(|row| row.get(index).is_some_and(|c| c.parse::<u64>().is_ok()))
    };
    let right: Vec<bool> = (0..header.len()).map(numeric).collect();
    table.add_rows(rows);
    for (column, _) in table.column_iter_mut().zip(right).filter(|(_, right)| *right) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}
