//! What happens while nobody answers, stand-ins and simulation, through the binary: kills and restarts, words on the card, and
//! nothing written by looking.

use serde_json::{Value, json};

use crate::browser::{choice, served};
use crate::server::{Api, Server, question_with};

/// A server on which some people are known, and an agent whom ana owns.
fn scene() -> (Server, Api) {
    let server = Server::start();
    for name in ["ana", "ben", "cem"] {
        server.sandbox.ok(&["person", "add", name]);
    }
    server.sandbox.ok(&["group", "add", "oncall", "ben", "cem"]);
    let new = json!({"name": "ci", "role": "agent", "owner": "ana"});
    let made = server.local().post("/v1/tokens", &new).is(201).json();
    let ci = server.nobody().bearing(made["secret"].as_str().unwrap());
    (server, ci)
}

fn tags_of(server: &Server, start: &str) -> Vec<String> {
    server.sandbox.tags().into_iter().filter(|tag| tag.starts_with(start)).collect()
}

#[test]
fn a_step_is_taken_once_though_the_server_is_killed_before_it() {
    let (mut server, ci) = scene();
    let steps = json!([{"after": "1s", "tell": ["group:oncall"]}, {"after": "1s500ms", "assign": ["ana"]}]);
    let asked = question_with(&json!({"escalation": steps, "timeout": "4s"}));
    let id = ci.post("/v1/decisions", &asked).is(201).id();
    server.kill();
    server.run();
    let ended = server.local().get(&format!("/v1/decisions/{id}/wait?timeout=30s")).is(200).json();
    assert_eq!((&ended["status"], &ended["assignees"]), (&json!("timed_out"), &json!(["ana"])));
    assert_eq!(ended["escalation"]["open"], true, "nobody was asked in particular: {ended}");
    let tags = tags_of(&server, "decision:");
    let expected = ["decision:created", "decision:escalated", "decision:escalated", "decision:expired"];
    assert_eq!(tags, expected);
    let shown = server.sandbox.json(&["escalation", "show", &id, "--json"]);
    let done: Vec<&Value> = shown["items"].as_array().unwrap().iter().map(|item| &item["people"]).collect();
    assert_eq!(done, [&json!(["ben", "cem"]), &json!(["ana"])]);
    server.sandbox.is_well();
}

#[test]
fn nobody_is_told_who_is_not_known() {
    let (_server, ci) = scene();
    for who in [json!({"tell": ["dan"]}), json!({"assign": ["dan"]}), json!({"tell": ["ben", "group:night"]})]
    {
        let mut step = who.clone();
        step["after"] = json!("10m");
        let refused = ci.post("/v1/decisions", &question_with(&json!({"escalation": [step]}))).is(422).json();
        assert!(refused.to_string().contains("is not known"), "{who}: {refused}");
    }
}

#[test]
fn the_card_and_the_command_say_what_comes_next() {
    let (server, ci) = scene();
    let sandbox = &server.sandbox;
    sandbox.ok(&["policy", "add", "--escalate", "after=10m tell=group:oncall every=30m times=2"]);
    let asked = ci.post("/v1/decisions", &question_with(&json!({}))).is(201).json();
    let (id, next) = (asked["id"].as_str().unwrap(), asked["escalation"]["next_at"].as_str().unwrap());
    let words = format!("{} UTC oncall is told, unless somebody answers before.", &next[11..16]);
    let card = sandbox.ok(&["show", id]);
    assert!(card.contains(&words), "{words}: {card}");
    let shown = sandbox.ok(&["escalation", "show", id]);
    assert!(
        shown.contains(next) && shown.contains("oncall is told again") && shown.contains("ben, cem"),
        "{shown}"
    );
    // Who is in a group is not for an agent to see.
    let seen = ci.get(&format!("/v1/decisions/{id}/escalation")).is(200).json();
    assert_eq!((seen["items"].as_array().unwrap().len(), &seen["items"][0]["people"]), (3, &json!([])));
    sandbox.ok(&["take", id]);
    let paused = sandbox.json(&["escalation", "show", id, "--json"]);
    assert!(
        paused["paused_until"].is_string() && paused["items"][0]["at"].as_str().unwrap() > next,
        "{paused}"
    );
    let listed = sandbox.ok(&["policy", "list"]);
    assert!(
        listed.contains("every ask: after 10m oncall is told, again every 30m at most 2 times"),
        "{listed}"
    );
    for (step, reason) in [
        ("after=10m", "does nothing"),
        ("tell=ana", "after must be"),
        ("after=10m tell=zoe", "is not known"),
        ("after=10m tell=group:none", "is not known"),
        ("after=10m settle=yes", "not understood"),
    ] {
        let ran = sandbox.run(&["policy", "add", "--escalate", step]);
        assert!(ran.code != 0 && ran.err.contains(reason), "{step}: {ran}");
    }
}

