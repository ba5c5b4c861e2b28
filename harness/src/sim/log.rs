//! What is written down while a script runs, and which actions an event sets off.

use corpus::{ActionError, Answered, Event, HandlerError, Origin};
use serde_json::Value;

/// An action waiting for its event.
#[derive(Debug)]
pub(super) struct Armed {
    pub(super) at: String,
    /// Events still to come.
    pub(super) left: u32,
    /// Its place among the actions of the running one.
    pub(super) index: usize,
}

#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) events: Vec<Event>,
    pub(super) errors: Vec<HandlerError>,
    pub(super) failures: Vec<ActionError>,
    pub(super) answers: Vec<Answered>,
    pub(super) armed: Vec<Armed>,
}

impl Log {
    /// Writes an event; answers with the actions it sets off.
    #[must_use]
    pub(super) fn add(
        &mut self,
        from: Origin,
        name: &str,
        what: &str,
        saw: Option<Value>,
    ) -> Vec<usize> {
        let what = (!what.is_empty()).then(|| what.to_owned());
        let event = Event { from, name: name.to_owned(), what, saw };
        let label = event.label();
        self.events.push(event);
        let mut due = Vec::new();
        for armed in self.armed.iter_mut().filter(|armed| label.starts_with(&armed.at)) {
            armed.left = armed.left.wrapping_sub(1);
            if armed.left == 0 {
                due.push(armed.index);
            }
        }
        due
    }

    pub(super) fn error(&mut self, on: &str, message: &str) {
        self.errors.push(HandlerError { on: on.to_owned(), message: message.to_owned() });
    }

    pub(super) fn failure(&mut self, action: &str, message: &str) {
        self.failures.push(ActionError { action: action.to_owned(), message: message.to_owned() });
    }
}
