//! What texts and calls alone show of an engine that does not tell what it found: the harness knows what it printed.

use std::iter;
use std::ops::Range;

use engine::grammar::{FAMILIES, Printed, Promoted};

use super::case::Block;
use super::oracle::around::{has_more, is_surely_mentioned, without};
use super::run::Run;

impl Run<'_> {
    /// What was printed outside code.
    pub fn printed(&self) -> impl Iterator<Item = &Block> {
        self.case.blocks.iter().filter(|block| !block.shown)
    }

    /// The same in one text.
    pub fn printed_in(&self, part: usize) -> impl Iterator<Item = &Block> {
        self.printed().filter(move |block| block.part == part)
    }

    /// The blocks that print this call, in code too.
    pub fn printers(&self, promoted: &Promoted) -> Vec<&Block> {
        let prints = |block: &&Block| block.calls.iter().any(|call| self.is_meant(call, promoted));
        self.case.blocks.iter().filter(prints).collect()
    }

    /// What surrounds the blocks of a text that were printed outside code.
    pub fn around(&self, part: usize) -> String {
        without(&self.case.texts[part], self.printed_in(part).map(|block| &block.range))
    }

    /// True if a sentence stands around the block, or announces it.
    pub fn surely_mentions(&self, block: &Block) -> bool {
        let rest = without(&self.case.texts[block.part], iter::once(&block.range));
        is_surely_mentioned(&rest, &block.range)
    }

    /// True if text stands behind the block, other blocks aside.
    pub fn has_text_behind(&self, block: &Block) -> bool {
        let place = |block: &Block| (block.part, block.range.start);
        let behind = self.printed().filter(|other| place(other) >= place(block));
        let places: Vec<(usize, Range<usize>)> =
            behind.map(|other| (other.part, other.range.clone())).collect();
        has_more(&self.case.texts, &places)
    }

    /// True if the bytes of a text still stand in what is left of it, white space at their ends aside.
    pub fn keeps(&self, part: usize, range: &Range<usize>) -> bool {
        let text = self.case.texts[part].get(range.clone()).unwrap_or_default();
        self.left()[part].contains(text.trim())
    }

    /// True if the engine claims to know some family that ends in this closer.
    pub fn knows_closer(&self, closer: &str) -> bool {
        let Some(hello) = self.workshop.hello() else { return true };
        let ending = FAMILIES.iter().filter(|family| family.closers.contains(&closer));
        let mut rows =
            ending.flat_map(|family| family.spellings.iter().map(move |row| (family, row)));
        rows.any(|(family, row)| hello.knows(family.id, row.id))
    }
}

/// A text without white space.
pub fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// True if the format prints the calls of a block side by side, with nothing around them that makes them one;
/// what numbers them aside.
pub fn is_unbound(block: &Block) -> bool {
    let Some(family) = block.family() else { return false };
    let print = |calls: &[Printed<'_>]| {
        let text = (family.render)(calls, &block.spelling)?;
        Some(dense(&text).replace(|letter: char| letter.is_ascii_digit(), ""))
    };
    let calls = block.printed();
    let twice: Vec<Printed<'_>> = calls.iter().chain(&calls).copied().collect();
    print(&calls).is_some_and(|once| print(&twice).is_some_and(|twice| twice == once.repeat(2)))
}
