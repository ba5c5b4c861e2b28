//! The command says what it needs, and how things ended.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

fn command(args: &[&str], path: &Path) -> Command {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-cache");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi-drift"));
    command.args(args).env("PI_DRIFT_CACHE", cache).env("PATH", path);
    command
}

fn pi_drift(args: &[&str], path: &str) -> Output {
    command(args, Path::new(path)).output().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with an `npm` that does this; it notes what it was asked for beside itself.
fn npm(does: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("npm");
    let asked = folder.path().join("asked");
    fs::write(&file, format!("#!/bin/sh\necho \"$*\" >> '{}'\n{does}\n", asked.display())).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn no_npm_is_one_clear_sentence() {
    let output = pi_drift(&["check", "--pi", "1.6.0", "--claim", "order-of-hooks"], "/nowhere");
    let said = complaint(&output);
    let last = said.lines().last().unwrap_or_default();
    assert_eq!(
        last,
        "error: pi 1.6.0 could not be installed: there is no npm on this machine; install one, \
         or use a cache filled elsewhere with --cache or PI_DRIFT_CACHE"
    );
}

#[test]
fn an_unreached_registry_is_one_clear_sentence() {
    let npm = npm("echo 'npm error code ENOTFOUND' >&2; exit 1");
    let output = command(&["run", "valid-call", "--pi", "1.6.0"], npm.path()).output().unwrap();
    assert_eq!(
        complaint(&output),
        "installing pi 1.6.0 with npm, about half a minute\n\
         error: pi 1.6.0 could not be installed: `npm view` does not reach its registry \
         (ENOTFOUND); check the network, or name a cache that holds the release with --cache or \
         PI_DRIFT_CACHE\n"
    );
    let asked = fs::read_to_string(npm.path().join("asked")).unwrap();
    let [view, ci] = asked.lines().collect::<Vec<_>>()[..] else { panic!("{asked}") };
    assert!(view.starts_with("view @earendil-works/pi-coding-agent@1.6.0 version"), "{view}");
    assert!(view.contains("--fetch-retries=1") && view.contains("--fetch-timeout=8000"), "{view}");
    assert!(ci.starts_with("ci ") && ci.contains("--offline"), "{ci}");
}

#[test]
fn what_npm_says_is_passed_on() {
    let npm = npm("echo 'npm error code ETARGET' >&2; echo 'npm error none such' >&2; exit 1");
    let output = command(&["snapshot", "--pi", "9.9.9"], npm.path()).output().unwrap();
    let said = complaint(&output);
    assert!(said.contains("pi 9.9.9 could not be installed: `npm install` failed"), "{said}");
    assert!(said.ends_with("and says: npm error none such\n"), "{said}");
}

#[test]
fn a_stopped_install_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM"] {
        let npm = npm("exec /bin/sleep 60");
        let cache = tempfile::tempdir().unwrap();
        let mut command = command(&["check", "--pi", "1.6.0", "--json"], npm.path());
        command.env("PI_DRIFT_CACHE", cache.path()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let began = Instant::now();
        while !npm.path().join("asked").exists() {
            assert!(began.elapsed() < Duration::from_secs(20), "npm was not asked");
            std::thread::sleep(Duration::from_millis(20));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(began.elapsed() < Duration::from_secs(20));
        let page: serde_json::Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(page["stopped"], true);
        let claims = page["releases"][0]["claims"].as_array().unwrap();
        assert!(claims.iter().any(|row| row["verdict"] == "not_run"));
        assert!(claims.iter().all(|row| row["verdict"] != "holds"));
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    }
}

#[test]
fn unknown_names_say_where_the_known_ones_are() {
    let claim = complaint(&pi_drift(&["check", "--claim", "no-such"], "/nowhere"));
    assert!(claim.contains("there is no claim `no-such`; docs/claims.md lists all"), "{claim}");
    let script = complaint(&pi_drift(&["run", "no-such"], "/nowhere"));
    assert!(script.contains("no script `no-such` in corpus/data/scripts"), "{script}");
    let release = complaint(&pi_drift(&["run", "valid-call", "--pi", "0.80"], "/nowhere"));
    assert!(release.contains("or `baseline`, `latest`, `pinned`"), "{release}");
}

#[test]
fn versions_work_without_npm_and_say_what_is_missing() {
    let output = pi_drift(&["versions", "--json"], "/nowhere");
    assert!(output.status.success());
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(page["pinned"][0], "0.80.6");
    assert!(page["latest"].is_null());
    assert!(page["unasked"].as_str().unwrap().contains("there is no npm on this machine"));
}

#[test]
fn the_cache_is_that_of_the_option_else_of_the_environment() {
    let folder = |args: &[&str]| {
        let output = pi_drift(args, "/nowhere");
        let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        page["cache"].as_str().unwrap().to_owned()
    };
    assert!(folder(&["versions", "--json"]).ends_with("no-cache"));
    assert_eq!(folder(&["versions", "--json", "--cache", "/elsewhere"]), "/elsewhere");
    // An empty one is none.
    assert!(folder(&["versions", "--json", "--cache", ""]).ends_with("/pi-drift"));
}

#[test]
fn chaos_makes_its_folder_or_names_it() {
    let room = tempfile::tempdir().unwrap();
    let into = room.path().join("made").join("here");
    assert!(pi_drift(&["chaos", "--into", into.to_str().unwrap()], "/nowhere").status.success());
    assert!(fs::read_dir(&into).unwrap().count() > 20);
    let file = room.path().join("file");
    fs::write(&file, "").unwrap();
    let into = file.join("in");
    let said = complaint(&pi_drift(&["chaos", "--into", into.to_str().unwrap()], "/nowhere"));
    assert!(said.contains(&format!("{} cannot be written", into.display())), "{said}");
}
