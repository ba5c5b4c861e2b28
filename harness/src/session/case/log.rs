//! A log: whole records between what was torn, what others wrote, and what other versions wrote.

use std::fmt;
use std::str::FromStr;

use super::Bias;
use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;

/// Bytes that are no record. None begins with a bracket that could close one.
pub const NOISE: &[&[u8]] = &[
    b"\n",
    b"\0\0\0\0",
    b"hello",
    b"hello\n",
    b"\xff\xfe\n",
    b"{\"event\":\"other\",\"v\":\"1\"}\r\n",
    b"{\"v\"",
    b"{\"v\":1,\"time\":",
    b"[1]\n",
    b"{\"v\":1}\n",
];

/// Lines of the form before versions; each is a record.
pub const OLDER: &[&str] = &[
    "{\"ts\":\"2024-10-04T00:00:00.000Z\",\"tool\":\"read\",\"model\":\"zai/glm-4.6\",\"outcome\":\"recovered\",\"rules\":[\"grammarRecovery:dsml\"],\"grammar\":\"dsml\",\"issues\":\"path: zqvalue\"}\n",
    "{\"ts\":\"2024-10-05T01:02:03Z\",\"tool\":\"zqtool name\",\"model\":\"zqmodel\",\"outcome\":\"repaired\",\"rules\":[\"zq rule\"]}\n",
];

/// A line of a version to come.
pub const NEWER: &str = "{\"v\":99,\"time\":1,\"what\":{\"x\":1}}\n";

/// One piece of a log.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Piece {
    /// A record of this place, counted round.
    Record(usize),
    /// The first bytes of a record, so many; without its line end in any case.
    Torn(usize, usize),
    /// A row of [`NOISE`].
    Noise(usize),
    /// A row of [`OLDER`].
    Older(usize),
    /// The line [`NEWER`].
    Newer,
    /// More bytes without a line end than a reader holds.
    Overlong,
}

impl fmt::Display for Piece {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(row) => write!(out, "record {row}"),
            Self::Torn(row, bytes) => write!(out, "torn {row} {bytes}"),
            Self::Noise(row) => write!(out, "noise {row}"),
            Self::Older(row) => write!(out, "older {row}"),
            Self::Newer => out.write_str("newer"),
            Self::Overlong => out.write_str("overlong"),
        }
    }
}

impl FromStr for Piece {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(' ');
        let name = words.next();
        let numbers: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
        match (name, numbers.as_deref()) {
            (Some("record"), Some([row])) => Ok(Self::Record(*row)),
            (Some("torn"), Some([row, bytes])) => Ok(Self::Torn(*row, *bytes)),
            (Some("noise"), Some([row])) if *row < NOISE.len() => Ok(Self::Noise(*row)),
            (Some("older"), Some([row])) if *row < OLDER.len() => Ok(Self::Older(*row)),
            (Some("newer"), Some([])) => Ok(Self::Newer),
            (Some("overlong"), Some([])) => Ok(Self::Overlong),
            _ => Err(format!("`{text}` is no piece of a log")),
        }
    }
}

/// A log, and how it is read and rotated.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// What was written, in order.
    pub pieces: Vec<Piece>,
    /// Bytes that are missing at the end.
    pub cut: usize,
    /// Bytes that are read at once.
    pub chunk: usize,
    /// Bytes above which the log is rotated.
    pub bytes_max: usize,
    /// Bytes that rotation keeps.
    pub bytes_kept: usize,
}

impl Log {
    /// Draws a log.
    pub(super) fn draw(source: &mut dyn Source, bias: &Bias) -> Self {
        let damaged = source.chance(bias.damage, 16);
        let pieces = (0..source.below(7)).map(|_| piece(source, damaged)).collect();
        let cut = if source.chance_row("log-cut", 1, 2) { source.below(260) as usize } else { 0 };
        let bytes = |source: &mut dyn Source| source.below(1200) as usize;
        Self {
            pieces,
            cut,
            chunk: source.range(1, 400) as usize,
            bytes_max: bytes(source),
            bytes_kept: bytes(source),
        }
    }
}

/// What a log is made of, with how often.
const PIECES: &[(&str, u32)] = &[
    ("", 60),
    ("log-torn", 20),
    ("log-noise", 24),
    ("log-older", 10),
    ("log-newer", 10),
    ("log-overlong", 1),
];

/// What a log is made of, by name.
pub(super) fn features() -> impl Iterator<Item = &'static str> {
    PIECES.iter().map(|row| row.0).filter(|id| !id.is_empty()).chain(["log-cut"])
}

fn piece(source: &mut dyn Source, damaged: bool) -> Piece {
    let kind = source.weigh_rows(if damaged { PIECES } else { &PIECES[..1] });
    if !PIECES[kind].0.is_empty() {
        source.carry(PIECES[kind].0);
    }
    match kind {
        1 => Piece::Torn(source.below(8) as usize, source.below(300) as usize),
        2 => Piece::Noise(source.index(NOISE.len())),
        3 => Piece::Older(source.index(OLDER.len())),
        4 => Piece::Newer,
        5 => Piece::Overlong,
        _ => Piece::Record(source.below(8) as usize),
    }
}
