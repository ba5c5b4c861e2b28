//! The catalogue of everything the engine may do and must keep, printed from its tables and the harness's.

use std::fmt::Write as _;

use crate::area::{AREAS, AnyArea};

/// One table of the catalogue.
#[derive(Clone, Debug)]
pub struct Section {
    title: &'static str,
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Section {
    /// A table; the first column holds names.
    pub fn new<const N: usize, T: Into<String>>(
        title: &'static str,
        head: [&'static str; N],
        rows: impl IntoIterator<Item = [T; N]>,
    ) -> Self {
        let cells = |row: [T; N]| row.map(Into::into).to_vec();
        Self { title, head: head.to_vec(), rows: rows.into_iter().map(cells).collect() }
    }

    fn write(&self, out: &mut String) {
        let ruler = "---|".repeat(self.head.len());
        let _ = write!(out, "\n## {}\n\n| {} |\n|{ruler}\n", self.title, self.head.join(" | "));
        for row in &self.rows {
            let cells = row.iter().enumerate().map(|(column, text)| cell(column, text));
            let _ = writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "));
        }
    }
}

fn cell(column: usize, text: &str) -> String {
    let text = text.replace('|', "\\|");
    if column == 0 { format!("`{text}`") } else { text }
}

/// The catalogue as Markdown: for each area the engine's tables, then what the harness holds it to.
///
/// `docs/catalog.md` is this text; a test keeps it so.
pub fn catalog() -> String {
    let mut out = String::from(
        "# Catalogue\n\nEverything the engine may do, and what the harness holds it to, printed from their tables by \
         `pi-repair catalog`. Grade `exact` fires under every policy, `adaptive` needs the adaptive or recover policy.\n",
    );
    for row in AREAS {
        for section in row.area.sections() {
            section.write(&mut out);
        }
    }
    out.push_str("\n# Promises\n\nEach is held against every case of its area.\n");
    for row in AREAS {
        promises(row.area).write(&mut out);
    }
    out
}

fn promises(area: &dyn AnyArea) -> Section {
    let row = |row: crate::area::Promise| {
        let kills: Vec<String> = row.kills.iter().map(|name| format!("`{name}`")).collect();
        [row.name.to_owned(), row.says.to_owned(), kills.join(", ")]
    };
    let head = ["promise", "what must hold", "planted bugs it catches"];
    Section::new(area.name(), head, area.promises().into_iter().map(row))
}
