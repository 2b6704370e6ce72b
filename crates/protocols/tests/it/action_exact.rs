//! What is said word for word as it was offered, and what a yes or a no belongs to.

use holdpoint_protocols::action::form::{read, read_value};
use serde_json::json;

use crate::action_chat::{Chat, asks, says};
use crate::action_form::example;

fn asking(options: &[&str]) -> Chat {
    let form = json!({"form_id": "f", "fields": [
        {"id": "insured", "type": "dropdown", "prompt": "Are you insured?", "options": options},
        {"id": "day", "type": "date", "prompt": "Which day?"},
    ]});
    let mut chat = Chat::new(read_value(&form).unwrap());
    chat.say("hi");
    chat
}

/// An option may be called like a doubt, a no or a day; whoever says its name means it.
#[test]
fn an_option_is_chosen_by_its_name_whatever_that_means() {
    for (options, said) in [
        (vec!["Yes", "No", "Not sure"], "Not sure"),
        (vec!["Yes", "No", "Not sure"], "not sure."),
        (vec!["Yes", "No", "Maybe"], "Maybe"),
        (vec!["Agree", "Disagree", "Don't know"], "Don't know"),
        (vec!["Today", "Later"], "Today"),
        (vec!["None", "Some"], "none"),
        (vec!["Yes please", "No thanks"], "No thanks"),
        (vec!["Skip", "Send", "Help"], "Help"),
    ] {
        let mut chat = asking(&options);
        let action = chat.say(said);
        let label = options.iter().find(|option| option.eq_ignore_ascii_case(said.trim_end_matches('.')));
        assert_eq!(chat.values.get("insured"), label.map(|label| json!(label)).as_ref(), "{said}: {action}");
        asks(&action, "ASK_DATE", "day");
    }
}

/// A yes answers what was asked back, and not a field that happens to have one among its options.
#[test]
fn a_yes_answers_what_was_asked_back() {
    let mut chat = asking(&["Yes", "No", "Not sure"]);
    chat.say("no");
    let action = chat.say("My course begins on 7 September");
    says(&action, &["7 September"]);
    chat.say("yes");
    assert_eq!((&chat.values["insured"], &chat.values["day"]), (&json!("No"), &json!("2026-09-07")));

    let steps = "---\nform_id: f\ntitle: F\nfields:\n\
        - {id: att, type: dropdown, prompt: \"Attending?\", required: true, options: [Yes, No, Later], step: 1}\n\
        - {id: day, type: date, prompt: \"Which day?\", required: true, step: 1}\n\
        - {id: note, type: text, prompt: \"Note?\", required: true, step: 2}\n---\n";
    let mut chat = Chat::new(read(steps).unwrap());
    chat.say("hi");
    chat.say("no");
    says(&chat.say("tomorrow"), &["Step 1 of 2"]);
    asks(&chat.say("yes"), "ASK_TEXT", "note");
    assert_eq!(chat.values["att"], "No");
}

/// Whoever is asked for words and wants something changed has not given those words.
#[test]
fn a_wish_to_change_is_no_answer_in_words() {
    for wish in [
        "I need to change the end date",
        "I want to change the start date",
        "I'd like to correct the start date",
        "remove the start date",
        "delete the end date",
    ] {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.say("I need annual leave from 7 to 11 December"), "ASK_TEXT", "reason");
        let action = chat.say(wish);
        says(&action, &["it stays"]);
        assert!(!chat.values.contains_key("reason"), "{wish}: {:?}", chat.values);
    }
    for reason in ["I need to change my flat", "to remove the old kitchen", "a change of scenery"] {
        let mut chat = Chat::begun("leave_request.json");
        chat.say("I need annual leave from 7 to 11 December");
        chat.say(reason);
        assert_eq!(chat.values["reason"], reason);
    }
}

#[test]
fn a_length_is_no_reason_and_a_week_holds_for_both_its_days() {
    for text in [
        "I need annual leave for a fortnight from 7 December",
        "annual leave from 7 December for a weekend please",
    ] {
        let mut chat = Chat::begun("leave_request.json");
        chat.say(text);
        assert!(!chat.values.contains_key("reason"), "{text}: {:?}", chat.values);
    }
    for text in ["holiday last week Monday to Wednesday", "I was ill from Monday to Wednesday last week"] {
        let mut chat = Chat::begun("leave_request.json");
        chat.say(text);
        for (field, day) in [("start_date", "2026-01-12"), ("end_date", "2026-01-14")] {
            assert!(chat.values.get(field).is_none_or(|value| value == day), "{text}: {:?}", chat.values);
        }
    }
    for text in ["anual or sick", "sick or anual"] {
        let mut chat = Chat::begun("leave_request.json");
        let action = chat.say(text);
        assert!(!chat.values.contains_key("leave_type"), "{text}");
        says(&action, &["Annual", "Sick"]);
    }
}

/// A tool that nobody answers for does not hold the person up for ever.
#[test]
fn there_is_a_way_out_while_a_tool_is_awaited() {
    for said in [vec!["skip"], vec!["hello", "hm", "is there anybody"]] {
        let mut chat = Chat::new(example("change_request.md"));
        chat.say("");
        let mut action = chat.say("hi");
        assert_eq!(action["action"], "TOOL_CALL");
        for text in &said {
            assert_eq!(action["action"], "TOOL_CALL");
            action = chat.say(text);
        }
        assert_ne!(action["action"], "TOOL_CALL", "{said:?}: {action}");
        says(&action, &["Nothing was looked up"]);
        assert_eq!(chat.say("try again")["action"], "TOOL_CALL");
    }
}
