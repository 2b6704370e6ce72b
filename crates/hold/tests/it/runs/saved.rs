//! Going on from what was saved: the verdict shows all that a commit will hold, what was saved before too.

use serde_json::Value;

use super::shop::Shop;
use crate::sandbox::at;

const MORE: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n 2\n+three\n";

/// Begins a run, saves it, and returns it.
fn saved(shop: &Shop) -> String {
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    run
}

/// Asks for the verdict on a run, and returns the decision.
fn finish(shop: &Shop, run: &str) -> String {
    shop.sandbox.ok(&["run", "finish", "--run", run]).trim().to_owned()
}

/// Commits a patch set, and says how the commit differs from the branch that it was made on.
fn committed(shop: &Shop, run: &str, decision: &str, patchset: &str) -> String {
    let chosen = format!("patchset={patchset}");
    let digest = shop.digest(decision);
    shop.sandbox.ok(&["answer", decision, "commit", "--set", &chosen, "--digest", &digest]);
    let verdict = shop.show(run)["verdict"].clone();
    let commit = verdict["commit"].as_str().unwrap();
    assert_eq!(shop.git(&["rev-list", "--count", &format!("main..{commit}")]), "1", "{verdict}");
    diff(&shop.git(&["diff", "--full-index", "main", commit]))
}

/// The lines that a diff adds and takes away.
fn diff(text: &str) -> String {
    let changes =
        |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    text.lines().filter(changes).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_checkpoint_goes_on_at_once() {
    let shop = Shop::new();
    let run = saved(&shop);
    let folder = shop.sandbox.path("again");
    let folder = folder.to_str().unwrap();
    let script = "test \"$(sed -n 2p a.txt)\" = 2 && echo three >> a.txt && test -n \"$HOLD_RUN\"";
    let resumed = shop.sandbox.ok(&["run", "resume", &run, "--continue", folder, "--", "sh", "-c", script]);
    let resumed = resumed.trim();
    let said = shop.sandbox.ok(&["run", "patch", "--from-worktree", folder, "--run", resumed]);
    assert_eq!(said.trim(), "patch set 2: 1 file, +2 −1", "all that differs from where the change starts");
    let decision = finish(&shop, resumed);
    let shown = diff(&shop.sandbox.ok(&["run", "show", resumed, "--diff"]));
    let card = shop.sandbox.ok(&["show", &decision]);
    for line in ["-two", "+2", "+three"] {
        assert!(shown.contains(line) && card.contains(&line[1..]), "{line}: {shown}\n{card}");
    }
    assert_eq!(committed(&shop, resumed, &decision, "2"), "-two\n+2\n+three");
    shop.sandbox.refuses(&["run", "resume", &run, "--continue", folder], 1, &["there already"]);
    assert_eq!(shop.git(&["status", "--porcelain"]), "");
    shop.sandbox.is_well();
}

#[test]
fn a_patch_to_what_was_saved_is_shown_with_it() {
    let shop = Shop::new();
    let resumed = shop.sandbox.ok(&["run", "resume", &saved(&shop)]).trim().to_owned();
    let file = shop.sandbox.file("more.patch", MORE);
    let said = shop.sandbox.ok(&["run", "patch", &file, "--run", &resumed]);
    assert_eq!(said.trim(), "patch set 2: 1 file, +2 −1");
    // Saved once more, and gone on from there.
    let decision = finish(&shop, &resumed);
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    let last = shop.sandbox.ok(&["run", "resume", &resumed]).trim().to_owned();
    let decision = finish(&shop, &last);
    let asked = shop.sandbox.show(&decision);
    let base = shop.git(&["rev-parse", "main"]);
    at(&asked, "/subject/patchsets/0/base", base.as_str());
    assert_eq!(committed(&shop, &last, &decision, "1"), "-two\n+2\n+three");
    shop.sandbox.is_well();
}

#[test]
fn what_was_saved_can_be_committed_as_it_is() {
    let shop = Shop::new();
    let run = saved(&shop);
    let resumed = shop.sandbox.ok(&["run", "resume", &run]).trim().to_owned();
    let sets = shop.show(&resumed)["patchsets"].clone();
    let (first, before) = (&sets[0], &shop.show(&run)["patchsets"][0]);
    assert_eq!(first["rationale"], before["rationale"]);
    assert_eq!(first["created_by"], before["created_by"], "who proposed it stays");
    assert_ne!(first["id"], Value::Null);
    let decision = finish(&shop, &resumed);
    assert_eq!(committed(&shop, &resumed, &decision, "1"), "-two\n+2");
    shop.sandbox.is_well();
}

#[test]
fn trying_again_starts_without_what_was_saved() {
    let shop = Shop::new();
    let resumed = shop.sandbox.ok(&["run", "resume", &saved(&shop)]).trim().to_owned();
    let decision = finish(&shop, &resumed);
    shop.sandbox.ok(&["answer", &decision, "retry", "-m", "Otherwise."]);
    let next = shop.show(&resumed)["verdict"]["next"].as_str().unwrap().to_owned();
    let next = shop.show(&next);
    at(&next, "/base", shop.git(&["rev-parse", "main"]).as_str());
    assert_eq!(next["patchsets"], serde_json::json!([]));
}
