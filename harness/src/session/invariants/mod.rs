//! The promises about sessions, one file each.

mod a_session_tells_no_value;
mod canaries_reach_no_record;
mod chunks_of_a_log_do_not_matter;
mod cut_logs_keep_whole_records;
mod each_repair_is_noted_once;
mod ended_runs_leave_nothing;
mod fingerprints_tell_nothing_apart;
mod held_calls_are_bounded;
mod nested_calls_are_silent;
mod no_session_panics;
mod notes_fit_one_block;
mod notes_reach_their_own_call;
mod old_settings_keep_their_meaning;
mod record_lines_read_back;
mod rotation_drops_oldest_lines_only;
mod same_events_same_notes;
mod saves_keep_foreign_members;
mod saves_read_back;
mod saving_twice_is_saving_once;
mod skipped_lines_are_told;
mod stats_add_up;
mod unchanged_settings_keep_every_byte;
mod unreadable_settings_are_never_overwritten;
mod valid_calls_get_no_note;

pub use crate::area::Verdict;

/// A promise about sessions.
pub type Invariant = crate::area::Invariant<super::Session>;

/// Every promise, sorted by name.
pub const INVARIANTS: &[Invariant] = &[
    a_session_tells_no_value::INVARIANT,
    canaries_reach_no_record::INVARIANT,
    chunks_of_a_log_do_not_matter::INVARIANT,
    cut_logs_keep_whole_records::INVARIANT,
    each_repair_is_noted_once::INVARIANT,
    ended_runs_leave_nothing::INVARIANT,
    fingerprints_tell_nothing_apart::INVARIANT,
    held_calls_are_bounded::INVARIANT,
    nested_calls_are_silent::INVARIANT,
    no_session_panics::INVARIANT,
    notes_fit_one_block::INVARIANT,
    notes_reach_their_own_call::INVARIANT,
    old_settings_keep_their_meaning::INVARIANT,
    record_lines_read_back::INVARIANT,
    rotation_drops_oldest_lines_only::INVARIANT,
    same_events_same_notes::INVARIANT,
    saves_keep_foreign_members::INVARIANT,
    saves_read_back::INVARIANT,
    saving_twice_is_saving_once::INVARIANT,
    skipped_lines_are_told::INVARIANT,
    stats_add_up::INVARIANT,
    unchanged_settings_keep_every_byte::INVARIANT,
    unreadable_settings_are_never_overwritten::INVARIANT,
    valid_calls_get_no_note::INVARIANT,
];
