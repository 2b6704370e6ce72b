//! The change is shown where the verdict is given, and runs have short names.

use super::shop::Shop;
use crate::sandbox::HOLD;
use crate::terminal::{Colour, Terminal};

/// Asks for the verdict on a change of three files; returns run and decision.
fn asked(shop: &Shop) -> (String, String) {
    let run = shop.start();
    std::fs::write(shop.repo().join("a.txt"), "one\n2\n").unwrap();
    let lines: Vec<String> = (1..=60).map(|n| format!("line {n}")).collect();
    std::fs::write(shop.repo().join("b.txt"), lines.join("\n") + "\n").unwrap();
    std::fs::write(shop.repo().join("c.txt"), "the last\n").unwrap();
    let repo = shop.repo().display().to_string();
    let patched = format!("cd '{repo}' && '{HOLD}' run patch --from-worktree --run {run}");
    shop.sandbox.shell(&patched).exits(0);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    (run, decision)
}

#[test]
fn show_prints_the_change_in_words_and_as_a_diff() {
    let shop = Shop::new();
    let (run, decision) = asked(&shop);
    let shown = shop.sandbox.ok(&["show", &decision]);
    for words in [
        "Patch set 1: 3 files, +62 −1",
        "modify  +1 −1  a.txt",
        "diff --git a/a.txt b/a.txt",
        "-two",
        "+line 60",
        "+the last",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("\"patchsets\"") && !shown.contains(&run), "{shown}");
    let json = shop.sandbox.json(&["show", &decision, "--json"]);
    assert_eq!(json["subject"]["run"], run, "programs get all of it");
}

#[test]
fn next_turns_from_file_to_file() {
    let shop = Shop::new();
    asked(&shop);
    let ran = shop.sandbox.run_with(&["next"], "]\n]\n[\n?\nn\n").exits(0);
    let (first, second) = (ran.err.find("file 1 of 3").unwrap(), ran.err.find("file 2 of 3").unwrap());
    let back = ran.err.rfind("file 1 of 3").unwrap();
    assert!(first < second && second < back, "{ran}");
    assert!(ran.err[first..second].contains("+line 60") && !ran.err[first..second].contains("the last"));
    assert!(ran.out.contains("] [     next / previous file"), "{ran}");
}

#[test]
fn the_inbox_turns_from_file_to_file_and_wants_the_change_read() {
    let shop = Shop::new();
    let (_, decision) = asked(&shop);
    let mut inbox = Terminal::sized(&shop.sandbox, HOLD, &["inbox"], Colour::No, (24, 80));
    inbox.shows("1 pending decision");
    inbox.insist("\r", "Patch set 1: 3 files");
    inbox.insist("]", "diff --git a/a.txt b/a.txt");
    inbox.press("]");
    inbox.shows("diff --git a/b.txt b/b.txt").hides("diff --git a/a.txt b/a.txt");
    inbox.press("[");
    inbox.shows("diff --git a/a.txt b/a.txt");
    // The subject alone, in full, turns in the same way.
    inbox.press("s");
    inbox.shows("lines 1–");
    inbox.press("]]");
    inbox.shows("diff --git a/b.txt b/b.txt");
    inbox.press("]");
    inbox.shows("+the last");
    inbox.press("u");
    inbox.press("u");
    inbox.shows("1 pending decision");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    assert_eq!(shop.sandbox.show(&decision)["status"], "pending");
}

