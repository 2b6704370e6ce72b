//! Which answers one tap can give, and that what an agent wrote cannot be tapped.

use serde_json::{Value, json};

use super::*;

/// A pending decision with these members besides the usual.
pub(crate) fn decision(more: &Value) -> Decision {
    let mut whole = json!({
        "id": "dcn-7k3f00000000", "project": "web", "status": "pending", "source": "question",
        "title": null, "prompt": "Which cache?", "fields": [], "outs": [], "owner": null,
        "requested_by": "builder", "assignees": [], "priority": "normal", "iteration": 1,
        "max_iterations": 3, "prior": null, "next": null, "guidance": null, "default": null,
        "deadline": null, "on_timeout": "expire", "draft": {}, "subject": null, "subject_digest": null,
        "digest": "sha256:00", "origin": null, "created_at": "2026-01-01T00:00:00Z", "settled_at": null,
        "superseded_by": null, "consumed_at": null, "reason": null, "answer": null,
    });
    for (name, value) in more.as_object().unwrap() {
        whole[name] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

pub(crate) fn choice(options: &Value) -> Value {
    json!([{ "id": "choice", "kind": "choice", "label": "?", "options": options }])
}

fn labels(decision: &Decision) -> Vec<String> {
    controls(decision).into_iter().map(|control| control.label).collect()
}

#[test]
fn one_tap_takes_what_needs_no_words() {
    let plain = choice(&json!([{"id": "a", "label": "Redis"}, {"id": "b", "label": "No\u{202e}ne"}]));
    let asked = decision(&json!({ "fields": plain, "outs": [{"id": "skip", "label": "Skip"}] }));
    assert_eq!(labels(&asked), ["Redis", "No<U+202E>ne", "Skip"]);
    let [first, _, out] = controls(&asked).try_into().unwrap();
    assert!(!first.refuses && !first.consents && out.refuses);
    assert!(are_all(&asked, &controls(&asked)));
    let input = first.act.answer(&asked).unwrap();
    assert_eq!(input.values["choice"], "a");
    assert_eq!(out.act.answer(&asked).unwrap().out.as_deref(), Some("skip"));
    assert_eq!(Act::Out("other".into()).answer(&asked), None);
    // Settled, several fields, typed fields, verdicts: nothing to tap but what declines.
    assert!(labels(&decision(&json!({ "fields": plain, "status": "cancelled" }))).is_empty());
    let two = json!([plain[0], { "id": "why", "kind": "text", "label": "Why?" }]);
    let form = decision(&json!({ "fields": two, "outs": [{"id": "skip", "label": "Skip"}] }));
    assert_eq!(labels(&form), ["Skip"]);
    assert!(!are_all(&form, &controls(&form)));
    assert!(labels(&decision(&json!({ "fields": plain, "source": "verdict" }))).is_empty());
    let custom = json!([{ "id": "c", "kind": "choice", "label": "?", "custom": true,
        "options": [{"id": "a", "label": "A"}] }]);
    let custom = decision(&json!({ "fields": custom }));
    assert!(!are_all(&custom, &controls(&custom)));
}

#[test]
fn a_yes_to_a_subject_is_a_consent_and_a_no_is_not() {
    let options = choice(&json!([
        {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "refuses": true}]));
    for more in
        [json!({"source": "approval"}), json!({"subject": {"command": "ls"}}), json!({"source": "plan"})]
    {
        let mut more = more;
        more["fields"] = options.clone();
        let consents: Vec<bool> = controls(&decision(&more)).iter().map(|control| control.consents).collect();
        assert_eq!(consents, [true, false], "{more}");
    }
}

#[test]
fn without_a_title_no_more_is_told_than_one_would_say() {
    let told = |more: &Value, show| text(&decision(more), show, 4_000);
    let long = json!({ "prompt": format!("Which cache?\npassword=hunter2\n{}", "x".repeat(500)) });
    assert_eq!(told(&long, Show::Title), "builder (unchecked name) asks: Which cache?");
    assert!(told(&long, Show::Prompt).contains("hunter2"));
    let line = json!({ "prompt": "y".repeat(500) });
    assert_eq!(told(&line, Show::Title), format!("builder (unchecked name) asks: {}…", "y".repeat(100)));
}

#[test]
fn nothing_in_a_text_can_be_tapped() {
    for (text, shown) in [
        ("see https://evil.example/x", "see https:\u{2060}//evil.\u{2060}example/x"),
        ("@here a@b.c #tag", "@\u{2060}here a@\u{2060}b.\u{2060}c #\u{2060}tag"),
        ("The end. Next: this", "The end. Next: this"),
    ] {
        assert_eq!(defused(text), shown);
    }
    assert_eq!((cut("abc", 3), cut("abcd", 3)), ("abc".into(), "abc…".into()));
}

#[test]
fn remarks_are_the_words_of_their_program_in_a_line_each() {
    let remark = |by: &str, text: &str| json!({ "by": by, "text": text, "at": "2026-01-01T00:00:00Z" });
    let hostile = remark("guard", "see <https://evil.example>\n@here \u{202e}now");
    let long = remark("model", &"long ".repeat(100));
    let all = json!([hostile, long, remark("c", "third"), remark("d", "fourth"), remark("e", "fifth")]);
    let asked = decision(&json!({ "title": "Delete it?", "prompt": "word ".repeat(2_000), "remarks": all }));
    let lines = remarks(&asked);
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("guard remarks (a program, unchecked): see <https"), "{lines:?}");
    assert!(!lines[0].contains(['\n', '\u{202e}']), "{lines:?}");
    assert!(lines[1].chars().count() < 210 && lines[1].ends_with('…'), "{lines:?}");
    assert_eq!(lines[3], "The card has 2 more.");
    // A long question pushes none of them out, and nothing in them can be tapped.
    let text = text(&asked, Show::Prompt, 2_800);
    assert!(text.len() <= 2_800 && text.contains("open it to see all"), "{text}");
    assert!(text.contains("third") && text.ends_with("The card has 2 more."), "{text}");
    assert!(!text.contains("https://evil.example") && !text.contains("@here"), "{text}");
    assert!(!super::text(&asked, Show::Title, 2_800).contains("remarks"));
    let settled = decision(&json!({ "status": "cancelled", "remarks": all }));
    assert!(remarks(&settled).is_empty());
}
