//! Who may do what over HTTP. Each test tries to get round a rule.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server, question, question_with};

#[test]
fn what_only_looks_like_a_credential_is_refused() {
    let server = Server::start();
    let made = server.local().post("/v1/tokens", &json!({"name": "ana", "role": "person"})).is(201).json();
    let (secret, id) = (made["secret"].as_str().unwrap(), made["id"].as_str().unwrap());
    let whoever = |value: &str| server.nobody().with("Authorization", value).get("/v1/decisions");
    whoever(&format!("Bearer {secret}")).is(200);
    whoever(&format!("bearer {secret}")).is(200);
    let (upper, cut) = (secret.to_uppercase(), &secret[..secret.len() - 1]);
    for bad in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        &format!("Basic {secret}"),
        secret,
        &format!("Bearer {upper}"),
        &format!("Bearer {cut}"),
        &format!("Bearer {secret}x"),
        &format!("Bearer {id}"),
        "Bearer \u{e9}",
        &format!("Bearer {}", "a".repeat(5000)),
    ] {
        whoever(bad).refuses(401, "unauthorized");
    }
    server
        .nobody()
        .with("Cookie", &format!("hold_session={secret}"))
        .get("/v1/decisions")
        .refuses(401, "unauthorized");
    // The secret is shown once and is nowhere afterwards.
    let log = server.sandbox.ok(&["log", "--json"]);
    let listed = server.local().get("/v1/tokens").is(200).body;
    assert!(!log.contains(secret) && !listed.contains(secret) && listed.contains(id));
    server.local().send("DELETE", &format!("/v1/tokens/{id}"), None).is(200);
    let problem = whoever(&format!("Bearer {secret}")).refuses(401, "unauthorized");
    assert!(!problem.to_string().contains(secret));
}

#[test]
fn an_agent_sees_its_own_and_nothing_else() {
    let server = Server::start();
    let (one, other) = (server.token("one", "agent", &[]), server.token("other", "agent", &[]));
    let (mine, theirs) = (one.ask(), other.ask());
    one.decision(&mine).is(200);
    for path in ["", "/wait?timeout=1ms", "/receipt"] {
        one.get(&format!("/v1/decisions/{theirs}{path}")).refuses(404, "not_found");
    }
    for (method, verb, body) in [
        ("PATCH", "", json!({"prompt": "Mine now?"})),
        ("POST", "/answer", json!({"choice": "a"})),
        ("PUT", "/draft", json!({"values": {}})),
        ("POST", "/cancel", json!({})),
        ("POST", "/consume", json!({"subject": 1})),
    ] {
        one.send(method, &format!("/v1/decisions/{theirs}{verb}"), Some(&body)).refuses(404, "not_found");
    }
    let listed = one.get("/v1/decisions?status=all").is(200).json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    at(&listed, "/items/0/id", mine.as_str());
    assert!(!one.get("/v1/events").is(200).body.contains(&theirs));
    one.get(&format!("/v1/events?decision={theirs}")).refuses(404, "not_found");
    // A start that names both names only the one that may be seen; and how much suffices tells nothing.
    for length in 5..=16 {
        let reply = one.decision(&theirs[..length]);
        assert!(reply.status == 404 || reply.id() == mine, "{}", reply.body);
    }
    at(&one.get(&format!("/v1/prefixes?ids={theirs},{mine}")).is(200).json(), "", json!([12, 12]));
    for (method, path) in [
        ("GET", "/v1/tokens"),
        ("GET", "/v1/people"),
        ("DELETE", "/v1/items/x"),
        ("DELETE", "/v1/people/ana"),
        ("POST", "/v1/people/ana/link"),
    ] {
        one.send(method, path, None).refuses(403, "forbidden");
    }
    for (method, path, body) in [
        ("POST", "/v1/tokens", json!({"name": "x", "role": "admin"})),
        ("PUT", "/v1/people/x", json!({"name": "x", "role": "admin"})),
        ("PUT", "/v1/auth", json!({"required": false})),
        ("PUT", "/v1/projects/default", json!({"min_timeout": "0s"})),
    ] {
        one.send(method, path, Some(&body)).refuses(403, "forbidden");
    }
}

