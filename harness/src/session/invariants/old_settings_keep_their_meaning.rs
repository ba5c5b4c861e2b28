//! A settings file of any age.

use engine::settings::Settings;

use super::{Invariant, Verdict};
use crate::session::meaning::Meaning;
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "old_settings_keep_their_meaning",
    says: "A settings file means what another reading of its members says, whatever shape it has.",
    kills: &["forgets-the-grammar-block", "forgets-the-time-before-profiles"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(edited) = &run.edited else { return Verdict::Vacuous };
    let wanted = match &edited.meaning {
        Meaning::Says(settings) => (**settings).clone(),
        Meaning::Absent | Meaning::Unreadable => Settings::default(),
    };
    let read = &edited.loaded.settings;
    Verdict::require(*read == wanted, || format!("read {read:?}, it means {wanted:?}"))
}
