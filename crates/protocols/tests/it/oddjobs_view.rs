use holdpoint_core::{Decision, Source};
use holdpoint_protocols::oddjobs::view::{COLUMNS, detail, item, row};
use holdpoint_protocols::oddjobs::{Create, age, resolve, show};
use serde_json::{Value, json};

use crate::oddjobs_create::{asked, asking, given};
use crate::through_core::{ASKED_MS, answer, at, cancel, id};

fn two_questions() -> Decision {
    asked(&asking(&json!([
        {"question": "Framework?", "header": "Framework", "options": [{"label": "React", "description": "big"}, "Vue"]},
        {"question": "Database?", "options": ["Postgres"]}
    ])))
}

fn json_of(decision: &Decision) -> Value {
    serde_json::to_value(detail(decision, None)).unwrap()
}

#[test]
fn the_list_has_its_keys() {
    assert_eq!(
        serde_json::to_value(item(&asked(&given(Source::Idle)), None)).unwrap(),
        json!({
            "id": id(1), "owner_id": "job:build", "owner_name": "build", "project": "default", "source": "idle",
            "summary": "Agent in job \"build\" waits.\nMore.", "created_at_ms": ASKED_MS
        })
    );
}

#[test]
fn long_summaries_are_cut_between_characters() {
    let summary = |context: &str| {
        item(&asked(&Create { context: context.into(), ..given(Source::Idle) }), None).summary
    };
    let cases = [
        ("x".repeat(80), "x".repeat(80)),
        ("x".repeat(81), format!("{}...", "x".repeat(77))),
        ("€".repeat(27), format!("{}...", "€".repeat(25))),
        ("€".repeat(26), "€".repeat(26)),
    ];
    for (context, expected) in cases {
        assert_eq!(summary(&context), expected);
    }
}

#[test]
fn show_has_every_key_while_pending() {
    let shown = json_of(&asked(&given(Source::Gate)));
    let labels: Vec<&Value> =
        shown["options"].as_array().unwrap().iter().map(|option| &option["label"]).collect();
    assert_eq!(labels, ["Retry", "Skip", "Cancel"]);
    assert_eq!(shown["options"][0]["number"], 1);
    assert_eq!(shown["options"][0]["recommended"], true);
    for (key, expected) in [
        ("id", json!(id(1))),
        ("owner_id", json!("job:build")),
        ("status", json!("pending")),
        ("agent_id", json!("agt-1")),
        ("context", json!("Agent in job \"build\" waits.\nMore.")),
        ("choices", json!([])),
        ("question_groups", json!([])),
        ("message", Value::Null),
        ("created_at_ms", json!(ASKED_MS)),
        ("resolved_at_ms", Value::Null),
        ("superseded_by", Value::Null),
    ] {
        assert_eq!(shown.get(key), Some(&expected), "{key}");
    }
}

#[test]
fn questions_are_grouped_each_with_other() {
    let groups = json_of(&two_questions())["question_groups"].clone();
    let other = |number: usize| json!({"number": number, "id": "_other", "label": "Other", "description": "Answer in your own words (-m)", "recommended": false});
    assert_eq!(
        groups,
        json!([
            {"question": "Framework?", "header": "Framework", "options": [
                {"number": 1, "id": "react", "label": "React", "description": "big", "recommended": false},
                {"number": 2, "id": "vue", "label": "Vue", "description": null, "recommended": false},
                other(3)
            ]},
            {"question": "Database?", "header": null, "options": [
                {"number": 1, "id": "postgres", "label": "Postgres", "description": null, "recommended": false},
                other(2)
            ]}
        ])
    );
}

#[test]
fn outcomes_are_shown() {
    let settled = |decision: &Decision, choices: &[usize], message| {
        json_of(&answer(decision, resolve(decision, choices, message).unwrap()).unwrap())
    };
    let idle = asked(&given(Source::Idle));
    let cases = [
        (settled(&idle, &[2], Some("m")), json!(["answered", [2], "m", ASKED_MS + 1_000])),
        (settled(&idle, &[], Some("m")), json!(["answered", [], "m", ASKED_MS + 1_000])),
        (
            // Numbers as in the flat list of options, where each names its field.
            settled(&two_questions(), &[3, 1], Some("Svelte")),
            json!(["answered", [4, 3], "Svelte", ASKED_MS + 1_000]),
        ),
        (json_of(&cancel(&idle, "agent exited")), json!(["cancelled", [], "agent exited", ASKED_MS + 1_000])),
    ];
    for (shown, expected) in cases {
        let keys = ["status", "choices", "message", "resolved_at_ms"];
        assert_eq!(keys.iter().map(|key| shown[*key].clone()).collect::<Value>(), expected);
    }
}

