//! A handle on a session by its folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use holdpoint_core::job::detect::Notice;

use super::attach::Attached;
use super::connection::{Connection, unfit};
use super::ended::{Ended, OrphanedAgent, State};
use super::error::Error;
use super::files::{self, SessionInfo};
use super::follow::Follow;
use super::input::{Keys, ScreenCondition, TypingStatus};
use super::journal::{self, EffectStage};
use super::processes::{self, SessionProcesses};
use super::screen::Screen;
use super::spec::Size;
use super::stop::{self, Stopped};
use super::tail;
use super::wire::{Reply, Request};

/// A handle on a session. Cheap to clone; keeps nothing open.
#[derive(Clone, Debug)]
pub struct Session {
    dir: PathBuf,
    id: String,
}

impl Session {
    /// Opens the session in a folder, no matter which process started it.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        let about = read_about(&dir)?.ok_or_else(|| Error::NotStarted(dir.clone()))?;
        Ok(Self { dir, id: about.id })
    }

    /// Returns the session that this process runs in, if it is one of an agent's processes.
    pub fn of_this_process() -> Option<Self> {
        Self::open(Path::new(&std::env::var_os(processes::MARKER)?)).ok()
    }

    /// Returns the session's name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the session's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the state of the session.
    pub async fn state(&self) -> Result<State, Error> {
        if let Some(ended) = self.ended()? {
            return Ok(State::Exited(ended));
        }
        match Connection::open(&self.dir).await {
            Ok(_) => Ok(State::Running),
            // It may have ended in between.
            Err(Error::HostGone) => self.without_host().await,
            Err(other) => Err(other),
        }
    }

    /// Returns the screen of the terminal; for an agent that has ended, its last screen.
    pub async fn screen(&self) -> Result<Screen, Error> {
        let asked = match Connection::open(&self.dir).await {
            Ok(mut connection) => connection.ask(&Request::Screen).await,
            Err(error) => Err(error),
        };
        match asked {
            Ok(Reply::Screen { screen }) => Ok(*screen),
            Ok(other) => Err(unfit(&other)),
            Err(Error::HostGone) => {
                let last = files::read(&files::last(&self.dir)).map_err(self.io("last.json"))?;
                last.ok_or(Error::HostGone)
            }
            Err(other) => Err(other),
        }
    }

    /// Follows the screen of the terminal. Changes are combined: at most ten a second, always the newest.
    pub async fn follow(&self) -> Result<Follow, Error> {
        Follow::open(self.clone()).await
    }

    /// Returns at most this many of the last bytes that the agent wrote, over all log files. They are raw and may
    /// contain escapes.
    pub fn tail(&self, bytes: u64) -> Result<Vec<u8>, Error> {
        tail::tail(&self.dir, bytes).map_err(self.io("log"))
    }

    /// Types keys, once per effect: they are recorded before they are typed, and never typed again under that id.
    ///
    /// An error means that nothing was typed, and that it is safe to try again under the same id.
    pub async fn input(&self, effect: &str, keys: &Keys) -> Result<TypingStatus, Error> {
        self.input_on(effect, keys, ScreenCondition::Anything).await
    }

    /// Types keys like [`Session::input`], if the screen shows what they are for at the moment of typing.
    pub async fn input_on(
        &self,
        effect: &str,
        keys: &Keys,
        on: ScreenCondition,
    ) -> Result<TypingStatus, Error> {
        let request = Request::Input { effect: effect.to_owned(), keys: keys.clone(), on };
        let asked = match Connection::open(&self.dir).await {
            Ok(mut connection) => connection.ask(&request).await,
            Err(error) => Err(error),
        };
        match asked {
            Ok(Reply::Typed { typed }) => Ok(typed),
            Ok(other) => Err(unfit(&other)),
            Err(error @ (Error::HostGone | Error::Host(_))) => {
                // The journal shows how far it got.
                let marks = journal::read(&self.dir).map_err(self.io("journal"))?;
                match (marks.get(effect), error) {
                    (Some(EffectStage::Typed), _) => Ok(TypingStatus::Already),
                    (Some(EffectStage::Begun), _) => Ok(TypingStatus::Unsure),
                    (None, Error::HostGone) if self.ended()?.is_some() => Err(Error::Ended),
                    (None, error) => Err(error),
                }
            }
            Err(other) => Err(other),
        }
    }

    /// Sends a notice of the agent's own hooks to all watchers of the session.
    pub async fn notice(&self, notice: &Notice) -> Result<(), Error> {
        let mut connection = Connection::open(&self.dir).await?;
        match connection.ask(&Request::Notice { notice: notice.clone() }).await? {
            Reply::Done => Ok(()),
            other => Err(unfit(&other)),
        }
    }

    /// Attaches to the terminal: bytes both ways, beginning with a picture of the screen. The terminal takes on the
    /// size, and its own again when the last client has detached. Dropping it detaches.
    pub async fn attach(&self, size: Size) -> Result<Attached, Error> {
        Attached::open(self, size).await
    }

    /// Ends the agent and everything that it started, by request first, and by killing after the grace period. Works
    /// even if the host is gone.
    pub async fn stop(&self, grace: Duration) -> Result<Stopped, Error> {
        stop::stop(self, grace).await
    }

    /// Returns how the agent ended, if the host has recorded it.
    pub(super) fn ended(&self) -> Result<Option<Ended>, Error> {
        files::read(&files::exit(&self.dir)).map_err(self.io("exit.json"))
    }

    /// Returns the state of a session whose host does not answer.
    pub(super) async fn without_host(&self) -> Result<State, Error> {
        const LOOK: Duration = Duration::from_millis(20);
        let about = self.about()?;
        for _ in 0..100 {
            // The order matters: the host records the end before it exits.
            let lives = processes::is_alive(about.host);
            if let Some(ended) = self.ended()? {
                return Ok(State::Exited(ended));
            }
            if !lives {
                return Ok(State::HostGone { agent: self.agent_left(&about) });
            }
            // It is about to exit.
            tokio::time::sleep(LOOK).await;
        }
        Err(Error::Host("runs and takes no calls".into()))
    }

    fn agent_left(&self, about: &SessionInfo) -> OrphanedAgent {
        match about.agent {
            Some(agent) if processes::is_alive(agent) => OrphanedAgent::Alive,
            Some(_) => OrphanedAgent::Gone,
            None => {
                let family = SessionProcesses { dir: &self.dir, host: None, leader: None };
                if processes::members(&family).is_empty() {
                    OrphanedAgent::Unknown
                } else {
                    OrphanedAgent::Alive
                }
            }
        }
    }

    /// Returns the record of the start.
    pub(super) fn about(&self) -> Result<SessionInfo, Error> {
        read_about(&self.dir)?.ok_or_else(|| Error::NotStarted(self.dir.clone()))
    }

    /// Wraps an error of a file in the session's folder.
    pub(super) fn io(&self, name: &str) -> impl Fn(std::io::Error) -> Error + use<> {
        let what = self.dir.join(name).display().to_string();
        move |source| Error::Io { what: what.clone(), source }
    }
}

fn read_about(dir: &Path) -> Result<Option<SessionInfo>, Error> {
    let path = files::about(dir);
    files::read(&path).map_err(|source| Error::Io { what: path.display().to_string(), source })
}
