//! Ctrl-C, for a git that leads a group of its own: what is pressed at a terminal does not reach it there.
//!
//! The program says whether it listens to that. Listening once takes the signal's usual effect away for as
//! long as the program runs, and a library must not do that to its host.

use std::sync::atomic::{AtomicBool, Ordering};

static HEEDED: AtomicBool = AtomicBool::new(false);

/// Makes an interrupt end the running git, with its hooks, from now on; the caller waiting for it is told.
///
/// For programs of one command: once git has run, an interrupt no longer ends the program by itself.
pub fn heed_interrupts() {
    HEEDED.store(true, Ordering::Relaxed);
}

/// Returns once an interrupt came that is to be handled.
pub(super) async fn came() {
    if !HEEDED.load(Ordering::Relaxed) || tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