#[test]
fn answer_shows_the_change_before_it_asks() {
    let shop = Shop::new();
    let (_, decision) = asked(&shop);
    let mut terminal =
        Terminal::sized(&shop.sandbox, HOLD, &["answer", &decision, "commit"], Colour::No, (200, 100));
    terminal.shows("+the last");
    terminal.shows("Send? [y/N]");
    terminal.press("y\r");
    terminal.shows("git merge");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn show_and_answer_turn_from_file_to_file_on_a_terminal() {
    let shop = Shop::new();
    let (_, decision) = asked(&shop);
    let mut shown = Terminal::sized(&shop.sandbox, HOLD, &["show", &decision], Colour::No, (24, 80));
    shown.until("] next file, [ previous file, q quits");
    // What was typed ahead is no key of it, and none of it goes to the shell.
    shown.press("ls]");
    shown.until("file 1 of 3");
    shown.press("]");
    shown.until("file 2 of 3");
    shown.press("[");
    shown.until("file 1 of 3");
    shown.press("q");
    assert_eq!(shown.end(), 0);
    // What fits the screen needs no turning.
    let mut shown = Terminal::sized(&shop.sandbox, HOLD, &["show", &decision], Colour::No, (200, 100));
    assert_eq!(shown.end(), 0);
    let choose = ["answer", &decision, "commit", "--patchset", "1"];
    let mut answer = Terminal::sized(&shop.sandbox, HOLD, &choose, Colour::No, (24, 80));
    for file in ["file 1 of 3", "file 2 of 3"] {
        answer.until("Send? [y/N]");
        answer.press("]\r");
        answer.until(file);
    }
    answer.until("Send? [y/N]");
    answer.press("y\r");
    answer.until("more than this screen");
    answer.press("[\r");
    answer.until("file 1 of 3");
    answer.until("more than this screen");
    answer.press("r\r");
    answer.until("git merge");
    assert_eq!(answer.end(), 0);
    assert_eq!(shop.sandbox.show(&decision)["answer"]["seen"], true);
}

#[test]
fn people_are_told_the_end_of_a_runs_id_and_programs_all_of_it() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let short = &run[run.len() - 8..];
    let texts = [
        shop.sandbox.ok(&["run", "list"]),
        shop.sandbox.ok(&["run", "log", short]),
        shop.sandbox.ok(&["run", "show", short]),
        shop.sandbox.ok(&["show", &decision]),
        shop.sandbox.ok(&["log"]),
    ];
    for text in texts {
        assert!(text.contains(short) && !text.contains(&run), "{text}");
    }
    assert_eq!(shop.sandbox.json(&["run", "list", "--json"])[0]["id"], run);
    assert_eq!(shop.show(short)["id"], run);
}

#[test]
fn oj_shows_the_change_and_only_then_takes_a_commit() {
    let shop = Shop::new();
    let (_, decision) = asked(&shop);
    let shown = shop.sandbox.ok(&["oj", "decision", "show", &decision]);
    for words in ["Patch set 1: 3 files, +62 −1", "diff --git a/a.txt b/a.txt", "+line 60", "+the last"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("\"patchsets\""), "{shown}");
    let resolve = ["oj", "decision", "resolve", &decision, "1"];
    let mut resolving = Terminal::sized(&shop.sandbox, HOLD, &resolve, Colour::No, (200, 100));
    resolving.shows("+the last");
    resolving.shows("Send? [y/N]");
    resolving.press("\r");
    resolving.shows("is still pending");
    assert_ne!(resolving.end(), 0);
    // JSON has its hashes, which nobody can read.
    let script =
        format!("'{HOLD}' show {decision} --json >/dev/tty; exec '{HOLD}' oj decision resolve {decision} 1");
    let mut after_json = Terminal::sized(&shop.sandbox, "sh", &["-c", &script], Colour::No, (200, 100));
    after_json.until("Send? [y/N]");
    after_json.press("\r");
    after_json.until("is still pending");
    assert_ne!(after_json.end(), 0);
    let script =
        format!("'{HOLD}' oj decision show {decision}; exec '{HOLD}' oj decision resolve {decision} 1");
    let mut both = Terminal::sized(&shop.sandbox, "sh", &["-c", &script], Colour::No, (200, 100));
    both.until("+the last");
    both.until("git merge");
    assert_eq!(both.end(), 0);
}

#[test]
fn oj_review_shows_the_change() {
    let house = crate::jobs::JobServer::new();
    let book = serde_json::json!({"job": {"make": {
        "worktree": true, "steps": [{"name": "make", "run": "echo two >> a.txt"}]
    }}});
    crate::jobs::start_in_repo(&house, &book);
    crate::jobs::until_run(&house, |run| run["status"] == "finished");
    let mut review =
        Terminal::sized(&house.sandbox, HOLD, &["oj", "decision", "review"], Colour::No, (200, 100));
    review.until("diff --git a/a.txt b/a.txt");
    review.until("+two");
    review.until("picks, ");
    review.press("q\r");
    review.until("Done. 0 resolved");
    assert_eq!(review.end(), 0);
}
