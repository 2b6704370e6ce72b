use holdpoint_core::decision::New;
use holdpoint_core::{Decision, Kind, Owner, OwnerKind, Refusal, Source};
use holdpoint_protocols::oddjobs::number::entries;
use holdpoint_protocols::oddjobs::{Create, create};
use serde_json::{Value, json};

use crate::through_core::ask;

pub(crate) fn given(source: Source) -> Create {
    Create {
        project: None,
        source,
        owner: Owner::new(OwnerKind::Job, "build"),
        agent: Some("agt-1".into()),
        context: "Agent in job \"build\" waits.\nMore.".into(),
        options: Vec::new(),
        questions: None,
    }
}

pub(crate) fn asking(questions: &Value) -> Create {
    Create { questions: Some(questions.to_string()), ..given(Source::Question) }
}

pub(crate) fn offering(source: Source, labels: &[&str]) -> Create {
    Create { options: labels.iter().map(ToString::to_string).collect(), ..given(source) }
}

pub(crate) fn asked(given: &Create) -> Decision {
    create(given).and_then(ask).unwrap()
}

/// The numbered labels, with a star on what is recommended.
fn labels(decision: &Decision) -> Vec<String> {
    let mark = |recommended| if recommended { "*" } else { "" };
    entries(decision).iter().map(|entry| format!("{}{}", entry.label, mark(entry.recommended))).collect()
}

#[test]
fn each_source_offers_its_own() {
    let plan =
        ["Accept (clear context)*", "Accept (auto edits)", "Accept (manual edits)", "Revise", "Cancel"];
    let cases: [(Source, &[&str]); 7] = [
        (Source::Idle, &["Nudge*", "Done", "Cancel", "Dismiss"]),
        (Source::Dead, &["Retry*", "Skip", "Cancel", "Dismiss"]),
        (Source::Error, &["Retry*", "Skip", "Cancel", "Dismiss"]),
        (Source::Gate, &["Retry*", "Skip", "Cancel"]),
        (Source::Approval, &["Approve", "Deny", "Cancel", "Dismiss"]),
        (Source::Question, &["Other", "Cancel", "Dismiss"]),
        (Source::Plan, &plan),
    ];
    for (source, expected) in cases {
        let decision = asked(&given(source));
        assert_eq!(labels(&decision), expected, "{source:?}");
        assert_eq!(decision.owner.as_ref().unwrap().to_string(), "job:build");
        assert_eq!(decision.requested_by.as_deref(), Some("agt-1"));
        assert!(entries(&decision).iter().all(|entry| entry.description.is_some()), "{source:?}");
    }
}

#[test]
fn ids_and_effects_are_the_ones_that_are_relied_on() {
    let of = |source| {
        let decision = asked(&given(source));
        let options = decision.fields[0].options.iter().chain(&decision.outs);
        options.map(|option| json!([option.id, option.effect, option.refuses])).collect::<Value>()
    };
    assert_eq!(
        of(Source::Idle),
        json!([
            ["nudge", "resume", false],
            ["done", "advance", false],
            ["cancel", "cancel", false],
            ["dismiss", "dismiss", false]
        ])
    );
    let stopped = [["retry", "restart"], ["skip", "advance"], ["cancel", "cancel"], ["dismiss", "dismiss"]];
    let stopped: Value = stopped.iter().map(|[id, effect]| json!([id, effect, false])).collect();
    assert_eq!(of(Source::Dead), stopped);
    assert_eq!(of(Source::Error), stopped);
    assert_eq!(of(Source::Gate).as_array().unwrap(), &stopped.as_array().unwrap()[..3]);
    assert_eq!(
        of(Source::Approval),
        json!([
            ["approve", "approve", false],
            ["deny", "deny", true],
            ["cancel", "cancel", false],
            ["dismiss", "dismiss", false]
        ])
    );
    assert_eq!(
        of(Source::Plan),
        json!([
            ["accept_clear", "accept_clear", false],
            ["accept_auto", "accept_auto", false],
            ["accept_manual", "accept_manual", false],
            ["revise", "revise", true],
            ["cancel", "cancel", false]
        ])
    );
}

#[test]
fn questions_become_fields() {
    let one = json!([{"question": "Which?", "header": "DB", "options": ["Postgres", {"label": "My SQL", "description": "old"}]}]);
    let decision = asked(&asking(&one));
    assert_eq!(labels(&decision), ["Postgres", "My SQL", "Other", "Cancel", "Dismiss"]);
    assert_eq!(
        serde_json::to_value(&decision.fields).unwrap(),
        json!([{
            "id": "choice", "kind": "choice", "label": "Which?", "required": true, "custom": true,
            "options": [{"id": "postgres", "label": "Postgres"}, {"id": "my-sql", "label": "My SQL", "description": "old"}],
            "extra": {"header": "DB"}
        }])
    );
    let two = json!({"questions": [
        {"question": "A?", "options": ["x", "y"], "multiSelect": true},
        {"question": "B?", "header": null, "multiSelect": false, "options": []},
        {"question": "C?", "options": [{"label": "x", "description": null}], "unknown": 1}
    ]});
    let fields = asked(&asking(&two)).fields;
    let shape: Vec<_> = fields.iter().map(|field| (field.id.as_str(), field.kind, field.custom)).collect();
    let expected = [("q1", Kind::Choices, true), ("q2", Kind::Multiline, false), ("q3", Kind::Choice, true)];
    assert_eq!(shape, expected);
}