#[test]
fn rows_are_one_line_and_inert() {
    assert_eq!(COLUMNS, ["ID", "PROJECT", "AGENT", "AGE", "SOURCE", "SUMMARY"]);
    let context = "one\ntwo \x1b[31mred".to_owned();
    let row = row(&asked(&Create { context, ..given(Source::Dead) }), None, at(125_000));
    assert_eq!(
        (row.project.as_str(), row.agent.as_str(), row.age.as_str(), row.source),
        ("default", "build", "2m", "dead")
    );
    assert_eq!(row.summary, "one two <U+001B>[31mred");
}

#[test]
fn ages_are_short() {
    let cases = [
        (0, "-"),
        (999, "-"),
        (5_000, "5s"),
        (125_000, "2m"),
        (3_600_000, "1h"),
        (3_900_000, "1h5m"),
        (86_399_000, "23h59m"),
        (3 * 86_400_000 + 5, "3d"),
        (-5_000, "-"),
    ];
    for (millis, expected) in cases {
        assert_eq!(age(at(0), at(millis)), expected);
    }
}

#[test]
fn the_text_tells_how_to_answer() {
    let decision = asked(&given(Source::Approval));
    let text = show(&decision, None, at(5_000), Some("oj"));
    let expected = format!(
        "Decision: {id}\nOwner:    build (job:build)\nProject:  default\nSource:   Permission Approval\n\
         Age:      5s\nAgent:    agt-1 (unverified)\n\nContext:\n  Agent in job \"build\" waits.\n  More.\n\nOptions:\n  \
         1. Approve - Allows it once\n  2. Deny - Does not allow it\n  \
         3. Cancel - Stop the work for good\n  \
         4. Dismiss - Leave it waiting\n\n\
         Use: oj decision resolve {id} <number> [-m message]\n",
        id = decision.id
    );
    assert_eq!(text, expected);
    assert!(!show(&decision, None, at(5_000), None).contains("Use:"));
}

#[test]
fn the_text_of_several_questions_has_a_list_each() {
    let decision = two_questions();
    let text = show(&decision, None, at(5_000), Some("hold oj"));
    let list = "Question 1 [Framework]: Framework?\n  1. React - big\n  2. Vue\n  3. Other - Answer in your own words (-m)\n\n\
                Question 2: Database?\n  1. Postgres\n  2. Other - Answer in your own words (-m)\n\n\
                Instead of answering, one number alone:\n  5. Cancel - ";
    assert!(text.contains(list), "{text}");
    assert!(
        text.ends_with(&format!("Use: hold oj decision resolve {} <q1> <q2> [-m message]\n", decision.id)),
        "{text}"
    );
}

#[test]
fn a_single_question_is_said_unless_the_context_says_it() {
    let question = json!([{"question": "Which DB?", "header": "DB", "options": ["Postgres"]}]);
    let silent = asked(&asking(&question));
    assert!(
        show(&silent, None, at(0), None)
            .contains("\n\nQuestion [DB]: Which DB?\n\nOptions:\n  1. Postgres\n")
    );
    let told = Create { context: "It asks:\n[DB] Which DB?".into(), ..asking(&question) };
    assert!(!show(&asked(&told), None, at(0), None).contains("Question [DB]"));
}

#[test]
fn the_text_of_an_outcome_says_who_and_what() {
    let idle = asked(&given(Source::Idle));
    let settled = answer(&idle, resolve(&idle, &[1], Some("go\x07 on")).unwrap()).unwrap();
    let text = show(&settled, None, at(5_000), Some("oj"));
    let outcome = "Status:   completed\nChosen:   1 (Nudge)\nMessage:  go<U+0007> on\nBy:       ana\n";
    assert!(text.contains(outcome), "{text}");
    assert!(text.contains("1. Nudge (recommended) - "), "{text}");
    assert!(!text.contains("Use:"), "{text}");
}
