//! Too much, too many, broken, or at the end: a clear answer, nothing written, nobody cut off.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::process::Stream;
use crate::sandbox::{Sandbox, at};
use crate::server::{Server, question, question_with, read, send_bytes};

fn small() -> Server {
    let sandbox = Sandbox::new();
    sandbox.settings("[server]\nbody_limit = 2000\nat_once = 2");
    Server::on(sandbox, &["--no-auth"])
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let server = small();
    let large = question_with(&json!({"prompt": "x".repeat(3000)}));
    server.nobody().post("/v1/decisions", &large).refuses(413, "too_large");
    // Without a length the bytes are counted as they come.
    let text = large.to_string();
    let chunked =
        server.nobody().with("Content-Type", "application/json").with("Transfer-Encoding", "chunked");
    let chunks = format!("{:x}\r\n{text}\r\n0\r\n\r\n", text.len());
    chunked.raw("POST", "/v1/decisions", chunks.as_bytes()).refuses(413, "too_large");
    server.nobody().post("/v1/decisions", &question()).is(201);
    assert_eq!(server.nobody().get("/v1/events").body.lines().count(), 1);
}

#[test]
fn what_cannot_be_read_and_what_is_wrong_are_told_apart() {
    let server = Server::open();
    let send = |body: &[u8]| {
        let api = server
            .nobody()
            .with("Content-Type", "application/json")
            .with("Content-Length", &body.len().to_string());
        api.raw("POST", "/v1/decisions", body)
    };
    let deep = "[".repeat(100_000);
    for malformed in [
        &b""[..],
        b"{",
        b"{\"prompt\":}",
        b"nonsense",
        b"{} {}",
        b"{\"prompt\":\"a\",\"prompt\":\"b\"}",
        b"\xff\xfe",
        b"{\"prompt\":\"\xff\"}",
        b"{\"subject\":9007199254740993}",
        b"{\"subject\":1e999}",
        deep.as_bytes(),
        b"{'prompt':1}",
        b"{\"a\":NaN}",
    ] {
        send(malformed).refuses(400, "malformed");
    }
    for (wrong, place) in [
        (json!([]), "body"),
        (json!("x"), "body"),
        (Value::Null, "expected an object"),
        (json!({"prompt": 1}), "prompt"),
        (json!({"prompt": "?", "fields": {}}), "fields"),
        (json!({"prompt": "?", "fields": [{"id": "a", "kind": "colour"}]}), "fields[0].kind"),
        (json!({"prompt": "?", "fields": [{"id": "a", "kind": "text", "optoins": []}]}), "fields[0]"),
        (question_with(&json!({"timeout": 30})), "timeout"),
        (question_with(&json!({"timeout": "-3s"})), "timeout"),
        (question_with(&json!({"deadline": "tomorrow"})), "deadline"),
        (question_with(&json!({"deadline": "1999-01-01T00:00:00Z"})), "deadline"),
        (question_with(&json!({"owner": "nobody"})), "owner"),
        (question_with(&json!({"status": "answered"})), "status"),
        (question_with(&json!({"asked_with": "tok-1"})), "asked_with"),
        (question_with(&json!({"fields": []})), "fields"),
        (question_with(&json!({"prompt": null})), "prompt"),
        (question_with(&json!({"project": "a\u{0}b"})), "project"),
    ] {
        let problem = send(wrong.to_string().as_bytes()).refuses(422, "invalid");
        assert!(problem.to_string().contains(place), "{wrong}: {problem}");
        assert!(!problem["errors"].as_array().unwrap().is_empty(), "{problem}");
    }
    assert_eq!(server.nobody().get("/v1/events").body, "");
}

