//! State transitions of the inbox: keys and news in, effects out.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Decision, FieldError};
use serde_json::{Value, json};

use super::update;
use crate::inbox::card::FocusItem;
use crate::inbox::events::{AnswerOutcome, AnswerRefusal, DecisionEvent, InboxEffect, InboxEvent};
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::scene::{approval, card, decision, draw, inbox, listed, now, open, press};

const SIZE: (u16, u16) = (80, 24);

fn opened(decision: &Decision) -> Model {
    let mut model = inbox(SIZE, std::slice::from_ref(decision));
    open(&mut model, decision, None);
    model
}

/// Returns the answer that was sent, if any.
fn sent(effects: &[InboxEffect]) -> Option<AnswerInput> {
    let mut sent = effects.iter().filter_map(|effect| match effect {
        InboxEffect::Send(_, input) => Some((**input).clone()),
        _ => None,
    });
    let first = sent.next();
    assert!(sent.next().is_none(), "sent twice: {effects:?}");
    first
}

#[track_caller]
fn values(effects: &[InboxEffect]) -> Value {
    Value::Object(sent(effects).unwrap_or_else(|| panic!("nothing was sent: {effects:?}")).values)
}

#[test]
fn a_simple_decision_costs_two_keys() {
    let question = decision(1, &json!({}));
    let mut model = inbox(SIZE, std::slice::from_ref(&question));
    assert_eq!(press(&mut model, "2"), [InboxEffect::Open(question.id, Some(2))]);
    open(&mut model, &question, Some(2));
    let effects = press(&mut model, "<enter>");
    let input = sent(&effects).unwrap();
    assert_eq!(Value::Object(input.values), json!({"choice": "memory"}));
    assert_eq!(input.digest.as_deref(), Some("sha256:1"));
    assert_eq!(input.by.as_deref(), Some("bo"));
}

#[test]
fn nothing_is_chosen_beforehand_and_nothing_is_sent_then() {
    let mut model = opened(&decision(1, &json!({})));
    assert_eq!(card(&model).focus, None);
    // The first Enter only focuses the first option; the second picks it, the third sends.
    assert_eq!(press(&mut model, "<enter>"), []);
    assert_eq!(card(&model).focus, Some(FocusItem::Option(0, 0)));
    assert!(sent(&press(&mut model, "<enter>")).is_none());
    assert_eq!(values(&press(&mut model, "<enter>")), json!({"choice": "redis"}));
}

#[test]
fn what_could_do_harm_stands_on_the_no() {
    let mut model = opened(&approval(1));
    assert_eq!(card(&model).focus, Some(FocusItem::Option(0, 1)));
    assert_eq!(values(&press(&mut model, "<enter>")), json!({"c": "no"}));
    // A number only prepares; Enter sends.
    let mut model = opened(&approval(1));
    assert_eq!(press(&mut model, "1"), []);
    assert_eq!(values(&press(&mut model, "<enter>")), json!({"c": "yes"}));
    // Without a refusing option, the first out.
    let fields =
        json!([{"id": "c", "kind": "confirm", "label": "?", "options": [{"id": "go", "label": "Go"}]}]);
    let given =
        json!({"source": "approval", "fields": fields, "outs": [{"id": "cancel", "label": "Cancel"}]});
    let mut model = opened(&decision(1, &given));
    assert_eq!(card(&model).focus, Some(FocusItem::Out(0)));
    assert_eq!(sent(&press(&mut model, "<enter>")).unwrap().out.as_deref(), Some("cancel"));
}

#[test]
fn keys_pressed_while_a_card_is_read_are_not_meant_for_it() {
    let question = approval(1);
    let mut model = inbox(SIZE, std::slice::from_ref(&question));
    press(&mut model, "<enter>");
    assert_eq!(press(&mut model, "1<enter>  g"), []);
    open(&mut model, &question, None);
    assert_eq!(card(&model).focus, Some(FocusItem::Option(0, 1)));
    assert_eq!(card(&model).guidance, "");
}

