//! Agents in terminals of their own.
//!
//! An agent runs under a small *host*: a process of this same binary that holds the pseudo-terminal, so that an agent
//! outlives the process that started it. A [`Session`] is a handle on one by its folder; it can be opened again at any
//! time by any process of the same user. What the host keeps in the folder:
//!
//! | file | what |
//! |---|---|
//! | `session.json` | what was started, and the process ids |
//! | `host.sock` | where the host listens |
//! | `log`, `log.1` … | all that the agent wrote, raw, in files of limited size |
//! | `journal` | what was typed, written down before it is typed |
//! | `exit.json` | how the agent ended |
//! | `last.json` | the last screen of an agent that ended |
//!
//! Nothing here knows of jobs or decisions.

mod attach;
mod connection;
mod error;
mod files;
mod follow;
pub mod host;
mod input;
mod journal;
mod processes;
mod screen;
mod session;
mod spec;
mod start;
mod stop;
mod tail;
mod typing;
mod watch;
mod wire;

pub use attach::{Attached, AttachedReader, AttachedWriter, Piece};
pub use error::Error;
pub use follow::{Change, Follow};
pub use input::{Key, Keys, On, Typed};
pub use screen::Screen;
pub use session::{AgentLeft, Ended, Session, State};
pub use spec::{LogLimits, Size, Spec};
pub use start::start;
pub use stop::Stopped;
pub use watch::{Notices, Watch, watch};
