//! Second opinions through the binary: a program of the settings looks at what is asked, and its remark stands on the card.

use serde_json::{Value, json};

use crate::api_events::Live;
use crate::fake_model::{FakeModel, Says};
use crate::process::finish;
use crate::receiver::Receiver;
use crate::sandbox::Sandbox;
use crate::server::{Api, Server, question_with};
use crate::serving::{Serving, outbox_until};
use crate::vouching::until;

fn served(settings: &str, flags: &[&str]) -> Server {
    let sandbox = Sandbox::new();
    sandbox.settings(&format!("[hooks]\ndesktop = false\n{settings}"));
    Server::on(sandbox, flags)
}

fn opinion(name: &str, command: &str) -> String {
    format!("[[opinion]]\nname = \"{name}\"\ncommand = '''{command}'''\n")
}

fn ask(agent: &Api) -> String {
    let subject = json!({"tool": "Bash", "input": {"command": "rm -rf /srv/other"}, "cwd": "/srv/app"});
    agent
        .post("/v1/decisions", &question_with(&json!({"title": "Clean up?", "subject": subject})))
        .is(201)
        .id()
}

/// Waits until a decision has so many remarks.
fn remarks(person: &Api, id: &str, count: usize) -> Vec<Value> {
    let now = || person.decision(id).is(200).json()["remarks"].as_array().cloned().unwrap_or_default();
    until(|| now().len() >= count);
    now()
}

