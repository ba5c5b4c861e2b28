//! Campaigns that are put aside, split or swarmed come to the same; their page shows hostile texts as texts.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use harness::area::{AREAS, AnyArea, Batch, Lab, Wanted};
use harness::campaign::prune::{broken_by, prune};
use harness::campaign::state::{self, Setup, StateError};
use harness::campaign::{BATCH, Begun, Origin, Progress, Report, Settings, Silent, go_on, hunt};
use harness::compare::compare;
use harness::page::{self, Facts};
use harness::score::Score;
use serde_json::Value;

/// A planted bug, so that there are findings to be kept.
const PLANT: &str = "wrap-before-read";

fn settings() -> Settings {
    Settings { cases: 12 * BATCH, threads: 1, ..Settings::default() }
}

/// Stops a campaign when so many waves are done.
struct StopAfter<'s> {
    waves: AtomicWaves,
    stop: &'s AtomicBool,
}

type AtomicWaves = std::sync::atomic::AtomicU32;

impl Progress for StopAfter<'_> {
    fn advance(&self, _: u64) {}

    fn keep(&self, _: &Begun) {
        if self.waves.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs so many waves, puts the campaign aside as text, and takes it up again, until it is done.
fn in_pieces(settings: &Settings, lab: &Lab, waves: u32) -> (Report, u32) {
    let setup = Setup::new(settings, lab, Some(PLANT));
    let mut begun = Begun::new(settings.seed);
    for pieces in 1.. {
        let stop = AtomicBool::new(false);
        let watch = StopAfter { waves: waves.into(), stop: &stop };
        go_on(settings, lab, &mut begun, &watch, &stop);
        begun = state::read(&state::write(&setup, &begun), &setup).expect("its own file");
        if begun.batches == 12 {
            return (begun.report, pieces);
        }
        state::recognise(&begun, settings, lab).expect("the same engine");
    }
    unreachable!("a campaign ends")
}

#[test]
fn a_campaign_in_pieces_is_the_campaign() {
    let lab = Lab::with(&[], Some(PLANT));
    let whole = hunt(&settings(), &lab, &Silent, &AtomicBool::new(false));
    assert!(!whole.findings.is_empty());
    let (report, pieces) = in_pieces(&settings(), &lab, 1);
    assert_eq!(pieces, 3);
    assert_eq!(report.to_json(), whole.to_json());
    let threads = Settings { threads: 2, ..settings() };
    assert_eq!(in_pieces(&threads, &lab, 1).0.to_json(), whole.to_json());
}

#[test]
fn another_campaign_or_engine_is_refused() {
    let lab = Lab::with(&["advisor"], None);
    let settings = Settings { cases: BATCH, ..settings() };
    let mut begun = Begun::new(settings.seed);
    go_on(&settings, &lab, &mut begun, &Silent, &AtomicBool::new(false));
    let setup = Setup::new(&settings, &lab, None);
    let text = state::write(&setup, &begun);
    let says = |setup: &Setup| state::read(&text, setup).map(|_| ()).unwrap_err().to_string();
    let other = |change: fn(&mut Setup)| {
        let mut setup = setup.clone();
        change(&mut setup);
        says(&setup)
    };
    assert!(other(|setup| setup.seed = 7).contains("its seed is 0x5eed, not 0x7"));
    assert!(other(|setup| setup.cases = 9).contains("number of cases is 250, not 9"));
    assert!(other(|setup| setup.shard = (1, 2)).contains("shard is 0/1, not 1/2"));
    assert!(other(|setup| setup.areas.clear()).contains("list of areas is advisor, not "));
    assert!(other(|setup| setup.plant = Some("x".into())).contains("planted bug is none, not x"));
    assert!(other(|setup| setup.version = "9".into()).contains("its version is "));
    for damaged in ["", "{}", &text[..text.len() / 2], &text.replace("layout 1", "layout 0")] {
        assert!(matches!(state::read(damaged, &setup), Err(StateError::Unreadable(_))));
    }
    let mut changed = begun.clone();
    changed.first.fold(b"x");
    assert_eq!(state::recognise(&changed, &settings, &lab), Err(StateError::Changed));
}

#[test]
fn shards_are_the_same_cases_in_every_area() {
    let lab = Lab::new();
    let part = |shard| {
        let settings = Settings { cases: 6 * BATCH, threads: 0, shard, ..settings() };
        hunt(&settings, &lab, &Silent, &AtomicBool::new(false))
    };
    let whole = part((0, 1));
    let parts = [0, 1, 2].map(|index| part((index, 3)));
    for (name, area) in &whole.areas {
        let sum = |of: fn(&harness::campaign::AreaReport) -> u64| -> u64 {
            parts.iter().map(|part| of(&part.areas[name])).sum()
        };
        assert_eq!(sum(|area| area.cases), area.cases);
        assert_eq!(sum(|area| area.reached.values().sum()), area.reached.values().sum::<u64>());
        let cells = |area: &harness::campaign::AreaReport| -> u64 {
            area.coverage.values().flat_map(|ids| ids.values()).flat_map(|it| it.values()).sum()
        };
        assert_eq!(sum(cells), cells(area));
        assert!(cells(area) > 0);
    }
}

/// The features that some case carried although its batch had them off.
fn carried_though_off(area: &dyn AnyArea, lab: &Lab) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for index in (0..40 * BATCH).step_by(10) {
        let Some(number) = lab.number(index) else { continue };
        let origin = Origin { seed: 3, number };
        let swarm = Batch::of(origin).swarm;
        // The name of no promise: all that is wanted is what the case carries.
        let wanted = Wanted { only: &[""], show: false };
        let trial = lab.case(origin, &mut origin.choices(), wanted);
        let seen = trial.and_then(|trial| trial.seen).expect("a case of the area");
        let listed = area.features();
        assert!(seen.features.iter().all(|id| listed.contains(id)), "{:?}", seen.features);
        found.extend(seen.features.iter().filter(|id| !swarm.has(id)));
    }
    found
}

