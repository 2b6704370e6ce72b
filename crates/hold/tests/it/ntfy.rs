//! ntfy through real sockets: a push message to each person who is asked, which answers what it may and follows the rest.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use holdpoint_core::Role;
use holdpoint_engine::{Channels as _, Http};
use serde_json::{Value, json};

use crate::receiver::{Receiver, Reply};
use crate::sandbox::{Sandbox, at};
use crate::serving::{Serving, block_on, outbox_dead, outbox_until};

const TOKEN: &str = "tk_not_to_be_seen_anywhere";
const TOPIC: &str = "hold-ana-secret-topic";

fn pushing(receiver: &Receiver, more: &str) -> Sandbox {
    let sandbox = Sandbox::new().with("NTFY_TOKEN", TOKEN);
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[ntfy]\nserver = \"{}\"\ntoken_env = \"NTFY_TOKEN\"\nallow_private = true\n{more}\n\
         [ntfy.topics]\nana = \"{TOPIC}\"\n",
        receiver.url("")
    ));
    sandbox
}

/// Taps a button.
fn tap(url: &str) -> (u16, String) {
    request("POST", url)
}

fn request(method: &str, url: &str) -> (u16, String) {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "{method} /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    let status = said.split(' ').nth(1).unwrap().parse().unwrap();
    (status, said.split_once("\r\n\r\n").unwrap().1.trim().to_owned())
}

fn labels(message: &Value) -> Vec<&str> {
    let actions = message["actions"].as_array().map(Vec::as_slice).unwrap_or_default();
    actions.iter().map(|action| action["label"].as_str().unwrap()).collect()
}

fn url(message: &Value, action: usize) -> String {
    message["actions"][action]["url"].as_str().unwrap().to_owned()
}

#[test]
fn a_tap_answers_once_and_the_message_follows() {
    let receiver = Receiver::start(&[]);
    let sandbox = pushing(&receiver, "");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    server.person("bo", None, &[]);
    let id =
        sandbox.ask(&["Which cache?", "-o", "a:Redis", "-o", "b:None", "--assign", "ana", "--assign", "bo"]);
    let asked = receiver.next();
    assert_eq!(asked.headers["authorization"], format!("Bearer {TOKEN}"));
    let asked = asked.json();
    at(&asked, "/topic", TOPIC);
    at(&asked, "/sequence_id", format!("hold-{id}"));
    assert_eq!(labels(&asked), ["Redis", "None", "Open"]);
    assert!(asked["click"].as_str().unwrap().starts_with(&format!("{}/link/", server.url)), "{asked}");
    // Looking does nothing, and a link is for what it was made for.
    assert_eq!(request("GET", &url(&asked, 0)).0, 405);
    let as_card = url(&asked, 0).replace("/take/", "/link/");
    assert_eq!(request("GET", &as_card).0, 404);
    assert_ne!(tap(&asked["click"].as_str().unwrap().replace("/link/", "/take/")).0, 200);
    let forged = format!("{}x", url(&asked, 0));
    assert_ne!(tap(&forged).0, 200);
    at(&sandbox.show(&id), "/status", "pending");
    assert_eq!(tap(&url(&asked, 0)), (200, "Answered by ana: Redis".into()));
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/choice", "a");
    at(&shown, "/answer/by", "ana");
    at(&shown, "/answer/via", "ntfy");
    at(&shown, "/answer/auth", "link");
    let settled = receiver.next().json();
    at(&settled, "/sequence_id", format!("hold-{id}"));
    at(&settled, "/title", "Answered by ana: Redis");
    assert!(settled.get("actions").is_none(), "{settled}");
    // The same tap again is a replay, another comes too late.
    assert_eq!(tap(&url(&asked, 0)).0, 200);
    let (status, words) = tap(&url(&asked, 1));
    assert!(status == 409 && words.contains("Nothing was sent"), "{status} {words}");
    outbox_until(&sandbox, <[_]>::is_empty);
    // Anybody can make up links: they are noted once in a while.
    let log = sandbox.json(&["channel", "log", "ntfy", "--json"]);
    let taken = |note: &&Value| note["what"] == "taken";
    let taken: Vec<_> = log.as_array().unwrap().iter().filter(taken).map(|note| &note["words"]).collect();
    assert_eq!(taken, ["Redis (again)", "Redis"]);
    let forged = |note: &&Value| note["words"] == "this link was not sent by this server";
    let forged: Vec<&Value> = log.as_array().unwrap().iter().filter(forged).collect();
    assert_eq!(forged.len(), 1, "{log}");
    assert_eq!((&forged[0]["what"], &forged[0]["address"]), (&json!("refused"), &json!("")));
    let ran = server.stop();
    assert!(!ran.err.contains(TOKEN) && !ran.err.contains(TOPIC), "{ran}");
    receiver.is_quiet();
}

