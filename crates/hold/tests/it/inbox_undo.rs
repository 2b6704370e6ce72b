//! The inbox holds an answer back for a while in which it can be undone; leaving sends it. The real binary in a
//! pseudo-terminal.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::inbox::inbox;
use crate::sandbox::{HOLD, Sandbox, at};
use crate::server::Server;
use crate::terminal::{Colour, Terminal};

/// So long that nothing is sent by itself while a test runs.
const LONG: &str = "[server]\nundo = \"30s\"\n";

fn holding() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.settings(LONG);
    sandbox
}

fn questions<const N: usize>(sandbox: &Sandbox) -> [String; N] {
    std::array::from_fn(|n| {
        sandbox.ask(&[&format!("Question {}?", n + 1), "-o", "a:First", "-o", "b:Second"])
    })
}

/// Gives the first question of the list its second answer, and waits until that is held back.
fn answer_first(inbox: &mut Terminal, number: usize) {
    inbox.shows(&format!("> Question    Question {number}?"));
    inbox.insist("2", "> 2 (x) Second");
    inbox.press("\r");
    inbox.shows(&format!("Second — Question {number}? · sending in "));
}

/// A way to leave the inbox.
type Leave = fn(&mut Terminal);

fn is_pending(sandbox: &Sandbox, id: &str) {
    at(&sandbox.show(id), "/status", "pending");
}

/// Waits until a decision is answered, whoever does it.
fn waited(sandbox: &Sandbox, id: &str) -> Value {
    sandbox.run(&["wait", id, "--timeout", "60s"]).exits(0);
    sandbox.show(id)
}

#[test]
fn an_answer_can_be_undone_and_given_another_way() {
    let sandbox = holding();
    let [first, second] = questions(&sandbox);
    let mut inbox = inbox(&sandbox, &["--by", "bo"]);
    inbox.shows("2 pending decisions");
    inbox.insist("2", "> 2 (x) Second");
    inbox.press("mmy words\u{1b}");
    inbox.shows("my words").hides("Esc leaves");
    inbox.press("\r");
    inbox.shows("Second — Question 1? · sending in ").shows("U undoes").shows("1 pending decision");
    assert!(!inbox.seen.contains("sending in 31 s"), "longer than the settings say");
    answer_first(&mut inbox, 2);
    inbox.shows("· 1 more").shows("Nothing is waiting for you.");
    // The last first, and then the one before.
    inbox.press("U");
    inbox.shows("• Not sent: Question 2?").shows("> 2 (x) Second");
    inbox.press("U");
    inbox.shows("• Not sent: Question 1?").shows("my words").hides("U undoes");
    is_pending(&sandbox, &first);
    is_pending(&sandbox, &second);
    inbox.insist("1", "> 1 (x) First");
    inbox.press("\r");
    // What was put aside for it is there again.
    inbox.shows("First — Question 1? · sending in ").shows("Question 2?");
    inbox.press("u");
    inbox.shows("1 pending decision");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    let decision = sandbox.show(&first);
    at(&decision, "/answer/values/choice", "a");
    at(&decision, "/answer/message", "my words");
    at(&decision, "/answer/by", "bo");
    is_pending(&sandbox, &second);
}

#[test]
fn leaving_sends_what_is_held_back() {
    let sandbox = holding();
    let leave: [(&str, Leave); 6] = [
        ("q", |inbox| inbox.press("q")),
        ("Ctrl-C", |inbox| inbox.press("\u{3}")),
        ("SIGTERM", |inbox| inbox.signal(Signal::TERM)),
        ("SIGHUP", |inbox| inbox.signal(Signal::HUP)),
        ("SIGINT", |inbox| inbox.signal(Signal::INT)),
        ("SIGQUIT", |inbox| inbox.signal(Signal::QUIT)),
    ];
    for (how, leave) in leave {
        let ids: [String; 2] = questions(&sandbox);
        let mut inbox = inbox(&sandbox, &[]);
        answer_first(&mut inbox, 1);
        answer_first(&mut inbox, 2);
        for id in &ids {
            is_pending(&sandbox, id);
        }
        leave(&mut inbox);
        assert_eq!(inbox.end(), 0, "{how}: {}", inbox.text());
        for id in &ids {
            at(&sandbox.show(id), "/answer/values/choice", "b");
        }
    }
}

#[test]
fn a_terminal_that_goes_away_sends_what_is_held_back() {
    let sandbox = holding();
    let [id] = questions(&sandbox);
    // The session ends with the shell, and takes the terminal with it.
    let script = format!("{HOLD} inbox; true");
    let mut shell = Terminal::sized(&sandbox, "sh", &["-c", &script], Colour::No, (24, 80));
    answer_first(&mut shell, 1);
    is_pending(&sandbox, &id);
    shell.signal(Signal::KILL);
    at(&waited(&sandbox, &id), "/answer/values/choice", "b");
}

