//! The ledger: every deliberate difference to the peer, one row a kind, first match first.

use std::fmt;

use corpus::PeerVerdict::{self, Repaired, Unrepairable, Valid};
use engine::same_value;
use serde_json::Value;

use super::{Difference, evidence};

/// One kind of deliberate difference.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The id in tables and records.
    pub id: &'static str,
    /// Why our answer is the better one.
    pub reason: &'static str,
    /// The peer's verdicts it covers.
    pub peer: &'static [PeerVerdict],
    /// The peer's rules it covers; one of them fired, unless there is none here.
    pub peer_rules: &'static [&'static str],
    /// The damages it covers; one of them was done, unless there is none here.
    pub malformations: &'static [&'static str],
    /// Our exact answer.
    pub ours: Expected,
    /// What must be seen in the call itself.
    shows: fn(&Difference<'_>) -> bool,
}

/// The answer a row expects of us.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// Refused for the reason of this id.
    Refused(&'static str),
    /// Accepted with exactly the arguments that are derived here, without the engine, from the
    /// call and the peer's arguments: valid where they are the input itself, else repaired.
    Accepted {
        /// Our rule that is behind it, where it is a rule that the peer lacks.
        rule: Option<&'static str>,
        /// The derivation.
        derive: fn(&Difference<'_>) -> Value,
    },
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => write!(out, "unrepairable: {reason}"),
            Self::Accepted { rule: Some(rule), .. } => write!(out, "repaired by {rule}"),
            Self::Accepted { rule: None, .. } => out.write_str("valid, or repaired elsewhere"),
        }
    }
}

impl Row {
    /// True if the row explains `difference`: covered, answered as expected, and shown by the call.
    pub fn explains(&self, difference: &Difference<'_>) -> bool {
        let peer = difference.peer;
        let any = |wanted: &[&str], seen: &[String]| {
            wanted.is_empty() || seen.iter().any(|name| wanted.contains(&name.as_str()))
        };
        self.peer.contains(&peer.outcome)
            && any(self.peer_rules, &peer.rules)
            && any(self.malformations, &peer.malformations)
            && self.is_answered(difference)
            && (self.shows)(difference)
    }

    fn is_answered(&self, difference: &Difference<'_>) -> bool {
        let ours = difference.ours;
        match self.ours {
            Expected::Refused(reason) => ours.reason == Some(reason),
            Expected::Accepted { rule, derive } => {
                let args = derive(difference);
                let untouched = args == difference.peer.input;
                rule.is_none_or(|rule| ours.rules.contains(&rule))
                    && ours.outcome == if untouched { "valid" } else { "repaired" }
                    && ours.args.as_ref().is_some_and(|ours| same_value(ours, &args))
                    && difference.tool.accepts(&args)
            }
        }
    }
}

/// What the call says, read without the engine.
fn as_read(difference: &Difference<'_>) -> Value {
    difference.reading.clone()
}

/// The peer's own arguments: only the verdict differs.
fn as_peer(difference: &Difference<'_>) -> Value {
    difference.peer.args.clone()
}

const fn accepted(rule: &'static str) -> Expected {
    Expected::Accepted { rule: Some(rule), derive: as_read }
}

/// The damages after which some value may have another type than its field.
const TYPE_DAMAGES: &[&str] = &[
    "wrongType",
    "nullReq",
    "nestedNull",
    "emptyObj",
    "bareArr",
    "bareRoot",
    "stringify",
    "strObj",
    "strItems",
    "objForArr",
    "numStr",
];

