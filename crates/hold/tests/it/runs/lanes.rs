//! Verdicts side by side: a repository that is slow holds up nobody else, and nothing is carried out twice at once.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::shop::Shop;
use crate::browser::Served;
use crate::process::TIMEOUT;
use crate::sandbox::at;

/// Makes the repository's hook write down that it runs, and then do something.
fn hook(shop: &Shop, then: &str) -> PathBuf {
    let (hook, started) = (shop.repo().join(".git/hooks/pre-commit"), shop.sandbox.path("started"));
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\necho $$ >> {}\n{then}\n", started.display())).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    started
}

fn until(what: &str, is: impl Fn() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !is() {
        assert!(Instant::now() < deadline, "{what} never was so");
        std::thread::yield_now();
    }
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn answer(server: &Served, decision: &str, values: &Value) {
    let digest = server.api("GET", &format!("/v1/decisions/{decision}"), &json!({}))["digest"].clone();
    let answer = json!({ "values": values, "digest": digest });
    server.api("POST", &format!("/v1/decisions/{decision}/answer"), &answer);
}

fn ended(server: &Served, run: &str) -> Value {
    server.api("GET", &format!("/v1/runs/{run}/wait?timeout=30s"), &json!({}))
}

#[test]
fn a_slow_hook_holds_up_only_its_own_repository_and_runs_once() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let go = shop.sandbox.path("go");
    let other = shop.sandbox.path("other");
    let cloned = format!("git clone -q {} {}", shop.repo().display(), other.display());
    assert_eq!(shop.sandbox.shell(&cloned).code, 0);
    let (slow, slow_asked) = shop.asked();
    let (given_up, given_up_asked) = shop.asked();
    let task = ["run", "start", "--task", "Elsewhere", "--repo", other.to_str().unwrap()];
    let quick = shop.sandbox.ok(&task).trim().to_owned();
    let patch = shop.sandbox.path("x.patch");
    shop.sandbox.ok(&["run", "patch", patch.to_str().unwrap(), "--run", &quick]);
    let quick_asked = shop.sandbox.ok(&["run", "finish", "--run", &quick]).trim().to_owned();
    let commit = |run: &str| json!({"verdict": "commit", "patchset": shop.show(run)["patchsets"][0]["id"]});
    let [slow_commit, quick_commit] = [&slow, &quick].map(|run| commit(run));
    let started = hook(&shop, &format!("while [ ! -e {} ]; do sleep 0.05; done", go.display()));

    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    answer(&server, &slow_asked, &slow_commit);
    until("the hook", || lines(&started).len() == 1);
    answer(&server, &quick_asked, &quick_commit);
    answer(&server, &given_up_asked, &json!({"verdict": "abandon"}));
    at(&ended(&server, &quick), "/standing/is", "committed");
    at(&ended(&server, &given_up), "/standing/is", "abandoned");

    // A person who wants it done now hears which process is doing it.
    let refused = shop.sandbox.run(&["run", "carry", &slow_asked]).exits(4);
    assert!(refused.err.contains("is being carried out by process "), "{refused}");
    let shown = shop.sandbox.ok(&["run", "show", &slow]);
    assert!(shown.contains("being carried out by process ") && !shown.contains("run carry"), "{shown}");
    assert_eq!(lines(&started).len(), 1, "the hook runs once");
    std::fs::write(&go, "").unwrap();
    at(&ended(&server, &slow), "/standing/is", "committed");
    assert_eq!(lines(&started).len(), 1);
    shop.sandbox.run(&["run", "carry", &slow_asked]).exits(0);
}

#[test]
fn repositories_that_hang_do_not_hold_up_the_others() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let started = shop.sandbox.path("started");
    let patch = shop.sandbox.file("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    let asked = |name: &str, hangs: bool| {
        let place = shop.sandbox.path(name);
        let place = place.to_str().unwrap();
        assert_eq!(shop.sandbox.shell(&format!("git clone -q {} {place}", shop.repo().display())).code, 0);
        if hangs {
            let hook = format!("printf '#!/bin/sh\\necho $$ >> {}\\nsleep 777\\n'", started.display());
            let put = format!("cd {place}/.git/hooks && {hook} > pre-commit && chmod +x pre-commit");
            assert_eq!(shop.sandbox.shell(&put).code, 0);
        }
        let run = shop.sandbox.ok(&["run", "start", "--task", name, "--repo", place]).trim().to_owned();
        shop.sandbox.ok(&["run", "patch", &patch, "--run", &run]);
        let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
        (run, decision)
    };
    let hanging: Vec<_> = (0..8).map(|n| asked(&format!("hangs-{n}"), true)).collect();
    let (quick, quick_asked) = asked("quick", false);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    for (_, decision) in &hanging {
        answer(&server, decision, &json!({"verdict": "commit"}));
    }
    until("all eight hooks", || lines(&started).len() == 8);
    answer(&server, &quick_asked, &json!({"verdict": "commit"}));
    at(&ended(&server, &quick), "/standing/is", "committed");
    for (run, _) in &hanging {
        at(&shop.show(run), "/standing/is", "carrying");
    }
    // Nobody waits for them any more; and the next process for one of them would end its hook.
    drop(server);
    for hook in lines(&started) {
        shop.sandbox.shell(&format!("kill -9 {hook}"));
    }
}

#[test]
fn a_git_that_is_ended_takes_its_hook_along() {
    let mut shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let started = hook(&shop, "sleep 777");
    shop.sandbox = shop.sandbox.with("HOLD_GIT_TIMEOUT", "3s");
    let ran = shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(4);
    assert!(ran.err.contains("git commit took longer than 3s and was ended"), "{ran}");
    let hook = lines(&started).pop().unwrap();
    until("the hook's end", || {
        let status = std::fs::read_to_string(format!("/proc/{hook}/status")).unwrap_or_default();
        status.is_empty() || status.contains("State:\tZ")
    });
    at(&shop.show(&run), "/standing/is", "waiting");
}

#[test]
fn a_lock_that_stays_is_named_and_not_waited_for_long() {
    let shop = Shop::new();
    let (first, second) = (shop.asked(), shop.asked());
    let lock = shop.repo().join(".git/packed-refs.lock");
    let commits = [&first, &second].map(|(run, decision)| shop.commit(run, decision));
    std::fs::write(&lock, "").unwrap();
    let began = Instant::now();
    for words in commits {
        let ran = shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
        assert!(ran.err.contains("packed-refs.lock is there"), "{ran}");
        assert!(ran.err.contains(&format!("hold run carry {}", words[1])), "{ran}");
    }
    assert!(began.elapsed() < Duration::from_secs(30), "it took {:?}", began.elapsed());
    std::fs::remove_file(&lock).unwrap();
    for (run, decision) in [&first, &second] {
        shop.sandbox.ok(&["run", "carry", decision]);
        at(&shop.show(run), "/standing/is", "committed");
    }
    super::killed::is_clean(&shop);
}