#[test]
fn a_suspended_inbox_has_sent_what_it_held_back() {
    let sandbox = holding();
    let [id] = questions(&sandbox);
    let mut inbox = inbox(&sandbox, &[]);
    answer_first(&mut inbox, 1);
    inbox.press("\u{1a}");
    inbox.stops();
    at(&sandbox.show(&id), "/answer/values/choice", "b");
    inbox.signal(Signal::CONT);
    inbox.shows("✓ Answered: Second — Question 1?");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}

#[test]
fn a_killed_inbox_loses_only_what_was_not_sent() {
    let sandbox = holding();
    // What falls due within half a minute is sent at once.
    let soon = sandbox.ask(&["Soon?", "-o", "a:First", "-o", "b:Second", "--timeout", "25s"]);
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("Soon?");
    inbox.insist("2", "> 2 (x) Second");
    inbox.press("\r");
    inbox.shows("✓ Answered: Second — Soon?");
    let [later] = questions(&sandbox);
    answer_first(&mut inbox, 1);
    inbox.signal(Signal::KILL);
    inbox.end();
    at(&sandbox.show(&soon), "/answer/values/choice", "b");
    is_pending(&sandbox, &later);
    sandbox.is_well();
}

#[test]
fn what_is_refused_brings_its_card_back_instead_of_leaving() {
    let sandbox = holding();
    let [id] = questions(&sandbox);
    let mut inbox = inbox(&sandbox, &[]);
    inbox.insist("2", "> 2 (x) Second");
    inbox.press("mmy words\u{1b}");
    inbox.shows("my words").hides("Esc leaves");
    inbox.press("\r");
    inbox.shows("· sending in ");
    sandbox.ok(&["answer", &id, "a", "--by", "cy"]);
    inbox.press("q");
    inbox.shows("Not sent: cy answered first: First").shows("my words");
    inbox.press("u");
    inbox.shows("Nothing is waiting for you.");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    at(&sandbox.show(&id), "/answer/by", "cy");
}

#[test]
fn whoever_is_gone_reads_afterwards_what_was_refused() {
    let sandbox = holding();
    let [id] = questions(&sandbox);
    let mut inbox = inbox(&sandbox, &[]);
    answer_first(&mut inbox, 1);
    sandbox.ok(&["answer", &id, "a", "--by", "cy"]);
    inbox.signal(Signal::TERM);
    assert_eq!(inbox.end(), 1, "{}", inbox.text());
    let told = inbox.text();
    assert!(told.contains("1 answer was not taken:") && told.contains("Question 1? (Second)"), "{told}");
}

#[test]
fn after_a_short_while_it_is_sent_by_itself_as_the_server_says() {
    let sandbox = Sandbox::new();
    sandbox.settings("[server]\nundo = \"1s\"\n");
    let server = Server::on(sandbox, &["--no-auth"]);
    at(&server.nobody().get("/v1/inbox").is(200).json(), "/undo", "1s");
    // What the settings of this machine say counts only where no server is named.
    let away = holding().with("HOLD_URL", &server.url());
    let [id] = questions(&away);
    let mut inbox = inbox(&away, &[]);
    inbox.insist("2", "> 2 (x) Second");
    inbox.press("\r");
    inbox.shows("✓ Answered: Second — Question 1?").hides("sending");
    at(&away.show(&id), "/answer/values/choice", "b");
    inbox.press("U");
    inbox.shows("There is nothing to undo.");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}

#[test]
fn several_that_get_one_answer_are_undone_and_sent_together() {
    let sandbox = holding();
    let ids: [String; 2] = std::array::from_fn(|n| {
        sandbox.ask_document(&json!({"prompt": format!("Run {n}?"), "source": "approval",
            "subject": {"command": format!("make {n}")}, "fields": [{"id": "c", "kind": "confirm", "options":
                [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "refuses": true}]}]}))
    });
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("2 pending decisions");
    inbox.press("*");
    inbox.shows("2 marked");
    inbox.insist("\r", "Answer 2 decisions");
    inbox.insist("2", "> 2 No");
    inbox.press("\r");
    inbox.shows("No — 2 decisions · sending in ").shows("Nothing is waiting for you.");
    inbox.press("U");
    inbox.shows("• Not sent: 2 decisions").shows("> 2 No");
    for id in &ids {
        is_pending(&sandbox, id);
    }
    inbox.insist("1", "> 1 Yes");
    inbox.press("\r");
    inbox.shows("Yes — 2 decisions · sending in ");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    for id in &ids {
        at(&sandbox.show(id), "/answer/values/c", "yes");
    }
}
