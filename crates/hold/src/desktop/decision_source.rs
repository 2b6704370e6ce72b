//! Where the followed decisions are, and what to do while no server and no store has them.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::text::inert_line;
use holdpoint_engine::{Client, Error};

/// How long to wait before a server that is gone is tried again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// An attempt to open the decisions; none if they cannot be opened now.
pub(crate) type Opening = Pin<Box<dyn Future<Output = Option<Arc<dyn Client>>> + Send>>;

/// Knows where the decisions are: on a server, or in the store.
pub(crate) trait DecisionSource: Send + Sync {
    /// Returns whether a server has them now.
    fn has_server(&self) -> bool;

    /// Opens the decisions.
    fn open(&self) -> Opening;
}

/// A server that is gone.
#[derive(Debug)]
pub(super) struct LostServer {
    is_told: bool,
    pause: Duration,
}

impl Default for LostServer {
    fn default() -> Self {
        Self { is_told: false, pause: PAUSES.0 }
    }
}

impl LostServer {
    /// Waits a while, then opens the decisions wherever they are. Reports once that they are gone.
    ///
    /// # Errors
    /// Returns errors that retrying does not fix.
    pub(super) async fn wait(
        &mut self,
        error: Error,
        place: &dyn DecisionSource,
        say: &mut (dyn FnMut(String) + Send),
    ) -> Result<Option<Arc<dyn Client>>, Error> {
        let passes = match &error {
            Error::Unreachable(_) | Error::Store(_) => true,
            Error::Remote(problem) => matches!(problem.status, 429 | 502..=504),
            _ => false,
        };
        if !passes {
            return Err(error);
        }
        if !self.is_told {
            say(format!("warning: {}; holding on until it is back", inert_line(&error.to_string())));
            self.is_told = true;
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSES.1);
        Ok(place.open().await)
    }
}
