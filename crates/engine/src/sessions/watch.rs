//! Watches a session and reports what its agent does.

use std::time::Duration;

use holdpoint_core::job::detect::{Detector, Notice, Observation, Signal};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::Instant;

use super::ended::Ended;
use super::error::Error;
use super::follow::{Follow, FollowEvent, SessionChange};
use super::screen::Screen;
use super::session::Session;

/// A stream of signals about one session. It sleeps while the screen does not change.
#[derive(Debug)]
pub struct Watch {
    session: Session,
    detector: Detector,
    follow: Option<Follow>,
    screen: Screen,
    since: Instant,
    seen_at: Instant,
    look_at: Option<Instant>,
    said: Sender<Notice>,
    notices: Receiver<Notice>,
}

/// Passes the notices of an agent's hooks to its watcher. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Notices {
    said: Sender<Notice>,
}

/// The most notices that wait; further ones are dropped, so that an agent cannot flood its supervisor.
const MOST_NOTICES: usize = 64;

/// How long after a person at the terminal pressed Enter the screen is checked again: the old content may remain until
/// it is redrawn.
const AFTER_ENTER: Duration = Duration::from_millis(700);

/// Watches a session with a detector. It may have ended already.
pub fn watch(session: &Session, detector: Detector) -> Watch {
    let (said, notices) = channel(MOST_NOTICES);
    let screen = Screen::default();
    let (session, now) = (session.clone(), Instant::now());
    Watch { session, detector, follow: None, screen, since: now, seen_at: now, look_at: None, said, notices }
}

enum WakeReason {
    Change(SessionChange),
    Notice(Notice),
    Entered,
    Time,
}

impl Watch {
    /// Waits for the next signal, and returns the screen on which it was seen. Safe to cancel. After `Dead` nothing
    /// new follows; a host that is gone is [`Error::HostGone`].
    pub async fn next(&mut self) -> Result<(Signal, Screen), Error> {
        loop {
            if self.follow.is_none() {
                self.follow = Some(self.session.follow().await?);
            }
            let Some(follow) = &mut self.follow else { continue };
            let look_at = self.look_at;
            let woken = tokio::select! {
                news = follow.news() => match news? {
                    FollowEvent::Change(change) => WakeReason::Change(change),
                    FollowEvent::Notice(notice) => WakeReason::Notice(notice),
                    FollowEvent::Entered => WakeReason::Entered,
                },
                Some(notice) = self.notices.recv() => WakeReason::Notice(notice),
                () = until(look_at) => WakeReason::Time,
            };
            let signal = match woken {
                WakeReason::Change(SessionChange::Screen(screen)) => {
                    (self.screen, self.seen_at) = (*screen, Instant::now());
                    self.observe(None, vec![])
                }
                WakeReason::Change(SessionChange::Exited(ended)) => {
                    // The final output counts too.
                    self.screen = self.session.screen().await.unwrap_or_else(|_| self.screen.clone());
                    self.look_at = None;
                    let signal = self.observe(Some(ended), vec![]);
                    if signal.is_none() {
                        // The end was reported before, and nothing changes any more.
                        std::future::pending::<()>().await;
                    }
                    signal
                }
                WakeReason::Change(SessionChange::HostGone(_)) => return Err(Error::HostGone),
                WakeReason::Notice(notice) => self.observe(None, vec![notice]),
                // The person's input was read, whether or not the agent is then seen working. Whatever still holds a
                // while later is reported again.
                WakeReason::Entered => {
                    self.detector.forget();
                    self.look_at = Some(Instant::now() + AFTER_ENTER);
                    Some(Signal::Working)
                }
                WakeReason::Time => {
                    // The answer comes as the next change, including whether a process waits for input.
                    self.look_at = None;
                    match follow.request_screen().await {
                        // The host may just have exited after its agent's end; its last record is still to be read.
                        Ok(()) | Err(Error::HostGone) => None,
                        Err(other) => return Err(other),
                    }
                }
            };
            if let Some(signal) = signal {
                return Ok((signal, self.screen.clone()));
            }
        }
    }

    /// Returns the handle through which hooks deliver notices.
    pub fn notices(&self) -> Notices {
        Notices { said: self.said.clone() }
    }

    /// Reports again whatever still holds, for example after keys were typed.
    pub fn look_again(&mut self) {
        self.detector.forget();
        self.look_at = Some(Instant::now());
    }

    fn observe(&mut self, ended: Option<Ended>, notices: Vec<Notice>) -> Option<Signal> {
        let quiet_for = self.screen.quiet_for + self.seen_at.elapsed();
        let observation = Observation {
            at: self.since.elapsed(),
            quiet_for,
            exit: ended.map(|ended| (ended.code, ended.signal)),
            notices,
            ..self.screen.observation()
        };
        let seen = self.detector.observe(&observation);
        self.look_at = seen.look_again.map(|wait| Instant::now() + wait.max(Duration::from_millis(10)));
        seen.signal
    }
}

impl Notices {
    /// Delivers a notice. Never waits; if too many are waiting, it is dropped.
    pub fn say(&self, notice: Notice) {
        let _ = self.said.try_send(notice);
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
