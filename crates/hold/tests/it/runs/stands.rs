//! Where a run and its task stand: in lists, in JSON, on the page, and for the waiter.

use serde_json::{Value, json};

use super::shop::Shop;
use crate::browser::Served;
use crate::sandbox::at;

/// How a run is listed.
fn listed(shop: &Shop, run: &str) -> String {
    let table = shop.sandbox.ok(&["run", "list"]);
    table
        .lines()
        .find(|line| line.contains(&run[run.len() - 8..]))
        .unwrap_or_else(|| panic!("{table}"))
        .to_owned()
}

fn says(shop: &Shop, run: &str, words: &str) {
    let line = listed(shop, run);
    assert!(line.contains(words), "{words}: {line}");
}

fn commit(shop: &Shop, run: &str, decision: &str) -> crate::process::Ran {
    let words = shop.commit(run, decision);
    shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_list_says_what_becomes_of_each() {
    let shop = Shop::new();
    let run = shop.start();
    says(&shop, &run, "running");
    let (run, decision) = shop.asked();
    says(&shop, &run, &format!("waiting for review in {decision}"));
    commit(&shop, &run, &decision).exits(0);
    says(&shop, &run, "committed as");
    // One that could not be carried out is asked about again.
    let (run, decision) = shop.asked();
    let branch = shop.show(&run)["branch"].as_str().unwrap().trim_start_matches("refs/heads/").to_owned();
    shop.git(&["worktree", "add", "-q", "-b", &branch, shop.sandbox.path("used").to_str().unwrap()]);
    commit(&shop, &run, &decision).exits(4);
    let again = shop.show(&run)["decision"].as_str().unwrap().to_owned();
    says(&shop, &run, &format!("asked again in {again}"));
    at(&shop.show(&run), "/standing/is", "waiting");
    assert!(shop.show(&run)["standing"]["trouble"].as_str().unwrap().contains("checked out"));
    shop.sandbox.ok(&["answer", &again, "--set", "verdict=abandon"]);
    says(&shop, &run, "abandoned by");
}

#[test]
fn one_whose_question_is_taken_back_is_withdrawn_and_can_be_asked_about_again() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["cancel", &decision, "--reason", "Not yet"]);
    says(&shop, &run, "withdrawn");
    at(&shop.show(&run), "/standing/is", "withdrawn");
    at(&shop.show(&run), "/standing/reason", "Not yet");
    let said = shop.sandbox.run(&["run", "wait", &run]).exits(6);
    assert!(said.err.contains("hold run finish"), "{said}");
    let again = shop.sandbox.ok(&["run", "finish", "--run", &run]);
    says(&shop, &run, again.trim());
    shop.sandbox.run(&["run", "wait", &run, "--timeout", "10ms"]).exits(5);
}

#[test]
fn whoever_waits_hears_what_was_done() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let waits = shop.sandbox.spawn(&["run", "wait", &run]);
    commit(&shop, &run, &decision).exits(0);
    let said = waits.end().exits(0);
    assert_eq!(said.out, "commit\n");
    shop.sandbox.run(&["run", "wait", &run, "--expect", "checkpoint"]).exits(8);
    shop.sandbox.refuses(&["run", "wait", &run, "--expect", "merge"], 2, &["commit, checkpoint"]);
    shop.sandbox.run(&["run", "wait", "01234567"]).exits(3);
    // A retry is a no; a follower holds on the next attempt.
    let (run, decision) = shop.asked();
    let follows = shop.sandbox.spawn(&["run", "wait", &run, "--follow", "--json"]);
    shop.sandbox.ok(&["answer", &decision, "--set", "verdict=retry", "-m", "Shorter."]);
    let said = shop.sandbox.run(&["run", "wait", &run]).exits(8);
    let next = shop.show(&run)["verdict"]["next"].as_str().unwrap().to_owned();
    assert!(said.out == "retry\n" && said.err.contains(&next[next.len() - 8..]), "{said}");
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &next]);
    shop.sandbox.ok(&["answer", decision.trim(), "--set", "verdict=checkpoint"]);
    let run: Value = follows.end().exits(0).json();
    at(&run, "/id", next.as_str());
    at(&run, "/standing/is", "checkpointed");
}

