//! A settings file read, changed, saved, and read again.

use engine::settings::{Diagnostic, KEYS, Loaded, SaveError, Settings};

use super::Workshop;
use crate::area::Seen;
use crate::session::case::file::File;
use crate::session::meaning::{self, Meaning};

/// A settings file with what the engine made of it.
#[derive(Debug)]
pub struct Edited {
    /// The text.
    pub text: String,
    /// What it means, by another reading.
    pub meaning: Meaning,
    /// What was read.
    pub loaded: Loaded,
    /// What was read, saved again.
    pub kept: Result<String, SaveError>,
    /// The settings after the changes.
    pub wanted: Settings,
    /// Those, saved.
    pub saved: Result<String, SaveError>,
}

impl Edited {
    /// Reads a file, changes it and saves it.
    pub(super) fn new(workshop: &Workshop, file: &File) -> Result<Self, String> {
        let text = file.text();
        let loaded = workshop.load(&text);
        let mut wanted = loaded.settings.clone();
        for (key, value) in &file.edits {
            let value = serde_json::from_str(value).map_err(|error| error.to_string())?;
            wanted.set(key, &value).map_err(|says| says.to_string())?;
        }
        let (kept, saved) = (loaded.save(&loaded.settings), loaded.save(&wanted));
        Ok(Self { text, meaning: meaning::of(file), loaded, kept, wanted, saved })
    }

    /// The text after the changes, where there was an object before them.
    pub fn saved(&self) -> Option<&str> {
        let is_object = matches!(self.meaning, Meaning::Says(_));
        self.saved.as_deref().ok().filter(|_| is_object)
    }

    /// True if the file was read as it is today: nothing of it is to be rewritten.
    pub fn is_current(&self) -> bool {
        let old = |said: &Diagnostic| {
            matches!(said, Diagnostic::OldShape { .. } | Diagnostic::OldName { .. })
        };
        !self.loaded.diagnostics.iter().any(old)
    }

    /// What a campaign counts.
    pub(super) fn seen(&self) -> Seen {
        let mut seen = Seen::new(match (&self.meaning, &self.saved) {
            (Meaning::Unreadable, _) => "unreadable",
            (_, Ok(_)) => "saved",
            (_, Err(_)) => "unsaved",
        });
        for said in &self.loaded.diagnostics {
            match said {
                Diagnostic::OldShape { id, .. } => seen.reach(id),
                Diagnostic::OldName { key, .. } | Diagnostic::Value { key, .. } => seen.reach(key),
                Diagnostic::Unreadable { .. } => seen.reach("unreadable"),
                Diagnostic::Repeated { .. } => seen.reach("repeated"),
                _ => {}
            }
            seen.fold(said.to_string().as_bytes());
        }
        for key in KEYS.iter().filter(|key| self.text.contains(&format!("\"{}\"", key.name))) {
            seen.reach(key.name);
        }
        seen.fold(self.saved.as_deref().unwrap_or_default().as_bytes());
        seen
    }
}
