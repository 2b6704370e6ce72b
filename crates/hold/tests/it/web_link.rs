//! The page of a signed link while things happen, and addresses where there is nothing.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use holdpoint_engine::auth::Links;
use serde_json::json;

use crate::browser::{Served, with};
use crate::sandbox::Sandbox;
use crate::server::question;

fn served() -> (Sandbox, Served) {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let server = Served::start(&sandbox, &[]);
    server.person("ben", "person");
    (sandbox, server)
}

/// Makes a link to a decision for ben.
fn link(sandbox: &Sandbox, server: &Served, id: &str) -> String {
    let decision = serde_json::from_value(server.decision(id)).unwrap();
    let home = holdpoint_engine::Home::at(sandbox.home());
    let now = holdpoint_engine::Clock::System.now();
    format!("/link/{}", Links::load_or_make(&home).unwrap().issue(&decision, "ben", now).unwrap())
}

/// Begins to listen as the page does.
fn listen(server: &Served, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.host).unwrap();
    let host = &server.host;
    write!(stream, "GET {path}/live HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    stream
}

/// Returns all that is heard until the server has no more to say.
fn heard(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("text/event-stream"), "{text}");
    text
}

#[test]
fn the_page_hears_that_the_decision_was_settled() {
    let (sandbox, server) = served();
    let id = server.ask(&question());
    let path = link(&sandbox, &server, &id);
    server.browser().get(&path).is(200).shows(&format!("data-live=\"{path}/live\"")).shows("id=\"changed\"");
    let stream = listen(&server, &path);
    server.api("POST", &format!("/v1/decisions/{id}/answer"), &json!({"choice": "b"}));
    let text = heard(stream);
    assert!(
        text.contains("event: changed") && text.contains("already answered: Second. Nothing was sent."),
        "{text}"
    );
}

#[test]
fn the_page_hears_that_the_question_is_another_even_if_it_listens_late() {
    let (sandbox, server) = served();
    let id = server.ask(&question());
    let path = link(&sandbox, &server, &id);
    let early = listen(&server, &path);
    server.api("PATCH", &format!("/v1/decisions/{id}"), &json!({"prompt": "Which now?"}));
    for stream in [early, listen(&server, &path)] {
        let text = heard(stream);
        assert!(text.contains("The agent changed this."), "{text}");
    }
    server.request("GET", "/link/forged.text/live", "", "").is(404);
}

#[test]
fn an_unknown_address_is_a_page_for_browsers_and_a_problem_for_programs() {
    let (_sandbox, server) = served();
    let page = server.request("GET", "/nowhere/%3Ci%3E", "Accept: text/html,*/*;q=0.8\r\n", "").is(404);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
    let page = page.shows("Not found").shows("Back to inbox").lacks("<i>");
    assert!(page.header("content-security-policy").contains("default-src 'self'"));
    for (path, accept) in
        [("/nowhere", "application/json"), ("/nowhere", "*/*"), ("/v1/nowhere", "text/html")]
    {
        let reply = server.request("GET", path, &format!("Accept: {accept}\r\n"), "").is(404);
        assert_eq!(reply.header("content-type"), "application/problem+json", "{path} {accept}");
    }
}

/// A person who sends from a link's page sends nothing over what others have filled in since: they are shown what
/// changed.
#[test]
fn an_old_page_of_a_link_sends_nothing_over_a_correction() {
    let (sandbox, server) = served();
    let fields = json!([
        {"id": "size", "kind": "choice", "label": "Which size?", "options": [
            {"id": "small", "label": "small"}, {"id": "large", "label": "large"}]},
        {"id": "reason", "kind": "text", "label": "Why?"}]);
    let id =
        server.ask(&json!({"source": "form", "title": "A machine", "assignees": ["ben"], "fields": fields}));
    let path = link(&sandbox, &server, &id);
    let draft = |size: &str| {
        let values = json!({"values": {"size": size, "reason": "tests"}});
        server.api("PUT", &format!("/v1/decisions/{id}/draft"), &values);
    };
    draft("small");
    let hidden = |page: &crate::browser::Page| {
        let of = |name: &str| {
            let rest = page.text.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
            (name.to_owned(), rest.split('"').next().unwrap().replace("&amp;", "&").replace("&quot;", "\""))
        };
        ["digest", "shown"].map(of).to_vec()
    };
    let old = hidden(&server.browser().get(&path).is(200));
    draft("large");
    let typed = [("v:size", "small"), ("v:reason", "tests"), ("message", "see you"), ("verb", "answer")];
    let page = server.browser().send(&path, &with(&old, &typed)).is(409);
    page.shows("has changed").shows("now large").shows("see you");
    assert_eq!(server.decision(&id)["status"], "pending");
    // A person who looks at it as it stands now sends what they mean.
    let new = hidden(&server.browser().get(&path).is(200));
    server.browser().send(&path, &with(&new, &typed)).is(200).shows("Sent.");
    assert_eq!(server.decision(&id)["answer"]["values"]["size"], "small");
}
