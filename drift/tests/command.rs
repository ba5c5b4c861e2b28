//! The command says what it needs, and how things ended.

use std::{
    path::PathBuf,
    process::{Command, Output},
};

fn pi_drift(args: &[&str], path: &str) -> Output {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-cache");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi-drift"));
    command.args(args).arg("--cache").arg(cache).env("PATH", path).output().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn no_npm_is_one_clear_sentence() {
    let output = pi_drift(&["check", "--pi", "1.6.0", "--claim", "order-of-hooks"], "/nowhere");
    let said = complaint(&output);
    let last = said.lines().last().unwrap_or_default();
    assert_eq!(
        last,
        "error: pi 1.6.0 could not be installed: there is no npm on this machine; install one, \
         or use a cache filled elsewhere with --cache"
    );
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
fn versions_work_without_npm() {
    let output = pi_drift(&["versions", "--json"], "/nowhere");
    assert!(output.status.success());
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(page["pinned"][0], "0.80.6");
    assert!(page["latest"].is_null());
}
