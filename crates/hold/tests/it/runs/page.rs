//! The page of a run: the change in colours and pages, what is said about lines, and what changed between attempts.

use serde_json::json;

use super::shop::Shop;
use crate::browser::{Browser, Page, Served};
use crate::sandbox::at;

/// A run that changes a program, asked about; with a second patch set.
fn program(shop: &Shop, lines: usize) -> (String, String) {
    let run = shop.start();
    let repo = shop.repo();
    let from = ["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &run];
    let line = |n: usize| ["let line_", &n.to_string(), " = \"", &n.to_string(), "\"; // why\n"].concat();
    let text: String = (0..lines).map(line).collect();
    std::fs::write(repo.join("lib.rs"), &text).unwrap();
    shop.sandbox.ok(&from);
    std::fs::write(repo.join("lib.rs"), text.replacen("line_0 ", "first ", 1)).unwrap();
    shop.sandbox.ok(&from);
    std::fs::remove_file(repo.join("lib.rs")).unwrap();
    shop.sandbox.run(&["run", "evidence", "--run", &run, "--", "sh", "-c", "echo '<b>'; exit 1"]).exits(1);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    (run, decision)
}

fn submit(browser: &mut Browser<'_>, csrf: &str, path: &str, fields: &[(&str, &str)]) -> Page {
    let all: Vec<(&str, &str)> = [("csrf", csrf)].into_iter().chain(fields.iter().copied()).collect();
    browser.send(path, &all)
}

/// A person who gives a verdict sees the change and what was found on that very page.
#[test]
fn a_verdict_is_given_beside_the_change_and_what_was_found() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = program(&shop, 700);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let page = ana.get(&format!("/d/{decision}")).is(200);
    let page =
        page.shows("name=\"v:verdict\"").shows("Patch set 2").shows("let</span> first").shows("&lt;b&gt;");
    // The rest loads while scrolling, and the number of a line leads to where something is said about it.
    assert!(page.text.contains(&format!("/runs/{run}?patchset=2&amp;page=2")), "{}", page.text);
    assert!(page.text.contains("say="), "{}", page.text);
    assert!(!page.text.contains("line_699"));
    // Once it is given, the run shows its outcome.
    let shown = server.api("GET", &format!("/v1/decisions/{decision}"), &json!({}));
    let sent = [("digest", shown["digest"].as_str().unwrap()), ("words", "Shorter.")];
    submit(&mut ana, &page.csrf(), &format!("/runs/{run}/retry"), &sent).is(303);
    let settled = ana.get(&format!("/d/{decision}")).is(200);
    assert!(!settled.text.contains("let</span> first"), "{}", settled.text);
}

#[test]
fn a_comment_on_a_line_leads_to_a_retry() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = program(&shop, 3);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let page = ana.get(&format!("/runs/{run}")).is(200);
    let csrf = page.csrf();
    let page = page.shows("<span class=\"tw\">let</span>").shows("<span class=\"tn\">// why</span>");
    let page = page
        .shows("class=\"life\"")
        .shows("Attempt 1: waiting for review: 2 patch sets, 1 finding, 1 failed");
    // The number of a line leads to the form, without script.
    let link = page.text.split("href=\"").find(|rest| rest.contains("say=")).unwrap();
    let link = link.split('"').next().unwrap().replace("&amp;", "&");
    let form = ana.get(link.split('#').next().unwrap()).is(200);
    let form = form.shows("About line 1 of").shows(&format!("action=\"/runs/{run}/comments\""));
    assert!(form.text.contains("name=\"path\" value=\"lib.rs\""), "{}", form.text);
    let sent = [("path", "lib.rs"), ("line", "1"), ("patchset", "2"), ("text", "Say <why>.")];
    submit(&mut ana, &csrf, &format!("/runs/{run}/comments"), &sent).is(303);
    ana.get(&format!("/runs/{run}?view=split")).is(200).shows("Say &lt;why&gt;.").shows("lib.rs");
    let wrong = [("path", "nowhere.rs"), ("line", "1"), ("text", "x")];
    submit(&mut ana, &csrf, &format!("/runs/{run}/comments"), &wrong).is(422);
    let shown = server.api("GET", &format!("/v1/decisions/{decision}"), &json!({}));
    let sent = [("digest", shown["digest"].as_str().unwrap()), ("words", "Shorter.")];
    submit(&mut ana, &csrf, &format!("/runs/{run}/retry"), &sent).is(303);
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while shop.show(&run)["status"] != "decided" {
        assert!(std::time::Instant::now() < deadline);
    }
    let next = shop.show(&run)["verdict"]["next"].as_str().unwrap().to_owned();
    at(&shop.show(&next), "/guidance", "Shorter.\n\nlib.rs:1 (patch set 2): Say <why>.");
    submit(
        &mut ana,
        &csrf,
        &format!("/runs/{run}/comments"),
        &[("path", "lib.rs"), ("line", "1"), ("text", "late")],
    )
    .is(409);
    ana.get(&format!("/runs/{next}")).is(200).shows("Attempt 2: running").shows("class=\"edge retry\"");
    // What a tool said is text and nothing else.
    let log = ana.get(&format!("/runs/{run}/output/1")).is(200);
    assert_eq!(log.text.trim(), "<b>");
    assert!(
        log.headers.iter().any(|(name, value)| name == "content-type" && value.starts_with("text/plain"))
    );
    ana.get(&format!("/runs/{run}/output/2")).is(404);
}

