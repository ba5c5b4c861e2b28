//! What pi takes for an overflow and what it tries again, as one table of wordings.

use std::sync::LazyLock;

use corpus::Release;
use regex::Regex;
use serde_json::Value;

/// What a wording means to pi.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Means {
    Overflow,
    /// Looks like an overflow and is none.
    NoOverflow,
    Retry,
    /// Looks transient and is not.
    NoRetry,
}

/// One wording, with the releases that know it: from the first, before the second.
struct Row {
    means: Means,
    wording: &'static str,
    since: Release,
    until: Release,
}

const OLDEST: Release = Release::new(0, 80, 6);
const NEVER: Release = Release::new(u32::MAX, 0, 0);
const V082: Release = Release::new(0, 82, 1);
const V087: Release = Release::new(0, 87, 1);
const V103: Release = Release::new(1, 0, 3);
const V130: Release = Release::new(1, 3, 0);
const V160: Release = Release::new(1, 6, 0);

const fn row(means: Means, since: Release, wording: &'static str) -> Row {
    Row { means, wording, since, until: NEVER }
}

/// SOURCE: `error_classes`, `facts` of the classifier on each release.
const ROWS: &[Row] = &[
    row(Means::Overflow, OLDEST, r"prompt is too long"),
    row(Means::Overflow, V087, r"prompt too long"),
    row(Means::Overflow, V103, r"prompt exceeds max length"),
    row(Means::Overflow, OLDEST, r"request_too_large"),
    row(Means::Overflow, OLDEST, r"input is too long for requested model"),
    row(Means::Overflow, OLDEST, r"exceeds the context window"),
    row(
        Means::Overflow,
        OLDEST,
        r"exceeds (?:the )?(?:model'?s )?maximum context length(?: of [0-9,]+ tokens?|\s*\([0-9,]+\))",
    ),
    row(Means::Overflow, V160, r"context window exceeded"),
    row(Means::Overflow, OLDEST, r"input token count.*exceeds the maximum"),
    row(Means::Overflow, OLDEST, r"maximum prompt length is [0-9]+"),
    row(Means::Overflow, OLDEST, r"reduce the length of the messages"),
    row(Means::Overflow, OLDEST, r"maximum context length is [0-9]+ tokens"),
    row(
        Means::Overflow,
        OLDEST,
        r"exceeds (?:the )?maximum allowed input length of [0-9,]+ tokens?",
    ),
    row(
        Means::Overflow,
        OLDEST,
        r"input \([0-9]+ tokens\) is longer than the model'?s context length \([0-9]+ tokens\)",
    ),
    row(Means::Overflow, OLDEST, r"exceeds the limit of [0-9]+"),
    row(Means::Overflow, OLDEST, r"exceeds the available context size"),
    row(Means::Overflow, OLDEST, r"greater than the context length"),
    row(Means::Overflow, OLDEST, r"context window exceeds limit"),
    row(Means::Overflow, OLDEST, r"exceeded model token limit"),
    row(Means::Overflow, OLDEST, r"too large for model with [0-9]+ maximum context length"),
    row(
        Means::Overflow,
        OLDEST,
        r"prompt has [0-9,]+ tokens?, but the configured context size is [0-9,]+ tokens?",
    ),
    row(Means::Overflow, OLDEST, r"model_context_window_exceeded"),
    row(Means::Overflow, OLDEST, r"prompt too long; exceeded (?:max )?context length"),
    row(Means::Overflow, V082, r"range of input length should be"),
    row(Means::Overflow, OLDEST, r"context[_ ]length[_ ]exceeded"),
    row(Means::Overflow, OLDEST, r"too many tokens"),
    row(Means::Overflow, OLDEST, r"token limit exceeded"),
    row(Means::Overflow, V160, r"^(?:[0-9a-z_ -]+ API error \(413\):|413(?:\s|:|$))"),
    Row {
        means: Means::Overflow,
        wording: r"^4(?:00|13)\s*(?:status code)?\s*\(no body\)",
        since: OLDEST,
        until: V087,
    },
    row(Means::NoOverflow, OLDEST, r"^(?:Throttling error|Service unavailable):"),
    row(Means::NoOverflow, OLDEST, r"rate limit|too many requests"),
    row(
        Means::NoRetry,
        OLDEST,
        r"GoUsageLimitError|FreeUsageLimitError|Monthly usage limit reached|available balance",
    ),
    row(Means::NoRetry, OLDEST, r"insufficient_quota|out of budget|quota exceeded|billing"),
    row(
        Means::NoRetry,
        V160,
        r#"subscription_sharing_(?:workplace_individual_)?usage_limit_exceeded|"code"\s*:\s*"?1308(?:[^0-9]|$)"#,
    ),
    row(Means::Retry, OLDEST, r"overloaded|rate.?limit|too many requests"),
    row(Means::Retry, V130, r"server_busy|servers are currently busy|model is at capacity"),
    row(Means::Retry, V087, r"currently experiencing high demand"),
    Row { means: Means::Retry, wording: r"429|500|502|503|504|524", since: OLDEST, until: V160 },
    Row { means: Means::Retry, wording: r"520", since: V087, until: V160 },
    row(Means::Retry, V160, r"(?:^|[^a-z0-9])(?:429|500|502|503|504|520|524)(?:[^a-z0-9]|$)"),
    row(Means::Retry, OLDEST, r"service.?unavailable|server.?error|internal.?error"),
    row(Means::Retry, V130, r"service.?(?:is.?)?(?:temporarily.?)?unavailable"),
    row(Means::Retry, OLDEST, r"provider.?returned.?error"),
    row(Means::Retry, V160, r"provider.?returned.?an.?error|unable to forward upstream"),
    row(
        Means::Retry,
        V160,
        r"exceeded request buffer limit while retrying upstream|upstream.?request.?failed",
    ),
    row(
        Means::Retry,
        V160,
        r"upstream_stream_read_error|stream was interrupted|http/?2 stream failed",
    ),
    row(Means::Retry, OLDEST, r"network.?error|connection.?(?:error|refused|lost)"),
    row(Means::Retry, V160, r"connection.?closed|connection reset by peer"),
    row(Means::Retry, OLDEST, r"other side closed|fetch failed|upstream.?connect"),
    row(Means::Retry, V160, r"request to \S+ failed, reason:"),
    row(Means::Retry, V082, r"getaddrinfo|ENOTFOUND|EAI_AGAIN"),
    row(
        Means::Retry,
        V160,
        r"(?:^|[^a-z0-9_])(?:ECONNRESET|ECONNABORTED|ECONNREFUSED|ETIMEDOUT|EPIPE)(?:[^a-z0-9_]|$)",
    ),
    row(Means::Retry, OLDEST, r"reset before headers|socket hang up|socket connection was closed"),
    row(Means::Retry, OLDEST, r"timed? out|timeout|terminated|websocket.?(?:closed|error)"),
    row(Means::Retry, V160, r"websocket.?connection.?limit.?reached"),
    row(Means::Retry, OLDEST, r"ended without|stream ended before message_stop"),
    row(
        Means::Retry,
        V160,
        r"stream ended before a terminal response event|stream disconnected before completion",
    ),
    row(
        Means::Retry,
        V160,
        r"cut short after the reply had begun|pending stream has been canceled",
    ),
    row(Means::Retry, OLDEST, r"http2 request did not get a response|retry delay"),
    row(
        Means::Retry,
        OLDEST,
        r"you can retry your request|try your request again|please retry your request",
    ),
    row(Means::Retry, OLDEST, r"ResourceExhausted"),
    row(Means::Retry, V160, r"subscription_sharing_us(?:age|er)_unavailable"),
];

