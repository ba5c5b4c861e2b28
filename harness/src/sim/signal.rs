//! Aborts: something that happens once and can be waited for.

use std::{cell::Cell, rc::Rc};

use tokio::sync::Notify;

/// Something that happens once and can be waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Signal(Rc<(Cell<bool>, Notify)>);

impl Signal {
    pub(super) fn fire(&self) {
        self.0.0.set(true);
        self.0.1.notify_waiters();
    }

    pub(super) fn fired(&self) -> bool {
        self.0.0.get()
    }

    pub(super) async fn wait(&self) {
        while !self.fired() {
            self.0.1.notified().await;
        }
    }

    /// Waits for `other`; false if the signal came first.
    pub(super) async fn before(&self, other: impl Future<Output = ()>) -> bool {
        tokio::select! {
            biased;
            () = self.wait() => false,
            () = other => true,
        }
    }
}

/// A signal that has fired already.
pub(super) fn fired() -> Signal {
    let signal = Signal::default();
    signal.fire();
    signal
}
