//! Whether a bare text is plainly a value of its own, and no JSON, markup or piece of either.

/// True if a text begins as JSON does, spelled in any way the reader knows.
pub(crate) fn looks_like_json(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with(['{', '[', '"', '\'', '“', '”', '„', '‘', '’', '`'])
        || start.starts_with("~~~")
        || start.starts_with("\\\"")
}

/// Words that stand for no value at all.
const NOTHING: &[&str] =
    &["null", "none", "undefined", "nil", "nan", "true", "false", "n/a", "-", "empty"];

/// Words that answer rather than say what to do.
const ANSWERS: &[&str] =
    &["ok", "done", "done.", "...", "…", "object object", "tool_call", "arguments"];

fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Endings of names of fields that hold a command line split into words; a bare text with blanks or
/// operators would be one word where several are meant.
const ARGUMENT_VECTORS: &[&str] =
    &["command", "cmd", "arg", "args", "argv", "arguments", "flags", "command_line", "commandline"];

/// True if `text` is plainly one item of the list at `key`: not JSON, not markup, no separators.
pub(crate) fn is_plain_item(text: &str, key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let vector = ARGUMENT_VECTORS.iter().any(|end| key.ends_with(end));
    let apart = [',', ';', '|', '，', '、', '；'];
    !text.is_empty()
        && text.trim() == text
        && !looks_like_json(text)
        && !is_one_of(text, NOTHING)
        && !has_markup(text)
        && !text.contains(apart)
        && !text.chars().any(char::is_control)
        && !has_odd_characters(text)
        && !(vector && text.contains([' ', '&', '<', '>', '$', '`']))
        && !is_enumeration(text)
}

/// Several words that each look like a path, glob or option, or the line of a list.
fn is_enumeration(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mark = words.next().unwrap_or_default();
    let line = mark == "-"
        || mark == "*"
        || mark.strip_suffix('.').is_some_and(|n| n.parse::<u8>().is_ok());
    let named = |word: &str| word.contains(['/', '\\', '.', '*']) || word.starts_with('-');
    let several = text.split_whitespace().nth(1).is_some();
    several && (line || text.split_whitespace().all(named))
}

/// What a text field holds, as far as its name tells.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Holds {
    /// One path or the like: no blanks, one line.
    Path,
    /// A pattern: one line.
    Pattern,
    /// A command for a shell.
    Command,
    /// Anything else: a query, a text.
    Text,
}

/// Parts of the names of fields that hold a command, one path, or one pattern.
const COMMANDS: &[&str] = &["command", "cmd", "script", "shell"];
const PATHS: &[&str] = &["path", "file", "dir", "folder", "url"];
const PATTERNS: &[&str] = &["pattern", "glob", "regex", "name"];

impl Holds {
    /// What the field of this name holds.
    pub(crate) fn of(field: &str) -> Self {
        let field = field.to_ascii_lowercase();
        let named = |parts: &[&str]| parts.iter().any(|part| field.contains(part));
        if named(COMMANDS) {
            Self::Command
        } else if named(PATTERNS) {
            Self::Pattern
        } else if named(PATHS) {
            Self::Path
        } else {
            Self::Text
        }
    }
}

/// True if `text` is plainly a value of a field that holds such: neither JSON nor markup, nor a
/// broken piece of either, nor a call in another notation, nor a sentence.
pub(crate) fn is_plain_text(text: &str, holds: Holds) -> bool {
    let text = text.trim();
    !text.is_empty()
        && !looks_like_json(text)
        && !text.starts_with(['}', ']', ',', ':', '<', '>', '(', ')', '='])
        && !text.starts_with("~~")
        // Of a fence that was cut off, or somebody's home: nothing tells.
        && text != "~"
        && !text.ends_with(['{', '[', '(', ',', ':', '\\', '|', '&'])
        && !is_one_of(text, NOTHING)
        && !is_one_of(text, ANSWERS)
        && !text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        && !starts_with_label(text)
        && !has_json_piece(text)
        && !has_markup(text)
        && !is_sentence(text)
        && !is_call(text)
        && is_balanced(text)
        && !has_odd_characters(text)
        && fits(text, holds)
}

