//! A retry of what a job did starts the job again, once, with what was said.

use serde_json::{Value, json};

use super::JobServer;
use super::attempts::{start, until};
use crate::sandbox::{HOLD, at};

/// A job that leaves a change and what it was told.
fn book() -> Value {
    json!({"job": {"make": {"worktree": true, "vars": {"word": "two"}, "steps": [
        {"name": "first", "run": "echo \"$HOLD_MESSAGE\" > told-first"},
        {"name": "make", "run": "echo ${var.word} >> a.txt; echo \"$HOLD_MESSAGE\" > told; echo $HOLD_RUN > run-id"},
    ]}}})
}

/// The job that tries another again.
fn next(house: &JobServer, id: &str) -> String {
    let job = house.until(id, "another job", |job| job["next"].is_string());
    job["next"].as_str().unwrap().to_owned()
}

fn read(house: &JobServer, job: &str, name: &str) -> String {
    let file = house.sandbox.home().join("worktrees").join(job).join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
}

fn retry(house: &JobServer, run: &Value, more: &[&str]) {
    let decision = run["decision"].as_str().unwrap();
    house
        .sandbox
        .run(&[&["answer", decision, "--set", "verdict=retry", "-m", "Say it twice."], more].concat())
        .exits(0);
}

#[test]
fn a_retry_starts_it_again_with_the_same_values_and_what_was_said() {
    let house = JobServer::new();
    let id = start(&house, &book());
    house.until_status(&id, "done");
    let first = until(&house, |run| run["status"] == "finished");
    at(&first, "/job", id.as_str());
    retry(&house, &first, &[]);
    let again = next(&house, &id);
    let job = house.until_status(&again, "done");
    at(&job, "/again/job", id.as_str());
    at(&job, "/again/attempt", 2);
    at(&job, "/vars/word", "two");
    let run = until(&house, |run| run["status"] == "finished" && run["id"] != first["id"]);
    at(&run, "/job", again.as_str());
    at(&run, "/guidance", "Say it twice.");
    assert_eq!(
        (&run["task"], &run["base"], &run["id"]),
        (&first["task"], &first["base"], &job["again"]["run"])
    );
    assert_eq!(read(&house, &again, "run-id").trim(), run["id"].as_str().unwrap());
    for told in ["told", "told-first"] {
        assert_eq!(read(&house, &again, told), "Say it twice.\n");
    }
    // From the same commit, not on top of what was tried before.
    assert_eq!(read(&house, &again, "a.txt"), "one\ntwo\n");
    let listed = house.sandbox.ok(&["job", "list", "--status", "all"]);
    assert!(listed.contains("make (attempt 2)"), "{listed}");
    let shown = house.sandbox.ok(&["job", "show", &id]);
    assert!(shown.contains(&format!("tried again as {again}")), "{shown}");
    let shown = house.sandbox.ok(&["job", "show", &again]);
    let named = run["id"].as_str().unwrap();
    assert!(shown.contains(&format!("Run:      {}", &named[named.len() - 8..])), "{shown}");
    assert!(shown.contains(&format!("{id} again, attempt 2")) && shown.contains("Say it twice."), "{shown}");
    assert_eq!(house.sandbox.json(&["run", "list", "--json"]).as_array().unwrap().len(), 2);
    house.sandbox.is_well();
}

#[test]
fn parameters_that_name_its_variables_set_them() {
    let house = JobServer::new();
    let id = start(&house, &book());
    house.until_status(&id, "done");
    let first = until(&house, |run| run["status"] == "finished");
    retry(&house, &first, &["--set", "parameters=word=three"]);
    let again = next(&house, &id);
    house.until_status(&again, "done");
    assert_eq!(read(&house, &again, "a.txt"), "one\nthree\n");
    assert_eq!(read(&house, &again, "told"), "Say it twice.\n\nParameters: word=three\n");
}

#[test]
fn whoever_is_killed_it_is_started_once() {
    let mut house = JobServer::new();
    let id = start(&house, &book());
    house.until_status(&id, "done");
    let first = until(&house, |run| run["status"] == "finished");
    // No server supervises anything while the verdict is given.
    house.server.take().unwrap().kill();
    retry(&house, &first, &[]);
    let again = next(&house, &id);
    at(&house.job(&again), "/status", "pending");
    let decision = first["decision"].as_str().unwrap();
    house.sandbox.run(&["run", "carry", decision]).exits(0);
    house.restart();
    house.until_status(&again, "done");
    house.restart();
    let all = house.sandbox.json(&["job", "list", "--status", "all", "--json"]);
    assert_eq!(all.as_array().unwrap().len(), 2, "{all:#}");
    until(&house, |run| run["status"] == "finished" && run["id"] != first["id"]);
    house.sandbox.is_well();
}

