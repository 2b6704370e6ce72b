//! Which patch set is shown, suggested and picked, and what a person does with its commit.

use std::process::Command;

use super::numbers::with_two;
use super::shop::Shop;
use crate::browser::Served;
use crate::sandbox::{HOLD, at};
use crate::terminal::{Colour, Terminal};

#[test]
fn a_commit_is_merged_as_the_answer_says_also_where_the_work_was_done() {
    let shop = Shop::new();
    let (run, repo) = (shop.start(), shop.repo());
    std::fs::write(repo.join("a.txt"), "one\n2\n").unwrap();
    std::fs::write(repo.join("new.txt"), "new\n").unwrap();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run]);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    let said = shop.sandbox.run(&["answer", &decision, "commit"]).exits(0).err;
    let words = said.split("To merge it: ").nth(1).unwrap_or_else(|| panic!("{said}")).trim_end();
    let (merge, first) = words.split_once(" (if your work tree still has these changes, first: ").unwrap();
    let first = first.trim_end_matches(')');
    let does = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&repo).env("GIT_CONFIG_GLOBAL", "/dev/null");
        shell.envs([("GIT_AUTHOR_NAME", "Ana"), ("GIT_AUTHOR_EMAIL", "ana@example.org")]);
        shell.envs([("GIT_COMMITTER_NAME", "Ana"), ("GIT_COMMITTER_EMAIL", "ana@example.org")]);
        shell.output().unwrap().status.success()
    };
    assert!(!does(merge), "git does not merge over changes");
    assert!(does(first) && does(merge), "{words}");
    assert_eq!(std::fs::read_to_string(repo.join("a.txt")).unwrap(), "one\n2\n");
    // What a job did in a worktree of its own, and a rollback, are in nobody's way.
    let rollback = shop.sandbox.run(&["run", "rollback", &run]).exits(0).out.trim().to_owned();
    let title = shop.sandbox.show(&rollback)["title"].as_str().unwrap().to_owned();
    assert_eq!(title, "Verdict on the rollback of Cache it");
    let said = shop.sandbox.run(&["answer", &rollback, "rollback"]).exits(0).err;
    assert!(said.contains("To merge it: git merge") && !said.contains("stash"), "{said}");
}

#[test]
fn the_inbox_goes_to_the_suggested_patch_set_and_says_which_one_it_shows() {
    let shop = Shop::new();
    let (_, decision) = with_two(&shop);
    let mut inbox = Terminal::sized(&shop.sandbox, HOLD, &["inbox"], Colour::No, (80, 120));
    inbox.shows("1 pending decision");
    inbox.insist("\r", "[ Send answer ]");
    inbox.shows("Patch set 2:");
    inbox.insist("1", "1 (x) Commit");
    inbox.press("\r");
    inbox.shows("> 2 ( ) Patch set 2: 1 file, +1 −1 (suggested)");
    inbox.shows("pick the suggested option to use it").hides("(counts as yes)");
    inbox.insist("1", "(x) Patch set 1");
    inbox.press("\r");
    inbox.shows("Showing patch set 1.").shows("Patch set 1:\n").hides("Patch set 2:\n");
    inbox.press("u");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    // What somebody had picked is of interest until the end.
    assert!(shop.sandbox.ok(&["show", &decision]).contains("draft: 1"));
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    let card = shop.sandbox.ok(&["show", &decision]);
    assert!(!card.contains("draft:") && !card.contains("suggested:"), "{card}");
}

#[test]
fn oddjobs_lists_the_patch_sets_as_it_takes_them() {
    let shop = Shop::new();
    let (run, decision) = with_two(&shop);
    let shown = shop.sandbox.json(&["oj", "decision", "show", &decision, "-o", "json"]);
    at(&shown, "/question_groups/0/question", "Verdict");
    at(&shown, "/question_groups/0/options/2/id", "retry");
    at(&shown, "/question_groups/1/question", "Patch set");
    at(&shown, "/question_groups/1/options/1/number", 2);
    let text = shop.sandbox.ok(&["oj", "decision", "show", &decision]);
    assert!(text.contains(&format!("decision resolve {decision} <q1> [<q2>]")), "{text}");
    assert!(text.contains("  Patch set 2:\n") && !text.contains("\n\n\n"), "{text}");
    assert!(text.contains(&format!("run:{}\n", &run[run.len() - 8..])) && !text.contains(&run), "{text}");
    let digest = shop.digest(&decision);
    shop.sandbox.ok(&["oj", "decision", "resolve", &decision, "1", "1", "--digest", &digest]);
    at(&shop.show(&run), "/verdict/patchset_number", 1);
}

#[test]
fn the_page_of_a_run_opens_on_what_was_committed() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = with_two(&shop);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let page = format!("/runs/{run}");
    server.browser().get(&page).is(200).shows(">Patch set 2<").lacks("counts as yes");
    let form = [("v:verdict", "commit"), ("by", "ana"), ("verb", "continue")];
    let card = server.browser().fill(&format!("/d/{decision}"), &form).is(200);
    card.shows(">Suggested<").lacks("counts as yes");
    let choose = ["answer", &decision, "commit", "--patchset", "1", "--digest", &shop.digest(&decision)];
    shop.sandbox.run(&choose).exits(0);
    server.browser().get(&page).is(200).shows(">Patch set 1<").shows("first: git stash -u");
    let short = format!(">run:{}<", &run[run.len() - 8..]);
    server.browser().get("/history").is(200).shows(&short).lacks(&format!("run:{run}"));
    server.browser().get(&format!("{page}?patchset=2")).is(200).shows(">Patch set 2<");
}

#[test]
fn beads_shows_the_change_and_commits_one_of_several_patch_sets() {
    let shop = Shop::new();
    let (run, decision) = with_two(&shop);
    let card = shop.sandbox.ok(&["bd", "decision", "show", &decision]);
    assert!(card.contains("Patch set 2:\n") && card.contains("+zwei"), "{card}");
    let digest = shop.digest(&decision);
    let commit = ["bd", "decision", "respond", &decision, "--digest", &digest, "--option", "commit"];
    let said = shop.sandbox.run(&commit).exits(1).err;
    let how = format!("bd decision respond {decision} --option commit --patchset 1");
    assert!(said.contains("which patch set? There are 2") && said.contains(&how), "{said}");
    let said = shop.sandbox.run(&[&commit[..], &["--patchset", "1"]].concat()).exits(0);
    assert!(said.err.contains("To merge it: git merge holdpoint/"), "{said}");
    at(&shop.show(&run), "/verdict/patchset_number", 1);
    // With a single one, the verdict says it all.
    let (run, decision) = shop.asked();
    let digest = shop.digest(&decision);
    let abandon = ["bd", "decision", "respond", &decision, "--digest", &digest, "--option", "abandon"];
    let with_set = [&abandon[..], &["--patchset", "1"]].concat();
    shop.sandbox.refuses(&with_set, 2, &["only commit takes a patch set"]);
    shop.sandbox.ok(&abandon);
    at(&shop.show(&run), "/verdict/verdict", "abandon");
}
