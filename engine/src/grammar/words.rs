//! Lists of words that are looked for all at once.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

/// A list of words. Looking for all of them takes one pass over a text.
#[derive(Debug)]
pub(super) struct Words {
    list: &'static [&'static str],
    machine: OnceLock<Option<AhoCorasick>>,
}

impl Words {
    pub(super) const fn new(list: &'static [&'static str]) -> Self {
        Self { list, machine: OnceLock::new() }
    }

    /// The words, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.list.iter().copied()
    }

    /// True if any of the words stands in the text, also within another.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        match self.machine.get_or_init(|| AhoCorasick::new(self.list).ok()) {
            Some(machine) => machine.is_match(text),
            None => self.list.iter().any(|word| text.contains(word)),
        }
    }
}
