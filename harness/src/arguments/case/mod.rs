//! One case of a campaign: a call and its circumstances, drawn from a source of choices alone.

mod perturb;
pub mod regression;
pub mod seeds;

use std::sync::{Arc, OnceLock};

use engine::host::HostProfile;
use engine::{Context, Limits, Policy, StopReason};
use serde_json::Value;

use crate::generate::{self, Bias, Subject, anything, hostile, shape};
use crate::json::{self, Spacing};
use crate::malform::{self, Call, Form};
use crate::source::{Choose, Source};
use crate::subjects;
use crate::swarm::ChooseRow;

/// How every planted canary value begins; no generator and no schema uses it.
pub const CANARY: &str = "zq7canary";

/// What is known of the right answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Intent {
    /// `call.original` is what was meant, and nothing else is right.
    Exact,
    /// A refusal is right, or what `call.allows`.
    Declared,
    /// Nothing; only the promises that hold for any input apply.
    Unknown,
}

/// A call, and everything the engine is told beside it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The call as sent, and what was meant.
    pub call: Call,
    /// What is known of the right answer.
    pub intent: Intent,
    /// Configuration of a made-up tool; `None` for pi's own.
    pub config: Option<Value>,
    /// The policy.
    pub policy: Policy,
    /// Why the model stopped.
    pub stop_reason: StopReason,
    /// The host behind the engine.
    pub host: Option<HostProfile>,
    /// Whether the host's own hook runs; only pi's `edit` has one.
    pub hook: bool,
    /// The limits.
    pub limits: Limits,
    /// A free choice for invariants that look at one of many things, such as a cut.
    pub salt: u32,
}

/// What a case is made of, with how often. Damage has names of its own.
const PLANS: &[(&str, u32)] = &[
    ("undamaged", 10),
    ("", 46),
    ("", 13),
    ("hostile-text", 6),
    ("any-value", 2),
    ("small-edits", 8),
    ("written-down", 15),
];

/// The place of cases made of calls that are written down.
const SEED: usize = 6;

/// What a case can be made of, beside damage.
pub fn plans() -> impl Iterator<Item = &'static str> {
    PLANS.iter().map(|row| row.0).filter(|id| !id.is_empty())
}

/// Models that no gate names.
const UNGATED: &[&str] =
    &["claude-sonnet-4-5", "gpt-5.2", "chatglm-lite", "deepseek-v3.2", "qwen3-coder", "mglm"];

/// Models that some gate names.
const GATED: &[&str] = &["glm-4.6", "moonshotai/kimi-k2-thinking", "MiniMax-M2", "grok-4"];

/// Providers, the one with a gate last.
const PROVIDERS: &[&str] = &["openrouter", "local", "xai"];

fn builtins() -> &'static [Subject] {
    static BUILTINS: OnceLock<Vec<Subject>> = OnceLock::new();
    BUILTINS.get_or_init(subjects::builtins)
}

impl Case {
    /// Draws a case; the same choices give the same case.
    pub fn draw(source: &mut dyn Source, bias: &Bias) -> Self {
        let plan = source.weigh_rows(PLANS);
        if !PLANS[plan].0.is_empty() {
            source.carry(PLANS[plan].0);
        }
        if plan == SEED { seeds::draw(source) } else { drawn(source, bias, plan) }
    }

    /// Draws a case about one of these tools, without configurations and written-down calls of its own:
    /// for a pool of compiled tools, see [`super::run::Workshop::pooled`].
    pub fn pooled(source: &mut dyn Source, bias: &Bias, pool: &[Arc<Subject>]) -> Self {
        let plan = source.weighted(&[6, 46, 13, 10, 4, 16]);
        let subject = Arc::clone(source.pick(pool));
        damaged(source, bias, plan, subject)
    }

    /// A case about `call` under default circumstances.
    pub fn about(call: Call, intent: Intent) -> Self {
        Self {
            call,
            intent,
            config: None,
            policy: Policy::Adaptive,
            stop_reason: StopReason::Stop,
            host: None,
            hook: false,
            limits: Limits::DEFAULT,
            salt: 0,
        }
    }

