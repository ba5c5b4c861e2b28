//! Generators: tools, valid calls, JSON at large, broken texts and prose, all from one [`Source`].

pub mod anything;
pub mod builtins;
pub mod hostile;
pub mod prose;
pub mod schema;
pub mod shape;
pub mod values;
pub mod words;

use crate::json;
use crate::source::{Choose, Source};
use serde_json::Value;

/// How far generated data strays from the ordinary. Chances are counted in sixteenths.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bias {
    /// Property names such as `a/b`, `~1`, `007`, the empty name and `__proto__`.
    pub hostile_names: u32,
    /// Strings that look like JSON, markup, control sequences or rare scripts.
    pub hostile_words: u32,
    /// Undeclared members, where the schema allows them.
    pub extras: u32,
    /// Unions, references and untyped fields in schemas.
    pub unions: u32,
    /// Tools made up on the spot instead of pi's own.
    pub custom_tools: u32,
    /// Nesting below the root.
    pub depth_max: u32,
    /// Items in a list.
    pub items_max: u32,
    /// Characters in a long string.
    pub long_max: u32,
}

impl Bias {
    /// What a good model sends.
    pub const fn well_formed() -> Self {
        Self {
            hostile_names: 0,
            hostile_words: 2,
            extras: 0,
            unions: 4,
            custom_tools: 6,
            depth_max: 3,
            items_max: 3,
            long_max: 400,
        }
    }

    /// A preset, with some kinds of oddity switched off: rare combinations meet where others stay away.
    pub fn swarm(source: &mut dyn Source) -> Self {
        let presets = [Self::well_formed(), Self::near_miss(), Self::near_miss(), Self::hostile()];
        let mut bias = *source.pick(&presets);
        for knob in [
            &mut bias.hostile_names,
            &mut bias.hostile_words,
            &mut bias.extras,
            &mut bias.unions,
            &mut bias.custom_tools,
        ] {
            if source.chance(1, 6) {
                *knob = 0;
            }
        }
        bias
    }

    /// Ordinary calls with a few traps in them.
    pub const fn near_miss() -> Self {
        Self {
            hostile_names: 3,
            hostile_words: 5,
            extras: 2,
            unions: 6,
            custom_tools: 8,
            ..Self::well_formed()
        }
    }

    /// Traps everywhere, more nesting, longer strings.
    pub const fn hostile() -> Self {
        Self {
            hostile_names: 9,
            hostile_words: 11,
            extras: 6,
            unions: 9,
            custom_tools: 12,
            depth_max: 5,
            items_max: 6,
            long_max: 4_000,
        }
    }
}

/// Other names under which models send a field.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AliasSet {
    /// The field, as a selector such as `/path` or `/edits/*/oldText`.
    pub selector: String,
    /// The other names, in order of preference.
    pub names: Vec<String>,
}

/// Flat fields at the root that belong into the one item of a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fold {
    /// The list, as a selector such as `/edits`.
    pub array: String,
    /// The fields of its items.
    pub fields: Vec<String>,
}

/// What a generator needs to know of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Its registered name.
    pub name: String,
    /// Its JSON Schema.
    pub schema: Value,
    /// Configured aliases.
    pub aliases: Vec<AliasSet>,
    /// Selectors of fields that hold a file-system path.
    pub path_fields: Vec<String>,
    /// The field that a bare text as whole arguments stands for.
    pub root_field: Option<String>,
    /// The flat form of a list of edits.
    pub fold: Option<Fold>,
    /// Selectors of fields from which gated models' anchors are stripped.
    pub anchored: Vec<String>,
    /// Selectors of string fields from which gated models' grammar tokens are stripped.
    pub tokens: Vec<String>,
}

impl Subject {
    /// A tool without any configuration.
    pub fn bare(name: impl Into<String>, schema: Value) -> Self {
        Self {
            name: name.into(),
            schema,
            aliases: Vec::new(),
            path_fields: Vec::new(),
            root_field: None,
            fold: None,
            anchored: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// Whether `name` is an alias of some field of this tool, at any depth.
    pub fn is_alias(&self, name: &str) -> bool {
        self.aliases.iter().any(|set| set.names.iter().any(|alias| alias == name))
    }
}

/// One of `builtins`, or a tool made up on the spot; choice 0 is the first builtin.
pub fn subject(source: &mut dyn Source, builtins: &[Subject], bias: &Bias) -> Subject {
    if builtins.is_empty() || source.chance(bias.custom_tools, 16) {
        return custom(source, bias);
    }
    source.pick(builtins).clone()
}

const CUSTOM_NAMES: &[&str] = &[
    "collect",
    "list_issues",
    "runQuery",
    "todo-write",
    "search.entities",
    "set_status",
    "Deploy",
    "mcp__notes__add",
];

fn custom(source: &mut dyn Source, bias: &Bias) -> Subject {
    let name = *source.pick(CUSTOM_NAMES);
    let schema = schema::tool(source, bias);
    let mut subject = Subject::bare(name, schema);
    let fields = shape::text_fields(&subject.schema);
    if !fields.is_empty() && source.chance(1, 2) {
        configure(&mut subject, &fields, source);
    }
    subject
}

/// Gives a made-up tool an alias, a path field, gated strips and a root field, where its schema has room for them.
fn configure(subject: &mut Subject, fields: &[String], source: &mut dyn Source) {
    let selector = source.pick(fields).clone();
    let stem = json::split_selector(&selector).map_or(String::new(), |(_, key)| key);
    let names: Vec<String> = [format!("{stem}_name"), format!("the_{stem}"), format!("{stem}Text")]
        .into_iter()
        .filter(|name| !shape::declares(&subject.schema, name))
        .collect();
    subject.aliases.push(AliasSet { selector: selector.clone(), names });
    if source.chance(1, 2) {
        subject.path_fields.push(selector.clone());
        subject.anchored.push(selector.clone());
    }
    if source.chance(1, 2) {
        subject.tokens.push(selector);
    }
    if let Some(only) = shape::only_required_text(&subject.schema) {
        subject.root_field = Some(only);
    }
}
