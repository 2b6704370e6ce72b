//! From a request to a decision and back again: nothing is lost that AITP can carry, and the rest is named.

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{Decision, Field, Kind, Opt, Source, Span};
use holdpoint_protocols::aitp::translate::{self, Reply};
use holdpoint_protocols::aitp::{Capability, Message};
use serde_json::{Value, json};

use crate::aitp_answers::asked;
use crate::aitp_rows::{DECISIONS, asking};
use crate::through_core::{answer, ask, at, cancel};

fn put(decision: &Decision) -> (Value, Vec<String>) {
    let put = translate::to_request(decision).unwrap();
    (put.message.to_value().unwrap(), put.left_out)
}

fn replied(decision: &Decision) -> (Value, Vec<String>) {
    match translate::reply(decision, at(2_000)) {
        Some(Reply::Message(message, left_out)) => (message.to_value().unwrap(), left_out),
        Some(Reply::Text(text)) => (text.into(), Vec::new()),
        None => (Value::Null, Vec::new()),
    }
}

fn answering(choice: Value) -> AnswerInput {
    AnswerInput { values: [("choice".to_owned(), choice)].into_iter().collect(), ..AnswerInput::default() }
}

/// The documents' own examples, and what only a stranger would send.
fn requests() -> Vec<Value> {
    let plan =
        json!({"amount": 199.5, "currency": "USD", "plan_id": "foobar", "plan_type": "one-time", "tax": 1});
    let quote = json!({"type": "Quote", "payee_id": "foobar", "quote_id": "foobar", "payment_plans": [plan],
        "valid_until": "2050-01-01T00:00:00Z", "more": [1]});
    let field = |more: Value| {
        let mut field = json!({"id": "a"});
        field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"$schema": Capability::DataRequest.schema(), "request_data": {"id": "d", "description": "D", "form": {"fields": [field]}}})
    };
    vec![
        asking(json!({"id": "7c42b9d6", "description": "Select your favorite number:",
            "options": [{"id": "0", "name": "0"}, {"id": "7", "name": "7"}, {"id": "100", "name": "100"}]})),
        asking(
            json!({"id": "27ed3deb", "title": "Please confirm", "description": "Would you like to eat all cookies?",
            "type": "confirmation", "options": [{"id": "1", "name": "Yes, eat the cookies"}, {"id": "2"}, {"id": "3", "name": ""}]}),
        ),
        asking(json!({"id": "50a53841", "title": "Your Favorite Colors", "type": "checkbox", "options": [
            {"id": "blue", "name": "Blue", "description": "A calming color", "image_url": "https://example.com/blue.jpg"},
            {"id": "red", "name": "Red"}]})),
        asking(
            json!({"id": "bd9b613c", "title": "Recommended", "description": "Here", "type": "products", "options": [
            {"id": "product_1", "name": "JBL", "description": "short", "five_star_rating": 4.2, "reviews_count": 132, "quote": quote,
             "image_url": "https://example.com/1.jpg", "url": "https://example.com/1", "variants": [
                {"id": "v1", "short_variant_name": "black", "reviews_count": -3, "variants": "zzz"}]},
            {"id": "p2", "variants": []}]}),
        ),
        json!({"$schema": "x", "more": {"a": 1}, "request_decision": {"id": "", "options": [{"id": "a"}], "allow_multiple": true}}),
        asking(
            json!({"id": "1", "description": " ", "title": "", "options": [{"id": ""}, {"id": "_x"}, {"id": "option-1", "extra": {"id": 1}}]}),
        ),
        field(
            json!({"type": "select", "options": ["S", "M", "S", ""], "default_value": "M", "required": true, "label": "Size"}),
        ),
        field(json!({"type": "combobox", "options": [], "autocomplete": "off", "default_value": "any"})),
        field(json!({"type": "number", "default_value": "7", "required": false})),
        field(json!({"type": "select", "more": 1, "description": "d", "label": ""})),
        json!({"$schema": "https://aitp.dev/v1/data/schema.json", "request_data": {"id": "d", "title": "T", "description": "",
            "fillButtonLabel": "Go", "form": {"json_url": "https://x.example/f.json", "more": 1, "fields": [{"id": "a"}, {"id": " b "}]}}}),
    ]
}

#[test]
fn requests_come_back_as_they_were_sent() {
    for request in requests() {
        let decision = asked(&request);
        assert_eq!(decision.source, Source::Request);
        let (again, left_out) = put(&decision);
        assert_eq!(again, request);
        // A confirmation that cannot be declined is given an out, which AITP has no words for.
        let confirms = request["request_decision"]["type"] == "confirmation";
        let declines = "that it can be ended without an answer: \"decline\"";
        assert_eq!(left_out, if confirms { vec![declines] } else { Vec::new() }, "{request}");
    }
}

