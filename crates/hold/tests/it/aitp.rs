//! The front door for messages between parties: the document's own examples, then what surrounds them.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};

const SCHEMA: &str = "https://aitp.dev/v1/decisions/schema.json";

fn request(body: Value) -> String {
    let mut message = json!({"$schema": SCHEMA});
    message["request_decision"] = body;
    message.to_string()
}

/// The examples of the document.
fn examples() -> [String; 4] {
    let quote = json!({"type": "Quote", "payee_id": "foobar", "quote_id": "foobar", "payment_plans": [
        {"amount": 199.5, "currency": "USD", "plan_id": "foobar", "plan_type": "one-time"}], "valid_until": "2050-01-01T00:00:00Z"});
    [
        request(
            json!({"id": "7c42b9d6-107d-4f5f-8f23-f9014c6efdae", "description": "Select your favorite number:",
            "options": [{"id": "0", "name": "0"}, {"id": "7", "name": "7"}, {"id": "100", "name": "100"}]}),
        ),
        request(json!({"id": "27ed3deb-39cb-4968-90dc-9cb456a470f2", "title": "Please confirm",
            "description": "Would you like to eat all cookies?", "type": "confirmation",
            "options": [{"id": "1", "name": "Yes, eat the cookies"}, {"id": "2", "name": "No, that's not healthy"},
                        {"id": "3", "name": "Something else"}]})),
        request(json!({"id": "50a53841-09ee-4b57-b5ec-561fe505f532", "title": "Your Favorite Colors",
            "description": "Which colors are your favorite?", "type": "checkbox", "options": [
                {"id": "blue", "name": "Blue", "description": "A calming color", "image_url": "https://example.com/blue.jpg"},
                {"id": "red", "name": "Red", "description": "An exciting color", "image_url": "https://example.com/red.jpg"},
                {"id": "green", "name": "Green", "description": "An earthy color", "image_url": "https://example.com/green.jpg"}]})),
        request(
            json!({"id": "bd9b613c-6fa5-4797-ba91-547f0903da9f", "title": "Recommended Products", "type": "products",
            "description": "Based on your selected factors, here are the best recommendations", "options": [
                {"id": "product_1", "name": "JBL Tour One M2", "description": "Headphones", "five_star_rating": 4.2,
                 "reviews_count": 132, "quote": quote, "image_url": "https://example.com/headphones1.jpg",
                 "url": "https://example.com/product1"}]}),
        ),
    ]
}

#[test]
fn the_documents_examples_go_through_and_back() {
    let sandbox = Sandbox::new();
    let expected = [
        (vec!["7"], json!([{"id": "7", "name": "7"}])),
        (vec!["3"], json!([{"id": "3", "name": "Something else"}])),
        (vec!["red", "blue"], json!([{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}])),
        (vec!["product_1"], json!([{"id": "product_1", "name": "JBL Tour One M2", "quantity": 1}])),
    ];
    for (example, (choices, options)) in examples().iter().zip(expected) {
        sandbox.run_with(&["aitp", "validate", "-"], example).exits(0);
        let id = sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], example).exits(0).out.trim().to_owned();
        sandbox.run(&["aitp", "reply", &id]).exits(5);
        let again = sandbox.run(&["aitp", "request", &id]).exits(0).json();
        assert_eq!(again, serde_json::from_str::<Value>(example).unwrap());
        sandbox.ok(&[&["answer", &id], choices.as_slice()].concat());
        let reply = sandbox.json(&["aitp", "reply", &id]);
        let request: Value = serde_json::from_str(example).unwrap();
        let expected = json!({"$schema": SCHEMA, "decision": {
            "request_decision_id": request["request_decision"]["id"], "options": options}});
        assert_eq!(reply, expected);
        sandbox.run_with(&["aitp", "validate", "-"], reply.to_string()).exits(0);
    }
}

#[test]
fn asking_holds_and_prints_the_message_that_answers() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("request.json", &examples()[0]);
    let mut asking = sandbox.spawn(&["aitp", "ask", &file, "--requested-by", "shop"]);
    let id = asking.holding();
    at(&sandbox.json(&["show", &id, "--json"]), "/requested_by", "shop");
    at(&sandbox.json(&["show", &id, "--json"]), "/source", "request");
    sandbox.ok(&["answer", &id, "100"]);
    let reply = asking.end().exits(0).json();
    at(&reply, "/decision/options/0/id", "100");
}

