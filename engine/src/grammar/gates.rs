//! The gates that a block must pass before its calls run. All must hold; their order says nothing.

/// What is known about one block when its promotion is decided.
///
/// Facts about calls are true for a block that has none: then [`Attempt::whole`] is false.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one fact a gate, each independent of the others"
)]
pub struct Attempt {
    /// The mode is `recover`.
    pub recovers: bool,
    /// The assistant wrote the message.
    pub assistant: bool,
    /// The stop reason is exactly `stop`.
    pub stopped: bool,
    /// The message holds no native call.
    pub no_native_call: bool,
    /// The block is whole, and a block of calls.
    pub whole: bool,
    /// Everything found in the message is whole.
    pub clean: bool,
    /// Both readings of the markdown put the block outside code.
    pub undisputed: bool,
    /// No sentence goes on around the block, nothing tells of it as an example, and it is no thought.
    pub apart: bool,
    /// Nothing but other leaks follows any block of the message.
    pub last: bool,
    /// The model is one that the family admits.
    pub admitted: bool,
    /// Every call is to a tool that is active or allowed.
    pub active: bool,
    /// Every key is one the tool declares or has another name for.
    pub declared: bool,
    /// Every call's arguments were accepted by its tool's own repair.
    pub accepted: bool,
    /// No call is without arguments where its tool requires some.
    pub given: bool,
    /// No call of the block was promoted from an earlier block.
    pub first: bool,
    /// The message holds at most [`CALLS_MAX`] leaked calls.
    pub few: bool,
}

/// The most leaked calls of a message that run; more come from a model that repeats itself.
pub const CALLS_MAX: usize = 64;

/// One condition for promotion.
#[derive(Clone, Copy, Debug)]
pub struct PromotionGate {
    /// The gate's name in records.
    pub id: &'static str,
    /// Why a block does not run if the gate is closed.
    pub says: &'static str,
    /// True if the gate is open.
    pub holds: fn(&Attempt) -> bool,
}

const fn gate(id: &'static str, says: &'static str, holds: fn(&Attempt) -> bool) -> PromotionGate {
    PromotionGate { id, says, holds }
}

/// Every gate.
///
/// That a block of a bare format is the whole message is no gate: elsewhere it is no block at all.
pub const GATES: &[PromotionGate] = &[
    gate("mode-recovers", "the mode does not recover calls", |fact| fact.recovers),
    gate("role-assistant", "the assistant did not write the message", |fact| fact.assistant),
    gate("stop-normal", "the message did not end with the stop reason `stop`", |fact| fact.stopped),
    gate("no-native-call", "the message holds a native call", |fact| fact.no_native_call),
    gate("block-whole", "the block is damaged or cut off", |fact| fact.whole),
    gate("message-clean", "something in the message is damaged, cut off or left over", |fact| {
        fact.clean
    }),
    gate("outside-code", "the block may be an example in code", |fact| fact.undisputed),
    gate(
        "not-mentioned",
        "the text around mentions the block as an example, or it is a thought",
        |fact| fact.apart,
    ),
    gate(
        "nothing-behind",
        "text behind a block may show that it is an example, or tell a result that nobody has yet",
        |fact| fact.last,
    ),
    gate("model-admitted", "the model is not known to print calls this way", |fact| fact.admitted),
    gate("tool-active", "a tool of this name is not active", |fact| fact.active),
    gate("fields-declared", "a field is none of the tool's", |fact| fact.declared),
    gate("arguments-accepted", "the tool does not accept the arguments", |fact| fact.accepted),
    gate("arguments-given", "no arguments were given, and the tool requires some", |fact| {
        fact.given
    }),
    gate("not-repeated", "the same call stands in an earlier block", |fact| fact.first),
    gate("calls-few", "the message holds more calls than anybody asks for at once", |fact| {
        fact.few
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gate_looks_at_its_own_fact() {
        let none = Attempt::default();
        assert!(GATES.iter().all(|gate| !(gate.holds)(&none)));
        let mut ids: Vec<_> = GATES.iter().map(|gate| gate.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), GATES.len());
    }
}
