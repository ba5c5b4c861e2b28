//! Strips call-template tokens that stuck to a value's ends, on models that print them.

use serde_json::Value;

use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "grammar-tokens",
    rule: "preprocess.strip-tokens",
    fires: "a text begins or ends with a template token of the model's call grammar",
    note: "Took template tokens off `{field}`: send the bare value.",
    grade: Grade::Adaptive,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
        entry: r#"{"kind":"grammar-tokens","selector":"","modelFamilies":["glm"]}"#,
        before: r#"{"path":"<arg_value>/x</arg_value>"}"#,
        after: r#"{"path":"/x"}"#,
    },
    apply,
};

/// The token that opens a value in GLM's template.
const OPENER: &str = "<arg_value>";

/// Tokens that close a value in GLM's template, the one that ends the call with it.
const CLOSERS: &[&str] = &["</arg_value></tool_call>", "</arg_value>"];

/// At an object, every text among its members; at a text, the text. Below the top level only pairs
/// count: texts there are compared with each other, and half of a change would be none.
fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let deep =
        !spot.place.pointer().is_root() && spot.place.parent_pointer().split_last().is_some();
    let strip_here = |text| strip(text).filter(|_| !deep || is_pair(text));
    let operations = match spot.place.here {
        Some(Value::String(text)) => {
            strip_here(text).map_or_else(Vec::new, |text| spot.replace(text))
        }
        Some(Value::Object(members)) => members
            .iter()
            .filter_map(|(name, value)| {
                let value = strip_here(value.as_str()?)?.into();
                Some(Operation::Replace { path: spot.place.pointer().child(name), value })
            })
            .collect(),
        _ => Vec::new(),
    };
    Ok(operations)
}

/// The text without the tokens at its ends; `None` if there are none, or nothing else.
///
/// Takes off the tokens and nothing beside them: white space stays. Around several words only a
/// pair proves a leak. A text that holds more of them tells about the template, and stays whole.
pub(super) fn strip(text: &str) -> Option<&str> {
    if !text.starts_with('<') && !text.ends_with('>') {
        return None;
    }
    let tail = text.strip_prefix(OPENER).unwrap_or(text);
    let inner = CLOSERS.iter().find_map(|token| tail.strip_suffix(token)).unwrap_or(tail);
    let more = inner.contains(OPENER) || inner.contains("</arg_value>");
    let proven = is_pair(text) || !inner.contains(char::is_whitespace);
    (!inner.is_empty() && inner.len() < text.len() && !more && proven).then_some(inner)
}

/// True if tokens stand at both ends.
fn is_pair(text: &str) -> bool {
    text.starts_with(OPENER) && CLOSERS.iter().any(|token| text.ends_with(token))
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn nothing_but_the_tokens_goes() {
        assert_eq!(strip("<arg_value>  a\n</arg_value>"), Some("  a\n"));
        assert_eq!(strip("x</arg_value></tool_call>"), Some("x"));
        assert_eq!(strip("<arg_value>x"), Some("x"));
        assert_eq!(strip("<arg_value>a</arg_value>b</arg_value>"), None);
        assert_eq!(strip("\n"), None);
        assert_eq!(strip("<arg_value></arg_value>"), None);
        assert_eq!(strip("see <arg_value> here"), None);
        assert_eq!(strip("Values end with </arg_value>"), None);
        assert_eq!(strip("write <arg_value>x</arg_value>"), None);
        assert_eq!(strip("<tool_call>{}</tool_call>"), None);
        assert_eq!(strip("a</arg_value>\n"), None);
    }
}
