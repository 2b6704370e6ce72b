//! Forms in conversation over HTTP: the action protocol.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Api, Server};

fn leave() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/forms/leave_request.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn change() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/forms/change_request.md");
    std::fs::read_to_string(path).unwrap()
}

struct Chat<'a> {
    api: &'a Api,
    id: String,
}

impl<'a> Chat<'a> {
    fn begin(api: &'a Api) -> Self {
        let reply =
            api.post("/api/chat", &json!({"form_schema": leave(), "user_message": ""})).is(200).json();
        assert_eq!(reply["action"]["action"], "MESSAGE", "{reply}");
        Self { api, id: reply["conversation_id"].as_str().unwrap().to_owned() }
    }

    fn say(&self, more: &Value) -> Value {
        let mut body = json!({"form_schema": leave(), "user_message": "", "conversation_id": self.id});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.api.post("/api/chat", &body).is(200).json()
    }
}

/// From hello to sent: the draft is a decision's, completion leaves it pending, and sending settles it.
#[test]
fn a_form_is_filled_and_sent() {
    let server = Server::open();
    let api = server.nobody();
    let chat = Chat::begin(&api);
    let reply = chat.say(&json!({"user_message": "annual leave from 2 to 4 March 2027"}));
    assert_eq!(
        (&reply["action"]["action"], &reply["action"]["field_id"]),
        (&json!("ASK_TEXT"), &json!("reason"))
    );
    let values = json!({"leave_type": "Annual", "start_date": "2027-03-02", "end_date": "2027-03-04"});
    assert_eq!(reply["answers"], values);
    let decision = reply["decision_id"].as_str().unwrap();
    let drafted = api.decision(decision).is(200).json();
    assert_eq!((&drafted["draft"], &drafted["source"]), (&values, &json!("form")));
    assert_eq!(drafted["owner"], json!(format!("chat:{}", chat.id)));

    let reply = chat.say(&json!({"user_message": "a wedding"}));
    assert_eq!(reply["action"]["action"], "FORM_COMPLETE", "{reply}");
    assert_eq!(api.decision(decision).json()["status"], "pending");
    let reply = chat.say(&json!({"user_message": "actually make it unpaid"}));
    assert_eq!(reply["action"]["data"]["leave_type"], "Unpaid");
    let reply = chat.say(&json!({"submit": true}));
    assert_eq!(reply["submitted"], true, "{reply}");
    let sent = api.decision(decision).json();
    assert_eq!(
        (&sent["status"], &sent["answer"]["values"]["reason"]),
        (&json!("answered"), &json!("a wedding"))
    );
    let reply = chat.say(&json!({"user_message": "thanks"}));
    assert_eq!((&reply["action"]["action"], &reply["submitted"]), (&json!("MESSAGE"), &json!(true)));
    // What somebody filled in for themselves is told to no agent.
    server.sandbox.run(&["check", "--inject"]).exits(0).prints("");
}

/// One event for each turn that changed something, and the conversation goes on after a restart.
#[test]
fn a_conversation_survives_a_restart() {
    let mut server = Server::open();
    let api = server.nobody();
    let chat = Chat::begin(&api);
    let reply = chat.say(&json!({"user_message": "sick from 2 to 4 March 2027"}));
    let tags =
        |server: &Server| server.sandbox.tags().iter().filter(|tag| *tag == "decision:drafted").count();
    assert_eq!(tags(&server), 1);
    chat.say(&json!({"user_message": ""}));
    assert_eq!(tags(&server), 1, "nothing new was said");
    let id = chat.id.clone();
    server.stop();
    server.run();
    let api = server.nobody();
    let chat = Chat { api: &api, id };
    let again = chat.say(&json!({"user_message": ""}));
    assert_eq!(again["decision_id"], reply["decision_id"]);
    assert_eq!(again["action"]["field_id"], "reason", "{again}");
}

/// It can be finished in another place.
#[test]
fn another_door_finishes_it() {
    let server = Server::open();
    let api = server.nobody();
    let chat = Chat::begin(&api);
    let reply = chat.say(&json!({"user_message": "annual from 2 to 4 March 2027 because of a trip"}));
    let decision = reply["decision_id"].as_str().unwrap();
    let values = &reply["action"]["data"];
    api.post(&format!("/v1/decisions/{decision}/answer"), &json!({"values": values})).is(200);
    assert_eq!(chat.say(&json!({"user_message": "hello"}))["submitted"], true);
}

