//! Cases as regression files, and back.

use engine::lifecycle::Bounds;
use serde::{Deserialize, Serialize};

use super::file::File;
use super::log::Log;
use super::script::{Call, Entry, Script};
use super::{Case, OTHER_CANARY};
use crate::area::Sample;

/// A case as TOML.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    why: String,
    found: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    /// Caps of preparations and calls, then their ages in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounds: Option<(usize, usize, u64, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<StoredLog>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settings: Option<StoredFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<StoredCall>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredLog {
    pieces: Vec<String>,
    cut: usize,
    chunk: usize,
    bytes_max: usize,
    bytes_kept: usize,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredFile {
    members: Vec<String>,
    space: String,
    comma: String,
    cut: usize,
    edits: Vec<(String, String)>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredCall {
    id: String,
    name: String,
    args: String,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    nested: bool,
    entry: String,
}

impl Sample for Case {
    fn input(&self) -> String {
        if let Some(file) = &self.file {
            return file.text();
        }
        let calls = self.script.calls.iter().zip(0..);
        let calls = calls.map(|(call, place)| {
            let Call { id, name, args, entry, .. } = call;
            let nested = if call.nested { ", nested" } else { "" };
            let strict = if call.strict { ", strict" } else { "" };
            format!("call {place}: {id} {name:?} {args} ({}{nested}{strict})", entry.name())
        });
        let steps = self.script.steps.iter().map(ToString::to_string);
        let pieces = self.log.iter().flat_map(|log| &log.pieces).map(ToString::to_string);
        calls.chain(steps).chain(pieces).collect::<Vec<_>>().join("\n")
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        let empty = Self::empty();
        let Bounds { pending_max, bound_max, pending_ms_max, bound_ms_max } = self.bounds;
        let own = self.bounds != empty.bounds;
        let stored = Stored {
            why: why.to_owned(),
            found: found.to_owned(),
            model: (self.model != empty.model).then(|| self.model.clone()),
            policy: (self.policy != empty.policy).then(|| self.policy.name().to_owned()),
            bounds: own.then_some((pending_max, bound_max, pending_ms_max, bound_ms_max)),
            steps: self.script.steps.iter().map(ToString::to_string).collect(),
            log: self.log.as_ref().map(store_log),
            settings: self.file.as_ref().map(store_file),
            calls: self.script.calls.iter().map(store_call).collect(),
        };
        toml::to_string(&stored).unwrap_or_else(|error| format!("# {error}\n"))
    }
}

fn store_log(log: &Log) -> StoredLog {
    let pieces = log.pieces.iter().map(ToString::to_string).collect();
    let Log { cut, chunk, bytes_max, bytes_kept, .. } = *log;
    StoredLog { pieces, cut, chunk, bytes_max, bytes_kept }
}

fn store_file(file: &File) -> StoredFile {
    let File { members, space, comma, cut, edits } = file.clone();
    StoredFile { members, space, comma, cut, edits }
}

fn store_call(call: &Call) -> StoredCall {
    let Call { id, name, args, strict, nested, entry } = call.clone();
    StoredCall { id, name, args, strict, nested, entry: entry.name().to_owned() }
}

impl Case {
    /// Reads a regression file.
    ///
    /// # Errors
    ///
    /// A text that is no such file, or steps that name calls which are not there.
    pub fn from_toml(slug: &str, text: &str) -> Result<Self, String> {
        let stored: Stored = toml::from_str(text).map_err(|error| format!("{slug}: {error}"))?;
        if stored.why.is_empty() || stored.found.is_empty() || text.contains(OTHER_CANARY) {
            return Err(format!("{slug}: say why and where, and leave out `{OTHER_CANARY}`"));
        }
        let mut case = Self::empty();
        case.model = stored.model.unwrap_or(case.model);
        if let Some(policy) = stored.policy {
            case.policy = policy.parse().map_err(|error| format!("{slug}: {error}"))?;
        }
        if let Some((pending_max, bound_max, pending_ms_max, bound_ms_max)) = stored.bounds {
            case.bounds = Bounds { pending_max, bound_max, pending_ms_max, bound_ms_max };
        }
        let calls: Result<_, String> = stored.calls.into_iter().map(read_call).collect();
        let steps: Result<_, String> = stored.steps.iter().map(|step| step.parse()).collect();
        case.script = Script { calls: calls?, steps: steps? };
        case.log = stored.log.as_ref().map(read_log).transpose()?;
        case.file = stored.settings.map(|file| {
            let StoredFile { members, space, comma, cut, edits } = file;
            File { members, space, comma, cut, edits }
        });
        case.check().map_err(|says| format!("{slug}: {says}"))?;
        Ok(case)
    }

    fn check(&self) -> Result<(), String> {
        let known = |step: &super::script::Step| match step.what {
            super::script::What::Call(_, call) => call < self.script.calls.len(),
            _ => true,
        };
        let unknown = self.script.steps.iter().find(|step| !known(step));
        unknown.map_or(Ok(()), |step| Err(format!("`{step}` is about no call")))
    }
}

fn read_log(log: &StoredLog) -> Result<Log, String> {
    let pieces: Result<_, String> = log.pieces.iter().map(|piece| piece.parse()).collect();
    let StoredLog { cut, chunk, bytes_max, bytes_kept, .. } = *log;
    Ok(Log { pieces: pieces?, cut, chunk: chunk.max(1), bytes_max, bytes_kept })
}

fn read_call(call: StoredCall) -> Result<Call, String> {
    let StoredCall { id, name, args, strict, nested, entry } = call;
    let entry = Entry::from_name(&entry).ok_or_else(|| format!("`{entry}` is no entry"))?;
    Ok(Call { id, name, args, strict, nested, entry })
}

#[cfg(test)]
mod tests {
    use super::super::Bias;
    use super::*;
    use crate::source::Seeded;

    #[test]
    fn cases_survive_their_files() {
        for number in 0..500 {
            let mut source = Seeded::new(3, number);
            let bias = Bias::swarm(&mut source);
            let case = Case::draw(&mut source, &bias);
            let text = case.to_toml("why", "found");
            assert_eq!(Case::from_toml("slug", &text).as_ref(), Ok(&case), "{text}");
        }
    }
}