#[test]
fn a_message_answers_what_was_put_to_another_party() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let put = sandbox.run(&["aitp", "request", &id]).exits(0).json();
    at(&put, "/request_decision/id", id.as_str());
    at(&put, "/request_decision/options/1/name", "Second");
    let reply = |request: Option<&str>, option: &str| {
        let mut decision = json!({"options": [{"id": option}]});
        if let Some(request) = request {
            decision["request_decision_id"] = request.into();
        }
        json!({"$schema": put["$schema"], "decision": decision}).to_string()
    };
    let send = |text: String| sandbox.run_with(&["aitp", "answer", "-", "--by", "buyer"], text);
    assert!(
        send(reply(Some(&id), "z"))
            .exits(1)
            .err
            .contains("/decision/options/0/id: \"z\" is not among the options")
    );
    send(reply(Some("other"), "a")).exits(3);
    let other = sandbox.ask_a_or_b();
    assert!(send(reply(None, "a")).exits(3).err.contains("several"));
    sandbox.ok(&["cancel", &other]);
    send(reply(None, "b")).exits(0);
    at(&sandbox.json(&["show", &id, "--json"]), "/answer/by", "buyer");
    send(reply(Some(&id), "b")).exits(0);
    send(reply(Some(&id), "a")).exits(4);
    at(&sandbox.json(&["show", &id, "--json"]), "/answer/values/choice", "b");
}

#[test]
fn an_id_that_two_parties_used_is_nobodys() {
    let sandbox = Sandbox::new();
    let [message, ..] = examples();
    let ask = |by: &str| {
        let asked =
            sandbox.run_with(&["aitp", "ask", "-", "--no-wait", "--requested-by", by], message.clone());
        asked.exits(0).out.trim().to_owned()
    };
    let (first, second) = (ask("shop"), ask("thief"));
    assert_ne!(first, second);
    let reply = json!({"$schema": SCHEMA, "decision": {"request_decision_id": "7c42b9d6-107d-4f5f-8f23-f9014c6efdae",
        "options": [{"id": "7"}]}});
    let refused = sandbox.run_with(&["aitp", "answer", "-"], reply.to_string()).exits(3);
    assert!(refused.err.contains("--id"), "{}", refused.err);
    sandbox.run_with(&["aitp", "answer", "-", "--id", &first], reply.to_string()).exits(0);
    sandbox.run_with(&["aitp", "answer", "-"], reply.to_string()).exits(0);
    at(&sandbox.json(&["show", &second, "--json"]), "/status", "answered");
}

#[test]
fn forms_are_filled_and_answered_with_strings() {
    let sandbox = Sandbox::new();
    let message = json!({"$schema": "https://aitp.dev/v1/data/schema.json", "request_data": {"id": "d1", "title": "Shipping",
        "description": "Where to?", "form": {"json_url": "https://shop.example/form.json"}}});
    let form = sandbox.file(
        "form.json",
        r#"{"fields":[{"id":"city","label":"City","required":true},{"id":"floor","type":"number"}]}"#,
    );
    let id =
        sandbox.run_with(&["aitp", "ask", "-", "--form", &form, "--no-wait"], message.to_string()).exits(0);
    let id = id.out.trim().to_owned();
    sandbox.ok(&["answer", &id, "--set", "city=Berlin", "--set", "floor=3"]);
    let reply = sandbox.json(&["aitp", "reply", &id]);
    let fields = json!([{"id": "city", "label": "City", "value": "Berlin"}, {"id": "floor", "label": "floor", "value": "3"}]);
    assert_eq!(
        reply,
        json!({"$schema": message["$schema"], "data": {"request_data_id": "d1", "fields": fields}})
    );
}

#[test]
fn validating_says_which_layer_where_and_what() {
    let sandbox = Sandbox::new();
    let wrong = request(json!({"id": "1", "type": "product", "options": [{"id": "a"}]}));
    let ran = sandbox.run_with(&["aitp", "validate", "-", "--json"], &wrong).exits(1);
    let expected = json!({"valid": false, "capability": "aitp-02-decisions", "message": "request_decision", "errors": [
        {"layer": "schema", "pointer": "/request_decision/type",
         "message": "\"product\" must be one of products, checkbox, radio, confirmation"}], "warnings": []});
    assert_eq!(ran.json(), expected);
    let twice = request(json!({"id": "1", "options": [{"id": "a"}, {"id": "a"}]}));
    let verdict = sandbox.run_with(&["aitp", "validate", "-", "--json"], &twice).exits(0).json();
    at(&verdict, "/valid", true);
    at(&verdict, "/errors/0/layer", "semantic");
    let words = sandbox.run_with(&["aitp", "validate", "-"], &twice).exits(0).out;
    let expected = "valid, but wrong: aitp-02-decisions request_decision\n\
        error: semantic: request_decision, options 2, id: \"a\" occurs twice; ids must differ over options and variants\n";
    assert_eq!(words, expected);
    sandbox.run(&["aitp", "validate", "/nowhere"]).exits(1);
}

