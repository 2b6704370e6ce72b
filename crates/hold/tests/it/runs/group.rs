//! Killed together with every git and hook that it started, at each moment at which git holds locks: what is there is
//! the old or the new, the locks go, and the record agrees with the repository.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::time::Instant;

use super::killed::{is_clean, left, recovered};
use super::shop::Shop;
use crate::process::{Ran, TIMEOUT};
use crate::sandbox::at;

/// Where git stops and lets others have a say; at some of them it holds locks.
const HOOKS: [&str; 5] =
    ["reference-transaction", "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

fn hook(shop: &Shop, name: &str, script: &str) {
    let git = shop.git(&["rev-parse", "--absolute-git-dir"]);
    let hook = std::path::Path::new(&git).join("hooks").join(name);
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    // A git that outlives a kill may be starting it.
    let new = hook.with_extension("new");
    std::fs::write(&new, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::rename(new, hook).unwrap();
}

/// Makes the hook of that number kill the whole group that it belongs to; none if there is not a number.
fn arm(shop: &Shop, hooks: &[&str], number: Option<usize>) {
    let count = shop.sandbox.path("count");
    std::fs::write(&count, "").unwrap();
    let script = match number {
        Some(number) => {
            let (count, kill) = (count.display(), kill_all(shop));
            format!("cat > /dev/null; echo x >> {count}; [ $(wc -l < {count}) = {number} ] || exit 0\n{kill}")
        }
        None => "true".to_owned(),
    };
    for name in hooks {
        hook(shop, name, &script);
    }
}

/// Where the command that is to be killed says which process it is.
fn number_of(shop: &Shop) -> String {
    shop.sandbox.path("number").display().to_string()
}

/// Kills the command, which leads a group of its own, and then the group that this runs in: a git that moves refs or asks
/// hooks leads one, too. Nobody is killed by what somebody's parent is: that of an orphan is the system's first process.
fn kill_all(shop: &Shop) -> String {
    format!("kill -9 -$(cat {0}) 2> /dev/null; kill -9 0", number_of(shop))
}

/// Runs a command in a group of its own.
fn grouped(shop: &Shop, words: &[&str]) -> Ran {
    crate::process::finish(&mut grouped_command(shop, words), b"")
}

fn grouped_command(shop: &Shop, words: &[&str]) -> std::process::Command {
    let named =
        format!("echo $$ > {}; exec {} {}", number_of(shop), env!("CARGO_BIN_EXE_hold"), words.join(" "));
    let mut command = shop.sandbox.script(&named);
    command.process_group(0);
    command
}

/// Lets a minute pass for what was left; where that cannot be, some real time must.
fn age(shop: &Shop, decision: &str) {
    let git = shop.git(&["rev-parse", "--absolute-git-dir"]);
    if shop.sandbox.shell(&format!("grep -l '^commit$' {git}/.holdpoint/*")).code == 0 {
        let deadline = Instant::now() + TIMEOUT;
        while !left(shop).is_empty() {
            assert!(Instant::now() < deadline, "{:?}", left(shop));
            shop.sandbox.run(&["run", "carry", decision]);
        }
    }
    shop.sandbox.shell(&format!(
        "find {git} \\( -name '*.lock' -o -path '*/.holdpoint/*' \\) -exec touch -d '1 minute ago' {{}} +"
    ));
}

/// Kills at every moment of a commit, and recovers from it; returns at how many, and what was left at each.
fn every_moment(shop: &Shop, hooks: &[&str], rolls_back: bool) -> (usize, Vec<String>) {
    let (mut number, mut seen) = (1, Vec::new());
    loop {
        arm(shop, hooks, None);
        let (mut run, mut decision) = shop.asked();
        let mut words = shop.commit(&run, &decision);
        let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
        if rolls_back {
            shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
            let back = shop.sandbox.json(&["run", "rollback", &run, "--json"]);
            back["id"].as_str().unwrap().clone_into(&mut run);
            back["decision"].as_str().unwrap().clone_into(&mut decision);
            let digest = shop.digest(&decision);
            let seen = ["answer", &decision, "--set", "verdict=rollback", "--digest", &digest];
            words = seen.map(str::to_owned).to_vec();
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        arm(shop, hooks, Some(number));
        let ran = grouped(shop, &words);
        arm(shop, hooks, None);
        seen.extend(left(shop));
        let there = shop.git(&["for-each-ref", "--format=%(objectname)", &branch]);
        if !there.is_empty() {
            let state = shop.git(&["show", &format!("{branch}:a.txt")]);
            assert!(state == "one\n2" || (rolls_back && state == "one\ntwo"), "{number}: {state}: {ran}");
        }
        age(shop, &decision);
        let ended = recovered(shop, &run, &decision, &words);
        let commit = ended["verdict"]["commit"].as_str().unwrap();
        assert_eq!(shop.git(&["rev-parse", &branch]), commit, "at moment {number}: {ran}");
        let commits = if rolls_back { "2" } else { "1" };
        assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{branch}")]), commits, "at {number}");
        if ran.code == 0 {
            break;
        }
        number += 1;
    }
    shop.git(&["fsck", "--strict"]);
    shop.sandbox.is_well();
    (number, seen)
}

#[test]
fn at_every_moment_of_a_commit_with_hooks() {
    let (times, seen) = every_moment(&Shop::new(), &HOOKS, false);
    assert!(times > 10, "it was killed {times} times: looks in the wrong place");
    for sign in [
        "/refs/holdpoint/verdicts/dcn-",
        "/refs/heads/holdpoint/",
        "./packed-refs.lock",
        "./worktrees/holdpoint-",
    ] {
        assert!(seen.iter().any(|left| left.contains(sign)), "{sign} was never left: {seen:?}");
    }
}

#[test]
fn at_every_moment_of_a_commit_where_refs_are_tables() {
    let Some(shop) = Shop::with_tables() else { return crate::sandbox::skipped("git knows no reftable") };
    let (times, seen) = every_moment(&shop, &["reference-transaction", "pre-commit"], false);
    assert!(times > 5, "it was killed {times} times: looks in the wrong place");
    for sign in ["./reftable/tables.list.lock", "./worktrees/holdpoint-"] {
        assert!(seen.iter().any(|left| left.contains(sign)), "{sign} was never left: {seen:?}");
    }
    let (times, _) = every_moment(&shop, &["reference-transaction"], true);
    assert!(times > 3, "it was killed {times} times: looks in the wrong place");
}

#[test]
fn tables_that_somebody_else_has_locked_are_waited_for() {
    let Some(shop) = Shop::with_tables() else { return crate::sandbox::skipped("git knows no reftable") };
    let (run, decision) = shop.asked();
    let lock = shop.repo().join(".git/reftable/tables.list.lock");
    std::fs::write(&lock, "").unwrap();
    let ran = shop.sandbox.run(&["answer", &decision, "commit"]).exits(5);
    assert!(ran.err.contains("reftable/tables.list.lock is there"), "{ran}");
    assert!(lock.exists(), "it is not ours");
    std::fs::remove_file(&lock).unwrap();
    shop.sandbox.ok(&["run", "carry", &decision]);
    at(&shop.show(&run), "/standing/is", "committed");
    is_clean(&shop);
}

#[test]
fn at_every_moment_of_a_rollback() {
    let (times, seen) = every_moment(&Shop::new(), &["reference-transaction"], true);
    assert!(times > 5, "it was killed {times} times: looks in the wrong place");
    assert!(seen.iter().any(|left| left.contains(".lock")), "no lock was ever left: {seen:?}");
}

#[test]
fn half_a_work_tree_goes() {
    let shop = Shop::new();
    hook(&shop, "pre-commit", "true");
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let path = std::env::var("PATH").unwrap();
    let real =
        std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.exists()).unwrap();
    // It is killed when git has made the folder that it keeps for a work tree, and written little into it.
    let script = format!(
        "case \" $* \" in *' worktree add '*)\n\
           for word; do case $word in /*) place=$word;; esac; done\n\
           entry={}/.git/worktrees/$(basename $place)\n\
           mkdir -p $entry $place; echo initializing > $entry/locked\n\
           {} ;;\n\
         esac\n\
         exec {} \"$@\"",
        shop.repo().display(),
        kill_all(&shop),
        real.display(),
    );
    shop.sandbox.executable("git", &script);
    let mut command = grouped_command(&shop, &words);
    command.env("PATH", format!("{}:{path}", shop.sandbox.path("bin").display()));
    crate::process::finish(&mut command, b"");
    assert!(left(&shop).iter().any(|left| left.ends_with("/locked")), "{:?}", left(&shop));
    recovered(&shop, &run, &decision, &words);
}

#[test]
fn what_is_not_asked_for_again_still_goes() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Killed while the note is taken away: all is recorded.
    arm(&shop, &["reference-transaction"], None);
    let goes =
        "[ $1 = prepared ] && grep -q ' 0000000000000000000000000000000000000000 refs/holdpoint/verdicts'";
    hook(&shop, "reference-transaction", &format!("{goes} && {{ {}; }}; true", kill_all(&shop)));
    grouped(&shop, &words);
    arm(&shop, &["reference-transaction"], None);
    at(&shop.show(&run), "/verdict/verdict", "commit");
    assert_ne!(left(&shop), Vec::<String>::new(), "it was killed too late to tell");
    age(&shop, &decision);
    // The next run to start cleans it up.
    shop.start();
    is_clean(&shop);
}

#[test]
fn a_bare_repository_is_freed_too() {
    let shop = Shop::new();
    let bare = shop.sandbox.path("bare.git");
    shop.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    std::fs::remove_dir_all(shop.repo()).unwrap();
    std::fs::rename(&bare, shop.repo()).unwrap();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let moves = "[ $1 = prepared ] && grep -q refs/heads/main";
    hook(&shop, "reference-transaction", &format!("{moves} && {{ {}; }}; true", kill_all(&shop)));
    grouped(&shop, &words);
    arm(&shop, &["reference-transaction"], None);
    let locks = left(&shop);
    for lock in ["./HEAD.lock", "./refs/heads/main.lock"] {
        assert!(locks.iter().any(|left| left == lock), "{locks:?}");
    }
    age(&shop, &decision);
    shop.sandbox.ok(&["run", "carry", &decision]);
    at(&shop.show(&run), "/verdict/verdict", "commit");
    assert_eq!(shop.git(&["show", "main:a.txt"]), "one\n2");
    assert_eq!(left(&shop), Vec::<String>::new());
}
