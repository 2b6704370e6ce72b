//! Searching, from the command line and over HTTP, and searches with names.

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::browser::served;
use crate::sandbox::{Sandbox, at, look_into};
use crate::server::{Api, Server};

/// Returns what is found, by title.
fn found(sandbox: &Sandbox, words: &[&str]) -> Vec<String> {
    let all = sandbox.json(&[&["list", "--json"], words].concat());
    titles(&all)
}

fn titles(all: &Value) -> Vec<String> {
    all.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

fn ask(sandbox: &Sandbox, title: &str, subject: &Value) -> String {
    sandbox.ask_document(
        &json!({"title": title, "prompt": "Run it?", "source": "approval", "subject": subject,
        "fields": [{"id": "choice", "kind": "confirm", "options":
            [{"id": "approve", "label": "Approve"}, {"id": "deny", "label": "Deny", "refuses": true}]}]}),
    )
}

fn deny(sandbox: &Sandbox, id: &str, message: &str) {
    let shown = sandbox.show(id);
    sandbox.ok(&["answer", id, "deny", "-m", message, "--digest", shown["digest"].as_str().unwrap()]);
}

#[test]
fn words_are_found_in_what_waits_and_in_what_is_settled() {
    let sandbox = Sandbox::new();
    ask(&sandbox, "First", &json!({"command": "kubectl apply -f prod/café.yaml"}));
    let second = ask(&sandbox, "Second", &json!({"command": "rm -rf build"}));
    assert_eq!(found(&sandbox, &["cafe", "KUBECTL"]), ["First"]);
    assert_eq!(found(&sandbox, &["kubect"]), ["First"]);
    assert_eq!(found(&sandbox, &["ubectl"]), Vec::<String>::new());
    deny(&sandbox, &second, "not before the audit");
    assert_eq!(found(&sandbox, &["audit", "--status", "all"]), ["Second"]);
    assert_eq!(found(&sandbox, &["audit", "--status", "answered,cancelled"]), ["Second"]);
    assert_eq!(found(&sandbox, &["audit"]), Vec::<String>::new());
    for hostile in ["\"", "'", "NEAR(", "*", "-x", "a\" OR b", "\\", "words:x", "(((", "\u{202e}"] {
        sandbox.run(&["list", "--", hostile]).exits(0);
    }
    sandbox.run(&["list", &"x ".repeat(600)]).exits(2).says("at most 1000 bytes");
    sandbox.run(&["list", "--status", "nope"]).exits(2).says("use pending");
}

#[test]
fn a_server_indexes_what_is_asked_and_a_damaged_index_is_made_anew() {
    let mut server = Server::open();
    ask(&server.sandbox, "First", &json!({"command": "make"}));
    let store = server.sandbox.store();
    let indexed = || {
        look_into(&store).query_row("SELECT count(*) FROM search", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    // It looks twice a second; each request takes a moment.
    let local = server.local();
    assert!((0..20_000).any(|_| local.get("/healthz").status > 0 && indexed() == 1));
    server.kill();
    let sandbox = &server.sandbox;
    let other = Connection::open_with_flags(&store, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    other.execute("DELETE FROM search", []).unwrap();
    drop(other);
    let told = sandbox.run(&["doctor"]).exits(1);
    assert!(told.out.contains("their entries in the search index"), "{told}");
    // It says what it found, and mends it.
    assert!(sandbox.ok(&["doctor", "--rebuild"]).contains("repaired"));
    assert_eq!(indexed(), 1);
    assert_eq!(found(sandbox, &["make"]), ["First"]);
    sandbox.is_well();
}

#[test]
fn over_http_one_finds_what_one_may_see() {
    let server = Server::start();
    let (builder, tester) =
        (server.token("builder", "agent", &["default"]), server.token("tester", "agent", &["default"]));
    let ask = |api: &Api, title: &str| {
        let asked = json!({"title": title, "prompt": "Which?", "fields": [{"id": "text", "kind": "text"}]});
        api.post("/v1/decisions", &asked).is(201);
    };
    ask(&builder, "Deploy the shop");
    ask(&tester, "Deploy the blog");
    let found =
        |api: &Api, q: &str| titles(&api.get(&format!("/v1/decisions?q={q}")).is(200).json()["items"]);
    assert_eq!(found(&server.local(), "deploy"), ["Deploy the shop", "Deploy the blog"]);
    assert_eq!(found(&builder, "deploy"), ["Deploy the shop"]);
    assert_eq!(found(&builder, "blog"), Vec::<String>::new());
    server.local().get(&format!("/v1/decisions?q={}", "x".repeat(1_001))).is(422);
    for (wrong, right) in
        [("older=x", "older"), ("priority=foo", "low, normal, high, urgent"), ("source=x", "approval")]
    {
        let reply = server.local().get(&format!("/v1/decisions?q={wrong}")).is(422);
        assert!(reply.body.contains(right), "{wrong}: {}", reply.body);
        server.sandbox.run(&["list", wrong]).exits(2).says(right);
    }
    assert_eq!(found(&server.local(), "a=b"), Vec::<String>::new());
}

#[test]
fn a_view_has_a_name_that_stands_in_an_address() {
    let server = Server::start();
    for name in ["", ".", "..", " x", "a\u{202e}b"] {
        // Through the server, which has the address, and on its own.
        server.sandbox.run(&["view", "save", name, "make"]).exits(1).says("old approvals");
    }
    let local = server.local();
    for path in ["/v1/views/%2e%2e", "/v1/views/%2E"] {
        let reply = local.send("PUT", path, Some(&json!({"q": "make"}))).is(422);
        assert!(reply.body.contains("old approvals"), "{}", reply.body);
    }
    for (wrong, right) in [("older=x", "older"), ("priority=foo", "urgent")] {
        let reply = local.send("PUT", "/v1/views/old", Some(&json!({"q": wrong}))).is(422);
        assert!(reply.body.contains(right), "{}", reply.body);
    }
    local.send("PUT", "/v1/views/a%2Fb", Some(&json!({"q": "make"}))).is(200);
    assert!(server.sandbox.ok(&["view", "list"]).contains("a/b"));
}

#[test]
fn a_saved_view_of_what_is_mine_shows_what_was_shown() {
    served(|_, server| {
        let ask = |title: &str, assignees: &Value| {
            server.ask(
                &json!({"title": title, "assignees": assignees, "fields": [{"id": "text", "kind": "text"}]}),
            )
        };
        ask("For ben", &json!(["ben"]));
        ask("For all", &json!([]));
        ask("For ana", &json!(["ana"]));
        let mut ben = server.browser();
        ben.sign_in("ben");
        let shown = ben.get("/?assignee=mine").is(200).shows("For ben").shows("For all").lacks("For ana");
        let csrf = shown.csrf();
        let fields =
            [("csrf", csrf.as_str()), ("query", "assignee=mine"), ("status", "pending"), ("name", "Mine")];
        let moved = ben.send("/views", &fields).is(303);
        let there = moved.header("location").to_owned();
        ben.get(&there).is(200).shows("For ben").shows("For all").lacks("For ana").shows("Remove view");
        // What was put aside comes back by itself, and is no view.
        ben.get("/?snoozed=true").is(200).shows("id=\"save-view\" hidden");
    });
}

#[test]
fn a_search_gets_a_name() {
    let sandbox = Sandbox::new();
    ask(&sandbox, "First", &json!({"command": "make web"}));
    let second = ask(&sandbox, "Second", &json!({"command": "make app"}));
    sandbox.run(&["view", "list"]).exits(0).prints("").says("You have no views");
    sandbox.run(&["view", "save", "web", "make", "web"]).exits(0).prints("Saved web: make web (pending)");
    at(&sandbox.json(&["view", "save", "done", "make", "--status", "all", "--json"]), "/status", "all");
    assert_eq!(found(&sandbox, &["--view", "web"]), ["First"]);
    assert_eq!(found(&sandbox, &["--view", "web", "second"]), Vec::<String>::new());
    deny(&sandbox, &second, "no");
    assert_eq!(found(&sandbox, &["--view", "done"]), ["First", "Second"]);
    assert_eq!(found(&sandbox, &["--view", "done", "--status", "answered"]), ["Second"]);
    sandbox.ok(&["view", "remove", "web"]);
    sandbox.run(&["list", "--view", "web"]).exits(3).says("you have no view \"web\"");
    sandbox.run(&["view", "remove", "web"]).exits(3);
    sandbox.run(&["view", "save", "bad", "--status", "nope"]).exits(2).says("use pending");
}
