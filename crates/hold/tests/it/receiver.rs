//! A small HTTP receiver of our own that can misbehave, one reply per request.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver as Inbox, Sender};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::Value;

use crate::process::TIMEOUT;

/// How a request is met.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// With a status and one more header, which may be empty.
    Status(u16, String),
    /// Never.
    Hang,
    /// By closing the connection.
    Close,
    /// With an error and words that do not end.
    Endless,
    /// With a refusal that repeats the credential and what came in.
    Echo,
    /// Well, once [`Receiver::release`] says so.
    Held,
}

/// What came in.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: Instant,
}

impl Request {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn id(&self) -> &str {
        &self.headers["webhook-id"]
    }
}

/// A receiver; what has no reply of its own is met with 204.
pub(crate) struct Receiver {
    port: u16,
    received: Inbox<Request>,
    gate: Sender<()>,
}

impl Receiver {
    pub(crate) fn start(replies: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let replies = Arc::new(Mutex::new(VecDeque::from(replies.to_vec())));
        let (sender, received) = mpsc::channel();
        let (gate, opens) = mpsc::channel();
        let opens = Arc::new(Mutex::new(opens));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (replies, sender, opens) = (Arc::clone(&replies), sender.clone(), Arc::clone(&opens));
                std::thread::spawn(move || meet(stream.unwrap(), &replies, &sender, &opens));
            }
        });
        Self { port, received, gate }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Waits for the next request.
    #[track_caller]
    pub(crate) fn next(&self) -> Request {
        self.received.recv_timeout(TIMEOUT).unwrap_or_else(|why| panic!("no request came: {why}"))
    }

    /// Expects that nothing more has come so far.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        if let Ok(request) = self.received.try_recv() {
            panic!("came unasked: {request:?}");
        }
    }

    /// Lets one held request go.
    pub(crate) fn release(&self) {
        self.gate.send(()).unwrap();
    }
}

fn meet(
    stream: TcpStream,
    replies: &Mutex<VecDeque<Reply>>,
    sender: &Sender<Request>,
    opens: &Mutex<Inbox<()>>,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let Some(request) = read(&mut reader) else { return };
    let reply = replies.lock().unwrap().pop_front().unwrap_or(Reply::Status(204, String::new()));
    let authorization = request.headers.get("authorization").cloned().unwrap_or_default();
    let echo = format!("{authorization} sent \u{1b}[31m\n{}", request.body);
    let _ = sender.send(request);
    let mut stream = stream;
    match reply {
        Reply::Echo => {
            let length = echo.len();
            let _ = write!(
                stream,
                "HTTP/1.1 400 Said\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{echo}"
            );
        }
        Reply::Status(status, header) => {
            let header = if header.is_empty() { header } else { format!("{header}\r\n") };
            let _ = write!(
                stream,
                "HTTP/1.1 {status} Said\r\n{header}content-length: 0\r\nconnection: close\r\n\r\n"
            );
        }
        Reply::Hang => {
            // Until the other side has had enough.
            let _ = reader.read(&mut [0; 1]);
        }
        Reply::Close => {}
        Reply::Endless => {
            let _ = write!(stream, "HTTP/1.1 500 Said\r\nconnection: close\r\n\r\n");
            while stream.write_all(&[b'x'; 4096]).is_ok() {}
        }
        Reply::Held => {
            let _ = opens.lock().unwrap().recv_timeout(TIMEOUT);
            let _ = write!(stream, "HTTP/1.1 200 Said\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let text = String::from_utf8_lossy(&body).into_owned();
    Some(Request { path, headers, body: text, bytes: body, at: Instant::now() })
}
