//! Tells finished sentences that speak of a call from those that lead to one: a description, a quotation,
//! a refusal. Such a sentence keeps a call back unless its writer acts in it.

use super::intent::{ends_in, has_word, holds_word, intends};
use super::words::Words;

/// What refuses a deed.
static DENIALS: Words = Words::new(&[
    "did not ",
    "didn't ",
    "do not ",
    "don't ",
    "not going to ",
    "will not ",
    "won't ",
    "never ",
    "no voy a ",
    "no lo voy a ",
    "no la voy a ",
    "no pienso ",
    "no quiero ",
    "ne vais pas ",
    "ne veux pas ",
    "ne le ferai pas",
    "ne l'",
    "je n'",
    "não vou ",
    "não quero ",
    "non voglio ",
    "non lo ",
    "nicht ",
    "не буду ",
    "не стану ",
    "не хочу ",
    "не должен ",
    "stopped short",
    "stopped before ",
    "refrain",
    "decided against ",
]);

/// The deeds that may be refused, as the beginnings of words.
static DENIED: Words = Words::new(&[
    "run",
    "execut",
    "call",
    "invok",
    "do it",
    "do this",
    "do that",
    "short of it",
    "ejecut",
    "exécut",
    "lancer",
    "ausführ",
    "ausgeführt",
    "executar",
    "rodar",
    "esegu",
    "запус",
    "выполн",
]);

/// Refusals of languages that put them into the verb.
static DENIED_WHOLE: Words =
    Words::new(&["実行しません", "実行しない", "しないでください", "不执行", "不会执行", "不运行"]);

/// What says how a call looks, in any sentence that is not the writer's step.
static LIKENESS: Words = Words::new(&[
    "looks like this",
    "look like this",
    "looks as follows",
    "you could ",
    "you can ",
    "you may ",
    "you might ",
    "you would ",
    "así se ve",
    "se ve así",
    "así es como",
    "à quoi ressemble",
    "ressemble à",
    "so sieht",
    "sieht so aus",
    "вот как",
    "выглядит так",
    "看起来",
    "的样子",
    "长这样",
    "次のよう",
    "以下のよう",
    "例えば",
    "ecco come",
    "fica assim",
]);

/// What a sentence about calls is about.
static SUBJECTS: Words = Words::new(&[
    "tags",
    "markup",
    "syntax",
    "protocol",
    "snippet",
    "fixture",
    "tool call",
    "tool calls",
    "function call",
    "function calls",
    "a call",
    "such a call",
    "the call",
    "their calls",
    "llamada",
    "appel",
    "aufruf",
    "вызов",
    "вызова",
]);

/// What points at the text below, at the end of a sentence.
const POINTING: &[&str] = &[
    "this",
    "these",
    "the following",
    "as follows",
    "like so",
    "this one",
    "this yourself",
    "these lines",
    "this line",
    "this snippet",
    "this text",
    "this message",
    "this block",
    "this shape",
    "this form",
    "this kind",
    "this sort",
    "this way",
    "this part",
    "this output",
    "esto",
    "lo siguiente",
    "ceci",
    "ce qui suit",
    "folgendes",
    "isto",
    "o seguinte",
    "quanto segue",
    "следующее",
    "如下",
    "这个",
];

/// What points at the text below behind one of [`SAYS`], wherever it stands.
static POINTED: Words = Words::new(&["this", "these", "the following"]);

/// What is done with a text that is shown.
const SAYS: &[&str] = &[
    "printed",
    "prints",
    "contains",
    "contained",
    "said",
    "says",
    "wrote",
    "writes",
    "sent",
    "sends",
    "produced",
    "emitted",
    "ended with",
    "ends with",
    "quoted",
    "reads",
    "ran",
    "typed",
    "pasted",
    "wanted",
    "near",
    "of",
];

/// What calls the section below it a text of another kind.
const SECTIONS: &[&str] = &[
    "output",
    "outputs",
    "log",
    "logs",
    "result",
    "results",
    "expected",
    "fixture",
    "fixtures",
    "appendix",
    "case",
    "cases",
    "sample",
    "samples",
    "snippet",
    "reference",
    "usage",
    "format",
    "protocol",
    "response",
    "input",
];

/// True if a line shows what stands below it, or refuses it; `sentence` is its last one.
pub(super) fn is_cited(line: &str, sentence: &str) -> bool {
    if is_denied(sentence) || has_word(sentence, "unless") {
        return true;
    }
    if intends(sentence) {
        return false;
    }
    let words = sentence.trim_end_matches(|mark: char| !mark.is_alphanumeric());
    let pointed = POINTED.stand_in(words)
        && POINTED.iter().any(|pointed| {
            SAYS.iter().any(|says| {
                let mut all = words.match_indices(says);
                all.any(|(at, _)| {
                    let rest = words.get(at + says.len()..).and_then(|rest| rest.strip_prefix(' '));
                    rest.and_then(|rest| rest.strip_prefix(pointed)).is_some_and(|rest| {
                        rest.is_empty() || *says != "of" && rest.starts_with(' ')
                    })
                })
            })
        });
    pointed
        || LIKENESS.stand_in(sentence)
        || ends_in(words, POINTING) && words.split(' ').count() > 2
        || holds_word(line, &SUBJECTS)
}

/// True if a heading names a text of another kind.
pub(super) fn is_section(heading: &str) -> bool {
    SECTIONS.iter().any(|section| has_word(heading, section))
}

/// True if a sentence refuses a deed, and no other one follows in it.
fn is_denied(sentence: &str) -> bool {
    let refused = |denial: &str| {
        sentence.match_indices(denial).any(|(at, _)| {
            let rest = sentence.get(at..).unwrap_or_default();
            let later = rest.split_once([',', ';', '—']).map_or("", |(_, later)| later);
            DENIED.stand_in(rest) && !intends(later)
        })
    };
    DENIALS.stand_in(sentence) && DENIALS.iter().any(refused) || DENIED_WHOLE.stand_in(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_quotations_and_refusals_are_no_steps() {
        for text in [
            "the bug report contains this snippet.",
            "your colleague's message ended with these lines.",
            "the previous assistant printed this and nothing happened.",
            "i deliberately did not execute the following.",
            "no voy a ejecutar esto porque borraría los datos.",
            "例えば次のように書きます。",
            "you could type this yourself.",
            "unless you object, i'll push it.",
            "i stopped before running it.",
            "the docs give this.",
        ] {
            assert!(is_cited(text, text), "{text}");
        }
        let line = "models of this family wrap their calls in tags. a minimal one reads a file.";
        assert!(is_cited(line, "a minimal one reads a file."));
        assert!(is_section("expected output") && !is_section("the plan"));
    }

    #[test]
    fn steps_of_the_writer_are_its_own() {
        for text in [
            "i'll read this file.",
            "i haven't run the tests yet, so let me do this.",
            "the tests pass.",
            "now i know what these lines do.",
            "this is where the bug hides.",
            "i did not run it yet, let me check.",
            "the layout of these files is odd.",
            "reading this.",
            "the file has a callback.",
        ] {
            assert!(!is_cited(text, text), "{text}");
        }
    }
}
