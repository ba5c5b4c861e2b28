//! The advisor beside real wordings, the host's classifier, and transcripts of every event order.

use std::io::{ErrorKind, Write as _};
use std::process::{Command, Stdio};

use engine::advisor::{Advisor, ErrorFacts, classify};
use harness::advice::case::WRAPPINGS;
use harness::score::{Verdict, score};
use harness::transcript::Transcript;
use serde_json::Value;

fn lines(file: &str) -> Vec<Value> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(read).collect()
}

fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn wordings_get_the_class_a_careful_reader_gives() {
    let mut wrong = Vec::new();
    for row in lines("errors/wordings.jsonl") {
        let provider = row.get("provider").and_then(Value::as_str);
        let found = classify(text(&row, "text"), &ErrorFacts { provider, ..ErrorFacts::default() });
        let also = row.get("also").and_then(Value::as_array);
        let accepted = also.is_some_and(|also| also.contains(&found.class.id.into()));
        if found.class.id != text(&row, "class") && !accepted {
            let wanted = text(&row, "class");
            wrong.push(format!(
                "wanted {wanted}, got {} ({}): {}",
                found.class.id,
                found.rule,
                text(&row, "text")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_transcript_gives_the_notes_it_names() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/transcripts");
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
    let paths = entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}")).path());
    let (mut read, mut wrong) = (0, Vec::new());
    for path in paths.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let transcript = Transcript::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!transcript.about.is_empty(), "{name} does not say what it shows");
        let answers = transcript.run(Advisor::new());
        let differences = transcript.differences(&answers);
        wrong.extend(differences.into_iter().map(|line| format!("{name}, {line}")));
        read += 1;
    }
    assert!(read >= 40, "{read} transcripts");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_real_error_is_read_right() {
    let cases =
        corpus::cases(corpus::Area::ProviderErrors).unwrap_or_else(|error| panic!("{error}"));
    let score = score(&cases, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((score.of(Verdict::Wrong), score.of(Verdict::Right)), (0, 23));
}

#[test]
fn a_class_survives_its_wrapping() {
    let mut wrong = Vec::new();
    let (mut seen, mut same) = (0, 0);
    for row in lines("errors/wordings.jsonl").iter().chain(&lines("cases/provider-errors.jsonl")) {
        let plain = classify(text(row, "text"), &ErrorFacts::default());
        for (name, wrap) in WRAPPINGS {
            let wrapped = wrap(text(row, "text"), "429");
            let found = classify(&wrapped, &ErrorFacts::default());
            seen += 1;
            same += usize::from(found.class.id == plain.class.id);
            if found.class.consequence != plain.class.consequence {
                wrong.push(format!(
                    "{name}: {} ({}), plain {} ({}): {}",
                    found.class.id, found.rule, plain.class.id, plain.rule, wrapped
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(same * 100 >= seen * 97, "{same} of {seen} keep their finer class");
}

/// What a prompt may hold, as it stands in a body that nobody escaped.
const ECHOED: &[&str] = &[
    r#"429 Too many requests, rate limit "x" y"#,
    r#"say "hi", then 429 too many requests"#,
    r#"{"error":{"message":"rate limit exceeded","code":429}}"#,
    r#"a", "b" 429 rate limit exceeded"#,
    r#"""rate limit exceeded" 401 invalid api key"#,
    r"it's a 429: 'rate limit exceeded'",
    r#"unauthorized\" 401 "invalid api key"#,
    r#"print("}") # insufficient_quota, billing"#,
    r#"[{"code": 429}] rate limit exceeded "}"#,
    r#"f("}}}") # 429 rate limit exceeded"#,
    "<html><title>503 Service Unavailable</title>",
];

/// Bodies with `MESSAGE` before `ECHO`.
const ECHOING: &[&str] = &[
    r#"{"error":{"message":"MESSAGE"},"request":{"limit":429,"prompt":"ECHO"}}"#,
    r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"MESSAGE","input":"ECHO"}}"#,
    r#"API error (400): {"message":"MESSAGE","messages":[{"role":"user","content":"ECHO"}],"n":1}"#,
    r"litellm.BadRequestError: {'error': {'message': 'MESSAGE', 'input': {'k': ['ECHO', 1]}}}",
    r#"failed {"id":"1"} then {"error":{"message":"MESSAGE","args":{"text":"ECHO"}}} (sent twice)"#,
    r#"{"detail":[{"type":"x","loc":["body",1],"msg":"MESSAGE","input":"ECHO","ctx":{"e":"ECHO"}}]}"#,
    r#"x {\"error\":{\"message\":\"MESSAGE\",\"request_body\":\"ECHO\"}}"#,
    r#"[{"error":{"message":"MESSAGE","details":[{"request":{"contents":[{"text":"ECHO"}]}}]}}]"#,
];

#[test]
fn what_a_body_echoes_decides_nothing_however_it_breaks() {
    let long = "prompt is too long: 213462 tokens > 200000 maximum";
    let mut wrong = Vec::new();
    for body in ECHOING {
        for echo in ECHOED {
            let whole = body.replace("MESSAGE", long).replace("ECHO", echo);
            let told = whole.find(long).map_or(0, |at| at + long.len());
            for at in (told..=whole.len()).filter(|at| whole.is_char_boundary(*at)) {
                let found = classify(&whole[..at], &ErrorFacts::default());
                if found.class.id != "overflow" {
                    wrong.push(format!("{} ({}): {}", found.class.id, found.rule, &whole[..at]));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_echo_before_the_message_decides_nothing_either() {
    let mut wrong = Vec::new();
    for body in [
        r#"{"request":{"prompt":"ECHO"},"error":{"message":"prompt is too long"}}"#,
        r#"400 {"input":"ECHO","message":"prompt is too long","n":1}"#,
        r#"{'messages': [{'content': "ECHO"}], 'msg': 'prompt is too long'}"#,
        r#"{"data":{"request":{"prompt":"ECHO"}}}"#,
    ] {
        for echo in ECHOED {
            let whole = body.replace("ECHO", echo);
            for at in 1..=whole.len() {
                let found = classify(&whole[..at], &ErrorFacts::default());
                if !["overflow", "other"].contains(&found.class.id) {
                    wrong.push(format!("{} ({}): {}", found.class.id, found.rule, &whole[..at]));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs `pi-repair advise -` on a text; its status, output and errors.
fn advise(options: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pi-repair"))
        .arg("advise")
        .args(options)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{error}"));
    let mut stdin = child.stdin.take().unwrap_or_else(|| panic!("a pipe"));
    // A command that refuses its options may be gone before it reads.
    match stdin.write_all(input.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("{error}"),
        _ => drop(stdin),
    }
    let output = child.wait_with_output().unwrap_or_else(|error| panic!("{error}"));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_tells_texts_from_transcripts() {
    let (status, out, _) =
        advise(&[], "429 Rate limit reached. Please try again in 20s. key sk-abcdef123456");
    assert_eq!(status, Some(0));
    assert!(out.contains("throttle (transient)") && out.contains("throttle.rate-limit"), "{out}");
    assert!(out.contains("wait_ms 20000") && out.contains("[redacted]"), "{out}");
    assert!(!out.contains('\u{1b}') && !out.contains("abcdef"), "{out}");
    let body = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let (_, out, _) = advise(&["--json"], body);
    let told: Value = serde_json::from_str(&out).unwrap_or_default();
    assert_eq!((&told["class"], &told["note_says_retry"]), (&"capacity".into(), &true.into()));
    let (_, out, _) = advise(&["--json", "--provider", "cerebras"], "400 status code (no body)");
    assert!(out.contains("overflow.cerebras-silent"), "{out}");
    let lines = concat!(
        r#"{"event":"message_end","role":"user"}"#,
        "\n",
        r#"{"event":"message_end","role":"assistant","stopReason":"error","errorMessage":"fetch failed"}"#,
    );
    let (status, out, _) = advise(&[], lines);
    assert_eq!(status, Some(0));
    assert!(out.contains("one note") && out.contains("the connection to the provider"), "{out}");
    let expecting =
        r#"{"steps":[{"event":"context","messages":["user"],"notes":[{"kind":"compaction"}]}]}"#;
    assert_eq!(advise(&[], expecting).0, Some(1));
    let (status, out, errors) = advise(&[], "");
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(errors.contains("give an error text or a transcript"), "{errors}");
    let (status, _, errors) = advise(&[], r#"{"steps":[{"role":"user"}]}"#);
    assert!(status == Some(2) && errors.contains("step 1: has no `event`"), "{errors}");
}

#[test]
fn the_command_tells_time_by_its_clock_or_by_the_one_given() {
    let reset = "429 Usage limit reached. Your limit will reset at 2026-01-15T03:08:09Z";
    for now in ["2026-01-15T01:08:09Z", "2026-01-15T03:08:09.000+02:00", "1768439289000"] {
        let (status, out, _) = advise(&["--now", now], reset);
        assert_eq!(status, Some(0));
        assert!(out.contains("resets at 2026-01-15 03:08 UTC, in 2 h."), "{now}: {out}");
    }
    let (_, out, _) = advise(&["--now", "2026-02-01T00:00:00Z"], reset);
    assert!(out.contains("The wait it asked for is over."), "{out}");
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let soon = since.unwrap_or_default().as_secs() + 3 * 86_400 + 60;
    let (_, out, _) = advise(&[], &format!("Claude AI usage limit reached|{soon}"));
    assert!(out.contains(", in 3 d"), "{out}");
    for wrong in ["", "yesterday", "2026-01-15", "2026-13-15T00:00:00Z", "2026-01-15T00:00Z", "-5"]
    {
        let (status, _, errors) = advise(&[&format!("--now={wrong}")], reset);
        assert_eq!(status, Some(2), "{wrong}");
        assert!(errors.contains("write a time as 2026-01-15T03:08:09Z"), "{wrong}: {errors}");
    }
    let (_, _, errors) = advise(&[], "");
    assert!(errors.contains("standard input: is empty"), "{errors}");
}
