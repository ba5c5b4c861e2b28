//! Reads a log that may be torn, mixed or from another version, and loses no whole record.

use serde_json::{Deserializer, Map, Value};

use super::day::instant;
use super::ident::{is_plain, plain_or_other};
use super::model::model_name;
use super::record::{Channel, Record, VERSION, list};
use super::tables::Tables;

/// The most bytes of one line that are held; no record is nearly as long.
pub const LINE_MAX: usize = 64 * 1024;

/// How a record begins: ours, and one of the older form. No record holds either inside, since every
/// text in one is a plain name.
const MARKS: [&[u8]; 2] = [b"{\"v\":", b"{\"ts\":"];

/// The most bytes of a beginning that may be cut in two.
const MARK_CUT_MAX: usize = 5;

/// Lines, or pieces of damaged lines, that gave no record, and why.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Skipped {
    /// Cut off by a crash or a full disk.
    pub torn: u64,
    /// Not a record of this program.
    pub foreign: u64,
    /// Written by a newer version.
    pub newer: u64,
}

impl Skipped {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.torn + self.foreign + self.newer
    }

    /// One sentence a kind, which says what it means; empty if nothing was skipped.
    pub fn explained(&self) -> Vec<String> {
        let rows = [
            (self.torn, "torn", "a write was cut off, only these are lost"),
            (self.foreign, "foreign", "not written by this program, is it the right file?"),
            (self.newer, "newer", "written by a newer version, update to count them"),
        ];
        let told = rows.into_iter().filter(|(count, ..)| *count > 0);
        told.map(|(count, name, why)| format!("{count} {name}: {why}")).collect()
    }
}

/// Reads a log piece by piece; holds at most one line of [`LINE_MAX`] bytes.
///
/// # Examples
///
/// ```
/// use engine::telemetry::LogReader;
///
/// let log = b"{\"v\":1,\"time\":5,\"ch{\"v\":1,\"time\":7,\"channel\":\"advisor\",\"outcome\":\"noted\"}\n";
/// let mut times = Vec::new();
/// let mut reader = LogReader::default();
/// reader.push(log, &mut |record| times.push(record.time()));
/// let skipped = reader.finish(&mut |_| {});
/// assert_eq!((times, skipped.torn), (vec![7], 1));
/// ```
#[derive(Debug)]
pub struct LogReader {
    tables: Tables,
    held: Vec<u8>,
    /// The line was longer than what is held; what came before has been judged.
    overlong: bool,
    skipped: Skipped,
}

impl Default for LogReader {
    fn default() -> Self {
        Self::planted(Tables::default())
    }
}

impl LogReader {
    /// A reader on altered steps, to plant a bug.
    #[doc(hidden)]
    pub fn planted(tables: Tables) -> Self {
        Self { tables, held: Vec::new(), overlong: false, skipped: Skipped::default() }
    }

