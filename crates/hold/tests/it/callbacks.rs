//! Callbacks through real sockets: told once a decision is settled, only where the settings allow, and shown to nobody.

use holdpoint_core::Role;
use serde_json::{Value, json};

use crate::receiver::{Receiver, Reply, Request};
use crate::sandbox::{Sandbox, at};
use crate::serving::{Serving, outbox_dead, outbox_until};

const SECRET: &str = "not-to-be-seen-anywhere-0123456789";

/// Makes settings with one receiver under `/hooks/`, and more lines for it.
fn allowing(receiver: &Receiver, more: &str) -> Sandbox {
    let sandbox = Sandbox::new().with("CALL_SECRET", SECRET);
    let url = receiver.url("/hooks/");
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[[callback]]\nname = \"flow\"\nurl = \"{url}\"\nallow_private = true\n\
         secret_env = \"CALL_SECRET\"\n{more}\n"
    ));
    sandbox
}

fn ask(sandbox: &Sandbox, url: &str, more: &[&str]) -> String {
    let question = ["Deploy?", "--kind", "confirm", "--metadata", "run=4711", "--callback", url];
    sandbox.ask(&[&question, more].concat())
}

#[track_caller]
fn is_empty(rows: &[Value]) -> bool {
    rows.is_empty()
}

#[test]
fn the_asker_is_told_in_the_body_it_wants() {
    let receiver = Receiver::start(&[]);
    let sandbox = allowing(&receiver, "");
    let server = Serving::start(&sandbox);
    let url = receiver.url("/hooks/awakeables/1/resolve?x=1");
    // What the settings name is tried at its own address, with its own secret.
    sandbox.ok(&["channel", "test", "callback", "flow"]);
    let tested = receiver.next();
    assert_eq!(
        (tested.path.as_str(), &tested.headers["authorization"]),
        ("/hooks/", &format!("Bearer {SECRET}"))
    );
    at(&tested.json(), "/event/type", "channel:test");
    let alone = ask(&sandbox, &url, &["--callback-auth", "flow", "--callback-body", "answer"]);
    sandbox.ok(&["answer", &alone, "yes", "-m", "go"]);
    let told = receiver.next();
    assert_eq!(told.path, "/hooks/awakeables/1/resolve?x=1");
    assert_eq!(told.headers["authorization"], format!("Bearer {SECRET}"));
    assert!(!told.headers.contains_key("webhook-signature") && !told.id().is_empty());
    let body = told.json();
    let expected = json!({
        "id": alone, "status": "answered", "refused": false, "values": {"choice": "yes"}, "out": null,
        "message": "go", "by": body["by"], "auth": "local", "at": body["at"], "reason": null,
        "superseded_by": null, "metadata": {"run": "4711"},
    });
    assert_eq!(body, expected);

    let wrapped = ask(&sandbox, &url, &["--callback-body", "data"]);
    sandbox.ok(&["cancel", &wrapped, "--reason", "not needed"]);
    let told = receiver.next();
    assert!(!told.headers.contains_key("authorization"), "no secret goes unasked");
    at(&told.json(), "/data/id", wrapped.as_str());
    at(&told.json(), "/data/status", "cancelled");
    at(&told.json(), "/data/reason", "not needed");
    at(&told.json(), "/data/values", Value::Null);

    let whole = ask(&sandbox, &url, &["--timeout", "50ms", "--on-timeout", "deny"]);
    let told = receiver.next().json();
    at(&told, "/event/type", "decision:expired");
    at(&told, "/decision/id", whole.as_str());
    at(&told, "/decision/answer/values/choice", "no");
    assert!(told["decision"].get("callback").is_none(), "{told}");
    server.stop();
    receiver.is_quiet();
}

#[test]
fn a_secret_may_sign_instead_and_guidance_goes_on_to_the_next_round() {
    let receiver = Receiver::start(&[]);
    let sandbox = allowing(&receiver, "secret_as = \"signature\"");
    let server = Serving::start(&sandbox);
    let document = json!({
        "prompt": "Which?", "fields": [{"id": "choice", "kind": "choice", "label": "Which?",
            "options": [{"id": "a", "label": "A"}]}],
        "callback": {"url": receiver.url("/hooks"), "auth": "flow"},
    });
    let id = sandbox.ask_document(&document);
    sandbox.ok(&["answer", &id, "--guidance", "something cheaper"]);
    let next = sandbox.show(&id)["next"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &next, "a"]);
    let told = receiver.next();
    assert!(told.headers["webhook-signature"].starts_with("v1,"), "{told:?}");
    assert!(!told.headers.contains_key("authorization"));
    at(&told.json(), "/decision/id", next.as_str());
    at(&told.json(), "/decision/iteration", 2);
    server.stop();
    receiver.is_quiet();
}

