//! The one seam through which a harness alters the treatment of leaks.

use std::ops::Range;

use serde_json::Value;

use super::gates::{GATES, PromotionGate};
use super::typed::Typed;
use super::{FAMILIES, Family, Field, markdown, seam, standing, typed};
use crate::{Context, Gate, Tool, spelling};

/// Tells which ranges the text around only mentions: the text, what of it is code, and the ranges.
pub type Mentions = fn(&str, &[Range<usize>], &[Range<usize>]) -> Vec<bool>;

/// The tables and steps of one grammar. The default is the engine; anything else is a planted bug.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one switch for each step that can be left out")]
pub struct GrammarTables {
    /// The families, by precedence.
    pub families: Vec<Family>,
    /// The gates of promotion.
    pub gates: Vec<PromotionGate>,
    /// Tells which ranges are code or quotations.
    pub protect: fn(&str) -> Vec<Range<usize>>,
    /// Tells which ranges the text around only mentions.
    pub mentions: Mentions,
    /// Types fields by a tool's schema.
    pub type_fields: fn(&[Field], &Tool) -> Typed,
    /// Takes ranges out of a text.
    pub remove: fn(&str, &[Range<usize>]) -> String,
    /// Tells whether a gate admits a message.
    pub admits: fn(&Gate, &Context<'_>) -> bool,
    /// Tells whether two calls to one tool are the same.
    pub same: fn(&Value, &Value) -> bool,
    /// Reads the markdown again, with the blocks that were found blanked.
    pub second_parse: bool,
    /// Removes markers that stand alone.
    pub dangling: bool,
    /// Leaves a message alone in which removing would make a new marker.
    pub fixpoint: bool,
    /// Keeps blocks of unknown tools.
    pub keeps_unknown: bool,
    /// Closes what was cut off in a leaked call's arguments, as for native calls.
    pub closes_cut: bool,
}

impl Default for GrammarTables {
    fn default() -> Self {
        Self {
            families: FAMILIES.to_vec(),
            gates: GATES.to_vec(),
            protect: markdown::protect,
            mentions: standing::mentioned,
            type_fields: typed::type_fields,
            remove: seam::remove,
            admits: Gate::admits,
            same: spelling::same_value,
            second_parse: true,
            dangling: true,
            fixpoint: true,
            keeps_unknown: true,
            closes_cut: false,
        }
    }
}
