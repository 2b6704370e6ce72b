//! Objects as others keep them: recorded, written, read back elsewhere, and refused where they do not fit.

use serde_json::{Value, json};

use super::shop::Shop;
use crate::sandbox::{Sandbox, at};

/// A task with a retry and a commit, written for others.
fn shared() -> (Shop, String) {
    let shop = Shop::new();
    let (_, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "--guidance", "Use a map."]);
    let listed = shop.sandbox.json(&["run", "list", "--json"]);
    let next = listed[0]["id"].as_str().unwrap().to_owned();
    let plan = json!({"object_type": "provenance", "provider": "p", "model": "m", "temperature": 0.2});
    let file = shop.sandbox.file("o.json", plan.to_string());
    shop.sandbox.ok(&["run", "record", &file, "--run", &next]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    let file = shop.sandbox.file("y.patch", diff);
    shop.sandbox.ok(&["run", "patch", &file, "--run", &next]);
    shop.sandbox.ok(&["run", "evidence", "--run", &next, "--", "echo", "fine"]);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &next]).trim().to_owned();
    let words = shop.commit(&next, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    shop.sandbox.ok(&["run", "export", &next]);
    (shop, next)
}

#[test]
fn what_one_wrote_another_takes_over_once() {
    let (shop, run) = shared();
    let there = Sandbox::new().looking();
    let repo = shop.repo();
    let repo = repo.to_str().unwrap();
    let tree = shop.git(&["rev-parse", "refs/libra/intent^{tree}"]);
    let brought = there.json(&["run", "import", "--repo", repo, "--json"]);
    assert_eq!(brought["runs"].as_array().unwrap().len(), 2, "{brought}");
    let taken = there.json(&["run", "show", &run, "--json"]);
    for (place, expected) in [
        ("/status", "decided"),
        ("/verdict/verdict", "commit"),
        ("/verdict/by", "ana"),
        ("/task/title", "Cache it"),
    ] {
        at(&taken, place, expected);
    }
    at(&taken, "/guidance", "Use a map.");
    at(&taken, "/patchsets/0/touched/0/path", "a.txt");
    assert!(there.ok(&["run", "show", &run, "--diff"]).contains("+2"));
    assert_eq!(there.ok(&["run", "show", &run, "--evidence", "1"]), "fine");
    let log = there.log().len();
    let again = there.json(&["run", "import", "--repo", repo, "--json"]);
    assert_eq!((again["runs"].as_array().unwrap().len(), &again["known"]), (0, &json!(2)));
    assert_eq!(there.log().len(), log, "the same again changes nothing");
    // What is written again is what was read, to the last byte.
    shop.git(&["update-ref", "-d", "refs/libra/intent"]);
    there.ok(&["run", "export", &run]);
    assert_eq!(shop.git(&["rev-parse", "refs/libra/intent^{tree}"]), tree);
    // Nothing more is taken by what has ended elsewhere, and it can be taken back here.
    there.refuses(&["run", "evidence", "--run", &run, "--", "true"], 4, &["takes nothing more"]);
    there.ok(&["run", "rollback", &run]);
    there.is_well();
}

#[test]
fn which_attempt_follows_which_is_taken_over() {
    let (shop, run) = shared();
    let first = shop.show(&run)["origin"]["run"].as_str().unwrap().to_owned();
    shop.sandbox.ok(&["answer", &shop.sandbox.ok(&["run", "rollback", &run]), "rollback"]);
    shop.sandbox.ok(&["run", "export", &run]);
    let there = Sandbox::new();
    let repo = shop.repo().display().to_string();
    there.ok(&["run", "import", "--repo", &repo]);
    for (sandbox, whose) in [(&shop.sandbox, "here"), (&there, "there")] {
        let taken = |run: &str| sandbox.json(&["run", "show", run, "--json"]);
        at(&taken(&run), "/origin", json!({"kind": "retry", "run": first}));
        at(&taken(&first), "/verdict/next", run.as_str());
        let log = sandbox.json(&["run", "log", &run, "--json"]);
        let back = &log["items"][2];
        at(back, "/origin", json!({"kind": "rollback", "run": run}));
        assert_eq!(back["reverts"]["commit"], taken(&run)["verdict"]["commit"], "{whose}");
        let graph = sandbox.ok(&["run", "log", &run]);
        for words in ["tries", "takes back", "guidance: Use a map."] {
            assert!(graph.contains(words), "{whose}, {words}: {graph}");
        }
    }
    there.is_well();
    // What follows another task's run, a later one or itself, or what did not end so, follows nothing.
    for other in [run.as_str(), "00000000-0000-7000-8000-000000000000"] {
        let change = |frame: &mut Value| frame["data"]["run"] = json!(other);
        forge_frame(&shop, &run, change);
        let there = Sandbox::new();
        there.ok(&["run", "import", "--repo", &repo, "--ref", "refs/forged"]);
        let taken = there.json(&["run", "show", &run, "--json"]);
        assert_eq!(taken.get("origin").filter(|origin| !origin.is_null()), None, "{taken}");
    }
}