#[test]
fn the_state_of_a_task_follows_its_verdicts() {
    let shop = Shop::new();
    let repo = shop.repo();
    let run = shop.sandbox.ok(&[
        "run",
        "start",
        "--task",
        "Cache it",
        "--intent",
        "Faster",
        "--repo",
        repo.to_str().unwrap(),
    ]);
    let run = run.trim();
    let intent = shop.show(run)["intent"]["id"].as_str().unwrap().to_owned();
    let steps = json!([
        {"step_id": "019a84cf-c400-7202-8202-020202020202", "description": "Measure"},
        {"step_id": "019a84cf-c400-7303-8303-030303030303", "description": "Cache"},
    ]);
    let keep = |object: Value| {
        let file = shop.sandbox.file("object.json", object.to_string());
        shop.sandbox.ok(&["run", "record", &file, "--run", run]).trim().to_owned()
    };
    let first = keep(json!({"object_type": "plan", "steps": []}));
    let plan = keep(json!({"object_type": "plan", "parents": [first], "steps": steps}));
    keep(
        json!({"object_type": "plan_step_event", "plan_id": plan, "step_id": steps[0]["step_id"], "status": "completed"}),
    );
    let more = keep(json!({"object_type": "intent", "prompt": "Even faster", "parents": [intent]}));
    let state = shop.show(run)["state"].clone();
    at(&state, "/status", "open");
    at(&state, "/release/status", "none");
    at(&state, "/thread/heads/0/id", more.as_str());
    at(&state, "/plan/selected/id", plan.as_str());
    at(&state, "/plan/selected/completed", 1);
    assert_eq!((state["plan"]["heads"].clone(), state["ui"]["run"].clone()), (json!([plan]), json!(run)));
    let file = shop.sandbox.file("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    shop.sandbox.ok(&["run", "patch", &file, "--run", run]);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", run]).trim().to_owned();
    at(&shop.show(run), "/state/ui/waits_for", decision.as_str());
    commit(&shop, run, &decision).exits(0);
    let ended = shop.show(run);
    at(&ended, "/state/status", "done");
    assert_eq!(ended["state"]["release"]["commit"], ended["verdict"]["commit"]);
    let back = shop.sandbox.ok(&["run", "rollback", run]).trim().to_owned();
    at(&shop.show(run), "/state/status", "done");
    shop.sandbox.ok(&["answer", &back, "--set", "verdict=rollback"]);
    let log = shop.sandbox.json(&["run", "log", run, "--json"]);
    at(&log, "/state/status", "open");
    at(&log, "/state/release/status", "rolled_back");
    at(&log, "/state/plan/selected", Value::Null);
    at(&log, "/items/1/standing/is", "rolled_back");
    let drawn = shop.sandbox.ok(&["run", "log", run]);
    assert!(drawn.contains("released: taken back on holdpoint/"), "{drawn}");
    assert!(drawn.contains("Even faster"), "{drawn}");
    // What it is made of says nothing of that: no object was written for it, and none rewritten.
    let kinds: Vec<String> = shop
        .sandbox
        .ok(&["run", "objects", run])
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["object_type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "intent_event").count(), 1, "{kinds:?}");
    shop.sandbox.is_well();
}

#[test]
fn the_page_says_the_same() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = shop.asked();
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let path = format!("/runs/{run}");
    let page = ana.get(&path).is(200).shows("waiting for review").shows("nothing was committed");
    page.shows(&format!("href=\"/d/{decision}\"")).shows("Back to the verdict");
    server.api("POST", &format!("/v1/decisions/{decision}/cancel"), &json!({"reason": "Not <yet>"}));
    let page = ana.get(&path).is(200).shows("withdrawn").shows("Not &lt;yet&gt;");
    page.lacks("Back to the verdict");
    let list = ana.get("/runs").is(200).shows("Cache it").shows("withdrawn");
    list.shows(&format!("href=\"/runs/{run}\"")).lacks("Older");
    ana.get(&format!("/runs?before={run}")).is(200).shows("No runs.");
}