#[test]
fn one_that_failed_is_not_let_go_on_beside_its_next_attempt() {
    let house = JobServer::new();
    let book = json!({"job": {"make": {"worktree": true, "steps": [{"name": "make", "run": "echo two >> a.txt; false"}]}}});
    let id = start(&house, &book);
    house.until_status(&id, "failed");
    let first = until(&house, |run| run["status"] == "finished");
    retry(&house, &first, &[]);
    let again = next(&house, &id);
    let said = house.sandbox.run(&["job", "resume", &id]).exits(4);
    assert!(said.err.contains(&again), "{said}");
    // The next attempt goes on instead, and leaves no run open behind it.
    house.until_status(&again, "failed");
    until(&house, |run| run["status"] == "finished" && run["id"] != first["id"]);
    house.sandbox.ok(&["job", "resume", &again]);
    house.until(&again, "its second failure", |job| {
        job["status"] == "failed" && job["history"].as_array().unwrap().len() == 2
    });
    let newest = until(&house, |run| run["standing"]["is"] == "waiting");
    let runs = house.sandbox.json(&["run", "list", "--json"]);
    let standings: Vec<&str> =
        runs.as_array().unwrap().iter().map(|run| run["standing"]["is"].as_str().unwrap()).collect();
    assert_eq!(standings, ["waiting", "withdrawn", "retried"], "{newest:#}");
}

