//! Examples of settings files: older shapes, broken ones, and what a save leaves alone.

use serde_json::json;

use super::*;

fn read(text: &str) -> Loaded {
    Loaded::read(Some(text))
}

#[test]
fn older_shapes_mean_what_their_rows_say() {
    for row in MIGRATIONS {
        assert!(!row.examples.is_empty(), "{}", row.id);
        for (before, means) in row.examples {
            let loaded = read(before);
            let shape = loaded.diagnostics.iter().any(|d| matches!(d, Diagnostic::OldShape { .. }));
            assert!(shape, "{before}");
            let saved = loaded.save(&loaded.settings).expect("it can be read");
            let again = read(&saved);
            assert_eq!(again.settings, loaded.settings, "{before} -> {saved}");
            assert_eq!(again.diagnostics, [], "{before} -> {saved}");
            let file: Value = serde_json::from_str(&saved).expect("JSON");
            let means: Value = serde_json::from_str(means).expect("JSON");
            for (name, value) in means.as_object().expect("an object") {
                assert_eq!(file.get(name), Some(value), "{before} -> {saved}");
            }
            assert!(saved.contains(before.trim_matches(['{', '}'])), "{saved}");
        }
    }
}

#[test]
fn profiles_and_overrides_resolve_by_the_table() {
    for row in PROFILES {
        let mut settings = Settings { profile: row.policy, ..Settings::default() };
        assert_eq!(settings.resolve().grammar, row.grammar);
        for (mode, _) in crate::grammar::MODES {
            settings.grammar = Some(*mode);
            assert_eq!(settings.resolve().grammar, *mode);
            assert_eq!(settings.resolve().policy, row.policy);
        }
    }
    let spelled_out = read(r#"{"policyProfile":"adaptive","grammarRecovery":"strip"}"#);
    let mut settings = spelled_out.settings.clone();
    settings.choose_profile(Policy::Recover);
    assert_eq!(settings.resolve().grammar, Mode::Recover);
    assert_eq!(spelled_out.save(&settings).as_deref(), Ok(r#"{"policyProfile":"recover"}"#));
    settings.grammar = Some(Mode::Off);
    settings.choose_profile(Policy::Adaptive);
    assert_eq!(settings.resolve().grammar, Mode::Off);
    for (choice, stays) in
        [(UnknownTools::Preserve, None), (UnknownTools::Strip, Some(UnknownTools::Strip))]
    {
        settings.unknown_text = Some(choice);
        settings.choose_profile(Policy::Recover);
        assert_eq!(settings.unknown_text, stays);
    }
}

#[test]
fn diagnostics_say_what_stands_there_and_what_to_do() {
    let says = |text: &str| read(text).diagnostics.iter().map(ToString::to_string).collect();
    let (whole, long) = ("x".repeat(58), "x".repeat(59));
    for (text, wanted) in [
        (
            r#"{"repair":"a\tb"}"#,
            &[r#"`repair` is "a\tb"; write true or false; until then it is true"#][..],
        ),
        (
            &format!(r#"{{"showNotes":"{whole}"}}"#),
            &[&format!(r#"`showNotes` is "{whole}"; write true or false; until then it is false"#)],
        ),
        (
            &format!(r#"{{"showNotes":"{long}"}}"#),
            &[&format!(r#"`showNotes` is "{long}…; write true or false; until then it is false"#)],
        ),
        (
            r#"{"x\u0007":1,"repair":true,"b":2,"x\u0007":1,"b":3,"b":4}"#,
            &[
                "`b` stands more than once; the last one counts, remove the others",
                "`x ` stands more than once; the last one counts, remove the others",
            ],
        ),
        (r#"{"profile":"recover"}"#, &["`profile` is called `policyProfile` now; it was read"]),
    ] {
        let says: Vec<String> = says(text);
        assert_eq!(says, wanted, "{text}");
    }
    let error = read("[]").save(&Settings::default()).expect_err("it is a list").to_string();
    assert_eq!(
        error,
        "nothing was saved, because the settings cannot be read: it is no JSON object; defaults are used; mend the file, or move it away and save again"
    );
}

#[test]
fn planted_steps_are_the_ones_that_run() {
    let tables = Tables { finish: |_| "finished".to_owned(), ..Tables::default() };
    let loaded = Loaded::planted(Some("{}"), &tables);
    assert_eq!(loaded.save(&loaded.settings).as_deref(), Ok("finished"));
}

#[test]
fn a_save_touches_only_what_changed() {
    let text = "{\n  \"mine\" : [1e400, \"\\ud800\", {\"a\":1,\"a\":2}],\n  \"showNotes\": \"often\",\n  \"telemetry\": true\n}";
    let loaded = read(text);
    assert!(matches!(loaded.diagnostics.as_slice(), [Diagnostic::Value { key: "showNotes", .. }]));
    assert_eq!(loaded.save(&loaded.settings).as_deref(), Ok(text));
    let mut settings = loaded.settings.clone();
    settings.telemetry = false;
    settings.advisor = false;
    let saved = loaded.save(&settings).expect("it can be read");
    let wanted = text.replace("\"telemetry\": true", "\"telemetry\": false,\n  \"advisor\": false");
    assert_eq!(saved, wanted);
}

#[test]
fn members_come_and_go_with_their_commas() {
    let object = |text: &str| ObjectText::new(text.to_owned()).expect("an object");
    for (text, without) in [
        ("{ \"a\":1 , \"b\":2 }", "{ \"b\":2 }"),
        ("{\"b\":2, \"a\":1}", "{\"b\":2}"),
        ("{\"a\":1,\"a\":3,\"b\":2,\"a\":{\"b\":[1,\"}\"]},\"c\":3}", "{\"b\":2,\"c\":3}"),
        ("{ \"a\" : [1 , {}] }", "{  }"),
    ] {
        let left = object(text).remove("a").map(ObjectText::into_text);
        assert_eq!(left.as_deref(), Some(without));
    }
    let set = |text: &str| object(text).set("a", &json!([1])).map(ObjectText::into_text);
    assert_eq!(set("{}").as_deref(), Some("{\n\t\"a\": [1]\n}"));
    assert_eq!(set("{\"b\":2}").as_deref(), Some("{\"b\":2,\"a\":[1]}"));
    assert_eq!(set("{\"a\":0,\"b\":2,\"a\":3}").as_deref(), Some("{\"a\":0,\"b\":2,\"a\":[1]}"));
}

#[test]
fn what_cannot_be_read_is_never_written_over() {
    let whole = Settings::default().to_text();
    assert_eq!(read(&whole).settings, Settings::default());
    for end in 1..whole.trim_end().len() {
        let cut = read(&whole[..end]);
        assert_eq!(cut.settings, Settings::default());
        assert!(matches!(cut.diagnostics.as_slice(), [Diagnostic::Unreadable { .. }]), "{end}");
        assert!(cut.save(&cut.settings).is_err());
    }
    for text in ["[]", "null", "{\"a\":1,}", "{\"a\":1}x", "{a:1}", "{\"a\":tru}", "// x\n{}"] {
        assert!(read(text).is_unreadable(), "{text}");
    }
    for text in [None, Some(""), Some("\u{feff} \n")] {
        let absent = Loaded::read(text);
        assert_eq!(absent.diagnostics, []);
        assert_eq!(absent.save(&absent.settings), Ok(whole.clone()));
    }
}

#[test]
fn changes_go_through_the_keys() {
    let mut settings = Settings::default();
    assert_eq!(settings.set("policyProfile", &json!("recover")), Ok(()));
    assert_eq!(settings.set("grammarRecovery", &json!("off")), Ok(()));
    assert_eq!(settings.resolve().grammar, Mode::Off);
    assert_eq!(settings.set("grammarRecovery", &json!(null)), Ok(()));
    assert_eq!(settings.resolve().grammar, Mode::Recover);
    assert_eq!(settings.set("grammarAllowedTools", &json!(["read"])), Ok(()));
    let before = settings.clone();
    for (key, value) in [("showNotes", json!("yes")), ("grammarAllowedTools", json!([1]))] {
        let says = settings.set(key, &value).expect_err("it may not be").to_string();
        assert!(says.contains("write "), "{says}");
    }
    assert!(matches!(settings.set("colour", &json!(1)), Err(Diagnostic::NoKey { .. })));
    assert_eq!(settings, before);
}
