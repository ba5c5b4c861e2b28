//! A model of the host's own argument coercion: what pi would execute if nobody repaired the call.
//!
//! Three generations, one function each way: [`convert`] answers with the arguments the host would
//! run, or `None` where it rejects them. Every rule below was seen by calling the host's validator on
//! named releases; `corpus/data/host` holds the observations and the harness replays all of them.
//!
//! # What the generations do
//!
//! The work is a sequence of passes; the arguments are then checked against the schema.
//!
//! | pass | [`Pi080`] | [`Pi085`] | [`Pi15`] |
//! |---|---|---|---|
//! | drop `null` at an optional field that refuses it | no | `properties`, `items` | also pattern, additional and `prefixItems` members |
//! | generous conversion (wraps single values, `"3.7"` to 3, `null` to `"null"`) | `TypeBox` schemas | `TypeBox` schemas | every schema |
//! | coercion by type name (`null` to `""`, `"5"` to 5, never wraps) | all | all | all, with pattern members and `prefixItems` |
//! | a union keeps a value one branch accepts | only in the second pass | yes | yes |
//! | `type` list beside `items` or `properties` admits only that array or object | yes | no | no |
//!
//! Within a generation all measured releases gave identical answers. Releases 0.83.0 to 0.84.2 belong
//! to none: 0.83.0 lost the last row's restriction, 0.84.0 began to keep accepted union values, 0.84.2
//! began to drop nulls, 0.84.3 to prepare edits anew. [`HostProfile::from_version`] names no profile
//! for them.
//!
//! # Limits
//!
//! The model answers `None`, which reads as "rejected", where it does not know:
//!
//! - references (`$ref` and its dynamic kin) anywhere in the schema. The two older generations follow
//!   them in the check only; the newest also converts through them, so it may accept what this refuses;
//! - more than 128 levels of schema or arguments, work beyond a fixed number of steps, patterns this
//!   engine cannot compile;
//! - in the older generations: a declared property named like a built-in one of JavaScript objects
//!   (`toString`) that is absent, a `TypeBox` property name holding pattern characters, a `TypeBox`
//!   intersection of anything but objects and unions;
//! - in the oldest: a union branch that only the last row of the table refuses, where the host throws
//!   as often as it says no, and `null` within numeric bounds beside `"type": ["number", "null"]`, which
//!   the host compares as 0;
//! - in [`Pi085`]: a `TypeBox` enum with a `null` member, over which the host fails for every value.
//!
//! `TypeBox` schemas are recognised by shape: an `enum` with a `type` is the unmarked string enum that
//! extensions use, other escape hatches read as the builder they resemble. String lengths count
//! characters; the older generations count what a reader sees as one.
//!
//! [`Pi080`]: HostProfile::Pi080
//! [`Pi085`]: HostProfile::Pi085
//! [`Pi15`]: HostProfile::Pi15

mod coercion;
mod conversion;
mod edit_hook;
mod members;
mod nulls;
mod number;
mod primitive;
mod profile;
mod session;

use serde_json::Value;

pub use edit_hook::edit_hook;
pub use profile::{HostProfile, SchemaOrigin};

use session::{Session, Unmodelled};

/// What the host would execute for these arguments, or `None` where it rejects them.
///
/// `origin` matters to the two older generations only. Numbers that a pass produced are integers where
/// integral and exactly representable; compare numbers as JavaScript does, `5` and `5.0` being one.
/// Work is bounded by a fixed number of steps; see the module's limits for what it does not know.
///
/// # Examples
///
/// ```
/// use engine::host::{HostProfile, SchemaOrigin, convert};
/// use serde_json::json;
///
/// let read = json!({"type": "object", "required": ["path"],
///     "properties": {"path": {"type": "string"}, "limit": {"type": "number"}}});
/// let given = json!({"path": null, "limit": null});
/// let ran = |profile| convert(profile, SchemaOrigin::TypeBox, &read, &given);
///
/// assert_eq!(ran(HostProfile::Pi080), Some(json!({"path": "null", "limit": 0})));
/// assert_eq!(ran(HostProfile::Pi15), Some(json!({"path": "null"})));
/// ```
pub fn convert(
    profile: HostProfile,
    origin: SchemaOrigin,
    schema: &Value,
    args: &Value,
) -> Option<Value> {
    session::survey(schema, args).ok()?;
    let mut session = Session::new(profile, origin);
    run(&mut session, schema, args).ok()?
}

fn run(session: &mut Session, schema: &Value, args: &Value) -> Result<Option<Value>, Unmodelled> {
    let mut value = args.clone();
    if session.drops_optional_nulls() {
        value = nulls::drop_optional(session, schema, value)?;
    }
    if conversion::reaches(session, schema) {
        value = conversion::convert(session, schema, value)?;
    }
    let before = session.returns_unchecked_roots().then(|| value.clone());
    value = coercion::coerce(session, schema, value)?;
    let accepted = session.passes(schema, &value)? == Some(true);
    match before {
        // INVARIANT: coercion makes scalars of scalars alone, so only such a root differs here.
        Some(before) if before != value && !is_container(&before) => {
            Ok(Some(if accepted { value } else { before }))
        }
        _ => Ok(accepted.then_some(value)),
    }
}

fn is_container(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn older_hosts_let_a_root_scalar_through_unchecked() {
        let schema = json!({"type": "string", "minLength": 3});
        for (args, older) in [(json!(5), Some(json!(5))), (json!(500), Some(json!("500")))] {
            for profile in [HostProfile::Pi080, HostProfile::Pi085, HostProfile::Pi15] {
                let checked = profile == HostProfile::Pi15;
                let expected = older.clone().filter(|value| !checked || value.is_string());
                let converted = convert(profile, SchemaOrigin::Json, &schema, &args);
                assert_eq!(converted, expected, "{profile:?} {args}");
            }
        }
        let object = json!({"type": "object", "required": ["a"]});
        for profile in [HostProfile::Pi080, HostProfile::Pi085, HostProfile::Pi15] {
            assert_eq!(convert(profile, SchemaOrigin::Json, &object, &json!({"b": 1})), None);
        }
        // A list of types is left to the last pass, which the newest host checks as well.
        let listed = json!({"type": ["string", "boolean"], "minLength": 3});
        assert_eq!(convert(HostProfile::Pi15, SchemaOrigin::Json, &listed, &json!(5)), None);
    }
}
