//! Tokens, people and the setting, at the command line.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};

/// Everything the data folder holds, as bytes.
fn files(sandbox: &Sandbox) -> Vec<u8> {
    let mut all = Vec::new();
    let mut folders = vec![sandbox.home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.extend(std::fs::read(path).unwrap_or_default());
            }
        }
    }
    all
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn a_token_is_made_listed_and_revoked() {
    let sandbox = Sandbox::new();
    sandbox.run(&["token", "list"]).exits(0).prints("").says("no tokens");
    let made = sandbox
        .run(&["token", "create", "--name", "builder", "--role", "agent", "--project", "web"])
        .exits(0);
    let secret = made.out.trim_end();
    assert!(secret.starts_with("hold_") && secret.len() == 48 && made.out.lines().count() == 1, "{secret}");
    assert!(!made.err.contains(secret), "the secret is data, and on one stream only");
    let list = sandbox.json(&["token", "list", "--json"]);
    at(&list, "/0/name", "builder");
    at(&list, "/0/role", "agent");
    at(&list, "/0/projects", json!(["web"]));
    at(&list, "/0/created_by", "ana");
    at(&list, "/0/revoked_at", Value::Null);
    assert!(!list.to_string().contains(&secret[5..]));
    assert!(!holds(&files(&sandbox), &secret[5..]), "it is written nowhere");
    let id = list[0]["id"].as_str().unwrap();
    let table = sandbox.ok(&["token", "list"]);
    assert!(table.contains(id) && table.contains("in force") && table.contains("web"), "{table}");
    assert_eq!(sandbox.ok(&["token", "revoke", &id[..8]]), format!("Revoked {id} (builder)"));
    assert!(sandbox.ok(&["token", "list"]).contains("revoked"));
    sandbox.ok(&["token", "revoke", id]);
    sandbox.run(&["token", "revoke", "tok-nosuch"]).exits(3).says("tok-nosuch");
    assert_eq!(sandbox.tags(), ["token:created", "token:revoked"]);
    let log = sandbox.ok(&["audit", "export"]);
    assert!(!log.contains(&secret[5..]) && !log.contains("hash\":["), "{log}");
    sandbox.ok(&["doctor"]);
    sandbox.ok(&["audit", "verify"]);
}

#[test]
fn a_token_as_json_carries_its_secret_once() {
    let sandbox = Sandbox::new();
    let made = sandbox.json(&["token", "create", "--name", "ana", "--role", "admin", "--json"]);
    at(&made, "/role", "admin");
    at(&made, "/projects", json!([]));
    let secret = made["secret"].as_str().unwrap();
    assert!(secret.starts_with("hold_"));
    let listed = sandbox.json(&["token", "list", "--json"]);
    assert_eq!(listed[0].get("secret"), None);
}

#[test]
fn bad_names_and_roles_are_refused_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    sandbox.run(&["token", "create", "--name", "x", "--role", "king"]).exits(2);
    sandbox.run(&["token", "create", "--role", "agent"]).exits(2);
    for name in ["", "agent:x", "system:timeout", "a\u{202e}b"] {
        sandbox.run(&["token", "create", "--name", name, "--role", "agent"]).exits(1).says("name");
        sandbox.run(&["person", "add", name]).exits(1).says("name");
    }
    sandbox.run(&["person", "add", "bo", "--email", "bo"]).exits(1).says("address");
    assert_eq!(sandbox.tags(), Vec::<String>::new());
}

#[test]
fn people_are_added_changed_and_removed() {
    let sandbox = Sandbox::new();
    sandbox.run(&["person", "list"]).exits(0).prints("").says("Nobody");
    sandbox.run(&["person", "add", "bo", "--email", "bo@example.org"]).exits(0).says("No password");
    let added =
        sandbox.run_with(&["person", "add", "bo", "--password-stdin", "--json"], "correct horse\n").exits(0);
    let person = added.json();
    at(&person, "/email", "bo@example.org");
    at(&person, "/has_password", true);
    at(&person, "/role", "person");
    at(&sandbox.json(&["person", "add", "bo", "--admin", "--project", "web", "--json"]), "/role", "admin");
    let kept = sandbox.json(&["person", "add", "bo", "--json"]);
    at(&kept, "/role", "admin");
    at(&kept, "/projects", json!(["web"]));
    at(&sandbox.json(&["person", "add", "bo", "--no-admin", "--json"]), "/role", "person");
    assert!(!holds(&files(&sandbox), "correct horse"));
    let table = sandbox.ok(&["person", "list"]);
    assert!(table.contains("bo@example.org") && table.contains("web"), "{table}");
    sandbox.ok(&["token", "create", "--name", "bo", "--role", "person"]);
    sandbox.run(&["person", "remove", "bo"]).exits(0).prints("Removed bo").says("is still valid");
    assert_eq!(sandbox.json(&["person", "list", "--json"]), json!([]));
    sandbox.run(&["person", "remove", "bo"]).exits(3).says("bo");
    assert!(!sandbox.ok(&["audit", "export"]).contains("bo@example.org"), "the log forgets the address");
    sandbox.ok(&["audit", "verify"]);
    sandbox.ok(&["doctor"]);
}

#[test]
fn passwords_must_be_there_and_long_enough() {
    let sandbox = Sandbox::new();
    sandbox.run(&["person", "add", "bo", "--password-stdin"]).exits(1).says("standard input");
    let short = sandbox.run_with(&["person", "add", "bo", "--password-stdin"], "too short\n").exits(1);
    assert!(short.err.contains("at least 10") && !short.err.contains("too short"), "{}", short.err);
    assert_eq!(sandbox.json(&["person", "list", "--json"]), json!([]));
}

#[test]
fn a_store_that_demands_a_server_is_read_and_not_written() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Q?", "-o", "a:A", "-o", "b:B"]);
    assert_eq!(sandbox.ok(&["auth", "status"]), "off");
    sandbox.ok(&["auth", "on"]);
    assert_eq!(sandbox.ok(&["auth", "status"]), "on");
    assert_eq!(sandbox.json(&["auth", "status", "--json"]), json!({"required": true}));
    let before = sandbox.tags();
    for refused in [
        &["answer", id.as_str(), "a"][..],
        &["answer", &id, "a", "--by", "system:timeout"],
        &["cancel", &id],
        &["ask", "Q?", "-o", "a:A", "--no-wait"],
        &["item", "add", "x"],
        &["project", "set", "default", "--min-timeout", "1s"],
        &["token", "create", "--name", "x", "--role", "admin"],
        &["person", "add", "x", "--admin"],
        &["auth", "off"],
        &["bd", "decision", "respond", &id, "--select", "a"],
        &["prune", "--older-than", "1s"],
    ] {
        let ran = sandbox.run(refused);
        assert!(ran.code != 0 || refused[0] == "prune", "{refused:?}");
        assert_eq!(sandbox.tags(), before, "{refused:?} wrote");
    }
    sandbox.run(&["answer", &id, "a"]).exits(1).says("only by its server").says("hold serve");
    at(&sandbox.json(&["show", &id, "--json"]), "/status", "pending");
    assert!(sandbox.ok(&["list"]).contains("Q?"));
    sandbox.ok(&["audit", "verify"]);
}

#[test]
fn a_sign_in_link_needs_a_server_to_sign_in_to() {
    let sandbox = Sandbox::new();
    sandbox.run(&["person", "link", "bo"]).exits(1).says("hold serve");
}
