//! Decisions over HTTP: every route does what it says, and what cannot be done is a problem with a code.

use serde_json::{Value, json};

use crate::sandbox::at;
use crate::server::{Api, Server, question, question_with};

#[test]
fn asking_gives_the_resource_that_the_command_line_shows() {
    let server = Server::start();
    let local = server.local();
    let made = local
        .post("/v1/decisions", &question_with(&json!({"requested_by": "agent-7", "timeout": "1h"})))
        .is(201);
    let id = made.id();
    assert_eq!(made.header("location"), Some(format!("/v1/decisions/{id}").as_str()));
    assert_eq!(made.header("content-type"), Some("application/json"));
    let found = local.get(made.header("location").unwrap()).is(200).json();
    assert_eq!(found, made.json());
    assert_eq!(found, server.sandbox.show(&id));
    for key in [
        "title",
        "owner",
        "prior",
        "next",
        "guidance",
        "default",
        "subject",
        "origin",
        "answer",
        "consumed_at",
    ] {
        at(&found, &format!("/{key}"), Value::Null);
    }
    assert!(found.get("asked_with").is_none(), "{found}");
}

#[test]
fn any_unique_start_names_a_decision() {
    let server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    let suffix = id.strip_prefix("dcn-").unwrap();
    for name in [&id, suffix, &suffix[..6], &id.to_uppercase()] {
        assert_eq!(nobody.decision(name).is(200).id(), id, "{name}");
    }
    let ids: Vec<String> = (0..40).map(|_| nobody.ask()).collect();
    let shared = ids
        .iter()
        .map(|id| &id[4..5])
        .find(|start| ids.iter().filter(|id| id[4..].starts_with(start)).count() > 1);
    let problem = nobody.decision(shared.unwrap()).refuses(404, "ambiguous");
    assert!(problem["candidates"].as_array().unwrap().len() > 1, "{problem}");
}

#[test]
fn odd_names_are_not_found_and_never_break_anything() {
    let server = Server::open();
    let nobody = server.nobody();
    for name in [
        "nope",
        "dcn-",
        "dcn-000000000000",
        "%00",
        "..%2f..%2fetc",
        "%2e%2e",
        "a%20b",
        "%F0%9F%8E%89",
        "%25",
        "'",
        &"x".repeat(3000),
    ] {
        nobody.decision(name).refuses(404, "not_found");
        nobody.answer(name, "a").refuses(404, "not_found");
        nobody.get(&format!("/v1/decisions/{name}/wait")).refuses(404, "not_found");
    }
    nobody.decision("%FF").refuses(400, "malformed");
    nobody.decision("").refuses(404, "no_such_route");
    nobody.get("/v1/nothing").refuses(404, "no_such_route");
}

#[test]
fn a_known_key_gives_the_first_decision() {
    let server = Server::start();
    let keyed = |api: &Api| api.clone().with("Idempotency-Key", "deploy-17");
    let (one, other) = (server.token("one", "agent", &[]), server.token("other", "agent", &[]));
    let first = keyed(&one).post("/v1/decisions", &question()).is(201);
    assert_eq!(first.header("idempotent-replayed"), None);
    let again = keyed(&one).post("/v1/decisions", &question()).is(200);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.json(), first.json());
    server.local().answer(&first.id(), "a").is(200);
    let settled = keyed(&one).post("/v1/decisions", &question()).is(200).json();
    at(&settled, "/status", "answered");
    keyed(&one)
        .post("/v1/decisions", &question_with(&json!({"prompt": "Other?"})))
        .refuses(409, "key_reused");
    // The key is the caller's own: another caller's is another.
    assert_ne!(keyed(&other).post("/v1/decisions", &question()).is(201).id(), first.id());
    for bad in ["", " ", &"k".repeat(300), "\u{e9}"] {
        one.clone().with("Idempotency-Key", bad).post("/v1/decisions", &question()).refuses(422, "invalid");
    }
}

