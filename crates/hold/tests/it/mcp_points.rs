//! Decision points on work items, through the tools of an agent.

use serde_json::json;

use crate::sandbox::{Sandbox, at};
use crate::talking::Talking;

#[test]
fn a_decision_point_is_asked_with_all_that_the_command_line_takes() {
    let sandbox = Sandbox::new();
    let mut agent = Talking::legacy(&sandbox, &["--may-answer"]);
    let options = json!([{"id": "a", "label": "A"}]);
    let create = json!({"parent": "bd-1", "prompt": "Which?", "context": "It must be shared.", "urgency": "high", "blocks": ["bd-7"], "options": options});
    for number in [1, 2] {
        let point = agent.done("bd_decision_create", &create);
        at(&point, "/issue_id", format!("bd-1.decision-{number}"));
        at(&point, "/parent", "bd-1");
        at(&point, "/context", "It must be shared.");
        at(&point, "/urgency", "high");
    }
    let why = agent.fails(
        "bd_decision_create",
        &json!({"issue_id": "bd-2", "prompt": "Which?", "urgency": "now", "options": options}),
    );
    assert!(why.contains("invalid urgency 'now': must be high, medium, or low"), "{why}");
    // Two decisions block the item, and neither is meant more than the other; each goes by its own item, or by its id.
    let why = agent.fails("bd_decision_show", &json!({"issue_id": "bd-7"}));
    assert!(why.contains("names 2 decisions"), "{why}");
    let shown = agent.done("bd_decision_show", &json!({"issue_id": "bd-1.decision-2"}));
    let id = shown["id"].as_str().unwrap();
    at(&agent.done("bd_decision_show", &json!({"issue_id": &id[4..]})), "/id", id);
    agent.end();
}

#[test]
fn a_default_of_a_decision_point_waits_as_the_settings_say() {
    let sandbox = Sandbox::new();
    sandbox.settings("[bd]\ntimeout = \"2h\"\n");
    let mut agent = Talking::legacy(&sandbox, &[]);
    let options = json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]);
    let create = json!({"issue_id": "bd-1", "prompt": "Which?", "options": options, "default_option": "a"});
    agent.done("bd_decision_create", &create);
    agent.end();
    let asked = &sandbox.json(&["list", "--json"])[0];
    let millis =
        |key: &str| asked[key].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_millisecond();
    assert_eq!(millis("deadline") - millis("created_at"), 2 * 60 * 60 * 1000);
}
