//! Telegram against a stand-in of its Bot API: accounts are linked, taps answer, messages follow, and nothing else counts.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::serving::{Serving, outbox_until};
use crate::telegram_server::{Bot, Call, Fault};

pub(crate) const TOKEN: &str = "123456:NOT-to-be-seen_anywhere";
pub(crate) const ANA: i64 = 501;

pub(crate) fn chatting(bot: &Bot, more: &str) -> Sandbox {
    let sandbox = Sandbox::new().with("BOT_TOKEN", bot.token());
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[telegram]\nserver = \"{}\"\ntoken_env = \"BOT_TOKEN\"\nallow_private = true\n{more}\n",
        bot.url()
    ));
    sandbox
}

/// Starts a server with a person whose account is linked.
pub(crate) fn linked(bot: &Bot, sandbox: &Sandbox) -> Serving {
    let server = Serving::start(sandbox);
    server.person("ana", None, &[]);
    bot.writes(ANA, &code(sandbox, "ana"), None);
    assert!(words(&bot.next("sendMessage")).starts_with("Linked."));
    server
}

pub(crate) fn code(sandbox: &Sandbox, name: &str) -> String {
    sandbox.json(&["person", "link", name, "telegram", "--json"])["code"].as_str().unwrap().to_owned()
}

pub(crate) fn words(call: &Call) -> &str {
    call.body["text"].as_str().unwrap()
}

/// Returns what the buttons of a message say and carry.
pub(crate) fn buttons(call: &Call) -> Vec<(String, String)> {
    let rows = call.body["reply_markup"]["inline_keyboard"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(&row[0]["text"]), text(&row[0]["callback_data"]))).collect()
}

pub(crate) fn labels(call: &Call) -> Vec<String> {
    buttons(call).into_iter().map(|(label, _)| label).collect()
}

pub(crate) fn question(sandbox: &Sandbox) -> String {
    sandbox.ask(&["Which cache?", "-o", "a:Redis", "-o", "b:None", "--assign", "ana"])
}

pub(crate) fn approval(sandbox: &Sandbox, command: &str) -> String {
    sandbox.ask_document(&json!({
        "source": "approval", "title": "Run it?", "subject": {"command": command}, "assignees": ["ana"],
        "fields": [{"id": "choice", "kind": "choice", "label": "?", "options": [
            {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}]}],
    }))
}

/// The id that the stand-in gave to the message sent last.
pub(crate) fn message(number: i64) -> Value {
    json!(number)
}

#[test]
fn a_linked_account_answers_and_the_message_follows() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    // Who links an account is nobody that was refused.
    let log = sandbox.json(&["channel", "log", "telegram", "--json"]);
    assert_eq!((log.as_array().unwrap().len(), &log[0]["what"]), (1, &json!("linked")), "{log}");
    let id = question(&sandbox);
    let asked = bot.next("sendMessage");
    assert_eq!(asked.body["chat_id"], ANA.to_string());
    assert!(words(&asked).contains("<pre>Which cache?</pre>"), "{asked:?}");
    assert_eq!(labels(&asked), ["Redis", "None"]);
    bot.tap(ANA, &message(2), &buttons(&asked)[0].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: Redis"));
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/choice", "a");
    at(&shown, "/answer/by", "ana");
    at(&shown, "/answer/via", "telegram");
    at(&shown, "/answer/auth", "channel");
    at(&shown, "/answer/channel", json!({"account": ANA.to_string(), "message": "2"}));
    assert!(sandbox.ok(&["show", &id]).contains("via telegram (account 501, message 2, linked account)"));
    at(&sandbox.json(&["receipt", &id]), "/answer/channel/message", "2");
    let settled = bot.next("editMessageText");
    at(&settled.body, "/message_id", 2);
    assert!(words(&settled).starts_with("<b>Answered by ana: Redis</b>") && buttons(&settled).is_empty());
    // A tap that comes again, or too late, says what was decided.
    bot.tap(ANA, &message(2), &buttons(&asked)[1].1);
    let late = bot.next("answerCallbackQuery");
    assert!(words(&late).contains("Answered by ana: Redis. Nothing was sent"), "{late:?}");
    at(&sandbox.show(&id), "/answer/values/choice", "a");
    outbox_until(&sandbox, <[_]>::is_empty);
    let log = sandbox.ok(&["channel", "log", "telegram"]);
    for what in ["linked", "sent", "taken", "followed", "refused"] {
        assert!(log.contains(what), "{what}: {log}");
    }
    assert!(sandbox.ok(&["channel", "list"]).contains("ana"));
    sandbox.ok(&["channel", "test", "telegram", "ana"]);
    assert!(words(&bot.next("sendMessage")).contains("test"));
    let ran = server.stop();
    assert!(!ran.err.contains(TOKEN) && !log.contains(TOKEN), "{ran}");
    bot.is_quiet();
}

