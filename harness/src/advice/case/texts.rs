//! Error texts: real wordings in the wrappings that hosts and gateways give them, with payload digits, secrets and hostile tails.

use std::sync::OnceLock;

use corpus::Wording;
use engine::advisor::CLASSES;
use serde_json::json;

use super::{Bias, Meaning, Said, hostile, secrets};
use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;

/// Wraps a text; the second is a number that means nothing.
pub type Wrap = fn(&str, &str) -> String;

/// Ways in which an error is handed on; none of them changes what it says.
pub const WRAPPINGS: &[(&str, Wrap)] = &[
    ("prefix", |text, _| format!("LLM request failed: {text}")),
    ("twice prefixed", |text, _| format!("Error: Codex error: {text}")),
    ("request id", |text, n| format!("{text} (request id: req_{n}0050040{n})")),
    ("headers", |text, n| {
        format!(
            "{text} cf-ray: a2a{n}597813f94c-DUS, x-request-id: {n}e4290-0413-4529-9500-{n}413413413"
        )
    }),
    ("message", |text, n| {
        json!({"error": {"message": text, "request_id": format!("req_{n}500")}}).to_string()
    }),
    ("raw", |text, _| {
        json!({"error": {"message": "failed", "metadata": {"raw": text}}}).to_string()
    }),
    ("python", |text, _| {
        format!("litellm.APIException: {{'error': {{'message': {}, 'param': None}}}}", json!(text))
    }),
    ("lower case", |text, _| text.to_lowercase()),
    ("upper case", |text, _| text.to_uppercase()),
    ("line breaks", |text, _| text.replace(' ', "\n  ")),
    ("stack", |text, n| {
        format!(
            "{text}\n    at makeRequest (/$bunfs/root/cli.js:{n}:50)\n    at run (index.js:{n}:4)"
        )
    }),
    ("payload", |text, n| format!("{text} {{\"input\":{{\"limit\":{n},\"code\":{n}}}}}")),
    (CUT_OFF, |text, n| {
        format!(
            r#"{{"error":{{"message":{}}},"request":{{"limit":{n},"prompt":"{n} Too many requests, rate limit"#,
            json!(text)
        )
    }),
    (CUT_IN_QUOTES, |text, n| {
        format!(
            r#"{{"error":{{"message":{}}},"input":{{"code":{n},"text":"say "{n}", "b" rate limit "x" y, 401 unauthorized"#,
            json!(text)
        )
    }),
    ("trace", |text, n| format!("{text} trace_id={n}f{n}a0 elapsed_ms={n}")),
];

/// The wrapping whose end is lost: whatever came behind it would be part of what it quotes, or end that.
const CUT_OFF: &str = "cut off";

/// The same, with quotes in what it quotes that nobody escaped.
const CUT_IN_QUOTES: &str = "cut off in quotes";

/// Numbers that are statuses elsewhere, and one that is none.
const NUMBERS: &[&str] = &["429", "500", "503", "413", "401", "402"];
const HARMLESS: &str = "217";

/// Every wording of the corpus that means the same from every provider of a case.
fn wordings() -> &'static [Wording] {
    static WORDINGS: OnceLock<Vec<Wording>> = OnceLock::new();
    WORDINGS.get_or_init(|| {
        let all = corpus::wordings().expect("the corpus reads its own data");
        let special = |row: &Wording| {
            let mut others = all.iter().filter(|other| other.text == row.text);
            row.provider.is_none() && others.any(|other| other.provider.is_some())
        };
        all.iter().filter(|row| !special(row)).cloned().collect()
    })
}

/// Texts of hosts and commands that fail.
const PLAIN: &[&str] = &[
    "Summarization failed: fetch failed",
    "Auto-compaction failed",
    "Turn prefix summarization failed: 429 Too Many Requests",
    "Nothing to compact (session too small)",
    "ENOENT: no such file or directory, open '/x'",
    "Command failed with exit code 1",
];

/// What a failed request says, with how often.
const TEXTS: &[(&str, u32)] = &[
    ("real-wording", 20),
    ("rule-example", 6),
    ("type-alone", 2),
    ("no-text", 1),
    (MADE_UP, 0),
    ("host-text", 1),
];

/// A text without meaning; how often is the batch's to say.
const MADE_UP: &str = "made-up-text";

/// Texts and their wrappings, by name.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|row| row.0).chain(WRAPPINGS.iter().map(|row| row.0))
}

/// The text of a failed request.
pub(super) fn of_provider(source: &mut dyn Source, bias: &Bias) -> Said {
    let weigh = |(id, weight): &(&'static str, u32)| match *id {
        MADE_UP => (MADE_UP, bias.hostile),
        id => (id, *weight),
    };
    let rows: Vec<_> = TEXTS.iter().map(weigh).collect();
    let kind = source.weigh_rows(&rows);
    source.carry(TEXTS[kind].0);
    match kind {
        0 => wording(source, bias, |_| true),
        1 => example(source, bias),
        2 => bare_type(source, bias),
        3 => Said { text: String::new(), meaning: known("other", false), ..Said::default() },
        4 => made_up(source),
        _ => of_host(source, bias),
    }
}

