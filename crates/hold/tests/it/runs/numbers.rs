//! Patch sets by their numbers, runs by their short names, and what is found after the verdict.

use super::shop::Shop;
use crate::browser::Served;
use crate::sandbox::{HOLD, at};
use crate::terminal::{Colour, Terminal};

/// A run with two patch sets, and evidence about the first of them.
pub(super) fn with_two(shop: &Shop) -> (String, String) {
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
fn an_owner_is_a_run_also_by_part_of_its_id() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let short = format!("run:{}", &run[run.len() - 8..]);
    let listed = shop.sandbox.json(&["list", "--owner", &short, "--json"]);
    at(&listed, "/0/id", decision.as_str());
    let ask = |owner: &str| shop.sandbox.json(&["ask", "Q?", "--owner", owner, "--no-wait", "--json"]);
    at(&ask(&short), "/owner", format!("run:{run}").as_str());
    // What is no run of ours may be another program's.
    at(&ask("run:nightly-7"), "/owner", "run:nightly-7");
    at(&ask("run:ffffffff"), "/owner", "run:ffffffff");
}

#[test]
fn evidence_may_follow_the_verdict() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    let late = ["run", "evidence", "--run", &run, "--kind", "lint", "--", "true"];
    shop.sandbox.refuses(&late, 4, &["waiting for review"]);
    shop.sandbox.ok(&["answer", &decision, "commit"]);
    let said = shop.sandbox.ok(&late);
    assert!(said.contains("(patch set 1), after the verdict"), "{said}");
    let shown = shop.show(&run);
    at(&shown, "/evidence/0/verdict", decision.as_str());
    assert!(shop.sandbox.ok(&["run", "show", &run]).contains("after the verdict"));
    shop.sandbox.is_well();
    let log = shop.sandbox.ok(&["log"]);
    assert!(log.contains("patch set 1") && log.contains("lint: "), "{log}");
    // It is still so elsewhere.
    shop.sandbox.ok(&["run", "export", &run]);
    let there = crate::sandbox::Sandbox::new().looking();
    there.ok(&["run", "import", "--repo", shop.repo().to_str().unwrap()]);
    assert!(there.ok(&["run", "show", &run]).contains("after the verdict"));
    there.is_well();
}

#[test]
fn a_store_that_only_its_server_writes_has_its_verdicts_carried_out() {
    let shop = Shop::new();
    let (run, decision) = shop.asked();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let _server = Served::start(&shop.sandbox, &[]);
    shop.sandbox.ok(&["auth", "on"]);
    shop.sandbox.ok(&["answer", &decision, "commit"]);
    crate::vouching::until(|| shop.show(&run)["status"] == "decided");
    assert!(shop.show(&run)["verdict"]["commit"].is_string());
}

#[test]
fn lines_of_a_patch_set_that_is_not_there_are_not_spoken_of() {
    let shop = Shop::new();
    let run = shop.start();
    shop.sandbox.refuses(&["run", "comment", &run, "a.txt:1", "why"], 3, &["has no patch set"]);
}

