//! The inbox on the whole screen: the real binary in a pseudo-terminal, as a person sees it.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::sandbox::{HOLD, Sandbox, at};
use crate::server::Server;
use crate::terminal::{Colour, Terminal};

/// Opens the inbox on a terminal of 80 columns and 24 lines.
pub(crate) fn inbox(sandbox: &Sandbox, arguments: &[&str]) -> Terminal {
    let arguments = [&["inbox"], arguments].concat();
    Terminal::sized(sandbox, HOLD, &arguments, Colour::No, (24, 80))
}

#[test]
fn a_run_of_decisions_costs_two_keys_each() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (1..=3)
        .map(|n| sandbox.ask(&[&format!("Question {n}?"), "-o", "a:First", "-o", "b:Second"]))
        .collect();
    let mut inbox = inbox(&sandbox, &["--by", "bo"]);
    inbox.shows("3 pending decisions").shows("> Question    Question 1?").shows("1 First   2 Second");
    for n in 1..=3 {
        inbox.shows(&format!("> Question    Question {n}?"));
        inbox.press("2");
        inbox.shows("> 2 (x) Second");
        inbox.press("\r");
        inbox.shows(&format!("✓ Answered: Second — Question {n}?"));
    }
    inbox.shows("Nothing is waiting for you.");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    for id in ids {
        let decision = sandbox.show(&id);
        at(&decision, "/answer/values/choice", "b");
        at(&decision, "/answer/by", "bo");
    }
}

#[test]
fn the_terminal_is_given_back_as_it_was() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    for key in ["q", "\u{3}"] {
        let script = format!("{HOLD} inbox; stty -a");
        let mut shell = Terminal::sized(&sandbox, "sh", &["-c", &script], Colour::No, (24, 80));
        shell.shows("1 pending decision");
        shell.press(key);
        assert_eq!(shell.end(), 0);
        let modes = shell.text();
        let set: Vec<&str> = modes.split_whitespace().collect();
        assert!(["icanon", "echo", "opost", "isig"].iter().all(|mode| set.contains(mode)), "{modes}");
        assert!(shell.seen.contains("\u{1b}[?1049l") && shell.seen.contains("\u{1b}[?25h"));
    }
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut inbox = inbox(&sandbox, &[]);
        inbox.shows("1 pending decision");
        inbox.signal(signal);
        assert_eq!(inbox.end(), 0);
        assert!(inbox.seen.ends_with("\u{1b}[?25h"), "{:?}", inbox.seen);
        assert!(inbox.seen.contains("\u{1b}[?1049l"));
    }
}

#[test]
fn it_can_be_suspended_and_continued() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("1 pending decision");
    inbox.until("\u{1b}[?1049h");
    inbox.press("\u{1a}");
    inbox.until("\u{1b}[?1049l");
    inbox.stops();
    inbox.signal(Signal::CONT);
    inbox.until("\u{1b}[?1049h");
    // Drawn anew: what was there before is still there for who looks too soon.
    inbox.until("Which?");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}

#[test]
fn what_happens_elsewhere_appears_by_itself() {
    let sandbox = Sandbox::new();
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("Nothing is waiting for you.");
    let first = sandbox.ask(&["First?", "-o", "a:A"]);
    inbox.shows("> Question    First?").shows("• New: First?");
    sandbox.ask(&["Second?", "-o", "a:A"]);
    inbox.shows("2 pending decisions");
    sandbox.ok(&["answer", &first, "a"]);
    inbox.hides("First?").shows("> Question    Second?");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}

#[test]
fn what_is_settled_while_one_looks_says_who_and_what_and_cannot_be_sent() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("1 pending decision");
    inbox.press("2");
    inbox.shows("> 2 (x) Second");
    sandbox.ok(&["answer", &id, "a", "--by", "cy"]);
    inbox.shows("! cy already answered: First. Nothing was sent.");
    inbox.press("\r?");
    inbox.shows("request changes");
    inbox.press("?u");
    inbox.shows("Nothing is waiting for you.");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    at(&sandbox.show(&id), "/answer/by", "cy");
}

