//! Slack's forms and messages, of every kind of field. What stands in `slack_shown.jsonl` is held against Slack's own library by
//! `scripts/interop/run slack`.

use std::collections::BTreeMap;

use holdpoint_core::{Decision, FieldError, Kind};
use holdpoint_protocols::channel::{DetailLevel, FirstTap, TapAction};
use holdpoint_protocols::slack::{
    Draft, are_you_sure, blocks, can_draw, controls, filled, form, gathered, sending, text_blocks, words_form,
};
use serde_json::{Value, json};

/// A pending decision with these members besides the usual.
fn decision(more: &Value) -> Decision {
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

fn choice(options: &Value) -> Value {
    json!([{ "id": "choice", "kind": "choice", "label": "?", "options": options }])
}

fn approval(command: &str) -> Decision {
    let options = choice(&json!([
        {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "refuses": true}]));
    decision(&json!({
        "fields": options, "source": "approval", "title": "Run it?", "subject": {"command": command},
    }))
}

fn whole(decision: &Decision, show: DetailLevel) -> Value {
    blocks(decision, show, Some("https://h/d/x"), 7, &controls(decision, show, "0123456789abcdef".into()))
}

/// One field of every kind, with and without a start, and some that come and go.
fn every_kind() -> Decision {
    let options = |count: usize| -> Value {
        (0..count).map(|at| json!({ "id": format!("i{at}"), "label": format!("Option {at}") })).collect()
    };
    let mut fields = Vec::new();
    for kind in Kind::ALL {
        let mut field =
            json!({ "id": kind.name(), "kind": kind, "label": kind.name(), "description": "More *words*" });
        if kind.picks() {
            field["options"] = options(3);
        }
        fields.push(field.clone());
        field["id"] = json!(format!("{}-2", kind.name()));
        field["required"] = json!(false);
        field["default"] = match kind {
            Kind::Choice | Kind::Confirm => json!("i1"),
            Kind::Choices => json!(["i0", "i2"]),
            Kind::Products => json!([{ "id": "i1", "quantity": 4 }]),
            Kind::Boolean => json!(true),
            Kind::Number => json!(1.5),
            Kind::Integer => json!(3),
            Kind::Date => json!("2026-12-24"),
            Kind::Time => json!("18:30:00"),
            Kind::Datetime => json!("2026-12-24T18:30:00"),
            Kind::Location => json!({ "lat": 52.5, "lng": 13.4 }),
            Kind::Email => json!("ana@example.org"),
            Kind::Url => json!("https://example.org/"),
            _ => json!("text"),
        };
        fields.push(field);
    }
    fields.push(
        json!({ "id": "own", "kind": "choice", "label": "Own", "custom": true, "options": options(20) }),
    );
    fields.push(
        json!({ "id": "owns", "kind": "choices", "label": "Owns", "custom": true, "options": options(99) }),
    );
    fields.push(json!({ "id": "seen", "kind": "text", "label": "Seen",
        "visible_if": { "field": "boolean-2", "op": "EQUALS", "value": true } }));
    fields.push(json!({ "id": "hidden", "kind": "text", "label": "Hidden",
        "visible_if": { "field": "boolean", "op": "EQUALS", "value": true } }));
    decision(&json!({ "fields": fields, "title": "All of it", "source": "form" }))
}

#[test]
fn what_is_shown_stays_as_slacks_library_has_it() {
    let all = every_kind();
    let mut draft = Draft::of(&all);
    draft.faults.push(FieldError::new("number", "is required"));
    let forty =
        json!((0..40).map(|at| json!({ "id": at.to_string(), "label": at.to_string() })).collect::<Vec<_>>());
    let deploy = approval("make deploy");
    let sure = controls(&deploy, DetailLevel::All, "0123456789abcdef".into());
    let shown = json!({
        "messages": {
            "question": whole(&decision(&json!({ "fields": choice(&json!([{"id": "a", "label": "A"}])) })), DetailLevel::Title),
            "approval": whole(&deploy, DetailLevel::All),
            "sure": are_you_sure(&deploy, DetailLevel::All, None, 7, (&sure, 0, FirstTap { until: 1, proof: 2 })),
            "list": whole(&decision(&json!({ "fields": choice(&forty) })), DetailLevel::Prompt),
            "settled": whole(&decision(&json!({ "status": "cancelled" })), DetailLevel::All),
            "gathered": gathered(240, Some("https://h")).1,
            "words": text_blocks("Linked."),
        },
        "views": {
            "form": form(&all, "7.0123456789abcdef.0", true, &draft),
            "words": words_form(&all, "7.0123456789abcdef.0", "Revise"),
            "sending": sending(),
        },
    });
    // Each on a line of its own.
    let groups = shown.as_object().unwrap().iter();
    let lines = groups.flat_map(|(group, all)| {
        let all = all.as_object().unwrap().iter();
        all.map(move |(name, one)| json!({ "group": group, "name": name, "shown": one }).to_string() + "\n")
    });
    let text: String = lines.collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/slack_shown.jsonl");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    let read = |text: &str| -> BTreeMap<String, Value> {
        let one = |line| serde_json::from_str::<Value>(line).unwrap();
        text.lines().map(one).map(|one| (format!("{} {}", one["group"], one["name"]), one)).collect()
    };
    assert!(read(&kept) == read(&text), "run it with UPDATE=1, and scripts/interop/run slack");
}

