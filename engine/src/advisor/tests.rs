//! Every class has a file, a row and examples that match it first.

use super::*;

fn found(text: &str) -> Classified {
    classify(text, &ErrorFacts::default())
}

#[test]
fn classes_have_a_file_each_named_as_the_id() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/advisor/classes");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "mod.rs")
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();
    files.sort();
    let mut ids: Vec<&str> = CLASSES.iter().map(|class| class.id).collect();
    ids.sort_unstable();
    assert_eq!(files, ids);
    assert_eq!(CLASSES.last().map(|class| class.id), Some("other"));
}

#[test]
fn every_pattern_compiles() {
    for class in CLASSES {
        for rule in class.rules {
            for signal in [rule.any, rule.all, rule.unless].into_iter().flatten() {
                if let Signal::Says(pattern) = signal {
                    regex::Regex::new(pattern).expect(rule.id);
                    let letters = pattern.replace("\\W", "").replace("\\S", "");
                    assert_eq!(letters, letters.to_ascii_lowercase(), "{}", rule.id);
                }
                if let Signal::Code(code) = signal {
                    assert_eq!(*code, code.to_ascii_lowercase(), "{}", rule.id);
                }
            }
        }
    }
}

#[test]
fn examples_are_decided_by_their_own_rule() {
    let mut wrong = Vec::new();
    for class in CLASSES {
        for rule in class.rules {
            assert!(rule.id.starts_with(class.id), "{}", rule.id);
            for example in rule.examples {
                let got = found(example);
                if got.rule != rule.id {
                    wrong.push(format!("{}: {} for {example}", rule.id, got.rule));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_a_known_word_the_status_decides_and_then_who_is_at_fault() {
    for (text, wanted) in [
        ("HTTP 529 odd", ("capacity", "status")),
        ("HTTP 500 odd", ("server", "status")),
        ("HTTP 599 odd", ("server", "status")),
        ("HTTP 418 odd", ("other", "request")),
        ("odd", ("other", "unknown")),
    ] {
        let got = found(text);
        assert_eq!((got.class.id, got.rule), wanted, "{text}");
    }
    let empty = Classifier::new(&[]).classify("HTTP 500 odd", &ErrorFacts::default());
    assert_eq!((empty.class.id, empty.rule), ("other", "unknown"));
}

#[test]
fn letters_of_a_key_say_nothing() {
    let bare = r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}"#;
    for key in ["sk-proj-4yBNqUOtAbF44rpm", "ghp_billing9aBilling9aBilling", "AKIAQUOTA12345678901"]
    {
        assert_eq!(found(&format!("{bare} {key}")).class.id, "overflow", "{key}");
    }
}

#[test]
fn what_nobody_sees_says_nothing() {
    for hidden in ["\u{9b}1m", "\u{1b}[1m", "\u{1b}]0;try again in 5s\u{7}"] {
        let text = format!("429 Subscription quota exceeded; renew or purchase credits {hidden}");
        assert_eq!(found(&text).class.id, "quota", "{text:?}");
    }
}

#[test]
fn a_short_message_inside_a_body_is_a_line_of_its_own() {
    for raw in
        ["terminated", r"terminated\n    at run (index.js:4:2)", "stream terminated", "timeout"]
    {
        let text =
            format!(r#"{{"error":{{"message":"failed","metadata":{{"raw":"{raw}"}}}}}} then"#);
        assert_eq!(found(&text).class.id, "network", "{text}");
    }
}

#[test]
fn consequences_have_names() {
    let names = [Consequence::Overflow, Consequence::Transient, Consequence::Fatal];
    assert_eq!(names.map(Consequence::name), ["overflow", "transient", "fatal"]);
}
