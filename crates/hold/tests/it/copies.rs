//! A message that was sent twice because nobody was told that the first one arrived: both copies say the truth.

use serde_json::json;

use crate::sandbox::at;
use crate::serving::outbox_until;
use crate::slack_server::Slack;
use crate::telegram::{ANA, TOKEN, approval, buttons, chatting, labels, linked, message, question, words};
use crate::telegram_server::{Bot, Fault};
use crate::{slack, slack_server};

#[test]
fn a_copy_shows_the_outcome_as_soon_as_it_is_tapped() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    bot.fails("sendMessage", Fault::Lost);
    let id = question(&sandbox);
    let lost = bot.next("sendMessage");
    bot.next("sendMessage");
    outbox_until(&sandbox, <[_]>::is_empty);
    sandbox.ok(&["answer", &id, "b"]);
    // The second copy, whose id is known, changes by itself.
    at(&bot.next("editMessageText").body, "/message_id", 3);
    bot.tap(ANA, &message(2), &buttons(&lost)[0].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains(": None. Nothing was sent"));
    let copy = bot.next("editMessageText");
    at(&copy.body, "/message_id", 2);
    assert!(words(&copy).contains(": None") && buttons(&copy).is_empty(), "{copy:?}");
    at(&sandbox.show(&id), "/answer/values/choice", "b");
    // An answer by a copy changes both.
    bot.fails("sendMessage", Fault::Lost);
    let id = question(&sandbox);
    let lost = bot.next("sendMessage");
    bot.next("sendMessage");
    outbox_until(&sandbox, <[_]>::is_empty);
    bot.tap(ANA, &message(4), &buttons(&lost)[0].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: Redis"));
    let mut changed = [(); 2].map(|()| {
        let call = bot.next("editMessageText");
        assert!(words(&call).contains("Answered by ana: Redis") && buttons(&call).is_empty(), "{call:?}");
        call.body["message_id"].as_i64().unwrap()
    });
    changed.sort_unstable();
    assert_eq!(changed, [4, 5]);
    at(&sandbox.show(&id), "/answer/values/choice", "a");
    server.stop();
    bot.is_quiet();
}

#[test]
fn a_copy_of_a_revised_question_asks_the_new_one_once_tapped() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    bot.fails("sendMessage", Fault::Lost);
    let id = question(&sandbox);
    let lost = bot.next("sendMessage");
    bot.next("sendMessage");
    outbox_until(&sandbox, <[_]>::is_empty);
    sandbox.ok(&["revise", &id, "--prompt", "Which one?"]);
    at(&bot.next("editMessageText").body, "/message_id", 3);
    bot.tap(ANA, &message(2), &buttons(&lost)[0].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("the question changed"));
    let copy = bot.next("editMessageText");
    at(&copy.body, "/message_id", 2);
    assert!(words(&copy).contains("Which one?"), "{copy:?}");
    bot.tap(ANA, &message(2), &buttons(&copy)[1].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: None"));
    at(&sandbox.show(&id), "/answer/values/choice", "b");
    server.stop();
}

#[test]
fn a_message_whose_receipt_was_lost_tells_who_answered_meanwhile() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "");
    let server = linked(&bot, &sandbox);
    bot.fails("sendMessage", Fault::Lost);
    // The next try waits, so that the question is settled before it.
    bot.fails("sendMessage", Fault::Error(429, json!({ "parameters": { "retry_after": 4 } })));
    let id = question(&sandbox);
    let lost = bot.next("sendMessage");
    bot.next("sendMessage");
    sandbox.ok(&["answer", &id, "a"]);
    // Nothing asks what is settled; what may have arrived is a dead letter.
    outbox_until(&sandbox, |rows| rows.iter().all(|row| row["state"] == "dead"));
    bot.tap(ANA, &message(2), &buttons(&lost)[1].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains(": Redis. Nothing was sent"));
    let told = bot.next("editMessageText");
    assert!(words(&told).contains(": Redis") && buttons(&told).is_empty(), "{told:?}");
    server.stop();
}

#[test]
fn a_second_tap_counts_only_after_the_first() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "show = \"all\"");
    let server = linked(&bot, &sandbox);
    let id = approval(&sandbox, "make deploy");
    let asked = bot.next("sendMessage");
    let allow = buttons(&asked)[0].1.clone();
    let (known, at_button) = allow.rsplit_once('.').unwrap();
    for made_up in [format!("s{at_button}"), format!("s{at_button}.ffffffff.1"), format!("s{at_button}.0.0")]
    {
        bot.tap(ANA, &message(2), &format!("{known}.{made_up}"));
        let said = bot.next("answerCallbackQuery");
        assert!(words(&said).contains("Nothing was sent"), "{made_up}: {said:?}");
        at(&sandbox.show(&id), "/status", "pending");
    }
    bot.tap(ANA, &message(2), &allow);
    bot.next("answerCallbackQuery");
    let sure = bot.next("editMessageReplyMarkup");
    assert_eq!(labels(&sure), ["Yes, I have read it: Allow", "Back"]);
    let confirming = buttons(&sure);
    let (handle, proof) = (&confirming[0].1, confirming[0].1.rsplit_once('.').unwrap().1);
    assert!(handle.len() <= 64, "{handle}");
    // Another time is not what was proven.
    bot.tap(ANA, &message(2), &format!("{known}.s{at_button}.fffffffe.{proof}"));
    assert!(words(&bot.next("answerCallbackQuery")).contains("Nothing was sent"));
    at(&sandbox.show(&id), "/status", "pending");
    bot.tap(ANA, &message(2), handle);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: Allow"));
    at(&sandbox.show(&id), "/answer/seen", true);
    server.stop();
}

#[test]
fn in_slack_too_a_second_tap_and_a_form_that_consent_come_after_the_first() {
    let slack = Slack::start();
    let sandbox = slack::chatting(&slack, "show = \"all\"");
    let server = slack::linked(&slack, &sandbox);
    let id = slack::approval(&sandbox, "make deploy");
    let asked = slack.next("chat.postMessage");
    let buttons = slack::buttons(&asked);
    let (known, at_button) = buttons[0].1.rsplit_once('.').unwrap();
    for made_up in [format!("s{at_button}"), format!("s{at_button}.ffffffff.1")] {
        slack.tap(slack::ANA, &asked, &format!("{known}.{made_up}"));
        let said = slack.next("chat.postEphemeral");
        assert!(slack::words(&said).contains("Nothing was sent"), "{made_up}: {said:?}");
    }
    // A form that nobody opened.
    let form = &buttons.last().unwrap().1;
    let yes = json!({ "f0": { "v": { "selected_option": { "value": "o0" } } } });
    slack.fills(slack::ANA, "view_submission", &json!({ "private_metadata": form }), &yes);
    assert!(slack::words(&slack.next("views.update")).contains("not opened by a tap"));
    at(&sandbox.show(&id), "/status", "pending");
    slack.tap(slack::ANA, &asked, form);
    let view = slack.next("views.open").body["view"].clone();
    slack.fills(slack::ANA, "view_submission", &view, &yes);
    let told: slack_server::Call = slack.next("views.update");
    assert!(slack::words(&told).contains("Answered by ana: Allow"), "{told:?}");
    server.stop();
}
