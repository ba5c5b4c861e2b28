//! How long an error says to wait: relative times, dates and epochs, read as data.

use std::cmp::Ordering;
use std::sync::LazyLock;

use regex::Regex;

use super::pattern::pattern;

/// When an error says that it is worth trying again.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Wait {
    /// From when the error was given, in milliseconds.
    pub after_ms: Option<u64>,
    /// A point in time, in milliseconds since 1970; a date without a zone is taken as UTC.
    pub at_ms: Option<u64>,
    /// True if the point in time was given without a zone, so that it may be off by hours.
    pub without_zone: bool,
    /// A time of day as the error words it, where it cannot be computed, such as `3pm (utc)`.
    pub words: Option<String>,
}

impl Wait {
    /// Seconds from `now_ms`, rounded up; none if the point in time cannot be told.
    pub fn seconds(&self, now_ms: Option<u64>) -> Option<u64> {
        let until = match (self.at_ms, now_ms) {
            // It seems past, but need not be in the zone that was meant.
            (Some(at), Some(now)) if self.without_zone && at <= now => return None,
            (Some(at), Some(now)) => Some(at.saturating_sub(now)),
            (Some(_), None) => return None,
            (None, _) => None,
        };
        self.after_ms.max(until).map(|ms| ms.div_ceil(1000))
    }

    /// True if nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.after_ms.is_none() && self.at_ms.is_none() && self.words.is_none()
    }

    /// Takes the later of what is known and what is new.
    fn later(&mut self, new: Self) {
        self.after_ms = self.after_ms.max(new.after_ms);
        match new.at_ms.cmp(&self.at_ms) {
            Ordering::Greater => {
                (self.at_ms, self.without_zone) = (new.at_ms, new.without_zone);
            }
            // Told twice, once with its zone: then the zone is known.
            Ordering::Equal => self.without_zone &= new.without_zone,
            Ordering::Less => {}
        }
        self.words = self.words.take().or(new.words);
    }

    /// Reads the value of a field that names a wait; `key` tells the unit.
    pub(super) fn read_field(&mut self, key: &str, value: &str) {
        let value = value.trim().to_ascii_lowercase();
        let read = match value.parse::<f64>() {
            Ok(number) => from_number(number, key.ends_with("ms")),
            Err(_) => match duration_ms(&value) {
                Some(ms) => Self { after_ms: Some(ms), ..Self::default() },
                None => dated(&value).or_else(|| http_dated(&value)).unwrap_or_default(),
            },
        };
        self.later(read);
    }

    /// Reads what `said`, in lower case with single blanks, tells about waiting.
    pub(super) fn read_text(&mut self, said: &str) {
        for found in captures(&RELATIVE, said) {
            let one = found.strip_prefix("an ").or_else(|| found.strip_prefix("a "));
            let after_ms = match one {
                Some(unit) => duration_ms(&format!("1 {unit}")),
                None => duration_ms(found),
            };
            self.later(Self { after_ms, ..Self::default() });
        }
        for found in captures(&HAN, said) {
            self.later(Self { after_ms: duration_ms(&in_latin_units(found)), ..Self::default() });
        }
        for found in captures(&COLONS, said) {
            let after_ms =
                duration_ms(&format!("{}s", found.replacen(':', "h", 1).replace(':', "m")));
            self.later(Self { after_ms, ..Self::default() });
        }
        for (field, key) in [(&SECONDS, ""), (&EPOCH, ""), (&MILLISECONDS, "ms")] {
            captures(field, said).for_each(|found| self.read_field(key, found));
        }
        for found in captures(&DATE, said).chain(captures(&DATE_FIRST, said)) {
            self.later(dated(found).unwrap_or_default());
        }
        for found in captures(&HTTP_DATE, said) {
            self.later(http_dated(found).unwrap_or_default());
        }
        let clock = captures(&CLOCK, said).next();
        self.words = self.words.take().or(clock.map(|words| words.trim().to_owned()));
    }
}

