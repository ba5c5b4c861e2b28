//! Secrets as services hand them out, drawn from the public descriptions of their form, and the places they are found in.

use crate::source::{Choose, Seeded, Source};

const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const WORD: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const URL: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
const BASE64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";

/// A kind of secret: what it begins with, its letters, how many of them, and what it ends with.
type Shape = (&'static str, &'static str, u32, &'static str);

/// Secrets that can be told by their form, wherever they stand.
const TELLING: &[Shape] = &[
    ("sk-", WORD, 48, ""),
    ("sk-proj-", URL, 156, ""),
    ("sk-svcacct-", URL, 120, ""),
    ("sk-ant-api03-", URL, 93, "AA"),
    ("sk-ant-oat01-", URL, 93, "AA"),
    ("sk-or-v1-", HEX, 64, ""),
    ("sk-", HEX, 32, ""),
    ("sk-lf-", HEX, 32, ""),
    ("AIzaSy", URL, 33, ""),
    ("ya29.a0", URL, 120, ""),
    ("1//0g", URL, 90, ""),
    ("GOCSPX-", URL, 28, ""),
    ("AKIA", UPPER, 16, ""),
    ("ASIA", UPPER, 16, ""),
    ("ABSK", BASE64, 100, "="),
    ("ghp_", WORD, 36, ""),
    ("gho_", WORD, 36, ""),
    ("ghu_", WORD, 36, ""),
    ("github_pat_", WORD, 82, ""),
    ("glpat-", URL, 20, ""),
    ("xoxb-", DIGITS, 12, "-abcdefghIJKL"),
    ("xapp-1-", UPPER, 40, ""),
    ("sk_live_", WORD, 24, ""),
    ("rk_test_", WORD, 24, ""),
    ("whsec_", WORD, 32, ""),
    ("hf_", WORD, 34, ""),
    ("gsk_", WORD, 52, ""),
    ("xai-", WORD, 80, ""),
    ("pplx-", WORD, 48, ""),
    ("r8_", WORD, 37, ""),
    ("npm_", WORD, 36, ""),
    ("pypi-AgEIcHlwaS5vcmc", URL, 120, ""),
    ("SG.", URL, 22, ""),
    ("dop_v1_", HEX, 64, ""),
    ("nvapi-", URL, 64, ""),
    ("csk-", WORD, 48, ""),
    ("fw_", WORD, 24, ""),
    ("tgp_v1_", URL, 43, ""),
    ("dapi", HEX, 32, "-2"),
    ("lsv2_pt_", HEX, 32, ""),
    ("pcsk_", WORD, 60, ""),
    ("vck_", WORD, 50, ""),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI", URL, 60, ""),
    ("", HEX, 32, ""),
    ("", HEX, 64, ""),
    ("", WORD, 43, ""),
];

/// Secrets that only their place tells.
const OPAQUE: &[Shape] = &[
    ("", WORD, 16, ""),
    ("", HEX, 20, ""),
    ("", BASE64, 40, ""),
    ("", URL, 24, ""),
    ("", WORD, 64, "=="),
    ("", BASE64, 24, "=="),
];

/// Places where any secret is told by the words around it; `@` is its place.
const NAMED: &[&str] = &[
    "request headers: {\"Authorization\": \"Bearer @\", \"accept\": \"*/*\"}",
    "request headers: {'authorization': 'Bearer @'}",
    "authorization: Basic @",
    "Authorization: Bearer @\nhost: example.com",
    "-H 'x-api-key: @' -H 'accept: */*'",
    "x-goog-api-key: @",
    "\"api-key\": \"@\"",
    "{\\\"api_key\\\": \\\"@\\\"}",
    "{\"apiKey\":\"@\"}",
    "Cookie: session=@; theme=dark",
    "set-cookie: __cf_bm=@; path=/; HttpOnly; Secure",
    "to https://user:@@example.com/v1/messages",
    "to wss://token@host.example.com",
    "at https://example.com/v1/models?key=@&alt=sse",
    "at https://example.com/v1?access_token=@",
    "at https://bucket.example.com/o?X-Amz-Credential=@&X-Amz-Expires=60",
    "OPENAI_API_KEY=@",
    "export ANTHROPIC_AUTH_TOKEN=@",
    "aws_secret_access_key = @",
    "\"refresh_token\": \"@\"",
    "client_secret: @",
    "password=@",
    "with bearer @",
    "-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\\n@\\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\n@",
];

/// Places that tell nothing.
const BARE: &[&str] =
    &["@", "(@)", "sent @ there", "\"@\"", "'@'", "<@>", "[@]", "a=@;", "`@`", "{\"x\":\"@\"}"];

/// A secret, and a text with it.
pub(super) struct Planted {
    pub(super) secret: String,
    pub(super) text: String,
}

/// One secret somewhere.
pub(super) fn draw(source: &mut dyn Source) -> Planted {
    let (shapes, places) = match source.weighted(&[6, 4, 4, 1]) {
        0 => (TELLING, BARE),
        1 => (TELLING, NAMED),
        2 => (OPAQUE, NAMED),
        _ => return address(source),
    };
    let (before, letters, count, after) = *source.pick(shapes);
    let secret = letters_of(source, letters, count);
    let place = *source.pick(places);
    let whole = format!("{before}{secret}{after}");
    // In an address, a slash would be the path.
    let whole = if place.contains("://") { whole.replace(['/', '+'], "x") } else { whole };
    let secret = if place.contains("://") { secret.replace(['/', '+'], "x") } else { secret };
    let text = place.replacen("@@", &format!("{whole}\u{1}"), 1);
    let text = match text.contains('\u{1}') {
        true => text.replace('\u{1}', "@"),
        false if place.starts_with("to wss") => place.replacen("token", &whole, 1),
        false => text.replacen('@', &whole, 1),
    };
    Planted { secret, text }
}

/// An e-mail address.
fn address(source: &mut dyn Source) -> Planted {
    let secret = letters_of(source, &WORD[..26], 14);
    let text = format!(
        "{}{secret}@{}",
        source.pick(&["account ", "<", "user:", "mailto:"]),
        source.pick(&["example.com>", "mail.example.co.uk", "corp.example.com."]),
    );
    Planted { secret, text }
}

/// Random letters from one choice, so that a case with secrets still shrinks.
fn letters_of(source: &mut dyn Source, letters: &str, count: u32) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let mut dice = Seeded::new(0x005e_c2e7, u64::from(source.below(1 << 20)));
    (0..count).map(|_| *dice.pick(&letters)).collect()
}