#[test]
fn a_batch_does_without_what_it_has_off_but_for_the_simplest_of_each_table() {
    let simplest: BTreeSet<&str> = BTreeSet::from([
        "alone",
        "bare_json",
        "cut",
        "fence",
        "llama",
        "lone-closer",
        "null-optional",
        "null-required",
        "prefix",
        "real-wording",
        "retries-spent",
        "undamaged",
    ]);
    for area in AREAS.iter().map(|row| row.area) {
        let listed = area.features();
        let unique: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(unique.len(), listed.len(), "{} lists a feature twice", area.name());
        let off = carried_though_off(area, &Lab::with(&[area.name()], None));
        let surprising: Vec<_> = off.difference(&simplest).collect();
        assert!(surprising.is_empty(), "{}: {surprising:?}", area.name());
    }
}

#[test]
fn the_page_shows_hostile_texts_as_texts() {
    const HOSTILE: &str =
        "</pre></details><script>alert(1)</script><img src=x onerror=y>\u{202e}\0&lt;";
    let settings = Settings { cases: 4 * BATCH, ..settings() };
    let lab = Lab::with(&[], Some(PLANT));
    let mut report = hunt(&settings, &lab, &Silent, &AtomicBool::new(false));
    let first = report.findings.first_mut().expect("a finding");
    for text in [&mut first.says, &mut first.input, &mut first.regression] {
        HOSTILE.clone_into(text);
    }
    let peer = compare(&[], &[]).expect("nothing to compare");
    let facts = Facts {
        report: &report,
        settings: &settings,
        lab: &lab,
        real: &Score::default(),
        peer: &peer,
        plant: harness::area::mutant(PLANT),
    };
    let page = page::render(facts);
    assert_eq!(page.matches("&lt;script&gt;alert(1)&lt;/script&gt;").count(), 3);
    for never in ["<script", "<img", "\u{202e}", "\0", "=\"http", "=http", "url("] {
        assert!(!page.contains(never), "the page holds {never:?}");
    }
    assert!(page.contains("\\u{202e}\\u{0}&amp;lt;"));
    let again =
        format!("pi-repair replay --seed 0x5eed --case {}", report.findings[0].origin.number);
    assert!(page.contains(&again));
}

#[test]
fn coverage_is_in_the_data_by_feature_id_and_outcome() {
    let lab = Lab::with(&["arguments"], None);
    let settings = Settings { cases: 8 * BATCH, ..settings() };
    let json = hunt(&settings, &lab, &Silent, &AtomicBool::new(false)).to_json();
    let at = "/areas/arguments/coverage/null-optional/schema.drop-null/repaired";
    assert!(json.pointer(at).and_then(Value::as_u64).is_some_and(|count| count > 0));
}

/// The first promise that a stored call breaks under a planted bug, and the call made small.
fn pruned(plant: &str, file: &str) -> (&'static str, Option<String>) {
    let lab = Lab::with(&["arguments"], Some(plant));
    let ready = lab.area("arguments").expect("an area");
    let broken = broken_by(ready, "stored", file).expect("a file of the area").remove(0);
    (broken.invariant, prune(ready, "stored", &broken, 2_000).map(|small| small.input))
}

#[test]
fn a_stored_case_is_made_small_but_not_against_what_its_file_says_is_right() {
    const SCHEMA: &str = r#"{"type":"object","properties":{"list":{"type":"array","items":{"type":"string"}},"text":{"type":"string"}}}"#;
    let call = |rest: &str| {
        format!(
            "why = 'w'\nfound = 'by hand'\ntool = 'label'\nschema = '{SCHEMA}'\nvalue = {rest}\n"
        )
    };
    let long = call(r#"'{"text":"some words","list":"[\"a\",\"b\",\"c\"]"}'"#);
    let (promise, small) = pruned("sort-keys", &long);
    assert_eq!(promise, "changes_replay_to_args");
    let small = small.unwrap_or_default();
    assert!(!small.is_empty() && small.len() < 35, "{small}");
    let meant = call("'{\"list\":\"[]\"}'\nexpect = 'repaired'\nargs = '{\"list\":[]}'");
    let (promise, small) = pruned("wrap-before-read", &meant);
    assert_eq!((promise, small), ("lossless_damage_is_undone", None));
}
