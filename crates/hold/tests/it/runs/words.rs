//! What is said: which run, which file, which repository; and how commands end.

use std::os::unix::fs::PermissionsExt as _;

use super::shop::Shop;
use crate::api_events::Live;
use crate::sandbox::at;
use crate::server::Server;

#[test]
fn part_of_an_id_that_names_several_lists_them() {
    let shop = Shop::new();
    let (one, other) = (shop.start(), shop.start());
    let part = &one[..4];
    assert!(other.starts_with(part));
    let said = shop.sandbox.run(&["run", "show", part]).exits(3);
    for words in ["names 2 runs", &one[one.len() - 8..], &other[other.len() - 8..], "Cache it"] {
        assert!(said.err.contains(words), "{words}: {said}");
    }
    shop.sandbox.refuses(&["run", "list", "--limit", "0"], 2, &["--limit"]);
}

#[test]
fn a_file_is_shown_with_its_old_name_and_its_mode() {
    let shop = Shop::new();
    std::fs::write(shop.repo().join("run.sh"), "#!/bin/sh\n").unwrap();
    shop.git(&["add", "-A"]);
    shop.git(&["commit", "-q", "-m", "more"]);
    let run = shop.start();
    std::fs::rename(shop.repo().join("a.txt"), shop.repo().join("b.txt")).unwrap();
    std::fs::set_permissions(shop.repo().join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let repo = shop.repo();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run]);
    let shown = shop.sandbox.ok(&["run", "show", &run]);
    assert!(shown.contains("rename  +0 −0  a.txt → b.txt"), "{shown}");
    assert!(shown.contains("modify  +0 −0  run.sh (made executable)"), "{shown}");
    let shown = shop.show(&run);
    at(&shown, "/patchsets/0/touched/0/from", "a.txt");
    at(&shown, "/patchsets/0/touched/1/mode", "100755");
}

#[test]
fn evidence_ends_as_the_command_did() {
    let shop = Shop::new();
    let run = shop.start();
    for code in [0, 7] {
        let script = format!("exit {code}");
        shop.sandbox.run(&["run", "evidence", "--run", &run, "--", "sh", "-c", &script]).exits(code);
    }
    shop.sandbox.run(&["run", "evidence", "--run", &run, "--", "sh", "-c", "kill -9 $$"]).exits(1);
    at(&shop.show(&run), "/evidence/1/exit_code", 7);
}

#[test]
fn a_task_stays_in_its_repository_and_a_branch_is_one() {
    let shop = Shop::new();
    let run = shop.start();
    let task = shop.show(&run)["task"]["id"].as_str().unwrap().to_owned();
    let other = shop.sandbox.path("other");
    shop.git(&["clone", "-q", ".", other.to_str().unwrap()]);
    let start = |repo: &str, more: &[&str]| {
        let words: Vec<&str> = ["run", "start", "--task", &task, "--repo", repo]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        shop.sandbox.run(&words)
    };
    let said = start(other.to_str().unwrap(), &[]).exits(1);
    assert!(said.err.contains("is another repository"), "{said}");
    let tree = shop.sandbox.path("tree");
    shop.git(&["worktree", "add", "-q", "--detach", tree.to_str().unwrap()]);
    let said = start(tree.to_str().unwrap(), &[]).exits(0);
    let end = &run[run.len() - 8..];
    assert!(said.err.contains(&format!("Run {end} of the same task is still in progress")), "{said}");
    let repo = shop.repo();
    for (branch, why) in [
        ("HEAD", "is not a branch"),
        ("refs/holdpoint/runs/x", "is not a branch"),
        ("refs/tags/x", "is not a branch"),
        ("main/x", "git cannot have both"),
    ] {
        let said = start(repo.to_str().unwrap(), &["--branch", branch]).exits(1);
        assert!(said.err.contains(why), "{branch}: {said}");
    }
}

#[test]
fn what_was_taken_back_is_not_taken_back_again() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let back = shop.sandbox.json(&["run", "rollback", &run, "--json"]);
    shop.sandbox.refuses(&["run", "rollback", &run], 4, &["is asked about already"]);
    let decision = back["decision"].as_str().unwrap();
    shop.sandbox.ok(&["answer", decision, "--set", "verdict=rollback"]);
    shop.sandbox.refuses(
        &["run", "rollback", &run],
        4,
        &["taken back already", &back["id"].as_str().unwrap()[28..]],
    );
    let list = shop.sandbox.ok(&["run", "list"]);
    let row = list.lines().find(|row| row.starts_with(&run[28..])).unwrap();
    assert!(row.contains(&format!("rolled back by run {}", &back["id"].as_str().unwrap()[28..])), "{list}");
    // What took it back can be taken back itself; then it stands again.
    let forth = shop.sandbox.json(&["run", "rollback", back["id"].as_str().unwrap(), "--json"]);
    shop.sandbox.ok(&["answer", forth["decision"].as_str().unwrap(), "--set", "verdict=rollback"]);
    shop.sandbox.json(&["run", "rollback", &run, "--json"]);
}

