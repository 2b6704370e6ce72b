//! A form with every kind of field, filled in on the whole screen.

use serde_json::{Value, json};

use crate::inbox::inbox;
use crate::sandbox::{Sandbox, at};

fn every_kind() -> Value {
    let two = json!([{"id": "a", "label": "Apple"}, {"id": "b", "label": "Banana"}]);
    json!({"title": "Everything", "source": "form", "outs": [{"id": "cancel", "label": "Cancel it"}], "fields": [
        {"id": "choice", "kind": "choice", "label": "One?", "options": two, "custom": true},
        {"id": "choices", "kind": "choices", "label": "Some?", "options": two},
        {"id": "confirm", "kind": "confirm", "label": "Sure?", "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]},
        {"id": "products", "kind": "products", "label": "Buy?", "options": [
            {"id": "tea", "label": "Tea", "rating": 4.5, "reviews_count": 12,
             "quote": {"valid_until": "2999-01-01T00:00:00Z", "payment_plans": [{"plan_type": "one-time", "amount": 5, "currency": "EUR"}]},
             "variants": [{"id": "green", "label": "Green tea"}]},
            {"id": "old", "label": "Old", "quote": {"valid_until": "2001-01-01T00:00:00Z"}}]},
        {"id": "text", "kind": "text", "label": "Text?"},
        {"id": "multiline", "kind": "multiline", "label": "Lines?"},
        {"id": "email", "kind": "email", "label": "Mail?"},
        {"id": "tel", "kind": "tel", "label": "Tel?"},
        {"id": "url", "kind": "url", "label": "Url?"},
        {"id": "number", "kind": "number", "label": "Number?"},
        {"id": "integer", "kind": "integer", "label": "Integer?", "max": 9},
        {"id": "boolean", "kind": "boolean", "label": "Bool?"},
        {"id": "date", "kind": "date", "label": "Date?"},
        {"id": "time", "kind": "time", "label": "Time?"},
        {"id": "datetime", "kind": "datetime", "label": "Both?"},
        {"id": "location", "kind": "location", "label": "Place?"},
        {"id": "why", "kind": "text", "label": "Why no?", "visible_if": {"field": "boolean", "op": "EQUALS", "value": false}},
    ]})
}

#[test]
fn every_kind_is_filled_in_and_checked() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&every_kind());
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("> Form        Everything");
    inbox.press("\r");
    inbox.shows("( ) Apple");
    // One's own words instead of an option.
    inbox.press("\tjj\r");
    inbox.shows("Esc leaves");
    inbox.press("A pear\u{1b}");
    inbox.shows("(x) In your own words: A pear");
    inbox.press("\t j ");
    inbox.shows("[x] Apple").shows("[x] Banana");
    inbox.press("\t ");
    inbox.shows("(x) Yes");
    inbox.press("\t");
    inbox.shows("5.00 EUR · 4.5 of 5 (12 reviews)");
    inbox.press(" +\u{1b}[C");
    inbox.shows("[x] Tea").shows("Quantity (+ -): 2   Variant (← →): Green tea");
    inbox.press("j");
    inbox.shows("Price expired: can be picked, not bought");
    inbox.press("\t");
    for (typed, shown) in [
        ("some words\r", "some words"),
        ("one\rtwo\t", "two"),
        ("ana@example.org\r", "E-mail: ana@example.org"),
        ("+49 30 123456\r", "+49 30 123456"),
        ("https://example.org\r", "https://example.org"),
        ("1.5\r", "Number: 1.5"),
        ("12\r", "Whole number: 12"),
    ] {
        inbox.shows("Esc leaves");
        inbox.press(typed);
        inbox.shows(shown);
    }
    inbox.press("j ");
    inbox.shows("(x) No");
    inbox.press("\t");
    for (typed, shown) in [
        ("2026-12-24\r", "2026-12-24"),
        ("09:30\r", "09:30"),
        ("2026-12-24 09:30\r", "2026-12-24 09:30"),
        ("52.5\r", "52.5"),
        ("13.4\r", "13.4"),
        ("too late\r", "too late"),
    ] {
        inbox.shows("Esc leaves");
        inbox.press(typed);
        inbox.shows(shown);
    }
    // What is wrong is said beside its field, and nothing that was typed is lost.
    inbox.shows("> [ Send answer ]");
    inbox.press("\r");
    inbox.shows("! 12 is not at most 9.").shows("Nothing was sent.");
    inbox.shows("Esc leaves");
    inbox.press("\u{8}\u{8}7\u{13}");
    inbox.shows("✓ Answered:");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    at(
        &sandbox.show(&id),
        "/answer/values",
        json!({
            "choice": {"text": "A pear"}, "choices": ["a", "b"], "confirm": "yes",
            "products": [{"id": "green", "quantity": 2}], "text": "some words", "multiline": "one\ntwo",
            "email": "ana@example.org", "tel": "+49 30 123456", "url": "https://example.org", "number": 1.5,
            "integer": 7, "boolean": false, "date": "2026-12-24", "time": "09:30:00",
            "datetime": "2026-12-24T09:30:00", "location": {"lat": 52.5, "lng": 13.4}, "why": "too late",
        }),
    );
}