#[test]
fn an_agent_never_sees_a_draft() {
    let server = Server::start();
    let (agent, person) = (server.token("bot", "agent", &[]), server.token("ana", "person", &[]));
    let id = agent.ask();
    let draft = json!({"values": {"choice": "b"}});
    at(
        &person.send("PUT", &format!("/v1/decisions/{id}/draft"), Some(&draft)).is(200).json(),
        "/draft/choice",
        "b",
    );
    let path = format!("/v1/decisions/{id}");
    at(&agent.get(&path).is(200).json(), "/draft", json!({}));
    at(&agent.get(&format!("{path}/wait?timeout=1ms")).is(200).json(), "/draft", json!({}));
    at(&agent.get("/v1/decisions").is(200).json(), "/items/0/draft", json!({}));
    at(&agent.send("PATCH", &path, Some(&json!({"prompt": "Well?"}))).is(200).json(), "/draft", json!({}));
    let events = agent.get("/v1/events").is(200).body;
    assert!(!events.contains("decision:drafted") && !events.contains("\"draft\""), "{events}");
    at(&agent.post(&format!("{path}/cancel"), &json!({})).is(200).json(), "/draft", json!({}));
    let problem = agent.post(&format!("{path}/cancel"), &json!({}));
    assert!(!problem.body.contains("\"choice\":\"b\""), "{}", problem.body);
}

#[test]
fn a_credential_counts_only_in_its_projects() {
    let server = Server::start();
    let web = server.token("wendy", "person", &["web"]);
    let hidden = server.local().ask();
    web.decision(&hidden).refuses(404, "not_found");
    web.answer(&hidden, "a").refuses(404, "not_found");
    web.post("/v1/decisions", &question()).refuses(403, "forbidden");
    web.get("/v1/decisions?project=default").refuses(403, "forbidden");
    web.get("/v1/events?project=default").refuses(403, "forbidden");
    web.get("/v1/items?project=default").refuses(403, "forbidden");
    web.post("/v1/items", &json!({"id": "x"})).refuses(403, "forbidden");
    let seen = web.post("/v1/decisions", &question_with(&json!({"project": "web"}))).is(201).id();
    let listed = web.get("/v1/decisions").is(200).json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    at(&listed, "/items/0/id", seen.as_str());
    assert!(!web.get("/v1/events").is(200).body.contains(&hidden));
    // An admin of one project does not manage all.
    let admin = server.token("adam", "admin", &["web"]);
    admin.post("/v1/tokens", &json!({"name": "x", "role": "admin"})).refuses(403, "forbidden");
    admin.send("PUT", "/v1/auth", Some(&json!({"required": true}))).refuses(403, "forbidden");
    admin.send("PUT", "/v1/projects/default", Some(&json!({"min_timeout": "1s"}))).refuses(403, "forbidden");
}

#[test]
fn whoever_asked_with_a_token_does_not_answer_with_it() {
    let server = Server::start();
    let (ana, again) = (server.token("ana", "person", &[]), server.token("ana", "person", &[]));
    let id = ana.ask();
    ana.answer(&id, "a").refuses(403, "forbidden");
    ana.post(&format!("/v1/decisions/{id}/answer"), &json!({"choice": "a", "by": "bob"}))
        .refuses(403, "forbidden");
    // Credentials are compared, never names.
    at(&again.answer(&id, "a").is(200).json(), "/answer/by", "ana");
    let admin = server.token("root", "admin", &[]);
    let id = admin.ask();
    admin.answer(&id, "a").refuses(403, "forbidden");
    // The local token is a full credential and not bound by this.
    let id = server.local().ask();
    at(&server.local().answer(&id, "a").is(200).json(), "/answer/auth", "local");
}

#[test]
fn a_name_counts_only_where_nobody_checks() {
    let (checked, open) = (Server::start(), Server::open());
    let forged = json!({"choice": "a", "by": "the boss"});
    let answer =
        |api: &Api, id: &str| api.post(&format!("/v1/decisions/{id}/answer"), &forged).is(200).json();
    let asker = checked.token("bot", "agent", &[]);
    let by_token = answer(&checked.token("ana", "person", &[]), &asker.ask());
    at(&by_token, "/answer/by", "ana");
    at(&by_token, "/answer/auth", "token");
    let by_local = answer(&checked.local(), &asker.ask());
    at(&by_local, "/answer/by", "ana");
    at(&by_local, "/answer/auth", "local");
    let claimed = answer(&open.nobody(), &open.nobody().ask());
    at(&claimed, "/answer/by", "the boss");
    at(&claimed, "/answer/auth", "claimed");
    // The command says who it is run by, and that is all a server without authentication knows.
    let id = open.nobody().ask();
    let open_url = Sandbox::new().with("HOLD_URL", &open.url());
    at(&open_url.json(&["answer", &id, "a", "--json"]), "/answer/by", "ana");
}

