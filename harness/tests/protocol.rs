//! The examples of PROTOCOL.md, each sent to the reference and held to the answer that stands there.

use harness::conform::serve::Server;
use harness::conform::{FEATURES, OPERATIONS, needs};
use serde_json::Value;

fn page(name: &str) -> String {
    let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Whether everything that is written stands in the answer; lists must be of the same length.
fn holds(written: &Value, answer: &Value) -> bool {
    match (written, answer) {
        (Value::Object(written), Value::Object(answer)) => written
            .iter()
            .all(|(key, value)| answer.get(key).is_some_and(|answer| holds(value, answer))),
        (Value::Array(written), Value::Array(answer)) => {
            written.len() == answer.len() && written.iter().zip(answer).all(|(a, b)| holds(a, b))
        }
        _ => written == answer,
    }
}

#[test]
fn every_example_gets_its_answer() {
    let page = page("PROTOCOL.md");
    let blocks = page.split("```jsonl\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(lines.len() >= 20 && lines.len().is_multiple_of(2));
    let mut server = Server::new(None);
    for pair in lines.chunks(2) {
        let written: Value = serde_json::from_str(pair[1]).expect("an answer is JSON");
        let answer = server.answer(pair[0]);
        assert!(
            holds(&written, &answer),
            "{}\nis answered by {answer}\nand not {written}",
            pair[0]
        );
    }
}

#[test]
fn every_operation_and_feature_is_described() {
    let page = page("PROTOCOL.md");
    for (_, name) in OPERATIONS {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    for (_, name, says) in FEATURES {
        assert!(page.contains(&format!("| `{name}` | {says} |")), "{name}");
    }
}

#[test]
fn every_promise_and_damage_is_listed() {
    let page = page("docs/conform.md");
    let missing: Vec<String> =
        needs::listing().lines().filter(|line| !page.contains(line)).map(str::to_owned).collect();
    assert!(missing.is_empty(), "print `pi-repair conform --list` again: {missing:#?}");
}

#[test]
fn what_is_no_question_is_an_error() {
    let mut server = Server::new(None);
    for line in ["x", "[]", "{\"id\":1}", "{\"id\":1,\"op\":\"repair\"}"] {
        let answer = server.answer(line);
        assert!(answer["error"]["code"].is_string(), "{line}: {answer}");
    }
}
