//! A browser without a screen or script: it follows addresses, fills forms and keeps cookies, over a real socket.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::process::{Running, Stream};
use crate::sandbox::Sandbox;

/// A server on a data folder, and the address it listens on.
pub(crate) struct Served {
    pub(crate) host: String,
    local: String,
    _running: Running,
}

/// A page as it came over the wire.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

/// One browser, with its cookies.
pub(crate) struct Browser<'a> {
    server: &'a Served,
    cookies: BTreeMap<String, String>,
}

/// Runs a test on a server with an admin, ana, and somebody else, ben.
pub(crate) fn served(test: impl FnOnce(&Sandbox, &Served)) {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let server = Served::start(&sandbox, &[]);
    server.person("ana", "admin");
    server.person("ben", "person");
    test(&sandbox, &server);
}

/// A question with two options, words of one's own, and an out.
pub(crate) fn choice() -> Value {
    json!({
        "prompt": "Which cache?", "requested_by": "agent-7",
        "fields": [{ "id": "choice", "kind": "choice", "label": "Which cache?", "custom": true,
            "options": [{ "id": "redis", "label": "Use Redis" }, { "id": "memory", "label": "In memory", "recommended": true }] }],
        "outs": [{ "id": "cancel", "label": "Cancel" }]
    })
}

/// The hidden fields that a page came with, and what was filled in.
pub(crate) fn with<'a>(
    seen: &'a [(String, String)],
    filled: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let hidden = seen.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    hidden.chain(filled.iter().copied()).collect()
}

impl Served {
    pub(crate) fn start(sandbox: &Sandbox, more: &[&str]) -> Self {
        let flags = [&["serve", "--listen", "127.0.0.1:0"], more].concat();
        let mut running = sandbox.spawn(&flags);
        let line = running.until(Stream::Err, "Listening on ");
        let host = line.split("http://").nth(1).unwrap().to_owned();
        let local = std::fs::read_to_string(sandbox.home().join("local.token")).unwrap_or_default();
        Self { host, local: local.trim().to_owned(), _running: running }
    }

    pub(crate) fn browser(&self) -> Browser<'_> {
        Browser { server: self, cookies: BTreeMap::new() }
    }

    /// Calls the API with the local token.
    pub(crate) fn api(&self, method: &str, path: &str, body: &Value) -> Value {
        let headers = format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", self.local);
        let page = self.request(method, path, &headers, &body.to_string());
        assert!(page.status < 300, "{method} {path}: {page:?}");
        serde_json::from_str(&page.text).unwrap_or(Value::Null)
    }

    pub(crate) fn ask(&self, document: &Value) -> String {
        self.api("POST", "/v1/decisions", document)["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn decision(&self, id: &str) -> Value {
        let headers = format!("Authorization: Bearer {}\r\n", self.local);
        serde_json::from_str(&self.request("GET", &format!("/v1/decisions/{id}"), &headers, "").text).unwrap()
    }

    pub(crate) fn person(&self, name: &str, role: &str) {
        let person = serde_json::json!({ "name": name, "role": role, "password": PASSWORD });
        self.api("PUT", &format!("/v1/people/{name}"), &person);
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Page {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let length = body.len();
        let host = &self.host;
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        let reply = String::from_utf8_lossy(&reply).into_owned();
        let (head, text) = reply.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header =
            |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Page { status, headers: lines.filter_map(header).collect(), text: text.to_owned() }
    }
}

/// The password of everyone.
pub(crate) const PASSWORD: &str = "correct horse battery";

impl Browser<'_> {
    pub(crate) fn get(&mut self, path: &str) -> Page {
        let headers = self.cookie();
        let page = self.server.request("GET", path, &headers, "");
        self.keep(page)
    }

    /// Sends a form as it is given.
    pub(crate) fn send(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.send_from(path, fields, "")
    }

    pub(crate) fn send_from(&mut self, path: &str, fields: &[(&str, &str)], more: &str) -> Page {
        let body: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let headers = format!("{}Content-Type: application/x-www-form-urlencoded\r\n{more}", self.cookie());
        let page = self.server.request("POST", path, &headers, &body);
        self.keep(page)
    }

    /// Opens a page, and sends its form with its hidden fields and these.
    pub(crate) fn fill(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let page = self.get(path);
        let hidden = page.hidden();
        let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let all: Vec<(&str, &str)> = hidden.chain(fields.iter().copied()).collect();
        self.send(path, &all)
    }

    pub(crate) fn sign_in(&mut self, name: &str) {
        let page = self.send("/sign-in", &[("name", name), ("password", PASSWORD)]);
        assert_eq!(page.status, 303, "{page:?}");
    }

    /// Returns the same browser on another server that its address leads to.
    pub(crate) fn moved<'a>(&self, server: &'a Served) -> Browser<'a> {
        Browser { server, cookies: self.cookies.clone() }
    }

    pub(crate) fn has(&self, cookie: &str) -> bool {
        self.cookies.get(cookie).is_some_and(|value| !value.is_empty())
    }

    pub(crate) fn forget(&mut self, cookie: &str) {
        self.cookies.remove(cookie);
    }

    fn cookie(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if pairs.is_empty() { String::new() } else { format!("Cookie: {}\r\n", pairs.join("; ")) }
    }

    fn keep(&mut self, page: Page) -> Page {
        for cookie in page.all("set-cookie") {
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        page
    }
}

impl Page {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let name = name.to_owned();
        self.headers.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Expects words on the page.
    #[track_caller]
    pub(crate) fn shows(self, words: &str) -> Self {
        assert!(self.text.contains(words), "nothing of {words:?} on\n{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn lacks(self, words: &str) -> Self {
        assert!(!self.text.contains(words), "{words:?} is on\n{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// Returns the token that forms of this session carry.
    pub(crate) fn csrf(&self) -> String {
        self.text.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    }

    /// Returns the hidden fields of the card's form.
    pub(crate) fn hidden(&self) -> Vec<(String, String)> {
        let form = self.text.split("id=\"answer\"").nth(1).unwrap_or(&self.text);
        let form = form.split("</form>").next().unwrap_or_default();
        let attribute = |tag: &str, name: &str| {
            let value = tag.split(&format!("{name}=\"")).nth(1)?.split('"').next()?;
            Some(
                value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"),
            )
        };
        let tags = form.split("<input type=\"hidden\"").skip(1).filter_map(|rest| rest.split('>').next());
        tags.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?))).collect()
    }
}
