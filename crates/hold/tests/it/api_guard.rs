//! A page elsewhere must not reach the server through the person's browser.

use crate::sandbox::Sandbox;
use crate::server::{Server, question, send_bytes};

const ROUTES: [&str; 6] =
    ["/v1/decisions", "/v1/events", "/openapi.json", "/healthz", "/metrics", "/nowhere"];

#[test]
fn only_our_own_names_are_answered_on_every_route() {
    let server = Server::open();
    let port = server.address.rsplit(':').next().unwrap();
    for host in
        ["127.0.0.1", "localhost", "LocalHost:80", "[::1]", "127.0.0.2:9", &format!("localhost:{port}")]
    {
        server.nobody().with("Host", host).get("/v1/decisions").is(200);
    }
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "[::2]",
        "[fe80::1]",
        "localhost:80@evil.example",
        "2130706433.evil",
        "evil.example#localhost",
        "localhost evil.example",
    ] {
        for route in ROUTES {
            let reply = server.nobody().with("Host", host).get(route);
            assert!(reply.status == 421 || reply.status == 400, "{host} {route}: {reply:?}");
        }
    }
    server
        .nobody()
        .with("Host", "evil.example")
        .post("/v1/decisions", &question())
        .refuses(421, "foreign_host");
    // The name in the request line counts as well.
    let raw =
        "GET http://evil.example/v1/decisions HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(send_bytes(&server.address, raw.as_bytes()).status, 421);
    assert_eq!(send_bytes(&server.address, b"GET /v1/decisions HTTP/1.0\r\n\r\n").status, 400);
    assert!(server.nobody().get("/v1/events").body.is_empty(), "nothing is written");
}

#[test]
fn other_origins_are_refused_whatever_they_send() {
    let server = Server::open();
    let own = format!("http://{}", server.address);
    let port = server.address.rsplit(':').next().unwrap();
    server.nobody().with("Origin", &own).post("/v1/decisions", &question()).is(201);
    let other_port = format!("http://localhost:{port}");
    for origin in
        ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", &other_port, "file://", ""]
    {
        for route in ROUTES {
            server.nobody().with("Origin", origin).get(route).refuses(403, "foreign_origin");
        }
        server
            .nobody()
            .with("Origin", origin)
            .post("/v1/decisions", &question())
            .refuses(403, "foreign_origin");
        let preflight = server.nobody().with("Origin", origin).with("Access-Control-Request-Method", "POST");
        let reply = preflight.send("OPTIONS", "/v1/decisions", None);
        assert_eq!(reply.header("access-control-allow-origin"), None, "{origin}");
        reply.refuses(403, "foreign_origin");
    }
}

#[test]
fn other_sites_are_refused_unless_a_person_follows_a_link() {
    let server = Server::open();
    for site in ["cross-site", "same-site"] {
        let fetch = server.nobody().with("Sec-Fetch-Site", site);
        fetch.get("/v1/decisions").refuses(403, "cross_site");
        fetch.post("/v1/decisions", &question()).refuses(403, "cross_site");
        fetch
            .clone()
            .with("Sec-Fetch-Mode", "navigate")
            .post("/v1/decisions", &question())
            .refuses(403, "cross_site");
        fetch.clone().with("Sec-Fetch-Mode", "navigate").get("/healthz").is(200);
    }
    for site in ["same-origin", "none"] {
        server.nobody().with("Sec-Fetch-Site", site).get("/v1/decisions").is(200);
    }
}

#[test]
fn only_a_named_origin_may_read() {
    let sandbox = Sandbox::new();
    sandbox.settings("[server]\norigins = [\"https://desk.example\"]\nhosts = [\"hold.example\"]");
    let server = Server::on(sandbox, &["--no-auth"]);
    let desk = server.nobody().with("Origin", "https://desk.example").with("Sec-Fetch-Site", "cross-site");
    let reply = desk.post("/v1/decisions", &question()).is(201);
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://desk.example"));
    assert_eq!(reply.header("access-control-allow-credentials"), None, "cookies are not for others");
    let preflight = desk
        .clone()
        .with("Access-Control-Request-Method", "POST")
        .send("OPTIONS", "/v1/decisions", None)
        .is(204);
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("authorization"));
    for other in ["https://desk.example.evil", "http://desk.example", "https://desk.example:444"] {
        server.nobody().with("Origin", other).get("/v1/decisions").refuses(403, "foreign_origin");
    }
    server.nobody().with("Host", "hold.example").get("/v1/decisions").is(200);
    server.nobody().with("Host", "other.example").get("/v1/decisions").refuses(421, "foreign_host");
    let plain = server.nobody().get("/v1/decisions").is(200);
    assert_eq!(plain.header("access-control-allow-origin"), None);
}

#[test]
fn json_comes_only_as_json() {
    let server = Server::open();
    let body = question().to_string();
    let send = |kind: &str| {
        let api = server.nobody().with("Content-Length", &body.len().to_string());
        let api = if kind.is_empty() { api } else { api.with("Content-Type", kind) };
        api.raw("POST", "/v1/decisions", body.as_bytes())
    };
    for kind in [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
        "text/plain;application/json",
        "application/problem+json",
    ] {
        send(kind).refuses(415, "not_json");
    }
    for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        send(kind).is(201);
    }
}

#[test]
fn every_answer_bears_its_request() {
    let server = Server::open();
    let ids: Vec<String> = (0..3)
        .map(|_| server.nobody().get("/v1/decisions").header("x-request-id").unwrap().to_owned())
        .collect();
    assert!(ids[0] != ids[1] && ids[1] != ids[2], "{ids:?}");
    let own = |id: &str| {
        server.nobody().with("X-Request-Id", id).get("/nowhere").header("x-request-id").unwrap().to_owned()
    };
    assert_eq!(own("trace-17.a_b"), "trace-17.a_b");
    for bad in ["a b", "<script>", &"x".repeat(65), ""] {
        assert_ne!(own(bad), bad);
    }
    let refused = server.nobody().with("Host", "evil.example").get("/v1/decisions");
    assert!(refused.header("x-request-id").is_some());
    assert_eq!(refused.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(server.nobody().get("/v1/decisions").header("cache-control"), Some("no-store"));
}
