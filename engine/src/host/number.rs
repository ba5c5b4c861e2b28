//! Numbers as JavaScript reads and writes them.

use serde_json::{Number, Value};

/// The largest integer below which every integer is a double of its own.
const SAFE_MAX: f64 = 9_007_199_254_740_991.0;

/// Whether an integral double is the only integer that rounds to it.
pub(super) fn is_safe(double: f64) -> bool {
    double.abs() <= SAFE_MAX
}

/// Whether a double has no fraction.
pub(super) fn is_integral(double: f64) -> bool {
    double.fract() == 0.0
}

/// A finite double as JSON: an integer where integral and safe.
pub(super) fn to_json(double: f64) -> Option<Value> {
    if is_integral(double) && is_safe(double) {
        return format!("{double:.0}").parse::<i64>().ok().map(Value::from);
    }
    Number::from_f64(double).map(Value::Number)
}

/// The double that text converts to, infinities included; `None` if it is no number.
pub(super) fn read(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return Some(0.0);
    }
    let radix = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)];
    if let Some((digits, base)) =
        radix.iter().find_map(|(prefix, base)| Some((text.strip_prefix(prefix)?, *base)))
    {
        return read_digits(digits, base);
    }
    match text.strip_prefix(['+', '-']).unwrap_or(text) {
        "Infinity" if text.starts_with('-') => Some(f64::NEG_INFINITY),
        "Infinity" => Some(f64::INFINITY),
        _ => read_decimal(text),
    }
}

fn read_decimal(text: &str) -> Option<f64> {
    // Rust also reads `inf` and `nan`, which hold letters that no decimal has.
    let is_decimal = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    text.chars().all(is_decimal).then(|| text.parse().ok()).flatten()
}

fn read_digits(digits: &str, base: u32) -> Option<f64> {
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
    let add = |sum: f64, c: char| sum * f64::from(base) + f64::from(c.to_digit(base).unwrap_or(0));
    is_number.then(|| digits.chars().fold(0.0, add))
}

/// Whether the text holds nothing but white space, which reads as 0.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

fn is_space(c: char) -> bool {
    // JavaScript counts the byte order mark as white space, and not the C1 control U+0085.
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// The text a finite double converts to.
pub(super) fn text(double: f64) -> String {
    if double == 0.0 {
        return "0".to_owned();
    }
    let size = double.abs();
    if (1e-6..1e21).contains(&size) {
        return double.to_string();
    }
    let scientific = format!("{double:e}");
    if size < 1.0 { scientific } else { scientific.replace('e', "e+") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_written_as_javascript_writes_them() {
        let cases = [
            (5.0, "5"),
            (-0.0, "0"),
            (3.7, "3.7"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (1e-7, "1e-7"),
            (0.000_001, "0.000001"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
        ];
        for (double, expected) in cases {
            assert_eq!(text(double), expected);
        }
    }

    #[test]
    fn texts_are_read_as_javascript_reads_them() {
        let cases = [
            (" 5\n", Some(5.0)),
            ("", Some(0.0)),
            ("0x10", Some(16.0)),
            ("-0x10", None),
            ("5.", Some(5.0)),
            (".5", Some(0.5)),
            (".", None),
            ("1e3", Some(1000.0)),
            ("1_000", None),
            ("inf", None),
            ("Infinity", Some(f64::INFINITY)),
            ("+Infinity", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
        ];
        for (input, expected) in cases {
            assert_eq!(read(input), expected, "{input}");
        }
    }
}
