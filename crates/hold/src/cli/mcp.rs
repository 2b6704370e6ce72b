//! `hold mcp`

mod connection;

use std::collections::HashMap;
use std::io::{BufRead as _, Read as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::Span;
use holdpoint_protocols::mcp::ordered;
use holdpoint_protocols::mcp::peer::Peer;
use holdpoint_protocols::mcp::rpc::{self, Incoming, Notification, Request, RpcError};
use serde_json::Value;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;

use self::connection::{CONNECTION, Connection};
use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// The longest message that is read.
const LONGEST: u64 = 16 << 20;

/// How long requests may finish after the end of the input, and how often to check whether they only hold.
const FINISH: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);

/// Serve the Model Context Protocol to an agent
///
/// Speaks it on standard input and output. Uses the embedded store, or the server that the environment names or
/// that runs on this machine.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The name of the credential to use, one for each agent that is set up in this folder; the client's own name
    /// is not used
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Hold a call this long before the client has to call again; by default as long as the client allows
    #[arg(long, value_name = "DURATION")]
    hold: Option<Span>,
    /// Also show questions to the person at the client, if it supports that; their answers go to the client only,
    /// and approvals are never answered there
    #[arg(long)]
    in_client: bool,
    /// Let the client answer questions of its project that it did not ask itself, but never approvals, plans or
    /// verdicts; also lists the tools `list`, `show` and `answer`
    #[arg(long)]
    may_answer: bool,
    /// Also list the `bd_decision_*` tools, which can be called in any case
    #[arg(long)]
    bd: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, _: &mut Ui) -> Result<Exit, Failure> {
    let connection = Arc::new(Connection::open(&arguments, context).await?);
    let parked = connection.parked.clone();
    let ends = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    let (out, sent) = mpsc::channel(256);
    let writer = std::thread::spawn(move || write(sent));
    serve(&connection, read(), ends, &out).await;
    parked.finish().await;
    connection.finish().await;
    drop(out);
    let _ = writer.join();
    Ok(Exit::Done)
}

async fn next(lines: &mut mpsc::Receiver<Line>, [terminate, interrupt]: &mut [Signal; 2]) -> Option<Line> {
    tokio::select! {
        line = lines.recv() => line,
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
    }
}

/// The requests under way, by id, so that they can be cancelled.
#[derive(Default)]
struct RequestsInProgress {
    tasks: JoinSet<()>,
    by_id: HashMap<String, AbortHandle>,
}

/// Answers requests until the client has gone, or we are told to end.
async fn serve(
    connection: &Arc<Connection>,
    mut lines: mpsc::Receiver<Line>,
    mut ends: [Signal; 2],
    out: &mpsc::Sender<Value>,
) {
    let mut under_way = RequestsInProgress::default();
    // The client that shook hands; self-contained requests do not need it.
    let mut greeted = Peer::default();
    while let Some(line) = next(&mut lines, &mut ends).await {
        let message = match line {
            Line::Text(text) => rpc::read(&text),
            Line::TooLong => {
                let why = format!("a message has more than {LONGEST} bytes");
                Err((Value::Null, RpcError::new(rpc::INVALID_REQUEST, why)))
            }
            Line::NotText => Err((Value::Null, RpcError::new(rpc::PARSE, "a message is not UTF-8"))),
        };
        let (id, fault) = match message {
            Ok(Incoming::Request(request)) => match peer_of(&request, &mut greeted) {
                Ok(peer) => {
                    under_way.start(Arc::clone(connection), request, peer, out.clone());
                    continue;
                }
                Err(fault) => (request.id, fault),
            },
            Ok(Incoming::Notification(notification)) => {
                under_way.cancel_named(&notification);
                continue;
            }
            Ok(Incoming::Response(response)) => {
                connection.replies.deliver(CONNECTION, response);
                continue;
            }
            Err(wrong) => wrong,
        };
        let _ = out.send(rpc::response(&id, Err(fault))).await;
    }
    if lines.is_closed() {
        under_way.finish(connection).await;
    }
    under_way.tasks.shutdown().await;
}

fn peer_of(request: &Request, greeted: &mut Peer) -> Result<Peer, RpcError> {
    if let Some(peer) = Peer::of_request(request)? {
        return Ok(peer);
    }
    if request.method == "initialize" {
        *greeted = Peer::of_initialize(request)?.0;
    }
    Ok(greeted.clone())
}

impl RequestsInProgress {
    fn start(&mut self, connection: Arc<Connection>, request: Request, peer: Peer, out: mpsc::Sender<Value>) {
        while self.tasks.try_join_next().is_some() {}
        self.by_id.retain(|_, task| !task.is_finished());
        let id = request.id.to_string();
        let task = self.tasks.spawn(async move {
            let response = connection.answer(&request, &peer, &out).await;
            let _ = out.send(response).await;
        });
        self.by_id.insert(id, task);
    }

    /// Waits a while for requests made before the end of the input, but not for those that hold for a person.
    async fn finish(&mut self, connection: &Connection) {
        let until = Instant::now() + FINISH;
        while self.tasks.len() > connection.holding.count() && Instant::now() < until {
            let _ = tokio::time::timeout(LOOK, self.tasks.join_next()).await;
        }
    }

    /// Handles a notification. A cancelled request gets no answer.
    fn cancel_named(&mut self, notification: &Notification) {
        if notification.method == "notifications/cancelled"
            && let Some(id) = notification.params.get("requestId")
            && let Some(task) = self.by_id.remove(&id.to_string())
        {
            task.abort();
        }
    }
}

enum Line {
    Text(String),
    TooLong,
    NotText,
}

/// Reads messages on a separate thread, so that its blocking reads delay nothing else.
fn read() -> mpsc::Receiver<Line> {
    let (sender, lines) = mpsc::channel(64);
    std::thread::spawn(move || {
        let mut from = std::io::BufReader::new(std::io::stdin());
        loop {
            let mut line = Vec::new();
            match (&mut from).take(LONGEST + 1).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let too_long = u64::try_from(line.len()).is_ok_and(|length| length > LONGEST);
            if too_long && !line.ends_with(b"\n") && skip_line(&mut from).is_err() {
                return;
            }
            let line = match String::from_utf8(line) {
                _ if too_long => Line::TooLong,
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => Line::Text(text),
                Err(_) => Line::NotText,
            };
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Skips the rest of a line.
fn skip_line(from: &mut impl std::io::BufRead) -> std::io::Result<()> {
    loop {
        let read = from.fill_buf()?;
        let end = read.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(read.len(), |at| at + 1);
        from.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

/// Writes messages on a separate thread, one per line.
fn write(mut sent: mpsc::Receiver<Value>) {
    let mut to = std::io::stdout().lock();
    while let Some(message) = sent.blocking_recv() {
        if writeln!(to, "{}", ordered::text(&message)).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}
