//! A small SMTP server of our own that can misbehave, one way per connection.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver as Inbox, Sender};
use std::sync::{Arc, Mutex};

use crate::process::TIMEOUT;

/// How a connection is met.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    /// Well.
    Take,
    /// It is turned away, for now.
    Busy,
    /// It is dropped after the greeting.
    Drop,
    /// The message is refused, for now.
    Later,
    /// The addressee is refused permanently.
    Unknown,
}

/// A message as it came.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub(crate) to: Vec<String>,
    pub(crate) auth: Option<String>,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Letter {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let start = format!("{name}: ");
        self.headers.lines().find_map(|line| line.strip_prefix(start.as_str()))
    }

    /// Returns the signed link in it.
    pub(crate) fn link(&self) -> Option<&str> {
        self.body.lines().find(|line| !line.starts_with('>') && line.contains("/link/"))
    }
}

/// A server; connections that have no manner of their own are met well.
pub(crate) struct Postbox {
    port: u16,
    letters: Inbox<Letter>,
    met: Inbox<Manner>,
}

impl Postbox {
    pub(crate) fn start(manners: &[Manner]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let manners = Arc::new(Mutex::new(VecDeque::from(manners.to_vec())));
        let (sender, letters) = mpsc::channel();
        let (says, met) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (sender, says) = (sender.clone(), says.clone());
                let manner = manners.lock().unwrap().pop_front().unwrap_or(Manner::Take);
                std::thread::spawn(move || {
                    let _ = says.send(manner);
                    let _ = meet(stream.unwrap(), manner, &sender);
                });
            }
        });
        Self { port, letters, met }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Waits for the next message.
    #[track_caller]
    pub(crate) fn next(&self) -> Letter {
        self.letters.recv_timeout(TIMEOUT).unwrap_or_else(|why| panic!("no message came: {why}"))
    }

    /// Waits for the next connection.
    #[track_caller]
    pub(crate) fn connection(&self) -> Manner {
        self.met.recv_timeout(TIMEOUT).unwrap_or_else(|why| panic!("nobody came: {why}"))
    }

    /// Expects that no more messages have come so far.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        if let Ok(letter) = self.letters.try_recv() {
            panic!("came unasked: {letter:?}");
        }
    }
}

fn meet(mut stream: TcpStream, manner: Manner, sender: &Sender<Letter>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    if matches!(manner, Manner::Busy) {
        return stream.write_all(b"421 come back later\r\n");
    }
    stream.write_all(b"220 postbox\r\n")?;
    if matches!(manner, Manner::Drop) {
        return Ok(());
    }
    let (mut to, mut auth) = (Vec::new(), None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let reply: &[u8] = match (verb.as_str(), manner) {
            ("EHLO", _) => b"250-postbox\r\n250 AUTH PLAIN\r\n",
            ("AUTH", _) => {
                auth = line.rsplit(' ').next().map(str::to_owned);
                b"235 fine\r\n"
            }
            ("RCPT", Manner::Unknown) => b"550 nobody of that name\r\n",
            ("RCPT", _) => {
                to.push(line.split(['<', '>']).nth(1).unwrap_or_default().to_owned());
                b"250 fine\r\n"
            }
            ("DATA", Manner::Later) => b"451 not now\r\n",
            ("DATA", _) => {
                stream.write_all(b"354 go on\r\n")?;
                let (headers, body) = message(&mut reader)?;
                let _ =
                    sender.send(Letter { to: std::mem::take(&mut to), auth: auth.clone(), headers, body });
                b"250 taken\r\n"
            }
            ("QUIT", _) => {
                return stream.write_all(b"221 bye\r\n");
            }
            _ => b"250 fine\r\n",
        };
        stream.write_all(reply)?;
    }
}

fn message(reader: &mut BufReader<TcpStream>) -> std::io::Result<(String, String)> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == ".\r\n" {
            break;
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
    let text = text.replace("\r\n", "\n");
    let (headers, body) = text.split_once("\n\n").unwrap_or((&text, ""));
    // Long header lines are folded.
    let headers = headers.replace("\n ", " ");
    let coded = headers.contains("quoted-printable");
    Ok((headers, if coded { unquote(body) } else { body.to_owned() }))
}

fn unquote(text: &str) -> String {
    let text = text.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let coded = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        let coded = coded.filter(|_| *first == b'=');
        bytes.push(coded.unwrap_or(*first));
        rest = if coded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap()
}