#[test]
fn creating_can_hold_in_the_same_request() {
    let server = Server::open();
    let nobody = server.nobody();
    let asker = nobody.clone();
    let held = std::thread::spawn(move || asker.post("/v1/decisions?wait=60s", &question()));
    server.parked(1);
    let id = nobody.get("/v1/decisions").json()["items"][0]["id"].as_str().unwrap().to_owned();
    nobody.answer(&id, "b").is(200);
    let held = held.join().unwrap().is(201).json();
    at(&held, "/answer/values/choice", "b");
    at(&nobody.post("/v1/decisions?wait=1ms", &question()).is(201).json(), "/status", "pending");
    nobody.post("/v1/decisions?wait=soon", &question()).refuses(422, "invalid");
    nobody.post("/v1/decisions?hold=1s", &question()).refuses(422, "invalid");
}

#[test]
fn waiting_ends_with_the_answer_or_the_time() {
    let server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    at(&nobody.get(&format!("/v1/decisions/{id}/wait?timeout=1ms")).is(200).json(), "/status", "pending");
    let waiters: Vec<_> = (0..3)
        .map(|_| {
            let (waiter, path) = (nobody.clone(), format!("/v1/decisions/{}/wait?timeout=60s", &id[..10]));
            std::thread::spawn(move || waiter.get(&path))
        })
        .collect();
    server.parked(3);
    nobody.answer(&id, "a").is(200);
    for waiter in waiters {
        at(&waiter.join().unwrap().is(200).json(), "/answer/values/choice", "a");
    }
    // What is settled is told at once.
    at(&nobody.get(&format!("/v1/decisions/{id}/wait?timeout=60s")).is(200).json(), "/status", "answered");
    for bad in ["timeout=never", "timeout=-1s", "timeout=", "tiemout=1s"] {
        nobody.get(&format!("/v1/decisions/{id}/wait?{bad}")).refuses(422, "invalid");
    }
}

#[test]
fn a_deadline_wakes_and_a_removal_is_told() {
    let server = Server::open();
    let nobody = server.nobody();
    let timed = nobody
        .post("/v1/decisions", &question_with(&json!({"timeout": "300ms", "default": {"choice": "b"}})))
        .is(201);
    let settled = nobody.get(&format!("/v1/decisions/{}/wait?timeout=60s", timed.id())).is(200).json();
    at(&settled, "/status", "timed_out");
    at(&settled, "/answer/by", "system:timeout");
    nobody.answer(&timed.id(), "a").refuses(409, "already_settled");

    let id = nobody.post("/v1/decisions", &question_with(&json!({"owner": "item:x"}))).is(201).id();
    let waiter = nobody.clone();
    let held = std::thread::spawn(move || waiter.get(&format!("/v1/decisions/{id}/wait?timeout=60s")));
    server.parked(1);
    at(&nobody.send("DELETE", "/v1/items/x", None).is(200).json(), "/removed", 1);
    held.join().unwrap().refuses(410, "removed");
}

#[test]
fn the_first_answer_wins_and_the_same_again_is_a_replay() {
    let server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    let first = nobody.answer(&id, "a").is(200);
    assert_eq!(first.header("idempotent-replayed"), None);
    let again = nobody.answer(&id, "a").is(200);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.json(), first.json());
    let problem = nobody.answer(&id, "b").refuses(409, "already_settled");
    at(&problem, "/decision/answer/values/choice", "a");
    let said = server.sandbox.run(&["answer", &id, "a"]).exits(0).out;
    assert!(said.contains("had this answer already"), "{said}");
}

