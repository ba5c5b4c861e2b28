//! What depends on model, provider, policy or stop reason is done only where those allow it.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::malform::Form;
use engine::{Gate, Policy};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "gates_hold",
    says: "Gated strips run for named models and providers only, and nothing adaptive runs under conservative or after an abnormal stop.",
    kills: &[
        "admit-every-gate",
        "permit-everything",
        "close-after-any-stop",
        "close-unnoticed",
        "gateless-strips",
    ],
    check,
};

/// Changes that lean on more than the call itself.
const ADAPTIVE: &[&str] = &[
    "preprocess.strip-anchors",
    "preprocess.strip-tokens",
    "preprocess.decode-entities",
    "preprocess.strip-key-tokens",
    "read.close-containers",
];

fn check(run: &Run<'_>) -> Verdict {
    let case = run.case;
    let changes = run.answer.changes();
    if let Some(change) = changes.iter().find(|change| {
        let gates = gates(run, change.rule);
        !gates.is_empty() && !gates.iter().any(|gate| admits(gate, run))
    }) {
        return Verdict::Broken(format!("`{}` ran for no model or provider it names", change.rule));
    }
    let strict = case.policy == Policy::Conservative;
    if let Some(change) = changes.iter().find(|change| strict && ADAPTIVE.contains(&change.rule)) {
        return Verdict::Broken(format!("`{}` ran under conservative", change.rule));
    }
    let may_close = !strict && case.stop_reason.is_normal();
    if let Form::Text(text) = &case.call.form
        && !may_close
        && run.answer.args().is_some()
        && lacks_closers(text)
    {
        return Verdict::Broken("missing closers were supplied".into());
    }
    if run.answer.args().is_some() { Verdict::Holds } else { Verdict::Vacuous }
}

/// The gates of the configured entries for a rule.
fn gates<'r>(run: &'r Run<'_>, rule: &str) -> Vec<&'r Gate> {
    let entries = run.bench.config.preprocessors.iter();
    entries.filter(|entry| entry.kind.rule == rule).map(|entry| &entry.gate).collect()
}

/// The harness's own reading of a gate: a family begins a word of the model's id.
fn admits(gate: &Gate, run: &Run<'_>) -> bool {
    let call = &run.case.call;
    let model = call.model.as_deref().unwrap_or_default().to_ascii_lowercase();
    let named = |family: &String| {
        model
            .match_indices(&family.to_ascii_lowercase())
            .any(|(at, _)| !model[..at].ends_with(|before: char| before.is_ascii_alphanumeric()))
    };
    let provider = call.provider.as_deref().unwrap_or_default();
    gate.is_open()
        || gate.model_families.iter().any(named)
        || gate.providers.iter().any(|known| known.eq_ignore_ascii_case(provider))
}

/// True if a text that is strict JSON so far ends inside a container: strings are skipped as JSON has them.
fn lacks_closers(text: &str) -> bool {
    let strict = text.starts_with('{') && !text.contains(['\'', '#', '`', '“', '”', '„']);
    if !strict || text.contains("//") || text.contains("/*") {
        return false;
    }
    let (mut open, mut inside, mut escaped) = (0_i64, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            // Keys with escaped quotes: where a string begins is then a guess.
            b'\\' if !inside => return false,
            b'\\' => escaped = true,
            b'"' => inside = !inside,
            b'{' | b'[' if !inside => open += 1,
            b'}' | b']' if !inside => open -= 1,
            _ => {}
        }
    }
    open > 0 && !inside
}
