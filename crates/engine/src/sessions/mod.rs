//! Agents in separate terminals.
//!
//! An agent runs under a small *host*: a process of this same binary that holds the pseudo-terminal, so that an agent
//! outlives the process that started it. A [`Session`] is a handle on one by its folder; it can be opened again at any
//! time by any process of the same user. What the host keeps in the folder:
//!
//! | file | what |
//! |---|---|
//! | `session.json` | what was started, and the process ids |
//! | `host.sock` | where the host listens |
//! | `log`, `log.1` … | the agent's output, raw, in files of limited size |
//! | `journal` | the typed input, recorded before it is typed |
//! | `exit.json` | how the agent ended |
//! | `last.json` | the last screen of an agent that ended |
//!
//! Nothing here depends on jobs or decisions.

mod attach;
mod connection;
mod ended;
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
pub use ended::{Ended, OrphanedAgent, State};
pub use error::Error;
pub use follow::{Follow, SessionChange};
pub use input::{Key, Keys, ScreenCondition, TypingStatus};
pub use screen::Screen;
pub use session::Session;
pub use spec::{LogLimits, Size, Spec};
pub use start::start;
pub use stop::Stopped;
pub use watch::{Notices, Watch, watch};
