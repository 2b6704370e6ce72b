//! Webhooks through real sockets: signed, sent until they arrive, and never where they should not go.

use std::fmt::Write as _;
use std::time::Duration;

use base64::Engine as _;
use hmac::{KeyInit as _, Mac as _};
use holdpoint_core::Role;
use holdpoint_engine::{Admin as _, Error, Http};
use serde_json::Value;

use crate::receiver::{Receiver, Reply, Request};
use crate::sandbox::{Sandbox, at};
use crate::serving::{Serving, block_on, outbox_dead, outbox_until};

const SECRET: &str = "not-to-be-seen-anywhere-0123456789";

fn sandbox() -> Sandbox {
    Sandbox::new().with("HOOK_SECRET", SECRET)
}

/// Writes settings with one webhook to each receiver, with more lines for all.
fn telling(sandbox: &Sandbox, receivers: &[&Receiver], more: &str) {
    let mut text = "[hooks]\ndesktop = false\n".to_owned();
    for (at, receiver) in receivers.iter().enumerate() {
        let url = receiver.url("/path-secret");
        write!(
            text,
            "[[webhook]]\nname = \"w{at}\"\nurl = \"{url}\"\nsecret_env = \"HOOK_SECRET\"\nallow_private = true\n{more}\n"
        )
        .unwrap();
    }
    sandbox.settings(&text);
}

/// Checks a signature from scratch.
#[track_caller]
fn is_signed(request: &Request) {
    let signed = format!("{}.{}.{}", request.id(), request.headers["webhook-timestamp"], request.body);
    let mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap().chain_update(signed);
    let coded = base64::engine::general_purpose::STANDARD.encode(mac.finalize().into_bytes());
    assert_eq!(request.headers["webhook-signature"], format!("v1,{coded}"));
}

fn is_empty(rows: &[Value]) -> bool {
    rows.is_empty()
}

#[test]
fn each_occasion_is_told_once_and_signed() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[]));
    telling(&sandbox, &[&receiver], "");
    let server = Serving::start(&sandbox);
    let id = sandbox.ask(&["Which?", "-o", "a:A", "-o", "b:B", "--assign", "ana"]);
    let created = receiver.next();
    is_signed(&created);
    assert_eq!(
        (created.path.as_str(), created.headers["content-type"].as_str()),
        ("/path-secret", "application/json")
    );
    let told = created.json();
    at(&told, "/event/type", "decision:created");
    at(&told, "/decision/id", id.as_str());
    at(&told, "/url", format!("{}/d/{id}", server.url));
    assert_eq!(told["id"].to_string(), created.id());
    assert!(!created.body.contains("/link/") && told["decision"].get("asked_with").is_none(), "{told}");
    sandbox.ok(&["answer", &id, "a"]);
    let answered = receiver.next();
    is_signed(&answered);
    assert_ne!(answered.id(), created.id());
    at(&answered.json(), "/event/type", "decision:resolved");
    at(&answered.json(), "/decision/answer/values/choice", "a");
    // A replay tells nobody.
    sandbox.ok(&["answer", &id, "a"]);
    server.stop();
    receiver.is_quiet();
}

#[test]
fn a_receiver_that_misbehaves_gets_it_later_with_the_same_id() {
    let replies = [Reply::Status(500, String::new()), Reply::Hang, Reply::Endless];
    let (sandbox, receiver) = (sandbox(), Receiver::start(&replies));
    telling(&sandbox, &[&receiver], "timeout = \"500ms\"\noccasions = [\"create\"]");
    let server = Serving::start(&sandbox);
    let id = sandbox.ask_a_or_b();
    let first = receiver.next();
    let waiting = outbox_until(&sandbox, |rows| rows.iter().any(|row| row["attempts"] == 1));
    at(&waiting[0], "/state", "queued");
    at(&waiting[0], "/last_error", "answered 500 Internal Server Error");
    let log = sandbox.ok(&["channel", "log", "webhook"]);
    assert!(log.contains("failed") && log.contains("answered 500"), "{log}");
    assert!(sandbox.ok(&["channel", "list"]).contains("failed"));
    for _ in 0..3 {
        let again = receiver.next();
        is_signed(&again);
        assert_eq!((again.id(), &again.body), (first.id(), &first.body));
    }
    outbox_until(&sandbox, is_empty);
    // The failure is over, and the list says so. What arrives at once is not noted.
    let last = || sandbox.json(&["channel", "list", "--json"])[0]["last"].clone();
    let sent = last();
    at(&sent, "/what", "sent");
    sandbox.ask_a_or_b();
    receiver.next();
    outbox_until(&sandbox, is_empty);
    assert_eq!(last(), sent);
    at(&sandbox.show(&id), "/status", "pending");
    server.stop();
    receiver.is_quiet();
}

