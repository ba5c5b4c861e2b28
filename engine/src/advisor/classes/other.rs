//! Other: rejected for a reason that no class knows; what is left over.

use super::super::class::Signal::Says;
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "other",
    consequence: Consequence::Fatal,
    says: "the provider rejected it, for a reason that is not a known kind",
    advice: "It is not known whether the same request could succeed. Read the provider's text, and tell the user what it says \
             rather than repeating the request unchanged.",
    advice_switched: "The failure was the earlier model's; continue, and tell the user if it happens again.",
    note_says_retry: false,
    rules: &[Rule::new(
        "other.validation",
        "whoever checks a request against a schema; numbers and words in it are a payload's",
        &[Says(
            r"\bvalidation (?:failed|errors?)\b|failed (?:schema )?validation|does not match (?:the |its )?schema",
        )],
        &[
            r#"Invalid tool arguments: {"status": 429, "message": "Too Many Requests"} does not match schema"#,
            "Request validation failed at item 429",
        ],
    )],
    kinds: &[],
    statuses: &[],
};
