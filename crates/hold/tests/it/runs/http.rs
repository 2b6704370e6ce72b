//! Runs through a server: the same commands, the same ends, and who may do what.

use std::time::Instant;

use serde_json::{Value, json};

use super::shop::Shop;
use crate::process::TIMEOUT;
use crate::sandbox::at;
use crate::server::{Api, Server};

const DIFF: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";

/// A server whose settings let tokens work on the shop's repository, or not.
fn served(shop: &Shop, allowed: bool) -> Server {
    let place = shop.sandbox.path("");
    let runs =
        if allowed { format!("[runs]\nrepositories = [\"{}\"]\n", place.display()) } else { String::new() };
    let sandbox = crate::sandbox::Sandbox::new().looking();
    sandbox.settings(&format!("[hooks]\ndesktop = false\n{runs}"));
    Server::on(sandbox, &[])
}

fn until_decided(api: &Api, run: &str) -> Value {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let now = api.get(&format!("/v1/runs/{run}")).is(200).json();
        if now["status"] == "decided" {
            return now;
        }
        assert!(Instant::now() < deadline, "{now}");
    }
}

#[test]
fn a_run_over_http_from_beginning_to_end() {
    let shop = Shop::new();
    let server = served(&shop, true);
    let agent = server.token_allowing("agent", "agent", &[], &["jobs"]);
    let person = server.token("ana", "person", &[]);
    let start = json!({"task": "Cache it", "repo": shop.repo(), "intent": "Faster"});
    let run = agent.post("/v1/runs", &start).is(201).json();
    let id = run["id"].as_str().unwrap();
    let at_run = |verb: &str| format!("/v1/runs/{id}/{verb}");
    agent.post(&at_run("patch"), &json!({"diff": "x"})).refuses(422, "invalid");
    let patched = agent.post(&at_run("patch"), &json!({"diff": DIFF, "rationale": "Quick."})).is(200).json();
    let patchset = patched["patchsets"][0]["id"].as_str().unwrap();
    let found =
        json!({"kind": "test", "tool": "cargo", "command": "cargo test", "exit_code": 0, "log": "fine\n"});
    agent.post(&at_run("evidence"), &found).is(200);
    agent.post(&at_run("usage"), &json!({"input_tokens": 7, "cost_micros": 3})).is(200);
    let provenance = json!({"object_type": "provenance", "provider": "p", "model": "m"});
    let kept = agent.post(&at_run("objects"), &provenance).is(200).json();
    at(&kept, "/run_id", id);
    assert_eq!(agent.get(&at_run("diff")).is(200).body, DIFF);
    assert_eq!(agent.get(&at_run("output?evidence=1")).is(200).body, "fine\n");
    agent.get(&at_run("output?evidence=2")).refuses(404, "not_found");
    agent.get(&at_run("diff?patchset=9")).refuses(404, "not_found");
    let asked = agent.post(&at_run("finish"), &json!({"message": "Look."})).is(200).json();
    let decision = asked["decision"].as_str().unwrap();
    agent.post(&at_run("patch"), &json!({"diff": DIFF})).refuses(409, "run_over");
    // The asker does not answer; a person does, and the server carries it out.
    let commit = json!({"values": {"verdict": "commit", "patchset": patchset}, "message": "Good."});
    let digest = person.decision(decision).is(200).json()["digest"].clone();
    let commit = json!({"values": commit["values"], "message": "Good.", "digest": digest});
    agent.post(&format!("/v1/decisions/{decision}/answer"), &commit).refuses(403, "forbidden");
    person.post(&format!("/v1/decisions/{decision}/answer"), &commit).is(200);
    let ended = until_decided(&agent, id);
    at(&ended, "/verdict/by", "ana");
    assert_eq!(shop.git(&["show", &format!("{}:a.txt", ended["branch"].as_str().unwrap())]), "one\n2");
    // Its life, its objects, and taking it back.
    at(&agent.get(&at_run("log")).is(200).json(), "/items/0/id", id);
    let objects = agent.get(&at_run("objects")).is(200).json();
    let kinds: Vec<&str> =
        objects["items"].as_array().unwrap().iter().map(|it| it["object_type"].as_str().unwrap()).collect();
    for kind in ["intent", "task", "run", "patch_set", "evidence", "run_usage", "decision", "provenance"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    agent.post(&at_run("export"), &json!({})).is(200);
    let back = agent.post(&at_run("rollback"), &json!({})).is(200).json();
    let decision = back["decision"].as_str().unwrap();
    let digest = person.decision(decision).is(200).json()["digest"].clone();
    let rollback = json!({"values": {"verdict": "rollback"}, "digest": digest});
    person.post(&format!("/v1/decisions/{decision}/answer"), &rollback).is(200);
    until_decided(&agent, back["id"].as_str().unwrap());
    assert_eq!(shop.git(&["diff", "main", ended["branch"].as_str().unwrap()]), "");
}

#[test]
fn who_may_do_what() {
    let shop = Shop::new();
    let server = served(&shop, false);
    let start = json!({"task": "x", "repo": shop.repo(), "project": "web"});
    let agent = server.token("agent", "agent", &["web"]);
    // A repository has hooks, which are programs: a token alone does not start them, nor does it with the permission where
    // the settings name no place, nor an admin of one project.
    agent.post("/v1/runs", &start).refuses(403, "forbidden");
    server
        .token_allowing("ci", "agent", &["web"], &["jobs"])
        .post("/v1/runs", &start)
        .refuses(403, "forbidden");
    server.token("boss", "admin", &["web"]).post("/v1/runs", &start).refuses(403, "forbidden");
    let run = server.local().post("/v1/runs", &start).is(201).json();
    let others = run["id"].as_str().unwrap();
    // What somebody else began is not there for an agent, whatever it may do itself.
    agent.get(&format!("/v1/runs/{others}")).refuses(404, "not_found");
    agent.get(&format!("/v1/runs/{others}/objects")).refuses(404, "not_found");
    for (verb, body) in [
        ("patch", json!({"diff": DIFF})),
        ("evidence", json!({"kind": "test", "tool": "sh", "exit_code": 0})),
        ("finish", json!({"verdict": "agent", "choose": "commit"})),
        ("rollback", json!({})),
    ] {
        agent.post(&format!("/v1/runs/{others}/{verb}"), &body).refuses(404, "not_found");
    }
    assert_eq!(agent.get("/v1/runs").is(200).json()["items"], json!([]));
    // A caller who may not is told so before anything is read, so that nobody learns which folders there are.
    for place in [shop.repo(), shop.sandbox.path("nowhere")] {
        for role in ["agent", "person", "admin"] {
            let caller = server.token(&format!("{role}-{}", place.display()), role, &["web"]);
            let import = json!({"repo": place, "project": "web"});
            let said = caller.post("/v1/imports", &import).refuses(403, "forbidden");
            assert!(said["detail"].as_str().unwrap().contains("permission"), "{said}");
        }
    }
    let shop = Shop::new();
    let server = served(&shop, true);
    server
        .token("boss", "admin", &["web"])
        .post("/v1/imports", &json!({"repo": shop.repo(), "project": "web"}))
        .refuses(403, "forbidden");
    server.token("chief", "admin", &[]).post("/v1/runs", &json!({"task": "x", "repo": shop.repo()})).is(201);
    server
        .token("chief", "admin", &[])
        .post("/v1/runs", &json!({"task": "x", "repo": "/"}))
        .refuses(403, "forbidden");
    let agent = server.token_allowing("agent", "agent", &["web"], &["jobs"]);
    let start = json!({"task": "x", "repo": shop.repo(), "project": "web"});
    let run = agent.post("/v1/runs", &start).is(201).json();
    assert_eq!(agent.get("/v1/runs").is(200).json()["items"][0]["id"], run["id"]);
    let id = run["id"].as_str().unwrap();
    agent.get(&format!("/v1/runs/{id}")).is(200);
    let stranger = server.token("stranger", "agent", &["other"]);
    stranger.get(&format!("/v1/runs/{id}")).refuses(404, "not_found");
    stranger.post(&format!("/v1/runs/{id}/patch"), &json!({"diff": DIFF})).refuses(404, "not_found");
    stranger.get("/v1/runs?project=web").refuses(403, "forbidden");
    assert_eq!(stranger.get("/v1/runs").is(200).json()["items"], json!([]));
    // Nor does it judge itself, unless an admin lets it.
    let auto = json!({"verdict": "auto"});
    agent.post(&format!("/v1/runs/{id}/finish"), &auto).refuses(403, "forbidden");
    agent.send("PUT", "/v1/projects/web", Some(&json!({"verdicts": ["auto"]}))).refuses(403, "forbidden");
    server.local().send("PUT", "/v1/projects/web", Some(&json!({"verdicts": ["auto"]}))).is(200);
    agent.post(&format!("/v1/runs/{id}/finish"), &auto).is(200);
    at(&until_decided(&agent, id), "/verdict/verdict", "abandon");
    for (path, body) in [
        ("patch", json!({"diff": 1})),
        ("evidence", json!({})),
        ("usage", json!({"x": 1})),
        ("objects", json!(7)),
    ] {
        agent.post(&format!("/v1/runs/{id}/{path}"), &body).is(422);
    }
    agent.get("/v1/runs?cursor=x").refuses(422, "invalid");
    agent.get("/v1/runs?order=x").refuses(422, "invalid");
}

#[test]
fn pages_follow_each_other() {
    let shop = Shop::new();
    let server = served(&shop, false);
    let mut made = Vec::new();
    for number in 0..5 {
        let start = json!({"task": format!("task {number}"), "repo": shop.repo()});
        made.push(server.local().post("/v1/runs", &start).is(201).json()["id"].as_str().unwrap().to_owned());
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = server.local().get(&format!("/v1/runs?limit=2{cursor}")).is(200).json();
        let ids = page["items"].as_array().unwrap().iter().map(|run| run["id"].as_str().unwrap().to_owned());
        seen.extend(ids);
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    made.reverse();
    assert_eq!(seen, made);
}

#[test]
fn the_commands_work_through_a_server_as_well() {
    let mut shop = Shop::new();
    let server = served(&shop, false);
    shop.sandbox = shop.sandbox.with("HOLD_URL", &server.url()).with("HOLD_TOKEN", server.local().token());
    let (run, decision) = shop.asked();
    assert!(shop.sandbox.ok(&["run", "show", &run, "--diff"]).contains("+2"));
    let proof = ["run", "evidence", "--run", &run, "--", "true"];
    shop.sandbox.refuses(&proof, 4, &["cannot be changed until then"]);
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    until_decided(&server.local(), &run);
    let resumed = shop.sandbox.ok(&["run", "resume", &run]).trim().to_owned();
    shop.sandbox.ok(&["run", "evidence", "--run", &resumed, "--", "echo", "hello"]);
    assert_eq!(shop.sandbox.ok(&["run", "show", &resumed, "--evidence", "1"]), "hello");
    server.local().send("PUT", "/v1/projects/default", Some(&json!({"verdicts": ["agent"]}))).is(200);
    let words = ["run", "finish", "--run", &resumed, "--verdict", "agent", "--choose", "abandon", "--json"];
    at(&shop.sandbox.json(&words), "/verdict/verdict", "abandon");
    assert!(shop.sandbox.ok(&["run", "log", &run]).contains("goes on from"));
    assert!(shop.sandbox.ok(&["run", "list"]).contains("Cache it"));
    assert!(shop.sandbox.ok(&["run", "export", &run]).contains("refs/libra/intent"));
    assert!(shop.sandbox.ok(&["run", "carry", &decision]).contains("saved by"));
    let said = shop.sandbox.run(&["run", "wait", &run]).exits(0);
    assert_eq!(said.out, "checkpoint\n");
    at(&shop.show(&run), "/state/status", "failed");
}