#[test]
fn a_subject_is_declined_by_a_tap_and_seen_on_the_card() {
    let receiver = Receiver::start(&[]);
    let sandbox = pushing(&receiver, "show = \"all\"");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let id = sandbox.ask_document(&json!({
        "source": "approval", "title": "Run it?", "subject": {"command": "make deploy"}, "assignees": ["ana"],
        "fields": [{"id": "choice", "kind": "choice", "label": "?", "options": [
            {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}]}],
    }));
    let asked = receiver.next().json();
    assert_eq!(labels(&asked), ["Deny", "Open"]);
    assert!(asked["message"].as_str().unwrap().contains("make deploy"), "{asked}");
    // Who knows the topic must still sign in to consent.
    at(&asked, "/click", format!("{}/d/{id}", server.url));
    assert_eq!(tap(&url(&asked, 0)).0, 200);
    at(&sandbox.show(&id), "/answer/values/choice", "deny");
    at(&receiver.next().json(), "/title", "Answered by ana: Deny");
    server.stop();
}

#[test]
fn what_was_settled_before_it_could_be_sent_is_not_sent() {
    let receiver = Receiver::start(&[Reply::Status(503, String::new())]);
    let sandbox = pushing(&receiver, "");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let id = sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana"]);
    receiver.next();
    sandbox.ok(&["answer", &id, "a"]);
    let dead = outbox_until(&sandbox, |rows| rows.len() == 1 && rows[0]["state"] == "dead");
    assert!(dead[0]["last_error"].as_str().unwrap().contains("settled before"), "{dead:?}");
    server.stop();
    receiver.is_quiet();
}

#[test]
fn a_message_on_its_way_while_the_answer_comes_is_followed() {
    let receiver = Receiver::start(&[Reply::Held]);
    let sandbox = pushing(&receiver, "");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let id = sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana"]);
    at(&receiver.next().json(), "/title", "Decision needed in default");
    sandbox.ok(&["answer", &id, "a"]);
    receiver.release();
    assert!(receiver.next().json()["title"].as_str().unwrap().starts_with("Answered by "));
    outbox_until(&sandbox, <[_]>::is_empty);
    server.stop();
    receiver.is_quiet();
}

#[test]
fn a_revised_question_takes_the_place_of_the_old_one() {
    let receiver = Receiver::start(&[]);
    let sandbox = pushing(&receiver, "tell = [\"ana\"]");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    // Assigned to nobody: those are told whom the settings name.
    let id = sandbox.ask(&["Which?", "-o", "a:A", "-o", "b:B"]);
    let before = receiver.next().json();
    sandbox.ok(&["revise", &id, "--prompt", "Which one?"]);
    let after = receiver.next().json();
    assert_eq!(before["sequence_id"], after["sequence_id"]);
    assert!(after["message"].as_str().unwrap().contains("Which one?"), "{after}");
    let (status, words) = tap(&url(&before, 0));
    assert!(status != 200 && words.contains("changed"), "{status} {words}");
    assert_eq!(tap(&url(&after, 1)).0, 200);
    at(&sandbox.show(&id), "/answer/values/choice", "b");
    at(&receiver.next().json(), "/title", "Answered by ana: B");
    // What its asker takes back is taken back everywhere.
    let gone = sandbox.ask(&["Still?", "-o", "a:A"]);
    receiver.next();
    sandbox.ok(&["cancel", &gone]);
    at(&receiver.next().json(), "/title", "Cancelled");
    server.stop();
}

#[test]
fn a_server_that_misbehaves_gets_it_later() {
    let replies =
        [Reply::Status(429, "retry-after: 1".into()), Reply::Close, Reply::Status(500, String::new())];
    let receiver = Receiver::start(&replies);
    let sandbox = pushing(&receiver, "");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let id = sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana"]);
    let tries = [receiver.next(), receiver.next(), receiver.next(), receiver.next()];
    assert!(tries[1].at.duration_since(tries[0].at).as_millis() >= 1_000);
    let last = tries[3].json();
    assert!(tries.iter().all(|one| one.json()["sequence_id"] == last["sequence_id"]));
    outbox_until(&sandbox, <[_]>::is_empty);
    assert_eq!(tap(&url(&last, 0)).0, 200);
    at(&sandbox.show(&id), "/status", "answered");
    receiver.next();
    server.stop();
    receiver.is_quiet();
}

