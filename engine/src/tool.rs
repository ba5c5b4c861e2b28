//! A tool compiled for repair, and the entry points that repair its arguments.

use serde_json::Value;

use crate::acceptor::{Acceptor, Sight};
use crate::builtin;
use crate::config::ToolSpec;
use crate::depth::{dismantle, is_deeper_than};
use crate::diff::diff;
use crate::host::{HostProfile, SchemaOrigin};
use crate::outcome::Verdict;
use crate::pipeline::{self, Given};
use crate::plain::{self, Holds};
use crate::preprocess::{self, Preprocessor};
use crate::reader::{ReadErrorKind, ReadOptions};
use crate::refusal::{refuse_text, refuse_value};
use crate::schema::{Node, Schema};
use crate::selector::{Selector, Step};
use crate::tables::Tables;
use crate::{
    Change, ConfigError, Context, Gate, Observation, ObservationKind, Outcome, Pointer, Reason,
    Refusal, Stage,
};

/// A tool compiled for repair. Compile once, use for every call; it holds no state.
#[derive(Debug)]
pub struct Tool {
    name: String,
    schema: Schema,
    preprocessors: Vec<Preprocessor>,
    /// Tells plainly valid arguments at first sight, where the schema is plain enough.
    acceptor: Option<Acceptor>,
    root_field: Option<String>,
    unknown_kinds: usize,
    host: Option<HostProfile>,
    origin: SchemaOrigin,
    tables: Tables,
}

/// A host's own argument hook. It gets the recovered arguments and returns what it makes of them,
/// or an error; it is never given anything deeper than the limit.
pub type OwnerHook<'h> = &'h dyn Fn(&Value) -> Result<Value, String>;

/// Raw argument text, read.
#[derive(Debug)]
pub struct ReadArguments {
    /// What the text says. A text that holds no JSON at all is itself the value.
    pub value: Value,
    /// One change without operations for every liberty that was taken.
    pub changes: Vec<Change>,
    /// True if the text is strict JSON.
    pub strict: bool,
    /// True if some number of it cannot be kept exactly; it must then not be repaired.
    pub inexact: bool,
    /// Steps the reader took.
    pub steps: u64,
}

impl Tool {
    /// Compiles a tool.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Schema`] names the place where the schema cannot be compiled, a remote
    /// reference among them: nothing is ever fetched.
    ///
    /// # Examples
    ///
    /// ```
    /// use engine::{Context, Outcome, Tool, ToolSpec};
    /// use serde_json::json;
    ///
    /// let tool = Tool::compile(ToolSpec {
    ///     name: "read".to_owned(),
    ///     schema: json!({
    ///         "type": "object",
    ///         "required": ["path"],
    ///         "properties": {"path": {"type": "string"}, "limit": {"type": "number"}}
    ///     }),
    ///     ..ToolSpec::default()
    /// })?;
    /// let args = json!({"path": "/x", "limit": null});
    /// let Outcome::Repaired { args, changes, .. } = tool.repair(&args, &Context::default()) else {
    ///     panic!("null at an optional field is dropped")
    /// };
    /// assert_eq!(args, json!({"path": "/x"}));
    /// assert_eq!(changes[0].rule, "schema.drop-null");
    /// # Ok::<(), engine::ConfigError>(())
    /// ```
    pub fn compile(spec: ToolSpec) -> Result<Self, ConfigError> {
        Self::compile_with(spec, Tables::default())
    }

    /// Compiles a tool on altered tables, to plant a bug.
    ///
    /// # Errors
    ///
    /// As [`Tool::compile`].
    #[doc(hidden)]
    pub fn compile_with(spec: ToolSpec, tables: Tables) -> Result<Self, ConfigError> {
        let schema = Schema::compile(spec.schema)?;
        let mut preprocessors = spec.config.preprocessors;
        let residue = preprocess::KINDS.iter().find(|kind| kind.name == "key-residue");
        if let Some(kind) = residue {
            preprocessors.insert(0, everywhere(kind)?);
        }
        for entry in &mut preprocessors {
            let parent = parent_of(&schema, &entry.selector);
            entry.aliases.retain(|alias| !parent.properties().any(|name| name == alias));
        }
        let early = tables.accept_early;
        let compiled = || Acceptor::compile(schema.document(), &preprocessors);
        let acceptor = early.then(compiled).flatten();
        let root_field = spec.config.root_field.or_else(|| single_text_field(&schema.root()));
        let unknown_kinds = spec.config.unknown_kinds.len();
        Ok(Self {
            name: spec.name,
            schema,
            preprocessors,
            acceptor,
            root_field,
            unknown_kinds,
            host: spec.host,
            origin: spec.origin,
            tables,
        })
    }