#[test]
fn why_it_is_asked_again_is_said_once() {
    let shop = Shop::new();
    let hook = shop.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\necho too slow >&2; exit 1\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let said = shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(4);
    assert_eq!(said.err.matches("too slow").count(), 1, "{said}");
    let shown = shop.sandbox.ok(&["run", "show", &run]);
    assert_eq!(shown.matches("too slow").count(), 1, "{shown}");
    assert!(shown.contains("the repository's hook pre-commit refused"), "{shown}");
}

#[test]
fn an_open_page_hears_of_its_run_and_of_no_other() {
    let server = Server::open();
    let api = server.nobody();
    let folder = tempfile::tempdir().unwrap();
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words).current_dir(folder.path());
        assert!(command.output().unwrap().status.success());
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    let start = || {
        let body = serde_json::json!({"task": "t", "repo": folder.path()});
        api.post("/v1/runs", &body).is(201).json()["id"].as_str().unwrap().to_owned()
    };
    let (mine, other) = (start(), start());
    let page = api.get(&format!("/runs/{mine}")).is(200).body;
    let live = page.split_once("data-live=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    assert!(live.starts_with(&format!("/runs/{mine}/live?after=")), "{live}");
    let mut heard = Live::open(&api, &live);
    let used = serde_json::json!({"input_tokens": 1, "output_tokens": 1, "cost_micros": 0});
    api.post(&format!("/v1/runs/{other}/usage"), &used).is(200);
    api.post(&format!("/v1/runs/{mine}/usage"), &used).is(200);
    let (seq, tag, _) = heard.next();
    assert_eq!(tag, "changed");
    // The answer to the question about it counts as well.
    let decision =
        api.post(&format!("/v1/runs/{mine}/finish"), &serde_json::json!({})).is(200).json()["decision"]
            .as_str()
            .unwrap()
            .to_owned();
    let (asked, ..) = heard.next();
    assert!(asked > seq);
    let digest = api.decision(&decision).is(200).json()["digest"].clone();
    let abandon = serde_json::json!({"values": {"verdict": "abandon"}, "digest": digest});
    api.post(&format!("/v1/decisions/{decision}/answer"), &abandon).is(200);
    assert!(heard.next().0 > asked);
    api.get("/runs/ffff/live").refuses(404, "not_found");
}

#[test]
fn a_commit_of_the_only_patch_set_need_not_name_it() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "commit", "-m", "Good."]);
    let ended = shop.show(&run);
    at(&ended, "/standing/is", "committed");
    assert_eq!(ended["verdict"]["patchset"], ended["patchsets"][0]["id"]);
    // The same again is the same answer, named or not.
    shop.sandbox.ok(&["answer", &decision, "commit", "-m", "Good."]);
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).chain(["-m", "Good."]).collect::<Vec<_>>());
    // Of two, one must be named.
    let run = shop.start();
    let file = shop.sandbox.path("x.patch");
    for _ in 0..2 {
        shop.sandbox.ok(&["run", "patch", file.to_str().unwrap(), "--run", &run]);
    }
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    shop.sandbox.refuses(&["answer", &decision, "commit"], 1, &["which patch set", "--patchset 2"]);
    shop.sandbox.is_well();
}

#[test]
fn a_rollback_offers_nothing_to_save() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "commit"]);
    let back = shop.sandbox.ok(&["run", "rollback", &run]).trim().to_owned();
    let asked = shop.sandbox.show(&back);
    let options = asked["fields"][0]["options"].as_array().unwrap();
    let offered: Vec<&str> = options.iter().filter_map(|option| option["id"].as_str()).collect();
    assert_eq!(offered, ["retry", "abandon", "rollback"]);
    shop.sandbox.refuses(&["answer", &back, "checkpoint"], 1, &["checkpoint"]);
}

