//! Tests the content and the buttons of a message, and the parsing of updates.

use serde_json::json;

use super::*;

const SUBJECT: usize = ROOM.subject;
const PROMPT: usize = ROOM.prompt;
use crate::channel::tests::{choice, decision};

fn approval(command: &str) -> Decision {
    let options = choice(&json!([
        {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "refuses": true}]));
    decision(&json!({
        "fields": options, "source": "approval", "title": "Run it?", "subject": {"command": command},
    }))
}

fn labels(decision: &Decision, show: DetailLevel) -> Vec<(String, bool)> {
    let controls = controls(decision, show, "n".into());
    controls.buttons.into_iter().map(|button| (button.label, button.consents)).collect()
}

#[test]
fn a_yes_to_a_subject_is_there_only_where_all_of_it_is() {
    let (yes, no) = (("Allow".to_owned(), true), ("Deny".to_owned(), false));
    assert_eq!(labels(&approval("ls"), DetailLevel::All), [yes, no.clone()]);
    for show in [DetailLevel::Prompt, DetailLevel::Title] {
        assert_eq!(labels(&approval("ls"), show), std::slice::from_ref(&no));
    }
    assert_eq!(labels(&approval(&"x".repeat(SUBJECT + 1)), DetailLevel::All), [no]);
    assert!(text(&approval(&"x".repeat(SUBJECT + 1)), DetailLevel::All, None).contains("not all of it"));
}

#[test]
fn what_an_agent_wrote_is_code_and_cannot_leave_it() {
    let hostile = "</pre><a href=\"https://evil.example\">x</a> @here /start \u{202e} &amp;";
    let asked = decision(&json!({ "title": hostile, "prompt": hostile, "requested_by": hostile }));
    let shown = text(&asked, DetailLevel::All, Some("https://h/d/x?a=1&b=2"));
    assert_eq!(shown.matches("<a ").count(), 1, "{shown}");
    assert!(shown.contains("&lt;/pre&gt;") && shown.contains("U+202E") && !shown.contains('\u{202e}'));
    assert!(shown.ends_with("<a href=\"https://h/d/x?a=1&amp;b=2\">Open the card</a>"));
    let long = "ü<".repeat(40_000);
    let asked = decision(&json!({
        "title": long, "prompt": long, "requested_by": long, "subject": {"command": long}, "project": "p",
    }));
    let visible =
        text(&asked, DetailLevel::All, None).replace("&lt;", "<").replace("<pre>", "").replace("</pre>", "");
    assert!(visible.encode_utf16().count() <= 4_096, "{}", visible.len());
}

#[test]
fn only_a_persons_own_chat_is_heard() {
    let tap = |chat: &Value| {
        json!({ "update_id": 4, "callback_query": {
        "id": "q", "data": "1.n.0", "from": {"id": 5}, "message": {"message_id": 6, "chat": chat}} })
    };
    let said = |update: &Value| read_update(update).unwrap().said;
    assert_eq!(
        read_update(&tap(&json!({"id": 5, "type": "private"}))),
        Some(TelegramAction {
            update: 4,
            account: "5".into(),
            said: ActionKind::Tap {
                id: "q".into(),
                handle: "1.n.0".into(),
                message: "6".into(),
                words: None
            },
        })
    );
    // The text above the buttons counts only if it was written by the person who taps.
    for (author, expected) in [(5, Some("cheaper")), (9, None)] {
        let mut under = tap(&json!({"id": 5, "type": "private"}));
        under["callback_query"]["message"]["reply_to_message"] =
            json!({ "message_id": 3, "from": {"id": author}, "text": "cheaper" });
        let ActionKind::Tap { words, .. } = said(&under) else { panic!("a tap is a tap") };
        assert_eq!(words.as_deref(), expected);
    }
    assert_eq!(said(&tap(&json!({"id": -9, "type": "group"}))), ActionKind::Elsewhere { id: "q".into() });
    assert_eq!(said(&tap(&json!({"id": 6, "type": "private"}))), ActionKind::Elsewhere { id: "q".into() });
    let words = json!({ "update_id": 5, "message": { "message_id": 7, "from": {"id": 5}, "text": "hi",
        "chat": {"id": 5, "type": "private"}, "reply_to_message": {"message_id": 6}} });
    assert_eq!(
        said(&words),
        ActionKind::Words { text: "hi".into(), message: "7".into(), reply_to: Some("6".into()) }
    );
    assert_eq!(said(&json!({ "update_id": 6 })), ActionKind::Other);
    assert_eq!(read_update(&json!({})), None);
}

#[test]
fn remarks_are_code_too_and_leave_the_question_its_room() {
    let remark = json!({ "by": "guard", "text": "</pre>@here deletes", "at": "2026-01-01T00:00:00Z" });
    let mut asked = approval("ls");
    asked.remarks = serde_json::from_value(json!([remark])).unwrap();
    let shown = text(&asked, DetailLevel::Prompt, None);
    assert!(
        shown.contains("<pre>guard remarks (a program, unchecked): &lt;/pre&gt;@here deletes</pre>"),
        "{shown}"
    );
    assert!(!text(&asked, DetailLevel::Title, None).contains("remarks"));
    // Even with the longest message nothing is cut for them, and Telegram still accepts it.
    let mut long = approval(&"x".repeat(SUBJECT));
    long.prompt = Some("y".repeat(PROMPT));
    let remark = json!({ "by": "guard", "text": "deletes ".repeat(60), "at": "2026-01-01T00:00:00Z" });
    long.remarks = serde_json::from_value(json!(vec![remark; 8])).unwrap();
    let shown = text(&long, DetailLevel::All, Some("https://h/d/x"));
    assert!(shown.contains("the card shows them") && !shown.contains("deletes"), "{shown}");
    assert!(shown.chars().count() <= 4_096, "{}", shown.chars().count());
    assert_eq!(
        labels(&long, DetailLevel::All),
        labels(&approval("ls"), DetailLevel::All),
        "a yes is still there"
    );
}
