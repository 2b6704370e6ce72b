//! Follows the screen of a terminal.

use holdpoint_core::job::detect::Notice;

use super::connection::{Connection, read};
use super::ended::{Ended, OrphanedAgent, State};
use super::error::Error;
use super::screen::Screen;
use super::session::Session;
use super::wire::{self, Frame, Reply, Request};

/// A change of a followed session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// The screen changed; this is the newest. Whether a process waits for input is not determined.
    Screen(Box<Screen>),
    /// The agent ended. Nothing follows.
    Exited(Ended),
    /// The host is gone. Nothing follows.
    HostGone(OrphanedAgent),
}

/// A change for a follower that also gets the agent's hooks.
pub(super) enum FollowEvent {
    /// The screen changed, or the session ended.
    Change(SessionChange),
    /// A hook of the agent sent a notice.
    Notice(Notice),
    /// A person at the terminal pressed Enter.
    Entered,
}

/// A stream of changes; the first comes at once. Dropping it stops following.
#[derive(Debug)]
pub struct Follow {
    session: Session,
    connection: Option<Connection>,
}

impl Follow {
    pub(super) async fn open(session: Session) -> Result<Self, Error> {
        let connection = match Connection::open(session.dir()).await {
            Ok(mut connection) => {
                let asked = connection.writer.send(&wire::json(&Request::Follow)).await;
                asked.is_ok().then_some(connection)
            }
            Err(Error::HostGone) => None,
            Err(other) => return Err(other),
        };
        Ok(Self { session, connection })
    }

    /// Waits for the next change. Safe to cancel.
    pub async fn next(&mut self) -> Result<SessionChange, Error> {
        loop {
            if let FollowEvent::Change(change) = self.news().await? {
                return Ok(change);
            }
        }
    }

    /// Waits for the next change or notice. Safe to cancel.
    pub(super) async fn news(&mut self) -> Result<FollowEvent, Error> {
        let change = |change| Ok(FollowEvent::Change(change));
        while let Some(connection) = &mut self.connection {
            match connection.reader.next().await {
                Ok(Frame::Json(text)) => match read(&text)? {
                    Reply::Changed { screen } | Reply::Screen { screen } => {
                        return change(SessionChange::Screen(screen));
                    }
                    Reply::Exited { ended } => return change(SessionChange::Exited(ended)),
                    Reply::Noticed { notice } => return Ok(FollowEvent::Notice(notice)),
                    Reply::Entered => return Ok(FollowEvent::Entered),
                    Reply::Refused { why } => return Err(Error::Refused(why)),
                    _ => {}
                },
                Ok(Frame::Bytes(_)) => {}
                Err(Error::HostGone) => self.connection = None,
                Err(other) => return Err(other),
            }
        }
        match self.session.without_host().await? {
            State::Exited(ended) => change(SessionChange::Exited(ended)),
            State::HostGone { agent } => change(SessionChange::HostGone(agent)),
            State::Running => Err(Error::HostGone),
        }
    }

    /// Requests a screen that includes whether a process waits for input; it comes as the next change.
    pub(super) async fn request_screen(&mut self) -> Result<(), Error> {
        match &mut self.connection {
            Some(connection) => connection.writer.send(&wire::json(&Request::Screen)).await,
            None => Ok(()),
        }
    }
}
