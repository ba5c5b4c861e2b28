//! Which promises say nothing about an engine that lacks something.

use super::{Feature, Hello, Operation};
use crate::area::{AREAS, AnyArea};
use crate::malform::MALFORMATIONS;

/// Something without which a promise cannot be judged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Need {
    /// An operation.
    Asks(Operation),
    /// A feature.
    Has(Feature),
    /// The inside of our own engine, which no protocol shows.
    Inside,
}

use Feature::{
    Changes, Config, Fingerprints, Hosts, Limits, Policies, Reasons, Rules, Schema, Steps,
};
use Feature::{Classes, Notes, Sessions, Wordings};
use Need::{Asks, Has, Inside};
use Operation::Advise;
use Operation::{Read, Repair, RepairText, ResolveName};

/// Promises that need more than an answer, each with what it needs.
const NEEDS: &[(&str, &[Need])] = &[
    ("accepted_means_valid", &[Has(Schema)]),
    ("alone_and_at_length_agree", &[Inside]),
    ("changes_replay_to_args", &[Has(Changes)]),
    ("conservative_recurs_under_adaptive", &[Has(Policies), Has(Changes)]),
    ("cut_text_yields_no_cut_leaf", &[Asks(RepairText)]),
    ("dropped_leaves_stand_in_changes", &[Has(Changes), Has(Rules)]),
    ("edits_agree_with_reference", &[Has(Schema)]),
    ("gates_hold", &[Has(Config), Has(Policies), Has(Rules)]),
    ("limits_bound_repair_only", &[Has(Limits), Has(Reasons)]),
    ("names_resolve_to_registered_tools", &[Asks(ResolveName)]),
    ("never_worse_than_host", &[Has(Hosts), Has(Reasons)]),
    ("notes_name_fields_and_no_values", &[Has(Changes), Has(Fingerprints)]),
    ("nothing_moves_outside_changes", &[Has(Changes)]),
    ("recover_equals_adaptive", &[Has(Policies)]),
    ("refused_keeps_input_and_claims_nothing", &[Has(Reasons)]),
    ("repaired_passes_second_validator", &[Has(Schema)]),
    ("strict_text_is_read_strictly", &[Asks(RepairText)]),
    ("text_and_value_agree", &[Asks(Repair), Asks(RepairText)]),
    ("unconfigured_content_is_untouched", &[Has(Changes), Has(Config), Has(Rules)]),
    ("work_is_bounded", &[Asks(Read), Has(Steps)]),
];

/// The same for promises about errors and notes; the area is there where [`Advise`] is.
const ADVICE: &[(&str, &[Need])] = &[
    ("a_failed_compaction_warns_once", &[Asks(Advise), Has(Sessions)]),
    ("a_switch_softens", &[Asks(Advise), Has(Sessions), Has(Classes), Has(Wordings)]),
    (
        "advice_is_of_the_class",
        &[Asks(Advise), Has(Sessions), Has(Notes), Has(Classes), Has(Wordings)],
    ),
    ("an_abort_is_silence", &[Asks(Advise), Has(Sessions)]),
    ("asking_persists_nothing", &[Asks(Advise), Has(Sessions)]),
    ("attempts_are_counted_as_heard", &[Asks(Advise), Has(Sessions), Has(Wordings)]),
    ("class_survives_its_wrapping", &[Asks(Advise)]),
    ("digits_in_payload_mean_nothing", &[Asks(Advise)]),
    ("frame_cannot_be_closed", &[Asks(Advise), Has(Sessions), Has(Notes), Has(Wordings)]),
    ("no_note_panics", &[Asks(Advise)]),
    ("no_secret_survives", &[Asks(Advise), Has(Notes)]),
    ("notes_agree_with_the_model", &[Asks(Advise), Has(Sessions)]),
    ("one_shots_are_told_once", &[Asks(Advise), Has(Sessions)]),
    ("only_overflow_compactions_are_told", &[Asks(Advise), Has(Sessions)]),
    ("outside_the_frame_is_ours", &[Asks(Advise), Has(Sessions), Has(Notes), Has(Wordings)]),
    ("provider_text_is_bounded", &[Asks(Advise), Has(Notes)]),
    ("quoting_is_bounded", &[Inside]),
    (
        "retry_is_said_where_it_helps",
        &[Asks(Advise), Has(Sessions), Has(Notes), Has(Classes), Has(Wordings)],
    ),
    ("same_steps_same_notes", &[Asks(Advise), Has(Sessions)]),
    ("stale_failures_are_silent", &[Asks(Advise), Has(Sessions)]),
    ("success_hides_failure", &[Asks(Advise), Has(Sessions)]),
    ("truncated_answers_are_no_overflow", &[Asks(Advise), Has(Sessions)]),
    ("two_notes_at_most_by_importance", &[Asks(Advise), Has(Sessions)]),
];

