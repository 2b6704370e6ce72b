//! The description of the API, in the third version of `OpenAPI`: made from the table of endpoints, checked in, and served.

use holdpoint_engine::Problem;
use holdpoint_engine::api::{Access, Method, Operation, operations};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::server::Server;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

#[test]
fn the_kept_description_is_that_of_the_endpoints() {
    let mut text = serde_json::to_string_pretty(&document()).unwrap();
    text.push('\n');
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).find(|(kept, now)| kept != now);
    assert!(
        kept == text,
        "docs/openapi.json does not describe the endpoints; UPDATE=1 rewrites it. First: {differs:?}"
    );
}

#[test]
fn the_kept_description_is_served() {
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    let reply = Server::start().nobody().get("/openapi.json").is(200);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json(), kept);
}

#[test]
fn everything_that_the_description_refers_to_is_there() {
    let document = document();
    let text = document.to_string();
    let refers = text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next());
    let missing: Vec<&str> = refers.filter(|place| document.pointer(place).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn document() -> Value {
    let mut paths = Map::new();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    for operation in operations() {
        let shape = (operation.docs.shape)();
        schemas.extend(shape.schemas);
        let answer = shape.answer.map(|(kind, schema)| match schema {
            Some(schema) => json!({ kind: { "schema": schema } }),
            None => json!({ kind: {} }),
        });
        let described =
            described(operation, &json!(shape.query), &json!(shape.body), &answer.unwrap_or(json!({})));
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.name().to_lowercase()] = described;
    }
    let mut known = Map::new();
    for (name, schema) in schemas {
        let schema = json!(schema);
        let before = known.insert(name.clone(), schema.clone());
        assert!(before.is_none_or(|before| before == schema), "two types are called {name}");
    }
    let mut schemas = known;
    say_what_is_always_there(&mut schemas);
    number_patch_sets(&mut schemas);
    let responses: Map<String, Value> =
        PROBLEMS.iter().map(|(name, _, about)| ((*name).to_owned(), problem(about))).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Holdpoint",
            "description": "Hold points for AI agents: ask, hold, and be woken by the answer. Errors are RFC 9457 problems with a stable `code`. Keys that are unknown or stand twice are refused.",
            "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
            "version": env!("CARGO_PKG_VERSION"),
        },
        "paths": paths,
        "components": { "schemas": schemas, "responses": responses, "securitySchemes": {
            "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token, made by an admin; or the local token, for programs of the same user on the same machine.",
            },
            "cookie": {
                "type": "apiKey",
                "in": "cookie",
                "name": "hold_session",
                "description": "A session of the web inbox. Whatever is not GET also carries its token as `x-csrf-token`.",
            },
        } },
        "security": [{ "bearer": [] }, { "cookie": [] }],
    })
}

/// Describes one endpoint.
fn described(operation: &Operation, query: &Value, body: &Value, answer: &Value) -> Value {
    let about: Vec<&str> = operation.docs.about.iter().map(|line| line.trim()).collect();
    let names = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = names.map(|name| name_in(operation.path, name)).collect();
    let takes_query = query.as_array().is_some_and(|query| !query.is_empty());
    parameters.extend(query.as_array().cloned().unwrap_or_default());
    for (_, name, kind, about) in SENT.iter().filter(|(id, ..)| *id == operation.id) {
        let mut schema = json!({ "type": [kind, "null"] });
        if *kind == "integer" {
            schema["format"] = "int64".into();
        }
        parameters.push(
            json!({ "name": name, "in": "header", "required": false, "description": about, "schema": schema }),
        );
    }
    let mut responses = Map::new();
    responses.insert(
        operation.status.to_string(),
        json!({ "description": operation.docs.answer, "content": content(operation, answer) }),
    );
    for (_, status, about, has_body) in ALSO.iter().filter(|(id, ..)| *id == operation.id) {
        let mut content = if *has_body { answer.clone() } else { json!({}) };
        if matches!(*status, "400" | "406") {
            content["application/problem+json"] =
                json!({ "schema": { "$ref": "#/components/schemas/Problem" } });
        }
        responses.insert((*status).to_owned(), json!({ "description": about, "content": content }));
    }
    for (status, response) in &mut responses {
        response["headers"] = headers(operation, status);
        if response["content"] == json!({}) {
            response.as_object_mut().unwrap().remove("content");
        }
    }
    for (name, status, _) in PROBLEMS {
        if can_be(status, operation, !body.is_null(), takes_query) {
            let refers = json!({ "$ref": format!("#/components/responses/{name}") });
            responses.entry(status).or_insert(refers);
        }
    }
    let mut described = json!({
        "tags": [operation.docs.tag],
        "summary": about.join(" "),
        "operationId": operation.id,
        "responses": responses,
        "x-access": operation.access.name(),
    });
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if !body.is_null() {
        described["requestBody"] =
            json!({ "content": { "application/json": { "schema": body } }, "required": true });
    }
    match operation.id {
        "mcp" => described["requestBody"]["description"] = "One message of JSON-RPC 2.0".into(),
        "claudeHook" => described["requestBody"]["description"] = "What Claude Code gives a hook".into(),
        _ => {}
    }
    if operation.access == Access::Anyone {
        described["security"] = json!([{}]);
    }
    described
}