#[test]
fn answers_go_out_as_the_document_shows() {
    let request = &requests()[0];
    let settled = answer(&asked(request), answering(json!("7"))).unwrap();
    let expected = json!({"$schema": DECISIONS, "decision": {"request_decision_id": "7c42b9d6", "options": [{"id": "7", "name": "7"}]}});
    assert_eq!(replied(&settled), (expected, vec![]));
    let settled = answer(&asked(&requests()[2]), answering(json!(["red", "blue"]))).unwrap();
    assert_eq!(
        replied(&settled).0["decision"]["options"],
        json!([{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}])
    );
    let settled =
        answer(&asked(&requests()[3]), answering(json!([{"id": "product_1", "quantity": 1}, "v1"]))).unwrap();
    let expected =
        json!([{"id": "product_1", "name": "JBL", "quantity": 1}, {"id": "v1", "name": "v1", "quantity": 1}]);
    assert_eq!(replied(&settled).0["decision"]["options"], expected);
    let settled = answer(&asked(&requests()[5]), answering(json!("option-2"))).unwrap();
    assert_eq!(
        replied(&settled).0["decision"]["options"],
        json!([{"id": "", "name": "option-2"}]),
        "strange ids come back"
    );
}

#[test]
fn what_is_missing_is_taken_from_what_is_there() {
    let words = |body: Value| {
        let decision = asked(&asking(body));
        (decision.title, decision.prompt, decision.fields[0].options[0].label.clone())
    };
    let text = |text: &str| Some(text.to_owned());
    let options = json!([{"id": "a"}]);
    assert_eq!(words(json!({"id": "1", "options": options})), (None, text("Please choose"), "a".into()));
    assert_eq!(
        words(json!({"id": "1", "title": "T", "options": options})),
        (text("T"), text("T"), "a".into())
    );
    assert_eq!(
        words(json!({"id": "1", "title": "T", "description": "D", "options": options})),
        (text("T"), text("D"), "a".into())
    );
}

#[test]
fn forms_are_answered_with_strings() {
    let request = json!({"$schema": "https://aitp.dev/v1/data/schema.json", "request_data": {"id": "d", "description": "D", "form": {"fields": [
        {"id": "n", "label": "Number", "type": "number", "required": true}, {"id": "s", "type": "select", "options": ["", "M"]},
        {"id": "c", "type": "combobox", "options": ["Red"]}, {"id": "t"}]}}});
    let decision = asked(&request);
    let values = json!({"n": 7.0, "s": "option-1", "c": {"text": "Teal"}});
    let input = AnswerInput { values: values.as_object().unwrap().clone(), ..AnswerInput::default() };
    let settled = answer(&decision, input).unwrap();
    let (reply, left_out) = replied(&settled);
    let expected = json!({"$schema": "https://aitp.dev/v1/data/schema.json", "data": {"request_data_id": "d", "fields": [
        {"id": "n", "label": "Number", "value": "7"}, {"id": "s", "label": "s", "value": ""},
        {"id": "c", "label": "c", "value": "Teal"}, {"id": "t", "label": "t", "value": ""}]}});
    assert_eq!((reply, left_out), (expected, vec![]));
}

#[test]
fn what_aitp_cannot_carry_is_named() {
    let options =
        vec![Opt { recommended: true, ..Opt::new("a", "A") }, Opt { refuses: true, ..Opt::new("b", "B") }];
    let new = New {
        prompt: Some("Which?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Which?", options)],
        outs: vec![Opt::new("cancel", "Cancel")],
        timeout: Some(Span::from_secs(60)),
        assignees: vec!["ana".into()],
        ..New::default()
    };
    let decision = ask(new).unwrap();
    let (message, left_out) = put(&decision);
    assert_eq!(message["request_decision"]["id"], decision.id.to_string());
    assert_eq!(message["$schema"], Capability::Decisions.schema());
    let words = left_out.join("; ");
    for what in ["answered by", "\"cancel\"", "who is to answer", "recommended", "a no"] {
        assert!(words.contains(what), "{what}: {words}");
    }
    let mut input = answering(json!("a"));
    input.message = Some("but gently".into());
    let (reply, left_out) = replied(&answer(&decision, input).unwrap());
    assert_eq!(reply["decision"]["options"][0]["id"], "a");
    assert_eq!(left_out, ["the words that came with it: but gently"]);
    let out = AnswerInput { out: Some("cancel".into()), ..AnswerInput::default() };
    assert_eq!(replied(&answer(&decision, out).unwrap()).0, "Not answered: Cancel.");
    assert_eq!(replied(&cancel(&decision, "done")).0, "This is no longer wanted: done.");
    assert_eq!(replied(&decision).0, Value::Null);
    let several = New {
        prompt: Some("?".into()),
        fields: vec![
            Field::offering("a", Kind::Choices, "A", vec![Opt::new("x", "X")]),
            Field::new("b", Kind::Date, "B"),
        ],
        ..New::default()
    };
    let faults = translate::to_request(&ask(several).unwrap()).unwrap_err();
    assert_eq!(faults[0].message, "field \"a\" takes several, which a form of AITP cannot");
}