#[test]
fn one_that_misbehaves_is_told_again_under_the_same_id_and_redirects_are_not_followed() {
    let other = Receiver::start(&[]);
    let elsewhere = format!("location: {}", other.url("/hooks/inside"));
    let replies = [Reply::Status(500, String::new()), Reply::Hang, Reply::Status(307, elsewhere)];
    let receiver = Receiver::start(&replies);
    let sandbox = allowing(&receiver, "timeout = \"500ms\"");
    let server = Serving::start(&sandbox);
    let id = ask(&sandbox, &receiver.url("/hooks/x"), &["--callback-auth", "flow"]);
    sandbox.ok(&["answer", &id, "no"]);
    let first = receiver.next();
    let waiting = outbox_until(&sandbox, |rows| rows.iter().any(|row| row["attempts"] == 1));
    at(&waiting[0], "/lane", "callback");
    at(&waiting[0], "/target", format!("127.0.0.1:{}", receiver.port()));
    at(&waiting[0], "/last_error", "answered 500 Internal Server Error");
    let log = sandbox.ok(&["channel", "log", "callback"]);
    assert!(log.contains("answered 500") && log.contains(&id) && !log.contains("/hooks/x"), "{log}");
    for _ in 0..3 {
        let again: Request = receiver.next();
        assert_eq!((again.id(), &again.body), (first.id(), &first.body));
    }
    outbox_until(&sandbox, is_empty);
    let ran = server.stop();
    assert!(!ran.err.contains("/hooks/x") && !ran.err.contains(SECRET), "{ran}");
    receiver.is_quiet();
    other.is_quiet();
}

#[test]
fn what_the_settings_do_not_list_is_refused_with_what_to_set() {
    let receiver = Receiver::start(&[]);
    let sandbox = allowing(&receiver, "projects = [\"default\", \"red\"]");
    let question = |url: &str, more: &[&str]| {
        let question = ["ask", "--no-wait", "Deploy?", "--kind", "confirm", "--callback", url];
        sandbox.run(&[&question, more].concat())
    };
    let listed = receiver.url("/hooks/x");
    for (url, more, words) in [
        ("https://example.org/x", &[][..], "can add [[callback]] with url = \"https://example.org/…\""),
        (&receiver.url("/other"), &[], "no [[callback]] in config.toml"),
        (&receiver.url("/hooksy"), &[], "no [[callback]] in config.toml"),
        (&receiver.url("/hooks/../other"), &[], "no [[callback]] in config.toml"),
        (&receiver.url("/hooks/..%2fother"), &[], "no encoded slash"),
        (&receiver.url("/hooks/%252e%252e/other"), &[], "no encoded slash"),
        (&receiver.url("/hooks/%2e%2e/other"), &[], "no [[callback]] in config.toml"),
        (&listed.replace("127.0.0.1", "localhost"), &[], "no [[callback]] in config.toml"),
        (&listed.replace("http:", "https:"), &[], "no [[callback]] in config.toml"),
        (&listed, &["--project", "blue"], "project \"blue\""),
        (&listed, &["--callback-auth", "other"], "no [[callback]] named \"other\""),
        ("https://example.org/x", &["--callback-auth", "flow"], "the [[callback]] named \"flow\""),
        ("ftp://example.org/x", &[], "must start with https://"),
        ("http://ana:word@127.0.0.1/x", &[], "user name or password"),
        ("not an address", &[], "callback.url"),
    ] {
        question(url, more).exits(1).says(words);
    }
    assert_eq!(sandbox.json(&["list", "--json"]), json!([]), "nothing was asked");
    // What was listed once and is no more is given up, and says so.
    let id = ask(&sandbox, &listed, &[]);
    sandbox.ok(&["answer", &id, "yes"]);
    sandbox.settings("[hooks]\ndesktop = false\n");
    let server = Serving::start(&sandbox);
    let dead = outbox_dead(&sandbox);
    for row in &dead {
        at(row, "/last_error", "the settings no longer name it");
    }
    server.stop();
    receiver.is_quiet();
}

#[test]
fn private_addresses_take_a_word_in_the_settings() {
    let receiver = Receiver::start(&[]);
    let port = receiver.port();
    let sandbox = Sandbox::new().with("CALL_SECRET", SECRET);
    let entry = |url: &str, more: &str| {
        sandbox.settings(&format!("[[callback]]\nname = \"flow\"\nurl = \"{url}\"\n{more}"));
    };
    entry(&receiver.url("/"), "");
    sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says("private address");
    entry("http://example.org/", "secret_env = \"CALL_SECRET\"");
    sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says("https://");
    entry("https://example.org/?a=b", "");
    sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says("no ? and no #");
    // A name that leads to a private address.
    entry(&format!("http://localhost:{port}/"), "");
    let server = Serving::start(&sandbox);
    let id = ask(&sandbox, &format!("http://localhost:{port}/x"), &[]);
    sandbox.ok(&["answer", &id, "yes"]);
    let dead = outbox_dead(&sandbox);
    assert!(dead[0]["last_error"].as_str().unwrap().contains("private address"), "{dead:?}");
    server.stop();
    receiver.is_quiet();
}

