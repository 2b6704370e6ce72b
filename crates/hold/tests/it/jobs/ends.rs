//! How jobs and agents end, and what is said of those that stand.

use serde_json::json;

use super::{JobServer, agent};

#[test]
fn a_cancelled_job_cleans_up_and_ends_as_cancelled() {
    let house = JobServer::new();
    for clean in ["echo clean >> cleaned", "echo clean >> cleaned; exit 3"] {
        let book = json!({"job": {"b": {"on_cancel": "clean", "steps": [
            {"name": "long", "run": "touch up; exec sleep 1000"},
            {"name": "clean", "run": clean},
            {"name": "ship", "run": "touch shipped"},
        ]}}});
        let file = house.sandbox.file("book.json", book.to_string());
        let id = house.sandbox.ok(&["job", "start", &file]);
        house.until(&id, "a run", |job| job["status"] == "running");
        house.sandbox.ok(&["job", "cancel", &id]);
        house.sandbox.run(&["job", "wait", &id, "--timeout", "30s"]).exits(6);
        assert_eq!(house.job(&id)["status"], "cancelled");
        assert!(!house.path("shipped").exists(), "what follows is not begun");
    }
    assert_eq!(std::fs::read_to_string(house.path("cleaned")).unwrap(), "clean\nclean\n");
}

#[test]
fn who_ends_over_an_error_met_an_error() {
    let house = JobServer::new();
    let run = "echo \"Error: rate limit exceeded\"; exit 1";
    let limited =
        |action: &str| json!({"run": run, "on_error": [{"match": "rate_limited", "action": action}]});
    let id = house.start(&limited("fail"));
    let job = house.until_status(&id, "failed");
    assert!(job["error"].as_str().unwrap().contains("rate_limited"), "{job:#}");
    let id = house.start(&limited("resume"));
    let asked = house.asked_for(&id, "error");
    assert!(asked["prompt"].as_str().unwrap().contains("rate limit exceeded"), "{asked:#}");
    assert_eq!(house.job(&id)["visit"], 2, "it was started again once");
    // Without an error it is as dead as before, and so is one that ended well.
    let id = house.start(&json!({"run": "echo hm; exit 1"}));
    house.asked_for(&id, "dead");
    let id = house.start(&json!({"run": "echo \"Error: rate limit exceeded\"; exit 0"}));
    house.asked_for(&id, "dead");
}

#[test]
fn what_a_signal_ended_below_a_shell_was_ended_by_a_signal() {
    let house = JobServer::new();
    let on_dead = json!([{"match": "signal", "action": "done"}]);
    let id = house.start(&json!({"run": "sh -c 'kill -9 $$'; exit $?", "on_dead": on_dead}));
    house.until_status(&id, "done");
    let on_dead = json!([{"match": 137, "action": "done"}, {"match": "signal", "action": "fail"}]);
    let id = house.start(&json!({"run": "exit 137", "on_dead": on_dead}));
    house.until_status(&id, "done");
}

#[test]
fn the_list_tells_what_is_dismissed_from_what_is_asked() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line Ready", "idle"], json!({})));
    let asked = house.asked_for(&id, "idle");
    let named = asked["id"].as_str().unwrap();
    let listed = house.sandbox.ok(&["job", "list"]);
    assert!(listed.contains(named) && !listed.contains("settled"), "{listed}");
    house.answer(&asked, "dismiss", &[]);
    let listed = house.sandbox.ok(&["job", "list"]);
    assert!(listed.contains(&format!("hold job resume {id} ({named} was dismissed)")), "{listed}");
    let shown = house.sandbox.ok(&["job", "show", &id]);
    assert!(shown.contains(&format!("{named} was dismissed; continue with")), "{shown}");
}
