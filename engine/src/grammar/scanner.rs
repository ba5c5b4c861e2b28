//! Finds blocks and lone markers of all families in one pass over a text.

use std::ops::Range;

use aho_corasick::packed::Searcher;
use aho_corasick::{AhoCorasick, Anchored, Input, Match, MatchKind, Span, StartKind};

use super::{Block, BlockState, Family, Page, stops};

/// The families of a session with one automaton over all their markers. Build it once.
#[derive(Debug)]
pub struct Scanner {
    families: Vec<Family>,
    automaton: Option<AhoCorasick>,
    /// Looks for the beginnings of all markers at once, much faster than the automaton; `None` where
    /// the machine cannot.
    beginnings: Option<Searcher>,
    markers: Vec<Marker>,
}

/// What was found in one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// Blocks and lone markers, in order; no two share a byte.
    pub leaks: Vec<Leak>,
    /// Bytes that were looked at.
    pub steps: u64,
}

/// A range of a text that is call syntax.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// The bytes it owns.
    pub range: Range<usize>,
    /// The id of the family it belongs to.
    pub family: &'static str,
    /// What stands there.
    pub found: Found,
}

/// What stands in a leak's range.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A block, whole or not.
    Block(Block),
    /// A closer without a block of its own.
    Dangling,
    /// Openers without blocks of their own, right before another leak.
    Leading,
    /// From an opener to its closer, and no family reads what stands there. It is never removed.
    Unread,
    /// A marker at the end of the text, or the beginning of one: the rest was cut off.
    CutMarker,
}

impl Leak {
    /// The block, if it is one.
    pub fn block(&self) -> Option<&Block> {
        match &self.found {
            Found::Block(block) => Some(block),
            _ => None,
        }
    }

    /// True for a block that is whole.
    pub fn is_whole(&self) -> bool {
        self.block().is_some_and(|block| block.state == BlockState::Whole)
    }
}

/// A text that the automaton looks for, and whose it is.
#[derive(Debug)]
struct Marker {
    text: &'static str,
    /// The families to try, by precedence.
    openers: Vec<usize>,
    /// The family whose closer stands here, and the closer's length.
    closer: Option<(usize, usize)>,
    /// The family that is named where only the beginning of the marker stands.
    cut: Option<usize>,
}

/// The characters that must stand of a marker before its beginning counts as cut.
const CUT_CHARS_MIN: usize = 6;

impl Marker {
    fn new(text: &'static str, families: &[Family]) -> Self {
        let inside = |family: &&(usize, &Family)| !family.1.whole_message;
        let families: Vec<(usize, &Family)> = families.iter().enumerate().collect();
        let begins = |markers: &[&'static str]| {
            let fits = markers.iter().filter(|marker| text.starts_with(**marker));
            fits.map(|marker| marker.len()).max()
        };
        let openers = families.iter().filter(inside);
        let openers = openers.filter(|(_, family)| begins(family.openers).is_some());
        let openers: Vec<usize> = openers.map(|(index, _)| *index).collect();
        let closers =
            families.iter().filter_map(|(at, family)| Some((*at, begins(family.closers)?)));
        let closer = closers.max_by_key(|(at, length)| (*length, std::cmp::Reverse(*at)));
        let sentinel = text.starts_with(|first: char| !first.is_alphanumeric());
        let ungated =
            |index: &usize| families.get(*index).is_some_and(|(_, family)| family.gate.is_empty());
        let owner = openers.first().copied().or(closer.map(|(index, _)| index));
        let cut = owner.filter(ungated).filter(|_| sentinel);
        Self { text, openers, closer, cut }
    }

    /// True if `rest`, the end of a text, is enough of this marker's beginning: half of its characters,
    /// and six. Less may be prose: `<` and `[`, also `<tool`.
    fn is_cut(&self, rest: &str) -> bool {
        let shown = rest.chars().count();
        self.text.len() > rest.len()
            && self.text.starts_with(rest)
            && shown >= CUT_CHARS_MIN
            && shown * 2 >= self.text.chars().count()
    }
}

