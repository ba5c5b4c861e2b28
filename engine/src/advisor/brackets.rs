//! Follows the brackets and quotes of a body, to its end or to where it was cut off.

/// How a text that begins with a bracket goes on.
#[derive(Debug)]
pub(super) enum Brackets {
    /// The first bracket is closed after so many bytes.
    Closed(usize),
    /// A bracket is closed that was never opened.
    Broken,
    /// The text ends before: the brackets that would close it, outermost first, and the open quote.
    Open(Vec<u8>, Option<u8>),
}

/// Follows `text` from its first byte.
pub(super) fn follow(text: &str) -> Brackets {
    let (mut open, mut quote, mut escaped) = (Vec::new(), None, false);
    for (at, byte) in text.bytes().enumerate() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if byte == b'\\' => escaped = true,
            Some(mark) if byte == mark => quote = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' => {
                    if open.pop().is_none() {
                        return Brackets::Broken;
                    }
                    if open.is_empty() {
                        return Brackets::Closed(at + 1);
                    }
                }
                _ => {}
            },
        }
    }
    Brackets::Open(open, quote)
}

/// What a body that was cut off may have been, the likeliest first: its last text, name or value is
/// closed or left out, then every bracket.
pub(super) fn mended(text: &str, open: &[u8], quote: Option<u8>) -> Vec<String> {
    let mut base = text.trim_end().to_owned();
    if let Some(mark) = quote {
        let slashes = base.bytes().rev().take_while(|byte| *byte == b'\\').count();
        base.truncate(base.len() - slashes % 2);
        base.push(char::from(mark));
    } else {
        let kept =
            base.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c)).len();
        let (head, scalar) = base.split_at_checked(kept).unwrap_or((&base, ""));
        // A number may have gone on; any other word is speech, and the body none.
        let number = scalar.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if !number && !["true", "false", "null"].iter().any(|word| word.starts_with(scalar)) {
            return Vec::new();
        }
        base.truncate(head.trim_end_matches(',').len());
    }
    let close: String = open.iter().rev().map(|bracket| char::from(*bracket)).collect();
    let unfinished = unfinished(&base).map(|member| format!("{member}{close}"));
    [Some(format!("{base}{close}")), unfinished].into_iter().flatten().collect()
}

/// The body with `null` for the value that its last name has lost, and the name altered: cut off in
/// or behind it, a second member of one name must not take the first one's place.
fn unfinished(base: &str) -> Option<String> {
    let named = base.trim_end().trim_end_matches(':').trim_end();
    let mark = named.chars().next_back().filter(|mark| ['"', '\''].contains(mark))?;
    let name = named.strip_suffix(mark)?;
    Some(format!("{name}…{mark}:null"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_cut_at_every_byte_keeps_what_came_before() {
        let whole =
            r#"{"error":{"message":"no \"such\" é","code":429,"list":[1,{"a":null}]},"b":true}"#;
        for (at, _) in whole.char_indices().skip(1) {
            let Some((text, _)) = whole.split_at_checked(at) else { continue };
            let Brackets::Open(open, quote) = follow(text) else { panic!("{text}") };
            let mended = mended(text, &open, quote);
            let read = |text: &String| serde_json::from_str::<serde_json::Value>(text).ok();
            let value = mended.iter().find_map(read).unwrap_or_else(|| panic!("{mended:?}"));
            let code = value.pointer("/error/code").filter(|code| !code.is_null());
            assert!(code.is_none_or(|code| *code == 429), "{text}");
            let message = value.pointer("/error/message").and_then(|text| text.as_str());
            let known = message.is_some_and(|text| text == "no \"such\" é");
            assert!(known || at < whole.find("\",\"code").unwrap_or(0), "{text}: {value}");
        }
        assert!(matches!(follow(whole), Brackets::Closed(len) if len == whole.len()));
        assert!(matches!(follow("]"), Brackets::Broken));
    }
}
