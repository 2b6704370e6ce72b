//! A minimal HTTP and RESP client, so that the server is measured and not the client.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Result;

/// A persistent connection: one request after the other.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    host: String,
    token: String,
    read: Vec<u8>,
}

impl Wire {
    /// Connects to a host and port; sends nothing yet.
    pub(crate) async fn connect(address: &str, token: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, host: address.into(), token: token.into(), read: Vec::new() })
    }

    /// Returns the authorization header, if there is a token.
    fn bearer(&self) -> String {
        if self.token.is_empty() {
            String::new()
        } else {
            format!("Authorization: Bearer {}\r\n", self.token)
        }
    }

    /// Sends a request.
    pub(crate) async fn send(&mut self, method: &str, path: &str, body: &str) -> Result<()> {
        let (host, bearer, length) = (&self.host, self.bearer(), body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{bearer}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        Ok(self.stream.write_all(request.as_bytes()).await?)
    }

    /// Reads the answer to a request; anything but success is an error.
    pub(crate) async fn receive(&mut self) -> Result<Vec<u8>> {
        let end = loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                break end + 4;
            }
            self.more().await?;
        };
        let head = String::from_utf8_lossy(&self.read[..end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        let length: usize = length.ok_or("an answer without a length")?;
        while self.read.len() < end + length {
            self.more().await?;
        }
        let rest = self.read.split_off(end + length);
        let body = std::mem::replace(&mut self.read, rest).split_off(end);
        if !head.starts_with("http/1.1 20") {
            return Err(format!("{head}{}", String::from_utf8_lossy(&body)).into());
        }
        Ok(body)
    }

    /// Sends a request and reads its answer.
    pub(crate) async fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<Vec<u8>> {
        self.send(method, path, body).await?;
        self.receive().await
    }

    /// Returns the number of bytes received for a page, compressed as for browsers.
    pub(crate) async fn weigh(&mut self, path: &str) -> Result<usize> {
        let (host, bearer) = (&self.host, self.bearer());
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{bearer}Accept-Encoding: gzip\r\n\r\n");
        self.stream.write_all(request.as_bytes()).await?;
        Ok(self.receive().await?.len())
    }

    /// Requests a stream of events.
    pub(crate) async fn follow(&mut self, path: &str) -> Result<()> {
        let (host, bearer) = (&self.host, self.bearer());
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\n{bearer}\
             Accept: text/event-stream\r\n\r\n"
        );
        self.stream.write_all(request.as_bytes()).await?;
        while !self.line().await?.starts_with(b"HTTP/1.1 200") {}
        Ok(())
    }

    /// Returns the next event that says that something was asked.
    pub(crate) async fn created(&mut self) -> Result<Vec<u8>> {
        while !self.line().await?.starts_with(b"event: decision:created") {}
        self.data().await
    }

    /// Returns the data of the next event.
    pub(crate) async fn data(&mut self) -> Result<Vec<u8>> {
        loop {
            if let Some(event) = self.line().await?.strip_prefix(b"data: ") {
                return Ok(event.to_vec());
            }
        }
    }

    /// Returns the next line. The size lines of the chunked encoding are returned as well; they match nothing.
    async fn line(&mut self) -> Result<Vec<u8>> {
        loop {
            if let Some(end) = find(&self.read, b"\n") {
                let rest = self.read.split_off(end + 1);
                return Ok(std::mem::replace(&mut self.read, rest));
            }
            self.more().await?;
        }
    }

    async fn more(&mut self) -> Result<()> {
        self.read.reserve(4096);
        match self.stream.read_buf(&mut self.read).await? {
            0 => Err("the server closed the connection".into()),
            _ => Ok(()),
        }
    }
}

/// A connection to Redis.
#[derive(Debug)]
pub(crate) struct Resp {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Resp {
    /// Connects to Redis.
    pub(crate) async fn connect(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::new() })
    }

    /// Sends commands in one write.
    pub(crate) async fn send(&mut self, commands: &[&[&str]]) -> Result<()> {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(1024);
        for words in commands {
            write!(text, "*{}\r\n", words.len())?;
            for word in *words {
                write!(text, "${}\r\n{word}\r\n", word.len())?;
            }
        }
        Ok(self.stream.write_all(text.as_bytes()).await?)
    }

    /// Reads this many replies; fails if one is an error.
    pub(crate) async fn receive(&mut self, mut replies: usize) -> Result<()> {
        let mut setup = 0;
        while replies > 0 {
            let Some(end) = find(&self.read[setup..], b"\r\n").map(|end| setup + end) else {
                self.more().await?;
                continue;
            };
            let number: i64 = std::str::from_utf8(&self.read[setup + 1..end])?.parse().unwrap_or(0);
            let kind = self.read[setup];
            setup = end + 2;
            replies -= 1;
            match kind {
                b'-' => return Err(String::from_utf8_lossy(&self.read).into_owned().into()),
                b'*' => replies += usize::try_from(number).unwrap_or(0),
                b'$' => {
                    let length = usize::try_from(number).map_or(0, |length| length + 2);
                    while self.read.len() < setup + length {
                        self.more().await?;
                    }
                    setup += length;
                }
                _ => {}
            }
        }
        self.read.drain(..setup);
        Ok(())
    }

    async fn more(&mut self) -> Result<()> {
        match self.stream.read_buf(&mut self.read).await? {
            0 => Err("Redis closed the connection".into()),
            _ => Ok(()),
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
