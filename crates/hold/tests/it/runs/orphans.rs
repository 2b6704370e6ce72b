//! Gits and hooks that outlive their parent: ended before the next is started, so that no hook runs beside another.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;

use super::killed::is_clean;
use super::shop::Shop;
use crate::browser::Served;
use crate::process::TIMEOUT;
use crate::sandbox::at;

/// Puts a hook in its place that writes down `started PID`, `beside PID` for each one before it that lives, does something,
/// and writes down `ended PID`.
fn hook(shop: &Shop, name: &str, body: &str) -> PathBuf {
    let (hook, told) = (shop.repo().join(".git/hooks").join(name), shop.sandbox.path("told"));
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let script = format!(
        "#!/bin/sh\n\
         for pid in $(sed -n 's/^started //p' {told}); do\n\
           grep -q '^State:.[^ZX]' /proc/$pid/status && echo beside $pid >> {told}\n\
         done 2> /dev/null\n\
         echo started $$ >> {told}\n{body}\necho ended $$ >> {told}\n",
        told = told.display()
    );
    std::fs::write(&hook, script).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    told
}

fn told(path: &PathBuf, word: &str) -> Vec<String> {
    let all = std::fs::read_to_string(path).unwrap_or_default();
    all.lines().filter_map(|line| Some(line.strip_prefix(word)?.trim().to_owned())).collect()
}

fn until(what: &str, is: impl Fn() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !is() {
        assert!(Instant::now() < deadline, "{what} never was so");
        std::thread::yield_now();
    }
}

fn lives(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    !status.is_empty() && !status.contains("State:\tZ")
}

/// Exactly one commit is there, and the record says so.
fn is_committed_once(shop: &Shop, run: &str) {
    let ended = shop.show(run);
    at(&ended, "/standing/is", "committed");
    let (branch, commit) = (ended["branch"].as_str().unwrap(), ended["verdict"]["commit"].as_str().unwrap());
    assert_eq!(shop.git(&["rev-parse", branch]), commit);
    assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{branch}")]), "1");
    is_clean(shop);
    shop.git(&["fsck", "--strict"]);
    shop.sandbox.is_well();
}

#[test]
fn a_server_killed_in_a_hook_leaves_none_that_runs_beside_the_next() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = shop.asked();
    let patchset = shop.show(&run)["patchsets"][0]["id"].clone();
    let go = shop.sandbox.path("go");
    let hook = hook(&shop, "pre-commit", &format!("while [ ! -e {} ]; do sleep 0.05; done", go.display()));
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let values = json!({ "verdict": "commit", "patchset": patchset });
    let commit = json!({ "values": values, "digest": shop.digest(&decision) });
    server.api("POST", &format!("/v1/decisions/{decision}/answer"), &commit);
    until("the hook", || told(&hook, "started").len() == 1);
    let first = told(&hook, "started").remove(0);
    drop(server);
    assert!(lives(&first), "the hook outlives the server, else this shows nothing");
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    until("the second hook", || told(&hook, "started").len() == 2);
    assert!(!lives(&first));
    std::fs::write(&go, "").unwrap();
    server.api("GET", &format!("/v1/runs/{run}/wait?timeout=30s"), &json!({}));
    is_committed_once(&shop, &run);
    assert_eq!(told(&hook, "beside"), Vec::<String>::new());
    assert_eq!(told(&hook, "ended"), told(&hook, "started")[1..], "the first did not come to its end");
}

