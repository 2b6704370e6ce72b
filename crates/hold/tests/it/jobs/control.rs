//! Steering jobs, from the command line and over HTTP.

use serde_json::{Value, json};

use super::{JobServer, agent};
use crate::sandbox::{HOLD, Sandbox};
use crate::server::Server;
use crate::serving::Serving;
use crate::terminal::{Colour, Terminal};

#[test]
fn commands_run_one_after_the_other() {
    let house = JobServer::new();
    let book = json!({"job": {
        "all": {"vars": {"who": "you"}, "steps": [
            {"name": "one", "run": "echo one ${var.who} >> out.txt"},
            {"name": "two", "run": "exit 3", "on_fail": "mend"},
            {"name": "never", "run": "echo never >> out.txt"},
            {"name": "mend", "run": {"job": "part", "vars": {"word": "from ${job.name}"}}},
        ]},
        "part": {"vars": ["word"], "steps": {"only": {"run": "echo part ${var.word} >> out.txt"}}},
    }});
    let file = house.sandbox.file("book.json", book.to_string());
    let id = house.sandbox.ok(&[
        "job",
        "start",
        &file,
        "--job",
        "all",
        "--var",
        "who=a b; echo c",
        "--name",
        "All",
    ]);
    house.sandbox.run(&["job", "wait", &id, "--timeout", "30s"]).exits(0);
    let out = std::fs::read_to_string(house.path("out.txt")).unwrap();
    assert_eq!(out, "one a b; echo c\npart from All\n");
    let job = house.job(&id);
    let outcomes: Vec<_> = job["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {}", one["step"].as_str().unwrap(), one["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(outcomes, ["one completed", "two failed", "mend completed"]);
    house.sandbox.ok(&["job", "delete", &id]);
    house.sandbox.run(&["job", "show", &id]).exits(3);
    house.sandbox.is_well();
}

/// A job that is a step of another is suspended with it, and goes on where it was.
#[test]
fn a_suspended_job_goes_on_with_the_job_that_it_started() {
    let house = JobServer::new();
    let ask = r#"printf 'Which thing? '; read a; echo "$a" > answer; sleep 0.1"#;
    let book = json!({
        "job": {
            "outer": {"steps": [{"name": "whole", "run": {"job": "inner"}}, {"name": "end", "run": "echo end >> out"}]},
            "inner": {"steps": [{"name": "one", "run": "echo one >> out"}, {"name": "two", "run": {"agent": "w"}}]},
        },
        "agent": {"w": {"run": ask, "idle_after": "1s", "on_dead": "done"}},
    });
    let file = house.sandbox.file("nested.json", book.to_string());
    let outer = house.sandbox.ok(&["job", "start", &file, "--job", "outer"]);
    let inner = format!("{outer}.1");
    house.until(&inner, "a job", |job| job["status"] == "waiting");
    house.sandbox.ok(&["job", "suspend", &outer]);
    house.until_status(&inner, "suspended");
    house.until_status(&outer, "suspended");
    house.sandbox.ok(&["job", "resume", &outer]);
    let asked = house.asked_for(&inner, "question");
    house.sandbox.ok(&["answer", asked["id"].as_str().unwrap(), "--text", "a boat"]);
    house.until_status(&outer, "done");
    assert_eq!(std::fs::read_to_string(house.path("out")).unwrap(), "one\nend\n", "no step was done twice");
    assert_eq!(house.sandbox.run(&["job", "show", &format!("{outer}.2")]).code, 3, "there is one such job");
    let all = house.sandbox.ok(&["job", "logs", &outer, "--all"]);
    assert_eq!(all.matches("== whole > one (").count(), 1, "{all}");
}

#[test]
fn a_failure_says_why_and_resume_tries_again() {
    let house = JobServer::new();
    let file = house.sandbox.file("b.hcl", "job \"b\" {\n  step \"a\" { run = \"test -f there\" }\n}\n");
    let id = house.sandbox.ok(&["job", "start", &file]);
    house.sandbox.run(&["job", "wait", &id]).exits(6);
    let shown = house.sandbox.ok(&["job", "show", &id]);
    assert!(shown.contains("exit code 1") && shown.contains(&format!("hold job resume {id}")), "{shown}");
    std::fs::write(house.path("there"), "").unwrap();
    house.sandbox.ok(&["job", "resume", &id]);
    house.until_status(&id, "done");
}

#[test]
fn suspend_ends_what_runs_and_resume_takes_it_up() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line Ready", "idle"], json!({})));
    let decision = house.asked(&id);
    house.sandbox.ok(&["job", "suspend", &id]);
    house.until_status(&id, "suspended");
    house.sandbox.run(&["show", decision["id"].as_str().unwrap()]).exits(3);
    house.sandbox.ok(&["job", "resume", &id]);
    house.asked_for(&id, "idle");
    assert_eq!(house.job(&id)["visit"], 2);
    house.sandbox.run(&["job", "delete", &id]).exits(4);
    house.sandbox.ok(&["job", "cancel", &id, "-m", "not needed"]);
    house.until_status(&id, "cancelled");
}

#[test]
fn logs_and_screen_are_shown_and_cannot_act() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line \\e[31mred\\e]0;title\\x07 words", "idle"], json!({})));
    house.asked(&id);
    let logs = house.sandbox.ok(&["job", "logs", &id]);
    assert!(logs.contains("red words") && !logs.contains('\u{1b}'), "{logs:?}");
    assert!(house.sandbox.ok(&["job", "logs", &id, "--raw"]).contains("\u{1b}[31m"));
    let shown = house.sandbox.ok(&["job", "show", &id]);
    assert!(shown.contains("| red words"), "{shown}");
}

