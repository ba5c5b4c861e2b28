//! Every liberty the reader takes with strict JSON: one row and one file each.

pub(super) mod accept_single_quotes;
pub(super) mod accept_typographic_quotes;
pub(super) mod close_containers;
pub(super) mod drop_repeated_value;
pub(super) mod drop_surplus_closer;
pub(super) mod drop_trailing_comma;
pub(super) mod keep_invalid_escape;
pub(super) mod keep_raw_control;
pub(super) mod merge_equal_members;
pub(super) mod quote_bare_key;
pub(super) mod read_over_escaped;
pub(super) mod read_python_literal;
pub(super) mod skip_comment;
pub(super) mod skip_literal_newline;
pub(super) mod skip_odd_space;
pub(super) mod skip_surrounding_text;
pub(super) mod unwrap_fence;

/// One way in which a text may differ from strict JSON and still have only one meaning.
#[derive(Debug)]
#[non_exhaustive]
pub struct Liberty {
    /// Stable name, `read.` and the file stem.
    pub id: &'static str,
    /// What is tolerated and how it is read, one sentence.
    pub allows: &'static str,
    /// What the model should send instead, one sentence.
    pub note: &'static str,
    /// Texts and the JSON they are read as; run as tests.
    pub examples: &'static [(&'static str, &'static str)],
    /// Whether the text was cut off and only closing brackets are missing.
    pub truncation: bool,
}

/// All liberties; [`Reading::liberties`](super::Reading::liberties) keeps this order.
pub const LIBERTIES: &[&Liberty] = &[
    &keep_raw_control::LIBERTY,
    &keep_invalid_escape::LIBERTY,
    &drop_trailing_comma::LIBERTY,
    &skip_comment::LIBERTY,
    &accept_single_quotes::LIBERTY,
    &accept_typographic_quotes::LIBERTY,
    &read_python_literal::LIBERTY,
    &read_over_escaped::LIBERTY,
    &skip_literal_newline::LIBERTY,
    &skip_odd_space::LIBERTY,
    &unwrap_fence::LIBERTY,
    &skip_surrounding_text::LIBERTY,
    &drop_surplus_closer::LIBERTY,
    &drop_repeated_value::LIBERTY,
    &close_containers::LIBERTY,
    &quote_bare_key::LIBERTY,
    &merge_equal_members::LIBERTY,
];

/// How often a text took one liberty.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LibertyUse {
    /// The liberty taken.
    pub liberty: &'static Liberty,
    /// How many times.
    pub count: u32,
    /// The first place, in bytes from the start of the text.
    pub at_byte: usize,
}

/// The liberties taken so far, in table order; slots are allocated at the first one.
#[derive(Debug, Default)]
pub(super) struct Taken(Vec<LibertyUse>);

impl Taken {
    /// Counts one use; the first place reported is the one that stays.
    pub(super) fn take(&mut self, liberty: &'static Liberty, at_byte: usize) {
        match self.0.iter_mut().find(|used| used.liberty.id == liberty.id) {
            Some(used) => used.count = used.count.saturating_add(1),
            None => self.0.push(LibertyUse { liberty, count: 1, at_byte }),
        }
    }

    pub(super) fn includes(&self, liberty: &'static Liberty) -> bool {
        self.0.iter().any(|used| used.liberty.id == liberty.id)
    }

    /// The uses in table order.
    pub(super) fn into_uses(mut self) -> Vec<LibertyUse> {
        self.0.sort_by_key(|used| LIBERTIES.iter().position(|row| row.id == used.liberty.id));
        self.0
    }
}
