//! `hold run`: an attempt on a real repository from its beginning to its verdict, and killed in the middle of one.

mod change;
mod group;
mod hostile;
mod http;
mod identity;
mod killed;
mod lanes;
mod mended;
mod numbers;
mod orphans;
mod others;
mod own_hooks;
mod page;
mod picking;
mod rivals;
mod saved;
mod settings;
pub(crate) mod shop;
mod stands;
mod words;

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::browser::Served;
use crate::process::TIMEOUT;
use crate::sandbox::at;
use shop::Shop;

#[test]
fn an_attempt_from_beginning_to_end() {
    let shop = Shop::new();
    let run = shop.start();
    std::fs::write(shop.repo().join("a.txt"), "one\n2\n").unwrap();
    let repo = shop.repo();
    let repo = repo.to_str().unwrap();
    let said = shop.sandbox.ok(&["run", "patch", "--from-worktree", repo, "--run", &run]);
    assert_eq!(said.trim(), "patch set 1: 1 file, +1 −1");
    let proof = ["run", "evidence", "--run", &run, "--kind", "lint", "--", "sh", "-c", "echo untidy; exit 2"];
    let said = shop.sandbox.run(&proof).exits(2).says("untidy");
    assert!(said.out.starts_with("lint: sh -c 'echo untidy; exit 2' failed with exit code 2"), "{said}");
    shop.sandbox.ok(&["run", "usage", "--run", &run, "--input", "10", "--output", "5", "--cost", "0.25"]);
    shop.sandbox.refuses(&["run", "usage", "--run", &run, "--cost=-1"], 2, &["--cost"]);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run, "-m", "Please look."]).trim().to_owned();
    let asked = shop.sandbox.show(&decision);
    at(&asked, "/source", "verdict");
    at(&asked, "/subject/evidence/0/exit_code", 2);
    assert!(shop.sandbox.ok(&["run", "show", &run, "--diff"]).contains("+2"));
    assert_eq!(shop.sandbox.ok(&["run", "show", &run, "--evidence", "1"]), "untidy");
    shop.sandbox.refuses(
        &["run", "patch", "--from-worktree", repo, "--run", &run],
        4,
        &["takes nothing more"],
    );
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = shop.show(&run);
    at(&ended, "/status", "decided");
    at(&ended, "/verdict/verdict", "commit");
    let branch = ended["branch"].as_str().unwrap();
    assert_eq!(shop.git(&["rev-parse", branch]), ended["verdict"]["commit"].as_str().unwrap());
    assert_eq!(
        shop.git(&["status", "--porcelain"]),
        " M a.txt".to_owned(),
        "the work tree is as its owner left it"
    );
    let graph = shop.sandbox.ok(&["run", "log", &run]);
    assert!(graph.contains("└─ committed as"), "{graph}");
    assert!(shop.sandbox.ok(&["run", "list"]).contains("Cache it"));
    assert!(shop.sandbox.ok(&["run", "export", &run]).contains("refs/libra/intent"));
    let back = shop.sandbox.ok(&["run", "rollback", &run]).trim().to_owned();
    shop.sandbox.ok(&["answer", &back, "--set", "verdict=rollback", "-m", "It was wrong."]);
    assert_eq!(shop.git(&["diff", "main", branch]), "");
    shop.sandbox.is_well();
}

#[test]
fn the_verdict_is_given_in_the_browser() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = shop.asked();
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    ana.get(&format!("/d/{decision}")).is(200).shows(&format!("/runs/{run}"));
    ana.get(&format!("/runs/{run}")).is(200).shows("−two").shows("+2").shows("Quicker.");
    ana.get(&format!("/runs/{run}?view=split&page=9")).is(200).shows("−two");
    ana.get("/runs/ffff").is(404);
    let form =
        [("verb", "answer"), ("v:verdict", "commit"), ("v:patchset", "1"), ("seen", "true"), ("by", "ana")];
    ana.fill(&format!("/d/{decision}"), &form).is(303);
    // The server carries it out by itself.
    let deadline = Instant::now() + TIMEOUT;
    while shop.show(&run)["status"] != "decided" {
        assert!(Instant::now() < deadline, "{}", shop.show(&run));
    }
    let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
    assert_eq!(shop.git(&["show", &format!("{branch}:a.txt")]), "one\n2");
}

