//! Finds the structured bodies inside an error text, whatever they are wrapped in, and reads their fields.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use super::brackets::{Brackets, follow, mended};
use super::echo::without_echoes;
use super::wait::Wait;
use crate::reader::{ReadOptions, read};

/// Places tried as the start of a body, in one text.
const STARTS_MAX: usize = 16;
/// Texts looked at: the error itself, then the messages in its bodies, which may hold bodies again.
const TEXTS_MAX: usize = 24;
/// Fields looked at in all bodies.
const FIELDS_MAX: usize = 4096;

/// What the bodies of an error and the words around them say.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The words around the bodies, and the messages inside them, outermost first.
    pub(super) said: Vec<String>,
    /// Values of the fields that hold codes, in lower case.
    pub(super) codes: Vec<String>,
    /// Statuses that bodies give, outermost first.
    pub(super) statuses: Vec<u16>,
    /// What fields tell about waiting.
    pub(super) wait: Wait,
    /// The context or limit, in tokens.
    pub(super) limit_tokens: Option<u64>,
    /// What the request had, in tokens.
    pub(super) request_tokens: Option<u64>,
    fields: usize,
}

/// Takes an error text apart.
pub(super) fn take_apart(text: &str) -> Found {
    let mut found = Found::default();
    let mut pending = vec![text.to_owned()];
    let mut seen = 0;
    while let Some(text) = pending.pop().filter(|_| seen < TEXTS_MAX) {
        seen += 1;
        let (outside, bodies) = split(&text);
        found.said.push(outside);
        let mut inner = Vec::new();
        for body in bodies {
            match body {
                Body::Value(value) => found.read_fields(&value, &mut inner),
                Body::Again(text) => inner.push(text),
            }
        }
        inner.reverse();
        pending.append(&mut inner);
    }
    found
}

enum Body {
    Value(Value),
    /// A body to be read again, with what follows it: its quotes were escaped once more than they
    /// should be, or it is broken and what it echoes was taken out.
    Again(String),
}

/// The text without its bodies, and the bodies.
fn split(text: &str) -> (String, Vec<Body>) {
    let (mut outside, mut bodies) = (String::new(), Vec::new());
    let (mut rest, mut tried) = (text, 0);
    while let Some(at) = rest.find(['{', '[']).filter(|_| tried < STARTS_MAX) {
        let Some((before, from)) = rest.split_at_checked(at) else { break };
        outside.push_str(before);
        let inner = from.get(1..).unwrap_or_default().trim_start();
        let begins = match from.as_bytes().first() {
            Some(b'{') => inner.starts_with(['"', '\'', '\\']),
            _ => inner.starts_with('{'),
        };
        tried += usize::from(begins);
        if begins && is_labelled(before) {
            let end = value_at(from).filter(|(_, after)| ends_there(before, after));
            rest = end.map_or("", |(_, after)| after);
        } else if begins && inner.starts_with('\\') {
            bodies.push(Body::Again(unescape(from)));
            rest = "";
        } else if let Some((body, after)) =
            begins.then(|| value_at(from)).flatten().filter(|(_, after)| ends_there(before, after))
        {
            bodies.push(Body::Value(body));
            outside.push(' ');
            rest = after;
        } else if let Some(told) = begins.then(|| without_echoes(from, is_echo)).flatten() {
            bodies.push(Body::Again(told));
            rest = "";
        } else {
            let (bracket, after) = from.split_at_checked(1).unwrap_or((from, ""));
            outside.push_str(bracket);
            rest = after;
        }
    }
    // Past the last body that is taken apart, what was sent is still no speech.
    outside.push_str(&without_echoes(rest, is_echo).unwrap_or_else(|| rest.to_owned()));
    (outside, bodies)
}

/// True if the words before a body say that it is what was sent.
fn is_labelled(before: &str) -> bool {
    const LABELS: &[&str] =
        &["request body", "request payload", "request data", "request was", "you sent", "we sent"];
    let words = before.trim_end_matches([':', '=', ' ', '\n']);
    let ends = |label: &&str| {
        let from = words.len().checked_sub(label.len());
        from.and_then(|from| words.get(from..)).is_some_and(|end| end.eq_ignore_ascii_case(label))
    };
    LABELS.iter().any(ends)
}

