//! Telegram: what an account is told that is not linked any more, and what is said of a bot that is reached again.

use serde_json::{Value, json};

use crate::serving::{Serving, outbox_until};
use crate::telegram::{TOKEN, chatting, code, is_taken_back, linked, question, words};
use crate::telegram_server::{Bot, Fault};
use crate::vouching::until;

#[test]
fn an_account_that_is_not_linked_any_more_is_told_nothing() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(question(&sandbox));
        bot.next("sendMessage");
    }
    let [revised, answered, settled] = &asked[..] else { panic!("{asked:?}") };
    sandbox.ok(&["answer", settled, "a"]);
    assert!(words(&bot.next("editMessageText")).contains("Answered"));
    sandbox.ok(&["person", "unlink", "ana", "telegram"]);
    // What was settled before stays as it is.
    let mut messages = [(); 2].map(|()| {
        let taken_back = bot.next("editMessageText");
        is_taken_back(&taken_back);
        taken_back.body["message_id"].as_i64().unwrap()
    });
    messages.sort_unstable();
    assert_eq!(messages, [2, 3]);
    let log = sandbox.ok(&["channel", "log", "telegram"]);
    assert!(log.contains("unlinked"), "{log}");
    sandbox.ok(&["revise", revised, "--prompt", "SECRET"]);
    sandbox.ok(&["answer", answered, "a"]);
    // Another account, linked in place of the first, takes over nothing that the first was sent.
    bot.writes(502, &code(&sandbox, "ana"), None);
    assert!(words(&bot.next("sendMessage")).starts_with("Linked."));
    question(&sandbox);
    let to_other = bot.next("sendMessage");
    assert_eq!(to_other.body["chat_id"], "502");
    bot.writes(503, &code(&sandbox, "ana"), None);
    assert!(words(&bot.next("sendMessage")).starts_with("Linked."));
    let taken_back = bot.next("editMessageText");
    assert_eq!(taken_back.body["chat_id"], "502");
    is_taken_back(&taken_back);
    outbox_until(&sandbox, <[_]>::is_empty);
    server.stop();
    bot.is_quiet();
}

#[test]
fn a_bot_that_is_reached_again_is_listed_as_connected() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let last = || sandbox.json(&["channel", "list", "--json"])[0]["last"]["what"].clone();
    let error = || Fault::Error(502, json!({}));
    bot.fails("getUpdates", error());
    let server = Serving::start(&sandbox);
    until(|| last() == "connected");
    let log = sandbox.json(&["channel", "log", "telegram", "--json"]);
    let whats: Vec<&Value> = log.as_array().unwrap().iter().map(|note| &note["what"]).collect();
    assert_eq!(whats, ["connected", "failed"]);
    // A server that was stopped while it failed is followed by one that does not.
    server.stop();
    bot.fails("getUpdates", error());
    bot.fails("getUpdates", error());
    let server = Serving::start(&sandbox);
    until(|| last() == "failed");
    server.stop();
    let server = Serving::start(&sandbox);
    until(|| last() == "connected");
    server.stop();
}
