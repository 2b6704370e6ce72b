//! Tests which answers one tap can give, and that an agent's text cannot be tapped.

use serde_json::{Value, json};

use super::*;

/// Makes a pending decision with these members besides the usual ones.
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
    assert_eq!(TapAction::Out("other".into()).answer(&asked), None);
    // Settled decisions, several fields, typed fields, verdicts: only what declines can be tapped.
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
    assert_eq!(told(&long, DetailLevel::Title), "builder (unverified) asks: Which cache?");
    assert!(told(&long, DetailLevel::Prompt).contains("hunter2"));
    let line = json!({ "prompt": "y".repeat(500) });
    assert_eq!(told(&line, DetailLevel::Title), format!("builder (unverified) asks: {}…", "y".repeat(100)));
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
    // A long question leaves room for all of them, and nothing in them can be tapped.
    let text = text(&asked, DetailLevel::Prompt, 2_800);
    assert!(text.len() <= 2_800 && text.contains("open it to see all"), "{text}");
    assert!(text.contains("third") && text.ends_with("The card has 2 more."), "{text}");
    assert!(!text.contains("https://evil.example") && !text.contains("@here"), "{text}");
    assert!(!super::text(&asked, DetailLevel::Title, 2_800).contains("remarks"));
    let settled = decision(&json!({ "status": "cancelled", "remarks": all }));
    assert!(remarks(&settled).is_empty());
}

const STAGING: &str =
    "Delete every row of the table that is called customers, in the environment named STAGING";
const PRODUCTION: &str =
    "Delete every row of the table that is called customers, in the environment named PRODUCTION";

/// A change that makes it a different question.
type Change = Box<dyn Fn(&mut Value)>;

/// Returns the labels that each channel offers.
fn offered(decision: &Decision) -> Vec<(&'static str, Vec<String>)> {
    use crate::{desktop, ntfy, slack, telegram, webpush};
    let plain = |controls: Vec<Control>| controls.into_iter().map(|control| control.label).collect();
    let buttons = |controls: Controls| {
        let taps = controls.buttons.into_iter().filter(|button| button.act != TapAction::Form);
        taps.map(|button| button.label).collect()
    };
    vec![
        ("telegram", buttons(telegram::controls(decision, DetailLevel::All, String::new()))),
        ("slack", buttons(slack::controls(decision, DetailLevel::All, String::new()))),
        ("ntfy", plain(ntfy::controls(decision))),
        ("webpush", plain(webpush::controls(decision))),
        ("desktop", plain(desktop::controls(decision))),
    ]
}

#[test]
fn labels_that_would_be_cut_or_are_alike_are_for_the_card() {
    for (a, b) in [(STAGING, PRODUCTION), ("Ship", "Ship"), ("Ship", "ship "), ("Ship", STAGING)] {
        let options = choice(&json!([{"id": "a", "label": a}, {"id": "b", "label": b}]));
        for (channel, labels) in offered(&decision(&json!({ "fields": options }))) {
            assert_eq!(labels, [""; 0], "{channel}: {a} / {b}");
        }
        // Options that decline are offered if they can be read and distinguished from the yes.
        let options = choice(&json!([{"id": "a", "label": a}, {"id": "b", "label": b},
            {"id": "no", "label": "No", "refuses": true}]));
        let asked = decision(&json!({ "fields": options, "subject": {"command": "ls"} }));
        for (channel, labels) in offered(&asked) {
            assert_eq!(labels, ["No"], "{channel}: {a} / {b}");
        }
        let alike = choice(&json!([{"id": "a", "label": "OK"}, {"id": "b", "label": "OK", "refuses": true}]));
        let asked = decision(&json!({ "fields": alike, "subject": {"command": "ls"} }));
        for (channel, labels) in offered(&asked) {
            assert_eq!(labels, [""; 0], "{channel}");
        }
    }
}

