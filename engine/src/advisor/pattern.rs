//! Compiles patterns so that the boundaries of words are those of ASCII.
//!
//! Two reasons. A key that follows a letter of another script, with no blank between them, still
//! begins where it begins. And a search stays on the fast path for every text: the automaton that
//! knows all scripts' letters gives up at the first one, and what replaces it is a hundred times slower.

use regex::Regex;

/// A pattern with ASCII boundaries; none if it is no pattern, which a test rules out.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(&with_ascii_boundaries(text)).ok()
}

/// The pattern, each `\b` in it an ASCII boundary.
fn with_ascii_boundaries(text: &str) -> String {
    text.replace(r"\b", r"(?-u:\b)")
}

/// The pattern with ASCII boundaries and ASCII words.
pub(super) fn with_ascii_words(text: &str) -> String {
    with_ascii_boundaries(text).replace(r"\W", "[^a-z0-9_]").replace(r"\w", "[a-z0-9_]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_scripts_bound_a_word() {
        let found = |text: &str| {
            let key = pattern(r"\bsk-[a-z]+\b");
            key.is_some_and(|key| key.is_match(text))
        };
        assert!(found("密钥sk-abc无效") && found("clé:sk-abc") && found("ésk-abc"));
        assert!(!found("ask-abc"));
        assert_eq!(with_ascii_words(r"^\W*x[^\w ]"), "^[^a-z0-9_]*x[^[a-z0-9_] ]");
    }
}
