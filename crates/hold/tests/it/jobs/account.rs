//! What an agent in a job finds: a credential of its own, no way to the store, and, where the settings say so, an account
//! of its own.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use serde_json::{Value, json};

use super::JobServer;
use crate::process::TIMEOUT;
use crate::sandbox::{HOLD, Sandbox};
use crate::serving::Serving;

impl JobServer {
    /// A server whose settings run agents by a command.
    fn running_as(words: &[&str]) -> Self {
        let sandbox = Sandbox::new().looking();
        // Another account must be able to come this far.
        std::fs::set_permissions(sandbox.path(""), std::fs::Permissions::from_mode(0o777)).unwrap();
        sandbox.settings(&format!("[hooks]\ndesktop = false\n[jobs]\nas = {}\n", json!(words)));
        let server = Serving::start(&sandbox);
        Self { sandbox, server: Some(server) }
    }

    /// Waits until an agent has left a file, and returns it.
    #[track_caller]
    fn left(&self, name: &str) -> String {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Ok(text) = std::fs::read_to_string(self.path(name)) {
                return text;
            }
            assert!(Instant::now() < deadline, "{name} is not left: {}", self.sandbox.run(&["job", "list"]));
        }
    }
}

fn variable<'a>(environment: &'a str, name: &str) -> Option<&'a str> {
    environment.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
}

/// An agent that tries what it should not be able to do, says so, and then asks leave.
fn busy(house: &JobServer, question: &str) -> Value {
    let keys = house.sandbox.home();
    let run = format!(
        "env > env.new; id -u > who; cat {keys}/local.token > stolen 2>/dev/null; \
         {HOLD} answer {question} yes > answered 2>&1; echo $? >> answered; \
         {HOLD} token create --name x --role admin > made 2>&1; echo $? >> made; \
         {HOLD} ask 'May I?' -o a:A -o b:B --no-wait > asked 2>&1; mv env.new env; \
         printf 'Delete A? [y/n] '; read a; echo \"heard:$a\" > heard.new; mv heard.new heard; exec sleep 98765",
        keys = keys.display()
    );
    json!({ "run": run, "idle_after": "1s" })
}