/// False if a quote follows a body and none stood before it: then brackets in a prompt closed it.
fn ends_there(before: &str, after: &str) -> bool {
    let after = after.trim_start_matches(['}', ']', ')']);
    let quote = after.chars().next().filter(|c| ['"', '\''].contains(c));
    quote.is_none_or(|quote| before.ends_with(quote))
}

/// The JSON or Python value that `text` begins with, and what follows it. A value that was cut off
/// reaches to the end: what stood before the cut counts, and what it quotes is still no speech.
fn value_at(text: &str) -> Option<(Value, &str)> {
    match follow(text) {
        Brackets::Closed(len) => {
            let (body, after) = text.split_at_checked(len)?;
            value_of(body).map(|value| (value, after))
        }
        Brackets::Broken => None,
        Brackets::Open(open, quote) => {
            let value = mended(text, &open, quote).iter().find_map(|body| value_of(body))?;
            Some((value, ""))
        }
    }
}

fn value_of(body: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(body) {
        return Some(value);
    }
    let reading = |text: &str| read(text, &ReadOptions::default()).ok().map(|read| read.value);
    // Logs in one case spoil the words that JSON and Python spell otherwise.
    let lower = |found: &Captures<'_>| match found.name("word").map(|word| word.as_str()) {
        Some(word) if word.eq_ignore_ascii_case("none") => {
            format!("{}null", found.name("before").map_or("", |before| before.as_str()))
        }
        _ => found.get(0).map_or("", |all| all.as_str()).to_ascii_lowercase(),
    };
    reading(body).or_else(|| reading(&WORDS.as_ref()?.replace_all(body, lower)))
}

static WORDS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(?<before>[:,\[(]\s*)(?<word>none|null|true|false)\b").ok());

/// Takes one level of escapes away.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, (c == '\\').then(|| chars.next()).flatten()) {
            ('\\', Some('n' | 't' | 'r')) => out.push(' '),
            ('\\', Some(next)) => out.push(next),
            (c, _) => out.push(c),
        }
    }
    out
}

/// Fields whose text is a message.
const MESSAGES: &[&str] = &[
    "message",
    "msg",
    "detail",
    "details",
    "error",
    "errordescription",
    "errormessage",
    "errormsg",
    "errmsg",
    "err",
    "description",
    "title",
    "reason",
    "raw",
    "body",
    "responsebody",
    "cause",
    "exception",
    "fault",
    "faultstring",
    "statustext",
    "statusmsg",
    "quotaid",
    "quotametric",
    "status",
    "hint",
];
/// Fields whose value is a code.
const CODES: &[&str] = &[
    "code",
    "type",
    "status",
    "reason",
    "errorcode",
    "errortype",
    "kind",
    "name",
    "subcode",
    "exceptiontype",
    "exctype",
    "error",
    "errcode",
    "statuscode",
    "errorname",
];
/// Fields whose number is the HTTP status.
const STATUSES: &[&str] =
    &["code", "status", "statuscode", "httpcode", "httpstatus", "httpstatuscode", "errorcode"];
/// Fields that name a wait.
const WAITS: &[&str] = &[
    "retrydelay",
    "retryafter",
    "retryafterms",
    "retryafterseconds",
    "resetsinseconds",
    "resetsin",
    "resetsat",
    "resetat",
    "resettime",
    "quotaresetdelay",
    "quotaresettimestamp",
    "waitseconds",
    "xratelimitreset",
    "ratelimitreset",
    "resetinseconds",
    "anthropicratelimitunifiedreset",
];
/// Fields that repeat what was sent; nothing in them speaks of the error.
const ECHOES: &[&str] = &[
    "input",
    "inputs",
    "inputvalue",
    "ctx",
    "request",
    "requestbody",
    "requestbodyvalues",
    "requestdata",
    "requestheaders",
    "requestparams",
    "requestpayload",
    "originalrequest",
    "payload",
    "messages",
    "contents",
    "history",
    "conversation",
    "system",
    "systemprompt",
    "systeminstruction",
    "instructions",
    "tools",
    "toolcalls",
    "functioncall",
    "arguments",
    "args",
    "kwargs",
    "optionalparams",
    "loc",
    "param",
    "params",
    "parameters",
    "query",
    "url",
    "links",
    "stack",
    "config",
    "prompt",
    "content",
    "headerssent",
];

