//! Takes secrets out of a text: keys, tokens, headers, cookies, addresses with credentials, e-mail.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::pattern::pattern;

/// What stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// One kind of secret.
struct Redaction {
    /// What it is.
    what: &'static str,
    /// How it is found. Groups named `keep` and `tail` stay; without a group `value`, the rest is the value.
    pattern: &'static str,
    /// Whether a value found is a secret.
    is_secret: fn(&str) -> bool,
    /// A text with the secret `s3cr3t…`.
    example: &'static str,
}

/// In order; what is wider goes first, so that no part of it survives by itself.
const REDACTIONS: [&[Redaction]; 3] = [NAMED, KEYS, SHAPED];

/// Secrets that the words before them give away.
const NAMED: &[Redaction] = &[
    Redaction {
        what: "private key",
        pattern: r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)",
        is_secret: any,
        example: "x -----BEGIN RSA PRIVATE KEY-----\ns3cr3tAbCd\n-----END RSA PRIVATE KEY----- y",
    },
    Redaction {
        what: "cookie",
        pattern: r#"(?i)(?P<keep>\b(?:set-)?cookie2?s?["'\\]{0,3}[ \t]{0,3}[:=][ \t]{0,3})(?:\[(?:[^\]"\n]|"[^"\n]*")*\]?|\\?"[^"\n]*|'[^'\n]*|[^"'\[ \n][^\n]*)"#,
        is_secret: any,
        example: "Cookie: session=s3cr3tAbCd; theme=\"dark\"\nnext",
    },
    Redaction {
        what: "authorization header",
        pattern: r#"(?i)(?P<keep>\b(?:proxy-)?authorization["'\\]{0,3}[ \t]{0,3}[:=][ \t]{0,3}["'\\\[]{0,3})(?:(?:bearer|basic|digest|token|apikey|negotiate|aws4-hmac-sha256)[ :]{1,3})?(?P<value>(?:[^\s"',}\\]+(?:, ?[a-z]+=)?)+)"#,
        is_secret: any,
        example: r#"{"authorization":"Basic s3cr3tAbCd=="}"#,
    },
    Redaction {
        what: "credentials of an address",
        pattern: r#"(?P<keep>\b[a-zA-Z][a-zA-Z0-9+.-]{1,30}://)(?:[^\s/@:"'<>]*:[^\s"'<>]*|[^\s/"'<>?#]*)(?P<tail>@)"#,
        is_secret: any,
        example: "postgres://user:s3cr3tAbCd/x@host/db",
    },
    Redaction {
        what: "secret parameter of an address",
        pattern: r#"(?i)(?P<keep>[?&;#](?:[a-z0-9_.%-]{0,40}(?:key|token|secret|sig|signature|password|passwd|pwd|auth|credential|session|jwt|assertion|nonce)[a-z0-9_.%-]{0,20}|code|state|sid|x-amz-[a-z-]{1,30})=)[^\s&#"'<>]+"#,
        is_secret: any,
        example: "https://h/p?a=1&api_key=s3cr3tAbCd&b=2",
    },
    Redaction {
        what: "bearer or basic token",
        pattern: r#"(?i)(?P<keep>\b(?:bearer|basic)[ \t:]{1,3}["']?)(?P<value>[A-Za-z0-9._~+/=-]{6,})"#,
        is_secret: is_no_word,
        example: "sent Bearer s3cr3tAbCd here",
    },
    Redaction {
        what: "named secret in quotes",
        pattern: r#"(?i)(?P<keep>[a-z0-9_.-]{0,40}(?:password|passwd|pwd|passphrase|secret|api[ _-]?key|access[ _-]?key|private[ _-]?key|token|credentials?|signature|apikey)["'\\]{0,3}\s{0,3}(?::|=>?)\s{0,3}\\?)(?:"(?P<value>[^"\n]+)|'[^'\n]+)"#,
        is_secret: is_no_number,
        example: r#"{"client_secret": "s3cr3t with blanks"}"#,
    },
    Redaction {
        what: "password",
        pattern: r#"(?i)(?P<keep>(?:password|passwd|pwd|passphrase)["'\\`]{0,3}\s{0,3}(?::|=>?)\s{0,3}["'\\`(]{0,3})(?P<value>[^\s"'`,;&}<>()\[\]\\]{3,})"#,
        is_secret: is_other_than_a_word,
        example: "pwd: s3cr3t",
    },
    Redaction {
        what: "named secret",
        pattern: r#"(?i)(?P<keep>(?:password|passwd|pwd|passphrase|secret|key|token|credentials?|signature|apikey|csrf|xsrf)["'\\`]{0,3}\s{0,3}(?:provided|given|used|is|was)?\s{0,3}(?::|=>?)\s{0,3}["'\\`(]{0,3})(?P<value>[^\s"'`,;&}<>()\[\]\\]{4,})"#,
        is_secret: is_no_word,
        example: "password=s3cr3tAbCd",
    },
    Redaction {
        what: "value behind a word for a secret",
        pattern: r#"(?i)(?P<keep>\b(?:api[ _-]?keys?|keys?|tokens?|secrets?|passwords?|credentials?|authorization|apikey)\b["'`:=( ]{1,5}(?:is |was |provided |value |of )?["'`:=(]{0,3})(?P<value>[A-Za-z0-9._~+/=*-]{8,})"#,
        is_secret: is_token,
        example: "invalid key 's3cr3tAbCd01'",
    },
    Redaction {
        what: "value behind a Chinese word for a secret",
        pattern: r#"(?P<keep>(?:密钥|令牌|口令|密码|凭证)[为是]?["'`:：=（( ]{0,5})(?P<value>[A-Za-z0-9._~+/=*-]{6,})"#,
        is_secret: is_mixed,
        example: "密钥：s3cr3tAbCd01 无效",
    },
    Redaction {
        what: "name and password of a command",
        pattern: r#"(?P<keep>(?:^|\s)(?:-u|--user|--proxy-user)[ =]["']?[^\s:"']{1,80}:)(?P<value>[^\s"']+)"#,
        is_secret: any,
        example: "curl -u user:s3cr3tAbCd https://h/",
    },
];

