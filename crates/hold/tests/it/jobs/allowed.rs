//! Who may start jobs over HTTP, and what with.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::Server;

const BOOK: &str = r#"{"job": {"b": {"steps": [{"name": "s", "run": "true"}]}}}"#;

fn start(sandbox: &Sandbox, more: &Value) -> Value {
    let mut body = json!({"cwd": sandbox.path(""), "project": "web"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// A server with a runbook beside it; its settings name the place, or not.
fn served(allowed: bool) -> (Server, String) {
    let sandbox = Sandbox::new();
    let folders = if allowed {
        format!("[jobs]\nfolders = [\"{}\"]\n", sandbox.path("").display())
    } else {
        String::new()
    };
    sandbox.settings(&format!("[hooks]\ndesktop = false\n{folders}"));
    let file = sandbox.file("book.json", BOOK);
    (Server::on(sandbox, &[]), file)
}

#[test]
fn starting_takes_an_admin_of_all_projects_or_the_permission() {
    let (server, file) = served(true);
    let body = start(&server.sandbox, &json!({"file": file}));
    for (name, role, projects) in [
        ("one", "admin", &["web"][..]),
        ("bo", "person", &[]),
        ("bot", "agent", &[]),
        ("bit", "agent", &["web"]),
    ] {
        let said = server.token(name, role, projects).post("/v1/jobs", &body).refuses(403, "forbidden");
        assert!(said["detail"].as_str().unwrap().contains("admin of all projects"), "{said}");
    }
    server.token("all", "admin", &[]).post("/v1/jobs", &body).is(201);
    server.token_allowing("ci", "agent", &["web"], &["jobs"]).post("/v1/jobs", &body).is(201);
    server
        .token_allowing("co", "person", &["other"], &["jobs"])
        .post("/v1/jobs", &body)
        .refuses(403, "forbidden");
    // What is wrong with a runbook is for those who may start one.
    let wrong = start(&server.sandbox, &json!({"runbook": "{", "format": "json"}));
    server.token("other", "agent", &[]).post("/v1/jobs", &wrong).refuses(403, "forbidden");
}

#[test]
fn a_credential_starts_only_runbooks_that_lie_where_the_settings_say() {
    let (server, file) = served(true);
    let admin = server.token("all", "admin", &[]);
    let with = |more: Value| admin.post("/v1/jobs", &start(&server.sandbox, &more));
    with(json!({"runbook": BOOK, "format": "json"})).refuses(403, "forbidden");
    with(json!({"file": "/etc/passwd"})).refuses(403, "forbidden");
    with(json!({"file": file, "cwd": "/"})).refuses(403, "forbidden");
    std::os::unix::fs::symlink("/etc/passwd", server.sandbox.path("link.json")).unwrap();
    with(json!({"file": server.sandbox.path("link.json")})).refuses(403, "forbidden");
    let other = BOOK.replace("true", "touch made");
    with(json!({"file": file, "runbook": other, "format": "json"})).refuses(422, "invalid");
    with(json!({"file": file, "runbook": BOOK, "format": "json"})).is(201);
    with(json!({"file": file})).is(201);
    // A person at the machine may run what they like there.
    server
        .local()
        .post("/v1/jobs", &start(&server.sandbox, &json!({"runbook": BOOK, "format": "json"})))
        .is(201);
    let (server, file) = served(false);
    let body = start(&server.sandbox, &json!({"file": file}));
    server.token("all", "admin", &[]).post("/v1/jobs", &body).refuses(403, "forbidden");
}