#[test]
fn what_was_typed_is_there_again_and_an_out_is_taken_instead() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&every_kind());
    let mut first = inbox(&sandbox, &[]);
    first.shows("> Form        Everything");
    first.press("1");
    first.shows("(x) Apple");
    first.press("\t\t ");
    first.shows("(x) Yes");
    first.press("u");
    first.shows("[draft]");
    first.press("q");
    assert_eq!(first.end(), 0);
    let mut second = inbox(&sandbox, &[]);
    second.shows("[draft]");
    second.press("\r");
    second.shows("(x) Apple");
    // The last place on the card is the out.
    second.press("k");
    second.shows("> ").shows("Cancel it");
    second.press("\r");
    second.shows("✓ Answered: Cancel it");
    second.press("q");
    assert_eq!(second.end(), 0);
    at(&sandbox.show(&id), "/answer/out", "cancel");
}

#[test]
fn several_variants_of_one_product_are_taken_at_once() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&json!({"title": "Cups", "source": "form", "fields": [
        {"id": "p", "kind": "products", "label": "Buy?", "options": [{"id": "mug", "label": "Mug", "variants": [
            {"id": "mug-red", "label": "Red"}, {"id": "mug-blue", "label": "Blue"}]}]},
        {"id": "why", "kind": "text", "label": "Why?", "required": false}]}));
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("> Form        Cups");
    inbox.press("\r");
    inbox.shows("[ ] Mug");
    inbox.press("1");
    inbox.shows("> 1 [x] Mug");
    inbox.press("\u{1b}[C+");
    inbox.shows("Quantity (+ -): 2   Variant (← →, & for another): Red");
    inbox.press("&");
    inbox.shows("Quantity (+ -): 1   Variant (← →, & for another): Blue").shows("And also: 2 × Red");
    // Red is taken already: the arrows pass it over.
    inbox.press("\u{1b}[C\u{1b}[C");
    inbox.shows("Variant (← →, & for another): Blue");
    inbox.press("++\t");
    inbox.shows("Esc leaves");
    inbox.press("gifts\u{13}");
    inbox.shows("✓ Answered:");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    let bought = json!([{"id": "mug-blue", "quantity": 3}, {"id": "mug-red", "quantity": 2}]);
    at(&sandbox.show(&id), "/answer/values/p", bought);
}

#[test]
fn what_is_typed_at_a_text_question_is_its_answer_and_no_command() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&json!({"prompt": "Which animal?", "source": "question",
        "fields": [{"id": "animal", "kind": "text", "label": "Which animal?"}]}));
    let mut inbox = inbox(&sandbox, &[]);
    inbox.shows("> Question    Which animal?");
    inbox.press("\r");
    inbox.shows("Esc leaves");
    inbox.press("zebra, quokka, goat?");
    inbox.shows("zebra, quokka, goat?");
    inbox.press("\r");
    inbox.shows("> [ Send answer ]");
    inbox.press("\r");
    inbox.shows("✓ Answered: zebra, quokka, goat?");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    let shown = sandbox.show(&id);
    at(&shown, "/answer/values/animal", "zebra, quokka, goat?");
    at(&shown, "/answer/message", Value::Null);
    assert!(sandbox.log().iter().all(|event| event["type"] != "decision:snoozed"));
}