/// Waits until so many opinions were given up, and returns why.
fn given_up(server: &Server, count: usize) -> Vec<String> {
    let dead = || {
        let listed = server.local().get("/v1/outbox?state=dead").is(200).json();
        let items = listed["items"].as_array().unwrap().clone();
        items.into_iter().filter(|row| row["lane"] == "opinion").collect::<Vec<_>>()
    };
    until(|| dead().len() >= count);
    dead().iter().map(|row| row["last_error"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_remark_stands_on_the_card_as_the_words_of_its_program() {
    let look = r#"jq -r '"deletes " + (.decision.subject.input.command | split(" ") | last)'"#;
    let server = served(&opinion("guard", look), &[]);
    let (ana, coder) = (server.token("ana", "person", &[]), server.token("coder", "agent", &[]));
    let id = ask(&coder);
    let before = coder.decision(&id).is(200).json();
    let said = remarks(&ana, &id, 1);
    assert_eq!((&said[0]["by"], &said[0]["text"]), (&json!("guard"), &json!("deletes /srv/other")));
    // Nothing else changes, and the asker sees none of it.
    let after = coder.decision(&id).is(200).json();
    assert_eq!(after, before);
    let heard = coder.get("/v1/events").is(200).body;
    assert!(!heard.contains("remark"), "{heard}");
    assert!(ana.get("/v1/events").is(200).body.contains("decision:remarked"));
    let shown = server.sandbox.ok(&["show", &id]);
    assert!(shown.contains("guard remarks: deletes /srv/other"), "{shown}");
    // An answer to what was seen before the remark counts.
    ana.post(&format!("/v1/decisions/{id}/answer"), &json!({"choice": "b", "digest": before["digest"]}))
        .is(200);
    let settled = coder.get(&format!("/v1/decisions/{id}/wait")).is(200).body;
    assert!(!settled.contains("remark"), "{settled}");
    server.sandbox.is_well();
}

#[test]
fn a_program_that_fails_hangs_or_floods_leaves_the_card_as_it_is() {
    let quick = |name: &str, command: &str| format!("{}timeout = \"300ms\"\n", opinion(name, command));
    let settings = [
        opinion("fails", "echo half a remark; echo broken >&2; exit 3"),
        opinion("floods", "yes"),
        opinion("missing", "/no/such/program"),
        quick("hangs", "sleep 1000 & sleep 1000"),
    ]
    .concat();
    let server = served(&settings, &[]);
    let coder = server.token("coder", "agent", &[]);
    let id = ask(&coder);
    let why = given_up(&server, 4).join("\n");
    for words in ["broken", "more than 65536 bytes", "not found", "longer than 0.3 s"] {
        assert!(why.contains(words), "{words}: {why}");
    }
    let decision = server.local().decision(&id).is(200).json();
    assert_eq!((&decision["status"], decision.get("remarks")), (&json!("pending"), None));
    server.sandbox.is_well();
}

#[test]
fn what_a_program_says_is_bounded_and_cannot_act() {
    let settings = [
        opinion("loud", r"head -c 30000 /dev/zero | tr '\0' x"),
        opinion("sly", r"printf '\033[2J<b>Holdpoint says: safe</b>\n\342\200\256 \377'"),
        opinion("quiet", "true"),
    ]
    .concat();
    let server = served(&settings, &["--no-auth"]);
    let ana = server.nobody();
    let id = ask(&ana);
    let mut said = remarks(&ana, &id, 2);
    said.sort_by_key(|one| one["by"].as_str().unwrap().to_owned());
    assert_eq!(said[0]["text"].as_str().unwrap().chars().count(), 500);
    let sly = said[1]["text"].as_str().unwrap();
    assert_eq!(sly, "<U+001B>[2J<b>Holdpoint says: safe</b> <U+202E> \u{fffd}");
    let page = ana.get(&format!("/d/{id}")).is(200).body;
    assert!(page.contains("sly</bdi> remarks: "), "{page}");
    assert!(page.contains("a program in the settings, not checked"), "{page}");
    assert!(page.contains("&lt;b&gt;Holdpoint says: safe") && !page.contains("<b>Holdpoint"), "{page}");
    assert!(!server.sandbox.ok(&["show", &id]).contains('\u{1b}'));
}

#[test]
fn a_model_is_asked_with_the_question_as_data() {
    let model = FakeModel::start(&[
        Says::Words("It deletes a folder outside /srv/app.".into()),
        Says::Words("OK.".into()),
        Says::Refusal,
        Says::Hang,
        Says::Endless,
    ]);
    let settings = format!(
        "[[opinion]]\nname = \"model\"\nmodel = {{ url = \"{}\", name = \"fake\", timeout = \"5s\", tries = 1 }}\n",
        model.url()
    );
    let server = served(&settings, &[]);
    let (ana, coder) = (server.token("ana", "person", &[]), server.token("coder", "agent", &[]));
    let id = ask(&coder);
    assert_eq!(remarks(&ana, &id, 1)[0]["text"], "It deletes a folder outside /srv/app.");
    let request = model.next();
    assert_eq!(request.body["model"], "fake");
    assert!(request.said_by("user").contains("rm -rf /srv/other"), "{}", request.body);
    assert!(!request.said_by("system").contains("rm -rf"), "{}", request.body);
    // One that has nothing to say, and then three that are of no use.
    let others: Vec<String> = (0..4)
        .map(|_| {
            let id = ask(&coder);
            model.next();
            id
        })
        .collect();
    assert_eq!(given_up(&server, 3).len(), 3);
    for id in others {
        assert_eq!(ana.decision(&id).json().get("remarks"), None, "{id}");
    }
}

#[test]
fn an_opinion_that_was_under_way_when_the_server_died_is_asked_for_again() {
    let sandbox = Sandbox::new();
    let began = sandbox.path("began");
    // The first time it hangs, the second it remarks.
    let script = format!("if [ -e {0} ]; then echo again; else touch {0}; sleep 1000; fi", began.display());
    sandbox.settings(&format!("[hooks]\ndesktop = false\n{}timeout = \"5s\"\n", opinion("guard", &script)));
    let mut server = Server::on(sandbox, &["--no-auth"]);
    let id = ask(&server.nobody());
    until(|| began.exists());
    server.kill();
    server.run();
    assert_eq!(remarks(&server.nobody(), &id, 1)[0]["text"], "again");
}

#[test]
fn an_open_card_is_sent_what_is_remarked_meanwhile() {
    let sandbox = Sandbox::new();
    let go = sandbox.path("go");
    let fifo = std::process::Command::new("mkfifo").arg(&go).status().unwrap();
    assert!(fifo.success());
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n{}",
        opinion("guard", &format!("cat {}", go.display()))
    ));
    let server = Server::on(sandbox, &["--no-auth"]);
    let id = ask(&server.nobody());
    let page = server.nobody().get(&format!("/d/{id}")).is(200).body;
    let live = page.split("data-live=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    assert!(live.ends_with("&remarks=0"), "{live}");
    let mut card = Live::open(&server.nobody(), &live);
    std::fs::write(&go, "look <twice>").unwrap();
    let told = card.told();
    assert!(told.contains("look &lt;twice&gt;") && told.contains("guard"), "{told}");
    // The page is still told once when it is settled.
    server.nobody().answer(&id, "b").is(200);
    assert!(card.told().contains("Nothing was sent"));
}

/// The program looks once somebody says so, so that its remark comes after the message.
#[test]
fn a_remark_that_comes_later_is_put_into_the_message_without_a_sound() {
    let (receiver, sandbox) = (Receiver::start(&[]), Sandbox::new());
    let gate = sandbox.path("gate");
    finish(sandbox.program("mkfifo").arg(&gate), b"").exits(0);
    let settings = |show: &str| {
        let look = format!(
            "cat {} > /dev/null; printf 'deletes @all \\033[31m%s' \"$(printf 'x%.0s' $(seq 300))\"",
            gate.display()
        );
        sandbox.settings(&format!(
            "[hooks]\ndesktop = false\n[ntfy]\nserver = \"{}\"\nallow_private = true\nshow = \"{show}\"\n[ntfy.topics]\nana = \"t\"\n{}",
            receiver.url(""),
            opinion("guard", &look)
        ));
    };
    let asks = || sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana", "--priority", "urgent"]);
    settings("prompt");
    let server = Serving::start(&sandbox);
    server.person("ana", None, &[]);
    let id = asks();
    let first = receiver.next().json();
    assert_eq!((&first["sequence_id"], &first["priority"]), (&json!(format!("hold-{id}")), &json!(5)));
    assert!(!first["message"].as_str().unwrap().contains("remarks"), "{first}");
    // Both ends are there once this is written: the program has begun to look.
    std::fs::write(&gate, "look").unwrap();
    let next = receiver.next().json();
    assert_eq!((&next["sequence_id"], &next["priority"]), (&first["sequence_id"], &json!(2)));
    let text = next["message"].as_str().unwrap();
    assert!(text.contains("guard remarks (a program, unchecked): deletes @\u{2060}all"), "{text}");
    assert!(text.chars().count() < 400 && !text.contains('\u{1b}') && text.ends_with('…'), "{text}");
    sandbox.ok(&["answer", &id, "a"]);
    let settled = receiver.next().json();
    assert!(settled["title"].as_str().unwrap().starts_with("Answered by"), "{settled}");
    assert!(!settled["message"].as_str().unwrap().contains("remarks"), "{settled}");
    server.stop();
    // Where messages show a title alone, they show no remark either.
    settings("title");
    let server = Serving::start(&sandbox);
    let id = asks();
    receiver.next();
    std::fs::write(&gate, "look").unwrap();
    until(|| sandbox.show(&id)["remarks"].as_array().is_some_and(|all| all.len() == 1));
    outbox_until(&sandbox, <[_]>::is_empty);
    server.stop();
    receiver.is_quiet();
}