/// Describes a name in a path.
fn name_in(path: &str, name: &str) -> Value {
    let area = path.split('/').find(|part| !matches!(*part, "" | "v1" | "aitp"));
    let about = match (area, name) {
        (Some("decisions"), _) => {
            "The id, or any start of it that no other decision has; with or without `dcn-`"
        }
        (Some("humanlayer"), _) => "The call's id",
        (Some("items"), _) => "The item",
        (Some("jobs"), _) => "The job, or a unique start of its id",
        (Some("keys"), _) => "The key's id",
        (Some("outbox"), _) => "The row",
        (Some("policies"), _) => "The policy, or a unique start of its id",
        (Some("push"), _) => "The browser",
        (Some("rules"), _) => "The rule, or a unique start of its id",
        (Some("runs"), _) => "The run, or the start or end of its id",
        (Some("threads"), _) => "The thread",
        (Some("tokens"), _) => "The id, or a unique start of it",
        (Some("api"), _) => "The file's name",
        (_, "channel") => "The channel",
        (_, "name") => "The name",
        other => panic!("nobody says what {other:?} is"),
    };
    json!({ "name": name, "in": "path", "required": true, "description": about, "schema": { "type": "string" } })
}

/// Headers that callers may send: where, which, of what type, and what for.
const SENT: [(&str, &str, &str, &str); 9] = [
    (
        "createDecision",
        "Idempotency-Key",
        "string",
        "Asks once under this key, however often it is sent; kept for 7 days, scoped to project and credential",
    ),
    (
        "consumeDecision",
        "Idempotency-Key",
        "string",
        "The same request under this key is told again that the approval is its own; kept for 7 days, scoped to decision and credential",
    ),
    (
        "createThread",
        "Idempotency-Key",
        "string",
        "Opens one thread under this key, however often it is sent; scoped to project and credential",
    ),
    (
        "openThread",
        "Idempotency-Key",
        "string",
        "Opens one thread under this key, however often it is sent; scoped to project and credential",
    ),
    (
        "createMessage",
        "Idempotency-Key",
        "string",
        "Says it once under this key, however often it is sent; scoped to thread and credential",
    ),
    ("listEvents", "Last-Event-ID", "integer", "Goes on after this event, whatever `after` says"),
    ("mcp", "MCP-Protocol-Version", "string", "The revision; the same as in the message"),
    ("mcp", "Mcp-Method", "string", "The method; required from 2026-07-28 on"),
    (
        "mcp",
        "Mcp-Name",
        "string",
        "What the method names: tool, resource or task; required from 2026-07-28 on",
    ),
];

/// Other answers than the usual one: where, with which status, when, and whether they have its body.
const ALSO: [(&str, &str, &str, bool); 7] = [
    ("createDecision", "200", "Asked before under this key: the first decision, as it is now", true),
    ("createThread", "200", "Opened before under this key", true),
    ("openThread", "200", "Opened before under this key", true),
    ("mcp", "202", "A notice or a response was taken", false),
    ("mcp", "400", "The message cannot be read, contradicts its headers, or is of an unknown revision", true),
    ("mcp", "404", "There is no such method (from 2026-07-28 on)", true),
    ("mcp", "406", "The caller takes no JSON", false),
];

/// Returns the kinds in which an answer may come.
fn content(operation: &Operation, usual: &Value) -> Value {
    let text = json!({ "schema": { "type": "string" } });
    match operation.id {
        "listEvents" => json!({ "application/jsonl": text, "text/event-stream": text }),
        "getMetrics" => json!({ "application/openmetrics-text": text }),
        "mcp" => {
            let mut kinds = usual.clone();
            kinds["text/event-stream"] = text;
            kinds
        }
        _ => usual.clone(),
    }
}

/// Returns the headers of an answer.
fn headers(operation: &Operation, status: &str) -> Value {
    let mut headers = json!({ "X-Request-Id": request_id() });
    let mut add = |name: &str, kind: &str, about: &str| {
        headers[name] = json!({ "schema": { "type": kind }, "description": about });
        if kind == "integer" {
            headers[name]["schema"]["format"] = "int64".into();
        }
    };
    match (operation.id, status) {
        ("createDecision", _) => add("Location", "string", "Where the decision is"),
        ("createThread" | "openThread", _) => add("Location", "string", "Where the thread is"),
        ("listEvents", _) => add("Hold-Last-Seq", "integer", "Up to where the log was looked at"),
        _ => {}
    }
    match (operation.id, status) {
        ("createDecision" | "createThread" | "openThread", "200") => {
            add("Idempotent-Replayed", "string", "`true`");
        }
        ("answerDecision", _) => {
            add("Idempotent-Replayed", "string", "`true` if the same answer had been given before");
        }
        ("consumeDecision", _) => {
            add("Idempotent-Replayed", "string", "`true` where it was consumed before under this key");
        }
        _ => {}
    }
    headers
}

