//! Mail through real sockets: to those who are asked, with a link each, and with nothing in it that acts.

use base64::Engine as _;
use holdpoint_core::Timestamp;
use holdpoint_engine::Home;
use holdpoint_engine::auth::Links;
use serde_json::json;

use crate::postbox::{Manner, Postbox};
use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server, question_with};
use crate::serving::{Serving, outbox_dead, outbox_until};

const PASSWORD: &str = "mail-password-not-to-be-seen";

fn mailing(postbox: &Postbox, more: &str) -> Sandbox {
    let sandbox = Sandbox::new().with("MAIL_PASSWORD", PASSWORD);
    let port = postbox.port();
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[mail]\nserver = \"smtp://127.0.0.1:{port}\"\nfrom = \"Holdpoint <hold@example.org>\"\n{more}\n"
    ));
    sandbox
}

#[test]
fn each_person_who_is_asked_gets_a_link_of_their_own() {
    let postbox = Postbox::start(&[]);
    let sandbox = mailing(&postbox, "");
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    server.person("bo", Some("bo@example.org"), &[]);
    server.person("cy", None, &[]);
    server.person("di", Some("di@example.org"), &["elsewhere"]);
    let named = ["ana", "agent:critic", "bo", "cy", "di", "nobody"];
    let mut arguments = vec!["Which cache?", "-o", "a:A"];
    for name in named {
        arguments.extend(["--assign", name]);
    }
    let id = sandbox.ask(&arguments);
    let mut letters = [postbox.next(), postbox.next()];
    letters.sort_by(|one, other| one.to.cmp(&other.to));
    let links = Links::load_or_make(&Home::at(sandbox.home())).unwrap();
    for (letter, name) in letters.iter().zip(["ana", "bo"]) {
        assert_eq!(letter.to, [format!("{name}@example.org")]);
        assert_eq!(letter.header("From"), Some("Holdpoint <hold@example.org>"));
        assert_eq!(letter.header("Subject"), Some("Decision needed: Which cache?"));
        assert_eq!(letter.header("Auto-Submitted"), Some("auto-generated"));
        assert!(letter.header("Content-Type").unwrap().starts_with("text/plain"), "{letter:?}");
        let link = letter.link().unwrap().strip_prefix(&format!("{}/link/", server.url)).unwrap();
        let read = links.read(link, Timestamp::from_millis(0)).unwrap();
        assert_eq!((read.decision.to_string(), read.addressee.as_str()), (id.clone(), name));
    }
    assert_ne!(letters[0].link(), letters[1].link());
    assert_ne!(letters[0].header("Message-ID"), letters[1].header("Message-ID"));
    // A person who has no address, or may not see it, is no reason to try again.
    outbox_until(&sandbox, <[_]>::is_empty);
    sandbox.ask(&["Nobody in particular?"]);
    sandbox.ok(&["answer", &id, "a"]);
    server.stop();
    postbox.is_quiet();
}

#[test]
fn the_agents_words_cannot_act() {
    let postbox = Postbox::start(&[]);
    let sandbox = mailing(&postbox, "");
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let hostile = "Hello\r\nBcc: eve@example.org\r\n\r\n.\r\nMAIL FROM:<eve@example.org>\u{202e}\u{1b}[31m";
    let long = "x".repeat(10_000);
    sandbox.ask_document(&json!({
        "title": format!("{hostile}{long}"),
        "prompt": format!("{hostile}\nAnswer here: http://evil.example/link/abc\n.\n{long}"),
        "requested_by": "agent-7",
        "assignees": ["ana"],
        "fields": [{"id": "t", "kind": "text", "label": "?"}],
    }));
    let letter = postbox.next();
    assert_eq!(letter.to, ["ana@example.org"]);
    assert!(
        letter.header("Bcc").is_none() && letter.headers.matches("\nTo: ").count() <= 1,
        "{}",
        letter.headers
    );
    assert!(letter.headers.len() < 2_000, "{}", letter.headers);
    assert!(!letter.body.contains(['\u{1b}', '\u{202e}']) && letter.body.len() < 8_000, "{}", letter.body);
    let ours = letter.link().unwrap();
    assert!(ours.starts_with(&server.url), "{ours}");
    let fakes: Vec<&str> = letter.body.lines().filter(|line| line.contains("evil.example")).collect();
    assert!(fakes.iter().all(|line| line.starts_with("> ")), "{fakes:?}");
    server.stop();
    postbox.is_quiet();
}

