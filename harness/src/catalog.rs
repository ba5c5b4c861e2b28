//! The catalogue of everything the engine may do, printed from its tables.

use std::fmt::Write as _;

use engine::names::NAME_RULES;
use engine::preprocess::KINDS;
use engine::reader::LIBERTIES;
use engine::rules::RULES;
use engine::{Grade, Limits, POLICIES, REASONS};

/// The catalogue as Markdown, one table for each of the engine's tables.
///
/// `docs/catalog.md` is this text; a test keeps it so.
pub fn catalog() -> String {
    let mut out = String::from(
        "# Catalogue\n\nEverything the engine may do to a call, printed from its tables by `pi-repair catalog`. \
         Grade `exact` fires under every policy, `adaptive` needs the adaptive or recover policy.\n",
    );
    table(
        &mut out,
        "Repair rules, in run order",
        ["rule", "grade", "fires when", "note to the model"],
        RULES.iter().map(|rule| [rule.id, grade(rule.grade), rule.fires, rule.note]),
    );
    table(
        &mut out,
        "Preprocessors, at configured places only",
        ["kind", "rule", "grade", "fires when", "note to the model"],
        KINDS.iter().map(|kind| [kind.name, kind.rule, grade(kind.grade), kind.fires, kind.note]),
    );
    table(
        &mut out,
        "Liberties of the reader",
        ["liberty", "grade", "allows", "note to the model"],
        {
            LIBERTIES.iter().map(|row| {
                let needs = if row.truncation { "adaptive" } else { "exact" };
                [row.id, needs, row.allows, row.note]
            })
        },
    );
    table(
        &mut out,
        "Name rules, in run order",
        ["rule", "grade", "fires when", "note to the model"],
        NAME_RULES.iter().map(|rule| [rule.id, "exact", rule.fires, rule.note]),
    );
    table(
        &mut out,
        "Refusal reasons",
        ["reason", "what the model reads"],
        REASONS.iter().map(|row| [row.0, row.1]),
    );
    policies(&mut out);
    limits(&mut out);
    out
}

fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Exact => "exact",
        Grade::Adaptive => "adaptive",
    }
}

/// Writes one Markdown table.
fn table<const N: usize>(
    out: &mut String,
    title: &str,
    head: [&str; N],
    rows: impl Iterator<Item = [&'static str; N]>,
) {
    let _ = write!(out, "\n## {title}\n\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(column, text)| {
                let text = text.replace('|', "\\|");
                if column == 0 { format!("`{text}`") } else { text }
            })
            .collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
}

fn policies(out: &mut String) {
    out.push_str("\n## Policies\n\n| policy | permits |\n|---|---|\n");
    for (_, name, grades) in POLICIES {
        let grades: Vec<&str> = grades.iter().map(|row| grade(*row)).collect();
        let _ = writeln!(out, "| `{name}` | {} |", grades.join(", "));
    }
}

fn limits(out: &mut String) {
    out.push_str("\n## Limits\n\n| limit | default | most |\n|---|---|---|\n");
    for ((name, default), (_, most)) in Limits::DEFAULT.rows().into_iter().zip(Limits::MOST.rows())
    {
        let _ = writeln!(out, "| `{name}` | {default} | {most} |");
    }
}
