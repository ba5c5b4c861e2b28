//! A fault in a data file is reported with its place and its cure.

use corpus::{Answer, Area, CaseInput, CorpusError, Expect, Input, Many, RegressionFile};

fn fault<T>(read: Result<T, CorpusError>) -> String {
    read.err().map(|error| error.to_string()).unwrap_or_default()
}

const GOOD: &str =
    r#"{"id":"a","area":"arguments","input_kind":"raw","input":"{","expect":"unrepairable"}"#;

#[test]
fn a_minimal_case_is_enough() {
    let odd =
        r#"{"id":"b","input_kind":"value","input":null,"expect":"valid","new":1,"context":null}"#;
    let text = format!("\u{feff}\r\n{GOOD}\r\n\n  \n{odd}\n");
    let cases = corpus::parse_cases("some/arguments.jsonl", &text).unwrap();
    let [first, second] = cases.as_slice() else { panic!("two cases") };
    assert_eq!((first.area, first.expect), (Area::Arguments, Expect::Unrepairable));
    assert_eq!(first.input, CaseInput::Raw("{".into()));
    assert_eq!(second.input, CaseInput::Value(serde_json::Value::Null));
    assert_eq!(second.context.policy(), "adaptive");
    assert_eq!((second.context.native_calls(), second.context.mode()), (0, "recover"));
}

#[test]
fn case_faults_name_file_line_and_cure() {
    let read = |text: &str| fault(corpus::parse_cases("x.jsonl", text));
    let twice = read(&format!("{GOOD}\n\n{GOOD}"));
    assert_eq!(
        twice,
        "x.jsonl:3: the id `a` already stands on line 1; give each line an id of its own"
    );
    let cut = read(&format!("{GOOD}\n{{\"id\":"));
    assert!(cut.starts_with("x.jsonl:2: not JSON at column 6: EOF while parsing"), "{cut}");
    assert!(cut.ends_with("one whole JSON object on each line"), "{cut}");
    let poor = read(r#"{"id":"a"}"#);
    assert!(poor.starts_with("x.jsonl:1: missing field `input_kind`; compare"), "{poor}");
    let nowhere = read(r#"{"id":"a","input_kind":"text","text":"","expect":"fatal"}"#);
    assert!(nowhere.contains("`a` says no `area`; add `area`: one of arguments"), "{nowhere}");
    let shapeless =
        read(r#"{"id":"a","area":"leaks","input_kind":"raw","input":[1],"expect":"valid"}"#);
    assert!(shapeless.contains("no usable `input`; its `input_kind` wants"), "{shapeless}");
}

#[test]
fn tool_and_outcome_faults_name_their_place() {
    let tools = fault(corpus::parse_tools("t.json", r#"{"read":{}}"#));
    assert!(tools.starts_with("t.json: tool `read`: missing field `parameters`"), "{tools}");
    let tools = fault(corpus::parse_tools("t.json", "{\n]"));
    assert!(tools.starts_with("t.json:2: ") && tools.contains("fields are tools"), "{tools}");
    let outcome = fault(corpus::parse_outcomes("o.jsonl", r#"{"id":"x"}"#));
    assert!(outcome.starts_with("o.jsonl:1: missing field `tool`"), "{outcome}");
}

#[test]
fn regression_faults_name_key_line_and_cure() {
    let read = |rest: &str| {
        fault(corpus::parse_regression("s", &format!("why = 'w'\nfound = 'f'\n{rest}")))
    };
    let typo = read("inputt = '{}'");
    assert!(typo.starts_with("s.toml:3: unknown field `inputt`"), "{typo}");
    assert!(typo.ends_with("regressions/README.md"), "{typo}");
    let empty = read("expect = 'valid'");
    assert!(empty.contains("no call to replay; add `input`"), "{empty}");
    let broken = read("tool = 'read'\nvalue = '{'");
    assert!(broken.starts_with("s.toml:4: `value` is not JSON: EOF"), "{broken}");
    let recipe = read("value_recipe = '{\"$depht\": 3}'");
    assert!(recipe.starts_with("s.toml:3: `$depht` is no recipe; use one of"), "{recipe}");
    let kind = read("text_recipe = '{\"$depth\": 100000}'");
    assert!(kind.starts_with("s.toml:3: `text_recipe` describes a value"), "{kind}");
    let vain = read("input = '{}'\nexpect = 'valid'\nargs = '{}'");
    assert!(vain.contains("does not list `repaired`; add `repaired`, or drop"), "{vain}");
    let answer = read("input = '{}'\nexpect = 'fine'");
    assert!(answer.starts_with("s.toml:4: unknown variant `fine`, expected one of"), "{answer}");
    let number = read("input = '{}'\nargs = 5");
    assert!(number.contains("expected a string, or a list of strings"), "{number}");
}

#[test]
fn a_folder_that_is_not_there_says_what_to_give() {
    let error = fault(corpus::regressions("no-such-area"));
    assert!(error.contains("cannot be read") && error.contains("run from a checkout"), "{error}");
}

#[test]
fn a_written_regression_reads_back() {
    let file = RegressionFile {
        why: "it's 'quoted'".into(),
        found: "seed 7, case 3".into(),
        tool: Some("read".into()),
        input: Some("{\"path\": \"a\nb'''\u{7}\"}\r\n".into()),
        value: Some("null".into()),
        expect: Many::Any(vec![Answer::Repaired, Answer::Unrepairable]),
        args: Many::One("{}".into()),
        ..RegressionFile::default()
    };
    let text = file.to_toml();
    let read = corpus::parse_regression("s", &text).unwrap();
    assert_eq!(read.expect, [Answer::Repaired, Answer::Unrepairable]);
    assert_eq!((read.why, read.args.len()), (file.why, 1));
    let [Input::Text(input), Input::Value(value)] = read.inputs.as_slice() else {
        panic!("both forms: {text}")
    };
    assert_eq!((Some(input), value.is_null()), (file.input.as_ref(), true));
}

#[test]
fn deep_values_are_loaded_and_dropped() {
    let text = "why = 'w'\nfound = 'f'\nvalue_recipe = '[{\"$depth\": 100000}]'";
    let deep = corpus::parse_regression("s", text).unwrap();
    assert_eq!(format!("{:?}", deep.inputs), "[Value(Held(array))]");
}
