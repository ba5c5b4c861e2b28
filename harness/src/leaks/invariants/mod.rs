//! The promises of the engine about leaked calls: one file each, checked on every case of a campaign.

mod blocks_run_whole_or_not_at_all;
mod calls_are_those_that_were_printed;
mod calls_run_once;
mod calm_calls_are_recovered;
mod closed_gates_hold_calls_back;
mod code_is_never_touched;
mod damaged_blocks_never_run;
mod disputed_blocks_never_run;
mod known_blocks_are_removed_whole;
mod lone_closers_go_and_hold_calls_back;
mod mentions_stay;
mod no_leak_panics;
mod observed_leaks_hold_no_values;
mod observing_changes_nothing;
mod outside_text_is_untouched;
mod promoted_arguments_need_no_more_repair;
mod promoted_arguments_pass_second_validator;
mod promoted_leaves_come_from_the_text;
mod prose_without_markers_is_untouched;
mod same_message_same_treatment;
mod stricter_modes_do_less;
mod stripping_is_a_fixpoint;
mod unknown_tools_are_preserved;
mod work_is_linear_in_the_text;

pub use crate::area::Verdict;

/// A promise about leaked calls.
pub type Invariant = crate::area::Invariant<super::Leaks>;

/// Every promise, sorted by name.
pub const INVARIANTS: &[Invariant] = &[
    blocks_run_whole_or_not_at_all::INVARIANT,
    calls_are_those_that_were_printed::INVARIANT,
    calls_run_once::INVARIANT,
    calm_calls_are_recovered::INVARIANT,
    closed_gates_hold_calls_back::INVARIANT,
    code_is_never_touched::INVARIANT,
    damaged_blocks_never_run::INVARIANT,
    disputed_blocks_never_run::INVARIANT,
    known_blocks_are_removed_whole::INVARIANT,
    lone_closers_go_and_hold_calls_back::INVARIANT,
    mentions_stay::INVARIANT,
    no_leak_panics::INVARIANT,
    observed_leaks_hold_no_values::INVARIANT,
    observing_changes_nothing::INVARIANT,
    outside_text_is_untouched::INVARIANT,
    promoted_arguments_need_no_more_repair::INVARIANT,
    promoted_arguments_pass_second_validator::INVARIANT,
    promoted_leaves_come_from_the_text::INVARIANT,
    prose_without_markers_is_untouched::INVARIANT,
    same_message_same_treatment::INVARIANT,
    stricter_modes_do_less::INVARIANT,
    stripping_is_a_fixpoint::INVARIANT,
    unknown_tools_are_preserved::INVARIANT,
    work_is_linear_in_the_text::INVARIANT,
];
