//! A job with a worktree is a run by itself.

use std::time::Instant;

use serde_json::{Value, json};

use super::{JobServer, agent};
use crate::process::TIMEOUT;
use crate::sandbox::{Sandbox, at};
use crate::serving::Serving;

/// Starts a job on a repository of its own; returns its id.
pub(crate) fn start(house: &JobServer, book: &Value) -> String {
    let made = "git init -q -b main repo && cd repo && echo one > a.txt && git add -A && \
                git -c user.name=a -c user.email=a@b commit -q -m first";
    house.sandbox.shell(made).exits(0);
    let file = house.sandbox.file("b.json", book.to_string());
    let repo = house.path("repo").display().to_string();
    house.sandbox.ok(&["job", "start", &file, "--cwd", &repo])
}

/// Waits until the one run there is stands as wanted.
pub(crate) fn until(house: &JobServer, wanted: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let runs = house.sandbox.json(&["run", "list", "--json"]);
        if let Some(run) = runs.get(0).filter(|run| wanted(run)) {
            return run.clone();
        }
        assert!(Instant::now() < deadline, "{runs:#}");
    }
}

#[test]
fn its_worktree_is_the_patch_set_its_gates_are_evidence_its_end_asks() {
    let house = JobServer::new();
    let looks = json!({"on_idle": {"action": "gate", "run": "echo aside >&2; grep two a.txt"}});
    let gated = agent(&["line Ready", "idle"], looks);
    let book = json!({
        "job": {"build": {"worktree": true, "steps": [
            {"name": "make", "run": "echo two >> a.txt; echo $HOLD_RUN > run-id"},
            {"name": "work", "run": {"agent": "w"}},
            {"name": "tidy", "run": "echo three >> a.txt"},
        ]}},
        "agent": {"w": gated},
    });
    let id = start(&house, &book);
    house.until_status(&id, "done");
    let run = until(&house, |run| run["status"] == "finished");
    at(&run, "/created_by", format!("job:{id}"));
    at(&run, "/evidence/0/kind", "gate");
    at(&run, "/evidence/0/exit_code", 0);
    let log = house.sandbox.ok(&["run", "show", run["id"].as_str().unwrap(), "--evidence", "1"]);
    assert_eq!(log, "two\naside");
    // What the gate looked at, and what came after it.
    assert_eq!(run["patchsets"].as_array().unwrap().len(), 2, "{run:#}");
    assert_eq!(run["evidence"][0]["patchset"], run["patchsets"][0]["id"]);
    let worktree = house.sandbox.home().join("worktrees").join(&id);
    assert_eq!(std::fs::read_to_string(worktree.join("run-id")).unwrap().trim(), run["id"].as_str().unwrap());
    let decision = run["decision"].as_str().unwrap();
    let asked = house.sandbox.show(decision);
    at(&asked, "/source", "verdict");
    assert!(asked["prompt"].as_str().unwrap().contains("is done"), "{asked:#}");
    let chosen = "patchset=2".to_owned();
    house.sandbox.ok(&["answer", decision, "--set", "verdict=commit", "--set", &chosen]);
    let ended = until(&house, |run| run["status"] == "decided");
    let shown = house
        .sandbox
        .shell(&format!("cd repo && git show {}:a.txt", ended["verdict"]["commit"].as_str().unwrap()));
    assert_eq!(shown.exits(0).out, "one\ntwo\nthree\n");
}

#[test]
fn its_verdict_is_listed_and_resolved_under_the_name_oj() {
    let house = JobServer::new();
    let book =
        json!({"job": {"make": {"worktree": true, "steps": [{"name": "make", "run": "echo two >> a.txt"}]}}});
    start(&house, &book);
    let run = until(&house, |run| run["status"] == "finished");
    let decision = run["decision"].as_str().unwrap();
    let listed = house.sandbox.json(&["oj", "decision", "list", "-o", "json"]);
    at(&listed, "/0/id", decision);
    at(&listed, "/0/source", "verdict");
    at(&listed, "/0/owner_name", "make");
    // What no job waits for is none of its concern.
    house.sandbox.ask_a_or_b();
    assert_eq!(house.sandbox.json(&["oj", "decision", "list", "-o", "json"]).as_array().unwrap().len(), 1);
    let digest = house.sandbox.show(decision)["digest"].clone();
    house.sandbox.ok(&["oj", "decision", "resolve", decision, "1", "--digest", digest.as_str().unwrap()]);
    at(&until(&house, |run| run["status"] == "decided"), "/verdict/verdict", "commit");
}