/// A number as a wait: an epoch if it is large enough to be one, else seconds or milliseconds.
fn from_number(number: f64, milliseconds: bool) -> Wait {
    if !(0.0..1e15).contains(&number) {
        return Wait::default();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to lie between 0 and 1e15 just above"
    )]
    let whole = |number: f64| number.ceil() as u64;
    match () {
        () if number >= 1e12 => Wait { at_ms: Some(whole(number)), ..Wait::default() },
        () if number >= 1e9 => Wait { at_ms: Some(whole(number * 1000.0)), ..Wait::default() },
        () if milliseconds => Wait { after_ms: Some(whole(number)), ..Wait::default() },
        () => Wait { after_ms: Some(whole(number * 1000.0)), ..Wait::default() },
    }
}

/// A word that announces a wait, and at most a few words between it and the time.
const ANNOUNCES: &str = r"(?:try again|retry(?:ing)?|retry[ -]?after|wait|resets?|resetting|available(?: again)?|refills?|cool(?:ing)?[ -]?down|refresh(?:es|ed)?|renews?|come back|regain access)";
const LENGTH: &str = r"(?:[0-9]+(?:\.[0-9]+)? ?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|months?|m|hours?|hrs?|h|days?|d|weeks?|w)(?:,? (?:and )?)?)+";

/// A connection that was reset, and one of several limits that a header tells of: neither announces
/// a wait. Matched first, so that nothing else is found there.
const NO_WAIT: &str = r"(?:connection|stream|upstream|socket|tcp|was|been|before|disconnect/)[ -]?reset\b|before headers[ -~]{0,40}\breset\b|\breset reason\b|\bratelimit-(?:reset-[a-z]+|(?:requests|tokens|input-tokens|output-tokens)-reset)\b";

static RELATIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r#"{NO_WAIT}|{ANNOUNCES}[a-z ~:=("'-]{{0,24}}?\b({LENGTH}|an? (?:second|minute|hour|day|week|month))(?:[^a-z0-9]|$)|\b([0-9]+ ?m?s) retry delay"#
    ))
});
static HAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"((?:[0-9]+ ?(?:毫秒|秒钟|秒|分钟|分|个?小时|天) ?)+)(?:之?[后後]|内)?[^\n]{0,6}(?:[重再][试試]|重置|恢复|刷新|解除)",
    )
});
static COLONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(r"{ANNOUNCES} (?:in|after) ([0-9]{{1,3}}:[0-9]{{2}}:[0-9]{{2}})(?:[^0-9:]|$)"))
});
static MILLISECONDS: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r#"retry[ _-]?after[ _-]?ms["']?[ :=]{1,3}["']?([0-9]{1,9})\b"#));
static DATE_FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"([0-9]{4}-[0-9]{2}-[0-9]{2}(?:[t ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?) ?(?:之?后)?(?:重置|恢复|刷新|[重再]试)",
    )
});
static HTTP_DATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r#"{ANNOUNCES}[a-z ~:=("'-]{{0,24}}?((?:mon|tue|wed|thu|fri|sat|sun), [0-9]{{2}} [a-z]{{3}} [0-9]{{4}} [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}} gmt)"#
    ))
});
static SECONDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"retry[ _-]?(?:after["']?[ :=]{1,3}["']?|delay ?[{:] ?seconds: ?)([0-9]{1,7}(?:\.[0-9]+)?)(?:[^0-9a-z.]|\.(?:[^0-9]|$)|$)"#,
    )
});
static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r#"{ANNOUNCES}[a-z ~:=("'-]{{0,24}}?([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[t ](?:at )?[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:\.[0-9]+)?(?: ?\(?(?:z\b|(?:utc|gmt)?(?: ?[+-][0-9]{{1,2}}(?::?[0-9]{{2}})?)?))?)?)"#
    ))
});
static EPOCH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r#"(?:limit reached\||resets?[a-z_ "':=-]{0,12}[ :="'])([0-9]{10}(?:[0-9]{3})?)\b"#)
});
static CLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"\b(?:resets?|try again|available again)(?: at| on)? ([0-9]{1,2}(?::[0-9]{2})? ?[ap]m(?: \([a-z_/]{1,30}\))?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} [0-9]{1,2}(?:st|nd|rd|th)?,?(?: [0-9]{4},?)?(?: (?:at )?[0-9]{1,2}(?::[0-9]{2})? ?[ap]m)?)",
    )
});
static PART: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"([0-9]+(?:\.[0-9]+)?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|months?|m|hours?|hrs?|h|days?|d|weeks?|w)",
    )
});

