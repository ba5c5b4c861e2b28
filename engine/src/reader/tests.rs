//! What the reader promises, tried on texts.

use serde_json::{Value, json};

use super::{LIBERTIES, ReadErrorKind, ReadOptions, Reading, Stop, read};

fn tried(text: &str) -> Result<Reading, ReadErrorKind> {
    read(text, &ReadOptions::default()).map_err(|error| error.kind)
}

fn value(text: &str) -> Value {
    tried(text).unwrap_or_else(|kind| panic!("{text}: {kind}")).value
}

fn refuses(kind: &ReadErrorKind, texts: &[&str]) {
    for text in texts {
        match tried(text) {
            Ok(reading) => panic!("{text} was read as {}", reading.value),
            Err(got) => assert_eq!(got, *kind, "{text}"),
        }
    }
}

/// Texts of many shapes, all strict JSON with an object or array at the root.
const STRICT: &[&str] = &[
    r#"{"path":"docs/é.md","edits":[{"oldText":"a\n\tb","newText":"\"q\" \\ \/ \ud83d\ude00 \u00e9"}],"n":-12.5e3}"#,
    "  [ 1 , [ ] , { } , [ [ { } ] ] , true , false , null , \"\" ]\n",
    r#"{"z":1,"a":{"z":[0.1,1e21,0,-0,-0.0,18446744073709551615,-9223372036854775808]},"m":"C:\\x"}"#,
    r#"{"a":"it's “so” // no comment # {[","b":[{"c":{"d":["e",{"f":false}]}},10]}"#,
    r#"[{"":""},{"a b":[123,45,"6"]},"\b\f\r","𝄞",{"__proto__":null,"~1":0,"a/b":{}}]"#,
    "[1e5,1E+2,2.5e-3,0.30000000000000004,5e-324,1.7976931348623157e308,123456789.125]",
    "{\"\u{2028}\":\"\u{7f}\u{80}\u{feff}\"}",
];

#[test]
fn each_example_takes_its_own_liberty_alone() {
    for row in LIBERTIES {
        assert!(!row.examples.is_empty(), "{} has no example", row.id);
        for (text, json) in row.examples {
            let reading = tried(text).unwrap_or_else(|kind| panic!("{}: {text}: {kind}", row.id));
            assert_eq!(reading.value.to_string(), *json, "{}: {text}", row.id);
            let took: Vec<_> = reading.liberties.iter().map(|used| used.liberty.id).collect();
            assert_eq!(took, [row.id], "{text}");
        }
    }
}

#[test]
fn table_and_folder_agree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/reader/liberties");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .filter(|stem| stem != "mod")
        .map(|stem| format!("read.{}", stem.replace('_', "-")))
        .collect();
    files.sort();
    let mut rows: Vec<_> = LIBERTIES.iter().map(|row| row.id.to_owned()).collect();
    rows.sort();
    assert_eq!(files, rows);
}

