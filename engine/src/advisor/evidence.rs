//! What an error text shows: words, codes, status and waits, gathered once and asked by every rule.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::body::take_apart;
use super::clean::clean;
use super::pattern::pattern;
use super::redact::without_keys;
use super::wait::Wait;

/// Bytes looked at from the start of a text, and again from its end; what lies between is not read.
pub const END_BYTES_MAX: usize = 16 << 10;

/// What is known about an error besides its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct ErrorFacts<'a> {
    /// The HTTP status, if the caller has it.
    pub status: Option<u16>,
    /// The provider's id.
    pub provider: Option<&'a str>,
    /// The clock, in milliseconds since 1970; without it, a date is never near.
    pub now_ms: Option<u64>,
}

/// What the text of an error shows.
#[derive(Debug)]
pub(crate) struct Evidence {
    /// Words around bodies and messages in them: lower case, single blanks, one line each.
    pub(super) said: String,
    /// Codes from bodies, and words that can only be codes, in lower case.
    pub(super) codes: BTreeSet<String>,
    /// The HTTP status.
    pub(super) status: Option<u16>,
    /// The provider's id, in lower case.
    pub(super) provider: Option<String>,
    /// Seconds to wait, where they can be told.
    pub(super) wait_seconds: Option<u64>,
    /// What was said about waiting.
    pub(super) wait: Option<Wait>,
    /// The limit and what the request had, in tokens.
    pub(super) tokens: (Option<u64>, Option<u64>),
}

impl Evidence {
    /// Gathers what `text` shows. Costs time linear in the text, and no more than for
    /// twice [`END_BYTES_MAX`].
    pub(super) fn gather(text: &str, facts: &ErrorFacts<'_>) -> Self {
        let text = without_keys(&clean(&ends(text)));
        let found = take_apart(&without_markup(&text));
        let mut codes: BTreeSet<String> = found.codes.into_iter().collect();
        let lines = found.said.iter().map(|piece| one_line(piece));
        let said = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        codes.extend(marked_numbers(&said));
        codes.extend(identifiers(&said));
        codes.extend(anchors(&text));
        let spoken = said.lines().next().and_then(status_of);
        let spoken = spoken.or_else(|| said.lines().find_map(status_of));
        let status = facts.status.or_else(|| found.statuses.first().copied()).or(spoken);
        let mut wait = found.wait;
        wait.read_text(&said);
        let (limit, request) = tokens_of(&said);
        Self {
            codes,
            status,
            provider: facts.provider.map(str::to_ascii_lowercase),
            wait_seconds: wait.seconds(facts.now_ms),
            wait: Some(wait).filter(|wait| !wait.is_empty()),
            tokens: (found.limit_tokens.or(limit), found.request_tokens.or(request)),
            said,
        }
    }

    /// True if the request itself was found at fault; a status outweighs an error type.
    pub(super) fn is_request_fault(&self) -> bool {
        match self.status {
            Some(status) => {
                (400..500).contains(&status) && ![408, 409, 425, 429, 498, 499].contains(&status)
            }
            None => REQUEST_TYPES.iter().any(|name| self.codes.contains(*name)),
        }
    }
}

/// Error types that blame the request.
const REQUEST_TYPES: &[&str] = &[
    "invalid_request_error",
    "invalid_argument",
    "invalid_request",
    "validationexception",
    "badrequesterror",
    "bad_request",
    "invalidparameter",
    "invalid_parameter_error",
    "unprocessableentityerror",
    "invalid_type",
];

/// The start and the end of a text.
fn ends(text: &str) -> String {
    if text.len() <= 2 * END_BYTES_MAX {
        return text.to_owned();
    }
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let head = text.get(..boundary(END_BYTES_MAX)).unwrap_or_default();
    let tail = text.get(boundary(text.len() - END_BYTES_MAX)..).unwrap_or_default();
    format!("{head}\n{tail}")
}

