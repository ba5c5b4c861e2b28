//! The simulator's side of the scripts that the extension's tests play in the real pi.
//!
//! `played list RELEASE` prints a line for each script, `{"name", "script", "provider"}`, or `{"name",
//! "why"}` for one that cannot be played in print mode. `played compare` reads lines `{"name", "pi",
//! "trace"}` and prints `{"name", "same", "why", "executed", "notes"}` for each.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::rc::Rc;

use corpus::{Area, Case, Release, Script, Trace};
use engine::lifecycle::NOTE_OPEN;
use harness::sim::chaos::{executed, plans};
use harness::sim::{self, Reference, compare, play_with};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

/// Scripts that print mode cannot play, and why.
const BEYOND: &[(&str, &str)] =
    &[("chaos-env-lone-surrogate", "no trace can carry what pi makes of half a surrogate pair")];

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::BufWriter::new(io::stdout().lock());
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["list", release] => {
            let providers = providers()?;
            for script in corpus::scripts()? {
                writeln!(out, "{}", listed(&script, release.parse()?, &providers))?;
            }
        }
        ["compare"] => {
            let scripts = corpus::scripts()?;
            let providers = providers()?;
            for line in io::stdin().lock().lines() {
                writeln!(
                    out,
                    "{}",
                    compared(&serde_json::from_str(&line?)?, &scripts, &providers)?
                )?;
            }
        }
        _ => return Err("played list RELEASE | played compare".into()),
    }
    Ok(out.flush()?)
}

/// The provider that each script of stored failures is about, where it is about one.
fn providers() -> Result<BTreeMap<String, String>, Failure> {
    let mut cases: Vec<Case> = Vec::new();
    for area in [Area::Arguments, Area::ToolNames, Area::Leaks] {
        cases.extend(corpus::cases(area)?);
    }
    let named = plans(&cases)?.into_iter();
    Ok(named.filter_map(|plan| Some((plan.script.name, plan.provider?))).collect())
}

fn listed(script: &Script, release: Release, providers: &BTreeMap<String, String>) -> Value {
    let beyond = BEYOND.iter().find(|(name, _)| *name == script.name).map(|(_, why)| *why);
    let asks = !script.actions.iter().any(|action| json!(action)["do"] == "prompt");
    let asks = asks.then_some("it only asks, and nothing is run");
    let played = sim::play(script, release);
    let ends =
        played.as_ref().is_ok_and(|trace| trace.failures.iter().any(|it| it.action == "prompt"));
    let ends = ends.then_some("print mode ends at a prompt that fails");
    let why = beyond.or(asks).or(ends).map(str::to_owned);
    if let Some(why) = why.or_else(|| played.err().map(|error| error.to_string())) {
        return json!({"name": script.name, "why": why});
    }
    let provider = providers.get(&script.name).map_or("scripted", String::as_str);
    json!({"name": script.name, "script": script, "provider": provider})
}

fn compared(
    given: &Value,
    scripts: &[Script],
    providers: &BTreeMap<String, String>,
) -> Result<Value, Failure> {
    let name = given["name"].as_str().unwrap_or_default();
    let Some(trace) = given.get("trace") else {
        return Ok(json!({"name": name, "same": false, "why": given["error"]}));
    };
    let release: Release = given["pi"].as_str().unwrap_or_default().parse()?;
    let script = scripts.iter().find(|script| script.name == name).ok_or("no such script")?;
    let engine = Reference::new(script, release)?;
    let engine = engine.with_provider(providers.get(name).map(String::as_str));
    let played = kept(play_with(script, release, Some(Rc::new(engine)))?);
    let real = kept(serde_json::from_value(renamed(trace))?);
    let parted = compare(&played, &real);
    Ok(json!({
        "name": name,
        "same": parted.is_none(),
        "why": parted.map(|difference| difference.to_string()),
        "executed": executed(&real).iter().map(Vec::len).sum::<usize>(),
        "notes": json!(real.transcript).to_string().matches(NOTE_OPEN).count(),
    }))
}

/// The trace without what print mode does otherwise than a session in memory: the kinds of entries.
fn kept(mut trace: Trace) -> Trace {
    trace.entries.clear();
    trace
}

/// The trace with ids of promoted calls as the simulator numbers them; those of pi-repair are random.
fn renamed(trace: &Value) -> Value {
    let text = trace.to_string();
    let mut ids: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices("\"call_") {
        let id = text[at + 1..].split('"').next().unwrap_or_default();
        if id.len() > 20 && !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut said = text.clone();
    for (at, id) in ids.iter().enumerate() {
        said = said.replace(&format!("\"{id}\""), &format!("\"leak-{}\"", at + 1));
    }
    serde_json::from_str(&said).unwrap_or_default()
}