/// Forges the frame that says what a run follows.
fn forge_frame(shop: &Shop, run: &str, change: impl Fn(&mut Value)) {
    let listed = shop.git(&["ls-tree", "-r", "--name-only", "refs/libra/intent"]);
    let object = |path: &str| -> Value {
        serde_json::from_str(&shop.git(&["show", &format!("refs/libra/intent:{path}")])).unwrap()
    };
    let is_it = |path: &&str| {
        let object = object(path);
        object["run_id"] == *run && object["kind"]["other"] == "origin"
    };
    let path = listed.lines().filter(|path| path.starts_with("context_frame/")).find(is_it).unwrap();
    forge(
        shop,
        "context_frame",
        |frame| {
            *frame = object(path);
            change(frame);
        },
        Some(path),
    );
}

/// Rewrites one object, as somebody else might.
fn forge(shop: &Shop, folder: &str, change: impl Fn(&mut Value), name: Option<&str>) {
    let listed = shop.git(&["ls-tree", "-r", "--name-only", "refs/libra/intent"]);
    let path = listed.lines().find(|path| path.starts_with(&format!("{folder}/"))).unwrap();
    let mut object: Value =
        serde_json::from_str(&shop.git(&["show", &format!("refs/libra/intent:{path}")])).unwrap();
    change(&mut object);
    let file = shop.sandbox.file("forged", object.to_string());
    let blob = shop.git(&["hash-object", "-w", &file]);
    let index = shop.sandbox.path("index");
    let index = index.to_str().unwrap();
    let script = format!(
        "export GIT_INDEX_FILE={index}; rm -f $GIT_INDEX_FILE; git read-tree refs/libra/intent && \
         git update-index --add --cacheinfo 100644,{blob},{} && \
         git -c user.name=x -c user.email=x@x update-ref refs/forged $(git -c user.name=x -c user.email=x@x commit-tree -m x $(git write-tree))",
        name.unwrap_or(path)
    );
    let mut command = shop.sandbox.program("sh");
    let out = command.arg("-c").arg(script).current_dir(shop.repo()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

/// What is forged in which folder, under which name, and why it is refused.
type Row<'a> = (&'a str, Box<dyn Fn(&mut Value)>, Option<&'a str>, &'a str);

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_taken() {
    let (shop, run) = shared();
    let there = Sandbox::new();
    there.ok(&["list"]);
    let repo = shop.repo();
    let repo = repo.to_str().unwrap();
    let nobody = "019a84cf-c400-7101-8101-010101010101";
    let refs = shop.git(&["for-each-ref", "refs/holdpoint"]);
    let set = |key: &'static str, value: Value| -> Box<dyn Fn(&mut Value)> {
        Box::new(move |object: &mut Value| object[key] = value.clone())
    };
    let other = format!("decision/{nobody}");
    let rows: Vec<Row<'_>> = vec![
        ("run", set("task", json!(nobody)), None, "no task"),
        ("patchset", set("run", json!(nobody)), None, "no run"),
        ("patchset", set("artifact", json!({"store": "git", "key": "a".repeat(40)})), None, "no blob"),
        ("patchset", set("artifact", json!({"store": "s3", "key": "x"})), None, "only blobs"),
        ("patchset", set("commit", json!("ab".repeat(32))), None, "abab"),
        ("patchset", set("sequence", json!(7)), None, "patch set of number 7"),
        ("evidence", set("patchset_id", json!(nobody)), None, "no patch set"),
        ("evidence", set("more", json!(1)), None, "unknown field"),
        ("decision", set("chosen_patchset_id", json!(nobody)), None, "no patch set"),
        ("decision", set("decision_type", json!("defer")), None, "means nothing here"),
        ("decision", set("object_type", json!("plan")), None, "another object"),
        ("decision", set("object_id", json!(nobody)), Some(&other), "two verdicts"),
        ("run", set("commit", json!("f".repeat(64))), None, "not a commit here"),
        ("task", set("title", json!("")), None, "title"),
        ("task", set("version", json!(2)), None, "version 2"),
        ("run", set("x", json!("x".repeat(1_100_000))), None, "bytes"),
        ("run", Box::new(|_| ()), Some("poem/x"), "holds no known objects"),
    ];
    for (folder, change, name, why) in rows {
        forge(&shop, folder, change, name);
        let said = there.run(&["run", "import", "--repo", repo, "--ref", "refs/forged"]).exits(1);
        assert!(said.err.contains(why), "{folder} {why}: {said}");
    }
    there.refuses(&["run", "import", "--repo", repo, "--ref", "refs/none"], 1, &["there is no refs/none"]);
    there.refuses(&["run", "import", "--repo", repo, "--ref", "main"], 1, &["not a full ref name"]);
    assert_eq!(there.ok(&["run", "list", "--json"]).trim(), "[]");
    assert_eq!(shop.git(&["for-each-ref", "refs/holdpoint"]), refs, "nothing is left behind");
    there.refuses(&["run", "show", &run], 3, &["not found"]);
    there.is_well();
}

