//! `pi-repair advise`: what a provider's error means, and what the model would be told.

use std::path::PathBuf;
use std::process::ExitCode;

use engine::advisor::{
    Advisor, AdvisorContext, Assistant, Classified, Ending, ErrorFacts, Message, Model, Note,
    classify,
};
use harness::transcript::{Answer, Transcript, What};
use serde_json::{Value, json};

use super::files;
use super::out::{self, BAD, DIM, FAIR, Failure, GOOD, HEAD, styled};

/// Say what a provider's error means, and what the model would be told
///
/// The file is one error text as it came, or a transcript: steps as JSON, the format of
/// `corpus/data/transcripts/README.md`, or a session file. For a text it prints the class, the rule
/// and who words it so, what was read out of it, and the note. For a transcript it prints every
/// warning and every note, request by request.
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
  pi-repair advise --json error.txt | jq .class

Classes: overflow (shorten the context), transient (retry), fatal (retrying does not help).
Status: 0, or 1 if a transcript names its notes and others came.";

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let text = files::read(&args.file)?;
    if text.trim().is_empty() {
        let file = args.file.display();
        return Err(Failure(format!("{file}: is empty; give an error text or a transcript")));
    }
    if is_transcript(&text) {
        return transcript(args, &text);
    }
    let text = text.trim_end_matches(['\n', '\r']);
    let facts =
        ErrorFacts { status: args.status, provider: args.provider.as_deref(), now_ms: None };
    let found = classify(text, &facts);
    let note = note_of(text, args);
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
fn note_of(text: &str, args: &Args) -> Option<Note> {
    let model = args.provider.clone().map(|provider| Model { provider, id: String::new() });
    let failed = Assistant {
        ending: Ending::Error,
        error: text.to_owned(),
        status: args.status,
        model,
        ..Assistant::default()
    };
    let messages = [Message::Assistant(failed), Message::Other];
    Advisor::new().notes(&messages, &AdvisorContext::default()).pop()
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
    let file = args.file.display();
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
    let note = |note: &Note| {
        json!({
            "kind": note.kind.name(),
            "class": note.class.map(|(class, _)| class),
            "rule": note.class.map(|(_, rule)| rule),
            "says_retry": note.says_retry,
            "facts": note.facts,
            "advice": note.advice,
            "quote": note.quote,
            "text": note.text,
        })
    };
    json!({
        "step": answer.step,
        "warning": answer.warning.as_ref().map(|warning| warning.text.clone()),
        "notes": answer.notes.iter().map(note).collect::<Vec<_>>(),
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
