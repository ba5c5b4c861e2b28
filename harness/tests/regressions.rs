//! Replays every stored failure of every area as a test of its own name.

use std::process::ExitCode;
use std::sync::Arc;

use corpus::{Answer, Input, Regression, StoredFile};
use engine::host::{HostProfile, SchemaOrigin, edit_hook};
use engine::{
    Context, Limits, Outcome, Policy, Refusal, StopReason, Tool, ToolConfig, ToolSpec, builtin,
    replay, same_value,
};
use harness::area::{AREAS, Lab, Wanted};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// The host that regressions are written for: the newest.
const HOST: HostProfile = HostProfile::Pi15;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let lab = Arc::new(Lab::new());
    let mut trials = Vec::new();
    for area in AREAS.iter().map(|row| row.area.name()) {
        match corpus::regression_files(area) {
            Ok(files) => trials.extend(files.into_iter().map(|file| trial(&lab, area, file))),
            Err(error) => trials.push(Trial::test(format!("{area}/can_be_read"), move || {
                Err(error.to_string().into())
            })),
        }
    }
    trials.push(Trial::test("leaks/every_peer_defect_is_stored", peer_defects_are_stored));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Every defect of the peer that is about leaks is a regression of that name, with the same input and
/// with what must come of it.
fn peer_defects_are_stored() -> Result<(), Failed> {
    let files = corpus::regression_files("leaks").map_err(|error| error.to_string())?;
    let defects = corpus::defects().map_err(|error| error.to_string())?;
    for defect in defects.iter().filter(|defect| defect.api == "grammar") {
        let id = &defect.id;
        let file = files.iter().find(|file| file.slug == *id).ok_or(format!("{id} is missing"))?;
        let file: toml::Table = file.text.parse()?;
        let same = match &defect.input {
            Value::String(input) => {
                let texts = file.get("texts").and_then(|texts| texts.as_array());
                texts.is_some_and(|texts| texts.len() == 1 && texts[0].as_str() == Some(input))
            }
            input => {
                let recipe = file.get("text_recipe").and_then(|recipe| recipe.as_str());
                let recipe: Option<Value> = recipe.and_then(|it| serde_json::from_str(it).ok());
                recipe.as_ref() == Some(input)
            }
        };
        let mode = file.get("mode").and_then(|mode| mode.as_str()) == defect.mode.as_deref();
        if !same || !mode || !file.contains_key("calls") {
            return Err(format!("{id} is stored with another input, or without calls").into());
        }
    }
    Ok(())
}

fn trial(lab: &Arc<Lab>, area: &'static str, file: StoredFile) -> Trial {
    let lab = Arc::clone(lab);
    Trial::test(format!("{area}/{}", file.slug), move || {
        if area == "arguments" {
            let stored =
                corpus::parse_regression(&file.slug, &file.text).map_err(|e| e.to_string())?;
            check(&stored)?;
            // What is too deep to be copied is beyond the campaign's cases; the check above has it.
            if stored.inputs.iter().any(is_too_deep) || stored.args.iter().any(|it| deep(it)) {
                return Ok(());
            }
        }
        holds(&lab, area, &file)
    })
}

/// The promises of the area hold for each case of a file, and its outcome is the one the file wants.
fn holds(lab: &Lab, area: &str, file: &StoredFile) -> Result<(), Failed> {
    let ready = lab.area(area).ok_or("the laboratory has every area")?;
    for trial in ready.stored(&file.slug, &file.text, Wanted { only: &[], show: true })? {
        let broken = trial.broken().map(|(name, says)| format!("{name}: {says}"));
        let wrong: Vec<String> = broken.chain(trial.miss.clone()).collect();
        if !wrong.is_empty() {
            return Err(format!("{}\n{:#?}", wrong.join("\n"), trial.shown).into());
        }
    }
    Ok(())
}

fn is_too_deep(input: &Input) -> bool {
    matches!(input, Input::Value(value) if deep(value))
}

fn deep(value: &Value) -> bool {
    engine::depth::is_deeper_than(value, 512)
}

fn check(stored: &Regression) -> Result<(), Failed> {
    let (tool, limits) = setup(stored)?;
    let policy: Policy = match &stored.policy {
        Some(name) => name.parse().map_err(|error| format!("{name}: {error}"))?,
        None => Policy::default(),
    };
    let context = Context {
        model: stored.model.as_deref(),
        provider: stored.provider.as_deref(),
        policy,
        stop_reason: stored.stop_reason.as_deref().map_or(StopReason::Stop, StopReason::from_name),
        limits,
    };
    for input in &stored.inputs {
        let seen = see(&tool, input, stored.owner_hook, &context);
        let again = see(&tool, input, stored.owner_hook, &context);
        if format!("{seen:?}") != format!("{again:?}") {
            return Err(format!("two runs differ:\n{seen:?}\n{again:?}").into());
        }
        judge(stored, &seen).map_err(|problem| format!("{problem}\n{}\n{seen:?}", stored.why))?;
        lasting(&tool, &seen, &context)?;
    }
    Ok(())
}

