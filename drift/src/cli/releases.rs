//! The option `--pi`: releases by number or by name.

use corpus::Release;
use drift::pins::{BASELINE, PINS};

use super::Desk;
use super::out::{self, Failure};

/// One value of `--pi`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pi {
    /// A number.
    Exactly(Release),
    /// The oldest supported release.
    Baseline,
    /// The newest release of the registry.
    Latest,
    /// Every pinned release.
    Pinned,
}

/// Reads a value of `--pi`.
pub(crate) fn pi(text: &str) -> Result<Pi, String> {
    match text {
        "baseline" => Ok(Pi::Baseline),
        "latest" => Ok(Pi::Latest),
        "pinned" => Ok(Pi::Pinned),
        number => number.parse().map(Pi::Exactly).map_err(|_| {
            "write three numbers, as in 0.80.6, or `baseline`, `latest`, `pinned`".to_owned()
        }),
    }
}

/// The releases meant, each once, in the order given.
pub(crate) fn releases(given: &[Pi], desk: &Desk) -> Result<Vec<Release>, Failure> {
    let mut releases = Vec::new();
    for pi in given {
        let meant = match pi {
            Pi::Exactly(release) => vec![*release],
            Pi::Baseline => vec![BASELINE],
            Pi::Latest => vec![latest(desk)?],
            Pi::Pinned => PINS.iter().filter_map(|pin| pin.release.parse().ok()).collect(),
        };
        for release in meant {
            if !releases.contains(&release) {
                releases.push(release);
            }
        }
    }
    Ok(releases)
}

/// The newest release; where the registry cannot be asked, that is said.
fn latest(desk: &Desk) -> Result<Release, Failure> {
    let latest = desk.latest()?;
    if let Some(error) = latest.unasked {
        out::note(&format!("{} was the newest release when last asked; {error}", latest.release));
    }
    Ok(latest.release)
}
