//! The promises of the advisor: one file each, checked on every case of a campaign.

mod a_failed_compaction_warns_once;
mod a_switch_softens;
mod advice_is_of_the_class;
mod an_abort_is_silence;
mod asking_persists_nothing;
mod attempts_are_counted_as_heard;
mod class_survives_its_wrapping;
mod digits_in_payload_mean_nothing;
mod frame_cannot_be_closed;
mod no_note_panics;
mod no_secret_survives;
mod notes_agree_with_the_model;
mod one_shots_are_told_once;
mod only_overflow_compactions_are_told;
mod outside_the_frame_is_ours;
mod provider_text_is_bounded;
mod quoting_is_bounded;
mod retry_is_said_where_it_helps;
mod same_steps_same_notes;
mod stale_failures_are_silent;
mod success_hides_failure;
mod truncated_answers_are_no_overflow;
mod two_notes_at_most_by_importance;

pub use crate::area::Verdict;

/// A promise about notes and classes.
pub type Invariant = crate::area::Invariant<super::Advice>;

/// Every promise, sorted by name.
pub const INVARIANTS: &[Invariant] = &[
    a_failed_compaction_warns_once::INVARIANT,
    a_switch_softens::INVARIANT,
    advice_is_of_the_class::INVARIANT,
    an_abort_is_silence::INVARIANT,
    asking_persists_nothing::INVARIANT,
    attempts_are_counted_as_heard::INVARIANT,
    class_survives_its_wrapping::INVARIANT,
    digits_in_payload_mean_nothing::INVARIANT,
    frame_cannot_be_closed::INVARIANT,
    no_note_panics::INVARIANT,
    no_secret_survives::INVARIANT,
    notes_agree_with_the_model::INVARIANT,
    one_shots_are_told_once::INVARIANT,
    only_overflow_compactions_are_told::INVARIANT,
    outside_the_frame_is_ours::INVARIANT,
    provider_text_is_bounded::INVARIANT,
    quoting_is_bounded::INVARIANT,
    retry_is_said_where_it_helps::INVARIANT,
    same_steps_same_notes::INVARIANT,
    stale_failures_are_silent::INVARIANT,
    success_hides_failure::INVARIANT,
    truncated_answers_are_no_overflow::INVARIANT,
    two_notes_at_most_by_importance::INVARIANT,
];
