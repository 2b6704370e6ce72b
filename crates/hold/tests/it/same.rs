//! Asks that are the same are one card, and one answer settles those that were shown.

use serde_json::{Value, json};

use crate::browser::{choice, served};
use crate::sandbox::Sandbox;
use crate::server::Server;

fn approval(by: &str) -> Value {
    json!({
        "prompt": "Install?", "requested_by": by, "subject": { "command": "npm ci" },
        "fields": [{ "id": "go", "kind": "confirm", "label": "Run it?",
            "options": [{ "id": "yes", "label": "Yes" }, { "id": "no", "label": "No", "refuses": true }] }]
    })
}

#[test]
fn one_answer_over_http_settles_those_that_were_named() {
    let server = Server::open();
    let api = server.nobody();
    let ask = |document: &Value| api.post("/v1/decisions", document).is(201).id();
    let ids: Vec<String> = (0..4).map(|at| ask(&approval(&format!("agent-{at}")))).collect();
    let mut changed = approval("agent-9");
    changed["subject"]["command"] = "rm -rf /".into();
    let other = ask(&changed);
    api.answer(&ids[2], "no").is(200);
    let digest = api.decision(&ids[0]).json()["digest"].clone();
    let same = [&ids[1], &ids[2], &other, &ids[0]];
    let body = json!({ "choice": "yes", "digest": digest, "seen": true, "same": same });
    let answered = api.post(&format!("/v1/decisions/{}/answer", ids[0]), &body).is(200).json();
    assert_eq!(answered["status"], "answered");
    let told = |id: &str| {
        let all = answered["same"].as_array().unwrap();
        all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("{id}: {answered}")).clone()
    };
    assert_eq!(told(&ids[1]), json!({ "id": ids[1] }));
    assert!(told(&ids[2])["refused"].as_str().unwrap().contains("settled"), "{answered}");
    assert!(told(&other)["refused"].as_str().unwrap().contains("no longer asks the same"), "{answered}");
    assert_eq!(answered["same"].as_array().unwrap().len(), 3);
    // A reply that was lost is told again, but for what somebody else had answered before.
    let again = api.post(&format!("/v1/decisions/{}/answer", ids[0]), &body).is(200);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let again = again.json()["same"].clone();
    let refused: Vec<bool> = [&ids[1], &ids[2], &other]
        .map(|id| {
            again.as_array().unwrap().iter().any(|one| one["id"] == **id && one.get("refused").is_some())
        })
        .into();
    assert_eq!(refused, [false, true, true], "{again}");
    // What was not named stays, though it is the same.
    let statuses = [&ids[1], &ids[2], &ids[3], &other].map(|id| api.decision(id).json()["status"].clone());
    assert_eq!(statuses, ["answered", "answered", "pending", "pending"]);
    // Each is used by itself.
    let subject = json!({ "subject": { "command": "npm ci" } });
    for id in &ids[..2] {
        api.post(&format!("/v1/decisions/{id}/consume"), &subject).is(200);
        api.post(&format!("/v1/decisions/{id}/consume"), &subject).is(409);
    }
    let guidance = json!({ "guidance": "no", "same": [ids[3]] });
    let refused = api.post(&format!("/v1/decisions/{}/answer", ids[3]), &guidance);
    refused.refuses(422, "invalid");
    let many: Vec<&String> = std::iter::repeat_n(&ids[3], 201).collect();
    let body = json!({ "choice": "no", "same": many });
    api.post(&format!("/v1/decisions/{other}/answer"), &body).refuses(422, "invalid");
    let body = json!({ "choice": "no", "same": ["nonsense"] });
    api.post(&format!("/v1/decisions/{other}/answer"), &body).is(422);
}

#[test]
fn an_answer_to_all_the_same_on_the_command_line() {
    let sandbox = Sandbox::new();
    let ask = |more: &[&str]| {
        let words = [&["ask", "Which cache?", "-o", "redis", "-o", "memory", "--no-wait"], more].concat();
        sandbox.ok(&words).trim().to_owned()
    };
    let ids = [ask(&[]), ask(&[]), ask(&["--requested-by", "agent-2"])];
    let other = ask(&["--assign", "ana"]);
    let ran = sandbox.run(&["answer", &ids[0], "redis", "--same"]).exits(0);
    assert!(ran.out.contains("Also answered 2 identical requests."), "{ran}");
    let status = |id: &str| sandbox.json(&["show", id, "--json"])["status"].clone();
    assert_eq!(ids.each_ref().map(|id| status(id)), ["answered", "answered", "answered"]);
    assert_eq!(status(&other), "pending");
}

#[test]
fn the_web_inbox_shows_them_once_and_answers_those_it_showed() {
    served(|_, server| {
        let ids: Vec<String> = (0..3)
            .map(|at| {
                let mut document = choice();
                document["requested_by"] = format!("agent-{at}").into();
                server.ask(&document)
            })
            .collect();
        let mut ana = server.browser();
        ana.sign_in("ana");
        let page = ana.get("/").is(200).shows("3 pending").shows("× 3");
        assert_eq!(page.text.matches("<li data-id=").count(), 1, "{}", page.text);
        let path = format!("/d/{}", ids[0]);
        let page = ana.get(&path).is(200).shows("Your answer goes to all").shows("Answer only this one");
        // What comes after the page was made is not answered by it.
        let later = server.ask(&choice());
        let seen = page.hidden();
        let sent = ana.send(&path, &crate::browser::with(&seen, &[("v:choice", "redis")])).is(303);
        ana.get(sent.header("location")).shows("Also answered 2 identical requests");
        let statuses: Vec<Value> = ids.iter().map(|id| server.decision(id)["status"].clone()).collect();
        assert_eq!(statuses, ["answered", "answered", "answered"]);
        assert_eq!(server.decision(&later)["status"], "pending");
        let other = server.ask(&choice());
        let path = format!("/d/{other}");
        ana.fill(&path, &[("v:choice", "redis"), ("alone", "true")]).is(303);
        assert_eq!(server.decision(&later)["status"], "pending");
    });
}

#[test]
fn a_list_is_searched_for_several_words_in_any_order() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["ask", "Which cache?", "-o", "redis:Use Redis", "-o", "memory", "--no-wait"]);
    sandbox.ok(&["ask", "Which port?", "-o", "80", "-o", "443", "--no-wait"]);
    let found = |words: &[&str]| {
        let all = sandbox.json(&[&["list", "--json"], words].concat());
        all.as_array()
            .unwrap()
            .iter()
            .map(|one| one["prompt"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&["redis", "WHICH"]), ["Which cache?"]);
    assert_eq!(found(&["which"]), ["Which cache?", "Which port?"]);
    assert_eq!(found(&["443"]), ["Which port?"]);
    sandbox.run(&["list", "redis", "port"]).exits(0).says("No matches");
}

#[test]
fn an_id_is_found_by_its_start_and_not_by_a_letter_within() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["X?", "-o", "y:Y", "-o", "z:Z"]);
    let bare = id.trim_start_matches("dcn-");
    for start in [&id[..], &id[..8], &bare[..4]] {
        assert!(sandbox.ok(&["list", start]).contains("X?"), "{start}");
    }
    for within in bare.chars().filter(|letter| !"xyz".contains(*letter)) {
        sandbox.run(&["list", &within.to_string()]).exits(0).says("No matches");
    }
}
