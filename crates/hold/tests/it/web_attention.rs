//! Taking a decision and snoozing it, through the pages, the commands and HTTP of a real server.

use serde_json::{Value, json};

use crate::browser::{choice, served};

#[test]
fn one_person_snoozes_what_others_still_see() {
    served(|_, server| {
        let id = server.ask(&choice());
        let (mut ana, mut ben) = (server.browser(), server.browser());
        ana.sign_in("ana");
        ben.sign_in("ben");
        let csrf = ana.get(&format!("/d/{id}")).is(200).shows("Snooze").csrf();
        ana.send(&format!("/d/{id}/snooze"), &[("csrf", &csrf), ("for", "1h")]).is(303);
        // With and without script, and for those who share a list.
        for _ in 0..2 {
            ana.get("/").is(200).shows("Nothing is waiting for you").shows("1 snoozed").lacks("Which cache?");
            ana.get("/rows").is(200).shows("1 snoozed").lacks("Which cache?");
            ben.get("/rows").is(200).shows("Which cache?").lacks("snoozed");
        }
        ana.get("/?snoozed=true").is(200).shows("Which cache?");
        assert_eq!(ana.get("/next").is(303).header("location"), "/?");
        ben.get(&format!("/d/{id}")).is(200).shows("ana snoozed it.");
        server.api("PATCH", &format!("/v1/decisions/{id}"), &json!({"prompt": "Which cache now?"}));
        ana.get("/").is(200).shows("Which cache now?");
    });
}

#[test]
fn who_is_on_it_is_seen_by_others_and_keeps_nobody_from_answering() {
    served(|_, server| {
        let id = server.ask(&choice());
        let (mut ana, mut ben) = (server.browser(), server.browser());
        ana.sign_in("ana");
        ben.sign_in("ben");
        let csrf = ana.get(&format!("/d/{id}")).csrf();
        ben.send(&format!("/d/{id}/take"), &[("csrf", &csrf)]).is(403);
        ana.send(&format!("/d/{id}/take"), &[("csrf", &csrf)]).is(303);
        ana.get(&format!("/d/{id}")).is(200).shows("You are on it");
        ben.get("/").is(200).shows("ana is on it");
        ben.fill(&format!("/d/{id}"), &[("v:choice", "redis")]).is(303);
        assert_eq!(server.decision(&id)["answer"]["by"], "ben");
    });
}

#[test]
fn commands_and_http_do_the_same() {
    served(|sandbox, server| {
        let id = server.ask(&choice());
        let taken = server.api("PUT", &format!("/v1/decisions/{id}/take"), &json!({}));
        let me = taken["taken"]["by"].as_str().unwrap().to_owned();
        assert_eq!(
            server.api("DELETE", &format!("/v1/decisions/{id}/take"), &Value::Null)["taken"],
            Value::Null
        );
        let said = sandbox.ok(&["take", &id]);
        assert!(said.starts_with("You are on it until "), "{said}");
        let said = sandbox.ok(&["snooze", &id, "2h"]);
        assert_eq!(said.trim_end(), format!("Snoozed {id} for 2 h"));
        assert!(server.decision(&id)["snoozed"][&me].is_string());
        sandbox.ok(&["snooze", &id, "--end"]);
        assert_eq!(server.decision(&id)["snoozed"], Value::Null);
    });
}

#[test]
fn an_agent_has_a_page_of_its_own() {
    served(|_, server| {
        let id = server.ask(&choice());
        let mut other = choice();
        (other["prompt"], other["requested_by"]) = ("Another?".into(), "agent 8/ä".into());
        server.ask(&other);
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get(&format!("/d/{id}")).is(200).shows("href=\"/agents/agent-7\"");
        ana.fill(&format!("/d/{id}"), &[("v:choice", "redis")]).is(303);
        let page = ana.get("/agents/agent-7").is(200).shows("Which cache?").shows("Use Redis");
        page.shows("by ana").lacks("Another?").lacks(" bad\"");
        let call = json!({"source": "approval", "prompt": "Run it?", "requested_by": "agent-9", "subject": {"command": "ls"},
            "fields": [{"id": "go", "kind": "confirm", "label": "Run it?", "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "refuses": true}]}]});
        let refused = server.ask(&call);
        ana.fill(&format!("/d/{refused}"), &[("v:go", "no")]).is(303);
        for address in ["/agents/agent-9", "/history"] {
            ana.get(address)
                .is(200)
                .shows("<span class=\"tag st-answered bad\" dir=\"auto\">No</span>")
                .shows("agent-9");
        }
        ana.get("/agents/agent%208%2F%C3%A4").is(200).shows("Another?").shows("Waiting for an answer");
        ana.get("/agents/nobody").is(404).shows("No agent nobody that you can see");
        assert_eq!(
            server.browser().get("/agents/agent-7").is(303).header("location"),
            "/sign-in?next=%2Fagents%2Fagent-7"
        );
    });
}

#[test]
fn insights_tell_who_waited_and_who_answered() {
    served(|sandbox, server| {
        let (first, second) = (server.ask(&choice()), server.ask(&choice()));
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.fill(&format!("/d/{first}"), &[("v:choice", "redis"), ("alone", "true")]).is(303);
        let page = ana.get("/insights?days=30").is(200);
        page.shows("<th scope=\"row\" dir=\"auto\">ana</th><td>1</td>").shows("agent-7").shows("As a table");
        let told: Value = serde_json::from_str(&sandbox.ok(&["stats", "--json", "--days", "90"])).unwrap();
        assert_eq!((&told["answered"], &told["days"]), (&json!(1), &json!(90)), "{told}");
        assert_eq!(told["people"][0]["name"], "ana");
        assert_eq!(
            (&told["blocked"][0]["agent"], &told["blocked"][0]["waiting"]),
            (&json!("\"agent-7\""), &json!(1))
        );
        assert_eq!(told["per_day"].as_array().unwrap().len(), 90);
        assert!(sandbox.ok(&["stats"]).contains("1 answered"));
        assert_ne!(first, second);
    });
}
