//! Patches and commits on real repositories.

use std::os::unix::fs::PermissionsExt as _;

use holdpoint_core::Timestamp;
use holdpoint_core::run::Change;
use holdpoint_engine::git::{Kind, Message, MoveOutcome, Repo, Signature};

use crate::workshop::{Workshop, run};

fn message() -> Message {
    let at = Timestamp::from_millis(1_800_000_000_000);
    let signed = |name: &str| Signature { name: name.into(), email: None, at };
    Message {
        text: "Change it\n\nBecause.\n".into(),
        author: signed("agent-7"),
        committer: signed("ana <x>"),
    }
}

/// Changes made in the work tree come out the same when they are committed on top of the head.
async fn round_trip(workshop: &Workshop) -> (Repo, String) {
    let (repo, base) = (workshop.repo().await, workshop.head());
    let before = workshop.state();
    let patch = repo.patch_from_worktree(&workshop.path(), &base).await.unwrap();
    assert_eq!(workshop.state(), before, "the work tree and its index are left alone");
    let again = repo.read_patch(&base, patch.bytes.clone()).await.unwrap();
    assert_eq!((&again.tree, &again.touched), (&patch.tree, &patch.touched));
    let made = repo.commit(&patch.bytes, &base, &base, &message()).await.unwrap().commit;
    assert_eq!(workshop.state(), before);
    workshop.git(&["add", "-A"]);
    assert_eq!(workshop.git(&["write-tree"]), workshop.git(&["rev-parse", &format!("{made}^{{tree}}")]));
    (repo, made)
}

#[tokio::test]
async fn every_kind_of_change_goes_through() {
    let workshop = Workshop::new();
    workshop.write("gone.txt", "gone\n");
    workshop.write("old name.txt", "a\nb\nc\nd\ne\nf\ng\nh\n");
    workshop.write("run.sh", "#!/bin/sh\n");
    workshop.write("crlf.txt", "a\r\nb\r\n");
    workshop.write("bin", [0, 1, 2, 255, 0]);
    workshop.commit("more");
    workshop.write("a.txt", "one\n2\nthree\nfour\nfive\nsix\nseven\n");
    workshop.write("crlf.txt", "a\r\nB\r\n");
    workshop.write("bin", [0, 9, 9, 254, 0, 7]);
    workshop.write("new bin", [0, 200, 0]);
    workshop.write("dir/odd \"quoted\"\tname ✓.txt", "x\n");
    workshop.write("no newline", "x");
    workshop.write("empty", "");
    std::fs::remove_file(workshop.path().join("gone.txt")).unwrap();
    std::fs::rename(workshop.path().join("old name.txt"), workshop.path().join("new name.txt")).unwrap();
    std::fs::set_permissions(workshop.path().join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("a.txt", workshop.path().join("link")).unwrap();
    let (repo, _) = round_trip(&workshop).await;
    workshop.git(&["reset", "-q"]);
    let patch = repo.patch_from_worktree(&workshop.path(), &workshop.head()).await.unwrap();
    let change = |path: &str| patch.touched.iter().find(|file| file.path == path).map(|file| file.change);
    assert_eq!(change("a.txt"), Some(Change::Modify));
    assert_eq!(change("gone.txt"), Some(Change::Delete));
    assert_eq!(change("new name.txt"), Some(Change::Rename));
    assert_eq!(change("run.sh"), Some(Change::Modify));
    assert_eq!(change("dir/odd \"quoted\"\tname ✓.txt"), Some(Change::Add));
    let lines = patch.touched.iter().find(|file| file.path == "a.txt").map(|file| (file.added, file.deleted));
    assert_eq!(lines, Some((1, 1)));
}

#[tokio::test]
async fn who_made_and_who_decided_stand_in_the_commit() {
    let workshop = Workshop::new();
    workshop.write("b.txt", "c\n");
    let (_, made) = round_trip(&workshop).await;
    let said = workshop.git(&["log", "-1", "--format=%an|%cn|%ct|%s", &made]);
    assert_eq!(said, "agent-7|ana x|1800000000|Change it");
}

#[tokio::test]
async fn hostile_patches_are_refused() {
    let workshop = Workshop::new();
    let (repo, base) = (workshop.repo().await, workshop.head());
    let add = |path: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
        )
    };
    let link = |path: &str, to: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{to}\n\\ No newline at end of file\n"
        )
    };
    let beyond = link("d", "a.txt") + &add("d/x");
    let module = format!(
        "diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit {base}\n"
    );
    for (what, patch) in [
        ("up", add("../x").into_bytes()),
        ("up within", add("d/../../x").into_bytes()),
        ("git", add(".git/hooks/pre-commit").into_bytes()),
        ("git in another case", add("d/.GIT/config").into_bytes()),
        ("git with a dot", add(".git./x").into_bytes()),
        ("short name of git", add("GIT~1/x").into_bytes()),
        ("link out", link("l", "../../etc/passwd").into_bytes()),
        ("absolute link", link("l", "/etc/passwd").into_bytes()),
        ("link into git", link("l", ".git/config").into_bytes()),
        ("through a link", beyond.into_bytes()),
        ("a module", module.into_bytes()),
        ("no patch", b"hello\n".to_vec()),
        ("nothing", b" \n".to_vec()),
        ("not UTF-8", [add("x").as_bytes(), b"\xff\xfe"].concat()),
        (
            "does not apply",
            b"diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-zzz\n+y\n".to_vec(),
        ),
        ("too large", vec![b'x'; (32 << 20) + 1]),
    ] {
        let refused = repo.read_patch(&base, patch).await;
        let fault = refused.expect_err(what);
        assert_eq!(fault.kind, Kind::Unfit, "{what}: {fault}");
    }
    let absolute = "--- /etc/x\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n";
    let fault = repo.read_patch(&base, absolute.into()).await.unwrap_err();
    assert!(fault.why.contains("\"/etc/x\" is an absolute path"), "{fault}");
    assert!(!std::path::Path::new("/etc/x").exists());
    assert_eq!(workshop.git(&["status", "--porcelain"]), "");
    assert!(repo.read_patch(&base, add("fine").into_bytes()).await.is_ok());
}

