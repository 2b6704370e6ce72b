//! Who speaks in a thread: nobody passes for another, and what is shown is who sent it.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Reply, Server};

const DECISIONS: &str = "https://aitp.dev/v1/decisions/schema.json";
const PAYMENTS: &str = "https://aitp.dev/v1/payments/schema.json";

fn price(id: &str) -> Value {
    let plan = json!({"plan_id": "once", "plan_type": "one-time", "amount": 5, "currency": "USD"});
    json!({"$schema": PAYMENTS, "quote": {"type": "Quote", "quote_id": id, "payee_id": "shop.near",
        "payment_plans": [plan], "valid_until": "2050-01-01T00:00:00Z"}})
}

fn paid(id: &str) -> Value {
    json!({"$schema": PAYMENTS, "payment_result": {"quote_id": id, "result": "success",
        "timestamp": "2026-01-01T00:00:00Z", "details": []}})
}

fn say(api: &Api, thread: &str, actor: Option<&str>, message: &Value) -> Reply {
    let body = match actor {
        Some(actor) => json!({"content": message.to_string(), "metadata": {"actor": actor}}),
        None => json!({"content": message.to_string()}),
    };
    api.post(&format!("/aitp/v1/threads/{thread}/messages"), &body)
}

#[test]
fn nobody_passes_for_another() {
    let server = Server::start();
    let (shop, evil) = (server.token("shop", "agent", &[]), server.token("evil", "agent", &[]));
    let ana = server.token("ana", "person", &[]);
    let both = [DECISIONS, PAYMENTS];
    let actors = json!([{"id": "shop", "capabilities": both}, {"id": "evil", "capabilities": both}]);
    let open = json!({"metadata": {"actors": actors}});
    let thread = shop.post("/aitp/v1/threads", &open).is(201).json()["id"].as_str().unwrap().to_owned();
    let id =
        say(&shop, &thread, Some("shop"), &price("q-1")).is(201).json()["metadata"]["decisions"][0].clone();
    let id = id.as_str().unwrap();
    for (who, name) in [(&evil, "shop"), (&ana, "shop"), (&shop, "evil"), (&evil, "ana")] {
        let refused = say(who, &thread, Some(name), &paid("q-1")).refuses(403, "forbidden");
        assert!(refused.to_string().contains("cannot speak as"), "{refused}");
    }
    say(&evil, &thread, Some("holdpoint"), &paid("q-1")).refuses(422, "invalid");
    // What it says under its own name is shown as what it says, and that there was no yes.
    say(&evil, &thread, None, &paid("q-1")).is(201);
    let report = ana.decision(id).is(200).json()["reports"][0].clone();
    at(&report, "/by", "evil");
    at(&report, "/auth", "token");
    at(&report, "/approved", false);
    let last = ana.get(&format!("/aitp/v1/threads/{thread}/messages?order=desc&limit=1")).is(200).json();
    at(&last, "/data/0/metadata/auth", "system");
    assert!(last["data"][0]["content"][0].as_str().unwrap().starts_with("Nobody here has approved \"q-1\""));
    ana.answer(id, "approve").is(200);
    say(&shop, &thread, None, &paid("q-1")).is(201);
    let reports = ana.decision(id).is(200).json()["reports"].clone();
    at(&reports, "/1/by", "shop");
    at(&reports, "/1/approved", true);
    server.sandbox.is_well();
}

#[test]
fn only_who_opened_a_thread_speaks_as_its_user() {
    let server = Server::start();
    let (shop, other) = (server.token("shop", "agent", &[]), server.token("other", "agent", &[]));
    let open = json!({"metadata": {"actors": [{"id": "shop"}, {"id": "other"}]}});
    let thread = shop.post("/aitp/v1/threads", &open).is(201).json()["id"].as_str().unwrap().to_owned();
    let path = format!("/aitp/v1/threads/{thread}/messages");
    for (api, role) in [(&shop, "user"), (&other, "assistant")] {
        let said = api.post(&path, &json!({"role": "user", "content": "Hello"})).is(201).json();
        at(&said, "/role", role);
    }
}

#[test]
fn a_thread_whose_first_words_are_not_its_openers_is_not_opened() {
    let server = Server::start();
    let shop = server.token("shop-agent", "agent", &[]);
    let opening = |actor: &str| {
        json!({"metadata": {"actors": [{"id": "shop"}, {"id": "ana"}]},
            "messages": ["Hello", {"content": "I agree", "metadata": {"actor": actor}}]})
    };
    shop.post("/aitp/v1/threads", &opening("ana")).refuses(403, "forbidden");
    assert_eq!(shop.get("/aitp/v1/threads").is(200).json()["data"], json!([]));
    let opened = shop.post("/aitp/v1/threads", &opening("shop")).is(201).json();
    // The name in the thread is one thing, who sent it another.
    at(&opened, "/messages/1/metadata/actor", "shop");
    at(&opened, "/messages/1/metadata/by", "shop-agent");
}

#[test]
fn the_only_one_who_is_named_is_held_to_what_they_declared() {
    let server = Server::start();
    let shop = server.token("shop", "agent", &[]);
    // The opener does not name itself, only its peer, and so speaks for it: the peer took decisions, not payments.
    for named in ["buyer", "shop"] {
        let open = json!({"metadata": {"actors": [{"id": named, "capabilities": [DECISIONS]}]}});
        let thread = shop.post("/aitp/v1/threads", &open).is(201).json()["id"].as_str().unwrap().to_owned();
        let posted = say(&shop, &thread, None, &price("q-1")).is(201).json();
        assert_eq!(posted["metadata"]["decisions"], json!([]));
        let said = shop.get(&format!("/aitp/v1/threads/{thread}/messages?order=desc&limit=1")).is(200).json();
        let words = said["data"][0]["content"][0].as_str().unwrap();
        assert!(words.starts_with(&format!("{named} did not declare AITP-01 Payments")), "{words}");
    }
}

#[test]
fn without_a_server_names_are_shown_as_the_labels_they_are() {
    let sandbox = Sandbox::new();
    let thread = sandbox.ok(&["aitp", "thread", "create", "--actor", "shop=01"]).trim().to_owned();
    let post = |as_whom: &str, message: &Value| {
        sandbox.run_with(
            &["aitp", "thread", "post", &thread, "-", "--as", as_whom, "--json"],
            message.to_string(),
        )
    };
    let id =
        post("shop", &price("q-1")).exits(0).json()["metadata"]["decisions"][0].as_str().unwrap().to_owned();
    assert!(post("shop", &paid("q-1")).exits(0).err.contains("Nobody here has approved"));
    post("Holdpoint", &paid("q-1")).exits(1).says("choose another name");
    for shown in [sandbox.ok(&["aitp", "thread", "show", &thread]), sandbox.ok(&["show", &id])] {
        assert!(shown.contains(", as \"shop\""), "{shown}");
    }
    let card = sandbox.ok(&["show", &id]);
    assert!(card.contains("Done without approval.") && card.contains("(unverified)"), "{card}");
}

#[test]
fn a_key_is_shown_as_it_was_sent() {
    let sandbox = Sandbox::new();
    let thread = sandbox.ok(&["aitp", "thread", "create"]).trim().to_owned();
    let post =
        |words: &str| sandbox.run(&["aitp", "thread", "post", &thread, "--text", words, "--key", "k-1"]);
    post("hello").exits(0);
    let refused = post("other").exits(4);
    assert!(refused.err.contains("key \"k-1\" was used before"), "{}", refused.err);
}
