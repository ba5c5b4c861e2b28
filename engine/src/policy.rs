//! Policy: which grade of repair a profile permits. One table, no scattered conditions.

use std::fmt;
use std::str::FromStr;

/// How far the engine may go.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Policy {
    /// Exact and lossless repairs only; the rest is observed.
    Conservative,
    /// Also closing containers after a complete value, and strips gated by model or provider.
    #[default]
    Adaptive,
    /// The same as adaptive for arguments; leaks may also be promoted to calls.
    Recover,
}

/// What a rule asks of the policy.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Grade {
    /// Exact and lossless on its own evidence.
    Exact,
    /// Leans on something beside the call: the model's habits, or that nothing was cut off.
    Adaptive,
}

/// Which grades each policy permits; the whole meaning of [`Policy`] for arguments.
pub const POLICIES: &[(Policy, &str, &[Grade])] = &[
    (Policy::Conservative, "conservative", &[Grade::Exact]),
    (Policy::Adaptive, "adaptive", &[Grade::Exact, Grade::Adaptive]),
    (Policy::Recover, "recover", &[Grade::Exact, Grade::Adaptive]),
];

impl Policy {
    /// True if a rule of this grade may fire.
    pub fn permits(self, grade: Grade) -> bool {
        POLICIES.iter().any(|(policy, _, grades)| *policy == self && grades.contains(&grade))
    }

    /// The name in settings and on the command line.
    pub fn name(self) -> &'static str {
        POLICIES.iter().find(|(policy, _, _)| *policy == self).map_or("adaptive", |row| row.1)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        POLICIES
            .iter()
            .find(|(_, name, _)| *name == text)
            .map(|(policy, _, _)| *policy)
            .ok_or(UnknownPolicy)
    }
}

/// The text names no policy.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UnknownPolicy;

impl fmt::Display for UnknownPolicy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("not a policy; use conservative, adaptive or recover")
    }
}

impl std::error::Error for UnknownPolicy {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_a_row_and_parses_back() {
        for policy in [Policy::Conservative, Policy::Adaptive, Policy::Recover] {
            assert_eq!(policy.name().parse(), Ok(policy));
            assert!(policy.permits(Grade::Exact));
        }
        assert!(!Policy::Conservative.permits(Grade::Adaptive));
        assert_eq!("bold".parse::<Policy>(), Err(UnknownPolicy));
    }

    #[test]
    fn a_text_that_is_no_policy_is_told_the_names() {
        assert_eq!(Policy::Recover.to_string(), "recover");
        let says = UnknownPolicy.to_string();
        for policy in [Policy::Conservative, Policy::Adaptive, Policy::Recover] {
            assert!(says.contains(policy.name()), "{says}");
        }
    }
}