#[test]
fn answers_come_in_every_form() {
    let server = Server::open();
    let nobody = server.nobody();
    let answer = |id: &str, body: Value| nobody.post(&format!("/v1/decisions/{id}/answer"), &body);
    at(
        &answer(&nobody.ask(), json!({"values": {"choice": "a"}, "message": "quick"})).is(200).json(),
        "/answer/message",
        "quick",
    );
    let outs = question_with(&json!({"outs": [{"id": "cancel", "label": "Cancel"}]}));
    let id = nobody.post("/v1/decisions", &outs).is(201).id();
    at(&answer(&id, json!({"out": "cancel"})).is(200).json(), "/answer/out", "cancel");
    let many = json!({"title": "Which?", "fields": [{"id": "c", "kind": "choices", "options": [{"id": "x"}, {"id": "y"}]}]});
    let id = nobody.post("/v1/decisions", &many).is(201).id();
    at(&answer(&id, json!({"choices": ["y", "x"]})).is(200).json(), "/status", "answered");
    let id = nobody.ask();
    let refined = answer(&id, json!({"guidance": "look again"})).is(200).json();
    at(&refined, "/status", "refined");
    let next = nobody.decision(refined["next"].as_str().unwrap()).is(200).json();
    at(&next, "/guidance", "look again");
    at(&next, "/iteration", 2);

    let id = nobody.ask();
    for wrong in [
        json!({"choice": "c"}),
        json!({"values": {"other": 1}}),
        json!({}),
        json!({"out": "none"}),
        json!({"choice": "a", "guidance": "no"}),
    ] {
        let problem = answer(&id, wrong.clone()).refuses(422, "invalid");
        assert!(problem["errors"].as_array().is_some_and(|errors| !errors.is_empty()), "{wrong} {problem}");
    }
    answer(&id, json!({"choice": "a", "digest": "sha256:0"})).refuses(409, "stale");
    let digest = nobody.decision(&id).json()["digest"].clone();
    answer(&id, json!({"choice": "a", "digest": digest})).is(200);
}

#[test]
fn what_is_asked_is_revised_drafted_cancelled_and_consumed() {
    let server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    let at_id = |verb: &str| format!("/v1/decisions/{id}{verb}");
    let before = nobody.decision(&id).json();
    let revised = nobody.send("PATCH", &at_id(""), Some(&json!({"prompt": "Which one?"}))).is(200).json();
    at(&revised, "/prompt", "Which one?");
    assert_ne!(revised["digest"], before["digest"]);
    nobody.send("PATCH", &at_id(""), Some(&json!({}))).refuses(422, "invalid");
    at(
        &nobody.send("PUT", &at_id("/draft"), Some(&json!({"values": {"choice": "a"}}))).is(200).json(),
        "/draft/choice",
        "a",
    );
    nobody.get(&at_id("/receipt")).refuses(409, "still_pending");
    at(&nobody.post(&at_id("/cancel"), &json!({"reason": "moot"})).is(200).json(), "/reason", "moot");
    nobody.send("PATCH", &at_id(""), Some(&json!({"prompt": "?"}))).refuses(409, "already_settled");
    nobody.send("PUT", &at_id("/draft"), Some(&json!({"values": {}}))).refuses(409, "already_settled");
    at(&nobody.get(&at_id("/receipt")).is(200).json(), "/status", "cancelled");

    let subject = json!({"tool": "sh", "args": ["make"]});
    let new = json!({"prompt": "May I?", "subject": subject, "fields": [{"id": "ok", "kind": "confirm", "options": [{"id": "yes"}, {"id": "no"}]}]});
    let id = nobody.post("/v1/decisions", &new).is(201).id();
    let consume = |subject: &Value, min: Value| {
        nobody.post(&format!("/v1/decisions/{id}/consume"), &json!({"subject": subject, "min": min}))
    };
    consume(&subject, Value::Null).refuses(409, "not_consumable");
    let digest = nobody.decision(&id).is(200).json()["digest"].clone();
    let yes = json!({"choice": "yes", "digest": digest});
    nobody.post(&format!("/v1/decisions/{id}/answer"), &yes).is(200);
    consume(&json!("other"), Value::Null).refuses(409, "not_consumable");
    // Nobody checked who said yes.
    consume(&subject, json!("token")).refuses(409, "not_consumable");
    assert!(consume(&subject, json!("claimed")).is(200).json()["consumed_at"].is_string());
    consume(&subject, Value::Null).refuses(409, "not_consumable");
}