#[test]
fn a_yes_to_a_subject_takes_two_taps_and_all_of_it_in_sight() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "show = \"all\"");
    let server = linked(&bot, &sandbox);
    let id = approval(&sandbox, "make deploy");
    let asked = bot.next("sendMessage");
    assert!(words(&asked).contains("make deploy"), "{asked:?}");
    assert_eq!(labels(&asked), ["Allow", "Deny"]);
    bot.tap(ANA, &message(2), &buttons(&asked)[0].1);
    let sure = bot.next("editMessageReplyMarkup");
    bot.next("answerCallbackQuery");
    at(&sandbox.show(&id), "/status", "pending");
    assert_eq!(labels(&sure), ["Yes, I have read it: Allow", "Back"]);
    bot.tap(ANA, &message(2), &buttons(&sure)[1].1);
    assert_eq!(labels(&bot.next("editMessageReplyMarkup")), ["Allow", "Deny"]);
    bot.next("answerCallbackQuery");
    bot.tap(ANA, &message(2), &buttons(&sure)[0].1);
    bot.next("answerCallbackQuery");
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/choice", "allow");
    at(&shown, "/answer/seen", true);
    bot.next("editMessageText");
    // It ranks with a link, below a token.
    let subject = sandbox.file("subject.json", r#"{"command":"make deploy"}"#);
    let use_it = |min: &str| sandbox.run(&["consume", &id, "--subject", &subject, "--min", min, "--seen"]);
    use_it("token").says("but token is needed");
    use_it("link").exits(0);
    // What does not fit is only declined here.
    approval(&sandbox, &"x".repeat(3_000));
    assert_eq!(labels(&bot.next("sendMessage")), ["Deny"]);
    server.stop();
}

#[test]
fn whoever_writes_the_database_turns_no_tap_into_another() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "show = \"all\"");
    let server = linked(&bot, &sandbox);
    let write = |sql: &str| {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = rusqlite::Connection::open_with_flags(sandbox.store(), flags).unwrap();
        connection.busy_timeout(crate::process::TIMEOUT).unwrap();
        connection.execute(sql, []).unwrap()
    };
    let refused = |handle: &str| {
        bot.tap(ANA, &message(2), handle);
        let said = bot.next("answerCallbackQuery");
        assert!(words(&said).contains("Nothing was sent"), "{said:?}");
    };
    // A no becomes a yes.
    let first = approval(&sandbox, "make deploy");
    let asked = bot.next("sendMessage");
    outbox_until(&sandbox, <[_]>::is_empty);
    let swap = "UPDATE sent SET controls = replace(replace(replace(controls, 'deny', 'x'), 'allow', 'deny'), 'x', 'allow')";
    assert_eq!(write(swap), 1);
    refused(&buttons(&asked)[1].1);
    at(&sandbox.show(&first), "/status", "pending");
    assert_eq!(write(swap), 1);
    // A yes to one thing becomes a yes to another.
    let other = approval(&sandbox, "rm -rf /");
    bot.next("sendMessage");
    outbox_until(&sandbox, <[_]>::is_empty);
    let last = "(SELECT * FROM sent ORDER BY id DESC LIMIT 1)";
    let aim = format!(
        "UPDATE sent SET decision = o.decision, digest = o.digest, controls = o.controls FROM {last} AS o \
         WHERE sent.id = (SELECT min(id) FROM sent)"
    );
    assert_eq!(write(&aim), 1);
    refused(&buttons(&asked)[0].1);
    for id in [&first, &other] {
        at(&sandbox.show(id), "/status", "pending");
    }
    server.stop();
}

