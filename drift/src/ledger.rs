//! The ledger: every claim as a page, printed from the data.

use std::fmt::Write as _;

use corpus::{Claim, Lines, Since, View};

use crate::pins::PINS;

/// The page `docs/claims.md`.
pub fn ledger(claims: &[Claim]) -> String {
    let releases: Vec<&str> = PINS.iter().map(|pin| pin.release).collect();
    let mut text = format!(
        "# What is taken for granted about pi\n\n\
         Printed by `pi-drift ledger`; every claim is a file in `corpus/data/claims/`. \
         {} claims, seen on pi {}.\n",
        claims.len(),
        releases.join(", ")
    );
    for claim in claims {
        entry(&mut text, claim);
    }
    text
}

fn entry(text: &mut String, claim: &Claim) {
    let _ = write!(text, "\n## {}\n\n{}\n\n", claim.name, claim.says);
    let _ = writeln!(text, "- leans on it: {}", claim.leans.join("; "));
    let _ = writeln!(text, "- script: `{}`", claim.script);
    for row in &claim.seen {
        let _ = writeln!(text, "- {}", since(row));
    }
}

fn since(row: &Since) -> String {
    let now = row.now.as_ref().map_or(String::new(), |now| format!(" {now}."));
    let shows: Vec<String> = row.expect.iter().map(|(view, lines)| shown(*view, lines)).collect();
    format!("from {}:{now} Shown by {}.", row.since, shows.join(", "))
}

fn shown(view: View, lines: &Lines) -> String {
    let mut parts = Vec::new();
    if let Some(is) = &lines.is {
        parts.push(format!("{} exact", is.len()));
    }
    if !lines.has.is_empty() {
        parts.push(format!("{} in order", lines.has.len()));
    }
    if !lines.lacks.is_empty() {
        parts.push(format!("{} absent", lines.lacks.len()));
    }
    format!("`{view}` ({})", parts.join(", "))
}