fn is_echo(name: &str) -> bool {
    ECHOES.contains(&plain(name).as_str())
}

/// Takes every echo out of a body, whatever it is nested in.
fn forget_echoes(body: &mut Value) {
    let mut pending = vec![body];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                members.retain(|name, _| !is_echo(name));
                pending.extend(members.values_mut());
            }
            Value::Array(items) => pending.extend(items.iter_mut()),
            _ => {}
        }
    }
}

impl Found {
    /// Reads the fields of one body; messages go to `inner`, since they may hold bodies again.
    fn read_fields(&mut self, body: &Value, inner: &mut Vec<String>) {
        let before = (inner.len(), self.codes.len());
        let mut pending = vec![(String::new(), body)];
        while let Some((key, value)) = pending.pop() {
            self.fields += 1;
            if self.fields > FIELDS_MAX {
                return;
            }
            match value {
                Value::Object(members) => {
                    // A length of time may be an object of its own.
                    let waits = WAITS.contains(&key.as_str());
                    let named = members.iter().map(|(name, value)| match plain(name) {
                        name if waits && name == "seconds" => (key.clone(), value),
                        name => (name, value),
                    });
                    let kept = named.filter(|(name, _)| !ECHOES.contains(&name.as_str()));
                    let mut kept: Vec<_> = kept.collect();
                    kept.reverse();
                    pending.append(&mut kept);
                }
                Value::Array(items) => {
                    pending.extend(items.iter().rev().map(|item| (key.clone(), item)));
                }
                Value::String(text) => self.read_text(&key, text, inner),
                Value::Number(number) => self.read_number(&key, &number.to_string()),
                Value::Null | Value::Bool(_) => {}
            }
        }
        if before == (inner.len(), self.codes.len()) {
            // No field is known: then every word may speak of the error, but for what was sent.
            let mut spoken = body.clone();
            forget_echoes(&mut spoken);
            self.said.push(spoken.to_string());
        }
    }

    fn read_text(&mut self, key: &str, text: &str, inner: &mut Vec<String>) {
        if WAITS.contains(&key) {
            return self.wait.read_field(key, text);
        }
        let word = !text.is_empty() && !text.contains(char::is_whitespace) && text.len() <= 96;
        if CODES.contains(&key) && word {
            self.codes.push(text.to_ascii_lowercase());
            if STATUSES.contains(&key) {
                self.read_status(text);
            }
        }
        if MESSAGES.contains(&key) && !(word && CODES.contains(&key)) {
            inner.push(text.to_owned());
        }
    }

    fn read_number(&mut self, key: &str, number: &str) {
        match key {
            _ if WAITS.contains(&key) => self.wait.read_field(key, number),
            "nctx" => self.limit_tokens = number.parse().ok(),
            "nprompttokens" => self.request_tokens = number.parse().ok(),
            _ => {
                if CODES.contains(&key) {
                    self.codes.push(number.to_owned());
                }
                if STATUSES.contains(&key) {
                    self.read_status(number);
                }
            }
        }
    }

    fn read_status(&mut self, text: &str) {
        let status = text.parse::<u16>().ok().filter(|status| (400..600).contains(status));
        self.statuses.extend(status);
    }
}

