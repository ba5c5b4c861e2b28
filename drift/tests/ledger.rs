//! The ledger is printed from the claims, and the claims fill it.

use std::{collections::BTreeSet, fs, path::Path};

#[test]
fn the_ledger_is_printed_from_the_claims() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/claims.md");
    let printed = drift::ledger::ledger(&corpus::claims().unwrap());
    let stored = fs::read_to_string(path).unwrap_or_default();
    let advice = "run `cargo run -p drift -- ledger > docs/claims.md` and read the difference";
    assert!(stored == printed, "{advice}");
}

#[test]
fn claims_are_many_and_say_something_of_their_own() {
    let claims = corpus::claims().unwrap();
    assert!(claims.len() >= 30, "{} claims", claims.len());
    let sentences: BTreeSet<_> = claims.iter().map(|claim| &claim.says).collect();
    assert_eq!(sentences.len(), claims.len(), "two claims say the same");
}

#[test]
fn changes_say_what_changed_and_when_they_were_seen() {
    let pinned: Vec<_> = drift::pins::PINS.iter().map(|pin| pin.release.to_owned()).collect();
    for claim in corpus::claims().unwrap() {
        for (number, row) in claim.seen.iter().enumerate() {
            let name = &claim.name;
            assert_eq!(row.now.is_some(), number > 0, "{name} at {}", row.since);
            assert!(pinned.contains(&row.since.to_string()), "{name} at {}", row.since);
        }
    }
}

#[test]
fn pins_name_no_place_to_fetch_from() {
    for pin in drift::pins::PINS {
        assert!(!pin.lock.contains("://"), "{}", pin.release);
        assert!(pin.manifest.contains(&format!("\"{}\"", pin.release)), "{}", pin.release);
    }
}

/// The file of a module path such as `engine::rules::drop_null`, from the root of the workspace.
fn is_module(path: &str) -> bool {
    let mut parts = path.split("::");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = parts.next().map(|part| root.join(part).join("src")).unwrap_or_default();
    let file = parts.fold(file, |file, part| file.join(part));
    file.with_extension("rs").is_file() || file.join("mod.rs").is_file()
}

#[test]
fn what_leans_on_a_claim_is_there() {
    let mut paths = 0;
    for claim in corpus::claims().unwrap() {
        for leans in &claim.leans {
            let path = leans.split([',', ':', ' ']).next().unwrap_or_default();
            let whole = leans.split([',', ' ']).next().unwrap_or_default().trim_end_matches(':');
            let ours = matches!(path, "engine" | "harness" | "drift" | "corpus");
            if ours {
                assert!(whole.contains("::") && is_module(whole), "{}: `{leans}`", claim.name);
                paths += 1;
            }
        }
    }
    assert!(paths > 50, "{paths}");
    assert!(!is_module("engine::advisory"));
}
