//! Files and standard input, with errors that say what to do.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use harness::campaign::state;
use serde_json::Value;

use super::out::Failure;

/// How a message names a file; `-` is standard input.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        return read_stdin();
    }
    let bytes = fs::read(path).map_err(|error| {
        Failure(format!("{}: cannot be read: {error}; check the path", path.display()))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count();
        Failure(format!("{}:{line}: is not UTF-8; save the file as UTF-8", path.display()))
    })
}

/// Writes a file as a whole: whoever reads it finds the old text or the new one.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    state::replace(path, text).map_err(|error| {
        Failure(format!("{}: cannot be written: {error}; name a file that can be", path.display()))
    })
}

/// All of standard input.
pub(crate) fn read_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(|error| {
        Failure(format!("standard input cannot be read: {error}; send UTF-8 text"))
    })?;
    Ok(text)
}

/// The JSON value of a file.
pub(crate) fn read_json(path: &Path) -> Result<Value, Failure> {
    let text = read(path)?;
    serde_json::from_str(&text)
        .map_err(|error| Failure(format!("{}: {error}; give one JSON value", path.display())))
}
