//! What must come through AITP whole: nested variants, conditional fields, and which of several plans was chosen.

use holdpoint_core::decision::AnswerInput;
use holdpoint_protocols::aitp::translate::{self, Reply};
use serde_json::{Value, json};

use crate::aitp_answers::asked;
use crate::aitp_rows::asking;
use crate::through_core::{answer, ask, at};

fn choosing(values: &Value) -> AnswerInput {
    AnswerInput { values: values.as_object().unwrap().clone(), ..AnswerInput::default() }
}

#[test]
fn nested_variants_are_offered_and_several_are_chosen() {
    let request = asking(json!({"id": "r", "type": "products", "options": [
        {"id": "shoe", "name": "Shoe", "variants": [
            {"id": "shoe-42", "short_variant_name": "42", "variants": [{"id": "shoe-42-red"}, {"id": "shoe-42-blue"}]},
            {"id": "shoe-43", "short_variant_name": "43"}]}]}));
    let decision = asked(&request);
    let offered: Vec<&str> = decision.fields[0].all_options().map(|option| option.id.as_str()).collect();
    assert_eq!(offered, ["shoe", "shoe-42", "shoe-42-red", "shoe-42-blue", "shoe-43"]);
    assert_eq!(decision.fields[0].option("shoe-42").unwrap().short.as_deref(), Some("42"));
    let chosen = json!([{"id": "shoe-42-red", "quantity": 2}, {"id": "shoe-43", "quantity": 1}]);
    let settled = answer(&decision, choosing(&json!({"choice": chosen}))).unwrap();
    let Some(Reply::Message(reply, _)) = translate::reply(&settled, at(2_000)) else {
        unreachable!("it was answered")
    };
    let options = reply.to_value().unwrap()["decision"]["options"].clone();
    let ids: Vec<&str> = options.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((ids, &options[0]["quantity"]), (vec!["shoe-42-red", "shoe-43"], &json!(2)));
}

#[test]
fn a_conditional_field_is_sent_as_optional_and_that_is_said() {
    let new = json!({"prompt": "Details?", "fields": [
        {"id": "pet", "kind": "boolean", "label": "Do you bring a pet?"},
        {"id": "breed", "kind": "text", "label": "Which breed?", "visible_if": {"field": "pet", "op": "EQUALS", "value": true}}]});
    let put = translate::to_request(&ask(serde_json::from_value(new).unwrap()).unwrap()).unwrap();
    let fields = put.message.to_value().unwrap()["request_data"]["form"]["fields"].clone();
    assert_eq!((&fields[0]["required"], &fields[1]["required"]), (&json!(true), &json!(false)));
    assert!(
        put.left_out.iter().any(|left| left == "when it is asked; it is sent as optional (field \"breed\")"),
        "{:?}",
        put.left_out
    );
}

#[test]
fn the_reply_to_a_quote_says_which_plan_was_chosen() {
    let plan = |id: &str, amount: f64| json!({"plan_id": id, "plan_type": "one-time", "amount": amount, "currency": "USD"});
    let quote = json!({"type": "Quote", "quote_id": "q", "payee_id": "acme.near", "valid_until": "2050-01-01T00:00:00Z",
        "payment_plans": [plan("all", 12.5), plan("half", 6.5)]});
    let decision = asked(&json!({"$schema": "https://aitp.dev/v1/payments/schema.json", "quote": quote}));
    let field = decision.fields[0].id.clone();
    for (option, expected) in [("approve-2", "Approved: Pay 6.5 USD (one-time)."), ("deny", "Declined.")] {
        let settled = answer(&decision, choosing(&json!({ field.as_str(): option }))).unwrap();
        let Some(Reply::Text(words)) = translate::reply(&settled, at(2_000)) else {
            unreachable!("an approval is answered in words")
        };
        assert_eq!(words, expected);
    }
}
