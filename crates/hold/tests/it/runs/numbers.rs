//! Patch sets by their numbers, runs by their short names, and what is found after the verdict.

use super::shop::Shop;
use crate::browser::Served;
use crate::sandbox::{HOLD, at};
use crate::terminal::{Colour, Terminal};

/// A run with two patch sets, and evidence about the first of them.
fn with_two(shop: &Shop) -> (String, String) {
    let run = shop.start();
    for what in ["2", "zwei"] {
        let diff = format!("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+{what}\n");
        let file = shop.sandbox.file("x.patch", &diff);
        shop.sandbox.ok(&["run", "patch", &file, "--run", &run]);
        if what == "2" {
            shop.sandbox.ok(&["run", "evidence", "--run", &run, "--kind", "lint", "--", "true"]);
        }
    }
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    (run, decision)
}

#[test]
fn evidence_may_follow_the_verdict() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let late = ["run", "evidence", "--run", &run, "--kind", "lint", "--", "true"];
    shop.sandbox.refuses(&late, 4, &["waits for its verdict"]);
    shop.sandbox.ok(&["answer", &decision, "commit"]);
    let said = shop.sandbox.ok(&late);
    assert!(said.contains("(patch set 1), after the verdict"), "{said}");
    let shown = shop.show(&run);
    at(&shown, "/evidence/0/verdict", decision.as_str());
    assert!(shop.sandbox.ok(&["run", "show", &run]).contains("after the verdict"));
    shop.sandbox.is_well();
}

#[test]
fn a_patch_set_has_one_number_everywhere() {
    let shop = Shop::new();
    let (run, decision) = with_two(&shop);
    let card = shop.sandbox.ok(&["show", &decision]);
    assert!(card.contains("lint: true passed (patch set 1, not the last one)"), "{card}");
    shop.sandbox.ok(&["answer", &decision, "commit", "--set", "patchset=1"]);
    let shown = shop.show(&run);
    at(&shown, "/patchsets/0/number", 1);
    at(&shown, "/patchsets/1/number", 2);
    at(&shown, "/evidence/0/patchset_number", 1);
    at(&shown, "/verdict/patchset_number", 1);
    let log = shop.sandbox.json(&["run", "log", &run, "--json"]);
    at(&log, "/items/0/patchsets/1/number", 2);
    for words in [&["run", "list"][..], &["run", "show", &run], &["run", "log", &run]] {
        let said = shop.sandbox.ok(words);
        assert!(said.contains("committed patch set 1 as "), "{words:?}: {said}");
    }
    shop.sandbox.refuses(&["run", "show", &run, "--diff", "0"], 2, &["numbered from 1"]);
    shop.sandbox.refuses(&["run", "show", &run, "--diff", "3"], 3, &["has no patch set 3; there are 2"]);
    let empty = shop.start();
    shop.sandbox.refuses(&["run", "show", &empty, "--diff"], 3, &["has no patch set"]);
}

#[test]
fn a_run_goes_by_its_short_name() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.ok(&["answer", &decision, "checkpoint"]);
    let name = &run[run.len() - 8..];
    shop.sandbox.refuses(
        &["run", "patch", "/dev/null", "--run", &run],
        4,
        &[&format!("run {name} takes nothing")],
    );
    for words in [&["run", "list"][..], &["run", "show", &run], &["run", "log", &run]] {
        let said = shop.sandbox.ok(words);
        assert!(said.contains(&format!("hold run resume {name}")), "{words:?}: {said}");
        assert!(!said.contains(&run), "{words:?}: {said}");
    }
    assert_eq!(shop.show(&name[..4])["id"], run.as_str(), "the start of the short name");
    let resumed = shop.sandbox.run(&["run", "resume", &name[..5], "--continue"]).exits(0);
    let next = resumed.out.trim();
    assert!(resumed.err.contains(&format!("--run {}", &next[next.len() - 8..])), "{resumed}");
}

#[test]
fn in_review_a_number_picks_and_only_the_patch_set_is_asked() {
    let shop = Shop::new();
    let (run, _) = with_two(&shop);
    let mut review = Terminal::sized(&shop.sandbox, HOLD, &["review"], Colour::No, (200, 100));
    review.until("? help]");
    review.insist("1", "patchset [number or id");
    review.press("1\r");
    review.until("Message");
    review.press("\r");
    review.until("This shows patch set 2, not 1");
    review.until("u: I consent unread");
    review.press("u\r");
    review.until(": commit, patch set 1");
    review.until("To merge it: git merge");
    review.until("Done. 1 resolved, 0 skipped.");
    assert_eq!(review.end(), 0);
    assert!(!review.text().contains("verdict [number or id]"), "{}", review.text());
    at(&shop.show(&run), "/verdict/patchset_number", 1);
}

#[test]
fn the_inbox_says_where_the_commit_is() {
    for plain in [false, true] {
        let shop = Shop::new();
        shop.asked();
        let words: &[&str] = if plain { &["inbox", "--plain"] } else { &["inbox"] };
        let mut inbox = Terminal::sized(&shop.sandbox, HOLD, words, Colour::No, (60, 120));
        if plain {
            inbox.until("inbox> ");
            inbox.press("1\r");
            inbox.until("dcn-");
            inbox.insist("1\r", "Message, or Enter");
            inbox.press("\r");
        } else {
            inbox.shows("1 decision waits");
            inbox.insist("\r", "[ Send answer ]");
            inbox.insist("1", "1 (x) Commit");
            inbox.press("\r");
        }
        inbox.shows("To merge it: git merge");
        inbox.press(if plain { "q\r" } else { "q" });
        assert_eq!(inbox.end(), 0);
    }
}

#[test]
fn the_page_of_a_verdict_shows_the_change_before_what_can_be_chosen() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (_, decision) = with_two(&shop);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let page = server.browser().get(&format!("/d/{decision}")).is(200).text;
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
    let (words, diff) = (place("Patch set 2: 1 file, +1 −1"), place("zwei"));
    let (raw, end, form) =
        (place("<summary>Raw</summary>"), place("id=\"subject-end\""), place("id=\"answer\""));
    assert!(words < diff && diff < raw && raw < end && end < form, "{page}");
    assert!(place("(patch set 1, not the last one)") < form);
    assert!(!page.contains("name=\"seen\" value=\"true\" type=\"hidden\""), "{page}");
}

/// A card shows the last patch set: a yes to another is not to what was seen.
#[test]
fn another_patch_set_than_the_one_shown_is_committed_only_unread() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (_, decision) = with_two(&shop);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let mut form = vec![
        ("verb", "answer"),
        ("v:verdict", "commit"),
        ("v:patchset", "1"),
        ("seen", "true"),
        ("by", "ana"),
    ];
    ana.fill(&format!("/d/{decision}"), &form).is(422).shows("This shows patch set 2, not 1");
    at(&shop.sandbox.show(&decision), "/status", "pending");
    form.push(("unread", "true"));
    ana.fill(&format!("/d/{decision}"), &form).is(303);
    at(&shop.sandbox.show(&decision), "/answer/seen", false);
}