#[test]
fn lines_are_judged_one_by_one() {
    let sandbox = Sandbox::new();
    let good = &examples()[0];
    let mut input = format!("{good}\n\nnot json\n{{\"a\":1}}\r\n").into_bytes();
    input.extend([0xff, b'\n']);
    input.extend(good.as_bytes());
    let ran = sandbox.run_with(&["aitp", "validate", "-", "--lines", "--json"], &input).exits(1);
    let verdicts: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let valid: Vec<bool> = verdicts.iter().map(|verdict| verdict["valid"].as_bool().unwrap()).collect();
    assert_eq!(valid, [true, false, false, false, false, true]);
    // The end of the line is not part of its text.
    let cut = format!("{}\n", &good[..good.len() / 2]);
    let ran = sandbox.run_with(&["aitp", "validate", "-", "--lines"], cut).exits(1);
    assert!(ran.out.contains("a string is not closed at byte"), "{ran}");
    let ran = sandbox.run_with(&["aitp", "validate", "-", "--lines"], format!("{good}\n{good}\n")).exits(0);
    assert_eq!(ran.out, "valid: aitp-02-decisions request_decision\n".repeat(2));
    sandbox.run_with(&["aitp", "validate", "-", "--lines"], "").exits(0);
}

#[test]
fn a_price_is_approved_whole_and_used_once() {
    let sandbox = Sandbox::new().looking();
    let quote = |until: &str| {
        json!({"$schema": "https://aitp.dev/v1/payments/schema.json", "quote": {"type": "Quote", "quote_id": "q1",
            "payee_id": "shop.near", "valid_until": until, "payment_plans": [
                {"plan_id": "p", "plan_type": "one-time", "amount": 12.5, "currency": "USD"}]}})
    };
    let ask = |message: &Value| sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], message.to_string());
    assert!(ask(&quote("2020-01-01T00:00:00Z")).exits(1).err.contains("expired at 2020-01-01"));
    let message = quote("2050-01-01T00:00:00Z");
    let id = ask(&message).exits(0).out.trim().to_owned();
    sandbox.ok(&["answer", &id, "approve"]);
    assert_eq!(sandbox.ok(&["aitp", "reply", &id]), "Approved.");
    let subject = sandbox.file("subject.json", message.to_string());
    sandbox.ok(&["consume", &id, "--subject", &subject]);
    sandbox.run(&["consume", &id, "--subject", &subject]).exits(4);
}

/// Serves one document to any client, this many times.
fn serve(times: usize, head: &'static str, body: String) -> u16 {
    use std::io::{BufRead as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(times) {
            let mut stream = stream.unwrap();
            let reader = std::io::BufReader::new(stream.try_clone().unwrap());
            let _ = reader.lines().map_while(Result::ok).take_while(|line| !line.is_empty()).count();
            let _ = write!(
                stream,
                "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    port
}

#[test]
fn forms_are_fetched_with_care() {
    let asking = |address: &str| {
        json!({"$schema": "x", "request_data": {"id": "d", "description": "?", "form": {"json_url": address}}}).to_string()
    };
    let form = || r#"{"fields":[{"id":"city"}]}"#.to_owned();
    let sandbox = Sandbox::new();
    let ask = |address: &str| sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], asking(address));
    let port = serve(1, "200 OK", form());
    assert!(ask(&format!("http://127.0.0.1:{port}/")).exits(1).err.contains("must be an https address"));
    assert!(ask(&format!("https://127.0.0.1:{port}/")).exits(1).err.contains("a private address"));
    assert!(ask(&format!("https://localhost:{port}/")).exits(1).err.contains("a private address"));
    sandbox.settings("[aitp]\nallow_private = true\n");
    let id = ask(&format!("http://127.0.0.1:{port}/")).exits(0).out;
    at(&sandbox.json(&["show", id.trim(), "--json"]), "/fields/0/id", "city");
    for (head, body, said) in [
        ("404 Not Found", form(), "answered 404"),
        ("200 OK", "[]".into(), "must be an object"),
        ("200 OK", "x".repeat((1 << 20) + 1), "is longer than"),
        ("302 Found\r\nLocation: ftp://127.0.0.1/", form(), "must be an https address"),
        ("302 Found\r\nLocation: /again", form(), "redirects too often"),
    ] {
        let port = serve(9, head, body);
        let ran = ask(&format!("http://127.0.0.1:{port}/")).exits(1);
        assert!(ran.err.contains(said), "{head}: {}", ran.err);
    }
}
