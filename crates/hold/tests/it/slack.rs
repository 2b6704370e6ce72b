//! Slack against a stand-in: accounts are linked, taps, forms and replies answer, messages follow, and nothing else counts.

use serde_json::{Value, json};

use crate::browser::Served;
use crate::sandbox::{Sandbox, at};
use crate::serving::{Serving, outbox_until};
use crate::slack_server::{Call, Slack, TEAM};

const BOT: &str = "xoxb-NOT-to-be-seen";
const APP: &str = "xapp-NOT-to-be-seen-either";
pub(crate) const ANA: &str = "UANA";

pub(crate) fn chatting(slack: &Slack, more: &str) -> Sandbox {
    let sandbox = Sandbox::new().with("BOT_TOKEN", BOT).with("APP_TOKEN", APP);
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[slack]\nserver = \"{}\"\nbot_token_env = \"BOT_TOKEN\"\napp_token_env = \"APP_TOKEN\"\n\
         allow_private = true\n{more}\n",
        slack.url()
    ));
    sandbox
}

/// Starts a server with a person whose account is linked.
pub(crate) fn linked(slack: &Slack, sandbox: &Sandbox) -> Serving {
    let server = Serving::start(sandbox);
    server.person("ana", None, &[]);
    slack.writes(ANA, &code(sandbox, "ana"), None);
    assert!(words(&slack.next("chat.postMessage")).starts_with("Linked."));
    server
}

pub(crate) fn code(sandbox: &Sandbox, name: &str) -> String {
    sandbox.json(&["person", "link", name, "slack", "--json"])["code"].as_str().unwrap().to_owned()
}

/// Returns all that is written in blocks, without what stands on controls.
fn written(blocks: &Value) -> String {
    match blocks {
        Value::Object(block) if block.get("type") == Some(&json!("actions")) => String::new(),
        Value::Object(block) if block.get("text").is_some_and(Value::is_string) => {
            block["text"].as_str().unwrap().to_owned()
        }
        Value::Object(block) => block.values().map(written).collect(),
        Value::Array(blocks) => blocks.iter().map(|block| written(block) + "\n").collect(),
        _ => String::new(),
    }
}

pub(crate) fn words(call: &Call) -> String {
    let blocks = call.body.get("blocks").unwrap_or(&call.body["view"]["blocks"]);
    written(blocks).trim().to_owned()
}

/// Returns what the buttons of a message say and carry.
pub(crate) fn buttons(call: &Call) -> Vec<(String, String)> {
    let blocks = call.body["blocks"].as_array().cloned().unwrap_or_default();
    let elements =
        blocks.iter().filter_map(|block| block["elements"].as_array().filter(|_| block["type"] == "actions"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    elements.flatten().map(|one| (text(&one["text"]["text"]), text(&one["value"]))).collect()
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

#[test]
fn a_linked_account_answers_and_the_message_follows() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let server = linked(&slack, &sandbox);
    let id = question(&sandbox);
    let asked = slack.next("chat.postMessage");
    assert_eq!(asked.body["channel"], format!("D{ANA}"));
    assert!(words(&asked).contains("Which cache?"), "{asked:?}");
    assert_eq!(labels(&asked), ["Redis", "None", "Answer with words…"]);
    slack.tap(ANA, &asked, &buttons(&asked)[0].1);
    let settled = slack.next("chat.update");
    assert!(words(&settled).starts_with("Answered by ana: Redis") && buttons(&settled).is_empty());
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/choice", "a");
    at(&shown, "/answer/by", "ana");
    at(&shown, "/answer/via", "slack");
    at(&shown, "/answer/auth", "channel");
    // A tap that comes too late says what was decided.
    slack.tap(ANA, &asked, &buttons(&asked)[1].1);
    let late = slack.next("chat.postEphemeral");
    assert!(words(&late).contains("Answered by ana: Redis. Nothing was sent"), "{late:?}");
    at(&late.body, "/user", ANA);
    at(&sandbox.show(&id), "/answer/values/choice", "a");
    outbox_until(&sandbox, <[_]>::is_empty);
    let log = sandbox.ok(&["channel", "log", "slack"]);
    for what in ["linked", "sent", "taken", "followed", "refused"] {
        assert!(log.contains(what), "{what}: {log}");
    }
    assert!(sandbox.ok(&["channel", "list"]).contains("ana"));
    sandbox.ok(&["channel", "test", "slack", "ana"]);
    assert!(words(&slack.next("chat.postMessage")).contains("test"));
    let ran = server.stop();
    for token in [BOT, APP] {
        assert!(!ran.err.contains(token) && !log.contains(token), "{ran}");
    }
    assert_eq!(slack.hurried(), 0);
    slack.is_quiet();
}

#[test]
fn a_yes_to_a_subject_takes_two_taps_and_all_of_it_in_sight() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "show = \"all\"");
    let server = linked(&slack, &sandbox);
    let id = approval(&sandbox, "make deploy");
    let asked = slack.next("chat.postMessage");
    assert!(words(&asked).contains("make deploy"), "{asked:?}");
    assert_eq!(labels(&asked), ["Allow", "Deny", "Answer with words…"]);
    slack.tap(ANA, &asked, &buttons(&asked)[0].1);
    let sure = slack.next("chat.update");
    at(&sandbox.show(&id), "/status", "pending");
    assert_eq!(labels(&sure), ["Yes, I have read it: Allow", "Back"]);
    assert!(words(&sure).contains("make deploy"), "{sure:?}");
    slack.tap(ANA, &sure, &buttons(&sure)[1].1);
    assert_eq!(labels(&slack.next("chat.update")), labels(&asked));
    slack.tap(ANA, &sure, &buttons(&sure)[0].1);
    slack.next("chat.update");
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/choice", "allow");
    at(&shown, "/answer/seen", true);
    // What does not fit is only declined here, with or without words.
    let long = approval(&sandbox, &"x".repeat(3_000));
    let asked = slack.next("chat.postMessage");
    assert_eq!(labels(&asked), ["Deny", "Decline with words…"]);
    slack.tap(ANA, &asked, &buttons(&asked)[1].1);
    let view = slack.next("views.open").body["view"].clone();
    let options = view["blocks"][1]["element"]["options"].as_array().unwrap().clone();
    assert_eq!(options.len(), 1, "{view}");
    // A yes that the form did not offer.
    let yes = json!({ "f0": { "v": { "selected_option": { "value": "o0" } } } });
    slack.fills(ANA, "view_submission", &view, &yes);
    assert!(words(&slack.next("views.update")).contains("Approve on the card"));
    at(&sandbox.show(&long), "/status", "pending");
    let no = json!({
        "f0": { "v": { "selected_option": { "value": options[0]["value"] } } },
        "words": { "v": { "value": "Not today" } },
    });
    let sent = slack.fills(ANA, "view_submission", &view, &no);
    at(&slack.acknowledged(&sent), "/payload/response_action", "update");
    assert!(words(&slack.next("views.update")).contains("Answered by ana: Deny"));
    let shown = sandbox.show(&long);
    at(&shown, "/answer/values/choice", "deny");
    at(&shown, "/answer/message", "Not today");
    server.stop();
}