/// Walks all texts of blocks with the limits that Slack has.
fn within_limits(value: &Value) {
    match value {
        Value::Object(map) => {
            let units = |name: &str| {
                map.get(name).and_then(Value::as_str).map_or(0, |text| text.encode_utf16().count())
            };
            match map.get("type").and_then(Value::as_str) {
                Some("button") => assert!(map["text"]["text"].as_str().unwrap().encode_utf16().count() <= 75),
                Some("plain_text" | "text") => assert!((1..=3_000).contains(&units("text")), "{value}"),
                _ => {}
            }
            assert!(units("value") <= 150 && units("initial_value") <= 3_000, "{value}");
            map.values().for_each(within_limits);
        }
        Value::Array(items) => items.iter().for_each(within_limits),
        _ => {}
    }
}

#[test]
fn nothing_is_longer_than_slack_takes() {
    let long = "ü😀<".repeat(14_000);
    let label = "ü😀<".repeat(100);
    let options: Vec<Value> =
        (0..100).map(|at| json!({"id": format!("i{at}"), "label": format!("{at}{label}")})).collect();
    let asked = decision(&json!({
        "title": long, "prompt": long, "requested_by": long, "subject": {"command": long}, "project": long,
        "fields": choice(&json!(options)),
    }));
    let shown = whole(&asked, DetailLevel::All);
    within_limits(&shown);
    assert!(shown.to_string().chars().count() < 40_000);
    within_limits(&form(&every_kind(), "h", true, &Draft::of(&every_kind())));
    // Labels that are the same once they are cut cannot be told from each other.
    let alike: Vec<Value> =
        (0..9).map(|at| json!({"id": format!("i{at}"), "label": format!("{label}{at}")})).collect();
    let alike = decision(&json!({ "fields": choice(&json!(alike)) }));
    assert_eq!(controls(&alike, DetailLevel::Title, String::new()).buttons, []);
}

#[test]
fn what_is_filled_in_becomes_values() {
    let all = every_kind();
    let at = |id: &str| all.fields.iter().position(|field| field.id == id).unwrap();
    let mut state = json!({ "words": { "v": { "value": " " } } });
    let mut put = |id: &str, part: &str, value: Value| {
        state[format!("f{}{part}", at(id))] = json!({ "v": value });
    };
    let picked = |at: usize| json!({ "selected_option": { "value": format!("o{at}") } });
    put("choice", "", picked(2));
    put("confirm", "", picked(0));
    put("choices", "", json!({ "selected_options": [{ "value": "o0" }, { "value": "o1" }] }));
    put("products", ".0", json!({ "value": "0" }));
    put("products", ".2", json!({ "value": "5" }));
    put("text", "", json!({ "value": "words" }));
    put("number", "", json!({ "value": "1.50" }));
    put("boolean", "", picked(1));
    put("date", "", json!({ "selected_date": "2026-12-24" }));
    put("time", "", json!({ "selected_time": "18:30" }));
    put("datetime", "", json!({ "selected_date": "2026-12-24" }));
    put("datetime", ".time", json!({ "selected_time": "08:05" }));
    put("location", "", json!({ "value": "52.5" }));
    put("location", ".lng", json!({ "value": "13.4" }));
    put("own", "", json!({ "selected_option": null }));
    put("own", ".text", json!({ "value": "Mine" }));
    put("email", "", json!({ "value": null }));
    put("tel", "", json!({ "value": "" }));
    put("owns", "", json!({ "selected_options": [{ "value": "o999" }, { "value": "x" }] }));
    let expected = json!({
        "choice": "i2", "confirm": "i0", "choices": ["i0", "i1"], "products": [{ "id": "i2", "quantity": 5 }],
        "text": "words", "number": "1.50", "boolean": false, "date": "2026-12-24", "time": "18:30:00",
        "datetime": "2026-12-24T08:05:00", "location": { "lat": 52.5, "lng": 13.4 }, "own": { "text": "Mine" },
    });
    let filled = filled(&all, &state);
    assert_eq!((Value::Object(filled.values), filled.words), (expected, None));
}

#[test]
fn a_form_is_offered_where_every_field_has_an_input() {
    assert!(can_draw(&every_kind()));
    let form = |field: &Value| decision(&json!({ "fields": [field] }));
    let many: Vec<Value> = (0..101).map(|at| json!({"id": format!("i{at}")})).collect();
    for undrawable in [
        json!({ "id": "a", "kind": "choice", "options": many }),
        json!({ "id": "a", "kind": "products", "options": many[..11] }),
        json!({ "id": "a", "kind": "choice", "custom": true }),
    ] {
        assert!(!can_draw(&form(&undrawable)), "{undrawable}");
    }
    let has_form = |decision: &Decision| {
        controls(decision, DetailLevel::All, String::new())
            .buttons
            .iter()
            .any(|button| button.act == TapAction::Form)
    };
    assert!(has_form(&every_kind()));
    assert!(!has_form(&decision(&json!({ "source": "verdict" }))));
}
