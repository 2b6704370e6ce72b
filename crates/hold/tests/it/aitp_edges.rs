//! Where messages between parties go wrong, come late, or say more than a value.

use serde_json::{Value, json};

use crate::aitp_threads::Talk;
use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server};

const DECISIONS: &str = "https://aitp.dev/v1/decisions/schema.json";
const DATA: &str = "https://aitp.dev/v1/data/schema.json";

fn request(id: &str) -> Value {
    json!({"$schema": DECISIONS, "request_decision": {"id": id, "options": [{"id": "red"}, {"id": "blue"}]}})
}

/// Asks for a price, which has a default, and for a name.
fn form(id: &str) -> Value {
    json!({"$schema": DATA, "request_data": {"id": id, "description": "What is it worth?", "form": {"fields": [
        {"id": "price", "type": "number", "required": true, "default_value": "20.00"},
        {"id": "name", "type": "text", "default_value": "Ana"}]}}})
}

fn asked(sandbox: &Sandbox, message: &Value) -> String {
    sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], message.to_string()).exits(0).out.trim().to_owned()
}

#[test]
fn a_message_that_is_cut_off_is_answered_in_plain_words() {
    let server = Server::start();
    let shop = server.token("shop", "agent", &[]);
    let talk = Talk::open(&shop, &json!({"actors": [{"id": "shop"}]}));
    let whole = request("r1").to_string();
    let after = format!("{whole} Thanks!");
    for (text, why) in [
        (&whole[..whole.len() - 1], "the text ends too early"),
        (&whole[..whole.len() / 2], "a string is not closed"),
        (after.as_str(), "there is text after the end"),
    ] {
        assert_eq!(talk.say(&shop, "shop", &json!(text)), None);
        let reply = talk.reply(&shop);
        let said = reply.as_str().unwrap();
        assert!(said.starts_with("This is not a message of AITP") && said.contains(why), "{said}");
    }
    // Words are words, wherever they point.
    let before = talk.said(&shop).len();
    talk.say(&shop, "shop", &json!("{see https://aitp.dev/ for more"));
    assert_eq!(talk.said(&shop).len(), before + 1);
    server.sandbox.is_well();
}

#[test]
fn what_is_odd_about_a_request_stands_on_its_card() {
    let server = Server::start();
    let shop = server.token("shop", "agent", &[]);
    let quote = json!({"type": "Quote", "quote_id": "q", "payee_id": "p", "valid_until": "2099-01-01T00:00:00Z",
        "payment_plans": [{"plan_id": "a", "plan_type": "one-time", "amount": -5, "currency": "USD"}]});
    let odd = json!({"$schema": DECISIONS, "request_decision": {"id": "r", "type": "products",
        "options": [{"id": "mug", "name": "Mug", "quote": quote}]}});
    let talk = Talk::open(&shop, &json!({"actors": [{"id": "shop"}]}));
    let ids = [asked(&server.sandbox, &odd), talk.say(&shop, "shop", &odd).unwrap()];
    for id in ids {
        let card = server.sandbox.ok(&["show", &id]);
        let words = "Warning: options 1, quote, payment plans 1, amount: is negative";
        assert!(card.contains(words), "{card}");
        // The answer does not carry it.
        server.sandbox.ok(&["answer", &id, "mug"]);
        assert!(!server.sandbox.ok(&["aitp", "reply", &id]).contains("is negative"));
    }
}

#[test]
fn a_fork_is_of_a_thread_that_is_there() {
    let server = Server::start();
    let (shop, other) = (server.token("shop", "agent", &[]), server.token("other", "agent", &[]));
    let made = shop.post("/aitp/v1/threads", &json!({})).is(201).json();
    let parent = made["id"].as_str().unwrap();
    let fork =
        |api: &Api, parent: &str| api.post("/aitp/v1/threads", &json!({"metadata": {"parent_id": parent}}));
    let forked = fork(&shop, parent).is(201).json();
    at(&forked, "/metadata/parent_id", parent);
    let gone = fork(&shop, "thr-000000000000").refuses(422, "invalid");
    assert!(gone.to_string().contains("no thread here is called"), "{gone}");
    // What one may not see is not there.
    fork(&other, parent).refuses(422, "invalid");
    fork(&shop, "../..").refuses(422, "invalid");
    // Sent again, it is the same thread, also once its parent is gone.
    let keyed = shop.with("idempotency-key", "k");
    fork(&keyed, parent).is(201);
    let root = server.token("root", "admin", &[]);
    root.send("DELETE", &format!("/aitp/v1/threads/{parent}"), None).is(204);
    let again = fork(&keyed, parent);
    assert!(matches!(again.status, 200 | 201), "{}", again.status);
    server.sandbox.is_well();
}

