//! Slack, and people in it, at their worst: forged taps, other workspaces, lost sockets and receipts, bursts.

use serde_json::json;

use crate::sandbox::at;
use crate::serving::outbox_until;
use crate::slack::{ANA, approval, buttons, chatting, code, linked, question, words};
use crate::slack_server::{Fault, Slack, TEAM};

#[test]
fn nobody_else_answers() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let server = linked(&slack, &sandbox);
    server.person("bo", None, &[]);
    let used = code(&sandbox, "bo");
    slack.writes("UBO", &format!("`{used}`"), None);
    assert!(words(&slack.next("chat.postMessage")).starts_with("Linked."));
    slack.writes("UCY", &used, None);
    assert!(words(&slack.next("chat.postMessage")).contains("used before"));
    slack.writes("UCY", "hello", None);
    assert!(words(&slack.next("chat.postMessage")).contains("hold person link NAME slack"));
    let id = question(&sandbox);
    let asked = slack.next("chat.postMessage");
    let handle = buttons(&asked)[0].1.clone();
    let refused = |user: &str, team: &str, handle: &str, why: &str| {
        slack.interacts(&json!({
            "type": "block_actions", "team": { "id": TEAM }, "user": { "id": user, "team_id": team },
            "channel": { "id": "D1" }, "message": { "ts": "1.1" }, "actions": [{ "value": handle }],
        }));
        let said = slack.next("chat.postEphemeral");
        assert!(words(&said).contains(why) && words(&said).contains("Nothing was sent"), "{said:?}");
        at(&sandbox.show(&id), "/status", "pending");
    };
    refused("UCY", TEAM, &handle, "not linked");
    refused("UBO", TEAM, &handle, "not yours");
    refused(ANA, "T2", &handle, "another workspace");
    refused(ANA, TEAM, "forged", "not yours");
    let (row, rest) = handle.split_once('.').unwrap();
    refused(ANA, TEAM, &format!("{row}.0000000000000000.0"), "not yours");
    refused(ANA, TEAM, &format!("1{row}.{rest}"), "not yours");
    refused(ANA, TEAM, &handle.replace(".0", ".7"), "not yours");
    // A modal is bound as a button is.
    slack.fills("UBO", "view_submission", &json!({ "private_metadata": handle }), &json!({}));
    assert!(words(&slack.next("views.update")).contains("not yours"));
    slack.fills(ANA, "view_submission", &json!({ "private_metadata": handle }), &json!({}));
    assert!(words(&slack.next("views.update")).contains("no longer valid"));
    // In a channel with others nobody is heard.
    slack.happens(&json!({ "type": "events_api", "payload": { "team_id": TEAM, "event_id": "E", "event": {
        "type": "message", "channel_type": "channel", "channel": "C1", "user": ANA, "text": "hi", "ts": "1.1" } } }));
    // A revised question has buttons of its own.
    sandbox.ok(&["revise", &id, "--prompt", "Which one?"]);
    let revised = slack.next("chat.update");
    assert!(words(&revised).contains("Which one?"), "{revised:?}");
    refused(ANA, TEAM, &handle, "the question changed");
    let handle = &buttons(&revised)[0].1;
    slack.writes(ANA, "unlink", None);
    assert!(words(&slack.next("chat.postMessage")).contains("no longer linked to anyone"));
    let taken_back = slack.next("chat.update");
    assert_eq!(words(&taken_back), "This decision is no longer waiting for you.");
    assert!(buttons(&taken_back).is_empty(), "{taken_back:?}");
    refused(ANA, TEAM, handle, "not linked");
    // What happens from here on is not for that account.
    sandbox.ok(&["revise", &id, "--prompt", "SECRET"]);
    // Linked again, and then removed.
    slack.writes(ANA, &code(&sandbox, "ana"), None);
    slack.next("chat.postMessage");
    sandbox.ok(&["person", "remove", "ana"]);
    refused(ANA, TEAM, handle, "not linked");
    server.stop();
    slack.is_quiet();
}

#[test]
fn whoever_writes_the_database_turns_no_tap_into_another() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "show = \"all\"");
    let server = linked(&slack, &sandbox);
    let id = approval(&sandbox, "make deploy");
    let asked = slack.next("chat.postMessage");
    outbox_until(&sandbox, <[_]>::is_empty);
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = rusqlite::Connection::open_with_flags(sandbox.store(), flags).unwrap();
    connection.busy_timeout(crate::process::TIMEOUT).unwrap();
    let swap = "UPDATE sent SET controls = replace(replace(replace(controls, 'deny', 'x'), 'allow', 'deny'), 'x', 'allow')";
    assert_eq!(connection.execute(swap, []).unwrap(), 1);
    slack.tap(ANA, &asked, &buttons(&asked)[1].1);
    assert!(words(&slack.next("chat.postEphemeral")).contains("Nothing was sent"));
    at(&sandbox.show(&id), "/status", "pending");
    server.stop();
}