#[test]
fn what_is_not_on_the_screen_is_shown_before_it_is_acted_on() {
    let given = json!({"source": "approval", "title": "Deploy?", "prompt": "word ".repeat(2_000),
        "subject": "line\n".repeat(50),
        "fields": [{"id": "c", "kind": "confirm", "label": "?", "options": [
            {"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "refuses": true}]}]});
    let mut model = inbox((40, 12), &[decision(1, &given)]);
    open(&mut model, &decision(1, &given), None);
    assert!(!draw(&model).contains("(refuses)"));
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(draw(&model).contains("> 2 No (refuses)"), "{}", draw(&model));
    assert_eq!(values(&press(&mut model, "<enter>")), json!({"c": "no"}));
}

fn every_kind() -> Value {
    let two = json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]);
    let quote = |until: &str| json!({"valid_until": until, "payment_plans": [{"plan_type": "one-time", "amount": 5, "currency": "EUR"}]});
    json!({"source": "form", "prompt": "All", "fields": [
        {"id": "choice", "kind": "choice", "label": "One", "options": two},
        {"id": "choices", "kind": "choices", "label": "Some", "options": two},
        {"id": "products", "kind": "products", "label": "Buy", "options": [
            {"id": "tea", "label": "Tea", "quote": quote("2026-11-15T13:00:00Z"), "variants": [{"id": "green", "label": "Green"}]},
            {"id": "old", "label": "Old", "quote": quote("2026-11-15T11:00:00Z")}]},
        {"id": "text", "kind": "text", "label": "Text"},
        {"id": "multiline", "kind": "multiline", "label": "Lines"},
        {"id": "email", "kind": "email", "label": "Mail"},
        {"id": "tel", "kind": "tel", "label": "Tel"},
        {"id": "url", "kind": "url", "label": "Url"},
        {"id": "number", "kind": "number", "label": "Number"},
        {"id": "integer", "kind": "integer", "label": "Integer"},
        {"id": "boolean", "kind": "boolean", "label": "Bool"},
        {"id": "date", "kind": "date", "label": "Date"},
        {"id": "time", "kind": "time", "label": "Time"},
        {"id": "datetime", "kind": "datetime", "label": "Both"},
        {"id": "location", "kind": "location", "label": "Place"},
    ]})
}

#[test]
fn every_kind_has_its_control() {
    let mut model = opened(&decision(1, &every_kind()));
    // Each field in turn: Tab goes to the next.
    press(&mut model, "<tab> <tab> j <tab> +<right><tab>");
    press(&mut model, "words<enter>one<enter>two<tab>ana@example.org<down>");
    for typed in ["+49 30 1", "https://example.org", "1.5", "7"] {
        press(&mut model, &format!("{typed}<enter>"));
    }
    assert_eq!(card(&model).focus, Some(FocusItem::Fixed(10, "true")));
    press(&mut model, "j <tab>");
    for typed in ["2026-12-24", "09:30", "2026-12-24 09:30", "52.5", "13.4"] {
        press(&mut model, &format!("{typed}<enter>"));
    }
    let effects = press(&mut model, "<enter>");
    assert_eq!(
        values(&effects),
        json!({
            "choice": "a", "choices": ["a", "b"], "products": [{"id": "green", "quantity": 2}], "text": "words",
            "multiline": "one\ntwo", "email": "ana@example.org", "tel": "+49 30 1", "url": "https://example.org",
            "number": "1.5", "integer": "7", "boolean": false, "date": "2026-12-24", "time": "09:30:00",
            "datetime": "2026-12-24T09:30:00", "location": {"lat": 52.5, "lng": 13.4},
        }),
        "{}",
        draw(&model)
    );
}

#[test]
fn what_is_wrong_is_said_beside_its_field_and_nothing_is_lost() {
    let fields = json!([{"id": "n", "kind": "integer", "label": "How many?", "max": 5}, {"id": "t", "kind": "text", "label": "Why?"}]);
    let mut model = opened(&decision(1, &json!({"source": "form", "fields": fields})));
    let effects = press(&mut model, "many<enter>because<c-s>");
    assert!(sent(&effects).is_none());
    let shown = draw(&model);
    assert!(shown.contains("! \"many\" is not a whole number."), "{shown}");
    assert!(shown.contains("because"), "{shown}");
    assert_eq!(card(&model).focus, Some(FocusItem::Text(0)));
    assert_eq!(values(&press(&mut model, "<c-u>3<c-s>"))["n"], "3");
}

#[test]
fn fields_come_and_go_as_values_change() {
    let fields = json!([
        {"id": "env", "kind": "choice", "label": "Where?", "options": [{"id": "dev", "label": "Dev"}, {"id": "prod", "label": "Prod"}]},
        {"id": "day", "kind": "date", "label": "Which day?", "visible_if": {"field": "env", "op": "EQUALS", "value": "prod"}},
    ]);
    let mut model = opened(&decision(1, &json!({"source": "form", "fields": fields})));
    assert!(!draw(&model).contains("Which day?"));
    press(&mut model, "2");
    assert!(draw(&model).contains("Which day?"));
    press(&mut model, "<tab>2026-12-24<enter>1");
    assert!(!draw(&model).contains("Which day?"));
    // The receiver of the answer drops hidden values.
    assert_eq!(values(&press(&mut model, "<enter>"))["env"], "dev");
}

#[test]
fn drafts_keep_what_is_right_so_far() {
    let fields =
        json!([{"id": "n", "kind": "integer", "label": "N"}, {"id": "d", "kind": "date", "label": "D"}]);
    let question = decision(1, &json!({"source": "form", "fields": fields}));
    let mut model = opened(&question);
    let effects = press(&mut model, "3<enter>2026-1<esc>");
    let last = effects.iter().rev().find_map(|effect| match effect {
        InboxEffect::Draft(_, values) => Some(Value::Object(values.clone())),
        _ => None,
    });
    assert_eq!(last, Some(json!({"n": 3})));
}

#[test]
fn changes_are_requested_with_words_only() {
    let mut model = opened(&decision(1, &json!({})));
    let effects = press(&mut model, "gcheaper<c-s>");
    let input = sent(&effects).unwrap();
    assert_eq!(input.guidance.as_deref(), Some("cheaper"));
    assert!(input.values.is_empty());
    // Guidance was written, but another button pressed: this is reported, and nothing is sent.
    let mut model = opened(&decision(1, &json!({})));
    assert!(sent(&press(&mut model, "gcheaper<esc>1<enter>")).is_none());
    assert!(draw(&model).contains("! You wrote what should change"), "{}", draw(&model));
    // In the last round, guidance cannot be started.
    let mut model = opened(&decision(1, &json!({"iteration": 3})));
    press(&mut model, "g");
    assert!(card(&model).edit.is_none());
    assert_eq!(model.notice.unwrap().tone, Tone::Bad);
}

#[test]
fn a_message_goes_with_any_answer() {
    let mut model = opened(&approval(1));
    press(&mut model, "1mgo on<esc>");
    assert_eq!(card(&model).focus, Some(FocusItem::Option(0, 0)), "one is back where one was");
    let input = sent(&press(&mut model, "<enter>")).unwrap();
    assert_eq!((Value::Object(input.values), input.message.as_deref()), (json!({"c": "yes"}), Some("go on")));
}

fn answered(question: &Decision, by: &str) -> Decision {
    let mut settled = question.clone();
    settled.status = holdpoint_core::Status::Answered;
    settled.answer =
        serde_json::from_value(json!({"values": {"choice": "redis"}, "out": null, "message": null,
        "by": by, "via": "cli", "auth": "claimed", "at": "2026-11-15T12:00:00Z"}))
        .unwrap();
    settled
}

#[test]
fn whoever_is_slower_is_told_who_and_what() {
    let question = decision(1, &json!({}));
    let mut model = opened(&question);
    press(&mut model, "2<enter>");
    let settled = Box::new(answered(&question, "cy"));
    update(&mut model, InboxEvent::Refused(question.id, AnswerRefusal::Settled(settled)));
    let shown = draw(&model);
    assert!(shown.contains("cy answered first: Use Redis"), "{shown}");
    assert_eq!(press(&mut model, "<enter>"), [], "and cannot send again");
}

#[test]
fn what_is_settled_or_changed_elsewhere_blocks_sending() {
    let question = decision(1, &json!({}));
    let happened =
        |what: &str| InboxEvent::Happened(vec![DecisionEvent { what: what.into(), id: question.id }]);
    let mut model = opened(&question);
    press(&mut model, "2");
    assert_eq!(update(&mut model, happened("resolved")), [InboxEffect::List, InboxEffect::Look(question.id)]);
    update(&mut model, InboxEvent::Current(question.id, Some(Box::new(answered(&question, "cy")))));
    assert!(draw(&model).contains("cy already answered: Use Redis."), "{}", draw(&model));
    assert_eq!(press(&mut model, "<enter>"), []);
    // Changed: what was typed is still there, and r shows the current question.
    let mut model = opened(&question);
    press(&mut model, "2mmine<esc>");
    let revised = decision(1, &json!({"digest": "sha256:9", "prompt": "Which cache now?"}));
    update(&mut model, InboxEvent::Current(question.id, Some(Box::new(revised))));
    assert!(draw(&model).contains("The agent changed this"), "{}", draw(&model));
    assert_eq!(press(&mut model, "<enter>"), []);
    press(&mut model, "r");
    assert!(draw(&model).contains("Which cache now?"));
    let input = sent(&press(&mut model, "2<enter>")).unwrap();
    assert_eq!((input.digest.as_deref(), input.message.as_deref()), (Some("sha256:9"), Some("mine")));
    // A draft of our own changes nothing.
    let mut model = opened(&question);
    assert_eq!(update(&mut model, happened("drafted")), []);
}

#[test]
fn an_answer_that_is_taken_leads_to_the_next_decision() {
    let (first, second, third) = (decision(1, &json!({})), decision(2, &json!({})), decision(3, &json!({})));
    let mut model = inbox(SIZE, &[first.clone(), second.clone(), third.clone()]);
    press(&mut model, "j<enter>");
    open(&mut model, &second, Some(1));
    press(&mut model, "<enter>");
    let taken =
        AnswerOutcome { decision: answered(&second, "bo"), next: None, replayed: false, same: Vec::new() };
    assert_eq!(update(&mut model, InboxEvent::Taken(Box::new(taken))), [InboxEffect::List]);
    assert!(matches!(model.screen, Screen::List));
    assert_eq!(model.list.selected, Some(third.id));
    assert!(draw(&model).contains("✓ Answered: Use Redis — Which cache?"), "{}", draw(&model));
    update(&mut model, listed(std::slice::from_ref(&first)));
    assert_eq!(model.list.selected, Some(first.id));
    update(&mut model, listed(&[]));
    assert!(draw(&model).contains("Nothing is waiting for you."));
}

#[test]
fn what_comes_in_does_not_move_what_is_selected() {
    let (first, second) = (decision(1, &json!({})), decision(2, &json!({})));
    let mut model = inbox(SIZE, &[first.clone(), second.clone()]);
    press(&mut model, "j");
    let fresh = decision(3, &json!({"prompt": "Fresh?"}));
    update(&mut model, listed(&[fresh, first, second.clone()]));
    assert_eq!(model.list.selected, Some(second.id));
    assert!(draw(&model).contains("• New: Fresh?"), "{}", draw(&model));
}

#[test]
fn a_search_narrows_the_list_and_escape_clears_it() {
    let (first, second) =
        (decision(1, &json!({"prompt": "Tea?"})), decision(2, &json!({"prompt": "Coffee?"})));
    let mut model = inbox(SIZE, &[first, second.clone()]);
    press(&mut model, "/COFF");
    assert_eq!(model.list.selected, Some(second.id));
    assert!(!draw(&model).contains("Tea?"));
    // Keys are letters while typing.
    press(&mut model, "jq<back><back><enter>");
    assert_eq!(press(&mut model, "1"), [InboxEffect::Open(second.id, Some(1))]);
    model.screen = Screen::List;
    press(&mut model, "<esc>");
    assert!(draw(&model).contains("Tea?"));
}

#[test]
fn ten_thousand_options_can_be_searched_and_walked() {
    let options: Vec<Value> =
        (0..10_000).map(|n| json!({"id": format!("o{n}"), "label": format!("Option {n}")})).collect();
    let fields = json!([{"id": "x", "kind": "choice", "label": "Which?", "options": options}]);
    let mut model = opened(&decision(1, &json!({"fields": fields})));
    assert!(draw(&model).contains("Search 10000 options (/):"));
    press(&mut model, "/option 777<enter>j");
    let shown = draw(&model);
    assert!(shown.contains("Option 7770") && !shown.contains("Option 12"), "{shown}");
    press(&mut model, " ");
    // The chosen option stays visible during another search.
    press(&mut model, "/<c-u>55<enter>");
    assert!(draw(&model).contains("Chosen too: Option 7770"), "{}", draw(&model));
    assert_eq!(values(&press(&mut model, "<c-u><tab><tab><enter>")), json!({"x": "o7770"}));
}

#[test]
fn pasted_text_is_text_and_never_keys() {
    let mut model = opened(&approval(1));
    assert_eq!(update(&mut model, InboxEvent::Pasted("1\r\rg".into())), []);
    assert_eq!(card(&model).focus, Some(FocusItem::Option(0, 1)));
    press(&mut model, "m");
    update(&mut model, InboxEvent::Pasted("two\r\nlines".into()));
    assert_eq!(card(&model).message, "two\nlines");
}

#[test]
fn a_deadline_that_passes_is_looked_at() {
    let question = approval(1);
    let mut model = opened(&question);
    let later = now().checked_add(holdpoint_core::Span::from_secs(301)).unwrap();
    assert_eq!(
        update(&mut model, InboxEvent::Time(later)),
        [InboxEffect::List, InboxEffect::Look(question.id)]
    );
    assert_eq!(update(&mut model, InboxEvent::Time(later)), [], "once");
}

#[test]
fn what_the_server_finds_wrong_is_shown_too() {
    let question = decision(1, &json!({}));
    let (mut model, id) = (opened(&question), question.id);
    press(&mut model, "2<enter>");
    update(
        &mut model,
        InboxEvent::Refused(id, AnswerRefusal::Invalid(vec![FieldError::new("choice", "is not on offer")])),
    );
    assert!(draw(&model).contains("! Is not on offer."), "{}", draw(&model));
}

#[test]
fn those_that_ask_the_same_get_the_same_answer() {
    let all = [decision(1, &json!({})), decision(2, &json!({"requested_by": "agent-8"}))];
    let mut model = opened(&all[0]);
    let Screen::Card(card) = &mut model.screen else { panic!("no card is open") };
    card.same = vec![all[1].clone()];
    let shown = draw(&model);
    assert!(shown.contains("Asked 2 times, by \"agent-7\" and \"agent-8\""), "{shown}");
    press(&mut model, "1");
    let effects = press(&mut model, "<enter>");
    assert_eq!(sent(&effects).unwrap().same, [all[1].id]);
}

#[test]
fn a_plan_goes_back_with_words_and_they_are_asked_for_at_once() {
    let options =
        json!([{"id": "accept", "label": "Accept"}, {"id": "revise", "label": "Revise", "effect": "revise"}]);
    let plan = decision(
        1,
        &json!({"source": "plan", "subject": {"plan": "Do it"}, "fields": [
        {"id": "choice", "kind": "choice", "label": "Proceed?", "required": true, "options": options}]}),
    );
    let mut model = opened(&plan);
    press(&mut model, "2");
    assert_eq!(press(&mut model, "<enter>"), []);
    assert_eq!(card(&model).focus, Some(FocusItem::Message), "the card stays, and the words are asked for");
    assert!(card(&model).faults[0].message.contains("what should be different"));
}
