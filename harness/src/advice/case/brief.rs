//! A session, or a text alone, in one short line, for a table.

use engine::advisor::{Assistant, CompactReason, Ending, HostEvent, Message};

use crate::transcript::{Step, What};

/// The most characters of an error text.
const TEXT_MAX: usize = 16;

/// A wait that is worth telling, in milliseconds.
const WAIT_MIN_MS: u64 = 10_000;

/// The characters at either end of a text that stands alone.
const END_CHARS: usize = 52;

/// Both ends of a text, since what matters may stand at either.
pub(super) fn ends(text: &str) -> String {
    let count = text.chars().count();
    if count <= 2 * END_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(END_CHARS).collect();
    let tail: String = text.chars().skip(count - END_CHARS).collect();
    format!("{head} … {tail}")
}

/// What happens, step by step.
pub(super) fn steps(steps: &[Step]) -> String {
    let mut words = Vec::new();
    let mut now_ms = steps.first().map_or(0, |step| step.at_ms);
    for step in steps {
        let waited = step.at_ms.saturating_sub(now_ms);
        if waited >= WAIT_MIN_MS {
            words.push(format!("{} s", waited / 1000));
        }
        now_ms = step.at_ms;
        words.push(match &step.what {
            What::Event { event, .. } => happens(event),
            What::Request { messages, .. } => {
                let messages: Vec<&str> = messages.iter().map(message).collect();
                format!("request({})", messages.join(" "))
            }
        });
    }
    words.join(" → ")
}

fn happens(event: &HostEvent) -> String {
    match event {
        HostEvent::UserEnd => "user".to_owned(),
        HostEvent::AssistantEnd(answer) => answered(answer),
        HostEvent::BeforeCompact { reason, .. } => format!("compact for {}", of(*reason)),
        HostEvent::CompactAborted => "compaction stopped".to_owned(),
        HostEvent::Compacted { reason, .. } => format!("compacted for {}", of(*reason)),
        HostEvent::CompactFailed { reason, aborted, .. } => {
            let how = if *aborted { "stopped" } else { "failed" };
            format!("compaction for {} {how}", of(*reason))
        }
        HostEvent::Settled { aborted: true } => "stopped".to_owned(),
        HostEvent::Settled { aborted: false } => "settled".to_owned(),
        HostEvent::CommandEnd { error, .. } if error.is_empty() => "command".to_owned(),
        HostEvent::CommandEnd { .. } => "command failed".to_owned(),
        HostEvent::Reset => "session start".to_owned(),
    }
}

fn answered(answer: &Assistant) -> String {
    let mut shown: String = answer.error.chars().take(TEXT_MAX).collect();
    if shown.len() < answer.error.len() {
        shown.push('…');
    }
    match answer.ending {
        Ending::Error => format!("error({shown})"),
        ending => ending.name().to_owned(),
    }
}

fn of(reason: CompactReason) -> &'static str {
    match reason {
        CompactReason::Manual => "the user",
        CompactReason::Threshold => "its size",
        CompactReason::Overflow => "an overflow",
    }
}

fn message(message: &Message) -> &'static str {
    match message {
        Message::Assistant(answer) => answer.ending.name(),
        Message::Summary => "summary",
        Message::Other => "user",
    }
}