#[test]
fn a_form_is_a_modal_with_fields_that_come_and_go() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let server = linked(&slack, &sandbox);
    let id = sandbox.ask_document(&json!({
        "prompt": "Order what?", "source": "form", "assignees": ["ana"], "fields": [
            {"id": "what", "kind": "choice", "label": "What?", "options": [
                {"id": "cake", "label": "Cake"}, {"id": "none", "label": "Nothing"}]},
            {"id": "when", "kind": "datetime", "label": "When?",
                "visible_if": {"field": "what", "op": "EQUALS", "value": "cake"}},
            {"id": "many", "kind": "integer", "label": "How many?", "min": 1, "max": 9, "default": 2},
            {"id": "who", "kind": "email", "label": "For whom?", "required": false},
        ],
    }));
    let asked = slack.next("chat.postMessage");
    assert_eq!(labels(&asked), ["Answer…"]);
    slack.tap(ANA, &asked, &buttons(&asked)[0].1);
    let opened = slack.next("views.open");
    assert!(opened.body["trigger_id"].is_string());
    let view = &opened.body["view"];
    let inputs = |view: &Value| -> Vec<String> {
        let blocks = view["blocks"].as_array().unwrap().iter();
        blocks.filter_map(|block| Some(block["block_id"].as_str()?.to_owned())).collect()
    };
    assert_eq!(inputs(view), ["f0", "f2", "f3", "words"]);
    at(view, "/blocks/1/dispatch_action", true);
    let cake =
        json!({ "f0": { "v": { "selected_option": { "value": "o0" } } }, "f2": { "v": { "value": "3" } } });
    slack.fills(ANA, "block_actions", view, &cake);
    let redrawn = slack.next("views.update");
    at(&redrawn.body, "/hash", "h1");
    let view = &redrawn.body["view"];
    assert_eq!(inputs(view), ["f0", "f1", "f1.time", "f2", "f3", "words"]);
    // What is wrong is said in the form, which keeps what was typed.
    let mut filled = cake.clone();
    filled["f2"] = json!({ "v": { "value": "12" } });
    filled["f3"] = json!({ "v": { "value": "ana" } });
    slack.fills(ANA, "view_submission", view, &filled);
    let again = slack.next("views.update");
    let text = again.body.to_string();
    for wrong in ["12 is not from 1 to 9", "is not an e-mail address", "is required"] {
        assert!(text.contains(wrong), "{wrong}: {text}");
    }
    assert!(text.contains("\"initial_value\":\"ana\""), "{text}");
    at(&sandbox.show(&id), "/status", "pending");
    filled["f1"] = json!({ "v": { "selected_date": "2026-12-24" } });
    filled["f1.time"] = json!({ "v": { "selected_time": "18:30" } });
    filled["f2"] = json!({ "v": { "value": "3" } });
    filled["f3"] = json!({ "v": { "value": null } });
    slack.fills(ANA, "view_submission", view, &filled);
    assert!(words(&slack.next("views.update")).contains("Answered by ana"));
    assert_eq!(
        sandbox.show(&id)["answer"]["values"],
        json!({ "what": "cake", "when": "2026-12-24T18:30:00", "many": 3 })
    );
    slack.next("chat.update");
    server.stop();
    slack.is_quiet();
}

