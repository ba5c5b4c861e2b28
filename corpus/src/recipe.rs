//! Recipes: short descriptions of inputs too long or too deep to be written out.

use serde_json::{Map, Value};

use crate::{error::CorpusError, held::Held};

/// Levels a recipe itself may nest; what it describes may be far deeper.
const NESTING_MAX: usize = 128;
/// Levels or repetitions a recipe may ask for.
const COUNT_MAX: usize = 2_000_000;
/// Bytes of text one recipe may make.
const TEXT_BYTES_MAX: usize = 64 << 20;

/// One kind of recipe: the only key of its object, an example of its use, and how it is built.
struct Recipe {
    key: &'static str,
    usage: &'static str,
    build: fn(&Value) -> Option<Value>,
}

const RECIPES: &[Recipe] = &[
    Recipe { key: "$repeat", usage: r#"{"$repeat": ["ab", 1000, "tail"]}"#, build: repeat },
    Recipe { key: "$depth", usage: r#"{"$depth": 1000}"#, build: depth },
    Recipe { key: "$text_depth", usage: r#"{"$text_depth": 1000}"#, build: text_depth },
    Recipe { key: "$twice_encoded", usage: r#"{"$twice_encoded": 1000}"#, build: twice_encoded },
    Recipe {
        key: "$leak_then_spaces",
        usage: r#"{"$leak_then_spaces": 1000}"#,
        build: leak_then_spaces,
    },
];

/// Writes a recipe out: objects whose only key starts with `$` become what they describe,
/// everything else is copied.
///
/// The result may be too deep to be dropped in the ordinary way; hand it to
/// [`dismantle`](crate::dismantle) or keep it in a [`Held`].
///
/// # Errors
///
/// A `$` key that is no recipe, arguments a recipe does not take, over 2,000,000 levels or
/// repetitions, over 64 MiB of text, or a recipe that is itself nested above 128 levels.
///
/// # Examples
///
/// ```
/// let recipe = serde_json::json!({"path": {"$repeat": ["[", 3, "x"]}});
/// assert_eq!(corpus::expand(&recipe)?, serde_json::json!({"path": "[[[x"}));
/// # Ok::<(), corpus::CorpusError>(())
/// ```
pub fn expand(recipe: &Value) -> Result<Value, CorpusError> {
    expand_at(recipe, 0).map(Held::into_inner)
}

/// Recursion is bounded by `NESTING_MAX`; parts are held, so that an error may drop them.
fn expand_at(recipe: &Value, level: usize) -> Result<Held, CorpusError> {
    if level > NESTING_MAX {
        let problem = format!("the recipe nests more than {NESTING_MAX} levels");
        return Err(CorpusError::new("recipe", problem, "describe deep values by `$depth`"));
    }
    match recipe {
        Value::Array(items) => {
            let held: Result<Vec<_>, _> =
                items.iter().map(|item| expand_at(item, level + 1)).collect();
            Ok(Value::Array(held?.into_iter().map(Held::into_inner).collect()).into())
        }
        Value::Object(fields) => match described(fields) {
            Some((key, wish)) => build(key, wish).map(Held::from),
            None => expand_fields(fields, level),
        },
        leaf => Ok(leaf.clone().into()),
    }
}

fn expand_fields(fields: &Map<String, Value>, level: usize) -> Result<Held, CorpusError> {
    let held: Result<Vec<_>, _> =
        fields.iter().map(|(key, field)| Ok((key.clone(), expand_at(field, level + 1)?))).collect();
    let fields = held?.into_iter().map(|(key, field)| (key, field.into_inner())).collect();
    Ok(Value::Object(fields).into())
}

/// The key and arguments of an object that is a recipe.
fn described(fields: &Map<String, Value>) -> Option<(&str, &Value)> {
    let (key, wish) = fields.iter().next()?;
    (fields.len() == 1 && key.starts_with('$')).then_some((key, wish))
}

fn build(key: &str, wish: &Value) -> Result<Value, CorpusError> {
    let Some(recipe) = RECIPES.iter().find(|recipe| recipe.key == key) else {
        let known: Vec<_> = RECIPES.iter().map(|recipe| recipe.key).collect();
        let problem = format!("`{key}` is no recipe");
        let remedy = format!("use one of {}, or give the input without a recipe", known.join(", "));
        return Err(CorpusError::new("recipe", problem, remedy));
    };
    (recipe.build)(wish).ok_or_else(|| {
        let problem = format!("`{key}` does not take these arguments, or asks for too much");
        CorpusError::new("recipe", problem, format!("write it like {}", recipe.usage))
    })
}

/// A count within bounds.
fn count(wish: &Value) -> Option<usize> {
    let count = usize::try_from(wish.as_u64()?).ok()?;
    (count <= COUNT_MAX).then_some(count)
}

/// `[s, n]` or `[s, n, tail]`: the text `s` n times, then `tail`.
fn repeat(wish: &Value) -> Option<Value> {
    let (unit, times, tail) = match wish.as_array()?.as_slice() {
        [unit, times] => (unit.as_str()?, count(times)?, ""),
        [unit, times, tail] => (unit.as_str()?, count(times)?, tail.as_str()?),
        _ => return None,
    };
    let bytes = unit.len().checked_mul(times)?;
    (bytes <= TEXT_BYTES_MAX).then(|| Value::String(unit.repeat(times) + tail))
}

/// The number 0 inside n arrays.
fn depth(wish: &Value) -> Option<Value> {
    let levels = count(wish)?;
    Some((0..levels).fold(Value::from(0), |inner, _| Value::Array(vec![inner])))
}

/// Argument text whose field `z` opens and closes n arrays.
fn text_depth(wish: &Value) -> Option<Value> {
    let levels = count(wish)?;
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    Some(Value::String(format!(r#"{{"path":"/x","z":{open}{close}}}"#)))
}

/// The JSON text of the JSON text of an object whose path holds n letters.
fn twice_encoded(wish: &Value) -> Option<Value> {
    let once = format!(r#"{{"path":"/{}"}}"#, "x".repeat(count(wish)?));
    Some(Value::String(Value::String(once).to_string()))
}

/// A complete printed call, n spaces, and a letter.
fn leak_then_spaces(wish: &Value) -> Option<Value> {
    let spaces = " ".repeat(count(wish)?);
    let call = r#"{"name":"read","arguments":{"path":"/x"}}"#;
    Some(Value::String(format!("<tool_call>{call}</tool_call>{spaces}x")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::dismantle;

    #[test]
    fn a_deep_value_is_built_and_dropped_without_recursion() {
        let recipe = json!({"a": 1, "z": {"$depth": 1_000_000}});
        let built = Held::from(expand(&recipe).unwrap());
        let mut levels = 0;
        let mut at = &built["z"];
        while let Some(inner) = at.get(0) {
            (levels, at) = (levels + 1, inner);
        }
        assert_eq!((levels, at), (1_000_000, &json!(0)));
        dismantle(built.into_inner());
    }

    #[test]
    fn every_row_builds_its_own_usage() {
        for recipe in RECIPES {
            let usage: Value = serde_json::from_str(recipe.usage).unwrap();
            let built = Held::from(expand(&usage).unwrap());
            assert!(built.is_string() || built.is_array(), "{}", recipe.key);
        }
    }

    #[test]
    fn twice_encoded_text_decodes_twice() {
        let built = expand(&json!({"$twice_encoded": 2})).unwrap();
        let once: String = serde_json::from_str(built.as_str().unwrap()).unwrap();
        assert_eq!(once, r#"{"path":"/xx"}"#);
    }

    #[test]
    fn faults_name_the_key_and_the_use_and_drop_deep_parts() {
        let wrong = json!([{"$depth": 200_000}, {"$repeat": "ab"}]);
        let error = expand(&wrong).unwrap_err().to_string();
        assert!(error.contains("`$repeat`") && error.contains("like {\"$repeat\""), "{error}");
        let error = expand(&json!({"$what": 1})).unwrap_err().to_string();
        assert!(error.contains("`$what` is no recipe") && error.contains("$text_depth"), "{error}");
        assert!(expand(&json!({"$depth": 3_000_000})).is_err());
        assert!(
            expand(&json!({"$repeat": ["0123456789abcdef0123456789abcdef", 2_000_001]})).is_err()
        );
    }

    #[test]
    fn data_with_a_dollar_among_other_keys_is_data() {
        let data = json!({"$schema": "x", "type": "object"});
        assert_eq!(expand(&data).unwrap(), data);
    }
}