#[test]
fn what_is_not_http_breaks_nothing() {
    let server = Server::open();
    for bytes in [
        &b"nonsense\r\n\r\n"[..], b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0\0\0\0\r\n\r\n",
        b"POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Length: nan\r\n\r\n",
        b"POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\nConnection: close\r\n\r\n",
    ] {
        let reply = send_bytes(&server.address, bytes);
        assert!((400..500).contains(&reply.status) || reply.status == 0, "{reply:?}");
    }
    // One that goes away in the middle of its body.
    let api = server.nobody().with("Content-Type", "application/json").with("Content-Length", "1000");
    drop(api.connect("POST", "/v1/decisions"));
    server.nobody().post("/v1/decisions", &question()).is(201);
}

#[test]
fn no_more_than_so_many_are_held_at_once() {
    let server = small();
    let id = server.nobody().ask();
    let path = format!("/v1/decisions/{id}/wait?timeout=60s");
    let first = server.nobody().connect("GET", &path);
    server.parked(1);
    // A stream counts as long as it lasts.
    let stream = server.nobody().with("Accept", "text/event-stream").connect("GET", "/v1/events");
    let mut stream = std::io::BufReader::new(stream);
    let mut line = String::new();
    std::io::BufRead::read_line(&mut stream, &mut line).unwrap();
    assert!(line.contains("200"), "{line}");
    let reply = server.nobody().get("/v1/decisions");
    assert_eq!(reply.header("retry-after"), Some("1"));
    reply.refuses(503, "too_many");
    // Whether the server is there can still be asked.
    server.nobody().get("/healthz").is(200);
    drop(stream);
    let end = std::time::Instant::now() + crate::process::TIMEOUT;
    while server.nobody().answer(&id, "a").status == 503 {
        assert!(std::time::Instant::now() < end, "the place is never free again");
    }
    at(&read(first).is(200).json(), "/status", "answered");
}

#[test]
fn whoever_sends_too_fast_is_told_when_to_come_back() {
    let sandbox = Sandbox::new();
    sandbox.settings("[server]\nlocal_per_second = 1");
    let server = Server::on(sandbox, &["--no-auth"]);
    let replies: Vec<_> = (0..20).map(|_| server.nobody().post("/v1/decisions", &question())).collect();
    let taken = replies.iter().filter(|reply| reply.status == 201).count();
    let refused: Vec<_> = replies.into_iter().filter(|reply| reply.status != 201).collect();
    assert!(!refused.is_empty(), "twenty were taken at once");
    for reply in refused {
        assert_eq!(reply.header("retry-after"), Some("1"));
        reply.refuses(429, "too_fast");
    }
    // Whether the server is there can be asked all the same, and what was refused left no trace.
    for _ in 0..5 {
        server.nobody().get("/healthz").is(200);
        server.nobody().get("/readyz").is(200);
    }
    assert_eq!(server.sandbox.log().len(), taken);
}

#[test]
fn a_server_that_is_told_to_stop_lets_waiters_finish() {
    let mut server = Server::open();
    let id = server.nobody().ask();
    let waiter = server.nobody().connect("GET", &format!("/v1/decisions/{id}/wait?timeout=5m"));
    let creator = server.nobody();
    let creating = std::thread::spawn(move || creator.post("/v1/decisions?wait=5m", &question()));
    server.parked(2);
    let stream = server.nobody().with("Accept", "text/event-stream").connect("GET", "/v1/events");
    let ended = server.stop();
    assert_eq!(ended.code, 0, "{ended}");
    let held = read(waiter).is(200).json();
    at(&held, "/id", id.as_str());
    at(&held, "/status", "pending");
    at(&creating.join().unwrap().is(201).json(), "/status", "pending");
    drop(stream);
    server.run();
    at(&server.nobody().decision(&id).is(200).json(), "/status", "pending");
}