/// Typed answers are strict, texts are read.
#[test]
fn typed_and_said() {
    let server = Server::open();
    let api = server.nobody();
    let chat = Chat::begin(&api);
    let reply = chat.say(&json!({"answers": {"leave_type": "sick"}}));
    assert_eq!((&reply["action"]["action"], &reply["answers"]), (&json!("ASK_DROPDOWN"), &json!({})));
    chat.say(&json!({"user_message": "sick from 2 to 4 March 2027 because of a cold"}));
    let reply = chat.say(&json!({"user_message": []}));
    assert_eq!(reply["action"]["action"], "ASK_CHECKBOX", "{reply}");
    let reply = chat.say(&json!({"user_message": ["Yes"]}));
    assert_eq!(reply["action"]["data"]["medical_certificate"], json!(["Yes"]));
}

#[test]
fn tools_are_called_and_their_options_kept() {
    let server = Server::open();
    let api = server.nobody();
    let ask = |more: Value| {
        let mut body = json!({"form_context_md": change(), "user_message": "", "conversation_id": "c 1"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        api.post("/api/chat", &body).is(200).json()
    };
    let reply = ask(json!({"user_message": "staging in Europe"}));
    assert_eq!((&reply["action"]["action"], &reply["conversation_id"]), (&json!("TOOL_CALL"), &json!("c 1")));
    let results = json!([{"tool_name": "list_services", "result": {"services": ["Billing", "Search"]}}]);
    let reply = ask(json!({"tool_results": results}));
    assert_eq!(reply["action"]["options"], json!(["Billing", "Search"]), "{reply}");
    let reply = ask(json!({"user_message": "billing"}));
    assert_eq!(reply["answers"]["service"], "Billing");
    assert!(reply["action"]["text"].as_str().unwrap().contains("Step 1 of 2"), "{reply}");
}

/// Rows H1, H2, H4, H6 to H8 and H10.
#[test]
fn what_is_wrong_is_a_problem() {
    let server = Server::open();
    let api = server.nobody();
    let health = api.get("/api/health").is(200).json();
    assert_eq!(health, json!({"status": "healthy", "active_sessions": 0}));
    api.post("/api/chat", &json!({})).is(422);
    api.post("/api/chat", &json!({"user_message": ""})).is(422);
    api.post("/api/chat", &json!({"form_schema": {"form_id": "t"}, "user_message": ""}))
        .refuses(400, "invalid_form");
    api.post("/api/chat", &json!({"form_context_md": " ", "user_message": ""})).refuses(400, "invalid_form");
    let given = |id: &str| json!({"form_schema": leave(), "user_message": "", "conversation_id": id});
    // The second looks like the id of a decision.
    for id in ["mine", "abcdef123456"] {
        assert_eq!(api.post("/api/chat", &given(id)).is(200).json()["conversation_id"], id);
        let more = json!({"user_message": "sick", "conversation_id": id});
        assert_eq!(api.post("/api/chat", &more).is(200).json()["answers"]["leave_type"], "Sick");
    }
    let blank = json!({"form_context_md": "", "user_message": "x", "conversation_id": "mine"});
    api.post("/api/chat", &blank).refuses(400, "invalid_form");
    assert_eq!(api.get("/api/health").json()["active_sessions"], 2);
    let reset = |id: &str| api.post("/api/sessions/reset", &json!({"conversation_id": id})).is(200).json();
    assert_eq!(reset("nobody's")["success"], false);
    assert_eq!(reset("mine")["success"], true);
    assert_eq!(reset("mine")["success"], false);
    assert_eq!(reset("abcdef123456")["success"], true);
    assert_eq!(api.post("/api/chat", &given("mine")).is(200).json()["answers"], json!({}));
    api.get("/api/schemas/nonexistent").is(404);
    api.get("/api/schemas/..%2Fconfig.toml").is(404);
    let valid = |form: Value| api.post("/api/validate-schema", &json!({"form_schema": form})).is(200).json();
    assert_eq!(valid(leave()), json!({"valid": true, "errors": []}));
    assert_eq!(valid(json!({"form_id": "t"})), json!({"valid": false, "errors": ["fields: Field required"]}));
    api.post("/api/validate-schema", &json!({})).is(422);
}

#[test]
fn forms_lie_in_a_folder() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home().join("forms")).unwrap();
    std::fs::write(sandbox.home().join("forms/leave.json"), leave().to_string()).unwrap();
    std::fs::write(sandbox.home().join("forms/change.md"), change()).unwrap();
    std::fs::write(sandbox.home().join("forms/broken.md"), "---\n").unwrap();
    let server = Server::on(sandbox, &["--no-auth"]);
    let api = server.nobody();
    let listed = api.get("/api/schemas").is(200).json();
    let names: Vec<&str> =
        listed["schemas"].as_array().unwrap().iter().map(|form| form["filename"].as_str().unwrap()).collect();
    assert_eq!(names, ["broken.md", "change.md", "leave.json"]);
    assert_eq!(listed["schemas"][2]["field_count"], 7);
    assert!(listed["schemas"][0]["error"].is_string());
    assert_eq!(api.get("/api/schemas/leave.json").is(200).json(), leave());
    assert_eq!(api.get("/api/schemas/change.md").is(200).json()["content"], change());
}

