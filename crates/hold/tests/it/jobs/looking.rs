//! Looking at jobs: by name, step by step, suspended, and where nobody supervises them.

use serde_json::{Value, json};

use super::{JobServer, agent};
use crate::sandbox::HOLD;
use crate::terminal::{Colour, Terminal};

fn idle() -> Value {
    agent(&["line Ready", "idle"], json!({}))
}

#[test]
fn a_name_means_the_job_that_has_not_ended() {
    let house = JobServer::new();
    let book = house.book(&idle());
    let start = || house.sandbox.ok(&["job", "start", &book, "--name", "nightly"]);
    let first = start();
    house.sandbox.ok(&["job", "cancel", "nightly"]);
    house.until_status(&first, "cancelled");
    assert!(house.sandbox.ok(&["job", "show", "nightly"]).contains(&first));
    let second = start();
    assert_eq!(house.sandbox.json(&["job", "show", "nightly", "--json"])["id"], second);
    let third = start();
    let refused = house.sandbox.run(&["job", "cancel", "nightly"]).exits(3);
    refused.says("several jobs").says(&second).says(&third);
    house.sandbox.run(&["job", "show", "weekly"]).exits(3);
}

#[test]
fn the_logs_of_every_step_can_be_read() {
    let house = JobServer::new();
    let book = json!({"job": {"three": {"steps": [
        {"name": "one", "run": "echo said by one"},
        {"name": "two", "run": "echo said by two; test -f again || { touch again; exit 1; }", "on_fail": "one"},
        {"name": "three", "run": "echo said by three"},
    ]}}});
    let file = house.sandbox.file("three.json", book.to_string());
    let id = house.sandbox.ok(&["job", "start", &file]);
    house.until_status(&id, "done");
    let logs = |more: &[&str]| house.sandbox.ok(&[&["job", "logs", &id], more].concat());
    assert_eq!(logs(&[]).trim(), "said by three");
    assert_eq!(logs(&["--step", "one"]).trim(), "said by one");
    let all = logs(&["--all"]);
    let said: Vec<&str> = all.lines().filter(|line| line.starts_with("said")).collect();
    assert_eq!(said, ["said by one", "said by two", "said by one", "said by two", "said by three"], "{all}");
    let heads: Vec<&str> = all.lines().filter(|line| line.starts_with("== ")).collect();
    assert!(heads.len() == 5 && heads[1].contains("two") && heads[1].contains("failed"), "{all}");
    assert_eq!(logs(&["--all", "--step", "two"]).matches("said by two").count(), 2);
    house.sandbox.refuses(
        &["job", "logs", &id, "--step", "four"],
        1,
        &["has not started step \"four\"", "three"],
    );
}