    /// Compiles pi's own tool `name`; `None` if pi has no such tool.
    pub fn builtin(name: &str, host: Option<HostProfile>) -> Option<Self> {
        let spec = builtin::spec(name, host).ok().flatten()?;
        Self::compile(spec).ok()
    }

    /// The name the tool was compiled with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema document the tool was compiled with.
    pub fn schema_document(&self) -> &Value {
        self.schema.document()
    }

    /// The host whose conversion runs after us.
    pub fn host(&self) -> Option<HostProfile> {
        self.host
    }

    /// How the schema came to be.
    pub fn origin(&self) -> SchemaOrigin {
        self.origin
    }

    /// The field that takes a bare root text, if there is one.
    pub fn root_field(&self) -> Option<&str> {
        self.root_field.as_deref()
    }

    /// The configured preprocessors, in run order.
    pub fn preprocessors(&self) -> &[Preprocessor] {
        &self.preprocessors
    }

    /// True if `args` pass the schema strictly, without any conversion.
    pub fn accepts(&self, args: &Value) -> bool {
        self.schema.validator().is_valid(args)
    }

    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// True if a text that cannot be read as JSON may still be the value of the root field.
    pub(crate) fn takes_bare(&self, text: &str) -> bool {
        let holds = self.root_field().map(Holds::of);
        holds.is_some_and(|holds| plain::is_plain_text(text, holds))
    }

    /// Reads a text as a list; `None` if it is none, or only after leaving something out.
    pub(crate) fn read_list(&self, text: &str) -> Option<Value> {
        let reading = (self.tables.read)(text, &ReadOptions::default()).ok()?;
        let whole = reading.inexact.is_none()
            && !reading.liberties.iter().any(|used| used.liberty.truncation);
        (whole && reading.value.is_array()).then_some(reading.value)
    }

    /// Brings `args` into the shape the schema declares, or leaves them alone.
    ///
    /// Valid arguments cost one look for configured places, one validation and no allocation, and
    /// come back by reference. Otherwise rules run at the places the schema rejects until nothing
    /// is rejected, nothing fires, or a limit is reached.
    pub fn repair<'a>(&self, args: &'a Value, context: &Context<'_>) -> Outcome<'a> {
        if self.passes_early(args, context) {
            return Outcome::Valid(args);
        }
        self.judge(args, Given::value(), context).about(args)
    }

    /// True if a first look tells that `args` pass; for tests, which need to know.
    #[doc(hidden)]
    pub fn passes_early(&self, args: &Value, context: &Context<'_>) -> bool {
        let see = |acceptor: &Acceptor| acceptor.see_value(args, context, self.tables.admits);
        match self.acceptor.as_ref().map_or(Sight::Unsure, see) {
            Sight::Valid => true,
            Sight::Plain => (self.tables.accepts)(self.schema.validator(), args),
            Sight::Unsure => false,
        }
    }

    /// As [`Tool::passes_early`], of raw text.
    #[doc(hidden)]
    pub fn text_passes_early(&self, text: &str, context: &Context<'_>) -> bool {
        let see = |acceptor: &Acceptor| acceptor.see_text(text, context, self.tables.admits);
        match self.acceptor.as_ref().map_or(Sight::Unsure, see) {
            Sight::Valid => true,
            // INVARIANT: the text is strict and shallow, so this reads it as our own reader does.
            Sight::Plain => serde_json::from_str(text)
                .is_ok_and(|args| (self.tables.accepts)(self.schema.validator(), &args)),
            Sight::Unsure => false,
        }
    }