#[test]
fn an_agent_cannot_make_silence_answer_soon() {
    let server = Server::start();
    let agent = server.token("bot", "agent", &[]);
    let soon = |timeout: &str| question_with(&json!({"timeout": timeout, "default": {"choice": "a"}}));
    agent.post("/v1/decisions", &soon("59s")).refuses(422, "invalid");
    agent.post("/v1/decisions", &soon("60s")).is(201);
    server.local().send("PUT", "/v1/projects/default", Some(&json!({"min_timeout": "1h"}))).is(200);
    agent.post("/v1/decisions", &soon("60s")).refuses(422, "invalid");
    server.local().post("/v1/decisions", &soon("1s")).is(201);
}

#[test]
fn agents_answer_agents_only_where_they_are_asked() {
    let server = Server::start();
    let (asker, bob) = (server.token("asker", "agent", &[]), server.token("bob", "agent", &[]));
    let for_bob = |more: Value| {
        let mut new = question_with(&json!({"assignees": ["agent:bob"]}));
        more.as_object().unwrap().iter().for_each(|(key, value)| new[key] = value.clone());
        new
    };
    let id = asker.post("/v1/decisions", &for_bob(json!({}))).is(201).id();
    at(&bob.decision(&id).is(200).json(), "/status", "pending");
    // Assigned to, not its own: it answers, and does nothing else.
    bob.send("PATCH", &format!("/v1/decisions/{id}"), Some(&json!({"prompt": "?"})))
        .refuses(403, "forbidden");
    bob.post(&format!("/v1/decisions/{id}/cancel"), &json!({})).refuses(403, "forbidden");
    at(&bob.answer(&id, "a").is(200).json(), "/answer/by", "bob");
    let approval = for_bob(json!({"subject": "make install"}));
    let id = asker.post("/v1/decisions", &approval).is(201).id();
    bob.answer(&id, "a").refuses(403, "forbidden");
    let plan = for_bob(json!({"source": "plan"}));
    let id = asker.post("/v1/decisions", &plan).is(201).id();
    bob.answer(&id, "a").refuses(403, "forbidden");
    let own = for_bob(json!({"requested_by": "bob"}));
    let id = asker.post("/v1/decisions", &own).is(201).id();
    bob.answer(&id, "a").refuses(403, "forbidden");
    let id = bob.post("/v1/decisions", &for_bob(json!({}))).is(201).id();
    bob.answer(&id, "a").refuses(403, "forbidden");
    asker.answer(&asker.ask(), "a").refuses(403, "forbidden");
    for forged in [json!({"source": "dead"}), json!({"source": "verdict"}), json!({"owner": "job:build"})] {
        asker.post("/v1/decisions", &question_with(&forged)).refuses(403, "forbidden");
    }
    asker.post("/v1/decisions", &question_with(&json!({"owner": "job:asker"}))).is(201);
}

#[test]
fn where_people_are_named_others_only_look() {
    let server = Server::start();
    let (ana, bob) = (server.token("ana", "person", &[]), server.token("bob", "person", &[]));
    let id =
        server.local().post("/v1/decisions", &question_with(&json!({"assignees": ["ana"]}))).is(201).id();
    bob.decision(&id).is(200);
    bob.answer(&id, "a").refuses(403, "forbidden");
    bob.post(&format!("/v1/decisions/{id}/cancel"), &json!({})).refuses(403, "forbidden");
    ana.answer(&id, "a").is(200);
    ana.post("/v1/tokens", &json!({"name": "x", "role": "person"})).refuses(403, "forbidden");
    ana.send("PATCH", &format!("/v1/decisions/{}", server.local().ask()), Some(&json!({"prompt": "?"})))
        .refuses(403, "forbidden");
}

#[test]
fn a_session_needs_its_token_for_what_it_changes() {
    let server = Server::start();
    let ana = json!({"name": "ana", "role": "person", "password": "correct horse battery"});
    server.local().send("PUT", "/v1/people/ana", Some(&ana)).is(200);
    let people = server.local().get("/v1/people").is(200).body;
    assert!(people.contains("\"has_password\":true") && !people.contains("correct horse"), "{people}");
    server.local().send("PUT", "/v1/people/bob", Some(&ana)).refuses(422, "invalid");
    let link = server.local().send("POST", "/v1/people/ana/link", None).is(200).json();
    assert!(link["url"].as_str().unwrap().starts_with(&server.url()), "{link}");
    server.local().send("POST", "/v1/people/nobody/link", None).refuses(404, "not_found");
    server.local().send("DELETE", "/v1/people/ana", None).is(204);
    server.local().send("DELETE", "/v1/people/ana", None).refuses(404, "not_found");
    server.nobody().with("Cookie", "hold_session=x; a=b").get("/v1/decisions").refuses(401, "unauthorized");
}