#[test]
fn what_is_revised_while_one_looks_is_looked_at_again() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("1 pending decision");
    inbox.press("1");
    inbox.shows("> 1 (x) First");
    inbox.press("mmy words\u{1b}");
    inbox.shows("my words").hides("Esc leaves");
    sandbox.ok(&["revise", &id, "-o", "b:Erase it all", "-o", "a:Keep it"]);
    inbox.shows("! The agent changed this.").shows("my words");
    inbox.press("\r");
    inbox.press("r");
    inbox.shows("(x) Keep it").shows("Erase it all").hides("The agent changed");
    inbox.press("2\r");
    inbox.shows("✓ Answered: Keep it");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    let decision = sandbox.show(&id);
    at(&decision, "/answer/values/choice", "a");
    at(&decision, "/answer/message", "my words");
}

#[test]
fn rounds_show_what_was_asked_for_and_what_changed() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Which cache?", "-o", "redis:Redis", "-o", "lru:In memory"]);
    let mut inbox = inbox(&sandbox, &["--by", "bo"]);
    inbox.shows("1 pending decision");
    inbox.press("\r");
    inbox.shows("Request changes (g):");
    inbox.press("g");
    inbox.shows("Ctrl-S requests changes");
    inbox.press("Consider memcached\u{13}");
    inbox.shows("✓ Changes requested; round 2 is open").shows("[round 2]");
    let next = sandbox.json(&["list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["revise", &next, "-o", "redis:Redis", "-o", "mem:Memcached"]);
    inbox.shows("2 Memcached");
    inbox.press("\r");
    inbox.shows("Round 2 of 3. Changes requested: Consider memcached");
    inbox.shows("bo asked for: Consider memcached").shows("- • In memory").shows("+ • Memcached");
    inbox.insist("d", "Earlier rounds").shows("What changed after it:");
    inbox.press("u");
    inbox.insist("2", "2 (x) Memcached").insist("\r", "✓ Answered: Memcached");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}

fn hostile() -> Value {
    let nasty = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred\u{9b}31m \u{202e}live\u{202c}\r\u{8}";
    let options: Vec<Value> =
        (0..9_000).map(|n| json!({"id": format!("o{n}"), "label": format!("{nasty} {n}")})).collect();
    json!({
        "title": format!("{nasty}{}", "T".repeat(19_000)), "prompt": format!("{nasty}{}", "word ".repeat(200_000)),
        "requested_by": "agent-7", "subject": nasty.repeat(10_000),
        "fields": [{"id": "f", "kind": "choice", "label": nasty, "options": options}],
        "outs": [{"id": "cancel", "label": nasty}],
    })
}

#[test]
fn hostile_cards_are_inert_and_the_inbox_stays_quick() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&hostile());
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("1 pending decision").shows("<U+001B>");
    inbox.press("\r");
    inbox.shows("… p shows the whole title");
    for (key, words) in [("p", "What the agent says"), ("s", "Subject")] {
        inbox.press(key);
        inbox.shows(words).shows("lines 1–");
        inbox.press("G");
        inbox.hides("lines 1–");
        inbox.press("u");
        inbox.shows("… p shows the whole title");
    }
    // A leap to the end of the subject was not reading.
    inbox.press("C");
    inbox.shows("Unread approval (recorded)");
    inbox.press("/");
    inbox.shows("Esc leaves");
    inbox.press(" 8999\r");
    inbox.shows("<U+0008> 8999");
    inbox.press(" ");
    inbox.shows("(x)");
    inbox.press("\r");
    inbox.shows("✓ Answered");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    at(&sandbox.show(&id), "/answer/values/f", "o8999");
    for acting in ["\u{1b}]0;", "\u{1b}[31m", "\u{9b}", "\u{202e}", "\u{202c}", "\u{7}", "\u{8}"] {
        assert!(!inbox.seen.contains(acting), "{acting:?} reached the terminal");
    }
}

