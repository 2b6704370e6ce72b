//! Bursts: on every channel decisions that come too fast share one message, and what is urgent waits behind nothing.

use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::sandbox::Sandbox;
use crate::serving::{Serving, outbox_until};
use crate::telegram;
use crate::telegram_server::{Bot, Call};

/// How many messages about decisions come one by one within a minute.
const OWN: usize = 5;
const BURST: usize = 30;

fn urgent(sandbox: &Sandbox) -> String {
    sandbox.ask_document(&json!({ "prompt": "Now?", "assignees": ["ana"], "priority": "urgent", "fields": [
        {"id": "choice", "kind": "choice", "label": "?", "options": [{"id": "a"}, {"id": "b"}]}] }))
}

#[test]
fn a_burst_in_telegram_is_one_message_and_the_urgent_waits_for_none_of_it() {
    let bot = Bot::start(telegram::TOKEN);
    let sandbox = telegram::chatting(&bot, "");
    let server = telegram::linked(&bot, &sandbox);
    let ids: Vec<String> = (0..BURST).map(|_| telegram::question(&sandbox)).collect();
    let before = std::time::Instant::now();
    urgent(&sandbox);
    outbox_until(&sandbox, <[_]>::is_empty);
    let told: Vec<Call> = bot.rest("sendMessage");
    let is_urgent = |call: &Call| telegram::words(call).contains("Now?");
    let at = told.iter().position(is_urgent).unwrap();
    // Those that were being sent when it was asked, one a second.
    let passed = told[..at].iter().filter(|call| call.at > before).count();
    assert!(passed <= 2, "{passed}: {told:?}");
    let gathered: Vec<&Call> = told.iter().filter(|call| telegram::words(call).contains("And ")).collect();
    assert_eq!((told.len(), gathered.len()), (OWN + 2, 1), "{told:?}");
    assert!(telegram::words(gathered[0]).contains("Open the inbox"), "{gathered:?}");
    for (one, next) in told.iter().zip(&told[1..]) {
        assert!(next.at.duration_since(one.at).as_millis() >= 500, "a chat accepts one message a second");
    }
    let until = |wanted: &str| loop {
        let call = bot.next("editMessageText");
        if telegram::words(&call).contains(wanted) {
            return call;
        }
    };
    until(&format!("And {} more decisions are waiting for you.", BURST - OWN));
    for id in &ids {
        sandbox.ok(&["answer", id, "a"]);
    }
    let settled = until("The decisions that came with these are settled.");
    assert!(!telegram::words(&settled).contains("Open the inbox"), "{settled:?}");
    outbox_until(&sandbox, <[_]>::is_empty);
    let changed = bot.rest("editMessageText");
    let answered = |call: &&Call| telegram::words(call).contains("Answered by");
    assert!(changed.iter().filter(answered).count() <= OWN, "{changed:?}");
    server.stop();
}

#[test]
fn a_burst_on_a_topic_is_one_message() {
    let receiver = Receiver::start(&[]);
    let sandbox = Sandbox::new();
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[ntfy]\nserver = \"{}\"\nallow_private = true\n[ntfy.topics]\nana = \"t\"\n",
        receiver.url("")
    ));
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let ids: Vec<String> = (0..OWN + 2).map(|_| telegram::question(&sandbox)).collect();
    let is_many = |message: &Value| message["sequence_id"].as_str().unwrap().starts_with("hold-many-");
    let mut own = 0;
    let many = loop {
        let message = receiver.next().json();
        if is_many(&message) {
            break message;
        }
        own += 1;
    };
    assert_eq!((own, &many["priority"]), (OWN, &json!(3)), "{many}");
    assert!(many["click"].as_str().unwrap().starts_with(&server.url), "{many}");
    for id in &ids {
        sandbox.ok(&["answer", id, "a"]);
    }
    // It counts down silently.
    loop {
        let message = receiver.next().json();
        if is_many(&message) {
            assert_eq!((&message["sequence_id"], &message["priority"]), (&many["sequence_id"], &json!(2)));
            if message["message"] == "The decisions that came with these are settled." {
                break;
            }
        }
    }
    outbox_until(&sandbox, <[_]>::is_empty);
    server.stop();
}
