//! Watches a session and says what its agent does.

use holdpoint_core::job::detect::{Detector, Notice, Signal};

use super::error::Error;
use super::screen::Screen;
use super::session::Session;

/// A stream of signals about one session. Between changes of the screen it sleeps.
#[derive(Debug)]
pub struct Watch {}

/// Hands what an agent's hooks said to the one who watches it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Notices {}

/// Watches a session with a detector. It may have ended already.
pub fn watch(session: &Session, detector: Detector) -> Watch {
    let _ = (session, detector);
    Watch {}
}

impl Watch {
    /// Waits for the next signal, and returns the screen on which it was seen. Safe to cancel. After `Dead` nothing
    /// follows; a host that is gone is [`Error::HostGone`].
    pub async fn next(&mut self) -> Result<(Signal, Screen), Error> {
        Err(Error::HostGone)
    }

    /// Returns where hooks hand in what the agent said.
    pub fn notices(&self) -> Notices {
        Notices {}
    }

    /// Says again what still holds, after keys were typed for example.
    pub fn look_again(&mut self) {}
}

impl Notices {
    /// Hands in a notice. Never waits; too many at once are dropped, oldest first.
    pub fn say(&self, notice: Notice) {
        let _ = notice;
    }
}
