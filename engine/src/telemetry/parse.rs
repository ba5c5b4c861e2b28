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
            if !self.overlong || last_mark(judged).is_some() {
                self.line(judged, each);
            }
            self.overlong = true;
            self.held = kept.to_vec();
        }
    }

    fn end_line(&mut self, each: &mut dyn FnMut(Record)) {
        let line = std::mem::take(&mut self.held);
        let nothing_new = self.overlong && last_mark(&line).is_none();
        if !nothing_new {
            self.line(&line, each);
        }
        self.overlong = false;
        self.held = line;
        self.held.clear();
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
            let rest = line.get(start..).unwrap_or_default();
            let end = next_mark(rest).map_or(line.len(), |at| start + at);
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

/// The next mark behind the first byte.
fn next_mark(bytes: &[u8]) -> Option<usize> {
    let marked = |at: &usize| {
        let rest = bytes.get(*at..).unwrap_or_default();
        MARKS.iter().any(|mark| rest.starts_with(mark))
    };
    memchr::memchr_iter(b'{', bytes).filter(|at| *at > 0).find(marked)
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
