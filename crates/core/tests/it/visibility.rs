//! What is asked depends on what was answered: hidden values are dropped, circles are refused.

use crate::check;
use holdpoint_core::{Field, form};
use serde_json::{Value, json};

#[test]
fn conditions_are_checked_when_the_form_is_made() {
    for (condition, expected) in [
        (json!({"field": "a", "op": "EXISTS"}), "created d"),
        (json!({"field": "f", "op": "EXISTS"}), "invalid: f: visible_if is circular: f → f"),
        (
            json!({"field": "z", "op": "EXISTS"}),
            "invalid: f: visible_if refers to \"z\", which is not a field",
        ),
        (
            json!({"field": "a", "op": "EQUALS", "value_field": "z"}),
            "invalid: f: visible_if refers to \"z\", which is not a field",
        ),
        (
            json!({"field": "a", "op": "EQUALS"}),
            "invalid: f: visible_if: needs a value or a value_field to compare with",
        ),
        (
            json!({"field": "a", "op": "EQUALS", "value": 1, "value_field": "a"}),
            "invalid: f: visible_if: takes a value or a value_field, not both",
        ),
        (json!({"field": "a", "op": "EXISTS", "value": 1}), "invalid: f: visible_if: EXISTS takes no value"),
        (
            json!({"field": "a", "op": "IN", "value": "x"}),
            "invalid: f: visible_if: IN needs a list as its value",
        ),
        (json!({"all": []}), "invalid: f: visible_if: needs at least one condition"),
        (
            json!({"any": [{"not": {"field": "a", "op": "EQUALS", "value": 9_007_199_254_740_993_u64}}]}),
            "invalid: f: visible_if: the number is beyond 2^53, where numbers lose digits; send it as a string",
        ),
        (
            (0..17).fold(json!({"field": "a", "op": "EXISTS"}), |inner, _| json!({ "not": inner })),
            "invalid: f: visible_if: nests deeper than 16",
        ),
    ] {
        let new = json!({"prompt": "?", "fields": [
            {"id": "a", "kind": "text", "required": false},
            {"id": "f", "kind": "text", "visible_if": condition},
        ]});
        check(&format!("raw d {new}"), expected);
    }
}

#[test]
fn what_is_no_condition_is_not_read() {
    let shape = "a condition is one of {all}, {any}, {not} and {field, op, value or value_field}";
    for (condition, expected) in [
        (json!({}), shape),
        (json!({"field": "a"}), shape),
        (json!({"op": "EXISTS"}), shape),
        (json!({"all": [], "any": []}), shape),
        (json!({"all": [], "field": "a", "op": "EXISTS"}), shape),
        (json!({"not": {"field": "a", "op": "EXISTS"}, "value": 1}), shape),
        (json!({"field": "a", "op": "EQUALS", "value": 1, "fields": 2}), "unknown field `fields`"),
        (json!({"field": "a", "op": "LIKE", "value": 1}), "unknown variant `LIKE`, expected one of `EXISTS`"),
        (json!("a"), "invalid type: string \"a\""),
    ] {
        let why = serde_json::from_value::<form::Condition>(condition.clone()).unwrap_err().to_string();
        assert!(why.contains(expected), "{condition}: {why}");
    }
}

#[test]
fn circles_are_named_however_long() {
    check(
        r#"
            ask d 'D' fields=[{"id":"a","kind":"text","visible_if":{"field":"c","op":"EXISTS"}},{"id":"b","kind":"text","visible_if":{"field":"a","op":"EXISTS"}},{"id":"c","kind":"text","visible_if":{"any":[{"field":"b","op":"EXISTS"},{"not":{"field":"b","op":"EXISTS"}}]}}]
            ask e 'E' fields=[{"id":"a","kind":"text"},{"id":"b","kind":"text","visible_if":{"field":"a","op":"EQUALS","value_field":"b"}}]
        "#,
        r"
            invalid: a: visible_if is circular: a → c → b → a
            invalid: b: visible_if is circular: b → b
        ",
    );
}