#[test]
fn lists_are_filtered_and_paged() {
    let server = Server::open();
    let nobody = server.nobody();
    for n in 0..5 {
        let project = if n == 4 { "other" } else { "default" };
        nobody
            .post("/v1/decisions", &question_with(&json!({"project": project, "owner": format!("item:{n}")})))
            .is(201);
    }
    let mut path = "/v1/decisions?limit=2".to_owned();
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let page = nobody.get(&path).is(200).json();
        seen.extend(
            page["items"].as_array().unwrap().iter().map(|item| item["owner"].as_str().unwrap().to_owned()),
        );
        pages += 1;
        match page["next"].as_str() {
            Some(next) => path = format!("/v1/decisions?limit=2&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(
        (seen, pages),
        (["item:0", "item:1", "item:2", "item:3", "item:4"].map(String::from).to_vec(), 3)
    );
    let count = |query: &str| {
        nobody.get(&format!("/v1/decisions?{query}")).is(200).json()["items"].as_array().unwrap().len()
    };
    assert_eq!(
        (count("project=other"), count("owner=item:2"), count("source=approval"), count("status=all")),
        (1, 1, 0, 5)
    );
    assert_eq!((count("status=answered"), count("status=pending,answered")), (0, 5));
    let newest = nobody.get("/v1/decisions?order=newest_first&limit=1").json();
    at(&newest, "/items/0/owner", "item:4");
    for bad in [
        "limit=0",
        "limit=1001",
        "limit=x",
        "status=open",
        "source=x",
        "owner=x",
        "cursor=zzz",
        "colour=red",
        "settled_since=now",
        "order=up",
    ] {
        nobody.get(&format!("/v1/decisions?{bad}")).refuses(422, "invalid");
    }
}

#[test]
fn items_and_projects_are_kept() {
    let server = Server::open();
    let nobody = server.nobody();
    at(&nobody.post("/v1/items", &json!({"id": "bd-1", "title": "Cache"})).is(201).json(), "/status", "open");
    nobody.post("/v1/decisions", &question_with(&json!({"owner": "item:bd-1"}))).is(201);
    at(&nobody.get("/v1/items?project=default").is(200).json(), "/items/0/status", "blocked");
    at(&nobody.send("DELETE", "/v1/items/bd-1", None).is(200).json(), "/removed", 1);
    nobody.send("DELETE", "/v1/items/bd-1", None).refuses(404, "not_found");
    at(
        &nobody.send("PUT", "/v1/projects/web", Some(&json!({"min_timeout": "5m"}))).is(200).json(),
        "/min_timeout",
        "5m",
    );
    assert!(nobody.get("/v1/projects").is(200).body.contains("\"web\""));
    nobody.send("PUT", "/v1/projects/web", Some(&json!({"min_timeout": 5}))).refuses(422, "invalid");
}

#[test]
fn methods_are_as_http_has_them() {
    let server = Server::open();
    let nobody = server.nobody();
    let id = nobody.ask();
    let path = format!("/v1/decisions/{id}");
    let head = nobody.send("HEAD", &path, None).is(200);
    assert_eq!(head.body, "");
    assert_eq!(head.header("content-length"), nobody.get(&path).header("content-length"));
    for (method, path, allowed) in [
        ("DELETE", path.as_str(), "PATCH"),
        ("OPTIONS", &path, "GET"),
        ("POST", "/healthz", "GET"),
        ("PUT", "/v1/decisions", "POST"),
        ("TRACE", "/v1/events", "GET"),
    ] {
        let reply = nobody.send(method, path, None);
        let allow = reply.header("allow").unwrap_or_default().to_owned();
        reply.refuses(405, "wrong_method");
        assert!(allow.contains(allowed), "{method} {path}: Allow {allow:?}");
    }
}

#[test]
fn every_route_is_described_and_every_description_is_served() {
    let server = Server::start();
    let document = server.nobody().get("/openapi.json").is(200).json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{}", document["openapi"]);
    let mut operations = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations += 1;
            let reply = server.local().send(&method.to_uppercase(), &path.replace(['{', '}'], ""), None);
            assert_ne!(reply.status, 405, "{method} {path}");
            assert!(!reply.body.contains("no_such_route"), "{method} {path}");
            let status = reply.status.to_string();
            assert!(
                operation["responses"].get(&status).is_some(),
                "{method} {path} answers {status}, which is not described"
            );
        }
    }
    assert!(operations >= 29, "{operations}");
}
