//! Every file of the corpus is readable, complete and of bearable size.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use corpus::{Answer, Area, CaseInput, Expect, Held, Input};

const DATA_BYTES_MAX: u64 = 6 << 20;

fn expectations(area: Area) -> BTreeMap<Expect, usize> {
    let mut counts = BTreeMap::new();
    for case in corpus::cases(area).unwrap() {
        assert_eq!(case.area, area, "{}", case.id);
        *counts.entry(case.expect).or_default() += 1;
    }
    counts
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

#[test]
fn cases_are_counted_as_their_page_says() {
    use Expect::{Fatal, Overflow, Recover, Repaired, Strip, Transient, Unrepairable, Valid};
    let counts = |pairs: &[(Expect, usize)]| pairs.iter().copied().collect::<BTreeMap<_, _>>();
    let arguments = counts(&[(Repaired, 39), (Unrepairable, 26), (Valid, 8)]);
    assert_eq!(expectations(Area::Arguments), arguments);
    assert_eq!(expectations(Area::ToolNames), counts(&[(Repaired, 5), (Unrepairable, 3)]));
    assert_eq!(expectations(Area::Leaks), counts(&[(Recover, 16), (Strip, 7), (Valid, 6)]));
    let errors = counts(&[(Fatal, 7), (Overflow, 9), (Transient, 7)]);
    assert_eq!(expectations(Area::ProviderErrors), errors);
}

#[test]
fn cases_carry_provenance_and_what_their_outcome_needs() {
    for case in Area::ALL.into_iter().flat_map(|area| corpus::cases(area).unwrap()) {
        assert!(case.source.is_some_and(|source| !source.is_empty()), "{}", case.id);
        assert!(case.why.is_some(), "{}", case.id);
        let needs_value = !matches!(case.expect, Expect::Valid | Expect::Unrepairable);
        assert_eq!(case.expected_value.is_some(), needs_value, "{}", case.id);
        let text = matches!(case.area, Area::Leaks | Area::ProviderErrors);
        assert_eq!(matches!(case.input, CaseInput::Text(_)), text, "{}", case.id);
    }
}

#[test]
fn raw_text_and_key_order_survive_loading() {
    let cases = corpus::cases(Area::Arguments).unwrap();
    let find = |id: &str| cases.iter().find(|case| case.id == id).unwrap();
    let raw = "{\"command\":\"echo a\necho b\"}";
    assert_eq!(find("env-raw-newline-in-string").input, CaseInput::Raw(raw.into()));
    let CaseInput::Value(value) = &find("null-optional-github").input else { panic!("a value") };
    let keys: Vec<_> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["owner", "repo", "state", "orderBy", "perPage", "labels"]);
    assert_eq!(find("env-truncated-hidden-length").context.stop_reason(), "toolUse");
    assert_eq!(find("env-raw-newline-in-string").context.stop_reason(), "stop");
}

#[test]
fn outcomes_speak_of_known_tools() {
    let tools = corpus::tools().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let own = ["read", "bash", "edit", "write", "grep", "find", "ls", "collect", "batch"];
    assert_eq!(names, own);
    assert!(tools.iter().all(|tool| tool.has_owner_hook == (tool.name == "edit")));
    let outcomes = corpus::outcomes().unwrap();
    assert_eq!(outcomes.len(), 4000);
    assert!(outcomes.iter().all(|outcome| names.contains(&outcome.tool.as_str())));
}

#[test]
fn every_defect_of_the_pipeline_is_a_regression() {
    let defects = corpus::defects().unwrap();
    assert_eq!(defects.len(), 62);
    for defect in &defects {
        drop(Held::from(corpus::expand(&defect.input).unwrap()));
    }
    let ids = defects.iter().filter(|defect| defect.api == "pipeline").map(|it| it.id.clone());
    let ids: BTreeSet<_> = ids.collect();
    let regressions = corpus::regressions("arguments").unwrap();
    let slugs: BTreeSet<_> = regressions.iter().map(|it| it.slug.clone()).collect();
    assert_eq!(ids.len(), 45);
    assert_eq!(ids.difference(&slugs).collect::<Vec<_>>(), [""; 0]);
}

/// The regression puts in what the defect did, in every form it gives.
#[test]
fn regressions_keep_the_input_of_their_defect() {
    let defects = corpus::defects().unwrap();
    for regression in corpus::regressions("arguments").unwrap() {
        let slug = &regression.slug;
        let Some(defect) = defects.iter().find(|defect| &defect.id == slug) else { continue };
        let wanted = Held::from(corpus::expand(&defect.input).unwrap());
        for input in &regression.inputs {
            match input {
                Input::Text(text) => assert_eq!(Some(text.as_str()), wanted.as_str(), "{slug}"),
                Input::Value(value) => assert_eq!(**value, *wanted, "{slug}"),
            }
        }
        assert_eq!(regression.schema, defect.schema, "{slug}");
        assert_eq!(regression.tool, defect.tool, "{slug}");
        assert_eq!(regression.model, defect.model, "{slug}");
        assert!(!regression.expect.is_empty(), "{slug}");
        assert!(!regression.expect.contains(&Answer::Deferred), "{slug}");
    }
}

#[test]
fn the_data_stays_small() {
    let sizes = files_below(&data()).into_iter().map(|path| fs::metadata(path).unwrap().len());
    let bytes: u64 = sizes.sum();
    assert!(bytes < DATA_BYTES_MAX, "{bytes} bytes");
}

/// Machines differ, so nothing in the data may point into the one it was written on.
#[test]
fn the_data_names_no_place_of_this_machine() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).display().to_string();
    for path in files_below(&data()) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&checkout), "{}", path.display());
    }
}
