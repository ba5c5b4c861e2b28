//! A pi that was tampered with is noticed, by the claim that is meant to notice it.
//!
//! Runs the real pi, and installs it where the cache does not hold it; so this is an example that
//! `.ci/drift` starts, and no test that `cargo test` would run on a machine without npm.

use std::{
    env, fs,
    io::{self, Write as _},
    os::unix::fs::symlink,
    path::Path,
    process,
};

use corpus::{Claim, Release};
use drift::{
    check::{Checked, check},
    install::{Cache, Installed},
    report,
};

const RELEASE: Release = Release::new(1, 6, 0);

/// A change to one file of the installed pi.
struct Tampering {
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A copy of the release with one change; what is not pi's own is only linked to.
fn tampered(tampering: &Tampering) -> Installed {
    let pi = Cache::new(None).get(RELEASE).unwrap();
    let folder = env::temp_dir().join(format!("pi-drift-{}-{}", tampering.name, process::id()));
    let _ = fs::remove_dir_all(&folder);
    let modules = folder.join("node_modules");
    fs::create_dir_all(&modules).unwrap();
    for entry in fs::read_dir(pi.folder.join("node_modules")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "@earendil-works" {
            symlink(entry.path(), modules.join(entry.file_name())).unwrap();
        }
    }
    let own = "node_modules/@earendil-works";
    copy(&pi.folder.join(own), &folder.join(own));
    let file = folder.join(own).join(tampering.file);
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches(tampering.from).count(), 1, "{} changed upstream", tampering.file);
    fs::write(&file, text.replace(tampering.from, tampering.to)).unwrap();
    Installed { release: RELEASE, folder }
}

fn checked(tampering: &Tampering, names: &[&str]) -> (Checked, Vec<Claim>) {
    let mut claims = corpus::claims().unwrap();
    claims.retain(|claim| names.contains(&claim.name.as_str()));
    assert_eq!(claims.len(), names.len());
    let scripts = corpus::scripts().unwrap();
    let pi = tampered(tampering);
    let checked = check(&pi, &claims, &scripts, &mut |_| ()).unwrap();
    fs::remove_dir_all(pi.folder).unwrap();
    (checked, claims)
}

/// Claims `names` are checked; `trips` must not hold any more, the others must.
fn trips(tampering: &Tampering, names: &[&str], trips: &[&str], words: &[&str]) {
    let (checked, claims) = checked(tampering, names);
    let drifted: Vec<&str> = checked.drifted().map(|(name, _)| name.as_str()).collect();
    assert_eq!(drifted, trips);
    let said = report::findings(&[checked], &claims).join("\n");
    for claim in claims.iter().filter(|claim| trips.contains(&claim.name.as_str())) {
        assert!(said.contains(&format!("`{}` does not hold on pi 1.6.0", claim.name)), "{said}");
        assert!(said.contains(&claim.leans.join("; ")), "{said}");
    }
    for word in words {
        assert!(said.contains(word), "{said}");
    }
}

/// What is tampered with, which claims are looked at, which of them must notice, and what is said.
struct Row {
    tampering: Tampering,
    names: &'static [&'static str],
    trips: &'static [&'static str],
    words: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        tampering: Tampering {
            name: "early-tool-call",
            file: "pi-agent-core/dist/agent-loop.js",
            from: "const validatedArgs = validateToolArguments(tool, preparedToolCall);",
            to: "await config.beforeToolCall?.({ assistantMessage, toolCall, args: preparedToolCall.arguments, context: currentContext }, signal);
        const validatedArgs = validateToolArguments(tool, preparedToolCall);",
        },
        names: &["invalid-call-meets-no-hook", "unknown-tool-meets-no-hook"],
        trips: &["invalid-call-meets-no-hook"],
        words: &[
            "`X:tool_call probe` should not be there",
            "pi-drift run invalid-call --pi 1.6.0",
        ],
    },
    Row {
        tampering: Tampering {
            name: "renamed-field",
            file: "pi-coding-agent/dist/core/tools/read.js",
            from: "offset: Type.Optional(",
            to: "start: Type.Optional(",
        },
        names: &["builtin-schemas-stand", "order-of-hooks"],
        trips: &["builtin-schemas-stand"],
        words: &["\"start\"", "engine::builtin"],
    },
    Row {
        tampering: Tampering {
            name: "dropped-pattern",
            file: "pi-ai/dist/utils/overflow.js",
            from: "/prompt (?:is )?too long/i,",
            to: "",
        },
        names: &["error-classes-stand", "overflow-patterns-stand", "order-of-hooks"],
        trips: &["error-classes-stand", "overflow-patterns-stand"],
        words: &["engine::advisor", "too long"],
    },
];

fn main() -> io::Result<()> {
    for row in ROWS {
        trips(&row.tampering, row.names, row.trips, row.words);
        writeln!(io::stdout(), "{} trips {}", row.tampering.name, row.trips.join(", "))?;
    }
    Ok(())
}