#[test]
fn words_in_a_thread_are_guidance_or_the_answer() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "tell = [\"ana\"]");
    let server = linked(&slack, &sandbox);
    let open = sandbox.ask_document(&json!({
        "prompt": "Why?", "fields": [{"id": "why", "kind": "text", "label": "Why?"}],
    }));
    let asked = slack.next("chat.postMessage");
    slack.writes(ANA, "Because &lt;a&gt; &amp; <https://x.example|x.example>", Some(&asked));
    let said = slack.next("chat.postMessage");
    assert!(words(&said).contains("Answered by ana") && said.body["thread_ts"].is_string(), "{said:?}");
    at(&sandbox.show(&open), "/answer/values/why", "Because <a> & x.example");
    slack.next("chat.update");
    let id = question(&sandbox);
    let second = slack.next("chat.postMessage");
    slack.writes(ANA, "Something cheaper", Some(&second));
    // The next round is asked, the person is told, and the first message changes.
    let said = [slack.next("chat.postMessage"), slack.next("chat.postMessage")];
    assert!(said.iter().any(|call| words(call).contains("Sent back by ana")), "{said:?}");
    assert!(words(&slack.next("chat.update")).contains("Sent back by ana"));
    let shown = sandbox.show(&id);
    at(&shown, "/status", "refined");
    at(&shown, "/answer/message", "Something cheaper");
    slack.writes(ANA, "Or not", Some(&second));
    assert!(words(&slack.next("chat.postMessage")).contains("Already settled"));
    server.stop();
}

#[test]
fn a_list_to_pick_from_and_a_long_one() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let server = linked(&slack, &sandbox);
    let ask = |count: usize| {
        let options: Vec<Value> =
            (0..count).map(|at| json!({ "id": format!("o{at}"), "label": format!("Option {at}") })).collect();
        sandbox.ask_document(&json!({ "prompt": "Which?", "assignees": ["ana"], "fields": [
            {"id": "choice", "kind": "choice", "label": "?", "options": options}] }))
    };
    let id = ask(40);
    let asked = slack.next("chat.postMessage");
    let list = &asked.body["blocks"][1]["elements"][0];
    at(list, "/type", "static_select");
    let picked = &list["options"][17]["value"];
    slack.interacts(&json!({
        "type": "block_actions", "team": { "id": TEAM }, "user": { "id": ANA, "team_id": TEAM },
        "channel": { "id": "DUANA" }, "message": { "ts": "1.1" },
        "actions": [{ "type": "static_select", "selected_option": { "value": picked } }],
    }));
    slack.next("chat.update");
    at(&sandbox.show(&id), "/answer/values/choice", "o17");
    ask(101);
    let asked = slack.next("chat.postMessage");
    assert!(buttons(&asked).is_empty() && words(&asked).contains("Open the card"), "{asked:?}");
    server.stop();
}

#[test]
fn a_server_that_stops_hands_the_listening_over() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let first = linked(&slack, &sandbox);
    first.stop();
    let second = Serving::start(&sandbox);
    let id = question(&sandbox);
    let asked = slack.next("chat.postMessage");
    slack.tap(ANA, &asked, &buttons(&asked)[0].1);
    slack.next("chat.update");
    at(&sandbox.show(&id), "/status", "answered");
    assert_eq!(slack.most_sockets(), 1);
    second.stop();
}

#[test]
fn an_admin_links_and_unlinks_on_the_settings_page() {
    let slack = Slack::start();
    let sandbox = chatting(&slack, "");
    let server = Served::start(&sandbox, &[]);
    server.person("ana", "admin");
    let mut admin = server.browser();
    admin.sign_in("ana");
    let page = admin.get("/settings").is(200).shows("Link Slack").lacks("Link Telegram");
    let csrf = page.csrf();
    let fields = |channel| [("csrf", csrf.as_str()), ("name", "ana"), ("channel", channel)];
    let page = admin.send("/settings/accounts", &fields("slack")).is(200).shows("Works once");
    let code = page.text.split("tabindex=\"0\">").nth(1).unwrap().split('<').next().unwrap();
    slack.writes(ANA, code, None);
    assert!(words(&slack.next("chat.postMessage")).starts_with("Linked."));
    admin.get("/settings").shows("Unlink Slack");
    admin.send("/settings/accounts", &fields("mail")).is(422).shows("have accounts to link");
    admin.send("/settings/accounts/unlink", &fields("slack")).is(303);
    admin.get("/settings").shows("Link Slack").lacks("Unlink Slack");
    // Who is no admin, or has no token of the page, makes no code.
    server.person("bo", "person");
    let mut person = server.browser();
    person.sign_in("bo");
    let csrf = person.get("/").csrf();
    let fields = [("csrf", csrf.as_str()), ("name", "ana"), ("channel", "slack")];
    person.send("/settings/accounts", &fields).is(403);
    admin.send("/settings/accounts", &fields[1..]).is(403);
}
