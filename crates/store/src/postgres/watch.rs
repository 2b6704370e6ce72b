//! Watches for commits of other nodes, and wakes the waiters here: one LISTEN for the whole process, and a regular
//! check of the head row, because notifications on a broken connection are lost.

use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_util::future::poll_fn;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::AsyncMessage;

use super::connection::{Connection, text};
use super::error::{PgError, Result};
use super::events;
use super::shared::Shared;

/// How often the head is checked while listening.
const SAFETY: Duration = Duration::from_secs(2);
/// How often it is checked if listening does not work.
const POLL: Duration = Duration::from_millis(50);
/// The warning if listening does not work.
pub(super) const DEAF: &str =
    "This connection does not support LISTEN (is there a pooler in between?); polling every 50 ms instead";
/// How long our own notification may take to arrive before listening is considered broken.
const ECHO: Duration = Duration::from_secs(2);
/// How long to wait before trying to listen again.
const AGAIN: Duration = Duration::from_millis(200);

/// The handle to the watching task; dropping it ends the task.
pub(super) struct Watcher(JoinHandle<()>);

impl Watcher {
    /// Starts the task.
    pub(super) fn start(shared: &Arc<Shared>, runtime: &Handle) -> Self {
        Self(runtime.spawn(run(Arc::downgrade(shared))))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn run(shared: Weak<Shared>) {
    let mut warned = false;
    loop {
        let Some(strong) = shared.upgrade() else { return };
        let listening = Listening::start(&strong).await;
        drop(strong);
        match listening {
            Ok(Some(mut listening)) => listening.wait_for_commits(&shared).await,
            Ok(None) => {
                tracing::warn!("{DEAF}");
                return poll(&shared).await;
            }
            Err(fault) => {
                if !std::mem::replace(&mut warned, true) {
                    tracing::warn!("Cannot listen to the database: {}", crate::Error::from(fault));
                }
                poll_log(&shared).await;
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Returns whether notifications of other nodes' commits arrive here.
pub(super) async fn is_told(shared: &Shared) -> Result<bool> {
    Ok(Listening::start(shared).await?.is_some())
}

/// A connection that listens.
struct Listening {
    /// Kept, because dropping it closes the connection.
    _connection: Connection,
    words: mpsc::UnboundedReceiver<String>,
}

impl Listening {
    /// Starts to listen; returns none if the database accepts LISTEN, but notifications do not arrive.
    async fn start(shared: &Shared) -> Result<Option<Self>> {
        let address = &shared.pool.address;
        let (client, mut carrier) = address.config.connect(shared.pool.tls().clone()).await?;
        let (sender, mut words) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| carrier.poll_message(context)).await {
                if let AsyncMessage::Notification(word) = message {
                    let _ = sender.send(word.payload().to_owned());
                }
            }
        });
        let connection = Connection::new(client, address);
        connection.script(&format!("LISTEN \"{}\"", address.channel())).await?;
        // Sent on another connection, as commits are: through a pooler, a connection receives its own notifications at
        // most.
        let echo = format!("echo {:016x}", getrandom::u64().unwrap_or_default());
        shared.pool.query("SELECT pg_notify($1, $2)", &[text(&address.channel()), text(&echo)]).await?;
        let heard = async {
            while let Some(word) = words.recv().await {
                if word == echo {
                    return true;
                }
            }
            false
        };
        let heard = timeout(ECHO, heard).await.unwrap_or_default();
        if !heard && connection.is_closed() {
            return Err(PgError::Lost("the connection was closed".into()));
        }
        Ok(heard.then_some(Self { _connection: connection, words }))
    }

    /// Processes notifications until the connection breaks.
    async fn wait_for_commits(&mut self, shared: &Weak<Shared>) {
        poll_log(shared).await;
        loop {
            match timeout(SAFETY, self.words.recv()).await {
                Ok(Some(word)) => {
                    let Some(shared) = shared.upgrade() else { return };
                    // Our own commits are reported by the writer, which knows more about them; echoes are ignored, too.
                    let (seq, node) = word.split_once(' ').unwrap_or_default();
                    if node != shared.node
                        && let Ok(seq) = seq.parse()
                    {
                        shared.saw(seq);
                        shared.feed.saw(seq);
                    }
                }
                Ok(None) => return,
                Err(_) => {
                    if !poll_log(shared).await {
                        return;
                    }
                }
            }
        }
    }
}

async fn poll(shared: &Weak<Shared>) {
    while poll_log(shared).await {
        tokio::time::sleep(POLL).await;
    }
}

/// Checks the head of the log once; returns whether the store is still in use.
async fn poll_log(shared: &Weak<Shared>) -> bool {
    let Some(shared) = shared.upgrade() else { return false };
    // An error is left to the next reader; the next check will try again.
    if let Ok(head) = events::head(&shared.pool).await {
        shared.saw(head.seq);
        shared.feed.saw(head.seq);
    }
    true
}
