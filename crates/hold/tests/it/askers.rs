//! Who asks: the credential's name first, what it calls itself after it, and never a claim as if it were known.

use serde_json::json;

use crate::sandbox::{Sandbox, at};
use crate::server::{Server, question_with};

#[test]
fn a_name_that_nobody_checked_is_marked_as_one() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("subject", "rm -rf /");
    let id =
        sandbox.ask(&["Clean up?", "--kind", "confirm", "--subject", &subject, "--requested-by", "root"]);
    at(&sandbox.show(&id), "/asked_by", serde_json::Value::Null);
    let card = sandbox.ok(&["show", &id]);
    assert!(card.contains("by root (unverified)"), "{card}");
    let list = sandbox.ok(&["list"]);
    assert!(list.contains("\"root\""), "{list}");
    let plain = sandbox.run_with(&["inbox", "--plain"], "1\n").exits(0).out;
    assert!(plain.contains("root (unverified) asks for approval"), "{plain}");
}

#[test]
fn the_credential_comes_first_at_every_door() {
    let server = Server::start();
    let bot = server.token("ci-bot", "agent", &[]);
    let ana = server.token("ana", "person", &[]);
    let new = json!({"subject": {"cmd": "make deploy"}, "requested_by": "root"});
    let made = bot.post("/v1/decisions", &question_with(&new)).is(201).json();
    at(&made, "/asked_by", "ci-bot");
    at(&made, "/requested_by", "root");
    let id = made["id"].as_str().unwrap();
    at(&ana.get("/v1/decisions?status=pending").is(200).json(), "/items/0/asked_by", "ci-bot");
    let events = ana.get("/v1/events?after=0").is(200).body;
    assert!(events.contains("\"asked_by\":\"ci-bot\"") && !events.contains("asked_with"), "{events}");
    assert!(server.sandbox.ok(&["show", id]).contains("by ci-bot, as root"));
    let list = server.sandbox.ok(&["list"]);
    assert!(list.contains("ci-bot") && !list.contains("root"), "what was claimed has no room there: {list}");
    let answer = json!({"choice": "a", "digest": made["digest"]});
    ana.post(&format!("/v1/decisions/{id}/answer"), &answer).is(200);
    let receipt = ana.get(&format!("/v1/decisions/{id}/receipt")).is(200).json();
    at(&receipt, "/asked_by", "ci-bot");
    at(&receipt, "/requested_by", "root");
    let file = server.sandbox.file("receipt.json", receipt.to_string());
    server.sandbox.ok(&["receipt", "verify", &file]);
    let claimed = bot.post("/v1/decisions", &question_with(&json!({"asked_by": "root"})));
    claimed.refuses(422, "invalid");
}
