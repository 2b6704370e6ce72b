//! A conversation is in the log: killed between any two turns, or taken to another node, it goes on as if nothing had happened.

use serde_json::{Value, json};

use crate::browser::Served;
use crate::nodes::Shared;
use crate::sandbox::Sandbox;
use crate::server::{Api, Server};

fn form(name: &str) -> Value {
    let path = format!("{}/../../examples/forms/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    match serde_json::from_str::<Value>(&text) {
        Ok(form) => json!({"form_schema": form}),
        Err(_) => json!({"form_context_md": text}),
    }
}

/// Says something; a text, or whatever else a turn carries.
fn turn(api: &Api, form: &Value, said: &Value) -> Value {
    let mut body = json!({"user_message": "", "conversation_id": "c"});
    let said = if said.is_string() { json!({"user_message": said}) } else { said.clone() };
    for more in [form, &said] {
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    let mut reply = api.post("/api/chat", &body).is(200).json();
    reply.as_object_mut().unwrap().remove("decision_id");
    reply
}

fn drafted(sandbox: &Sandbox) -> usize {
    sandbox.tags().iter().filter(|tag| *tag == "decision:drafted").count()
}

/// Talks to a server that runs through, then to one that is killed before every turn: both say the same. Returns the last
/// reply.
fn survives(name: &str, said: &[Value]) -> Value {
    let form = form(name);
    let whole = Server::open();
    let api = whole.nobody();
    let expected: Vec<Value> = said.iter().map(|said| turn(&api, &form, said)).collect();
    let mut killed = Server::open();
    for (said, expected) in said.iter().zip(&expected) {
        killed.kill();
        killed.run();
        assert_eq!(turn(&killed.nobody(), &form, said), *expected, "{said}");
    }
    assert_eq!(drafted(&killed.sandbox), said.len(), "one event a turn");
    killed.sandbox.is_well();
    expected.into_iter().next_back().unwrap()
}

fn words(reply: &Value) -> String {
    reply["action"]["text"].as_str().or(reply["action"]["message"].as_str()).unwrap_or_default().to_owned()
}

#[test]
fn which_of_two_was_meant() {
    let said = [json!("sick or unpaid leave from 11/02/2027"), json!("unpaid"), json!("the second")];
    let reply = survives("leave_request.json", &said);
    assert_eq!(reply["answers"], json!({"leave_type": "Unpaid", "start_date": "2027-11-02"}), "{reply}");
}

#[test]
fn what_was_only_mentioned() {
    let said = [json!("annual leave"), json!("My course begins on 7 September 2027"), json!("yes")];
    let reply = survives("leave_request.json", &said);
    assert_eq!(reply["answers"]["start_date"], "2027-09-07", "{reply}");
}

#[test]
fn a_yes_to_giving_it_up() {
    let said = [json!("annual leave from 2 to 4 March 2027"), json!("cancel"), json!("yes")];
    let reply = survives("leave_request.json", &said);
    assert!(words(&reply).contains("It is cancelled"), "{reply}");
}

#[test]
fn a_yes_to_beginning_anew() {
    let said = [json!("annual leave from 2 to 4 March 2027"), json!("start over"), json!("yes")];
    let reply = survives("leave_request.json", &said);
    assert_eq!(reply["answers"], json!({}), "{reply}");
}

#[test]
fn a_yes_to_sending_it() {
    let said = [json!("annual leave from 2 to 4 March 2027 because of a trip"), json!("yes")];
    let reply = survives("leave_request.json", &said);
    assert_eq!(reply["submitted"], true, "{reply}");
}

/// A tool is awaited while the words before it wait for what it finds; then a step's summary waits for its yes; half a
/// moment is asked for again.
#[test]
fn tools_and_steps() {
    let found = json!({"tool_results": [{"tool_name": "list_services", "result": {"services": ["Billing", "Search"]}}]});
    let said =
        [json!("the billing service on staging in Europe"), found, json!("yes"), json!("on 2 March 2027")];
    let reply = survives("change_request.md", &said);
    assert_eq!(reply["answers"]["service"], "Billing", "said before it was looked up: {reply}");
    assert_eq!(reply["action"]["field_id"], "start", "{reply}");
    let more = [
        &said[..],
        &[
            json!("on 2 March 2027 at half past nine in the morning"),
            json!("45 minutes, no downtime, low risk"),
        ],
    ]
    .concat();
    let reply = survives("change_request.md", &more);
    assert_eq!(reply["answers"]["start"], "2027-03-02T09:30:00", "{reply}");
    assert_eq!(reply["action"]["action"], "FORM_COMPLETE", "{reply}");
}

#[test]
fn what_was_left_for_later() {
    let said =
        [json!("hello"), json!("skip"), json!("from 2 to 4 March 2027"), json!("a trip"), json!("annual")];
    let reply = survives("leave_request.json", &said);
    assert_eq!(reply["action"]["action"], "FORM_COMPLETE", "{reply}");
}

/// A start behind its end waits for a new end, and the last change can be taken back, also one that gave a former value
/// again.
#[test]
fn what_waits_and_what_is_taken_back() {
    let said = [
        json!("annual leave from 2 to 4 March 2027"),
        json!("change the start date to 8 March 2027"),
        json!("10 March 2027"),
        json!("change the leave type to unpaid"),
        json!("change the leave type to annual"),
        json!("undo"),
    ];
    let reply = survives("leave_request.json", &said);
    let values = json!({"leave_type": "Unpaid", "start_date": "2027-03-08", "end_date": "2027-03-10"});
    assert_eq!(reply["answers"], values, "{reply}");
}

#[test]
fn a_day_without_its_field_changes_nothing() {
    let said = [
        json!("annual leave from 7 to 9 December 2027 because I need rest"),
        json!("actually make it Monday"),
        json!("change the start date to 6 December 2027"),
    ];
    let reply = survives("leave_request.json", &said);
    assert_eq!(reply["answers"]["start_date"], "2027-12-06", "{reply}");
}

/// A person who fails three times is offered a way out, no matter which process counted; the person's clock is
/// remembered too.
#[test]
fn failures_and_the_clock() {
    let said = [
        json!({"user_message": "hello", "timezone": "Pacific/Kiritimati"}),
        json!("qwertz"),
        json!("qwertz"),
        json!("qwertz"),
    ];
    let reply = survives("leave_request.json", &said);
    assert!(words(&reply).contains("Please use the control"), "{reply}");
    let mut server = Server::open();
    let leave = form("leave_request.json");
    for (zone, more) in [("Pacific/Kiritimati", json!({"conversation_id": "east"})), ("-11:00", json!({}))] {
        let mut said = json!({"timezone": zone});
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        turn(&server.nobody(), &leave, &said);
    }
    server.kill();
    server.run();
    let today = |more: Value| {
        turn(&server.nobody(), &leave, &more)["answers"]["start_date"].as_str().unwrap().to_owned()
    };
    let text = "annual leave from today";
    assert!(
        today(json!({"user_message": text, "conversation_id": "east"}))
            > today(json!({"user_message": text}))
    );
}

/// One event for each turn in which something was said: none for looking, one though nothing changed.
#[test]
fn one_event_a_turn() {
    let mut server = Server::open();
    let (api, leave) = (server.nobody(), form("leave_request.json"));
    for (said, events) in [
        (json!(""), 0),
        (json!("sick from 2 to 4 March 2027"), 1),
        (json!(""), 1),
        (json!("because"), 2),
        (json!("help"), 3),
        (json!(""), 3),
        (json!({"answers": {"reason": "a cold"}}), 4),
        (json!({"user_message": "yes", "submit": true}), 5),
    ] {
        turn(&api, &leave, &said);
        assert_eq!(drafted(&server.sandbox), events, "{said}");
    }
    server.sandbox.is_well();
    // A store is copied while nobody writes to it; a server would still sign what was said.
    server.stop();
    let copy = format!("sqlite:{}", server.sandbox.path("copy.db").display());
    let copied = server.sandbox.ok(&["store", "copy", "-", &copy]);
    assert!(copied.trim_end().ends_with("OK"), "{copied}");
}

/// Two nodes take turns through one conversation; neither knows more than the log.
#[test]
fn two_nodes_take_turns() {
    let shared = Shared::new();
    let nodes: [Server; 2] = shared.nodes();
    let change = form("change_request.md");
    let found = json!({"tool_results": [{"tool_name": "list_services", "result": {"services": ["Billing", "Search"]}}]});
    let said = [
        json!("the billing service on production in Europe"),
        found,
        json!("yes"),
        json!("the demo is on 1 March 2027 at 8:00"),
        json!("no"),
        json!("on 2 March 2027"),
        json!("on 2 March 2027 at half past nine in the morning"),
        json!("skip"),
        json!("no downtime"),
        json!("medium risk"),
        json!("45"),
        json!("change the risk to high"),
        json!("undo"),
        json!("cancel"),
        json!("no"),
        json!("send it"),
    ];
    let alone = Server::open();
    let replies: Vec<Value> = said
        .iter()
        .enumerate()
        .map(|(at, said)| {
            let reply = turn(&nodes[at % 2].nobody(), &change, said);
            assert_eq!(reply, turn(&alone.nobody(), &change, said), "{said}");
            reply
        })
        .collect();
    let sent = replies.last().unwrap();
    assert_eq!((&sent["submitted"], &sent["answers"]["risk"]), (&json!(true), &json!("medium")), "{sent}");
    nodes[0].sandbox.is_well();
}

/// Values that come to two nodes in the same moment are all kept.
#[test]
fn two_nodes_at_once_lose_nothing() {
    let shared = Shared::new();
    let nodes: [Server; 2] = shared.nodes();
    let leave = form("leave_request.json");
    let given = [
        ("leave_type", "Annual"),
        ("start_date", "2027-03-02"),
        ("end_date", "2027-03-04"),
        ("reason", "a trip"),
        ("handover_notes", "none"),
    ];
    turn(&nodes[0].nobody(), &leave, &json!("hello"));
    let together = std::sync::Barrier::new(given.len());
    std::thread::scope(|scope| {
        for (at, (field, value)) in given.iter().enumerate() {
            let (together, leave, api) = (&together, &leave, nodes[at % 2].nobody());
            scope.spawn(move || {
                together.wait();
                turn(&api, leave, &json!({"answers": {*field: value}}));
            });
        }
    });
    let reply = turn(&nodes[1].nobody(), &leave, &json!(""));
    assert_eq!(reply["answers"].as_object().unwrap().len(), given.len(), "{reply}");
}

/// What a person said, but did not answer, is told to no agent, and stands in no stream of events.
#[test]
fn nobody_else_hears_it() {
    let server = Server::start();
    let (person, agent) = (server.token("ana", "person", &[]), server.token("robot", "agent", &[]));
    let fields = json!([{"id": "when", "kind": "date", "label": "When?"}]);
    let asked = json!({"source": "form", "title": "A form", "fields": fields});
    let id = agent.post("/v1/decisions", &asked).is(201).id();
    let say =
        |text: &str| person.post("/api/chat", &json!({"conversation_id": id, "user_message": text})).is(200);
    say("on 2 March 2027");
    say("whatever, some day");
    for api in [&agent, &person, &server.local()] {
        for path in
            ["/v1/events".to_owned(), format!("/v1/events?decision={id}"), format!("/v1/decisions/{id}")]
        {
            let seen = api.get(&path).is(200).body;
            assert!(!seen.contains("\"talk\"") && !seen.contains("whatever"), "{path}: {seen}");
        }
    }
    assert!(person.get("/v1/events").body.contains("decision:drafted"));
    let agents = agent.get("/v1/events").body;
    assert!(!agents.contains("decision:drafted") && !agents.contains("2027-03-02"), "{agents}");
}

/// A conversation that goes on at another node does not lie idle here.
#[test]
fn it_is_not_idle_while_it_goes_on_elsewhere() {
    let shared = Shared::new();
    let nodes: [Server; 2] = shared.nodes_with(|_| "[forms]\nidle = \"3s\"\n".to_owned());
    let leave = form("leave_request.json");
    let say = |node: &Server, text: &str| {
        let mut body = json!({"user_message": text, "conversation_id": "c"});
        body.as_object_mut().unwrap().extend(leave.as_object().unwrap().clone());
        node.nobody().post("/api/chat", &body).is(200).json()["decision_id"].clone()
    };
    let begun = std::time::Instant::now();
    let id = say(&nodes[0], "annual leave");
    while begun.elapsed() < std::time::Duration::from_millis(3_200) {
        assert_eq!(say(&nodes[1], "hm"), id);
    }
    assert_eq!(say(&nodes[0], "hm"), id);
}

/// The page shows after a restart what was said before it, and in the end that it was sent.
#[test]
fn the_page_shows_what_was_said() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let leave = form("leave_request.json");
    let mut id = String::new();
    for (text, shown) in [
        ("sick or unpaid leave", "did you mean Sick or Unpaid?"),
        ("unpaid", "When does your leave start?"),
        ("from 2 to 4 March 2027 because of a wedding", "Shall I send it?"),
        ("send it", "It has been sent."),
    ] {
        let server = Served::start(&sandbox, &[]);
        if id.is_empty() {
            server.person("ana", "admin");
        }
        let mut body = json!({"user_message": text, "conversation_id": "c"});
        body.as_object_mut().unwrap().extend(leave.as_object().unwrap().clone());
        server.api("POST", "/api/chat", &body)["decision_id"].as_str().unwrap().clone_into(&mut id);
        drop(server);
        let server = Served::start(&sandbox, &[]);
        let mut ana = server.browser();
        ana.sign_in("ana");
        let page = ana.get(&format!("/d/{id}/chat")).is(200);
        page.shows("sick or unpaid leave").shows(text).shows(shown);
    }
}
