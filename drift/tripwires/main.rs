//! A pi that was tampered with is noticed, by the claim that is meant to notice it; and a check that
//! is stopped ends its pi and says what held so far.
//!
//! Runs the real pi, and installs it where the cache does not hold it; so this is an example that
//! `.ci/drift` starts, and no test that `cargo test` would run on a machine without npm.

use std::{
    collections::BTreeSet,
    env, fs,
    io::{self, Read as _, Write as _},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use corpus::{Claim, Release};
use drift::{
    check::{Checked, check},
    install::{Cache, Installed},
    pins::BASELINE,
    report,
};
use tempfile::TempDir;

/// The oldest supported release and the newest pinned one.
const RELEASES: &[Release] = &[BASELINE, Release::new(1, 6, 0)];
/// Where a release keeps its own packages.
const OWN: &str = "node_modules/@earendil-works";
/// Scripts whose folders were there before a check is stopped: a claim or two hold by then.
const SCRIPTS_SEEN: usize = 6;
/// How long a check may take to get there.
const PATIENCE: Duration = Duration::from_secs(30);

/// A change to one file of the installed pi.
struct Tampering {
    name: &'static str,
    file: &'static str,
    /// How releases spell what is changed; each has one of these, once.
    from: &'static [&'static str],
    to: &'static str,
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
            from: &["const validatedArgs = validateToolArguments(tool, preparedToolCall);"],
            to: "await config.beforeToolCall?.({ assistantMessage, toolCall, args: preparedToolCall.arguments, context: currentContext }, signal);
        const validatedArgs = validateToolArguments(tool, preparedToolCall);",
        },
        names: &["invalid-call-meets-no-hook", "unknown-tool-meets-no-hook"],
        trips: &["invalid-call-meets-no-hook"],
        words: &["`X:tool_call probe` should not be there", "pi-drift run invalid-call --pi "],
    },
    Row {
        tampering: Tampering {
            name: "renamed-field",
            file: "pi-coding-agent/dist/core/tools/read.js",
            from: &["offset: Type.Optional("],
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
            from: &["/prompt is too long/i,", "/prompt (?:is )?too long/i,"],
            to: "",
        },
        names: &["error-classes-stand", "overflow-patterns-stand", "order-of-hooks"],
        trips: &["error-classes-stand", "overflow-patterns-stand"],
        words: &["engine::advisor", "too long"],
    },
];

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

/// A copy of a release; what is not pi's own is only linked to, and nothing here writes to it.
fn copied(pi: &Installed) -> TempDir {
    let room = tempfile::Builder::new().prefix("pi-tripwires-").tempdir().unwrap();
    let modules = room.path().join("node_modules");
    fs::create_dir_all(&modules).unwrap();
    for entry in fs::read_dir(pi.folder.join("node_modules")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "@earendil-works" {
            symlink(entry.path(), modules.join(entry.file_name())).unwrap();
        }
    }
    copy(&pi.folder.join(OWN), &room.path().join(OWN));
    room
}

/// Checks claims on `pi` while one of its files is changed.
fn checked(pi: &Installed, tampering: &Tampering, claims: &[Claim]) -> Checked {
    let file = pi.folder.join(OWN).join(tampering.file);
    let text = fs::read_to_string(&file).unwrap();
    let from: Vec<_> = tampering.from.iter().flat_map(|from| text.matches(from)).collect();
    let [from] = from[..] else { panic!("{} changed upstream in {}", tampering.file, pi.release) };
    fs::write(&file, text.replace(from, tampering.to)).unwrap();
    let checked = check(pi, claims, &corpus::scripts().unwrap(), &mut |_| ()).unwrap();
    fs::write(&file, text).unwrap();
    checked
}

/// The claims that are to notice do, the others of the row hold.
fn trips(pi: &Installed, row: &Row) {
    let mut claims = corpus::claims().unwrap();
    claims.retain(|claim| row.names.contains(&claim.name.as_str()));
    assert_eq!(claims.len(), row.names.len());
    let checked = checked(pi, &row.tampering, &claims);
    let drifted: Vec<&str> = checked.drifted().map(|(name, _)| name.as_str()).collect();
    assert_eq!(drifted, row.trips, "{} on pi {}", row.tampering.name, pi.release);
    let said = report::findings(&[checked], &claims).join("\n");
    for claim in claims.iter().filter(|claim| row.trips.contains(&claim.name.as_str())) {
        let sentence = format!("`{}` does not hold on pi {}", claim.name, pi.release);
        assert!(said.contains(&sentence), "{said}");
        assert!(said.contains(&claim.leans.join("; ")), "{said}");
    }
    for word in row.words {
        assert!(said.contains(word), "{said}");
    }
}

/// A check that is stopped midway has ended its pi, removed its folders, and says what held so far.
fn stops(pi: &Installed, cache: &Path, signal: &str) {
    let room = tempfile::tempdir().unwrap();
    let own = env::current_exe().unwrap();
    let mut command = Command::new(own.ancestors().nth(2).unwrap().join("pi-drift"));
    command.args(["check", "--json", "--pi", &pi.release.to_string(), "--cache"]).arg(cache);
    command.env("TMPDIR", room.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut seen = BTreeSet::new();
    wait_for(|| {
        let rooms = fs::read_dir(room.path()).unwrap().flatten();
        let folders = rooms.filter_map(|it| fs::read_dir(it.path()).ok()).flatten().flatten();
        seen.extend(folders.map(|it| it.file_name()));
        seen.len() >= SCRIPTS_SEEN
    });
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(room.path()).unwrap().count(), 0);
    assert!(!is_named_by_a_process(room.path()));
    let page: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(page["stopped"], true);
    let claims = page["releases"][0]["claims"].as_array().unwrap();
    let count = |verdict| claims.iter().filter(|row| row["verdict"] == verdict).count();
    assert!(count("holds") > 0 && count("not_run") > 0, "{printed}");
    assert_eq!(count("drifted") + count("failed"), 0, "{printed}");
}

fn wait_for(mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "the check does not get going");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process has this folder in its environment; only Linux tells.
fn is_named_by_a_process(folder: &Path) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let folder = folder.to_str().unwrap();
    processes.filter_map(|it| fs::read(it.path().join("environ")).ok()).any(|environ| {
        let environ = String::from_utf8_lossy(&environ);
        environ.split('\0').any(|row| row.starts_with("TMPDIR=") && row.contains(folder))
    })
}

fn main() -> io::Result<()> {
    let folder = env::var_os("PI_DRIFT_CACHE").filter(|folder| !folder.is_empty());
    let cache = Cache::new(folder.map(PathBuf::from));
    for release in RELEASES {
        let began = Instant::now();
        let original = cache.get(*release).unwrap();
        let room = copied(&original);
        let pi = Installed { release: *release, folder: room.path().to_owned() };
        for row in ROWS {
            trips(&pi, row);
            let (name, trips) = (row.tampering.name, row.trips.join(", "));
            writeln!(io::stdout(), "pi {release}: {name} trips {trips}")?;
        }
        for signal in ["-INT", "-TERM"] {
            stops(&original, cache.folder(), signal);
        }
        let seconds = began.elapsed().as_secs();
        writeln!(io::stdout(), "pi {release}: ends when it is stopped; {seconds} s in all")?;
    }
    Ok(())
}