/// A page's words, if the text is one: tags become blanks, scripts and styles go with their content.
fn without_markup(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("<html") && !lower.contains("<!doctype html") {
        return text.to_owned();
    }
    let (mut out, mut from) = (String::new(), 0);
    while let Some(start) = lower.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        out.push_str(text.get(from..start).unwrap_or_default());
        out.push(' ');
        let rest = lower.get(start..).unwrap_or_default();
        let hidden = ["script", "style"]
            .iter()
            .find(|name| rest.get(1..).is_some_and(|tag| tag.starts_with(**name)));
        let end = match hidden {
            // The closing tag is one like any other.
            Some(name) => rest.find(&format!("</{name}")),
            None => rest.find('>').map(|at| at + 1),
        };
        let Some(end) = end else { return out };
        from = start + end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Lower case, with single blanks and straight quotes; an address is only `url`, since the names in it
/// speak of documentation, not of the error.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let blank = |c: char| c.is_whitespace() || c.is_control();
    for word in text.split(blank).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        let (word, address) = match word.find("://") {
            Some(at) => word.split_at_checked(at).unwrap_or((word, "")),
            None => (word, ""),
        };
        let word =
            if address.is_empty() { word } else { word.trim_end_matches(char::is_alphabetic) };
        out.extend(word.chars().map(|c| match c {
            '’' | '‘' => '\'',
            _ => c.to_ascii_lowercase(),
        }));
        if !address.is_empty() {
            out.push_str("url");
        }
    }
    out
}

/// Words that are no ordinary words, whatever their case: with an underscore, with the ending of an
/// error type, or longer than a word of talk.
fn identifiers(said: &str) -> impl Iterator<Item = String> {
    let words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let telling = |word: &&str| {
        (8..=96).contains(&word.len())
            && (word.contains('_')
                || word.len() >= 15
                || ["error", "exception", "failure"].iter().any(|end| word.ends_with(end)))
    };
    words.filter(telling).map(str::to_owned)
}

/// The places in pages that addresses point to, as in `#token-limit`.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'()<>,".contains(c));
    let anchor = |word: &str| {
        let (_, place) = word.split_once("://")?.1.split_once('#')?;
        let place = place.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        (1..=64).contains(&place.len()).then(|| format!("#{}", place.to_ascii_lowercase()))
    };
    words.filter_map(anchor)
}

static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r#"(?:\bcode["']?\)?[ :=]{1,3}["']?|(?:^|[^a-z0-9_'"\]])\[)([0-9]{4})(?:["'\],; ]|$)"#)
});
static STATUS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?x)
        ^\W* (?:(?:(?:api|http|request|codex|llm|openai|anthropic|openrouter|provider|stream|google|gemini|bedrock|model)\ )?(?:error|request\ failed|failed)\W{1,3}|error\ code\W{1,4}|[a-z]{2,20}error\W{1,3}){0,6} \W* ([45][0-9]{2}) (?:$|[^\w\ ]|\ (?:[^im]|i[^s]|m[^u]))
        | \bhttp (?:/[0-9.]+)? (?:[\ _-](?:status|error|code|response))* [\ :=]{1,3} ([45][0-9]{2}) \b
        | (?:^|[(\[{,;:]\ ?|\b(?:error|response)[\ _]?) code [\ :=(]{1,3} ([45][0-9]{2}) \b
        | \b(?:server|provider|upstream|gateway|backend|proxy|endpoint|api|service) (?:\ [a-z]+){0,2}\ (?:returned|responded(?:\ with)?|replied(?:\ with)?|answered(?:\ with)?|sent) (?:\ (?:an?|http|error|status|code))* \W{1,3} ([45][0-9]{2}) \b
        | \b(?:got|received)\ ([45][0-9]{2})\ (?:from|error|status|response)\b
        | \b(?:(?:unexpected|bad|non-200|non-2xx|invalid)\ (?:http\ )?(?:response|reply|status)|(?:call|completion|fetch)\ failed|indicate\ success) (?:\ (?:code|status))* [\ :=(]{1,3} ([45][0-9]{2}) \b
        | \b(?:error|status|error\ code|exception|failed|request\ failed|response|rejected)\W{0,3} \(\W* (?:http\ )? ([45][0-9]{2}) \W*\)
        | \b(?:status(?:[\ _]?code)?|error\ code|api\ error|request\ failed|response\ code|last\ status|got\ status|unexpected\ status|unexpected\ server\ response|failed\ with(?:\ status(?:\ code)?)?) ['\x22]? (?:\ is|\ of)? [\ :=(]{1,3} ['\x22]? ([45][0-9]{2}) \b
        | (?:^|[^0-9a-z.]) ([45][0-9]{2}) \W{1,3} (?:bad\ request|unauthorized|payment\ required|forbidden|not\ found|method\ not\ allowed|request\ timeout|conflict|payload\ too\ large|request\ entity\ too|content\ too\ large|unprocessable|too\ many\ requests|internal\ server|bad\ gateway|service\ (?:temporarily\ )?unavailable|gateway\ time|status\ code|error\b)
        ",
    )
});
static OF_TOKENS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"([0-9][0-9,_]*) (?:input |prompt |total )?tokens?(?: > | \+ [0-9,_]+ > |,? exceeds? )",
    )
});
static LIMITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?:> ?|(?:context length|prompt length|context size|context window|maximum|limit|max)(?: is| of|:| \()* ?)([0-9][0-9,_]*)(?:\)| tokens?| maximum|,|$)",
    )
});
static REQUESTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?:requested|contains(?: at least)?|resulted in|has|request \(|length \(|count \(|count of|requested:|input \()(?: about| at least)? ?([0-9][0-9,_]*)(?: input| prompt| output)?(?: tokens?|\))",
    )
});

