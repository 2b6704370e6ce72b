//! An agent whose hooks ask: the job waits with it, its screen asks nothing again, and nothing is typed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::JobServer;
use crate::fake_agent::fake_agent;
use crate::process::TIMEOUT;
use crate::sandbox::HOLD;

/// An agent that draws a dialog once there is a file `draw`, and whose hook asks the same once there is a file `ask`.
fn hooked() -> Value {
    let call = json!({"session_id": "s1", "hook_event_name": "PermissionRequest", "cwd": "/srv",
        "tool_name": "Bash", "tool_input": {"command": "rm -rf build"}});
    let wait = |file: &str| format!("until test -f {file}; do sleep 0.05; done");
    let hook = format!(
        "({}; echo '{call}' | (sh -c 'echo $PPID > hook.pid'; exec {HOLD} hook claude PermissionRequest) > told.new; mv told.new told) &",
        wait("ask")
    );
    let dialog =
        format!("exec {} --keys work.keys 'permission Bash: rm -rf build' got idle", fake_agent().display());
    json!({"run": format!("{hook} {}; {dialog}", wait("draw")), "idle_after": "1s"})
}

fn touch(house: &JobServer, file: &str) {
    std::fs::write(house.path(file), "").unwrap();
}

/// Waits until what the agent draws has stood still long enough for its watcher to have made up its mind.
fn drawn(house: &JobServer, id: &str) {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let screen = house.api().get(&format!("/v1/jobs/{id}/screen")).is(200).json();
        let still = Duration::new(screen["quiet_for"]["secs"].as_u64().unwrap(), 0);
        if screen["text"]["rows"].to_string().contains("rm -rf build") && still >= Duration::from_secs(2) {
            return;
        }
        assert!(Instant::now() < deadline, "{screen:#}");
    }
}

/// Expects that the hook's question is the only one that is open, and returns it.
#[track_caller]
fn held(house: &JobServer, id: &str) -> Value {
    let by_hook = |one: &Value| one["status"] == "pending" && one["origin"]["protocol"] == "claude-code";
    // The job and its decisions are read one after the other.
    let waits = |job: &Value, one: &Value| by_hook(one) && job["waiting_for"] == one["id"];
    let job = house.until(id, "the hook's question", |job| {
        job["decisions"].as_array().unwrap().iter().any(|one| waits(job, one))
    });
    let all = job["decisions"].as_array().unwrap();
    assert_eq!(all.iter().filter(|one| one["status"] == "pending").count(), 1, "{all:#?}");
    let asked = all.iter().find(|one| by_hook(one)).unwrap().clone();
    assert_eq!((&job["status"], &job["waiting_for"]), (&json!("waiting"), &asked["id"]));
    assert_eq!(asked["owner"], format!("job:{id}"));
    assert_eq!(asked["requested_by"], job["agent_id"]);
    assert_eq!(asked["subject"]["input"]["command"], "rm -rf build");
    let outs: Vec<_> = asked["outs"].as_array().unwrap().iter().map(|out| out["label"].clone()).collect();
    assert_eq!(outs, [json!("Cancel"), json!("Dismiss")]);
    asked
}

/// Has the hook ask, and the same drawn on the screen; returns what is asked.
#[track_caller]
fn asked_and_drawn(house: &JobServer, id: &str) -> Value {
    touch(house, "ask");
    held(house, id);
    touch(house, "draw");
    drawn(house, id);
    held(house, id)
}

/// Waits until the hook has ended, and returns what it said.
#[track_caller]
fn said(house: &JobServer) -> String {
    let deadline = Instant::now() + TIMEOUT;
    while !house.path("told").exists() {
        assert!(Instant::now() < deadline, "the hook does not end");
    }
    std::fs::read_to_string(house.path("told")).unwrap()
}

#[track_caller]
fn told(house: &JobServer) -> Value {
    serde_json::from_str(&said(house)).unwrap()
}

