//! How numbers, times and foreign texts are put on the page.

use std::fmt::Write as _;
use std::time::Duration;

/// A count with its thousands set apart.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Parts of a whole in percent; a share that is not nothing does not read as nothing, nor one that is not all as all.
pub(super) fn percent(part: u64, whole: u64) -> String {
    match ratio(part, whole) * 100.0 {
        _ if part == 0 => "0%".to_owned(),
        _ if part == whole => "100%".to_owned(),
        share if share < 0.1 => "<0.1%".to_owned(),
        share if share > 99.9 => ">99.9%".to_owned(),
        share if share < 10.0 => format!("{share:.1}%"),
        share => format!("{share:.0}%"),
    }
}

/// A part of a whole, between 0 and 1.
#[expect(clippy::cast_precision_loss, reason = "drawn, not computed with")]
pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A time to three digits.
pub(super) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        _ if seconds >= 1.0 => (seconds, "s"),
        _ if seconds >= 1e-3 => (seconds * 1e3, "ms"),
        _ if seconds >= 1e-6 => (seconds * 1e6, "µs"),
        _ => (seconds * 1e9, "ns"),
    };
    match value {
        _ if unit == "ns" || value >= 100.0 => format!("{value:.0}\u{a0}{unit}"),
        _ if value >= 10.0 => format!("{value:.1}\u{a0}{unit}"),
        _ => format!("{value:.2}\u{a0}{unit}"),
    }
}

/// A foreign text with everything spelled out that could not be seen, or could turn what stands beside it.
pub(super) fn visible(text: &str, chars_max: usize) -> String {
    let mut shown = String::new();
    let mut chars = text.chars();
    for char in chars.by_ref().take(chars_max) {
        let hidden = matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}' | '\u{61c}');
        if hidden || (char.is_control() && char != '\n' && char != '\t') {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(char));
        } else {
            shown.push(char);
        }
    }
    match chars.count() {
        0 => shown,
        more => format!("{shown} … and {} more characters", count(more as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_read_well() {
        let counts = [0, 999, 1_000, 1_234_567].map(count);
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567"]);
        let shares = [(0, 5), (5, 5), (1, 100_000), (99_999, 100_000), (1, 40), (1, 4)];
        let shares = shares.map(|(part, whole)| percent(part, whole));
        assert_eq!(shares, ["0%", "100%", "<0.1%", ">99.9%", "2.5%", "25%"]);
        let times = [7, 1_234, 45_600, 123_456_789].map(|ns| time(Duration::from_nanos(ns)));
        assert_eq!(times, ["7\u{a0}ns", "1.23\u{a0}µs", "45.6\u{a0}µs", "123\u{a0}ms"]);
    }

    #[test]
    fn what_hides_is_spelled_out() {
        assert_eq!(visible("a\u{202e}b\0\n", 9), "a\\u{202e}b\\u{0}\n");
        assert_eq!(visible("abcdef", 2), "ab … and 4 more characters");
    }
}
