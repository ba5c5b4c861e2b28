//! Makes a case smaller that is known by its file alone: parts of the file are left out while the promise
//! stays broken. The search is the one for choices; here a choice says whether a part stays.

use serde_json::{Map, Value};
use toml::{Table, Value as Toml};

use super::finding::why;
use crate::area::{ReadyArea, Trial, Verdict, Wanted};
use crate::source::{Recording, Replay, Source, shrink};

/// Rounds, each over what the round before left.
const ROUNDS_MAX: usize = 4;

/// Members that say where a case comes from, and stay.
const KEPT: &[&str] = &["why", "found"];

/// A broken promise of a stored case.
#[derive(Debug)]
pub struct Stored {
    /// The promise.
    pub invariant: &'static str,
    /// How it is broken.
    pub says: String,
    /// What is sent.
    pub input: String,
    /// The regression file.
    pub file: String,
}

/// The promises that the cases of a file break.
///
/// # Errors
///
/// A text that is no file of the area.
pub fn broken_by(ready: &dyn ReadyArea, slug: &str, text: &str) -> Result<Vec<Stored>, String> {
    let trials = ready.stored(slug, text, Wanted::default())?;
    let found = format!("{slug}.toml");
    let stored = |trial: &Trial| -> Vec<Stored> {
        let broken = trial.broken();
        broken.map(|(name, says)| store(trial, (name, says), &found)).collect()
    };
    Ok(trials.iter().flat_map(stored).collect())
}

fn store(trial: &Trial, (invariant, says): (&'static str, &str), found: &str) -> Stored {
    let file = trial.case.to_toml(&why(invariant, says), found);
    Stored { invariant, says: says.to_owned(), input: trial.case.input(), file }
}

/// The smallest case found within so many tries that breaks the same promise; `None` if that is broken only
/// for what the file says is right, which says nothing of smaller inputs.
pub fn prune(
    ready: &dyn ReadyArea,
    slug: &str,
    stored: &Stored,
    tries_max: usize,
) -> Option<Stored> {
    let only = [stored.invariant];
    let wanted = Wanted { only: &only, show: false };
    let judge = |text: &str| {
        let trials = ready.stored(slug, text, wanted).ok()?;
        trials.into_iter().find_map(|mut trial| match trial.verdicts.pop() {
            Some((name, Verdict::Broken(says))) => {
                Some(store(&trial, (name, &says), &format!("{slug}.toml")))
            }
            _ => None,
        })
    };
    let bare = without(Toml::Table(stored.file.parse().ok()?), ready.meant());
    let mut best = judge(&toml::to_string(&bare).ok()?)?;
    let mut tries = tries_max;
    for _ in 0..ROUNDS_MAX {
        let Ok(file) = best.file.parse::<Table>() else { break };
        let mut everything = Recording::new(Everything);
        let _ = part_of(&file, &mut everything);
        let most = tries;
        let still = |choices: &[u32]| {
            tries = tries.saturating_sub(1);
            part_of(&file, &mut Replay::new(choices.to_vec()))
                .is_some_and(|it| judge(&it).is_some())
        };
        let small = shrink(everything.choices(), still, most);
        let next = part_of(&file, &mut Replay::new(small)).and_then(|text| judge(&text));
        match next.filter(|next| next.file.len() < best.file.len()) {
            Some(next) => best = next,
            None => break,
        }
    }
    Some(best)
}

/// The value without the members of these names, at any depth.
fn without(value: Toml, names: &[&str]) -> Toml {
    match value {
        Toml::Table(members) => {
            let kept = members.into_iter().filter(|(name, _)| !names.contains(&name.as_str()));
            Toml::Table(kept.map(|(name, value)| (name, without(value, names))).collect())
        }
        Toml::Array(items) => {
            Toml::Array(items.into_iter().map(|item| without(item, names)).collect())
        }
        other => other,
    }
}

/// Every part stays.
struct Everything;

impl Source for Everything {
    fn below(&mut self, n: u32) -> u32 {
        n.saturating_sub(1)
    }
}

/// The file with the parts that `stays` says.
fn part_of(file: &Table, stays: &mut dyn Source) -> Option<String> {
    let mut part = Table::new();
    for (key, value) in file {
        if KEPT.contains(&key.as_str()) {
            part.insert(key.clone(), value.clone());
        } else if stays.below(2) == 1 {
            part.insert(key.clone(), of_toml(value, stays));
        }
    }
    toml::to_string(&part).ok()
}

fn of_toml(value: &Toml, stays: &mut dyn Source) -> Toml {
    match value {
        Toml::String(text) => Toml::String(of_text(text, stays)),
        Toml::Array(items) => {
            let mut part = Vec::new();
            for item in items {
                if stays.below(2) == 1 {
                    part.push(of_toml(item, stays));
                }
            }
            Toml::Array(part)
        }
        Toml::Table(members) => {
            let mut part = Table::new();
            for (key, value) in members {
                if stays.below(2) == 1 {
                    part.insert(key.clone(), of_toml(value, stays));
                }
            }
            Toml::Table(part)
        }
        other => other.clone(),
    }
}

/// JSON loses members and items, any other text characters.
fn of_text(text: &str, stays: &mut dyn Source) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(json @ (Value::Array(_) | Value::Object(_))) => of_json(json, stays).to_string(),
        _ => text.chars().filter(|_| stays.below(2) == 1).collect(),
    }
}

// Recursion follows a text that was parsed within the parser's own bound on depth.
fn of_json(value: Value, stays: &mut dyn Source) -> Value {
    match value {
        Value::Array(items) => {
            let mut part = Vec::new();
            for item in items {
                if stays.below(2) == 1 {
                    part.push(of_json(item, stays));
                }
            }
            Value::Array(part)
        }
        Value::Object(members) => {
            let mut part = Map::new();
            for (key, value) in members {
                if stays.below(2) == 1 {
                    part.insert(key, of_json(value, stays));
                }
            }
            Value::Object(part)
        }
        Value::String(text) => {
            Value::String(text.chars().filter(|_| stays.below(2) == 1).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_or_nothing_but_the_origin() {
        let text =
            "why = \"w\"\nlist = [\"ab\", \"{\\\"a\\\":[1,\\\"x\\\"]}\"]\n\n[table]\nn = 1\n";
        let file: Table = text.parse().expect("TOML");
        let mut everything = Recording::new(Everything);
        let whole = part_of(&file, &mut everything).and_then(|text| text.parse::<Table>().ok());
        assert_eq!(whole, Some(file.clone()));
        let nothing = part_of(&file, &mut Replay::default());
        assert_eq!(nothing.as_deref(), Some("why = \"w\"\n"));
        let mut choices = everything.into_choices();
        choices[3] = 0;
        let part = part_of(&file, &mut Replay::new(choices)).expect("TOML");
        assert!(part.contains("list = [\"a\","), "{part}");
    }
}