#[test]
fn a_test_is_signed_like_everything_else_and_about_nothing() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[Reply::Status(503, String::new())]));
    telling(&sandbox, &[&receiver], "");
    let server = Serving::start(&sandbox);
    sandbox.run(&["channel", "test", "webhook", "w0"]).exits(1).says("answered 503");
    let failed = receiver.next();
    assert_eq!(sandbox.ok(&["channel", "test", "webhook", "w0"]), "Sent w0 a message by webhook");
    let told = receiver.next();
    is_signed(&told);
    assert_ne!(told.id(), failed.id());
    at(&told.json(), "/event/type", "channel:test");
    at(&told.json(), "/decision", Value::Null);
    assert_eq!(told.json()["id"].to_string(), told.id());
    sandbox.run(&["channel", "test", "webhook", "w1"]).exits(3).says("w1");
    sandbox.run(&["channel", "test", "callback", "w0"]).exits(3).says("w0");
    let log = sandbox.ok(&["channel", "log", "webhook"]);
    assert!(log.contains("a test") && log.contains("answered 503") && !log.contains("path-secret"), "{log}");
    server.stop();
    receiver.is_quiet();
}

#[test]
fn one_that_hangs_keeps_nobody_else_waiting() {
    let hanging = vec![Reply::Hang; 100];
    let (stuck, quick) = (Receiver::start(&hanging), Receiver::start(&[]));
    let sandbox = sandbox();
    telling(&sandbox, &[&stuck, &quick], "timeout = \"60s\"\noccasions = [\"create\"]");
    let server = Serving::start(&sandbox);
    let asked: Vec<String> = (0..12).map(|_| sandbox.ask_a_or_b()).collect();
    // More wait for the one that hangs than may be under way at once, and each before one for the other.
    let mut told: Vec<String> =
        (0..12).map(|_| quick.next().json()["decision"]["id"].as_str().unwrap().to_owned()).collect();
    told.sort();
    let mut asked = asked;
    asked.sort();
    assert_eq!(told, asked);
    let waiting = outbox_until(&sandbox, |rows| rows.len() == 12);
    assert!(waiting.iter().all(|row| row["target"] == "w0"), "{waiting:?}");
    // It has no more than its own room.
    for _ in 0..4 {
        stuck.next();
    }
    stuck.is_quiet();
    server.kill();
}

#[test]
fn closing_and_redirecting_are_no_receipt_and_redirects_are_not_followed() {
    let other = Receiver::start(&[]);
    let replies = [Reply::Status(307, format!("location: {}", other.url("/inside"))), Reply::Close];
    let (sandbox, receiver) = (sandbox(), Receiver::start(&replies));
    telling(&sandbox, &[&receiver], "");
    let server = Serving::start(&sandbox);
    sandbox.ask_a_or_b();
    let ids = [receiver.next(), receiver.next(), receiver.next()].map(|request| request.id().to_owned());
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "{ids:?}");
    outbox_until(&sandbox, is_empty);
    server.stop();
    other.is_quiet();
}

#[test]
fn a_receiver_says_how_long_it_wants_to_be_left_alone() {
    let later = Reply::Status(503, "retry-after: 4".into());
    let never = Reply::Status(429, "retry-after: 300000".into());
    let (patient, spent) = (Receiver::start(&[later]), Receiver::start(&[never]));
    let sandbox = sandbox();
    telling(&sandbox, &[&patient, &spent], "");
    let server = Serving::start(&sandbox);
    sandbox.ask_a_or_b();
    let first = patient.next().at;
    assert!(patient.next().at.duration_since(first) >= Duration::from_secs(4));
    // Longer than it is worth sending: given up at once.
    let dead = outbox_until(&sandbox, |rows| rows.len() == 1 && rows[0]["state"] == "dead");
    at(&dead[0], "/target", "w1");
    server.stop();
}

