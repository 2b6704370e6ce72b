//! The rest of the tables: rows that need a real process in a real terminal, and the whole life of a decision of each
//! source with the commands that the tables name.

use serde_json::{Value, json};

use super::{JobServer, agent};

fn broken() -> Value {
    agent(&["line API Error: 429 rate_limit_error", "idle"], json!({}))
}

fn asking() -> Value {
    agent(&["question Which database?|Postgres|SQLite", "got", "idle"], json!({}))
}

#[track_caller]
fn after_ran(house: &JobServer, id: &str) {
    house.until_status(id, "done");
    assert_eq!(std::fs::read_to_string(house.path("after.txt")).unwrap().trim(), id);
    std::fs::remove_file(house.path("after.txt")).unwrap();
}

#[test]
fn error_retry_starts_the_agent_again() {
    let house = JobServer::new();
    let id = house.start(&broken());
    let first = house.asked_for(&id, "error");
    house.answer(&first, "1", &[]);
    let again = house.until(&id, "a second decision", |job| job["visit"] == 2 && job["status"] == "waiting");
    assert_ne!(again["agent_id"], first["requested_by"]);
    assert_eq!(again["history"][0]["outcome"], "restarted");
    assert_eq!(house.asked_for(&id, "error")["status"], "pending");
}

#[test]
fn error_skip_cancel_and_dismiss() {
    let house = JobServer::new();
    let id = house.start(&broken());
    house.answer(&house.asked_for(&id, "error"), "2", &[]);
    after_ran(&house, &id);
    let id = house.start(&broken());
    house.answer(&house.asked_for(&id, "error"), "3", &[]);
    house.until_status(&id, "cancelled");
    assert!(!house.path("after.txt").exists());
    let id = house.start(&broken());
    house.answer(&house.asked_for(&id, "error"), "4", &[]);
    stays_waiting(&house, &id);
    house.sandbox.ok(&["job", "resume", &id, "--restart"]);
    house.until(&id, "a new start", |job| job["visit"] == 2);
}

#[test]
fn question_dismiss_types_nothing_and_waits() {
    let house = JobServer::new();
    let id = house.start(&asking());
    let decision = house.asked_for(&id, "question");
    // 1 and 2 are its own, 3 is Other, 4 Cancel, 5 Dismiss.
    house.sandbox.ok(&["oj", "decision", "resolve", decision["id"].as_str().unwrap(), "5"]);
    stays_waiting(&house, &id);
    assert_eq!(house.typed("work"), "");
}

#[test]
fn question_numbers_are_those_of_the_table() {
    let house = JobServer::new();
    let id = house.start(&asking());
    let decision = house.asked_for(&id, "question");
    let named = decision["id"].as_str().unwrap();
    house.sandbox.ok(&["oj", "decision", "resolve", named, "3", "-m", "MariaDB"]);
    house.until_typed("MariaDB");
    let id = house.start(&asking());
    let decision = house.asked_for(&id, "question");
    house.sandbox.ok(&["oj", "decision", "resolve", decision["id"].as_str().unwrap(), "4"]);
    house.until_status(&id, "cancelled");
}

#[test]
fn approval_dismiss_and_crew_decisions_wait_and_cancel() {
    let house = JobServer::new();
    let id = house.start(&agent(&["ask Overwrite the file? [y/n] ", "idle"], json!({})));
    house.answer(&house.asked_for(&id, "approval"), "4", &[]);
    stays_waiting(&house, &id);
    assert_eq!(house.typed("work"), "");
    let id = house.start_crew(&agent(&["line Ready", "idle"], json!({})));
    house.answer(&house.asked_for(&id, "idle"), "cancel", &[]);
    house.until_status(&id, "cancelled");
    let id = house.start_crew(&agent(&["line Ready", "idle"], json!({})));
    house.asked_for(&id, "idle");
    house.sandbox.ok(&["job", "cancel", &id]);
    house.until_status(&id, "cancelled");
}

#[track_caller]
fn stays_waiting(house: &JobServer, id: &str) {
    let job = house.job(id);
    assert_eq!(job["status"], "waiting");
    assert!(house.sandbox.ok(&["job", "list"]).contains("waiting"));
    assert!(house.sandbox.ok(&["job", "show", id]).contains(&format!("hold job resume {id}")));
}

#[test]
fn what_a_person_counts_as_done_is_said_once() {
    let house = JobServer::new();
    let steps = ["line Ready", "idle"];
    let id = house.start(&agent(&steps, json!({})));
    house.answer(&house.asked_for(&id, "idle"), "done", &[]);
    house.until_status(&id, "done");
    let count = |tag: &str| house.tags().iter().filter(|one| *one == tag).count();
    // The other one is of the step after it, which ended by itself.
    assert_eq!(count("step:completed"), 2, "{:?}", house.tags());
    let job = house.job(&id);
    assert_eq!(job["history"][0]["outcome"], "completed", "{job:#}");
    let crew = house.start_crew(&agent(&steps, json!({})));
    house.answer(&house.asked_for(&crew, "idle"), "done", &[]);
    house.until_status(&crew, "done");
    assert_eq!(count("crew:updated"), 1, "{:?}", house.tags());
}

