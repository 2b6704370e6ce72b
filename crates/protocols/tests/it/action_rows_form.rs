//! The published conformance rows of forms and values, each under its number: what is kept, and what is done better.

use holdpoint_core::Values;
use holdpoint_core::form::{accept, accept_draft, visible};
use holdpoint_protocols::action::form::{Form, read_value};
use serde_json::{Value, json};

use crate::action_chat::Chat;
use crate::action_form::example;

fn form(fields: &Value) -> Value {
    json!({"form_id": "t", "fields": fields})
}

fn text(id: &str) -> Value {
    json!({"id": id, "type": "text", "prompt": "?"})
}

fn text_if(id: &str, condition: &Value) -> Value {
    json!({"id": id, "type": "text", "prompt": "?", "visible_if": {"all": [condition]}})
}

#[track_caller]
fn refused(fields: &Value) -> Vec<String> {
    let flaws = read_value(&form(fields)).expect_err("it is refused");
    flaws.iter().map(holdpoint_protocols::action::form::Flaw::without_line).collect()
}

fn read(fields: &Value) -> Form {
    read_value(&form(fields)).unwrap()
}

fn values(value: &Value) -> Values {
    value.as_object().unwrap().clone()
}

fn shows(condition: &Value, given: &Value) -> bool {
    let form = read(&json!([text("a"), text("b"), text_if("shown", condition)]));
    visible(&form.fields, &values(given)).iter().any(|field| field.id == "shown")
}

/// What is kept of values that came typed.
fn kept(form: &Form, given: &Value) -> Value {
    Value::Object(accept_draft(&form.fields, &values(given)).values)
}

#[test]
fn s1_fields_are_required() {
    let flaws = read_value(&json!({"form_id": "t"})).unwrap_err();
    assert_eq!(flaws[0].without_line(), "fields: Field required");
}

#[test]
fn s2_an_id_that_stands_twice_is_one_error() {
    assert_eq!(refused(&json!([text("f"), text("f")])).len(), 1);
}

#[test]
fn s3_options_where_they_belong() {
    refused(&json!([{"id": "a", "type": "dropdown", "prompt": "?"}]));
    refused(&json!([{"id": "a", "type": "text", "prompt": "?", "options": []}]));
}

#[test]
fn s4_unknown_words_are_refused() {
    refused(&json!([{"id": "a", "type": "slider", "prompt": "?"}]));
    for operator in ["exists", "CONTAINS"] {
        refused(&json!([
            text("b"),
            text_if("a", &json!({"field": "b", "operator": operator, "value": "x"}))
        ]));
    }
    let any = json!({"id": "a", "type": "text", "prompt": "?", "visible_if": {"any": [{"field": "b", "operator": "EXISTS"}]}});
    refused(&json!([text("b"), any]));
    refused(&json!([text("b"), {"id": "a", "type": "text", "prompt": "?", "visible_if": {"all": []}}]));
}

#[test]
fn s5_conditions_look_at_fields_that_are_there() {
    for condition in [
        json!({"field": "z", "operator": "EXISTS"}),
        json!({"field": "a", "operator": "EXISTS"}),
        json!({"field": "b", "operator": "EQUALS", "value_field": "z"}),
    ] {
        refused(&json!([text("b"), text_if("a", &condition)]));
    }
}

/// Published: valid, nothing visible, complete at once. Here: refused.
#[test]
fn s6_better_circles_are_refused() {
    let exists = |other: &str| json!({"field": other, "operator": "EXISTS"});
    assert!(
        refused(&json!([text_if("a", &exists("b")), text_if("b", &exists("a"))]))[0].contains("circular")
    );
}

#[test]
fn s7_nested_rules_change_nothing() {
    let form = json!({"form_id": "t", "rules": {"interaction": {"ask_one_field_at_a_time": false}}, "fields": [text("a")]});
    assert!(read_value(&form).is_ok());
}

#[test]
fn s8_a_condition_compares_with_a_text() {
    let condition = json!({"field": "b", "operator": "EQUALS", "value": 5});
    assert!(refused(&json!([text("b"), text_if("a", &condition)]))[0].contains("must be a text"));
}

#[test]
fn v1_empty_is_there() {
    for value in [json!(""), json!(0), json!([]), json!(false)] {
        assert!(shows(&json!({"field": "a", "operator": "EXISTS"}), &json!({"a": value})), "{value}");
    }
}

#[test]
fn v2_unanswered_is_not_unequal() {
    assert!(!shows(&json!({"field": "a", "operator": "NOT_EQUALS", "value": "x"}), &json!({})));
}

#[test]
fn v3_after_is_after_the_day() {
    let after = json!({"field": "a", "operator": "AFTER", "value": "2026-03-02"});
    assert!(
        !shows(&after, &json!({"a": "2026-03-02"})) && !shows(&after, &json!({"a": "2026-03-02T18:00:00"}))
    );
    assert!(shows(&after, &json!({"a": "2026-03-03"})));
}

#[test]
fn v4_on_or_after_is_the_same_day_too() {
    let since = json!({"field": "a", "operator": "ON_OR_AFTER", "value": "2026-03-02"});
    assert!(shows(&since, &json!({"a": "2026-03-02"})) && !shows(&since, &json!({"a": "2026-03-01"})));
}