/// Numbers marked as codes, as in `code: 1308` or `[1308]`.
fn marked_numbers(said: &str) -> Vec<String> {
    let found = NUMBERED.iter().flat_map(|regex| regex.captures_iter(said).take(16));
    found.filter_map(|found| found.get(1).map(|code| code.as_str().to_owned())).collect()
}

/// The HTTP status that a line states as such; other numbers are no status.
fn status_of(line: &str) -> Option<u16> {
    STATUS.as_ref()?.captures_iter(line).take(8).find_map(|found| {
        let number = found.iter().skip(1).flatten().next()?;
        let before = line.get(..found.get(0)?.start())?;
        let after = line.get(number.end()..)?;
        let stated = !is_counted(after) && !before.trim_end().ends_with("exit");
        stated.then(|| number.as_str().parse().ok())?
    })
}

/// True if a number is one of so many things, as in `429 tokens were used`.
fn is_counted(after: &str) -> bool {
    const THINGS: &[&str] = &[
        "tokens",
        "items",
        "bytes",
        "rows",
        "lines",
        "characters",
        "pages",
        "pixels",
        "seconds",
        "minutes",
        "milliseconds",
        "ms",
    ];
    let word = after.strip_prefix(' ').unwrap_or_default().split(' ').next().unwrap_or_default();
    THINGS.contains(&word.trim_end_matches([',', '.', ';', ':']))
}

