//! What waits when a rule is made: offered as one batch, answered by a person, and never by the rule.

use serde_json::{Value, json};

use crate::browser::{Browser, Served};
use crate::rules::{approval, ask, cargo_test};
use crate::sandbox::Sandbox;
use crate::server::{Api, Server};

fn ids(items: &Value) -> Vec<String> {
    items.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

fn id(asked: &Value) -> String {
    asked["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_waits_is_named_with_the_rule_and_answered_by_its_author() {
    let server = Server::start();
    let (ana, coder) = (server.token("ana", "person", &[]), server.token("coder", "agent", &[]));
    let other = server.token("other", "agent", &[]);
    let fitting = [ask(&coder, "cargo test core"), ask(&coder, "cargo test store")];
    ask(&coder, "cargo test && rm -rf /");
    ask(&other, "cargo test core");
    let mut urgent = approval("cargo test");
    urgent["priority"] = json!("urgent");
    coder.post("/v1/decisions", &urgent).is(201);

    let made = ana.post("/v1/rules", &cargo_test()).is(201).json();
    let expected: Vec<String> = fitting.iter().map(id).collect();
    assert_eq!(ids(&made["waiting"]), expected);
    let path = format!("/v1/rules/{}/waiting", made["id"].as_str().unwrap());
    let listed = ana.get(&path).is(200).json();
    assert_eq!(listed["items"], made["waiting"]);
    coder.get(&path).refuses(403, "forbidden");
    for asked in &fitting {
        assert_eq!(ana.decision(&id(asked)).json()["status"], "pending", "a rule does not reach back");
    }

    // One changes before the answers come; the other is answered, as by any person.
    let revised = json!({"subject": approval("cargo test --release evil")["subject"]});
    coder.send("PATCH", &format!("/v1/decisions/{}", expected[1]), Some(&revised)).is(200);
    let items: Vec<Value> = made["waiting"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ask| json!({"id": ask["id"], "answer": {"values": ask["values"], "digest": ask["digest"]}}))
        .collect();
    let answered = ana.post("/v1/answers", &json!({ "items": items })).is(200).json();
    assert_eq!(answered["items"][0]["status"], "answered");
    assert!(answered["items"][1]["refused"].is_object(), "{answered}");
    let answer = ana.decision(&expected[0]).json()["answer"].clone();
    assert_eq!((&answer["by"], &answer["auth"], answer.get("for")), (&json!("ana"), &json!("token"), None));
    assert_eq!(ana.get(&path).is(200).json()["items"], json!([]));
    server.sandbox.is_well();
}

#[test]
fn other_rules_and_kinds_of_rules_leave_nothing_to_offer() {
    let server = Server::start();
    let (ana, coder) = (server.token("ana", "person", &[]), server.token("coder", "agent", &[]));
    ask(&coder, "cargo test core");
    let refusing = |then: &str| json!({"then": then, "when": {"command": {"words": ["cargo", "test"], "more": "anything"}}});
    let asking = ana.post("/v1/rules", &refusing("ask")).is(201).json();
    assert_eq!(asking["waiting"], json!([]), "asking is what happens already");
    let allowing = ana.post("/v1/rules", &cargo_test()).is(201).json();
    assert_eq!(allowing["waiting"], json!([]), "the other rule has it asked");
    let refused = ana.post("/v1/rules", &refusing("refuse")).is(201).json();
    assert_eq!(refused["waiting"][0]["values"], json!({"choice": "deny"}), "{refused}");
}

#[test]
fn the_command_line_shows_what_waits_and_sends_just_that() {
    let server = Server::start();
    let coder = server.token("coder", "agent", &[]);
    let (one, two) = (id(&ask(&coder, "cargo test core")), id(&ask(&coder, "cargo test store")));
    let sandbox = &server.sandbox;
    let add = ["rule", "add", "--allow", "--asked-by", "coder", "--command", "cargo test", "--operands"];
    let made = sandbox.run(&add).exits(0);
    assert!(made.out.contains("cargo test core") && made.out.contains("→ approve Approve"), "{made}");
    let line =
        made.err.lines().find_map(|line| line.strip_prefix("Send exactly this: hold ")).unwrap().to_owned();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words[0], words[1], words[3]), ("rule", "answer", "--confirm"));

    // What comes later is answered by the rule; what is gone meanwhile makes it another batch.
    assert_eq!(ask(&coder, "cargo test cli")["status"], "answered");
    sandbox.ok(&["cancel", &two]);
    sandbox.run(&words).exits(4).says("nothing was sent");
    assert_eq!(sandbox.show(&one)["status"], "pending");
    let again = sandbox.run(&["rule", "answer", words[2]]);
    let code = again.err.split("--confirm ").nth(1).unwrap().trim().to_owned();
    let sent = sandbox.run(&["rule", "answer", words[2], "--confirm", &code]).exits(0);
    assert!(sent.out.contains(&format!("Answered {one}")), "{sent}");
    let answer = sandbox.show(&one)["answer"].clone();
    assert!(!answer["by"].as_str().unwrap().starts_with("rule:"), "{answer}");
    sandbox.run(&["rule", "answer", words[2]]).says("would answer no pending decision");
}

