use holdpoint_core::{Kind, Source, Span};
use holdpoint_protocols::beads::{Create, create};
use serde_json::json;

use crate::through_core::ask;

fn given(option: &[&str]) -> Create {
    Create {
        issue: "bd-abc123".into(),
        prompt: "Which approach?".into(),
        option: option.iter().map(ToString::to_string).collect(),
        ..Create::default()
    }
}

fn as_json(options: &str) -> Create {
    Create { options: Some(options.into()), ..given(&[]) }
}

fn refusal(given: &Create) -> String {
    create(given).and_then(ask).unwrap_err().to_string()
}

#[test]
fn the_printed_example_becomes_one_choice_on_the_item() {
    let given = Create {
        default: Some("a".into()),
        timeout: Some(Span::from_secs(3_600)),
        max_iterations: Some(5),
        requested_by: Some("agent-7".into()),
        ..given(&["a:Use approach A", "b:Use approach B"])
    };
    let new = create(&given).unwrap();
    assert!(new.exclusive);
    let decision = ask(new).unwrap();
    assert_eq!(decision.source, Source::Question);
    assert_eq!(decision.owner.as_ref().unwrap().to_string(), "item:bd-abc123");
    assert_eq!(decision.requested_by.as_deref(), Some("agent-7"));
    assert_eq!(decision.max_iterations, 5);
    assert_eq!(serde_json::to_value(&decision.default).unwrap(), json!({"choice": "a"}));
    let [field] = decision.fields.as_slice() else { panic!("one field") };
    assert_eq!((field.id.as_str(), field.kind, field.custom), ("choice", Kind::Choice, true));
    assert_eq!(field.label, "Which approach?");
    assert_eq!(
        serde_json::to_value(&field.options).unwrap(),
        json!([{"id": "a", "label": "Use approach A"}, {"id": "b", "label": "Use approach B"}])
    );
}

#[test]
fn options_are_read_in_every_form() {
    let cases = [
        (given(&["a"]), json!([{"id": "a", "label": "a"}])),
        (given(&["t:at 10:30: now"]), json!([{"id": "t", "label": "at 10:30: now"}])),
        (given(&[" a : b "]), json!([{"id": "a", "label": "b"}])),
        (as_json(r#"["x", "y"]"#), json!([{"id": "x", "label": "x"}, {"id": "y", "label": "y"}])),
        (
            as_json(
                r##"[{"id":"yes","short":"Yes","label":"Deploy now","description":"# Go"},{"id":"no","label":"Wait"}]"##,
            ),
            json!([
                {"id": "yes", "label": "Deploy now", "short": "Yes", "description": "# Go"},
                {"id": "no", "label": "Wait"}
            ]),
        ),
        (
            as_json(r#"[{"id":"ü","short":null,"label":"日本","description":null}]"#),
            json!([{"id": "ü", "label": "日本"}]),
        ),
        (
            as_json(r#"[{"id":"y","label":"Yes"},{"id":"x","label":"Later","refuses":true}]"#),
            json!([{"id": "y", "label": "Yes"}, {"id": "x", "label": "Later", "refuses": true}]),
        ),
    ];
    for (given, expected) in cases {
        let new = create(&given).unwrap();
        assert_eq!(serde_json::to_value(&new.fields[0].options).unwrap(), expected, "{given:?}");
        ask(new).unwrap();
    }
}

#[test]
fn what_is_wrong_is_said() {
    let with_default = |default: &str| Create { default: Some(default.into()), ..given(&["a:A", "b:B"]) };
    let cases = [
        (given(&[]), "options: at least one option is required (--option ID:LABEL or --options JSON)"),
        (as_json("[]"), "options: at least one option is required; the array is empty"),
        (
            as_json("{}"),
            "options: invalid options JSON: must be an array of {id, short, label, description, refuses}",
        ),
        (
            as_json(r#"[{"id":"a","label":"A"},{"id":"b"}]"#),
            "options: option 1 missing 'label' field (counting from 0)",
        ),
        (as_json(r#"[{"label":"A"}]"#), "options: option 0 missing 'id' field (counting from 0)"),
        (as_json(r#"[{"id":" ","label":"A"}]"#), "options: option 0 missing 'id' field (counting from 0)"),
        (as_json(r#"[{"id":1,"label":"A"}]"#), "options: option 0: 'id' must be a string"),
        (
            as_json(r#"[{"id":"a","label":"A","refuses":"yes"}]"#),
            "options: option 0: 'refuses' must be true or false",
        ),
        (as_json("[3]"), "options: option 0 must be an object with 'id' and 'label'"),
        (
            as_json(r#"[{"id":"a","label":"A","color":"red"}]"#),
            "options: option 0 has the unknown key 'color'; the keys are id, short, label, description, refuses",
        ),
        (given(&[":x"]), "options: option 0 missing 'id' field (counting from 0)"),
        (given(&["a:A", "b:"]), "options: option 1 missing 'label' field (counting from 0)"),
        (given(&["a:A", "a:B"]), "choice: option id \"a\" occurs twice; ids must differ"),
        (given(&["_x:A"]), "choice: option id \"_x\" is reserved: ids must not start with _"),
        (with_default("z"), "default: default option 'z' not found in options: a, b"),
        (
            Create { options: Some("[]".into()), ..given(&["a"]) },
            "options: give --option or --options, not both",
        ),
        (Create { prompt: "  ".into(), ..given(&["a"]) }, "prompt: is empty; what is asked? (--prompt TEXT)"),
        (Create { issue: String::new(), ..given(&["a"]) }, "issue: owner id must not be empty"),
        (Create { max_iterations: Some(0), ..given(&["a"]) }, "max_iterations: must be from 1 to 100"),
        (
            Create { timeout: Some(Span::from_secs(0)), ..given(&["a"]) },
            "timeout: must be longer than zero, e.g. 30m",
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(refusal(&given), expected, "{given:?}");
    }
    assert!(refusal(&as_json(r#"[{"id":"a","id":"b","label":"x"}]"#)).contains("occurs twice"));
    assert!(refusal(&as_json("[")).starts_with("options: invalid options JSON: "));
}

#[test]
fn every_fault_is_named_at_once() {
    let given = Create { issue: String::new(), prompt: String::new(), ..given(&[":x", "b:"]) };
    assert_eq!(refusal(&given).lines().count(), 4);
}

#[test]
fn a_long_prompt_is_whole_in_the_decision_and_cut_in_the_label() {
    let prompt = "ä".repeat(100_000);
    let decision = ask(create(&Create { prompt: prompt.clone(), ..given(&["a"]) }).unwrap()).unwrap();
    assert_eq!(decision.prompt.as_ref(), Some(&prompt));
    assert!(prompt.starts_with(&decision.fields[0].label) && decision.fields[0].label.len() <= 16 << 10);
}