/// What can go wrong: the name of the response, its status, and when.
const PROBLEMS: [(&str, &str, &str); 15] = [
    ("Malformed", "400", "The request cannot be read"),
    ("Unknown", "401", "The caller is not known: no token, or an invalid one"),
    ("Forbidden", "403", "The caller may not, or the request comes from another site"),
    ("NotFound", "404", "Not there, not the only one that starts so, or not for the caller to see"),
    (
        "Conflict",
        "409",
        "The current state does not allow it; where a decision is the reason, it is shown as it is now",
    ),
    ("Gone", "410", "The decision was removed while someone waited for it, or ended without a response"),
    ("TooLarge", "413", "The body is too large"),
    ("NotJson", "415", "The body is not sent as application/json"),
    ("Misdirected", "421", "The server does not answer under this name"),
    ("Invalid", "422", "What was sent is not valid; `errors` says what and where"),
    ("DigestRequired", "428", "The decision has a subject, and the answer does not carry its digest"),
    (
        "TooFast",
        "429",
        "Too many requests from one address or credential, or too much pending; `Retry-After` says when to try again",
    ),
    ("Unavailable", "503", "The server is busy, stopping, or cannot reach its store"),
    ("WrongMethod", "405", "The method is not taken here; `Allow` says which are"),
    ("Full", "507", "The disk under the store is full; nothing was written"),
];

fn can_be(status: &str, operation: &Operation, takes_body: bool, takes_query: bool) -> bool {
    let path = operation.path;
    let asks_who = operation.access != Access::Anyone;
    let writes = operation.method != Method::Get;
    let within_v1 = ["/v1/", "/aitp/v1/", "/humanlayer/v1/"].iter().any(|start| path.starts_with(start));
    match status {
        "400" | "403" | "421" | "429" | "503" => true,
        "401" => asks_who,
        "404" => path.contains('{') || path == "/v1/events",
        "409" => (within_v1 && writes) || path.ends_with("/receipt"),
        "410" => {
            path.ends_with("/wait")
                || operation.id == "getHumanContact"
                || (path == "/v1/decisions" && writes)
        }
        "413" | "415" => takes_body,
        "422" => takes_body || takes_query || writes || path == "/v1/push",
        "428" => path.ends_with("/answer"),
        "507" => (asks_who && writes) || path == "/readyz",
        _ => false,
    }
}

fn problem(about: &str) -> Value {
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    json!({
        "description": about,
        "headers": { "X-Request-Id": request_id() },
        "content": { "application/problem+json": { "schema": schema } },
    })
}

fn request_id() -> Value {
    let about = "Names the request in the server's log; the caller's own, if it sent a plain one";
    json!({ "schema": { "type": "string" }, "description": about })
}

/// Schemas of what is shown whole: all keys are there, null where empty.
const WHOLE: [&str; 10] = [
    "Decision",
    "Answer",
    "Page_Decision",
    "Page_ShownRun",
    "Item",
    "Project",
    "Token",
    "Person",
    "Receipt",
    "Origin",
];

/// Keys that came later, and are there only where there is something to say.
const SOMETIMES: [&str; 4] = ["valid_until", "reports", "truncated", "seen"];

fn say_what_is_always_there(schemas: &mut Map<String, Value>) {
    for name in WHOLE {
        // An answer says to which digest it was given, if it is not older than that.
        let always = |key: &&String| {
            !SOMETIMES.contains(&key.as_str()) && (name, key.as_str()) != ("Answer", "digest")
        };
        let schema = &mut schemas[name];
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().filter(always).collect();
        schema["required"] = json!(keys);
    }
}

/// What has a number, and under which key: patch sets are shown with what people call them by instead of their places in
/// the log.
const NUMBERED: [(&str, &str); 4] = [
    ("PatchSet", "number"),
    ("Evidence", "patchset_number"),
    ("RunComment", "patchset_number"),
    ("RunVerdict", "patchset_number"),
];

fn number_patch_sets(schemas: &mut Map<String, Value>) {
    for (name, key) in NUMBERED {
        let schema = &mut schemas[name];
        schema["properties"][key] =
            json!({ "type": "integer", "description": "The number of the patch set, from 1" });
        if schema["properties"].as_object_mut().unwrap().remove("sequence").is_some() {
            let required = schema["required"].as_array_mut().unwrap();
            required.retain(|key| key != "sequence");
            required.push(key.into());
        }
    }
}