#[test]
fn without_questions_one_text_is_asked() {
    for questions in [json!([]), json!(null), json!({"questions": []}), json!([{"question": "Sure?"}])] {
        let decision = asked(&asking(&questions));
        assert_eq!(labels(&decision), ["Other", "Cancel", "Dismiss"]);
        assert_eq!((decision.fields[0].id.as_str(), decision.fields[0].kind), ("text", Kind::Multiline));
    }
}

#[test]
fn option_ids_are_plain_and_differ() {
    let labels =
        ["Yes!", "yes", "YES", "_accept", "Cancel", "dismiss", "Straße 5", "…", "   —  ", "日本", "a_b"];
    let decision = asked(&offering(Source::Question, &labels));
    let ids: Vec<&str> = decision.fields[0].options.iter().map(|option| option.id.as_str()).collect();
    let expected = [
        "yes",
        "yes-2",
        "yes-3",
        "accept",
        "cancel-2",
        "dismiss-2",
        "straße-5",
        "option",
        "option-2",
        "日本",
        "a-b",
    ];
    assert_eq!(ids, expected);
    assert!(decision.fields[0].custom);
    assert_eq!(decision.fields[0].label, "Agent in job \"build\" waits.");
    let long = asked(&offering(Source::Question, &[&"word ".repeat(500)]));
    assert!(long.fields[0].options[0].id.len() <= 40);
}

#[test]
fn ten_thousand_equal_labels_are_told_apart_at_once() {
    let decision = asked(&offering(Source::Question, &vec!["same"; 10_000]));
    assert_eq!(decision.fields[0].options[9_999].id, "same-10000");
}

#[test]
fn own_labels_keep_the_effect_of_the_option_they_name() {
    let decision = asked(&offering(Source::Idle, &["Done", "nudge", "Ask the architect", "Done"]));
    let options: Value =
        decision.fields[0].options.iter().map(|option| json!([option.id, option.effect])).collect();
    assert_eq!(
        options,
        json!([["done", "advance"], ["nudge", "resume"], ["ask-the-architect", null], ["done-2", null]])
    );
    assert_eq!(labels(&decision), ["Done", "Nudge*", "Ask the architect", "Done", "Cancel", "Dismiss"]);
    let yes_no = asked(&offering(Source::Approval, &["Yes", "No"]));
    let refuses: Vec<bool> = yes_no.fields[0].options.iter().map(|option| option.refuses).collect();
    assert_eq!(refuses, [false, true]);
}

#[test]
fn what_is_wrong_is_said() {
    let question = |text: &str| Create { questions: Some(text.into()), ..given(Source::Question) };
    let cases = [
        (
            given(Source::Verdict),
            "source: \"verdict\" is none of: idle, dead, error, gate, approval, question, plan",
        ),
        (
            Create { owner: Owner::new(OwnerKind::Item, "x"), ..given(Source::Idle) },
            "owner: item:x is neither a job nor a crew",
        ),
        (Create { owner: Owner::new(OwnerKind::Crew, ""), ..given(Source::Idle) }, "crew: must not be empty"),
        (
            Create { context: " ".into(), ..given(Source::Idle) },
            "prompt: give a prompt or a title: what is asked?",
        ),
        (offering(Source::Idle, &["a", " "]), "options: an option needs a label"),
        (
            Create { options: vec!["a".into()], ..asking(&json!([])) },
            "questions: bring their own options; give one of the two",
        ),
        (
            Create { questions: Some("[]".into()), ..given(Source::Plan) },
            "questions: go with the source question only",
        ),
        (
            offering(Source::Approval, &["Approve", "Certainly not"]),
            "options: \"Certainly not\" is not clearly a yes or a no; the source approval offers: Approve, Deny",
        ),
        (
            question("3"),
            "questions: must be an array of {question, header?, multiSelect?, options} or {\"questions\": […]}",
        ),
        (
            question("{}"),
            "questions: must be an array of {question, header?, multiSelect?, options} or {\"questions\": […]}",
        ),
        (question("[{}]"), "questions: question 1: \"question\" is missing: what is asked?"),
        (question("[7]"), "questions: question 1: must be an object with \"question\" and \"options\""),
        (
            question(r#"[{"question":"a","options":"b"}]"#),
            "questions: question 1: \"options\" must be an array of labels or of {label, description?}",
        ),
        (
            question(r#"[{"question":"a","options":["x",""]}]"#),
            "questions: question 1: option 2: must be a label or {label, description?}",
        ),
        (
            question(r#"[{"question":"a","options":[{"description":"x"}]}]"#),
            "questions: question 1: option 1: \"label\" is missing",
        ),
        (
            question(r#"[{"question":"a","multiSelect":"yes"},{"question":"b","header":1}]"#),
            "questions: question 1: \"multiSelect\" must be true or false\nquestions: question 2: \"header\" must be a string",
        ),
    ];
    for (given, expected) in cases {
        let refused: Result<Decision, Refusal> = create(&given).and_then(ask);
        assert_eq!(refused.unwrap_err().to_string(), expected);
    }
    assert!(create(&question("[")).unwrap_err().to_string().starts_with("questions: are not JSON: "));
}

#[test]
fn the_project_is_passed_on() {
    let new: New = create(&Create { project: Some("web".into()), ..given(Source::Idle) }).unwrap();
    assert_eq!(new.project(), "web");
}
