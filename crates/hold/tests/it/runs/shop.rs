//! A repository to work on, beside a data folder.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// A sandbox with a repository in it.
pub(crate) struct Shop {
    pub(crate) sandbox: Sandbox,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self::made(&[])
    }

    /// One whose repository keeps its refs as tables; none where git does not know how.
    pub(crate) fn with_tables() -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let tried =
            Command::new("git").args(["init", "-q", "--ref-format=reftable"]).arg(place.path()).output();
        tried.unwrap().status.success().then(|| Self::made(&["--ref-format=reftable"]))
    }

    fn made(more: &[&str]) -> Self {
        let shop = Self { sandbox: Sandbox::new().looking() };
        std::fs::create_dir_all(shop.repo()).unwrap();
        shop.git(&[&["init", "-q", "-b", "main"], more].concat());
        std::fs::write(shop.repo().join("a.txt"), "one\ntwo\n").unwrap();
        shop.git(&["add", "-A"]);
        shop.git(&["commit", "-q", "-m", "first"]);
        shop
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.sandbox.path("repo")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]).args(arguments);
        command.current_dir(self.repo()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let out = command.output().unwrap();
        assert!(out.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
    }

    pub(crate) fn start(&self) -> String {
        let repo = self.repo();
        self.sandbox
            .ok(&["run", "start", "--task", "Cache it", "--repo", repo.to_str().unwrap()])
            .trim()
            .to_owned()
    }

    /// Begins a run, proposes a change and asks for the verdict; returns run and decision.
    pub(crate) fn asked(&self) -> (String, String) {
        let run = self.start();
        let file =
            self.sandbox.file("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
        self.sandbox.ok(&["run", "patch", &file, "--run", &run, "-m", "Quicker."]);
        let decision = self.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
        (run, decision)
    }

    pub(crate) fn show(&self, run: &str) -> Value {
        self.sandbox.json(&["run", "show", run, "--json"])
    }

    pub(crate) fn commit(&self, run: &str, decision: &str) -> Vec<String> {
        assert!(!self.show(run)["patchsets"].as_array().unwrap().is_empty());
        let words =
            ["answer", decision, "--set", "verdict=commit", "--digest", &self.digest(decision), "--set"];
        words.map(str::to_owned).into_iter().chain(["patchset=1".to_owned()]).collect()
    }

    /// Returns the digest that a person who looks now has seen.
    pub(crate) fn digest(&self, decision: &str) -> String {
        self.sandbox.show(decision)["digest"].as_str().unwrap().to_owned()
    }
}