#[test]
fn the_same_over_http() {
    let house = JobServer::new();
    let api = house.api();
    let book = std::fs::read_to_string(house.book(&agent(&["line Ready", "idle"], json!({})))).unwrap();
    let cwd = house.path("").display().to_string();
    let start = json!({"runbook": book, "format": "json", "cwd": cwd});
    let job = api.post("/v1/jobs", &start).is(201).json();
    assert_eq!(job["status"], "pending");
    assert!(job.get("runbook").is_none());
    let id = job["id"].as_str().unwrap();
    let decision = house.asked_for(id, "idle");
    let path = format!("/v1/decisions/{}/answer", decision["id"].as_str().unwrap());
    api.post(&path, &json!({"choice": "done"})).is(200);
    house.until_status(id, "done");
    assert_eq!(api.get("/v1/jobs?status=done").is(200).json()["items"].as_array().unwrap().len(), 1);
    assert!(
        api.get(&format!("/v1/jobs/{id}/log"))
            .is(200)
            .header("content-type")
            .unwrap()
            .contains("octet-stream")
    );
    api.send("DELETE", &format!("/v1/jobs/{id}"), None).is(200);
    api.get(&format!("/v1/jobs/{id}")).is(404);
    let wrong = json!({"runbook": "job \"b\" {\n  stp \"a\" {}\n}", "format": "hcl", "cwd": cwd});
    let problem = api.post("/v1/jobs", &wrong).is(422).json();
    let places: Vec<&Value> =
        problem["errors"].as_array().unwrap().iter().map(|error| &error["field"]).collect();
    assert!(places.contains(&&json!("runbook:2:3")), "{problem:#}");
    // A runbook is a program: neither agents nor people elsewhere start one.
    for role in [holdpoint_core::Role::Agent, holdpoint_core::Role::Person] {
        let secret = house.server.as_ref().unwrap().token(role, &[]);
        house.nobody().bearing(&secret).post("/v1/jobs", &start).is(403);
    }
}