/// Every deliberate difference. Order is meaning: the first row that explains a call counts it.
pub const LEDGER: &[Row] = &[
    Row {
        id: "cut-text-is-refused",
        reason: "A text that stops inside a value may have gone on: it is neither completed nor run as a command or path.",
        peer: &[Repaired],
        peer_rules: &["envelope.complete-truncated-object", "wrapRootStringAsObject"],
        malformations: &[],
        ours: Expected::Refused("cut-off"),
        shows: evidence::is_cut,
    },
    Row {
        id: "closing-is-withheld",
        reason: "Closing containers leans on more than the call, so the conservative policy withholds it; the broken text is no command or path either.",
        peer: &[Repaired],
        peer_rules: &["wrapRootStringAsObject"],
        malformations: &[],
        ours: Expected::Refused("withheld"),
        shows: evidence::is_cut_under_conservative,
    },
    Row {
        id: "other-json-is-no-text",
        reason: "A text that is blank, or whole JSON of another shape (a list, null, an object among texts), was meant as data or as nothing, not as a command, path or item.",
        peer: &[Repaired],
        peer_rules: &["wrapRootStringAsObject", "wrapBareStringAsArray"],
        malformations: &[],
        ours: Expected::Refused("misfit"),
        shows: evidence::is_blank_or_other_json,
    },
    Row {
        id: "alias-takes-its-type-only",
        reason: "A number or true under another name of a text field is no text: the peer renames it and its host spells it as one.",
        peer: &[Repaired],
        peer_rules: &["renameAliasedField"],
        malformations: &[],
        ours: Expected::Refused("misfit"),
        shows: evidence::is_bent,
    },
    Row {
        id: "json-text-is-no-path",
        reason: "JSON text under another name of a path was meant as data: the peer runs it as a path.",
        peer: &[Repaired],
        peer_rules: &["preprocess.exact-alias"],
        malformations: &["alias"],
        ours: Expected::Refused("misfit"),
        shows: evidence::path_is_json,
    },
    Row {
        id: "root-text-must-be-plain",
        reason: "A bare number or word of JSON, text with markup or pieces of JSON, and several lines for a path or pattern are not plainly a command or path.",
        peer: &[Repaired],
        peer_rules: &["wrapRootStringAsObject"],
        malformations: &[],
        ours: Expected::Refused("not-plain"),
        shows: evidence::is_not_plain,
    },
    Row {
        id: "root-text-must-suit-its-field",
        reason: "Several words are no one path, unless they start like one, and no shell command starts beyond ASCII: the text may be talk or another value.",
        peer: &[Repaired],
        peer_rules: &["wrapRootStringAsObject"],
        malformations: &["bareRoot"],
        ours: Expected::Refused("not-plain"),
        shows: evidence::suits_no_field,
    },
    Row {
        id: "bracketed-text-is-refused",
        reason: "A text in brackets that cannot be read may be a broken list or object, so it is not taken as it stands.",
        peer: &[Repaired],
        peer_rules: &["wrapRootStringAsObject", "wrapBareStringAsArray"],
        malformations: &[],
        ours: Expected::Refused("unreadable"),
        shows: evidence::is_bracketed,
    },
    Row {
        id: "torn-escape-is-refused",
        reason: "A backslash before a raw control character has two readings; the peer runs the whole JSON text as a command or path.",
        peer: &[Repaired],
        peer_rules: &["wrapRootStringAsObject"],
        malformations: &[],
        ours: Expected::Refused("ambiguous-escape"),
        shows: evidence::has_torn_escape,
    },
    Row {
        id: "host-conversion-would-invent",
        reason: "The host would run a value nobody sent (true as 1 or as a text, a list with an empty item): refused, so that the model sends the right type.",
        peer: &[Valid, Repaired],
        peer_rules: &[],
        malformations: TYPE_DAMAGES,
        ours: Expected::Refused("lossy-conversion"),
        shows: evidence::is_bent,
    },
    Row {
        id: "hook-change-is-told",
        reason: "What the host's own hook changed is a repair like any other: the arguments are the peer's, and the model is told.",
        peer: &[Valid],
        peer_rules: &[],
        malformations: &["stringify", "flat"],
        ours: Expected::Accepted { rule: Some("owner-hook"), derive: as_peer },
        shows: evidence::hook_changed,
    },
    Row {
        id: "key-tokens-are-stripped",
        reason: "Template tokens around a declared key prove themselves on any model; the peer needs a gated one, or runs the call without the field.",
        peer: &[Valid, Repaired, Unrepairable],
        peer_rules: &[],
        malformations: &["tokens"],
        ours: accepted("preprocess.strip-key-tokens"),
        shows: evidence::has_key_tokens,
    },
    Row {
        id: "only-tokens-and-pairs-are-stripped",
        reason: "A strip takes one pair of anchors or the value tokens and nothing else: a lone `^` or `$`, key tokens in a value and outer blanks may be meant.",
        peer: &[Repaired],
        peer_rules: &["stripAnchorBleed", "stripGrammarTokenLeak"],
        malformations: &[],
        ours: Expected::Accepted { rule: None, derive: as_read },
        shows: evidence::peer_stripped_more,
    },
    Row {
        id: "closed-after-a-whole-value",
        reason: "Only closers are missing and the last value is whole: nothing is completed, and the schema accepts the result.",
        peer: &[Repaired, Unrepairable],
        peer_rules: &[],
        malformations: &["trunc"],
        ours: accepted("read.close-containers"),
        shows: evidence::is_cut,
    },
    Row {
        id: "list-around-text-is-unwrapped",
        reason: "A list of one around the text of the arguments holds the arguments; the peer reads either damage alone.",
        peer: &[Unrepairable],
        peer_rules: &[],
        malformations: &["singleton"],
        ours: accepted("envelope.unwrap-list"),
        shows: evidence::is_listed_text,
    },
    Row {
        id: "empty-placeholder-is-dropped",
        reason: "An empty object at an optional field that cannot hold one says nothing; the peer drops it in fewer places.",
        peer: &[Unrepairable],
        peer_rules: &[],
        malformations: &["emptyObj", "nestedNull"],
        ours: accepted("schema.drop-empty"),
        shows: evidence::always,
    },
    Row {
        id: "single-item-is-unwrapped",
        reason: "A list of one text where the text belongs says that text.",
        peer: &[Unrepairable],
        peer_rules: &[],
        malformations: &["wrongType"],
        ours: accepted("schema.unwrap-item"),
        shows: evidence::always,
    },
    Row {
        id: "nothing-is-no-arguments",
        reason: "Nothing at all, sent to a tool that requires nothing, is a call without arguments; the peer refuses it or makes it a path.",
        peer: &[Repaired, Unrepairable],
        peer_rules: &[],
        malformations: &["prim", "wrongType", "trunc"],
        ours: accepted("envelope.read-nothing"),
        shows: evidence::reads_as_nothing,
    },
    Row {
        id: "wrapping-is-told",
        reason: "A single object where a list belongs is wrapped and the model is told; the peer leaves it to what its host happens to do.",
        peer: &[Valid],
        peer_rules: &[],
        malformations: &["objForArr", "strItems"],
        ours: accepted("schema.wrap-item"),
        shows: evidence::always,
    },
    Row {
        id: "empty-text-under-an-alias-counts",
        reason: "An empty text under another name of `newText` deletes, one under `oldText` is for the tool to judge; the peer reads either as absent.",
        peer: &[Unrepairable],
        peer_rules: &[],
        malformations: &["nestedAlias", "alias", "flat"],
        ours: accepted("preprocess.rename-alias"),
        shows: evidence::has_empty_text,
    },
];
