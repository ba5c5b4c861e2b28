//! The classifier beside the host's, release by release: every difference has a row that says who is right.

use std::collections::BTreeMap;

use engine::advisor::{Consequence, ErrorFacts, classify};
use serde_json::Value;

/// Why we and the host differ on some texts, and who is right.
struct Difference {
    id: &'static str,
    right: &'static str,
    why: &'static str,
    texts: &'static [&'static str],
}

const DIFFERENCES: &[Difference] = &[
    Difference {
        id: "throttle-in-tokens",
        right: "ours",
        why: "a limit on tokens in a time is a throttle, however large the number; the host compacts, or gives up",
        texts: &[
            "ThrottlingException: Too many tokens, please wait before trying again.",
            "Throttling error: Too many tokens, please wait",
        ],
    },
    Difference {
        id: "digits-are-no-status",
        right: "ours",
        why: "the digits stand inside an id or a value; the host reads them as a status until 1.3.0",
        texts: &["request id req_1429500abc failed validation", "invalid value 5000"],
    },
    Difference {
        id: "usage-wall",
        right: "ours",
        why: "z.ai's code 1308 is a limit of hours, not a rate; the host retries it until 1.3.0",
        texts: &[r#"429 {"error":{"code":"1308","message":"limit"}}"#],
    },
    Difference {
        id: "silent-status",
        right: "ours",
        why: "without a body, a 400 means an overflow at Cerebras only, and a 413 everywhere; the host takes a 400 \
              from anyone until 0.85.1, and a 413 from Cerebras only until 1.3.0",
        texts: &["400 status code (no body)", "413 (no body)"],
    },
    Difference {
        id: "overflow-learned-later",
        right: "ours",
        why: "an overflow that the host knows in 1.6.0, and takes for fatal before",
        texts: &[
            "litellm.ContextWindowExceededError: Context Window exceeded for given call.",
            r#"{"code":"1261","message":"Prompt too long"}"#,
            r#"{"code":"1261","message":"Prompt exceeds max length"}"#,
            "Range of input length should be [1, 98304]",
            "413 Payload Too Large",
            r#"github-copilot API error (413): {"message":"failed to parse request","code":""}"#,
        ],
    },
    Difference {
        id: "transient-learned-later",
        right: "ours",
        why: "a failure of server or network that the host retries in 1.6.0, and gives up on before",
        texts: &[
            "520",
            "The service is temporarily unavailable",
            "read ECONNRESET",
            "connect ETIMEDOUT 1.2.3.4:443",
            "getaddrinfo ENOTFOUND api.example.com",
            "Connection closed.",
            "stream disconnected before completion",
            "The upstream provider returned an error",
            "server_busy",
            "model is at capacity",
        ],
    },
];

/// What the host does, in our words; its rule for one provider counts for that provider only.
fn consequence(host: &str, provider: &str) -> Consequence {
    match host {
        "overflow" => Consequence::Overflow,
        "retryable" => Consequence::Transient,
        "overflow-if-cerebras" if provider == "cerebras" => Consequence::Overflow,
        _ => Consequence::Fatal,
    }
}

fn rows() -> Vec<(String, Vec<(String, String)>)> {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = file.join("../corpus/data/host/error-classes.jsonl");
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}"));
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}"));
        let text = row["text"].as_str().unwrap_or_default().to_owned();
        let host = row["host"].as_object().into_iter().flatten();
        let host = host
            .map(|(release, seen)| (release.clone(), seen.as_str().unwrap_or_default().to_owned()));
        (text, host.collect())
    };
    text.lines().map(read).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is what this test is for")]
fn every_difference_to_the_host_has_its_reason() {
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differing: BTreeMap<String, usize> = BTreeMap::new();
    let mut open = Vec::new();
    let rows = rows();
    for provider in ["", "cerebras"] {
        println!("provider: {}", if provider.is_empty() { "any" } else { provider });
        println!("{:<10} {:<24} {:<38} who is right", "ours", "rule", "host, where it differs");
        for (text, host) in &rows {
            let facts = ErrorFacts { provider: Some(provider), ..ErrorFacts::default() };
            let ours = classify(text, &facts);
            let other = host
                .iter()
                .filter(|(_, seen)| consequence(seen, provider) != ours.class.consequence);
            let other: Vec<&str> = other.map(|(release, _)| release.as_str()).collect();
            for release in &other {
                *differing.entry((*release).to_owned()).or_default() += 1;
            }
            let row = DIFFERENCES.iter().find(|row| row.texts.contains(&text.as_str()));
            let said = match (row, other.is_empty()) {
                (_, true) => "both".to_owned(),
                (Some(row), false) => format!("{} ({})", row.right, row.id),
                (None, false) => {
                    open.push(format!("{provider} {}: {text}, unlike {other:?}", ours.rule));
                    "?".to_owned()
                }
            };
            if let (Some(row), false) = (row, other.is_empty()) {
                *used.entry(row.id).or_default() += 1;
            }
            println!(
                "{:<10} {:<24} {:<38} {said:<34} {text}",
                ours.class.consequence.name(),
                ours.rule,
                range(&other)
            );
        }
    }
    for row in DIFFERENCES {
        println!("{}: {} right, {}", row.id, row.right, row.why);
        assert!(used.contains_key(row.id), "`{}` explains nothing", row.id);
    }
    println!("texts on which each release differs, of {}: {differing:?}", 2 * rows.len());
    assert!(open.is_empty(), "{}", open.join("\n"));
    assert_eq!(rows.len(), 82);
}

/// A list of releases, from the first to the last.
fn range(releases: &[&str]) -> String {
    match releases {
        [] => "-".to_owned(),
        [one] => (*one).to_owned(),
        [first, .., last] => format!("{first} … {last} ({})", releases.len()),
    }
}