#[test]
fn nobody_else_answers() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    server.person("bo", None, &[]);
    let used = code(&sandbox, "bo");
    bot.writes(502, &format!("/start {used}"), None);
    assert!(words(&bot.next("sendMessage")).starts_with("Linked."));
    // A code counts once, for one person; another is none.
    bot.writes(503, &used, None);
    assert!(words(&bot.next("sendMessage")).contains("used before"));
    bot.writes(503, &"A".repeat(32), None);
    assert!(words(&bot.next("sendMessage")).contains("Nothing was sent"));
    bot.writes(502, &code(&sandbox, "ana"), None);
    assert!(words(&bot.next("sendMessage")).contains("unlink it there first"));
    let id = question(&sandbox);
    let asked = bot.next("sendMessage");
    let handle = &buttons(&asked)[0].1;
    let number = asked.body["chat_id"].clone();
    assert_eq!(number, ANA.to_string());
    let refused = |account: i64, handle: &str, why: &str| {
        bot.tap(account, &message(6), handle);
        let said = bot.next("answerCallbackQuery");
        assert!(words(&said).contains(why) && words(&said).contains("Nothing was sent"), "{said:?}");
        at(&sandbox.show(&id), "/status", "pending");
    };
    refused(503, handle, "not linked");
    refused(502, handle, "not yours");
    refused(ANA, "forged", "not yours");
    let (row, rest) = handle.split_once('.').unwrap();
    refused(ANA, &format!("{row}.0000000000000000.0"), "not yours");
    refused(ANA, &format!("1{row}.{rest}"), "not yours");
    refused(ANA, &handle.replace(".0", ".7"), "not yours");
    // In a group nobody is heard, whoever taps.
    bot.happens(&json!({ "callback_query": { "id": "g", "from": { "id": ANA }, "data": handle,
        "message": { "message_id": 6, "chat": { "id": -7, "type": "group" } } } }));
    assert!(words(&bot.next("answerCallbackQuery")).contains("only in your own chat"));
    at(&sandbox.show(&id), "/status", "pending");
    // A revised question has buttons of its own.
    sandbox.ok(&["revise", &id, "--prompt", "Which one?"]);
    let revised = bot.next("editMessageText");
    assert!(words(&revised).contains("Which one?"), "{revised:?}");
    refused(ANA, handle, "the question changed");
    sandbox.ok(&["person", "unlink", "ana", "telegram"]);
    is_taken_back(&bot.next("editMessageText"));
    refused(ANA, &buttons(&revised)[0].1, "not linked");
    server.stop();
    bot.is_quiet();
}

pub(crate) fn is_taken_back(call: &Call) {
    assert_eq!((words(call), buttons(call).len()), ("This decision is no longer waiting for you.", 0));
}

#[test]
fn strangers_keep_nobody_waiting() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    let id = question(&sandbox);
    let asked = bot.next("sendMessage");
    for at in 0..20 {
        bot.writes(888, &format!("hello {at}"), None);
        bot.writes(888, &format!("in reply {at}"), Some(&message(2)));
    }
    bot.tap(ANA, &message(2), &buttons(&asked)[0].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: Redis"));
    at(&sandbox.show(&id), "/status", "answered");
    bot.next("editMessageText");
    server.stop();
    let told = bot.rest("sendMessage");
    assert!(told.len() <= 3 && told.iter().all(|call| call.body["chat_id"] == "888"), "{told:?}");
    let log = sandbox.ok(&["channel", "log", "telegram"]);
    let about = log.lines().filter(|line| line.contains("888")).count();
    assert!((1..=3).contains(&about) && log.contains("its messages are rate-limited"), "{log}");
}

