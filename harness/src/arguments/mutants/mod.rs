//! Planted bugs: the engine altered through its one seam, its configuration or its aliases.
//!
//! The ordinary campaign must find and shrink each; see [`crate::area::Invariant::kills`].

mod readers;
mod rules;
mod steps;

use engine::ToolConfig;
use engine::tables::Tables;

/// What is altered.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// Alters tables and steps.
    pub tables: fn(&mut Tables),
    /// Alters the configuration of every tool.
    pub config: fn(&mut ToolConfig),
    /// Aliases of tool names that no owner asked for.
    pub aliases: &'static [(&'static str, &'static str)],
}

impl Plant {
    /// Nothing altered.
    pub const NONE: Self = Self { tables: |_| {}, config: |_| {}, aliases: &[] };

    const fn tables(tables: fn(&mut Tables)) -> Self {
        Self { tables, ..Self::NONE }
    }

    const fn config(config: fn(&mut ToolConfig)) -> Self {
        Self { config, ..Self::NONE }
    }
}

impl Default for Plant {
    fn default() -> Self {
        Self::NONE
    }
}

/// A planted bug of this area.
pub type Mutant = crate::area::Mutant<Plant>;

const fn mutant(name: &'static str, says: &'static str, plant: Plant) -> Mutant {
    Mutant { name, says, plant }
}