#[test]
fn a_project_that_is_named_goes_out_as_far_as_the_settings_say() {
    let postbox = Postbox::start(&[]);
    let sandbox = mailing(&postbox, "[show_in]\nsecret = \"title\"\nshop = \"prompt\"");
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    for (project, prompt, subject) in [("web", true, true), ("shop", true, false), ("secret", false, false)] {
        sandbox.ask_document(&json!({
            "source": "approval", "title": "Run it?", "prompt": "It is time.", "project": project,
            "subject": {"command": "make deploy"}, "assignees": ["ana"],
            "fields": [{"id": "choice", "kind": "choice", "label": "?", "options": [
                {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}]}],
        }));
        let letter = postbox.next();
        let shown = (letter.body.contains("It is time."), letter.body.contains("make deploy"));
        assert_eq!(shown, (prompt, subject), "{project}: {letter:?}");
        assert!(letter.link().is_some(), "{letter:?}");
    }
    server.stop();
}

#[test]
fn a_mail_server_that_misbehaves_gets_it_later() {
    let postbox = Postbox::start(&[Manner::Busy, Manner::Drop, Manner::Later]);
    let sandbox = mailing(&postbox, "user = \"hold\"\npassword_env = \"MAIL_PASSWORD\"");
    let sandbox = sandbox.with("HOLD_LOG", "trace");
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let id = sandbox.ask(&["Q?", "--assign", "ana"]);
    for _ in 0..4 {
        postbox.connection();
    }
    let letter = postbox.next();
    let auth = base64::engine::general_purpose::STANDARD.decode(letter.auth.unwrap()).unwrap();
    assert_eq!(String::from_utf8(auth).unwrap(), format!("\0hold\0{PASSWORD}"));
    outbox_until(&sandbox, <[_]>::is_empty);
    at(&sandbox.show(&id), "/status", "pending");
    let ran = server.stop();
    let coded = base64::engine::general_purpose::STANDARD.encode(format!("\0hold\0{PASSWORD}"));
    assert!(!ran.err.contains(PASSWORD) && !ran.err.contains(&coded) && !ran.err.contains("/link/"), "{ran}");
    for words in ["come back later", "not now"] {
        assert_eq!(ran.err.matches(words).count(), 1, "each failure is logged once: {ran}");
    }
    postbox.is_quiet();
}

#[test]
fn an_unknown_addressee_is_a_dead_letter_and_the_decision_stands() {
    let postbox = Postbox::start(&[Manner::Unknown]);
    let sandbox = mailing(&postbox, "occasions = [\"create\", \"respond\"]");
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let id = sandbox.ask(&["Q?", "--assign", "ana"]);
    let dead = outbox_dead(&sandbox);
    assert!(dead[0]["last_error"].as_str().unwrap().contains("nobody of that name"), "{dead:?}");
    sandbox.ok(&["outbox", "resend", "--all"]);
    let resent = postbox.next();
    assert!(resent.link().is_some());
    sandbox.ok(&["answer", &id, "--text", "x"]);
    // There is nothing left to answer, so there is no link.
    let settled = postbox.next();
    assert!(settled.link().is_none() && settled.body.contains(&format!("/d/{id}")), "{settled:?}");
    server.stop();
}

#[test]
fn votes_are_told_where_the_settings_say_so() {
    let postbox = Postbox::start(&[]);
    let server = Server::on(mailing(&postbox, "occasions = [\"vote\", \"respond\"]"), &[]);
    for name in ["ana", "bo"] {
        server.sandbox.ok(&["person", "add", name, "--email", &format!("{name}@example.org")]);
    }
    let [ana, bo] = ["ana", "bo"].map(|name| server.token(name, "person", &[]));
    let ci = server.token("ci", "agent", &[]);
    let new = question_with(&json!({"assignees": ["ana", "bo"], "needs": {"approvals": 2}}));
    let asked = ci.post("/v1/decisions", &new).is(201).json();
    let vote = |who: &Api| {
        let path = format!("/v1/decisions/{}/answer", asked["id"].as_str().unwrap());
        who.post(&path, &json!({"choice": "a", "digest": asked["digest"]})).is(200);
    };
    for (voter, subject) in [(&ana, "Vote recorded"), (&bo, "Decision settled")] {
        vote(voter);
        for letter in [postbox.next(), postbox.next()] {
            assert!(letter.header("Subject").unwrap().starts_with(subject), "{letter:?}");
            let has_votes = letter.body.contains("Votes: 1 of 2: ana; still needed: 1 more person.");
            assert_eq!(has_votes, subject == "Vote recorded", "{letter:?}");
        }
    }
    outbox_until(&server.sandbox, <[_]>::is_empty);
    postbox.is_quiet();
}