#[test]
fn strict_json_is_read_as_serde_reads_it() {
    let scalars = ["12", " -0.5 ", "true", "false", "null\n", r#""a\u0041""#, "0", "\"{\"", "1e2"];
    for text in STRICT.iter().chain(&scalars) {
        let reading = tried(text).unwrap();
        let expected: Value = serde_json::from_str(text).unwrap();
        assert_eq!(reading.value.to_string(), expected.to_string(), "{text}");
        assert_eq!(reading.value, expected, "{text}");
        assert!(reading.liberties.is_empty(), "{text}: {:?}", reading.liberties);
        assert_eq!(reading.inexact, None, "{text}");
    }
}

/// Adds every leaf of a value with its path; empty containers are leaves.
fn leaves(value: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    let mut inside = Vec::new();
    match value {
        Value::Array(items) => {
            inside.extend(items.iter().enumerate().map(|(at, item)| (at.to_string(), item)));
        }
        Value::Object(members) => {
            inside.extend(members.iter().map(|(key, member)| (format!("{key:?}"), member)));
        }
        _ => {}
    }
    if inside.is_empty() {
        found.push((path.to_owned(), value.clone()));
    }
    for (step, value) in inside {
        leaves(value, &format!("{path}/{step}"), found);
    }
}

#[test]
fn a_cut_text_never_yields_a_cut_leaf() {
    let escaped: Vec<String> = STRICT
        .iter()
        .map(|text| serde_json::to_string(text).unwrap())
        .map(|text| text.trim_matches('"').to_owned())
        .collect();
    let pythonic =
        ["{'a': 'x\\'y', 'b': [True, None, {'c': 12}], 'd': \"it's\"}", "{“a”: [“b”, ‘c’]}"];
    let texts = STRICT.iter().copied().chain(escaped.iter().map(String::as_str)).chain(pythonic);
    for text in texts {
        let Ok(whole) = tried(text) else { continue };
        let mut known = Vec::new();
        leaves(&whole.value, "", &mut known);
        for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let Ok(reading) = tried(&text[..end]) else { continue };
            let mut found = Vec::new();
            leaves(&reading.value, "", &mut found);
            for leaf in found {
                assert!(known.contains(&leaf), "{leaf:?} in {}", &text[..end]);
            }
        }
    }
}

#[test]
fn a_cut_text_says_where_it_stopped() {
    for (stop, texts) in [
        (
            Stop::BetweenMembers,
            &[
                "{",
                "[",
                "[1,",
                "{\"a\":1, ",
                "{\"a\":{",
                "[[",
                "{\"a\":1}{\"a\":1 ",
                r#"{\"a\":1}\"#,
            ][..],
        ),
        (Stop::InKey, &["{\"a", "{\"a\":1,\"b\\", "{pa", "{'a"]),
        (Stop::AfterKey, &["{\"a\"", "{\"a\":", "{\"a\": \n", "{a ", "{\"a\":\\"]),
        (
            Stop::InString,
            &[
                "{\"a\":\"rm -r",
                "[\"a\\",
                "\"a",
                "{\"a\":\"C:\\d",
                "['x",
                "[“x",
                "[\\\"x",
                r#"{\"a\":\"x\\"#,
                r#"{\"a\":\"x\"#,
                r#"{\"a\":\"x\u00e"#,
            ],
        ),
        (Stop::InNumber, &["[1", "{\"a\":-", "[1.", "[1e", "[1e+"]),
        (Stop::InLiteral, &["[tru", "{\"a\":n", "[Non"]),
        (Stop::InComment, &["[1, // x", "[1 /* x", "{\"a\":1 # x"]),
    ] {
        refuses(&ReadErrorKind::CutOff(stop), texts);
    }
}