/// The text of a request that did not fit.
pub(super) fn of_overflow(source: &mut dyn Source, bias: &Bias) -> Said {
    wording(source, bias, |row| row.class == "overflow")
}

/// The text of a failed command or compaction; what it means is the classifier's to say.
pub(super) fn of_host(source: &mut dyn Source, bias: &Bias) -> Said {
    let mut said = Said { text: (*source.pick(PLAIN)).to_owned(), ..Said::default() };
    said.twin.clone_from(&said.text);
    decorate(source, bias, &mut said);
    Said { meaning: None, ..said }
}

fn known(class: &str, exact: bool) -> Option<Meaning> {
    Some(Meaning { class: class.to_owned(), exact })
}

fn wording(source: &mut dyn Source, bias: &Bias, wanted: fn(&Wording) -> bool) -> Said {
    let rows: Vec<&Wording> = wordings().iter().filter(|row| wanted(row)).collect();
    let row = *source.pick(&rows);
    let mut said = Said {
        text: row.text.clone(),
        meaning: known(&row.class, row.also.is_empty()),
        twin: row.text.clone(),
        secrets: Vec::new(),
        provider: row.provider.clone(),
    };
    // What only its provider tells is told by the whole text.
    if row.provider.is_some() {
        return said;
    }
    wrap_up(source, bias, &mut said);
    said
}

/// An example of any rule, so that each is reached, however rare its wording.
fn example(source: &mut dyn Source, bias: &Bias) -> Said {
    let rules =
        CLASSES.iter().flat_map(|class| class.rules.iter().map(move |rule| (class.id, rule)));
    let rules: Vec<_> = rules.filter(|(_, rule)| !rule.examples.is_empty()).collect();
    let (class, rule) = *source.pick(&rules);
    let text = *source.pick(rule.examples);
    let mut said = Said {
        text: text.to_owned(),
        twin: text.to_owned(),
        meaning: known(class, true),
        ..Said::default()
    };
    wrap_up(source, bias, &mut said);
    said
}

/// An error of which only the type is telling.
fn bare_type(source: &mut dyn Source, bias: &Bias) -> Said {
    let kinds =
        CLASSES.iter().flat_map(|class| class.kinds.iter().map(move |row| (class.id, row.0)));
    let kinds: Vec<_> = kinds.collect();
    let (class, kind) = *source.pick(&kinds);
    let text = json!({"error": {"type": kind, "message": "It did not work."}}).to_string();
    let mut said =
        Said { twin: text.clone(), text, meaning: known(class, true), ..Said::default() };
    wrap_up(source, bias, &mut said);
    said
}

/// Up to two wrappings, then what stands behind them; behind a cut stands nothing.
fn wrap_up(source: &mut dyn Source, bias: &Bias, said: &mut Said) {
    for _ in 0..2 {
        if source.chance(bias.wraps, 16) && [CUT_OFF, CUT_IN_QUOTES].contains(&wrap(source, said)) {
            return;
        }
    }
    decorate(source, bias, said);
}

/// Wraps a text, and says how.
fn wrap(source: &mut dyn Source, said: &mut Said) -> &'static str {
    let (id, wrap) = *source.pick_row(WRAPPINGS, |row| row.0);
    source.carry(id);
    let number = *source.pick(NUMBERS);
    said.text = wrap(&said.text, number);
    said.twin = wrap(&said.twin, HARMLESS);
    inexact(said);
    id
}

/// A finer class may be lost; what it means for a retry may not.
fn inexact(said: &mut Said) {
    if let Some(meaning) = &mut said.meaning {
        meaning.exact = false;
    }
}

/// Puts secrets and hostile pieces behind a text, or much of nothing.
fn decorate(source: &mut dyn Source, bias: &Bias, said: &mut Said) {
    let mut tail = String::new();
    for _ in 0..2 {
        if source.chance(bias.secrets, 16) {
            let planted = secrets::draw(source);
            tail.push(*source.pick(&[' ', '\n']));
            tail.push_str(&planted.text);
            said.secrets.push(planted.secret);
        }
    }
    if source.chance(bias.hostile, 16) {
        let pieces = hostile::tail(source);
        tail.push_str(&pieces);
        if source.chance(1, 24) {
            tail.push_str(&hostile::fill(source, &pieces));
        }
    }
    if !tail.is_empty() {
        said.text.push_str(&tail);
        said.twin.push_str(&tail);
        inexact(said);
    }
}

fn made_up(source: &mut dyn Source) -> Said {
    let mut said = Said { text: hostile::whole(source), ..Said::default() };
    if source.chance(1, 3) {
        let planted = secrets::draw(source);
        said.text = format!("{}\n{}", planted.text, said.text);
        said.secrets.push(planted.secret);
    }
    said.twin.clone_from(&said.text);
    said
}