    /// Takes the next bytes of the log, and hands every whole record on.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(Record)) {
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            rest = after.get(1..).unwrap_or_default();
            if self.held.is_empty() {
                self.line(line, each);
            } else {
                self.hold(line, each);
                self.end_line(each);
            }
        }
        if self.tables.hold {
            self.hold(rest, each);
        }
    }

    /// Takes the end of the log; a last line without an end counts if it is whole.
    pub fn finish(mut self, each: &mut dyn FnMut(Record)) -> Skipped {
        self.end_line(each);
        self.skipped
    }

    /// Keeps the beginning of a line. One that grows too long is judged as far as it goes, but for
    /// the end, where a record may have begun.
    fn hold(&mut self, bytes: &[u8], each: &mut dyn FnMut(Record)) {
        for part in bytes.chunks(LINE_MAX) {
            self.held.extend_from_slice(part);
            if self.held.len() <= LINE_MAX {
                continue;
            }
            let held = std::mem::take(&mut self.held);
            let tail = held.len().saturating_sub(LINE_MAX / 2);
            let marked = last_mark(&held).filter(|at| *at >= tail);
            // A mark may itself be cut: keep what is shorter than one.
            let split = marked.unwrap_or(held.len() - MARK_CUT_MAX);
            let (judged, kept) = held.split_at_checked(split).unwrap_or((&held, &[]));
            self.part(judged, each);
            self.overlong = true;
            self.held = kept.to_vec();
        }
    }

    fn end_line(&mut self, each: &mut dyn FnMut(Record)) {
        let line = std::mem::take(&mut self.held);
        self.part(&line, each);
        self.overlong = false;
        self.held = line;
        self.held.clear();
    }

    /// Judges a line or the next part of one that is too long. There, what stands before the first
    /// mark goes on with what has been judged.
    fn part(&mut self, part: &[u8], each: &mut dyn FnMut(Record)) {
        let from = if self.overlong { next_mark(part, 0) } else { Some(0) };
        let new = from.and_then(|from| part.get(from..));
        self.line(new.unwrap_or_default(), each);
    }

    /// Judges one line.
    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(Record)) {
        let line = trim(line);
        if line.is_empty() {
            return;
        }
        if let Ok(value) = serde_json::from_slice(line) {
            return self.judge(&value, each);
        }
        if !self.tables.salvage {
            self.skipped.torn += 1;
            return;
        }
        let mut start = 0;
        while start < line.len() {
            let end = next_mark(line, start + 1).unwrap_or(line.len());
            self.piece(trim(line.get(start..end).unwrap_or_default()), each);
            start = end;
        }
    }

    /// Judges what stands between two marks of a damaged line.
    fn piece(&mut self, piece: &[u8], each: &mut dyn FnMut(Record)) {
        if piece.is_empty() {
            return;
        }
        let marked = MARKS.iter().any(|mark| piece.starts_with(mark) || mark.starts_with(piece));
        let mut values = Deserializer::from_slice(piece).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) if marked => {
                self.judge(&value, each);
                let after = piece.get(values.byte_offset()..).unwrap_or_default();
                self.skipped.foreign += u64::from(!trim(after).is_empty());
            }
            _ if marked => self.skipped.torn += 1,
            _ => self.skipped.foreign += 1,
        }
    }

    fn judge(&mut self, value: &Value, each: &mut dyn FnMut(Record)) {
        let Some(object) = value.as_object() else {
            self.skipped.foreign += 1;
            return;
        };
        let record = match object.get("v").map(Value::as_u64) {
            Some(Some(version)) if version > VERSION => {
                self.skipped.newer += 1;
                return;
            }
            Some(Some(VERSION)) => Record::from_json(object),
            Some(_) => None,
            None => older(object),
        };
        match record {
            Some(record) => each(record),
            None => self.skipped.foreign += 1,
        }
    }
}

/// The first mark from this byte on.
fn next_mark(bytes: &[u8], from: usize) -> Option<usize> {
    let marked = |at: &usize| {
        let rest = bytes.get(*at..).unwrap_or_default();
        MARKS.iter().any(|mark| rest.starts_with(mark))
    };
    let rest = bytes.get(from..).unwrap_or_default();
    memchr::memchr_iter(b'{', rest).map(|at| from + at).find(marked)
}

fn last_mark(bytes: &[u8]) -> Option<usize> {
    MARKS.iter().filter_map(|mark| memchr::memmem::rfind(bytes, mark)).max()
}

/// The line without white space, and without the zeros that a lost write leaves.
fn trim(line: &[u8]) -> &[u8] {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = line.iter().take_while(|byte| blank(byte)).count();
    let line = line.get(start..).unwrap_or_default();
    let end = line.len() - line.iter().rev().take_while(|byte| blank(byte)).count();
    line.get(..end).unwrap_or_default()
}