#[test]
fn a_work_tree_of_a_run_that_went_on_goes_with_its_end() {
    let shop = Shop::new();
    let saved = |shop: &Shop| {
        let (run, decision) = shop.asked();
        shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
        shop.sandbox.ok(&["run", "resume", &run, "--continue"]).trim().to_owned()
    };
    let place = |run: &str| shop.sandbox.home().join("work").join(run);
    let ended = |run: &str, words: &[&str]| {
        let decision = shop.sandbox.ok(&["run", "finish", "--run", run]).trim().to_owned();
        shop.sandbox.ok(&[&["answer", &decision], words].concat());
    };
    // What was proposed is kept with the run, whatever the verdict; so is what was not changed.
    let commit: &[&str] = &["commit", "--set", "patchset=2"];
    for verdict in [commit, &["retry"], &["checkpoint"], &["abandon"]] {
        let run = saved(&shop);
        std::fs::write(place(&run).join("b.txt"), "more\n").unwrap();
        let tree = place(&run).display().to_string();
        shop.sandbox.ok(&["run", "patch", "--from-worktree", &tree, "--run", &run]);
        ended(&run, verdict);
        assert!(!place(&run).exists(), "after {verdict:?}");
    }
    let run = saved(&shop);
    ended(&run, &["abandon"]);
    assert!(!place(&run).exists());
    // What nobody has seen is nowhere else.
    let run = saved(&shop);
    let tree = place(&run).display().to_string();
    std::fs::write(place(&run).join("b.txt"), "more\n").unwrap();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", &tree, "--run", &run]);
    std::fs::write(place(&run).join("c.txt"), "not proposed\n").unwrap();
    ended(&run, commit);
    assert!(place(&run).join("c.txt").exists());
    // A folder that somebody named is theirs.
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    let own = shop.sandbox.path("own");
    let resumed = shop.sandbox.ok(&["run", "resume", &run, "--continue", own.to_str().unwrap()]);
    ended(resumed.trim(), &["abandon"]);
    assert!(own.exists());
    shop.sandbox.is_well();
}

#[test]
fn the_log_shows_what_an_attempt_was_started_with() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let parameters = "parameters=temperature=0.2\nslower";
    shop.sandbox.ok(&["answer", &decision, "--set", "verdict=retry", "--set", parameters]);
    let next = shop.show(&run)["verdict"]["next"].as_str().unwrap().to_owned();
    at(&shop.show(&next), "/parameters", "temperature=0.2\nslower");
    let graph = shop.sandbox.ok(&["run", "log", &run]);
    assert!(graph.contains("parameters: temperature=0.2 slower"), "{graph}");
    let shown = shop.sandbox.ok(&["run", "show", &next]);
    assert!(shown.contains("temperature=0.2"), "{shown}");
}

/// A folder that nobody can write to, root neither, as long as it is kept.
struct Frozen(std::path::PathBuf);

impl Frozen {
    fn new(shop: &Shop, folder: &std::path::Path) -> Option<Self> {
        let place = folder.display();
        let script = format!("mount --bind {place} {place} && mount -o remount,ro,bind {place}");
        let frozen = Self(folder.to_owned());
        (shop.sandbox.shell(&script).code == 0).then_some(frozen)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn refs_that_cannot_be_written_are_told() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    {
        let Some(_frozen) = Frozen::new(&shop, &shop.repo().join(".git/refs")) else {
            return crate::sandbox::skipped("it needs the right to mount");
        };
        let ran = shop.sandbox.run(&["answer", &decision, "commit"]).exits(4);
        assert!(ran.err.contains("the repository is read-only for this account"), "{ran}");
    }
    let again = shop.show(&run)["decision"].as_str().unwrap().to_owned();
    assert_ne!(again, decision, "it is asked again");
    shop.sandbox.ok(&["answer", &again, "commit"]);
    at(&shop.show(&run), "/standing/is", "committed");
    super::killed::is_clean(&shop);
}

#[test]
fn names_with_blanks_are_seen() {
    let shop = Shop::new();
    let run = shop.start();
    std::fs::write(shop.repo().join(" led.txt"), "x\n").unwrap();
    let repo = shop.repo().display().to_string();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", &repo, "--run", &run]);
    let shown = shop.sandbox.ok(&["run", "show", &run]);
    assert!(shown.contains("\" led.txt\""), "{shown}");
}

#[test]
fn the_command_under_a_card_answers_it() {
    let shop = Shop::new();
    let (run, decision) = super::numbers::with_two(&shop);
    let card = shop.sandbox.ok(&["show", &decision]);
    let command = card.lines().last().unwrap();
    assert_eq!(command, format!("hold answer {decision} commit --patchset 2"));
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    shop.sandbox.ok(&words);
    at(&shop.show(&run), "/verdict/verdict", "commit");
    let shop = Shop::new();
    let (_, decision) = shop.asked();
    let card = shop.sandbox.ok(&["show", &decision]);
    assert_eq!(card.lines().last().unwrap(), format!("hold answer {decision} CHOICE [-m MESSAGE]"));
}
