//! The cookie of a real browser session on `/v1`: it opens nothing to a page elsewhere.

use holdpoint_engine::api::{Access, Method, Operation, operations};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Api, Server, question, question_with};

/// A browser that is signed in, and what its own pages know.
struct Signed {
    server: Server,
    cookie: String,
    csrf: String,
    id: String,
}

impl Signed {
    fn start(settings: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.settings(settings);
        let server = Server::on(sandbox, &[]);
        let (cookie, csrf) = sign_in(&server, "ana");
        let id = server.local().ask();
        Self { server, cookie, csrf, id }
    }

    /// The browser, no matter who wrote the page: it sends the cookie by itself.
    fn browser(&self) -> Api {
        self.server.nobody().with("Cookie", &format!("theme=dark; {}; other=1", self.cookie))
    }

    /// One of our own pages.
    fn page(&self) -> Api {
        let origin = self.server.url();
        self.browser().with("Origin", &origin).with("Sec-Fetch-Site", "same-origin")
    }

    fn answer(&self, api: &Api) -> crate::server::Reply {
        api.answer(&self.id, "a")
    }

    /// Nothing was written but what the test itself did.
    #[track_caller]
    fn is_untouched(&self) {
        let status = self.server.local().decision(&self.id).is(200).json()["status"].clone();
        assert_eq!(status, "pending");
    }
}

/// Makes a person known, an admin, and signs them in; returns the cookie and the token of the session.
pub(crate) fn sign_in(server: &Server, name: &str) -> (String, String) {
    let person = json!({"name": name, "role": "admin", "password": "correct horse battery"});
    server.local().send("PUT", &format!("/v1/people/{name}"), Some(&person)).is(200);
    let form = format!("name={name}&password=correct+horse+battery");
    let api = server.nobody().with("Content-Type", "application/x-www-form-urlencoded");
    let reply = api.with("Content-Length", &form.len().to_string()).raw("POST", "/sign-in", form.as_bytes());
    let cookie = reply.is(303).header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let page = server.nobody().with("Cookie", &cookie).get("/").is(200).body;
    let csrf = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    (cookie, csrf)
}

#[test]
fn our_own_page_writes_with_its_token() {
    let signed = Signed::start("");
    signed.browser().decision(&signed.id).is(200);
    let reply = signed.answer(&signed.page().with("X-CSRF-Token", &signed.csrf)).is(200);
    assert_eq!(reply.json()["answer"]["by"], "ana");
    assert_eq!(reply.json()["answer"]["auth"], "session");
}

#[test]
fn the_cookie_alone_writes_nothing_on_any_route() {
    let signed = Signed::start("");
    let before = signed.server.sandbox.log().len();
    let mut writes = 0;
    let known =
        |operation: &&Operation| operation.access != Access::Anyone && operation.method != Method::Get;
    for operation in operations().filter(known) {
        let named = operation.path.replace("{id}", &signed.id).replace("{name}", "ana");
        writes += 1;
        signed.page().send(operation.method.name(), &named, Some(&question())).refuses(403, "csrf");
    }
    assert!(writes > 50, "{writes}");
    assert_eq!(signed.server.sandbox.log().len(), before);
}

#[test]
fn only_the_token_of_this_session_counts_and_only_in_its_header() {
    let signed = Signed::start("");
    let (_, other) = sign_in(&signed.server, "ben");
    let secret = signed.cookie.split_once('=').unwrap().1.to_owned();
    let cut = &signed.csrf[..signed.csrf.len() - 1];
    for wrong in ["", "x", &other, &secret, cut, &format!("{}x", signed.csrf), &signed.csrf.to_uppercase()] {
        signed.answer(&signed.page().with("X-CSRF-Token", wrong)).refuses(403, "csrf");
    }
    let path = format!("/v1/decisions/{}/answer", signed.id);
    let body = json!({"choice": "a"});
    signed.page().post(&format!("{path}?csrf={}", signed.csrf), &body).refuses(403, "csrf");
    signed.page().post(&path, &json!({"choice": "a", "csrf": signed.csrf})).refuses(403, "csrf");
    let cookies = signed.page().with("Cookie", &format!("csrf={0}; x-csrf-token={0}", signed.csrf));
    cookies.post(&path, &body).refuses(403, "csrf");
    signed.is_untouched();
}

