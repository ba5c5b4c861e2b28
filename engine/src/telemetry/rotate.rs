//! Which lines of a log stay when it has grown too long.

/// When a log is cut, and to what.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rotation {
    /// Bytes above which it is cut.
    pub bytes_max: usize,
    /// Bytes that stay, at most.
    pub bytes_kept: usize,
}

impl Rotation {
    /// Cut above 8 MiB, to 4 MiB.
    pub const DEFAULT: Self = Self { bytes_max: 8 << 20, bytes_kept: 4 << 20 };
}

impl Default for Rotation {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The byte from which `log` is kept, always the start of a line; `None` if all of it is.
///
/// Oldest lines go first, and whole lines only: write the rest to a new file and rename it over the
/// old one, so that a crash loses nothing. The last line stays whatever its length.
pub fn rotate(log: &[u8], limits: Rotation) -> Option<usize> {
    if log.len() <= limits.bytes_max.max(limits.bytes_kept) {
        return None;
    }
    let earliest = log.len().saturating_sub(limits.bytes_kept);
    // A line that begins exactly at `earliest` stays, so the search starts at the byte before it.
    let from = earliest.saturating_sub(1);
    let found = memchr::memchr(b'\n', log.get(from..).unwrap_or_default());
    let start = found.map(|at| from + at + 1).filter(|start| *start < log.len());
    let last = || {
        let whole = log.strip_suffix(b"\n").unwrap_or(log);
        memchr::memrchr(b'\n', whole).map_or(0, |at| at + 1)
    };
    Some(start.unwrap_or_else(last)).filter(|start| *start > 0)
}
