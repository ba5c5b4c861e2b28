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
        match self.machine() {
            Some(machine) => machine.is_match(text),
            None => self.list.iter().any(|word| text.contains(word)),
        }
    }

    /// The pieces of a text between these words.
    pub(super) fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let Some(machine) = self.machine() else { return vec![text] };
        let mut pieces = Vec::new();
        let mut from = 0;
        for found in machine.find_iter(text) {
            pieces.extend(text.get(from..found.start()));
            from = found.end();
        }
        pieces.extend(text.get(from..));
        pieces
    }

    fn machine(&self) -> Option<&AhoCorasick> {
        self.machine.get_or_init(|| AhoCorasick::new(self.list).ok()).as_ref()
    }
}
