//! Web Push through real sockets: a notification in each browser of a person, read as the browser reads it, answered as its
//! service worker answers, and gone with the decision.

use serde_json::{Value, json};

use crate::api_csrf::sign_in;
use crate::push_service::PushBrowser;
use crate::receiver::Reply;
use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server, question_with};
use crate::serving::outbox_until;

/// A server that notifies browsers, and ana, who is signed in.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) ana: Api,
    cookie: String,
}

impl Scene {
    pub(crate) fn new(more: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.settings(&format!(
            "[hooks]\ndesktop = false\n[webpush]\ncontact = \"mailto:ops@example.org\"\n{more}\n"
        ));
        let server = Server::on(sandbox, &[]);
        let (cookie, csrf) = sign_in(&server, "ana");
        let ana = server.nobody().with("Cookie", &cookie).with("X-CSRF-Token", &csrf);
        Self { server, ana, cookie }
    }

    pub(crate) fn private() -> Self {
        Self::new("allow_private = true")
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.server.sandbox
    }

    /// Turns notifications on, and returns the browser's id.
    #[track_caller]
    pub(crate) fn turn_on(&self, browser: &PushBrowser) -> String {
        let made = self.ana.post("/v1/push/browsers", &browser.subscription()).is(201).json();
        made["id"].as_str().unwrap().to_owned()
    }

    /// Presses a button of a notification.
    pub(crate) fn press(&self, push: &Value, button: usize) -> crate::server::Reply {
        let pressed = json!({
            "decision": push["id"], "digest": push["digest"], "act": push["buttons"][button]["act"],
        });
        self.ana.post("/v1/push/answers", &pressed)
    }

    pub(crate) fn browsers(&self) -> Vec<Value> {
        self.ana.get("/v1/push").is(200).json()["browsers"].as_array().unwrap().clone()
    }
}

pub(crate) fn labels(push: &Value) -> Vec<&str> {
    push["buttons"].as_array().unwrap().iter().map(|button| button["label"].as_str().unwrap()).collect()
}

#[test]
fn all_browsers_are_notified_and_a_button_answers_once() {
    let mut scene = Scene::private();
    let (phone, desk) = (PushBrowser::start(1, &[]), PushBrowser::start(2, &[]));
    let (first, second) = (scene.turn_on(&phone), scene.turn_on(&desk));
    assert_ne!(first, second);
    assert_eq!(scene.turn_on(&phone), first, "the same browser is known");
    let id = scene.sandbox().ask_document(&json!({
        "title": "Which cache?", "assignees": ["ana"], "priority": "urgent",
        "fields": [{"id": "choice", "kind": "choice", "label": "?", "options": [
            {"id": "a", "label": "Redis"}, {"id": "b", "label": "None"}]}],
    }));
    let (told, also) = (phone.next(), desk.next());
    assert_eq!(told.push, also.push);
    assert_ne!(told.request.bytes, also.request.bytes);
    assert_eq!(told.request.headers["urgency"], "high");
    assert!(!told.request.headers["topic"].contains(&id));
    at(&told.push, "/kind", "show");
    at(&told.push, "/id", id.as_str());
    at(&told.push, "/title", "Decision needed in default");
    at(&told.push, "/url", format!("/d/{id}"));
    assert_eq!(labels(&told.push), ["Redis", "None"]);
    let done = scene.press(&told.push, 0).is(200).json();
    at(&done, "/outcome", "Answered by ana: Redis");
    let shown = scene.sandbox().show(&id);
    at(&shown, "/answer/values/choice", "a");
    at(&shown, "/answer/via", "webpush");
    at(&shown, "/answer/auth", "session");
    // It goes away everywhere, by the same topic, so that a browser that was away sees neither.
    let (closed, also) = (phone.next(), desk.next());
    assert_eq!((&closed.push["kind"], &closed.push["id"]), (&json!("close"), &json!(id)));
    at(&closed.push, "/title", "Answered by ana: Redis");
    assert_eq!(closed.push, also.push);
    assert_eq!(closed.request.headers["topic"], told.request.headers["topic"]);
    // The same press again is a replay, another comes too late.
    scene.press(&told.push, 0).is(200);
    scene.press(&told.push, 1).is(409);
    outbox_until(scene.sandbox(), <[_]>::is_empty);
    let log = scene.sandbox().ok(&["channel", "log", "webpush"]);
    for words in ["linked", "sent", "taken", "followed", "refused"] {
        assert!(log.contains(words), "{words} is missing in\n{log}");
    }
    let said = scene.server.stop().err + &log;
    assert!(!said.contains("secret-endpoint") && !said.contains("vapid"), "{said}");
    phone.service.is_quiet();
    desk.service.is_quiet();
}

