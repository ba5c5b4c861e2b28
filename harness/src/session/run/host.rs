//! Tells a lifecycle and the model of it the same story.

use engine::lifecycle::{Event, Note};

use super::calls::Handled;
use super::{Case, Workshop};
use crate::session::case::script::{Doing, What};
use crate::session::model::{Model, Said};

/// When a session begins, in milliseconds.
const BEGIN: i64 = 1_000_000_000;

/// What came of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The note that the lifecycle gave out.
    pub note: Option<Note>,
    /// What the model says about it.
    pub wanted: Option<Said>,
    /// Calls and preparations that the lifecycle holds.
    pub held: (usize, usize),
    /// Calls and preparations that are on their way, by the model.
    pub on_the_way: (usize, usize),
    /// Something was too old, or too many.
    pub lost: bool,
}

/// Reports every step of a case.
pub(super) fn tell(workshop: &Workshop, case: &Case, calls: &[Handled]) -> Vec<Told> {
    let mut lifecycle = workshop.lifecycle(case.bounds);
    let mut model = Model::new(case.bounds);
    let mut now = BEGIN;
    let mut told = Vec::with_capacity(case.script.steps.len());
    for step in &case.script.steps {
        now = now.saturating_add(step.wait).max(0);
        let time = u64::try_from(now).unwrap_or_default();
        let before = model.held();
        let (mut note, mut wanted, mut aged) = (None, None, false);
        if let Some(event) = event(case, calls, step.what) {
            model.age(time);
            aged = model.held() != before;
            wanted = imagine(&mut model, case, calls, (step.what, time));
            note = lifecycle.on(event, time);
        }
        let starts = matches!(step.what, What::Call(Doing::Start, _));
        let full = starts && before.0 == case.bounds.bound_max;
        let (held, on_the_way) = (lifecycle.held(), model.held());
        told.push(Told { note, wanted, held, on_the_way, lost: aged || full });
    }
    told
}

/// The report; `None` where there is nothing to report.
fn event<'e>(case: &'e Case, calls: &'e [Handled], what: What) -> Option<Event<'e>> {
    let (doing, place) = match what {
        What::Call(doing, place) => (doing, place),
        What::RunEnded => return Some(Event::RunEnded),
        What::Shutdown => return Some(Event::Shutdown),
    };
    let (call, handled) = (&case.script.calls[place], &calls[place]);
    let (id, nested) = (call.id.as_str(), call.nested);
    let (tool, args) = (handled.tool.as_str(), &handled.prepared);
    Some(match doing {
        Doing::Announce => Event::Announced { id, feedback: handled.announced.as_ref()?.0.clone() },
        Doing::Start => Event::Started { id, tool },
        Doing::Prepare => {
            let feedback = handled.feedback.as_ref().map(|(feedback, _)| feedback.clone());
            Event::Prepared { tool, args, feedback }
        }
        Doing::Run => Event::Called { id, tool, args: &handled.settled, nested },
        Doing::Finish => Event::Finished { id, nested },
        Doing::End => Event::Ended { id },
    })
}

/// The same report to the model.
fn imagine(
    model: &mut Model,
    case: &Case,
    calls: &[Handled],
    (what, now): (What, u64),
) -> Option<Said> {
    let What::Call(doing, place) = what else {
        model.clear();
        return None;
    };
    let (call, handled) = (&case.script.calls[place], &calls[place]);
    let (id, tool) = (call.id.as_str(), handled.tool.as_str());
    match doing {
        Doing::Announce => {
            if let Some((_, said)) = &handled.announced {
                model.announce(id, said, now);
            }
        }
        Doing::Start => model.start(id, tool, now),
        Doing::Prepare => {
            let said = handled.feedback.as_ref().map(|(_, said)| said);
            model.prepare(tool, &handled.prepared, said, now);
        }
        Doing::Run => model.run(id, (tool, &handled.settled), call.nested, now),
        Doing::Finish => return model.finish(id, call.nested),
        Doing::End => model.end(id),
    }
    None
}
