//! The mark on a result row: the rules that fired, in as many columns as there are.

/// What the mark says first.
const HEAD: &str = "repaired";

/// The most rules that are named.
const LISTED_MAX: usize = 16;

/// The most bytes of one rule's name; ours are far shorter.
const RULE_MAX: usize = 64;

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
    let most = names.len().min(columns / 4).min(LISTED_MAX);
    let listed = (1..=most).rev().find_map(fits);
    let counted = || format!("{HEAD} ({} rules)", names.len());
    let shortest = || if columns < HEAD.len() { String::new() } else { HEAD.to_owned() };
    match listed {
        Some(text) => text,
        None if !names.is_empty() && counted().len() <= columns => counted(),
        None => shortest(),
    }
}

fn is_plain(rule: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':');
    !rule.is_empty() && rule.len() <= RULE_MAX && rule.bytes().all(plain)
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
}