#[test]
fn what_is_gone_is_a_dead_letter_that_can_be_resent() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[Reply::Status(410, String::new())]));
    telling(&sandbox, &[&receiver], "");
    let server = Serving::start(&sandbox);
    let id = sandbox.ask_a_or_b();
    let first = receiver.next();
    let dead = outbox_dead(&sandbox);
    assert_eq!(dead.len(), 1);
    at(&dead[0], "/decision", id.as_str());
    assert_eq!(sandbox.json(&["outbox", "list", "--queued", "--json"]), serde_json::json!([]));
    let table = sandbox.ok(&["outbox", "list", "--dead"]);
    assert!(table.contains("webhook") && table.contains("w0") && table.contains("410"), "{table}");
    // The same from the store itself, with no server in between.
    server.stop();
    let row = dead[0]["id"].to_string();
    sandbox.run(&["outbox", "resend", "999"]).exits(3);
    sandbox.run(&["outbox", "resend"]).exits(2);
    at(&dead[0], "/attempts", 1);
    sandbox.ok(&["outbox", "resend", &row]);
    let queued = sandbox.json(&["outbox", "list", "--json"]);
    at(&queued, "/0/state", "queued");
    // It is tried as if for the first time: soon again, if it fails again.
    at(&queued, "/0/attempts", 0);
    let server = Serving::start(&sandbox);
    let again = receiver.next();
    is_signed(&again);
    assert_eq!(again.id(), first.id());
    outbox_until(&sandbox, is_empty);
    assert_eq!(sandbox.ok(&["outbox", "resend", "--all"]), "0 to be sent again");
    server.stop();
}

#[test]
fn only_admins_look_into_the_outbox() {
    let sandbox = sandbox();
    let server = Serving::start(&sandbox);
    let status = |token: Option<String>| {
        let client = Http::new(&server.url, token).unwrap();
        let tried = block_on(async { (client.outbox(None, 10).await, client.resend(1).await) });
        let statuses = (tried.0.map(drop), tried.1);
        match statuses {
            (Err(Error::Remote(list)), Err(Error::Remote(resend))) => (list.status, resend.status),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(status(None), (401, 401));
    assert_eq!(status(Some("hold_x".into())), (401, 401));
    for role in [Role::Agent, Role::Person] {
        assert_eq!(status(Some(server.token(role, &[]))), (403, 403), "{role:?}");
    }
    assert_eq!(status(Some(server.token(Role::Admin, &["red"]))), (403, 403));
    let admin = Http::new(&server.url, Some(server.token(Role::Admin, &[]))).unwrap();
    assert_eq!(block_on(admin.outbox(None, 10)).unwrap(), []);
    server.stop();
}

#[test]
fn nothing_goes_to_a_private_address_unless_allowed() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[]));
    let port = receiver.port();
    let hook = |name: &str, host: &str| {
        format!(
            "[[webhook]]\nname = \"{name}\"\nurl = \"http://{host}:{port}/\"\nsecret_env = \"HOOK_SECRET\"\n"
        )
    };
    for host in
        ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "10.1.2.3", "169.254.169.254"]
    {
        sandbox.settings(&hook("w", host));
        sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says("private address");
    }
    sandbox.settings(&hook("by-name", "localhost"));
    let server = Serving::start(&sandbox);
    sandbox.ask_a_or_b();
    let dead = outbox_dead(&sandbox);
    assert!(dead[0]["last_error"].as_str().unwrap().contains("private address"), "{dead:?}");
    let ran = server.stop();
    assert_eq!(ran.err.matches("private address").count(), 1, "each failure is logged once: {ran}");
    receiver.is_quiet();
}

#[test]
fn a_killed_server_sends_again_what_it_had_taken() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[Reply::Hang]));
    telling(&sandbox, &[&receiver], "timeout = \"1s\"");
    let server = Serving::start(&sandbox);
    let id = sandbox.ask_a_or_b();
    let first = receiver.next();
    assert_eq!(server.kill().code, -1);
    let server = Serving::start(&sandbox);
    sandbox.ok(&["answer", &id, "a"]);
    let mut met = [receiver.next(), receiver.next()];
    met.sort_by_key(|request| request.json()["event"]["seq"].as_i64());
    assert_eq!(met[0].id(), first.id());
    at(&met[1].json(), "/event/type", "decision:resolved");
    outbox_until(&sandbox, is_empty);
    server.stop();
    receiver.is_quiet();
    sandbox.is_well();
}

