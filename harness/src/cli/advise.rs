//! `pi-repair advise`: what a provider's error means, and what the model would be told.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use engine::advisor::{
    Advisor, AdvisorContext, Assistant, Classified, Ending, ErrorFacts, Message, Model, Note,
    classify,
};
use engine::telemetry::day_named;
use harness::transcript::{Answer, Transcript, What, note_json};
use serde_json::{Value, json};

use super::files;
use super::out::{self, BAD, DIM, FAIR, Failure, GOOD, HEAD, styled};

/// Say what a provider's error means, and what the model would be told
///
/// The file is one error text as it came, or a transcript: steps as JSON, the format of
/// `corpus/data/transcripts/README.md`, or a session file. For a text it prints the class with its
/// consequence, the rule and who words it so, what was read out of it, and the note that the model
/// would get with its next request. For a transcript it prints every warning and every note,
/// request by request.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A file with an error text or a transcript; `-` is standard input
    file: PathBuf,
    /// The provider's id, such as cerebras; some errors say too little without it
    #[arg(long)]
    provider: Option<String>,
    /// The HTTP status, if it does not stand in the text
    #[arg(long)]
    status: Option<u16>,
    /// When the error came, RFC 3339 or milliseconds since 1970; without it, now. A transcript has a
    /// clock of its own
    #[arg(long, value_name = "TIME", value_parser = instant)]
    now: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  echo '429 Rate limit reached. Please try again in 20s.' | pi-repair advise -
      class throttle: transient, wait 20 s, the note says to retry
  pi-repair advise --provider cerebras error.txt
      a text that means something else at one provider
  pi-repair advise corpus/data/transcripts/overflow-twice.json
      a session with every note it gives
  pi-repair advise --now 2026-01-15T00:00:00Z --json error.txt | jq .class
      the same on any day: how long until a limit resets depends on the clock

Consequences, in brackets behind the class:
  overflow   the conversation is too long for the model; only a shorter one succeeds
  transient  nothing was wrong with the request; the same one may succeed later
  fatal      repeating the same request does not help; somebody has to change something first

Exit status: 0 for a text, whatever it means; for a transcript 0, or 1 if it says which notes must
come and others came; 2 if the file cannot be read, is empty, or is a transcript with a broken step.";

/// A point in time, in milliseconds since 1970.
fn instant(text: &str) -> Result<u64, String> {
    if let Ok(ms) = text.parse() {
        return Ok(ms);
    }
    let wrong = "write a time as 2026-01-15T03:08:09Z or in milliseconds since 1970";
    rfc3339(text).ok_or_else(|| wrong.to_owned())
}

fn rfc3339(text: &str) -> Option<u64> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at_checked(zone)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let pair = |text: &str, most: i64| {
        let number = text.parse().ok().filter(|number: &i64| (0..most).contains(number));
        number.filter(|_| text.len() == 2)
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return None };
    let seconds = (pair(hour, 24)? * 60 + pair(minute, 60)?) * 60 + pair(second, 61)?;
    let east = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign, offset) => {
            let (hours, minutes) = offset.split_once(':')?;
            let east = (pair(hours, 24)? * 60 + pair(minutes, 60)?) * 60;
            if sign == "-" { -east } else { east }
        }
    };
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit()) && !fraction.is_empty();
    let ms: i64 = format!("{fraction:0<3}").get(..3).filter(|_| digits)?.parse().ok()?;
    let day = i64::try_from(day_named(date)?).ok()?;
    u64::try_from((day * 86_400 + seconds - east) * 1000 + ms).ok()
}

