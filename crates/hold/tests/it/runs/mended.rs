//! What was left behind, left unsaid or let through: each on a real repository.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use super::shop::Shop;
use crate::browser::Served;
use crate::process::TIMEOUT;
use crate::sandbox::at;

/// Puts a hook in its place.
fn hook(shop: &Shop, script: &str) {
    let hook = shop.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Answers with a commit, and is killed in the middle of the hook; returns run and decision.
fn killed_in_a_hook(shop: &Shop) -> (String, String) {
    let reached = shop.sandbox.path("reached");
    hook(shop, &format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 60", reached.display()));
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut child = shop.sandbox.command(&words).spawn().unwrap();
    let deadline = Instant::now() + TIMEOUT;
    while !reached.exists() {
        assert!(Instant::now() < deadline, "the hook was not run");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let sleeps = std::fs::read_to_string(&reached).unwrap();
    shop.sandbox.shell(&format!("kill {}", sleeps.trim()));
    std::fs::remove_file(reached).unwrap();
    hook(shop, "true");
    (run, decision)
}

fn worktrees(shop: &Shop) -> usize {
    shop.git(&["worktree", "list"]).lines().count()
}

#[test]
fn killed_in_a_hook_it_says_so_and_carry_leaves_nothing_behind() {
    let shop = Shop::new();
    let (run, decision) = killed_in_a_hook(&shop);
    assert_eq!(worktrees(&shop), 2, "it was killed too late to tell");
    let other = shop.sandbox.path("other");
    shop.git(&["worktree", "add", "-q", "--detach", other.to_str().unwrap()]);
    std::fs::remove_dir_all(&other).unwrap();
    let shown = shop.sandbox.ok(&["run", "show", &run]);
    assert!(shown.contains("answered (commit by"), "{shown}");
    assert!(shown.contains(&format!("hold run carry {decision}")), "{shown}");
    let waiting = shop.sandbox.ok(&["outbox", "list", "--json"]);
    assert!(waiting.contains(&decision), "{waiting}");
    shop.sandbox.ok(&["run", "carry", &decision]);
    at(&shop.show(&run), "/verdict/verdict", "commit");
    let listed = shop.git(&["worktree", "list", "--porcelain"]);
    assert!(!listed.contains("holdpoint-"), "{listed}");
    assert!(listed.contains("/other"), "what others left is theirs: {listed}");
    let waiting = shop.sandbox.ok(&["outbox", "list", "--json"]);
    assert!(!waiting.contains(&decision), "{waiting}");
    shop.sandbox.is_well();
}

#[test]
fn a_git_that_outlives_whoever_started_it_leaves_nothing_behind() {
    let shop = Shop::new();
    hook(&shop, "true");
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let path = std::env::var("PATH").unwrap();
    let real =
        std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.exists()).unwrap();
    // It kills its caller and goes on writing into the work tree for as long as there is one.
    let script = format!(
        "case \" $* \" in *' read-tree --reset '*)\n\
           kill -9 $PPID; n=0\n\
           while [ ! -e {stop} ] && : > left-$n; do n=$((n + 1)); done\n\
           exit 0 ;;\n\
         esac\n\
         exec {} \"$@\"",
        real.display(),
        stop = shop.sandbox.path("stop").display(),
    );
    shop.sandbox.executable("git", &script);
    let mut command = shop.sandbox.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command.env("PATH", format!("{}:{path}", shop.sandbox.path("bin").display()));
    command.status().unwrap();
    assert_eq!(worktrees(&shop), 2, "it was killed too late to tell");
    shop.sandbox.ok(&["run", "carry", &decision]);
    at(&shop.show(&run), "/verdict/verdict", "commit");
    std::fs::write(shop.sandbox.path("stop"), "").unwrap();
    // The next process takes away what could not be taken away before.
    let deadline = Instant::now() + TIMEOUT;
    while worktrees(&shop) > 1 {
        assert!(Instant::now() < deadline, "{}", shop.git(&["worktree", "list"]));
        let (run, decision) = shop.asked();
        let words = shop.commit(&run, &decision);
        shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    }
    shop.sandbox.is_well();
}

#[test]
fn folders_of_killed_processes_go_with_the_next_verdict() {
    let shop = Shop::new();
    let place = shop.sandbox.path("tmp");
    let folder = |name: &str, age: u64| {
        let folder = place.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let lock = std::fs::File::create(folder.join("lock")).unwrap();
        std::fs::write(folder.join("index"), "x").unwrap();
        let made = std::fs::metadata(&folder).unwrap().modified().unwrap();
        let then = made - std::time::Duration::from_secs(age);
        std::fs::File::open(&folder).unwrap().set_modified(then).unwrap();
        (folder, lock)
    };
    let (left, _) = folder("holdpoint-00000000000000aa", 600);
    let (young, _) = folder("holdpoint-00000000000000bb", 0);
    let (used, lock) = folder("holdpoint-00000000000000cc", 600);
    lock.lock().unwrap();
    let (other, _) = folder("holdpoint-other", 600);
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let mut command = shop.sandbox.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
    crate::process::finish(command.env("TMPDIR", &place), b"").exits(0);
    assert_eq!(
        [&left, &young, &used, &other].map(|folder| folder.exists()),
        [false, true, true, true],
        "only what nobody uses any more"
    );
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 3, "and nothing new is left");
}

#[test]
fn a_server_that_starts_takes_over_at_once() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, _) = killed_in_a_hook(&shop);
    let _server = Served::start(&shop.sandbox, &["--no-auth"]);
    let deadline = Instant::now() + TIMEOUT;
    while shop.show(&run)["status"] != "decided" {
        assert!(Instant::now() < deadline, "{}", shop.show(&run));
    }
    assert_eq!(worktrees(&shop), 1);
}