#[test]
fn v5_the_other_field_counts_before_the_value() {
    let both = json!({"field": "a", "operator": "EQUALS", "value": "x", "value_field": "b"});
    assert!(!shows(&both, &json!({"a": "x"})) && shows(&both, &json!({"a": "x", "b": "x"})));
}

/// Published: a ticked box never equals its option. Here: it does.
#[test]
fn v6_better_a_ticked_option_equals_its_name() {
    let form = read(&json!([{"id": "a", "type": "checkbox", "prompt": "?", "options": ["Yes", "No"]},
        text_if("b", &json!({"field": "a", "operator": "EQUALS", "value": "Yes"}))]));
    assert_eq!(visible(&form.fields, &values(&json!({"a": ["Yes"]}))).len(), 2);
    assert_eq!(visible(&form.fields, &values(&json!({"a": ["No"]}))).len(), 1);
}

fn typed() -> Form {
    read(&json!([{"id": "d", "type": "dropdown", "prompt": "?", "options": ["Fire", "Accident"]},
        {"id": "c", "type": "checkbox", "prompt": "?", "options": ["A", "B"]}, text("t"),
        {"id": "day", "type": "date", "prompt": "?"}, {"id": "l", "type": "location", "prompt": "?"}]))
}

#[test]
fn n1_an_option_is_named_exactly() {
    assert_eq!(kept(&typed(), &json!({"d": "fire"})), json!({}));
    assert_eq!(kept(&typed(), &json!({"d": "Fire"})), json!({"d": "Fire"}));
}

#[test]
fn n2_several_options_are_a_list_of_them() {
    for wrong in [json!("A"), json!([]), json!(["Maybe"])] {
        assert_eq!(kept(&typed(), &json!({"c": wrong})), json!({}), "{wrong}");
    }
    assert_eq!(kept(&typed(), &json!({"c": ["A", "B"]})), json!({"c": ["A", "B"]}));
}

#[test]
fn n3_a_text_is_kept_as_it_is_and_blank_is_none() {
    assert_eq!(kept(&typed(), &json!({"t": "  hi  "})), json!({"t": "  hi  "}));
    assert_eq!(kept(&typed(), &json!({"t": "   "})), json!({}));
}

/// Published: "March" and "10" are dates. Here: a typed date is written out.
#[test]
fn n4_better_a_typed_date_is_a_date() {
    for wrong in ["2026-02-30", "March", "10", "tomorrow"] {
        assert_eq!(kept(&typed(), &json!({"day": wrong})), json!({}), "{wrong}");
    }
    assert_eq!(kept(&typed(), &json!({"day": "2026-02-28"})), json!({"day": "2026-02-28"}));
}

/// Published: numbers as strings pass. Here: they are numbers, in range.
#[test]
fn n5_better_a_typed_place_is_two_numbers() {
    for wrong in
        [json!({"lat": "24.7", "lng": "1"}), json!({"lat": 90.0001, "lng": 0}), json!({"latitude": 1})]
    {
        assert_eq!(kept(&typed(), &json!({"l": wrong})), json!({}), "{wrong}");
    }
    assert_eq!(kept(&typed(), &json!({"l": {"lat": 90, "lng": -180}}))["l"]["lat"], 90);
}

#[test]
fn c1_another_choice_drops_what_hung_on_the_old() {
    let mut chat = Chat::begun("leave_request.json");
    chat.typed("leave_type", json!("Sick"));
    chat.typed("medical_certificate", json!(["Yes"]));
    chat.typed("leave_type", json!("Annual"));
    assert_eq!(Value::Object(chat.values), json!({"leave_type": "Annual"}));
}

#[test]
fn c2_a_chain_falls_with_its_first_link() {
    let exists = |other: &str| json!({"field": other, "operator": "EXISTS"});
    let form = read(&json!([
        text_if("d", &exists("c")),
        text_if("c", &exists("b")),
        text_if("b", &exists("a")),
        text("a")
    ]));
    let all = json!({"a": "1", "b": "2", "c": "3", "d": "4"});
    assert_eq!(kept(&form, &all), all);
    let without = accept(&form.fields, &values(&json!({"b": "2", "c": "3", "d": "4"})));
    assert_eq!((without.values.len(), without.faults.len()), (0, 1));
}

#[test]
fn c3_a_value_for_a_hidden_field_is_dropped() {
    assert_eq!(kept(&example("leave_request.json"), &json!({"medical_certificate": ["Yes"]})), json!({}));
}

#[test]
fn c4_both_are_kept_in_whichever_order_they_come() {
    let both = json!({"medical_certificate": ["Yes"], "leave_type": "Sick"});
    assert_eq!(kept(&example("leave_request.json"), &both), both);
}

/// Published: what is dropped is still told to have been captured. Here: it is told not to be needed.
#[test]
fn c5_better_what_is_dropped_is_told() {
    let mut chat = Chat::begun("leave_request.json");
    chat.typed("leave_type", json!("Annual"));
    let action = chat.typed("medical_certificate", json!(["Yes"]));
    assert!(action["message"].as_str().unwrap().contains("Not needed here: medical certificate"), "{action}");
}

#[test]
fn c6_an_end_before_the_start_drops_why_it_lasted() {
    let given = |end: &str| json!({"start_date": "2026-02-11", "end_date": end, "followup_reason": "long"});
    let incident = example("incident_report.json");
    assert_eq!(kept(&incident, &given("2026-02-15")), given("2026-02-15"));
    assert!(kept(&incident, &given("2026-02-10")).get("followup_reason").is_none());
}
