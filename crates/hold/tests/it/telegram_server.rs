//! A stand-in for Telegram's Bot API: it keeps what a bot sends, hands out what people do, and can misbehave.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver as Inbox, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::TIMEOUT;

/// How a call is met that would have been taken.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// With an error and what goes with it.
    Error(u16, Value),
    /// By closing the connection before anything is done.
    Close,
    /// It is done, and the connection closed before anybody is told.
    Lost,
}

/// A call that was made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

#[derive(Default)]
struct State {
    updates: Vec<Value>,
    last_update: i64,
    last_message: i64,
    /// What people wrote, and which of it each message of the bot replies to.
    written: HashMap<i64, Value>,
    replies: HashMap<i64, i64>,
    faults: VecDeque<(String, Fault)>,
    /// Whether updates are handed out again although they were confirmed.
    forgets: bool,
    /// Those whose requests are held, and how many requests there have been.
    pollers: Vec<(u64, TcpStream)>,
    polls: u64,
    most_pollers: usize,
}

pub(crate) struct Bot {
    port: u16,
    token: String,
    calls: Inbox<Call>,
    kept: Mutex<VecDeque<Call>>,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Bot {
    pub(crate) fn start(token: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new((Mutex::new(State { last_update: 100, ..State::default() }), Condvar::new()));
        let (sender, calls) = mpsc::channel();
        let (shared, prefix) = (Arc::clone(&state), format!("/bot{token}/"));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (state, sender, prefix) = (Arc::clone(&shared), sender.clone(), prefix.clone());
                std::thread::spawn(move || meet(stream.unwrap(), &prefix, &state, &sender));
            }
        });
        Self { port, token: token.to_owned(), calls, kept: Mutex::default(), state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Has the next call of a method fail.
    pub(crate) fn fails(&self, method: &str, fault: Fault) {
        self.state.0.lock().unwrap().faults.push_back((method.to_owned(), fault));
    }

    /// Hands updates out again and again.
    pub(crate) fn forgets(&self) {
        self.state.0.lock().unwrap().forgets = true;
    }

    /// Returns how many listened at once, at most.
    pub(crate) fn most_pollers(&self) -> usize {
        self.state.0.lock().unwrap().most_pollers
    }

    /// Waits for the next call of a method; others that come meanwhile are kept, for what a tap sets in motion comes in no
    /// order.
    #[track_caller]
    pub(crate) fn next(&self, method: &str) -> Call {
        let mut kept = self.kept.lock().unwrap();
        loop {
            if let Some(at) = kept.iter().position(|call| call.method == method) {
                return kept.remove(at).unwrap();
            }
            let next = self.calls.recv_timeout(TIMEOUT);
            kept.push_back(next.unwrap_or_else(|why| panic!("no {method} came: {why}")));
        }
    }

    /// Returns the calls of a method that have come and nobody waited for.
    pub(crate) fn rest(&self, method: &str) -> Vec<Call> {
        let mut kept = self.kept.lock().unwrap();
        kept.extend(self.calls.try_iter());
        let (rest, others): (Vec<_>, Vec<_>) = kept.drain(..).partition(|call| call.method == method);
        kept.extend(others);
        rest
    }

    /// Expects that nothing has come but what was waited for.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        let mut kept = self.kept.lock().unwrap();
        kept.extend(self.calls.try_iter());
        assert!(kept.is_empty(), "came unasked: {kept:?}");
    }

    /// Someone taps a button of a message, which has what it replies to with it.
    pub(crate) fn tap(&self, account: i64, message: &Value, handle: &str) {
        let mut message = json!({ "message_id": message, "chat": { "id": account, "type": "private" } });
        {
            let state = self.state.0.lock().unwrap();
            let replied_to = message["message_id"].as_i64().and_then(|id| state.replies.get(&id));
            if let Some(written) = replied_to.and_then(|id| state.written.get(id)) {
                message["reply_to_message"] = written.clone();
            }
        }
        self.happens(&json!({ "callback_query": {
            "id": format!("q-{handle}"), "from": { "id": account, "is_bot": false }, "data": handle,
            "message": message,
        }}));
    }

    /// Someone writes.
    pub(crate) fn writes(&self, account: i64, text: &str, reply_to: Option<&Value>) {
        let mut state = self.state.0.lock().unwrap();
        let id = 9_001 + i64::try_from(state.written.len()).unwrap();
        let mut message = json!({
            "message_id": id, "text": text, "from": { "id": account, "is_bot": false },
            "chat": { "id": account, "type": "private" },
        });
        // What it replies to goes with it, but not what that replied to.
        state.written.insert(id, message.clone());
        drop(state);
        if let Some(reply_to) = reply_to {
            message["reply_to_message"] = json!({ "message_id": reply_to });
        }
        self.happens(&json!({ "message": message }));
    }

    /// Someone deletes all that they wrote.
    pub(crate) fn clears(&self) {
        self.state.0.lock().unwrap().written.clear();
    }

    pub(crate) fn happens(&self, what: &Value) {
        let mut state = self.state.0.lock().unwrap();
        state.last_update += 1;
        let mut update = what.clone();
        update["update_id"] = json!(state.last_update);
        state.updates.push(update);
        self.state.1.notify_all();
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

fn meet(stream: TcpStream, prefix: &str, state: &(Mutex<State>, Condvar), sender: &Sender<Call>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let Some((path, body)) = read(&mut reader) else { return };
    let Some(method) = path.strip_prefix(prefix) else {
        return reply(stream, &json!({ "ok": false, "error_code": 401, "description": "Unauthorized" }));
    };
    let fault = {
        let faults = &mut state.0.lock().unwrap().faults;
        let at = faults.iter().position(|(known, _)| known == method);
        at.and_then(|at| faults.remove(at)).map(|(_, fault)| fault)
    };
    let call = Call { method: method.to_owned(), body: body.clone(), at: Instant::now() };
    match &fault {
        Some(Fault::Close) => return,
        Some(Fault::Error(code, more)) => {
            let mut error = json!({ "ok": false, "error_code": code, "description": "no" });
            for (name, value) in more.as_object().into_iter().flatten() {
                error[name] = value.clone();
            }
            if method != "getUpdates" {
                let _ = sender.send(call);
            }
            return reply(stream, &error);
        }
        _ => {}
    }
    let result = if method == "getUpdates" {
        updates(state, &stream, body["offset"].as_i64().unwrap_or_default())
    } else {
        let mut state = state.0.lock().unwrap();
        state.last_message += i64::from(method == "sendMessage");
        if let Some(replied_to) = body["reply_parameters"]["message_id"].as_i64() {
            let message = state.last_message;
            state.replies.insert(message, replied_to);
        }
        let _ = sender.send(call);
        json!({ "message_id": state.last_message })
    };
    if !matches!(fault, Some(Fault::Lost)) {
        reply(stream, &json!({ "ok": true, "result": result }));
    }
}

fn updates(state: &(Mutex<State>, Condvar), stream: &TcpStream, offset: i64) -> Value {
    let mut held = state.0.lock().unwrap();
    stream.set_nonblocking(true).unwrap();
    held.polls += 1;
    let poll = held.polls;
    held.pollers.retain(|(_, other)| is_open(other));
    held.pollers.push((poll, stream.try_clone().unwrap()));
    held.most_pollers = held.most_pollers.max(held.pollers.len());
    if !held.forgets {
        held.updates.retain(|update| update["update_id"].as_i64() >= Some(offset));
    }
    if held.updates.is_empty() {
        held = state.1.wait_timeout(held, Duration::from_millis(500)).unwrap().0;
    }
    held.pollers.retain(|(other, _)| *other != poll);
    json!(held.updates)
}

/// Whoever has gone polls no more, though its request is still held here.
fn is_open(stream: &TcpStream) -> bool {
    match stream.peek(&mut [0]) {
        Ok(read) => read > 0,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    }
}

fn reply(mut stream: TcpStream, body: &Value) {
    let body = body.to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}
