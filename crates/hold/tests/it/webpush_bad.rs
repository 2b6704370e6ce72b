//! Web Push and what it is sent by who means harm: addresses, keys, other people's browsers, settings.

use serde_json::{Value, json};

use crate::api_csrf::sign_in;
use crate::push_service::PushBrowser;
use crate::sandbox::Sandbox;
use crate::webpush::Scene;

#[test]
fn subscriptions_that_lead_elsewhere_are_refused() {
    let scene = Scene::new("");
    let good = PushBrowser::start(1, &[]).subscription();
    let with = |pointer: &str, value: Value| {
        let mut changed = good.clone();
        changed["endpoint"] = json!("https://push.example/x");
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    let long = format!("https://push.example/{}", "x".repeat(3_000));
    for endpoint in [
        "http://push.example/x",
        "https://127.0.0.1/x",
        "https://169.254.169.254/latest",
        "https://[::1]:8443/x",
        "https://0x7f000001/x",
        "https://user:pass@push.example/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "",
        long.as_str(),
    ] {
        let reply = scene.ana.post("/v1/push/browsers", &with("/endpoint", json!(endpoint))).is(422);
        assert!(reply.body.contains("endpoint"), "{endpoint}: {}", reply.body);
    }
    for (pointer, value) in [
        ("/keys/p256dh", json!("AAAA")),
        ("/keys/p256dh", json!("B".repeat(87))),
        ("/keys/auth", json!("")),
        ("/keys/auth", json!("A".repeat(100_000))),
    ] {
        scene.ana.post("/v1/push/browsers", &with(pointer, value)).is(422);
    }
    for document in [
        json!(null),
        json!([]),
        json!({"endpoint": 1}),
        with("/keys", json!("x")),
        with("/browser", json!(7)),
    ] {
        let reply = scene.ana.post("/v1/push/browsers", &document);
        assert!(matches!(reply.status, 400 | 422), "{document}: {}", reply.status);
    }
    assert_eq!(scene.browsers(), Vec::<Value>::new());
    // What a browser calls itself is shown inert, and not at any length.
    let name = format!("<script>\u{202e}{}", "x".repeat(500));
    let kept = scene.ana.post("/v1/push/browsers", &with("/browser", json!(name))).is(201).json();
    let kept = kept["browser"].as_str().unwrap();
    assert!(kept.starts_with("<script><U+202E>") && kept.chars().count() <= 61, "{kept}");
    let page = scene.ana.get("/notifications").is(200).body;
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script>x"), "{page}");
}

#[test]
fn a_person_has_so_many_browsers_and_only_their_own() {
    let scene = Scene::private();
    let (cookie, csrf) = sign_in(&scene.server, "bo");
    let bo = scene.server.nobody().with("Cookie", &cookie).with("X-CSRF-Token", &csrf);
    let browsers: Vec<PushBrowser> = (1..=11).map(|seed| PushBrowser::start(seed, &[])).collect();
    let ids: Vec<String> = browsers[..10].iter().map(|browser| scene.turn_on(browser)).collect();
    let reply = scene.ana.post("/v1/push/browsers", &browsers[10].subscription()).is(422);
    assert!(reply.body.contains("10 browsers"), "{}", reply.body);
    bo.send("DELETE", &format!("/v1/push/browsers/{}", ids[0]), None).is(404);
    bo.post(&format!("/v1/push/browsers/{}/test", ids[0]), &json!(null)).is(404);
    // Who knows where a browser is reached, and not its keys, does not get it.
    let mut stolen = browsers[0].subscription();
    stolen["keys"] = browsers[10].subscription()["keys"].clone();
    bo.post("/v1/push/browsers", &stolen).is(422);
    assert_eq!(scene.browsers().len(), 10);
    // Who signs in at the same browser takes it over: it notifies one person.
    bo.post("/v1/push/browsers", &browsers[0].subscription()).is(201);
    assert_eq!(scene.browsers().len(), 9);
    scene.ana.send("DELETE", &format!("/v1/push/browsers/{}", ids[1]), None).is(204);
    assert_eq!(scene.browsers().len(), 8);
    let listed = scene.ana.get("/v1/push").is(200).body;
    assert!(!listed.contains("secret-endpoint") && !listed.contains("p256dh"), "{listed}");
}

#[test]
fn only_who_is_signed_in_at_a_page_of_ours_has_browsers() {
    let scene = Scene::private();
    let new = PushBrowser::start(1, &[]).subscription();
    let callers = [
        scene.server.local(),
        scene.server.token("cy", "person", &[]),
        scene.server.token("ana2", "admin", &[]),
        scene.ana.clone().with("Holdpoint-Door", "mcp"),
    ];
    let pressed = json!({"decision": scene.server.local().ask(), "digest": "x", "act": {"out": "x"}});
    for caller in callers {
        caller.get("/v1/push").is(403);
        caller.post("/v1/push/browsers", &new).is(403);
        caller.post("/v1/push/answers", &pressed).is(403);
    }
    let (cookie, _) = sign_in(&scene.server, "bo");
    let elsewhere = scene.server.nobody().with("Cookie", &cookie);
    elsewhere.post("/v1/push/browsers", &new).is(403);
    elsewhere.post("/v1/push/answers", &pressed).is(403);
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let sandbox = Sandbox::new();
    for (text, words) in [
        ("", "contact"),
        ("contact = \"ops@example.org\"", "mailto:"),
        ("contact = \"http://example.org\"", "https://"),
        ("contact = \"mailto:a@b\\nx\"", "mailto:"),
        ("contact = \"mailto:a@b\"\nshow = \"much\"", "show"),
        ("contact = \"mailto:a@b\"\ntimeout = \"2h\"", "timeout"),
        ("contact = \"mailto:a@b\"\nkey = \"x\"", "key"),
    ] {
        sandbox.settings(&format!("[webpush]\n{text}\n"));
        sandbox.run(&["serve", "--listen", "127.0.0.1:0"]).exits(1).says(words);
    }
    // Without it nobody can turn anything on.
    sandbox.settings("[hooks]\ndesktop = false\n");
    let server = crate::server::Server::on(sandbox, &[]);
    let (cookie, csrf) = sign_in(&server, "ana");
    let ana = server.nobody().with("Cookie", &cookie).with("X-CSRF-Token", &csrf);
    assert!(ana.get("/v1/push").is(422).body.contains("[webpush]"));
    let page = ana.get("/notifications").is(200).body;
    assert!(page.contains("[webpush]") && !page.contains("id=\"push\""), "{page}");
    assert!(!ana.get("/").is(200).body.contains("/notifications"));
}
