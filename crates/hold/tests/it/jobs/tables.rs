//! What every option does, from the answer to the agent and the job: one case for each row of the tables.

use serde_json::{Value, json};

use super::{JobServer, agent};

fn idle() -> Value {
    agent(&["line Ready", "idle"], json!({}))
}

fn dead() -> Value {
    agent(&["line Bye", "exit 3"], json!({}))
}

/// Expects that the job goes on to its second step and ends well.
#[track_caller]
fn advances(house: &JobServer, id: &str) {
    let job = house.until_status(id, "done");
    let steps: Vec<_> =
        job["history"].as_array().unwrap().iter().map(|one| one["step"].as_str().unwrap()).collect();
    assert_eq!(steps.last(), Some(&"after"), "it went on to the next step");
    assert_eq!(std::fs::read_to_string(house.path("after.txt")).unwrap().trim(), id);
}

#[track_caller]
fn is_cancelled(house: &JobServer, id: &str) {
    let job = house.until_status(id, "cancelled");
    assert!(!house.path("after.txt").exists());
    let decisions = job["decisions"].as_array().unwrap();
    assert!(decisions.iter().all(|one| one["status"] == "answered"), "what was decided stays: {decisions:?}");
}

/// Expects that the job stays waiting, is listed so, and shows the way on.
#[track_caller]
fn stays_waiting(house: &JobServer, id: &str) {
    let job = house.job(id);
    assert_eq!(job["status"], "waiting");
    assert!(house.sandbox.ok(&["job", "list"]).contains("waiting"));
    assert!(house.sandbox.ok(&["job", "show", id]).contains(&format!("hold job resume {id}")));
    house.sandbox.ok(&["job", "resume", id]);
    house.until(id, "going on", |job| job["status"] != "waiting" || job["waiting_for"] != Value::Null);
}

#[test]
fn idle_nudge_tells_the_agent_to_go_on() {
    let house = JobServer::new();
    let id = house.start(&idle());
    house.answer(&house.asked_for(&id, "idle"), "1", &[]);
    house.until_typed("Please continue with the task.\n");
}

#[test]
fn idle_nudge_with_words_sends_those() {
    let house = JobServer::new();
    let id = house.start(&idle());
    house.answer(&house.asked_for(&id, "idle"), "nudge", &["-m", "use the other file"]);
    house.until_typed("use the other file\n");
    assert!(!house.typed("work").contains("Please continue"));
}

#[test]
fn idle_words_alone_are_forwarded() {
    let house = JobServer::new();
    let id = house.start(&idle());
    let decision = house.asked_for(&id, "idle");
    house.sandbox.ok(&["oj", "decision", "resolve", decision["id"].as_str().unwrap(), "-m", "look again"]);
    house.until_typed("look again\n");
}

#[test]
fn idle_done_goes_on_to_the_next_step() {
    let house = JobServer::new();
    let id = house.start(&idle());
    house.answer(&house.asked_for(&id, "idle"), "2", &[]);
    advances(&house, &id);
}

#[test]
fn idle_cancel_cancels() {
    let house = JobServer::new();
    let id = house.start(&idle());
    house.answer(&house.asked_for(&id, "idle"), "3", &[]);
    is_cancelled(&house, &id);
}

#[test]
fn idle_dismiss_leaves_it_waiting() {
    let house = JobServer::new();
    let id = house.start(&idle());
    house.answer(&house.asked_for(&id, "idle"), "4", &[]);
    stays_waiting(&house, &id);
}

#[test]
fn dead_retry_starts_the_agent_again() {
    let house = JobServer::new();
    let id = house.start(&dead());
    let first = house.asked_for(&id, "dead");
    house.answer(&first, "1", &[]);
    let again = house.until(&id, "a second decision", |job| job["visit"] == 2 && job["status"] == "waiting");
    assert_ne!(again["waiting_for"], first["id"]);
    assert_ne!(again["agent_id"], first["requested_by"]);
    assert_eq!(again["history"][0]["outcome"], "restarted");
}

#[test]
fn dead_skip_goes_on_to_the_next_step() {
    let house = JobServer::new();
    let id = house.start(&dead());
    house.answer(&house.asked_for(&id, "dead"), "2", &[]);
    advances(&house, &id);
}

#[test]
fn dead_cancel_cancels_and_dismiss_waits() {
    let house = JobServer::new();
    let id = house.start(&dead());
    house.answer(&house.asked_for(&id, "dead"), "3", &[]);
    is_cancelled(&house, &id);
    let id = house.start(&dead());
    house.answer(&house.asked_for(&id, "dead"), "4", &[]);
    stays_waiting(&house, &id);
}