/// A limit and a length, in tokens, as an overflow words them.
fn tokens_of(said: &str) -> (Option<u64>, Option<u64>) {
    let first = |regex: &Option<Regex>| -> Option<u64> {
        let found = regex.as_ref()?.captures(said)?;
        let digits: String = found.get(1)?.as_str().chars().filter(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    (first(&LIMITS), first(&OF_TOKENS).or_else(|| first(&REQUESTS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> Option<u16> {
        Evidence::gather(text, &ErrorFacts::default()).status
    }

    #[test]
    fn a_status_is_stated_as_one() {
        for (text, wanted) in [
            ("429", 429),
            ("400 context_overflow", 400),
            ("Error: 400 This model's", 400),
            ("HTTP 502", 502),
            ("HTTP/1.1 503 Service Unavailable", 503),
            ("Error code: 400 - {'error': {'message': 'x'}}", 400),
            ("API error (400): {\"a\": 1}", 400),
            ("Cloud Code Assist API error (429): x", 429),
            ("exceeded retry limit, last status: 429 Too Many Requests", 429),
            ("unexpected status 503 Service Unavailable: x", 503),
            ("APIStatusError [HTTP 402]", 402),
            ("request failed with status code 404", 404),
            ("<html><head><title>502 Bad Gateway</title></head></html>", 502),
            ("{\"error\":{\"code\":503}}", 503),
            ("Error: Codex error: 402 Prompt tokens", 402),
            ("400 messages.1.content.0: x", 400),
            ("apierror: (429) error", 429),
            ("HTTP/2 429", 429),
            ("http_status=429", 429),
            ("The server responded with 429", 429),
            ("Provider returned error: 503", 503),
            ("got 429 from upstream", 429),
            ("code=429", 429),
            ("Response status code does not indicate success: 429", 429),
        ] {
            assert_eq!(status(text), Some(wanted), "{text}");
        }
        for text in [
            "error mentions 413 in the middle",
            "invalid value 5000",
            "request id req_1429500abc failed validation",
            "messages.429.content: x",
            "Validation failed: 429 is not allowed for `limit`",
            "429 is not one of the allowed values",
            "Validation error: 500 must be less than 100",
            "Your billing is overdue: 503",
            "{\"error\":{\"code\":1308}}",
            "limit 500 tokens",
            "429 tokens were used",
            "Error: 429 items were given",
            "exit status 429",
            "exit code: 429",
            "got 500 rows",
            "qwen-429b on port 429 is odd",
            "expected at most 400, got 429",
        ] {
            assert_eq!(status(text), None, "{text}");
        }
    }

    #[test]
    fn tokens_are_read_out() {
        let tokens = |text: &str| Evidence::gather(text, &ErrorFacts::default()).tokens;
        let pair = |limit, request| (Some(limit), Some(request));
        assert_eq!(
            tokens("prompt is too long: 213462 tokens > 200000 maximum"),
            pair(200_000, 213_462)
        );
        assert_eq!(
            tokens(
                "maximum context length is 8192 tokens. However, you requested about 9000 tokens"
            ),
            pair(8192, 9000)
        );
        assert_eq!(
            tokens(r#"{"error":{"message":"x","n_prompt_tokens":9,"n_ctx":8}}"#),
            pair(8, 9)
        );
    }

    #[test]
    fn a_page_is_read_without_its_markup() {
        for (text, wanted) in [
            ("<html><p class=x>no</p></html>", "no"),
            ("<!DOCTYPE html>no <b>more</b>", "no more"),
            ("<HTML><Style>p {}</style>no<script>if (1 < 2) x()</script> more", "no more"),
            ("<html>no<script>429", "no"),
            ("a <b> c", "a <b> c"),
        ] {
            assert_eq!(one_line(&without_markup(text)), wanted, "{text}");
        }
    }

    #[test]
    fn only_words_that_nobody_speaks_are_identifiers() {
        let found: Vec<String> = identifiers(
            "rate_lim ab_cdef anyerror myerror ordinary fourteenletter fourteenletters. x",
        )
        .collect();
        assert_eq!(found, ["rate_lim", "anyerror", "fourteenletters"]);
        let bounds = format!("{} {}", "a".repeat(96), "b".repeat(97));
        assert_eq!(identifiers(&bounds).collect::<Vec<_>>(), ["a".repeat(96)]);
    }

    #[test]
    fn addresses_and_marks_tell_codes() {
        let found = |text: &str| anchors(text).collect::<Vec<_>>();
        assert_eq!(
            found("see (https://h/p#Token-Limit). #x, or <http://h#b>!"),
            ["#token-limit", "#b"]
        );
        assert_eq!(found(&format!("http://h#{} http://h# h#a", "a".repeat(65))), [""; 0]);
        let said = "code: 1308, [1113][no balance], item[2000] or 4000; error code 'abc'";
        assert_eq!(marked_numbers(said), ["1308", "1113"]);
    }

    #[test]
    fn long_texts_are_read_at_both_ends() {
        let whole = "é".repeat(END_BYTES_MAX);
        assert_eq!(ends(&whole), whole);
        let (head, tail) = (format!("a{whole}"), format!("{whole}a"));
        let half = "é".repeat(END_BYTES_MAX / 2);
        assert_eq!(ends(&head), format!("a{}\n{half}", half.strip_suffix('é').unwrap_or_default()));
        assert_eq!(ends(&tail), format!("{half}\n{half}a"));
        let text = format!("start {} end", "ü".repeat(1 << 20));
        let evidence = Evidence::gather(&text, &ErrorFacts::default());
        assert!(evidence.said.starts_with("start") && evidence.said.ends_with("end"));
        assert!(evidence.said.len() <= 2 * END_BYTES_MAX + 1);
    }

    #[test]
    fn every_pattern_compiles() {
        for regex in [&NUMBERED, &STATUS, &OF_TOKENS, &LIMITS, &REQUESTS] {
            assert!(regex.is_some());
        }
    }
}
