//! The engine's tables about leaks: what can be reached, what is counted, and the catalogue's sections.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use engine::grammar::{Action, FAMILIES, GATES, MODES, SEAMS, State};

use super::case::damage::DAMAGES;
use super::run::Run;
use crate::area::Seen;
use crate::catalog::Section;

/// Every id that is counted, by what it is about.
fn ids() -> &'static BTreeMap<(&'static str, &'static str), &'static str> {
    static IDS: OnceLock<BTreeMap<(&'static str, &'static str), &'static str>> = OnceLock::new();
    IDS.get_or_init(|| {
        let spellings = FAMILIES
            .iter()
            .flat_map(|family| family.spellings.iter().map(|row| (family.id, row.id)));
        let gates = GATES.iter().map(|gate| ("closed", gate.id));
        let states =
            [State::Whole, State::Damaged(""), State::CutOff, State::Dangling, State::CutMarker];
        let states = states.map(|state| ("state", state.name()));
        let actions = [
            Action::Observed,
            Action::Preserved,
            Action::LeftAlone,
            Action::Removed,
            Action::Promoted,
        ];
        let actions = actions.map(|action| ("action", action.name()));
        let all = spellings.chain(gates).chain(states).chain(actions);
        // A few hundred short names that live as long as the table.
        all.map(|(kind, id)| ((kind, id), &*Box::leak(format!("{kind}/{id}").into_boxed_str())))
            .collect()
    })
}

/// Ids that nothing can reach, with the reason.
const UNREACHED: &[(&str, &str)] = &[];

pub(super) fn reachable() -> Vec<&'static str> {
    let ids = ids().values().copied();
    ids.filter(|id| !UNREACHED.iter().any(|row| row.0 == *id)).collect()
}

pub(super) fn seen(run: &Run<'_>) -> Seen {
    let treatment = &run.treatment;
    let mut seen = Seen::new(match treatment {
        _ if !treatment.calls.is_empty() => "promoted",
        _ if treatment.changes_message() => "stripped",
        _ if !treatment.leaks.is_empty() => "kept",
        _ => "nothing-found",
    });
    for text in treatment.texts.iter().flatten() {
        seen.fold(text.as_bytes());
    }
    for call in &treatment.calls {
        seen.fold(call.tool.as_bytes());
        seen.fold(call.args.to_string().as_bytes());
    }
    for leak in &treatment.leaks {
        let gates = leak.closed.iter().map(|gate| ("closed", *gate));
        let found = [
            (leak.family, leak.spelling),
            ("state", leak.state.name()),
            ("action", leak.action.name()),
        ];
        for id in gates.chain(found).filter_map(|key| ids().get(&key)) {
            seen.reach(id);
        }
    }
    let damage = run.case.blocks.iter().map(|block| block.damage.as_str());
    let known = super::Leaks::features_by_name();
    seen.features =
        damage.filter_map(|name| known.iter().find(|row| **row == name).copied()).collect();
    seen
}

impl super::Leaks {
    fn features_by_name() -> &'static [&'static str] {
        static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
        NAMES.get_or_init(<Self as crate::area::Area>::features)
    }
}

pub(super) fn sections() -> Vec<Section> {
    let families = FAMILIES.iter().map(|family| {
        let openers: Vec<String> =
            family.openers.iter().map(|opener| format!("`{}`", opener.escape_debug())).collect();
        let gate = if family.gate.is_empty() { "any".to_owned() } else { family.gate.join(", ") };
        [
            family.id.to_owned(),
            family.models.join(", "),
            gate,
            openers.join(" "),
            family.says.to_owned(),
        ]
    });
    let spellings = FAMILIES.iter().flat_map(|family| {
        family.spellings.iter().map(|row| {
            [format!("{}/{}", family.id, row.id), row.says.to_owned(), row.proof.to_owned()]
        })
    });
    vec![
        Section::new(
            "Families of leaked calls, by precedence",
            ["family", "who prints it", "models that may run it", "openers", "what is syntax"],
            families,
        ),
        Section::new(
            "Spellings that are read",
            ["spelling", "what it looks like", "proof, where it is damaged"],
            spellings,
        ),
        Section::new(
            "Gates of promotion",
            ["gate", "what a closed one says"],
            GATES.iter().map(|gate| [gate.id, gate.says]),
        ),
        Section::new(
            "Modes",
            ["mode", "what it does"],
            MODES.iter().map(|(mode, name)| [*name, mode.says()]),
        ),
        Section::new(
            "Seam beside a removed range",
            ["where the range stands", "what becomes of the white space that touches it"],
            SEAMS.iter().copied(),
        ),
        Section::new(
            "Damage done to printed calls",
            ["damage", "what it does"],
            DAMAGES.iter().map(|row| [row.id, row.says]),
        ),
    ]
}
