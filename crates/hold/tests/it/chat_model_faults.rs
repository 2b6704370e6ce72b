//! A language model that answers badly, not at all, or knows less than is asked of it: what is done instead.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chat_model::{Scene, asks, form};
use crate::fake_model::Says;

/// Rows O6, O8, O9 and what they should come to: malformed output goes back with the reason, and is tried again.
#[test]
fn malformed_output_is_sent_back_with_the_reason() {
    let good =
        json!({"intent": "multi_answer", "answers": {"leave_type": {"value": "Annual", "words": "annual"}}});
    let scene = Scene::new(&[Says::Words("Sure! Here you go:".into()), Says::json(&good)]);
    asks(&scene.say("annual leave please"), "ASK_DATE", "start_date");
    scene.model.next();
    let again = scene.model.next();
    assert!(again.said_by("user").contains("answer with one JSON object"), "{again:?}");
    assert!(again.said_by("assistant").contains("Here you go"));

    for (row, bad) in [
        ("O6 garbage", Says::Words("]]]] ?? {{".into())),
        ("half JSON", Says::Words("{\"intent\": \"multi_answer\", \"answers\": {\"leave_ty".into())),
        ("O7 a list", Says::Words("[1,2]".into())),
        ("M19 an empty object", Says::Words("{}".into())),
        ("M19 an unknown tool", Says::json(&json!({"action": "TOOL_CALL", "tool_name": "rm"}))),
        ("refusal", Says::Refusal),
        ("cut off", Says::Cut(good.to_string())),
        ("empty", Says::Words(String::new())),
        ("O8 500", Says::Raw(500, "oops".into())),
        ("429", Says::Raw(429, "slow down".into())),
        ("no JSON", Says::Raw(200, "<html>".into())),
        ("no choices", Says::Raw(200, "{\"choices\": []}".into())),
        ("strange types", Says::Raw(200, "{\"choices\": [{\"message\": {\"content\": 5}}]}".into())),
        ("half a reply", Says::Half),
        ("closed", Says::Close),
        ("endless", Says::Endless),
    ] {
        scene.model.then(bad);
        scene.model.then(Says::json(&good));
        let fresh: Value = serde_json::from_str(&form("leave_request.json")).unwrap();
        let reply = scene.turn(
            "form_schema",
            &fresh,
            &format!("of {row}"),
            &json!({"user_message": "annual leave please"}),
        );
        asks(&reply, "ASK_DATE", "start_date");
        assert_eq!(reply["answers"], json!({"leave_type": "Annual"}), "{row}");
        assert_eq!(scene.model.count(), 2, "{row}");
    }
}

/// Whatever is wrong with the model, the built-in reader takes its place, soon.
#[test]
fn the_built_in_reader_takes_its_place() {
    for script in [
        vec![Says::Words("no".into()), Says::Words("no".into()), Says::Words("no".into())],
        vec![Says::Raw(500, String::new()), Says::Close, Says::Half],
        vec![Says::Raw(401, "wrong key".into())],
        vec![Says::Raw(404, String::new())],
        vec![Says::Raw(302, String::new())],
        vec![Says::Hang],
    ] {
        let scene = Scene::with(&script, "timeout = \"1s\"");
        let begun = Instant::now();
        let reply = scene.say("annual leave from 2 March 2027");
        asks(&reply, "ASK_DATE", "end_date");
        assert!(begun.elapsed() < Duration::from_secs(8), "{script:?} took {:?}", begun.elapsed());
        assert_eq!(scene.model.count(), script.len(), "{script:?}");
        assert!(!reply.to_string().contains("TOPSECRET"));
    }
}

/// A server that does not answer twice is left alone, so that nobody waits for it at each turn.
#[test]
fn a_silent_server_is_left_alone_for_a_while() {
    let scene = Scene::with(&[Says::Hang, Says::Hang], "timeout = \"300ms\"\ntries = 1");
    scene.say("annual leave");
    scene.say("2 March 2027");
    let asked = scene.model.count();
    asks(&scene.say("it ends on 4 March 2027"), "ASK_TEXT", "reason");
    asks(&scene.say("make it unpaid"), "ASK_TEXT", "reason");
    assert_eq!((asked, scene.model.count()), (2, 0));
}

/// Servers that know no schemas are asked without one; what they did not take is not sent again.
#[test]
fn less_is_demanded_of_servers_that_know_less() {
    let good = Says::values(&[("leave_type", json!("Annual"), "annual")]);
    let declined = Says::Raw(400, "{\"error\": \"response_format is not supported\"}".into());
    let scene = Scene::new(&[declined.clone(), declined, good]);
    asks(&scene.say("annual leave please"), "ASK_DATE", "start_date");
    assert_eq!(scene.model.next().body["response_format"]["type"], "json_schema");
    assert_eq!(scene.model.next().body["response_format"]["type"], "json_object");
    assert_eq!(scene.model.next().body.get("response_format"), None);
    scene.model.then(Says::json(&json!({"intent": "ask"})));
    scene.say("hm, let me think about the start");
    assert_eq!(scene.model.next().body.get("response_format"), None);
}

/// The tokens of a turn are counted over its tries.
#[test]
fn tokens_are_budgeted() {
    let bad = Says::Costly("no".into(), 5000);
    let scene = Scene::with(&[bad.clone(), bad.clone(), bad], "tokens = 8000\ntimeout = \"5s\"");
    asks(&scene.say("annual leave from 2 March 2027"), "ASK_DATE", "end_date");
    let asked = scene.model.next();
    assert!(asked.body["max_tokens"].as_u64().unwrap() <= 2000);
    assert!(scene.model.count() <= 1, "a third try would cost more than is left");
}
