//! A marker left over is a sign of something that went wrong.

use engine::grammar::Mode;
use serde_json::{Map, Value};

use super::{Invariant, Verdict};
use crate::leaks::case::Block;
use crate::leaks::case::draw::RAW;
use crate::leaks::case::values::{are_markerless, holds_marker};
use crate::leaks::oracle::around::{may_be_mentioned, without};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "lone_closers_go_and_hold_calls_back",
    says: "A closer alone outside code is removed, and nothing in its message runs.",
    kills: &["ignore-lone-closers", "second-parse-skipped"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let case = run.case;
    let all = |fits: fn(&Block) -> bool| {
        case.blocks.iter().all(|block| block.damage == LONE || fits(block))
    };
    let lone = case.blocks.iter().find(|block| block.damage == LONE);
    let Some(lone) = lone.filter(|_| all(ends_where_it_should)) else {
        return Verdict::Vacuous;
    };
    let closer = case.texts[lone.part].get(lone.range.clone()).unwrap_or_default();
    if closer == TURN_END || !run.knows_closer(closer) || is_own(run, lone, closer) {
        return Verdict::Vacuous;
    }
    if !run.treatment.calls.is_empty() {
        return Verdict::Broken("calls run beside a closer without a block".to_owned());
    }
    if case.setting.effective_mode() < Mode::Strip {
        return Verdict::Vacuous;
    }
    if !run.tells() {
        return gone(run, lone);
    }
    if run.is_left_alone() {
        // One block with a fence in a value and a closer below it: there is nothing to be joined.
        let [block, other] = case.blocks.as_slice() else { return Verdict::Vacuous };
        let plain = block.is_sound() && !block.shown && other.damage == LONE;
        let below = plain && block.part == other.part && has_fence_in(block);
        return if below {
            Verdict::Broken("a fence in a value keeps the message as it is".to_owned())
        } else {
            Verdict::Vacuous
        };
    }
    let (start, end) = (lone.range.start, lone.range.end);
    let above = case.blocks.iter().filter(|block| block.part == lone.part);
    let above = above.map(|block| block.range.end).filter(|end| *end <= start).max().unwrap_or(0);
    if case.texts[lone.part].get(above..start).is_some_and(holds_marker) {
        // With an opener in the prose before it, it may close something that is no leak.
        return Verdict::Vacuous;
    }
    let blocks = case.blocks.iter().filter(|block| block.part == lone.part);
    let prose = without(&case.texts[lone.part], blocks.map(|block| &block.range));
    if prose.get(..start).is_some_and(|above| above.contains("{\"name\"")) {
        // So it may where a sentence above spells a call.
        return Verdict::Vacuous;
    }
    let others: Vec<_> = run.leaks(lone.part).map(|leak| leak.range.clone()).collect();
    let rest = without(&case.texts[lone.part], others.iter());
    let told = run.leaks(lone.part).any(|leak| {
        leak.range.end > start && leak.range.start < end && leak.closed.contains(&"not-mentioned")
    });
    if told && may_be_mentioned(&rest, &lone.range) {
        // It stands below an announced example, and what stands between is no text.
        return Verdict::Vacuous;
    }
    if fenced_above(run, lone) > 1 {
        // What one block's fence hides and another's lays open again is not believed.
        return Verdict::Vacuous;
    }
    let gone = run.removed(lone.part).iter().any(|range| range.start <= start && end <= range.end);
    Verdict::require(gone, || format!("{:?} is left", lone.range))
}

/// How many blocks in the closer's text are printed with a fence in them.
fn fenced_above(run: &Run<'_>, lone: &Block) -> usize {
    let text = &run.case.texts[lone.part];
    let fenced = |block: &&Block| {
        text.get(block.range.clone()).is_some_and(|own| own.contains("```") || own.contains("~~~"))
    };
    run.printed_in(lone.part).filter(fenced).count()
}

/// True if the closer is that of the block right above it, which was printed without any: a family that may
/// close its blocks reads it as the end of that one.
fn is_own(run: &Run<'_>, lone: &Block, closer: &str) -> bool {
    let text = &run.case.texts[lone.part];
    run.printed_in(lone.part).any(|block| {
        let between = text.get(block.range.end..lone.range.start);
        let closers = block.family().map_or(&[][..], |family| family.closers);
        let own = text[block.range.clone()].trim_end();
        between.is_some_and(|gap| gap.trim().is_empty())
            && closers.contains(&closer)
            && !closers.iter().any(|closer| own.ends_with(closer))
    })
}

/// Nothing but the blocks and white space stands in its text, and it is left out where anything is.
fn gone(run: &Run<'_>, lone: &Block) -> Verdict {
    let shown = run.case.blocks.iter().any(|block| block.shown) || !run.case.mentions.is_empty();
    let alone = run.around(lone.part).trim().is_empty();
    if shown || !alone || !run.treatment.changes_message() {
        return Verdict::Vacuous;
    }
    let text = &run.case.texts[lone.part];
    let others = run.printed_in(lone.part).filter(|block| *block != lone);
    let left = others.fold(run.left()[lone.part].to_owned(), |left, block| {
        left.replacen(text[block.range.clone()].trim(), "", 1)
    });
    let closer = text[lone.range.clone()].trim();
    Verdict::require(!left.contains(closer), || format!("{closer:?} is left"))
}

/// A closer that also ends a turn: behind a call of any family it belongs to that call.
const TURN_END: &str = "<|eom_id|>";

/// The damage that this is about.
const LONE: &str = "lone-closer";

/// True if nothing in the block can be taken for more than it is: its values hold no syntax, or nothing
/// but markdown in a format that keeps it; and shown, it holds nothing that would hide what follows.
fn ends_where_it_should(block: &Block) -> bool {
    let raw = RAW.contains(&block.family.as_str()) && block.spelling == "canonical";
    let open = raw && !block.shown && are_markerless(&block.calls);
    let shown = block.shown && !block.calls.iter().any(|call| has_fence(&call.arguments));
    // A closer below a spelling that lost its wrapper, or never had one, may be the wrapper's.
    let bare = block.family().is_some_and(|family| family.whole_message);
    let calm = block.calm && !bare && block.spelling == "canonical";
    calm || block.is_sound() && (open || shown)
}

fn has_fence_in(block: &Block) -> bool {
    RAW.contains(&block.family.as_str())
        && block.calls.iter().any(|call| has_fence(&call.arguments))
}

fn has_fence(arguments: &Map<String, Value>) -> bool {
    let text = Value::Object(arguments.clone()).to_string();
    ["`", "~"].iter().any(|mark| text.contains(mark))
}
