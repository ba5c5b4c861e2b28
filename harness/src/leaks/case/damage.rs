//! What goes wrong with a printed block: one row for each kind of damage.

use engine::grammar::{FAMILIES, Family};

use super::values::marker;
use crate::generate::hostile::boundary;
use crate::source::{Choose, Source};

/// One kind of damage.
#[derive(Clone, Copy, Debug)]
pub struct Damage {
    /// Its name.
    pub id: &'static str,
    /// What it does.
    pub says: &'static str,
    /// True if what comes out cannot be read as other calls than those that were printed, as long as
    /// these hold plain words only.
    pub strict: bool,
    /// True if the text ends there.
    pub last: bool,
    /// Damages the block; `None` if it has nothing to damage in this way.
    pub apply: fn(&mut dyn Source, &str, &Family) -> Option<String>,
}

const fn damage(
    id: &'static str,
    says: &'static str,
    strict: bool,
    apply: fn(&mut dyn Source, &str, &Family) -> Option<String>,
) -> Damage {
    Damage { id, says, strict, last: false, apply }
}

/// Every kind of damage.
pub const DAMAGES: &[Damage] = &[
    Damage { last: true, ..damage("cut", "the text ends inside the block", true, cut) },
    damage("cut-before-more", "the block ends inside, and prose follows", true, cut),
    damage("marker-dropped", "a marker is missing", true, |source, block, family| {
        let (start, end) = token(source, block, family)?;
        Some(format!("{}{}", &block[..start], &block[end..]))
    }),
    damage("marker-doubled", "a marker stands twice", true, |source, block, family| {
        let (start, end) = token(source, block, family)?;
        Some(format!("{}{}", &block[..end], &block[start..]))
    }),
    damage("markers-swapped", "two markers have changed places", false, |source, block, family| {
        let (one, two) = (token(source, block, family)?, token(source, block, family)?);
        let (first, second) = if one.0 <= two.0 { (one, two) } else { (two, one) };
        if first.1 > second.0 {
            return None;
        }
        let [a, b] = [first, second].map(|(start, end)| &block[start..end]);
        Some(format!(
            "{}{b}{}{a}{}",
            &block[..first.0],
            &block[first.1..second.0],
            &block[second.1..]
        ))
    }),
    damage("wrong-closer", "a marker is that of another family", false, |source, block, family| {
        let (start, end) = token(source, block, family)?;
        Some(format!("{}{}{}", &block[..start], marker(source), &block[end..]))
    }),
    damage("bracket-dropped", "a bracket or quote is missing", true, |source, block, _| {
        let at = mark(source, block, &['{', '}', '[', ']', '"', ',', ':', '(', ')'])?;
        Some(format!("{}{}", &block[..at], &block[at + 1..]))
    }),
    damage(
        "json-residue",
        "pieces of JSON stand where they do not belong",
        false,
        |source, block, family| {
            let (start, end) = token(source, block, family)?;
            let at = if source.chance(1, 2) { start } else { end };
            let piece = source.pick::<&str>(&["\"}", "\":\"", "}}", "\\\"", "]"]);
            Some(format!("{}{piece}{}", &block[..at], &block[at..]))
        },
    ),
    damage("text-inside", "a word stands somewhere inside", false, |source, block, _| {
        let at = boundary(block, source.index(block.len() + 1));
        let (head, tail) = block.split_at(at);
        Some(format!(
            "{head}{}{tail}",
            source.pick(&["word", "\n", " and so ", "```\n", "\u{0}", "é"])
        ))
    }),
    damage("surplus-closer", "closers stand behind it", true, |source, block, family| {
        let closer =
            if family.closers.is_empty() { "</tool_call>" } else { *source.pick(family.closers) };
        Some(format!("{block}{}", closer.repeat(source.range(1, 3) as usize)))
    }),
    damage("opener-only", "nothing but an opener is left", true, |source, _, family| {
        Some((*source.pick(family.openers)).to_owned())
    }),
    damage("nested", "the block stands inside itself", false, |source, block, family| {
        let (_, at) = token(source, block, family)?;
        Some(format!("{}{block}{}", &block[..at], &block[at..]))
    }),
    damage(
        "overlapping",
        "another family's marker stands inside",
        false,
        |source, block, family| {
            let (_, at) = token(source, block, family)?;
            Some(format!("{}{}{}", &block[..at], marker(source), &block[at..]))
        },
    ),
    damage("wrapped", "markers of another family stand around it", true, |source, block, _| {
        let other = source.pick(FAMILIES);
        let closer = other.closers.first().copied().unwrap_or_default();
        Some(format!("{}\n{block}\n{closer}", other.openers.first()?))
    }),
    damage("letter-lost", "a character is missing", false, |source, block, _| {
        let at = boundary(block, source.index(block.len()));
        let mut rest = block[at..].chars();
        rest.next();
        Some(format!("{}{}", &block[..at], rest.as_str()))
    }),
];

/// Where the text is cut: somewhere behind the first marker's first character.
fn cut(source: &mut dyn Source, block: &str, _: &Family) -> Option<String> {
    let at = boundary(
        block,
        source.range(1, u32::try_from(block.len()).ok()?.saturating_sub(1)) as usize,
    );
    (at > 0 && at < block.len()).then(|| block[..at].to_owned())
}

/// Where one of the marks stands.
fn mark(source: &mut dyn Source, block: &str, marks: &[char]) -> Option<usize> {
    let found: Vec<usize> = block.match_indices(marks).map(|(at, _)| at).collect();
    if found.is_empty() { None } else { Some(*source.pick(&found)) }
}

/// The bytes of one of the block's markers.
fn token(source: &mut dyn Source, block: &str, family: &Family) -> Option<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for marker in family.openers.iter().chain(family.closers) {
        found.extend(block.match_indices(marker).map(|(at, _)| (at, at + marker.len())));
    }
    for (at, _) in block.match_indices('<') {
        let tag = block[at..].find('>').map(|length| (at, at + length + 1));
        found.extend(tag.filter(|(start, end)| !block[*start..*end].contains('\n')));
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() { None } else { Some(*source.pick(&found)) }
}

/// The damage of this name.
pub fn named(id: &str) -> Option<&'static Damage> {
    DAMAGES.iter().find(|damage| damage.id == id)
}
