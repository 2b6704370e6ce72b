//! The web inbox, as a browser without script sees it.

use serde_json::{Value, json};

use crate::browser::{PASSWORD, Page, Served, choice, served};
use crate::sandbox::Sandbox;

#[test]
fn one_signs_in_and_out() {
    served(|_, server| {
        let mut ana = server.browser();
        assert_eq!(ana.get("/").is(303).header("location"), "/sign-in");
        assert_eq!(ana.get("/d/x?project=a").header("location"), "/sign-in?next=%2Fd%2Fx%3Fproject%3Da");
        ana.send("/sign-in", &[("name", "ana"), ("password", "wrong wrong wrong")])
            .is(401)
            .shows("Wrong name or password");
        ana.send("/sign-in", &[("name", "nobody"), ("password", PASSWORD)])
            .is(401)
            .shows("Wrong name or password");
        let page = ana
            .send("/sign-in", &[("name", "ana"), ("password", PASSWORD), ("next", "//evil.example")])
            .is(303);
        assert_eq!(page.header("location"), "/");
        let cookie = page.header("set-cookie");
        for part in ["hold_session=", "HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!cookie.contains("Secure"), "the address is not https: {cookie}");
        let inbox = ana.get("/").is(200).shows("Nothing is waiting for you");
        let csrf = inbox.csrf();
        ana.send("/sign-out", &[]).is(403);
        let session = ana.get("/").is(200);
        assert_eq!(session.header("set-cookie"), "");
        ana.send("/sign-out", &[("csrf", &csrf)]).is(303);
        assert!(!ana.has("hold_session"));
    });
}

#[test]
fn a_one_time_link_signs_in_once_and_only_by_its_button() {
    served(|_, server| {
        let url = server.api("POST", "/v1/people/ben/link", &Value::Null)["url"].as_str().unwrap().to_owned();
        let path = url.split(&server.host).nth(1).unwrap().to_owned();
        let mut ben = server.browser();
        for _ in 0..2 {
            ben.get(&path).is(200).shows("signs you in once");
        }
        assert!(!ben.has("hold_session"));
        ben.send(&path, &[]).is(303);
        ben.get("/").is(200).shows("ben").lacks("href=\"/settings\"");
        server.browser().send(&path, &[]).is(410).shows("used before");
        server.browser().send("/sign-in/forged.link", &[]).is(404);
    });
}

#[test]
fn pages_say_what_browsers_may_do() {
    served(|_, server| {
        let page = server.browser().get("/sign-in").is(200);
        let policy = page.header("content-security-policy");
        assert_eq!(
            policy,
            "default-src 'self'; img-src 'self' https:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        );
        assert_eq!(page.header("referrer-policy"), "same-origin");
        assert_eq!(page.header("cache-control"), "no-store");
        assert!(
            !page.text.contains("<style") && !page.text.contains("style=") && !page.text.contains("<script>")
        );
        let named = |end: &str| {
            let paths =
                page.text.split('"').filter(|text| text.starts_with("/assets/") && text.ends_with(end));
            let paths: Vec<String> = paths.map(ToOwned::to_owned).collect();
            assert!(!paths.is_empty(), "no {end} is named");
            paths
        };
        for (end, kind) in [(".css", "text/css; charset=utf-8"), (".js", "text/javascript; charset=utf-8")] {
            for path in named(end) {
                let asset = server.browser().get(&path).is(200);
                assert_eq!(asset.header("content-type"), kind);
                assert!(asset.header("cache-control").contains("immutable"));
            }
        }
        // A module that is imported is one of those that a page names.
        let scripts = named(".js");
        let folder = scripts[0].rsplit_once('/').unwrap().0;
        for path in &scripts {
            let text = server.browser().get(path).is(200).text;
            for name in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(scripts.contains(&format!("{folder}/{name}")), "{path} imports {name}");
            }
        }
        server.browser().get("/assets/app.0.css").is(404);
    });
}

#[test]
fn what_waits_is_ranked_and_narrowed() {
    served(|_, server| {
        let ask = |title: &str, more: Value| {
            let mut document = choice();
            document["title"] = title.into();
            document.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.ask(&document)
        };
        ask("Older", json!({}));
        ask("Younger", json!({ "project": "web", "assignees": ["ben"] }));
        ask("Nobody blocked", json!({ "requested_by": null }));
        ask("Urgent one", json!({ "priority": "urgent", "owner": "job:build", "source": "gate" }));
        let mut ana = server.browser();
        ana.sign_in("ana");
        let order = |page: &Page| {
            let titles = page.text.split("class=\"title\" dir=\"auto\">").skip(1);
            titles.map(|rest| rest.split('<').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(order(&ana.get("/")), ["Urgent one", "Older", "Younger", "Nobody blocked"]);
        assert_eq!(order(&ana.get("/?project=web")), ["Younger"]);
        assert_eq!(order(&ana.get("/?source=gate")), ["Urgent one"]);
        assert_eq!(order(&ana.get("/?owner=job:build")), ["Urgent one"]);
        assert_eq!(order(&ana.get("/?owner=build")), ["Urgent one"]);
        assert_eq!(order(&ana.get("/?assignee=ben")), ["Younger"]);
        assert_eq!(order(&ana.get("/?assignee=mine&q=o")), ["Urgent one", "Older"]);
        assert_eq!(order(&ana.get("/?q=younge")), ["Younger"]);
        ana.get("/?q=%3Cscript%3E").is(200).shows("No matches").lacks("<script>");
    });
}

#[test]
fn hostile_text_is_inert_and_bounded() {
    served(|_, server| {
        let options: Vec<Value> = (0..10_000)
            .map(|at| json!({ "id": format!("o{at}"), "label": format!("Option {at} <i>") }))
            .collect();
        let id = server.ask(&json!({
            "title": format!("<script>alert(1)</script>\u{202e}{}", "W".repeat(19_000)),
            "prompt": format!("<form action=//evil><button>Approve</button></form> [go](javascript:x) {}", "word ".repeat(190_000)),
            "requested_by": "a<script>", "fields": [{ "id": "x", "kind": "choice", "label": "<b>?", "options": options }] }));
        let mut ana = server.browser();
        ana.sign_in("ana");
        let inbox = ana.get("/").is(200).lacks("<script>alert").lacks("\u{202e}");
        assert!(inbox.text.len() < 20_000, "{} bytes for one row", inbox.text.len());
        let card = ana
            .get(&format!("/d/{id}"))
            .is(200)
            .lacks("<script>alert")
            .lacks("\u{202e}")
            .lacks("<button>Approve")
            .lacks("href=\"javascript")
            .lacks("<i>");
        assert!(card.text.matches("type=\"radio\"").count() <= 100, "options are bounded");
        let found = ana
            .fill(&format!("/d/{id}"), &[("s:x", "option 9876"), ("verb", "continue")])
            .is(200)
            .shows("o9876");
        assert_eq!(found.text.matches("type=\"radio\"").count(), 1);
        ana.fill(&format!("/d/{id}"), &[("v:x", "o9876")]).is(303);
    });
}

#[test]
fn an_admin_looks_after_tokens_and_people() {
    served(|_, server| {
        let mut ana = server.browser();
        ana.sign_in("ana");
        let csrf = ana.get("/settings").is(200).csrf();
        let with = |more: &[(&'static str, &'static str)]| {
            let mut fields = vec![("csrf", csrf.as_str())];
            fields.extend_from_slice(more);
            fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()
        };
        let mut post = |path: &str, more: &[(&'static str, &'static str)]| {
            let fields = with(more);
            let fields: Vec<(&str, &str)> =
                fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            ana.send(path, &fields)
        };
        let page = post("/settings/tokens", &[("name", "bot"), ("role", "agent"), ("projects", "web, shop")])
            .is(201);
        let secret = page.text.split("hold_").nth(1).unwrap().split('<').next().unwrap().to_owned();
        let agent = format!("Authorization: Bearer hold_{secret}\r\n");
        assert_eq!(server.request("GET", "/v1/decisions", &agent, "").status, 200);
        let id =
            page.text.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        post("/settings/tokens", &[("name", "agent:x"), ("role", "agent")])
            .is(422)
            .shows("must not start with");
        post("/settings/people", &[("name", "cem"), ("role", "person"), ("password", "short")])
            .is(422)
            .shows("at least");
        post("/settings/people", &[("name", "cem"), ("role", "person"), ("password", PASSWORD)]).is(303);
        post("/settings/people/link", &[("name", "cem")]).is(200).shows("/sign-in/");
        server.browser().sign_in("cem");
        post("/settings/people/remove", &[("name", "cem")]).is(303);
        let revoke = [("csrf", csrf.as_str()), ("id", id.as_str())];
        ana.send("/settings/tokens/revoke", &revoke).is(303);
        assert_eq!(server.request("GET", "/v1/decisions", &agent, "").status, 401);
        ana.get("/settings").lacks(&secret).lacks("cem");
        ana.send("/settings/tokens", &[("name", "x"), ("role", "admin")]).is(403);
    });
}

#[test]
fn without_authentication_names_are_given_and_remembered() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let server = Served::start(&sandbox, &["--no-auth"]);
    let id = server.ask(&choice());
    let mut anyone = server.browser();
    anyone.get("/").is(200).shows("Names are unverified").shows("Which cache?");
    anyone.send(&format!("/d/{id}"), &[("v:choice", "redis")]).is(200).shows("Nothing was sent yet");
    anyone.fill(&format!("/d/{id}"), &[("v:choice", "redis"), ("by", "Zoë")]).is(303);
    let answer = server.decision(&id)["answer"].clone();
    assert_eq!((&answer["by"], &answer["auth"]), (&json!("Zoë"), &json!("claimed")));
    let other = server.ask(&choice());
    anyone.get(&format!("/d/{other}")).shows("value=\"Zoë\"");
    anyone.get("/link/x.y").is(404);
    anyone.get("/sign-in/x.y").is(404);
}