#[test]
fn channels_say_what_they_reach_and_did() {
    let receiver = Receiver::start(&[Reply::Status(401, String::new())]);
    let sandbox = pushing(&receiver, "");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    server.person("bo", None, &[]);
    let listed = sandbox.json(&["channel", "list", "--json"]);
    at(&listed, "/0/channel", "ntfy");
    at(&listed, "/0/reaches", json!(["ana"]));
    at(&listed, "/0/last", Value::Null);
    sandbox.run(&["channel", "test", "ntfy", "ana"]).exits(1).says("401");
    receiver.next();
    assert_eq!(sandbox.ok(&["channel", "test", "ntfy", "ana"]), "Sent ana a message by ntfy");
    at(&receiver.next().json(), "/title", "Holdpoint");
    sandbox.run(&["channel", "test", "ntfy", "bo"]).exits(1).says("bo has no ntfy account");
    sandbox.run(&["channel", "test", "ntfy", "cy"]).exits(3).says("cy");
    sandbox.run(&["channel", "test", "mail", "ana"]).exits(1).says("config.toml has no [mail] section");
    sandbox
        .run(&["channel", "test", "hook", "ana"])
        .exits(1)
        .says("webhook or callback or mail or ntfy or telegram");
    let id = sandbox.ask(&["Which?", "-o", "a:A", "-o", "b:B", "--assign", "ana"]);
    let asked = receiver.next().json();
    assert_eq!(tap(&url(&asked, 0)).0, 200);
    receiver.next();
    assert_eq!(tap(&url(&asked, 1)).0, 409);
    outbox_until(&sandbox, <[_]>::is_empty);
    let log = sandbox.json(&["channel", "log", "ntfy", "--json"]);
    let mut what: Vec<(&str, &str)> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|note| (note["what"].as_str().unwrap(), note["address"].as_str().unwrap()))
        .collect();
    what.sort_unstable();
    let expected = ["failed", "followed", "refused", "sent", "sent", "taken"].map(|what| (what, "ana"));
    assert_eq!(what, expected);
    let table = sandbox.ok(&["channel", "log"]);
    assert!(table.contains(&id) && table.contains("refused") && !table.contains(TOPIC), "{table}");
    assert!(sandbox.ok(&["channel", "list"]).contains("ana"));
    let person = Http::new(&server.url, Some(server.token(Role::Person, &[]))).unwrap();
    assert!(block_on(person.channels()).is_err() && block_on(person.channel_log(None, 5)).is_err());
    server.stop();
    // The same from the store itself.
    assert!(sandbox.ok(&["channel", "log"]).contains("taken"));
}

#[test]
fn settings_that_cannot_work_are_refused_without_their_secrets() {
    let sandbox = Sandbox::new();
    let refuses = |text: &str, words: &str| {
        sandbox.settings(text);
        let ran = sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says(words);
        assert!(!ran.err.contains("TOPSECRET"), "{ran}");
    };
    refuses("[ntfy]\nserver = \"https://ntfy.example.org\"\n[ntfy.topics]\n", "topics names nobody");
    refuses("[ntfy]\n[ntfy.topics]\nana = \"TOPSECRET/x\"\n", "the topic of \"ana\"");
    refuses("[ntfy]\n[ntfy.topics]\nana = \"TOPSECRET\"\nbo = \"TOPSECRET\"\n", "separate topics");
    refuses("[ntfy]\ntell = [\"bo\"]\n[ntfy.topics]\nana = \"TOPSECRET\"\n", "who has no topic");
    refuses("[ntfy]\nserver = \"http://10.0.0.1\"\n[ntfy.topics]\nana = \"t\"\n", "private address");
    refuses("[ntfy]\ntoken_env = \"NOT_SET_HERE\"\n[ntfy.topics]\nana = \"t\"\n", "NOT_SET_HERE");
    refuses(
        "[ntfy]\nserver = \"https://a:TOPSECRET@x\"\n[ntfy.topics]\nana = \"t\"\n",
        "user name or password",
    );
}

#[test]
fn what_a_server_repeats_of_a_secret_is_kept_nowhere() {
    let receiver = Receiver::start(&[Reply::Echo]);
    let sandbox = pushing(&receiver, "");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana"]);
    receiver.next();
    let dead = outbox_dead(&sandbox);
    let log = sandbox.ok(&["channel", "log", "ntfy", "--json"]);
    let ran = server.stop();
    for kept in [dead[0]["last_error"].as_str().unwrap(), &log, &ran.err] {
        assert!(kept.contains("answered 400") && kept.contains("sent"), "{kept}");
        assert!(!kept.contains(TOKEN) && !kept.contains(TOPIC) && !kept.contains("/link/"), "{kept}");
    }
    assert!(dead[0]["last_error"].as_str().unwrap().chars().count() < 200, "{dead:?}");
}
