//! Engines behind a process: ours holds, planted bugs are found through it, and no misbehaviour stops the harness.

use std::io::{self, BufRead as _, Write as _};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use harness::area::{self, Lab};
use harness::campaign::{self, Report, Settings, Silent};
use harness::conform::scorecard::Scorecard;
use harness::conform::serve::{Server, greeting};
use harness::conform::{self, Remote, needs};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// Planted bugs of the kinds that repair layers have shipped, each with the promise that finds it.
const CLASSIC: &[(&str, &str)] = &[
    ("wrap-before-read", "lossless_damage_is_undone"),
    ("last-duplicate-wins", "strict_text_is_read_strictly"),
    ("complete-cut-strings", "cut_text_yields_no_cut_leaf"),
    ("null-becomes-text", "every_leaf_comes_from_input"),
    ("drop-what-does-not-fit", "dropped_leaves_stand_in_changes"),
];

/// Planted bugs about errors and notes, each with the promise that finds it.
const ADVICE: &[(&str, &str)] = &[
    ("overflow-before-throttle", "class_survives_its_wrapping"),
    ("digits-are-a-status", "digits_in_payload_mean_nothing"),
    ("quote-without-redaction", "no_secret_survives"),
    ("never-stale", "stale_failures_are_silent"),
    ("abort-keeps-talking", "an_abort_is_silence"),
    ("remember-what-was-quoted", "asking_persists_nothing"),
    ("panic-inside-a-character", "no_note_panics"),
];

/// Engines that only advise, each with the one feature that it claims.
const ADVISERS: &[(&str, &str)] = &[("texts", "notes"), ("sessions", "sessions")];
/// The same for bugs about leaks.
const LEAKY: &[(&str, &str)] = &[
    ("no-markdown", "code_is_never_touched"),
    ("promote-after-any-stop", "closed_gates_hold_calls_back"),
    ("reasons-with-values", "observed_leaks_hold_no_values"),
    ("run-damaged-blocks", "damaged_blocks_never_run"),
    ("seam-tidies-up", "outside_text_is_untouched"),
    ("recover-in-any-mode", "stricter_modes_do_less"),
];

/// The same for bugs that texts and calls alone give away.
const SEEN: &[(&str, &str)] = &[
    ("accept-anything", "promoted_arguments_pass_second_validator"),
    ("no-markdown", "code_is_never_touched"),
    ("mentions-are-leaks", "mentions_stay"),
    ("repeat-calls", "calls_run_once"),
    ("run-damaged-blocks", "damaged_blocks_never_run"),
    ("seam-tidies-up", "outside_text_is_untouched"),
    ("values-in-capitals", "calls_are_those_that_were_printed"),
    ("forget-a-family", "known_blocks_are_removed_whole"),
    ("promote-with-text-behind", "closed_gates_hold_calls_back"),
    ("ignore-lone-closers", "lone_closers_go_and_hold_calls_back"),
    ("promote-from-code", "disputed_blocks_never_run"),
    ("run-refused-calls", "blocks_run_whole_or_not_at_all"),
];

