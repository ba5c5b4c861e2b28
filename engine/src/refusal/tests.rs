//! Reasons, previews, and what a refusal says is expected where.

use super::*;

#[test]
fn reasons_have_one_row_each() {
    let last = Reason::Misfit;
    assert_eq!(last.row() + 1, REASONS.len());
    let mut ids: Vec<&str> = REASONS.iter().map(|row| row.0).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), REASONS.len());
    assert_eq!(Reason::CutOff(None).id(), "cut-off");
    assert_eq!(Reason::Misfit.id(), "misfit");
}

#[test]
fn previews_are_cut_between_characters() {
    let long = "😀".repeat(PREVIEW_CHARS_MAX + 1);
    assert_eq!(preview(&long).chars().count(), PREVIEW_CHARS_MAX + 1);
    assert!(preview(&long).ends_with('…'));
}

#[test]
fn previews_are_one_short_line() {
    assert_eq!(preview("a\nb"), "a b");
    assert_eq!(preview_value(&serde_json::json!({"a": [1, "b"]})), r#"{"a":[1,"b"]}"#);
    let shown = preview_value(&"😀".repeat(300).into());
    assert_eq!(shown, format!("\"{}…", "😀".repeat(PREVIEW_CHARS_MAX - 1)));
}

fn schema() -> Schema {
    Schema::compile(serde_json::json!({
        "type": "object",
        "required": ["path"],
        "additionalProperties": false,
        "properties": {
            "path": {"type": "string"},
            "mode": {"enum": ["a", "b"]},
            "kind": {"const": "x"},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "n": {"minimum": 1}
        }
    }))
    .expect("compiles")
}

#[test]
fn a_refusal_says_what_was_expected_where() {
    for (args, says) in [
        (r#"{"path":5}"#, "- `path`: expected string, got number"),
        ("{}", "- `arguments`: expected a member `path`, got object"),
        (r#"{"path":"","x":1}"#, "- `arguments`: expected no member `x`, got object"),
        (r#"{"path":"","mode":"c"}"#, "- `mode`: expected one of \"a\", \"b\", got string"),
        (r#"{"path":"","kind":1}"#, "- `kind`: expected \"x\", got number"),
        (
            r#"{"path":"","limit":"z"}"#,
            "- `limit`: expected one of the declared forms (null or integer), got string",
        ),
        (r#"{"path":"","n":0}"#, "- `n`: expected a value that meets `minimum`, got number"),
    ] {
        let value: Value = serde_json::from_str(args).expect("JSON");
        let refusal = refuse_value("find", &schema(), (&value, &value), Reason::Misfit);
        let message = refusal.message();
        assert!(message.starts_with("Call to `find` was not run: "), "{message}");
        let rest = format!("\n{says}\nExpected: {{\"path\": string, ");
        assert!(message.contains(&rest), "{message}");
        assert!(message.ends_with(&format!("}}\nReceived: {args}")), "{message}");
    }
    let bare = Refusal {
        expected: String::new(),
        ..refuse_text("find", &schema(), "", Reason::Unreadable)
    };
    assert!(!bare.message().contains('\n'), "{}", bare.message());
}

#[test]
fn reasons_say_what_they_know() {
    for (kind, id, end) in [
        (
            ReadErrorKind::CutOff(Stop::InKey),
            "cut-off",
            "stopped inside a key; send the whole call again",
        ),
        (ReadErrorKind::DuplicateKey { key: "k".to_owned() }, "duplicate-key", " (`k`)"),
        (ReadErrorKind::LoneSurrogate, "lone-surrogate", ""),
        (ReadErrorKind::TwoValues, "two-values", ""),
        (ReadErrorKind::TooDeep { depth_max: 5 }, "too-deep", " (the limit is 5 levels)"),
        (ReadErrorKind::AmbiguousEscape, "ambiguous-escape", ""),
        (ReadErrorKind::Broken, "unreadable", ""),
    ] {
        let reason = Reason::from_read(kind);
        assert_eq!(reason.id(), id);
        assert!(reason.to_string().ends_with(end), "{reason}");
        assert_eq!(reason.pointer(), None);
    }
    assert!(Reason::CutOff(None).to_string().ends_with("; send the whole call again"));
    assert!(Reason::OverLimit("work_max").to_string().ends_with(" `work_max`"));
    let at = Pointer::root().child("a").child("b");
    let reason = Reason::DamagedPath(at.clone());
    assert!(reason.to_string().ends_with(" (`a.b`)"));
    assert_eq!(reason.pointer(), Some(&at));
}

#[test]
fn fingerprints_are_of_the_failure_and_of_no_value() {
    let of =
        |args: Value| refuse_value("find", &schema(), (&args, &args), Reason::Misfit).fingerprint;
    assert_eq!(of(serde_json::json!({"path": ""})), 0x33d0_6132_1e8f_d8a8);
    let mode = |mode: &str| of(serde_json::json!({"path": "", "mode": mode}));
    assert_eq!((mode("c"), mode("d")), (0x4b9b_8cf7_d2e6_96e8, 0x4b9b_8cf7_d2e6_96e8));
    let secret = Pointer::root().child("secret").child("x");
    assert_eq!(redacted(&schema().root(), &secret), "/*/*");
    assert_eq!(redacted(&schema().root(), &Pointer::root().child("mode")), "/mode");
}
