//! The flags and commands that users of the original know: taken, or refused with what to do instead.

use serde_json::json;

use crate::bd::beads;
use crate::sandbox::{Sandbox, at};
use crate::server::Server;

#[test]
fn who_takes_a_decision_back_is_recorded() {
    let cancelled_by = |sandbox: &Sandbox| {
        let log = sandbox.log();
        log.iter().find(|event| event["type"] == "decision:cancelled").unwrap()["by"].clone()
    };
    let sandbox = beads();
    sandbox.shell("bd decision create bd-1 --prompt Q --option a:A").exits(0);
    let cancelled = sandbox.shell("bd decision cancel bd-1 --by bo -r 'not needed' --json").exits(0).json();
    at(&cancelled, "/responded_by", "bo");
    at(&sandbox.shell("bd decision show bd-1 --json").exits(0).json(), "/responded_by", "bo");
    at(&sandbox.shell("bd decision list --all --json").exits(0).json(), "/0/responded_by", "bo");
    assert_eq!(cancelled_by(&sandbox), "bo");
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A").exits(0);
    sandbox.refuses(&["bd", "decision", "cancel", "bd-2", "--by", ""], 1, &["by"]);
    // Over the wire a name counts where nobody is asked who they are.
    let server = Server::open();
    let id = server.nobody().ask();
    server.nobody().post(&format!("/v1/decisions/{id}/cancel"), &json!({"by": "bo"})).is(200);
    assert_eq!(cancelled_by(&server.sandbox), "bo");
}

#[test]
fn nobody_is_told_of_what_is_asked_quietly() {
    let sandbox = beads();
    let told = sandbox.path("told");
    sandbox.settings(&format!("[hooks]\non_decision_create = \"echo told >> {}\"\n", told.display()));
    sandbox.shell("bd decision create bd-1 --prompt Q --option a:A --no-notify").exits(0);
    assert!(!told.exists());
    at(&sandbox.shell("bd decision list --json").exits(0).json(), "/0/issue_id", "bd-1");
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A").exits(0);
    assert_eq!(std::fs::read_to_string(told).unwrap(), "told\n");
    // What answers itself is told: silence must not be taken for an answer that nobody could give.
    let quiet = "bd decision create bd-3 --prompt Q --option a:A --default a --no-notify";
    let ran = sandbox.shell(quiet).exits(1);
    assert!(ran.err.contains("no-notify: cannot have a --default") && !ran.err.contains("quiet"), "{ran}");
}

#[test]
fn create_can_hold() {
    let sandbox = beads();
    let create = ["bd", "decision", "create", "bd-1", "--prompt", "Q", "--option", "a:A"];
    let mut asking = sandbox.spawn(&[&create[..], &["--wait", "--json"]].concat());
    asking.until(crate::process::Stream::Err, "Created decision: dcn-");
    sandbox.ok(&["bd", "decision", "respond", "bd-1", "--option", "a"]);
    at(&asking.end().exits(0).json(), "/selected_option", "a");
    let given_up = [&create[..], &["--wait=true", "--wait-timeout", "20ms", "--wait-poll-interval", "1s"]];
    sandbox.run(&given_up.concat()).exits(5);
    sandbox.shell("bd decision await bd-1 --timeout 20ms --poll-interval 1s").exits(5);
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A --wait=false").exits(0);
}

#[test]
fn what_is_not_taken_says_what_to_do_instead() {
    let sandbox = beads();
    sandbox.shell("bd decision create bd-1 --prompt Q --option a:A").exits(0);
    for (command, words) in [
        ("decision remind bd-1 --force", "hold outbox resend"),
        ("decision stop-check", "hold hook install claude"),
        ("decision captain poll", "hold inbox"),
        ("decision mode enable --agent x", "bd decision list"),
        ("decision watch --urgent-only", "most urgent come first"),
        ("decision watch --notify", "docs/notices.md"),
        ("decision watch --headless", "hold log --follow"),
        ("decision create bd-2 --prompt Q --option a:A --predecessor bd-1", "--guidance"),
        ("decision create bd-2 --prompt Q --option a:A --priority 1", "--urgency"),
        ("decision create bd-2 --prompt Q --option a:A --waiter x", "--requested-by"),
        ("decision respond bd-1 --option a --reason because", "--text"),
        ("ready --json", "hold item list"),
        ("show bd-1", "hold item show"),
        ("gate list -a", "bd decision create"),
        ("human list", "bd decision list"),
        ("watch --decision=bd-1", "bd decision await"),
    ] {
        let arguments: Vec<&str> = std::iter::once("bd").chain(command.split(' ')).collect();
        sandbox.refuses(&arguments, 2, &[words]);
    }
}

#[test]
fn hints_name_commands_as_they_were_called() {
    let sandbox = beads();
    sandbox.shell("bd gate list").exits(2).says("ask: bd decision create ISSUE");
    sandbox.run(&["bd", "gate", "list"]).exits(2).says("ask: hold bd decision create ISSUE");
    sandbox.run(&["oj", "decision", "show", "dcn-nothing"]).exits(3).says("hold oj decision list");
}

#[test]
fn own_words_are_repeated_as_words() {
    let sandbox = beads();
    sandbox.shell("bd decision create bd-1 --prompt Q --option a:A").exits(0);
    let said = sandbox.shell("bd decision respond bd-1 --text 'Use a hybrid approach'").exits(0).out;
    assert!(said.trim().ends_with(": Use a hybrid approach"), "{said}");
    let log = sandbox.ok(&["log"]);
    assert!(log.contains("Use a hybrid approach by ") && !log.contains('{'), "{log}");
}

#[test]
fn create_without_an_item_makes_one_and_says_which() {
    let sandbox = beads();
    let ran = sandbox.shell("bd decision create --prompt 'Which?' -o '[\"a\",\"b\"]' --json").exits(0);
    let item = ran.json()["issue_id"].as_str().unwrap().to_owned();
    assert!(item.starts_with("bd-") && item.len() == 9, "{item}");
    assert!(ran.err.contains(&format!("Created item: {item}")), "{ran}");
    sandbox.shell(&format!("bd decision respond {item} --option a")).exits(0);
    let again = sandbox.shell("bd decision create --prompt 'Which?' --option a:A --json").exits(0).json();
    assert_ne!(again["issue_id"], item.as_str());
    // An empty name is a variable that was not set, and not a wish for a new one.
    sandbox.refuses(&["bd", "decision", "create", "", "--prompt", "Q", "--option", "a:A"], 1, &["issue"]);
}