#[test]
fn where_nothing_is_proposed_nobody_is_asked_and_no_is_no() {
    let house = JobServer::new();
    let book = json!({"job": {"look": {"worktree": true, "steps": [{"name": "look", "run": "cat a.txt"}]}}});
    let id = start(&house, &book);
    house.until_status(&id, "done");
    let run = until(&house, |run| run["status"] == "decided");
    at(&run, "/verdict/verdict", "abandon");
    at(&run, "/verdict/by", "system:auto");
    // Nothing is left of it, neither worktree nor branch.
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while house.sandbox.shell("cd repo && git branch --list 'hold/*'").exits(0).out.trim() != "" {
        assert!(std::time::Instant::now() < deadline, "the branch of job {id} stays");
    }
    assert_eq!(house.sandbox.ok(&["list", "--json"]).trim(), "[]");
    let book = json!({"job": {"own": {"worktree": true, "verdict": false, "steps": [{"name": "x", "run": "echo y > z"}]}}});
    let file = house.sandbox.file("c.json", book.to_string());
    let repo = house.path("repo").display().to_string();
    let id = house.sandbox.ok(&["job", "start", &file, "--cwd", &repo]);
    house.until_status(&id, "done");
    assert_eq!(house.sandbox.json(&["run", "list", "--json"]).as_array().unwrap().len(), 1);
    let book = json!({"job": {"x": {"verdict": true, "steps": [{"name": "x", "run": "true"}]}}});
    let file = house.sandbox.file("d.json", book.to_string());
    house.sandbox.refuses(&["job", "start", &file], 1, &["worktree = true"]);
}

#[test]
fn killed_while_it_ends_it_is_asked_about_once() {
    let mut house = JobServer::new();
    let book =
        json!({"job": {"make": {"worktree": true, "steps": [{"name": "make", "run": "echo two >> a.txt"}]}}});
    let id = start(&house, &book);
    house.until(&id, "a step", |job| job["history"][0]["step"] == "make");
    house.restart();
    house.until_status(&id, "done");
    house.restart();
    let run = until(&house, |run| run["status"] == "finished");
    assert_eq!(run["patchsets"].as_array().unwrap().len(), 1);
    assert_eq!(house.sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1);
}

/// Starts a job whose step fails while a file is missing, lets it fail, and lets it go on.
fn resumed(first: &str) -> (JobServer, String, Value) {
    let house = JobServer::new();
    let there = house.path("there").display().to_string();
    let book = json!({"job": {"make": {"worktree": true, "steps": [
        {"name": "make", "run": format!("{first}; test -f '{there}'")},
        {"name": "more", "run": "echo three >> a.txt; echo $HOLD_RUN > run-id"},
    ]}}});
    let id = start(&house, &book);
    house.until_status(&id, "failed");
    let before = until(&house, |run| {
        run["status"] == "decided" || (run["status"] == "finished" && run["judge"].is_null())
    });
    std::fs::write(there, "").unwrap();
    house.sandbox.ok(&["job", "resume", &id]);
    house.until_status(&id, "done");
    (house, id, before)
}

/// Clearing up after an attempt that was given up is held half-way while the job is told to go on: the worktree is made
/// anew only once the old one is gone.
#[test]
fn a_job_that_goes_on_waits_until_the_attempt_before_is_cleared_up() {
    let sandbox = Sandbox::new().looking();
    let place = |name: &str| sandbox.path(name).display().to_string();
    let (calls, go, there) = (place("calls"), place("go"), place("there"));
    let path = std::env::var("PATH").unwrap();
    // The job itself cannot take its worktree away; the verdict takes it away by force, when it is told to.
    sandbox.executable(
        "git",
        &format!(
            r#"PATH='{path}'; export PATH
case "$*" in
  *'worktree remove --force'*)
    echo removing >>'{calls}'
    until [ -e '{go}' ]; do sleep 0.05; done
    git "$@"; code=$?
    echo removed >>'{calls}'
    exit $code;;
  *' status --porcelain'*) exit 1;;
  *'worktree add'*) echo adding >>'{calls}';;
