//! A toy area beside a real one: proves that campaign, numbers, shrinking and stored cases ask for no more than the trait says.

use std::sync::atomic::AtomicBool;

use super::{Area, Invariant, Lab, Mutant, Row, Sample, Seen, Verdict, Wanted};
use crate::campaign::{Finding, Origin, Report, Settings, Silent, run};
use crate::catalog::Section;
use crate::source::{Choose, Source};

/// Halves a list of numbers.
#[derive(Clone, Copy, Debug)]
struct Toy;

#[derive(Clone, Debug)]
struct Numbers(Vec<u32>);

/// The engine: halves one number.
type Halve = fn(u32) -> u32;

struct Halved<'a> {
    case: &'a Numbers,
    halves: Vec<u32>,
}

impl Sample for Numbers {
    fn input(&self) -> String {
        format!("{:?}", self.0)
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        format!("why = {why:?}\nfound = {found:?}\nnumbers = {:?}\n", self.0)
    }
}

impl Area for Toy {
    const NAME: &'static str = "toy";
    const FOLDER: &'static str = "area";
    const PANICS: &'static str = "halving_never_panics";
    const INVARIANTS: &'static [Invariant<Self>] = &[
        Invariant {
            name: "a_half_is_no_more",
            says: "A half is at most the whole.",
            kills: &["double"],
            check: |run| {
                let mut pairs = run.case.0.iter().zip(&run.halves);
                Verdict::require(pairs.all(|(whole, half)| half <= whole), || "grew".to_owned())
            },
        },
        Invariant {
            name: "halving_never_panics",
            says: "Every number has a half.",
            kills: &["fear-seven"],
            check: |_| Verdict::Holds,
        },
    ];
    const MUTANTS: &'static [Mutant<Halve>] = &[
        Mutant { name: "double", says: "doubles", plant: |number| number * 2 },
        Mutant { name: "fear-seven", says: "panics", plant: |number| 1 / number.abs_diff(7) },
    ];
    const OUTCOMES: &'static [&'static str] = &["some", "none"];

    type Bias = u32;
    type Case = Numbers;
    type Plant = Halve;
    type Workshop = Halve;
    type Run<'a> = Halved<'a>;
    type Expected = usize;

    fn workshop(plant: Option<&Halve>) -> Halve {
        plant.copied().unwrap_or(|number| number / 2)
    }

    fn bias(source: &mut dyn Source) -> u32 {
        source.range(10, 20)
    }

    fn draw(source: &mut dyn Source, bias: &u32) -> Numbers {
        let count = source.below(5);
        Numbers((0..count).map(|_| source.below(*bias)).collect())
    }

    fn run<'a>(halve: &'a Halve, case: &'a Numbers) -> Result<Halved<'a>, String> {
        Ok(Halved { case, halves: case.0.iter().map(|number| halve(*number)).collect() })
    }

    fn seen(run: &Halved<'_>) -> Seen {
        let mut seen = Seen::new(if run.halves.is_empty() { "none" } else { "some" });
        for half in &run.halves {
            seen.fold(&half.to_le_bytes());
        }
        seen
    }

    fn show(run: &Halved<'_>) -> Vec<(&'static str, String)> {
        vec![("halves", format!("{:?}", run.halves))]
    }

    fn read(slug: &str, text: &str) -> Result<(Vec<Numbers>, usize), String> {
        let file: toml::Table = text.parse().map_err(|error| format!("{slug}: {error}"))?;
        let numbers = file.get("numbers").and_then(|value| value.clone().try_into().ok());
        let numbers: Vec<u32> = numbers.ok_or_else(|| format!("{slug}: no numbers"))?;
        let count = numbers.len();
        Ok((vec![Numbers(numbers)], count))
    }

    fn miss(expected: &usize, run: &Halved<'_>) -> Option<String> {
        (run.halves.len() != *expected).then(|| "another count".to_owned())
    }

    fn reachable() -> Vec<&'static str> {
        Vec::new()
    }

    fn sections() -> Vec<Section> {
        Vec::new()
    }
}

const ROWS: &[Row] =
    &[Row { share: 3, area: &Toy }, Row { share: 1, area: &crate::arguments::Arguments }];

fn attack(lab: &Lab, settings: &Settings) -> Report {
    run(settings, lab, &Silent, &AtomicBool::new(false))
}

fn small() -> Settings {
    Settings { cases: 1_000, ..Settings::default() }
}

/// The single finding of a campaign against the toy with a planted bug.
fn finding(plant: &str) -> Finding {
    let lab = Lab::of(ROWS, &["toy"], Some(plant));
    let mut found = attack(&lab, &small()).findings;
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

#[test]
fn areas_share_the_cases_and_the_digest_depends_on_neither_threads_nor_shards() {
    let lab = Lab::of(ROWS, &[], None);
    let whole = attack(&lab, &Settings { threads: 1, ..small() });
    let again = attack(&lab, &Settings { threads: 3, ..small() });
    assert_eq!(whole.digest, again.digest);
    assert_eq!((whole.areas["toy"].cases, whole.areas["arguments"].cases), (750, 250));
    let shards = [0, 1].map(|index| attack(&lab, &Settings { shard: (index, 2), ..small() }));
    let both: u64 = shards.iter().map(|part| part.areas["toy"].outcomes["some"]).sum();
    assert_eq!(both, whole.areas["toy"].outcomes["some"]);
    assert_eq!(whole.broken(), 0);
}

#[test]
fn a_chosen_area_gets_all_cases_and_a_number_is_the_same_case_alone() {
    let alone = Lab::of(ROWS, &["toy"], None);
    assert_eq!(attack(&alone, &small()).areas["toy"].cases, 1_000);
    let numbers: Vec<u64> = (0..7).filter_map(|index| alone.number(index)).collect();
    assert_eq!(numbers, [0, 1, 2, 4, 5, 6, 8]);
    let all = Lab::of(ROWS, &[], None);
    for number in numbers {
        let origin = Origin { seed: 9, number };
        let draw = |lab: &Lab| {
            let trial = lab.case(origin, &mut origin.choices(), Wanted::default());
            trial.expect("the toy is here").case.input()
        };
        assert_eq!(draw(&alone), draw(&all));
    }
    let arguments = Origin { seed: 9, number: 3 };
    assert!(alone.case(arguments, &mut arguments.choices(), Wanted::default()).is_none());
}

#[test]
fn findings_shrink_and_come_back_from_their_files() {
    let found = finding("double");
    assert_eq!((found.input.as_str(), found.shrunk), ("[1]", true));
    let lab = Lab::of(ROWS, &["toy"], Some("double"));
    let toy = lab.area("toy").expect("the toy is here");
    let trials = toy.stored("double", &found.regression, Wanted { only: &[], show: true });
    let trial = trials.expect("a file of the toy's").remove(0);
    assert_eq!(trial.broken().next(), Some(("a_half_is_no_more", "grew")));
    assert_eq!(trial.shown, [("halves", "[2]".to_owned())]);
    assert_eq!(trial.miss, None);
}

#[test]
fn a_panic_breaks_the_promise_that_the_area_names() {
    let found = finding("fear-seven");
    assert_eq!((found.invariant, found.input.as_str()), ("halving_never_panics", "[7]"));
    assert!(found.says.contains("divide by zero"), "{}", found.says);
}