#[test]
fn over_http_one_waits_and_has_it_carried_out() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = shop.asked();
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let still = server.api("GET", &format!("/v1/runs/{run}/wait?timeout=10ms"), &json!({}));
    at(&still, "/standing/is", "waiting");
    let address = server.api("GET", &format!("/v1/runs/{run}"), &json!({}));
    at(&address, "/state/status", "open");
    let digest = server.api("GET", &format!("/v1/decisions/{decision}"), &json!({}))["digest"].clone();
    server.api(
        "POST",
        &format!("/v1/decisions/{decision}/answer"),
        &json!({"values": {"verdict": "abandon"}, "digest": digest}),
    );
    let ended = server.api("GET", &format!("/v1/runs/{run}/wait?timeout=30s"), &json!({}));
    at(&ended, "/standing/is", "abandoned");
    let carried = server.api("POST", &format!("/v1/runs/{run}/carry"), &json!({}));
    at(&carried, "/standing/is", "abandoned");
    let log = server.api("GET", &format!("/v1/runs/{run}/log"), &json!({}));
    at(&log, "/state/status", "failed");
}

#[test]
fn objects_are_printed_to_the_letter_as_others_keep_them() {
    let mut shop = Shop::new();
    let (run, decision) = shop.asked();
    let values =
        ["answer", &decision, "--set", "verdict=retry", "--set", "parameters=size=10", "-m", "Smaller."];
    shop.sandbox.ok(&values);
    let next = shop.show(&run)["verdict"]["next"].as_str().unwrap().to_owned();
    shop.sandbox.ok(&["run", "export", &run]);
    let kept = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        let id = object["object_id"].as_str().unwrap();
        let tree = shop.git(&["ls-tree", "-r", "--name-only", "refs/libra/intent"]);
        let path =
            tree.lines().find(|path| path.ends_with(id)).unwrap_or_else(|| panic!("{line}")).to_owned();
        shop.git(&["cat-file", "blob", &format!("refs/libra/intent:{path}")])
    };
    let printed = shop.sandbox.ok(&["run", "objects", &next]);
    for line in printed.lines() {
        assert!(line.starts_with("{\"object_id\":\""), "{line}");
        assert_eq!(kept(line), line);
    }
    assert!(printed.contains("\"kind\":{\"other\":\"parameters\"},\"summary\":\"size=10\""), "{printed}");
    // The same through a server, and brought elsewhere.
    let server = crate::server::Server::on(crate::sandbox::Sandbox::new().looking(), &[]);
    shop.sandbox = shop.sandbox.with("HOLD_URL", &server.url()).with("HOLD_TOKEN", server.local().token());
    let repo = shop.repo();
    shop.sandbox.ok(&["run", "import", "--repo", repo.to_str().unwrap()]);
    assert_eq!(shop.sandbox.ok(&["run", "objects", &next]), printed);
    at(&shop.show(&next), "/parameters", "size=10");
}

#[test]
fn a_run_that_is_given_up_leaves_no_work_tree_of_ours() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    let worked = |more: &str| {
        let script = format!(
            "echo more >> a.txt; '{0}' run patch --from-worktree . && '{0}' run finish; {more}",
            crate::sandbox::HOLD
        );
        let next = shop.sandbox.ok(&["run", "resume", &run, "--continue", "--", "sh", "-c", &script]);
        let next = next.lines().next().unwrap().to_owned();
        let place = shop.sandbox.home().join("work").join(&next);
        assert!(place.is_dir());
        shop.sandbox.ok(&["answer", shop.show(&next)["decision"].as_str().unwrap(), "abandon"]);
        place
    };
    assert!(!worked("true").exists(), "all it held is kept with the run");
    let place = worked("echo secret >> a.txt");
    assert_eq!(std::fs::read_to_string(place.join("a.txt")).unwrap(), "one\n2\nmore\nsecret\n");
}
