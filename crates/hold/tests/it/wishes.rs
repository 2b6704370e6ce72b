//! How people want to be told, with the real binary: quiet hours, digests, rules, and the way out of a digest.

use std::fmt::Write as _;
use std::time::Instant;

use holdpoint_core::{Role, Span};
use holdpoint_engine::Clock;
use serde_json::{Value, json};

use crate::browser::served;
use crate::postbox::{Letter, Manner, Postbox};
use crate::process::{TIMEOUT, finish};
use crate::receiver::Receiver;
use crate::sandbox::{Sandbox, at};
use crate::server::{Server, send_bytes};
use crate::serving::{Serving, outbox_until};

fn telling(postbox: &Postbox, receiver: Option<&Receiver>) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut text = format!(
        "[hooks]\ndesktop = false\n[server]\npublic_url = \"https://hold.example\"\n[mail]\n\
         server = \"smtp://127.0.0.1:{}\"\nfrom = \"Holdpoint <hold@example.org>\"\n",
        postbox.port()
    );
    if let Some(receiver) = receiver {
        write!(
            text,
            "[ntfy]\nserver = \"{}\"\nallow_private = true\n[ntfy.topics]\nana = \"topic\"\n",
            receiver.url("")
        )
        .unwrap();
    }
    sandbox.settings(&text);
    sandbox
}

/// Returns a time of day so many hours from now, in UTC.
fn hour(from_now: i64) -> String {
    let at = Clock::System.now().checked_add(Span::from_secs(from_now * 3_600)).unwrap().to_string();
    at[11..16].to_owned()
}

fn asks(sandbox: &Sandbox, what: &str, priority: &str) -> String {
    sandbox.ask(&[what, "-o", "a:A", "-o", "b:B", "--assign", "ana", "--priority", priority])
}

/// Waits until the log of channels has a line of a kind about a decision, and returns its words.
#[track_caller]
fn noted(sandbox: &Sandbox, channel: &str, what: &str, id: &str) -> String {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let log = sandbox.json(&["channel", "log", channel, "--json"]);
        let fits = |note: &&Value| note["what"] == what && note["decision"] == id;
        if let Some(note) = log.as_array().unwrap().iter().find(fits) {
            return note["words"].as_str().unwrap().to_owned();
        }
        assert!(Instant::now() < deadline, "{channel} never {what} {id}: {log}");
    }
}

#[test]
fn quiet_hours_hold_back_what_is_not_urgent_until_they_end() {
    let (postbox, receiver) = (Postbox::start(&[]), Receiver::start(&[]));
    let sandbox = telling(&postbox, Some(&receiver));
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let hours = format!("{}-{}", hour(-1), hour(6));
    let shown = sandbox.ok(&["person", "notify", "ana", "--zone", "utc", "--quiet", &hours]);
    assert!(shown.contains("from anybody comes through"), "{shown}");
    assert!(shown.contains(&format!("{hours}, now until")) && shown.contains("mail, ntfy"), "{shown}");
    let waits = asks(&sandbox, "Which cache?", "high");
    let settled = asks(&sandbox, "Which queue?", "normal");
    outbox_until(&sandbox, |rows| rows.len() == 4 && rows.iter().all(|row| row["held"].is_string()));
    let urgent = asks(&sandbox, "Stop the deploy?", "urgent");
    assert_eq!(receiver.next().json()["sequence_id"], format!("hold-{urgent}"));
    assert_eq!(postbox.next().header("Subject"), Some("Decision needed: Stop the deploy?"));
    for channel in ["mail", "ntfy"] {
        let words = noted(&sandbox, channel, "held", &waits);
        assert!(words.starts_with("quiet until ") && words.ends_with(" UTC"), "{words}");
    }
    let list = sandbox.json(&["channel", "list", "--json"]);
    let ntfy = list.as_array().unwrap().iter().find(|channel| channel["channel"] == "ntfy").unwrap();
    at(ntfy, "/held", 2);
    // A test message comes through, and says what would not.
    let tested = sandbox.run(&["channel", "test", "ntfy", "ana"]).exits(0);
    assert!(tested.err.contains("would be held: quiet until"), "{}", tested.err);
    receiver.next();
    sandbox.ok(&["answer", &settled, "a"]);
    // Once they are over, what still waits comes, and once.
    sandbox.ok(&["person", "notify", "ana", "--no-quiet"]);
    assert_eq!(receiver.next().json()["sequence_id"], format!("hold-{waits}"));
    assert_eq!(postbox.next().header("Subject"), Some("Decision needed: Which cache?"));
    for channel in ["mail", "ntfy"] {
        assert_eq!(noted(&sandbox, channel, "skipped", &settled), "settled meanwhile");
        noted(&sandbox, channel, "sent", &waits);
    }
    outbox_until(&sandbox, <[_]>::is_empty);
    server.stop();
    postbox.is_quiet();
    receiver.is_quiet();
}

