//! What one credential may use: requests a second, bytes that it does not read, decisions that wait and their bytes.

use std::io::Write as _;
use std::time::Instant;

use serde_json::{Value, json};

use crate::process::TIMEOUT;
use crate::sandbox::Sandbox;
use crate::server::{Api, Server, question, question_with, read};

fn served(settings: &str) -> Server {
    let sandbox = Sandbox::new();
    sandbox.settings(settings);
    Server::on(sandbox, &[])
}

/// A question about something large.
fn large(mebibytes: usize) -> Value {
    question_with(&json!({"subject": "x".repeat(mebibytes << 20), "source": "question"}))
}

/// Returns the answer to a question that is sent again while it is refused with a status.
fn once_not(status: u16, ask: impl Fn() -> crate::server::Reply) -> crate::server::Reply {
    let end = Instant::now() + TIMEOUT;
    loop {
        let reply = ask();
        if reply.status != status {
            return reply;
        }
        assert!(Instant::now() < end, "{reply:#?}");
        std::thread::yield_now();
    }
}

#[test]
fn a_credential_has_a_rate_of_its_own_on_loopback_too() {
    let server = served("[limits]\nper_second = 5");
    let (fast, other) = (server.token("fast", "agent", &[]), server.token("other", "agent", &[]));
    let replies: Vec<_> = (0..40).map(|_| fast.post("/v1/decisions", &question())).collect();
    let taken = replies.iter().filter(|reply| reply.status == 201).count();
    let refused: Vec<_> = replies.into_iter().filter(|reply| reply.status != 201).collect();
    assert!(!refused.is_empty(), "forty were taken at once");
    for reply in refused {
        assert_eq!(reply.header("retry-after"), Some("1"));
        reply.refuses(429, "too_fast");
    }
    // Nobody else is slowed down, and what was refused left no trace.
    other.post("/v1/decisions", &question()).is(201);
    for _ in 0..20 {
        server.local().get("/v1/decisions").is(200);
    }
    let asked = server.sandbox.tags().iter().filter(|tag| *tag == "decision:created").count();
    assert_eq!(asked, taken + 1);
}

#[test]
fn a_credential_may_have_only_so_much_pending() {
    let server = served("[limits]\npending = 3\npending_bytes = 3000000");
    let (agent, other) = (server.token("one", "agent", &[]), server.token("two", "agent", &[]));
    let first = agent.ask();
    for _ in 0..2 {
        agent.ask();
    }
    let reply = agent.post("/v1/decisions", &question());
    assert_eq!(reply.header("retry-after"), Some("30"));
    let problem = reply.refuses(429, "quota");
    assert!(problem["detail"].as_str().unwrap().contains("at most 3 decisions"), "{problem}");
    other.post("/v1/decisions", &large(4)).refuses(429, "quota");
    other.post("/v1/decisions", &large(2)).is(201);
    other.post("/v1/decisions", &large(2)).refuses(429, "quota");
    // A caller without a credential is not limited.
    for _ in 0..5 {
        server.local().ask();
    }
    server.local().answer(&first, "a").is(200);
    agent.ask();
    server.sandbox.is_well();
}

#[test]
fn a_credential_may_send_only_so_much_in_an_hour() {
    let server = served("[limits]\nmegabytes_per_hour = 20");
    let agent = server.token("one", "agent", &[]);
    for _ in 0..2 {
        let id = agent.post("/v1/decisions", &large(7)).is(201).id();
        agent.post(&format!("/v1/decisions/{id}/cancel"), &json!({"reason": "again"})).is(200);
    }
    agent.post("/v1/decisions", &large(7)).refuses(429, "too_much");
    agent.ask();
    server.token("two", "agent", &[]).post("/v1/decisions", &large(7)).is(201);
}

