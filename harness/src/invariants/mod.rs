//! The promises of the engine about arguments: one file each, checked on every case of a campaign.

mod accepted_means_valid;
mod alone_and_at_length_agree;
mod changes_replay_to_args;
mod conservative_recurs_under_adaptive;
mod cut_text_yields_no_cut_leaf;
mod dropped_leaves_stand_in_changes;
mod edits_agree_with_reference;
mod every_leaf_comes_from_input;
mod gates_hold;
mod key_order_survives;
mod limits_bound_repair_only;
mod lossless_damage_is_undone;
mod lossy_damage_is_refused_or_acceptable;
mod names_resolve_to_registered_tools;
mod never_worse_than_host;
mod notes_name_fields_and_no_values;
mod nothing_moves_outside_changes;
mod nothing_panics;
mod numbers_keep_their_value;
mod recover_equals_adaptive;
mod refused_keeps_input_and_claims_nothing;
mod repaired_passes_second_validator;
mod repairing_a_repair_is_valid;
mod same_input_same_outcome;
mod strict_text_is_read_strictly;
mod text_and_value_agree;
mod unconfigured_content_is_untouched;
mod valid_comes_back_by_reference;
mod work_is_bounded;

use crate::run::Run;

/// What an invariant found on one run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The promise applied and was kept.
    Holds,
    /// The promise says nothing about this run.
    Vacuous,
    /// The promise was broken; the text says how.
    Broken(String),
}

impl Verdict {
    /// Broken with the words of `says` unless `kept`.
    pub fn require(kept: bool, says: impl FnOnce() -> String) -> Self {
        if kept { Self::Holds } else { Self::Broken(says()) }
    }
}

/// A promise, and the planted bugs it must catch.
#[derive(Clone, Copy, Debug)]
pub struct Invariant {
    /// A clause that reads true.
    pub name: &'static str,
    /// The promise, as a sentence.
    pub says: &'static str,
    /// Names of [`crate::mutants::MUTANTS`] that the ordinary campaign must find through this invariant.
    pub kills: &'static [&'static str],
    /// Holds the promise against a run.
    pub check: fn(&Run<'_>) -> Verdict,
}

/// Every promise, sorted by name.
pub const INVARIANTS: &[Invariant] = &[
    accepted_means_valid::INVARIANT,
    alone_and_at_length_agree::INVARIANT,
    changes_replay_to_args::INVARIANT,
    conservative_recurs_under_adaptive::INVARIANT,
    cut_text_yields_no_cut_leaf::INVARIANT,
    dropped_leaves_stand_in_changes::INVARIANT,
    edits_agree_with_reference::INVARIANT,
    every_leaf_comes_from_input::INVARIANT,
    gates_hold::INVARIANT,
    key_order_survives::INVARIANT,
    limits_bound_repair_only::INVARIANT,
    lossless_damage_is_undone::INVARIANT,
    lossy_damage_is_refused_or_acceptable::INVARIANT,
    names_resolve_to_registered_tools::INVARIANT,
    never_worse_than_host::INVARIANT,
    notes_name_fields_and_no_values::INVARIANT,
    nothing_moves_outside_changes::INVARIANT,
    nothing_panics::INVARIANT,
    numbers_keep_their_value::INVARIANT,
    recover_equals_adaptive::INVARIANT,
    refused_keeps_input_and_claims_nothing::INVARIANT,
    repaired_passes_second_validator::INVARIANT,
    repairing_a_repair_is_valid::INVARIANT,
    same_input_same_outcome::INVARIANT,
    strict_text_is_read_strictly::INVARIANT,
    text_and_value_agree::INVARIANT,
    unconfigured_content_is_untouched::INVARIANT,
    valid_comes_back_by_reference::INVARIANT,
    work_is_bounded::INVARIANT,
];

/// The promise of this name.
pub fn named(name: &str) -> Option<&'static Invariant> {
    INVARIANTS.iter().find(|invariant| invariant.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_a_row_and_every_row_a_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/invariants");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the folder of this module")
            .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
            .filter(|stem| stem != "mod")
            .collect();
        let rows: BTreeSet<String> =
            INVARIANTS.iter().map(|invariant| invariant.name.to_owned()).collect();
        assert_eq!(files, rows);
        assert_eq!(rows.len(), INVARIANTS.len());
    }
}
