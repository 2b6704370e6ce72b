//! Several channels at once: each vote, and each step while nobody answers, changes all messages; people see by which account
//! and message somebody answered, and agents do not.

use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::sandbox::Sandbox;
use crate::server::{Api, Server, question_with};
use crate::serving::outbox_until;
use crate::slack_server::Slack;
use crate::telegram_server::{Bot, Fault};
use crate::{slack, telegram};

const BEN: &str = "UBEN";

/// A server that reaches ana by Telegram, ben by Slack and cem by ntfy.
struct Scene {
    bot: Bot,
    slack: Slack,
    topic: Receiver,
    server: Server,
    ana: Api,
    ben: Api,
    ci: Api,
}

impl Scene {
    fn new() -> Self {
        Self::with("")
    }

    fn with(more: &str) -> Self {
        let (bot, slack, topic) = (Bot::start(telegram::TOKEN), Slack::start(), Receiver::start(&[]));
        let sandbox = Sandbox::new().with("TG", telegram::TOKEN).with("BOT", "xoxb-b").with("APP", "xapp-a");
        sandbox.settings(&format!(
            "[hooks]\ndesktop = false\n[telegram]\nserver = \"{}\"\ntoken_env = \"TG\"\nallow_private = true\n\
             [slack]\nserver = \"{}\"\nbot_token_env = \"BOT\"\napp_token_env = \"APP\"\nallow_private = true\n\
             [ntfy]\nserver = \"{}\"\nallow_private = true\n[ntfy.topics]\ncem = \"t\"\n{more}",
            bot.url(),
            slack.url(),
            topic.url("")
        ));
        let server = Server::on(sandbox, &[]);
        for name in ["ana", "ben", "cem"] {
            server.sandbox.ok(&["person", "add", name]);
        }
        let code = |name: &str, channel: &str| {
            let made = server.sandbox.json(&["person", "link", name, channel, "--json"]);
            made["code"].as_str().unwrap().to_owned()
        };
        bot.writes(telegram::ANA, &code("ana", "telegram"), None);
        bot.next("sendMessage");
        slack.writes(BEN, &code("ben", "slack"), None);
        slack.next("chat.postMessage");
        let [ana, ben] = ["ana", "ben"].map(|name| server.token(name, "person", &[]));
        let ci = server.token("ci", "agent", &[]);
        Self { bot, slack, topic, server, ana, ben, ci }
    }

    /// Asks all three, and waits for their messages; returns what each says.
    fn asks(&self, more: &Value) -> (Value, [String; 3]) {
        let mut new = question_with(&json!({"assignees": ["ana", "ben", "cem"]}));
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let asked = self.ci.post("/v1/decisions", &new).is(201).json();
        let told = [
            telegram::words(&self.bot.next("sendMessage")).to_owned(),
            slack::words(&self.slack.next("chat.postMessage")),
            self.topic.next().json()["message"].as_str().unwrap().to_owned(),
        ];
        (asked, told)
    }

    /// Wait for the next change of a message, and return what it says.
    const CHANGES: [fn(&Self) -> String; 3] = [
        |scene| telegram::words(&scene.bot.next("editMessageText")).to_owned(),
        |scene| slack::words(&scene.slack.next("chat.update")),
        |scene| {
            let published = scene.topic.next().json();
            format!("{}\n{}", published["title"].as_str().unwrap(), published["message"].as_str().unwrap())
        },
    ];

    /// Waits for the next change of all three messages; returns what they say.
    fn changes(&self) -> [String; 3] {
        Self::CHANGES.map(|changed| changed(self))
    }

    /// Expects that nothing else was sent.
    fn is_quiet(&self) {
        outbox_until(&self.server.sandbox, <[_]>::is_empty);
        self.bot.is_quiet();
        self.slack.is_quiet();
        self.topic.is_quiet();
    }
}

fn vote(who: &Api, asked: &Value, choice: &str) {
    let path = format!("/v1/decisions/{}/answer", asked["id"].as_str().unwrap());
    who.post(&path, &json!({"choice": choice, "digest": asked["digest"]})).is(200);
}

#[track_caller]
fn all_say(told: &[String; 3], wanted: &str) {
    // Where text could be tapped, something invisible keeps it from that.
    let plain = |text: &String| text.replace('\u{2060}', "");
    assert!(told.iter().all(|text| plain(text).contains(wanted)), "{wanted}: {told:#?}");
}

