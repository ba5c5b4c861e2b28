//! Counts as text with small bars, for a terminal or a panel of any usual width.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use super::stats::{By, Stats, Tally};

/// The widths, in columns, that a page is laid out for; others are brought into the range.
pub const WIDTHS: RangeInclusive<usize> = 40..=120;

/// The most rows of a section that nobody asked for by name.
const ROWS_MAX: usize = 10;

/// The most columns of a name; a longer one is cut.
const NAME_MAX: usize = 40;

/// The most columns of a bar.
const BAR_MAX: usize = 40;

/// What stands before and after a part of the page; codes of a terminal, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Look<'l> {
    /// Around a heading.
    pub heading: (&'l str, &'l str),
    /// Around a bar.
    pub bar: (&'l str, &'l str),
    /// Around what may be passed over.
    pub dim: (&'l str, &'l str),
}

impl Look<'_> {
    /// No codes at all.
    pub const PLAIN: Self = Look { heading: ("", ""), bar: ("", ""), dim: ("", "") };
}

impl Stats {
    /// The page: every section, or all rows of the `sections` asked for; no line is wider than
    /// `width` columns.
    ///
    /// Names are ASCII and every other sign is one column wide, so columns are characters.
    pub fn text(&self, sections: &[By], width: usize, look: &Look<'_>) -> String {
        let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
        let mut page = String::new();
        let Tally { fine, refused, treated } = self.all();
        let counts = [(treated, "treated"), (refused, "refused"), (fine, "fine")];
        let counts = counts.map(|(count, what)| format!("{count} {what}"));
        wrapped(&mut page, &counts, width, ("", ""));
        if let Some((from, to)) = self.days() {
            let records = if self.records() == 1 { "record" } else { "records" };
            let line = [format!("{} {records}", self.records()), format!("{from} to {to}")];
            wrapped(&mut page, &line, width, look.dim);
        }
        for (by, name) in By::ALL {
            let asked = sections.contains(by);
            let mut rows = self.of(*by);
            // What was never at fault stands in the first line, and as data in the JSON form.
            rows.retain(|(_, tally)| tally.faults() > 0);
            if !rows.is_empty() && (sections.is_empty() || asked) {
                let _ = writeln!(page, "\n{}By {name}{}", look.heading.0, look.heading.1);
                let most = if asked { usize::MAX } else { ROWS_MAX };
                section(&mut page, *by, &shown(*by, &rows, most), (width, look));
                if let Some(more) = rows.len().checked_sub(most).filter(|more| *more > 0) {
                    let line = format!("  {more} more: --by {name}");
                    let _ = writeln!(page, "{}{line}{}", look.dim.0, look.dim.1);
                }
            }
        }
        page
    }
}

/// The parts with commas between them, on as few lines as they fit on.
fn wrapped(page: &mut String, parts: &[String], width: usize, look: (&str, &str)) {
    let mut line = String::new();
    for part in parts {
        if !line.is_empty() && line.len() + part.len() + 3 > width {
            let _ = writeln!(page, "{}{line},{}", look.0, look.1);
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(part);
    }
    let _ = writeln!(page, "{}{line}{}", look.0, look.1);
}

/// The rows that are shown: the last days, the first of everything else.
fn shown<'r>(by: By, rows: &[(&'r str, Tally)], most: usize) -> Vec<(&'r str, Tally)> {
    let skip = if by == By::Day { rows.len().saturating_sub(most) } else { 0 };
    rows.iter().skip(skip).take(most).copied().collect()
}

fn section(page: &mut String, by: By, rows: &[(&str, Tally)], (width, look): (usize, &Look<'_>)) {
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let count = |tally: &Tally| tally.faults().to_string().len();
    let counts = rows.iter().map(|(_, tally)| count(tally)).max().unwrap_or_default();
    let names = longest.min(NAME_MAX).min(width / 2).min(width.saturating_sub(8 + counts));
    // Two columns in front, two between name, bar and count, and `, 123 refused` where it fits.
    let refused = rows.iter().map(|(_, tally)| tally.refused).max().unwrap_or_default();
    let tells = refused > 0 && !matches!(by, By::Outcome | By::Reason);
    let tail = if tells { refused.to_string().len() + ", refused ".len() } else { 0 };
    let fixed = names + counts + 6;
    let tail = if width >= fixed + tail + 10 { tail } else { 0 };
    let bars = width.saturating_sub(fixed + tail).min(BAR_MAX);
    let most = rows.iter().map(|(_, tally)| tally.faults()).max().unwrap_or_default();
    for (name, tally) in rows {
        let name = cut(name, names);
        let (bar, blank) = bar(tally.faults(), most, bars);
        let (on, off) = look.bar;
        let faults = tally.faults();
        let _ = write!(page, "  {name:<names$}  {on}{bar}{off}{blank}  {faults:>counts$}");
        if tail > 0 && tally.refused > 0 {
            let _ = write!(page, ", {} refused", tally.refused);
        }
        page.push('\n');
    }
}

/// The name, cut in the middle where it is too long: both ends of a rule or a place tell.
fn cut(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    let tail = most / 2;
    let head: String = name.chars().take(most.saturating_sub(tail + 1)).collect();
    let skip = name.chars().count().saturating_sub(tail);
    head + "…" + &name.chars().skip(skip).collect::<String>()
}

/// A bar in eighths of a column, and the blanks behind it. Whatever has a row shows.
fn bar(count: u64, most: u64, columns: usize) -> (String, String) {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = u128::from(count) * (columns as u128) * 8 / u128::from(most.max(1));
    let eighths = usize::try_from(eighths).unwrap_or_default().max(1);
    let part = PARTS.get(eighths % 8).copied().unwrap_or_default();
    let bar = format!("{}{part}", "█".repeat(eighths / 8));
    let blank = " ".repeat(columns.saturating_sub(eighths.div_ceil(8)));
    (bar, blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_wrapped_names_cut_and_bars_drawn_to_the_column() {
        let parts = ["aaaa", "bbbb", "cccc"].map(str::to_owned);
        for (width, lines) in [
            (17, "<aaaa, bbbb, cccc>\n"),
            (16, "<aaaa, bbbb,>\n<cccc>\n"),
            (11, "<aaaa, bbbb,>\n<cccc>\n"),
            (10, "<aaaa,>\n<bbbb,>\n<cccc>\n"),
        ] {
            let mut page = String::new();
            wrapped(&mut page, &parts, width, ("<", ">"));
            assert_eq!(page, lines, "{width}");
        }
        for (most, name) in [(10, "abcdefghij"), (9, "abcd…ghij"), (8, "abc…ghij"), (1, "…")]
        {
            assert_eq!(cut("abcdefghij", most), name);
        }
        for (count, most, columns, drawn) in [
            (5, 5, 4, ("████", "")),
            (3, 8, 2, ("▊", " ")),
            (7, 8, 1, ("▉", "")),
            (1, u64::MAX, 4, ("▏", "   ")),
            (u64::MAX, u64::MAX, 2, ("██", "")),
        ] {
            let (bar, blank) = bar(count, most, columns);
            assert_eq!((bar.as_str(), blank.as_str()), drawn, "{count} of {most}");
        }
    }
}