/// How the engine of this test misbehaves, and how the harness counts it.
const MISBEHAVIOUR: &[(&str, &str)] = &[
    ("hang", "hung"),
    ("die", "died"),
    ("flood", "flooded"),
    ("nonsense", "nonsense"),
    ("other-id", "nonsense"),
    ("chatter", "nonsense"),
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, flag, kind, rest @ ..] = args.as_slice()
        && flag == "--engine"
    {
        let plant = rest.first().map(String::as_str);
        // Whoever asked may have ended this already.
        let _ = if kind == LEAST { least(plant) } else { engine(kind) };
        return;
    }
    let mut trials = vec![
        Trial::test("our_own_engine_holds", || holds("arguments", ours(&[]), &IDLE)),
        Trial::test("our_own_engine_holds_about_leaks", || holds("leaks", ours(&[]), &[])),
        Trial::test("the_least_engine_about_leaks_holds", || {
            holds("leaks", this(&[LEAST]), &IDLE_IN_LEAST)
        }),
        Trial::test("our_own_advisor_holds", || holds("advisor", ours(&[]), &IDLE_IN_ADVICE)),
        Trial::test("texts_alone_are_judged", texts_alone_are_judged),
        Trial::test("sessions_need_no_classes", sessions_need_no_classes),
        Trial::test("what_cannot_run_is_said", what_cannot_run_is_said),
        Trial::test("noise_on_standard_error_is_no_answer", noise_is_no_answer),
        Trial::test("what_a_process_started_ends_with_it", what_it_started_ends_with_it),
    ];
    let plants = [("arguments", CLASSIC), ("leaks", LEAKY), ("advisor", ADVICE)];
    let plants = plants.iter().flat_map(|(area, rows)| rows.iter().map(move |row| (*area, row)));
    trials.extend(plants.map(|(area, (bug, promise))| {
        Trial::test(format!("finds_{bug}"), || found(area, ours(&["--plant", bug]), promise))
    }));
    trials.extend(SEEN.iter().map(|(bug, promise)| {
        let test = || found("leaks", this(&[LEAST, bug]), promise);
        Trial::test(format!("finds_{bug}_in_texts_and_calls"), test)
    }));
    trials.extend(MISBEHAVIOUR.iter().map(|(kind, counted)| {
        Trial::test(format!("survives_{kind}"), || survived(kind, counted))
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The engine of this test: ours, but every tenth question about arguments goes wrong.
fn engine(kind: &str) -> io::Result<()> {
    let mut server = Server::new(None);
    let mut output = io::stdout().lock();
    if kind == "mute" {
        return Ok(());
    }
    let mut asked = 0;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut answer = server.answer(&line);
        if line.contains("\"op\":\"hello\"") {
            if let Some((_, feature)) = ADVISERS.iter().find(|row| row.0 == kind) {
                answer["operations"] = vec!["advise"].into();
                answer["features"] = vec![*feature].into();
            }
            if kind == "orphan" {
                let child = Command::new("sleep").arg("300").spawn()?;
                answer["version"] = child.id().to_string().into();
            }
            writeln!(output, "{answer}")?;
            continue;
        }
        asked += 1;
        if kind == "noise" {
            writeln!(io::stderr().lock(), "{}", "warning ".repeat(2_000))?;
        } else if asked % 10 == 0 {
            misbehave(kind, &mut answer, &mut output)?;
        }
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

/// The engine of this test that knows leaks alone, and of a treatment tells texts and calls alone.
const LEAST: &str = "least";

/// Ours as [`LEAST`], sound or with a planted bug.
fn least(plant: Option<&str>) -> io::Result<()> {
    let mut server = Server::new(plant);
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let mut answer = server.answer(&line?);
        if answer.get("protocol").is_some() {
            answer["operations"] = json!(["treat"]);
            answer["features"] = json!([]);
        }
        let kept = |row: &mut Value, names: &[&str]| {
            if let Some(row) = row.as_object_mut() {
                row.retain(|name, _| names.contains(&name.as_str()));
            }
        };
        if let Some(calls) = answer.get_mut("calls").and_then(Value::as_array_mut) {
            for call in calls.iter_mut() {
                kept(call, &["name", "args"]);
            }
            kept(&mut answer, &["id", "texts", "calls"]);
        }
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn misbehave(kind: &str, answer: &mut Value, output: &mut impl io::Write) -> io::Result<()> {
    match kind {
        "hang" => thread::sleep(Duration::from_mins(10)),
        "die" => return Err(io::ErrorKind::Other.into()),
        "flood" => {
            let piece = "x".repeat(1 << 20);
            loop {
                output.write_all(piece.as_bytes())?;
            }
        }
        "nonsense" => write!(output, "Traceback ")?,
        "other-id" => answer["id"] = 0.into(),
        "chatter" => writeln!(output, "{{\"progress\":1}}")?,
        _ => {}
    }
    Ok(())
}

fn this(arguments: &[&str]) -> Vec<String> {
    let here = std::env::current_exe().expect("this test has a file");
    let here = [here.to_str().expect("its path is text"), "--engine"];
    here.iter().chain(arguments).map(|argument| (*argument).to_owned()).collect()
}

fn ours(arguments: &[&str]) -> Vec<String> {
    let all =
        [env!("CARGO_BIN_EXE_pi-repair"), "serve"].into_iter().chain(arguments.iter().copied());
    all.map(str::to_owned).collect()
}

fn start(command: Vec<String>, timeout_ms: u64) -> Result<Arc<Remote>, conform::StartError> {
    let timeout = Duration::from_millis(timeout_ms);
    Remote::start(conform::Settings { command, timeout, faults_max: 5 }).map(Arc::new)
}

/// Runs a small campaign; a hunt for one promise ends where it is broken.
fn campaign(
    area: &str,
    remote: &Arc<Remote>,
    cases: u64,
    hunted: Option<&'static str>,
) -> (Report, Lab) {
    let lab = Lab::against(&[area], remote);
    let area = area::named(area).expect("is an area");
    let settings = Settings {
        cases,
        threads: 2,
        only: hunted.map_or_else(|| needs::of_area(remote.hello(), area).0, |name| vec![name]),
        until_broken: hunted.into_iter().collect(),
        shrink_max: 0,
        ..Settings::default()
    };
    (campaign::hunt(&settings, &lab, &Silent, &AtomicBool::new(false)), lab)
}

fn require(kept: bool, says: impl FnOnce() -> String) -> Result<(), Failed> {
    if kept { Ok(()) } else { Err(says().into()) }
}

/// Promises that look inside our own engine.
const IDLE: [&str; 1] = ["alone_and_at_length_agree"];
const IDLE_IN_ADVICE: [&str; 1] = ["quoting_is_bounded"];

/// Promises that say nothing about [`LEAST`].
const IDLE_IN_LEAST: [&str; 5] = [
    "observed_leaks_hold_no_values",
    "observing_changes_nothing",
    "promoted_arguments_need_no_more_repair",
    "stricter_modes_do_less",
    "work_is_linear_in_the_text",
];

fn holds(area: &str, command: Vec<String>, idle: &[&str]) -> Result<(), Failed> {
    let remote = start(command, 60_000)?;
    let (report, lab) = campaign(area, &remote, 500, None);
    let card = Scorecard::of(&report, &lab, &remote);
    require(card.broken().next().is_none(), || card.to_json().to_string())?;
    require(card.answered == 500 && card.faults.is_empty(), || format!("{:?}", card.faults))?;
    let rows = card.rows.iter().filter(|row| row.verdict() == "not asked");
    let rows: Vec<&str> = rows.map(|row| row.promise).collect();
    require(rows == idle, || format!("{rows:?} were not asked"))?;
    let vacuous = card.rows.iter().find(|row| row.verdict() == "vacuous");
    require(vacuous.is_none(), || format!("{vacuous:?}"))
}

/// An engine that knows no sessions and no arguments: each case is about one text.
fn texts_alone_are_judged() -> Result<(), Failed> {
    let remote = start(this(&["texts"]), 60_000)?;
    require(Lab::against(&[], &remote).areas().eq(["advisor"]), || "other areas".to_owned())?;
    let (report, lab) = campaign("advisor", &remote, 300, None);
    let card = Scorecard::of(&report, &lab, &remote);
    require(card.broken().next().is_none(), || card.to_json().to_string())?;
    require(card.outcomes.keys().copied().eq(["no session"]), || format!("{:?}", card.outcomes))?;
    let held = card.rows.iter().filter(|row| row.verdict() == "holds").map(|row| row.promise);
    let held: Vec<&str> = held.collect();
    let texts = [
        "class_survives_its_wrapping",
        "digits_in_payload_mean_nothing",
        "no_note_panics",
        "no_secret_survives",
        "provider_text_is_bounded",
    ];
    require(held == texts, || format!("{held:?} were judged"))
}

/// An engine that names no class is held to consequences alone.
fn sessions_need_no_classes() -> Result<(), Failed> {
    let remote = start(this(&["sessions"]), 60_000)?;
    let (report, lab) = campaign("advisor", &remote, 300, None);
    let card = Scorecard::of(&report, &lab, &remote);
    require(card.broken().next().is_none(), || card.to_json().to_string())?;
    let row = card.rows.iter().find(|row| row.promise == "notes_agree_with_the_model");
    require(row.is_some_and(|row| row.verdict() == "holds"), || format!("{row:?}"))?;
    let held = card.rows.iter().filter(|row| row.verdict() == "holds").count();
    require(held == 14, || format!("{held} promises hold"))
}

fn found(area: &str, command: Vec<String>, promise: &'static str) -> Result<(), Failed> {
    let remote = start(command, 60_000)?;
    let (report, lab) = campaign(area, &remote, 20_000, Some(promise));
    require(report.has_broken(&[promise]), || format!("{promise} was not broken"))?;
    let card = Scorecard::of(&report, &lab, &remote);
    let row = card.broken().next().and_then(|row| row.found.as_ref());
    require(row.is_some_and(|found| found.request.is_some()), || "no line to send".to_owned())
}

fn survived(kind: &str, counted: &'static str) -> Result<(), Failed> {
    // Only the one that hangs is waited for; the others answer as soon as the machine lets them.
    let remote = start(this(&[kind]), if kind == "hang" { 300 } else { 60_000 })?;
    let (report, lab) = campaign("arguments", &remote, 250, Some("nothing_panics"));
    let card = Scorecard::of(&report, &lab, &remote);
    require(report.broken() > 0, || "nothing was broken".to_owned())?;
    let faults = card.faults.get(counted).copied().unwrap_or(0);
    require(faults >= 3 && card.faults.len() == 1, || format!("{:?}", card.faults))?;
    require(card.answered > 10 && remote.has_given_up(), || format!("{} answers", card.answered))
}

fn what_cannot_run_is_said() -> Result<(), Failed> {
    let mute = start(this(&["mute"]), 1_000).expect_err("greets nobody").to_string();
    require(mute.contains("died"), || mute.clone())?;
    let gone = start(vec!["/no/such/engine".to_owned()], 1_000).expect_err("is not there");
    require(gone.to_string().contains("/no/such/engine"), || gone.to_string())
}

fn noise_is_no_answer() -> Result<(), Failed> {
    let remote = start(this(&["noise"]), 60_000)?;
    require(*remote.hello() == greeting(), || "another greeting".to_owned())?;
    let (report, _) = campaign("arguments", &remote, 30, None);
    require(report.broken() == 0, || format!("{:?}", remote.faults()))
}

fn what_it_started_ends_with_it() -> Result<(), Failed> {
    let remote = start(this(&["orphan"]), 60_000)?;
    let status = format!("/proc/{}/status", remote.hello().version);
    if !std::path::Path::new("/proc/self/status").exists() {
        return Ok(());
    }
    let runs = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        text.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
    };
    require(runs(), || "nothing was started".to_owned())?;
    drop(remote);
    for _ in 0..500 {
        if !runs() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err("what the engine started still runs".into())
}