    /// What the engine is told, under another policy.
    pub fn context(&self, policy: Policy) -> Context<'_> {
        Context {
            model: self.call.model.as_deref(),
            provider: self.call.provider.as_deref(),
            policy,
            stop_reason: self.stop_reason,
            limits: self.limits,
        }
    }

    /// True if nothing but the call itself may keep the engine from a repair.
    pub fn is_unhindered(&self) -> bool {
        self.limits == Limits::DEFAULT
            && self.stop_reason.is_normal()
            && (self.policy != Policy::Conservative || self.call.conservative)
    }

    /// Draws what surrounds the call.
    fn surround(&mut self, source: &mut dyn Source) {
        self.policy = *source.pick(&[
            Policy::Adaptive,
            Policy::Adaptive,
            Policy::Recover,
            Policy::Conservative,
        ]);
        self.stop_reason = match source.below(16) {
            14 => StopReason::Length,
            15 => StopReason::Other,
            low if low < 8 => StopReason::Stop,
            _ => StopReason::ToolUse,
        };
        self.host = match source.below(6) {
            0 | 1 => None,
            2 => Some(HostProfile::Pi080),
            3 => Some(HostProfile::Pi085),
            _ => Some(HostProfile::Pi15),
        };
        self.hook = self.call.subject.name == "edit" && source.chance(1, 4);
        if source.chance(1, 20) {
            self.limits = small_limits(source);
        }
        self.salt = source.below(1 << 16);
        if self.call.name == self.call.subject.name && self.config.is_none() && source.chance(1, 4)
        {
            seeds::rename(&mut self.call, source);
        }
        self.choose_sender(source);
    }

    /// Names a model and a provider where the damage did not need one of its own.
    fn choose_sender(&mut self, source: &mut dyn Source) {
        let gated = self.call.model.is_some() || self.call.provider.is_some();
        if gated {
            if source.chance(1, 6) {
                self.call.model = Some((*source.pick(UNGATED)).to_owned());
                self.call.provider = None;
                self.intent = Intent::Unknown;
            }
            return;
        }
        let clean = survives_every_gate(&self.call.original);
        match source.below(6) {
            4 => self.call.model = Some((*source.pick(UNGATED)).to_owned()),
            5 if clean => self.call.model = Some((*source.pick(GATED)).to_owned()),
            _ => {}
        }
        if source.chance(1, 4) {
            let open = if clean { PROVIDERS } else { &PROVIDERS[..2] };
            self.call.provider = Some((*source.pick(open)).to_owned());
        }
    }
}

fn drawn(source: &mut dyn Source, bias: &Bias, plan: usize) -> Case {
    let subject = generate::subject(source, builtins(), bias);
    damaged(source, bias, plan, Arc::new(subject))
}

fn damaged(source: &mut dyn Source, bias: &Bias, plan: usize, subject: Arc<Subject>) -> Case {
    let own = builtins().iter().any(|known| known.name == subject.name);
    let config = (!own).then(|| subjects::configuration(&subject));
    let mut call = malform::begin(source, subject, bias);
    defuse_links(&mut call);
    if source.chance(1, 4) {
        plant_canary(&mut call, source);
    }
    let intent = match plan {
        0 => {
            if source.chance(1, 2) {
                let spacing = *source.pick(&[Spacing::Dense, Spacing::Blank, Spacing::Lines]);
                call.form = Form::Text(json::render(&call.original, spacing));
            }
            Intent::Exact
        }
        1 => {
            malform::lossless(&mut call, source, 4);
            if may_be_refused(&call) { Intent::Unknown } else { Intent::Exact }
        }
        2 if malform::lossy(&mut call, source) => {
            let says_nothing = leaves_placeholder(&call) || is_prose_alone(&call);
            if says_nothing { Intent::Unknown } else { Intent::Declared }
        }
        2 => Intent::Exact,
        3 => {
            call.form = Form::Text(hostile_text(source, bias, &call));
            Intent::Unknown
        }
        4 => {
            call.form = Form::Value(anything::value(source, bias, bias.depth_max));
            Intent::Unknown
        }
        _ => {
            let mut value = call.original.clone();
            perturb::perturb(&mut value, source);
            call.form = Form::Value(value);
            Intent::Unknown
        }
    };
    let mut case = Case::about(call, intent);
    case.config = config;
    case.surround(source);
    case
}

/// A text made from the call itself, or from anything; seldom one that is deep or big.
fn hostile_text(source: &mut dyn Source, bias: &Bias, call: &Call) -> String {
    match source.weighted(&[16, 8, 2, 1]) {
        0 => hostile::mutate(source, call.original.to_string()),
        1 => hostile::text(source, bias),
        2 => hostile::deep(source),
        _ if source.chance(1, 8) => hostile::big(source),
        _ => hostile::mutate(source, json::render(&call.original, Spacing::Lines)),
    }
}

