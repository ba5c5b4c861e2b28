//! House rules that no lint checks: the arrows between crates, and the shape of every file.

use std::fs;
use std::path::{Path, PathBuf};

/// The dependencies each crate may have inside the workspace, `dev-dependencies` included.
const ARROWS: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("corpus", &[]),
    ("harness", &["engine", "corpus"]),
    ("benches", &["engine", "corpus"]),
    ("drift", &["engine", "corpus", "harness"]),
    ("extension/native", &["engine"]),
];

/// The most lines a file may have; a list that may only shrink.
const LINES_MAX: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// Every Rust file of the workspace's crates.
fn sources() -> Vec<PathBuf> {
    let mut pending: Vec<PathBuf> = ARROWS.iter().map(|(name, _)| root().join(name)).collect();
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn crates_point_only_where_the_architecture_says() {
    for (name, allowed) in ARROWS {
        let text = fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("TOML");
        let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
        let used = sections
            .iter()
            .filter_map(|section| manifest.get(*section)?.as_table())
            .flat_map(toml::Table::keys)
            .filter(|used| ARROWS.iter().any(|(inside, _)| inside == used));
        for used in used {
            assert!(allowed.contains(&used.as_str()), "{name} must not depend on {used}");
        }
    }
    let workspace: toml::Table =
        fs::read_to_string(root().join("Cargo.toml")).expect("a manifest").parse().expect("TOML");
    let members = workspace["workspace"]["members"].as_array().expect("members");
    let names: Vec<&str> = members.iter().filter_map(toml::Value::as_str).collect();
    assert_eq!(names, ARROWS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}

#[test]
fn every_file_says_what_it_is_and_stays_small() {
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.starts_with("//! "), "{} does not open with a sentence", path.display());
        let lines = text.lines().count();
        assert!(lines <= LINES_MAX, "{} has {lines} lines", path.display());
    }
}

#[test]
fn nothing_is_left_open() {
    let marks =
        [["to", "do!("].concat(), ["un", "implemented!("].concat(), ["#[ig", "nore"].concat()];
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a file");
        for mark in &marks {
            assert!(!text.contains(mark.as_str()), "{} holds {mark}", path.display());
        }
    }
}

#[test]
fn the_catalogue_is_printed_from_the_tables() {
    let path = root().join("docs/catalog.md");
    let printed = harness::catalog::catalog();
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == printed,
        "run `cargo run -- catalog > docs/catalog.md` and read the difference"
    );
}