/// What nobody was asked for by name is in nobody's inbox, and goes when it lies idle.
#[test]
fn conversations_stay_to_themselves() {
    let sandbox = Sandbox::new();
    sandbox.settings("[forms]\nidle = \"1ms\"\n");
    let server = Server::on(sandbox, &["--no-auth"]);
    let api = server.nobody();
    let chat = Chat::begin(&api);
    assert_eq!(server.sandbox.json(&["list", "--json"]), json!([]));
    assert!(api.get("/").is(200).body.contains("Nothing is waiting for you"));
    let listed = server.sandbox.json(&["list", "--source", "form", "--json"]);
    let first = listed[0]["id"].as_str().unwrap().to_owned();
    // The clock has moved on by the time of another request.
    let reply = chat.say(&json!({"user_message": ""}));
    assert_ne!(reply["decision_id"], json!(first));
    let ended = api.decision(&first).json();
    assert_eq!(ended["status"], "cancelled", "{ended}");
}

/// However many there are, what an agent asks is listed, and no more are said to be there than are shown.
#[test]
fn conversations_hide_nothing() {
    let server = Server::on(Sandbox::new(), &["--no-auth"]);
    let api = server.nobody();
    (0..5).for_each(|_| drop(Chat::begin(&api)));
    let asked = server.sandbox.ask_a_or_b();
    let listed = |limit: &str| server.sandbox.run(&["list", "--limit", limit]).exits(0);
    for limit in ["1", "2", "50"] {
        let ran = listed(limit);
        assert!(ran.out.contains(&asked[..6]) && !ran.err.contains("There are more"), "{ran}");
    }
    Chat::begin(&api);
    server.sandbox.ask_a_or_b();
    assert!(listed("1").err.contains("There are more"), "{}", listed("1"));
    assert!(api.get("/").is(200).body.contains(&asked));
}

/// A caller that fills a form in with a token can send it with the same token; an agent's token fills in nothing.
#[test]
fn people_fill_in_forms_and_agents_do_not() {
    let server = Server::start();
    let person = server.token("ana", "person", &[]);
    let chat = Chat::begin(&person);
    let reply =
        chat.say(&json!({"user_message": "annual from 2 to 4 March 2027 because of a trip", "submit": true}));
    assert_eq!(reply["submitted"], true, "{reply}");
    let decision = person.decision(reply["decision_id"].as_str().unwrap()).json();
    assert_eq!((&decision["answer"]["by"], &decision["answer"]["auth"]), (&json!("ana"), &json!("token")));
    let agent = server.token("robot", "agent", &[]);
    agent.post("/api/chat", &json!({"form_schema": leave(), "user_message": ""})).refuses(403, "forbidden");
    server.nobody().post("/api/chat", &json!({"form_schema": leave(), "user_message": ""})).is(401);
}