#[test]
fn what_is_hidden_on_the_card_gets_no_yes_here() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "show = \"all\"");
    let server = linked(&bot, &sandbox);
    let ask = |label: &str, about: &str| {
        sandbox.ask_document(&json!({
            "title": "Ship", "prompt": "Ship it?", "subject": "make ship", "assignees": ["ana"],
            "fields": [{"id": "c", "kind": "confirm", "label": "Really?", "options": [
                {"id": "yes", "label": label, "description": about}, {"id": "no", "label": "No", "refuses": true}]}],
        }));
        bot.next("sendMessage")
    };
    let told = ask("Yes", "Also wires 5,000 EUR to Bob");
    assert!(words(&told).contains("Really?") && words(&told).contains("wires 5,000 EUR"), "{told:?}");
    assert_eq!(labels(&told), ["Yes", "No"]);
    let long = ask("Yes, ship the new version of the shop to all the customers, and delete every backup", "");
    assert_eq!(labels(&long), ["No"]);
    assert_eq!(labels(&ask("Yes", &"word ".repeat(800))), ["No"]);
    // Two answers that a button cannot tell apart are for the card.
    let rows = "Delete every row of the table that is called customers, in the environment named";
    let options = [format!("a:{rows} STAGING"), format!("b:{rows} PRODUCTION")];
    sandbox.ask(&["Where?", "-o", &options[0], "-o", &options[1], "--assign", "ana"]);
    assert_eq!(labels(&bot.next("sendMessage")), [""; 0]);
    server.stop();
}

#[test]
fn telegram_may_misbehave() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    bot.forgets();
    for fault in [Fault::Close, Fault::Error(500, json!({})), Fault::Error(502, json!({}))] {
        bot.fails("getUpdates", fault);
    }
    bot.fails("sendMessage", Fault::Error(429, json!({ "parameters": { "retry_after": 2 } })));
    bot.fails("sendMessage", Fault::Lost);
    bot.fails("editMessageText", Fault::Error(400, json!({ "description": "message can't be edited" })));
    let id = question(&sandbox);
    let first = bot.next("sendMessage");
    let lost = bot.next("sendMessage");
    assert!(lost.at.duration_since(first.at).as_millis() >= 2_000);
    let again = bot.next("sendMessage");
    // Both copies have the same buttons, and either counts, once.
    assert_eq!(buttons(&lost), buttons(&again));
    bot.tap(ANA, &message(2), &buttons(&lost)[1].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: None"));
    at(&sandbox.show(&id), "/answer/values/choice", "b");
    // Both copies change; what cannot be changed gets a short reply.
    let changed = [(); 2].map(|()| bot.next("editMessageText").body["message_id"].clone());
    assert!(changed.contains(&json!(2)) && changed.contains(&json!(3)), "{changed:?}");
    let reply = bot.next("sendMessage");
    assert_eq!(
        (words(&reply), &reply.body["reply_parameters"]["message_id"]),
        ("Answered by ana: None", &changed[0])
    );
    outbox_until(&sandbox, <[_]>::is_empty);
    server.stop();
    bot.is_quiet();
}

#[test]
fn a_server_that_stops_hands_the_listening_over() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let first = linked(&bot, &sandbox);
    // A server that stops hands the right to listen over at once.
    first.stop();
    let second = Serving::start(&sandbox);
    let id = question(&sandbox);
    let asked = bot.next("sendMessage");
    bot.tap(ANA, &message(2), &buttons(&asked)[0].1);
    bot.next("answerCallbackQuery");
    at(&sandbox.show(&id), "/status", "answered");
    bot.next("editMessageText");
    assert_eq!(bot.most_pollers(), 1);
    second.stop();
}