#[test]
fn who_is_away_is_stood_in_for_and_circles_are_refused() {
    let (server, ci) = scene();
    let sandbox = &server.sandbox;
    let [ana, ben] = ["ana", "ben"].map(|name| server.token(name, "person", &[]));
    let away = json!({"stand_in": "ben", "until": "2090-01-01T00:00:00Z"});
    ben.send("PUT", "/v1/absences/ana", Some(&away)).refuses(403, "forbidden");
    ci.send("PUT", "/v1/absences/ana", Some(&away)).refuses(403, "forbidden");
    ana.send("PUT", "/v1/absences/ana", Some(&away)).refuses(422, "invalid");
    sandbox.ok(&["absence", "add", "ana", "--stand-in", "ben", "--for", "14d"]);
    sandbox.refuses(&["absence", "add", "ben", "--stand-in", "ana", "--for", "1d"], 1, &["circle"]);
    sandbox.refuses(&["absence", "add", "ben", "--stand-in", "zoe", "--for", "1d"], 1, &["is not known"]);
    let asked = ci.post("/v1/decisions", &question_with(&json!({"assignees": ["ana"]}))).is(201).json();
    let path = format!("/v1/decisions/{}/answer", asked["id"].as_str().unwrap());
    let answered = ben.post(&path, &json!({"choice": "a"})).is(200).json();
    assert_eq!((&answered["answer"]["by"], &answered["answer"]["for"]), (&json!("ben"), &json!("ana")));
    assert!(sandbox.ok(&["absence", "list"]).contains("ben"));
    ana.send("DELETE", "/v1/absences/ana", None).is(200);
    assert!(sandbox.json(&["absence", "list", "--json"]).as_array().unwrap().is_empty());
    sandbox.is_well();
}

#[test]
fn a_vote_goes_with_the_person_and_the_card_says_so() {
    let (server, ci) = scene();
    let ben = server.token("ben", "person", &[]);
    let asked = ci.post("/v1/decisions", &question_with(&json!({"needs": {"approvals": 2}}))).is(201).json();
    let path = format!("/v1/decisions/{}/answer", asked["id"].as_str().unwrap());
    ben.post(&path, &json!({"choice": "a"})).is(200);
    server.sandbox.ok(&["person", "remove", "ben"]);
    let shown = server.sandbox.show(asked["id"].as_str().unwrap());
    assert_eq!(shown["votes"], Value::Null);
    server.sandbox.ok(&["person", "add", "ben"]);
    ben.post(&path, &json!({"choice": "a"})).refuses(403, "forbidden");
    server.sandbox.is_well();
}

#[test]
fn simulation_says_what_would_have_been_and_writes_nothing() {
    let (server, ci) = scene();
    let sandbox = &server.sandbox;
    let ana = server.token("ana", "person", &[]);
    let deploy = json!({"title": "Deploy?", "subject": {"tool": "Bash", "input": {"command": "make deploy"}},
        "fields": [{"id": "choice", "kind": "confirm", "options": [{"id": "approve", "label": "Approve"},
            {"id": "deny", "label": "Deny", "refuses": true}]}]});
    let first = ci.post("/v1/decisions", &deploy).is(201).json();
    let path = format!("/v1/decisions/{}/answer", first["id"].as_str().unwrap());
    ana.post(&path, &json!({"choice": "approve", "digest": first["digest"]})).is(200);
    let mut tests = deploy.clone();
    tests["subject"]["input"] = json!({"command": "rm -rf /srv"});
    ci.post("/v1/decisions", &tests).is(201);
    let before = sandbox.tags().len();
    let file = sandbox.file(
        "new.toml",
        r#"
[[rule]]
then = "refuse"
when = { asked_by = "ci", command = { words = ["rm", "-rf", "/srv"] } }

[[policy]]
when = { source = "approval" }
needs = { approvals = 2, from = ["group:oncall", "ana"] }
escalation = [{ after = "10m", tell = ["group:oncall"] }]
"#,
    );
    let said = sandbox.ok(&["policy", "simulate", "--since", "30d", "--with", &file]);
    for words in [
        "Of 2 asks: 1 answered by rules",
        "refuse by rule 1 of the file",
        "waits: 1 of 2: ana",
        "approve by ana",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let found = sandbox.json(&["policy", "simulate", "--with", &file, "--json"]);
    assert_eq!((&found["tried"], &found["by_rules"], &found["waiting"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!(sandbox.tags().len(), before, "nothing is written");
    let now = sandbox.json(&["policy", "simulate", "--json"]);
    assert_eq!((&now["same"], &now["waiting"], &now["items"]), (&json!(1), &json!(1), &json!([])));
    ci.post("/v1/policies/simulate", &json!({})).refuses(403, "forbidden");
    ana.post("/v1/policies/simulate", &json!({})).refuses(403, "forbidden");
    for (text, reason) in [
        ("[[policy]]\nwhen = {}\n", "demands nothing"),
        ("[[rule]]\nthen = \"allow\"\n", "when"),
        ("[[plicy]]\n", "unknown field"),
        ("[[policy", "TOML"),
        // What is refused where it is made would show nothing.
        (
            "[[policy]]\nwhen = {tool = \"x\"}\nneeds = {approvals = 1, from = [\"group:nope\"]}\n",
            "is not known",
        ),
        ("[[policy]]\nwhen = {tool = \"x\"}\nneeds = {approvals = 9, from = [\"group:oncall\"]}\n", "9"),
        ("[[policy]]\nproject = \"other\"\nwhen = {tool = \"x\"}\nneeds_person = true\n", "another project"),
    ] {
        let ran = sandbox.run(&["policy", "simulate", "--with", &sandbox.file("bad.toml", text)]);
        assert!(ran.code != 0 && ran.err.contains(reason), "{text}: {ran}");
    }
}

#[test]
fn the_page_says_what_comes_next() {
    served(|_, server| {
        let mut ana = server.browser();
        ana.sign_in("ana");
        let mut asked = choice();
        asked["escalation"] = json!([{"after": "10m", "tell": ["ben"]}]);
        let id = server.ask(&asked);
        ana.get(&format!("/d/{id}")).is(200).shows("UTC ben is told, unless somebody answers before.");
    });
}
