//! Steering jobs, from the command line and over HTTP.

use serde_json::{Value, json};

use super::{House, agent};
use crate::sandbox::Sandbox;
use crate::serving::{Serving, block_on};

#[test]
fn commands_run_one_after_the_other() {
    let house = House::new();
    let book = json!({"job": {
        "all": {"vars": {"who": "you"}, "steps": {
            "one": {"run": "echo one ${var.who} >> out.txt"},
            "two": {"run": "exit 3", "on_fail": "mend"},
            "never": {"run": "echo never >> out.txt"},
            "mend": {"run": {"job": "part", "vars": {"word": "from ${job.name}"}}},
        }},
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

#[test]
fn a_failure_says_why_and_resume_tries_again() {
    let house = House::new();
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
    let house = House::new();
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
    let house = House::new();
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
    let house = House::new();
    let server = house.server.as_ref().unwrap();
    let token = std::fs::read_to_string(house.sandbox.home().join("local.token")).unwrap();
    let client = reqwest::Client::new();
    let call = |method: reqwest::Method, path: &str, body: Value| {
        let url = format!("{}{path}", server.url);
        let request = client.request(method, url).bearer_auth(token.trim()).json(&body);
        block_on(async {
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            (status, response.json::<Value>().await.unwrap_or_default())
        })
    };
    use reqwest::Method;
    let book = std::fs::read_to_string(house.book(&agent(&["line Ready", "idle"], json!({})))).unwrap();
    let cwd = house.path("").display().to_string();
    let start = json!({"runbook": book, "format": "json", "cwd": cwd});
    let (status, job) = call(Method::POST, "/v1/jobs", start.clone());
    assert_eq!((status, &job["status"]), (201, &json!("pending")), "{job}");
    assert!(job.get("runbook").is_none());
    let id = job["id"].as_str().unwrap();
    let decision = house.asked_for(id, "idle");
    let path = format!("/v1/decisions/{}/answer", decision["id"].as_str().unwrap());
    let (status, _) = call(Method::POST, &path, json!({"choice": "done"}));
    assert_eq!(status, 200);
    house.until_status(id, "done");
    let (status, listed) = call(Method::GET, "/v1/jobs?status=done", json!({}));
    assert_eq!((status, listed["items"].as_array().unwrap().len()), (200, 1));
    let (status, _) = call(Method::DELETE, &format!("/v1/jobs/{id}"), json!({}));
    assert_eq!(status, 200);
    let wrong = json!({"runbook": "job \"b\" {\n  stp \"a\" {}\n}", "format": "hcl", "cwd": cwd});
    let (status, problem) = call(Method::POST, "/v1/jobs", wrong);
    assert_eq!((status, &problem["errors"][0]["field"]), (422, &json!("runbook:1:5")), "{problem:#}");
    // A runbook is a program: neither agents nor people elsewhere start one.
    for role in [holdpoint_core::Role::Agent, holdpoint_core::Role::Person] {
        let secret = server.token(role, &[]);
        let url = format!("{}/v1/jobs", server.url);
        let sent = block_on(client.post(url).bearer_auth(secret).json(&start).send()).unwrap();
        assert_eq!(sent.status().as_u16(), 403);
    }
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
    let house = House::new();
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
