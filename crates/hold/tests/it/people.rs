//! Decisions that take several people, through the binary: policies, groups, votes, owners, receipts, races and kills.

use std::thread;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Api, Server};

/// A server with ana, ben and cem, who each have a token of their own, and the agent `ci`, whom ana owns.
struct Scene {
    server: Server,
    people: [Api; 3],
    ci: Api,
}

const NAMES: [&str; 3] = ["ana", "ben", "cem"];

impl Scene {
    fn new() -> Self {
        let server = Server::start();
        for name in NAMES {
            server.sandbox.ok(&["person", "add", name]);
        }
        let people = NAMES.map(|name| server.token(name, "person", &[]));
        let new = json!({"name": "ci", "role": "agent", "owner": "ana"});
        let made = server.local().post("/v1/tokens", &new).is(201).json();
        assert_eq!(made["owner"], "ana");
        let ci = server.nobody().bearing(made["secret"].as_str().unwrap());
        Self { server, people, ci }
    }

    fn demand_two(&self) {
        let sandbox = &self.server.sandbox;
        sandbox.ok(&["group", "add", "release", "ana", "ben", "cem"]);
        sandbox.ok(&["policy", "add", "--source", "approval", "--approvals", "2", "--from", "group:release"]);
    }
}

fn deploy() -> Value {
    json!({"title": "Deploy?", "subject": {"tool": "Bash", "input": {"command": "make deploy"}},
        "fields": [{"id": "choice", "kind": "confirm", "options": [{"id": "approve", "label": "Approve"},
            {"id": "deny", "label": "Deny", "refuses": true}]}]})
}

fn vote(who: &Api, decision: &Value, choice: &str) -> crate::server::Reply {
    let path = format!("/v1/decisions/{}/answer", decision["id"].as_str().unwrap());
    who.post(&path, &json!({"choice": choice, "digest": decision["digest"]}))
}

#[test]
fn a_policy_takes_two_people_and_the_receipt_names_both() {
    let scene = Scene::new();
    scene.demand_two();
    let [ana, ben, _] = &scene.people;
    let asked = scene.ci.post("/v1/decisions", &deploy()).is(201).json();
    assert_eq!(asked["needs"], json!({"approvals": 2, "from": ["group:release"], "refusals": 1}));
    let (id, sandbox) = (asked["id"].as_str().unwrap(), &scene.server.sandbox);
    // The person at this machine is nobody in particular.
    sandbox.refuses(
        &["vote", id, "approve", "--digest", asked["digest"].as_str().unwrap()],
        1,
        &["local token does not say who you are"],
    );
    let open = vote(ana, &asked, "approve").is(200).json();
    assert_eq!((&open["status"], &open["votes"][0]["by"]), (&json!("pending"), &json!("ana")));
    assert_eq!(open["votes"][0]["counts_for"], json!(["group:release"]));
    let progress = "1 of 2: ana; still needed: group:release";
    assert!(sandbox.ok(&["show", id]).contains(&format!("Votes: {progress}.")));
    assert!(sandbox.ok(&["list"]).contains(progress));
    let again = vote(ana, &asked, "approve").is(200);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let settled = vote(ben, &asked, "approve").is(200).json();
    assert_eq!((&settled["status"], &settled["answer"]["by"]), (&json!("answered"), &json!("ben")));
    assert_eq!(settled["answer"]["auth"], "token");
    scene.ci.post(&format!("/v1/decisions/{id}/consume"), &json!({"subject": asked["subject"]})).is(200);
    let receipt = ana.get(&format!("/v1/decisions/{id}/receipt")).is(200).json();
    let by: Vec<&Value> = receipt["votes"].as_array().unwrap().iter().map(|vote| &vote["by"]).collect();
    assert_eq!(by, ["ana", "ben"]);
    let file = sandbox.file("receipt.json", receipt.to_string());
    sandbox.ok(&["receipt", "verify", &file, "--min", "token"]);
    let tags = sandbox.tags();
    let voted: Vec<&String> = tags.iter().filter(|tag| tag.starts_with("decision:")).collect();
    assert_eq!(
        voted,
        ["decision:created", "decision:voted", "decision:voted", "decision:resolved", "decision:consumed"]
    );
    let log = sandbox.ok(&["log", id]);
    assert!(log.contains("approve by ana") && log.contains("approve by ben"), "{log}");
    sandbox.is_well();
}