#[test]
fn after_the_verdict_evidence_is_about_what_was_committed() {
    let shop = Shop::new();
    let (run, decision) = with_two(&shop);
    assert!(!shop.sandbox.ok(&["show", &decision]).contains("after the verdict"));
    shop.sandbox.ok(&["answer", &decision, "commit", "--set", "patchset=1"]);
    let said = shop.sandbox.ok(&["run", "evidence", "--run", &run, "--kind", "test", "--", "true"]);
    assert!(said.contains("(patch set 1), after the verdict"), "{said}");
    let other = ["run", "evidence", "--run", &run, "--patchset", "2", "--kind", "build", "--", "true"];
    let said = shop.sandbox.ok(&other);
    assert!(said.contains("(patch set 2, not the committed one), after the verdict"), "{said}");
    at(&shop.show(&run), "/evidence/1/patchset_number", 1);
    let diff = shop.sandbox.ok(&["run", "show", &run, "--diff"]);
    assert!(diff.contains("+2") && !diff.contains("+zwei"), "what was committed is shown: {diff}");
    // The verdict that they refer to shows them, too.
    let card = shop.sandbox.ok(&["show", &decision]);
    let found = |what: &str| card.contains(&format!("Found after the verdict: {what}: true passed in"));
    assert!(
        found("test") && found("build") && card.contains("(patch set 2, not the committed one)"),
        "{card}"
    );
    assert!(!found("lint"), "{card}");
    assert!(card.contains("+2") && !card.contains("+zwei"), "what was committed is shown: {card}");
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let page = server.browser().get(&format!("/d/{decision}")).is(200).text;
    assert!(
        page.contains("Found after the verdict") && page.contains("(patch set 2, not the committed one)"),
        "{page}"
    );
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
    for json in [&shown["patchsets"][0], &log["items"][0]["patchsets"][0]] {
        assert!(json.get("sequence").is_none(), "{json}");
    }
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
    shop.sandbox.refuses(&["run", "show", &name[..3]], 3, &["from 4 characters on"]);
    let resumed = shop.sandbox.run(&["run", "resume", &name[..5], "--continue"]).exits(0);
    let next = resumed.out.trim();
    assert!(resumed.err.contains(&format!("--run {}", &next[next.len() - 8..])), "{resumed}");
}

#[test]
fn a_number_is_that_of_the_verdict_and_then_that_of_the_patch_set() {
    for words in [["1", "2"], ["commit", "2"]] {
        let shop = Shop::new();
        let (run, decision) = with_two(&shop);
        let card = shop.sandbox.ok(&["show", &decision]);
        assert!(card.contains("  1. commit") && !card.contains("  5. 1"), "{card}");
        let digest = shop.sandbox.show(&decision)["digest"].as_str().unwrap().to_owned();
        let mut command = vec!["answer", &decision];
        command.extend(words);
        command.extend(["--digest", &digest]);
        shop.sandbox.run(&command).exits(0);
        at(&shop.show(&run), "/verdict/patchset_number", 2);
    }
}

#[test]
fn in_next_a_number_picks_and_only_the_patch_set_is_asked() {
    let shop = Shop::new();
    let (run, decision) = with_two(&shop);
    let mut next = Terminal::sized(&shop.sandbox, HOLD, &["next"], Colour::No, (200, 100));
    next.until("decision> ");
    next.press("1\r");
    next.until("patchset [number or id");
    next.press("1\r");
    next.until("Message");
    next.press("\r");
    // What was chosen is shown before it is committed.
    next.until("Patch set 1, which you chose:");
    next.until("+2");
    next.until("Send? [y/N]");
    next.press("y\r");
    next.until("Answered: ");
    next.until("To merge it: git merge");
    next.until("Done. 1 answered, 0 skipped.");
    assert_eq!(next.end(), 0);
    assert!(!next.text().contains("verdict [number or id]"), "{}", next.text());
    at(&shop.show(&run), "/verdict/patchset_number", 1);
    at(&shop.sandbox.show(&decision), "/answer/seen", true);
}

#[test]
fn the_terminal_shows_the_patch_set_that_is_chosen() {
    let shop = Shop::new();
    let (_, decision) = with_two(&shop);
    let choose = ["answer", &decision, "commit", "--patchset", "1"];
    let mut answer = Terminal::sized(&shop.sandbox, HOLD, &choose, Colour::No, (200, 100));
    answer.until("Send? [y/N]");
    assert!(answer.text().contains("+2") && !answer.text().contains("+zwei"), "{}", answer.text());
    answer.press("\r");
    assert_eq!(answer.end(), 5, "{}", answer.text());
    at(&shop.sandbox.show(&decision), "/status", "pending");
    let mut inbox = Terminal::sized(&shop.sandbox, HOLD, &["inbox"], Colour::No, (80, 120));
    inbox.shows("1 pending decision");
    inbox.insist("\r", "[ Send answer ]");
    inbox.shows("+zwei");
    inbox.insist("1", "1 (x) Commit");
    // A number is for the field that has the focus.
    inbox.insist("\t", "> 1 ( ) Patch set 1");
    inbox.insist("1", "> 1 (x) Patch set 1");
    inbox.press("\r");
    inbox.shows("Showing patch set 1.").shows("+2").hides("+zwei");
    at(&shop.sandbox.show(&decision), "/status", "pending");
    inbox.insist("\r", "To merge it: git merge");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    let settled = shop.sandbox.show(&decision);
    at(&settled, "/answer/values/verdict", "commit");
    at(&settled, "/answer/values/patchset", "1");
    at(&settled, "/answer/seen", true);
}

