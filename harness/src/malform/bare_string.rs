//! A bare text where a list of texts is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::looks;
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "bare-string",
    says: "the only text of a list stands there without the list",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

/// Fields whose text, if it has blanks or signs of a shell, is rather a command line than one item.
const COMMANDS: &[&str] = &["command", "cmd", "argv", "args"];

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let schema = &call.subject.schema;
    let chosen = call.choose(source, |site, value| {
        let only =
            value.as_array().filter(|items| items.len() == 1).and_then(|items| items[0].as_str());
        let command = site
            .place
            .last()
            .is_some_and(|key| COMMANDS.contains(&key.to_ascii_lowercase().as_str()));
        !site.item
            && site.item_kind(schema) == Some(Kind::Text)
            && only.is_some_and(|text| {
                looks::single_item(text)
                    && !(command && text.contains([' ', '&', '<', '>', '$', '`']))
            })
    });
    let Some((place, Value::Array(mut items))) = chosen else { return false };
    items.pop().is_some_and(|item| call.put(place, item))
}
