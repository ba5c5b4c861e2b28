//! Days and dates, counted without a clock.

/// Milliseconds of a day.
pub(super) const DAY_MS: u64 = 86_400_000;

/// The last day that is printed, 9999-12-31; what is later is not a time.
pub(super) const DAY_MAX: u64 = 2_932_896;

/// The day's date, `YYYY-MM-DD`, in UTC; `day` counts from 1970-01-01, and ends with 9999-12-31.
///
/// # Examples
///
/// ```
/// assert_eq!(engine::telemetry::civil(0), "1970-01-01");
/// assert_eq!(engine::telemetry::civil(20_000), "2024-10-04");
/// ```
pub fn civil(day: u64) -> String {
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = day.min(DAY_MAX) + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

/// The day that `YYYY-MM-DD` names, counted from 1970-01-01; `None` if it names none.
///
/// # Examples
///
/// ```
/// assert_eq!(engine::telemetry::day_named("2024-10-04"), Some(20_000));
/// assert_eq!(engine::telemetry::day_named("2023-02-29"), None);
/// ```
pub fn day_named(text: &str) -> Option<u64> {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u64>().ok())?
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let years = year - u64::from(month <= 2);
    let (era, year_of_era) = (years / 400, years % 400);
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let count = (era * 146_097 + day_of_era).checked_sub(719_468)?;
    (civil(count) == text).then_some(count)
}

/// The milliseconds of an ISO 8601 time in UTC, such as `2025-01-02T03:04:05.678Z`.
pub(super) fn instant(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = clock.split(':').map(|part| part.parse::<u64>().ok());
    let mut within = |most: u64| parts.next().flatten().filter(|part| *part < most);
    let (hours, minutes, seconds) = (within(24)?, within(60)?, within(61)?);
    let thousandths = fraction.chars().chain("000".chars()).take(3).collect::<String>();
    let seconds = (hours * 60 + minutes) * 60 + seconds;
    Some(day_named(date)? * DAY_MS + seconds * 1000 + thousandths.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_one_name() {
        for day in (0..60_000).chain([DAY_MAX]) {
            assert_eq!(day_named(&civil(day)), Some(day));
        }
        for (name, day) in [
            ("1970-03-01", 59),
            ("2000-02-29", 11_016),
            ("2024-12-31", 20_088),
            ("2100-03-01", 47_541),
        ] {
            assert_eq!((day_named(name), civil(day).as_str()), (Some(day), name));
        }
        for day in [DAY_MAX, DAY_MAX + 1, u64::MAX] {
            assert_eq!(civil(day), "9999-12-31");
        }
        let short = ["", "2024", "2024-10", "2024-1-04", "2024-10-04x", "2024-10-04-05"];
        let none = ["2024-00-01", "2024-13-01", "2024-03-00", "2024-02-30", "2100-02-29"];
        let before = ["1969-12-31", "0000-01-01", "0000-03-01"];
        for bad in short.iter().chain(&none).chain(&before) {
            assert_eq!(day_named(bad), None, "{bad}");
        }
    }

    #[test]
    fn instants_are_read_to_the_millisecond() {
        assert_eq!(instant("1970-01-02T00:00:01.5Z"), Some(DAY_MS + 1500));
        assert_eq!(instant("2024-10-04T00:00:00Z"), Some(20_000 * DAY_MS));
        let last = (((23 * 60) + 59) * 60 + 60) * 1000 + 678;
        assert_eq!(instant("1970-01-01T23:59:60.6789Z"), Some(last), "a leap second");
        for bad in [
            "2024-10-04",
            "2024-10-04T00:00:00",
            "2024-10-04T00:00:00+01:00",
            "2024-10-04T00:00Z",
            "2024-10-04T24:00:00Z",
            "2024-10-04T00:60:00Z",
            "2024-10-04T00:00:61Z",
            "2024-10-04T00:00:00.xZ",
            "2024-02-30T00:00:00Z",
        ] {
            assert_eq!(instant(bad), None, "{bad}");
        }
    }
}