/// Escalation trigger → decision:created → Waiting → listed → resolved → decision:resolved → the mapped action's event →
/// the job goes on or ends: for each source, by its number, with the commands that the tables name.
#[test]
fn the_whole_life_of_each_source() {
    let house = JobServer::new();
    let gate = json!({"on_idle": {"action": "gate", "run": "false"}});
    let leave = json!({"on_dead": [{"match": 0, "action": "done"}]});
    for (source, steps, more, number, action, end) in [
        ("idle", &["line Ready", "idle"][..], json!({}), "2", "step:completed", "done"),
        ("dead", &["exit 3"], json!({}), "2", "step:completed", "done"),
        (
            "error",
            &["line API Error: 429 rate_limit_error", "idle"],
            json!({}),
            "2",
            "step:completed",
            "done",
        ),
        ("gate", &["line Ready", "idle"], gate, "3", "job:cancel", "cancelled"),
        (
            "approval",
            &["ask Overwrite? [y/n] ", "want y", "exit 0"],
            leave.clone(),
            "1",
            "session:input",
            "done",
        ),
        (
            "question",
            &["question Which?|A|B", "want B", "exit 0"],
            leave.clone(),
            "2",
            "session:input",
            "done",
        ),
        (
            "plan",
            &["plan First this", "want Yes, auto-accept edits", "exit 0"],
            leave,
            "2",
            "session:respond",
            "done",
        ),
    ] {
        let id = house.start(&agent(steps, more));
        let decision = house.asked_for(&id, source);
        let named = decision["id"].as_str().unwrap();
        let listed = house.sandbox.json(&["oj", "decision", "list", "-o", "json"]);
        let row = listed.as_array().unwrap().iter().find(|one| one["id"] == named).unwrap();
        assert_eq!(
            (row["source"].as_str(), row["owner_id"].as_str()),
            (Some(source), Some(id.as_str())),
            "{row}"
        );
        // Any unique start of its id names it.
        let shown = house.sandbox.json(&["oj", "decision", "show", &named[..10], "-o", "json"]);
        assert_eq!(shown["options"][0]["number"], 1, "{shown}");
        let digest = decision["digest"].as_str().unwrap();
        house.sandbox.ok(&["oj", "decision", "resolve", &named[..10], number, "--digest", digest]);
        house.until_status(&id, end);
        let log = house.sandbox.ok(&["log", "--json"]);
        let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of = |tag: &str| {
            let find =
                |one: &&Value| one["type"] == tag && (one["id"] == named || one["decision_id"] == named);
            events.iter().find(find).unwrap_or_else(|| panic!("no {tag} of {named}")).clone()
        };
        let created = of("decision:created");
        for key in
            ["id", "job_id", "agent_id", "owner", "source", "context", "options", "created_at_ms", "project"]
        {
            assert!(!created[key].is_null(), "{key}: {created:#}");
        }
        assert_eq!((&created["job_id"], &created["source"]), (&json!(id), &json!(source)));
        let resolved = of("decision:resolved");
        for key in ["id", "chosen", "resolved_at_ms", "project"] {
            assert!(!resolved[key].is_null(), "{key}: {resolved:#}");
        }
        let option = created["options"].as_array().unwrap().iter();
        let option = option.clone().find(|one| one["number"] == resolved["choices"][0]).unwrap();
        assert_eq!(option["id"], resolved["chosen"], "{resolved:#}");
        assert_eq!(option["number"].to_string(), number);
        let seq = |event: &Value| event["seq"].as_i64().unwrap();
        let (waiting, acted) = (of("step:waiting"), of(action));
        assert!(
            seq(&created) < seq(&waiting) && seq(&waiting) < seq(&resolved) && seq(&resolved) < seq(&acted)
        );
        let _ = std::fs::remove_file(house.path("after.txt"));
        // What was decided stays until the job is deleted.
        assert_eq!(house.sandbox.json(&["show", named, "--json"])["status"], "answered");
        house.sandbox.ok(&["job", "delete", &id]);
        house.sandbox.run(&["show", named]).exits(3);
    }
}

#[test]
fn the_second_prompt_of_an_agent_takes_the_place_of_the_first() {
    let house = JobServer::new();
    let swap = "(until test -f swap; do sleep 0.05; done; printf '\\r\\033[KDelete B? [y/n] ') &";
    let script = format!("{swap} printf 'Delete A? [y/n] '; read a; echo \"heard:$a\" >> heard; read b");
    let id = house.start(&json!({"run": script, "idle_after": "1s"}));
    let first = house.asked_for(&id, "approval");
    std::fs::write(house.path("swap"), "").unwrap();
    let job = house.until(&id, "the second", |job| job["waiting_for"] != first["id"]);
    assert_eq!(job["also_waiting_for"], json!(null));
    // Nobody can answer what is no longer shown.
    house.sandbox.run(&["answer", first["id"].as_str().unwrap(), "approve"]).exits(4).says("superseded");
    let second = house.asked_for(&id, "approval");
    assert!(!house.path("heard").exists());
    house.answer(&second, "deny", &[]);
    house.until(&id, "going on", |job| job["waiting_for"] != second["id"]);
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while std::fs::read_to_string(house.path("heard")).unwrap_or_default() != "heard:n\n" {
        assert!(std::time::Instant::now() < deadline);
    }
}

#[test]
fn what_is_done_to_a_job_is_said() {
    let mut house = JobServer::new();
    // It is deaf to polite signals, so that ending it takes its time.
    let id = house.start(&agent(&["hang"], json!({})));
    house.until(&id, "a step", |job| job["status"] == "running");
    assert_eq!(house.sandbox.ok(&["job", "cancel", &id]), format!("{id}  cancelling"));
    assert!(house.sandbox.ok(&["job", "list"]).contains("cancelling"));
    house.until_status(&id, "cancelled");
    assert_eq!(house.sandbox.ok(&["job", "cancel", &id]), format!("{id}  cancelled"));
    // Without a server nobody does it yet, and that is said.
    let id = house.start(&agent(&["line Ready", "idle"], json!({})));
    house.asked_for(&id, "idle");
    house.server.take().unwrap().kill();
    house.sandbox.run(&["job", "cancel", &id]).exits(0).says("hold serve");
    house.restart();
    house.until_status(&id, "cancelled");
}