esac
exec git "$@""#
        ),
    );
    let path = format!("{}:{path}", place("bin"));
    let sandbox = sandbox.with("PATH", &path);
    let server = Serving::start(&sandbox);
    let house = JobServer { sandbox, server: Some(server) };
    let said = || std::fs::read_to_string(&calls).unwrap_or_default();
    let book = json!({"job": {"make": {"worktree": true, "steps": [
        {"name": "make", "run": format!("test -f '{there}' && echo two >> a.txt")},
    ]}}});
    let id = start(&house, &book);
    house.until_status(&id, "failed");
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while !said().contains("removing") {
        assert!(std::time::Instant::now() < deadline, "nothing is cleared up: {}", said());
    }
    std::fs::write(&there, "").unwrap();
    house.sandbox.ok(&["job", "resume", &id]);
    let resumed = house.until(&id, "that it goes on", |job| job["status"] != "failed");
    assert_eq!(resumed["status"], "pending", "it waits: {resumed:#}");
    std::fs::write(&go, "").unwrap();
    house.until_status(&id, "done");
    assert_eq!(said().lines().collect::<Vec<_>>(), ["adding", "removing", "removed", "adding"]);
    let run = until(&house, |run| run["status"] == "finished");
    assert_eq!(run["patchsets"].as_array().unwrap().len(), 1, "{run:#}");
}

#[test]
fn resumed_after_a_failure_that_changed_nothing_its_end_asks() {
    let (house, id, before) = resumed("true");
    at(&before, "/verdict/verdict", "abandon");
    let run = until(&house, |run| run["status"] == "finished");
    assert_ne!(run["id"], before["id"]);
    at(&run, "/origin/kind", "retry");
    assert_eq!(run["origin"]["run"], before["id"]);
    assert_eq!(run["task"], before["task"]);
    let worktree = house.sandbox.home().join("worktrees").join(&id);
    assert_eq!(std::fs::read_to_string(worktree.join("run-id")).unwrap().trim(), run["id"].as_str().unwrap());
    assert_eq!(run["patchsets"].as_array().unwrap().len(), 1, "{run:#}");
    at(&house.sandbox.show(run["decision"].as_str().unwrap()), "/status", "pending");
}

#[test]
fn resumed_after_it_asked_the_question_is_taken_back_and_all_of_it_proposed() {
    let (mut house, id, before) = resumed("echo two >> a.txt");
    let stale = before["decision"].as_str().unwrap();
    let withdrawn = house.sandbox.show(stale);
    at(&withdrawn, "/status", "cancelled");
    assert!(withdrawn["reason"].as_str().unwrap().contains(&format!("Job {id} goes on")), "{withdrawn:#}");
    let shown = house.sandbox.ok(&["run", "show", before["id"].as_str().unwrap()]);
    assert!(shown.contains("was taken back"), "{shown}");
    until(&house, |run| run["status"] == "finished" && run["id"] != before["id"]);
    // The process that comes after a kill finds the same.
    house.restart();
    let run = until(&house, |run| run["status"] == "finished");
    assert_eq!(house.sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1);
    let chosen = "patchset=1".to_owned();
    let decision = run["decision"].as_str().unwrap();
    house.sandbox.ok(&["answer", decision, "--set", "verdict=commit", "--set", &chosen]);
    let ended = until(&house, |run| run["status"] == "decided");
    let shown = format!("cd repo && git show {}:a.txt", ended["verdict"]["commit"].as_str().unwrap());
    assert_eq!(house.sandbox.shell(&shown).exits(0).out, "one\ntwo\ntwo\nthree\n");
}
