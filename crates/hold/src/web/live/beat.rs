//! The beat: at once when it was quiet, else a few times a second; slower the more listen, because each of them fetches
//! what it hears of.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::api::App;

/// A page shows what is new within 200 ms; this leaves it some of that to fetch it.
const PAUSE: Duration = Duration::from_millis(120);
/// By how much each page that listens slows it down.
const EACH: Duration = Duration::from_micros(500);
const LONGEST: Duration = Duration::from_secs(1);

/// The end of the log as open pages hear of it.
#[derive(Debug, Default)]
pub(super) struct Beat(watch::Sender<i64>);

impl Beat {
    fn pause(&self) -> Duration {
        let listeners = u32::try_from(self.0.receiver_count()).unwrap_or(u32::MAX);
        PAUSE.saturating_add(EACH.saturating_mul(listeners)).min(LONGEST)
    }

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
            () = tokio::time::sleep(app.live.beat.pause()) => {}
            () = app.stops() => return,
        }
        tokio::select! {
            changed = head.changed() => if changed.is_err() { return },
            () = app.stops() => return,
        }
    }
}
