//! Limits by count. They bound repair, never the acceptance of valid input; depth alone bounds both.

use crate::ConfigError;

/// How much work a repair may take. Counts, never milliseconds: the same input gives the same
/// outcome on every machine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Bytes of a text that may be read for repair; the whole argument text, or a text inside it.
    pub input_bytes_max: u32,
    /// Levels of nested containers; deeper values are refused, valid or not.
    pub depth_max: u32,
    /// Texts inside the arguments that may be read as JSON.
    pub decodes_max: u32,
    /// Rounds of preprocess, check and repair.
    pub passes_max: u32,
    /// Changes that one repair may make.
    pub changes_max: u32,
    /// Steps over all passes: a value or a byte visited is a step.
    pub work_max: u64,
}

impl Limits {
    /// The defaults: 256 KiB, 128 levels, 256 texts, 12 passes, 256 changes, 64 million steps.
    pub const DEFAULT: Self = Self {
        input_bytes_max: 256 * 1024,
        depth_max: 128,
        decodes_max: 256,
        passes_max: 12,
        changes_max: 256,
        work_max: 64 << 20,
    };

    /// The most each limit may be set to; above this nothing was tested.
    pub const MOST: Self = Self {
        input_bytes_max: 64 << 20,
        depth_max: 256,
        decodes_max: 1 << 20,
        passes_max: 64,
        changes_max: 1 << 20,
        work_max: 1 << 40,
    };

    /// Checks the limits against [`Limits::MOST`].
    ///
    /// # Errors
    ///
    /// [`ConfigError::Limit`] names the first limit that lies above what was tested.
    pub fn check(&self) -> Result<(), ConfigError> {
        for (name, got, most) in
            self.rows().into_iter().zip(Self::MOST.rows()).map(|(a, b)| (a.0, a.1, b.1))
        {
            if got > most {
                return Err(ConfigError::Limit { name, got, most });
            }
        }
        Ok(())
    }

    /// Sets one limit by its name.
    ///
    /// # Errors
    ///
    /// [`ConfigError::UnknownLimit`] for a name that is none, [`ConfigError::Limit`] above the most.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ConfigError> {
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match name {
            "input_bytes_max" => self.input_bytes_max = small,
            "depth_max" => self.depth_max = small,
            "decodes_max" => self.decodes_max = small,
            "passes_max" => self.passes_max = small,
            "changes_max" => self.changes_max = small,
            "work_max" => self.work_max = value,
            _ => return Err(ConfigError::UnknownLimit { name: name.to_owned() }),
        }
        self.check()
    }

    /// Every limit by name.
    pub fn rows(&self) -> [(&'static str, u64); 6] {
        [
            ("input_bytes_max", self.input_bytes_max.into()),
            ("depth_max", self.depth_max.into()),
            ("decodes_max", self.decodes_max.into()),
            ("passes_max", self.passes_max.into()),
            ("changes_max", self.changes_max.into()),
            ("work_max", self.work_max),
        ]
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_above_the_tested_range_is_named() {
        let mut limits = Limits::default();
        assert_eq!(limits.check(), Ok(()));
        assert!(matches!(
            limits.set("depth_max", 257),
            Err(ConfigError::Limit { name: "depth_max", .. })
        ));
        assert!(matches!(limits.set("speed_max", 1), Err(ConfigError::UnknownLimit { .. })));
        assert_eq!(Limits::default().rows().len(), Limits::MOST.rows().len());
    }

    #[test]
    fn every_limit_can_be_set_to_the_most_and_no_further() {
        for (row, (name, most)) in Limits::MOST.rows().into_iter().enumerate() {
            let mut limits = Limits::default();
            assert_eq!(limits.set(name, most), Ok(()), "{name}");
            assert_eq!(limits.rows()[row], (name, most));
            let error = ConfigError::Limit { name, got: most + 1, most };
            assert_eq!(limits.set(name, most + 1), Err(error));
        }
    }
}