#[test]
fn the_logs_of_a_step_that_is_a_job_are_that_jobs() {
    let house = JobServer::new();
    let book = json!({"job": {
        "whole": {"steps": [{"name": "inner", "run": {"job": "part"}}, {"name": "end", "run": "echo said by end"}]},
        "part": {"steps": [{"name": "one", "run": "echo said by one"}, {"name": "two", "run": "echo said by two"}]},
    }});
    let file = house.sandbox.file("whole.json", book.to_string());
    let id = house.sandbox.ok(&["job", "start", &file, "--job", "whole"]);
    house.until_status(&id, "done");
    let inner = house.sandbox.run(&["job", "logs", &id, "--step", "inner"]).exits(0);
    assert_eq!(inner.out.trim(), "said by two", "{inner}");
    // The command that is named works.
    let named =
        inner.err.split("hold job logs ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(house.sandbox.ok(&["job", "logs", &named, "--all"]).contains("said by one"), "{inner}");
    let all = house.sandbox.ok(&["job", "logs", &id, "--all"]);
    let said: Vec<&str> = all.lines().filter(|line| line.starts_with("said")).collect();
    assert_eq!(said, ["said by one", "said by two", "said by end"], "{all}");
    assert!(all.contains("== inner > one ("), "{all}");
}

#[test]
fn what_was_suspended_is_listed_and_so_is_that_nobody_supervises() {
    let mut house = JobServer::new();
    let id = house.start(&idle());
    house.asked_for(&id, "idle");
    house.sandbox.ok(&["job", "suspend", &id]);
    house.until_status(&id, "suspended");
    let listed = house.sandbox.run(&["job", "list"]).exits(0);
    assert!(listed.out.contains(&id) && listed.out.contains("suspended"), "{listed}");
    assert!(!listed.err.contains("supervises"), "{listed}");
    let running = house.start(&idle());
    house.asked_for(&running, "idle");
    house.server.take().unwrap().kill();
    house.sandbox.run(&["job", "list"]).exits(0).says("nobody supervises jobs");
    house.sandbox.run(&["job", "show", &running]).exits(0).says("nobody supervises jobs");
    house.sandbox.run(&["job", "list", "--status", "failed"]).exits(0).says("nobody supervises jobs");
    house.sandbox.run(&["oj", "status"]).exits(0);
}

#[test]
fn attach_says_how_to_leave_on_the_screen_it_paints() {
    let house = JobServer::new();
    let id = house.start(&idle());
    house.asked_for(&id, "idle");
    let mut terminal = Terminal::sized(&house.sandbox, HOLD, &["job", "attach", &id], Colour::No, (24, 80));
    terminal.shows("Ready");
    terminal.shows("Ctrl-] leaves");
    terminal.press("\u{1d}");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn oj_job_and_oj_status_show_the_same_jobs() {
    let house = JobServer::new();
    let book = house.book(&idle());
    let id = house.sandbox.ok(&["oj", "job", "start", &book, "--name", "shop"]);
    let decision = house.asked_for(&id, "idle");
    let status = house.sandbox.ok(&["oj", "status"]);
    assert!(status.lines().next().unwrap().ends_with(" | 1 job | 1 decision pending"), "{status}");
    assert!(status.contains("shop") && status.contains("idle (dcn-"), "{status}");
    let status = house.sandbox.json(&["oj", "status", "-o", "json"]);
    assert_eq!(status["jobs"][0]["source"], "idle", "{status:#}");
    assert_eq!(status["decisions_pending"], 1);
    let listed = house.sandbox.json(&["oj", "job", "list", "-o", "json"]);
    assert_eq!(listed[0]["id"], id);
    assert_eq!(house.sandbox.json(&["oj", "job", "show", "shop", "-o", "json"])["name"], "shop");
    assert!(house.sandbox.ok(&["oj", "job", "logs", "shop"]).contains("Ready"));
    house.sandbox.ok(&["oj", "job", "resume", "--all", "-m", "go on"]);
    house.until_typed("go on\n");
    assert_eq!(house.sandbox.show(decision["id"].as_str().unwrap())["status"], "cancelled");
    house.sandbox.ok(&["oj", "job", "cancel", "shop"]);
    house.until_status(&id, "cancelled");
    assert!(house.sandbox.ok(&["oj", "status"]).trim().ends_with("| 0 jobs"));
}

#[test]
fn what_a_job_shows_names_its_verdict_and_what_to_type() {
    let house = JobServer::new();
    let book =
        json!({"job": {"make": {"worktree": true, "steps": [{"name": "make", "run": "echo two >> a.txt"}]}}});
    let id = crate::jobs::start_in_repo(&house, &book);
    let run = crate::jobs::until_run(&house, |run| run["status"] == "finished");
    let decision = run["decision"].as_str().unwrap();
    let shown = house.sandbox.ok(&["job", "show", &id]);
    assert!(shown.contains(&format!("{decision}  verdict  pending  Verdict on make")), "{shown}");
    assert_eq!(house.sandbox.json(&["job", "show", &id, "--json"])["verdict"]["id"], decision);
    // The list says it in words and not by the names of commits.
    let list = house.sandbox.ok(&["list"]);
    assert!(list.contains("Verdict on make") && !list.contains("base:"), "{list}");
    // Whoever calls it `hold oj` has no `oj`; whose it is stands there in short.
    let shown = house.sandbox.ok(&["oj", "decision", "show", decision]);
    assert!(shown.contains(&format!("Owner:    make ({})\n", &id[..12])), "{shown}");
    assert!(shown.contains(&format!("Use: hold oj decision resolve {decision} ")), "{shown}");
}

#[test]
fn what_is_said_on_leaving_stands_below_the_screen() {
    let house = JobServer::new();
    let id = house
        .start(&json!({"run": r"printf 'one\r\ntwo\r\nthree\033[1;1H'; sleep 1000", "idle_after": "1h"}));
    house.until(&id, "a step", |job| job["history"][0]["step"] == "work");
    let mut terminal = Terminal::sized(&house.sandbox, HOLD, &["job", "attach", &id], Colour::No, (24, 80));
    terminal.shows("three");
    terminal.press("\u{1d}");
    assert_eq!(terminal.end(), 0);
    let screen = terminal.screen();
    assert!(screen.trim_end().ends_with("Left.") && screen.contains("three"), "{screen}");
}
