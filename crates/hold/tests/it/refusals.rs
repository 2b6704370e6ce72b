//! A no never lets a deploy go on, whatever it is called, and a confirmation can always be declined.

use serde_json::{Value, json};

use crate::browser::served;
use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use crate::talking::Talking;

/// Asks, has someone answer, and returns how the asking ended.
fn outcome(options: &[&str], choice: &str) -> i32 {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&[&["ask", "Deploy?"], options].concat());
    let id = agent.holding();
    sandbox.ok(&["answer", &id, choice]);
    agent.end().code
}

#[test]
fn a_no_by_any_of_its_names_exits_8() {
    for kind in [&["--kind", "confirm"][..], &[]] {
        let ask = |options: &[&'static str]| [kind, options].concat();
        assert_eq!(outcome(&ask(&["-o", "y:Yes", "-o", "n:No"]), "n"), 8);
        assert_eq!(outcome(&ask(&["-o", "y:Yes", "-o", "n:No"]), "y"), 0);
        assert_eq!(outcome(&ask(&["-o", "a:Go", "-o", "b:Decline"]), "b"), 8);
        assert_eq!(outcome(&ask(&["-o", "y:Yes", "-o", "x:No thanks"]), "x"), 8);
        assert_eq!(outcome(&ask(&["-o", "go:Go", "-o", "stop!:Stop the line"]), "stop"), 8);
        assert_eq!(outcome(&ask(&["-o", "go:Go", "-o", "stop!:Stop the line"]), "go"), 0);
    }
    assert_eq!(outcome(&["-o", "Ship it!", "-o", "Wait"], "Ship it!"), 0, "a label may end so");
}

#[test]
fn where_labels_leave_it_open_cards_say_which_option_is_the_yes() {
    served(|sandbox, server| {
        let ask = |keep: &str, stop: &str| {
            let options =
                json!([{"id": "keep", "label": keep, "refuses": true}, {"id": "stop", "label": stop}]);
            let field = json!({"id": "c", "kind": "choice", "options": options});
            server.ask(&json!({"prompt": "Line?", "subject": "stop", "fields": [field]}))
        };
        let mut ana = server.browser();
        ana.sign_in("ana");
        let id = ask("Keep going", "Refuse parts");
        ana.get(&format!("/d/{id}")).is(200).shows(">refuses<").shows(">counts as yes<");
        let shown = sandbox.ok(&["show", &id]);
        let said = shown.contains("Keep going (refuses)") && shown.contains("Refuse parts (counts as yes)");
        assert!(said, "{shown}");
        // The other one of two is the yes, and may be called anything.
        for (no, yes) in [("No", "Reject it"), ("No, delete it", "Keep everything")] {
            let id = ask(no, yes);
            ana.get(&format!("/d/{id}")).is(200).lacks("No option here refuses").shows(">counts as yes<");
            let shown = sandbox.ok(&["show", &id]);
            let marked = shown.contains(&format!("{no} (refuses)"))
                && shown.contains(&format!("{yes} (counts as yes)"));
            assert!(marked, "{shown}");
        }
        for yes in ["Yes, stop", "Allow once", "Always allow.", "Approve for this session"] {
            let id = ask("No", yes);
            ana.get(&format!("/d/{id}")).is(200).lacks(">refuses<").lacks(">counts as yes<");
        }
        // What says more than for how long is no plain yes.
        for yes in ["Once", "Allow nothing", "Do not allow once", "Always"] {
            ana.get(&format!("/d/{}", ask("No", yes))).is(200).shows(">counts as yes<");
        }
    });
}

#[test]
fn where_nothing_refuses_or_several_might_cards_say_what_is_a_yes() {
    served(|sandbox, server| {
        let ask = |fields: &Value| server.ask(&json!({"prompt": "q", "subject": "x", "fields": fields}));
        let choice = |labels: &[&str]| {
            let option = |(at, label): (usize, &&str)| json!({"id": format!("o{at}"), "label": label});
            let options: Vec<Value> = labels.iter().enumerate().map(option).collect();
            json!([{"id": "s", "kind": "choice", "options": options}])
        };
        let shown = |id: &str| sandbox.ok(&["show", id]);
        let only_no = shown(&ask(&choice(&["Stop, do not run this", "Cancel"])));
        assert_eq!(only_no.matches("(counts as yes)").count(), 2, "{only_no}");
        assert!(
            only_no.contains("No option here refuses: whatever is answered counts as a yes."),
            "{only_no}"
        );
        let later = shown(&ask(&choice(&["Yes", "No", "Ask me later"])));
        assert!(later.contains("Ask me later (counts as yes)"), "{later}");
        assert_eq!(later.matches("counts as").count(), 1, "{later}");
        let env = json!([{"id": "env", "kind": "choice", "options": [{"id": "prod"}]},
                         {"id": "ok", "kind": "boolean", "label": "Do you approve?"}]);
        let id = ask(&env);
        assert!(!shown(&id).contains("No option here refuses"), "a false is a no: {}", shown(&id));
        let id = ask(&choice(&["Stop, do not run this", "Cancel"]));
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get(&format!("/d/{id}")).is(200).shows("No option here refuses");
    });
}

#[test]
fn a_confirmation_without_a_no_is_refused_with_how_to_mark_one() {
    let sandbox = Sandbox::new();
    let ask = ["ask", "Deploy?", "--kind", "confirm", "--no-wait", "-o", "go:Go", "-o", "stop:Stop"];
    sandbox.refuses(&ask, 1, &["needs an option that refuses", "-o 'ID!:LABEL'"]);
    let server = Server::open();
    let new = |options: serde_json::Value| json!({"prompt": "Deploy?", "fields": [{"id": "c", "kind": "confirm", "options": options}]});
    let api = server.nobody();
    let problem =
        api.post("/v1/decisions", &new(json!([{"id": "go"}, {"id": "stop"}]))).refuses(422, "invalid");
    assert!(problem["errors"][0]["message"].as_str().unwrap().contains("\"refuses\": true"), "{problem}");
    let made =
        api.post("/v1/decisions", &new(json!([{"id": "go"}, {"id": "x", "label": "Reject"}]))).is(201).json();
    at(&made, "/fields/0/options/1/refuses", true);
    let mut agent = Talking::legacy(&sandbox, &[]);
    let without =
        json!({"prompt": "Deploy?", "kind": "confirm", "options": ["go:Go", "stop:Stop"], "wait": "0s"});
    assert!(agent.fails("ask", &without).contains("needs an option that refuses"));
}

#[test]
fn a_foreign_confirmation_can_be_declined() {
    let sandbox = Sandbox::new();
    let request = json!({"$schema": "https://aitp.dev/v1/decisions/schema.json", "request_decision": {
        "id": "r1", "title": "Sure?", "description": "Eat all cookies?", "type": "confirmation",
        "options": [{"id": "1", "name": "Yes, eat the cookies"}, {"id": "2", "name": "No"},
            {"id": "3", "name": "No, that's not healthy"}, {"id": "4", "name": "Something else"}]}});
    let id = sandbox.run_with(&["aitp", "ask", "-", "--no-wait"], request.to_string()).exits(0).out;
    let id = id.trim();
    let decision = sandbox.show(id);
    at(&decision, "/outs/0/id", "decline");
    let card = sandbox.ok(&["show", id]);
    assert!(card.contains("not healthy") && !card.contains("counts as"), "{card}");
    assert!(
        decision["fields"][0]["options"][1].get("refuses").is_none(),
        "what it calls no may mean anything"
    );
    sandbox.ok(&["answer", id, "decline"]);
    sandbox.run(&["wait", id]).exits(8);
    assert_eq!(sandbox.run(&["aitp", "reply", id]).exits(8).out.trim(), "Not answered: Decline.");
}