/// The first group that took part in each match; a few matches at most.
fn captures<'t>(
    regex: &'static LazyLock<Option<Regex>>,
    text: &'t str,
) -> impl Iterator<Item = &'t str> {
    regex
        .iter()
        .flat_map(|regex| regex.captures_iter(text).take(8))
        .filter_map(|found| found.iter().skip(1).flatten().next().map(|group| group.as_str()))
}

/// The length of time that `text` begins with, as in `4h12m9s`, `1.5 s` or `3 days 4 hours`.
fn duration_ms(text: &str) -> Option<u64> {
    let starts = text.starts_with(|first: char| first.is_ascii_digit());
    let parts = PART.as_ref().filter(|_| starts)?;
    let mut total = None;
    for part in parts.captures_iter(text).take(6) {
        let number: f64 = part.get(1)?.as_str().parse().ok()?;
        let unit = part.get(2)?.as_str();
        let factor = match unit {
            _ if unit.starts_with("ms") || unit.starts_with("milli") => 0.001,
            _ if unit.starts_with("mo") => 30.0 * 86_400.0,
            _ if unit.starts_with('m') => 60.0,
            _ if unit.starts_with('h') => 3_600.0,
            _ if unit.starts_with('d') => 86_400.0,
            _ if unit.starts_with('w') => 7.0 * 86_400.0,
            _ => 1.0,
        };
        let ms = from_number((number * factor).min(9e8), false).after_ms?;
        total = Some(total.unwrap_or(0_u64).saturating_add(ms));
    }
    total
}

/// A length of time worded in Chinese, its units in Latin letters.
fn in_latin_units(text: &str) -> String {
    const UNITS: &[(&str, &str)] = &[
        ("毫秒", "ms"),
        ("秒钟", "s"),
        ("秒", "s"),
        ("分钟", "m"),
        ("分", "m"),
        ("个小时", "h"),
        ("小时", "h"),
        ("天", "d"),
    ];
    UNITS.iter().fold(text.to_owned(), |text, (han, latin)| text.replace(han, latin))
}

/// The point in time of an ISO date.
fn dated(text: &str) -> Option<Wait> {
    let at = date_ms(text)?;
    let clock = text.get(10..).unwrap_or_default();
    let zoned = clock.contains(['z', '+', '-']) || clock.contains("utc") || clock.contains("gmt");
    Some(Wait { at_ms: Some(at), without_zone: !zoned, ..Wait::default() })
}

/// The point in time of a date as HTTP headers give it, such as `tue, 01 dec 2026 00:00:00 gmt`.
fn http_dated(text: &str) -> Option<Wait> {
    const MONTHS: &[&str] =
        &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let mut words = text.split_once(", ")?.1.split(' ');
    let (day, month, year, clock) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    dated(&format!("{year}-{month:02}-{day}t{clock}z"))
}