#[test]
fn every_source_is_answered_over_http() {
    let house = JobServer::new();
    let api = house.api();
    let gate = json!({"on_idle": {"action": "gate", "run": "false"}});
    for (source, steps, more, answer) in [
        ("idle", &["line Ready", "idle"][..], json!({}), json!({"choice": "done"})),
        ("dead", &["exit 3"], json!({}), json!({"choice": "skip"})),
        ("error", &["line API Error: 429 rate_limit_error", "idle"], json!({}), json!({"choice": "skip"})),
        ("gate", &["line Ready", "idle"], gate, json!({"choice": "skip"})),
        (
            "approval",
            &["permission Do you want to run make?", "exit 0"],
            exits(),
            json!({"choice": "approve"}),
        ),
        (
            "question",
            &["question Which database?|Postgres|SQLite", "exit 0"],
            exits(),
            json!({"choice": "sqlite"}),
        ),
        ("plan", &["plan First this, then that", "exit 0"], exits(), json!({"choice": "accept_auto"})),
    ] {
        let id = house.start(&agent(steps, more));
        let decision = house.asked_for(&id, source);
        let mut answer = answer;
        answer["digest"] = decision["digest"].clone();
        api.post(&format!("/v1/decisions/{}/answer", decision["id"].as_str().unwrap()), &answer).is(200);
        house.until_status(&id, "done");
    }
}

/// An agent that exits 0 is done.
fn exits() -> Value {
    json!({"on_dead": [{"match": 0, "action": "done"}]})
}

#[test]
fn pages_show_and_steer() {
    let server = Server::open();
    let sandbox = &server.sandbox;
    let book = json!({"job": {"b": {"steps": {"work": {"run": {"agent": "w"}}}}}, "agent": {"w": agent(&["line <b>Ready</b>", "idle"], json!({}))}});
    let start =
        json!({"runbook": book.to_string(), "format": "json", "cwd": sandbox.path("").display().to_string()});
    let api = server.nobody();
    let id = api.post("/v1/jobs", &start).is(201).json()["id"].as_str().unwrap().to_owned();
    let page = format!("/jobs/{id}");
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    let shown = loop {
        let shown = api.get(&page).is(200).body;
        if shown.contains("waiting") && shown.contains("Ready") {
            break shown;
        }
        assert!(std::time::Instant::now() < deadline, "{shown}");
    };
    assert!(shown.contains("&lt;b&gt;Ready&lt;/b&gt;") && shown.contains("Waiting for"), "{shown}");
    let list = || api.get("/jobs").is(200).body;
    let stuck = "settled without a next step: resume or cancel it";
    assert!(list().contains(&id) && !list().contains(stuck), "{}", list());
    let asked = shown.split("/d/dcn-").nth(1).unwrap().split('"').next().unwrap();
    api.post(&format!("/v1/decisions/dcn-{asked}/answer"), &json!({"out": "dismiss"})).is(200);
    assert!(list().contains(stuck), "{}", list());
    let csrf = shown.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = |verb: &str| format!("csrf={csrf}&verb={verb}");
    let send = |verb: &str| {
        let (api, body) = (server.nobody().with("Origin", &server.url()), form(verb));
        let api = api.with("Content-Type", "application/x-www-form-urlencoded");
        api.with("Content-Length", &body.len().to_string()).raw("POST", &page, body.as_bytes())
    };
    send("cancel").is(303);
    while !api.get(&page).is(200).body.contains("cancelled") {
        assert!(std::time::Instant::now() < deadline);
    }
    send("delete").is(303);
    api.get(&page).is(404);
}

#[test]
fn without_a_server_it_says_so() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("b.hcl", "job \"b\" {\n  step \"a\" { run = \"true\" }\n}\n");
    let ran = sandbox.run(&["job", "start", &file]).exits(1);
    assert!(ran.err.contains("hold serve"), "{ran}");
    let server = Serving::start(&sandbox);
    let id = sandbox.ok(&["job", "start", &file]);
    sandbox.run(&["job", "wait", &id]).exits(0);
    server.stop();
    // Looking needs none.
    assert!(sandbox.ok(&["job", "list", "--status", "all"]).contains("done"));
}