/// What only some fields can hold.
fn fits(text: &str, holds: Holds) -> bool {
    let rooted = ["/", "./", "../", "~", "\\"].iter().any(|start| text.starts_with(start))
        || text.get(1..3) == Some(":\\");
    match holds {
        Holds::Path => {
            let blank = text.contains(char::is_whitespace);
            !text.contains(['\n', ',', ';', '"']) && (!blank || rooted)
        }
        Holds::Pattern => !text.contains('\n'),
        Holds::Command => text.starts_with(|first: char| first.is_ascii()) && !ends_open(text),
        Holds::Text => true,
    }
}

/// Control characters, and characters nobody sees or that only look like a space.
pub(crate) fn has_odd_characters(text: &str) -> bool {
    text.chars().any(|c| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{a0}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
    }) || ["%7B", "%22", "eyJ"].iter().any(|mark| text.starts_with(mark))
}

/// True for `name(…)` as a whole: a call in another notation.
fn is_call(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(') else { return false };
    rest.ends_with(')') && !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// True if quotes and brackets are closed; a backslash outside single quotes escapes what follows.
fn is_balanced(text: &str) -> bool {
    let mut closers = Vec::new();
    let mut quote: Option<char> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && quote != Some('\'') {
            characters.next();
            continue;
        }
        if let Some(open) = quote {
            if open == character {
                quote = None;
            }
            continue;
        }
        match character {
            '"' | '\'' | '`' => quote = Some(character),
            '{' => closers.push('}'),
            '[' => closers.push(']'),
            '(' => closers.push(')'),
            '}' | ']' | ')' if closers.pop() != Some(character) => return false,
            '“' | '”' | '„' => return false,
            _ => {}
        }
    }
    quote.is_none() && closers.is_empty()
}

/// A here-document that does not end, or a language name above a text that was fenced.
fn ends_open(text: &str) -> bool {
    let Some((first, rest)) = text.split_once('\n') else { return text.contains("<<") };
    let language = ["bash", "sh", "shell", "zsh", "console", "python", "json", "text"];
    if language.iter().any(|name| first.trim().eq_ignore_ascii_case(name)) {
        return true;
    }
    let word = first.split_once("<<").map(|(_, word)| {
        word.trim_start_matches('-').split_whitespace().next().unwrap_or_default()
    });
    let ended = |word: &str| {
        let word = word.trim_matches(['\'', '"']);
        rest.lines().any(|line| line.trim() == word)
    };
    word.is_some_and(|word| !word.starts_with('<') && !ended(word))
}

/// Pieces that only JSON has: a quoted key, an object in a list, an opening brace before a quote.
fn has_json_piece(text: &str) -> bool {
    let squeezed: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    ["\":", "':", "”:", "\\\"", "{\"", "{'", "[\"", "[{", "\"}", "\"]", "}]", "},", "{}", "\",\""]
        .iter()
        .any(|piece| squeezed.contains(piece))
}

/// Tags, template tokens and fences: `<name`, `</name`, `<|`, `|>`, `[TOOL`, `[ARGS`, backtick fences.
pub(crate) fn has_markup(text: &str) -> bool {
    let tag = |after: &str| {
        let name = after.strip_prefix('/').unwrap_or(after);
        name.starts_with(|first: char| {
            first.is_ascii_alphabetic() || matches!(first, '|' | '｜' | '!' | '?')
        }) && name.contains('>')
    };
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let near = after
            .char_indices()
            .nth(64)
            .map_or(after, |(end, _)| after.get(..end).unwrap_or(after));
        if tag(near) || after.starts_with(['|', '｜']) {
            return true;
        }
        rest = after;
    }
    ["|>", "｜>", "```", "~~~", "[TOOL", "[/TOOL", "[ARGS", "[CALL", "](http"]
        .iter()
        .any(|mark| text.contains(mark))
}

/// A first word that ends in a colon: a field and its value, not a value.
fn starts_with_label(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| word.ends_with(':'))
}