/// The tool, and the limits of its configuration.
fn setup(stored: &Regression) -> Result<(Tool, Limits), Failed> {
    let name = stored.tool.clone().unwrap_or_else(|| "tool".to_owned());
    let mut spec = match &stored.schema {
        Some(schema) => ToolSpec {
            name,
            schema: schema.clone(),
            host: Some(HOST),
            origin: SchemaOrigin::Json,
            ..ToolSpec::default()
        },
        None => builtin::spec(&name, Some(HOST))
            .map_err(|error| error.to_string())?
            .ok_or_else(|| format!("`{name}` is none of pi's tools; give a schema"))?,
    };
    let mut limits = Limits::default();
    if let Some(config) = &stored.config {
        let own = ToolConfig::from_json(config).map_err(|error| error.to_string())?;
        if stored.schema.is_some() || !own.preprocessors.is_empty() {
            spec.config = own;
        }
        for (name, count) in config.get("limits").and_then(Value::as_object).into_iter().flatten() {
            let count = count.as_u64().ok_or_else(|| format!("limit `{name}` is no count"))?;
            limits.set(name, count).map_err(|error| error.to_string())?;
        }
    }
    Ok((Tool::compile(spec).map_err(|error| error.to_string())?, limits))
}

/// An outcome without its reference, and whether that was the very input.
#[derive(Debug)]
struct Seen {
    answer: Answer,
    same_reference: bool,
    args: Option<Value>,
    replayed: Option<Value>,
    stages: Vec<&'static str>,
    refusal: Option<Refusal>,
    /// What a record may hold.
    recorded: String,
}

fn see(tool: &Tool, input: &Input, hook: bool, context: &Context<'_>) -> Seen {
    match input {
        Input::Text(text) => see_text(tool, text, hook, context),
        // A hook sees the value that strict text gives, so that its change is told.
        Input::Value(value) if hook => see_text(tool, &value.to_string(), hook, context),
        Input::Value(value) => {
            let read = || Some((**value).clone());
            seen(tool.repair(value, context), &**value, read)
        }
    }
}

fn see_text(tool: &Tool, text: &str, hook: bool, context: &Context<'_>) -> Seen {
    let host = |args: &Value| Ok(edit_hook(HOST, args));
    let read = || tool.read(text, context).ok().map(|read| read.value);
    seen(tool.repair_text(text, hook.then_some(&host), context), text, read)
}

fn seen<T: ?Sized>(outcome: Outcome<'_, T>, given: &T, read: impl Fn() -> Option<Value>) -> Seen {
    let mut seen = Seen {
        answer: Answer::Valid,
        same_reference: true,
        args: None,
        replayed: None,
        stages: Vec::new(),
        refusal: None,
        recorded: String::new(),
    };
    match outcome {
        Outcome::Valid(same) => seen.same_reference = std::ptr::eq(same, given),
        Outcome::Deferred(same) => {
            seen.answer = Answer::Deferred;
            seen.same_reference = std::ptr::eq(same, given);
        }
        Outcome::Repaired { args, changes, observations } => {
            let rules: Vec<_> = changes.iter().map(|change| (change.rule, change.stage)).collect();
            seen.recorded = format!("{rules:?} {observations:?}");
            seen.answer = Answer::Repaired;
            seen.stages = changes.iter().map(|change| change.stage.name()).collect();
            seen.replayed = read().and_then(|read| replay(read, &changes).ok());
            seen.args = Some(args);
        }
        Outcome::Unrepairable(refusal) => {
            seen.recorded = format!("{} {:016x}", refusal.reason.id(), refusal.fingerprint);
            seen.answer = Answer::Unrepairable;
            seen.refusal = Some(refusal);
        }
    }
    seen
}

/// Holds an outcome against every key of the file.
fn judge(stored: &Regression, seen: &Seen) -> Result<(), String> {
    if !stored.expect.is_empty() && !stored.expect.contains(&seen.answer) {
        return Err(format!("expected {:?}", stored.expect));
    }
    if !seen.same_reference {
        return Err("another reference than the input came back".to_owned());
    }
    if let Some(args) = &seen.args {
        let known = stored.args.iter().any(|right| same_value(right, args));
        if !known && !stored.args.is_empty() {
            return Err("the arguments are none of the right ones".to_owned());
        }
        if !seen.replayed.as_ref().is_some_and(|replayed| same_value(replayed, args)) {
            return Err(format!("the changes lead to {:?}", seen.replayed));
        }
        if stored.stage.as_deref().is_some_and(|stage| !seen.stages.contains(&stage)) {
            return Err(format!("no change names the stage {:?}", stored.stage));
        }
    }
    if let Some(refusal) = &seen.refusal {
        if stored.reason.as_deref().is_some_and(|reason| reason != refusal.reason.id()) {
            return Err(format!("the reason is not {:?}", stored.reason));
        }
        let message = refusal.message();
        if let Some(word) = stored.mentions.iter().find(|word| !message.contains(word.as_str())) {
            return Err(format!("the refusal does not mention `{word}`: {message}"));
        }
    }
    match stored.canaries.iter().find(|canary| seen.recorded.contains(canary.as_str())) {
        Some(canary) => Err(format!("a record would hold `{canary}`")),
        None => Ok(()),
    }
}

/// A repair repaired again is valid.
fn lasting(tool: &Tool, seen: &Seen, context: &Context<'_>) -> Result<(), Failed> {
    let Some(args) = &seen.args else { return Ok(()) };
    match tool.repair(args, context) {
        Outcome::Valid(_) => Ok(()),
        other => Err(format!("the repair, repaired again, is {}: {other:?}", other.name()).into()),
    }
}