#[test]
fn a_guess_is_refused() {
    refuses(
        &ReadErrorKind::Broken,
        &[
            "[1,,2]",
            "[,]",
            "{,}",
            "[1 2]",
            r#"{"a":1 "b":2}"#,
            r#"[{"a":1]"#,
            r#"{"a":"b"c"}"#,
            "['it's']",
            "[NaN]",
            "[Infinity]",
            "[-Infinity]",
            "[undefined]",
            "[+1]",
            "[.5]",
            "[0x1]",
            "[1_000]",
            "[01]",
            "[1.]",
            r#"{"query": , "limit": 5}"#,
            r#"{"questions":["q":1]}"#,
            r#"["query": code, "days": 7]"#,
            r#"{"{"tagIds":["t1"]}"#,
            r#"{"seconds":60*60*12}"#,
            r#"{"files": E:\Docs\report.md, "c": "x"}"#,
            r#"{ "key": "value", COMMENT FROM MODEL "key2": "value2" }"#,
            r#"{"p": ["C(2)", "F(3)], "q": "x"}"#,
            r#"[“a"b”]"#,
            "[“a“b”]",
            r#"{"q": \"a \"b\" c\"}"#,
            r#"{"q": \"C:\temp\", "b": 1}"#,
            r#"echo {"command":"x"} > f"#,
            r#"{"a":1}, and more"#,
            r#"{"a":1} 5"#,
            r#"{"a":1} "b""#,
            r#"{"a":1} | jq"#,
            r#"{"a":1} or {b}"#,
            "use [0-9]+ here: [1]",
            ".[0]",
            "tool --opt=[1]",
            "cat <<EOF\n{\"a\":1}\nEOF",
            "[1].txt",
            "[#fff,\n 1]",
            "{\"a\":60 // 2\n}",
            "{None: 1}",
            r"{\name: 1}",
            "5\n{\"a\":1}",
            "{\"a\":1} // or {\"a\":2}",
            "{\"a\":\"\"# b\"\n}",
            "{\"a\":\"b\" // c\",\n\"d\":1}",
            "{\"a\":\"b\" /* \"c */, \"d\":1}",
            "{'a':'b', # c'\n}",
            "01",
            "NaN",
            "None",
            "'x'",
            "{\"a\":1}\n```json\n[",
            "```json\nls\n```\n[1]",
            "```json\n[1]\n~~~",
            "````json\n[1]\n```",
            "{\"a\":1} /* done",
            r#"{\"a\": ? \"#,
            r#"{\"a\":\"x\q\"}"#,
            r#"{\"a\":\"\u00zz"#,
            r#"{\"a\":\"\u00zz\"}"#,
        ],
    );
    refuses(&ReadErrorKind::TwoValues, &[r#"{"a":1}{"a":2}"#, "[1] [1.0]"]);
    refuses(
        &ReadErrorKind::NotJson,
        &["ls -la", "src/main.rs", "12 apples", "`x`", "# title", "/*.js"],
    );
    refuses(&ReadErrorKind::Empty, &["", " \n"]);
    refuses(
        &ReadErrorKind::LoneSurrogate,
        &[
            r#"["x\ud83cy"]"#,
            r#"["\udc00"]"#,
            r#"["\ud83c\ud83c"]"#,
            r#"["\u0041\udc00"]"#,
            r#"{\"a\":\"\ud83c\"}"#,
        ],
    );
    refuses(
        &ReadErrorKind::DuplicateKey { key: "p".into() },
        &[r#"{"p":1,"p":2}"#, r#"{"p":1,"p":1.0}"#],
    );
}

#[test]
fn a_literal_with_two_meanings_is_refused() {
    refuses(
        &ReadErrorKind::AmbiguousEscape,
        &[
            r#"["echo a\necho \$HOME"]"#,
            r#"["\"x\" \d"]"#,
            r#"["\\d \w"]"#,
            r#"["a\/b \d"]"#,
            r#"["\u0041 \d"]"#,
            r#"["C:\Dev\nThen go on"]"#,
            r#"["it\'s"]"#,
            "[\"a\\\nb\"]",
            r#"["\x1b[0m"]"#,
            r#"["\U0001f600"]"#,
            "[\"it\\’s\"]",
            r"['a\/b']",
            r"['\a']",
            r"['\1']",
            r#"["1:\dev\new"]"#,
            r#"["C:\dev\new|x"]"#,
            r"['dir C:\temp']",
            r"['\bfoo']",
            r"['C:\temp']",
            r#"['a\\nb', \"it's\"]"#,
            r#"{\"path\":\"C:\\temp\"}"#,
            r#"{\"path\":\"a\nb\"}"#,
        ],
    );
    assert_eq!(value(r#"{"path":"C:\users\x"}"#), json!({"path": r"C:\users\x"}));
    assert_eq!(value(r#"["\bfoo\d", "\b"]"#), json!([r"\bfoo\d", "\u{8}"]));
    assert_eq!(value(r"['C:\\temp', '\\']"), json!([r"C:\temp", "\\"]));
    assert_eq!(value(r"['C:\\temp\n', '\U0001f600']"), json!(["C:\\temp\n", "😀"]));
    assert_eq!(value(r"['Step 1:\n- x', 'see:\there']"), json!(["Step 1:\n- x", "see:\there"]));
    assert_eq!(value(r#"{'a': \"b\"}"#), json!({"a": "b"}));
    assert_eq!(value(r#"{\"a\": "x\\ny"}"#), json!({"a": r"x\ny"}));
}

#[test]
fn liberties_combine() {
    let text = "Here is the call:\n```json\n{'a': True, // yes\n b: [1, 2,],}\n```\nDone.";
    assert_eq!(value(text), json!({"a": true, "b": [1, 2]}));
    assert_eq!(
        value("{'theme': 'dark', 'wrap': True, 'font': None}"),
        json!({"theme":"dark","wrap":true,"font":null})
    );
    for text in [
        "</think>\n{\"a\":1}}\n",
        "Here it is:\n  ```json\n  {\"a\":1}\n  ```",
        "/* the call */ {\"a\":1}",
        "{\"a\":1} // done",
        "{\"a\":1 // 1 call\n}",
        "{\"a\":1 // --\n}",
        "{// the \"a\" of it\n\"a\":1}",
        "{\"a\":1,\n  // not \"b\"\n}",
        "{\"a\":1, // don't\n}",
        "{\"a\":1} (as asked)",
    ] {
        assert_eq!(value(text), json!({"a": 1}), "{text}");
    }
    let reading = tried(r#"{\"a\": [1, \"b\""#).unwrap();
    assert_eq!(reading.value, json!({"a": [1, "b"]}));
    assert!(reading.liberties.iter().any(|used| used.liberty.truncation && used.count == 2));
}

#[test]
fn a_number_that_nothing_holds_is_reported() {
    for text in [
        "1e400",
        "-1e400",
        "1e-400",
        "1.5e-400",
        "1.5e400",
        "123456789012345678901234567890",
        "0.1234567890123456789",
        "18446744073709551616",
    ] {
        assert_eq!(tried(&format!("[{text}]")).unwrap().inexact, Some(1), "{text}");
    }
    assert_eq!(value("[1e400,-1e999]"), json!([f64::MAX, f64::MIN]));
    for text in [
        "1.50",
        "100e-2",
        "1500e-2",
        "0.000",
        "-0",
        "1e300",
        "0e99999999999999999999",
        "9007199254740993",
    ] {
        assert_eq!(tried(&format!("[{text}]")).unwrap().inexact, None, "{text}");
    }
}

#[test]
fn nesting_costs_no_stack() {
    let run = || {
        for unit in ["[", "{\"a\":", "[[],{\"a\":[", "{a:", "{\\\"a\\\":", "[\\n"] {
            let kind = tried(&unit.repeat(100_000)).unwrap_err();
            assert_eq!(kind, ReadErrorKind::TooDeep { depth_max: 128 }, "{unit}");
        }
        let most = format!("{}1{}", "[".repeat(128), "]".repeat(128));
        assert!(tried(&most).is_ok());
        assert!(tried(&format!("[{most}]")).is_err());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn every_byte_looked_at_is_counted() {
    for text in [r#"{"a": "b"}"#, "[1, 2, 3]", "{} {} {}", "{a: // b\n 1}", r#"["a", "b" x]"#] {
        let steps = match read(text, &ReadOptions::default()) {
            Ok(reading) => reading.steps,
            Err(error) => error.steps,
        };
        let length = text.len() as u64;
        assert!((length - 2..=3 * length).contains(&steps), "{text}: {steps} steps");
    }
}

#[test]
fn work_is_linear() {
    let closed = |unit: &str, times| format!("[{}0]", unit.repeat(times));
    for unit in [
        "[",
        "{",
        "\\",
        "\\n",
        "\"",
        "'",
        "“",
        "\\\"",
        "```\n",
        "~~~ {",
        "{}",
        "[] ",
        "// x\n",
        "/* ",
        "#",
        "<x>",
        "a: ",
        "{a:1}",
        "\"\\d\",",
        "'\\'',",
        "1,",
        "1e400,",
        "[],",
        "{\"a\":1,\"a\":1},",
        "/**/",
        "0",
        "\"\\ud83d\\ude00\",",
        "<",
        "- ",
        ".",
        "<<",
    ] {
        for text in [|unit: &str, times| unit.repeat(times), closed] {
            let steps = |times| {
                let text = text(unit, times);
                let steps = match read(&text, &ReadOptions::default()) {
                    Ok(reading) => reading.steps,
                    Err(error) => error.steps,
                };
                assert!(
                    steps <= 12 * text.len() as u64 + 64,
                    "{unit}: {steps} steps for {} bytes",
                    text.len()
                );
            };
            steps(1_000);
            steps(100_000);
        }
    }
}

#[test]
fn offsets_point_into_the_text() {
    let reading = tried("{'a': 1, 'b': 2,}").unwrap();
    let at: Vec<_> = reading.liberties.iter().map(|used| (used.count, used.at_byte)).collect();
    assert_eq!(at, [(1, 15), (2, 1)]);
    let error = read(r#"{\"a\": \"b\", \"c\": ?}"#, &ReadOptions::default()).unwrap_err();
    assert_eq!((error.kind, error.at_byte), (ReadErrorKind::Broken, 22));
    for (text, says) in [
        (r#"["abc\ud83c"]"#, "a \\u escape is half of a surrogate pair (byte 5)"),
        (
            r#"["abc\n\d"]"#,
            "a string mixes escapes with backslashes that may be meant literally (byte 5)",
        ),
        (r#"["x", "y"#, "the text was cut off inside a string (byte 8)"),
    ] {
        assert_eq!(read(text, &ReadOptions::default()).unwrap_err().to_string(), says, "{text}");
    }
    assert_eq!(tried(r#"["abc\d"]"#).unwrap().liberties[0].at_byte, 5);
}

/// Every text of a few thousand, put together from pieces that matter to the reader.
fn piece_soup(mut each: impl FnMut(&str)) {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"b\":",
        "1",
        "-0",
        "2.5",
        "1e3",
        "true",
        "null",
        "None",
        " ",
        "\n",
        "\\",
        "\\n",
        "\\\"",
        "\\u00e9",
        "\\d",
        "'",
        "'a'",
        "“",
        "”",
        "// c\n",
        "/*",
        "*/",
        "#",
        "a",
        "é",
        "```",
        "{\"a\":1}",
        "[1,2]",
        "\"x\\ty\"",
        ": ",
        "<x>",
        ".",
    ];
    let mut state = 0x5eed_u64;
    let mut below = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % bound
    };
    for _ in 0..60_000 {
        let length = 1 + below(12);
        let text: String = (0..length).map(|_| PIECES[below(PIECES.len())]).collect();
        each(&text);
    }
}

#[test]
fn a_reading_without_liberties_is_strict_json() {
    piece_soup(|text| {
        let strict = serde_json::from_str::<Value>(text);
        match (tried(text), strict) {
            (Ok(reading), Ok(expected)) => {
                let merged = reading
                    .liberties
                    .iter()
                    .all(|used| used.liberty.id == "read.merge-equal-members");
                assert!(merged, "{text}: {:?}", reading.liberties);
                assert_eq!(reading.value, expected, "{text}");
            }
            (Ok(reading), Err(_)) => assert!(!reading.liberties.is_empty(), "{text}"),
            (Err(kind), Ok(_)) => {
                assert!(matches!(kind, ReadErrorKind::DuplicateKey { .. }), "{text}: {kind}");
            }
            (Err(_), Err(_)) => {}
        }
    });
}