/// As much of a marker as tells it from most text: a few characters of a token or a tag, more of a word.
fn beginning(text: &str) -> &str {
    let length = if text.starts_with(char::is_alphanumeric) { 8 } else { 3 };
    let end = text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// Scans `text` for `families`, markdown aside; `tools` are the names a call may have, sorted.
///
/// Builds the automaton anew: for more than one text, keep a [`Scanner`].
///
/// # Examples
///
/// ```
/// use engine::grammar::{FAMILIES, scan};
///
/// let text = "Reading.\n<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": \"/x\"}}</tool_call>";
/// let scan = scan(text, FAMILIES, &["read".to_owned()]);
/// assert_eq!(scan.leaks.len(), 1);
/// assert_eq!(scan.leaks[0].range, 9..text.len());
/// ```
pub fn scan(text: &str, families: &[Family], tools: &[String]) -> Scan {
    Scanner::new(families).scan(text, tools, &[])
}

impl Scanner {
    /// A scanner for these families; their order is their precedence.
    pub fn new(families: &[Family]) -> Self {
        let inside = families.iter().filter(|family| !family.whole_message);
        let openers = inside.flat_map(|family| family.openers);
        let closers = families.iter().flat_map(|family| family.closers);
        let mut texts: Vec<&'static str> = openers.chain(closers).copied().collect();
        texts.sort_unstable();
        texts.dedup();
        texts.retain(|text| !text.is_empty());
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest).start_kind(StartKind::Both);
        // INVARIANT: a few hundred short literals always fit; without an automaton nothing is found.
        let automaton = builder.build(&texts).ok();
        let mut beginnings: Vec<&str> = texts.iter().map(|text| beginning(text)).collect();
        beginnings.sort_unstable();
        beginnings.dedup();
        let beginnings = Searcher::new(beginnings);
        let markers = texts.into_iter().map(|text| Marker::new(text, families)).collect();
        Self { families: families.to_vec(), automaton, beginnings, markers }
    }

    /// The families, by precedence.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The family of this id.
    pub fn family(&self, id: &str) -> Option<&Family> {
        self.families.iter().find(|family| family.id == id)
    }

    /// True if `text` holds anything that a scan would look at: a marker anywhere, an opener at the
    /// front, a cut marker at the end. Text without is passed over at the speed of a search.
    pub fn sees(&self, text: &str) -> bool {
        self.next(text, 0).is_some()
            || self.bare_candidates(text.trim_start()).next().is_some()
            || self.cut_marker(text, 0).is_some()
    }

    /// Scans `text`; openers and lone markers inside the ranges of `hidden`, which are sorted and
    /// apart, are passed over.
    ///
    /// At an opener the families are tried by precedence and the first that reads a block owns its
    /// range; scanning goes on behind it. Work is linear in the text.
    pub fn scan(&self, text: &str, tools: &[String], hidden: &[Range<usize>]) -> Scan {
        let page = Page::new(text, tools).with_code(hidden);
        let scan = Scan::default();
        let mut pass = Pass { scanner: self, page: &page, hidden, scan, unread: None, run: None };
        if !pass.bare() {
            pass.run();
        }
        let mut scan = pass.scan;
        scan.steps = scan.steps.saturating_add(page.steps());
        scan
    }

    /// The first marker from `at` on, the longest where several begin at one place.
    fn next(&self, text: &str, at: usize) -> Option<Match> {
        let automaton = self.automaton.as_ref()?;
        let mut rest = Span { start: at.min(text.len()), end: text.len() };
        let Some(beginnings) = &self.beginnings else {
            return automaton.find(Input::new(text).span(rest));
        };
        let here = |rest| automaton.find(Input::new(text).span(rest).anchored(Anchored::Yes));
        // In a text full of markers the next one stands right here, and no search need be begun.
        if let Some(found) = here(rest) {
            return Some(found);
        }
        while let Some(begun) = beginnings.find_in(text.as_bytes(), rest) {
            rest.start = begun.start();
            if let Some(found) = here(rest) {
                return Some(found);
            }
            rest.start += 1;
        }
        None
    }

    /// The families of whole messages that are worth a look at a text that begins like `front`.
    fn bare_candidates(&self, front: &str) -> impl Iterator<Item = &Family> {
        let bare = self.families.iter().filter(|family| family.whole_message);
        bare.filter(move |family| family.openers.iter().any(|opener| front.starts_with(opener)))
    }

    /// Where the text ends inside a marker, not before `floor`, and the family it belongs to.
    fn cut_marker(&self, text: &str, floor: usize) -> Option<(usize, &Family)> {
        let longest = self.markers.iter().map(|marker| marker.text.len()).max()?;
        let first = text.len().saturating_sub(longest).max(floor);
        let mut starts = (first..text.len()).filter(|at| text.is_char_boundary(*at));
        starts.find_map(|at| {
            let rest = text.get(at..)?;
            let cut = |marker: &Marker| marker.cut.filter(|_| marker.is_cut(rest));
            Some((at, self.families.get(self.markers.iter().find_map(cut)?)?))
        })
    }
}