#[test]
fn a_person_says_whose_urgent_asks_come_through() {
    let (postbox, receiver) = (Postbox::start(&[]), Receiver::start(&[]));
    let sandbox = telling(&postbox, Some(&receiver));
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let hours = format!("{}-{}", hour(-1), hour(6));
    let shown = sandbox.ok(&["person", "notify", "ana", "--quiet", &hours, "--no-urgent"]);
    assert!(shown.contains("from nobody"), "{shown}");
    let token = server.token(Role::Agent, &[]);
    let arguments = ["ask", "Now?", "-o", "a:A", "--assign", "ana", "--priority", "urgent", "--no-wait"];
    let asked = |token: Option<&str>| {
        let mut command = sandbox.command(&arguments);
        command.envs(token.map(|token| ("HOLD_TOKEN", token)));
        finish(&mut command, b"").exits(0).out.trim().to_owned()
    };
    let (agents, unchecked) = (asked(Some(&token)), asked(None));
    for id in [&agents, &unchecked] {
        let words = noted(&sandbox, "ntfy", "held", id);
        assert!(words.starts_with("quiet until "), "{words}");
    }
    receiver.is_quiet();
    // Whose word counts is said by the person, and counts at once.
    sandbox.ok(&["person", "notify", "ana", "--urgent-from", "agent"]);
    assert_eq!(receiver.next().json()["sequence_id"], format!("hold-{agents}"));
    noted(&sandbox, "ntfy", "sent", &agents);
    sandbox.ok(&["person", "notify", "ana", "--no-urgent"]);
    let again = asked(Some(&token));
    noted(&sandbox, "ntfy", "held", &again);
    server.stop();
    receiver.is_quiet();
}

#[test]
fn what_is_held_back_survives_the_server() {
    let postbox = Postbox::start(&[]);
    let sandbox = telling(&postbox, None);
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let hours = format!("{}-{}", hour(-1), hour(6));
    sandbox.ok(&["person", "notify", "ana", "--quiet", &hours]);
    let id = asks(&sandbox, "Which cache?", "normal");
    noted(&sandbox, "mail", "held", &id);
    server.kill();
    let server = Serving::start(&sandbox);
    sandbox.ok(&["person", "notify", "ana", "--no-quiet"]);
    assert_eq!(postbox.next().header("Subject"), Some("Decision needed: Which cache?"));
    server.stop();
    postbox.is_quiet();
}

/// Opens an address of a mail at the server that sent it.
fn request(server: &Serving, method: &str, link: &str, kind: &str, body: &str) -> (u16, String) {
    let host = server.url.strip_prefix("http://").unwrap();
    let path = link.strip_prefix("https://hold.example").unwrap();
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    );
    let reply = send_bytes(host, text.as_bytes());
    (reply.status, reply.body)
}

fn way_out(letter: &Letter) -> String {
    let value = letter.header("List-Unsubscribe").unwrap();
    value.strip_prefix('<').unwrap().strip_suffix('>').unwrap().to_owned()
}