#[test]
fn a_waiter_outlives_a_server_that_is_killed() {
    let mut server = Server::start();
    let id = server.local().ask();
    let token = std::fs::read_to_string(server.sandbox.home().join("local.token")).unwrap();
    let afar = Sandbox::new().with("HOLD_URL", &server.url()).with("HOLD_TOKEN", token.trim());
    let waiters: Vec<_> = (0..3).map(|_| afar.spawn(&["wait", &id])).collect();
    let mut asking = afar.spawn(&["ask", "Which?", "-o", "x:X"]);
    let asked = asking.holding();
    server.parked(4);
    server.kill();
    server.run();
    server.parked(4);
    server.kill();
    // Answered while nobody serves: the waiter finds it settled.
    server.sandbox.ok(&["answer", &id, "b"]);
    server.run();
    for waiter in waiters {
        waiter.end().exits(0).prints("b");
    }
    server.sandbox.ok(&["answer", &asked, "x"]);
    asking.end().exits(0).prints("x");
}

#[test]
fn a_waiter_gives_up_in_time_and_stops_when_told() {
    let server = Server::open();
    let id = server.nobody().ask();
    let afar = Sandbox::new().with("HOLD_URL", &server.url());
    afar.run(&["wait", &id, "--timeout", "100ms"]).exits(5);
    let mut asking = afar.spawn(&["ask", "Which?", "-o", "a"]);
    asking.until(Stream::Err, "Ctrl-C stops holding");
    asking.signal(Signal::INT);
    asking.end().exits(5).says("still pending");
    let gone = Sandbox::new().with("HOLD_URL", "http://127.0.0.1:1");
    gone.run(&["list"]).exits(1).says("cannot be reached");
}

#[test]
fn figures_are_for_prometheus() {
    let server = Server::open();
    let id = server.nobody().ask();
    let figures = server.nobody().get("/metrics").is(200).body;
    assert!(figures.contains("hold_pending 1\n") && figures.contains("hold_outbox_queued"), "{figures}");
    server.nobody().answer(&id, "a").is(200);
    let figures = server.nobody().get("/metrics").is(200).body;
    assert!(figures.contains("hold_pending 0\n"), "{figures}");
    assert!(figures.contains("hold_settled_total{source=\"question\",outcome=\"answered\"} 1"), "{figures}");
}

#[test]
fn whoever_does_not_finish_what_they_began_is_cut_off() {
    let sandbox = Sandbox::new();
    sandbox.settings("[server]\ntimeout = \"200ms\"");
    let server = Server::on(sandbox, &["--no-auth"]);
    let url = server.url();
    let address = url.trim_start_matches("http://");
    // Half a head, and a body that never comes: both connections end, and nothing was written.
    for (begun, answer) in [
        ("GET /v1/de".to_owned(), ""),
        (
            format!(
                "POST /v1/decisions HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{{"
            ),
            "HTTP/1.1 408",
        ),
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(begun.as_bytes()).unwrap();
        let mut said = Vec::new();
        stream.read_to_end(&mut said).unwrap();
        assert!(String::from_utf8_lossy(&said).starts_with(answer), "{}", String::from_utf8_lossy(&said));
    }
    assert_eq!(server.nobody().get("/v1/events").body, "");
}

#[test]
fn a_request_with_two_hosts_is_refused() {
    let server = Server::open();
    let url = server.url();
    let address = url.trim_start_matches("http://");
    let head = |first: &str, host: &str| {
        format!("GET {first} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").into_bytes()
    };
    let two = head("/v1/decisions", &format!("{address}\r\nHost: evil.example"));
    send_bytes(address, &two).refuses(400, "many_hosts");
    send_bytes(address, &head("http://evil.example/v1/decisions", address)).refuses(421, "foreign_host");
    send_bytes(address, &head(&format!("{url}/v1/decisions"), address)).is(200);
}

#[test]
fn a_request_is_found_in_the_log_by_its_id() {
    let mut server = Server::on(Sandbox::new().with("HOLD_LOG", "info"), &["--no-auth"]);
    server.nobody().with("X-Request-Id", "look-for-me").get("/v1/decisions").is(200);
    let ran = server.stop();
    let line = ran.err.lines().find(|line| line.contains("look-for-me")).unwrap_or_else(|| panic!("{ran}"));
    assert!(line.contains("/v1/decisions") && line.contains("200") && !line.contains('\u{1b}'), "{line}");
}