fn signed_in<'a>(served: &'a Served, name: &str) -> Browser<'a> {
    served.person(name, "person");
    let mut browser = served.browser();
    browser.sign_in(name);
    browser
}

#[test]
fn the_page_offers_what_waits_once_the_rule_is_made() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &[]);
    let token = served.api("POST", "/v1/tokens", &json!({"name": "coder", "role": "agent"}));
    let coder = Api::at(&served.host).bearing(token["secret"].as_str().unwrap());
    let (one, two) = (id(&ask(&coder, "cargo test core")), id(&ask(&coder, "cargo test core")));
    let mut ana = signed_in(&served, "ana");
    let path = format!("/d/{one}/rules");
    let page = ana.get(&path).is(200);
    let form = page.text.split("<code>cargo test core</code> in /srv/app").nth(1).unwrap();
    let step = form.split("name=\"step\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let csrf = page.csrf();
    let made =
        ana.send(&path, &[("csrf", &csrf), ("step", step), ("then", "allow"), ("lasts", "8h")]).is(303);
    let offered = made.header("location").to_owned();
    assert!(offered.starts_with("/rules/rul-") && offered.ends_with("/waiting"), "{offered}");
    let page = ana.get(&offered).is(200).shows("2 pending decisions match this rule").shows(&one).shows(&two);
    let items: Vec<String> = page
        .text
        .split("name=\"item\" value=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect();
    let csrf = page.csrf();
    let mut fields = vec![("csrf", csrf.as_str()), ("choice", r#"["approve","Approve",false]"#)];
    fields.extend(items.iter().map(|item| ("item", item.as_str())));
    ana.send("/many/send", &fields).is(200);
    for id in [&one, &two] {
        let answer = served.decision(id)["answer"].clone();
        assert_eq!((&answer["by"], &answer["via"]), (&json!("ana"), &json!("web")), "{answer}");
    }
    // With nothing left it leads to the rules.
    assert_eq!(ana.get(&offered).is(303).header("location"), "/rules");
}

#[test]
fn the_inbox_suggests_a_rule_in_one_line_until_it_is_dismissed() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &[]);
    let token = served.api("POST", "/v1/tokens", &json!({"name": "coder", "role": "agent"}));
    let coder = Api::at(&served.host).bearing(token["secret"].as_str().unwrap());
    let mut ana = signed_in(&served, "ana");
    // What is suggested is worked out when the inbox is first looked at.
    for _ in 0..5 {
        let asked = ask(&coder, "make lint");
        ana.fill(&format!("/d/{}", id(&asked)), &[("v:choice", "approve"), ("verb", "answer")]).is(303);
    }
    let line = "You allowed <code>make lint</code> in /srv/app 5 times this week.";
    let page = shown(&mut ana, |page| page.contains(line));
    assert!(page.contains("Make it a rule…"), "{page}");
    let code = page.split("/rules/suggested/").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let csrf = ana.get("/").csrf();
    let fields = [("csrf", csrf.as_str()), ("project", "default"), ("back", "/")];
    let dismissed = ana.send(&format!("/rules/suggested/{code}/dismiss"), &fields).is(303);
    assert_eq!(dismissed.header("location"), "/");
    shown(&mut ana, |page| !page.contains(line));
}

/// Loads the inbox until it shows something.
fn shown(browser: &mut Browser<'_>, holds: impl Fn(&str) -> bool) -> String {
    let end = std::time::Instant::now() + crate::process::TIMEOUT;
    loop {
        let page = browser.get("/").is(200).text;
        if holds(&page) {
            return page;
        }
        assert!(std::time::Instant::now() < end, "it is never shown: {page}");
        std::thread::yield_now();
    }
}