#[test]
fn agents_neither_change_policies_nor_vote_and_an_ask_cannot_loosen() {
    let scene = Scene::new();
    scene.demand_two();
    let [ana, ..] = &scene.people;
    let policy = json!({"when": {"tool": "x"}, "needs_person": true});
    for who in [&scene.ci, ana] {
        who.post("/v1/policies", &policy).refuses(403, "forbidden");
        who.send("PATCH", "/v1/groups/release", Some(&json!({"add": ["ben"]}))).refuses(403, "forbidden");
    }
    for path in ["/v1/policies", "/v1/groups"] {
        scene.ci.get(path).refuses(403, "forbidden");
        ana.get(path).is(200);
    }
    let mut lone = deploy();
    lone["needs"] = json!({"approvals": 1, "from": ["mallory"]});
    scene.ci.post("/v1/decisions", &lone).refuses(422, "invalid");
    lone["needs"] = json!({"approvals": 1});
    let asked = scene.ci.post("/v1/decisions", &lone).is(201).json();
    assert_eq!(asked["needs"]["approvals"], 2);
    vote(&scene.ci, &asked, "approve").refuses(403, "forbidden");
    let seen = scene.ci.get("/v1/events").is(200).json().to_string();
    assert!(!seen.contains("policy:") && !seen.contains("group:updated"), "{seen}");
    let sandbox = &scene.server.sandbox;
    let listed = sandbox.ok(&["policy", "list"]);
    assert!(listed.contains("every approval takes 2 approvals from group:release"), "{listed}");
    let id = sandbox.json(&["policy", "list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["policy", "remove", &id]);
    assert_eq!(scene.ci.post("/v1/decisions", &deploy()).is(201).json()["needs"], Value::Null);
    sandbox.refuses(&["group", "add", "release", "anna"], 1, &["anna", "is not known"]);
    sandbox.refuses(&["group", "add", "release", "group:release"], 1, &["circle"]);
}

#[test]
fn the_owner_of_the_asking_token_does_not_vote() {
    let scene = Scene::new();
    let [ana, ben, _] = &scene.people;
    let mut new = deploy();
    new["needs"] = json!({"not_requester": true});
    let asked = scene.ci.post("/v1/decisions", &new).is(201).json();
    vote(ana, &asked, "approve").refuses(403, "forbidden");
    let second = json!({"name": "ana-laptop", "role": "person", "owner": "ana"});
    let made = scene.server.local().post("/v1/tokens", &second).is(201).json();
    let laptop = scene.server.nobody().bearing(made["secret"].as_str().unwrap());
    vote(&laptop, &asked, "approve").refuses(403, "forbidden");
    assert_eq!(vote(ben, &asked, "approve").is(200).json()["status"], "answered");
    let nobodys = scene.server.token("other", "agent", &[]);
    nobodys.post("/v1/decisions", &new).refuses(403, "forbidden");
}

#[test]
fn of_racing_votes_one_settles_and_a_killed_server_forgets_none() {
    let mut scene = Scene::new();
    scene.demand_two();
    let asked = scene.ci.post("/v1/decisions", &deploy()).is(201).json();
    vote(&scene.people[0], &asked, "approve").is(200);
    scene.server.kill();
    scene.server.run();
    let at = |api: &Api| scene.server.nobody().bearing(api.token());
    let (ben, cem) = (at(&scene.people[1]), at(&scene.people[2]));
    let (one, two) = thread::scope(|scope| {
        let one = scope.spawn(|| vote(&ben, &asked, "approve"));
        let two = scope.spawn(|| vote(&cem, &asked, "approve"));
        (one.join().unwrap(), two.join().unwrap())
    });
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let resolved = scene.server.sandbox.tags().into_iter().filter(|tag| tag == "decision:resolved").count();
    assert_eq!(resolved, 1);
    scene.server.sandbox.is_well();
}

#[test]
fn without_a_server_nobody_is_told_apart() {
    let sandbox = Sandbox::new();
    let two = ["ask", "Deploy?", "--kind", "confirm", "--approvals", "2", "--no-wait"];
    sandbox.refuses(&two, 1, &["a server that checks who calls"]);
    sandbox.refuses(
        &["policy", "add", "--tool", "Bash", "--needs-person"],
        1,
        &["a server that checks who calls"],
    );
}

#[test]
fn a_person_who_goes_leaves_their_groups_and_the_policies_that_name_them_are_listed() {
    let scene = Scene::new();
    scene.demand_two();
    let sandbox = &scene.server.sandbox;
    let policy = ["policy", "add", "--source", "question", "--approvals", "1", "--from", "cem", "--json"];
    let policy = sandbox.json(&policy)["id"].as_str().unwrap().to_owned();
    let ran = sandbox.run(&["person", "remove", "cem"]).exits(0);
    assert!(ran.err.contains(&format!("{policy} still names cem")), "{ran}");
    assert!(!ran.err.contains("ana"), "{ran}");
    let cem = scene.server.token("cem", "person", &[]);
    sandbox.ok(&["person", "add", "cem"]);
    let members = &sandbox.json(&["group", "list", "--json"])[0]["members"];
    assert_eq!(members, &json!(["ana", "ben"]));
    let asked = scene.ci.post("/v1/decisions", &deploy()).is(201).json();
    vote(&cem, &asked, "approve").refuses(403, "forbidden");
    sandbox.is_well();
}
