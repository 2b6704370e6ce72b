//! Ctrl-C for a git that leads its own process group: a key pressed at the terminal does not reach it there.
//!
//! The program chooses whether to listen. Listening once removes the signal's usual effect for as long as the program
//! runs, and a library must not do that to its host.

use std::sync::atomic::{AtomicBool, Ordering};

static HEEDED: AtomicBool = AtomicBool::new(false);

/// Makes an interrupt end the running git, with its hooks, from now on; the waiting caller gets an error.
///
/// For programs of one command: once git has run, an interrupt no longer ends the program by itself.
pub fn handle_interrupts() {
    HEEDED.store(true, Ordering::Relaxed);
}

/// Returns once an interrupt has come, if they are handled.
pub(super) async fn interrupted() {
    if !HEEDED.load(Ordering::Relaxed) || tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
