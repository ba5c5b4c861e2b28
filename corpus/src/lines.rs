//! JSON Lines: one record a line, blank lines skipped, every id once.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::error::CorpusError;

/// Reads every line of `text` with `convert`, which turns a row into an id and a record.
///
/// `format` names the page that describes the rows; errors point to it.
pub(crate) fn parse<Row: DeserializeOwned, T>(
    file: &str,
    text: &str,
    format: &str,
    convert: impl Fn(Row) -> Result<(String, T), CorpusError>,
) -> Result<Vec<T>, CorpusError> {
    let mut records = Vec::new();
    let mut seen = BTreeMap::new();
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    for (content, line) in lines.filter(|(content, _)| !content.trim().is_empty()) {
        let row = serde_json::from_str(content)
            .map_err(|error| broken_row(file, format, &error).at(line))?;
        let (id, record) = convert(row).map_err(|error| error.at(line))?;
        if let Some(first) = seen.insert(id.clone(), line) {
            let problem = format!("the id `{id}` already stands on line {first}");
            return Err(CorpusError::new(file, problem, "give each line an id of its own").at(line));
        }
        records.push(record);
    }
    Ok(records)
}

/// Says what serde found, with the column, since the line is the caller's to name.
fn broken_row(file: &str, format: &str, error: &serde_json::Error) -> CorpusError {
    let said = bare_message(error);
    if error.is_data() {
        let remedy = format!("compare the line with {format}");
        return CorpusError::new(file, said, remedy);
    }
    let problem = format!("not JSON at column {}: {said}", error.column());
    CorpusError::new(file, problem, "write one whole JSON object on each line")
}

/// The message without serde's own position, which counts lines within one line.
pub(crate) fn bare_message(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once(" at line ") {
        Some((bare, _)) => bare.to_owned(),
        None => said,
    }
}
