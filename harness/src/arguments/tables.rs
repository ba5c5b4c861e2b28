//! The engine's tables about arguments and names: what can be reached, and the catalogue's sections.

use engine::names::NAME_RULES;
use engine::preprocess::KINDS;
use engine::reader::LIBERTIES;
use engine::rules::RULES;
use engine::{Grade, Limits, POLICIES, REASONS};

use crate::catalog::Section;

/// Rules, preprocessors, liberties, name rules and reasons, by id.
pub(super) fn reachable() -> Vec<&'static str> {
    let rules = RULES.iter().map(|rule| rule.id);
    let kinds = KINDS.iter().map(|kind| kind.rule);
    let liberties = LIBERTIES.iter().map(|liberty| liberty.id);
    let names = NAME_RULES.iter().map(|rule| rule.id);
    let reasons = REASONS.iter().map(|(id, _)| *id);
    rules.chain(kinds).chain(liberties).chain(names).chain(reasons).collect()
}

fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Exact => "exact",
        Grade::Adaptive => "adaptive",
    }
}

pub(super) fn sections() -> Vec<Section> {
    let rules = RULES.iter().map(|rule| [rule.id, grade(rule.grade), rule.fires, rule.note]);
    let kinds = KINDS.iter();
    let liberties = LIBERTIES.iter().map(|row| {
        let needs = if row.truncation { "adaptive" } else { "exact" };
        [row.id, needs, row.allows, row.note]
    });
    let names = NAME_RULES.iter().map(|rule| [rule.id, "exact", rule.fires, rule.note]);
    vec![
        Section::new(
            "Repair rules, in run order",
            ["rule", "grade", "fires when", "note to the model"],
            rules,
        ),
        Section::new(
            "Preprocessors, at configured places only",
            ["kind", "rule", "grade", "fires when", "note to the model"],
            kinds.map(|kind| [kind.name, kind.rule, grade(kind.grade), kind.fires, kind.note]),
        ),
        Section::new(
            "Liberties of the reader",
            ["liberty", "grade", "allows", "note to the model"],
            liberties,
        ),
        Section::new(
            "Name rules, in run order",
            ["rule", "grade", "fires when", "note to the model"],
            names,
        ),
        Section::new(
            "Refusal reasons",
            ["reason", "what the model reads"],
            REASONS.iter().map(|row| [row.0, row.1]),
        ),
        policies(),
        limits(),
    ]
}

fn policies() -> Section {
    let rows = POLICIES.iter().map(|(_, name, grades)| {
        let grades: Vec<&str> = grades.iter().map(|row| grade(*row)).collect();
        [(*name).to_owned(), grades.join(", ")]
    });
    Section::new("Policies", ["policy", "permits"], rows)
}

fn limits() -> Section {
    let rows = Limits::DEFAULT.rows().into_iter().zip(Limits::MOST.rows());
    let rows = rows.map(|((name, default), (_, most))| {
        [(*name).to_owned(), default.to_string(), most.to_string()]
    });
    Section::new("Limits", ["limit", "default", "most"], rows)
}
