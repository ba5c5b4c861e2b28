//! Edits single members of a JSON object's text; every other byte stays as it is.

use std::ops::Range;

use serde_json::Value;

/// One member of the object, as ranges of the text.
#[derive(Clone, Debug)]
struct Member {
    name: String,
    key: Range<usize>,
    value: Range<usize>,
}

/// The text of a JSON object and where its members stand.
#[derive(Clone, Debug)]
pub(super) struct ObjectText {
    text: String,
    members: Vec<Member>,
    /// The place after the opening brace.
    open: usize,
}

impl ObjectText {
    /// Takes a text that is one strict JSON object; `None` for anything else.
    pub(super) fn new(text: String) -> Option<Self> {
        let (open, members) = members(&text)?;
        Some(Self { text, members, open })
    }

    /// Names that stand more than once, each once.
    pub(super) fn repeated(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        names.sort_unstable();
        let pairs = names.windows(2).filter(|pair| pair.first() == pair.last());
        let mut twice: Vec<&str> = pairs.filter_map(|pair| pair.first().copied()).collect();
        twice.dedup();
        twice
    }

    /// True if there is a member of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }

    /// Every member with its value's text, in order.
    pub(super) fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members.iter().map(|member| {
            (member.name.as_str(), self.text.get(member.value.clone()).unwrap_or_default())
        })
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Gives member `name` the value, where it stands or behind the last member.
    pub(super) fn set(self, name: &str, value: &Value) -> Option<Self> {
        let value = value.to_string();
        // Of members with one name the last counts.
        if let Some(member) = self.members.iter().rfind(|member| member.name == name) {
            let range = member.value.clone();
            return self.replace(range, &value);
        }
        let key = Value::from(name).to_string();
        let Some(last) = self.members.last() else {
            let at = self.open;
            return self.replace(at..at, &format!("\n\t{key}: {value}\n"));
        };
        let before = self.members.len().checked_sub(2).and_then(|index| self.members.get(index));
        let lead = before.map_or(self.open, |member| member.value.end)..last.key.start;
        let lead = self.text.get(lead)?;
        let lead = lead.split_once(',').map_or(lead, |(_, after)| after).to_owned();
        let colon = self.text.get(last.key.end..last.value.start)?.to_owned();
        let at = last.value.end;
        self.replace(at..at, &format!(",{lead}{key}{colon}{value}"))
    }

    /// Takes every member of this name out, with its comma.
    pub(super) fn remove(self, name: &str) -> Option<Self> {
        if self.members.iter().all(|member| member.name != name) {
            return Some(self);
        }
        let mut text = String::with_capacity(self.text.len());
        text.push_str(self.text.get(..self.members.first()?.key.start)?);
        let (mut before, mut first) = (0, true);
        for member in &self.members {
            if member.name != name {
                // The first that stays brings no comma, every other the one before it.
                let start = if first { member.key.start } else { before };
                text.push_str(self.text.get(start..member.value.end)?);
                first = false;
            }
            before = member.value.end;
        }
        text.push_str(self.text.get(before..)?);
        Self::new(text)
    }

    fn replace(mut self, range: Range<usize>, with: &str) -> Option<Self> {
        self.text.replace_range(range, with);
        Self::new(self.text)
    }
}

/// Finds the members of an object; `None` if the text is anything else.
///
/// What a value holds is not looked into: whoever needs one reads it.
fn members(text: &str) -> Option<(usize, Vec<Member>)> {
    let bytes = text.as_bytes();
    let open = skip_space(bytes, 0);
    if bytes.get(open) != Some(&b'{') {
        return None;
    }
    let mut at = skip_space(bytes, open + 1);
    let mut members = Vec::new();
    while bytes.get(at) != Some(&b'}') || !members.is_empty() {
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let key = at..string_end(bytes, at)?;
        let name = serde_json::from_str(text.get(key.clone())?).ok()?;
        let colon = skip_space(bytes, key.end);
        if bytes.get(colon) != Some(&b':') {
            return None;
        }
        let start = skip_space(bytes, colon + 1);
        let value = start..value_end(bytes, start)?;
        at = skip_space(bytes, value.end);
        members.push(Member { name, key, value });
        match bytes.get(at)? {
            b',' => at = skip_space(bytes, at + 1),
            b'}' => break,
            _ => return None,
        }
    }
    let whole = skip_space(bytes, at + 1) == bytes.len();
    whole.then_some((open + 1, members))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// The end of the string that opens at `start`.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of the value that begins at `start`.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b',' | b'}' | b']' if depth == 0 => return Some(at),
            b'}' | b']' => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            byte if depth == 0 && is_space(*byte) => return Some(at),
            _ => at += 1,
        }
    }
}