    /// True if arguments certainly pass as they stand, whatever their longest texts say.
    ///
    /// `outline` is the arguments as JSON, in which any text may be spelled `"\u0000"` instead of
    /// what it says, or `"\u000065536"` if it has 65536 UTF-16 units. A text that itself begins so
    /// has to be spelled `"\u0000"`. False means only that the whole is to be looked at.
    pub fn passes_in_outline(&self, outline: &str, context: &Context<'_>) -> bool {
        let see = |acceptor: &Acceptor| acceptor.see_outline(outline, context, self.tables.admits);
        // INVARIANT: to the acceptor a `\u` may stand for any character, so that a text with one
        // passes only where every text does.
        self.acceptor.as_ref().map_or(Sight::Unsure, see) == Sight::Valid
    }

    /// Runs the host's own hook on `args`, then repairs what it made of them.
    ///
    /// A hook whose result equals what it was given changed nothing, and `args` come back by
    /// reference if they are valid; any other result is one change at the stage `owner-hook`.
    pub fn repair_hooked<'a>(
        &self,
        args: &'a Value,
        hook: OwnerHook<'_>,
        context: &Context<'_>,
    ) -> Outcome<'a> {
        let mut given = Given::value();
        match run_hook(hook, args, &mut given, context) {
            Ok(None) => self.judge(args, given, context).about(args),
            Ok(Some(value)) => self.judge(&value, given, context).about(args),
            Err(reason) => {
                let values = (args, args);
                Outcome::Unrepairable(refuse_value(&self.name, &self.schema, values, reason))
            }
        }
    }

    /// Reads raw argument text, so that a host's own hook can run before [`Tool::repair`].
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if the text looks like JSON and cannot be read, or the policy or a limit
    /// forbids what reading it takes. A text without any JSON is no error: it is the value.
    pub fn read(&self, text: &str, context: &Context<'_>) -> Result<ReadArguments, Box<Refusal>> {
        let refuse = |reason| Box::new(refuse_text(&self.name, &self.schema, text, reason));
        let options = ReadOptions { depth_max: context.limits.depth_max, nested: false };
        let reading = match (self.tables.read)(text, &options) {
            Ok(reading) => reading,
            Err(error) => {
                let nothing = matches!(error.kind, ReadErrorKind::NotJson | ReadErrorKind::Empty);
                if !nothing && !self.takes_bare(text) {
                    return Err(refuse(Reason::from_read(error.kind)));
                }
                return Ok(ReadArguments {
                    value: Value::from(text),
                    changes: Vec::new(),
                    strict: false,
                    inexact: false,
                    steps: error.steps,
                });
            }
        };
        let strict = reading.liberties.is_empty();
        if !strict && text.len() > context.limits.input_bytes_max as usize {
            return Err(refuse(Reason::OverLimit("input_bytes_max")));
        }
        if let Some(reason) = pipeline::forbidden(&reading.liberties, self, context) {
            return Err(refuse(reason));
        }
        let changes =
            reading.liberties.iter().map(|used| pipeline::liberty_change(used, &Pointer::root()));
        Ok(ReadArguments {
            changes: changes.collect(),
            value: reading.value,
            strict,
            inexact: reading.inexact.is_some(),
            steps: reading.steps,
        })
    }

    /// Reads raw argument text and repairs what it says, running the host's own hook in between.
    ///
    /// A text that is strict JSON and valid comes back as the very same slice. A hook that fails
    /// is observed and passed over; one whose result equals what it was given changed nothing.
    pub fn repair_text<'a>(
        &self,
        text: &'a str,
        hook: Option<OwnerHook<'_>>,
        context: &Context<'_>,
    ) -> Outcome<'a, str> {
        if hook.is_none() && self.text_passes_early(text, context) {
            return Outcome::Valid(text);
        }
        let read = match self.read(text, context) {
            Ok(read) => read,
            Err(refusal) => return Outcome::Unrepairable(*refusal),
        };
        let bytes_over = text.len() > context.limits.input_bytes_max as usize;
        let mut given = Given {
            changes: read.changes,
            observations: Vec::new(),
            untouched: read.strict,
            blocked: read.inexact.then_some(Reason::InexactNumber),
            work: read.steps,
        };
        if given.blocked.is_none() && bytes_over {
            given.blocked = Some(Reason::OverLimit("input_bytes_max"));
        }
        let mut value = read.value;
        if let Some(hook) = hook {
            value = match run_hook(hook, &value, &mut given, context) {
                Ok(changed) => changed.unwrap_or(value),
                Err(reason) => {
                    return Outcome::Unrepairable(refuse_text(
                        &self.name,
                        &self.schema,
                        text,
                        reason,
                    ));
                }
            };
        }
        self.judge(&value, given, context).about(text)
    }

    /// Judges a value that may come with changes already made to it.
    fn judge(&self, value: &Value, mut given: Given, context: &Context<'_>) -> Verdict {
        if is_deeper_than(value, context.limits.depth_max as usize) {
            let reason = Reason::TooDeep(context.limits.depth_max);
            return Verdict::Unrepairable(refuse_value(
                &self.name,
                &self.schema,
                (value, value),
                reason,
            ));
        }
        if self.unknown_kinds > 0 {
            let kind = ObservationKind::UnknownKind;
            given.observations.push(Observation {
                rule: "preprocess",
                stage: Stage::Preprocess,
                kind,
            });
        }
        match pipeline::run(self, value, given, context) {
            Ok(verdict) => verdict,
            Err(given_up) => {
                let reached = given_up.reached.as_ref().unwrap_or(value);
                let (schema, reason) = (&self.schema, given_up.reason);
                Verdict::Unrepairable(refuse_value(&self.name, schema, (value, reached), reason))
            }
        }
    }
}

