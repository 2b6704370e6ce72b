//! Watches a session and says what its agent does.

use std::time::Duration;

use holdpoint_core::job::detect::{Detector, Notice, Observation, Signal};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::Instant;

use super::error::Error;
use super::follow::{Change, Follow, News};
use super::screen::Screen;
use super::session::{Ended, Session};

/// A stream of signals about one session. Between changes of the screen it sleeps.
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

/// Hands what an agent's hooks said to its watcher. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Notices {
    said: Sender<Notice>,
}

/// How many notices wait at most; an agent that floods its supervisor with them gains nothing by it.
const MOST_NOTICES: usize = 64;

/// Watches a session with a detector. It may have ended already.
pub fn watch(session: &Session, detector: Detector) -> Watch {
    let (said, notices) = channel(MOST_NOTICES);
    let screen = Screen::default();
    let (session, now) = (session.clone(), Instant::now());
    Watch { session, detector, follow: None, screen, since: now, seen_at: now, look_at: None, said, notices }
}

enum Woken {
    Change(Change),
    Notice(Notice),
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
                    News::Change(change) => Woken::Change(change),
                    News::Notice(notice) => Woken::Notice(notice),
                },
                Some(notice) = self.notices.recv() => Woken::Notice(notice),
                () = until(look_at) => Woken::Time,
            };
            let signal = match woken {
                Woken::Change(Change::Screen(screen)) => {
                    (self.screen, self.seen_at) = (*screen, Instant::now());
                    self.observe(None, vec![])
                }
                Woken::Change(Change::Exited(ended)) => {
                    // The last words count too.
                    self.screen = self.session.screen().await.unwrap_or_else(|_| self.screen.clone());
                    self.look_at = None;
                    let signal = self.observe(Some(ended), vec![]);
                    if signal.is_none() {
                        // It was said before; nothing will ever change.
                        std::future::pending::<()>().await;
                    }
                    signal
                }
                Woken::Change(Change::HostGone(_)) => return Err(Error::HostGone),
                Woken::Notice(notice) => self.observe(None, vec![notice]),
                Woken::Time => {
                    // The answer comes as the next change, with whether somebody waits for input.
                    self.look_at = None;
                    match follow.look().await {
                        // It may just have left after its agent's end; what it said last is still to be read.
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

    /// Returns where hooks hand in what the agent said.
    pub fn notices(&self) -> Notices {
        Notices { said: self.said.clone() }
    }

    /// Says again what still holds, after keys were typed for example.
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
    /// Hands in a notice. Never waits; when too many wait already, it is dropped.
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