#[test]
fn slack_may_misbehave() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let server = linked(&slack, &sandbox);
    slack.fails("chat.postMessage", Fault::Close);
    slack.fails("chat.postMessage", Fault::Error(429, Some(2), "ratelimited"));
    slack.fails("chat.postMessage", Fault::Lost);
    let id = question(&sandbox);
    let first = slack.next("chat.postMessage");
    // The receipt of this one is lost; it is found instead of sent again.
    let lost = slack.next("chat.postMessage");
    assert!(lost.at.duration_since(first.at).as_millis() >= 2_000);
    outbox_until(&sandbox, <[_]>::is_empty);
    // The socket is dropped, and the next is replaced before it is closed.
    slack.drops_sockets();
    slack.has_opened(2);
    slack.says(&json!({ "type": "disconnect", "reason": "warning" }));
    slack.has_opened(3);
    assert_eq!(slack.most_sockets(), 2);
    // Nonsense, and what is delivered twice.
    slack.says(&json!(["nonsense"]));
    slack.says(&json!({ "type": "interactive", "envelope_id": "x", "payload": { "type": "block_actions" } }));
    slack.acknowledged("x");
    slack.fails("chat.update", Fault::Error(200, None, "cant_update_message"));
    let reply = json!({ "type": "events_api", "payload": { "team_id": TEAM, "event_id": "Ev", "event": {
        "type": "message", "channel_type": "im", "channel": "DUANA", "user": ANA, "team": TEAM, "ts": "9.9",
        "text": "Cheaper", "thread_ts": "1.1" } } });
    slack.happens(&reply);
    slack.happens(&reply);
    assert!(words(&slack.next("chat.postMessage")).contains("not yours"));
    slack.tap(ANA, &lost, &buttons(&lost)[1].1);
    // What cannot be changed any more gets a short reply.
    slack.next("chat.update");
    let short = slack.next("chat.postMessage");
    assert_eq!(words(&short), "Answered by ana: None");
    assert!(short.body["thread_ts"].is_string());
    at(&sandbox.show(&id), "/answer/values/choice", "b");
    outbox_until(&sandbox, <[_]>::is_empty);
    // A token that is revoked is for the operator to replace; until then nothing is lost.
    slack.revokes(true);
    // Then a lie: it says that it took the message, and does not say where that is.
    slack.fails("chat.postMessage", Fault::Says(json!({ "ok": true })));
    let id = question(&sandbox);
    outbox_until(&sandbox, |rows| {
        rows.iter().any(|row| row["last_error"].to_string().contains("token_revoked"))
    });
    slack.revokes(false);
    let asked = slack.next("chat.postMessage");
    slack.tap(ANA, &asked, &buttons(&asked)[0].1);
    slack.next("chat.update");
    at(&sandbox.show(&id), "/status", "answered");
    let log = sandbox.ok(&["channel", "log", "slack"]);
    assert!(
        log.contains("the socket was closed")
            && log.contains("token_revoked")
            && log.contains("named no message"),
        "{log}"
    );
    server.stop();
    slack.is_quiet();
}

#[test]
fn a_burst_is_gathered_in_one_message() {
    const BURST: usize = 30;
    let slack = Slack::start();
    let sandbox = chatting(&slack, "tell = [\"ana\"]");
    let server = linked(&slack, &sandbox);
    let ids: Vec<String> = (0..BURST).map(|_| question(&sandbox)).collect();
    outbox_until(&sandbox, <[_]>::is_empty);
    let mut own = 0;
    let gathering = loop {
        let call = slack.next("chat.postMessage");
        if words(&call).starts_with("And ") {
            break call;
        }
        own += 1;
    };
    assert!(words(&gathering).contains("Open the inbox"), "{gathering:?}");
    assert!((5..=10).contains(&own), "{own}");
    let until = |wanted: &str| loop {
        let call = slack.next("chat.update");
        if words(&call).starts_with(wanted) {
            return;
        }
    };
    until(&format!("And {} more decisions are waiting", BURST - own));
    // What is urgent comes by itself.
    sandbox.ask_document(&json!({ "prompt": "Now?", "assignees": ["ana"], "priority": "urgent", "fields": [
        {"id": "choice", "kind": "choice", "label": "?", "options": [{"id": "a"}, {"id": "b"}]}] }));
    assert!(words(&slack.next("chat.postMessage")).contains("Now?"));
    // What is settled counts no more, whichever message stands for it.
    for id in &ids {
        sandbox.ok(&["answer", id, "a"]);
    }
    until("The decisions that came with these are settled");
    // What comes after them has a message of its own: nobody's device rings when one only changes.
    (0..10).for_each(|_| drop(question(&sandbox)));
    while !words(&slack.next("chat.postMessage")).starts_with("And ") {}
    outbox_until(&sandbox, <[_]>::is_empty);
    assert_eq!(slack.hurried(), 0);
    server.stop();
}
