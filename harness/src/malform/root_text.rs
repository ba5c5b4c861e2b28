//! The text of the only field as the whole arguments.

use super::{Call, Malformation, Stage};
use crate::generate::shape;
use crate::looks;
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "root-text",
    says: "the plain text of the only field stands for the whole arguments",
    stage: Stage::Envelope,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, _source: &mut dyn Source) -> bool {
    let Some(field) = call.subject.root_field.clone() else { return false };
    let only = shape::only_required_text(&call.subject.schema).is_some_and(|only| only == field);
    let touched = call.touched_below(std::slice::from_ref(&field));
    let Some(root) = call.root().filter(|root| only && !touched && root.len() == 1) else {
        return false;
    };
    let plain = |text: &&str| looks::plain(text) && looks::suits(&field, text);
    let Some(text) = root.get(&field).and_then(Value::as_str).filter(plain) else {
        return false;
    };
    let text = Value::from(text);
    call.replace(text)
}
