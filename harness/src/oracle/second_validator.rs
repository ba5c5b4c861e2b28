//! A second opinion on validity, by a validator that the engine does not use.

use std::fmt;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// A schema compiled by the `boon` validator.
pub struct SecondValidator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl SecondValidator {
    /// Compiles `schema`.
    ///
    /// # Errors
    ///
    /// What the validator says of a schema it cannot compile.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        let mut compiler = Compiler::new();
        let mut schemas = Schemas::new();
        compiler.add_resource("mem:///tool", schema.clone()).map_err(|error| error.to_string())?;
        let index =
            compiler.compile("mem:///tool", &mut schemas).map_err(|error| error.to_string())?;
        Ok(Self { schemas, index })
    }

    /// True if `value` passes.
    pub fn accepts(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    /// The complaint about `value`, on one line; `None` if it passes.
    pub fn complaint(&self, value: &Value) -> Option<String> {
        let error = self.schemas.validate(value, self.index).err()?;
        Some(format!("{error}").replace('\n', " "))
    }
}

impl fmt::Debug for SecondValidator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecondValidator").finish_non_exhaustive()
    }
}
