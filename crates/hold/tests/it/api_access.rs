//! Every endpoint there is, tried with everything that is not good enough for it. What is tried is the table that the
//! server routes by, so that nothing can be added past this.

use holdpoint_engine::api::{Access, Method, Operation, operations};
use serde_json::json;

use crate::sandbox::Sandbox;
use crate::server::{Api, Reply, Server, question};

/// Calls an endpoint with something in every place of its path.
fn call(caller: &Api, operation: &Operation) -> Reply {
    let names: Vec<&str> =
        operation.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
    let body = (operation.method != Method::Get).then(question);
    caller.send(operation.method.name(), &names.join("/"), body.as_ref())
}

fn server() -> Server {
    let sandbox = Sandbox::new();
    sandbox.settings("[server]\nlocal_per_second = 100000\nper_second = 100000\n");
    Server::on(sandbox, &[])
}

#[test]
fn who_is_not_known_gets_nothing_anywhere() {
    let server = server();
    let made = server.local().post("/v1/tokens", &json!({"name": "gone", "role": "admin"})).is(201).json();
    let (secret, id) = (made["secret"].as_str().unwrap(), made["id"].as_str().unwrap());
    server.local().send("DELETE", &format!("/v1/tokens/{id}"), None).is(200);
    let elsewhere = Server::start().token("ana", "admin", &[]);
    let nobody = || server.nobody();
    let unknown = [
        ("nobody", nobody()),
        ("an empty token", nobody().bearing("")),
        ("nonsense", nobody().bearing("hold_nonsense")),
        ("a token's id", nobody().bearing(id)),
        ("a revoked token", nobody().bearing(secret)),
        ("a token of another server", nobody().bearing(elsewhere.token())),
        ("a token as a password", nobody().with("Authorization", &format!("Basic {secret}"))),
        ("a cookie that nobody gave out", nobody().with("Cookie", &format!("hold_session={secret}"))),
        ("a claimed door", nobody().with("Holdpoint-Door", "mcp")),
    ];
    let before = server.sandbox.log().len();
    for operation in operations() {
        for (who, caller) in &unknown {
            let reply = call(caller, operation);
            let place = format!("{} {} for {who}: {}", operation.method.name(), operation.path, reply.body);
            if operation.access == Access::Anyone {
                assert!(matches!(reply.status, 200..=299), "{place}");
            } else {
                assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{place}");
                assert_eq!(reply.status, 401, "{place}");
            }
        }
    }
    assert_eq!(server.sandbox.log().len(), before);
}

#[test]
fn who_is_known_gets_no_further_than_their_role() {
    use Access::{Admins, People, ProjectAdmins, Starters};
    let server = server();
    let person = server.token("ana", "person", &[]);
    let callers: [(&str, Api, &[Access]); 6] = [
        ("an agent", server.token("bot", "agent", &[]), &[People, Starters, ProjectAdmins, Admins]),
        (
            "an agent that may answer",
            server.token_allowing("answering", "agent", &[], &["answer"]),
            &[People, Starters, ProjectAdmins, Admins],
        ),
        (
            "an agent that may start jobs",
            server.token_allowing("starting", "agent", &[], &["jobs"]),
            &[People, ProjectAdmins, Admins],
        ),
        ("a person", person.clone(), &[Starters, ProjectAdmins, Admins]),
        (
            "a person at an MCP client",
            person.with("Holdpoint-Door", "mcp"),
            &[People, Starters, ProjectAdmins, Admins],
        ),
        ("an admin of one project", server.token("pat", "admin", &["web"]), &[Starters, Admins]),
    ];
    let before = server.sandbox.log().len();
    let mut tried = 0;
    for operation in operations() {
        for (who, caller, refused) in &callers {
            if refused.contains(&operation.access) {
                let reply = call(caller, operation);
                let place = format!("{} {} for {who}", operation.method.name(), operation.path);
                assert_eq!(
                    (reply.status, reply.json()["code"].as_str()),
                    (403, Some("forbidden")),
                    "{place}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
    assert_eq!(server.sandbox.log().len(), before);
    // The local token may call each: what is wrong then is what was sent.
    for operation in operations().filter(|operation| operation.access == Admins) {
        assert_ne!(call(&server.local(), operation).status, 403, "{}", operation.path);
    }
}

#[test]
fn the_api_has_no_route_beside_the_table() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.join("api"), source.join("http"), source.join("server")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("routes.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(!text.contains(".route("), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 60, "looks in the wrong place");
}