/// Answers, waits for the hook, and kills the process that answered; returns run, decision and the hook.
fn killed_while_it_hangs(shop: &Shop, hook: &PathBuf) -> (String, String, String) {
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let mut child =
        shop.sandbox.command(&words.iter().map(String::as_str).collect::<Vec<_>>()).spawn().unwrap();
    until("the hook", || told(hook, "started").len() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let first = told(hook, "started").remove(0);
    assert!(lives(&first));
    (run, decision, first)
}

#[test]
fn a_command_that_was_killed_too_and_a_hook_that_hides() {
    let shop = Shop::new();
    let git = shop.sandbox.path("git.pid");
    // Its git is killed as well, and it says nothing to anyone: all that is known of it is what it was started with.
    let body = format!("echo $PPID > {}; exec 2> /dev/null > /dev/null; sleep 777", git.display());
    let told_by = hook(&shop, "pre-commit", &body);
    let (run, decision, first) = killed_while_it_hangs(&shop, &told_by);
    until("git's number", || std::fs::read_to_string(&git).is_ok_and(|pid| pid.ends_with('\n')));
    let pid = std::fs::read_to_string(&git).unwrap();
    assert_eq!(shop.sandbox.shell(&format!("kill -9 {}", pid.trim())).code, 0);
    until("git's end", || !lives(pid.trim()));
    assert!(lives(&first));
    hook(&shop, "pre-commit", "true");
    shop.sandbox.ok(&["run", "carry", &decision]);
    assert!(!lives(&first));
    assert_eq!(told(&told_by, "beside"), Vec::<String>::new());
    is_committed_once(&shop, &run);
}

#[test]
fn what_a_hook_starts_for_good_is_left_alone() {
    let shop = Shop::new();
    let daemon = shop.sandbox.path("daemon");
    let body = format!(
        "setsid sh -c 'echo $$ > {0}.new; mv {0}.new {0}; exec sleep 777' > /dev/null 2>&1 < /dev/null &\n\
         sleep 777",
        daemon.display()
    );
    let told_by = hook(&shop, "pre-commit", &body);
    let (run, decision, first) = killed_while_it_hangs(&shop, &told_by);
    until("the daemon", || daemon.exists());
    let started = std::fs::read_to_string(&daemon).unwrap().trim().to_owned();
    hook(&shop, "pre-commit", "true");
    shop.sandbox.ok(&["run", "carry", &decision]);
    assert!(!lives(&first));
    assert!(lives(&started));
    shop.sandbox.shell(&format!("kill {started}"));
    is_committed_once(&shop, &run);
}

#[test]
fn a_hook_of_refs_ends_with_the_git_that_ran_it() {
    let mut shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let hook_of_refs = hook(&shop, "reference-transaction", "[ $1 = prepared ] && sleep 777");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Ended because it takes too long.
    shop.sandbox = shop.sandbox.with("HOLD_GIT_TIMEOUT", "2s");
    let ran = shop.sandbox.run(&words).exits(4);
    assert!(ran.err.contains("took longer than 2s and was ended"), "{ran}");
    let hooks = told(&hook_of_refs, "started");
    assert!(!hooks.is_empty());
    until("the hooks' end", || hooks.iter().all(|pid| !lives(pid)));
    at(&shop.show(&run), "/standing/is", "waiting");
    std::fs::remove_file(shop.repo().join(".git/hooks/reference-transaction")).unwrap();
    let again = shop.show(&run)["decision"].as_str().unwrap().to_owned();
    let words = shop.commit(&run, &again);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    at(&shop.show(&run), "/standing/is", "committed");
}

#[test]
fn a_hook_of_refs_that_outlived_everybody_is_ended_by_the_next() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let hook_of_refs = hook(&shop, "reference-transaction", "[ $1 = prepared ] && sleep 777");
    let mut child =
        shop.sandbox.command(&words.iter().map(String::as_str).collect::<Vec<_>>()).spawn().unwrap();
    let sleeps = || {
        let hooks = told(&hook_of_refs, "started");
        hooks.iter().find(|pid| lives(pid) && !told(&hook_of_refs, "ended").contains(pid)).cloned()
    };
    until("the hook", || sleeps().is_some());
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(shop.repo().join(".git/hooks/reference-transaction")).unwrap();
    let left = told(&hook_of_refs, "started");
    shop.sandbox.ok(&["run", "carry", &decision]);
    assert!(left.iter().all(|pid| !lives(pid)), "{left:?}");
    is_committed_once(&shop, &run);
}

/// Ctrl-C reaches the command alone, for git leads a group of its own.
#[test]
fn a_command_that_is_interrupted_takes_its_hook_along() {
    let shop = Shop::new();
    let told_by = hook(&shop, "pre-commit", "sleep 777");
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let child = shop.sandbox.command(&words).stderr(std::process::Stdio::piped()).spawn().unwrap();
    until("the hook", || told(&told_by, "started").len() == 1);
    assert_eq!(shop.sandbox.shell(&format!("kill -INT {}", child.id())).code, 0);
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains("was interrupted, and ended with the hooks it ran"), "{said}");
    assert_eq!(ended.status.code(), Some(5), "{said}");
    assert!(!said.contains("server"), "none runs: {said}");
    assert_eq!(said.matches("hold run carry").count(), 1, "{said}");
    until("the hook's end", || !lives(&told(&told_by, "started").remove(0)));
    hook(&shop, "pre-commit", "true");
    shop.sandbox.ok(&["run", "carry", &decision]);
    is_committed_once(&shop, &run);
}
