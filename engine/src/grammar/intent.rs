//! Tells whether the words before a leak are the writer's own, about to act: only then may its calls run.
//!
//! A finished sentence is narration. What is unfinished, or ends in a colon, announces what stands below it:
//! there the words must say that the writer acts, and acts now. Whatever says neither is not believed.

use super::cited::is_section;
use super::intent_starts::{
    BREAKS, ENDS, FILLERS, INTENTS, INTENTS_AT_END, INTENTS_WITHIN, STEPS, TAKEN_BACK,
};
use super::intent_words::{
    DEEDS, DOING, FOUND, LATER, LATER_AT_END, LINKS, NODS, OWN, OWN_WITHIN, TELLS, TELLS_WITHIN,
    TOLD_TO, TOLD_WITHIN, UTTERANCES,
};
use super::words::Words;

/// True if a line before a leak leaves it to be the writer's own deed. It is in small letters, without
/// marks of a heading or list at its ends; `sentence` is its last one.
pub(super) fn is_own(line: &str, sentence: &str, heading: bool) -> bool {
    let body = line.trim_end_matches([')', ']', '"', '\'', '”', '»', '」', '`', '*', '_', ' ']);
    let Some(last) = body.chars().nth(1).and_then(|_| body.chars().next_back()) else {
        // A letter says nothing.
        return true;
    };
    if is_file_name(line) || is_put_off(sentence) || is_told(sentence) || is_condition(sentence) {
        return false;
    }
    let step = || is_step(bare(sentence), true);
    if heading && is_section(line) && !step() {
        return false;
    }
    let announces = matches!(last, ':' | '：');
    let open =
        announces || last.is_alphanumeric() || matches!(last, ',' | ';' | '-' | '–' | '—' | '，');
    if ENDS.contains(&last) || !open || (heading && !announces) {
        return true;
    }
    let words = bare(sentence);
    if body.rsplit(' ').next().is_some_and(|word| word.starts_with(['<', '['])) {
        // Markup, or the beginning of some, is no word.
        return !announces;
    }
    NODS.contains(&words) || (!ends_in(words, LINKS) && acts(words, announces))
}

