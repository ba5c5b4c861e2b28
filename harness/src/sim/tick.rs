//! Turns of the microtask queue: what runs side by side takes turns as promises do.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

/// Lets everything else that is ready run, `n` times.
pub(super) async fn ticks(n: u32) {
    for _ in 0..n {
        let mut waited = false;
        poll_fn(|context| {
            if waited {
                return Poll::Ready(());
            }
            waited = true;
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}

/// A future that may borrow.
pub(super) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Runs all futures side by side, each polled once a round in their order.
pub(super) async fn join<T>(futures: Vec<Boxed<'_, T>>) -> Vec<T> {
    let mut running: Vec<(Option<Boxed<'_, T>>, Option<T>)> =
        futures.into_iter().map(|future| (Some(future), None)).collect();
    poll_fn(move |context| {
        let mut open = false;
        for (future, result) in &mut running {
            let Some(waiting) = future else { continue };
            match waiting.as_mut().poll(context) {
                Poll::Ready(value) => {
                    *result = Some(value);
                    *future = None;
                }
                Poll::Pending => open = true,
            }
        }
        if open {
            return Poll::Pending;
        }
        Poll::Ready(running.iter_mut().filter_map(|(_, result)| result.take()).collect())
    })
    .await
}