#[test]
fn a_subject_is_refused_there_and_seen_on_the_card() {
    let scene = Scene::new("allow_private = true\nshow = \"prompt\"\nshow_in = { secret = \"title\" }");
    let browser = PushBrowser::start(1, &[]);
    scene.turn_on(&browser);
    let ask = |project: &str| {
        scene.sandbox().ask_document(&json!({
            "source": "approval", "title": "Run it?", "prompt": "It is time.", "project": project,
            "subject": {"command": "make deploy"}, "assignees": ["ana"],
            "fields": [{"id": "choice", "kind": "choice", "label": "?", "options": [
                {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}]}],
        }))
    };
    let id = ask("web");
    let push = browser.next().push;
    assert_eq!(labels(&push), ["Deny"]);
    let body = push["body"].as_str().unwrap();
    assert!(body.contains("It is time.") && !body.contains("make deploy"), "{push}");
    // Whatever the notification carried, nothing consents without the card.
    let mut forged = push.clone();
    forged["buttons"][0]["act"]["option"]["option"] = json!("allow");
    scene.press(&forged, 0).is(403);
    for act in [json!("form"), json!({"out": "x"}), json!({"option": {"field": "x", "option": "deny"}})] {
        forged["buttons"][0]["act"] = act;
        scene.press(&forged, 0).is(403);
    }
    at(&scene.sandbox().show(&id), "/status", "pending");
    scene.press(&push, 0).is(200);
    at(&scene.sandbox().show(&id), "/answer/values/choice", "deny");
    at(&browser.next().push, "/kind", "close");
    ask("secret");
    assert!(!browser.next().push["body"].as_str().unwrap().contains("It is time."));
}

#[test]
fn a_revised_question_is_shown_anew_and_the_old_one_answers_nothing() {
    let scene = Scene::new("allow_private = true\ntell = [\"ana\"]");
    let browser = PushBrowser::start(1, &[]);
    scene.turn_on(&browser);
    let id = scene.sandbox().ask(&["Which?", "-o", "a:A", "-o", "b:B"]);
    let before = browser.next().push;
    scene.sandbox().ok(&["revise", &id, "--prompt", "Which one?"]);
    let after = browser.next().push;
    assert_eq!((&before["id"], &before["kind"]), (&after["id"], &after["kind"]));
    assert!(before["digest"] != after["digest"] && after["body"].as_str().unwrap().contains("Which one?"));
    scene.press(&before, 0).is(409);
    scene.press(&after, 1).is(200);
    at(&browser.next().push, "/title", "Answered by ana: B");
    // Who is signed out answers nothing.
    let id = scene.sandbox().ask(&["Still?", "-o", "a:A", "-o", "b:B"]);
    let push = browser.next().push;
    scene.sandbox().ok(&["cancel", &id]);
    at(&browser.next().push, "/title", "Cancelled");
    let page = scene.server.nobody().with("Cookie", &scene.cookie);
    page.post("/v1/push/answers", &json!({"decision": id, "digest": push["digest"], "act": {"out": "x"}}))
        .is(403);
}

#[test]
fn a_vote_is_shown_without_a_sound_and_replaces_no_question() {
    let scene = Scene::new("allow_private = true\ntell = [\"ana\"]");
    let browser = PushBrowser::start(1, &[]);
    scene.turn_on(&browser);
    scene.sandbox().ok(&["person", "add", "ben"]);
    let ben = scene.server.token("ben", "person", &[]);
    let asked = question_with(&json!({"needs": {"approvals": 2}, "priority": "urgent"}));
    let id = scene.server.local().post("/v1/decisions", &asked).is(201).id();
    let first = browser.next();
    assert!(first.push["body"].as_str().unwrap().contains("Votes: 0 of 2"), "{}", first.push);
    ben.answer(&id, "a").is(200);
    let voted = browser.next();
    assert_eq!(
        (&voted.push["kind"], &voted.push["id"], &voted.push["silent"]),
        (&json!("update"), &json!(id), &json!(true))
    );
    assert!(voted.push["body"].as_str().unwrap().contains("1 of 2: ben"), "{}", voted.push);
    // A browser that was away still gets the question.
    assert_ne!(voted.request.headers["topic"], first.request.headers["topic"]);
    scene.ana.answer(&id, "a").is(200);
    let settled = browser.next();
    at(&settled.push, "/kind", "close");
    assert_eq!(settled.request.headers["topic"], first.request.headers["topic"]);
    outbox_until(scene.sandbox(), <[_]>::is_empty);
    browser.service.is_quiet();
}

