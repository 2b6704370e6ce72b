//! Every example of the document, word for word, through a real server: asked by one agent, answered by another.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::server::Server;

/// Each request of the document, and the response that it shows; where it shows none, one in the same manner.
const EXAMPLES: [(&str, &str, &str); 4] = [
    (
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "request_decision": {
            "id": "7c42b9d6-107d-4f5f-8f23-f9014c6efdae", "description": "Select your favorite number:",
            "options": [{ "id": "0", "name": "0" }, { "id": "7", "name": "7" }, { "id": "100", "name": "100" }]}}"#,
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "decision": {
            "request_decision_id": "7c42b9d6-107d-4f5f-8f23-f9014c6efdae", "options": [{ "id": "7", "name": "7" }]}}"#,
        r#""7""#,
    ),
    (
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "request_decision": {
            "id": "27ed3deb-39cb-4968-90dc-9cb456a470f2", "title": "Please confirm",
            "description": "Would you like to eat all cookies?", "type": "confirmation",
            "options": [{ "id": "1", "name": "Yes, eat the cookies" }, { "id": "2", "name": "No, that's not healthy" },
                        { "id": "3", "name": "Something else" }]}}"#,
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "decision": {
            "request_decision_id": "27ed3deb-39cb-4968-90dc-9cb456a470f2",
            "options": [{ "id": "2", "name": "No, that's not healthy" }]}}"#,
        r#""2""#,
    ),
    (
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "request_decision": {
            "id": "50a53841-09ee-4b57-b5ec-561fe505f532", "title": "Your Favorite Colors",
            "description": "Which colors are your favorite?", "type": "checkbox", "options": [
            { "id": "blue", "name": "Blue", "description": "A calming color", "image_url": "https://example.com/blue.jpg" },
            { "id": "red", "name": "Red", "description": "An exciting color", "image_url": "https://example.com/red.jpg" },
            { "id": "green", "name": "Green", "description": "An earthy color", "image_url": "https://example.com/green.jpg" }]}}"#,
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "decision": {
            "request_decision_id": "50a53841-09ee-4b57-b5ec-561fe505f532",
            "options": [{ "id": "red", "name": "Red" }, { "id": "blue", "name": "Blue" }]}}"#,
        r#"["red", "blue"]"#,
    ),
    (
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "request_decision": {
            "id": "bd9b613c-6fa5-4797-ba91-547f0903da9f", "title": "Recommended Products",
            "description": "Based on your selected factors, here are the best recommendations", "type": "products", "options": [
            { "id": "product_1", "name": "JBL Tour One M2", "description": "A short, summarized description about the headphones",
              "five_star_rating": 4.2, "reviews_count": 132, "quote": { "type": "Quote", "payee_id": "foobar",
              "quote_id": "foobar", "payment_plans": [{ "amount": 199.5, "currency": "USD", "plan_id": "foobar",
              "plan_type": "one-time" }], "valid_until": "2050-01-01T00:00:00Z" },
              "image_url": "https://example.com/headphones1.jpg", "url": "https://example.com/product1" }]}}"#,
        r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", "decision": {
            "request_decision_id": "bd9b613c-6fa5-4797-ba91-547f0903da9f",
            "options": [{ "id": "product_1", "name": "JBL Tour One M2", "quantity": 1 }]}}"#,
        r#"[{"id": "product_1", "quantity": 1}]"#,
    ),
];

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn agents_talk_as_the_document_shows() {
    let server = Server::start();
    let (shop, buyer) = (server.token("shop", "agent", &[]), server.token("buyer", "agent", &[]));
    let understands = json!(["https://aitp.dev/v1/decisions/schema.json"]);
    let open = json!({"metadata": {"assignees": ["agent:buyer"], "actors": [
        {"id": "shop", "capabilities": understands}, {"id": "buyer", "capabilities": understands}]}});
    let thread = shop.post("/aitp/v1/threads", &open).is(201).json()["id"].as_str().unwrap().to_owned();
    let path = format!("/aitp/v1/threads/{thread}/messages");
    for (request, response, values) in EXAMPLES {
        let asked = shop.post(&path, &json!({"role": "user", "content": [request]})).is(201).json();
        let id = asked["metadata"]["decisions"][0].as_str().unwrap().to_owned();
        assert_eq!(asked["content"], json!([request]), "what was said is kept as it was said");
        buyer.post(&path, &json!({"role": "user", "content": response})).is(201);
        let settled = shop.decision(&id).is(200).json();
        at(&settled, "/status", "answered");
        at(&settled, "/answer/by", "buyer");
        assert_eq!(settled["answer"]["values"]["choice"], parsed(values));
        // What Holdpoint would say itself is what the document shows; put again, it is what was asked.
        let own = server.sandbox.json(&["aitp", "reply", &id]);
        assert_eq!(own, parsed(response));
        assert_eq!(server.sandbox.json(&["aitp", "request", &id]), parsed(request));
    }
    let said = shop.get(&path).is(200).json();
    assert_eq!(said["data"].as_array().unwrap().len(), 8, "nothing was refused: {said}");
    server.sandbox.is_well();
}

