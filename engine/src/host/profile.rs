//! The generations of the host and how a release finds its own.

use std::fmt;

/// A generation of the host whose argument coercion was measured and is one.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum HostProfile {
    /// 0.80.6 to 0.82.1: a `null` is bent into a value of the declared type wherever it stands.
    Pi080,
    /// 0.84.3 to 1.4.0: a `null` at an optional field counts as omitted.
    Pi085,
    /// From 1.5.0: own validator, the generous conversion applies to every schema.
    Pi15,
}

/// A profile, its name, and the first and last release it holds for (`None`: still current).
struct Generation {
    profile: HostProfile,
    name: &'static str,
    first: Release,
    last: Option<Release>,
}

type Release = (u64, u64, u64);

const GENERATIONS: [Generation; 3] = [
    Generation {
        profile: HostProfile::Pi080,
        name: "pi-0.80",
        first: (0, 80, 6),
        last: Some((0, 82, u64::MAX)),
    },
    Generation {
        profile: HostProfile::Pi085,
        name: "pi-0.85",
        first: (0, 84, 3),
        last: Some((1, 4, u64::MAX)),
    },
    Generation { profile: HostProfile::Pi15, name: "pi-1.5", first: (1, 5, 0), last: None },
];

impl HostProfile {
    /// Every profile, oldest first.
    pub const ALL: [Self; 3] = [Self::Pi080, Self::Pi085, Self::Pi15];

    /// The profile's stable name, as used for files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pi080 => GENERATIONS[0].name,
            Self::Pi085 => GENERATIONS[1].name,
            Self::Pi15 => GENERATIONS[2].name,
        }
    }

    /// The profile of that [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        GENERATIONS.iter().find(|row| row.name == name).map(|row| row.profile)
    }

    /// The profile a release belongs to: `"0.85.1"`, or with a `v` before or a suffix after `-` or `+`.
    ///
    /// `None` for a text that is no version and for releases that behave like no profile: before
    /// 0.80.6 (never measured) and 0.83.0 to 0.84.2 (three mixtures of their own).
    pub fn from_version(version: &str) -> Option<Self> {
        let release = release(version)?;
        let row = GENERATIONS.iter().rev().find(|row| row.first <= release)?;
        row.last.is_none_or(|last| release <= last).then_some(row.profile)
    }
}

impl fmt::Display for HostProfile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// How a tool's schema came to be; the older generations convert more for `TypeBox` schemas.
///
/// The mark `TypeBox` leaves on its schemas is not part of their JSON, so the caller has to know. pi's
/// own tools are all `TypeBox`; tools of MCP servers are plain JSON.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum SchemaOrigin {
    /// Built with `TypeBox`'s constructors.
    TypeBox,
    /// Written or received as JSON Schema.
    Json,
}

fn release(version: &str) -> Option<Release> {
    let core = version.trim().trim_start_matches('v').split(['-', '+']).next()?;
    let mut parts = core.split('.').map(|part| part.parse::<u64>().ok());
    let release = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(release)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_all_and_names_lead_back() {
        for (row, profile) in GENERATIONS.iter().zip(HostProfile::ALL) {
            assert_eq!(row.profile, profile);
            assert_eq!(HostProfile::from_name(profile.name()), Some(profile));
        }
    }

    #[test]
    fn releases_find_their_generation() {
        let cases = [
            ("0.80.2", None),
            ("0.80.6", Some(HostProfile::Pi080)),
            ("0.82.1", Some(HostProfile::Pi080)),
            ("0.83.0", None),
            ("0.84.2", None),
            ("0.84.3", Some(HostProfile::Pi085)),
            ("v1.3.0", Some(HostProfile::Pi085)),
            ("1.4.0", Some(HostProfile::Pi085)),
            ("1.5.0-beta.1", Some(HostProfile::Pi15)),
            ("2.0.0", Some(HostProfile::Pi15)),
            ("1.6", None),
            ("latest", None),
        ];
        for (version, profile) in cases {
            assert_eq!(HostProfile::from_version(version), profile, "{version}");
        }
    }
}