#[test]
fn one_that_still_works_goes_on_with_the_next_run_itself() {
    let house = JobServer::new();
    let finish = format!(
        "echo two >> a.txt; '{HOLD}' run patch --from-worktree . --run $HOLD_RUN && '{HOLD}' run finish --run $HOLD_RUN && \
         '{HOLD}' run wait $HOLD_RUN > said; echo $? >> said; rm a.txt; git checkout a.txt"
    );
    let book = json!({"job": {"make": {"worktree": true, "steps": [
        {"name": "try", "run": finish},
        {"name": "more", "run": "echo three >> a.txt; echo $HOLD_RUN > run-id"},
    ]}}});
    let id = start(&house, &book);
    let first = until(&house, |run| run["status"] == "finished");
    retry(&house, &first, &[]);
    house.until_status(&id, "done");
    assert_eq!(read(&house, &id, "said"), "retry\n8\n");
    let run = until(&house, |run| run["status"] == "finished" && run["id"] != first["id"]);
    at(&run, "/job", id.as_str());
    assert_eq!(read(&house, &id, "run-id").trim(), run["id"].as_str().unwrap());
    assert_eq!(
        house.sandbox.json(&["job", "list", "--status", "all", "--json"]).as_array().unwrap().len(),
        1
    );
    assert_eq!(house.sandbox.json(&["run", "list", "--json"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_deleted_job_takes_a_clean_worktree_with_it_and_says_where_another_stays() {
    let house = JobServer::new();
    let id = start(&house, &book());
    house.until_status(&id, "done");
    until(&house, |run| run["status"] == "finished");
    let worktree = house.sandbox.home().join("worktrees").join(&id);
    let said = house.sandbox.run(&["job", "delete", &id]).exits(0);
    assert!(said.err.contains(worktree.to_str().unwrap()), "{said}");
    assert!(worktree.is_dir());
    // The question about its run went with it, and is not named any more.
    let list = house.sandbox.ok(&["run", "list"]);
    assert!(
        list.contains("unanswered (the question about it ended without an answer)") && !list.contains("dcn-"),
        "{list}"
    );
    let book = json!({"job": {"make": {"worktree": true, "verdict": false, "steps": [
        {"name": "make", "run": "sleep 60"},
    ]}}});
    let file = house.sandbox.file("c.json", book.to_string());
    let repo = house.path("repo").display().to_string();
    let id = house.sandbox.ok(&["job", "start", &file, "--cwd", &repo]);
    house.until_status(&id, "running");
    house.sandbox.ok(&["job", "cancel", &id]);
    house.until_status(&id, "cancelled");
    let said = house.sandbox.run(&["job", "delete", &id]).exits(0);
    assert!(!said.err.contains("worktree"), "{said}");
    assert!(!house.sandbox.home().join("worktrees").join(&id).exists());
    let branches = house.sandbox.shell("cd repo && git branch --list 'hold/*'").exits(0).out;
    assert!(!branches.contains(&id), "{branches}");
}

#[test]
fn a_deleted_job_says_which_branch_stays() {
    let house = JobServer::new();
    let commit = "echo two >> a.txt && git -c user.name=a -c user.email=a@example.org commit -qam two";
    let book = json!({"job": {"make": {"worktree": true, "verdict": false, "steps": [{"name": "make", "run": commit}]}}});
    let id = start(&house, &book);
    house.until_status(&id, "done");
    let said = house.sandbox.run(&["job", "delete", &id]).exits(0);
    assert!(said.err.contains(&format!("git branch -D hold/{id}")), "{said}");
    assert!(!house.sandbox.home().join("worktrees").join(&id).exists());
    house.sandbox.shell(&format!("cd repo && git branch -D hold/{id}")).exits(0);
}

/// A filter of the repository is run where the files are, and this one is one of them.
#[test]
fn what_an_agent_left_for_a_filter_to_run_is_not_run_by_the_server() {
    let house = JobServer::new();
    let write = "echo 'touch ran; cat' > clean.sh; git ls-files --eol a.txt; \
                 git config filter.own.clean 'sh ./clean.sh'; tr a-z n-za-m < a.txt > b && cat b > a.txt && rm b; \
                 echo 'a.txt filter=own' > \"$(git rev-parse --git-common-dir)/info/attributes\"; echo clean.sh >> \"$(git rev-parse --git-common-dir)/info/exclude\"";
    let book = json!({"job": {"make": {"worktree": true, "verdict": false, "steps": [{"name": "make", "run": write}]}}});
    let id = start(&house, &book);
    house.until_status(&id, "done");
    let worktree = house.sandbox.home().join("worktrees").join(&id);
    let said = house.sandbox.run(&["job", "delete", &id]).exits(0);
    assert!(said.err.contains(worktree.to_str().unwrap()), "what is new stays: {said}");
    assert!(worktree.join("clean.sh").exists() && !worktree.join("ran").exists());
}

#[test]
fn a_deleted_job_takes_the_branch_that_its_agent_committed_to() {
    let house = JobServer::new();
    let commit = "echo two >> a.txt && git -c user.name=a -c user.email=a@example.org commit -qam two";
    let book = json!({"job": {"make": {"worktree": true, "steps": [{"name": "make", "run": commit}]}}});
    let id = start(&house, &book);
    house.until_status(&id, "done");
    let run = until(&house, |run| run["status"] == "finished");
    let branches = || house.sandbox.shell("cd repo && git branch --list").exits(0).out;
    assert!(branches().contains(&id), "{}", branches());
    let decision = run["decision"].as_str().unwrap();
    house.sandbox.ok(&["answer", decision, "--set", "verdict=commit", "--set", "patchset=1"]);
    until(&house, |run| run["status"] == "decided");
    house.sandbox.ok(&["job", "delete", &id]);
    assert!(!branches().contains(&id) && branches().contains("holdpoint/"), "{}", branches());
}

#[test]
fn what_is_newer_than_what_was_committed_stays_when_a_job_is_deleted() {
    let house = JobServer::new();
    let write = format!(
        "echo two >> a.txt && '{HOLD}' run patch --from-worktree . --run $HOLD_RUN && echo three >> a.txt"
    );
    let book = json!({"job": {"make": {"worktree": true, "steps": [{"name": "make", "run": write}]}}});
    let id = start(&house, &book);
    house.until_status(&id, "done");
    let run = until(&house, |run| run["status"] == "finished");
    assert_eq!(run["patchsets"].as_array().unwrap().len(), 2, "{run:#}");
    let decision = run["decision"].as_str().unwrap();
    house.sandbox.ok(&["answer", decision, "--set", "verdict=commit", "--set", "patchset=1"]);
    until(&house, |run| run["status"] == "decided");
    let worktree = house.sandbox.home().join("worktrees").join(&id);
    let said = house.sandbox.run(&["job", "delete", &id]).exits(0);
    assert!(said.err.contains("has uncommitted work, so it was kept"), "{said}");
    assert_eq!(std::fs::read_to_string(worktree.join("a.txt")).unwrap(), "one\ntwo\nthree\n");
    // What it says to do leaves nothing behind.
    let command =
        said.err.lines().find_map(|line| line.strip_prefix("To remove it and its branch: ")).unwrap();
    assert!(
        command.starts_with("git worktree remove --force ")
            && command.ends_with(&format!("git branch -D hold/{id}"))
    );
    house.sandbox.shell(&format!("cd repo && {command}")).exits(0);
    assert!(!worktree.exists());
    let branches = house.sandbox.shell("cd repo && git branch --list").exits(0).out;
    assert!(!branches.contains(&id), "{branches}");
}