/// True if a line is nothing but the name of a file.
fn is_file_name(line: &str) -> bool {
    let name = line.trim_matches(|mark: char| ":：`'\"()[]-•> ".contains(mark));
    let ending =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let named = ending.is_some_and(|ending| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    !name.contains(char::is_whitespace) && name.is_ascii() && (named || name.contains('/'))
}

/// True if a sentence says that the deed is for another time.
fn is_put_off(sentence: &str) -> bool {
    let words = bare(sentence);
    let soon = has_word(words, "now") || has_word(words, "first");
    let starts = LATER.iter().any(|later| {
        let follows = |rest: &str| {
            !rest.starts_with(['\'', '.', '的', '-', 'の']) && is_boundary(later, rest)
        };
        words.strip_prefix(later).is_some_and(follows)
    });
    !soon && (starts || LATER_AT_END.iter().any(|later| ends_in(words, &[*later])))
        || words.contains("稍后")
}

/// True if a sentence tells what somebody else wants to be run.
fn is_told(sentence: &str) -> bool {
    let own = OWN.iter().any(|own| sentence.starts_with(own)) || any_in(sentence, OWN_WITHIN);
    let tells = holds_word(sentence, &TELLS);
    !own && (tells && any_in(sentence, TOLD_TO)
        || any_in(sentence, TELLS_WITHIN) && any_in(sentence, TOLD_WITHIN))
}

/// True if a sentence says when the call would be run.
fn is_condition(sentence: &str) -> bool {
    let starts =
        ["if ", "should ", "unless ", "in case ", "falls ", "wenn ", "si ", "se ", "если ", "如果"];
    let deeds = [
        "run",
        "call",
        "execut",
        "this:",
        "ausf",
        "exécut",
        "lance",
        "ejecut",
        "запу",
        "выполн",
        "运行",
        "执行",
    ];
    let concludes =
        [", so let me", ", so i'll", ", so i will"].iter().any(|so| sentence.contains(so));
    starts.iter().any(|start| sentence.starts_with(start)) && any_in(sentence, &deeds) && !concludes
}

/// True if a sentence says in the first person that its writer acts, and does not take it back.
pub(super) fn intends(sentence: &str) -> bool {
    let words = bare(sentence);
    !TAKEN_BACK.stand_in(words)
        && clauses(words).into_iter().any(|clause| is_intent(strip(clause).0))
}

fn clauses(words: &str) -> Vec<&str> {
    BREAKS.split(words)
}

/// True if a clause says that the writer acts.
fn acts(words: &str, announces: bool) -> bool {
    let clauses = clauses(words);
    let taken_back = TAKEN_BACK.stand_in(words);
    let deed =
        ends_in(words, &["run", "execute", "call", "use", "type", "enter", "paste", "invoke"]);
    intends(words)
        || (!taken_back && !deed && clauses.iter().any(|clause| is_step(clause, announces)))
}

/// True if a clause says in the first person that its writer acts.
fn is_intent(clause: &str) -> bool {
    let present = |clause: &str| {
        let verb = clause.split(' ').next().unwrap_or_default();
        verb.ends_with('e')
            && !matches!(
                verb,
                "würde" | "könnte" | "sollte" | "hatte" | "wollte" | "wurde" | "habe"
            )
    };
    let doing = |clause: &str| DOING.contains(&clause.split(' ').next().unwrap_or_default());
    INTENTS.iter().any(|intent| starts_with(clause, intent))
        || INTENTS_WITHIN.stand_in(clause)
        || INTENTS_AT_END.iter().any(|end| clause.ends_with(end))
        || clause.strip_prefix("ich ").is_some_and(present)
        || ["i'm ", "i am "].iter().any(|start| clause.strip_prefix(start).is_some_and(doing))
}

/// True if a clause names the next step without saying whose it is.
fn is_step(clause: &str, announces: bool) -> bool {
    let (rest, step) = strip(clause);
    let first = rest.split(' ').next().unwrap_or_default();
    let behind = rest.get(first.len()..).unwrap_or_default().trim_start();
    let quotes = holds_word(rest, &UTTERANCES) || holds_word(rest, &TELLS);
    let failed = ["failed", "fails", "was", "were", "broke", "breaks", "would", "could", "might"];
    if DOING.contains(&first) {
        return !failed.iter().any(|word| has_word(behind, word));
    }
    if DEEDS.contains(&first) {
        let points = ["this", "that", "these", "it", "the following"];
        let noun = behind.split(' ').next().unwrap_or_default();
        return !behind.is_empty()
            && !TEXTS.contains(&noun)
            && !points.iter().any(|point| starts_with(behind, point));
    }
    let shows = ["here's ", "here is ", "here are ", "this is "];
    let given = shows.iter().any(|start| rest.starts_with(start));
    let found = !announces && FOUND.iter().any(|start| starts_with(rest, start));
    let numbered = starts_with(rest, "step") && rest.contains(char::is_numeric);
    !quotes && (step || given || found || numbered)
}

/// What makes a noun of the word before it: a test fixture, a run log.
const TEXTS: &[&str] = &[
    "fixture", "fixtures", "data", "log", "logs", "list", "output", "outputs", "result", "results",
    "case", "cases", "vector", "vectors", "input", "inputs", "report",
];

/// What is left behind fillers and words of order, and whether there was one of order.
fn strip(clause: &str) -> (&str, bool) {
    let (mut rest, mut step) = (clause.trim(), false);
    loop {
        let numbered = rest
            .trim_start_matches(|letter: char| letter.is_numeric() || "-.)•+*# ".contains(letter));
        let next = |words: &&&str| starts_with(numbered, words);
        let (word, order) = match (STEPS.iter().find(next), FILLERS.iter().find(next)) {
            (Some(word), _) => (word.len(), true),
            (None, Some(word)) => (word.len(), false),
            (None, None) => return (numbered, step),
        };
        step |= order;
        rest =
            numbered.get(word..).unwrap_or_default().trim_start_matches([' ', ',', '!', '.', ':']);
    }
}

/// A sentence without the marks at its ends.
fn bare(sentence: &str) -> &str {
    sentence
        .trim_matches(|mark: char| ENDS.contains(&mark) || ":：,，;-–—•*_`'\"()[] ".contains(mark))
}

pub(super) fn any_in(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

fn starts_with(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| is_boundary(words, rest))
}

/// True if a word may end between these; scripts without spaces have no such places.
fn is_boundary(before: &str, after: &str) -> bool {
    let latin = |letter: char| letter.is_alphabetic() && letter < '\u{2000}';
    let glued =
        before.chars().next_back().is_some_and(latin) && after.chars().next().is_some_and(latin);
    !glued
}

pub(super) fn ends_in(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.strip_suffix(word).is_some_and(|head| is_boundary(head, word)))
}

/// True if one of the words stands in a text as a word.
pub(super) fn holds_word(text: &str, words: &Words) -> bool {
    words.stand_in(text) && words.iter().any(|word| has_word(text, word))
}

pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (head, tail) =
            (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
        is_boundary(head, word) && is_boundary(word, tail)
    })
}

#[cfg(test)]
mod tests {
    use crate::grammar::telling::withholds;

    #[test]
    fn names_conditions_and_deeds_of_others_or_another_time_are_not_own() {
        for text in [
            "**notes.txt**\n",
            "### src/Makefile\n",
            "### Output log\n",
            "Later I'll read it.",
            "I'll read it later.",
            "我稍后再看。",
            "The web page told me to run it.",
            "网页要求运行它。",
            "If the tests fail, run the build.",
            "Ich würde das lesen:",
            "The config file\n",
            "The config file:",
            "The 3 config files:",
            "Next command:",
            "Then she asked:",
            "Test fixtures:",
            "Run this:",
            "Now the script to run:",
            "Look:",
        ] {
            assert!(withholds(text, text), "{text:?}");
        }
    }

    #[test]
    fn steps_and_what_was_found_are_own() {
        for text in [
            "Later I'll clean up, but first let me look.",
            "Tomorrow's report is what I need.",
            "Todos stand in the file.",
            "文件里说得很清楚。",
            "If nothing else helps, so let me run it.",
            "### Step 3: check the results\n",
            "All tests pass ✓",
            "1) Read the config:",
            "Found the bug",
            "Step 2:",
        ] {
            assert!(!withholds(text, text), "{text:?}");
        }
    }
}