/// Keys, whatever stands around them.
const KEYS: &[Redaction] = &[
    Redaction {
        what: "key of two parts",
        pattern: r"\b[0-9a-f]{32}\.[A-Za-z0-9]{8,}",
        is_secret: any,
        example: "0123456789abcdef0123456789abcdef.s3cr3tAbCd",
    },
    Redaction {
        what: "key with a known beginning",
        pattern: r"\b(?:(?:sk|pk|rk|ak|csk|sess|ops|lsv2|pcsk|fc|jina|tvly|pplx|nvapi|xai|glpat|xapp|xox[a-z]|pypi|tskey|sntrys|key|bedrock-api-key|AGE-SECRET-KEY)-[A-Za-z0-9_*.=+/-]{6,}|(?:sk|pk|rk|gh[a-z]|github_pat|gsk|hf|r8|fw|npm|dckr_pat|vck|tgp_v1|shp[a-z]{2}|whsec|glc|glsa|figd|ntn|secret|atlasv1|together|dop_v1|rpa|dapi|ABSK)_[A-Za-z0-9_*=+/-]{6,}|AIza[A-Za-z0-9_+/-]{10,}|ya29\.[A-Za-z0-9._-]{4,}|1//0[A-Za-z0-9_-]{6,}|(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{8,}|ABSK[A-Za-z0-9+/=]{16,}|dapi[0-9a-f]{16,}|SG\.[A-Za-z0-9._-]{8,}|eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,4})",
        is_secret: any,
        example: "Incorrect API key provided: sk-proj-s3cr3tAbCd.",
    },
    Redaction {
        what: "key with an unmistakable beginning, whatever it stands behind",
        pattern: r"(?:sk-(?:ant|proj|or|svcacct|admin|cp)-[A-Za-z0-9_-]{6,}|gh[oprsu]_[A-Za-z0-9]{12,}|github_pat_[A-Za-z0-9_]{12,}|AIza[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{8,}|glpat-[A-Za-z0-9_-]{8,}|gsk_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]{6,})",
        is_secret: any,
        example: "keysk-ant-s3cr3tAbCd",
    },
];

