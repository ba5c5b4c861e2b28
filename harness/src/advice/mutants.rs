//! Planted bugs: the advisor altered through its one seam, its tables.

use std::cell::Cell;

use engine::advisor::tables::AdvisorTables;
use engine::advisor::{CLASSES, Class, Classifier, Ending, Rule, Signal, clean};

use super::subject::{counted, quoted};

/// Alters the tables of an advisor.
pub type Plant = fn(&mut AdvisorTables);

/// A planted bug of this area.
pub type Mutant = crate::area::Mutant<Plant>;

const fn mutant(name: &'static str, says: &'static str, plant: Plant) -> Mutant {
    Mutant { name, says, plant }
}

/// Every planted bug.
pub const MUTANTS: &[Mutant] = &[
    mutant("abort-keeps-talking", "an abort silences nothing", |tables| {
        tables.abort_silences = false;
    }),
    mutant("attempts-from-one", "a single failure is said to have come after attempts", |tables| {
        tables.attempts_from = 1;
    }),
    mutant("cut-before-redaction", "a text is cut before its secrets are looked for", |tables| {
        tables.quote = |text, most| {
            let head: String = text.chars().take(most / 5).collect();
            counted(&head, most)
        };
    }),
    mutant("digits-are-a-status", "a number anywhere is taken for a status", |tables| {
        classes(tables, |all| prepend(all, "throttle", &DIGITS));
    }),
    mutant(
        "failure-told-twice",
        "a failed compaction is told as often as it is reported",
        |tables| {
            tables.failure_once = false;
        },
    ),
    mutant("full-at-any-length", "every answer cut for length is a full context", |tables| {
        tables.is_full = |answer| answer.ending == Ending::Length;
    }),
    mutant("never-stale", "a failure is told however old it is", |tables| {
        tables.stale_ms = u64::MAX;
    }),
    mutant("notes-with-foreign-advice", "the advice of a class is another text", |tables| {
        classes(tables, |all| {
            for class in all {
                class.advice = "Do what the provider says.";
            }
        });
    }),
    mutant("one-shot-repeats", "what was told is told again", |tables| tables.one_shot = false),
    mutant(
        "overflow-before-throttle",
        "a limit per minute is taken for a full context",
        |tables| {
            classes(tables, |all| {
                let overflow = all.iter().position(|class| class.id == "overflow");
                let overflow = all.remove(overflow.expect("there is such a class"));
                all.insert(0, overflow);
            });
        },
    ),
    mutant("panic-inside-a-character", "a text is cut at a byte", |tables| {
        tables.quote = |text, most| counted(&text[..text.len().min(40)], most);
    }),
    mutant("quota-advised-as-throttle", "a wall is told as if it passed soon", |tables| {
        classes(tables, |all| {
            let advice = CLASSES.iter().find(|class| class.id == "throttle").map(|row| row.advice);
            for class in all.iter_mut().filter(|class| class.id == "quota") {
                class.advice = advice.unwrap_or_default();
            }
        });
    }),
    mutant("quote-every-prefix", "a text is quoted once for each of its words", |tables| {
        tables.quote = |text, most| {
            let mut quote = String::new();
            for (at, _) in text.match_indices(' ').take(12).chain([(text.len(), "")]) {
                quote = counted(&text[..at], most);
            }
            quote
        };
    }),
    mutant("quote-everything", "a text is quoted whole, whatever its length", |tables| {
        tables.quote_chars_max = usize::MAX;
    }),
    mutant("quote-raw", "a text is quoted as it came", |tables| {
        tables.quote = |text, most| text.chars().take(most).collect();
    }),
    mutant("quote-without-redaction", "secrets stay in a quoted text", |tables| {
        tables.quote = |text, most| {
            let words: Vec<String> = clean(text).split_whitespace().map(str::to_owned).collect();
            let line = words.join(" ").replace("pi-repair", "").replace('`', "'");
            line.chars().take(most).collect()
        };
    }),
    mutant("remember-what-was-quoted", "an advisor quotes less once it has quoted", |tables| {
        tables.quote = |text, most| {
            let again = quoted() > 0;
            let quote = counted(text, most);
            if again { quote.chars().take(20).collect() } else { quote }
        };
    }),
    mutant("retry-whatever", "every class says to retry", |tables| {
        classes(tables, |all| {
            for class in all {
                class.note_says_retry = true;
            }
        });
    }),
    mutant(
        "scan-past-success",
        "the search for a failure passes over whatever went well",
        |tables| {
            tables.ends_scan = |_| false;
        },
    ),
    mutant("switch-ignored", "advice is the same although another model is asked", |tables| {
        tables.switch_softens = false;
    }),
    mutant("tell-every-compaction", "compactions by hand and by threshold are told", |tables| {
        tables.only_overflow = false;
    }),
    mutant("three-notes", "a request gets as many notes as there are kinds", |tables| {
        tables.notes_max = 3;
    }),
    mutant("unstable-quote", "every other quote ends differently", |tables| {
        tables.quote = |text, most| {
            let odd = ODD.replace(!ODD.get());
            let quote = counted(text, most);
            if odd { format!("{quote}.") } else { quote }
        };
    }),
];

thread_local! {
    static ODD: Cell<bool> = const { Cell::new(false) };
}

const DIGITS: [Rule; 1] = [Rule::new("throttle.digits", "nobody", &[Signal::Says("429|503")], &[])];

/// Puts altered classes into the tables.
fn classes(tables: &mut AdvisorTables, alter: impl FnOnce(&mut Vec<Class>)) {
    let mut all = CLASSES.to_vec();
    alter(&mut all);
    tables.classifier = std::sync::Arc::new(Classifier::new(&all));
}

/// Puts rules in place of those of a class, and the class before all others.
fn prepend(all: &mut Vec<Class>, id: &str, rules: &'static [Rule]) {
    let class = all.iter().find(|class| class.id == id).copied();
    all.insert(0, Class { rules, ..class.expect("there is such a class") });
}