#[test]
fn a_retry_keeps_what_is_typed_and_says_something() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = program(&shop, 3);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let page = ana.get(&format!("/runs/{run}")).is(200);
    let csrf = page.csrf();
    // What failed says its last lines.
    assert!(page.text.contains("<pre class=\"last\" dir=\"ltr\""), "{}", page.text);
    let link = page.text.split("href=\"").find(|rest| rest.contains("say=")).unwrap();
    let link = link.split('"').next().unwrap().replace("&amp;", "&");
    let form = ana.get(link.split('#').next().unwrap()).is(200);
    form.shows(&format!("formaction=\"/runs/{run}/retry\"")).shows("Save and retry");
    let shown = server.api("GET", &format!("/v1/decisions/{decision}"), &json!({}));
    let digest = ("digest", shown["digest"].as_str().unwrap());
    let retry = format!("/runs/{run}/retry");
    let refused = submit(&mut ana, &csrf, &retry, &[digest, ("words", " \n"), ("text", " ")]).is(422);
    refused.shows("say what should be different");
    at(&shop.show(&run), "/standing/is", "waiting");
    // A line that is not there is refused, and nothing is tried again.
    let said_of =
        |line| [digest, ("path", "lib.rs"), ("line", line), ("patchset", "2"), ("text", "Say why.")];
    submit(&mut ana, &csrf, &retry, &said_of("99")).is(422);
    at(&shop.show(&run), "/standing/is", "waiting");
    submit(&mut ana, &csrf, &retry, &said_of("1")).is(303);
    let ended = server.api("GET", &format!("/v1/runs/{run}/wait?timeout=30s"), &json!({}));
    let next = ended["verdict"]["next"].as_str().unwrap();
    let guidance = "See the comments on the lines.\n\nlib.rs:1 (patch set 2): Say why.";
    at(&shop.show(next), "/guidance", guidance);
}

