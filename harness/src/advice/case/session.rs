//! Sessions: every order of events that the host is known to send, mixed, interrupted, and with orders that it never sends.

use engine::advisor::{Assistant, CompactReason, Ending, HostEvent, Message, Model, Usage};

use super::{Bias, Case, Said, texts};
use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;
use crate::transcript::{Step, What};

/// The clock at the start: before every date that a wording names.
const START_MS: u64 = 1_750_000_000_000;

/// Jumps of the clock, in milliseconds: around the age at which a failure is stale, and far beyond.
const JUMPS: &[u64] = &[900_000, 901_000, 86_400_000, 899_990, 60_000];

/// What a session is made of, with how often.
const SCENARIOS: &[(&str, u32)] = &[
    ("retries-spent", 6),
    ("nothing-to-compact", 3),
    ("answered", 1),
    ("retry-succeeds", 1),
    ("overflow-mended", 5),
    ("overflow", 3),
    ("overflow-twice", 4),
    ("cancelled", 2),
    ("abort-in-compaction", 2),
    ("abort-in-answer", 1),
    ("abort-in-backoff", 2),
    ("truncated", 3),
    ("without-output", 2),
    ("silent-overflow", 1),
    ("compaction-by-hand", 1),
    ("compaction-by-size", 2),
    ("turn", 2),
    ("command", 3),
    (RAW, 0),
];

/// Events that no host sends in this order; how often is the batch's to say.
const RAW: &str = "raw-events";

/// What a session is made of, by name.
pub(super) fn scenarios() -> impl Iterator<Item = &'static str> {
    SCENARIOS.iter().map(|row| row.0)
}

const MODELS: &[(&str, &str)] = &[
    ("anthropic", "claude-x"),
    ("openai", "gpt-5"),
    ("openrouter", "claude-x"),
    ("local", "a`b\u{202e}\n[pi-repair note]"),
];

/// A host that tells what it does.
struct Host<'s> {
    source: &'s mut dyn Source,
    bias: Bias,
    case: Case,
    now_ms: u64,
    context: Vec<Message>,
    model: Model,
}

/// Draws a session.
pub(super) fn draw(source: &mut dyn Source, bias: &Bias) -> Case {
    let mut host = Host {
        source,
        bias: *bias,
        case: Case::default(),
        now_ms: START_MS,
        context: Vec::new(),
        model: model(0),
    };
    let count = host.source.range(1, 4);
    for _ in 0..count {
        host.scenario();
    }
    host.prompt();
    host.request();
    host.case
}

/// A session in which this text is heard, once or several times.
pub(super) fn failing(source: &mut dyn Source, mut said: Said) -> Case {
    if source.chance(1, 4) {
        let planted = super::secrets::draw(&mut *source);
        said.text = format!("{}\n{}", planted.text, said.text);
        said.secrets.push(planted.secret);
        said.twin.clone_from(&said.text);
    }
    let mut host = Host {
        source,
        bias: Bias::default(),
        case: Case::default(),
        now_ms: START_MS,
        context: Vec::new(),
        model: model(0),
    };
    host.prompt();
    match host.source.below(8) {
        6 => {
            host.answer(Ending::Error, Some(said.clone()), None);
            host.before(CompactReason::Overflow);
            let (reason, error) = (CompactReason::Overflow, said.text.clone());
            host.push(HostEvent::CompactFailed { reason, aborted: false, error });
        }
        7 => {
            let (name, error) = ("deploy".to_owned(), said.text.clone());
            host.push(HostEvent::CommandEnd { name, error });
        }
        times => {
            for _ in 0..=times / 4 {
                host.answer(Ending::Error, Some(said.clone()), None);
            }
        }
    }
    host.keep(said);
    host.settle();
    host.prompt();
    host.request();
    host.case
}

fn model(index: usize) -> Model {
    let (provider, id) = MODELS[index];
    Model { provider: provider.to_owned(), id: id.to_owned() }
}

