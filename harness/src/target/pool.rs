//! Tools that are compiled once: pi's own, and a few made-up ones with every kind of schema.

use std::sync::{Arc, OnceLock};

use engine::host::HostProfile;
use engine::{Policy, StopReason};
use serde_json::Value;

use super::bytes::Bytes;
use super::shop::Shop;
use crate::arguments::Arguments;
use crate::arguments::case::{Case, Intent};
use crate::arguments::run::Workshop;
use crate::generate::{Bias, Subject, shape};
use crate::malform::{Call, Form};
use crate::source::{Choose, Seeded, Source};
use crate::subjects;

/// Made-up tools in the pool.
const MADE_UP: u64 = 25;

/// The engine with every tool of the pool compiled.
pub(super) static SHOP: Shop<Arguments> = Shop::made(|| {
    let own = tools().iter().filter(|tool| is_made_up(tool)).map(|tool| (**tool).clone());
    let made_up: Vec<Subject> = own.collect();
    Workshop::new().pooled(&made_up).expect("the pool's tools compile")
});

/// The tools, pi's first.
pub(super) fn tools() -> &'static [Arc<Subject>] {
    static TOOLS: OnceLock<Vec<Arc<Subject>>> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let made_up = (0..MADE_UP).map(|number| {
            let bias = if number % 2 == 0 { Bias::near_miss() } else { Bias::hostile() };
            let mut subject = crate::generate::subject(&mut Seeded::new(9, number), &[], &bias);
            subject.name = format!("{PREFIX}{number}");
            subject
        });
        subjects::builtins().into_iter().chain(made_up).map(Arc::new).collect()
    })
}

/// What the names of the pool's made-up tools begin with.
const PREFIX: &str = "pool_tool_";

fn is_made_up(tool: &Subject) -> bool {
    tool.name.starts_with(PREFIX)
}

/// Bytes of an input before its text; each is one circumstance, and 0 is the plainest.
pub(super) const HEAD: usize = 6;

const MODELS: &[Option<&str>] = &[
    None,
    Some("claude-sonnet-4-5"),
    Some("glm-4.6"),
    Some("moonshotai/kimi-k2-thinking"),
    Some("MiniMax-M2"),
    Some("grok-4"),
];

/// A case about a text that arrives as the arguments of a call.
pub(super) fn text_case(data: &[u8]) -> Case {
    let (head, text) = data.split_at(data.len().min(HEAD));
    let mut source = Bytes::new(head);
    let subject = Arc::clone(source.pick(tools()));
    let config = is_made_up(&subject).then(|| subjects::configuration(&subject));
    let mut call = Call::new(subject, Value::Null);
    call.form = Form::Text(String::from_utf8_lossy(text).into_owned());
    call.model = source.pick(MODELS).map(str::to_owned);
    call.provider = (call.model.as_deref() == Some("grok-4")).then(|| "xai".to_owned());
    let mut case = Case::about(call, Intent::Unknown);
    case.config = config;
    case.policy = *source.pick(&[Policy::Adaptive, Policy::Recover, Policy::Conservative]);
    case.stop_reason = *source.pick(&[
        StopReason::Stop,
        StopReason::ToolUse,
        StopReason::Length,
        StopReason::Other,
    ]);
    case.host = *source.pick(&[
        None,
        Some(HostProfile::Pi15),
        Some(HostProfile::Pi080),
        Some(HostProfile::Pi085),
    ]);
    let extra = source.below(256);
    case.hook = case.call.subject.name == "edit" && extra % 2 == 1;
    case.salt = extra;
    case
}

/// The bytes of a text for the tool of this name, or for whichever has the fields it names.
pub(super) fn text_seed(tool: Option<&str>, text: &str) -> Vec<u8> {
    let named = |name: &str| tools().iter().position(|it| it.name == name);
    let fits = |it: &Arc<Subject>| {
        shape::text_fields(&it.schema)
            .iter()
            .any(|field| text.contains(field.trim_start_matches('/')))
    };
    let index = tool.and_then(named).or_else(|| tools().iter().position(fits)).unwrap_or(0);
    let mut bytes = vec![0; HEAD];
    bytes[0] = u8::try_from(index).unwrap_or(0);
    bytes.extend_from_slice(text.as_bytes());
    bytes
}
