//! The beat: at once after a quiet time, otherwise a few times a second. It gets slower with the number of listeners,
//! because each of them fetches what has changed.

use std::sync::Arc;

use crate::http::app::App;

/// Runs the beat until the server stops.
pub(crate) async fn run(app: Arc<App>) {
    let Ok(mut head) = app.engine.head_signal() else { return };
    loop {
        app.live.beat.publish(*head.borrow_and_update());
        tokio::select! {
            () = tokio::time::sleep(app.live.beat.pause()) => {}
            () = app.stops() => return,
        }
        tokio::select! {
            changed = head.changed() => if changed.is_err() { return },
            () = app.stops() => return,
        }
    }
}