/// Reads a record of the form before versions, as pi-repair-layer writes it: `ts` as text, the
/// notation as `grammar`, a promoted call as `recovered`. Its issue summary is left out.
fn older(object: &Map<String, Value>) -> Option<Record> {
    let text = |name: &str| object.get(name).and_then(Value::as_str);
    let written = text("ts")?;
    let (channel, outcome) = match (text("channel"), text("outcome")?) {
        (Some("message"), outcome) => (Channel::Message, outcome),
        (_, "recovered") => (Channel::Message, "promoted"),
        (_, outcome) => (Channel::Tool, outcome),
    };
    let mut record = Record::new(instant(written).unwrap_or_default(), channel, outcome);
    if !is_plain(outcome) {
        return None;
    }
    record.tool = text("tool").map(plain_or_other);
    record.model = text("model").map(model_name);
    record.profile = text("profile").and_then(|name| name.parse().ok());
    record.family =
        text("grammar").map(|names| plain_or_other(names.split(',').next().unwrap_or_default()));
    record.stages = list(object, "stages", plain_or_other);
    record.rules = list(object, "rules", plain_or_other);
    record.fingerprint = text("fingerprint").and_then(|text| u64::from_str_radix(text, 16).ok());
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = r#"{"v":1,"time":7,"channel":"advisor","outcome":"noted"}"#;
    const OLDER: &str = r#"{"ts":"1970-01-01T00:00:00.007Z","outcome":"recovered"}"#;

    /// Reads a log in these pieces: how many records it has, and what was torn or foreign.
    fn read<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> (usize, u64, u64) {
        let (mut reader, mut records) = (LogReader::default(), 0);
        for piece in pieces {
            reader.push(piece, &mut |record| records += usize::from(record.time() == 7));
            assert!(reader.held.len() <= LINE_MAX, "{}", reader.held.len());
        }
        let skipped = reader.finish(&mut |record| records += usize::from(record.time() == 7));
        assert_eq!(skipped.total(), skipped.torn + skipped.foreign);
        (records, skipped.torn, skipped.foreign)
    }

    #[test]
    fn damaged_lines_give_the_records_that_are_whole() {
        let cut = &RECORD[..20];
        let turned = r#"{"channel":"advisor","time":7,"v":1,"outcome":"noted"}"#;
        for (line, told) in [
            (RECORD.to_owned(), (1, 0, 0)),
            (turned.to_owned(), (1, 0, 0)),
            (format!("{RECORD}{OLDER} {RECORD}"), (3, 0, 0)),
            (format!("{cut}{RECORD}"), (1, 1, 0)),
            (format!("{RECORD}{cut}"), (1, 1, 0)),
            (format!("{RECORD} and more"), (1, 0, 1)),
            (format!("more {RECORD}"), (1, 0, 1)),
            (format!("{{\"a\":1}} {RECORD}"), (1, 0, 1)),
            (format!("{turned} and more"), (0, 0, 1)),
            ("[1] and more".to_owned(), (0, 0, 1)),
            ("{\"t".to_owned(), (0, 1, 0)),
            ("\0 \0".to_owned(), (0, 0, 0)),
        ] {
            assert_eq!(read([line.as_bytes()]), told, "{line}");
        }
        let skipped = Skipped { torn: 1, foreign: 2, newer: 4 };
        assert_eq!((skipped.total(), skipped.explained().len()), (7, 3));
        let mut reader = LogReader::planted(Tables { salvage: false, ..Tables::default() });
        reader.push(format!("{cut}{RECORD}\n{cut}\n").as_bytes(), &mut |_| {});
        assert_eq!(reader.finish(&mut |_| {}).torn, 2);
    }

    #[test]
    fn a_record_behind_a_line_that_was_never_ended_is_found_wherever_the_line_is_cut() {
        for record in [RECORD, OLDER] {
            for start in LINE_MAX - 50..=LINE_MAX + 3 {
                let mut line = vec![b'x'; start];
                line.extend_from_slice(record.as_bytes());
                let (held, rest) = line.split_at(LINE_MAX + 1);
                assert_eq!(read([held, rest, b" \n"]), (1, 0, 1), "{start}");
                assert_eq!(read([held, rest, record.as_bytes()]), (2, 0, 1), "{start}");
            }
        }
    }

    #[test]
    fn a_line_of_any_length_is_held_in_little_room_and_counts_once() {
        for (mark, told) in [("", (0, 0, 1)), ("{\"v\":", (0, 1, 0)), (RECORD, (1, 0, 1))] {
            let mut line = mark.as_bytes().to_vec();
            line.resize(7 * LINE_MAX, b'x');
            for size in [LINE_MAX / 2 + 1, LINE_MAX, LINE_MAX + 1, line.len()] {
                let next = [RECORD.as_bytes(), b"\n"];
                let pieces = line.chunks(size).chain([&b"\n"[..]]).chain(next);
                let (records, torn, foreign) = read(pieces);
                assert_eq!((records - 1, torn, foreign), told, "{mark} {size}");
            }
        }
    }
}
