//! Text around a value: when it is nothing but talk.

/// Quotes of any kind; one before `:` or `,` would be a key or an item.
const QUOTES: &[char] = &['"', '\'', '“', '”', '„', '‟', '‘', '’'];

/// What makes the text a program, or a call in another notation, of which the value is one part.
const FOREIGN: &[&str] = &["<<", "&&", "||", "$(", " | ", "<parameter", "<arg_", "<invoke"];

/// Words that announce a value without any punctuation.
const ANNOUNCEMENTS: &[&str] = &["json", "arguments", "args", "input", "parameters"];

/// Whether text before a value only announces it. The last line decides how.
pub(super) fn announces(text: &str) -> bool {
    let text = text.trim_end_matches(super::scan::is_odd_space);
    if !is_talk(text) || has_options(text) || has_closing_tag(text) {
        return false;
    }
    let trimmed = text.trim();
    let label = trimmed.lines().next_back().unwrap_or_default().trim();
    if ANNOUNCEMENTS.iter().any(|word| trimmed.eq_ignore_ascii_case(word)) {
        return true;
    }
    if is_scalar(trimmed) || takes_back(trimmed) || names_another(label) {
        return false;
    }
    let last = trimmed.chars().next_back();
    let blank_follows = text.ends_with(char::is_whitespace);
    let line_ends = text.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    match last {
        None | Some(':') => true,
        Some('=') => is_assignment(trimmed),
        Some('>') => ends_in_tag(trimmed),
        Some('.' | '!' | '?') => blank_follows,
        Some(_) => line_ends,
    }
}

/// Whether text after a value only comments on it. `touches` says that no white space is between
/// the two, and `is_object` that the value is an object.
pub(super) fn comments(text: &str, touches: bool, is_object: bool) -> bool {
    let begins = match text.chars().next() {
        None => return true,
        // An end tag or a template token; a start tag would begin something new.
        Some('<') => true,
        // Glued to an array, letters rather make a pattern or a path of the whole.
        Some(first) if touches => {
            is_object && (first.is_alphabetic() || matches!(first, '.' | ';' | '!'))
        }
        Some(first) => {
            !QUOTES.contains(&first)
                && !matches!(
                    first,
                    ',' | ':' | '=' | '|' | '&' | '+' | '-' | '/' | '%' | '^' | '?' | '>' | '\\'
                )
        }
    };
    begins
        && is_talk(text)
        && !is_scalar(text.trim())
        && !has_start_tag(text)
        && !takes_back(text)
        && !adds_to(text)
}

/// Words with which a text takes a call back, or says that it is none.
const RETRACTIONS: &[&str] = &[
    "not", "never", "no", "cancel", "instead", "would", "could", "previous", "example", "if",
    "wait", "ignore", "wrong", "failed", "undo", "stop", "don't", "dont", "won't", "can't",
    "cannot",
];

/// Whether a text may take back the call beside it.
fn takes_back(text: &str) -> bool {
    text.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '\'' | '’'))).any(
        |word| {
            let word = word.to_lowercase().replace('’', "'");
            RETRACTIONS.contains(&word.as_str()) || word.ends_with("n't")
        },
    )
}

/// Whether a text behind a value goes on with it: a pair of name and value, or a number.
fn adds_to(text: &str) -> bool {
    let pair = text.split_whitespace().any(|word| {
        let inner = word.trim_matches(['(', ')', '.', '!']);
        inner.contains('=') || inner.ends_with(':')
    });
    let number = text.split_whitespace().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    pair || number
}

/// Whether a last line is one bare word: the name of another call rather than talk.
fn names_another(label: &str) -> bool {
    let word = label.trim_end_matches(':').rsplit('>').next().unwrap_or_default().trim();
    let known = ANNOUNCEMENTS.iter().any(|known| word.eq_ignore_ascii_case(known));
    let talk = word.starts_with(|first: char| first.is_uppercase());
    !word.is_empty()
        && !known
        && !talk
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Whether a text has no JSON structure of its own and is no piece of a program.
fn is_talk(text: &str) -> bool {
    if text.contains(super::scan::is_bracket) || FOREIGN.iter().any(|mark| text.contains(mark)) {
        return false;
    }
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if QUOTES.contains(&letter) && matches!(letters.peek(), Some(':' | ',')) {
            return false;
        }
    }
    true
}