#[test]
fn a_reply_that_comes_late_still_finds_what_it_answers() {
    let server = Server::start();
    let (shop, ana) = (server.token("shop", "agent", &[]), server.token("ana", "person", &[]));
    let talk = Talk::open(&shop, &json!({"actors": [{"id": "shop"}]}));
    let settled = talk.say(&shop, "shop", &request("r1")).unwrap();
    ana.answer(&settled, "blue").is(200);
    let waiting = talk.say(&shop, "shop", &request("r2")).unwrap();
    let chose = |id: &str| json!({"$schema": DECISIONS, "decision": {"request_decision_id": id, "options": [{"id": "red"}]}});
    talk.say(&ana, "ana", &chose("r1"));
    assert!(talk.reply(&shop).as_str().unwrap().contains("already answered: blue by ana"));
    talk.say(&ana, "ana", &chose("r3"));
    assert!(talk.reply(&shop).as_str().unwrap().contains("No request here has the id"));
    assert_eq!(talk.say(&ana, "ana", &chose("r2")), Some(waiting));
}

#[test]
fn a_number_leaves_as_it_was_written() {
    let sandbox = Sandbox::new();
    let price = |id: &str| sandbox.json(&["aitp", "reply", id])["data"]["fields"][0]["value"].clone();
    for written in ["1.50", "7", "0020", "1e3", "-0.10"] {
        let id = asked(&sandbox, &form("f"));
        sandbox.ok(&["answer", &id, "--set", &format!("price={written}")]);
        assert_eq!(price(&id), written);
        assert!(sandbox.show(&id)["answer"]["values"]["price"].is_number());
    }
    // In a message, too.
    let id = asked(&sandbox, &form("f-message"));
    let data = json!({"$schema": DATA, "data": {"request_data_id": "f-message", "fields": [{"id": "price", "value": "3.10"}]}});
    sandbox.run_with(&["aitp", "answer", "-"], data.to_string()).exits(0);
    assert_eq!(price(&id), "3.10");
    // A number that is sent as one is written as numbers are; the same one is the same answer.
    let id = asked(&sandbox, &form("f"));
    sandbox.ok(&["answer", &id, "--set", "price=2.50"]);
    sandbox.ok(&["answer", &id, "--set", "price=2.5"]);
    assert_eq!(price(&id), "2.50", "the first answer stands");
    sandbox.refuses(&["answer", &asked(&sandbox, &form("f")), "--set", "price=inf"], 1, &["is not a number"]);
    sandbox.is_well();
}

#[test]
fn what_is_prefilled_counts_once_somebody_sends_it() {
    let sandbox = Sandbox::new();
    // Nobody who says nothing of it has said it.
    let id = asked(&sandbox, &form("f"));
    sandbox.refuses(
        &["answer", &id, "--set", "name=Bo"],
        1,
        &["price: is required; send the prefilled value to use it"],
    );
    sandbox.ok(&["answer", &id, "--set", "price=5"]);
    at(&sandbox.show(&id), "/answer/values", json!({"price": 5}));
    // A person who is shown a prefilled value and goes on sends it as it came; or they leave it out.
    let id = asked(&sandbox, &form("f"));
    let ran = sandbox.run_with(&["next"], "f\n\n-\n\n").exits(0);
    assert!(ran.err.contains("Enter for 20") && ran.err.contains("- to leave out"), "{ran}");
    at(&sandbox.show(&id), "/answer/values", json!({"price": 20}));
    let reply = sandbox.json(&["aitp", "reply", &id]);
    at(&reply, "/data/fields/0/value", "20.00");
    at(&reply, "/data/fields/1/value", "");
}

#[test]
fn over_http_too() {
    let server = Server::start();
    let (shop, ana) = (server.token("shop", "agent", &[]), server.token("ana", "person", &[]));
    let talk = Talk::open(&shop, &json!({"actors": [{"id": "shop"}]}));
    let id = talk.say(&shop, "shop", &form("f")).unwrap();
    let answer =
        |values: Value| ana.post(&format!("/v1/decisions/{id}/answer"), &json!({ "values": values }));
    answer(json!({"name": "Bo"})).refuses(422, "invalid");
    let answered = answer(json!({"price": "12.00"})).is(200).json();
    at(&answered, "/answer/values", json!({"price": 12}));
    at(&answered, "/answer/written", json!({"price": "12.00"}));
    let fields = &talk.reply(&shop)["data"]["fields"];
    assert_eq!((&fields[0]["value"], &fields[1]["value"]), (&json!("12.00"), &json!("")));
}
