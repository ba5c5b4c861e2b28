//! Decodes HTML entities once, for providers that are known to escape whole texts.

use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "html-entities",
    rule: "preprocess.decode-entities",
    fires: "a provider that escapes HTML sent a text in which every special character is an entity",
    note: "Decoded HTML entities in `{field}`: send the characters themselves.",
    grade: Grade::Adaptive,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"command":{"type":"string"}}}"#,
        entry: r#"{"kind":"html-entities","selector":"/command","providers":["xai"]}"#,
        before: r#"{"command":"cd /w &amp;&amp; ls"}"#,
        after: r#"{"command":"cd /w && ls"}"#,
    },
    apply,
};

/// The entities that escaping produces, with what they stand for.
const ENTITIES: &[(&str, char)] = &[
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&#39;", '\''),
    ("&#x27;", '\''),
    ("&#34;", '"'),
];

fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let decoded = spot.text().and_then(decode);
    Ok(decoded.map_or_else(Vec::new, |text| spot.replace(text)))
}

/// One level decoded; `None` if a raw special character proves that the text was not escaped as a
/// whole, or if an entity would remain.
fn decode(text: &str) -> Option<String> {
    if !text.contains('&') || text.contains(['<', '>', '"']) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at_checked(at)?;
        let (name, character) = ENTITIES.iter().find(|(name, _)| entity.starts_with(name))?;
        out.push_str(before);
        out.push(*character);
        rest = entity.strip_prefix(name)?;
    }
    out.push_str(rest);
    let remains = ENTITIES.iter().any(|(name, _)| out.contains(name));
    (!remains).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn one_level_or_none() {
        assert_eq!(decode("a &amp;&amp; b &gt; c").as_deref(), Some("a && b > c"));
        assert_eq!(decode("a && b"), None);
        assert_eq!(decode("a &amp; b > c"), None);
        assert_eq!(decode("&amp;lt;"), None);
        assert_eq!(decode("plain"), None);
    }
}
