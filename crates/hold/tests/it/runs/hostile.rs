//! What bad input gets, each on a real repository: a clear refusal or exact recovery, and the repository clean.

use super::shop::Shop;
use crate::sandbox::at;

/// What of a repository must not change by what is refused.
fn state(shop: &Shop) -> String {
    [shop.git(&["status", "--porcelain"]), shop.git(&["for-each-ref"]), shop.git(&["worktree", "list"])]
        .join("\n")
}

#[test]
fn patches_that_are_refused() {
    let shop = Shop::new();
    let run = shop.start();
    let before = state(&shop);
    let new = |path: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
        )
    };
    let link = |path: &str, to: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{to}\n\\ No newline at end of file\n"
        )
    };
    let rows: Vec<(Vec<u8>, &str)> = vec![
        (b"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n uno\n-dos\n+2\n".to_vec(), "does not apply"),
        (new("../x").into_bytes(), "x"),
        (new("a/../../x").into_bytes(), "x"),
        (new("/etc/x").into_bytes(), "x"),
        (link("l", "/etc/passwd").into_bytes(), "outside of the work tree"),
        (link("l", "../../x").into_bytes(), "outside of the work tree"),
        (new(".git/hooks/post-commit").into_bytes(), ".git"),
        (new("sub/.GIT/config").into_bytes(), ".GIT"),
        (new(".git./x").into_bytes(), "git"),
        (b"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+\xff\xfe\n".to_vec(), "not UTF-8"),
        (Vec::new(), "empty"),
        (b"--- /etc/x\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n".to_vec(), "absolute path"),
        (b"hello".to_vec(), "cannot be read"),
    ];
    for (patch, why) in rows {
        let said = shop.sandbox.run_with(&["run", "patch", "-", "--run", &run], &patch).exits(1);
        assert!(said.err.contains(why), "{why}: {said}");
    }
    assert_eq!(state(&shop), before);
    assert_eq!(shop.show(&run)["patchsets"].as_array().unwrap().len(), 0);
    assert!(!shop.sandbox.path("x").exists());
    shop.sandbox.is_well();
}

#[test]
fn a_patch_of_two_hundred_megabytes_is_refused_at_once() {
    let shop = Shop::new();
    let run = shop.start();
    let before = state(&shop);
    // A sparse file: it is as large as it says, and takes no room.
    let path = shop.sandbox.path("big.patch");
    std::fs::File::create(&path).unwrap().set_len(200 << 20).unwrap();
    let said = shop.sandbox.run(&["run", "patch", path.to_str().unwrap(), "--run", &run]).exits(1);
    assert!(said.err.contains("more than 32 MiB"), "{said}");
    // And what a work tree holds.
    std::fs::File::create(shop.repo().join("big")).unwrap().set_len(200 << 20).unwrap();
    let repo = shop.repo();
    let said = shop
        .sandbox
        .run(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run])
        .exits(1);
    assert!(said.err.contains("\"big\" is new and has 200 MiB"), "{said}");
    let lines = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n".repeat(600_000);
    std::fs::write(repo.join("big"), lines).unwrap();
    let said = shop
        .sandbox
        .run(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run])
        .exits(1);
    assert!(said.err.contains("more than 32 MiB"), "{said}");
    std::fs::remove_file(repo.join("big")).unwrap();
    assert_eq!(state(&shop), before);
    shop.sandbox.is_well();
}

#[test]
fn of_another_task_or_too_late() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let (other, _) = shop.asked();
    // A patch set of another run cannot be chosen.
    let foreign = shop.show(&other)["patchsets"][0]["id"].as_str().unwrap().to_owned();
    let set = format!("patchset={foreign}");
    shop.sandbox.refuses(&["answer", &decision, "--set", "verdict=commit", "--set", &set], 1, &["patchset"]);
    at(&shop.show(&run), "/status", "finished");
    // Nor is a task attempted that nobody knows, or evidence given about a patch set that is not there.
    let repo = shop.repo();
    let nobody = "019a84cf-c400-7101-8101-010101010101";
    shop.sandbox.refuses(
        &["run", "start", "--task", nobody, "--repo", repo.to_str().unwrap()],
        3,
        &["not found"],
    );
    let file = shop.sandbox.file("late.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+3\n");
    shop.sandbox.refuses(&["run", "patch", &file, "--run", &run], 4, &["takes nothing more"]);
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let made = shop.show(&run)["verdict"]["commit"].clone();
    // The verdict twice: the same is the same, another is refused, and the commit stands once.
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    shop.sandbox.refuses(&["answer", &decision, "abandon"], 4, &["commit"]);
    shop.sandbox.refuses(&["run", "patch", &file, "--run", &run], 4, &["takes nothing more"]);
    shop.sandbox.refuses(&["run", "finish", "--run", &run], 4, &["takes nothing more"]);
    assert_eq!(shop.show(&run)["verdict"]["commit"], made);
    let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
    assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{branch}")]), "1");
    shop.sandbox.is_well();
}