#[tokio::test]
async fn a_branch_that_moved_is_joined_or_in_conflict() {
    let workshop = Workshop::new();
    let (repo, base) = (workshop.repo().await, workshop.head());
    workshop.write("a.txt", "1\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    let patch = repo.patch_from_worktree(&workshop.path(), &base).await.unwrap();
    workshop.write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n7\n");
    let apart = workshop.commit("elsewhere");
    let made = repo.commit(&patch.bytes, &base, &apart, &message()).await.unwrap().commit;
    assert_eq!(workshop.git(&["show", &format!("{made}:a.txt")]), "1\ntwo\nthree\nfour\nfive\nsix\n7");
    assert_eq!(repo.parent(&made).await.unwrap(), Some(apart.clone()));
    workshop.write("a.txt", "eins\ntwo\nthree\nfour\nfive\nsix\n7\n");
    let against = workshop.commit("the same line");
    let state = workshop.state();
    let fault = repo.commit(&patch.bytes, &base, &against, &message()).await.unwrap_err();
    assert_eq!(fault.kind, Kind::Conflict);
    assert!(fault.why.contains("\"a.txt\""), "{fault}");
    let fault = repo.commit(&patch.bytes, &base, &made, &message()).await.unwrap_err();
    assert!(fault.why.contains("changes nothing"), "{fault}");
    assert_eq!(workshop.state(), state);
}

#[tokio::test]
async fn commits_are_taken_back() {
    let workshop = Workshop::new();
    let repo = workshop.repo().await;
    let first = workshop.head();
    workshop.write("a.txt", "1\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    let bad = workshop.commit("bad");
    workshop.write("b.txt", "later\n");
    let later = workshop.commit("later");
    let made = repo.revert(&bad, &later, &message()).await.unwrap().commit;
    assert_eq!(workshop.git(&["show", &format!("{made}:b.txt")]), "later");
    assert!(workshop.git(&["show", &format!("{made}:a.txt")]).starts_with("one\n"));
    workshop.write("a.txt", "uno\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    let over = workshop.commit("over it");
    assert_eq!(repo.revert(&bad, &over, &message()).await.unwrap_err().kind, Kind::Conflict);
    // The first commit there is can be taken back, too.
    let empty = repo.revert(&first, &first, &message()).await.unwrap().commit;
    assert_eq!(workshop.git(&["ls-tree", &empty]), "");
}

#[tokio::test]
async fn hooks_have_their_say() {
    let workshop = Workshop::new();
    let (repo, base) = (workshop.repo().await, workshop.head());
    workshop.write("b.txt", "c\n");
    let patch = repo.patch_from_worktree(&workshop.path(), &base).await.unwrap();
    let state = workshop.state();
    workshop.hook("commit-msg", "echo 'Hooked: yes' >> \"$1\"");
    workshop.hook("pre-commit", "grep -q c b.txt || exit 1");
    let made = repo.commit(&patch.bytes, &base, &base, &message()).await.unwrap().commit;
    assert!(workshop.git(&["log", "-1", "--format=%B", &made]).contains("Hooked: yes"));
    workshop.hook("pre-commit", "echo x > 'made by a hook'; echo y >> a.txt; git add -A");
    let made = repo.commit(&patch.bytes, &base, &base, &message()).await.unwrap();
    assert_eq!(made.beyond, ["a.txt", "made by a hook"]);
    workshop.hook("pre-commit", "echo 'no tabs here' >&2; exit 1");
    let fault = repo.commit(&patch.bytes, &base, &base, &message()).await.unwrap_err();
    assert!(fault.why.contains("no tabs here"), "{fault}");
    assert_eq!(workshop.state(), state);
    assert_eq!(workshop.git(&["worktree", "list"]).lines().count(), 1, "no work tree is left behind");
}

#[tokio::test]
async fn refs_move_only_from_where_they_were_seen() {
    let workshop = Workshop::new();
    let repo = workshop.repo().await;
    let (first, second) = (workshop.head(), workshop.commit("second"));
    let name = "refs/heads/side";
    assert_eq!(repo.move_ref(name, None, &first).await.unwrap(), MoveOutcome::Yes);
    assert_eq!(repo.move_ref(name, None, &second).await.unwrap(), MoveOutcome::Elsewhere);
    assert_eq!(repo.move_ref(name, Some(&second), &second).await.unwrap(), MoveOutcome::Elsewhere);
    assert_eq!(repo.move_ref(name, Some(&first), &second).await.unwrap(), MoveOutcome::Yes);
    assert_eq!(
        repo.move_ref(name, Some(&first), &second).await.unwrap(),
        MoveOutcome::Yes,
        "it stands there already"
    );
    assert!(repo.checked_out("refs/heads/main").await.unwrap().is_some());
    assert_eq!(repo.checked_out(name).await.unwrap(), None);
    std::fs::write(workshop.path().join(".git/refs/heads/side.lock"), "").unwrap();
    assert_eq!(repo.move_ref(name, Some(&second), &first).await.unwrap_err().kind, Kind::Busy);
    for wrong in ["-x", "a..b", "a b", "a~1", ""] {
        assert!(repo.branch_name(wrong).await.is_err(), "{wrong:?}");
    }
}

#[tokio::test]
async fn bare_and_missing_repositories() {
    let workshop = Workshop::new();
    let bare = workshop.bare();
    let repo = Repo::open(&bare).await.unwrap();
    assert!(repo.is_bare());
    assert_eq!(repo.head_branch().await.unwrap().as_deref(), Some("refs/heads/main"));
    assert_eq!(repo.checked_out("refs/heads/main").await.unwrap(), None);
    let first = workshop.head();
    workshop.write("b.txt", "c\n");
    let patch = workshop.repo().await.patch_from_worktree(&workshop.path(), &first).await.unwrap();
    let made = repo.commit(&patch.bytes, &first, &first, &message()).await.unwrap().commit;
    assert_eq!(repo.move_ref("refs/heads/main", Some(&first), &made).await.unwrap(), MoveOutcome::Yes);
    assert_eq!(run(&bare, &["show", "main:b.txt"]), "c");
    assert_eq!(Repo::open(&workshop.path().join("none")).await.unwrap_err().kind, Kind::Unfit);
    let outside = tempfile::tempdir().unwrap();
    assert_eq!(Repo::open(outside.path()).await.unwrap_err().kind, Kind::Unfit);
}

#[tokio::test]
async fn files_gather_on_a_ref_of_their_own() {
    let workshop = Workshop::new();
    let repo = workshop.repo().await;
    let (name, author) = ("refs/libra/intent", ("Libra", "history@libra"));
    let file = |path: &str| (path.to_owned(), path.as_bytes().to_vec());
    let first = repo.add_files(name, &[file("run/a")], "Update run/a", author).await.unwrap();
    let second =
        repo.add_files(name, &[file("task/b"), file("run/a")], "Update task/b", author).await.unwrap();
    assert_ne!(first, second);
    assert_eq!(repo.add_files(name, &[file("task/b")], "again", author).await.unwrap(), second);
    let entries = repo.entries(name).await.unwrap().unwrap();
    let paths: Vec<(&str, u64)> = entries.iter().map(|entry| (entry.path.as_str(), entry.size)).collect();
    assert_eq!(paths, [("run/a", 5), ("task/b", 6)]);
    assert_eq!(workshop.git(&["log", "--format=%an <%ae> %s", name]).lines().count(), 2);
    assert_eq!(repo.entries("refs/none").await.unwrap(), None);
    let blob = repo.keep_bytes("refs/holdpoint/runs/x/patch-1", b"\0\xff").await.unwrap();
    assert_eq!(repo.bytes(&blob).await.unwrap(), b"\0\xff");
}