/// A field's name without case and separators.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    letters.map(|c| c.to_ascii_lowercase()).take(48).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_found_in_any_wrapping() {
        for text in [
            r#"x {"error":{"message":"Boo","code":429}} y"#,
            "x - {'error': {'message': 'Boo', 'code': 429, 'param': None}} y",
            r#"x {"error":{"message":"{\"error\":{\"message\":\"Boo\",\"code\":429}}"}} y"#,
            r#"x {\"error\":{\"message\":\"Boo\",\"code\":429}} y"#,
            r#"x {"ERROR":{"MESSAGE":"Boo","PARAM":NULL,"RETRY":TRUE,"CODE":429}} y"#,
            "x {'ERROR':{'MESSAGE':'Boo','PARAM':NONE,'CODE':429}} y",
            r#"x [{"error":{"message":"Boo","code":429}}] y"#,
            r#"x {"error":{"metadata":{"raw":"{\"message\":\"Boo\",\"code\":\"429\"}"}}} y"#,
        ] {
            let found = take_apart(text);
            let said = found.said.join("|");
            assert!(said.contains("Boo") && said.starts_with('x') && said.contains('y'), "{said}");
            assert!(!said.contains("429"), "{said}");
            assert_eq!(found.statuses, [429], "{text}");
        }
    }

    #[test]
    fn echoes_and_broken_bodies_are_left_alone() {
        let found = take_apart(r#"{"message":"no","input":{"message":"rate limit","code":429}}"#);
        assert_eq!((found.said.join("").trim(), found.statuses.len()), ("no", 0));
        assert_eq!(take_apart(r#"a {"b": c"#).said, [r#"a {"b": c"#]);
        let cut =
            take_apart(r#"400 {"message":"no","type":"bad","input":{"message":"rate limit 429"#);
        assert_eq!((cut.said.join("").trim(), cut.statuses.len()), ("400  no", 0));
        let deep = "{\"a\":".repeat(20_000);
        assert_eq!(take_apart(&deep).said, [deep]);
        for text in [
            r#"no. Request body: {"note":"rate limit 429"} bye"#,
            r#"no {"a":{"b":{"prompt":"rate limit 429"}}} bye"#,
            r#"no {"a":"b"c","prompt":"rate limit "x" 429"} bye"#,
            r#"no {"a":[{"prompt":"rate limit 429"}]} bye"#,
        ] {
            let found = take_apart(text);
            assert!(found.statuses.is_empty() && !found.said.join(" ").contains("rate"), "{text}");
        }
        let many = format!(r#"{} {{"prompt":"rate limit"}}"#, r#"{"a":"b"} "#.repeat(STARTS_MAX));
        assert!(!take_apart(&many).said.join(" ").contains("rate"), "{many}");
    }

    #[test]
    fn words_in_capitals_keep_their_meaning() {
        let said = take_apart("{'A':NONE,'B':[TRUE,False]}").said.join("");
        assert_eq!(said.trim(), r#"{"A":null,"B":[true,false]}"#);
    }

    #[test]
    fn fields_are_read_by_what_they_hold() {
        let found = take_apart(r#"{"code":"no such thing","message":"Boo","type":"Bad_Thing"}"#);
        assert_eq!(found.codes, ["bad_thing"]);
        let found = take_apart(r#"{"retry_delay":{"seconds":21,"nanos":500},"x":{"seconds":900}}"#);
        assert_eq!(found.wait.after_ms, Some(21_000));
    }

    #[test]
    fn so_many_bodies_texts_and_fields_are_read_and_no_more() {
        let statuses = |text: &str| take_apart(text).statuses.len();
        for (before, read) in [(STARTS_MAX - 1, 1), (STARTS_MAX, 0)] {
            assert_eq!(statuses(&format!("{}{{\"code\":429}}", "{\"a\":0} ".repeat(before))), read);
        }
        // The body, the list and the code are fields as well.
        for (zeros, read) in [(FIELDS_MAX - 3, 1), (FIELDS_MAX - 2, 0)] {
            let zeros = "0,".repeat(zeros - 1);
            assert_eq!(statuses(&format!("{{\"a\":[{zeros}0],\"code\":429}}")), read);
        }
        let messages = vec![r#"{"message":"Boo"}"#; 2 * TEXTS_MAX].join(",");
        assert_eq!(take_apart(&format!("{{\"errors\":[{messages}]}}")).said.len(), TEXTS_MAX);
    }
}
