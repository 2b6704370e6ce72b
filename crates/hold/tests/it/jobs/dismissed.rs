//! What a person dismissed is not asked again because the server was restarted.

use serde_json::{Value, json};

use super::{JobServer, agent};

#[test]
fn dismiss_lasts_over_a_restart_for_every_source() {
    let mut house = JobServer::new();
    let sources: [(&str, &[&str]); 6] = [
        ("idle", &["line Ready", "idle"]),
        ("dead", &["line Bye", "exit 3"]),
        ("error", &["line API Error: 429 rate_limit_error", "idle"]),
        ("error", &["line API Error: 429 rate_limit_error", "exit 1"]),
        ("approval", &["permission Do you want to run make?", "idle"]),
        ("question", &["question Which database?|Postgres|SQLite", "idle"]),
    ];
    let dismiss = |(source, steps): &(&str, &[&str])| {
        let id = house.start(&agent(steps, json!({})));
        house.answer(&house.asked_for(&id, source), "dismiss", &[]);
        id
    };
    let jobs: Vec<String> = sources.iter().map(dismiss).collect();
    house.restart();
    // An agent that is found idle takes longer than all that would be seen of the others again.
    let later = house.start(&agent(&["line Ready", "idle"], json!({})));
    house.asked_for(&later, "idle");
    for (id, (source, _)) in jobs.iter().zip(sources) {
        let job = house.job(id);
        assert_eq!(job["status"], "waiting", "{source}: {job:#}");
        let all: Vec<&Value> =
            job["decisions"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
        assert_eq!(all, ["answered"], "{source}");
    }
    // The way on is there, and what is on the screen is asked again once it is taken.
    let asking = jobs.last().unwrap();
    house.sandbox.ok(&["job", "resume", asking]);
    house.asked_for(asking, "question");
}

#[test]
fn dismiss_lasts_though_something_counts_on_the_screen() {
    let mut house = JobServer::new();
    let dismiss = |(source, step): (&str, &str)| {
        let id = house.start(&agent(&["line 0 ticks", "tick 400", step, "idle"], json!({})));
        house.answer(&house.asked_for(&id, source), "dismiss", &[]);
        id
    };
    let steps =
        [("question", "question Which database?|Postgres|SQLite"), ("approval", "permission Run make?")];
    let jobs = steps.map(dismiss);
    house.restart();
    // An agent that is found idle takes longer than all that would be seen of the others again.
    let later = house.start(&agent(&["line Ready", "idle"], json!({})));
    house.asked_for(&later, "idle");
    for id in &jobs {
        let job = house.job(id);
        assert_eq!(job["status"], "waiting", "{job:#}");
        assert_eq!(job["decisions"].as_array().unwrap().len(), 1, "{job:#}");
    }
}

#[test]
fn what_comes_after_a_dismissed_question_is_asked() {
    let mut house = JobServer::new();
    let steps = ["question Which database?|Postgres|SQLite", "question Which port?|80|8080", "exit 4"];
    let id = house.start(&agent(&steps, json!({})));
    house.answer(&house.asked_for(&id, "question"), "dismiss", &[]);
    house.restart();
    house.type_by_hand(&id, "Which database?", "1");
    let asked = house.asked_for(&id, "question");
    assert!(asked["prompt"].as_str().unwrap().contains("Which port?"), "{asked:#}");
    house.answer(&asked, "dismiss", &[]);
    house.type_by_hand(&id, "Which port?", "1");
    house.asked_for(&id, "dead");
}

#[test]
fn the_status_says_what_was_dismissed_and_how_it_goes_on() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line Ready", "idle"], json!({})));
    let idle = house.asked_for(&id, "idle");
    house.answer(&idle, "dismiss", &[]);
    let status = house.sandbox.ok(&["oj", "status"]);
    let said = format!("hold oj job resume {id} (idle {} was dismissed)", idle["id"].as_str().unwrap());
    assert!(status.contains(&said) && !status.contains("pending"), "{status}");
    let job = house.sandbox.json(&["oj", "status", "-o", "json"])["jobs"][0].clone();
    assert_eq!((&job["waiting_for"], &job["source"]), (&idle["id"], &json!("idle")), "{job}");
    assert_eq!(job["dismissed"], true, "{job}");
}

#[test]
fn a_job_that_goes_on_after_a_dismissed_error_asks_about_an_agent_that_has_ended() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line API Error: 429 rate_limit_error", "exit 3"], json!({})));
    let error = house.asked_for(&id, "error");
    house.answer(&error, "dismiss", &[]);
    house.sandbox.ok(&["job", "resume", &id]);
    house.until(&id, "that somebody is asked", |job| {
        job["status"] == "waiting" && job["waiting_for"] != error["id"]
    });
}
