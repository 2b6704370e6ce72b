//! A stand-in for Slack: its Web API and its socket. It keeps what an app sends, hands out what people do, and can misbehave.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver as Inbox, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;

use crate::process::TIMEOUT;

pub(crate) const TEAM: &str = "T1";
/// How often a socket looks for what it is to send.
const LOOK: Duration = Duration::from_millis(5);
/// How close messages to one channel may follow each other.
const BETWEEN: Duration = Duration::from_millis(900);

/// How a call is met that would have been taken.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// With a status, perhaps a time to wait, and an error.
    Error(u16, Option<u32>, &'static str),
    /// By closing the connection before anything is done.
    Close,
    /// It is done, and the connection closed before anybody is told.
    Lost,
    /// By something else than was asked for.
    Says(Value),
}

/// A call that was made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

/// What a socket is told to do.
enum Order {
    Send(Value),
    Drop,
}

#[derive(Default)]
struct State {
    last: u64,
    faults: VecDeque<(String, Fault)>,
    history: Vec<Value>,
    sockets: Vec<(usize, Sender<Order>)>,
    opened: usize,
    most_sockets: usize,
    acks: HashMap<String, Value>,
    posted: HashMap<String, Instant>,
    hurried: usize,
    revoked: bool,
}

impl State {
    fn fault(&mut self, method: &str) -> Option<Fault> {
        let at = self.faults.iter().position(|(known, _)| known == method)?;
        self.faults.remove(at).map(|(_, fault)| fault)
    }
}

type Shared = Arc<(Mutex<State>, Condvar)>;

pub(crate) struct Slack {
    port: u16,
    calls: Inbox<Call>,
    kept: Mutex<VecDeque<Call>>,
    state: Shared,
}

