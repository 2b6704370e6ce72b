//! An agent with a token of its own wants a person's yes: it tries every way that its role leaves open.

use serde_json::{Value, json};

use crate::server::{Server, question_with};

fn approval(command: &str) -> Value {
    json!({
        "prompt": "Run this?", "source": "approval", "subject": {"tool": "Bash", "command": command},
        "fields": [{"id": "choice", "kind": "confirm", "label": "Run this?",
            "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]}],
    })
}

#[test]
fn an_agent_makes_no_yes_of_its_own() {
    let server = Server::start();
    let agent = server.token("bot", "agent", &[]);
    let asked = agent.post("/v1/decisions", &approval("ls")).is(201).json();
    let (id, digest) = (asked["id"].as_str().unwrap(), &asked["digest"]);
    let path = |verb: &str| format!("/v1/decisions/{id}{verb}");
    // By answering, under any name, assigned to itself or not.
    for more in [json!({}), json!({"by": "ana"}), json!({"by": "system:timeout"})] {
        let mut input = json!({"choice": "yes", "digest": digest});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(agent.post(&path("/answer"), &input).status, 403);
    }
    let own = question_with(&json!({"assignees": ["agent:bot"], "requested_by": "someone-else"}));
    let own = agent.post("/v1/decisions", &own).is(201).id();
    assert_eq!(agent.answer(&own, "a").status, 403);
    // By silence.
    for more in [
        json!({"timeout": "1h", "default": {"choice": "yes"}}),
        json!({"timeout": "1h", "on_timeout": "default", "default": {"choice": "yes"}}),
    ] {
        let mut new = approval("ls");
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(agent.post("/v1/decisions", &new).status, 422);
    }
    // By using what nobody allowed, or something else than what was allowed.
    let use_it = |command: &str| {
        agent.post(&path("/consume"), &json!({"subject": {"tool": "Bash", "command": command}})).status
    };
    assert_eq!(use_it("ls"), 409);
    let person = server.token("ana", "person", &[]);
    // By changing what a person is about to answer.
    agent
        .send("PATCH", &path(""), Some(&json!({"subject": {"tool": "Bash", "command": "rm -rf /"}})))
        .is(200);
    person.post(&path("/answer"), &json!({"choice": "yes", "digest": digest})).refuses(409, "stale");
    person.post(&path("/answer"), &json!({"choice": "yes"})).refuses(428, "digest_required");
    assert_eq!(use_it("rm -rf /"), 409);
    // By making itself a person.
    for (method, path, body) in [
        ("POST", "/v1/tokens", json!({"name": "x", "role": "person"})),
        ("PUT", "/v1/people/x", json!({"name": "x", "role": "admin"})),
        ("POST", "/v1/people/ana/link", json!({})),
        ("PUT", "/v1/auth", json!({"required": false})),
    ] {
        assert_eq!(agent.send(method, path, Some(&body)).status, 403, "{method} {path}");
    }
    assert!(person.decision(id).json()["answer"].is_null());
}