#[test]
fn checkpoint_and_resume_retry_and_guidance() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.refuses(&["run", "resume", &run], 1, &["saved no checkpoint"]);
    let short = &run[run.len() - 8..];
    let answered = shop.sandbox.run(&["answer", &decision, "checkpoint"]).exits(0);
    assert!(answered.err.contains(&format!("to go on: hold run resume {short}")), "{answered}");
    let resumed = shop.sandbox.ok(&["run", "resume", &run]).trim().to_owned();
    at(&shop.show(&run), "/resumed_by", serde_json::json!([resumed]));
    let goes_on = format!("run {} continues from it", &resumed[resumed.len() - 8..]);
    let listed = shop.sandbox.ok(&["run", "show", &run]);
    assert!(listed.contains(&goes_on) && !listed.contains("to go on:"), "{listed}");
    let second = shop.sandbox.run(&["run", "resume", &run]).exits(0);
    assert!(second.err.contains(&format!("{goes_on} already")), "{second}");
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &resumed]).trim().to_owned();
    // Words that ask for something else are a retry.
    shop.sandbox.ok(&["answer", &decision, "--guidance", "Use a map."]);
    let next = shop.show(&resumed)["verdict"]["next"].as_str().unwrap().to_owned();
    at(&shop.show(&next), "/guidance", "Use a map.");
    let graph = shop.sandbox.ok(&["run", "log", &next]);
    for words in ["goes on from", "tries", "guidance: Use a map.", "saved by"] {
        assert!(graph.contains(words), "{words}: {graph}");
    }
    shop.sandbox.is_well();
}