impl Slack {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Shared::default();
        let (sender, calls) = mpsc::channel();
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (state, sender) = (Arc::clone(&shared), sender.clone());
                std::thread::spawn(move || meet(stream.unwrap(), port, &state, &sender));
            }
        });
        Self { port, calls, kept: Mutex::default(), state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/api", self.port)
    }

    /// Has the next call of a method fail.
    pub(crate) fn fails(&self, method: &str, fault: Fault) {
        self.state.0.lock().unwrap().faults.push_back((method.to_owned(), fault));
    }

    /// Takes no token any more, or again.
    pub(crate) fn revokes(&self, revoked: bool) {
        self.state.0.lock().unwrap().revoked = revoked;
    }

    /// Returns how many messages came too soon after another to the same channel.
    pub(crate) fn hurried(&self) -> usize {
        self.state.0.lock().unwrap().hurried
    }

    /// Returns how many sockets were open at once, at most.
    pub(crate) fn most_sockets(&self) -> usize {
        self.state.0.lock().unwrap().most_sockets
    }

    /// Waits until this many sockets have been opened in all.
    pub(crate) fn has_opened(&self, count: usize) {
        self.wait(|state| (state.opened >= count).then_some(()), "no socket was opened");
    }

    /// Closes all sockets without a word.
    pub(crate) fn drops_sockets(&self) {
        for (_, socket) in self.state.0.lock().unwrap().sockets.drain(..) {
            let _ = socket.send(Order::Drop);
        }
    }

    /// Waits for the next call of a method; others that come meanwhile are kept.
    #[track_caller]
    pub(crate) fn next(&self, method: &str) -> Call {
        let mut kept = self.kept.lock().unwrap();
        loop {
            if let Some(at) = kept.iter().position(|call| call.method == method) {
                return kept.remove(at).unwrap();
            }
            let next = self.calls.recv_timeout(TIMEOUT);
            let next = next.unwrap_or_else(|why| panic!("no {method} came: {why}; but {kept:?}"));
            kept.push_back(next);
        }
    }

    /// Expects that nothing has come but what was waited for.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        let mut kept = self.kept.lock().unwrap();
        kept.extend(self.calls.try_iter());
        assert!(kept.is_empty(), "came unasked: {kept:?}");
    }

    /// Someone taps a button of the message that a call sent or changed.
    pub(crate) fn tap(&self, user: &str, call: &Call, value: &str) -> String {
        let ts = self.ts_of(call);
        self.interacts(&json!({
            "type": "block_actions", "team": { "id": TEAM }, "user": { "id": user, "team_id": TEAM },
            "channel": { "id": format!("D{user}") }, "message": { "ts": ts },
            "actions": [{ "action_id": "tap", "type": "button", "value": value }],
        }))
    }

    /// Someone sends or changes a modal.
    pub(crate) fn fills(&self, user: &str, kind: &str, view: &Value, values: &Value) -> String {
        let view = json!({
            "id": "V1", "hash": "h1", "private_metadata": view["private_metadata"],
            "state": { "values": values },
        });
        self.interacts(&json!({
            "type": kind, "team": { "id": TEAM }, "user": { "id": user, "team_id": TEAM }, "view": view,
            "actions": [{ "action_id": "v" }],
        }))
    }

    /// Someone writes to the bot, perhaps in the thread of a message that a call sent.
    pub(crate) fn writes(&self, user: &str, text: &str, thread: Option<&Call>) -> String {
        let mut event = json!({
            "type": "message", "channel_type": "im", "channel": format!("D{user}"), "user": user,
            "team": TEAM, "text": text, "ts": "9000.0",
        });
        if let Some(call) = thread {
            event["thread_ts"] = json!(self.ts_of(call));
        }
        let number = self.number();
        self.happens(&json!({ "type": "events_api", "payload": {
            "team_id": TEAM, "event_id": format!("Ev{number}"), "event": event } }))
    }

    /// Something is tapped or sent.
    pub(crate) fn interacts(&self, payload: &Value) -> String {
        let mut payload = payload.clone();
        payload["trigger_id"] = json!(format!("t{}", self.number()));
        self.happens(&json!({ "type": "interactive", "payload": payload }))
    }

    /// Delivers an envelope, and waits until it is acknowledged; returns its id.
    pub(crate) fn happens(&self, envelope: &Value) -> String {
        let mut envelope = envelope.clone();
        let id = format!("e{}", self.number());
        envelope["envelope_id"] = json!(id);
        self.says(&envelope);
        self.acknowledged(&id);
        id
    }

    /// Says something over the newest socket.
    pub(crate) fn says(&self, frame: &Value) {
        let say = |state: &mut State| state.sockets.last()?.1.send(Order::Send(frame.clone())).ok();
        self.wait(say, "no socket is open");
    }

    /// Waits for an acknowledgement, and returns it.
    pub(crate) fn acknowledged(&self, id: &str) -> Value {
        self.wait(|state| state.acks.get(id).cloned(), "not acknowledged")
    }

    /// Returns the id of the message that a call sent or changed.
    fn ts_of(&self, call: &Call) -> Value {
        if call.body["ts"].is_string() {
            return call.body["ts"].clone();
        }
        let state = self.state.0.lock().unwrap();
        let sent = state.history.iter().rev().find(|message| message["blocks"] == call.body["blocks"]);
        sent.unwrap()["ts"].clone()
    }

    fn number(&self) -> u64 {
        let mut state = self.state.0.lock().unwrap();
        state.last += 1;
        state.last
    }

    #[track_caller]
    fn wait<T>(&self, mut wanted: impl FnMut(&mut State) -> Option<T>, why: &str) -> T {
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.state.0.lock().unwrap();
        loop {
            if let Some(found) = wanted(&mut state) {
                return found;
            }
            let left = deadline.checked_duration_since(Instant::now());
            let left = left.unwrap_or_else(|| panic!("{why}"));
            state = self.state.1.wait_timeout(state, left).unwrap().0;
        }
    }
}

fn meet(stream: TcpStream, port: u16, state: &Shared, sender: &Sender<Call>) {
    let mut start = [0; 12];
    while stream.peek(&mut start).is_ok_and(|count| (1..start.len()).contains(&count)) {}
    if start.starts_with(b"GET /socket") {
        return talk(stream, state);
    }
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    if let Some((method, token, body)) = read(&mut reader) {
        answer(&stream, port, state, sender, (&method, &token, body));
    }
}