#[test]
fn a_page_elsewhere_writes_nothing_even_if_it_knew_the_token() {
    let signed = Signed::start("");
    let knowing = || signed.browser().with("X-CSRF-Token", &signed.csrf);
    let port = signed.server.address.rsplit(':').next().unwrap().to_owned();
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", &format!("http://localhost:{port}")]
    {
        signed.answer(&knowing().with("Origin", origin)).refuses(403, "foreign_origin");
        knowing().with("Origin", origin).decision(&signed.id).refuses(403, "foreign_origin");
    }
    for site in ["cross-site", "same-site"] {
        signed.answer(&knowing().with("Sec-Fetch-Site", site)).refuses(403, "cross_site");
        let form = knowing().with("Sec-Fetch-Site", site).with("Sec-Fetch-Mode", "navigate");
        signed.answer(&form).refuses(403, "cross_site");
    }
    // A name that was made to lead here is not ours.
    let rebound = knowing().with("Host", &format!("evil.example:{port}"));
    signed
        .answer(&rebound.clone().with("Origin", &format!("http://evil.example:{port}")))
        .refuses(421, "foreign_host");
    signed.answer(&rebound).refuses(421, "foreign_host");
    signed.is_untouched();
}

#[test]
fn what_a_form_can_send_is_not_taken() {
    let signed = Signed::start("");
    let path = format!("/v1/decisions/{}/answer", signed.id);
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let body = br#"{"choice":"a"}"#;
        let send = |api: Api| {
            let api = api.with("Content-Type", kind).with("Content-Length", &body.len().to_string());
            api.raw("POST", &path, body)
        };
        send(signed.browser()).refuses(403, "csrf");
        send(signed.page().with("X-CSRF-Token", &signed.csrf)).refuses(415, "not_json");
    }
    // A link, an image or a script that leads here asks with GET: that writes nothing, whatever else it says.
    let before = signed.server.sandbox.log().len();
    for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
        signed.browser().with(name, "POST").get(&path).refuses(405, "wrong_method");
    }
    signed.browser().get(&format!("{path}?_method=POST&choice=a")).refuses(405, "wrong_method");
    signed.browser().get(&format!("/v1/decisions/{}/cancel", signed.id)).refuses(405, "wrong_method");
    assert_eq!(signed.server.sandbox.log().len(), before);
    signed.is_untouched();
}

#[test]
fn a_named_origin_brings_a_token_of_its_own() {
    let signed = Signed::start("[server]\norigins = [\"https://desk.example\"]\n");
    let desk = |api: Api| api.with("Origin", "https://desk.example").with("Sec-Fetch-Site", "same-site");
    signed.answer(&desk(signed.browser())).refuses(403, "csrf");
    let read = desk(signed.browser()).decision(&signed.id).is(200);
    // The browser keeps the answer to a request with a cookie from the page unless this says otherwise.
    assert_eq!(read.header("access-control-allow-credentials"), None);
    signed.is_untouched();
    let ben = signed.server.token("ben", "person", &[]);
    signed.answer(&desk(ben)).is(200);
}

#[test]
fn a_bad_token_is_not_made_good_by_a_cookie() {
    let signed = Signed::start("");
    let both = |token: &str| signed.page().with("X-CSRF-Token", &signed.csrf).bearing(token);
    signed.answer(&both("hold_nonsense")).refuses(401, "unauthorized");
    both("").get("/v1/decisions").refuses(401, "unauthorized");
    // A good one is who it is, no matter who is signed in beside it.
    let made: Value =
        signed.server.local().post("/v1/tokens", &json!({"name": "agent-7", "role": "agent"})).is(201).json();
    let agent = signed.browser().bearing(made["secret"].as_str().unwrap());
    agent.decision(&signed.id).refuses(404, "not_found");
    agent.post("/v1/decisions", &question_with(&json!({"prompt": "Mine?"}))).is(201);
    signed.is_untouched();
}