#[test]
fn a_repository_that_is_gone_asks_again_and_comes_back() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    let away = shop.sandbox.path("away");
    std::fs::rename(shop.repo(), &away).unwrap();
    let said = shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(4);
    assert!(said.err.contains("not a folder"), "{said}");
    let again = shop.show(&run);
    at(&again, "/status", "finished");
    assert!(again["verdict"].is_null());
    std::fs::rename(&away, shop.repo()).unwrap();
    let words = shop.commit(&run, again["decision"].as_str().unwrap());
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    at(&shop.show(&run), "/verdict/verdict", "commit");
    shop.sandbox.is_well();
}

#[test]
fn a_hook_that_says_no_asks_again_with_its_words() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = Shop::new();
    let hook = shop.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\necho no tabs please >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (run, decision) = shop.asked();
    let before = state(&shop);
    let words = shop.commit(&run, &decision);
    shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(4);
    let again = shop.show(&run);
    assert!(again["trouble"].as_str().unwrap().contains("no tabs please"), "{again}");
    assert!(again["verdict"].is_null());
    assert_eq!(state(&shop), before, "nothing half done");
    let asked = again["decision"].as_str().unwrap();
    assert!(shop.sandbox.show(asked)["prompt"].as_str().unwrap().contains("no tabs please"));
    std::fs::remove_file(&hook).unwrap();
    let words = shop.commit(&run, asked);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    at(&shop.show(&run), "/verdict/verdict", "commit");
    shop.git(&["fsck", "--strict"]);
    shop.sandbox.is_well();
}

#[test]
fn a_locked_repository_is_waited_for() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let branch = shop.show(&run)["branch"].as_str().unwrap().to_owned();
    let lock = shop.repo().join(".git").join(format!("{branch}.lock"));
    std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
    std::fs::write(&lock, "").unwrap();
    let words = shop.commit(&run, &decision);
    let said = shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(5);
    assert!(said.err.contains("not carried out yet"), "{said}");
    assert!(!said.err.contains("server"), "none runs: {said}");
    assert_eq!(said.err.matches("hold run carry").count(), 1, "{said}");
    at(&shop.show(&run), "/status", "finished");
    at(&shop.show(&run), "/decision", decision.as_str());
    std::fs::remove_file(&lock).unwrap();
    shop.sandbox.ok(&["run", "carry", &decision]);
    at(&shop.show(&run), "/verdict/verdict", "commit");
    assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{branch}")]), "1");
    shop.sandbox.is_well();
}

#[test]
fn a_read_only_repository_is_refused_in_words() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    // Root may write everywhere, so a file stands where git needs a folder.
    let objects = shop.repo().join(".git/objects");
    let aside = shop.sandbox.path("objects");
    shop.git(&["gc", "-q"]);
    std::fs::rename(&objects, &aside).unwrap();
    std::fs::create_dir(&objects).unwrap();
    for kept in ["pack", "info"] {
        std::os::unix::fs::symlink(aside.join(kept), objects.join(kept)).unwrap();
    }
    for byte in 0..=255_u8 {
        std::fs::write(objects.join(format!("{byte:02x}")), "").unwrap();
    }
    let said = shop.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(4);
    assert!(said.err.contains("could not be carried out"), "{said}");
    let again = shop.show(&run);
    assert!(again["verdict"].is_null());
    std::fs::remove_dir_all(&objects).unwrap();
    std::fs::rename(&aside, &objects).unwrap();
    let words = shop.commit(&run, again["decision"].as_str().unwrap());
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    at(&shop.show(&run), "/verdict/verdict", "commit");
    shop.sandbox.is_well();
}