#[test]
fn the_inbox_says_where_the_commit_is() {
    for plain in [false, true] {
        let shop = Shop::new();
        let (run, decision) = shop.asked();
        let words: &[&str] = if plain { &["inbox", "--plain"] } else { &["inbox"] };
        let mut inbox = Terminal::sized(&shop.sandbox, HOLD, words, Colour::No, (60, 80));
        if plain {
            inbox.until("inbox> ");
            inbox.press("1\r");
            inbox.until("decision> ");
            inbox.insist("1\r", "Message, or Enter");
            inbox.press("\r");
        } else {
            inbox.shows("1 pending decision");
            inbox.insist("\r", "[ Send answer ]");
            inbox.insist("1", "1 (x) Commit");
            inbox.press("\r");
        }
        inbox.shows(" is on branch ");
        inbox.press(if plain { "q\r" } else { "q" });
        assert_eq!(inbox.end(), 0);
        // A line of the screen is too short for it: it is said again on leaving, and on the card.
        let branch = shop.show(&run)["branch"].as_str().unwrap().trim_start_matches("refs/heads/").to_owned();
        let merge = format!("To merge it: git merge {branch}");
        assert!(inbox.text().contains(&merge), "{}", inbox.text());
        let card = shop.sandbox.ok(&["show", &decision]);
        assert!(card.contains(&merge), "{card}");
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
    let (details, end, form) = (place("id=\"details\""), place("id=\"subject-end\""), place("id=\"answer\""));
    // What it is in words stands among the details: the change itself is there.
    assert!(diff < end && end < form && form < details && details < words, "{page}");
    assert!(place("(patch set 1, not the last one)") < diff);
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
    ana.fill(&format!("/d/{decision}"), &form).is(422).shows("You were shown patch set 2, not 1");
    at(&shop.sandbox.show(&decision), "/status", "pending");
    form.push(("unread", "true"));
    ana.fill(&format!("/d/{decision}"), &form).is(303);
    at(&shop.sandbox.show(&decision), "/answer/seen", false);
}

/// A page that is read for a while keeps what is picked on it; that is not a change by somebody else.
#[test]
fn a_verdict_that_was_kept_as_a_draft_is_taken() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (_, decision) = with_two(&shop);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let address = format!("/d/{decision}");
    let hidden = ana.get(&address).is(200).hidden();
    let picked = [("v:verdict", "commit"), ("v:patchset", "2"), ("by", "ana")];
    let with = |shown: Option<&'static str>, more: &[(&'static str, &'static str)]| {
        let hidden = hidden.iter().map(|(name, value)| match shown {
            Some(shown) if name == "shown" => (name.clone(), shown.to_owned()),
            _ => (name.clone(), value.clone()),
        });
        let more = picked.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        hidden.chain(more).collect::<Vec<_>>()
    };
    let mut send = |path: &str, fields: &[(String, String)]| {
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        ana.send(path, &fields)
    };
    send(&format!("{address}/draft"), &with(None, &[])).is(204);
    let kept = with(Some("v:verdict=commit&v:patchset=2"), &[("verb", "answer"), ("seen", "true")]);
    send(&address, &kept).is(303);
    at(&shop.sandbox.show(&decision), "/answer/values/patchset", "2");
}