/// One pass over one text.
struct Pass<'s, 'p, 't> {
    scanner: &'s Scanner,
    page: &'p Page<'t>,
    hidden: &'s [Range<usize>],
    scan: Scan,
    /// The last opener that no family read: where it stands, and its marker.
    unread: Option<(usize, usize)>,
    /// The last such openers with nothing but white space between them, and their family.
    run: Option<(Range<usize>, usize)>,
}

impl Pass<'_, '_, '_> {
    /// Looks for a block that is the whole message; true if there is one.
    fn bare(&mut self) -> bool {
        let text = self.page.text();
        let front = text.trim_start();
        let start = text.len() - front.len();
        if self.covering(start).is_some() {
            return false;
        }
        let end = text.trim_end().len();
        let leak = self.scanner.bare_candidates(front).find_map(|family| {
            let block = (family.scan)(self.page.cursor(start))?;
            let whole = stops::behind(text, block.end) >= end;
            let range = start..end;
            whole.then(|| Leak { range, family: family.id, found: Found::Block(block) })
        });
        let owned = leak.is_some();
        self.scan.leaks.extend(leak);
        owned
    }

    fn run(&mut self) {
        let text = self.page.text();
        let mut at = 0;
        while let Some(found) = self.scanner.next(text, at) {
            self.charge(found.end().saturating_sub(at));
            if let Some(hidden) = self.covering(found.start()) {
                at = hidden.end;
                continue;
            }
            // A marker without a meaning here may hold the beginning of another one.
            let next = text.get(found.start()..).and_then(|rest| rest.chars().next());
            at = found.start() + next.map_or(1, char::len_utf8);
            if let Some(mut leak) = self.owner(found) {
                let behind = stops::behind(text, leak.range.end);
                self.charge(behind - leak.range.end);
                leak.range.end = behind;
                at = behind.max(at);
                self.push(leak);
            } else {
                self.pass_over(found);
            }
        }
        self.charge(text.len().saturating_sub(at));
        let floor = self.floor();
        if let Some((start, family)) = self.scanner.cut_marker(text, floor)
            && self.covering(start).is_none()
        {
            let range = start..text.len();
            self.push(Leak { range, family: family.id, found: Found::CutMarker });
        }
    }

    /// Takes a leak, and the openers right before it: a model that stutters prints several.
    fn push(&mut self, leak: Leak) {
        self.unread = None;
        let run = self.run.take().filter(|(run, _)| self.is_blank(run.end, leak.range.start));
        let family = run.as_ref().and_then(|(_, index)| self.scanner.families.get(*index));
        if let (Some((range, _)), Some(family)) = (&run, family) {
            let (range, found) = (range.clone(), Found::Leading);
            self.scan.leaks.push(Leak { range, family: family.id, found });
        }
        self.scan.leaks.push(leak);
    }

    /// Notes an opener that no family reads.
    fn pass_over(&mut self, found: Match) {
        let index = found.pattern().as_usize();
        self.unread = Some((found.start(), index));
        let Some(family) = self.scanner.markers.get(index).and_then(|marker| marker.cut) else {
            return;
        };
        let last = self.run.take();
        self.run = match last {
            Some((run, family)) if found.start() < run.end => Some((run, family)),
            Some((run, family)) if self.is_blank(run.end, found.start()) => {
                Some((run.start..found.end(), family))
            }
            _ => Some((found.range(), family)),
        };
    }

    /// True if nothing but white space stands there.
    fn is_blank(&self, from: usize, to: usize) -> bool {
        self.page.text().get(from..to).is_some_and(|gap| gap.trim_ascii().is_empty())
    }

    fn charge(&mut self, bytes: usize) {
        self.scan.steps = self.scan.steps.saturating_add(bytes as u64);
    }

    /// The end of the last leak.
    fn floor(&self) -> usize {
        self.scan.leaks.last().map_or(0, |leak| leak.range.end)
    }

    /// The hidden range that holds this byte.
    fn covering(&self, at: usize) -> Option<&Range<usize>> {
        let behind = self.hidden.partition_point(|range| range.end <= at);
        self.hidden.get(behind).filter(|range| range.start <= at)
    }

    /// What owns the place where a marker was found.
    fn owner(&self, found: Match) -> Option<Leak> {
        let marker = self.scanner.markers.get(found.pattern().as_usize())?;
        let start = found.start();
        let families = marker.openers.iter().filter_map(|index| self.scanner.families.get(*index));
        for family in families {
            if let Some(block) = (family.scan)(self.page.cursor(start)) {
                let range = self.stray_start(family, start)..self.end_of(&block);
                return Some(Leak { range, family: family.id, found: Found::Block(block) });
            }
        }
        if let Some((index, length)) = marker.closer {
            let family = self.scanner.families.get(index)?.id;
            let end = start + length;
            let opener = self.unread_opener(self.page.text().get(start..end)?);
            let found = if opener.is_some() { Found::Unread } else { Found::Dangling };
            let start = opener.unwrap_or_else(|| self.inner_start(start));
            return Some(Leak { range: start..end, family, found });
        }
        let last = self.page.text().get(found.end()..)?.trim_ascii_start().is_empty();
        let family = self.scanner.families.get(marker.cut.filter(|_| last)?)?.id;
        Some(Leak { range: start..found.end(), family, found: Found::CutMarker })
    }

    /// Where a block ends with what belongs to it: behind a damaged one stand the brackets and tags that
    /// were left over with it, and white space that reading passed over is none of its.
    fn end_of(&self, block: &Block) -> usize {
        let BlockState::Damaged(_) = block.state else { return block.end };
        let text = self.page.text();
        let end = stops::inner_behind(text, stops::brackets_behind(text, block.end));
        if end > block.end && self.covering(end.saturating_sub(1)).is_none() {
            return end;
        }
        text.get(..block.end).map_or(block.end, |own| own.trim_ascii_end().len())
    }

    /// Where the opener stands that this closer belongs to, if no family could read it.
    fn unread_opener(&self, closer: &str) -> Option<usize> {
        let (start, marker) = self.unread?;
        let owners = self.scanner.markers.get(marker)?.openers.iter();
        let mut families = owners.filter_map(|index| self.scanner.families.get(*index));
        families.any(|family| family.closers.contains(&closer)).then_some(start)
    }

    /// Where the tags begin that were left over together with the closer at `start`.
    fn inner_start(&self, start: usize) -> usize {
        let begun = stops::inner_before(self.page.text(), self.floor(), start);
        if self.covering(begun).is_some() { start } else { begun }
    }

    /// Where the leak begins if a word stands right before it that the family is known to print
    /// there, alone on its line.
    fn stray_start(&self, family: &Family, start: usize) -> usize {
        let floor = self.floor();
        let Some(before) = self.page.text().get(floor..start) else { return start };
        if family.stray_words.is_empty() {
            return start;
        }
        let head = before.trim_ascii_end();
        let gap = before.get(head.len()..).unwrap_or_default();
        let line = |word: &str| {
            let above = head.strip_suffix(word)?;
            let alone = above.ends_with('\n') || (above.is_empty() && floor == 0);
            (alone && gap.contains('\n')).then_some(floor + above.len())
        };
        let word = family.stray_words.iter().find_map(|word| line(word));
        word.filter(|at| self.covering(*at).is_none()).unwrap_or(start)
    }
}

