//! A small server of our own that speaks chat completions as language models do, and misbehaves on demand.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::process::TIMEOUT;

/// How a request is met.
#[derive(Clone, Debug)]
pub(crate) enum Says {
    /// With this as the model's words.
    Words(String),
    /// With this as the model's words, for this many tokens.
    Costly(String, u64),
    /// With a refusal.
    Refusal,
    /// With words that were cut off.
    Cut(String),
    /// With a status and a body of its own.
    Raw(u16, String),
    /// With half of what it announced.
    Half,
    /// With bytes that do not end.
    Endless,
    /// Never.
    Hang,
    /// By closing the connection.
    Close,
}

impl Says {
    pub(crate) fn json(value: &Value) -> Self {
        Self::Words(value.to_string())
    }

    /// Values for fields, each with its words.
    pub(crate) fn values(values: &[(&str, Value, &str)]) -> Self {
        let answers: serde_json::Map<String, Value> = values
            .iter()
            .map(|(field, value, words)| ((*field).to_owned(), json!({"value": value, "words": words})))
            .collect();
        Self::json(&json!({"intent": "multi_answer", "answers": answers}))
    }
}

/// What came in.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl ReceivedRequest {
    /// The messages of one role, joined.
    pub(crate) fn said_by(&self, role: &str) -> String {
        let messages = self.body["messages"].as_array().unwrap().iter();
        let of_role = messages.filter(|message| message["role"] == role);
        of_role.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }
}

/// A server of models; when it has nothing more to say it answers 500.
pub(crate) struct FakeModel {
    port: u16,
    asked: Receiver<ReceivedRequest>,
    script: Arc<Mutex<VecDeque<Says>>>,
}

impl FakeModel {
    pub(crate) fn start(script: &[Says]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let script = Arc::new(Mutex::new(VecDeque::from(script.to_vec())));
        let (sender, asked) = mpsc::channel();
        let says = Arc::clone(&script);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (says, sender) = (Arc::clone(&says), sender.clone());
                std::thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    let Some(request) = read(&stream) else { return };
                    let next = says.lock().unwrap().pop_front().unwrap_or(Says::Raw(500, "spent".into()));
                    let _ = sender.send(request);
                    meet(&mut stream, next);
                });
            }
        });
        Self { port, asked, script }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Says this next.
    pub(crate) fn then(&self, says: Says) {
        self.script.lock().unwrap().push_back(says);
    }

    /// Waits for the next request.
    #[track_caller]
    pub(crate) fn next(&self) -> ReceivedRequest {
        self.asked.recv_timeout(TIMEOUT).unwrap_or_else(|why| panic!("it was not asked: {why}"))
    }

    /// Takes all requests that have come.
    pub(crate) fn count(&self) -> usize {
        std::iter::from_fn(|| self.asked.try_recv().ok()).count()
    }
}

fn read(stream: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(ReceivedRequest { head, body: serde_json::from_slice(&body).ok()? })
}

fn meet(stream: &mut TcpStream, says: Says) {
    let completion = |content: Value, refusal: Value, finish: &str, tokens: u64| {
        json!({
            "id": "c", "object": "chat.completion", "model": "fake",
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, "refusal": refusal}}],
            "usage": {"prompt_tokens": tokens / 2, "completion_tokens": tokens - tokens / 2, "total_tokens": tokens},
        })
        .to_string()
    };
    let (status, body) = match says {
        Says::Words(words) => (200, completion(words.into(), Value::Null, "stop", 40)),
        Says::Costly(words, tokens) => (200, completion(words.into(), Value::Null, "stop", tokens)),
        Says::Refusal => (200, completion(Value::Null, "I can't help with that.".into(), "stop", 40)),
        Says::Cut(words) => (200, completion(words.into(), Value::Null, "length", 40)),
        Says::Raw(status, body) => (status, body),
        Says::Half => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\": [{\"mess");
            return;
        }
        Says::Endless => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000000\r\n\r\n");
            while stream.write_all(&[b' '; 4096]).is_ok() {}
            return;
        }
        Says::Hang => {
            // Until the other side has had enough.
            let _ = stream.read(&mut [0; 1]);
            return;
        }
        Says::Close => return,
    };
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
}
