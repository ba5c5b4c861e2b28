//! Rule tables with a planted bug: rules that are missing, in the wrong order, or wrong themselves.

use engine::rules::{Edit, Proposal, Rule, Scope, Site};
use engine::tables::Tables;
use engine::{Grade, Operation};
use serde_json::{Number, Value};

use super::readers::edit_leaves;

fn position(tables: &Tables, id: &str) -> Option<usize> {
    tables.rules.iter().position(|rule| rule.id == id)
}

pub(super) fn remove(tables: &mut Tables, id: &str) {
    tables.rules.retain(|rule| rule.id != id);
}

pub(super) fn swap(tables: &mut Tables, one: &str, other: &str) {
    if let (Some(one), Some(other)) = (position(tables, one), position(tables, other)) {
        tables.rules.swap(one, other);
    }
}

/// Gives a rule another behaviour; it keeps its id and its place.
pub(super) fn replace(tables: &mut Tables, id: &str, propose: fn(&Site<'_>) -> Proposal) {
    if let Some(at) = position(tables, id) {
        tables.rules[at].propose = propose;
    }
}

fn put(site: &Site<'_>, value: impl Into<Value>) -> Proposal {
    Proposal::Edit(Edit::replace(site, value.into()))
}

pub(super) fn digits_as_booleans(site: &Site<'_>) -> Proposal {
    match site.value() {
        Value::String(text) if text == "0" || text.eq_ignore_ascii_case("false") => {
            put(site, false)
        }
        Value::String(text) if text == "1" || text.eq_ignore_ascii_case("true") => put(site, true),
        Value::Number(number) if number.as_u64() == Some(0) => put(site, false),
        Value::Number(number) if number.as_u64() == Some(1) => put(site, true),
        _ => Proposal::Nothing,
    }
}

pub(super) fn drop_any_optional(site: &Site<'_>) -> Proposal {
    if !site.is_optional() || site.pointer().is_root() {
        return Proposal::Nothing;
    }
    let operations = vec![Operation::Remove { path: site.pointer().clone() }];
    Proposal::Edit(Edit { operations, ..Edit::default() })
}

pub(super) fn first_item(site: &Site<'_>) -> Proposal {
    match site.value() {
        Value::Array(items) if !site.pointer().is_root() => {
            items.first().map_or(Proposal::Nothing, |item| put(site, item.clone()))
        }
        _ => Proposal::Nothing,
    }
}

pub(super) fn null_as_text(site: &Site<'_>) -> Proposal {
    if site.value().is_null() && !site.pointer().is_root() {
        return put(site, "null");
    }
    Proposal::Nothing
}

pub(super) fn round(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value() else { return Proposal::Nothing };
    let whole = text.trim().split('.').next().unwrap_or_default();
    match whole.parse::<i64>() {
        Ok(number) => put(site, Number::from(number)),
        Err(_) => Proposal::Nothing,
    }
}

pub(super) fn quote_in_notes(tables: &mut Tables) {
    for rule in &mut tables.rules {
        rule.note = "Do not send `zq7canary`.";
    }
}

pub(super) fn trim_everything(tables: &mut Tables) {
    tables.rules.insert(
        0,
        Rule {
            id: "planted.trim",
            fires: "always",
            note: "Trimmed the texts.",
            grade: Grade::Exact,
            scope: Scope::RootEvenIfValid,
            examples: &[],
            propose: |site| {
                let mut trimmed = site.value().clone();
                edit_leaves(&mut trimmed, &|leaf| {
                    if let Some(text) = leaf.as_str() {
                        *leaf = text.trim().into();
                    }
                });
                if trimmed == *site.value() { Proposal::Nothing } else { put(site, trimmed) }
            },
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::case::CANARY;

    #[test]
    fn the_note_quotes_the_canary() {
        let mut tables = Tables::default();
        quote_in_notes(&mut tables);
        assert!(tables.rules.iter().all(|rule| rule.note.contains(CANARY)));
    }
}