fn fields() -> Vec<Field> {
    let exists = |id: &str| json!({"field": id, "op": "EXISTS"});
    serde_json::from_value(json!([
        {"id": "last", "kind": "text", "visible_if": {"not": exists("middle")}},
        {"id": "middle", "kind": "text", "visible_if": {"field": "first", "op": "EQUALS", "value": 1}},
        {"id": "first", "kind": "number"},
        {"id": "sum", "kind": "text", "required": false, "visible_if": {"all": [exists("first"), exists("last")]}},
    ]))
    .unwrap()
}

#[track_caller]
fn fill(given: &Value, kept: &Value, faults: &[&str]) {
    let filling = form::accept(&fields(), given.as_object().unwrap());
    let said: Vec<String> = filling.faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        (Value::Object(filling.values), said),
        (kept.clone(), faults.iter().map(|f| (*f).to_owned()).collect())
    );
}

#[test]
fn visibility_is_a_fixpoint_whatever_the_order() {
    // `middle` is hidden, so it does not hide `last`, though it was sent.
    fill(
        &json!({"first": 2, "middle": "m", "last": "l", "sum": "s"}),
        &json!({"first": 2, "last": "l", "sum": "s"}),
        &[],
    );
    fill(
        &json!({"first": 1, "middle": "m", "last": "l", "sum": "s"}),
        &json!({"first": 1, "middle": "m"}),
        &[],
    );
    fill(&json!({"first": 1.0, "last": "l"}), &json!({"first": 1, "last": "l"}), &["middle: is required"]);
    fill(&json!({}), &json!({}), &["last: is required", "first: is required"]);
    // What is wrong and hidden disturbs nobody; what is wrong and seen hides what depends on it.
    fill(&json!({"first": 2, "middle": 7, "last": "l"}), &json!({"first": 2, "last": "l"}), &[]);
    fill(
        &json!({"first": "x", "middle": 7, "last": "l"}),
        &json!({"last": "l"}),
        &["first: \"x\" is not a number"],
    );
    fill(&json!({"first": null, "last": "l"}), &json!({"last": "l"}), &["first: is required"]);
}

#[test]
fn prefilled_values_answer_nothing() {
    check(
        r#"
            ask d 'D' fields=[{"id":"a","kind":"boolean","default":true},{"id":"b","kind":"text","visible_if":{"field":"a","op":"EQUALS","value":true}}]
            answer d {"b":"x"}
            draft d {"b":"x"}
            draft d {"a":true,"b":"x"}
            draft d {"a":false,"b":"x"}
            answer d {"a":true}
            answer d {"a":false,"b":"dropped"}
        "#,
        r#"
            created d
            invalid: a: is required; pick the suggested option to use it
            replayed
            drafted d draft={"a":true,"b":"x"}
            drafted d draft={"a":false}
            invalid: b: is required
            resolved d {"a":false} by ana
        "#,
    );
}

#[test]
fn the_next_field_to_ask_follows_the_answers() {
    let fields = fields();
    let next = |values: Value, skipped: &[&str]| {
        let skipped: Vec<String> = skipped.iter().map(|id| (*id).to_owned()).collect();
        form::next_unanswered(&fields, values.as_object().unwrap(), &skipped).map(|field| field.id.clone())
    };
    assert_eq!(next(json!({}), &[]).as_deref(), Some("last"));
    assert_eq!(next(json!({"last": "l"}), &[]).as_deref(), Some("first"));
    assert_eq!(next(json!({"last": "l", "first": 1}), &[]).as_deref(), Some("middle"));
    assert_eq!(next(json!({"last": "l", "first": 2}), &[]).as_deref(), Some("sum"));
    assert_eq!(next(json!({"last": "l", "first": 2}), &["sum"]), None);
}