#[test]
fn a_digest_gathers_and_one_click_ends_it() {
    // The first attempt fails: all of it comes with the next, in one mail.
    let postbox = Postbox::start(&[Manner::Take, Manner::Busy]);
    let sandbox = telling(&postbox, None);
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let daily = format!("daily {}", hour(6));
    let asked = ["person", "notify", "ana", "--zone", "UTC", "--digest", &daily, "--json"];
    let view = sandbox.json(&asked);
    at(&view, "/notify/digest", daily.as_str());
    assert!(view["next_digest"].is_string(), "{view}");
    let urgent = asks(&sandbox, "Stop the deploy?", "urgent");
    assert_eq!(postbox.next().header("Subject"), Some("Decision needed: Stop the deploy?"));
    let ids = ["Which cache?", "Which queue?", "Which log?"].map(|what| asks(&sandbox, what, "normal"));
    let gathered =
        outbox_until(&sandbox, |rows| rows.iter().filter(|row| row["lane"] == "digest").count() == 3);
    assert!(
        gathered.iter().all(|row| row["held"].as_str().unwrap().starts_with("for the digest of")),
        "{gathered:?}"
    );
    sandbox.ok(&["answer", &ids[1], "a"]);
    sandbox.ok(&["person", "notify", "ana", "--digest", "at_once"]);
    let letter = postbox.next();
    assert_eq!(letter.header("Subject"), Some("2 decisions wait for you"));
    assert_eq!(letter.header("List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    assert_eq!(letter.header("Auto-Submitted"), Some("auto-generated"));
    for there in ["> Which cache?", "> Which log?"] {
        assert!(letter.body.contains(there), "{}", letter.body);
    }
    assert!(!letter.body.contains("Which queue?"), "it was settled: {}", letter.body);
    assert_eq!(letter.body.matches("https://hold.example/link/").count(), 2, "{}", letter.body);
    assert_eq!(noted(&sandbox, "digest", "skipped", &ids[1]), "settled before the digest");
    assert_eq!(noted(&sandbox, "digest", "sent", &ids[0]), "in a digest of 2");
    noted(&sandbox, "mail", "sent", &urgent);
    outbox_until(&sandbox, <[_]>::is_empty);
    // The way out: looking does nothing, what was changed counts for nothing, one request is enough, twice is fine.
    let link = way_out(&letter);
    let digest = || sandbox.json(&["person", "notify", "ana", "--json"])["notify"].clone();
    assert_eq!(request(&server, "GET", &link, "text/plain", "").0, 200);
    assert_eq!(digest(), json!({"zone": "UTC", "urgent_from": ["*"]}));
    for forged in [
        format!("{link}x"),
        link.replace("/unsubscribe/", "/unsubscribe/e30."),
        "https://hold.example/unsubscribe/x".into(),
    ] {
        assert_eq!(request(&server, "POST", &forged, "text/plain", "").0, 404, "{forged}");
    }
    let answer_link =
        letter.body.lines().find(|line| line.contains("/link/")).unwrap().replace("/link/", "/unsubscribe/");
    assert_eq!(request(&server, "POST", &answer_link, "text/plain", "").0, 404);
    for (kind, body) in [
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
        (
            "multipart/form-data; boundary=x",
            "--x\r\ncontent-disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--",
        ),
    ] {
        let (status, page) = request(&server, "POST", &link, kind, body);
        assert!(status == 200 && page.contains("No more mail goes to"), "{status} {page}");
    }
    assert_eq!(digest(), json!({"zone": "UTC", "urgent_from": ["*"], "digest": "never"}));
    let quiet = asks(&sandbox, "Which shell?", "normal");
    assert_eq!(noted(&sandbox, "mail", "skipped", &quiet), "no mail about non-urgent matters");
    server.stop();
    postbox.is_quiet();
}

#[test]
fn rules_choose_the_channel() {
    let (postbox, receiver) = (Postbox::start(&[]), Receiver::start(&[]));
    let sandbox = telling(&postbox, Some(&receiver));
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let rules = ["--rule", "priority=high: ntfy", "--rule", "priority=low: none", "--rule", "all: mail"];
    sandbox.ok(&[&["person", "notify", "ana"][..], &rules].concat());
    let (high, low) = (asks(&sandbox, "High?", "high"), asks(&sandbox, "Low?", "low"));
    let normal = asks(&sandbox, "Normal?", "normal");
    assert_eq!(receiver.next().json()["sequence_id"], format!("hold-{high}"));
    assert_eq!(postbox.next().header("Subject"), Some("Decision needed: Normal?"));
    assert_eq!(noted(&sandbox, "mail", "skipped", &high), "rule 1 sends it by ntfy");
    assert_eq!(noted(&sandbox, "ntfy", "skipped", &normal), "rule 3 sends it by mail");
    for channel in ["mail", "ntfy"] {
        assert_eq!(noted(&sandbox, channel, "skipped", &low), "rule 2 sends it nowhere");
    }
    outbox_until(&sandbox, <[_]>::is_empty);
    let warned = sandbox.run(&["person", "notify", "ana", "--rule", "all: slack"]).exits(0);
    assert!(warned.err.contains("rule 1: slack does not reach them"), "{}", warned.err);
    server.stop();
    postbox.is_quiet();
    receiver.is_quiet();
}

#[test]
fn the_rounds_of_a_decision_are_one_conversation() {
    let postbox = Postbox::start(&[]);
    let sandbox = telling(&postbox, None);
    let server = Serving::start(&sandbox);
    server.person("ana", Some("ana@example.org"), &[]);
    let first = asks(&sandbox, "Which cache?", "normal");
    let one = postbox.next();
    sandbox.ok(&["answer", &first, "--guidance", "something cheaper"]);
    let two = postbox.next();
    let thread = format!("<thread.{first}@example.org>");
    for letter in [&one, &two] {
        assert_eq!(letter.header("References"), Some(thread.as_str()));
        assert_eq!(letter.header("In-Reply-To"), Some(thread.as_str()));
        assert_eq!(letter.header("List-Unsubscribe"), None, "it is no digest");
    }
    assert_ne!(one.header("Message-ID"), two.header("Message-ID"));
    let other = asks(&sandbox, "Which queue?", "normal");
    assert_eq!(postbox.next().header("References"), Some(format!("<thread.{other}@example.org>").as_str()));
    server.stop();
}

#[test]
fn what_is_wrong_is_refused_and_others_may_not() {
    let server = Server::start();
    let local = server.local();
    local.send("PUT", "/v1/people/ana", Some(&json!({"name": "ana", "role": "person"}))).is(200);
    local.send("PUT", "/v1/people/bo", Some(&json!({"name": "bo", "role": "person"}))).is(200);
    let path = "/v1/people/ana/notify";
    for (wrong, words) in [
        (json!({"zone": "Mars/Olympus"}), "time zone"),
        (json!({"zone": "../../../etc/passwd"}), "time zone"),
        (json!({"quiet": {"from": "22:00", "until": "22:00"}}), "no length"),
        (json!({"quiet": {"from": "25:00", "until": "07:00"}}), "time of day"),
        (json!({"digest": "sometimes"}), "at_once"),
        (json!({"rules": [{"channels": ["pigeon"]}]}), "pigeon"),
        (json!({"urgent_from": [""]}), "urgent_from"),
        (json!({"urgent_from": "ci"}), ""),
        (json!({"quit": 5}), "quit"),
        (json!([]), ""),
    ] {
        let reply = local.send("PUT", path, Some(&wrong));
        assert!(matches!(reply.status, 400 | 422) && reply.body.contains(words), "{wrong}: {}", reply.body);
    }
    let fine = json!({"zone": "europe/berlin", "quiet": {"from": "22:00", "until": "07:00"}, "digest": "daily 08:30",
        "rules": [{"source": "approval", "project": "web", "priority": "high", "channels": ["slack", "mail"]}]});
    let view = local.send("PUT", path, Some(&fine)).is(200).json();
    at(&view, "/notify/zone", "Europe/Berlin");
    let warnings = view["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 2, "neither mail nor slack reaches them: {view}");
    let (ana, bo) = (server.token("ana", "person", &[]), server.token("bo", "person", &[]));
    at(&ana.get(path).is(200).json(), "/notify/digest", "daily 08:30");
    ana.send("PUT", path, Some(&json!({}))).is(200);
    for reply in
        [bo.get(path), bo.send("PUT", path, Some(&json!({}))), server.token("bot", "agent", &[]).get(path)]
    {
        reply.refuses(403, "forbidden");
    }
    local.get("/v1/people/nobody/notify").refuses(404, "not_found");
    local.send("PUT", "/v1/people/nobody/notify", Some(&json!({}))).refuses(404, "not_found");
}

#[test]
fn a_person_says_it_on_a_page_of_their_own() {
    served(|_, server| {
        let mut ben = server.browser();
        ben.sign_in("ben");
        let page = ben.get("/settings/notices").is(200).shows("Notifications for").shows("ben");
        let csrf = page.csrf();
        let mut send = |more: &[(&str, &str)]| {
            let all: Vec<(&str, &str)> = [&[("csrf", csrf.as_str())][..], more].concat();
            ben.send("/settings/notices", &all)
        };
        let typed = [("zone", "Mars/Olympus"), ("from", "22:00"), ("until", "22:00"), ("rules", "all: mail")];
        send(&typed)
            .is(422)
            .shows("Nothing was changed")
            .shows("time zone")
            .shows("no length")
            .shows("Mars/Olympus");
        let wrong = [("from", "22:00"), ("digest", "daily"), ("rules", "all: mail\n\nall: <b>")];
        send(&wrong).is(422).shows("quiet hours").shows("routing, line 3").lacks("<b>");
        let fine = [
            ("zone", "Europe/Berlin"),
            ("from", "22:00"),
            ("until", "07:00"),
            ("digest", "daily"),
            ("daily", "08:30"),
            ("urgent_from", "ci\r\n\r\n deploy "),
            ("rules", "project=web: mail\r\nall: desktop"),
        ];
        assert_eq!(send(&fine).is(303).header("location"), "/settings/notices?person=ben&saved=1");
        send(&[("person", "ana"), ("zone", "UTC")]).is(403);
        let page = ben.get("/settings/notices?person=ben&saved=1").is(200).shows("Saved.");
        let page = page.shows("value=\"22:00\"").shows("project=web: mail").shows("The next digest is due");
        page.shows("value=\"daily\" selected").shows("ci\ndeploy</textarea>");
        ben.get("/settings/notices?person=ana").is(403);
        ben.send("/settings/notices", &[("zone", "UTC")]).is(403);
        // An admin sees everybody's.
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get("/settings").is(200).shows("/settings/notices?person=ben");
        ana.get("/settings/notices?person=ben").is(200).shows("project=web: mail");
        ana.get("/settings/notices?person=nobody").is(404);
    });
}