#[test]
fn many_at_once_become_one() {
    let scene = Scene::private();
    let browser = PushBrowser::start(1, &[]);
    scene.turn_on(&browser);
    let ids: Vec<String> = (0..7)
        .map(|at| scene.sandbox().ask(&[&format!("Which {at}?"), "-o", "a:A", "--assign", "ana"]))
        .collect();
    let mut told: Vec<Value> = (0..6).map(|_| browser.next().push).collect();
    told.retain(|push| push["title"] == "Decision needed in default");
    assert_eq!(told.len(), 5, "{told:?}");
    // The sixth and the seventh are one, which counts down and goes away.
    for id in &ids {
        scene.sandbox().ok(&["answer", id, "a"]);
    }
    let mut titles = Vec::new();
    while titles.last() != Some(&json!("All answered")) {
        let push = browser.next().push;
        if push["id"].as_str().unwrap().starts_with("many-") {
            titles.push(push["title"].clone());
        }
    }
    outbox_until(scene.sandbox(), <[_]>::is_empty);
}

#[test]
fn a_browser_that_cannot_be_reached_delays_no_other() {
    let scene = Scene::new("allow_private = true\ntimeout = \"2s\"");
    let well = PushBrowser::start(1, &[]);
    let ill = PushBrowser::start(2, &[Reply::Hang, Reply::Status(429, "retry-after: 3".into())]);
    scene.turn_on(&well);
    scene.turn_on(&ill);
    let id = scene.sandbox().ask(&["Which?", "-o", "a:A", "-o", "b:B", "--assign", "ana"]);
    let push = well.next().push;
    let tries: Vec<_> = (0..3).map(|_| ill.next()).collect();
    assert!(tries.iter().all(|one| one.push == push));
    assert!(tries[2].request.at.duration_since(tries[1].request.at).as_millis() >= 3_000);
    // The one that has it was not told again.
    well.service.is_quiet();
    scene.press(&push, 0).is(200);
    at(&well.next().push, "/kind", "close");
    at(&ill.next().push, "/kind", "close");
    at(&scene.sandbox().show(&id), "/status", "answered");
    outbox_until(scene.sandbox(), <[_]>::is_empty);
}

#[test]
fn what_is_settled_before_it_arrives_everywhere_goes_where_it_is() {
    let scene = Scene::private();
    let well = PushBrowser::start(1, &[]);
    // As often as it may be tried before somebody answers, however slow this machine is.
    let fails = vec![Reply::Status(500, "retry-after: 12".into()); 5];
    let ill = PushBrowser::start(2, &fails);
    scene.turn_on(&well);
    scene.turn_on(&ill);
    scene.sandbox().ask(&["Which?", "-o", "a:A", "-o", "b:B", "--assign", "ana"]);
    let push = well.next().push;
    ill.next();
    outbox_until(scene.sandbox(), |rows| rows.len() == 1 && rows[0]["attempts"].as_u64() >= Some(1));
    scene.press(&push, 0).is(200);
    at(&well.next().push, "/kind", "close");
    let dead = outbox_until(scene.sandbox(), |rows| rows.len() == 1 && rows[0]["state"] == "dead");
    assert!(dead[0]["last_error"].as_str().unwrap().contains("settled before"), "{dead:?}");
}

#[test]
fn a_browser_that_is_gone_is_forgotten() {
    let scene = Scene::private();
    let stays = PushBrowser::start(1, &[]);
    let gone = [404, 410].map(|status| {
        PushBrowser::start(u8::try_from(status % 100).unwrap() + 2, &[Reply::Status(status, String::new())])
    });
    let kept = scene.turn_on(&stays);
    for browser in &gone {
        scene.turn_on(browser);
    }
    let id = scene.sandbox().ask(&["Which?", "-o", "a:A", "-o", "b:B", "--assign", "ana"]);
    for browser in [&stays, &gone[0], &gone[1]] {
        at(&browser.next().push, "/id", id.as_str());
    }
    outbox_until(scene.sandbox(), <[_]>::is_empty);
    let left: Vec<Value> = scene.browsers().into_iter().map(|browser| browser["id"].clone()).collect();
    assert_eq!(left, [json!(kept)]);
    scene.sandbox().ok(&["answer", &id, "a"]);
    at(&stays.next().push, "/kind", "close");
    outbox_until(scene.sandbox(), <[_]>::is_empty);
    for browser in &gone {
        browser.service.is_quiet();
    }
    let log = scene.sandbox().ok(&["channel", "log", "webpush"]);
    assert_eq!(log.matches("takes no notifications any more").count(), 2, "{log}");
}

