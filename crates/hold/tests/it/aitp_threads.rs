//! Threads through a real server: parties talk, people decide, and the answer comes back in kind.

use serde_json::{Value, json};

use crate::process::Stream;
use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server};

const SCHEMA: &str = "https://aitp.dev/v1/decisions/schema.json";
const PAYMENTS: &str = "https://aitp.dev/v1/payments/schema.json";

fn request(id: &str) -> Value {
    json!({"$schema": SCHEMA, "request_decision": {"id": id, "title": "Colour", "description": "Which?",
        "options": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}]}})
}

fn chose(request: &str, option: &str) -> Value {
    json!({"$schema": SCHEMA, "decision": {"request_decision_id": request, "options": [{"id": option}]}})
}

fn quote(id: &str, until: &str) -> Value {
    let plan = json!({"plan_id": "once", "plan_type": "one-time", "amount": 199.5, "currency": "USD"});
    json!({"$schema": PAYMENTS, "quote": {"type": "Quote", "quote_id": id, "payee_id": "shop.near",
        "payment_plans": [plan], "valid_until": until}})
}

/// A thread that someone talks in.
pub(crate) struct Talk {
    pub(crate) path: String,
    id: String,
}

impl Talk {
    #[track_caller]
    pub(crate) fn open(api: &Api, metadata: &Value) -> Self {
        let made = api.post("/aitp/v1/threads", &json!({ "metadata": metadata })).is(201).json();
        let id = made["id"].as_str().unwrap().to_owned();
        Self { path: format!("/aitp/v1/threads/{id}/messages"), id }
    }

    /// Says something, and returns the decision that came of it, if one did.
    #[track_caller]
    pub(crate) fn say(&self, api: &Api, actor: &str, message: &Value) -> Option<String> {
        let content = message.as_str().map_or_else(|| message.to_string(), str::to_owned);
        let body = json!({"role": "user", "content": [content], "metadata": {"actor": actor}});
        let posted = api.post(&self.path, &body).is(201).json();
        posted["metadata"]["decisions"][0].as_str().map(str::to_owned)
    }

    /// Returns all that was said: by whom, and the strings of it.
    #[track_caller]
    pub(crate) fn said(&self, api: &Api) -> Vec<(String, Vec<String>)> {
        let list = api.get(&self.path).is(200).json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let message = |message: &Value| {
            let content = message["content"].as_array().unwrap().iter().map(text).collect();
            (text(&message["metadata"]["actor"]), content)
        };
        list["data"].as_array().unwrap().iter().map(message).collect()
    }

    /// Returns the last thing that was said, which must be a message by Holdpoint.
    #[track_caller]
    pub(crate) fn reply(&self, api: &Api) -> Value {
        let (actor, content) = self.said(api).pop().unwrap();
        assert_eq!(actor, "holdpoint");
        serde_json::from_str(&content[0]).unwrap_or_else(|_| content[0].as_str().into())
    }
}

#[test]
fn a_request_becomes_a_decision_and_its_answer_a_message() {
    let server = Server::start();
    let (shop, ana) = (server.token("shop", "agent", &[]), server.token("ana", "person", &[]));
    let talk = Talk::open(
        &shop,
        &json!({"actors": [{"id": "shop", "capabilities": [SCHEMA]}], "assignees": ["ana"]}),
    );
    let id = talk.say(&shop, "shop", &request("r1")).unwrap();
    let asked = ana.decision(&id).is(200).json();
    at(&asked, "/source", "request");
    at(&asked, "/owner", format!("thread:{}", talk.id));
    at(&asked, "/requested_by", "shop");
    at(&asked, "/assignees/0", "ana");
    at(&asked, "/origin/thread", talk.id.as_str());
    // It cannot answer itself.
    talk.say(&shop, "shop", &chose("r1", "red"));
    assert!(talk.reply(&shop).as_str().unwrap().contains("may not answer"), "{:?}", talk.said(&shop));
    ana.answer(&id, "blue").is(200);
    let answered = json!({"$schema": SCHEMA, "decision": {"request_decision_id": "r1", "options": [{"id": "blue", "name": "Blue"}]}});
    assert_eq!(talk.reply(&shop), answered);
    // The second is recorded, and refused.
    talk.say(&ana, "ana", &chose("r1", "red"));
    assert!(talk.reply(&shop).as_str().unwrap().contains("already answered: blue by ana"));
    assert_eq!(talk.said(&shop).len(), 6);
    server.sandbox.is_well();
}