#[test]
fn gate_retry_skip_and_cancel() {
    let house = JobServer::new();
    let gated =
        |run: &str| agent(&["line Ready", "idle"], json!({"on_idle": {"action": "gate", "run": run}}));
    // The gate passes once the file is there.
    let id = house.start(&gated("test -f passes"));
    let failed = house.asked_for(&id, "gate");
    std::fs::write(house.path("passes"), "").unwrap();
    house.answer(&failed, "1", &[]);
    advances(&house, &id);
    std::fs::remove_file(house.path("after.txt")).unwrap();
    let id = house.start(&gated("false"));
    house.answer(&house.asked_for(&id, "gate"), "2", &[]);
    advances(&house, &id);
    std::fs::remove_file(house.path("after.txt")).unwrap();
    let id = house.start(&gated("false"));
    house.answer(&house.asked_for(&id, "gate"), "3", &[]);
    is_cancelled(&house, &id);
}

#[test]
fn approval_types_y_or_n_and_a_no_does_not_end_the_job() {
    for (choice, key) in [("1", "y"), ("2", "n")] {
        let house = JobServer::new();
        let steps = ["ask Overwrite the file? [y/n] ", "got", "idle"];
        let id = house.start(&agent(&steps, json!({})));
        house.answer(&house.asked_for(&id, "approval"), choice, &[]);
        house.until_typed(&format!("{key}\n"));
        let then = house.until(&id, "going on", |job| {
            job["decisions"].as_array().unwrap().iter().any(|one| one["source"] == "idle")
        });
        assert_ne!(then["status"], "cancelled");
    }
}

#[test]
fn approval_in_a_dialog_picks_what_means_yes() {
    let house = JobServer::new();
    let id = house.start(&agent(&["permission Do you want to run make?", "got", "idle"], json!({})));
    house.answer(&house.asked_for(&id, "approval"), "approve", &["-m", "but only once"]);
    house.until_typed("1");
    house.until_typed("but only once\n");
}

#[test]
fn approval_cancel_cancels_and_dismiss_waits() {
    let house = JobServer::new();
    let asking = agent(&["ask Overwrite the file? [y/n] ", "idle"], json!({}));
    let id = house.start(&asking);
    house.answer(&house.asked_for(&id, "approval"), "3", &[]);
    is_cancelled(&house, &id);
    let id = house.start(&asking);
    house.answer(&house.asked_for(&id, "approval"), "4", &[]);
    assert_eq!(house.job(&id)["status"], "waiting");
}

#[test]
fn question_types_the_number_or_the_words() {
    let asking = agent(&["question Which database?|Postgres|SQLite", "got", "idle"], json!({}));
    let house = JobServer::new();
    let id = house.start(&asking);
    house.answer(&house.asked_for(&id, "question"), "2", &[]);
    house.until_typed("2");
    let house = JobServer::new();
    let id = house.start(&asking);
    let decision = house.asked_for(&id, "question");
    house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), "--text", "MariaDB, please"]);
    house.until_typed("MariaDB, please");
    // An agent in a terminal does not propose again: guidance is told to it at once.
    let house = JobServer::new();
    let id = house.start(&asking);
    let decision = house.asked_for(&id, "question");
    house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), "--guidance", "one that needs no server"]);
    house.until_typed("one that needs no server");
}

#[test]
fn question_cancel_cancels() {
    let house = JobServer::new();
    let id = house.start(&agent(&["question Which?|A|B", "idle"], json!({})));
    house.answer(&house.asked_for(&id, "question"), "cancel", &[]);
    is_cancelled(&house, &id);
}

#[test]
fn plan_accepts_three_ways() {
    for (choice, key) in [("1", "1"), ("2", "2"), ("3", "3")] {
        let house = JobServer::new();
        let id = house.start(&agent(&["plan First this, then that", "got", "idle"], json!({})));
        house.answer(&house.asked_for(&id, "plan"), choice, &[]);
        house.until_typed(key);
    }
}

#[test]
fn plan_revise_sends_the_words_and_cancel_cancels() {
    let house = JobServer::new();
    let id = house.start(&agent(&["plan First this, then that", "box", "idle"], json!({})));
    house.answer(&house.asked_for(&id, "plan"), "4", &["-m", "tests first"]);
    house.until_typed("tests first");
    let house = JobServer::new();
    // Deaf to polite signals, so that it still reads what was typed before it is ended.
    let mut deaf = agent(&["plan First this, then that", "idle"], json!({}));
    deaf["run"] = json!(format!("trap '' TERM HUP; {}", deaf["run"].as_str().unwrap()));
    let id = house.start(&deaf);
    house.answer(&house.asked_for(&id, "plan"), "5", &[]);
    is_cancelled(&house, &id);
    assert!(house.typed("work").contains('\u{1b}'), "the plan is declined first");
}

#[test]
fn a_crew_is_nudged_finished_and_ended() {
    let house = JobServer::new();
    let id = house.start_crew(&idle());
    let decision = house.asked_for(&id, "idle");
    assert_eq!(decision["owner"], format!("crew:{id}"));
    house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), "nudge", "-m", "go on then"]);
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while !house.typed("w").contains("go on then\n") {
        assert!(std::time::Instant::now() < deadline);
    }
    house.answer(&house.asked_for(&id, "idle"), "done", &[]);
    house.until_status(&id, "done");
    assert!(house.tags().contains(&"crew:updated".to_owned()));
}