/// What may be a secret by its shape.
const SHAPED: &[Redaction] = &[
    Redaction {
        what: "e-mail address",
        pattern: r"[\w.%+'*=/-]+@[\w-]+(?:\.[\w-]+)+",
        is_secret: any,
        example: "account s3cr3t.user@example.co.uk is over",
    },
    Redaction {
        what: "long run of letters and digits",
        pattern: r"[A-Za-z0-9_=~-]{32,}|[A-Za-z0-9+/_=~-]{40,}",
        is_secret: is_mixed,
        example: "value s3cr3tAbCdEfGhIjKlMnOpQrStUvWxYz0123 here",
    },
];

fn any(_: &str) -> bool {
    true
}

/// Letters and digits, both, or letters of both cases in one long word.
fn is_mixed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let letters = has(u8::is_ascii_alphabetic);
    let cases = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    letters && (has(u8::is_ascii_digit) || (cases && value.len() >= 20))
}

/// Mixed, or longer than any word.
fn is_token(value: &str) -> bool {
    is_mixed(value) || (value.len() >= 20 && !value.contains(['_', '-', '.', '/']))
}

/// More than a few digits with separators, such as a count of tokens.
fn is_no_number(value: &str) -> bool {
    value.len() > 12
        || !value.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | '_' | ' ' | '/'))
}

/// Words that stand behind `bearer`, `token:` or `key:` and are no secrets.
const WORDS: &[&str] = &[
    "token",
    "tokens",
    "authentication",
    "authorization",
    "authorisation",
    "scheme",
    "header",
    "headers",
    "credentials",
    "expired",
    "invalid",
    "missing",
    "required",
    "failed",
    "error",
    "denied",
    "none",
    "null",
    "undefined",
    "true",
    "false",
    "count",
    "limit",
    "limits",
    "exceeded",
    "access",
    "password",
    "incorrect",
    "revoked",
    "unknown",
    "empty",
    "disabled",
    "rejected",
    "field",
    "value",
    "request",
    "plan",
    "tier",
    "redacted",
    "must",
    "expected",
    "usage",
];

/// Neither a number nor a word of [`WORDS`].
fn is_no_word(value: &str) -> bool {
    is_no_number(value) && is_other_than_a_word(value)
}

/// No word of [`WORDS`].
fn is_other_than_a_word(value: &str) -> bool {
    let bare = value.trim_end_matches(['.', ':', '!', '?', '-']);
    !WORDS.iter().any(|word| bare.eq_ignore_ascii_case(word))
}

type Compiled = Vec<(Regex, &'static Redaction)>;

static COMPILED: LazyLock<[Compiled; 3]> = LazyLock::new(|| {
    REDACTIONS
        .map(|rows| rows.iter().filter_map(|row| Some((pattern(row.pattern)?, row))).collect())
});

/// The text with every secret replaced by [`REDACTED`]; costs time linear in it.
///
/// Give it the whole text: a secret that was cut before may no longer look like one.
pub fn redact(text: &str) -> String {
    replaced(text, COMPILED.iter().flatten(), |_| true)
}

/// The text without its keys, whose letters spell words only by chance; linear.
///
/// What merely resembles a key, such as a long word in small letters, stays: it may speak of the error.
pub(super) fn without_keys(text: &str) -> String {
    let [_, keys, _] = &*COMPILED;
    replaced(text, keys.iter(), is_mixed)
}

/// The text with what `rows` find replaced, as far as `is_meant` agrees.
fn replaced<'r>(
    text: &str,
    rows: impl Iterator<Item = &'r (Regex, &'static Redaction)>,
    is_meant: fn(&str) -> bool,
) -> String {
    let mut text = text.to_owned();
    for (regex, row) in rows {
        let replace = |found: &Captures<'_>| {
            replacement(found, |value| is_meant(value) && (row.is_secret)(value))
        };
        if let std::borrow::Cow::Owned(replaced) = regex.replace_all(&text, replace) {
            text = replaced;
        }
    }
    text
}