#[test]
fn a_vote_changes_every_message_and_the_last_one_settles_them() {
    let scene = Scene::new();
    let (asked, told) = scene.asks(&json!({"needs": {"approvals": 2}}));
    all_say(&told, "Votes: 0 of 2; still needed: 2 more people.");
    vote(&scene.ana, &asked, "a");
    all_say(&scene.changes(), "Votes: 1 of 2: ana; still needed: 1 more person.");
    // The same again changes nothing.
    vote(&scene.ana, &asked, "a");
    let id = asked["id"].as_str().unwrap();
    let revised =
        scene.ci.send("PATCH", &format!("/v1/decisions/{id}"), Some(&json!({"prompt": "Which one?"})));
    let asked = revised.is(200).json();
    all_say(&scene.changes(), "Votes: 0 of 2; still needed: 2 more people.");
    vote(&scene.ana, &asked, "a");
    scene.changes();
    vote(&scene.ben, &asked, "a");
    all_say(&scene.changes(), "Answered by ben");
    scene.is_quiet();
}

#[test]
fn how_much_of_a_project_goes_out_is_one_setting() {
    let scene = Scene::with("[show_in]\nopen = \"all\"\nshop = \"prompt\"\n");
    let asks = |project: &str| {
        let more = json!({"project": project, "title": "Deploy?", "prompt": "It is time.", "subject": "make deploy"});
        scene.asks(&more).1
    };
    let has = |told: &[String; 3], words: &str| {
        let plain = told.iter().map(|text| text.replace('\u{2060}', ""));
        let count = plain.filter(|text| text.contains(words)).count();
        assert!(count == 0 || count == 3, "{words}: {told:#?}");
        count == 3
    };
    for (project, prompt, subject) in [("web", false, false), ("shop", true, false), ("open", true, true)] {
        let told = asks(project);
        assert!(has(&told, "Deploy?"), "{told:#?}");
        assert_eq!((has(&told, "It is time."), has(&told, "make deploy")), (prompt, subject), "{project}");
    }
}

#[test]
fn a_vote_that_a_message_cannot_show_any_more_is_said_below_it() {
    let scene = Scene::new();
    let (asked, _) = scene.asks(&json!({"needs": {"approvals": 2}}));
    scene.bot.fails("editMessageText", Fault::Error(400, json!({"description": "message can't be edited"})));
    vote(&scene.ben, &asked, "a");
    scene.changes();
    let said = scene.bot.next("sendMessage");
    assert_eq!(telegram::words(&said), "Votes: 1 of 2: ben; still needed: 1 more person.");
    scene.is_quiet();
}

#[test]
fn a_step_while_nobody_answers_changes_the_messages_of_those_who_were_told_before() {
    let scene = Scene::new();
    scene.server.sandbox.ok(&["person", "add", "dan"]);
    let steps = json!([{"after": "1s", "tell": ["dan"]}]);
    let (asked, mut told) = scene.asks(&json!({"escalation": steps}));
    // A message that goes out after the step says so itself.
    for (text, changed) in told.iter_mut().zip(Scene::CHANGES) {
        if !text.contains("Nobody had answered") {
            *text = changed(&scene);
        }
    }
    all_say(&told, "Nobody had answered: dan is told.");
    scene.ana.answer(asked["id"].as_str().unwrap(), "a").is(200);
    let settled = scene.changes();
    all_say(&settled, "Answered by ana");
    assert!(settled.iter().all(|text| !text.contains("Nobody had answered")), "{settled:#?}");
    scene.is_quiet();
}

#[test]
fn people_see_by_which_account_and_message_somebody_answered_and_agents_do_not() {
    let scene = Scene::new();
    let new = question_with(&json!({"assignees": ["ana"]}));
    let id = scene.ci.post("/v1/decisions", &new).is(201).id();
    let asked = scene.bot.next("sendMessage");
    scene.bot.tap(telegram::ANA, &telegram::message(2), &telegram::buttons(&asked)[0].1);
    let waited = scene.ci.get(&format!("/v1/decisions/{id}/wait?timeout=30s")).is(200).json();
    assert_eq!((&waited["answer"]["by"], &waited["answer"]["via"]), (&json!("ana"), &json!("telegram")));
    let through = json!({"account": "501", "message": "2"});
    assert_eq!(scene.ben.decision(&id).json()["answer"]["channel"], through);
    assert_eq!(waited["answer"].get("channel"), None, "{waited}");
    assert_eq!(scene.ci.decision(&id).json()["answer"].get("channel"), None);
    // Who is too late is told what was answered, and may be the asker.
    let late = scene.ana.post(&format!("/v1/decisions/{id}/answer"), &json!({"choice": "b"}));
    assert_eq!(late.is(409).json()["decision"]["answer"].get("channel"), None);
    let resolved = |who: &Api| {
        let log = who.get("/v1/events").is(200).body;
        log.lines().find(|line| line.contains("decision:resolved")).unwrap().to_owned()
    };
    assert!(resolved(&scene.ben).contains(&through.to_string()), "{}", resolved(&scene.ben));
    assert!(!resolved(&scene.ci).contains("account"), "{}", resolved(&scene.ci));
}
