//! No key, token, password or address leaves with a note.

use super::{Invariant, Verdict};
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "no_secret_survives",
    says: "Of no secret in a foreign text do eleven characters in a row stand in a note, a fact or a warning.",
    kills: &["quote-without-redaction", "cut-before-redaction"],
    check,
};

/// Any eleven characters in a row hold one of the parts that are looked for.
const PART: usize = 8;
const STEP: usize = 4;

fn check(run: &Run<'_>) -> Verdict {
    let texts: Vec<&str> = run.texts().collect();
    let secrets = run.case.said.iter().flat_map(|said| &said.secrets);
    let mut applies = false;
    for secret in secrets {
        applies |= !texts.is_empty();
        let parts = (0..).step_by(STEP).map_while(|at| secret.get(at..at + PART));
        for part in parts {
            let left = texts.iter().find(|text| text.contains(part) && !stands_apart(run, part));
            if let Some(text) = left {
                return Verdict::Broken(format!("{part} of {secret} stands in {text}"));
            }
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}

/// True if the part stands in what was said beside the secrets too, where chance or a fuzzer put it.
fn stands_apart(run: &Run<'_>, part: &str) -> bool {
    run.case.said.iter().any(|said| {
        let bare =
            said.secrets.iter().fold(said.text.clone(), |text, secret| text.replace(secret, " "));
        bare.contains(part)
    })
}