fn system_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let text = files::read(&args.file)?;
    if text.trim().is_empty() {
        let file = files::name(&args.file);
        return Err(Failure(format!("{file}: is empty; give an error text or a transcript")));
    }
    if is_transcript(&text) {
        return transcript(args, &text);
    }
    let text = text.trim_end_matches(['\n', '\r']);
    let now = args.now.unwrap_or_else(system_ms);
    let facts =
        ErrorFacts { status: args.status, provider: args.provider.as_deref(), now_ms: Some(now) };
    let found = classify(text, &facts);
    let note = note_of(text, args, now);
    if args.json {
        out::say_json(&text_json(&found, note.as_ref()))?;
    } else {
        out::say(&text_page(&found, note.as_ref()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a text is a transcript: JSON whose first step names an event, or a list of steps.
fn is_transcript(text: &str) -> bool {
    let is_step = |value: &Value| {
        let named = |name: &str| value.get(name).is_some_and(Value::is_string);
        named("event")
            || (named("type")
                && (named("timestamp")
                    || value.get("message").is_some_and(|m| m.get("role").is_some())))
    };
    if let Ok(whole) = serde_json::from_str::<Value>(text) {
        let first = whole.as_array().and_then(|steps| steps.first());
        return whole.get("steps").is_some_and(Value::is_array) || is_step(first.unwrap_or(&whole));
    }
    let first = text.lines().find(|line| !line.trim().is_empty());
    first
        .and_then(|line| serde_json::from_str::<Value>(line).ok())
        .is_some_and(|step| is_step(&step))
}

/// The note that the next request would get after this failure.
fn note_of(text: &str, args: &Args, now_ms: u64) -> Option<Note> {
    let model = args.provider.clone().map(|provider| Model { provider, id: String::new() });
    let failed = Assistant {
        ending: Ending::Error,
        error: text.to_owned(),
        status: args.status,
        model,
        at_ms: now_ms,
        ..Assistant::default()
    };
    let messages = [Message::Assistant(failed), Message::Other];
    let context = AdvisorContext { now_ms, ..AdvisorContext::default() };
    Advisor::new().notes(&messages, &context).pop()
}

fn facts_of(found: &Classified) -> Value {
    let details = &found.details;
    let wait = details.wait.as_ref();
    json!({
        "status": details.status,
        "wait_ms": wait.and_then(|wait| wait.after_ms),
        "reset_ms": wait.and_then(|wait| wait.at_ms),
        "reset_words": wait.and_then(|wait| wait.words.clone()),
        "limit_tokens": details.limit_tokens,
        "request_tokens": details.request_tokens,
    })
}

fn text_json(found: &Classified, note: Option<&Note>) -> Value {
    json!({
        "class": found.class.id,
        "consequence": found.class.consequence.name(),
        "rule": found.rule,
        "source": found.source,
        "facts": facts_of(found),
        "note_says_retry": found.class.note_says_retry,
        "note": note.map(|note| note.text.clone()),
    })
}

fn text_page(found: &Classified, note: Option<&Note>) -> String {
    let style = match found.class.consequence.name() {
        "transient" => GOOD,
        "overflow" => FAIR,
        _ => BAD,
    };
    let mut lines = vec![
        format!(
            "{}  {}: {}",
            styled(HEAD, "class"),
            styled(style, format!("{} ({})", found.class.id, found.class.consequence.name())),
            found.class.says
        ),
        format!("{}    {}: {}", styled(HEAD, "why"), found.rule, found.source),
    ];
    if let Value::Object(facts) = facts_of(found) {
        let known = facts.iter().filter(|(_, value)| !value.is_null());
        lines.extend(
            known.map(|(name, value)| format!("{}   {name} {value}", styled(HEAD, "fact"))),
        );
    }
    if let Some(note) = note {
        lines.push(styled(HEAD, "the model reads"));
        lines.push(note.text.clone());
    }
    lines.join("\n")
}

fn transcript(args: &Args, text: &str) -> Result<ExitCode, Failure> {
    let file = files::name(&args.file);
    let transcript =
        Transcript::parse(text).map_err(|error| Failure(format!("{file}: {error}")))?;
    let answers = transcript.run(Advisor::new());
    let differences = transcript.differences(&answers);
    if args.json {
        let list: Vec<Value> = answers.iter().map(answer_json).collect();
        out::say_json(
            &json!({ "about": transcript.about, "answers": list, "differences": differences }),
        )?;
    } else {
        let mut page: Vec<String> = answers.iter().map(answer_page).collect();
        page.extend(differences.iter().map(|line| styled(BAD, line)));
        if !transcript.about.is_empty() {
            page.insert(0, styled(DIM, &transcript.about));
        }
        out::say(&page.join("\n"))?;
    }
    Ok(ExitCode::from(u8::from(!differences.is_empty())))
}

fn answer_json(answer: &Answer<'_>) -> Value {
    json!({
        "step": answer.step,
        "warning": answer.warning.as_ref().map(|warning| warning.text.clone()),
        "notes": answer.notes.iter().map(note_json).collect::<Vec<_>>(),
    })
}

fn answer_page(answer: &Answer<'_>) -> String {
    let mut lines = Vec::new();
    if let Some(warning) = &answer.warning {
        let label = styled(FAIR, "the user is warned");
        lines.push(format!("step {}: {label}: {}", answer.step, warning.text));
    }
    if let What::Request { messages, .. } = answer.what {
        let count = match answer.notes.len() {
            0 => styled(DIM, "no note"),
            1 => styled(HEAD, "one note"),
            more => styled(HEAD, format!("{more} notes")),
        };
        lines.push(format!(
            "step {}: request with {} messages, {count}",
            answer.step,
            messages.len()
        ));
    }
    lines.extend(answer.notes.iter().map(|note| note.text.clone()));
    lines.join("\n")
}