#[test]
fn other_objects_are_kept_and_never_rewritten() {
    let shop = Shop::new();
    let run = shop.sandbox.ok(&[
        "run",
        "start",
        "--task",
        "t",
        "--intent",
        "i",
        "--repo",
        shop.repo().to_str().unwrap(),
    ]);
    let run = run.trim();
    let step = "019a84cf-c400-7101-8101-010101010101";
    let record = |object: &Value| {
        shop.sandbox.run_with(&["run", "record", "-", "--run", run, "--json"], object.to_string())
    };
    let plan = record(&json!({"object_type": "plan", "steps": [{"step_id": step, "description": "Look"}]}))
        .exits(0)
        .json();
    let plan_id = plan["object_id"].clone();
    for object in [
        json!({"object_type": "plan_step_event", "plan_id": plan_id, "step_id": step, "status": "completed"}),
        json!({"object_type": "tool_invocation", "tool_name": "sh", "args": {"x": 1}, "status": "ok"}),
        json!({"object_type": "context_snapshot", "selection_strategy": "explicit", "items": []}),
        json!({"object_type": "context_frame", "kind": "step_summary", "summary": "s", "plan_id": plan_id, "step_id": step}),
        json!({"object_type": "provenance", "provider": "p", "model": "m"}),
        json!({"object_type": "plan", "parents": [plan_id], "steps": []}),
    ] {
        record(&object).exits(0);
    }
    record(&plan).exits(0);
    let mut other = plan.clone();
    other["steps"] = json!([]);
    let said = record(&other).exits(1);
    assert!(said.err.contains("with other content"), "{said}");
    let said = record(&json!({"object_type": "decision", "decision_type": "commit"})).exits(1);
    assert!(said.err.contains("one verdict"), "{said}");
    shop.sandbox.refuses_with(&["run", "record", "-", "--run", run], "{", 1, &["not JSON"]);
    at(&shop.show(run), "/recorded", 7);
    let kept = shop.sandbox.ok(&["run", "objects", run]);
    assert_eq!(kept.lines().filter(|line| line.contains("\"object_type\":\"plan\"")).count(), 2, "{kept}");
    shop.sandbox.ok(&["run", "export", run]);
    assert!(shop.git(&["ls-tree", "-r", "--name-only", "refs/libra/intent"]).contains("plan_step_event/"));
    shop.sandbox.is_well();
}