/// Every planted bug.
pub const MUTANTS: &[Mutant] = &[
    mutant(
        "accept-everything",
        "the schema accepts whatever comes",
        Plant::tables(|tables| tables.accepts = |_, _| true),
    ),
    mutant(
        "adaptive-forgets-exact",
        "the adaptive policy permits adaptive repairs only",
        Plant::tables(|tables| tables.permits = steps::inverted_policy),
    ),
    mutant(
        "admit-every-gate",
        "gated strips run for every model",
        Plant::tables(|tables| tables.admits = |_, _| true),
    ),
    mutant(
        "alias-of-everything",
        "an alias also takes names nobody configured",
        Plant::config(steps::widen_aliases),
    ),
    mutant(
        "alias-to-the-wrong-tool",
        "names in capitals run another tool",
        Plant { aliases: steps::WRONG_ALIASES, ..Plant::NONE },
    ),
    mutant(
        "close-after-any-stop",
        "closers are supplied although the server says the answer was cut",
        Plant::tables(|tables| tables.may_close = |_| true),
    ),
    mutant(
        "close-unnoticed",
        "closers are supplied without a liberty",
        Plant::tables(|tables| tables.read = readers::close_unnoticed),
    ),
    mutant(
        "complete-cut-numbers",
        "a number at the end of a cut text counts as whole",
        Plant::tables(|tables| tables.read = readers::complete_numbers),
    ),
    mutant(
        "complete-cut-strings",
        "a string that was cut is closed where it ends",
        Plant::tables(|tables| tables.read = readers::complete_strings),
    ),
    mutant(
        "decode-nothing",
        "JSON in texts is never read",
        Plant::tables(|tables| rules::remove(tables, "schema.read-json-text")),
    ),
    mutant(
        "defer-blindly",
        "what looks like a spelling is left to the host without asking it",
        Plant::tables(|tables| {
            tables.convert = |_, _, _, value| Some(value.clone());
            tables.same = |_, _| true;
        }),
    ),
    mutant(
        "digits-become-booleans",
        "0 and 1 are read as booleans",
        Plant::tables(|tables| {
            rules::replace(tables, "schema.read-boolean", rules::digits_as_booleans);
        }),
    ),
    mutant(
        "drop-what-does-not-fit",
        "whatever stands wrong at an optional field is dropped",
        Plant::tables(|tables| {
            rules::replace(tables, "schema.drop-null", rules::drop_any_optional);
        }),
    ),
    mutant(
        "edit-after-validation",
        "a member is added after the last check",
        Plant::tables(|tables| tables.finish = steps::add_member),
    ),
    mutant(
        "first-item-of-many",
        "the first of several items is taken out of a list",
        Plant::tables(|tables| rules::replace(tables, "schema.unwrap-item", rules::first_item)),
    ),
    mutant(
        "first-of-two-values",
        "of two different values the first is run",
        Plant::tables(|tables| tables.read = readers::first_of_two),
    ),
    mutant(
        "first-way-wins",
        "of several ways to repair a union the first is taken",
        Plant::tables(|tables| tables.pick = |ways| (ways > 0).then_some(0)),
    ),
    mutant(
        "gateless-strips",
        "the gates of all preprocessors are open",
        Plant::config(steps::open_gates),
    ),
    mutant(
        "ignore-inexact",
        "a number that cannot be kept is rounded",
        Plant::tables(|tables| tables.read = readers::ignore_inexact),
    ),
    mutant(
        "last-duplicate-wins",
        "of two values of one key the last is run",
        Plant::tables(|tables| tables.read = readers::last_duplicate),
    ),
    mutant(
        "no-drop-null",
        "null at an optional field is not dropped",
        Plant::tables(|tables| rules::remove(tables, "schema.drop-null")),
    ),
    mutant("note-quotes-a-value", "a note repeats a value", Plant::tables(rules::quote_in_notes)),
    mutant(
        "null-becomes-text",
        "null at a required text becomes the text null",
        Plant::tables(|tables| rules::replace(tables, "schema.drop-empty", rules::null_as_text)),
    ),
    mutant(
        "panic-on-many-members",
        "results with more than three members panic",
        Plant::tables(|tables| tables.finish = steps::panic_on_many),
    ),
    mutant(
        "permit-everything",
        "every policy permits every repair",
        Plant::tables(|tables| tables.permits = |_, _| true),
    ),
    mutant(
        "read-every-prefix",
        "the reader tries every prefix of a text first",
        Plant::tables(|tables| tables.read = readers::every_prefix),
    ),
    mutant(
        "read-rounds-numbers",
        "the reader drops fractions",
        Plant::tables(|tables| tables.read = readers::round),
    ),
    mutant(
        "read-trims-texts",
        "the reader trims every text",
        Plant::tables(|tables| tables.read = readers::trim),
    ),
    mutant(
        "recover-is-conservative",
        "the recover policy permits exact repairs only",
        Plant::tables(|tables| tables.permits = steps::timid_recover),
    ),
    mutant(
        "rename-to-alias",
        "a repaired path leaves under another name",
        Plant::tables(|tables| tables.finish = steps::rename_path),
    ),
    mutant(
        "root-field-elsewhere",
        "a bare text lands in the wrong field",
        Plant::config(steps::move_root_field),
    ),
    mutant(
        "round-numbers",
        "a fraction as text is cut to an integer",
        Plant::tables(|tables| rules::replace(tables, "schema.read-number", rules::round)),
    ),
    mutant(
        "size-bounds-validity",
        "valid arguments above some hundred bytes are not accepted the long way",
        Plant::tables(|tables| {
            tables.accepts =
                |validator, value| value.to_string().len() < 100 && validator.is_valid(value);
        }),
    ),
    mutant(
        "sort-keys",
        "repaired arguments come out sorted",
        Plant::tables(|tables| tables.finish = steps::sort_keys),
    ),
    mutant(
        "trim-everything",
        "every text of a call that needs any repair is trimmed",
        Plant::tables(rules::trim_everything),
    ),
    mutant(
        "unstable-result",
        "every other repair gains a member",
        Plant::tables(|tables| tables.finish = steps::every_other_time),
    ),
    mutant(
        "wrap-before-read",
        "a text is wrapped into a list before anybody looks whether it is one",
        Plant::tables(|tables| rules::swap(tables, "schema.read-json-text", "schema.wrap-item")),
    ),
    mutant(
        "wrong-reason",
        "a broken text is refused for a lone surrogate",
        Plant::tables(|tables| tables.read = readers::wrong_reason),
    ),
];