/// The page shows the patch set that is picked; then a yes to it is to what was seen, and to no other.
#[test]
fn the_page_shows_the_patch_set_that_is_picked() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = with_two(&shop);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let address = format!("/d/{decision}");
    let first = ana.get(&address).is(200).text;
    assert!(first.contains("zwei") && first.contains("name=\"patchset_shown\" value=\"2\""), "{first}");
    assert!(first.contains(" wants a verdict") && first.contains(">Cache it</h1>"), "{first}");
    assert!(!first.contains("Someone wants") && !first.contains(&format!("run:{run}")), "{first}");
    let mut form = vec![
        ("v:verdict", "commit"),
        ("v:patchset", "1"),
        ("seen", "true"),
        ("by", "ana"),
        ("verb", "continue"),
    ];
    let picked = ana.fill(&address, &form).is(200).text;
    assert!(
        picked.contains("name=\"patchset_shown\" value=\"1\"")
            && picked.contains("<h2 id=\"diff\">Patch set 1</h2>")
    );
    assert!(!picked.contains("zwei"), "{picked}");
    let seen = picked.split("name=\"seen\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(!seen.contains("checked"), "another one was read: {seen}");
    form.retain(|(name, _)| *name != "verb");
    form.push(("verb", "answer"));
    // What the redrawn page says is shown is what counts, not what the first one showed.
    let shown = ana.fill(&address, &form).is(422);
    let hidden = shown.shows("You were shown patch set 2, not 1").hidden();
    let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let all: Vec<(&str, &str)> = hidden.chain(form.iter().copied()).collect();
    let sent = ana.send(&address, &all).is(303);
    at(&shop.sandbox.show(&decision), "/answer/seen", true);
    // Where it went is said at once, on the list, the card and the run's page.
    let list = ana.get(sent.header("location")).is(200).text;
    let branch = shop.show(&run)["branch"].as_str().unwrap().trim_start_matches("refs/heads/").to_owned();
    let commit = shop.show(&run)["verdict"]["commit"].as_str().unwrap()[..12].to_owned();
    for page in [list, ana.get(&address).is(200).text, ana.get(&format!("/runs/{run}")).is(200).text] {
        for words in [&commit, &branch, &format!("git merge {branch}")] {
            assert!(page.contains(words), "{words}: {page}");
        }
    }
}

#[test]
fn a_settled_verdict_says_which_findings_count_now() {
    let shop = Shop::new();
    let (run, decision) = with_two(&shop);
    assert!(
        shop.sandbox.ok(&["show", &decision]).contains("lint: true passed (patch set 1, not the last one)")
    );
    shop.sandbox.ok(&["answer", &decision, "commit", "--set", "patchset=1"]);
    let card = shop.sandbox.ok(&["show", &decision]);
    assert!(card.contains("lint: true passed (patch set 1)\n"), "it is the committed one: {card}");
    for exit in ["exit 3", "exit 3", "true"] {
        shop.sandbox.run(&["run", "evidence", "--run", &run, "--kind", "gate", "--", "sh", "-c", exit]);
    }
    let card = shop.sandbox.ok(&["show", &decision]);
    assert_eq!(card.matches(", in place of its result before").count(), 1, "{card}");
}

#[test]
fn where_a_change_is_cut_the_hint_names_its_patch_set() {
    let shop = Shop::new();
    let run = shop.start();
    let patch = |text: &str| {
        std::fs::write(shop.repo().join("b.txt"), text).unwrap();
        let repo = shop.repo().display().to_string();
        shop.sandbox
            .shell(&format!("cd '{repo}' && '{HOLD}' run patch --from-worktree --run {run}"))
            .exits(0);
    };
    patch(&"a line that is long enough\n".repeat(50_000));
    patch("short\n");
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    shop.sandbox.ok(&["answer", &decision, "commit", "--set", "patchset=1"]);
    let shown = shop.sandbox.ok(&["show", &decision]);
    let hint = format!("more lines: hold run show {} --diff 1", &run[run.len() - 8..]);
    assert!(shown.contains(&hint), "{}", &shown[shown.len() - 3000..]);
}