#[test]
fn only_those_who_take_part_see_a_thread() {
    let server = Server::start();
    let (shop, other) = (server.token("shop", "agent", &[]), server.token("other", "agent", &[]));
    let (buyer, web) = (server.token("buyer", "agent", &[]), server.token("wim", "person", &["web"]));
    let (ana, root) = (server.token("ana", "person", &[]), server.token("root", "admin", &[]));
    let talk =
        Talk::open(&shop, &json!({"actors": [{"id": "shop"}, {"id": "buyer", "capabilities": [SCHEMA]}]}));
    let thread = format!("/aitp/v1/threads/{}", talk.id);
    for (who, status) in
        [(&shop, 200), (&buyer, 200), (&ana, 200), (&other, 404), (&web, 404), (&server.nobody(), 401)]
    {
        assert_eq!(who.get(&thread).status, status);
        assert_eq!(who.get(&talk.path).status, status);
        let posted = who.post(&talk.path, &json!({"content": "hello"})).status;
        assert_eq!(posted, if status == 200 { 201 } else { status });
    }
    let listed = |who: &Api| who.get("/aitp/v1/threads").is(200).json()["data"].as_array().unwrap().len();
    assert_eq!([&shop, &buyer, &ana, &other, &web].map(listed), [1, 1, 1, 0, 0]);
    web.post("/aitp/v1/threads", &json!({})).refuses(403, "forbidden");
    web.post("/aitp/v1/threads?project=web", &json!({})).is(201);
    for known in ["ana", "buyer", "agent:buyer"] {
        // Nobody opens a thread in which they would speak as somebody who is known here.
        other.post("/aitp/v1/threads", &json!({"actors": [{"id": known}]})).refuses(403, "forbidden");
        other.post("/aitp/v1/threads", &json!({"actors": [{"id": known}, {"id": "other"}]})).is(201);
    }
    shop.post("/v1/decisions", &json!({"prompt": "?", "owner": format!("thread:{}", talk.id), "fields": [{"id": "t", "kind": "text"}]})).is(201);
    other.post("/v1/decisions", &json!({"prompt": "?", "owner": format!("thread:{}", talk.id), "fields": [{"id": "t", "kind": "text"}]})).refuses(404, "not_found");
    for who in [&shop, &ana] {
        who.send("DELETE", &thread, None).refuses(403, "forbidden");
    }
    root.send("DELETE", &thread, None).is(204);
    shop.get(&thread).refuses(404, "not_found");
    server.sandbox.is_well();
}

#[test]
fn an_agent_answers_what_was_put_to_it() {
    let server = Server::start();
    let (ours, buyer) = (server.token("ours", "agent", &[]), server.token("buyer", "agent", &[]));
    let talk =
        Talk::open(&ours, &json!({"actors": [{"id": "ours"}, {"id": "buyer", "capabilities": [SCHEMA]}]}));
    let ask = json!({"prompt": "Which?", "owner": format!("thread:{}", talk.id), "assignees": ["agent:buyer"],
        "fields": [{"id": "choice", "kind": "choice", "options": [{"id": "a"}, {"id": "b"}]}]});
    let id = ours.post("/v1/decisions", &ask).is(201).id();
    let put = talk.reply(&buyer);
    at(&put, "/request_decision/id", id.as_str());
    talk.say(&buyer, "buyer", &chose(&id, "b"));
    let settled = ours.decision(&id).is(200).json();
    at(&settled, "/answer/by", "buyer");
    at(&settled, "/answer/values/choice", "b");
    assert_eq!(talk.said(&ours).len(), 2, "a participant who answered in the thread is not told so there");
}

