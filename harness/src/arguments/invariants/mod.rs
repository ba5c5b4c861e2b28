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

pub use crate::area::Verdict;

/// A promise about arguments.
pub type Invariant = crate::area::Invariant<super::Arguments>;

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