/// Every kind that a form can carry comes back through strings as it was.
#[test]
fn any_form_is_asked_and_answered_in_strings() {
    let kinds = [
        (Kind::Text, json!("x y")),
        (Kind::Multiline, json!("x\ny")),
        (Kind::Email, json!("ana@example.org")),
        (Kind::Tel, json!("+49 30 123456")),
        (Kind::Url, json!("https://x.example/")),
        (Kind::Number, json!(1.5)),
        (Kind::Integer, json!(7)),
        (Kind::Boolean, json!(true)),
        (Kind::Date, json!("2026-11-15")),
        (Kind::Time, json!("12:00:00")),
        (Kind::Datetime, json!("2026-11-15T12:00:00")),
        (Kind::Location, json!({"lat": 52.5, "lng": 13})),
    ];
    let mut fields: Vec<Field> =
        kinds.iter().map(|(kind, _)| Field::new(kind.name(), *kind, kind.name())).collect();
    let mut values: serde_json::Map<String, Value> =
        kinds.iter().map(|(kind, value)| (kind.name().to_owned(), value.clone())).collect();
    let options = vec![Opt::new("a", "Same"), Opt::new("b", "Same")];
    fields.push(Field::offering("pick", Kind::Choice, "Pick", options.clone()));
    fields.push(Field { custom: true, ..Field::offering("other", Kind::Choice, "Other", options) });
    values.insert("pick".into(), json!("b"));
    values.insert("other".into(), json!({"text": "mine"}));
    let decision = ask(New { prompt: Some("?".into()), fields, ..New::default() }).unwrap();
    let settled = answer(&decision, AnswerInput { values, ..AnswerInput::default() }).unwrap();
    put(&decision);
    let (reply, _) = replied(&settled);
    let message = Message::read(&reply.to_string(), at(0)).unwrap().message;
    let again = answer(&decision, translate::answer(&decision, &message).unwrap().input).unwrap();
    assert_eq!(again.answer, settled.answer);
}

#[test]
fn money_and_signatures_become_approvals_of_the_whole_message() {
    let quote = |until: &str| {
        json!({"$schema": Capability::Payments.schema(), "quote": {"quote_id": "q", "merchant_id": "shop.near",
        "description": "`Headphones`", "expiration": until, "payment_options": [{"amount": "12.50", "currency": "USDC", "payment_methods": []}],
        "merchant_signature": "s"}})
    };
    let decision = asked(&quote("2050-01-01T00:00:00Z"));
    assert_eq!(decision.source, Source::Approval);
    assert_eq!(decision.subject, Some(quote("2050-01-01T00:00:00Z")));
    let prompt = decision.prompt.clone().unwrap();
    assert!(
        prompt.contains("- payment options 1 amount: `12.50 `") && prompt.contains("`'Headphones' `"),
        "{prompt}"
    );
    assert_eq!(replied(&answer(&decision, answering(json!("approve"))).unwrap()).0, "Approved.");
    assert_eq!(replied(&answer(&decision, answering(json!("deny"))).unwrap()).0, "Declined.");
    let expired = Message::read(&quote("2020-01-01T00:00:00Z").to_string(), at(0)).unwrap().message;
    let why = translate::ask(&expired, at(0)).unwrap_err().to_string();
    assert_eq!(why, "quote: expired at 2020-01-01T00:00:00Z; ask for a new one before paying");
    let told = json!({"$schema": Capability::NearWallet.schema(), "transaction_response": {"request_id": "r", "transaction_hash": "h"}});
    let told = Message::read(&told.to_string(), at(0)).unwrap().message;
    assert!(translate::ask(&told, at(0)).unwrap_err().to_string().contains("asks for nothing"));
}

#[test]
fn a_form_from_elsewhere_is_merged_and_what_the_message_says_wins() {
    let request = json!({"$schema": "x", "request_data": {"id": "d", "description": "D", "form":
        {"json_url": "https://x.example/f.json", "fields": [{"id": "b"}], "title": "own"}}});
    let message = Message::read(&request.to_string(), at(0)).unwrap().message;
    assert_eq!(translate::form_address(&message), Some("https://x.example/f.json"));
    let merged =
        translate::with_form(message.clone(), r#"{"fields":[{"id":"a"}],"title":"t","more":1}"#, at(0))
            .unwrap();
    let form = &merged.to_value().unwrap()["request_data"]["form"];
    assert_eq!(
        *form,
        json!({"json_url": "https://x.example/f.json", "fields": [{"id": "a"}, {"id": "b"}], "title": "own", "more": 1})
    );
    for (wrong, pointer) in [("{\"fields\":[]}", "/fields"), ("[]", ""), ("{", ""), ("{}}", "")] {
        assert_eq!(
            translate::with_form(message.clone(), wrong, at(0)).unwrap_err().errors[0].pointer,
            pointer,
            "{wrong}"
        );
    }
}