#[cfg(test)]
mod tests {
    use super::super::FAMILIES;
    use super::*;

    fn found(text: &str) -> Vec<(Range<usize>, &'static str)> {
        let what = |leak: Leak| match leak.found {
            Found::Block(block) if block.state == BlockState::Whole => "whole",
            Found::Block(block) if block.state == BlockState::CutOff => "cut off",
            Found::Block(_) => "damaged",
            Found::Dangling => "dangling",
            Found::Leading => "leading",
            Found::Unread => "unread",
            Found::CutMarker => "cut marker",
        };
        let tools = ["ls".to_owned(), "read".to_owned()];
        let scan = scan(text, FAMILIES, &tools);
        scan.leaks.into_iter().map(|leak| (leak.range.clone(), what(leak))).collect()
    }

    #[test]
    fn markers_are_found_where_they_stand() {
        let call = r#"<tool_call>{"name": "ls"}</tool_call>"#;
        assert_eq!(found(&format!("a {call}{call} b")), [(2..39, "whole"), (39..76, "whole")]);
        assert_eq!(found("a </tool_call> b"), [(2..14, "dangling")]);
        assert_eq!(found("a <tool_call>?</tool_call> b"), [(2..26, "unread")]);
        let stutter = "a <tool_call>\n<tool_call>\n<tool_call";
        assert_eq!(found(stutter), [(2..25, "leading"), (26..36, "cut marker")]);
        assert_eq!(found("a <tool_c"), [(2..9, "cut marker")]);
        assert_eq!(found("a <tool_call>{\"na"), [(2..17, "cut off")]);
        assert_eq!(found("a <|tool_calls_section_begin|>"), [(2..30, "cut off")]);
    }

