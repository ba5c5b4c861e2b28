//! Tools for the generators: pi's own as the engine is configured for them, and the configuration of made-up ones.

use engine::ToolSpec;
use engine::builtin;
use engine::preprocess::Preprocessor;
use serde_json::{Value, json};

use crate::generate::{AliasSet, Fold, Subject, shape};
use crate::json::split_selector;

/// Model families whose habit is to put anchors around values.
const ANCHOR_FAMILIES: &[&str] = &["kimi-k2", "minimax", "glm"];

/// Every tool of pi that the engine has a configuration for, in the engine's order.
///
/// # Panics
///
/// If the engine's own configuration cannot be read.
pub fn builtins() -> Vec<Subject> {
    builtin::TOOLS
        .iter()
        .map(|name| {
            let spec = builtin::spec(name, None).expect("the engine reads its own data");
            from_spec(&spec.expect("every listed tool has data"))
        })
        .collect()
}

/// What the generators need to know of a compiled tool's specification.
pub fn from_spec(spec: &ToolSpec) -> Subject {
    let mut subject = Subject::bare(spec.name.clone(), spec.schema.clone());
    subject.root_field =
        spec.config.root_field.clone().or_else(|| shape::only_required_text(&spec.schema));
    for entry in &spec.config.preprocessors {
        add(&mut subject, entry);
    }
    subject
}

fn add(subject: &mut Subject, entry: &Preprocessor) {
    let selector = entry.selector.as_str().to_owned();
    match entry.kind.name {
        "alias" => subject.aliases.push(AliasSet { selector, names: entry.aliases.clone() }),
        "filesystem-path" => subject.path_fields.push(selector),
        "anchor-bleed" => subject.anchored.push(selector),
        "grammar-tokens" => {
            let fields = shape::text_fields(&subject.schema).into_iter();
            let below = |field: &String| {
                split_selector(field).is_some_and(|(parent, _)| parent == selector)
            };
            subject.tokens.extend(fields.filter(|field| below(field) || *field == selector));
        }
        "fold" => {
            let fields = entry.fields.iter().map(|(field, _)| field.clone()).collect();
            subject.fold = Some(Fold { array: selector, fields });
        }
        _ => {}
    }
}

/// The engine's configuration for a made-up tool, as JSON.
pub fn configuration(subject: &Subject) -> Value {
    let mut entries = Vec::new();
    for selector in &subject.tokens {
        entries.push(
            json!({"kind": "grammar-tokens", "selector": selector, "modelFamilies": ["glm"]}),
        );
        // At the root the engine takes tokens off keys without being told to.
        if let Some((parent, _)) = split_selector(selector).filter(|(parent, _)| !parent.is_empty())
        {
            entries.push(json!({"kind": "key-residue", "selector": parent}));
        }
    }
    for set in &subject.aliases {
        entries.push(json!({
            "kind": "alias", "selector": set.selector, "aliases": set.names, "accepts": "string",
        }));
    }
    for selector in &subject.path_fields {
        entries.push(json!({"kind": "filesystem-path", "selector": selector}));
    }
    for selector in &subject.anchored {
        entries.push(json!({
            "kind": "anchor-bleed", "selector": selector, "modelFamilies": ANCHOR_FAMILIES,
        }));
    }
    json!({"rootField": subject.root_field, "preprocessors": entries})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generators_know_what_the_engine_is_configured_for() {
        let subjects = builtins();
        assert_eq!(subjects.len(), builtin::TOOLS.len());
        let edit = subjects.iter().find(|subject| subject.name == "edit").expect("edit");
        assert!(edit.fold.is_some() && edit.aliases.len() == 4);
        assert_eq!(edit.tokens, ["/path", "/edits/*/oldText", "/edits/*/newText"]);
        let bash = subjects.iter().find(|subject| subject.name == "bash").expect("bash");
        assert_eq!(bash.root_field.as_deref(), Some("command"));
    }

    #[test]
    fn a_made_up_tool_is_configured_as_it_says() {
        let mut subject = Subject::bare("collect", json!({"type": "object"}));
        subject.path_fields.push("/where".to_owned());
        let config = engine::ToolConfig::from_json(&configuration(&subject)).expect("reads");
        assert_eq!(config.preprocessors.len(), 1);
    }
}
