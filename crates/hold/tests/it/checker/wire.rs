//! One request on a connection of its own, and whether its answer came complete.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::server::{Reply, parse};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Nobody took the connection: the request was not sent.
    Unsent,
    /// It was sent; whether anyone read it is not known.
    Lost,
    /// The caller has had enough.
    GivenUp,
}

/// How often the caller is asked whether it has had enough.
const LOOK: Duration = Duration::from_millis(200);

/// A request.
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) key: Option<&'a str>,
    pub(super) body: Option<&'a Value>,
}

impl Request<'_> {
    /// Sends it, and reads the answer until it is there, the connection ends or the caller has had enough.
    pub(super) fn send(&self, node: &str, enough: impl Fn() -> bool) -> Result<Reply, Cut> {
        let mut stream = TcpStream::connect(node).map_err(|_| Cut::Unsent)?;
        stream.set_read_timeout(Some(LOOK)).map_err(|_| Cut::Lost)?;
        stream.write_all(self.text(node).as_bytes()).map_err(|_| Cut::Lost)?;
        let mut bytes = Vec::new();
        let mut some = [0; 16 << 10];
        loop {
            match stream.read(&mut some) {
                Ok(0) => break,
                Ok(length) => bytes.extend_from_slice(&some[..length]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if enough() {
                        return Err(Cut::GivenUp);
                    }
                }
                Err(_) => return Err(Cut::Lost),
            }
        }
        let reply = parse(&bytes);
        let length = reply.header("content-length").and_then(|length| length.parse().ok());
        if length == Some(reply.body.len()) { Ok(reply) } else { Err(Cut::Lost) }
    }

    fn text(&self, node: &str) -> String {
        let Self { method, path, .. } = self;
        let body = self.body.map(Value::to_string).unwrap_or_default();
        let key = self.key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
        let kind = if self.body.is_some() { "Content-Type: application/json\r\n" } else { "" };
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {node}\r\nConnection: close\r\n{key}{kind}Content-Length: {length}\r\n\r\n{body}"
        )
    }
}

/// Returns whether a time has come, to be asked again and again.
pub(super) fn after(time: Duration) -> impl Fn() -> bool {
    let end = Instant::now() + time;
    move || Instant::now() >= end
}