fn replacement(found: &Captures<'_>, is_secret: impl Fn(&str) -> bool) -> String {
    let group = |name: &str| found.name(name).map(|group| group.as_str());
    let whole = found.get(0).map_or("", |group| group.as_str());
    let value = group("value").unwrap_or(whole);
    if value.trim_matches(['[', ']']) == "redacted" || !is_secret(value) {
        return whole.to_owned();
    }
    let (keep, tail) = (group("keep").unwrap_or_default(), group("tail").unwrap_or_default());
    format!("{keep}{REDACTED}{tail}")
}

/// What is redacted, in order, each with a text that holds one.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    REDACTIONS.iter().copied().flatten().map(|row| (row.what, row.example))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_redacts_its_example() {
        assert_eq!(COMPILED.iter().flatten().count(), kinds().count());
        for row in REDACTIONS.into_iter().flatten() {
            let out = redact(row.example);
            assert!(!out.contains("s3cr3t"), "{}: {out}", row.what);
            assert!(out.contains(REDACTED), "{}: {out}", row.what);
            assert_eq!(redact(&out), out, "{}", row.what);
        }
    }

    #[test]
    fn a_value_is_a_secret_by_its_letters_and_length() {
        for (before, value, is_secret) in [
            ("密码：", "AbcdefghijKlmnopqrs", false),
            ("密码：", "AbcdefghijKlmnopqrst", true),
            ("密码：", "abcdefghijklmnopqrst", false),
            ("密码：", "ABCDEFGHIJKLMNOPQRST", false),
            ("密码：", "123456", false),
            ("密码：", "a23456", true),
            ("the token ", "configuration", false),
            ("the token ", "abcdefghijklmnopqrs", false),
            ("the token ", "abcdefghijklmnopqrst", true),
            ("the token ", "of-the-second-account", false),
            ("the token ", "a2345678", true),
            ("token: ", "123456789012", false),
            ("token: ", "1234567890123", true),
            ("token: ", "a234", true),
            ("\"token\": \"", "1 234, 567_0", false),
            ("see ", "----------------------------------------", false),
            ("see ", "a_name_of_forty_letters_that_says_nothing", false),
            ("see ", "A_name_of_forty_letters_that_says_nothing", true),
            ("see ", "0123456789012345678901234567890123456789", false),
        ] {
            let text = format!("{before}{value}");
            let wanted = format!("{before}{}", if is_secret { REDACTED } else { value });
            assert_eq!(redact(&text), wanted);
        }
    }

    #[test]
    fn only_keys_go_before_words_are_read() {
        assert_eq!(without_keys("no sk-proj-aB3quotA9, ok"), format!("no {REDACTED}, ok"));
        for text in [
            "the key-rotation-is-due",
            "token: aB3quotA9",
            "GenerateRequestsPerMinutePerProjectPerModel",
        ] {
            assert_eq!(without_keys(text), text);
        }
    }

    #[test]
    fn what_an_error_needs_stays() {
        for text in [
            "prompt is too long: 213462 tokens > 200000 maximum",
            "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for claude-opus-4",
            "401 invalid x-api-key",
            "OAuth token has expired. Please obtain a new token or refresh your existing token.",
            "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29937.",
            "messages.208: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_x.",
            "https://platform.openai.com/account/rate-limits",
            "Basic authentication failed, bearer token missing",
            "{\"error\":{\"type\":\"authentication_error\",\"code\":\"invalid_api_key\"}}",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
