//! What a session leads the advisor to tell, and what it keeps to itself.

use super::*;
use crate::advisor::{AdvisorContext, Class, Message, Model, Note, NoteKind, QUOTE_CHARS_MAX};

const NOW: u64 = 1_768_446_480_000;
const OVERFLOW: &str = "400 prompt is too long: 213462 tokens > 200000 maximum";
const OVERLOADED: &str = "529 overloaded_error: Overloaded";

fn failed(error: &str) -> Assistant {
    Assistant { ending: Ending::Error, error: error.to_owned(), ..Assistant::default() }
}

/// An advisor that heard an answer fail, and then some more.
fn after(error: &str, events: &[HostEvent]) -> Advisor {
    let mut advisor = Advisor::new();
    advisor.on(&HostEvent::AssistantEnd(failed(error)), NOW);
    for event in events {
        advisor.on(event, NOW);
    }
    advisor
}

fn compact_failed(reason: CompactReason, error: &str) -> HostEvent {
    HostEvent::CompactFailed { reason, aborted: false, error: error.to_owned() }
}

/// The notes to a request with `error` at its end, or with none.
fn notes(advisor: &mut Advisor, error: Option<&str>) -> Vec<Note> {
    let trailing = error.map(|error| Message::Assistant(failed(error)));
    let messages: Vec<Message> = [Message::Other].into_iter().chain(trailing).collect();
    advisor.notes(&messages, &AdvisorContext { now_ms: NOW, model: None })
}

fn kinds(notes: &[Note]) -> Vec<NoteKind> {
    notes.iter().map(|note| note.kind).collect()
}

#[test]
fn a_failure_is_quoted_or_said_to_be_silent() {
    for (error, fact, quote) in [
        (
            OVERLOADED,
            "The previous request failed: the provider is overloaded or has no capacity at the moment.",
            OVERLOADED,
        ),
        ("", "The previous request failed, and no reason was given.", ""),
    ] {
        let notes = notes(&mut after(error, &[]), Some(error));
        let [note] = notes.as_slice() else { panic!("{notes:?}") };
        assert_eq!(
            (note.facts.first().map(String::as_str), note.quote.as_str()),
            (Some(fact), quote)
        );
    }
}

#[test]
fn a_failed_compaction_is_told_in_the_words_of_the_host_if_it_has_any() {
    for (said, warned, quote) in [
        ("no model", " The host says: no model Try", "no model"),
        ("", "compacting it failed. Try /compact", OVERFLOW),
    ] {
        let mut advisor = after(OVERFLOW, &[]);
        let warning = advisor.on(&compact_failed(CompactReason::Overflow, said), NOW);
        assert!(warning.is_some_and(|warning| warning.text.contains(warned)), "{said}");
        let notes = notes(&mut advisor, None);
        assert_eq!(kinds(&notes), [NoteKind::Compaction]);
        assert_eq!(notes[0].quote, quote);
    }
}

#[test]
fn a_compaction_that_was_begun_is_never_denied() {
    let begin = |reason| HostEvent::BeforeCompact { reason, will_retry: true };
    let settled = HostEvent::Settled { aborted: false };
    let other = compact_failed(CompactReason::Threshold, "");
    for (events, denied) in [
        (vec![settled.clone()], true),
        (vec![begin(CompactReason::Threshold), other.clone(), settled.clone()], true),
        (
            vec![begin(CompactReason::Overflow), begin(CompactReason::Threshold), other, settled],
            false,
        ),
    ] {
        let notes = notes(&mut after(OVERFLOW, &events), None);
        let says = |note: &Note| note.text.contains("The host did not compact");
        assert_eq!(notes.iter().any(says), denied, "{events:?}");
    }
}

#[test]
fn a_note_for_which_there_is_no_room_waits_for_the_next_request() {
    let command = HostEvent::CommandEnd { name: "/login".to_owned(), error: "no".to_owned() };
    let events = [compact_failed(CompactReason::Overflow, ""), command];
    let mut advisor = after(OVERFLOW, &events);
    let first = notes(&mut advisor, Some(OVERLOADED));
    assert_eq!(kinds(&first), [NoteKind::Compaction, NoteKind::ProviderError]);
    assert_eq!(kinds(&notes(&mut advisor, None)), [NoteKind::CommandFailure]);
    assert_eq!(kinds(&notes(&mut advisor, None)), []);
}

#[test]
fn a_date_is_near_the_failure_or_where_that_has_no_time_near_now() {
    let error = format!("429 quota exceeded, resets at {}", NOW / 1000 + 60);
    for (at_ms, class) in [(0, "throttle"), (NOW - 600_000, "throttle"), (NOW - 870_000, "quota")] {
        let mut advisor = Advisor::new();
        let message = Message::Assistant(Assistant { at_ms, ..failed(&error) });
        let notes = advisor.notes(&[message], &AdvisorContext { now_ms: NOW, model: None });
        assert_eq!(notes[0].class.map(|(class, _)| class), Some(class), "{at_ms}");
    }
}

#[test]
fn a_model_of_the_same_name_is_told_with_its_provider() {
    let model =
        |provider: &str, id: &str| Some(Model { provider: provider.to_owned(), id: id.to_owned() });
    for (now, fact) in [
        (model("b", "m"), Some("It went to model a/m; the model is now b/m.")),
        (model("b", "n"), Some("It went to model m; the model is now n.")),
        (model("a", "m"), None),
    ] {
        let message =
            Message::Assistant(Assistant { model: model("a", "m"), ..failed(OVERLOADED) });
        let notes = Advisor::new().notes(&[message], &AdvisorContext { now_ms: NOW, model: now });
        let told = notes[0].facts.iter().find(|fact| fact.starts_with("It went to"));
        assert_eq!(told.map(String::as_str), fact);
    }
}

#[test]
fn an_advisor_keeps_to_its_tables_even_in_a_new_session() {
    let classes: Vec<Class> =
        AdvisorTables::classes().into_iter().filter(|class| class.id != "capacity").collect();
    assert_eq!(classes.len() + 1, AdvisorTables::classes().len());
    let tables = AdvisorTables { quote_chars_max: 3, ..AdvisorTables::default() };
    assert!(tables.quote_chars_max < QUOTE_CHARS_MAX);
    let mut advisor = Advisor::with_tables(tables.with_classes(&classes));
    for _ in 0..2 {
        let notes = notes(&mut advisor, Some(OVERLOADED));
        assert_eq!((notes[0].quote.as_str(), notes[0].class), ("529…", Some(("server", "status"))));
        advisor.on(&HostEvent::Reset, NOW);
    }
}