/// Limits of which one is close to nothing.
fn small_limits(source: &mut dyn Source) -> Limits {
    let mut limits = Limits::DEFAULT;
    match source.below(5) {
        0 => limits.input_bytes_max = source.range(0, 40),
        1 => limits.decodes_max = source.below(2),
        2 => limits.passes_max = source.range(1, 2),
        3 => limits.changes_max = source.below(3),
        _ => limits.work_max = u64::from(source.range(1, 60)),
    }
    limits
}

/// Replaces links to themselves in the arguments of tools with globs: those are configured to be unwrapped.
fn defuse_links(call: &mut Call) {
    const LINK: &str = "[x](http://x)";
    if !["find", "grep"].contains(&call.subject.name.as_str()) {
        return;
    }
    let mut original = call.original.clone();
    for value in original.as_object_mut().into_iter().flat_map(|map| map.values_mut()) {
        if let Some(text) = value.as_str().filter(|text| text.contains(LINK)) {
            *value = text.replace(LINK, "x").into();
        }
    }
    *call = Call::new(Arc::clone(&call.subject), original);
}

/// True if a lossless call may be refused as well: a text stands alone for a field and begins or ends as a
/// number, a quoted string or a piece of code does, or a single backslash may escape a quote.
fn may_be_refused(call: &Call) -> bool {
    let bare = ["root-text", "bare-string"].iter().any(|id| call.applied.contains(id));
    let odd = |text: &&str| {
        let begins = text.starts_with(|c: char| c.is_alphabetic() || "./~*_\\^!$".contains(c));
        !begins || text.starts_with("\\\"") || text.ends_with(['{', '[', ',', ':', '\\'])
    };
    let applied = |ids: &[&str]| call.applied.iter().any(|id| ids.contains(id));
    let escapes = applied(&["invalid-escapes"]);
    // A token or an anchor beside a path hides that it is one, and so what its backslashes are.
    let hidden = escapes && applied(&["glm-value-token", "anchor-pair", "auto-link"]);
    let strings = json::strings(&call.original);
    let quoted = escapes && strings.iter().any(|text| text.contains("\\'"));
    hidden || quoted || (bare && strings.iter().any(odd))
}

/// True if an object lost its only required member and holds nothing else: an empty placeholder, which may
/// be dropped.
fn leaves_placeholder(call: &Call) -> bool {
    let Form::Value(value) = &call.form else { return false };
    call.applied.contains(&"missing-required") && holds_nothing_somewhere(value)
}

/// True if of prose around a call only the prose is left: a plain word may be a path.
fn is_prose_alone(call: &Call) -> bool {
    let around = call.applied.contains(&"surrounding-prose");
    around && matches!(&call.form, Form::Text(text) if !text.contains(['{', '[']))
}

fn holds_nothing_somewhere(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_nothing_somewhere),
        Value::Object(map) => {
            map.values().all(Value::is_null) || map.values().any(holds_nothing_somewhere)
        }
        _ => false,
    }
}

/// Puts a recognisable value into one free text field, so that it can be looked for where no value belongs.
fn plant_canary(call: &mut Call, source: &mut dyn Source) {
    let free = |site: &shape::Site<'_>| {
        site.kind == shape::Kind::Text
            && ["enum", "const", "maxLength"].iter().all(|word| site.schema.get(word).is_none())
    };
    let sites = shape::sites(&call.subject.schema, &call.original);
    let places: Vec<json::Place> = sites.into_iter().filter(free).map(|site| site.place).collect();
    if places.is_empty() {
        return;
    }
    let place = places[source.index(places.len())].clone();
    let mut original = call.original.clone();
    let Some(slot) = json::at_mut(&mut original, &place).filter(|slot| slot.is_string()) else {
        return;
    };
    *slot = Value::from(format!("{CANARY}-{}", source.below(100)));
    *call = Call::new(Arc::clone(&call.subject), original);
}

/// True if no gated strip would change anything in these arguments, by a look at every text.
fn survives_every_gate(value: &Value) -> bool {
    json::strings(value).iter().all(|text| {
        let tokens = ["arg_key", "arg_value", "tool_call>"].iter().any(|mark| text.contains(mark));
        let anchors = text.starts_with('^') && text.ends_with('$');
        !(tokens || anchors || text.contains('&'))
    })
}
