//! What older releases salvage from argument text that is no JSON: the part before the fault.

use serde_json::{Map, Value};

use super::js;

/// The value at the beginning of the text, as far as it goes; `None` where there is none.
pub(super) fn parse(text: &str) -> Option<Value> {
    let mut reader = Reader { text: js::trim(text), at: 0 };
    reader.value(0).ok()
}

/// Levels that are followed; deeper text counts as no value.
const DEPTH_MAX: usize = 128;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// The text does not continue as JSON.
struct Fault;

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        self.blank();
        if depth > DEPTH_MAX {
            return Err(Fault);
        }
        match self.peek().ok_or(Fault)? {
            '"' => self.string().map(Value::String),
            '{' => Ok(self.object(depth)),
            '[' => Ok(self.array(depth)),
            _ => self.word().or_else(|_| self.number()),
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            // JSON has no such numbers; a trace shows them like this.
            ("Infinity", Value::from("<Infinity>")),
            ("-Infinity", Value::from("<-Infinity>")),
            ("NaN", Value::from("<NaN>")),
        ];
        for (word, value) in words {
            let rest = self.rest();
            let least = usize::from(word.starts_with('-'));
            let cut = rest.len() > least && rest.len() < word.len() && word.starts_with(rest);
            if rest.starts_with(word) || cut {
                self.at += word.len().min(rest.len());
                return Ok(value);
            }
        }
        Err(Fault)
    }

    /// A string; one that is cut ends with the text, at its last whole escape.
    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let mut escaped = false;
        let mut last_escape = self.at;
        let rest = self.rest().to_owned();
        for (offset, char) in rest.char_indices().skip(1) {
            if char == '"' && !escaped {
                self.at = start + offset + 1;
                let literal = self.text.get(start..self.at).unwrap_or_default();
                return serde_json::from_str(literal).map_err(|_| Fault);
            }
            escaped = char == '\\' && !escaped;
            if char == '\\' {
                last_escape = start + offset;
            }
        }
        self.at = self.text.len();
        let until = if escaped { self.text.len() - 1 } else { self.text.len() };
        let close = |until: usize| format!("{}\"", self.text.get(start..until).unwrap_or_default());
        serde_json::from_str(&close(until))
            .or_else(|_| serde_json::from_str(&close(last_escape)))
            .map_err(|_| Fault)
    }

    fn object(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.blank();
            match self.peek() {
                None => break,
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {}
            }
            let Ok(key) = self.key() else { break };
            self.blank();
            // Whatever stands where the colon should is passed over.
            self.at += self.peek().map_or(0, char::len_utf8);
            let Ok(value) = self.value(depth + 1) else { break };
            map.insert(key, value);
            self.blank();
            if self.peek() == Some(',') {
                self.at += 1;
            }
        }
        Value::Object(map)
    }

    fn key(&mut self) -> Result<String, Fault> {
        if self.peek() == Some('"') { self.string() } else { Err(Fault) }
    }

    fn array(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank();
            match self.peek() {
                None => break,
                Some(']') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {}
            }
            let Ok(item) = self.value(depth + 1) else { break };
            items.push(item);
            self.blank();
            if self.peek() == Some(',') {
                self.at += 1;
            }
        }
        Value::Array(items)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let end = rest.find([',', ']', '}']).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default().trim().to_owned();
        let number = read_number(&text).or_else(|| {
            let cut = text.rfind('e')?;
            read_number(text.get(..cut)?)
        });
        self.at += end;
        number.ok_or(Fault)
    }
}

fn read_number(text: &str) -> Option<Value> {
    js::parse(text).ok()
}