#[test]
fn what_changed_between_patch_sets_and_attempts() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = program(&shop, 3);
    let against = format!("{run}:1");
    let between = shop.sandbox.ok(&["run", "show", &run, "--diff", "2", "--against", &against]);
    let lines: Vec<&str> = between.lines().filter(|line| line.starts_with(['+', '-'])).collect();
    assert_eq!(lines[2..], ["-let line_0 = \"0\"; // why", "+let first = \"0\"; // why"], "{between}");
    let two = shop.sandbox.ok(&["run", "show", &run, "--diff", "--split"]);
    assert!(two.contains("│"), "{two}");
    shop.sandbox.refuses(
        &["run", "show", &run, "--diff", "--against", &format!("{run}:9")],
        3,
        &["has no patch set 9; there are 2"],
    );
    shop.sandbox.ok(&["run", "comment", &run, "lib.rs:2", "Why?"]);
    shop.sandbox.refuses(&["run", "comment", &run, "lib.rs", "Why?"], 2, &["FILE:LINE"]);
    shop.sandbox.refuses(&["run", "comment", &run, "x.rs:2", "Why?"], 1, &["not touched"]);
    shop.sandbox.refuses(&["run", "comment", &run, "lib.rs:0", "Why?"], 1, &["from 1"]);
    assert!(shop.sandbox.ok(&["run", "show", &run]).contains("lib.rs:2  ana: Why?"));
    shop.sandbox.ok(&["answer", &decision, "retry"]);
    let next = shop.show(&run)["verdict"]["next"].as_str().unwrap().to_owned();
    at(&shop.show(&next), "/guidance", "lib.rs:2 (patch set 2): Why?");
    std::fs::write(shop.repo().join("lib.rs"), "let only = 1;\n").unwrap();
    let repo = shop.repo();
    shop.sandbox.ok(&["run", "patch", "--from-worktree", repo.to_str().unwrap(), "--run", &next]);
    std::fs::remove_file(repo.join("lib.rs")).unwrap();
    let between = shop.sandbox.ok(&["run", "show", &next, "--diff", "--against", &run]);
    assert!(between.contains("+let only = 1;") && between.contains("-let first"), "{between}");
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    ana.get(&format!("/runs/{next}")).is(200).shows("attempt 1");
    ana.get(&format!("/runs/{next}?against={run}:2")).is(200).shows("first");
    shop.sandbox.is_well();
}

#[test]
fn a_long_change_comes_in_pages() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, _) = program(&shop, 2_000);
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let (mut page, mut seen) = (1, 0);
    loop {
        let text = ana.get(&format!("/runs/{run}?page={page}")).is(200).text;
        seen += text.matches("class=\"added\"").count();
        assert!(text.len() < 400_000, "a page has {} bytes", text.len());
        if !text.contains("data-more") {
            break;
        }
        page += 1;
    }
    assert_eq!((seen, page), (2_000, 5));
}

#[test]
fn what_is_shown_stays_of_one_patch_set_and_a_newer_one_is_offered() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let run = shop.start();
    let patch = |new: &str, why: &str| {
        let text = format!("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+{new}\n");
        let file = shop.sandbox.file("x.patch", text);
        shop.sandbox.ok(&["run", "patch", &file, "--run", &run, "-m", why]);
    };
    patch("2", "Reason the first.");
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let mut ana = server.browser();
    let page = ana.get(&format!("/runs/{run}")).is(200).shows("Reason the first.").lacks("newer patch set");
    // What the script asks for when something has happened.
    let again = page.text.split("data-page=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    patch("zwei", "Reason the second.");
    let page = ana.get(&again.replace("&amp;", "&")).is(200).shows("A newer patch set exists");
    page.shows("Reason the first.").lacks("Reason the second.").lacks("zwei").shows("show patch set 2");
    ana.get(&format!("/runs/{run}")).is(200).shows("Reason the second.").lacks("newer patch set");
}

#[test]
fn a_rollback_shows_what_it_takes_back() {
    let shop = Shop::new();
    shop.sandbox.settings("[hooks]\ndesktop = false\n");
    let (run, decision) = shop.asked();
    let words = shop.commit(&run, &decision);
    shop.sandbox.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let back = shop.sandbox.json(&["run", "rollback", &run, "--json"]);
    let back = back["id"].as_str().unwrap();
    let diff = shop.sandbox.ok(&["run", "show", back, "--diff"]);
    assert!(diff.contains("\n-2\n+two"), "{diff}");
    assert!(shop.sandbox.ok(&["run", "show", back]).contains("takes back commit "));
    let server = Served::start(&shop.sandbox, &["--no-auth"]);
    let page = server.browser().get(&format!("/runs/{back}")).is(200).shows("Changes to revert");
    page.shows("class=\"deleted\"").lacks("No change is proposed").lacks("say=");
}
