//! Numbers: the JSON grammar, and whether a 64-bit number holds one exactly.

use serde_json::Number;

use super::{ReadError, Stop, scan::Scanner};

impl Scanner<'_> {
    /// Reads the number that starts here.
    ///
    /// Inside a container (`whole` is false) a number that touches the end of the text counts as
    /// cut: more digits may have followed.
    pub(super) fn number(&mut self, whole: bool) -> Result<Number, ReadError> {
        let start = self.at();
        let length = match number_length(self.bytes()) {
            Ok(length) => length,
            Err(length) => {
                self.advance(length);
                let cut = self.peek().is_none();
                return Err(if cut { self.cut(Stop::InNumber) } else { self.broken() });
            }
        };
        self.advance(length);
        if !whole && self.peek().is_none() {
            return Err(self.cut(Stop::InNumber));
        }
        let literal = self.slice(start, start + length);
        if literal != "-0" {
            if let Ok(integer) = literal.parse::<u64>() {
                return Ok(integer.into());
            }
            if let Ok(integer) = literal.parse::<i64>() {
                return Ok(integer.into());
            }
        }
        let (nearest, exact) = nearest_double(literal);
        if !exact {
            self.inexact.get_or_insert(start);
        }
        self.spend(length.saturating_mul(2));
        Number::from_f64(nearest).ok_or_else(|| ReadError::broken(start))
    }
}

/// Whether a text is exactly one JSON number.
pub(super) fn is_number(text: &str) -> bool {
    number_length(text.as_bytes()) == Ok(text.len())
}

/// The length of the JSON number that starts here, or how far it got before it broke the grammar.
fn number_length(bytes: &[u8]) -> Result<usize, usize> {
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    at += match bytes.get(at) {
        Some(b'0') => 1,
        _ => some_digits(bytes, at)?,
    };
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        at += some_digits(bytes, at)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        at += some_digits(bytes, at)?;
    }
    Ok(at)
}

/// The number of digits from `at` on, or `at` if there is none.
fn some_digits(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let digits = bytes.iter().skip(at).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { Err(at) } else { Ok(digits) }
}

/// The double nearest to a JSON number, and whether its shortest spelling is the same decimal.
fn nearest_double(literal: &str) -> (f64, bool) {
    let nearest = literal.parse::<f64>().unwrap_or(f64::INFINITY);
    // Every decimal of at most 15 digits survives the way through a double.
    if literal.len() <= 16 && literal.contains('.') && !literal.contains(['e', 'E']) {
        return (nearest, true);
    }
    if nearest.is_finite() {
        let spelled = format!("{nearest:e}");
        (nearest, Decimal::of(literal) == Decimal::of(&spelled))
    } else {
        (f64::MAX.copysign(nearest), false)
    }
}

/// A decimal number without sign, as its significant digits and the power of ten of the last one.
#[derive(Debug, Eq, PartialEq)]
struct Decimal {
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(literal: &str) -> Self {
        let unsigned = literal.strip_prefix('-').unwrap_or(literal);
        let (significand, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
        let all = [whole, fraction].concat();
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Self { digits: String::new(), exponent: 0 };
        }
        let zeros = all.len() - all.trim_end_matches('0').len();
        let exponent = exponent_value(exponent)
            .saturating_sub(signed(fraction.len()))
            .saturating_add(signed(zeros));
        Self { digits: digits.to_owned(), exponent }
    }
}

/// The exponent as a number; one too long for that is as good as infinite.
fn exponent_value(digits: &str) -> i64 {
    let limit = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
    digits.parse().unwrap_or(limit)
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