#[test]
fn what_was_said_outlives_the_server() {
    let mut server = Server::start();
    let (shop, ana) = (server.token("shop", "agent", &[]), server.token("ana", "person", &[]));
    let keyed = shop.clone().with("Idempotency-Key", "open-1");
    let open =
        json!({"messages": ["Hello", request("r0").to_string()], "metadata": {"actors": [{"id": "shop"}]}});
    let first = keyed.post("/aitp/v1/threads", &open).is(201).json();
    let talk = Talk {
        id: first["id"].as_str().unwrap().into(),
        path: format!("/aitp/v1/threads/{}/messages", first["id"].as_str().unwrap()),
    };
    let body = json!({"content": [request("r1").to_string()]});
    let say = shop.clone().with("Idempotency-Key", "say-1");
    let posted = say.post(&talk.path, &body).is(201).json();
    server.kill();
    server.run();
    // A client that does not know whether it arrived sends it again.
    let again = keyed.post("/aitp/v1/threads", &open).is(200);
    assert_eq!(again.json()["id"], first["id"]);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(say.post(&talk.path, &body).is(201).json(), posted);
    say.post(&talk.path, &json!({"content": "other"})).refuses(409, "key_reused");
    assert_eq!(talk.said(&shop).len(), 3);
    let id = posted["metadata"]["decisions"][0].as_str().unwrap();
    ana.answer(id, "red").is(200);
    server.kill();
    server.run();
    at(&talk.reply(&shop), "/decision/options/0/id", "red");
    server.sandbox.is_well();
}

#[test]
fn of_many_answers_at_once_one_wins() {
    let server = Server::open();
    let api = server.nobody();
    let talk = Talk::open(
        &api,
        &json!({"actors": [{"id": "shop", "capabilities": [SCHEMA]}, {"id": "buyer", "capabilities": [SCHEMA]}]}),
    );
    let id = talk.say(&api, "shop", &request("r1")).unwrap();
    std::thread::scope(|scope| {
        for at in 0..16 {
            let (api, talk) = (&api, &talk);
            scope.spawn(move || talk.say(api, "buyer", &chose("r1", ["red", "blue"][at % 2])));
        }
    });
    let won = api.decision(&id).is(200).json()["answer"]["values"]["choice"].as_str().unwrap().to_owned();
    let said = talk.said(&api);
    let refused = said.iter().filter(|(actor, content)| {
        actor == "holdpoint" && content[0].contains(&format!("already answered: {won}"))
    });
    assert_eq!(refused.count(), 8, "{said:?}");
    assert_eq!(said.len(), 1 + 16 + 8);
    server.sandbox.is_well();
}

#[test]
fn whoever_follows_a_thread_is_woken() {
    let server = Server::open();
    let api = server.nobody();
    let talk = Talk::open(&api, &json!({}));
    let id = talk.say(&api, "shop", &request("r1")).unwrap();
    let last = api.get(&talk.path).json()["last_id"].as_str().unwrap().to_owned();
    let path = format!("{}?after={last}&wait=30s", talk.path);
    let waiting = {
        let (api, path) = (api.clone(), path.clone());
        std::thread::spawn(move || api.get(&path))
    };
    api.answer(&id, "red").is(200);
    let news = waiting.join().unwrap().is(200).json();
    assert!(news["data"][0]["content"][0].as_str().unwrap().contains("\"decision\""), "{news}");
    for wrong in
        ["?limit=0", "?limit=1001", "?order=up", "?after=x", "?after=msg-000000000000-1", "?colour=red"]
    {
        api.get(&format!("{}{wrong}", talk.path)).refuses(422, "invalid");
    }
    let newest = api.get(&format!("{}?order=desc&limit=1", talk.path)).is(200).json();
    assert_eq!(newest["data"][0]["id"], news["data"][0]["id"]);
    at(&newest, "/has_more", true);
}

