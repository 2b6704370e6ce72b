//! A server of its own on a port of its own, and plain HTTP to talk to it: every byte is the test's.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::process::{Ran, Running, Stream, TIMEOUT};
use crate::sandbox::Sandbox;

/// The real server, killed when it is dropped.
pub(crate) struct Server {
    pub(crate) sandbox: Sandbox,
    /// Host and port.
    pub(crate) address: String,
    running: Option<Running>,
    arguments: Vec<String>,
}

impl Server {
    /// Starts a server that asks who calls.
    pub(crate) fn start() -> Self {
        Self::on(Sandbox::new(), &[])
    }

    /// Starts a server that asks nobody.
    pub(crate) fn open() -> Self {
        Self::on(Sandbox::new(), &["--no-auth"])
    }

    pub(crate) fn on(sandbox: Sandbox, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let mut server = Self { sandbox, address: "127.0.0.1:0".into(), running: None, arguments };
        server.run();
        server
    }

    /// Starts again after [`Server::kill`] or [`Server::stop`], at the same address.
    pub(crate) fn run(&mut self) {
        let mut arguments = vec!["serve", "--listen", &self.address];
        arguments.extend(self.arguments.iter().map(String::as_str));
        let mut running = self.sandbox.spawn(&arguments);
        let line = running.until(Stream::Err, "Listening on http://");
        line.split("http://").nth(1).unwrap().clone_into(&mut self.address);
        self.running = Some(running);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        let running = self.running.take().unwrap();
        running.signal(Signal::KILL);
        running.end();
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn stop(&mut self) -> Ran {
        self.signal(Signal::TERM);
        self.running.take().unwrap().end()
    }

    /// Returns the most memory that it has used so far, in MiB.
    pub(crate) fn peak(&self) -> u64 {
        self.running.as_ref().unwrap().peak()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.running.as_ref().unwrap().signal(signal);
    }

    /// Nobody.
    pub(crate) fn nobody(&self) -> Api {
        Api { address: self.address.clone(), headers: Vec::new() }
    }

    /// A caller that can read the local token.
    pub(crate) fn local(&self) -> Api {
        let token = std::fs::read_to_string(self.sandbox.home().join("local.token")).unwrap();
        self.nobody().bearing(&token)
    }

    /// Makes a token and returns its holder.
    #[track_caller]
    pub(crate) fn token(&self, name: &str, role: &str, projects: &[&str]) -> Api {
        self.token_allowing(name, role, projects, &[])
    }

    /// The same, with permissions.
    #[track_caller]
    pub(crate) fn token_allowing(&self, name: &str, role: &str, projects: &[&str], may: &[&str]) -> Api {
        let new = json!({"name": name, "role": role, "projects": projects, "permissions": may});
        let made = self.local().post("/v1/tokens", &new).is(201);
        self.nobody().bearing(made.json()["secret"].as_str().unwrap())
    }

    /// Waits until this many requests hold on a decision.
    pub(crate) fn parked(&self, wanted: usize) {
        let end = std::time::Instant::now() + TIMEOUT;
        let line = format!("hold_waiters {wanted}\n");
        while !self.nobody().get("/metrics").body.contains(&line) {
            assert!(std::time::Instant::now() < end, "nobody waits");
            std::thread::yield_now();
        }
    }
}

/// Someone who talks to a server.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    pub(crate) address: String,
    headers: Vec<(String, String)>,
}

impl Api {
    /// Talks to an address, as nobody.
    pub(crate) fn at(address: &str) -> Self {
        Self { address: address.to_owned(), headers: Vec::new() }
    }

    pub(crate) fn bearing(self, token: &str) -> Self {
        self.with("Authorization", &format!("Bearer {token}"))
    }

    /// The token that is sent.
    pub(crate) fn token(&self) -> &str {
        let sent = self.headers.iter().find(|(name, _)| name == "Authorization");
        sent.and_then(|(_, value)| value.strip_prefix("Bearer ")).unwrap()
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, Some(body))
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let text = body.map(Value::to_string).unwrap_or_default();
        let mut api = self.clone();
        if body.is_some() {
            api =
                api.with("Content-Type", "application/json").with("Content-Length", &text.len().to_string());
        }
        api.raw(method, path, text.as_bytes())
    }

    /// Sends a body with no headers but our own.
    pub(crate) fn raw(&self, method: &str, path: &str, body: &[u8]) -> Reply {
        let mut stream = self.connect(method, path);
        // Who refuses a body need not read it.
        let _ = stream.write_all(body);
        read(stream)
    }

    /// Sends all but the body, and returns the open connection.
    pub(crate) fn connect(&self, method: &str, path: &str) -> TcpStream {
        use std::fmt::Write as _;
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !self.headers.iter().any(|(name, _)| name == "Host") {
            write!(head, "Host: {}\r\n", self.address).unwrap();
        }
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        head.push_str("\r\n");
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// Asks which of `a` and `b`, and returns the id.
    #[track_caller]
    pub(crate) fn ask(&self) -> String {
        self.post("/v1/decisions", &question()).is(201).id()
    }

    /// Looks, where that is allowed, and answers with a choice.
    pub(crate) fn answer(&self, id: &str, choice: &str) -> Reply {
        let seen = serde_json::from_str::<Value>(&self.decision(id).body).unwrap_or_default();
        let mut answer = json!({"choice": choice});
        if seen["subject"] != Value::Null {
            answer["digest"] = seen["digest"].clone();
        }
        self.post(&format!("/v1/decisions/{id}/answer"), &answer)
    }

    pub(crate) fn decision(&self, id: &str) -> Reply {
        self.get(&format!("/v1/decisions/{id}"))
    }
}

/// A question with two options.
pub(crate) fn question() -> Value {
    json!({"prompt": "Which?", "fields": [{"id": "choice", "kind": "choice", "label": "Which?",
        "options": [{"id": "a", "label": "First"}, {"id": "b", "label": "Second"}]}]})
}

/// A question with something more.
pub(crate) fn question_with(more: &Value) -> Value {
    let mut all = question();
    for (key, value) in more.as_object().unwrap() {
        all[key] = value.clone();
    }
    all
}

/// Sends bytes as they are.
pub(crate) fn send_bytes(address: &str, bytes: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let _ = stream.write_all(bytes);
    read(stream)
}

/// Reads an answer to its end.
pub(crate) fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    // A server that does not read all it was sent may reset; what it said before counts.
    let _ = stream.read_to_end(&mut bytes);
    parse(&bytes)
}

/// Reads an answer that came complete.
pub(crate) fn parse(bytes: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let header = |line: &str| {
        line.split_once(':').map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    Reply { status: status.unwrap_or(0), headers: lines.filter_map(header).collect(), body: body.to_owned() }
}

/// What a server answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    /// Expects a problem with a status and a code, in the form of RFC 9457.
    #[track_caller]
    pub(crate) fn refuses(self, status: u16, code: &str) -> Value {
        let reply = self.is(status);
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{reply:#?}");
        let problem = reply.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
        problem
    }

    /// Reads the body; of a stream, which a slow answer of MCP comes as, its last event.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let last = self.body.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
        let text = if self.header("content-type") == Some("text/event-stream") { last } else { None };
        serde_json::from_str(text.unwrap_or(&self.body))
            .unwrap_or_else(|why| panic!("not JSON: {why}\n{self:#?}"))
    }

    #[track_caller]
    pub(crate) fn id(&self) -> String {
        self.json()["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}