#[test]
fn lists_of_long_decisions_take_little_memory() {
    let server = served("[limits]\npending_bytes = 1000000000");
    let agent = server.token("long", "agent", &[]);
    // Eight lists that held all of them at once would take over a gigabyte.
    let asked: Vec<String> = (0..9).map(|_| agent.post("/v1/decisions", &large(7)).is(201).id()).collect();
    let lists: Vec<_> = (0..8)
        .map(|_| {
            let agent = agent.clone();
            std::thread::spawn(move || {
                let (mut ids, mut cursor) = (Vec::new(), String::new());
                loop {
                    let page = agent.get(&format!("/v1/decisions?limit=50{cursor}")).is(200);
                    assert!(page.body.len() < 5 << 20, "{}", page.body.len());
                    let page = page.json();
                    for item in page["items"].as_array().unwrap() {
                        assert_eq!(item["truncated"], json!(["subject"]));
                        assert_eq!(item["subject"], Value::Null);
                        ids.push(item["id"].as_str().unwrap().to_owned());
                    }
                    match page["next"].as_str() {
                        Some(next) => cursor = format!("&cursor={next}"),
                        None => return ids,
                    }
                }
            })
        })
        .collect();
    for list in lists {
        assert_eq!(list.join().unwrap(), asked);
    }
    let peak = server.peak();
    assert!(peak < 600, "{peak} MiB");
    // One by one they are complete, and so is what the command line lists and then shows.
    let whole = agent.get(&format!("/v1/decisions/{}", asked[0])).is(200).json();
    assert_eq!(whole["subject"].as_str().unwrap().len(), 7 << 20);
    assert!(whole.get("truncated").is_none());
    let listed = server.sandbox.json(&["list", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), asked.len());
    assert_eq!(listed[3]["truncated"], json!(["subject"]));
}

#[test]
fn whoever_does_not_read_is_cut_off() {
    let server = served("[server]\ntimeout = \"300ms\"");
    let agent = server.token("slow", "agent", &[]);
    let id = agent.post("/v1/decisions", &large(7)).is(201).id();
    // Several answers on one connection: more than the system itself keeps for a reader.
    let mut stream = std::net::TcpStream::connect(&agent.address).unwrap();
    let request = format!(
        "GET /v1/decisions/{id} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        agent.address,
        agent.token()
    );
    stream.write_all(request.repeat(8).as_bytes()).unwrap();
    let end = Instant::now() + TIMEOUT;
    while stream.write_all(b"\r\n").is_ok() {
        assert!(Instant::now() < end, "never cut off");
        std::thread::yield_now();
    }
    // The server is none the worse.
    agent.get(&format!("/v1/decisions/{id}")).is(200);
}

#[test]
fn whoever_leaves_too_much_unread_is_refused_more() {
    let server = served("[limits]\nin_flight_bytes = 15000000");
    let agent = server.token("greedy", "agent", &[]);
    let id = agent.post("/v1/decisions", &large(7)).is(201).id();
    let path = format!("/v1/decisions/{id}");
    let unread: Vec<_> = (0..8).map(|_| agent.connect("GET", &path)).collect();
    let told = once_refused(&agent, &path);
    assert_eq!(told["code"], "too_much");
    // Others have a budget of their own.
    server.local().get(&path).is(200);
    for stream in unread {
        let reply = read(stream);
        assert!(reply.status == 200 || reply.status == 429, "{}", reply.status);
    }
    once_not(429, || agent.get(&path)).is(200);
    let peak = server.peak();
    assert!(peak < 400, "{peak} MiB");
}

fn once_refused(agent: &Api, path: &str) -> Value {
    let end = Instant::now() + TIMEOUT;
    loop {
        let reply = agent.get(path);
        if reply.status == 429 {
            return reply.json();
        }
        assert!(Instant::now() < end, "never refused");
    }
}

#[test]
fn a_body_of_many_small_values_is_refused_before_anyone_waits_for_it() {
    let server = served("");
    let agent = server.token("nested", "agent", &[]);
    let nested: Vec<Value> = vec![json!([]); 2_000_000];
    agent.post("/v1/decisions", &question_with(&json!({"subject": nested}))).refuses(400, "malformed");
    agent.post("/v1/decisions", &question()).is(201);
    let peak = server.peak();
    assert!(peak < 300, "{peak} MiB");
}