/// What a promise needs beside an answer.
fn needs_of(promise: &str) -> &'static [Need] {
    let mut rows = [NEEDS, ADVICE].into_iter().flatten();
    rows.find(|row| row.0 == promise).map_or(&[], |row| row.1)
}

/// Why a promise is not held against an engine; `None` if it is.
pub fn exempt(hello: &Hello, promise: &str) -> Option<String> {
    if hello.promises.as_ref().is_some_and(|claimed| claimed.iter().all(|name| name != promise)) {
        return Some("not claimed".to_owned());
    }
    let missing: Vec<String> =
        needs_of(promise).iter().filter_map(|need| missing(hello, *need)).collect();
    (!missing.is_empty()).then(|| missing.join(", "))
}

fn missing(hello: &Hello, need: Need) -> Option<String> {
    match need {
        Asks(operation) if !hello.can(operation) => {
            Some(format!("no operation {}", operation.name()))
        }
        Has(feature) if !hello.has(feature) => Some(format!("no feature {}", feature.name())),
        Inside => Some("looks inside our own engine".to_owned()),
        Asks(_) | Has(_) => None,
    }
}

/// The promises of an area: those held against an engine, and the others with the reason.
pub fn of_area(
    hello: &Hello,
    area: &dyn AnyArea,
) -> (Vec<&'static str>, Vec<(&'static str, String)>) {
    let (mut held, mut others) = (Vec::new(), Vec::new());
    for promise in area.promises() {
        match exempt(hello, promise.name) {
            None => held.push(promise.name),
            Some(why) => others.push((promise.name, why)),
        }
    }
    (held, others)
}

/// The promises with what they need, and the damage by id, as docs/conform.md lists them.
pub fn listing() -> String {
    let mut lines = vec!["| promise | needs |".to_owned(), "|---|---|".to_owned()];
    for promise in AREAS.iter().flat_map(|row| row.area.promises()) {
        let needs: Vec<String> = needs_of(promise.name)
            .iter()
            .map(|need| match need {
                Asks(operation) => format!("operation `{}`", operation.name()),
                Has(feature) => format!("feature `{}`", feature.name()),
                Inside => "our own engine".to_owned(),
            })
            .collect();
        lines.push(format!("| `{}`: {} | {} |", promise.name, promise.says, needs.join(", ")));
    }
    lines.extend(
        ["", "| damage | what it looks like | lossless |", "|---|---|---|"].map(str::to_owned),
    );
    lines.extend(MALFORMATIONS.iter().map(|row| {
        let lossless = if row.lossless { "yes" } else { "no" };
        format!("| `{}` | {} | {lossless} |", row.id, row.says.replace('|', "\\|"))
    }));
    lines.join("\n")
}

/// The names that a greeting claims and nobody knows.
pub fn unknown_claims(hello: &Hello) -> Vec<&str> {
    let known = |name: &str| {
        let mut rows = AREAS.iter().flat_map(|row| row.area.promises());
        rows.any(|promise| promise.name == name)
    };
    let claimed = hello.promises.iter().flatten().map(String::as_str);
    claimed.filter(|name| !known(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area;

    #[test]
    fn every_row_is_a_promise() {
        for (name, _) in [NEEDS, ADVICE].into_iter().flatten() {
            assert!(area::promise(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_promise_about_advice_has_a_row() {
        let names: Vec<&str> = area::named("advisor")
            .map_or_else(Vec::new, |area| area.promises().iter().map(|row| row.name).collect());
        let rows: Vec<&str> = ADVICE.iter().map(|row| row.0).collect();
        assert_eq!(rows, names);
    }
}
