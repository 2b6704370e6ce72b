//! Words in Telegram: the answer, guidance, or what goes with the answer that is tapped next.

use serde_json::json;

use crate::sandbox::at;
use crate::serving::Serving;
use crate::telegram::{ANA, TOKEN, approval, buttons, chatting, labels, linked, message, question, words};
use crate::telegram_server::Bot;

/// What a button carries, with another step.
fn stepped(handle: &str, step: &str) -> String {
    format!("{}.{step}", handle.rsplit_once('.').unwrap().0)
}

#[test]
fn words_in_reply_are_guidance_or_the_answer() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "tell = [\"ana\"]");
    let server = linked(&bot, &sandbox);
    let open = sandbox.ask_document(&json!({
        "prompt": "Why?", "fields": [{"id": "why", "kind": "text", "label": "Why?"}],
    }));
    bot.next("sendMessage");
    bot.writes(ANA, "Because of @here", Some(&message(2)));
    assert!(words(&bot.next("sendMessage")).contains("Answered by ana"));
    at(&sandbox.show(&open), "/answer/values/why", "Because of @here");
    bot.next("editMessageText");
    let id = question(&sandbox);
    bot.next("sendMessage");
    // A choice in words is none, and is not taken for its opposite.
    for words in ["Redis", "yes", "OK!"] {
        bot.writes(ANA, words, Some(&message(4)));
        let said = bot.next("sendMessage");
        assert!(self::words(&said).starts_with("Tap a button, or choose on the card"), "{said:?}");
        at(&sandbox.show(&id), "/status", "pending");
    }
    // Which answer words go with is asked, and none of them may be.
    bot.writes(ANA, "Something cheaper", Some(&message(4)));
    let which = bot.next("sendMessage");
    assert_eq!(labels(&which), ["Redis", "None", "No answer: send it back with these words"]);
    at(&sandbox.show(&id), "/status", "pending");
    bot.tap(ANA, &message(8), &buttons(&which)[2].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Sent back by ana"));
    // The next round is asked, and both messages change.
    bot.next("sendMessage");
    let changed = [bot.next("editMessageText"), bot.next("editMessageText")];
    assert!(changed.iter().all(|call| words(call).contains("Sent back by ana")), "{changed:?}");
    assert!(
        changed.iter().any(|call| call.body["message_id"] == 8 && buttons(call).is_empty()),
        "{changed:?}"
    );
    let shown = sandbox.show(&id);
    at(&shown, "/status", "refined");
    at(&shown, "/answer/message", "Something cheaper");
    // A later reply is told that it is too late.
    bot.writes(ANA, "Or not", Some(&message(2)));
    assert!(words(&bot.next("sendMessage")).contains("Already settled"));
    server.stop();
}

#[test]
fn words_go_with_the_answer_that_is_tapped_next() {
    let bot = Bot::start(TOKEN);
    let sandbox = chatting(&bot, "show = \"all\"");
    let server = linked(&bot, &sandbox);
    let id = approval(&sandbox, "make deploy");
    bot.next("sendMessage");
    // A yes to a subject is given where all of it is in sight, and nowhere else.
    bot.writes(ANA, "Not on a Friday", Some(&message(2)));
    let which = bot.next("sendMessage");
    assert_eq!(labels(&which)[0], "Deny");
    // The words themselves, so that Telegram hands them over with the tap.
    at(&which.body, "/reply_parameters/message_id", 9_002);
    bot.tap(ANA, &message(3), &stepped(&buttons(&which)[0].1, "w0"));
    assert!(words(&bot.next("answerCallbackQuery")).contains("Nothing was sent"));
    bot.next("editMessageText");
    at(&sandbox.show(&id), "/status", "pending");
    // Who listens may be another by then.
    server.stop();
    let server = Serving::start(&sandbox);
    bot.tap(ANA, &message(3), &buttons(&which)[0].1);
    assert!(words(&bot.next("answerCallbackQuery")).contains("Answered by ana: Deny"));
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/choice", "deny");
    at(&shown, "/answer/message", "Not on a Friday");
    at(&shown, "/answer/channel/message", "2");
    bot.next("editMessageText");
    bot.next("editMessageText");
    // Words that were deleted are asked for again, and nothing is answered without them; nor where there were none.
    let id = question(&sandbox);
    let asked = bot.next("sendMessage");
    bot.writes(ANA, "Something cheaper", Some(&message(4)));
    let which = bot.next("sendMessage");
    bot.clears();
    for (at, handle) in [(5, buttons(&which)[0].1.clone()), (4, stepped(&buttons(&asked)[0].1, "w0"))] {
        bot.tap(ANA, &message(at), &handle);
        let gone = bot.next("answerCallbackQuery");
        assert!(words(&gone).contains("Send your text again"), "{gone:?}");
    }
    at(&sandbox.show(&id), "/status", "pending");
    server.stop();
}