#[test]
fn without_a_person_only_where_the_project_allows_it() {
    let shop = Shop::new();
    let run = shop.start();
    let propose = |run: &str, exit: &str| {
        let file =
            shop.sandbox.file("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
        shop.sandbox.ok(&["run", "patch", &file, "--run", run]);
        shop.sandbox.run(&["run", "evidence", "--run", run, "--", "sh", "-c", exit]);
    };
    propose(&run, "exit 3");
    let auto = |run: &str| ["run", "finish", "--run", run, "--verdict", "auto", "--json"].map(str::to_owned);
    let said = |words: [String; 7]| shop.sandbox.json(&words.each_ref().map(String::as_str));
    shop.sandbox.refuses(
        &["run", "finish", "--run", &run, "--verdict", "auto"],
        1,
        &["only a person can give this verdict", "hold project set default --verdicts auto"],
    );
    at(&shop.show(&run), "/status", "running");
    shop.sandbox.ok(&["project", "set", "default", "--verdicts", "auto"]);
    // A failure tries again, a success is committed; nobody was asked either time.
    let ended = said(auto(&run));
    at(&ended, "/verdict/verdict", "retry");
    at(&ended, "/verdict/by", "system:auto");
    let next = ended["verdict"]["next"].as_str().unwrap().to_owned();
    propose(&next, "true");
    let agent = ["run", "finish", "--run", &next, "--verdict", "agent", "--choose", "commit"];
    shop.sandbox.refuses(&agent, 1, &["only a person can give this verdict"]);
    let ended = said(auto(&next));
    at(&ended, "/verdict/verdict", "commit");
    at(&ended, "/verdict/judge", "auto");
    let commit = ended["verdict"]["commit"].as_str().unwrap();
    assert_eq!(shop.git(&["show", &format!("{commit}:a.txt")]), "one\n2");
    assert_eq!(shop.sandbox.ok(&["list", "--json"]).trim(), "[]", "there is nothing to answer");

    // The agent itself: its own words, its own name; what cannot be done asks a person.
    shop.sandbox.ok(&["project", "set", "default", "--verdicts", "agent"]);
    let other = shop.start();
    shop.sandbox.refuses(&["run", "finish", "--run", &other, "--verdict", "agent"], 2, &["--choose"]);
    let wrong = ["run", "finish", "--run", &other, "--verdict", "agent", "--choose", "commit"];
    shop.sandbox.refuses(&wrong, 1, &["verdict"]);
    let words = [
        "run",
        "finish",
        "--run",
        &other,
        "--verdict",
        "agent",
        "--choose",
        "abandon",
        "-m",
        "No.",
        "--json",
    ];
    let ended = shop.sandbox.json(&words);
    at(&ended, "/verdict/verdict", "abandon");
    at(&ended, "/verdict/rationale", "No.");
    at(&ended, "/verdict/judge", "agent");
    shop.sandbox.refuses(&words[..8], 4, &["takes nothing more"]);
    shop.sandbox.is_well();
}

#[test]
fn bad_input_is_refused_in_words() {
    let shop = Shop::new();
    let run = shop.start();
    let outside = shop.sandbox.path("nowhere");
    let outside = outside.to_str().unwrap();
    shop.sandbox.refuses(&["run", "start", "--task", "x", "--repo", outside], 1, &["not a folder"]);
    let repo = shop.repo();
    let repo = repo.to_str().unwrap();
    shop.sandbox.refuses(
        &["run", "start", "--task", "x", "--repo", repo, "--base", "zzz"],
        1,
        &["not a commit here"],
    );
    shop.sandbox.refuses(
        &["run", "start", "--task", "x", "--repo", repo, "--branch", "a b"],
        1,
        &["cannot be a branch"],
    );
    shop.sandbox.refuses(&["run", "start", "--task", " ", "--repo", repo], 1, &["must have a title"]);
    let escape = "--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n";
    shop.sandbox.refuses_with(&["run", "patch", "-", "--run", &run], escape, 1, &["x"]);
    shop.sandbox.refuses_with(&["run", "patch", "-", "--run", &run], "hello", 1, &["cannot be read"]);
    shop.sandbox.refuses(&["run", "show", "ffff"], 3, &["not found"]);
    shop.sandbox.refuses(&["run", "rollback", &run], 1, &["committed nothing"]);
    assert!(!shop.sandbox.path("x").exists());
    shop.sandbox.is_well();
}

#[test]
fn killed_while_it_commits_it_is_old_or_new() {
    let until = Instant::now() + Duration::from_secs(20);
    let (mut kills, mut most) = (0u32, Duration::from_millis(400));
    while kills < 12 && Instant::now() < until {
        let shop = Shop::new();
        let (run, decision) = shop.asked();
        let words = shop.commit(&run, &decision);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = shop.sandbox.command(&words);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Not to wait for anything: the moment must be another one each time.
        std::thread::park_timeout(most * (kills + 1) / 12);
        let _ = child.kill();
        child.wait().unwrap();
        kills += 1;
        let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
        // The lease of a killed process is not waited for: the next one may carry it out itself.
        let ended = finish(&shop, &run, &decision);
        if ended {
            let verdict = shop.show(&run)["verdict"].clone();
            let commit = verdict["commit"].as_str().unwrap();
            assert_eq!(shop.git(&["rev-parse", &branch]), commit);
            assert_eq!(
                shop.git(&["rev-list", "--count", &format!("main..{commit}")]),
                "1",
                "once and no more"
            );
        } else {
            most = most * 5 / 4;
        }
        assert_eq!(shop.git(&["status", "--porcelain"]), "");
        shop.git(&["fsck", "--strict"]);
        shop.sandbox.is_well();
    }
}

/// Answers again and carries out what is left over; says whether the verdict was carried out.
fn finish(shop: &Shop, run: &str, decision: &str) -> bool {
    let words = shop.commit(run, decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    shop.sandbox.ok(&["run", "carry", decision]);
    shop.show(run)["status"] == "decided"
}