#[test]
fn it_fits_whatever_the_terminal_becomes() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("subject.json", r#"{"command": "kubectl rollout restart"}"#);
    sandbox.ask(&["Deploy the web tier to production?", "--kind", "confirm", "--subject", &subject]);
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("Approval    kubectl rollout restart");
    inbox.resize(12, 40);
    inbox.shows("> kubectl rollout restart").hides("Approval ");
    inbox.press("\r");
    // The refusing option is brought into sight before anything is sent.
    inbox.shows("Deploy the web tier to production?");
    inbox.press("k");
    inbox.shows("> 1 Yes");
    inbox.press("j");
    inbox.shows("> 2 No (refuses)");
    inbox.resize(24, 80);
    inbox.shows("Message (m):").shows("> 2 No (refuses)");
    inbox.press("\r");
    inbox.shows("✓ Answered: No");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}

#[test]
fn a_server_is_as_good_as_a_store() {
    let sandbox = Sandbox::new();
    sandbox.sends_at_once();
    let server = Server::on(sandbox, &["--no-auth"]);
    let away = Sandbox::new().with("HOLD_URL", &server.url()).with("USER", "bo");
    let first = away.ask_a_or_b();
    let mut inbox = inbox(&away, &[]);
    inbox.shows("1 pending decision");
    let second = away.ask(&["Later?", "-o", "a:A", "-o", "b:B"]);
    inbox.shows("2 pending decisions").shows("• New: Later?");
    inbox.press("2");
    inbox.shows("> 2 (x) Second");
    inbox.press("\r");
    inbox.shows("✓ Answered: Second").shows("> Question    Later?");
    inbox.insist("1", "> 1 (x) A");
    away.ok(&["answer", &second, "b", "--by", "cy"]);
    inbox.shows("! cy already answered: B.");
    inbox.press("u");
    inbox.shows("Nothing is waiting for you.");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    at(&away.show(&first), "/answer/by", "bo");
}

#[test]
fn colour_is_left_out_where_it_is_not_wanted() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    for colour in [Colour::Yes, Colour::No] {
        let mut inbox = Terminal::sized(&sandbox, HOLD, &["inbox"], colour, (24, 80));
        inbox.shows("> Question    Which?");
        inbox.press("q");
        assert_eq!(inbox.end(), 0);
        let coloured = inbox.seen.contains("\u{1b}[38;5;") || inbox.seen.contains("\u{1b}[36m");
        assert_eq!(coloured, colour == Colour::Yes, "{:?}", inbox.seen);
    }
}

#[test]
fn without_a_terminal_it_says_what_to_do_instead() {
    let sandbox = Sandbox::new();
    sandbox.refuses(&["inbox"], 1, &["needs a terminal", "hold inbox --plain", "hold list"]);
}

#[test]
fn a_wide_terminal_has_two_panes_and_says_what_lies_below() {
    let sandbox = Sandbox::new();
    for n in 1..=30 {
        sandbox.ask(&[&format!("Question {n}?"), "-o", "a:First", "-o", "b:Second"]);
    }
    let mut inbox = Terminal::sized(&sandbox, HOLD, &["inbox"], Colour::No, (24, 130));
    inbox.shows("> Question 1?").shows("│ Question 1?").shows("│   1 ( ) First").shows("↓ 10 more below");
    inbox.press("j");
    inbox.shows("> Question 2?").shows("│ Question 2?");
    inbox.press("\r");
    // The list stays beside the card.
    inbox.shows("> Question 2?").shows("│   1 ( ) First").shows("  Question 3?");
    inbox.press("u");
    inbox.shows("Enter opens");
    inbox.press("z");
    inbox.shows("To undo: hold snooze").shows("--end. Question 2?").shows("> Question 3?");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
}