#[test]
fn a_job_that_asks_for_one_gets_a_worktree() {
    let house = JobServer::new();
    house.sandbox.shell(
        "git init -q repo && cd repo && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first",
    ).exits(0);
    let book = "job \"b\" {\n  worktree = true\n  step \"a\" { run = \"echo x > made && git rev-parse --abbrev-ref HEAD && pwd\" }\n}\n";
    let file = house.sandbox.file("b.hcl", book);
    let repo = house.path("repo").display().to_string();
    let id = house.sandbox.ok(&["job", "start", &file, "--cwd", &repo]);
    house.until_status(&id, "done");
    let logs = house.sandbox.ok(&["job", "logs", &id]);
    assert!(logs.contains(&format!("hold/{id}")) && logs.contains("worktrees"), "{logs}");
    assert!(!house.path("repo/made").exists());
    // What is not committed is not thrown away.
    assert!(house.sandbox.home().join("worktrees").join(&id).join("made").exists());
}

#[test]
fn whoever_attaches_sees_the_terminal_types_and_leaves_it_as_it_is() {
    let house = JobServer::new();
    let id =
        house.start(&agent(&["line Hello", "ask Your name: ", "got", "idle"], json!({"idle_after": "1h"})));
    house.until(&id, "a step", |job| job["history"][0]["step"] == "work");
    house.sandbox.run(&["job", "attach", &id]).exits(1);
    let attach = ["job", "attach", &id];
    let mut terminal = Terminal::sized(&house.sandbox, HOLD, &attach, Colour::No, (24, 80));
    terminal.shows("Your name:");
    terminal.press("bob\r");
    terminal.shows("got \"bob\"");
    terminal.press("\u{1d}");
    assert_eq!(terminal.end(), 0);
    let status = house.job(&id)["status"].as_str().unwrap().to_owned();
    assert!(["running", "waiting"].contains(&status.as_str()), "{status}");
    let logs = house.sandbox.ok(&["job", "logs", &id]);
    assert!(logs.contains("Your name: bob"), "{logs}");
    house.sandbox.ok(&["job", "cancel", &id]);
    house.until_status(&id, "cancelled");
}

#[test]
fn an_item_is_blocked_while_a_decision_of_its_job_waits() {
    let house = JobServer::new();
    let book = json!({
        "job": {"build": {"vars": {"item": "bd-7"}, "item": "${var.item}", "steps": [{"name": "work", "run": {"agent": "w"}}]}},
        "agent": {"w": agent(&["line Done.", "idle"], json!({}))},
    });
    let book = house.sandbox.file("book.json", book.to_string());
    let id = house.sandbox.ok(&["job", "start", &book]);
    let status = || house.sandbox.json(&["item", "show", "bd-7", "--json"])["status"].clone();
    let asked = house.asked_for(&id, "idle");
    assert_eq!(asked["blocks"], json!(["bd-7"]));
    assert_eq!(status(), "blocked");
    // Who knows only the item finds what blocks it.
    let point = house.sandbox.json(&["bd", "--json", "decision", "show", "bd-7"]);
    assert_eq!((&point["id"], &point["issue_id"]), (&asked["id"], &json!("bd-7")), "{point:#}");
    let listed = house.sandbox.json(&["bd", "decision", "list", "--json"]);
    assert_eq!(listed, json!([point]));
    let table = house.sandbox.ok(&["bd", "decision", "list"]);
    assert!(table.contains("bd-7"), "{table}");
    let way = house.sandbox.ok(&["oj", "job", "show", &id]);
    assert!(way.contains("see it: hold oj decision show dcn-"), "{way}");
    house.answer(&asked, "done", &[]);
    house.until_status(&id, "done");
    assert_eq!(status(), "open");
}