#[test]
fn a_consent_is_offered_only_where_the_message_says_all_that_the_card_does() {
    use crate::{slack, telegram};
    let asked = |change: &dyn Fn(&mut Value)| {
        let mut document = json!({
            "source": "approval", "title": "Ship", "prompt": "Ship it?", "subject": "make ship",
            "fields": [{"id": "c", "kind": "confirm", "label": "Really?", "options": [
                {"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "refuses": true}]}],
            "outs": [{"id": "later", "label": "Later"}],
        });
        change(&mut document);
        decision(&document)
    };
    let consents = |decision: &Decision| {
        let any = |controls: Controls| controls.buttons.iter().any(|button| button.consents);
        let telegram = any(telegram::controls(decision, DetailLevel::All, String::new()));
        (telegram, any(slack::controls(decision, DetailLevel::All, String::new())))
    };
    let said = |decision: &Decision| {
        let controls = slack::controls(decision, DetailLevel::All, String::new());
        let slack = slack::blocks(decision, DetailLevel::All, None, 1, &controls).to_string();
        (telegram::text(decision, DetailLevel::All, None), slack)
    };
    assert_eq!(consents(&asked(&|_| {})), (true, true));
    // Descriptions of a field or an option are in the message, so a yes is offered.
    let terms = "This also drops the backups of ACME";
    let wire = "Also wires 5,000 EUR to Bob";
    let described = asked(&|asked| {
        asked["fields"][0]["description"] = json!(terms);
        asked["fields"][0]["options"][0]["description"] = json!(wire);
        asked["outs"][0]["description"] = json!("Until tomorrow");
        asked["guidance"] = json!("Not on Friday");
    });
    assert_eq!(consents(&described), (true, true));
    for words in [terms, wire, "Really?", "Until tomorrow", "Not on Friday"] {
        let (telegram, slack) = said(&described);
        assert!(telegram.contains(words) && slack.contains(words), "{words}: {telegram} {slack}");
    }
    // If anything is cut, or has no place in a message, the yes is only on the card.
    let long = |most: usize| json!("word ".repeat(most / 5 + 1));
    let option = |name: &'static str, value: Value| {
        move |asked: &mut Value| asked["fields"][0]["options"][0][name] = value.clone()
    };
    let hidden: Vec<(&str, Change)> = vec![
        ("title", Box::new(move |asked| asked["title"] = long(300))),
        ("prompt", Box::new(move |asked| asked["prompt"] = long(1_200))),
        ("subject", Box::new(move |asked| asked["subject"] = long(2_900))),
        ("project", Box::new(|asked| asked["project"] = json!("p".repeat(61)))),
        ("field", Box::new(move |asked| asked["fields"][0]["description"] = long(6_000))),
        ("field label", Box::new(move |asked| asked["fields"][0]["label"] = long(6_000))),
        ("option", Box::new(option("description", long(6_000)))),
        ("label", Box::new(option("label", json!(PRODUCTION)))),
        ("out", Box::new(|asked| asked["outs"][0]["label"] = json!(STAGING))),
        ("guidance", Box::new(move |asked| asked["guidance"] = long(6_000))),
        ("url", Box::new(option("url", json!("https://terms.example")))),
        ("picture", Box::new(option("image_url", json!("https://terms.example/x.png")))),
        ("quote", Box::new(option("quote", json!({"total": "5000 EUR"})))),
        ("variants", Box::new(option("variants", json!([{"id": "v", "label": "V"}])))),
    ];
    for (what, change) in &hidden {
        assert_eq!(consents(&asked(change)), (false, false), "{what}");
    }
    // One of several yes options is not offered alone.
    let alike = asked(&|asked| {
        let options = asked["fields"][0]["options"].as_array_mut().unwrap();
        options.extend(["a", "b"].map(|id| json!({ "id": id, "label": "Ship" })));
    });
    assert!(offered(&alike).iter().all(|(_, labels)| !labels.iter().any(|label| label == "Yes")));
    let many = asked(&|asked| {
        let options = asked["fields"][0]["options"].as_array_mut().unwrap();
        options.extend((0..110).map(|id| json!({ "id": format!("o{id}"), "label": format!("O{id}") })));
    });
    assert!(offered(&many).iter().all(|(_, labels)| !labels.iter().any(|label| label == "Yes")));
    // A text with two units per character is measured as messengers count.
    let faces = asked(&|asked| asked["prompt"] = json!("😀".repeat(1_200)));
    assert_eq!(consents(&faces), (false, false));
    let (telegram, _) = said(&asked(&|asked| {
        asked["prompt"] = json!("😀".repeat(3_000));
        asked["subject"] = json!("😀".repeat(3_000));
    }));
    assert!(length(&telegram) <= 4_096 && telegram.contains("not all of it"), "{telegram}");
}
