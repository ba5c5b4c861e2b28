//! Takes what a broken body echoes of the request out of it, so that a quote that stands in a prompt
//! without its backslash frees nothing of it.

/// Bytes of a member's name that are looked at.
const NAME_MAX: usize = 64;

/// The text with `null` for each member that `is_echo` names; none if there is nothing to replace.
///
/// An echo ends where a member of a well-formed body does. Where it does not, nothing tells what of
/// the rest was sent and what speaks of the error, so all of it goes. Linear in the text.
pub(super) fn without_echoes(text: &str, is_echo: impl Fn(&str) -> bool) -> Option<String> {
    let (mut kept, mut from, mut at) = (String::new(), 0, 0);
    while let Some(start) = next_member(text, at) {
        at = start + 1;
        let rest = text.get(start..)?;
        let echo = member_name(rest).filter(|(name, _)| is_echo(name));
        let Some((value, told)) = echo.and_then(|(_, value)| Some((value, rest.get(value..)?)))
        else {
            continue;
        };
        let end = echo_end(told);
        if end
            .and_then(|end| told.get(..end))
            .is_some_and(|told| told.trim().eq_ignore_ascii_case("null"))
        {
            continue;
        }
        kept.push_str(text.get(from..start + value)?);
        kept.push_str("null");
        from = end.map_or(text.len(), |end| start + value + end);
        at = from;
    }
    kept.push_str(text.get(from..)?);
    (from > 0).then_some(kept)
}

/// Where the next name may begin: at a quote behind a brace or a comma.
fn next_member(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    // What was read before `from` ends with a quote or a value, never with a brace or a comma.
    let mut opens = false;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'"' | b'\'' if opens => return Some(at),
            b'{' | b',' => opens = true,
            _ if byte.is_ascii_whitespace() => {}
            _ => opens = false,
        }
    }
    None
}

/// The name that `text` begins with, and where its value begins.
fn member_name(text: &str) -> Option<(&str, usize)> {
    let mark = text.chars().next().filter(|mark| ['"', '\''].contains(mark))?;
    let named = text.get(1..)?;
    let len = named.bytes().take(NAME_MAX).position(|byte| char::from(byte) == mark)?;
    let (name, after) = named.split_at_checked(len)?;
    let value = after.get(1..)?.trim_start().strip_prefix(':')?;
    Some((name, text.len() - value.len()))
}

/// What may come next inside a value.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Next {
    Name,
    Colon,
    Value,
    Comma,
}

/// Where the value that `text` begins with ends, if it ends as well-formed values do.
fn echo_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut open, mut next, mut at) = (Vec::new(), Next::Value, 0);
    loop {
        at += bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if next == Next::Comma && open.is_empty() {
            return is_followed(text.get(at..)?).then_some(at);
        }
        let byte = *bytes.get(at)?;
        next = match (next, byte) {
            (Next::Value | Next::Name, b'"' | b'\'') => {
                at += string_len(bytes.get(at..)?)?;
                if next == Next::Name { Next::Colon } else { Next::Comma }
            }
            (Next::Value, b'{' | b'[' | b'(') => {
                open.push(byte);
                at += 1;
                if byte == b'{' { Next::Name } else { Next::Value }
            }
            (Next::Colon, b':') => {
                at += 1;
                Next::Value
            }
            (Next::Comma, b',') => {
                at += 1;
                if open.last() == Some(&b'{') { Next::Name } else { Next::Value }
            }
            (_, b'}' | b']' | b')') if next != Next::Colon => {
                let closes = match open.pop()? {
                    b'{' => b'}',
                    b'[' => b']',
                    _ => b')',
                };
                if byte != closes {
                    return None;
                }
                at += 1;
                Next::Comma
            }
            (Next::Value, _) => {
                at += word_len(bytes.get(at..)?)?;
                Next::Comma
            }
            _ => return None,
        };
    }
}

/// True if the body goes on, or ends, behind a member.
fn is_followed(text: &str) -> bool {
    match text.strip_prefix(',') {
        Some(more) if more.trim_start().is_empty() => true,
        Some(more) => member_name(more.trim_start()).is_some(),
        // Behind the brackets of a body stands a blank or a word; behind those in a prompt, its quote.
        None => {
            let rest = text.trim_start_matches(['}', ']', ')']);
            text.is_empty() || (rest.len() < text.len() && !rest.starts_with(['"', '\'']))
        }
    }
}

/// Bytes of the string that `bytes` begin with, its quotes among them.
fn string_len(bytes: &[u8]) -> Option<usize> {
    let mark = bytes.first()?;
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == mark => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Bytes of the number or literal that `bytes` begin with.
fn word_len(bytes: &[u8]) -> Option<usize> {
    let plain = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let len = bytes.iter().take_while(plain).count();
    let word = bytes.get(..len)?;
    let number = word.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-');
    let literals: [&[u8]; 4] = [b"true", b"false", b"null", b"none"];
    (number || literals.iter().any(|literal| word.eq_ignore_ascii_case(literal))).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_goes_as_far_as_it_is_sound_and_else_to_the_end() {
        for (text, wanted) in [
            (
                r#"{"a":"b"x","input":{"p":["q",{"r":1}]},"c":"d"}"#,
                r#"{"a":"b"x","input":null,"c":"d"}"#,
            ),
            (r#"{"a":1,"input":"say "hi", 429"},"c":2"#, r#"{"a":1,"input":null"#),
            (r#"{"input" : "say hi", then 429", "c":2"#, r#"{"input" :null"#),
            (r#"{"input":"{"error":"429"}","c":2}"#, r#"{"input":null"#),
            (r#"{"input":{"p"},"c":2"#, r#"{"input":null"#),
            (r#"{"input":say,"c":2"#, r#"{"input":null"#),
            (r#"{"input":-5,"c":2"#, r#"{"input":null,"c":2"#),
            (r#"{"input":5, "#, r#"{"input":null, "#),
            (r#"{"input":"say \"hi\", or \\","c":2"#, r#"{"input":null,"c":2"#),
            (
                r"{'loc': ('body', 2), 'input': 'it's', 'c': 3}",
                r"{'loc': ('body', 2), 'input':null",
            ),
            (r#"{"input":"cut \"#, r#"{"input":null"#),
            (r#"{"x":"y"z","input":5}} 429"#, r#"{"x":"y"z","input":null}} 429"#),
        ] {
            let found = without_echoes(text, |name| name == "input");
            assert_eq!(found.as_deref(), Some(wanted), "{text}");
            assert_eq!(without_echoes(wanted, |name| name == "input"), None, "{wanted}");
        }
        for text in [r#"{"a":"input"}"#, r#"{"a":1, odd "input":5,"c":2"#] {
            assert_eq!(without_echoes(text, |name| name == "input"), None, "{text}");
        }
    }
}