#[test]
fn what_was_approved_is_handed_on_and_what_came_of_it_is_shown() {
    let sandbox = Sandbox::new().looking();
    let seen = sandbox.path("seen");
    let hook = format!("cat >> {}", seen.display());
    sandbox.settings(&format!("[hooks]\ndesktop = false\non_decision_respond = \"{hook}\"\n"));
    let thread = sandbox.ok(&["aitp", "thread", "create", "--actor", "shop=01,02"]).trim().to_owned();
    let price = quote("q-1", "2050-01-01T00:00:00Z");
    let file = sandbox.file("quote.json", price.to_string());
    let posted = sandbox.json(&["aitp", "thread", "post", &thread, &file, "--as", "shop", "--json"]);
    let id = posted["metadata"]["decisions"][0].as_str().unwrap().to_owned();
    let asked = sandbox.show(&id);
    at(&asked, "/source", "approval");
    assert_eq!(asked["subject"], price, "the whole message is what is decided on");
    at(&asked, "/valid_until", "2050-01-01T00:00:00Z");
    sandbox.ok(&["answer", &id, "approve", "--by", "ana"]);
    let told: Value = serde_json::from_str(&std::fs::read_to_string(&seen).unwrap()).unwrap();
    assert_eq!(told["decision"]["subject"], price, "{told}");
    at(&told, "/decision/answer/values/choice", "approve");
    sandbox.ok(&["consume", &id, "--subject", &file]);
    sandbox.run(&["consume", &id, "--subject", &file]).exits(4);
    let result = json!({"$schema": PAYMENTS, "payment_result": {"quote_id": "q-1", "result": "success",
        "timestamp": "2026-01-01T00:00:00Z", "message": "Thank you", "details": [{"label": "Order", "value": "A-77"}]}});
    sandbox.run_with(&["aitp", "thread", "post", &thread, "-", "--as", "shop"], result.to_string()).exits(0);
    let card = sandbox.ok(&["show", &id]);
    for words in ["Payment: success", "as \"shop\"", "message: Thank you", "details 1 value: A-77"] {
        assert!(card.contains(words), "{words}: {card}");
    }
    let talk = sandbox.ok(&["aitp", "thread", "show", &thread]);
    for words in ["Names a price", "Approved.", "Payment: success", "hold show dcn-"] {
        assert!(talk.contains(words), "{words}: {talk}");
    }
    // What has expired can be looked at in the thread, and is not asked for.
    let late = sandbox.run_with(
        &["aitp", "thread", "post", &thread, "-", "--as", "shop"],
        quote("q-2", "2020-01-01T00:00:00Z").to_string(),
    );
    late.exits(0).says("expired at 2020-01-01");
    assert_eq!(sandbox.json(&["list", "--status", "all", "--json"]).as_array().unwrap().len(), 1);
    sandbox.is_well();
}

#[test]
fn the_command_line_talks_with_a_server_and_without() {
    for serves in [false, true] {
        let sandbox = Sandbox::new();
        let server = serves.then(|| crate::serving::Serving::start(&sandbox));
        let create = [
            "aitp",
            "thread",
            "create",
            "--actor",
            "shop=02",
            "--actor",
            "buyer=2,3",
            "--text",
            "Hello",
            "--key",
            "k",
        ];
        let thread = sandbox.ok(&create).trim().to_owned();
        assert_eq!(sandbox.ok(&create).trim(), thread, "under one key one thread");
        sandbox.refuses(&["aitp", "thread", "create", "--actor", "shop=09"], 2, &["not a capability"]);
        let mut follower = sandbox.spawn(&["aitp", "thread", "follow", &thread, "--count", "3", "--json"]);
        follower.until(Stream::Out, "Hello");
        let posted = sandbox.run_with(
            &["aitp", "thread", "post", &thread, "-", "--as", "shop", "--text", "Look:"],
            request("r1").to_string(),
        );
        assert!(posted.exits(0).out.contains("Asks for a choice: Colour"));
        let pending = sandbox.json(&["list", "--json"]);
        let id = pending[0]["id"].as_str().unwrap();
        sandbox.ok(&["answer", id, "red", "-m", "please"]);
        follower.until(Stream::Out, "please");
        follower.end().exits(0);
        let shown = sandbox.json(&["aitp", "thread", "show", thread.trim_start_matches("thr-"), "--json"]);
        assert_eq!(shown["messages"].as_array().unwrap().len(), 3);
        at(&shown, "/messages/2/content/1", "please");
        assert!(sandbox.ok(&["aitp", "thread", "list"]).contains("shop, buyer"));
        sandbox
            .run(&[
                "aitp",
                "thread",
                "follow",
                &thread,
                "--after",
                shown["messages"][2]["id"].as_str().unwrap(),
                "--timeout",
                "50ms",
            ])
            .exits(5);
        sandbox.run(&["aitp", "thread", "show", "thr-none"]).exits(3);
        sandbox.run(&["aitp", "thread", "post", &thread]).exits(1);
        sandbox.run(&["aitp", "thread", "delete", &thread]).exits(0);
        sandbox.run(&["aitp", "thread", "show", &thread]).exits(3);
        drop(server.map(crate::serving::Serving::stop));
        sandbox.is_well();
    }
}

