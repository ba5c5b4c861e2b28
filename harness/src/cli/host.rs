//! The option `--host`.

use engine::host::HostProfile;

/// A host profile, or none.
pub(crate) fn parse(name: &str) -> Result<HostChoice, String> {
    if name == "none" {
        return Ok(HostChoice(None));
    }
    HostProfile::from_name(name).map(|profile| HostChoice(Some(profile))).ok_or_else(|| {
        let known = HostProfile::ALL.map(HostProfile::name).join(", ");
        format!("use one of {known}, or none")
    })
}

/// The generation of pi whose conversion runs after the engine; `None` where none does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostChoice(pub(crate) Option<HostProfile>);
