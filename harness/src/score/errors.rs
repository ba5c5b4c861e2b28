//! Error texts of providers: the class given, and whether the note says to retry.

use corpus::{Case, CaseInput, Expect};
use engine::advisor::{Consequence, ErrorFacts, classify};
use serde_json::{Value, json};

use super::{ScoreError, Verdict, fault};

/// Classifies the text of a case; a class that nobody wanted is wrong.
pub(super) fn judge(case: &Case) -> Result<(Verdict, Value), ScoreError> {
    let CaseInput::Text(text) = &case.input else {
        return Err(fault(case, "holds no error text", "give `input_kind` `text` and `text`"));
    };
    let provider = case.context.provider.as_deref();
    let found = classify(text, &ErrorFacts { provider, ..ErrorFacts::default() });
    let retry = case.expected_value.as_ref().and_then(|value| value.get("note_says_retry"));
    let retry_fits =
        retry.is_none_or(|wanted| wanted.as_bool() == Some(found.class.note_says_retry));
    let given = match found.class.consequence {
        Consequence::Overflow => Expect::Overflow,
        Consequence::Transient => Expect::Transient,
        Consequence::Fatal => Expect::Fatal,
    };
    let verdict = match () {
        () if given == case.expect && retry_fits => Verdict::Right,
        () if case.accept.contains(&given) => Verdict::Allowed,
        () => Verdict::Wrong,
    };
    let got = json!({
        "outcome": found.class.consequence.name(),
        "reason": format!("{}, {}", found.class.id, found.rule),
        "class": found.class.id,
        "rule": found.rule,
        "note_says_retry": found.class.note_says_retry,
    });
    Ok((verdict, got))
}