#[test]
fn a_server_that_stops_finishes_what_is_under_way() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[Reply::Held]));
    telling(&sandbox, &[&receiver], "");
    let server = Serving::start(&sandbox);
    sandbox.ask_a_or_b();
    receiver.next();
    server.tell_to_stop();
    server.takes_no_more();
    receiver.release();
    server.ends();
    assert_eq!(sandbox.json(&["outbox", "list", "--json"]), serde_json::json!([]));
    receiver.is_quiet();
}

#[test]
fn without_a_server_notices_wait_for_one() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[]));
    telling(&sandbox, &[&receiver], "projects = [\"red\"]\noccasions = [\"create\"]");
    sandbox.ask(&["Elsewhere?"]);
    let id = sandbox.ask(&["Here?", "--project", "red"]);
    let waiting = sandbox.json(&["outbox", "list", "--json"]);
    assert_eq!(waiting.as_array().unwrap().len(), 1, "{waiting}");
    at(&waiting, "/0/decision", id.as_str());
    receiver.is_quiet();
    let server = Serving::start(&sandbox);
    at(&receiver.next().json(), "/decision/project", "red");
    server.stop();
    receiver.is_quiet();
}

#[test]
fn a_deadline_fires_once_however_many_servers_there_are() {
    let (sandbox, receiver) = (sandbox(), Receiver::start(&[]));
    telling(&sandbox, &[&receiver], "occasions = [\"timeout\"]");
    let first = Serving::start(&sandbox);
    // Another data folder with the same key, on the same store.
    let beside = self::sandbox().with("HOLD_STORE", &format!("sqlite:{}", sandbox.store().display()));
    telling(&beside, &[&receiver], "occasions = [\"timeout\"]");
    std::fs::create_dir(beside.home().join("keys")).unwrap();
    for file in std::fs::read_dir(sandbox.home().join("keys")).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            std::fs::copy(&file, beside.home().join("keys").join(file.file_name().unwrap())).unwrap();
        }
    }
    let servers = [first, Serving::start(&beside)];
    let ids: Vec<String> = (0..5).map(|_| sandbox.ask(&["Q?", "-o", "a:A", "--timeout", "1s"])).collect();
    let mut told: Vec<String> =
        ids.iter().map(|_| receiver.next().json()["decision"]["id"].as_str().unwrap().to_owned()).collect();
    outbox_until(&sandbox, is_empty);
    for server in servers {
        server.stop();
    }
    receiver.is_quiet();
    told.sort();
    let mut asked = ids.clone();
    asked.sort();
    assert_eq!(told, asked);
    let expired = sandbox.tags().iter().filter(|tag| *tag == "decision:expired").count();
    assert_eq!(expired, ids.len());
    at(&sandbox.show(&ids[0]), "/status", "timed_out");
}

#[test]
fn secrets_are_seen_nowhere() {
    let (sandbox, receiver) =
        (sandbox().with("HOLD_LOG", "trace"), Receiver::start(&[Reply::Status(500, String::new())]));
    telling(&sandbox, &[&receiver], "occasions = [\"create\"]");
    let server = Serving::start(&sandbox);
    sandbox.ask_a_or_b();
    receiver.next();
    let rows = outbox_until(&sandbox, |rows| rows.iter().any(|row| row["attempts"] == 1));
    let ran = server.stop();
    for text in [&ran.err, &ran.out, &serde_json::to_string(&rows).unwrap(), &sandbox.ok(&["log", "--json"])]
    {
        assert!(!text.contains(SECRET) && !text.contains("path-secret"), "{text}");
    }
    assert!(ran.err.contains("answered 500"), "{ran}");
}

#[test]
fn a_server_says_at_its_start_which_secret_is_missing() {
    let (sandbox, receiver) = (Sandbox::new(), Receiver::start(&[]));
    telling(&sandbox, &[&receiver], "");
    sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says("HOOK_SECRET");
    // Who only asks and answers needs no secret.
    sandbox.ask_a_or_b();
    let short = sandbox.with("HOOK_SECRET", "too-short-to-sign");
    let ran = short.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says("at least 24");
    assert!(!ran.err.contains("too-short-to-sign"), "{ran}");
}