#[test]
fn channels_say_whom_they_reach_and_tests_arrive() {
    let scene = Scene::private();
    let browser = PushBrowser::start(1, &[Reply::Status(401, String::new())]);
    let id = scene.turn_on(&browser);
    let listed = scene.sandbox().json(&["channel", "list", "--json"]);
    at(&listed, "/0/channel", "webpush");
    at(&listed, "/0/reaches", json!(["ana"]));
    scene.sandbox().run(&["channel", "test", "webpush", "ana"]).exits(1).says("401");
    browser.next();
    scene.sandbox().ok(&["channel", "test", "webpush", "ana"]);
    at(&browser.next().push, "/title", "Holdpoint");
    scene.ana.post(&format!("/v1/push/browsers/{id}/test"), &json!(null)).is(204);
    at(&browser.next().push, "/title", "Holdpoint");
    scene
        .sandbox()
        .run(&["person", "unlink", "ana", "webpush"])
        .exits(0)
        .prints("No browser of ana is notified any more");
    assert_eq!(scene.browsers(), Vec::<Value>::new());
    scene.sandbox().run(&["channel", "test", "webpush", "ana"]).exits(1).says("no webpush account");
    scene.turn_on(&browser);
    scene.sandbox().ok(&["person", "remove", "ana"]);
    let connection = crate::sandbox::look_into(&scene.sandbox().store());
    let left: i64 =
        connection.query_row("SELECT count(*) FROM push_subscription", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn the_page_lists_browsers_and_works_without_script() {
    let scene = Scene::private();
    let browser = PushBrowser::start(1, &[]);
    let id = scene.turn_on(&browser);
    let page = scene.ana.get("/notifications").is(200).body;
    for words in ["Firefox on Linux", "Needs JavaScript", "data-key=", "manifest.webmanifest"] {
        assert!(page.contains(words), "{words} is missing on\n{page}");
    }
    let csrf = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let send = |path: &str, form: &str| {
        let api = scene.server.nobody().with("Cookie", &scene.cookie);
        let api = api.with("Content-Type", "application/x-www-form-urlencoded");
        api.with("Content-Length", &form.len().to_string()).raw("POST", path, form.as_bytes())
    };
    send("/notifications/test", &format!("id={id}")).is(403);
    send("/notifications/test", &format!("csrf={csrf}&id={id}")).is(200);
    at(&browser.next().push, "/id", "test");
    send("/notifications/test", &format!("csrf={csrf}&id=nobody")).is(422);
    send("/notifications/remove", &format!("csrf={csrf}&id={id}")).is(303);
    assert_eq!(scene.browsers(), Vec::<Value>::new());
    let known = scene.ana.get("/push/session").is(200).json();
    assert_eq!(known["waiting"], 0);
    assert!(!matches!(scene.server.nobody().get("/push/session").status, 200..=299));
    // Who signs out is no longer notified in that browser; in others they are.
    let (here, other) = (scene.turn_on(&browser), scene.turn_on(&PushBrowser::start(2, &[])));
    let csrf = known["csrf"].as_str().unwrap();
    let out = send("/sign-out", &format!("csrf={csrf}&browser={here}")).is(303);
    let connection = crate::sandbox::look_into(&scene.sandbox().store());
    let left: Vec<String> = {
        let mut rows = connection.prepare("SELECT id FROM push_subscription").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(left, [other]);
    assert_eq!(out.header("clear-site-data"), Some("\"storage\""));
    let worker = scene.server.nobody().get("/sw.js").is(200);
    assert_eq!(worker.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert!(worker.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
    let manifest = scene.server.nobody().get("/manifest.webmanifest").is(200).json();
    for icon in manifest["icons"].as_array().unwrap() {
        let path = icon["src"].as_str().unwrap();
        assert_eq!(scene.server.nobody().get(path).is(200).header("content-type"), Some("image/png"));
    }
    assert_eq!(scene.server.nobody().get("/icons/../config.toml").status, 404);
}
