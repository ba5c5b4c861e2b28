//! Fuzzing without a fuzzer: every stored input of every target is tried again, and tables, files and
//! dictionary agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use harness::target::{TARGETS, Target, dictionary};

/// Bytes that all stored inputs may have together.
const CORPUS_BYTES_MAX: u64 = 2 << 20;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The files of a folder in order; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}")).path()).collect();
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn names() -> Vec<String> {
    TARGETS.iter().map(|target| target.name.to_owned()).collect()
}

#[test]
fn targets_files_and_binaries_are_the_same() {
    let files: Vec<String> =
        files(&fuzz().join("fuzz_targets")).iter().map(|it| stem(it)).collect();
    assert_eq!(files, names());
    let text = fs::read_to_string(fuzz().join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    let bins = manifest["bin"].as_array().expect("binaries");
    let bins: Vec<&str> = bins.iter().filter_map(|bin| bin["name"].as_str()).collect();
    assert_eq!(bins, names());
    for target in TARGETS {
        let path = fuzz().join("fuzz_targets").join(target.name).with_extension("rs");
        let text = fs::read_to_string(&path).expect("a target");
        let call = format!("harness::target::{}::fuzz(data)", target.name);
        assert!(text.contains(&call) && text.lines().count() <= 3, "{}", path.display());
        assert!(harness::area::named(target.area).is_some(), "{}", target.name);
    }
}

#[test]
fn the_dictionary_is_written_from_the_tables() {
    let stored = fs::read_to_string(fuzz().join("tokens.dict")).unwrap_or_default();
    assert!(
        stored == dictionary::dictionary(),
        "run `cargo run -p harness --example fuzz dictionary > fuzz/tokens.dict`"
    );
}

#[test]
fn the_corpus_is_small_and_every_folder_has_its_target() {
    let mut bytes = 0;
    for part in ["corpus", "findings"] {
        let folders = files(&fuzz().join(part));
        let known: BTreeSet<String> = names().into_iter().collect();
        for folder in folders {
            assert!(known.contains(&stem(&folder)), "{} has no target", folder.display());
            let sizes =
                files(&folder).into_iter().map(|it| fs::metadata(it).map_or(0, |it| it.len()));
            bytes += sizes.sum::<u64>();
        }
    }
    assert!(bytes <= CORPUS_BYTES_MAX, "{bytes} bytes are stored");
}

/// Tries the stored inputs of the targets at these places again.
fn replay(own: impl Fn(usize) -> bool) {
    let mine = TARGETS.iter().enumerate().filter(|(at, _)| own(*at));
    let wrong: Vec<String> = mine.flat_map(|(_, target)| complaints(target)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn complaints(target: &Target) -> Vec<String> {
    let stored = ["findings", "corpus"].map(|part| files(&fuzz().join(part).join(target.name)));
    let complaint = |path: &PathBuf| {
        let data = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let says = target.complaint(&data)?;
        Some(format!("{}\n{says}", path.display()))
    };
    stored.iter().flatten().filter_map(complaint).collect()
}

// Two halves, so that two threads share the work.
#[test]
fn every_stored_input_of_the_first_targets_holds() {
    replay(|at| at % 2 == 0);
}

#[test]
fn every_stored_input_of_the_other_targets_holds() {
    replay(|at| at % 2 == 1);
}