/// Whether a word starts like a command-line option, `-x` or `--x`.
fn has_options(text: &str) -> bool {
    text.split_whitespace().any(|word| word.len() > 1 && word.starts_with('-') && word != "--")
}

/// Whether something else was complete before; a closed line of thought is no such thing.
fn has_closing_tag(text: &str) -> bool {
    text.split("</").skip(1).any(|tag| !tag.starts_with("think"))
}

fn has_start_tag(text: &str) -> bool {
    text.split('<').skip(1).any(|tag| {
        !tag.starts_with(|first: char| {
            matches!(first, '/' | '|' | '｜' | ' ') || first.is_ascii_digit()
        })
    })
}

fn ends_in_tag(text: &str) -> bool {
    let Some((_, tag)) = text.rsplit_once('<') else { return false };
    tag.starts_with(|first: char| {
        first.is_ascii_alphabetic() || matches!(first, '/' | '|' | '｜' | '_')
    })
}

/// Whether a text is `name =` or `const name =`.
fn is_assignment(text: &str) -> bool {
    let Some(left) = text.strip_suffix('=') else { return false };
    let is_name = |word: &str| word.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    !left.is_empty() && left.split_whitespace().count() <= 2 && left.split_whitespace().all(is_name)
}

/// Whether a text alone would be a second value.
fn is_scalar(text: &str) -> bool {
    matches!(text, "true" | "false" | "null" | "True" | "False" | "None" | "undefined")
        || text.parse::<f64>().is_ok()
}

/// Whether a text without any bracket is meant as a number or a literal, in whatever notation.
pub(super) fn resembles_scalar(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.contains(|letter: char| letter.is_ascii_digit());
    let decimal = |letter: char| letter.is_ascii_digit() || matches!(letter, '_' | '.');
    is_scalar(text)
        || (digits && unsigned.chars().all(decimal) && unsigned.matches('.').count() <= 1)
        || unsigned.strip_prefix("0x").is_some_and(|hex| hex.chars().all(|h| h.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn talk_before_a_value_only_announces_it() {
        for lead in [
            "Here it is:",
            "Done.\nArguments:",
            "arguments:",
            "json",
            "- here it is:",
            "Here -- as asked:",
            "I will read it.\n",
            "I will read it\n",
            "Now read it. ",
            "</think>\nNow:",
            "<tool_call>",
            "args =",
            "const my_args =",
        ] {
            assert!(announces(lead), "{lead}");
        }
        for lead in [
            "ls -la:",
            "rm --force:",
            "</tool_call>\nArguments:",
            "Now the next.\nedit_file:",
            "echo hi >",
            "a < b >",
            "let mut args =",
            "config.args =",
            "=",
            "Now read it.",
            "I will read it",
            "5:\n5",
            "true",
            "Do not run this:",
            "An \"item\",\n",
        ] {
            assert!(!announces(lead), "{lead}");
        }
    }

    #[test]
    fn talk_behind_a_value_only_comments_on_it() {
        for (tail, touches, is_object) in [
            ("", true, false),
            ("</tool_call>", true, false),
            ("<|im_end|>", true, false),
            ("Done", true, true),
            ("; done", true, true),
            ("(as asked)", false, true),
            ("done", false, false),
            ("Now I look at it.", false, true),
        ] {
            assert!(comments(tail, touches, is_object), "{tail}");
        }
        for (tail, touches, is_object) in [
            ("done", true, false),
            ("(as asked)", true, true),
            ("<tool_call>", false, true),
            ("Done <tool_call>", false, true),
            ("> file", false, true),
            ("limit: five", false, true),
            ("limit=five", false, true),
            ("Send 5 of them", false, true),
            ("null", false, true),
            ("I would not", false, true),
            ("Don’t", false, true),
        ] {
            assert!(!comments(tail, touches, is_object), "{tail}");
        }
    }

    #[test]
    fn what_is_spelled_like_a_number_elsewhere_resembles_a_scalar() {
        for text in ["None", "-5", "+5", "01", "1_000", "1_000.5", "0xff", "-0x1F"] {
            assert!(resembles_scalar(text), "{text}");
        }
        for text in ["none of it", "1.000.000", "0xzz", "12 apples", "5-6", "_", "x1f"] {
            assert!(!resembles_scalar(text), "{text}");
        }
    }
}
