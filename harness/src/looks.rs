//! What a text looks like: the harness's own, deliberately cautious reading of "plain".

use serde_json::Value;

/// Whether a text starts like JSON or is a whole JSON scalar.
pub fn like_json(text: &str) -> bool {
    let trimmed = text.trim();
    trimmed.starts_with(['{', '[', '"', '\'']) || serde_json::from_str::<Value>(trimmed).is_ok()
}

/// Whether a text holds a tag, a template marker, a fence or a link.
pub fn like_markup(text: &str) -> bool {
    let tag = text.char_indices().any(|(at, c)| {
        c == '<'
            && text[at + 1..]
                .chars()
                .next()
                .is_some_and(|next| next.is_ascii_alphabetic() || "/|!?".contains(next))
    });
    tag || ["|>", "```", "~~~", "](", "[/", "[["].iter().any(|mark| text.contains(mark))
}

/// Whether a text reads as a sentence: four words or more, a capital first, closing punctuation last.
pub fn like_sentence(text: &str) -> bool {
    text.split_whitespace().count() >= 4
        && text.chars().next().is_some_and(char::is_uppercase)
        && text.ends_with(['.', '!', '?', ':'])
}

/// Whether a text is plainly one value and nothing else: no JSON, no piece of it, no markup, no prose,
/// one line, no blank at its ends, no control characters.
pub fn plain(text: &str) -> bool {
    let quote_colon = ["\":", "\" :", "':", "' :"].iter().any(|mark| text.contains(mark));
    let literal = ["true", "false", "null", "none", "nan", "undefined", "infinity", "-infinity"]
        .contains(&text.to_ascii_lowercase().as_str());
    !text.is_empty()
        && text.trim() == text
        && !text
            .chars()
            .any(|c| c.is_control() || "\u{feff}\u{200b}\u{2028}\u{2029}\u{202e}".contains(c))
        && !text.starts_with(['{', '[', '"', '\'', '<', '`', '}', ']', ',', ':'])
        && text.parse::<f64>().is_err()
        && !(like_json(text) || quote_colon || literal || like_markup(text) || like_sentence(text))
}

/// Whether a plain text is beyond doubt a value of the field of this name: letters, digits and the
/// signs of paths and options; no words of talk, and no blank in what is no command.
pub fn suits(field: &str, text: &str) -> bool {
    let sign = |c: char| c.is_ascii_alphanumeric() || "._-/*~$+@%^".contains(c);
    let first = text.starts_with(|c: char| c.is_ascii_lowercase() || "./~*^$".contains(c));
    let command = field.contains("command") && text.chars().all(|c| sign(c) || c == ' ');
    let talk = ["ok", "done", "null", "arguments"].contains(&text);
    first && !talk && !text.contains("%7B") && (command || text.chars().all(sign))
}

/// Whether a plain text may stand for a list of itself: nothing in it separates items.
pub fn single_item(text: &str) -> bool {
    plain(text) && !text.contains([',', ';', '\n', '{', '}', '[', ']', '"', '\'', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_is_cautious() {
        for text in ["src/main.rs", "ls -la", "a b", "fn .*", "C:\\bin\\app.exe", "x < y"] {
            assert!(plain(text), "{text}");
        }
        for text in [
            "",
            " a",
            "{",
            "[a]",
            "\"a\"",
            "5",
            "true",
            "None",
            "<a>",
            "<|x|>",
            "say \"a\": 1",
            "a\nb",
            "I will read this file now.",
            "1e5",
            "`ls`",
        ] {
            assert!(!plain(text), "{text}");
        }
    }
}
