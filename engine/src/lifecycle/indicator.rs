//! The mark on a result row: the rules that fired, in as many columns as there are.

use crate::telemetry::is_plain;

/// What the mark says first.
const HEAD: &str = "repaired";

/// The most rules that are named.
const LISTED_MAX: usize = 16;

/// The mark for `rules`, at most `columns` wide: `repaired (schema.drop-null, +2)`.
///
/// Rules may come back from a session file, so anything that is not a plain name is left out. All
/// signs are ASCII, so columns are characters.
///
/// # Examples
///
/// ```
/// use engine::lifecycle::indicator;
///
/// let rules = ["name.fold-case", "schema.drop-null", "schema.wrap-item"];
/// assert_eq!(indicator(&rules, 80), "repaired (name.fold-case, schema.drop-null, schema.wrap-item)");
/// assert_eq!(indicator(&rules, 40), "repaired (name.fold-case, +2)");
/// assert_eq!(indicator(&rules, 20), "repaired (3 rules)");
/// ```
pub fn indicator<R: AsRef<str>>(rules: &[R], columns: usize) -> String {
    let names: Vec<&str> = rules.iter().map(AsRef::as_ref).filter(|rule| is_plain(rule)).collect();
    let fits = |shown: usize| {
        let listed = names.iter().take(shown).copied().collect::<Vec<_>>().join(", ");
        let text = match names.len() - shown {
            0 => format!("{HEAD} ({listed})"),
            more => format!("{HEAD} ({listed}, +{more})"),
        };
        (text.len() <= columns).then_some(text)
    };
    // Bounded, so that a hostile list costs no more than its reading.
    let most = names.len().min(LISTED_MAX);
    let listed = (1..=most).rev().find_map(fits);
    let noun = if names.len() == 1 { "rule" } else { "rules" };
    let counted = || format!("{HEAD} ({} {noun})", names.len());
    let shortest = || if columns < HEAD.len() { String::new() } else { HEAD.to_owned() };
    match listed {
        Some(text) => text,
        None if !names.is_empty() && counted().len() <= columns => counted(),
        None => shortest(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_never_wider_than_its_row() {
        let many: Vec<String> = (0..500).map(|n| format!("schema.rule-{n}")).collect();
        for columns in 0..130 {
            for rules in [&many[..], &many[..1], &[]] {
                assert!(indicator(rules, columns).len() <= columns, "{columns}");
            }
        }
        assert_eq!(indicator(&["\u{1b}[2J", "a b", ""], 80), "repaired");
    }

    #[test]
    fn a_mark_names_what_fits_counts_the_rest_and_says_less_on_narrow_rows() {
        let three = ["name.fold-case", "schema.drop-null", "x\n", "schema.wrap-item"];
        let many: Vec<String> = (10..40).map(|n| format!("r.{n}")).collect();
        let sixteen = format!("repaired ({}, +14)", many[..16].join(", "));
        for (rules, columns, mark) in [
            (&three[..], 61, "repaired (name.fold-case, schema.drop-null, schema.wrap-item)"),
            (&three, 60, "repaired (name.fold-case, schema.drop-null, +1)"),
            (&three, 46, "repaired (name.fold-case, +2)"),
            (&three, 28, "repaired (3 rules)"),
            (&three, 18, "repaired (3 rules)"),
            (&three, 17, "repaired"),
            (&three, 8, "repaired"),
            (&three, 7, ""),
            (&three[..1], 20, "repaired (1 rule)"),
            (&[], 80, "repaired"),
            (&many.iter().map(String::as_str).collect::<Vec<_>>(), 400, &sixteen),
        ] {
            assert_eq!(indicator(rules, columns), mark, "{columns}");
        }
    }
}