impl Host<'_> {
    fn scenario(&mut self) {
        let weigh = |(id, weight): &(&'static str, u32)| match *id {
            RAW => (RAW, self.bias.raw),
            id => (id, *weight),
        };
        let rows: Vec<_> = SCENARIOS.iter().map(weigh).collect();
        let scenario = self.source.weigh_rows(&rows);
        self.source.carry(SCENARIOS[scenario].0);
        match scenario {
            0 => self.retries_spent(),
            1 => self.nothing_to_compact(),
            2 => self.answered(),
            3 => self.retry_succeeds(),
            4 => self.overflow(true),
            5 => self.overflow(false),
            6 => self.overflow_twice(),
            7 => self.cancelled(),
            8 => self.abort_in_compaction(),
            9 => self.abort_in_answer(),
            10 => self.abort_in_backoff(),
            11 => self.truncated(),
            12 => self.without_output(),
            13 => self.silent_overflow(),
            14 => self.compaction(CompactReason::Manual),
            15 => self.compaction(CompactReason::Threshold),
            16 => self.turn(),
            17 => self.command(),
            _ => self.raw(),
        }
    }

    fn push(&mut self, event: HostEvent) {
        self.case
            .steps
            .push(Step { at_ms: self.now_ms, what: What::Event { event, warns: false } });
        self.now_ms += 4;
        if self.source.chance(self.bias.aborts, 48) {
            let event = match self.source.below(3) {
                0 => HostEvent::Settled { aborted: true },
                1 => HostEvent::CompactAborted,
                _ => {
                    let reason = CompactReason::Overflow;
                    HostEvent::CompactFailed { reason, aborted: true, error: String::new() }
                }
            };
            self.case
                .steps
                .push(Step { at_ms: self.now_ms, what: What::Event { event, warns: false } });
        }
        if self.source.chance(self.bias.raw, 64) {
            self.raw_event();
        }
    }

    fn request(&mut self) {
        self.request_with(self.context.clone());
    }

    fn request_with(&mut self, messages: Vec<Message>) {
        let model = Some(self.model.clone()).filter(|_| !self.source.chance(1, 16));
        self.case.steps.push(Step {
            at_ms: self.now_ms,
            what: What::Request { messages, model, notes: None },
        });
        self.now_ms += 4;
    }

    fn prompt(&mut self) {
        if self.source.chance(1, 2) {
            self.turn();
        }
        self.push(HostEvent::UserEnd);
        self.context.push(Message::Other);
    }

    fn keep(&mut self, said: Said) -> String {
        let text = said.text.clone();
        if self.case.about(&text).is_none() {
            self.case.said.push(said);
        }
        text
    }

    /// An answer is heard and stands in the context.
    fn answer(&mut self, ending: Ending, said: Option<Said>, usage: Option<Usage>) -> Assistant {
        let mut model = self.model.clone();
        let special = said.as_ref().is_some_and(|said| said.provider.is_some());
        if let Some(provider) = said.as_ref().and_then(|said| said.provider.clone()) {
            model.provider = provider;
        }
        let made_up = said.as_ref().is_some_and(|said| said.meaning.is_none());
        let answer = Assistant {
            ending,
            error: said.map(|said| self.keep(said)).unwrap_or_default(),
            status: made_up.then(|| *self.source.pick(&[None, Some(503), Some(400)])).flatten(),
            model: Some(model).filter(|_| special || !self.source.chance(1, 16)),
            at_ms: if self.source.chance(1, 12) { 0 } else { self.now_ms },
            usage,
        };
        self.context.push(Message::Assistant(answer.clone()));
        self.push(HostEvent::AssistantEnd(answer.clone()));
        answer
    }

    fn fail(&mut self) {
        let bias = self.bias;
        let said = texts::of_provider(self.source, &bias);
        self.answer(Ending::Error, Some(said), None);
    }

    fn overflows(&mut self) {
        let bias = self.bias;
        // The host mistakes some other failures for an overflow.
        let said = if self.source.chance(1, 4) {
            texts::of_provider(self.source, &bias)
        } else {
            texts::of_overflow(self.source, &bias)
        };
        self.answer(Ending::Error, Some(said), None);
    }

    fn settle(&mut self) {
        self.push(HostEvent::Settled { aborted: false });
    }

    fn before(&mut self, reason: CompactReason) {
        self.push(HostEvent::BeforeCompact {
            reason,
            will_retry: reason == CompactReason::Overflow,
        });
    }

    fn compacted(&mut self, reason: CompactReason) {
        self.context = vec![Message::Summary, Message::Other];
        self.push(HostEvent::Compacted { reason, will_retry: reason == CompactReason::Overflow });
    }

    fn compact_failed(&mut self, reason: CompactReason, aborted: bool) {
        let bias = self.bias;
        let said = if self.source.chance(3, 4) {
            texts::of_host(self.source, &bias)
        } else {
            Said::default()
        };
        let error = self.keep(said);
        self.push(HostEvent::CompactFailed { reason, aborted, error });
    }

    /// A success. Choice 0 of a scenario is a failure, which says more.
    fn answered(&mut self) {
        self.prompt();
        self.request();
        self.answer(Ending::Stop, None, None);
        self.settle();
    }

    fn retries_spent(&mut self) {
        self.prompt();
        let tries = self.source.range(1, 4);
        for _ in 0..tries {
            self.context
                .pop_if(|last| matches!(last, Message::Assistant(a) if a.ending == Ending::Error));
            if self.source.chance(1, 3) {
                self.request();
            }
            self.fail();
        }
        self.settle();
    }

    fn retry_succeeds(&mut self) {
        self.retries_spent();
        self.case.steps.pop();
        self.context.pop();
        self.request();
        self.answer(Ending::ToolUse, None, None);
        self.context.push(Message::Other);
        self.request();
        self.answer(Ending::Stop, None, None);
        self.settle();
    }

    fn overflow(&mut self, works: bool) {
        self.prompt();
        self.overflows();
        self.before(CompactReason::Overflow);
        if works {
            self.compacted(CompactReason::Overflow);
            self.request();
            self.answer(Ending::Stop, None, None);
        } else {
            self.context.pop();
            if self.source.chance(1, 2) {
                self.compact_failed(CompactReason::Overflow, false);
            }
        }
        self.settle();
    }

    fn overflow_twice(&mut self) {
        self.prompt();
        self.overflows();
        self.before(CompactReason::Overflow);
        self.compacted(CompactReason::Overflow);
        self.request();
        self.overflows();
        self.compact_failed(CompactReason::Overflow, false);
        self.settle();
        if self.source.chance(2, 3) {
            self.compact_failed(CompactReason::Overflow, false);
        }
    }

    fn nothing_to_compact(&mut self) {
        self.prompt();
        self.overflows();
        self.context.pop();
        self.settle();
    }

    fn cancelled(&mut self) {
        self.prompt();
        self.overflows();
        self.before(CompactReason::Overflow);
        self.context.pop();
        self.compact_failed(CompactReason::Overflow, true);
        self.settle();
    }

    fn abort_in_compaction(&mut self) {
        self.prompt();
        self.overflows();
        self.before(CompactReason::Overflow);
        self.push(HostEvent::CompactAborted);
        if self.source.chance(1, 2) {
            self.compact_failed(CompactReason::Overflow, true);
        }
        self.settle();
    }

    fn abort_in_answer(&mut self) {
        self.prompt();
        self.request();
        self.answer(Ending::Aborted, None, None);
        let aborted = self.source.chance(1, 2);
        self.push(HostEvent::Settled { aborted });
    }

    fn abort_in_backoff(&mut self) {
        self.prompt();
        self.fail();
        if self.source.chance(2, 3) {
            self.context.pop();
        }
        let aborted = self.source.chance(1, 2);
        self.push(HostEvent::Settled { aborted });
    }

    fn truncated(&mut self) {
        self.prompt();
        let window = *self.source.pick(&[1_000, 0]);
        let usage = Usage { input: 500, output: self.source.range(0, 9).into(), window };
        self.answer(Ending::Length, None, Some(usage));
        if self.source.chance(2, 3) {
            self.before(CompactReason::Overflow);
            self.compacted(CompactReason::Overflow);
            self.request();
        }
        self.settle();
    }

    fn without_output(&mut self) {
        self.prompt();
        let input = *self.source.pick(&[990, 989, 1_000]);
        self.answer(Ending::Length, None, Some(Usage { input, output: 0, window: 1_000 }));
        self.before(CompactReason::Overflow);
        if self.source.chance(1, 2) {
            self.compacted(CompactReason::Overflow);
            self.request();
        } else {
            self.compact_failed(CompactReason::Overflow, false);
        }
        self.settle();
    }

    fn silent_overflow(&mut self) {
        self.prompt();
        self.answer(Ending::Stop, None, None);
        self.push(HostEvent::BeforeCompact { reason: CompactReason::Overflow, will_retry: false });
        self.context = vec![Message::Summary, Message::Other];
        self.push(HostEvent::Compacted { reason: CompactReason::Overflow, will_retry: false });
    }

    fn compaction(&mut self, reason: CompactReason) {
        if self.source.chance(1, 2) {
            self.retries_spent();
        }
        self.before(reason);
        if self.source.chance(1, 4) {
            let aborted = self.source.chance(1, 2);
            self.compact_failed(reason, aborted);
        } else {
            self.compacted(reason);
        }
        if self.source.chance(1, 2) {
            self.request();
        }
    }

    /// The model, the session or the clock changes.
    fn turn(&mut self) {
        match self.source.below(8) {
            0..3 => {
                let others: Vec<Model> = (0..MODELS.len()).map(model).collect();
                let others = others.into_iter().filter(|other| *other != self.model);
                self.model = self.source.pick(&others.collect::<Vec<_>>()).clone();
            }
            3 => {
                self.context.clear();
                self.push(HostEvent::Reset);
            }
            4 => self.now_ms -= u64::from(self.source.below(3_000)),
            _ => self.now_ms += self.source.pick(JUMPS),
        }
    }

    fn command(&mut self) {
        let bias = self.bias;
        let count = self.source.range(1, 3);
        for _ in 0..count {
            let name = *self.source.pick(&["deploy", "/lint", "x`\u{202e}\ny[pi-repair note]", ""]);
            let said = if self.source.chance(1, 4) {
                Said::default()
            } else {
                texts::of_host(self.source, &bias)
            };
            let error = self.keep(said);
            self.push(HostEvent::CommandEnd { name: name.to_owned(), error });
        }
    }

    /// A few events, and a request whose context fits none of them.
    fn raw(&mut self) {
        let count = self.source.range(1, 6);
        for _ in 0..count {
            self.raw_event();
        }
        let heard: Vec<Message> = self.case.failures().cloned().map(Message::Assistant).collect();
        let mut messages = self.context.clone();
        if !heard.is_empty() && self.source.chance(1, 2) {
            messages.push(self.source.pick(&heard).clone());
        }
        if self.source.chance(1, 4) {
            messages.push(self.source.pick(&[Message::Other, Message::Summary]).clone());
        }
        self.request_with(messages);
    }

    fn raw_event(&mut self) {
        let all = [CompactReason::Overflow, CompactReason::Threshold, CompactReason::Manual];
        let reason = *self.source.pick(&all);
        let yes = self.source.chance(1, 2);
        let event = match self.source.below(8) {
            0 => HostEvent::CompactFailed { reason, aborted: yes, error: String::new() },
            1 => HostEvent::Compacted { reason, will_retry: yes },
            2 => HostEvent::BeforeCompact { reason, will_retry: yes },
            3 => HostEvent::Settled { aborted: yes },
            4 => HostEvent::UserEnd,
            5 => return self.fail(),
            6 => {
                self.answer(Ending::Stop, None, None);
                return;
            }
            _ => HostEvent::CompactAborted,
        };
        self.case
            .steps
            .push(Step { at_ms: self.now_ms, what: What::Event { event, warns: false } });
        self.now_ms += 4;
    }
}
