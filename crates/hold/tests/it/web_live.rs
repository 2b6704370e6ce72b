//! What open pages hear, and what they fetch then.

use serde_json::json;

use crate::api_events::Live;
use crate::server::{Api, Server, question_with};

/// Asks something that nobody else asks, so that it is a row of its own.
fn ask(api: &Api, number: i64) -> String {
    api.post("/v1/decisions", &question_with(&json!({"title": format!("Number {number}")}))).is(201).id()
}

#[test]
fn a_list_is_told_once_for_much_that_happens() {
    let server = Server::open();
    let api = server.nobody();
    let mut list = Live::open(&api, "/live?after=0");
    let asked: Vec<String> = (0..40).map(|number| ask(&api, number)).collect();
    let (mut told, mut seen) = (0, 0);
    while seen < 40 {
        let (seq, tag, _) = list.next();
        assert_eq!(tag, "changed");
        assert!(seq > seen, "told again of {seq}");
        seen = seq;
        told += 1;
    }
    assert!(told < 40, "told of each");
    let rows = api.get(&format!("/rows?seq={seen}")).is(200).body;
    for id in &asked {
        assert!(rows.contains(&format!("data-id=\"{id}\"")), "{id} is missing");
    }
    assert!(rows.starts_with("<div id=\"list\" data-title=\"(40) Inbox\">"), "{}", &rows[..80]);
}

#[test]
fn a_list_that_is_shared_is_never_older_than_what_its_reader_heard() {
    let server = Server::open();
    let api = server.nobody();
    for count in 1..=20_i64 {
        let id = ask(&api, count);
        let rows = api.get(&format!("/rows?seq={count}")).is(200).body;
        assert!(rows.contains(&id), "{count}: the newest is missing");
    }
}

#[test]
fn a_list_is_sent_once_and_then_only_the_rows_that_change() {
    let server = Server::open();
    let api = server.nobody();
    let (first, second) = (ask(&api, 1), ask(&api, 2));
    let mut list = Live::open(&api, "/live?rows=true&after=0");
    let (_, tag, whole) = list.next();
    assert_eq!(tag, "rows");
    assert!(whole["rows"].as_array().unwrap().iter().all(serde_json::Value::is_string), "{whole}");
    assert!(whole.to_string().contains(&first), "{whole}");
    let third = ask(&api, 3);
    let (_, _, delta) = list.next();
    assert_eq!(delta["new"], json!([third]));
    let text = delta["rows"].to_string();
    assert!(text.contains(&third), "{delta}");
    assert!(
        !text.contains(&first) && !text.contains(&second),
        "a row that was the last is not sent again: {delta}"
    );
    api.answer(&first, "a").is(200);
    let (_, _, gone) = list.next();
    assert_eq!(gone["changed"], json!([first]));
    let text = gone["rows"].to_string();
    assert!(!text.contains(&first) && !text.contains(&third), "{gone}");
}

#[test]
fn people_hear_only_of_their_projects_and_see_only_those() {
    let server = Server::start();
    let web = server.token("web", "person", &["web"]);
    let all = server.token("all", "person", &[]);
    let (mut list, mut wider) = (Live::open(&web, "/live"), Live::open(&all, "/live"));
    let ask = |project: &str| {
        server.local().post("/v1/decisions", &question_with(&json!({"project": project}))).is(201).id()
    };
    let hidden = ask("secret");
    let before = wider.next().0;
    let mine = ask("web");
    assert!(list.next().0 > before, "told of what is hidden");
    let seen = web.get("/v1/decisions").is(200).body;
    assert!(seen.contains(&mine) && !seen.contains(&hidden));
}

#[test]
fn a_card_is_told_once_that_it_is_no_longer_what_it_shows() {
    let server = Server::open();
    let api = server.nobody();
    let show = |id: &str| api.get(&format!("/v1/decisions/{id}")).is(200).json();
    let open = |id: &str| {
        let digest = show(id)["digest"].as_str().unwrap().to_owned();
        Live::open(&api, &format!("/d/{id}/live?digest={digest}"))
    };
    let (answered, revised) = (api.ask(), api.ask());
    let (mut one, mut other) = (open(&answered), open(&revised));
    api.answer(&answered, "a").is(200);
    assert!(one.told().contains("already answered"), "said who");
    one.ends();
    let change = json!({"prompt": "Another?", "fields": [{"id": "text", "kind": "text", "label": "?"}]});
    api.send("PATCH", &format!("/v1/decisions/{revised}"), Some(&change)).is(200);
    assert!(other.told().contains("The agent changed this"));
    // A page that was made before and listens only now is told at once.
    let digest = show(&answered)["digest"].as_str().unwrap().to_owned();
    let mut late = Live::open(&api, &format!("/d/{answered}/live?digest={digest}"));
    assert!(late.told().contains("already answered"));
    api.get("/d/dcn-000000000000/live").refuses(404, "not_found");
}
