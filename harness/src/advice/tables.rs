//! The engine's tables about errors: what can be reached, and the catalogue's sections.

use engine::advisor::{CLASSES, Class, redaction_kinds};

use crate::catalog::Section;

/// What decides where no rule does.
const WITHOUT_RULE: [&str; 5] = ["kind", "status", "request", "unknown", "usage"];

/// Every class, every rule, and what decides where no rule does.
pub(super) fn rules() -> impl Iterator<Item = &'static str> {
    let rules = CLASSES.iter().flat_map(|class| class.rules.iter().map(|rule| rule.id));
    CLASSES.iter().map(|class| class.id).chain(rules).chain(WITHOUT_RULE)
}

fn class_row(class: &Class) -> [String; 7] {
    let sources: Vec<&str> = class.rules.iter().map(|rule| rule.source).collect();
    let statuses: Vec<String> = class.statuses.iter().map(u16::to_string).collect();
    [
        class.id.to_owned(),
        class.consequence.name().to_owned(),
        class.advice.to_owned(),
        (if class.note_says_retry { "yes" } else { "no" }).to_owned(),
        class.rules.len().to_string(),
        statuses.join(", "),
        sources.join("; "),
    ]
}

pub(super) fn sections() -> Vec<Section> {
    let head = ["class", "means", "advice", "retry", "rules", "statuses", "who words it so"];
    let kinds = redaction_kinds().map(|(what, example)| [what, example]);
    vec![
        Section::new("Classes of provider errors, in order", head, CLASSES.iter().map(class_row)),
        Section::new(
            "What is taken out of a quoted text",
            ["kind", "example"],
            kinds.map(|[what, example]| [what.to_owned(), format!("`{}`", example.escape_debug())]),
        ),
    ]
}
