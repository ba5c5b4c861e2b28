//! The seam through which a harness plants a bug in the settings.

use super::migrate::{MIGRATIONS, Migration};

/// The tables and steps a file is read with. The default is the engine; anything else is a planted
/// bug.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The older shapes.
    pub migrations: Vec<Migration>,
    /// A save edits the file's own text; off, it prints the settings anew.
    pub keep_unknown: bool,
    /// A text that cannot be read is never written over.
    pub keep_unreadable: bool,
    /// The last step of a save.
    pub finish: fn(String) -> String,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            migrations: MIGRATIONS.to_vec(),
            keep_unknown: true,
            keep_unreadable: true,
            finish: |text| text,
        }
    }
}
