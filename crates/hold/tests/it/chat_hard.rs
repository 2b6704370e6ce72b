//! Conversations under pressure: many at once, two turns at once, kills in the middle, other doors, hostile words.

use std::sync::Barrier;
use std::time::Instant;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Api, Server};

fn form(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../examples/forms/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn leave() -> Value {
    serde_json::from_str(&form("leave_request.json")).unwrap()
}

fn body(id: &str, more: &Value) -> Value {
    let mut body = json!({"form_schema": leave(), "user_message": "", "conversation_id": id});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn say(api: &Api, id: &str, more: &Value) -> Value {
    api.post("/api/chat", &body(id, more)).is(200).json()
}

/// Two hundred people fill in a form at the same time on one node; each gets their own answers, and all are sent.
#[test]
fn two_hundred_conversations_at_once() {
    const PEOPLE: usize = 200;
    let server = Server::open();
    let api = server.nobody();
    let (greeted, told) = (Barrier::new(PEOPLE), Barrier::new(PEOPLE));
    let begun = Instant::now();
    let slowest = std::thread::scope(|scope| {
        let people: Vec<_> = (0..PEOPLE)
            .map(|person| {
                let (api, greeted, told) = (&api, &greeted, &told);
                scope.spawn(move || {
                    let id = format!("person {person}");
                    let (from, to) = (1 + person % 14, 15 + person % 14);
                    let mut slowest = std::time::Duration::ZERO;
                    let mut turn = |more: Value| {
                        let begun = Instant::now();
                        let reply = say(api, &id, &more);
                        slowest = slowest.max(begun.elapsed());
                        reply
                    };
                    assert_eq!(turn(json!({}))["action"]["action"], "MESSAGE");
                    greeted.wait();
                    let text = format!("annual leave from {from} to {to} March 2027");
                    let reply = turn(json!({"user_message": text}));
                    assert_eq!(reply["action"]["field_id"], "reason", "{reply}");
                    told.wait();
                    let reason = format!("trip {person}");
                    assert_eq!(turn(json!({"user_message": reason}))["action"]["action"], "FORM_COMPLETE");
                    let sent = turn(json!({"submit": true}));
                    let values = json!({"leave_type": "Annual", "start_date": format!("2027-03-{from:02}"),
                        "end_date": format!("2027-03-{to:02}"), "reason": reason});
                    assert_eq!((&sent["submitted"], &sent["answers"]), (&json!(true), &values));
                    slowest
                })
            })
            .collect();
        people.into_iter().map(|person| person.join().unwrap()).max().unwrap()
    });
    println!("{PEOPLE} conversations in {:?}, slowest turn {slowest:?}", begun.elapsed());
    assert_eq!(api.get("/api/health").json()["active_sessions"], 0);
    // One draft for each turn in which something was said, and no more.
    let tags = server.sandbox.tags();
    let count = |tag: &str| tags.iter().filter(|known| *known == tag).count();
    assert_eq!((count("decision:drafted"), count("decision:resolved")), (3 * PEOPLE, PEOPLE));
    server.sandbox.is_well();
}

/// Turns of one conversation that come at once are taken one after the other: nothing is lost, one decision is made.
#[test]
fn turns_that_race() {
    let server = Server::open();
    let api = server.nobody();
    let said = [
        json!({"answers": {"leave_type": "Annual"}}),
        json!({"answers": {"start_date": "2027-03-02"}}),
        json!({"answers": {"end_date": "2027-03-04"}}),
        json!({"answers": {"reason": "a trip"}}),
        json!({"answers": {"handover_notes": "none"}}),
    ];
    let together = Barrier::new(said.len());
    let decisions: Vec<Value> = std::thread::scope(|scope| {
        let all: Vec<_> = said
            .iter()
            .map(|more| {
                let (api, together) = (&api, &together);
                scope.spawn(move || {
                    together.wait();
                    say(api, "one", more)["decision_id"].clone()
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(decisions.iter().all(|id| *id == decisions[0]), "{decisions:?}");
    let reply = say(&api, "one", &json!({}));
    assert_eq!(reply["answers"].as_object().unwrap().len(), 5, "{reply}");
    // Of those who send at once, one sends; the others are told that it was sent.
    let sends = Barrier::new(4);
    let sent = std::thread::scope(|scope| {
        let all: Vec<_> = (0..4)
            .map(|_| {
                let (api, sends) = (&api, &sends);
                scope.spawn(move || {
                    sends.wait();
                    api.post("/api/chat", &body("one", &json!({"submit": true}))).status
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(sent.iter().all(|status| matches!(status, 200 | 409)), "{sent:?}");
    assert_eq!(server.sandbox.tags().iter().filter(|tag| *tag == "decision:resolved").count(), 1);
    server.sandbox.is_well();
}

/// Killed in the middle, it goes on with the question that was open, in the words that fit it.
#[test]
fn a_kill_in_the_middle() {
    let mut server = Server::open();
    let api = server.nobody();
    let reply = say(&api, "c", &json!({"user_message": "sick from 2 to 4 March 2027 because of a cold"}));
    assert_eq!(reply["action"]["action"], "ASK_CHECKBOX", "{reply}");
    server.kill();
    server.run();
    // A bare yes is understood only by who knows what was asked.
    let reply = say(&server.nobody(), "c", &json!({"user_message": "yes"}));
    assert_eq!(reply["action"]["action"], "FORM_COMPLETE", "{reply}");
    assert_eq!(reply["answers"]["medical_certificate"], json!(["Yes"]));
    server.sandbox.is_well();
}

/// What is filled in elsewhere meanwhile is not asked again, and a bare answer is for what is asked then.
#[test]
fn another_door_goes_on_with_it() {
    let server = Server::open();
    let api = server.nobody();
    let reply = say(&api, "c", &json!({"user_message": "annual leave"}));
    assert_eq!(reply["action"]["field_id"], "start_date");
    let id = reply["decision_id"].as_str().unwrap();
    let draft = json!({"values": {"leave_type": "Annual", "start_date": "2027-03-02"}});
    api.send("PUT", &format!("/v1/decisions/{id}/draft"), Some(&draft)).is(200);
    let reply = say(&api, "c", &json!({"user_message": "4 March 2027"}));
    assert_eq!(
        reply["answers"],
        json!({"leave_type": "Annual", "start_date": "2027-03-02", "end_date": "2027-03-04"})
    );
}

/// A form that an agent asks for by name: it stands in the inbox, is filled in by talking, and wakes the agent. It is
/// not cancelled for lying idle, nor by a reset.
#[test]
fn an_agents_form_is_filled_in_by_talking() {
    let sandbox = Sandbox::new();
    sandbox.settings("[forms]\nidle = \"1ms\"\n");
    let server = Server::on(sandbox, &["--no-auth"]);
    let api = server.nobody();
    let fields = json!([
        {"id": "size", "kind": "choice", "label": "Which size?", "options": [{"id": "small", "label": "small"}, {"id": "large", "label": "large"}]},
        {"id": "when", "kind": "datetime", "label": "When does it start?"}]);
    let asked = json!({"source": "form", "title": "A machine", "requested_by": "agent-7", "fields": fields});
    let id = api.post("/v1/decisions", &asked).is(201).json()["id"].as_str().unwrap().to_owned();
    let waiting = {
        let (api, id) = (api.clone(), id.clone());
        std::thread::spawn(move || api.get(&format!("/v1/decisions/{id}/wait?timeout=30s")).is(200).json())
    };
    server.parked(1);
    let talk = |more: &Value| {
        let mut body = json!({"user_message": "", "conversation_id": id, "timezone": "Asia/Riyadh"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        api.post("/api/chat", &body).is(200).json()
    };
    assert_eq!(talk(&json!({}))["action"]["action"], "MESSAGE");
    let reply = talk(&json!({"user_message": "a large size"}));
    assert_eq!(
        (&reply["answers"], &reply["decision_id"]),
        (&json!({"size": "large"}), &json!(id)),
        "{reply}"
    );
    let reset = api.post("/api/sessions/reset", &json!({"conversation_id": id})).is(200).json();
    assert_eq!(reset["success"], false);
    let reply = talk(&json!({"user_message": "2 March 2027 at 9:30", "submit": true}));
    assert_eq!(reply["submitted"], true, "{reply}");
    let woken = waiting.join().unwrap();
    assert_eq!(woken["answer"]["values"], json!({"size": "large", "when": "2027-03-02T09:30:00"}));
    api.post("/api/chat", &json!({"user_message": "", "conversation_id": "dcn-zzzzzzzzzzzz"})).is(404);
}

/// "Today" is the day on the person's clock, by the name of its zone, and is remembered.
#[test]
fn zones_by_name() {
    let server = Server::open();
    let api = server.nobody();
    let today = |zone: &str, id: &str| {
        say(&api, id, &json!({"timezone": zone}));
        let reply = say(&api, id, &json!({"user_message": "annual leave from today"}));
        reply["answers"]["start_date"].as_str().unwrap().to_owned()
    };
    // Whatever the time, these two are never on the same day.
    assert!(today("Pacific/Kiritimati", "east") > today("Pacific/Niue", "west"));
    assert_eq!(today("-11:00", "offset"), today("Pacific/Niue", "named"));
    api.post("/api/chat", &body("x", &json!({"timezone": "Mars/Base"}))).refuses(422, "invalid");
}

/// Hostile words are words; hostile forms are refused; nothing falls over.
#[test]
fn hostile_words_and_forms() {
    let server = Server::open();
    let api = server.nobody();
    for (at, text) in [
        "\u{0}\u{202e}\u{1b}[2J".to_owned(),
        "<script>alert(1)</script>".to_owned(),
        "x".repeat(20_000),
        "from 11 to 15 ".repeat(1_400),
        "{{7*7}} ${jndi:ldap://x} '; DROP TABLE decision; --".to_owned(),
        "٢٠٢٧-٠٣-٠٢ 99999999999999999999-99-99 0/0/0".to_owned(),
    ]
    .into_iter()
    .enumerate()
    {
        let reply = say(&api, &format!("c{at}"), &json!({"user_message": text}));
        assert!(reply["action"]["action"].is_string(), "{reply}");
        let said = reply["action"].to_string();
        assert!(!said.contains("\\u001b") && !said.contains('\u{202e}'), "{said}");
    }
    for message in [json!({"a": {"b": []}}), json!([[[]]]), json!(1e15), json!(true)] {
        say(&api, "typed", &json!({"user_message": message}));
    }
    let results =
        json!([{"tool_name": "\u{1b}x", "result": {"error": "\u{202e}boom"}}, {"result": [[[]]]}, {}]);
    say(&api, "tools", &json!({"tool_results": results}));
    for form in [
        "---\na: &a [*a]\n---\n".to_owned(),
        format!("---\nform_id: t\nfields: {}\n---\n", "[".repeat(100_000)),
        "---\n? !!binary x\n: y\n---".to_owned(),
        format!("---\nform_id: t\nfields:\n{}---\n", "  - {id: a, type: text, prompt: x}\n".repeat(20_000)),
        "# Only a title".to_owned(),
        "\u{feff}---\n\u{0}\n---".to_owned(),
    ] {
        let reply = api.post("/api/chat", &json!({"form_context_md": form, "user_message": ""}));
        assert_eq!(reply.status, 400, "{}", &form[..form.len().min(40)]);
    }
    let deep =
        format!("{{\"form_schema\": {}1{}, \"user_message\": \"\"}}", "[".repeat(10_000), "]".repeat(10_000));
    let reply =
        api.clone().with("Content-Type", "application/json").with("Content-Length", &deep.len().to_string());
    assert!(matches!(reply.raw("POST", "/api/chat", deep.as_bytes()).status, 400 | 422));
    assert_eq!(api.get("/api/health").json()["status"], "healthy");
    server.sandbox.is_well();
}

/// A message that nobody says at once is refused before it is read, and leaves no conversation behind.
#[test]
fn a_message_that_is_too_long_is_refused() {
    let server = Server::open();
    let api = server.nobody();
    let long = "annual leave from Monday, ".repeat(1000);
    let problem = api.post("/api/chat", &body("long", &json!({"user_message": long}))).is(422).json();
    assert!(problem["detail"].as_str().unwrap_or_default().contains("20000"), "{problem}");
    let most = "a ".repeat(10_000);
    let begun = Instant::now();
    say(&api, "most", &json!({"user_message": most}));
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}

/// What was sent cannot be changed any more, and nobody is told that it could.
#[test]
fn the_closing_words_say_that_it_was_sent() {
    let server = Server::open();
    let api = server.nobody();
    let text = "annual leave from 1 to 5 March 2027 because of a trip";
    let reply = say(&api, "closing", &json!({"user_message": text}));
    let said = |reply: &Value| reply["action"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(said(&reply).contains("or say what to change"), "{reply}");
    let reply = say(&api, "closing", &json!({"submit": true}));
    assert_eq!(reply["submitted"], true, "{reply}");
    assert!(said(&reply).contains("has been sent") && !said(&reply).contains("change"), "{reply}");
}
