//! The beat: at once when it was quiet, else a few times a second.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::api::App;

/// A page shows what is new within 200 ms; this leaves it some of that to fetch it.
const PAUSE: Duration = Duration::from_millis(120);

/// The end of the log as open pages hear of it.
#[derive(Debug, Default)]
pub(super) struct Beat(watch::Sender<i64>);

impl Beat {
    pub(super) fn listen(&self) -> watch::Receiver<i64> {
        self.0.subscribe()
    }
}

/// Keeps the beat until the server stops.
pub(crate) async fn run(app: Arc<App>) {
    let Ok(mut head) = app.engine.head_signal() else { return };
    loop {
        app.live.beat.0.send_replace(*head.borrow_and_update());
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = app.stops() => return,
        }
        tokio::select! {
            changed = head.changed() => if changed.is_err() { return },
            () = app.stops() => return,
        }
    }
}