/// Runs the owner's hook on `value`; its result, one change, if it differs.
fn run_hook(
    hook: OwnerHook<'_>,
    value: &Value,
    given: &mut Given,
    context: &Context<'_>,
) -> Result<Option<Value>, Reason> {
    let depth_max = context.limits.depth_max as usize;
    if is_deeper_than(value, depth_max) {
        return Ok(None);
    }
    let Ok(result) = hook(value) else {
        let kind = ObservationKind::HookFailed;
        given.observations.push(Observation { rule: "owner-hook", stage: Stage::OwnerHook, kind });
        return Ok(None);
    };
    if is_deeper_than(&result, depth_max) {
        dismantle(result);
        return Err(Reason::TooDeep(context.limits.depth_max));
    }
    let operations = diff(value, &result);
    if operations.is_empty() {
        return Ok(None);
    }
    given.untouched = false;
    given.changes.push(Change {
        rule: "owner-hook",
        stage: Stage::OwnerHook,
        pointer: Pointer::root(),
        operations,
        note: "The host changed the arguments into the form it executes.".to_owned(),
    });
    Ok(Some(result))
}

/// The preprocessor that takes template tokens off the top-level keys of any tool.
fn everywhere(kind: &'static preprocess::Kind) -> Result<Preprocessor, ConfigError> {
    Ok(Preprocessor {
        kind,
        selector: Selector::parse("")?,
        gate: Gate::default(),
        aliases: Vec::new(),
        accepts: Vec::new(),
        empty_is_missing: false,
        alone: false,
        fields: Vec::new(),
    })
}

/// What the schema says of the object a selector's last member belongs to.
fn parent_of<'s>(schema: &'s Schema, selector: &Selector) -> Node<'s> {
    let steps = selector.steps();
    let above = steps.len().saturating_sub(1);
    steps.iter().take(above).fold(schema.root(), |node, step| match step {
        Step::Member(name) => node.property(name),
        Step::Items => node.item(0),
    })
}

/// The only required field, if it is a text.
fn single_text_field(root: &Node<'_>) -> Option<String> {
    let mut required = root.required();
    let field = required.next()?;
    let text = root.property(field).types().describe() == "string";
    (required.next().is_none() && text && root.property(field).choices().is_empty())
        .then(|| field.to_owned())
}

#[cfg(test)]
mod tests;
