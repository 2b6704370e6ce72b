//! A form that was filled in somewhere is sent, told what it lacks, and has its lists looked up, at every door.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::Server;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/forms");

fn form(name: &str) -> String {
    std::fs::read_to_string(format!("{EXAMPLES}/{name}")).unwrap()
}

fn say(server: &Server, id: &str, more: &Value) -> Value {
    let form: Value = serde_json::from_str(&form("leave_request.json")).unwrap();
    let mut body = json!({"form_schema": form, "user_message": "", "conversation_id": id});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.nobody().post("/api/chat", &body).is(200).json()
}

/// `hold answer` settles a form whose draft is complete, with what was said in conversation.
#[test]
fn hold_answer_sends_a_complete_draft() {
    let server = Server::open();
    let reply =
        say(&server, "a", &json!({"user_message": "annual from 2 to 4 March 2027 because of a trip"}));
    assert_eq!(reply["action"]["action"], "FORM_COMPLETE");
    let id = reply["decision_id"].as_str().unwrap();
    let answered = server.sandbox.json(&["answer", id, "--json"]);
    assert_eq!(
        (&answered["status"], &answered["answer"]["values"]),
        (&json!("answered"), &reply["action"]["data"])
    );
}

/// What is missing is told; `--set` adds it to the draft or changes it.
#[test]
fn hold_answer_adds_to_a_draft() {
    let server = Server::open();
    let reply = say(&server, "a", &json!({"user_message": "annual from 2 to 4 March 2027"}));
    let id = reply["decision_id"].as_str().unwrap();
    server.sandbox.refuses(&["answer", id], 1, &["reason"]);
    let answered = server.sandbox.json(&[
        "answer",
        id,
        "--set",
        "reason=a trip",
        "--set",
        "end_date=2027-03-05",
        "--json",
    ]);
    let values = &answered["answer"]["values"];
    assert_eq!(
        (&values["leave_type"], &values["reason"], &values["end_date"]),
        (&json!("Annual"), &json!("a trip"), &json!("2027-03-05"))
    );
}

/// Sending what is not complete says why it was not sent.
#[test]
fn a_send_that_comes_too_early_says_why() {
    let server = Server::open();
    let reply = say(&server, "a", &json!({"user_message": "annual from 2 March 2027", "submit": true}));
    assert_eq!((&reply["submitted"], &reply["action"]["action"]), (&json!(false), &json!("ASK_DATE")));
    let message = reply["action"]["message"].as_str().unwrap();
    assert!(message.contains("not sent yet") && message.contains("end date, reason"), "{message}");
}

/// After a restart a step that was agreed to is not summed up again once the next one has been begun.
#[test]
fn steps_are_kept_over_a_restart() {
    let mut server = Server::open();
    let talk = |server: &Server, more: &Value| {
        let mut body =
            json!({"form_context_md": form("change_request.md"), "user_message": "", "conversation_id": "c"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.nobody().post("/api/chat", &body).is(200).json()
    };
    talk(&server, &json!({"user_message": "staging in Europe"}));
    let results = json!([{"tool_name": "list_services", "result": {"services": ["Billing"]}}]);
    talk(&server, &json!({"tool_results": results}));
    talk(&server, &json!({"user_message": "Billing"}));
    talk(&server, &json!({"user_message": "yes"}));
    talk(&server, &json!({"user_message": "1 March 2027 at 10:00"}));
    server.stop();
    server.run();
    let reply = talk(&server, &json!({"user_message": "45 minutes"}));
    assert_eq!(
        (&reply["action"]["field_id"], &reply["answers"]["duration"]),
        (&json!("downtime"), &json!(45)),
        "{reply}"
    );
}

/// At the terminal a command stands in for a tool of the form.
#[test]
fn a_command_is_a_tool_at_the_terminal() {
    let sandbox = Sandbox::new();
    let file = format!("{EXAMPLES}/change_request.md");
    let said =
        "staging in Europe\nbilling\nyes\n1 March 2027 at 10:00, 45 minutes, no downtime, low risk\n\n";
    let tool = "list_services=printf 'Billing\\nSearch\\n'";
    let ran = sandbox.run_with(&["form", "fill", &file, "--tool", tool], said).exits(0).says("Search");
    assert_eq!(ran.json()["service"], "Billing");
    sandbox.settings("[forms.tools]\nlist_services = \"echo '{\\\"services\\\": [\\\"Search\\\"]}'\"\n");
    let said = said.replace("billing", "search");
    let ran = sandbox.run_with(&["form", "fill", &file], &said).exits(0);
    assert_eq!(ran.json()["service"], "Search");
    sandbox.refuses(&["form", "fill", &file, "--tool", "nothing"], 2, &["--tool takes NAME=COMMAND"]);
}

/// Without one it says that the list comes from a tool that is not here, and lets the person type.
#[test]
fn a_tool_that_is_not_here_is_said_to_be_missing() {
    let sandbox = Sandbox::new();
    let file = format!("{EXAMPLES}/change_request.md");
    let said =
        "staging in Europe\nBilling\nyes\n1 March 2027 at 10:00, 45 minutes, no downtime, low risk\n\n";
    let ran = sandbox
        .run_with(&["form", "fill", &file], said)
        .exits(0)
        .says("the list comes from the tool \"list_services\", which is not available here")
        .says("in your own words");
    assert_eq!(ran.json()["service"], json!({"text": "Billing"}));
}
