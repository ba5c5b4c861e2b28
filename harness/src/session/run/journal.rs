//! A log on disk: written from records and damage, cut, read in pieces, counted and rotated.

use engine::telemetry::{By, LINE_MAX, Look, Record, Rotation, Skipped, Stats};
use serde_json::Value;

use super::Workshop;
use crate::area::Seen;
use crate::session::case::log::{Log, NEWER, NOISE, OLDER, Piece};

/// A line that must be found in a log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Whole {
    /// A record of this place.
    Record(usize),
    /// A record of the form before versions.
    Older,
}

/// A log with what is read from it.
#[derive(Debug)]
pub struct Journal {
    /// Every record of the session, in order.
    pub records: Vec<Record>,
    /// The line of each.
    pub lines: Vec<String>,
    /// The log as far as it is there.
    pub bytes: Vec<u8>,
    /// The lines in it that are there whole, in order.
    pub whole: Vec<Whole>,
    /// How many whole lines of newer versions stand in it.
    pub newer: u64,
    /// True if anything in it is no record.
    pub is_damaged: bool,
    /// What is read from it at once.
    pub read: Vec<Record>,
    /// What was skipped on the way.
    pub skipped: Skipped,
    /// When it is rotated.
    pub rotation: Rotation,
    /// The byte from which it is kept.
    pub rotated: Option<usize>,
}

impl Journal {
    /// Writes a log and reads it.
    pub(super) fn new(workshop: &Workshop, log: &Log, records: Vec<Record>) -> Self {
        let lines: Vec<String> = records.iter().map(Record::to_line).collect();
        let mut written = Written::default();
        for piece in &log.pieces {
            written.piece(*piece, &lines);
        }
        let mut bytes = written.bytes;
        bytes.truncate(bytes.len().saturating_sub(log.cut));
        let there = |end: usize| end <= bytes.len();
        let whole = written.whole.into_iter().filter(|(end, _)| there(*end)).map(|(_, it)| it);
        let whole: Vec<Whole> = whole.collect();
        let newer = written.newer.into_iter().filter(|end| there(*end)).count() as u64;
        let is_damaged = written.is_damaged || log.cut > 1;
        let (read, skipped) = read(workshop, &bytes, bytes.len().max(1));
        let rotation = Rotation { bytes_max: log.bytes_max, bytes_kept: log.bytes_kept };
        let rotated = workshop.recorder().rotate(&bytes, rotation);
        Self { records, lines, bytes, whole, newer, is_damaged, read, skipped, rotation, rotated }
    }

    /// What a campaign counts.
    pub(super) fn count(&self, seen: &mut Seen) {
        for line in &self.lines {
            seen.fold(line.as_bytes());
        }
        for (id, count) in
            [("torn", self.skipped.torn), ("foreign", self.skipped.foreign), ("newer", self.newer)]
        {
            if count > 0 {
                seen.reach(id);
            }
        }
        if self.whole.contains(&Whole::Older) {
            seen.reach("older");
        }
        if self.rotated.is_some() {
            seen.reach("rotated");
        }
    }
}

/// Reads a log, so many bytes at once.
pub fn read(workshop: &Workshop, log: &[u8], chunk: usize) -> (Vec<Record>, Skipped) {
    let mut records = Vec::new();
    let mut reader = workshop.reader();
    for part in log.chunks(chunk) {
        reader.push(part, &mut |record| records.push(record));
    }
    let skipped = reader.finish(&mut |record| records.push(record));
    (records, skipped)
}

/// Counts records.
pub fn stats<'r>(workshop: &Workshop, records: impl IntoIterator<Item = &'r Record>) -> Stats {
    let mut stats = workshop.stats();
    for record in records {
        stats.add(record);
    }
    stats
}

/// Everything that is printed of counts.
pub fn pages(stats: &Stats) -> String {
    let sections: Vec<By> = By::ALL.iter().map(|row| row.0).collect();
    let data: Value = stats.to_json(&[]);
    format!("{}{data}", stats.text(&sections, 80, &Look::PLAIN))
}

/// A log as it is written, with the ends of its lines.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    whole: Vec<(usize, Whole)>,
    newer: Vec<usize>,
    is_damaged: bool,
}

impl Written {
    fn piece(&mut self, piece: Piece, lines: &[String]) {
        let line = |row: usize| lines[row % lines.len()].as_str();
        match piece {
            Piece::Record(row) => {
                self.bytes.extend_from_slice(line(row).as_bytes());
                // A record is whole without its line end.
                self.whole.push((self.bytes.len() - 1, Whole::Record(row % lines.len())));
            }
            Piece::Torn(row, bytes) => {
                let line = line(row).trim_end();
                let bytes = bytes.min(line.len());
                self.bytes.extend_from_slice(&line.as_bytes()[..bytes]);
                if bytes == line.len() {
                    self.whole.push((self.bytes.len(), Whole::Record(row % lines.len())));
                }
                self.is_damaged = true;
            }
            Piece::Older(row) => {
                self.bytes.extend_from_slice(OLDER[row].as_bytes());
                self.whole.push((self.bytes.len() - 1, Whole::Older));
            }
            Piece::Newer => {
                self.bytes.extend_from_slice(NEWER.as_bytes());
                self.newer.push(self.bytes.len() - 1);
                self.is_damaged = true;
            }
            Piece::Noise(row) => {
                self.bytes.extend_from_slice(NOISE[row]);
                self.is_damaged = true;
            }
            Piece::Overlong => {
                self.bytes.resize(self.bytes.len() + LINE_MAX + LINE_MAX / 2, b'x');
                self.is_damaged = true;
            }
        }
    }
}
