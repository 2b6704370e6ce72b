//! Settings of git: those of the user hold as where they call git by hand, and none makes git start a program of its own.

use std::os::unix::fs::PermissionsExt as _;

use super::shop::Shop;
use crate::process::{Ran, finish};

/// Writes the user's own settings of git.
fn own(shop: &Shop, text: &str) {
    std::fs::write(shop.sandbox.path(".gitconfig"), text).unwrap();
}

/// Runs with a git that takes every repository for somebody else's.
fn elsewhere(shop: &Shop, words: &[&str]) -> Ran {
    let path = std::env::var("PATH").unwrap();
    let folders = std::env::split_paths(&path);
    let real = folders.map(|folder| folder.join("git")).find(|git| git.exists()).unwrap();
    let script = format!("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {} \"$@\"", real.display());
    shop.sandbox.executable("git", &script);
    let mut command = shop.sandbox.command(words);
    command.env("PATH", format!("{}:{path}", shop.sandbox.path("bin").display()));
    finish(&mut command, b"")
}

#[test]
fn a_folder_that_git_calls_safe_is_worked_on() {
    let shop = Shop::new();
    let repo = shop.repo();
    let start = ["run", "start", "--task", "Cache it", "--repo", repo.to_str().unwrap()];
    let refused = elsewhere(&shop, &start).exits(1);
    assert!(refused.err.contains("dubious ownership"), "{refused}");
    own(&shop, &format!("[safe]\n\tdirectory = {}\n", repo.display()));
    let run = elsewhere(&shop, &start).exits(0).out.trim().to_owned();
    let file = shop.sandbox.file("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    elsewhere(&shop, &["run", "patch", &file, "--run", &run]).exits(0);
    let decision = elsewhere(&shop, &["run", "finish", "--run", &run]).exits(0).out.trim().to_owned();
    let words = shop.commit(&run, &decision);
    elsewhere(&shop, &words.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
    let commit = shop.show(&run)["verdict"]["commit"].as_str().unwrap().to_owned();
    assert_eq!(shop.git(&["show", &format!("{commit}:a.txt")]), "one\n2");
}

#[test]
fn what_git_ignores_everywhere_is_no_part_of_a_change() {
    let shop = Shop::new();
    let ignored = shop.sandbox.file("ignored", "*.swp\n");
    own(&shop, &format!("[core]\n\texcludesFile = {ignored}\n"));
    let run = shop.start();
    std::fs::write(shop.repo().join("a.txt"), "one\n2\n").unwrap();
    std::fs::write(shop.repo().join("a.txt.swp"), "x").unwrap();
    let repo = shop.repo();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run]);
    let touched = shop.show(&run)["patchsets"][0]["touched"].clone();
    assert_eq!(touched.as_array().map(Vec::len), Some(1), "{touched}");
}

#[test]
fn no_setting_of_a_repository_starts_a_program() {
    let shop = Shop::new();
    let trap = |name: &str| {
        let path = shop.sandbox.path(&format!("trap-{name}"));
        let sprung = shop.sandbox.path(&format!("sprung-{name}"));
        std::fs::write(&path, format!("#!/bin/sh\ntouch {}\nexit 1\n", sprung.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    for (key, name) in [
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("core.editor", "editor"),
        ("sequence.editor", "sequence"),
        ("core.askPass", "password"),
        ("core.sshCommand", "ssh"),
        ("diff.external", "external"),
        ("diff.odd.command", "driver"),
        ("diff.odd.textconv", "text"),
        ("gpg.program", "sign"),
        ("pager.diff-tree", "pages"),
    ] {
        shop.git(&["config", key, &trap(name)]);
    }
    for verb in ["commit-tree", "rev-parse", "apply", "update-ref", "cat-file"] {
        shop.git(&["config", &format!("alias.{verb}"), &format!("!{}", trap(verb))]);
    }
    shop.git(&["config", "credential.helper", &format!("!{}", trap("credential"))]);
    shop.git(&["config", "commit.gpgSign", "true"]);
    std::fs::write(shop.repo().join(".git/info/attributes"), "*.txt diff=odd\n").unwrap();
    let run = shop.start();
    std::fs::write(shop.repo().join("a.txt"), "one\n2\n").unwrap();
    let repo = shop.repo();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run]);
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run]);
    let between = format!("{run}:1");
    assert!(shop.sandbox.ok(&["run", "show", &run, "--diff"]).contains("+2"));
    shop.sandbox.ok(&["run", "show", &run, "--diff", "--against", &between]);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    // With a hook, and so by way of a work tree and `git commit`, and back without one.
    let hook = shop.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\ntrue\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    std::fs::remove_file(&hook).unwrap();
    let back = shop.sandbox.json(&["run", "rollback", &run, "--json"]);
    shop.sandbox.ok(&["answer", back["decision"].as_str().unwrap(), "--set", "verdict=rollback"]);
    assert_eq!(shop.show(back["id"].as_str().unwrap())["verdict"]["verdict"], "rollback");
    let sprung: Vec<_> = std::fs::read_dir(shop.sandbox.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("sprung-"))
        .collect();
    assert_eq!(sprung, Vec::<String>::new());
}

#[test]
fn what_a_hook_adds_is_said() {
    let shop = Shop::new();
    let hook = shop.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\necho x > stamp && git add stamp\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let shown = shop.sandbox.ok(&["run", "show", &run]);
    assert!(
        shown.contains("note: hooks of the repository changed what was committed; it differs from what was decided on in: \"stamp\""),
        "{shown}"
    );
    let commit = shop.show(&run)["verdict"]["commit"].as_str().unwrap().to_owned();
    assert_eq!(shop.git(&["show", &format!("{commit}:stamp")]), "x");
    // A hook that leaves it as it is goes unmentioned.
    std::fs::write(&hook, "#!/bin/sh\ntrue\n").unwrap();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(!shop.sandbox.ok(&["run", "show", &run]).contains("note:"));
    shop.sandbox.is_well();
}
