//! The log over HTTP: as lines, or as it grows; nothing twice, nothing left out.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::sandbox::at;
use crate::server::{Api, Reply, Server, question_with};

fn lines(reply: Reply) -> Vec<Value> {
    let reply = reply.is(200);
    assert_eq!(reply.header("content-type"), Some("application/jsonl"));
    reply.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A stream of events.
pub(crate) struct Live(BufReader<TcpStream>);

impl Live {
    pub(crate) fn open(api: &Api, path: &str) -> Self {
        let stream = api.clone().with("Accept", "text/event-stream").connect("GET", path);
        let mut live = Self(BufReader::new(stream));
        assert!(live.line().contains("200"), "the stream does not open");
        while !live.line().trim().is_empty() {}
        live
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.0.read_line(&mut line).unwrap() > 0, "the stream ended");
        line
    }

    /// Reads until the server ends the stream.
    #[track_caller]
    pub(crate) fn ends(mut self) {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).unwrap_or_else(|why| panic!("the stream does not end: {why}"));
    }

    /// Returns what a page is told next.
    pub(crate) fn told(&mut self) -> String {
        loop {
            if let Some(text) = self.line().strip_prefix("data: ") {
                return text.trim().to_owned();
            }
        }
    }

    /// Returns the next event: its id, its type and what it says.
    pub(crate) fn next(&mut self) -> (i64, String, Value) {
        let (mut id, mut tag) = (0, String::new());
        loop {
            let line = self.line();
            if let Some(text) = line.strip_prefix("id: ") {
                id = text.trim().parse().unwrap();
            } else if let Some(text) = line.strip_prefix("event: ") {
                text.trim().clone_into(&mut tag);
            } else if let Some(text) = line.strip_prefix("data: ") {
                return (id, tag, serde_json::from_str(text).unwrap());
            }
        }
    }
}

#[test]
fn lines_go_on_after_a_place() {
    let server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    nobody.post("/v1/decisions", &question_with(&json!({"project": "web"}))).is(201);
    nobody.answer(&id, "a").is(200);
    let all = lines(nobody.get("/v1/events"));
    let tags: Vec<&str> = all.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(tags, ["decision:created", "decision:created", "decision:resolved"]);
    assert_eq!(all, server.sandbox.log(), "the command line shows the same");
    for key in ["seq", "type", "at", "project", "stream", "id"] {
        assert!(all.iter().all(|event| event.get(key).is_some()), "{key}");
    }
    assert_eq!(lines(nobody.get("/v1/events?after=2")).len(), 1);
    assert_eq!(lines(nobody.get("/v1/events?after=3")).len(), 0);
    assert_eq!(lines(nobody.get("/v1/events?limit=2")).len(), 2);
    assert_eq!(lines(nobody.get("/v1/events?project=web")).len(), 1);
    assert_eq!(lines(nobody.get(&format!("/v1/events?decision={}", &id[..9]))).len(), 2);
    for stale in ["after=4", "after=-1", "after=x", "limit=0", "limit=10001", "since=1"] {
        nobody.get(&format!("/v1/events?{stale}")).refuses(422, "invalid");
    }
    let live = nobody.clone().with("Accept", "text/event-stream");
    live.get("/v1/events?after=99").refuses(422, "invalid");
    live.clone().with("Last-Event-ID", "99").get("/v1/events").refuses(422, "invalid");
    live.with("Last-Event-ID", "x").get("/v1/events").refuses(400, "malformed");
    nobody.clone().with("Last-Event-ID", "x").get("/v1/events").refuses(400, "malformed");
    assert_eq!(lines(nobody.clone().with("Last-Event-ID", "2").get("/v1/events?after=0")).len(), 1);
    nobody.get("/v1/events?decision=nope").refuses(404, "not_found");
}

#[test]
fn a_stream_goes_on_where_it_was_left() {
    let mut server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    let mut live = Live::open(&nobody, "/v1/events?after=0");
    let (seq, tag, event) = live.next();
    assert_eq!((seq, tag.as_str()), (1, "decision:created"));
    at(&event, "/id", id.as_str());
    nobody.answer(&id, "a").is(200);
    let (seq, tag, event) = live.next();
    assert_eq!((seq, tag.as_str()), (2, "decision:resolved"));
    at(&event, "/answer/values/choice", "a");
    drop(live);
    nobody.ask();
    server.kill();
    server.run();
    let mut live = Live::open(&server.nobody().with("Last-Event-ID", "2"), "/v1/events?after=0");
    assert_eq!(live.next().0, 3, "Last-Event-ID comes before after");
    // Without a place it begins with what happens next.
    let mut fresh = Live::open(&server.nobody(), "/v1/events");
    server.nobody().ask();
    assert_eq!((live.next().0, fresh.next().0), (4, 4));
}

#[test]
fn a_stream_shows_only_what_its_reader_may_see() {
    let server = Server::start();
    let (one, other) = (server.token("one", "agent", &[]), server.token("other", "agent", &[]));
    let mut live = Live::open(&one, "/v1/events");
    let hidden = other.ask();
    server.local().answer(&hidden, "a").is(200);
    let mine = one.ask();
    let (_, _, event) = live.next();
    at(&event, "/id", mine.as_str());
}

#[test]
fn what_is_hidden_is_passed_over_and_the_log_goes_on() {
    let server = Server::start();
    let one = server.token("one", "agent", &[]);
    let hidden = server.local();
    for _ in 0..5 {
        hidden.ask();
    }
    let mine = one.ask();
    let end = lines(hidden.get("/v1/events")).last().unwrap()["seq"].as_i64().unwrap();
    // A page of nothing that may be seen says how far it looked.
    let mut after = 0;
    let mut seen = Vec::new();
    while after < end {
        let page = one.get(&format!("/v1/events?after={after}&limit=2")).is(200);
        let looked: i64 = page.header("hold-last-seq").unwrap().parse().unwrap();
        assert!(looked > after);
        after = looked;
        seen.extend(lines(page));
    }
    assert_eq!(seen.len(), 1);
    at(&seen[0], "/id", mine.as_str());
}

#[test]
fn the_log_is_followed_over_a_restart() {
    let mut server = Server::open();
    let afar = crate::sandbox::Sandbox::new().with("HOLD_URL", &server.url());
    let first = server.nobody().ask();
    let mut following = afar.spawn(&["log", "--follow", "--json"]);
    following.until(crate::process::Stream::Out, &first);
    server.kill();
    server.run();
    let second = server.nobody().ask();
    following.until(crate::process::Stream::Out, &second);
}