    #[test]
    fn leaks_take_what_belongs_to_them_and_no_more() {
        let call = r#"<invoke name="ls">
</invoke>"#;
        for (before, start) in
            [("court\n", 0), ("a\ncourt\n", 2), ("a court\n", 8), ("court ", 6), ("recount\n", 8)]
        {
            let text = format!("{before}{call}");
            assert_eq!(found(&text), [(start..text.len(), "whole")], "{text}");
        }
        let first = r#"<tool_call>{"name": "ls"}</tool_call>"#;
        for (before, start) in [("\ncourt\n", 38), ("court\n", 43)] {
            let text = format!("{first}{before}{call}");
            assert_eq!(found(&text), [(0..37, "whole"), (start..text.len(), "whole")], "{text}");
        }
        let damaged = r#"a <tool_call>{"name": "ls",  oops"#;
        assert_eq!(found(damaged), [(2..27, "damaged")]);
        let closed = r#"a <tool_call>{"name": oops}</tool_call>}]"#;
        assert_eq!(found(&format!("{closed}\nb")), [(2..closed.len(), "damaged")]);
        let unclosed = r#"<tool_call>{"name": "ls"}"#;
        for prose in ["[1] b", "[Calling it.", "[b](c)"] {
            assert_eq!(found(&format!("{unclosed}\n\n{prose}")), [(0..25, "damaged")], "{prose}");
        }
        let openers = "a <tool_call> b <tool_call><tool_call>\n<tool_call";
        assert_eq!(found(openers), [(16..38, "leading"), (39..49, "cut marker")]);
        let behind = format!("{call}<|tool_calls_section_end|>");
        assert_eq!(found(&behind), [(0..28, "whole"), (28..54, "dangling")]);
    }

    #[test]
    fn every_byte_beside_blocks_is_counted_once() {
        for text in ["a </tool_call></s> b", "nothing at all", "</tool_call>"] {
            assert_eq!(scan(text, FAMILIES, &[]).steps, text.len() as u64, "{text}");
        }
    }

    #[test]
    fn what_a_scan_would_find_is_seen() {
        let scanner = Scanner::new(FAMILIES);
        for text in ["a </tool_call> b", " {\"name\": ", "a <tool_c"] {
            assert!(scanner.sees(text), "{text}");
        }
        assert_eq!(scanner.families().len(), FAMILIES.len());
        assert_eq!(scanner.family("hermes").map(|family| family.id), Some("hermes"));
    }

    #[test]
    fn prose_is_no_marker() {
        for text in ["a <", "a [", "b <tool", "x <y> z", "{\"a\": 1}", "", "<tool_cat> and"] {
            assert_eq!(found(text), [], "{text}");
            assert!(!Scanner::new(FAMILIES).sees(text) || text.starts_with('{'), "{text}");
        }
    }

    #[test]
    fn hidden_places_are_passed_over() {
        let call = r#"<tool_call>{"name": "ls"}</tool_call>"#;
        let text = format!("{call} {call}");
        let hidden = [Range { start: 0, end: 37 }];
        let scan = Scanner::new(FAMILIES).scan(&text, &["ls".to_owned()], &hidden);
        assert_eq!(
            scan.leaks.iter().map(|leak| leak.range.clone()).collect::<Vec<_>>(),
            [Range { start: 38, end: 75 }]
        );
    }
}
