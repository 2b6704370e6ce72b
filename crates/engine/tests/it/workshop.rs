//! A repository to work on, real and new for each test.

use std::path::{Path, PathBuf};
use std::process::Command;

use holdpoint_engine::git::Repo;

pub(crate) struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    /// Makes a repository with one commit on `main`.
    pub(crate) fn new() -> Self {
        let workshop = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(workshop.path()).unwrap();
        workshop.git(&["init", "-q", "-b", "main"]);
        workshop.write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
        workshop.write("b.txt", "b\n");
        workshop.commit("first");
        workshop
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Makes a bare copy.
    pub(crate) fn bare(&self) -> PathBuf {
        let to = self.folder.path().join("bare.git");
        run(self.folder.path(), &["clone", "-q", "--bare", "work", "bare.git"]);
        to
    }

    pub(crate) async fn repo(&self) -> Repo {
        Repo::open(&self.path()).await.unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        run(&self.path(), arguments)
    }

    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.head()
    }

    pub(crate) fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Returns all that is somebody's: what is checked out, what is staged, and what is not.
    pub(crate) fn state(&self) -> String {
        let parts = [
            &["status", "--porcelain"][..],
            &["rev-parse", "HEAD"],
            &["ls-files", "-s"],
            &["branch", "--show-current"],
        ];
        parts.iter().map(|arguments| self.git(arguments)).collect::<Vec<_>>().join("\n")
    }

    /// Puts a hook in place.
    pub(crate) fn hook(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path().join(".git/hooks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> String {
    let out = Command::new("git")
        .args(["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
}
