//! Which promises say nothing about an engine that lacks something.

use super::{Feature, Hello, Operation};
use crate::area::{self, AREAS, AnyArea, Promise};
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
    Changes, Config, Fingerprints, Hosts, Leaks, Limits, Modes, Policies, Reasons, Rules, Schema,
    Steps,
};
use Feature::{Classes, Notes, Sessions, Wordings};
use Need::{Asks, Has, Inside};
use Operation::{Advise, Read, Repair, RepairText, ResolveName, Treat};

/// What every promise of an area needs.
const AREA_NEEDS: &[(&str, &[Need])] = &[("leaks", &[Asks(Treat)]), ("advisor", &[Asks(Advise)])];

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

/// The same for promises about leaks.
const OF_LEAKS: &[(&str, &[Need])] = &[
    ("observed_leaks_hold_no_values", &[Has(Leaks)]),
    ("observing_changes_nothing", &[Has(Modes)]),
    ("promoted_arguments_need_no_more_repair", &[Has(Config)]),
    ("stricter_modes_do_less", &[Has(Modes)]),
    ("work_is_linear_in_the_text", &[Has(Steps)]),
];

/// The same for promises about errors and notes.
const OF_ADVICE: &[(&str, &[Need])] = &[
    ("a_failed_compaction_warns_once", &[Has(Sessions)]),
    ("a_switch_softens", &[Has(Sessions), Has(Classes), Has(Wordings)]),
    ("advice_is_of_the_class", &[Has(Sessions), Has(Notes), Has(Classes), Has(Wordings)]),
    ("an_abort_is_silence", &[Has(Sessions)]),
    ("asking_persists_nothing", &[Has(Sessions)]),
    ("attempts_are_counted_as_heard", &[Has(Sessions), Has(Wordings)]),
    ("frame_cannot_be_closed", &[Has(Sessions), Has(Notes), Has(Wordings)]),
    ("no_secret_survives", &[Has(Notes)]),
    ("notes_agree_with_the_model", &[Has(Sessions)]),
    ("one_shots_are_told_once", &[Has(Sessions)]),
    ("only_overflow_compactions_are_told", &[Has(Sessions)]),
    ("outside_the_frame_is_ours", &[Has(Sessions), Has(Notes), Has(Wordings)]),
    ("provider_text_is_bounded", &[Has(Notes)]),
    ("quoting_is_bounded", &[Inside]),
    ("retry_is_said_where_it_helps", &[Has(Sessions), Has(Notes), Has(Classes), Has(Wordings)]),
    ("same_steps_same_notes", &[Has(Sessions)]),
    ("stale_failures_are_silent", &[Has(Sessions)]),
    ("success_hides_failure", &[Has(Sessions)]),
    ("truncated_answers_are_no_overflow", &[Has(Sessions)]),
    ("two_notes_at_most_by_importance", &[Has(Sessions)]),
];

/// What a promise needs.
fn needs(promise: &Promise) -> impl Iterator<Item = Need> + use<> {
    let of = |rows: &'static [(&str, &'static [Need])], name: &str| {
        rows.iter().filter(|row| row.0 == name).flat_map(|row| row.1).copied().collect::<Vec<_>>()
    };
    let own = [NEEDS, OF_LEAKS, OF_ADVICE].into_iter().flat_map(|rows| of(rows, promise.name));
    of(AREA_NEEDS, promise.area).into_iter().chain(own.collect::<Vec<_>>())
}

/// Why a promise is not held against an engine; `None` if it is.
pub fn exempt(hello: &Hello, promise: &str) -> Option<String> {
    if hello.promises.as_ref().is_some_and(|claimed| claimed.iter().all(|name| name != promise)) {
        return Some("not claimed".to_owned());
    }
    let needs = area::promise(promise).iter().flat_map(needs).collect::<Vec<_>>();
    let missing: Vec<String> = needs.iter().filter_map(|need| missing(hello, *need)).collect();
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
        let needs: Vec<String> = needs(&promise)
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

    #[test]
    fn every_row_is_a_promise() {
        for (name, _) in [NEEDS, OF_LEAKS, OF_ADVICE].into_iter().flatten() {
            assert!(area::promise(name).is_some(), "{name}");
        }
    }
}