#[test]
fn what_a_hook_asks_is_not_asked_again_from_the_screen() {
    let mut house = JobServer::new();
    let id = house.start(&hooked());
    let asked = asked_and_drawn(&house, &id);
    // Nor by a server that sees the screen for the first time.
    house.restart_in_place();
    drawn(&house, &id);
    assert_eq!(held(&house, &id)["id"], asked["id"]);
    house.answer(&asked, "approve", &[]);
    assert_eq!(told(&house)["hookSpecificOutput"]["decision"]["behavior"], "allow");
    assert_eq!(house.typed("work"), "", "the hook has said it; nothing is typed");
}

#[test]
fn what_the_screen_asked_first_goes_when_the_hook_asks() {
    let house = JobServer::new();
    let id = house.start(&hooked());
    touch(&house, "draw");
    let seen = house.asked_for(&id, "approval");
    touch(&house, "ask");
    let asked = held(&house, &id);
    let job = house.job(&id);
    let old = job["decisions"].as_array().unwrap().iter().find(|one| one["id"] == seen["id"]).unwrap();
    assert_eq!(
        (&old["status"], &old["reason"]),
        (&json!("cancelled"), &json!("auto-dismissed: the agent asks it itself"))
    );
    house.answer(&asked, "deny", &["-m", "not that one"]);
    let told = told(&house);
    assert_eq!(told["hookSpecificOutput"]["decision"]["behavior"], "deny", "{told}");
    assert!(told.to_string().contains("not that one"), "{told}");
    // The job goes on, and what its terminal still shows is asked from there.
    let next = house.asked_for(&id, "approval");
    assert_eq!(next["origin"]["protocol"], "session");
    assert_eq!(house.typed("work"), "");
}

#[test]
fn dismiss_of_what_a_hook_asks_leaves_it_to_the_agents_own_prompt() {
    let mut house = JobServer::new();
    let id = house.start(&hooked());
    let asked = asked_and_drawn(&house, &id);
    house.answer(&asked, "dismiss", &[]);
    assert_eq!(said(&house), "", "neither a yes nor a no");
    // What the terminal shows now is what was dismissed, also for a server that sees it for the first time.
    house.restart_in_place();
    drawn(&house, &id);
    let job = house.until_status(&id, "waiting");
    assert_eq!(job["waiting_for"], asked["id"], "{job:#}");
    house.type_by_hand(&id, "rm -rf build", "1");
    house.asked_for(&id, "idle");
    let job = house.job(&id);
    let asked = job["decisions"].as_array().unwrap().iter().filter(|one| one["source"] == "approval");
    assert_eq!(asked.count(), 1, "{job:#}");
}

#[test]
fn cancel_of_what_a_hook_asks_ends_the_job() {
    let house = JobServer::new();
    let id = house.start(&hooked());
    touch(&house, "ask");
    house.answer(&held(&house, &id), "cancel", &[]);
    house.until_status(&id, "cancelled");
}

/// The same for a crew; and an agent that stops its hook withdraws the question.
#[test]
fn a_hook_that_is_ended_takes_its_question_back_and_the_crew_goes_on() {
    let house = JobServer::new();
    let id = house.start_crew(&hooked());
    touch(&house, "ask");
    let by_hook = |one: &Value| one["origin"]["protocol"] == "claude-code";
    let find = |job: &Value| job["decisions"].as_array().unwrap().iter().find(|one| by_hook(one)).cloned();
    // The job and its decisions are read one after the other.
    let job =
        house.until(&id, "the hook's question", |job| job["status"] == "waiting" && find(job).is_some());
    assert_eq!(find(&job).unwrap()["owner"], format!("crew:{id}"));
    house.sandbox.shell("kill -TERM $(cat hook.pid)").exits(0);
    let job = house.until(&id, "going on", |job| job["status"] == "running");
    assert_eq!(find(&job).unwrap()["status"], "cancelled");
    assert_eq!(house.typed("work"), "");
}