/// A capitalised run of words that ends as a sentence does, or several of them.
fn is_sentence(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let capital = text.starts_with(|first: char| first.is_uppercase());
    let talk =
        text.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || matches!(c, '\'' | ','));
    let ends = text.ends_with(['.', '!', '?', ':', '…']) || text.contains(". ");
    capital && ((words >= 4 && ends) || (words >= 3 && talk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts() {
        for text in [
            "/w/src/main.rs",
            "ls -la | wc -l",
            "**/*.{ts,tsx}",
            "if [ -f x ]; then echo y; fi",
            "TODO|FIXME",
            r"C:\tmp\f.txt",
            "echo \"hi\" && cat <<'E'\nx\nE",
            "awk '{print $1}' f",
            "diff <(ls a) <(ls b)",
        ] {
            assert!(is_plain_text(text, Holds::Command), "{text}");
        }
        for text in [
            "",
            " ",
            "{\"a\":1",
            "[1,2]",
            "null",
            "5",
            "<tool_call>",
            "read <|im_end|>",
            "echo '{\"a\": 1}'",
            "\"x",
            "```sh\nls\n```",
            "I will now read the file.",
            "path\": \"x\"}",
            "[x](http://x)",
            "cmd: {",
            "command: ls",
            "Here are the arguments",
            "ls -la\"",
            "ls -la }",
            "echo \"x",
            "cat > f <<EOF\nabc",
            "ls &&",
            "bash(command=\"ls\")",
            "bash\nls",
            "Let me check",
            "\u{feff}ls",
            "ok",
            "a</arg_value>",
        ] {
            assert!(!is_plain_text(text, Holds::Command), "{text}");
        }
    }

    #[test]
    fn a_path_is_one_word_or_rooted() {
        for text in ["src/main.rs", "./a b.txt", "/w/a b", "C:\\\\a b\\\\c", "README"] {
            assert!(is_plain_text(text, Holds::Path), "{text}");
        }
        for text in ["a.rs b.rs", "a.rs, b.rs", "Please read a.md", "a\nb", "src/main.rs\""] {
            assert!(!is_plain_text(text, Holds::Path), "{text}");
        }
    }

    #[test]
    fn plain_items() {
        for (text, key) in [("*.rs", "include"), ("a b", "include"), ("ls", "command")] {
            assert!(is_plain_item(text, key), "{text}");
        }
        for (text, key) in [
            ("a,b", "include"),
            ("", "include"),
            ("[\"a\"", "include"),
            ("ls -la", "command"),
            (" a", "x"),
            ("a\nb", "x"),
            ("null", "x"),
            ("a.rs b.rs", "files"),
            ("-a -b", "files"),
            ("- x", "files"),
            ("ls>x", "command"),
            ("a、b", "x"),
        ] {
            assert!(!is_plain_item(text, key), "{text}");
        }
    }

    #[test]
    fn one_mark_is_enough() {
        for text in ["{", "~~~\n", "\\\"a"] {
            assert!(looks_like_json(text), "{text}");
        }
        for text in ["- x", "* x", "1. x", "a.rs b.rs"] {
            assert!(is_enumeration(text), "{text}");
        }
        for text in ["300. x", "a b", "-x"] {
            assert!(!is_enumeration(text), "{text}");
        }
        for text in ["a\0", "\u{a0}x", "x\u{202e}", "%7B", "eyJhIjoxfQ"] {
            assert!(has_odd_characters(text), "{text:?}");
        }
        for text in ["a\n\tb", "100%7B", "é"] {
            assert!(!has_odd_characters(text), "{text:?}");
        }
        for text in [r"echo \' x", r"echo '\'", "a (b [c] {d})"] {
            assert!(is_balanced(text), "{text}");
        }
        for text in ["echo ' x", "echo “x”", "(a", "a)", "(a]"] {
            assert!(!is_balanced(text), "{text}");
        }
        for text in ["sort <in.txt", "a < 5 > b", "x <5>"] {
            assert!(!has_markup(text), "{text}");
        }
        for text in ["README.", "Cargo.toml b-c d-e f_g", "Two words"] {
            assert!(!is_sentence(text), "{text}");
        }
        assert!(is_call("read(x)") && !is_call("ls -la $(pwd)") && !is_call("(a)"));
    }
}
