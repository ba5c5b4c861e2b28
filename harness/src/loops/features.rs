//! What can go wrong in a session; a batch leaves some of it out.

use corpus::{Block, Script};

use super::case::LEAKED;

/// Something that sessions carry.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its name.
    pub id: &'static str,
    /// True if a script carries it.
    pub shows: fn(&Script) -> bool,
    /// Takes it out of a script.
    pub drop: fn(&mut Script),
}

const fn feature(id: &'static str, shows: fn(&Script) -> bool, drop: fn(&mut Script)) -> Feature {
    Feature { id, shows, drop }
}

/// Everything that can go wrong.
pub const FEATURES: &[Feature] = &[
    feature(
        "answer-fails",
        |script| script.turns.iter().any(|turn| turn.error.is_some()),
        |script| script.turns.iter_mut().for_each(|turn| turn.error = None),
    ),
    feature(
        "answer-hangs",
        |script| script.turns.iter().any(|turn| turn.hang),
        |script| script.turns.iter_mut().for_each(|turn| turn.hang = false),
    ),
    feature(
        "answer-stops-early",
        |script| script.turns.iter().any(|turn| turn.stop.is_some()),
        |script| script.turns.iter_mut().for_each(|turn| turn.stop = None),
    ),
    feature(
        "arguments-as-text",
        |script| blocks(script).any(is_text),
        |script| without(script, is_text),
    ),
    feature("handlers", |script| !script.handlers.is_empty(), |script| script.handlers.clear()),
    feature("leaked-call", |script| blocks(script).any(is_leak), |script| without(script, is_leak)),
    feature(
        "path-is-no-text",
        |script| blocks(script).any(has_odd_path),
        |script| without(script, has_odd_path),
    ),
    feature(
        "unknown-tool",
        |script| blocks(script).any(is_unknown),
        |script| without(script, is_unknown),
    ),
];

fn blocks(script: &Script) -> impl Iterator<Item = &Block> {
    script.turns.iter().flat_map(|turn| &turn.content)
}

/// Takes blocks out; an answer with nothing left says a word.
fn without(script: &mut Script, out: fn(&Block) -> bool) {
    for turn in &mut script.turns {
        turn.content.retain(|block| !out(block));
        if turn.content.is_empty() {
            turn.content.push(Block::Text { text: "words".to_owned() });
        }
    }
}

fn is_text(block: &Block) -> bool {
    matches!(block, Block::Call { raw, arguments_error, .. } if raw.is_some() || arguments_error.is_some())
}

fn is_leak(block: &Block) -> bool {
    matches!(block, Block::Text { text } if text.contains(LEAKED))
}

fn has_odd_path(block: &Block) -> bool {
    matches!(block, Block::Call { name, arguments, .. } if name == "probe" && !arguments["path"].is_string())
}

fn is_unknown(block: &Block) -> bool {
    matches!(block, Block::Call { name, .. } if name == "missing")
}