#[test]
fn what_is_judged_and_what_is_asked_agree() {
    let sandbox = crate::sandbox::Sandbox::new();
    let with = |more: &str| {
        format!(
            r#"{{"$schema":"https://aitp.dev/v1/decisions/schema.json","request_decision":{{"id":"1","options":[{{"id":"a"}}]{more}}}}}"#
        )
    };
    let deep = format!(r#","x":{}{}"#, "[".repeat(70), "]".repeat(70));
    for (more, words) in [
        (r#","id":"2""#, "\"id\" occurs twice"),
        (r#","title":"\ud800""#, "half a pair of surrogates"),
        (r#","x":9007199254740993"#, "beyond 2^53"),
        (deep.as_str(), "nested deeper than 64"),
    ] {
        let verdict = sandbox.run_with(&["aitp", "validate", "-", "--json"], with(more)).exits(0).json();
        at(&verdict, "/valid", true);
        at(&verdict, "/errors/0/layer", "semantic");
        let said = verdict["errors"][0]["message"].as_str().unwrap();
        assert!(said.contains(words), "{said}");
        let asked = sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], with(more)).exits(1);
        assert!(asked.err.contains(said), "{}", asked.err);
    }
    sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], with("")).exits(0);
}

#[test]
fn what_has_expired_is_chosen_and_not_bought() {
    let sandbox = crate::sandbox::Sandbox::new();
    let (request, ..) = EXAMPLES[3];
    let id = sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], request.replace("2050", "2020")).exits(0);
    let id = id.out.trim().to_owned();
    assert!(sandbox.ok(&["show", &id]).contains("price expired: can be picked, not bought"));
    sandbox.ok(&["answer", &id, "product_1"]);
    let reply = sandbox.run(&["aitp", "reply", &id]).exits(0);
    assert!(reply.err.contains("cannot be paid"), "{}", reply.err);
    assert_eq!(reply.json()["decision"]["options"], json!([{"id": "product_1", "name": "JBL Tour One M2"}]));
    assert!(sandbox.ok(&["show", &id]).contains("chosen, not bought, for the quote had expired: product_1"));
}

/// The document's own products, comment and comma included.
const AS_PRINTED: &str = r#"{
  "$schema": "https://aitp.dev/v1/decisions/schema.json",
  "request_decision": {
    "id": "bd9b613c-6fa5-4797-ba91-547f0903da9f",
    "title": "Recommended Products",
    "description": "Based on your selected factors, here are the best recommendations",
    "type": "products",
    "options": [
      {
        "id": "product_1",
        "name": "JBL Tour One M2",
        "description": "A short, summarized description about the headphones",
        "five_star_rating": 4.2,
        "reviews_count": 132,
        "quote": {
          "type": "Quote",
          "payee_id": "foobar",
          "quote_id": "foobar",
          "payment_plans": [
            {
              "amount": 199.5,
              "currency": "USD",
              "plan_id": "foobar",
              "plan_type": "one-time"
            }
          ],
          "valid_until": "2050-01-01T00:00:00Z"
        },
        "image_url": "https://example.com/headphones1.jpg",
        "url": "https://example.com/product1"
      },
      // More product options...
    ]
  }
}"#;

#[test]
fn the_products_are_asked_as_they_are_printed() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("products.json", AS_PRINTED);
    let ran = sandbox.run(&["aitp", "ask", &file, "--no-wait"]).exits(0);
    assert!(ran.err.contains("line 32 has a comment, which JSON does not allow; it is removed"), "{ran}");
    let asked = sandbox.show(ran.out.trim());
    at(&asked, "/fields/0/options/0/url", "https://example.com/product1");
    assert_eq!(asked["fields"][0]["options"].as_array().unwrap().len(), 1);
    sandbox.run(&["aitp", "validate", &file]).exits(1).says("line 32 has a comment");
}