#[test]
fn an_agent_acts_by_a_token_of_its_own_and_cannot_answer() {
    let house = JobServer::new();
    let question = house.sandbox.ok(&["ask", "Deploy?", "-o", "yes:Yes", "-o", "later:Later", "--no-wait"]);
    let id = house.start(&busy(&house, &question));
    let environment = house.left("env");
    for name in ["HOLD_HOME", "HOLD_STORE"] {
        assert_eq!(variable(&environment, name), None, "{environment}");
    }
    assert_eq!(variable(&environment, "HOLD_URL"), Some(house.server.as_ref().unwrap().url.as_str()));
    let token = variable(&environment, "HOLD_TOKEN").unwrap().to_owned();
    assert!(!house.left("answered").trim().ends_with('0'), "{}", house.left("answered"));
    assert!(!house.left("made").trim().ends_with('0'), "{}", house.left("made"));
    assert_eq!(house.sandbox.json(&["show", &question, "--json"])["status"], "pending");
    assert_eq!(house.sandbox.json(&["show", house.left("asked").trim(), "--json"])["status"], "pending");
    // The person who is to consent, or looks at the job, reads how far this goes.
    let card = house.asked_for(&id, "approval");
    let plain = "answer for you";
    assert_eq!(card["same_account"], true, "{card:#}");
    let named = card["id"].as_str().unwrap();
    assert!(house.sandbox.ok(&["show", named]).contains("could answer for you"));
    assert!(house.sandbox.ok(&["job", "show", &id]).contains(plain));
    // The token is the job's, and ends with it.
    let agent = house.nobody().bearing(&token);
    let own = json!({"prompt": "May I?", "subject": "rm -rf /", "fields": [{"id": "c", "kind": "confirm", "label": "May I?",
        "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]}]});
    let asked = agent.post("/v1/decisions", &own).is(201).json();
    assert_eq!((&asked["same_account"], &asked["prompt"]), (&json!(true), &json!("May I?")), "{asked:#}");
    // So does a person who is only asked something.
    let plain = json!({"prompt": "Which?", "fields": [{"id": "t", "kind": "text", "label": "Which?"}]});
    let plain = agent.post("/v1/decisions", &plain).is(201).id();
    assert!(house.sandbox.ok(&["show", &plain]).contains("could answer for you"));
    let path = format!("/v1/decisions/{}", asked["id"].as_str().unwrap());
    let revised = agent.send("PATCH", &path, Some(&json!({"prompt": "Now?"}))).is(200).json();
    assert_eq!(revised["same_account"], true, "{revised:#}");
    let forged = json!({"prompt": "May I?", "same_account": false, "fields": own["fields"]});
    agent.post("/v1/decisions", &forged).is(422);
    agent.get("/v1/decisions").is(200);
    agent.post("/v1/decisions", &json!({"prompt": "x", "project": "other", "fields": [{"id": "t", "kind": "text", "label": "x"}]})).refuses(403, "forbidden");
    house.sandbox.ok(&["job", "cancel", &id]);
    house.until_status(&id, "cancelled");
    let deadline = Instant::now() + TIMEOUT;
    while agent.get("/v1/decisions").status != 401 {
        assert!(Instant::now() < deadline, "the token still counts");
    }
    // Nobody would hear what is answered to it now.
    for asked in [house.left("asked").trim(), &plain, asked["id"].as_str().unwrap()] {
        let held = house.sandbox.run(&["wait", asked, "--timeout", "60s", "--json"]).exits(6);
        assert!(held.out.contains("the session that asked has ended"), "{held}");
    }
}

/// A program before the agent's command sees all that is started, and no secret in its arguments.
#[test]
fn the_settings_words_stand_before_all_that_a_job_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (program, calls) = (folder.path().join("as"), folder.path().join("calls"));
    // As those that change the account do, it hands no environment on.
    let script =
        format!("#!/bin/sh\necho \"$@\" >> {}\nexec env -i PATH=\"$PATH\" HOME=/ \"$@\"\n", calls.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let house = JobServer::running_as(&[program.to_str().unwrap()]);
    let agent = json!({
        "run": "env > env.new; pwd > place; mv env.new env; exit 3", "env": {"MODE": "it's quiet"},
        "on_dead": [{"action": "gate", "run": "env > gate; test -n \"$HOME\""}]
    });
    let id = house.start(&agent);
    house.until_status(&id, "done");
    let environment = house.left("env");
    let token = variable(&environment, "HOLD_TOKEN").unwrap();
    assert_eq!(variable(&environment, "HOLD_JOB"), Some(id.as_str()));
    assert_eq!(variable(&environment, "MODE"), Some("it's quiet"));
    assert_eq!(variable(&environment, "HOME"), Some("/"));
    assert_eq!(house.left("place").trim(), house.path("").canonicalize().unwrap().to_str().unwrap());
    let calls = std::fs::read_to_string(calls).unwrap();
    assert!(!calls.contains(token), "others can read the secret:\n{calls}");
    assert!(calls.contains("env > gate"), "{calls}");
    assert_eq!(variable(&house.left("gate"), "HOLD_HOME"), None);
    assert!(house.sandbox.ok(&["job", "show", &id]).contains("an account of their own"));
}

const NOBODY: [&str; 5] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

#[test]
#[cfg_attr(not(root), ignore = "only root can act under another account")]
fn an_agent_under_another_account_cannot_reach_the_keys_and_is_ended() {
    let house = JobServer::running_as(&NOBODY);
    let question = house.sandbox.ok(&["ask", "Deploy?", "-o", "yes:Yes", "-o", "later:Later", "--no-wait"]);
    let id = house.start(&busy(&house, &question));
    let environment = house.left("env");
    assert_eq!(house.left("who").trim(), "65534");
    assert_eq!(house.left("stolen"), "");
    assert!(variable(&environment, "HOLD_TOKEN").is_some());
    assert!(!house.left("answered").trim().ends_with('0'), "{}", house.left("answered"));
    let card = house.asked_for(&id, "approval");
    assert_eq!(card.get("same_account"), None, "{card:#}");
    house.answer(&card, "approve", &[]);
    assert_eq!(house.left("heard"), "heard:y\n");
    let mine = || {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let here = house.path("").canonicalize().unwrap();
        entries
            .filter(|entry| {
                std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == here)
                    && std::fs::read(entry.path().join("cmdline"))
                        .is_ok_and(|line| line.starts_with(b"sleep\x0098765"))
            })
            .count()
    };
    let deadline = Instant::now() + TIMEOUT;
    while mine() == 0 {
        assert!(Instant::now() < deadline, "it does not sleep");
    }
    house.sandbox.ok(&["job", "cancel", &id]);
    house.until_status(&id, "cancelled");
    assert_eq!(mine(), 0, "it still runs");
}

/// What it wrote in a worktree of its own is proposed like any other's.
#[test]
#[cfg_attr(not(root), ignore = "only root can act under another account")]
fn what_another_account_wrote_is_proposed() {
    let house = JobServer::running_as(&NOBODY);
    let (repo, trees) = (house.path("repo"), house.path("trees"));
    std::fs::create_dir(&trees).unwrap();
    std::os::unix::fs::symlink(&trees, house.sandbox.home().join("worktrees")).unwrap();
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]).args(words).arg("--quiet");
        assert!(command.env("GIT_CONFIG_GLOBAL", "/dev/null").status().unwrap().success());
    };
    let at = repo.to_str().unwrap();
    git(&["init", "-b", "main", at]);
    git(&["-C", at, "commit", "--allow-empty", "-m", "first"]);
    let book = json!({
        "job": {"b": {"worktree": true, "steps": [{"name": "work", "run": {"agent": "w"}}]}},
        "agent": {"w": {"run": "id -u > new.txt", "on_dead": [{"match": 0, "action": "done"}]}},
    });
    let book = house.sandbox.file("tree.json", book.to_string());
    let id = house.sandbox.ok(&["job", "start", &book, "--cwd", at]);
    house.until_status(&id, "done");
    let deadline = Instant::now() + TIMEOUT;
    let patch = loop {
        let run = house.api().get(&format!("/v1/jobs/{id}/run")).is(200).json();
        if let Some(patch) = run["patchsets"].as_array().and_then(|all| all.first()) {
            break patch.clone();
        }
        assert!(Instant::now() < deadline, "nothing is proposed: {run:#}");
    };
    assert_eq!(patch["touched"][0]["path"], "new.txt", "{patch:#}");
}
