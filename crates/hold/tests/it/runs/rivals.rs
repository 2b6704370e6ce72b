//! Several processes give the same verdict without a server: each is told what became of it, no matter which carries it
//! out.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Stdio};
use std::time::Instant;

use super::shop::Shop;
use crate::process::TIMEOUT;
use crate::sandbox::at;

/// Makes the repository's hook say that it runs, wait for the file `go`, and then do something.
fn slow_hook(shop: &Shop, then: &str) {
    let hook = shop.repo().join(".git/hooks/pre-commit");
    let (started, go) = (shop.sandbox.path("started"), shop.sandbox.path("go"));
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let (started, go) = (started.display(), go.display());
    let text = format!("#!/bin/sh\ntouch {started}\nwhile [ ! -e {go} ]; do sleep 0.05; done\n{then}\n");
    std::fs::write(&hook, text).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn spawn(shop: &Shop, words: &[String]) -> Child {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = shop.sandbox.command(&words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn until_the_hook_runs(shop: &Shop) {
    let deadline = Instant::now() + TIMEOUT;
    while !shop.sandbox.path("started").exists() {
        assert!(Instant::now() < deadline, "the hook never ran");
        std::thread::yield_now();
    }
}

/// One carries it out, another whose answer counts as well waits for that; returns what both ended with, and the other's words.
fn two(shop: &Shop, run: &str, decision: &str) -> (Option<i32>, Option<i32>, String) {
    let words = shop.commit(run, decision);
    let first = spawn(shop, &words);
    until_the_hook_runs(shop);
    let mut second = spawn(shop, &words);
    let mut line = String::new();
    BufReader::new(second.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("had this answer already"), "{line}");
    std::fs::write(shop.sandbox.path("go"), "").unwrap();
    let mut said = String::new();
    second.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let second = second.wait().unwrap().code();
    (first.wait_with_output().unwrap().status.code(), second, said)
}

#[test]
fn who_does_not_carry_it_out_hears_of_the_commit() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    slow_hook(&shop, "exit 0");
    let (first, second, said) = two(&shop, &run, &decision);
    assert_eq!((first, second), (Some(0), Some(0)), "{said}");
    assert!(!said.contains("not carried out"), "{said}");
    at(&shop.show(&run), "/standing/is", "committed");
    shop.sandbox.is_well();
}

#[test]
fn who_does_not_carry_it_out_hears_that_a_hook_said_no() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    slow_hook(&shop, "echo no tabs please >&2; exit 1");
    let (first, second, said) = two(&shop, &run, &decision);
    assert_eq!((first, second), (Some(4), Some(4)), "{said}");
    assert!(said.contains("no tabs please") && said.contains("it is asked again"), "{said}");
    at(&shop.show(&run), "/standing/is", "waiting");
    shop.sandbox.is_well();
}

#[test]
fn who_carries_out_and_was_killed_is_followed_by_who_waited() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    slow_hook(&shop, "exit 0");
    let words = shop.commit(&run, &decision);
    let mut first = spawn(&shop, &words);
    until_the_hook_runs(&shop);
    let mut second = spawn(&shop, &words);
    let mut line = String::new();
    BufReader::new(second.stdout.take().unwrap()).read_line(&mut line).unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    std::fs::write(shop.sandbox.path("go"), "").unwrap();
    let ended = second.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    at(&shop.show(&run), "/standing/is", "committed");
}

#[test]
fn rivals_with_other_words_agree_on_what_became_of_it() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let with = |n: usize| [words.clone(), vec!["-m".into(), format!("Reason {n}.")]].concat();
    let all: Vec<Child> = (0..4).map(|n| spawn(&shop, &with(n))).collect();
    let ended: Vec<_> = all.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let mut codes: Vec<_> = ended.iter().map(|ended| ended.status.code()).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(4), Some(4), Some(4)], "one counts, and the others are too late");
    for said in ended.iter().map(|ended| String::from_utf8_lossy(&ended.stderr)) {
        assert!(!said.contains("not carried out yet"), "{said}");
    }
    at(&shop.show(&run), "/standing/is", "committed");
    shop.sandbox.is_well();
}

#[test]
fn ctrl_c_while_another_carries_it_out_ends_the_waiting_alone() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    slow_hook(&shop, "exit 0");
    let words = shop.commit(&run, &decision);
    let first = spawn(&shop, &words);
    until_the_hook_runs(&shop);
    let mut second = spawn(&shop, &words);
    let mut lines = BufReader::new(second.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    assert_eq!(shop.sandbox.shell(&format!("kill -INT {}", second.id())).code, 0);
    let ended = second.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(5), "{said}");
    assert_eq!(said.matches("hold run carry").count(), 1, "{said}");
    std::fs::write(shop.sandbox.path("go"), "").unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    at(&shop.show(&run), "/standing/is", "committed");
}