/// Talks over a socket until it is closed.
fn talk(stream: TcpStream, state: &Shared) {
    let Ok(mut socket) = tungstenite::accept(stream) else { return };
    socket.get_ref().set_read_timeout(Some(LOOK)).unwrap();
    let (orders, inbox) = mpsc::channel();
    let number = {
        let mut state = state.0.lock().unwrap();
        state.opened += 1;
        let number = state.opened;
        state.sockets.push((number, orders));
        state.most_sockets = state.most_sockets.max(state.sockets.len());
        number
    };
    let _ = socket.send(Message::text(json!({ "type": "hello", "num_connections": 1 }).to_string()));
    state.1.notify_all();
    loop {
        match inbox.try_recv() {
            Ok(Order::Send(frame)) => {
                if socket.send(Message::text(frame.to_string())).is_err() {
                    break;
                }
            }
            Ok(Order::Drop) => break,
            Err(_) => {}
        }
        match socket.read() {
            Ok(Message::Text(text)) => {
                let ack: Value = serde_json::from_str(&text).unwrap();
                let id = ack["envelope_id"].as_str().unwrap().to_owned();
                state.0.lock().unwrap().acks.insert(id, ack);
                state.1.notify_all();
            }
            Ok(_) => {}
            Err(tungstenite::Error::Io(why)) if why.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => break,
        }
    }
    state.0.lock().unwrap().sockets.retain(|(known, _)| *known != number);
    state.1.notify_all();
}

/// Answers a call.
fn answer(
    stream: &TcpStream,
    port: u16,
    state: &Shared,
    sender: &Sender<Call>,
    (method, token, body): (&str, &str, Value),
) {
    let mut state = state.0.lock().unwrap();
    let wanted = if method == "apps.connections.open" { "xapp-" } else { "xoxb-" };
    let call = Call { method: method.to_owned(), body: body.clone(), at: Instant::now() };
    let is_seen = !matches!(
        method,
        "auth.test" | "conversations.open" | "conversations.history" | "apps.connections.open"
    );
    if !token.starts_with(wanted) || state.revoked {
        return reply(stream, 200, None, &json!({ "ok": false, "error": "token_revoked" }));
    }
    let fault = state.fault(method);
    match &fault {
        Some(Fault::Close) => return,
        Some(Fault::Error(status, after, error)) => {
            if is_seen {
                let _ = sender.send(call);
            }
            return reply(stream, *status, *after, &json!({ "ok": false, "error": error }));
        }
        Some(Fault::Says(said)) => return reply(stream, 200, None, said),
        _ => {}
    }
    let mut said = json!({ "ok": true });
    match method {
        "auth.test" => said["team_id"] = json!(TEAM),
        "apps.connections.open" => said["url"] = json!(format!("ws://127.0.0.1:{port}/socket")),
        "conversations.open" => {
            said["channel"] = json!({ "id": format!("D{}", body["users"].as_str().unwrap()) });
        }
        "conversations.history" => {
            let sent = state.history.iter().rev().filter(|sent| sent["channel"] == body["channel"]);
            said["messages"] = json!(sent.cloned().collect::<Vec<_>>());
        }
        "chat.postMessage" => {
            let channel = body["channel"].as_str().unwrap().to_owned();
            let soon = state.posted.insert(channel.clone(), Instant::now());
            if soon.is_some_and(|before| before.elapsed() < BETWEEN) {
                state.hurried += 1;
            }
            state.last += 1;
            let mut message = body.clone();
            message["ts"] = json!(format!("{}.000100", 1_000 + state.last));
            said["ts"] = message["ts"].clone();
            said["channel"] = json!(channel);
            state.history.push(message);
        }
        _ => {}
    }
    drop(state);
    if is_seen {
        let _ = sender.send(call);
    }
    if !matches!(fault, Some(Fault::Lost)) {
        reply(stream, 200, None, &said);
    }
}

fn reply(mut stream: &TcpStream, status: u16, after: Option<u32>, body: &Value) {
    let body = body.to_string();
    let after = after.map(|after| format!("retry-after: {after}\r\n")).unwrap_or_default();
    let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{after}content-length: {}", body.len());
    let _ = write!(stream, "{head}\r\n\r\n{body}");
}

/// Reads a call: its method, its token, and its body or query.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.strip_prefix("/api/")?.to_owned();
    let (mut length, mut token) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "authorization" => value.trim().strip_prefix("Bearer ")?.clone_into(&mut token),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (method, query) = path.split_once('?').map_or((path.as_str(), ""), |(method, query)| (method, query));
    let body = if body.is_empty() {
        let pair = |pair: &str| pair.split_once('=').map(|(name, value)| (name.to_owned(), json!(value)));
        Value::Object(query.split('&').filter_map(pair).collect())
    } else {
        serde_json::from_slice(&body).ok()?
    };
    Some((method.to_owned(), token, body))
}
