//! Finds the class of an error text, and says which rule decided.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::class::{Class, Consequence, Rule, Signal};
use super::classes::CLASSES;
use super::evidence::{ErrorFacts, Evidence};
use super::pattern::{pattern, with_ascii_words};
use super::wait::Wait;

/// The class of an error, why, and what was read out of it.
#[derive(Clone, Debug)]
pub struct Classified {
    /// The class.
    pub class: Class,
    /// The rule that decided: `class.what`, `class.kind`, `class.status`, or `other.unknown`.
    pub rule: &'static str,
    /// Who words it so, or what was looked at.
    pub source: &'static str,
    /// What was read out of the text.
    pub details: Details,
}

/// Facts read out of an error text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Details {
    /// The HTTP status.
    pub status: Option<u16>,
    /// When it is worth trying again.
    pub wait: Option<Wait>,
    /// The limit that was passed, in tokens.
    pub limit_tokens: Option<u64>,
    /// What the request had, in tokens.
    pub request_tokens: Option<u64>,
}

/// A table of classes, made ready for matching.
#[derive(Clone, Debug)]
pub struct Classifier {
    classes: Vec<Class>,
    rules: Vec<Ready>,
}

/// A rule with its patterns compiled.
#[derive(Clone, Debug)]
struct Ready {
    class: Class,
    rule: &'static Rule,
    any: Vec<Sign>,
    all: Vec<Sign>,
    unless: Vec<Sign>,
}

#[derive(Clone, Debug)]
enum Sign {
    Says(Regex),
    Other(Signal),
}

impl Sign {
    /// INVARIANT: every pattern of `CLASSES` compiles, which a test checks; another would never be seen.
    fn all(signals: &[Signal]) -> Vec<Self> {
        let sign = |signal: &Signal| match signal {
            Signal::Says(text) => pattern(&with_ascii_words(text)).map(Self::Says),
            other => Some(Self::Other(*other)),
        };
        signals.iter().filter_map(sign).collect()
    }
}

impl Classifier {
    /// Makes a table ready; `classes` is the order in which they are tried.
    ///
    /// Each pattern is a machine of its own. One machine for all of them has more states than its cache
    /// holds, and a rule that is not asked costs nothing.
    pub fn new(classes: &[Class]) -> Self {
        let ready = |class: &Class| {
            let class = *class;
            class.rules.iter().map(move |rule| Ready {
                class,
                rule,
                any: Sign::all(rule.any),
                all: Sign::all(rule.all),
                unless: Sign::all(rule.unless),
            })
        };
        Self { classes: classes.to_vec(), rules: classes.iter().flat_map(ready).collect() }
    }

    /// The class of an error text.
    ///
    /// At most [`END_BYTES_MAX`](super::END_BYTES_MAX) at either end are read, in time linear in them.
    pub fn classify(&self, text: &str, facts: &ErrorFacts<'_>) -> Classified {
        let evidence = Evidence::gather(text, facts);
        let (class, rule, source) = self.decide(&evidence);
        Classified {
            class,
            rule,
            source,
            details: Details {
                status: evidence.status,
                wait: evidence.wait,
                limit_tokens: evidence.tokens.0,
                request_tokens: evidence.tokens.1,
            },
        }
    }

    fn decide(&self, evidence: &Evidence) -> (Class, &'static str, &'static str) {
        if let Some((class, rule)) = self.by_rule(evidence) {
            return (class, rule.id, rule.source);
        }
        let fault = evidence.is_request_fault();
        let owns =
            |class: &&Class| evidence.status.is_some_and(|status| class.statuses.contains(&status));
        let of_status = self.classes.iter().find(owns);
        let fits = |class: &&Class| !(fault && class.consequence == Consequence::Transient);
        for class in self.classes.iter().filter(fits) {
            let known = |(kind, _): &&(&str, &str)| {
                evidence.codes.contains(*kind)
                    && !(of_status.is_some() && SAYS_NOTHING.contains(kind))
            };
            if let Some((_, source)) = class.kinds.iter().find(known) {
                return (*class, "kind", source);
            }
        }
        if let Some(class) = of_status {
            return (*class, "status", "HTTP");
        }
        let any_5xx = evidence.status.is_some_and(|status| status >= 500);
        let server = self.classes.iter().find(|class| any_5xx && class.id == "server");
        match server.or_else(|| self.classes.last()) {
            Some(class) if any_5xx => (*class, "status", "HTTP"),
            Some(class) if fault => {
                (*class, "request", "the request is at fault, without a known reason")
            }
            Some(class) => (*class, "unknown", "nothing known is said"),
            None => (CLASSES_LAST, "unknown", "nothing known is said"),
        }
    }

    fn by_rule(&self, evidence: &Evidence) -> Option<(Class, &'static Rule)> {
        let sees = |sign: &Sign| evidence.shows(sign);
        let applies = |ready: &&Ready| {
            ready.any.iter().any(sees)
                && ready.all.iter().all(sees)
                && !ready.unless.iter().any(sees)
        };
        self.rules.iter().find(applies).map(|ready| (ready.class, ready.rule))
    }
}

/// Error types that say only that a request failed; a status says more.
const SAYS_NOTHING: &[&str] = &["api_error", "apierror"];

/// The class of last resort.
const CLASSES_LAST: Class = match CLASSES.last() {
    Some(class) => *class,
    None => Class {
        id: "other",
        consequence: Consequence::Fatal,
        says: "",
        advice: "",
        advice_switched: "",
        note_says_retry: false,
        rules: &[],
        kinds: &[],
        statuses: &[],
    },
};

impl Evidence {
    fn shows(&self, sign: &Sign) -> bool {
        let signal = match sign {
            Sign::Says(regex) => return regex.is_match(&self.said),
            Sign::Other(signal) => signal,
        };
        match signal {
            // Patterns are compiled, see above.
            Signal::Says(_) => false,
            Signal::Code(code) => self.codes.contains(*code),
            Signal::Status(status) => self.status == Some(*status),
            Signal::RequestFault => self.is_request_fault(),
            Signal::WaitAtMost(most) => self.wait_seconds.is_some_and(|wait| wait <= *most),
            Signal::WaitOver(least) => match (&self.wait, self.wait_seconds) {
                (Some(_), Some(wait)) => wait > *least,
                (Some(_), None) => true,
                (None, _) => false,
            },
            Signal::Provider(name) => self.provider.as_deref() == Some(name),
        }
    }
}

/// The engine's own table, made ready once.
pub(crate) static CLASSIFIER: LazyLock<Arc<Classifier>> =
    LazyLock::new(|| Arc::new(Classifier::new(CLASSES)));

/// The class of an error text, by [`CLASSES`].
///
/// # Examples
///
/// ```
/// use engine::advisor::{Consequence, ErrorFacts, classify};
///
/// let error = classify("429 Rate limit reached. Please try again in 1m20s.", &ErrorFacts::default());
/// assert_eq!(error.class.id, "throttle");
/// assert_eq!(error.class.consequence, Consequence::Transient);
/// assert_eq!(error.details.wait.unwrap().after_ms, Some(80_000));
/// ```
pub fn classify(text: &str, facts: &ErrorFacts<'_>) -> Classified {
    CLASSIFIER.classify(text, facts)
}
