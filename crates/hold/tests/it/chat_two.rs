//! Two people with one conversation open: what a page did not touch never takes the place of what others gave since.

use serde_json::{Value, json};

use crate::browser::{Browser, Served, served, with};

const WHOLE: &str = "annual leave from 2 to 4 March 2027 because of a trip";

fn conversation(server: &Served) -> String {
    let path = format!("{}/../../examples/forms/leave_request.json", env!("CARGO_MANIFEST_DIR"));
    let form: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let turn = json!({"form_schema": form, "user_message": "", "conversation_id": "two"});
    server.api("POST", "/api/chat", &turn)["decision_id"].as_str().unwrap().to_owned()
}

fn say(server: &Served, id: &str, text: &str) {
    server.api("POST", "/api/chat", &json!({"conversation_id": id, "user_message": text}));
}

/// Signs somebody in who opens the conversation; returns what the form beside it holds unseen.
fn opens<'a>(server: &'a Served, id: &str, name: &str) -> (Browser<'a>, Vec<(String, String)>) {
    let mut person = server.browser();
    person.sign_in(name);
    let page = person.get(&format!("/d/{id}/chat")).is(200);
    let form = page.text.split("id=\"answer\"").nth(1).unwrap().split("</form>").next().unwrap().to_owned();
    let hidden = |name: &str| {
        let rest = form.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
        let value = rest.split('"').next().unwrap().replace("&amp;", "&");
        (name.to_owned(), value)
    };
    (person, ["csrf", "digest", "shown"].map(hidden).to_vec())
}

/// A changes one field on a page that is older than what B said: both stay.
#[test]
fn an_old_page_takes_nothing_back() {
    for (path, verb) in [("draft", ""), ("chat", "save")] {
        served(|_, server| {
            let id = conversation(server);
            say(server, &id, "unpaid leave from 2 to 4 March 2027");
            let (mut ana, seen) = opens(server, &id, "ana");
            say(server, &id, "because of the flu");
            let reason = server.decision(&id)["draft"]["reason"].clone();
            assert!(reason.as_str().unwrap().contains("the flu"), "{reason}");
            let typed = [
                ("v:leave_type", "Unpaid"),
                ("v:start_date", "2027-03-02"),
                ("v:end_date", "2027-03-05"),
                ("v:reason", ""),
                ("verb", verb),
            ];
            let reply = ana.send(&format!("/d/{id}/{path}"), &with(&seen, &typed));
            assert!(reply.status < 400, "{reply:?}");
            let draft = server.decision(&id)["draft"].clone();
            assert_eq!((&draft["end_date"], &draft["reason"]), (&json!("2027-03-05"), &reason), "{draft}");
            // What is emptied on purpose goes.
            let (mut ana, seen) = opens(server, &id, "ana");
            let reply = ana.send(&format!("/d/{id}/{path}"), &with(&seen, &typed));
            assert!(reply.status < 400, "{reply:?}");
            assert_eq!(server.decision(&id)["draft"]["reason"], Value::Null);
        });
    }
}

/// The form's own Send refuses an old page as the conversation's does, names what changed, and keeps what was typed.
#[test]
fn an_old_page_sends_nothing_over_a_correction() {
    served(|_, server| {
        let id = conversation(server);
        say(server, &id, WHOLE);
        let (mut ana, seen) = opens(server, &id, "ana");
        say(server, &id, "change the leave type to unpaid");
        assert_eq!(server.decision(&id)["draft"]["leave_type"], "Unpaid");
        let reason = server.decision(&id)["draft"]["reason"].as_str().unwrap().to_owned();
        let typed = [
            ("v:leave_type", "Annual"),
            ("v:start_date", "2027-03-02"),
            ("v:end_date", "2027-03-04"),
            ("v:reason", &reason),
            ("message", "see you"),
            ("verb", "answer"),
        ];
        let page = ana.send(&format!("/d/{id}"), &with(&seen, &typed)).is(409);
        page.shows("has changed").shows("Unpaid").shows("see you");
        assert_eq!(server.decision(&id)["status"], "pending");
        // A person who looks at it as it stands now sends it.
        let (mut ana, seen) = opens(server, &id, "ana");
        ana.send(&format!("/d/{id}"), &with(&seen, &typed)).is(303);
        assert_eq!(server.decision(&id)["answer"]["values"]["leave_type"], "Annual");
    });
}

/// `send it` sends nothing that its page did not show, wherever the conversation stood there.
#[test]
fn an_old_page_does_not_send_in_words() {
    served(|_, server| {
        let id = conversation(server);
        say(server, &id, "annual leave from 2 to 4 March 2027");
        let (mut ana, _) = opens(server, &id, "ana");
        let page = ana.get(&format!("/d/{id}/chat")).is(200).text.clone();
        let hidden = |name: &str| {
            let form = page.split("class=\"words\"").nth(1).unwrap();
            let rest = form.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
            let value = rest.split('"').next().unwrap().replace("&quot;", "\"").replace("&amp;", "&");
            (name.to_owned(), value)
        };
        let seen = ["csrf", "digest", "draft"].map(hidden).to_vec();
        say(server, &id, "a trip");
        say(server, &id, "change the leave type to unpaid");
        let sent = with(&seen, &[("text", "send it"), ("verb", "say")]);
        ana.send(&format!("/d/{id}/chat"), &sent).is(409).shows("has changed");
        assert_eq!(server.decision(&id)["status"], "pending");
    });
}

/// From a page of before the last start nothing is said, and what was typed on it is shown.
#[test]
fn what_was_typed_on_a_page_that_is_too_old_is_not_lost() {
    served(|_, server| {
        let id = conversation(server);
        let mut ana = server.browser();
        ana.sign_in("ana");
        let sent =
            [("csrf", "of another day"), ("verb", ""), ("text", "unpaid <b>leave</b>"), ("zone", "UTC")];
        let page = ana.send(&format!("/d/{id}/chat"), &sent).is(403);
        let page = page.shows("the page was out of date").shows("unpaid &lt;b&gt;leave&lt;/b&gt;");
        assert!(page.text.contains("name=\"text\""), "the conversation is there to go on with");
        assert!(!page.text.contains("of another day"));
        assert_eq!(server.decision(&id)["draft"], json!({}));
    });
}