#[test]
fn nobody_is_shown_the_address_and_a_key_asks_once() {
    let receiver = Receiver::start(&[]);
    let sandbox = allowing(&receiver, "");
    let server = Serving::start(&sandbox);
    let url = receiver.url("/hooks/a-secret-token");
    let id = ask(&sandbox, &url, &["--key", "k1"]);
    assert_eq!(ask(&sandbox, &url, &["--key", "k1"]), id);
    let other = receiver.url("/hooks/another");
    let question = ["ask", "--no-wait", "Deploy?", "--kind", "confirm", "--metadata", "run=4711"];
    sandbox.run(&[&question[..], &["--callback", &other, "--key", "k1"]].concat()).exits(4);
    let agent = server.token(Role::Agent, &[]);
    let fetch = |path: &str, token: &str| {
        sandbox.shell(&format!("curl -s -H 'Authorization: Bearer {token}' {}{path}", server.url)).out
    };
    let person = server.token(Role::Person, &[]);
    for path in [format!("/v1/decisions/{id}"), "/v1/decisions".into(), "/v1/events?after=0".into()] {
        for token in [&agent, &person] {
            let shown = fetch(&path, token);
            assert!(!shown.contains("a-secret-token"), "{shown}");
        }
    }
    let shown = [
        sandbox.ok(&["show", &id, "--json"]),
        sandbox.ok(&["list", "--json"]),
        sandbox.ok(&["log", "--json"]),
        sandbox.ok(&["answer", &id, "yes", "--json"]),
        sandbox.run(&["answer", &id, "no", "--json"]).exits(4).out.clone(),
    ];
    assert!(shown.iter().all(|text| !text.contains("a-secret-token")), "{shown:?}");
    receiver.next();
    server.stop();
}

#[test]
fn an_export_has_the_host_of_an_address_unless_all_of_it_is_wanted() {
    let receiver = Receiver::start(&[]);
    let sandbox = allowing(&receiver, "");
    let url = receiver.url("/hooks/a-secret-token");
    let own = json!({"callback": {"url": "https://example.org/of-the-subject"}});
    let document = json!({"prompt": "Which?", "subject": own, "callback": {"url": url},
        "fields": [{"id": "choice", "kind": "choice", "options": [{"id": "a"}, {"id": "no"}]}]});
    let id = sandbox.ask_document(&document);
    let digest = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "no", "--digest", &digest]);
    let plain = json!({"prompt": "Which?", "callback": {"url": url},
        "fields": [{"id": "choice", "kind": "choice", "options": [{"id": "a"}, {"id": "b"}]}]});
    let next = sandbox.ask_document(&plain);
    sandbox.ok(&["answer", &next, "--guidance", "cheaper"]);
    let receipt = sandbox.ok(&["receipt", &id]);
    assert!(!receipt.contains("a-secret-token"), "{receipt}");

    let read = |arguments: &[&str]| -> Vec<Value> {
        sandbox.ok(arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (shareable, whole) = (read(&["audit", "export"]), read(&["audit", "export", "--whole"]));
    let text = serde_json::to_string(&shareable).unwrap();
    assert!(!text.contains("a-secret-token"), "{text}");
    assert!(text.contains("of-the-subject"), "what is decided on is no callback: {text}");
    let withheld: Vec<&Value> =
        shareable.iter().map(|line| &line["event"]).filter(|event| event.get("withheld").is_some()).collect();
    assert_eq!(withheld.len(), 3, "two that were asked, and the next round of one: {text}");
    for event in withheld {
        at(event, "/withheld", json!(["callback.url"]));
        let body: Value = serde_json::from_str(event["body"].as_str().unwrap()).unwrap();
        at(&body, "/callback/host", format!("127.0.0.1:{}", receiver.port()));
    }
    for (one, other) in shareable.iter().zip(&whole) {
        assert_eq!(one["event"]["hash"], other["event"]["hash"]);
        let body =
            other["event"]["body"].as_str().map(|body| holdpoint_core::json::sha256_hex(body.as_bytes()));
        assert!(body.is_none_or(|hash| other["event"]["body_hash"] == hash.as_str()), "{other}");
    }
}