/// The point in time of an ISO date, with or without a time and a zone.
fn date_ms(text: &str) -> Option<u64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let separated = text.get(4..5)? == "-" && text.get(7..8)? == "-";
    if !separated || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let rest = text.get(10..).unwrap_or_default();
    let clock = rest.trim_start_matches(['t', ' ']).trim_start_matches("at ");
    let part = |from: usize| clock.get(from..from + 2).and_then(|two| two.parse::<i64>().ok());
    let seconds = match (part(0), clock.get(2..3), part(3)) {
        (Some(hour), Some(":"), Some(minute)) => {
            let second = if clock.get(5..6) == Some(":") { part(6) } else { None };
            hour * 3_600 + minute * 60 + second.unwrap_or(0)
        }
        _ => 0,
    };
    let zone = zone_seconds(clock.get(5..).unwrap_or_default());
    let total = days_since_1970(year, month, day) * 86_400 + seconds - zone;
    u64::try_from(total).ok()?.checked_mul(1000)
}

/// Seconds east of Greenwich, for `+02:00` at the end of a time; 0 where there is none.
fn zone_seconds(text: &str) -> i64 {
    let Some(at) = text.find(['+', '-']) else { return 0 };
    let Some((_, zone)) = text.split_at_checked(at) else { return 0 };
    let digits: String = zone.chars().filter(char::is_ascii_digit).take(4).collect();
    // `+8`, `+5:30` and `+0800` alike.
    let of_hours = 2 - digits.len() % 2;
    let (hours, minutes) = digits.split_at_checked(of_hours).unwrap_or((&digits, ""));
    let size = hours.parse().unwrap_or(0) * 3_600 + minutes.parse().unwrap_or(0) * 60;
    if zone.starts_with('-') { -size } else { size }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day comes last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Wait {
        let mut wait = Wait::default();
        wait.read_text(text);
        wait
    }

    fn after(text: &str) -> Option<u64> {
        read(text).after_ms
    }

    #[test]
    fn relative_waits_are_read() {
        for (text, ms) in [
            ("please try again in 644ms.", 644),
            ("please try again in 1m20s", 80_000),
            ("your quota will reset after 4h12m9s.", 15_129_000),
            ("your quota will reset after 0s.", 0),
            ("try again in 3 days 4 hours", 273_600_000),
            ("please retry in 34.5s", 34_500),
            ("retry-after: 20", 20_000),
            ("retry after 20 seconds", 20_000),
            ("\"retry_after\": 3", 3_000),
            ("server requested 120s retry delay (max: 60s).", 120_000),
            ("resets in about 5 hours", 18_000_000),
            ("wait 2 minutes and 5 seconds", 125_000),
            ("retry-after-ms: 2500", 2_500),
            ("retry_delay { seconds: 21 }", 21_000),
            ("try again in an hour", 3_600_000),
            ("请 30 秒后重试", 30_000),
            ("请于 1 小时 5 分钟后再试", 3_900_000),
            ("quota resets in 00:01:23", 83_000),
            ("expected available in 37 seconds.", 37_000),
            ("resets in 2 weeks", 1_209_600_000),
            ("resets in 1 month", 2_592_000_000),
            ("available again in a week.", 604_800_000),
            ("try again in a month", 2_592_000_000),
        ] {
            assert_eq!(after(text), Some(ms), "{text}");
        }
        for text in [
            "please wait before trying again",
            "retry attempt 3/5",
            "retry 400 times",
            "connection reset after 30s",
            "disconnect/reset before headers. reset reason: connection timeout after 15s",
            "x-ratelimit-reset-requests: 8h0m0s",
            "",
        ] {
            assert_eq!(after(text), None, "{text}");
        }
    }

    #[test]
    fn points_in_time_are_read() {
        assert_eq!(read("will reset at 2026-01-15 03:08:09").at_ms, Some(1_768_446_489_000));
        assert_eq!(read("resets at 2026-01-15t03:08:09+02:00").at_ms, Some(1_768_439_289_000));
        assert_eq!(read("regain access on 2024-02-29 at 00:00 utc").at_ms, Some(1_709_164_800_000));
        assert_eq!(read("usage limit reached|1790000000").at_ms, Some(1_790_000_000_000));
        assert_eq!(read("5-hour limit reached ∙ resets 3pm").words.as_deref(), Some("3pm"));
        assert_eq!(read("resets at 2026-99-99").at_ms, None);
        let beijing = read("it will reset at 2026-01-15 03:08:09 +0800 cst.");
        assert_eq!((beijing.at_ms, beijing.without_zone), (Some(1_768_417_689_000), false));
        for text in [
            "2026-01-15 03:08:09 (utc+8)",
            "2026-01-15 00:38:09 utc+5:30",
            "2026-01-15 00:38:09+0530",
            "2026-01-14 11:08:09 -08:00",
            "2026-01-14 19:08:09 utc",
            "2026-01-14 19:08:09 gmt",
        ] {
            assert_eq!(read(&format!("reset at {text}")), beijing, "{text}");
        }
        assert!(read("将在 2026-01-15 03:08:09 重置").without_zone);
        let http = read("retry-after: thu, 15 jan 2026 03:08:09 gmt");
        assert_eq!((http.at_ms, http.without_zone), (Some(1_768_446_489_000), false));
        let dated = read("upgrade to pro or try again at aug 27th, 2026 5:05 am.");
        assert_eq!(dated.words.as_deref(), Some("aug 27th, 2026 5:05 am"));
    }

    #[test]
    fn of_two_points_in_time_the_later_counts_and_a_zone_that_is_known() {
        let (early, late) = ("2026-01-15 03:08:09", "2026-01-15 04:08:09");
        for (text, wanted, without_zone) in [
            (format!("resets at {early}. resets at {late} utc"), late, false),
            (format!("resets at {late}. resets at {early} utc"), late, true),
            (format!("resets at {late} utc. resets at {late}."), late, false),
            (format!("resets at {late}. resets at {late} utc"), late, false),
        ] {
            let wait = read(&text);
            assert_eq!((wait.at_ms, wait.without_zone), (date_ms(wanted), without_zone), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "2026-13-01",
            "2026-00-01",
            "2026-01-32",
            "2026-01-00",
            "2026-01/15",
            "2026/01-15",
            "1969-12-31",
        ] {
            assert_eq!(date_ms(text), None, "{text}");
        }
        assert_eq!(date_ms("1970-01-01"), Some(0));
    }

    #[test]
    fn fields_are_read_by_name() {
        let field = |key, value| {
            let mut wait = Wait::default();
            wait.read_field(key, value);
            wait
        };
        assert_eq!(field("retrydelay", "34s").after_ms, Some(34_000));
        assert_eq!(field("retryafterms", "250").after_ms, Some(250));
        assert_eq!(field("resetsinseconds", "529498").after_ms, Some(529_498_000));
        assert_eq!(field("resetsat", "1772180859").at_ms, Some(1_772_180_859_000));
        assert_eq!(field("reset", "2026-01-15T03:08:09Z").at_ms, Some(1_768_446_489_000));
        assert!(field("reset", "soon").is_empty());
        assert_eq!(field("resetsat", "1772180859").seconds(Some(1_772_180_858_000)), Some(1));
        assert_eq!(field("resetsat", "1772180859").seconds(None), None);
        assert_eq!(field("resetsat", "1772180859").seconds(Some(1_772_180_860_000)), Some(0));
        assert_eq!(field("resetsat", "1772180859123").at_ms, Some(1_772_180_859_123));
        let unzoned = field("resetsat", "2026-01-15 03:08:09");
        assert_eq!(unzoned.seconds(Some(1_768_446_489_000)), None);
        assert_eq!(unzoned.seconds(Some(1_768_446_488_999)), Some(1));
    }

    #[test]
    fn every_pattern_compiles() {
        for regex in [
            &RELATIVE,
            &HAN,
            &COLONS,
            &SECONDS,
            &MILLISECONDS,
            &DATE,
            &DATE_FIRST,
            &HTTP_DATE,
            &EPOCH,
            &CLOCK,
            &PART,
        ] {
            assert!(regex.is_some());
        }
    }
}