#[test]
fn a_work_tree_behind_the_base_is_not_taken() {
    let shop = Shop::new();
    let repo = shop.repo();
    let repo = repo.to_str().unwrap();
    let behind = shop.git(&["rev-parse", "HEAD"]);
    shop.git(&["checkout", "-q", "-b", "ahead"]);
    std::fs::write(shop.repo().join("b.txt"), "theirs\n").unwrap();
    shop.git(&["add", "-A"]);
    shop.git(&["commit", "-q", "-m", "theirs"]);
    shop.git(&["checkout", "-q", "main"]);
    let start = ["run", "start", "--task", "t", "--repo", repo, "--branch", "ahead"];
    let run = shop.sandbox.ok(&start).trim().to_owned();
    std::fs::write(shop.repo().join("a.txt"), "one\n2\n").unwrap();
    let patch = ["run", "patch", "--from-worktree", repo, "--run", &run];
    shop.sandbox.refuses(&patch, 1, &["does not contain", &format!("--base {behind}")]);
    shop.git(&["merge", "-q", "--ff-only", "ahead"]);
    shop.sandbox.ok(&patch);
    assert_eq!(shop.show(&run)["patchsets"][0]["touched"].as_array().unwrap().len(), 1);
    // From where the work tree stands, it is joined with what the branch has become.
    let other = [&start[..], &["--base", &behind]].concat();
    let run = shop.sandbox.ok(&other).trim().to_owned();
    shop.git(&["checkout", "-q", "--detach", &behind]);
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo, "--run", &run]);
}

#[test]
fn what_could_not_be_carried_out_fails_and_shows_both_sides() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let branch = shop.show(&run)["branch"].as_str().unwrap().trim_start_matches("refs/heads/").to_owned();
    shop.git(&["checkout", "-q", "-b", &branch]);
    std::fs::write(shop.repo().join("a.txt"), "one\nzwei\n").unwrap();
    shop.git(&["commit", "-q", "-a", "-m", "theirs"]);
    shop.git(&["checkout", "-q", "main"]);
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let said = shop.sandbox.run(&words).exits(4);
    assert!(said.err.contains("could not be carried out"), "{said}");
    let again = shop.show(&run)["decision"].as_str().unwrap().to_owned();
    assert!(said.err.contains(&again), "{said}");
    let prompt = shop.sandbox.show(&again)["prompt"].as_str().unwrap().to_owned();
    for part in
        ["a.txt", "<<<<<<< the branch\nzwei\n=======\n2\n>>>>>>> the verdict", "1 patch set;", "1 file,"]
    {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    shop.sandbox.refuses(&["run", "comment", &run, "a.txt:500", "Why?"], 1, &["2 lines after the change"]);
    shop.sandbox.refuses(&["run", "comment", &run, "a.txt:3", "Why?", "--before"], 1, &["no line 3"]);
    shop.sandbox.ok(&["run", "comment", &run, "a.txt:2", "Why?"]);
    shop.sandbox.is_well();
}

#[test]
fn a_rollback_in_conflict_shows_both_sides() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let branch = shop.show(&run)["branch"].as_str().unwrap().trim_start_matches("refs/heads/").to_owned();
    shop.git(&["checkout", "-q", &branch]);
    std::fs::write(shop.repo().join("a.txt"), "one\ndrei\n").unwrap();
    shop.git(&["commit", "-q", "-a", "-m", "theirs"]);
    shop.git(&["checkout", "-q", "main"]);
    let back = shop.sandbox.json(&["run", "rollback", &run, "--json"]);
    let (back, decision) = (back["id"].as_str().unwrap(), back["decision"].as_str().unwrap());
    shop.sandbox.run(&["answer", decision, "--set", "verdict=rollback"]).exits(4);
    let again = shop.show(back)["decision"].as_str().unwrap().to_owned();
    let prompt = shop.sandbox.show(&again)["prompt"].as_str().unwrap().to_owned();
    assert!(prompt.contains("<<<<<<< the branch\ndrei\n=======\ntwo\n>>>>>>> the verdict"), "{prompt}");
}
