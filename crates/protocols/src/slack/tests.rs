//! Tests the content and the buttons of a message, and the parsing of events.

use holdpoint_core::{Decision, Kind};
use serde_json::{Value, json};

use super::*;
use crate::channel::DetailLevel;
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

fn whole(decision: &Decision, show: DetailLevel) -> Value {
    blocks(decision, show, Some("https://h/d/x"), 7, &controls(decision, show, "0123456789abcdef".into()))
}

#[test]
fn a_yes_to_a_subject_is_there_only_where_all_of_it_is() {
    let (yes, no) = (("Allow".to_owned(), true), ("Deny".to_owned(), false));
    let form = |label: &str, consents| (label.to_owned(), consents);
    assert_eq!(
        labels(&approval("ls"), DetailLevel::All),
        [yes, no.clone(), form("Answer with words…", true)]
    );
    let declining = [no, form("Decline with words…", false)];
    for show in [DetailLevel::Prompt, DetailLevel::Title] {
        assert_eq!(labels(&approval("ls"), show), declining);
    }
    assert_eq!(labels(&approval(&"x".repeat(3_000)), DetailLevel::All), declining);
    // A subject that Slack could display differently is for the card.
    assert_eq!(labels(&approval("echo &lt;a&gt;"), DetailLevel::All), declining);
    assert!(whole(&approval(&"x".repeat(3_000)), DetailLevel::All).to_string().contains("not all of it"));
    // With several fields beside a subject, each value would be part of a yes.
    let mut form = approval("ls");
    form.fields.push(holdpoint_core::Field::new("why", Kind::Text, "Why?"));
    assert_eq!(labels(&form, DetailLevel::Title), []);
}

#[test]
fn what_an_agent_wrote_is_only_text() {
    let hostile = "<!channel> <@U1> @here <https://evil.example|x> *b* `c` ``` \u{202e} &lt;";
    let asked =
        decision(&json!({ "title": hostile, "prompt": hostile, "requested_by": hostile, "project": "p",
        "fields": choice(&json!([{"id": "a", "label": hostile}])) }));
    let shown = whole(&asked, DetailLevel::All);
    assert!(!shown.to_string().contains("mrkdwn") && !shown.to_string().contains('\u{202e}'), "{shown}");
    assert_eq!(shown.to_string().matches("\"type\":\"link\"").count(), 1);
    let notice = notification(&asked);
    assert!(!notice.contains(['<', '>']) && !notice.contains("@here"), "{notice}");
    let form = form(&asked, "h", true, &Draft::of(&asked));
    assert!(!form.to_string().contains("mrkdwn"), "{form}");
}

#[test]
fn values_that_only_decline_are_known() {
    let asked = approval("ls");
    let values = |value: &Value| value.as_object().unwrap().clone();
    assert!(declines(&asked, &values(&json!({ "choice": "deny" }))));
    assert!(declines(&asked, &values(&json!({}))));
    for yes in [json!({ "choice": "allow" }), json!({ "choice": "other" }), json!({ "x": "deny" })] {
        assert!(!declines(&asked, &values(&yes)), "{yes}");
    }
}

#[test]
fn what_comes_over_the_socket_is_read() {
    assert_eq!(read_frame(&json!({ "type": "hello" })), Frame::Hello);
    assert_eq!(read_frame(&json!({ "type": "x" })), Frame::Other);
    let disconnect = json!({ "type": "disconnect", "reason": "warning" });
    assert_eq!(read_frame(&disconnect), Frame::Disconnect { reason: "warning".into() });
    let heard = |frame: &Value| match read_frame(frame) {
        Frame::Envelope { heard, .. } => heard.map(|heard| *heard),
        other => panic!("{other:?}"),
    };
    let event = |more: &Value| {
        let mut event = json!({ "type": "message", "channel_type": "im", "channel": "D1", "user": "U1", "text": "a &lt; b" });
        more.as_object().unwrap().iter().for_each(|(name, value)| event[name] = value.clone());
        json!({ "type": "events_api", "envelope_id": "e", "payload": { "team_id": "T1", "event": event } })
    };
    let plain = heard(&event(&json!({}))).unwrap();
    assert_eq!(plain.account, "T1/U1");
    assert_eq!(plain.said, ActionKind::Words { channel: "D1".into(), text: "a < b".into(), thread: None });
    for other in
        [json!({"bot_id": "B"}), json!({"subtype": "message_changed"}), json!({"channel_type": "channel"})]
    {
        assert_eq!(heard(&event(&other)), None, "{other}");
    }
    // A person of another workspace is not the user with that id in this one.
    assert_eq!(heard(&event(&json!({ "user_team": "T2" }))).unwrap().team, "T2");
    let tap = json!({ "type": "interactive", "envelope_id": "e", "payload": { "type": "block_actions",
        "team": { "id": "T1" }, "user": { "id": "U1" }, "channel": { "id": "D1" }, "message": { "ts": "1.2" },
        "trigger_id": "t", "actions": [{ "selected_option": { "value": "h" } }] } });
    let (handle, channel) = ("h".to_owned(), "D1".to_owned());
    let expected = ActionKind::Tap { handle, channel, message: "1.2".into(), trigger: "t".into() };
    assert_eq!(heard(&tap).unwrap().said, expected);
    assert_eq!(heard(&json!({ "type": "interactive", "envelope_id": "e" })), None);
    let keys = |frame: &Value| match read_frame(frame) {
        Frame::Envelope { id, key, .. } => (id, key),
        other => panic!("{other:?}"),
    };
    assert_eq!(keys(&tap), ("e".into(), "t".into()));
}

#[test]
fn words_are_read_as_they_were_typed() {
    for (sent, typed) in [
        ("a &lt;b&gt; &amp;amp;", "a <b> &amp;"),
        ("see <https://x.example/a|x.example/a>", "see x.example/a"),
        ("<https://x.example>", "https://x.example"),
        ("<mailto:a@b.c|a@b.c> <@U1>", "a@b.c @U1"),
        ("1 < 2", "1 < 2"),
    ] {
        assert_eq!(original_text(sent), typed);
    }
    assert_eq!(escaped("<!channel> & @here"), "&lt;!channel&gt; &amp; @\u{2060}here");
}

#[test]
fn remarks_stand_in_a_block_of_their_own() {
    let remark = json!({ "by": "guard", "text": "<!channel> deletes\nall", "at": "2026-01-01T00:00:00Z" });
    let mut asked = approval("ls");
    asked.remarks = serde_json::from_value(json!([remark])).unwrap();
    let elements = whole(&asked, DetailLevel::Prompt)[0]["elements"].as_array().unwrap().clone();
    let said = |element: &Value| element["elements"][0]["text"].as_str().unwrap_or_default().to_owned();
    let block = elements.iter().find(|element| said(element).contains("remarks")).unwrap();
    assert_eq!(block["type"], "rich_text_preformatted");
    assert!(!said(block).contains('\n') && said(block).starts_with("guard remarks (a program, unchecked):"));
    assert!(!whole(&asked, DetailLevel::Title).to_string().contains("remarks"));
}
