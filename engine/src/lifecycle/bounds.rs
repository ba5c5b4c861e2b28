//! How many repairs are held, and for how long.

/// Caps and ages of a [`super::Lifecycle`]; beyond a cap the oldest goes first.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// Preparations that wait for their call.
    pub pending_max: usize,
    /// Calls known by id that wait for their result.
    pub bound_max: usize,
    /// Milliseconds a preparation waits; a handler before ours may be asking the user.
    pub pending_ms_max: u64,
    /// Milliseconds a call may run; a command can take hours, and its note is still wanted.
    pub bound_ms_max: u64,
}

impl Bounds {
    /// 128 preparations for five minutes, 1,024 calls for a day.
    pub const DEFAULT: Self = Self {
        pending_max: 128,
        bound_max: 1024,
        pending_ms_max: 5 * 60 * 1000,
        bound_ms_max: 24 * 60 * 60 * 1000,
    };
}

impl Default for Bounds {
    fn default() -> Self {
        Self::DEFAULT
    }
}
