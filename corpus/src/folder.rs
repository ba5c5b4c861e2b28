//! One record a file: every file of a folder with a given extension, sorted by name.

use std::{fs, io, path::Path};

use crate::error::CorpusError;

/// Reads each `.extension` file of `folder` with `convert`, which gets the stem and the text.
pub(crate) fn read<T>(
    folder: &Path,
    extension: &str,
    convert: impl Fn(&str, &str) -> Result<T, CorpusError>,
) -> Result<Vec<T>, CorpusError> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| unreadable(folder, &error))?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == extension));
    paths.sort();
    let mut records = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        records.push(convert(&stem, &text)?);
    }
    Ok(records)
}

fn unreadable(path: &Path, error: &io::Error) -> CorpusError {
    let remedy = "run from a checkout of the repository, or give the folder that holds them";
    CorpusError::new(&path.display().to_string(), format!("cannot be read: {error}"), remedy)
}
