//! Questions that are open when something else is said.

use holdpoint_protocols::action::conversation::Wish;
use serde_json::json;

use crate::action_chat::{Chat, asks, says};

const WHOLE: &str = "annual leave from 1 to 5 March 2027 because of a trip";

/// `send it` does not send the old value while it is asked what the new one shall be.
#[test]
fn an_open_correction_is_settled_before_sending() {
    for change in ["change the end date to 04/05/2027", "change the end date to blue", "change the end date"]
    {
        let mut chat = Chat::begun("leave_request.json");
        chat.say(WHOLE);
        asks(&chat.say(change), "ASK_DATE", "end_date");
        for _ in 0..2 {
            let action = chat.say("send it");
            assert_eq!(chat.wish, None, "{change}: {action}");
            asks(&action, "ASK_DATE", "end_date");
            says(&action, &["not sent yet", "end date", "skip"]);
        }
        // Whoever leaves it as it is can send it.
        let action = chat.say("skip");
        assert_eq!(action["action"], "FORM_COMPLETE", "{change}: {action}");
        chat.say("send it");
        assert_eq!(chat.wish, Some(Wish::Send), "{change}");
        assert_eq!(chat.values["end_date"], "2027-03-05");
    }
    let mut chat = Chat::begun("leave_request.json");
    chat.say(WHOLE);
    chat.say("change the end date to 04/05/2027");
    says(&chat.say("send it"), &["Did you mean"]);
    chat.say("the first");
    assert_ne!(chat.values["end_date"], "2027-03-05");
    chat.say("send it");
    assert_eq!(chat.wish, Some(Wish::Send));
}

/// What is said to a step's summary for a later step is taken; the summary still waits for its yes.
#[test]
fn a_summary_does_not_drop_what_comes_later() {
    let step = || {
        let mut chat = Chat::in_second_step();
        chat.state.confirmed.clear();
        let action = chat.say("");
        says(&action, &["Is that right?"]);
        chat
    };
    let mut chat = step();
    let action = chat.say("Monday 10:00 for 20 minutes");
    says(&action, &["I have", "Is that right?"]);
    assert_eq!(chat.values["start"], "2026-01-26T10:00:00", "{:?}", chat.values);
    assert_eq!(chat.values["duration"], json!(20), "{:?}", chat.values);
    let mut chat = step();
    chat.say("no downtime");
    assert_eq!(chat.values["downtime"], json!(false), "{:?}", chat.values);
    assert!(chat.state.confirmed.is_empty());
    // A yes with more is both.
    let mut chat = step();
    chat.say("yes");
    assert_eq!(chat.state.confirmed, [1]);
    let mut chat = step();
    says(&chat.say("bananas"), &["I need a yes"]);
    says(&chat.say("what is this?"), &["Is that right?"]);
}
