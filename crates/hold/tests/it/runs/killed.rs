//! Killed after every single call of git, while a verdict is carried out: what is there is the old or the new, never
//! something between, and the record agrees with the repository.

use std::os::unix::process::CommandExt as _;

use super::shop::Shop;
use crate::process::Ran;
use crate::sandbox::at;

/// Who is killed.
#[derive(Clone, Copy)]
enum Whom {
    Caller,
    Group,
}

/// Installs a git of our own, which kills its caller once the call of that number is done, or all of its group, itself
/// among them: some lead a group of their own, so the caller is named beside it. A git that keeps running to move refs
/// counts for each of them, and kills before it says that it is done.
fn deadly(shop: &Shop, whom: Whom, number: usize) {
    let whom = match whom {
        Whom::Caller => "$PPID",
        Whom::Group => "$PPID 0",
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let real =
        std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.exists()).unwrap();
    let real = real.display();
    let count = shop.sandbox.path("count");
    std::fs::write(&count, "").unwrap();
    let count = count.display();
    // Some run at the same time: a git that adds a line finds its own number by its own name.
    let script = format!(
        "counted() {{\n\
           mine=$$-$1; echo $mine >> {count}\n\
           [ \"$(sed -n {number}p {count})\" = $mine ] && kill -9 {whom}\n\
         }}\n\
         case \" $* \" in\n\
         *' update-ref '*' --stdin '*)\n\
           {real} \"$@\" | while read -r line; do\n\
             [ \"$line\" = 'commit: ok' ] && {{ n=$((n + 1)); counted $n; }}\n\
             echo \"$line\"\n\
           done\n\
           exit ;;\n\
         esac\n\
         {real} \"$@\"; code=$?\n\
         counted 0\n\
         exit $code"
    );
    shop.sandbox.executable("git", &script);
}

/// Runs a command that is killed at its call of that number; says whether it was.
fn killed(shop: &Shop, words: &[&str], whom: Whom, number: usize) -> (bool, Ran) {
    deadly(shop, whom, number);
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = shop.sandbox.command(words);
    command.process_group(0);
    command.env("PATH", format!("{}:{path}", shop.sandbox.path("bin").display()));
    let ran = crate::process::finish(&mut command, b"");
    (ran.code != 0, ran)
}

/// Gives the same answer again and carries out what is left; the run must have ended then.
pub(super) fn recovered(shop: &Shop, run: &str, decision: &str, words: &[&str]) -> serde_json::Value {
    shop.sandbox.ok(words);
    shop.sandbox.ok(&["run", "carry", decision]);
    let ended = shop.show(run);
    at(&ended, "/status", "decided");
    is_clean(shop);
    ended
}

/// Nothing is left in the repository but what was decided on.
pub(super) fn is_clean(shop: &Shop) {
    assert_eq!(shop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "", "no note is left");
    assert_eq!(shop.git(&["status", "--porcelain"]), "");
    assert_eq!(left(shop), Vec::<String>::new());
}

/// Lists locks, ledgers, and what git keeps of work trees.
pub(super) fn left(shop: &Shop) -> Vec<String> {
    let git = shop.git(&["rev-parse", "--absolute-git-dir"]);
    let found = shop.sandbox.shell(&format!(
        "cd {git} && find . -name '*.lock' -o -path './.holdpoint/*' -not -name lock -not -name carrying -o -path './worktrees/*'"
    ));
    found.out.lines().map(str::to_owned).collect()
}

#[test]
fn at_every_step_of_a_commit() {
    every_step_of_a_commit(Whom::Caller);
}

#[test]
fn at_every_step_of_a_commit_with_all_that_it_started() {
    every_step_of_a_commit(Whom::Group);
}

fn every_step_of_a_commit(whom: Whom) {
    let shop = Shop::new();
    let mut number = 1;
    loop {
        let (run, decision) = shop.asked();
        let words = shop.commit(&run, &decision);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let before = shop.git(&["rev-parse", "main"]);
        let (cut, ran) = killed(&shop, &words, whom, number);
        let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
        let there = shop.git(&["for-each-ref", "--format=%(objectname)", &branch]);
        if !there.is_empty() {
            // The new state is complete: one commit, with what was decided on.
            assert_eq!(shop.git(&["show", &format!("{branch}:a.txt")]), "one\n2", "{ran}");
        }
        let ended = recovered(&shop, &run, &decision, &words);
        let commit = ended["verdict"]["commit"].as_str().unwrap();
        assert_eq!(shop.git(&["rev-parse", &branch]), commit, "after call {number}: {ran}");
        assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{branch}")]), "1", "once and no more");
        assert!(there.is_empty() || there == commit, "what was put there stays");
        assert_eq!(shop.git(&["rev-parse", "main"]), before);
        if !cut {
            break;
        }
        number += 1;
    }
    assert!(number > 5, "it was killed {number} times: looks in the wrong place");
    shop.git(&["fsck", "--strict"]);
    shop.sandbox.is_well();
}

#[test]
fn at_every_step_of_a_rollback() {
    every_step_of_a_rollback(Whom::Caller);
}

#[test]
fn at_every_step_of_a_rollback_with_all_that_it_started() {
    every_step_of_a_rollback(Whom::Group);
}

fn every_step_of_a_rollback(whom: Whom) {
    let shop = Shop::new();
    let mut number = 1;
    loop {
        let (run, decision) = shop.asked();
        let words = shop.commit(&run, &decision);
        shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
        let back = shop.sandbox.json(&["run", "rollback", &run, "--json"]);
        let (back, decision) = (back["id"].as_str().unwrap(), back["decision"].as_str().unwrap());
        let words = ["answer", decision, "--set", "verdict=rollback", "-m", "It was wrong."];
        let (cut, ran) = killed(&shop, &words, whom, number);
        let state = shop.git(&["show", &format!("{branch}:a.txt")]);
        assert!(state == "one\n2" || state == "one\ntwo", "{state}: {ran}");
        let ended = recovered(&shop, back, decision, &words);
        let commit = ended["verdict"]["commit"].as_str().unwrap();
        assert_eq!(shop.git(&["rev-parse", &branch]), commit, "after call {number}: {ran}");
        assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{branch}")]), "2", "once and no more");
        assert_eq!(shop.git(&["diff", "main", &branch]), "");
        if !cut {
            break;
        }
        number += 1;
    }
    assert!(number > 5, "it was killed {number} times: looks in the wrong place");
    shop.git(&["fsck", "--strict"]);
    shop.sandbox.is_well();
}