#[test]
fn strange_bodies_are_refused_or_answered() {
    let server = Server::open();
    let api = server.nobody();
    let talk = Talk::open(&api, &json!({}));
    let forged = json!({"content": "x", "metadata": {"actor": "holdpoint"}});
    for wrong in [json!([]), json!({"content": 5}), json!({"content": ""}), forged] {
        api.post(&talk.path, &wrong).refuses(422, "invalid");
    }
    let json = api.clone().with("Content-Type", "application/json");
    json.raw("POST", &talk.path, b"{\"content\":\"a\",\"content\":\"b\"}").is(400);
    let deep = format!(
        "{{\"$schema\":\"{SCHEMA}\",\"request_decision\":{}{}}}",
        "[".repeat(300_000),
        "]".repeat(300_000)
    );
    let wide = format!(
        "{{\"$schema\":\"{SCHEMA}\",\"request_decision\":{{\"id\":\"w\",\"options\":[{}{{\"id\":\"x\"}}]}}}}",
        "{\"id\":\"x\"},".repeat(50_000)
    );
    for hostile in [
        deep,
        wide,
        format!("{{\"$schema\":\"{SCHEMA}\",\"decision\":{{\"options\":[{{\"id\":\"\u{202e}\"}}]}}}}"),
    ] {
        assert_eq!(talk.say(&api, "x", &hostile.into()), None);
        let (actor, content) = talk.said(&api).pop().unwrap();
        assert_eq!(actor, "holdpoint");
        assert!(content[0].len() < 4_000 && !content[0].contains('\u{202e}'));
    }
    let form = json!({"json_url": "https://127.0.0.1:1/form.json"});
    let elsewhere = json!({"$schema": "https://aitp.dev/v1/data/schema.json", "request_data": {"id": "f", "description": "", "form": form}});
    assert_eq!(talk.say(&api, "x", &elsewhere), None);
    let words = talk.reply(&api);
    assert!(
        words.as_str().unwrap().ends_with("up to 1 MiB"),
        "where it leads is not for a stranger: {words}"
    );
    api.send("POST", &format!("/aitp/v1/threads/{}", talk.id), None).is(200);
    api.post("/aitp/v1/thread", &json!({"actors": [{"id": "a"}, {"id": "a"}]})).refuses(422, "invalid");
}

#[test]
fn the_example_runs_with_a_server_and_without() {
    for serves in [false, true] {
        let sandbox = Sandbox::new();
        sandbox.link("hold");
        let server = serves.then(|| crate::serving::Serving::start(&sandbox));
        let talk = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/aitp/talk");
        let ran = sandbox.shell(talk).exits(0);
        for words in [
            "Asks for a choice: Headphones",
            "options 1 id: tour-red",
            "Approved.",
            "Payment: success",
            "A-77",
        ] {
            assert!(ran.out.contains(words), "{words}: {}", ran.out);
        }
        drop(server.map(crate::serving::Serving::stop));
    }
}