static COMPILED: LazyLock<Vec<(&'static Row, Option<Regex>)>> = LazyLock::new(|| {
    let compile = |row: &'static Row| (row, Regex::new(&format!("(?i){}", row.wording)).ok());
    ROWS.iter().map(compile).collect()
});

fn says(release: Release, means: Means, text: &str) -> bool {
    COMPILED.iter().any(|(row, regex)| {
        row.means == means
            && row.since <= release
            && release < row.until
            && regex.as_ref().is_some_and(|regex| regex.is_match(text))
    })
}

fn error_of(message: &Value) -> Option<&str> {
    let error = message["errorMessage"].as_str().filter(|error| !error.is_empty());
    error.filter(|_| message["stopReason"] == "error")
}

/// Whether an answer tells of an overflow, by its error or by the tokens it reports; a window of 0
/// leaves the tokens aside.
pub(super) fn overflows(release: Release, message: &Value, window: u64) -> bool {
    if let Some(error) = error_of(message)
        && !says(release, Means::NoOverflow, error)
        && says(release, Means::Overflow, error)
    {
        return true;
    }
    let tokens = |key: &str| message["usage"][key].as_u64().unwrap_or(0);
    let input = tokens("input") + tokens("cacheRead");
    match message["stopReason"].as_str() {
        _ if window == 0 => false,
        Some("stop") => input > window,
        Some("length") => tokens("output") == 0 && input * 100 >= window * 99,
        _ => false,
    }
}

/// Whether a failed answer is worth another attempt; overflows are to be asked about first.
pub(super) fn retryable(release: Release, message: &Value) -> bool {
    error_of(message).is_some_and(|error| {
        !says(release, Means::NoRetry, error) && says(release, Means::Retry, error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_wording_compiles() {
        for (row, regex) in COMPILED.iter() {
            assert!(regex.is_some(), "{}", row.wording);
        }
    }

    #[test]
    fn digits_within_a_number_were_a_status_once() {
        let failed = json!({"stopReason": "error", "errorMessage": "invalid value 5000"});
        assert!(retryable(OLDEST, &failed));
        assert!(!retryable(V160, &failed));
    }
}
