//! The classes of provider errors, one file each, and the order in which they are tried.

mod attachment;
mod authentication;
mod capacity;
mod configuration;
mod content_filter;
mod history;
mod network;
mod other;
mod output_limit;
mod overflow;
mod quota;
mod server;
mod throttle;

use super::class::{Class, Signal};

/// Most specific first, and order is meaning.
///
/// - `quota` before `throttle`: a wall that resets next week is often sent with the status, the type
///   and the words of a rate limit. Its rules give way where the wait is short or the limit is one
///   per minute.
/// - `throttle` before `overflow`: limits per minute are worded in tokens, lengths and sizes.
/// - `output_limit` and `attachment` before `overflow`: both speak of maximum sizes, and neither is
///   cured by a shorter history.
/// - `overflow` before everything that looks at ordinary words.
/// - `history` before `configuration`: both speak of invalid requests, one of a message in them.
/// - `capacity`, `server`, `network`: the cause nearest to the model first.
/// - `other` takes what is left.
pub const CLASSES: &[Class] = &[
    quota::CLASS,
    throttle::CLASS,
    output_limit::CLASS,
    attachment::CLASS,
    overflow::CLASS,
    authentication::CLASS,
    content_filter::CLASS,
    history::CLASS,
    configuration::CLASS,
    capacity::CLASS,
    server::CLASS,
    network::CLASS,
    other::CLASS,
];

/// The class of what fails by usage, without a text.
pub(super) const OVERFLOW: Class = overflow::CLASS;

/// A wait that a session can simply sit out, in seconds.
const SHORT: u64 = 15 * 60;
/// A wait that no session sits out, in seconds.
const LONG: u64 = 60 * 60;

/// A limit that clears within minutes.
const NEAR_WAIT: Signal = Signal::WaitAtMost(SHORT);
/// A limit per minute.
const NEAR_WORDS: Signal = Signal::Says(
    r"per[ _-]?(?:[0-9]+ ?)?(?:min|sec|[ms]\b)|every [0-9]+ ?(?:s|m)|/ ?min\b|\b[tr]pm\b|每分钟|每秒",
);
/// Signs that a limit clears by itself within minutes, whatever else the words suggest.
const NEAR: &[Signal] = &[NEAR_WAIT, NEAR_WORDS];
