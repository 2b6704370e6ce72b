//! Answering in the web inbox, as a browser without script does it.

use serde_json::json;

use crate::browser::{PASSWORD, choice, served, with};

#[test]
fn an_answer_goes_out_and_its_card_says_so() {
    served(|_, server| {
        let id = server.ask(&choice());
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get(&path)
            .is(200)
            .shows("agent-7")
            .shows("Recommended")
            .shows("Request changes")
            .shows("Instead of answering");
        let page = ana.fill(&path, &[("v:choice", "memory"), ("message", "one node only")]).is(303);
        assert_eq!(page.header("location"), format!("/?done={id}"));
        ana.get(page.header("location")).shows("Answered: In memory");
        let settled = server.decision(&id);
        assert_eq!(settled["answer"]["values"], json!({ "choice": "memory" }));
        assert_eq!(settled["answer"]["message"], "one node only");
        assert_eq!(
            (&settled["answer"]["by"], &settled["answer"]["auth"], &settled["answer"]["via"]),
            (&json!("ana"), &json!("session"), &json!("web"))
        );
        ana.get(&path).is(200).shows("one node only").lacks("id=\"answer\"");
        ana.get("/history?q=memory").is(200).shows("Which cache?");
        ana.get("/history?q=zebra").is(200).lacks("Which cache?");
    });
}

#[test]
fn what_is_wrong_is_said_beside_the_field_and_nothing_is_lost() {
    served(|_, server| {
        let id = server.ask(&json!({ "title": "Form", "source": "form", "fields": [
            { "id": "mail", "kind": "email", "label": "Address" },
            { "id": "sure", "kind": "boolean", "label": "Sure?" },
            { "id": "many", "kind": "integer", "label": "How many?" },
            { "id": "note", "kind": "multiline", "label": "Note", "required": false }] }));
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get(&path).lacks("checked");
        let page = ana
            .fill(&path, &[("v:mail", "nonsense"), ("v:many", "several"), ("v:note", "<b>kept</b>")])
            .is(422);
        let page = page.shows("is not an e-mail address").shows("is not a whole number").shows("Is required");
        page.shows("value=\"nonsense\"")
            .shows("value=\"several\"")
            .shows("&lt;b&gt;kept&lt;/b&gt;")
            .shows("aria-invalid=\"true\"");
        assert_eq!(server.decision(&id)["status"], "pending");
        ana.fill(&path, &[("v:mail", "a@b.de"), ("v:sure", "false"), ("v:many", "3")]).is(303);
        assert_eq!(
            server.decision(&id)["answer"]["values"],
            json!({ "mail": "a@b.de", "sure": false, "many": 3 })
        );
    });
}

#[test]
fn fields_come_and_go_without_script() {
    served(|_, server| {
        let id = server.ask(&json!({ "title": "Leave", "source": "form", "fields": [
            { "id": "kind", "kind": "choice", "label": "Kind", "options": [{ "id": "annual" }, { "id": "sick" }] },
            { "id": "proof", "kind": "text", "label": "Proof", "visible_if": { "field": "kind", "op": "EQUALS", "value": "sick" } }] }));
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get(&path).lacks("data-field=\"proof\"").shows("value=\"continue\"");
        ana.fill(&path, &[("v:kind", "sick"), ("verb", "continue")])
            .is(200)
            .shows("data-field=\"proof\"")
            .shows("checked");
        ana.fill(&path, &[("v:kind", "sick"), ("verb", "answer")]).is(422).shows("Is required");
        ana.fill(&path, &[("v:kind", "annual"), ("v:proof", "hidden")]).is(303);
        assert_eq!(server.decision(&id)["answer"]["values"], json!({ "kind": "annual" }));
    });
}

#[test]
fn guidance_opens_a_round_and_shows_what_changed() {
    served(|_, server| {
        let id = server.ask(&choice());
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.fill(&path, &[("verb", "guide"), ("guidance", " ")])
            .is(422)
            .shows("Say what should be different");
        ana.fill(&path, &[("v:choice", "redis"), ("guidance", "cheaper please")])
            .is(422)
            .shows("pressed another button")
            .shows("cheaper please");
        ana.fill(&path, &[("verb", "guide"), ("guidance", "cheaper please")]).is(303);
        let next = server.decision(&id)["next"].as_str().unwrap().to_owned();
        server.api("PATCH", &format!("/v1/decisions/{next}"), &json!({ "prompt": "Which cheap cache?" }));
        let page = ana.get(&format!("/d/{next}")).is(200).shows("Round 2 of 3").shows("cheaper please");
        page.shows("<del>").shows("Which cheap cache?");
    });
}

#[test]
fn the_second_of_two_sees_who_was_first_and_keeps_their_words() {
    served(|_, server| {
        let id = server.ask(&choice());
        let path = format!("/d/{id}");
        let (mut ana, mut ben) = (server.browser(), server.browser());
        ana.sign_in("ana");
        ben.sign_in("ben");
        let seen = ben.get(&path).hidden();
        ana.fill(&path, &[("v:choice", "redis")]).is(303);
        let late = with(&seen, &[("v:choice", "memory"), ("message", "my long words")]);
        let page = ben.send(&path, &late).is(409).shows("ana answered first");
        page.shows("my long words").shows("Use Redis");
        // The same answer again is not a conflict.
        ben.send(&path, &with(&seen, &[("v:choice", "redis")])).is(303);
    });
}

#[test]
fn what_was_revised_meanwhile_is_not_answered() {
    served(|_, server| {
        let id = server.ask(&choice());
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        let seen = ana.get(&path).hidden();
        server.api("PATCH", &format!("/v1/decisions/{id}"), &json!({ "prompt": "Which queue?" }));
        let refs = with(&seen, &[("v:choice", "redis"), ("message", "kept words")]);
        ana.send(&path, &refs)
            .is(409)
            .shows("The agent changed this")
            .shows("Which queue?")
            .shows("kept words");
        assert_eq!(server.decision(&id)["status"], "pending");
        // Without a digest nothing is taken either.
        let csrf = seen.iter().find(|(name, _)| name == "csrf").unwrap();
        ana.send(&path, &[("csrf", &csrf.1), ("v:choice", "redis")]).is(409);
    });
}

#[test]
fn a_lost_session_loses_no_words() {
    served(|_, server| {
        let id = server.ask(&choice());
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        let seen = ana.get(&path).hidden();
        let refs = with(&seen, &[("v:choice", "memory"), ("message", "words of an hour")]);
        ana.forget("hold_session");
        let page = ana.send(&path, &refs).is(401).shows("Nothing was sent").shows("words of an hour");
        let kept = page
            .text
            .split("name=\"kept\" value=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .replace("&amp;", "&");
        let form =
            [("name", "ana"), ("password", PASSWORD), ("next", path.as_str()), ("kept", kept.as_str())];
        ana.send("/sign-in", &form)
            .is(200)
            .shows("words of an hour")
            .shows("checked")
            .shows("Nothing was sent");
        assert_eq!(server.decision(&id)["status"], "pending");
        // A form with the token of another session is shown again, not sent.
        let mut refs: Vec<(&str, &str)> = refs.into_iter().filter(|(name, _)| *name != "csrf").collect();
        refs.push(("csrf", "forged"));
        ana.send(&path, &refs).is(200).shows("words of an hour");
        assert_eq!(server.decision(&id)["status"], "pending");
    });
}

#[test]
fn other_pages_cannot_send_our_forms() {
    served(|_, server| {
        let id = server.ask(&choice());
        let mut ana = server.browser();
        ana.sign_in("ana");
        let fields = [("v:choice", "redis")];
        ana.send_from(&format!("/d/{id}"), &fields, "Origin: https://evil.example\r\n").is(403);
        ana.send_from(&format!("/d/{id}"), &fields, "Sec-Fetch-Site: cross-site\r\n").is(403);
        assert_eq!(server.decision(&id)["status"], "pending");
    });
}

#[test]
fn only_those_who_were_asked_get_the_form() {
    served(|_, server| {
        let mut document = choice();
        document["assignees"] = json!(["ana"]);
        let id = server.ask(&document);
        let mut ben = server.browser();
        ben.sign_in("ben");
        ben.get(&format!("/d/{id}")).is(200).shows("Only the people who were asked").lacks("id=\"answer\"");
        ben.get("/settings").is(403);
        ben.get("/d/dcn-000000000000").is(404);
    });
}

#[test]
fn nobody_finds_an_approval_picked_by_another() {
    served(|_, server| {
        let options =
            json!([{ "id": "yes", "label": "Yes" }, { "id": "no", "label": "No", "refuses": true }]);
        let id = server.ask(&json!({ "source": "approval", "prompt": "Delete?", "subject": { "cmd": "rm" },
            "fields": [{ "id": "c", "kind": "choice", "label": "?", "options": options }] }));
        server.api("PUT", &format!("/v1/decisions/{id}/draft"), &json!({ "values": { "c": "yes" } }));
        let mut ben = server.browser();
        ben.sign_in("ben");
        let page = ben.get(&format!("/d/{id}")).is(200).shows("Delete?");
        assert!(!page.text.contains(" checked"), "{}", page.text);
    });
}

#[test]
fn a_draft_is_kept_and_comes_back() {
    served(|_, server| {
        let id = server.ask(&json!({ "title": "F", "source": "form", "fields": [
            { "id": "a", "kind": "text", "label": "A" }, { "id": "b", "kind": "integer", "label": "B" }] }));
        let mut ana = server.browser();
        ana.sign_in("ana");
        let seen = ana.get(&format!("/d/{id}")).hidden();
        let refs = with(&seen, &[("v:a", "half"), ("v:b", "not a number yet")]);
        ana.send(&format!("/d/{id}/draft"), &refs).is(204);
        assert_eq!(server.decision(&id)["draft"], json!({ "a": "half" }));
        ana.get(&format!("/d/{id}")).shows("value=\"half\"").shows("Draft saved");
        ana.get("/").shows("Draft");
        ana.send(&format!("/d/{id}/draft"), &[("v:a", "forged")]).is(403);
    });
}

#[test]
fn what_has_an_expired_quote_is_chosen_and_not_bought() {
    served(|_, server| {
        let quote = |until: &str| json!({ "valid_until": until, "payment_plans": [{ "plan_type": "one-time", "amount": 9.5, "currency": "USD" }] });
        let id = server.ask(&json!({ "title": "Buy", "source": "request", "fields": [{ "id": "p", "kind": "products", "label": "Which?", "options": [
            { "id": "old", "label": "Old", "quote": quote("2020-01-01T00:00:00Z") },
            { "id": "new", "label": "New", "rating": 4.5, "reviews_count": 3, "quote": quote("2096-01-01T00:00:00Z"), "image_url": "https://pic.example/x.png",
              "variants": [{ "id": "new-red", "label": "Red" }] }] }] }));
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        let page = ana
            .get(&path)
            .is(200)
            .shows("9.50 USD")
            .shows("Quote expired")
            .shows("4.5 of 5")
            .shows("pic.example")
            .lacks("<img");
        assert!(page.text.contains("Price expired: can be picked, not bought"));
        assert!(!page.text.contains("q:1:p:old"), "how many is not asked");
        ana.fill(
            &path,
            &[
                ("v:p", "new"),
                ("o:1:p:new", "new-red"),
                ("q:1:p:new", "2"),
                ("v:p", "old"),
                ("q:1:p:old", "9"),
            ],
        )
        .is(303);
        assert_eq!(
            server.decision(&id)["answer"]["values"],
            json!({ "p": [{ "id": "new-red", "quantity": 2 }, { "id": "old", "quantity": 1 }] })
        );
    });
}

#[test]
fn a_signed_link_opens_its_card_and_is_answered_once() {
    use holdpoint_engine::auth::Links;
    served(|sandbox, server| {
        let id = server.ask(&choice());
        let mut document = server.decision(&id);
        let decision = serde_json::from_value(document.take()).unwrap();
        let home = holdpoint_engine::Home::at(sandbox.home());
        let now = holdpoint_engine::Clock::System.now();
        let text = Links::load_or_make(&home).unwrap().issue(&decision, "ben", now).unwrap();
        let path = format!("/link/{text}");
        let mut phone = server.browser();
        phone.get(&path).is(200).shows("You answer as").shows("ben").shows("Use Redis");
        phone.fill(&path, &[]).is(422).shows("Is required");
        phone.fill(&path, &[("v:choice", "redis")]).is(200).shows("Sent.");
        let answer = server.decision(&id)["answer"].clone();
        assert_eq!((&answer["by"], &answer["auth"]), (&json!("ben"), &json!("link")));
        phone.get(&path).is(410).shows("was used");
        phone.send(&path, &[("v:choice", "memory"), ("message", "late words")]).is(410).shows("late words");
        phone.get("/link/forged.text").is(404);
    });
}

#[test]
fn one_goes_from_card_to_card_in_the_order_of_the_list() {
    served(|_, server| {
        let ids: Vec<String> = ["One", "Two", "Three"]
            .map(|title| {
                let mut document = choice();
                document["title"] = title.into();
                server.ask(&document)
            })
            .into();
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get("/").shows("href=\"/next?\"").shows("Focus mode");
        // The card itself, and where it is found again; or the list, where there is none.
        let to = |id: &str, told: &str| format!("/d/{id}?{told}flow=true");
        let mut past = |query: &str| {
            let page = ana.get(&format!("/next?{query}"));
            if page.status == 303 {
                return page.header("location").to_owned();
            }
            let address = page.text.split("data-address=\"").nth(1).and_then(|rest| rest.split('"').next());
            let address = address.unwrap().replace("&amp;", "&");
            let id = address.strip_prefix("/d/").unwrap().split('?').next().unwrap();
            page.is(200).shows(&format!("data-decision=\"{id}\""));
            address
        };
        assert_eq!(past(""), to(&ids[0], ""));
        assert_eq!(past(&format!("after={}", ids[0])), to(&ids[1], ""));
        assert_eq!(past(&format!("before={}", ids[1])), to(&ids[0], ""));
        assert_eq!(past(&format!("after={}", ids[2])), "/?");
        assert_eq!(past("q=three"), to(&ids[2], "q=three&"));
        // A page that has answers under way leaves those out, and goes round.
        assert_eq!(past(&format!("after={0}&skip={0}+{1}", ids[0], ids[1])), to(&ids[2], ""));
        assert_eq!(past(&format!("after={0}&skip={0}+{1}", ids[2], ids[0])), to(&ids[1], ""));
        assert_eq!(past(&format!("after={}&skip={}", ids[1], ids.join("+"))), "/?");
        assert_eq!(past(&format!("before={0}&skip={0}+{1}", ids[2], ids[1])), to(&ids[0], ""));
        let page = ana.get(&to(&ids[0], "")).is(200);
        let page = page.shows(&format!("/next?after={}", ids[0])).shows(&format!("/next?before={}", ids[0]));
        let seen = page.hidden();
        let sent = ana.send(&format!("/d/{}", ids[0]), &with(&seen, &[("v:choice", "redis")])).is(303);
        assert_eq!(sent.header("location"), format!("/next?done={}", ids[0]));
        ana.get(sent.header("location")).is(200).shows("Answered: Use Redis").shows("Two");
        for bad in ["/next?after=nonsense", "/next?before=%00", "/next?done=%0d%0aX-Evil:1"] {
            ana.get(bad).is(200).shows(&format!("data-address=\"/d/{}?flow=true\"", ids[1])).lacks("Evil:");
        }
    });
}

#[test]
fn a_plan_goes_back_with_words_which_are_asked_for_while_its_card_is_there() {
    served(|_, server| {
        let options = json!([{"id": "accept", "label": "Accept"},
            {"id": "again", "label": "Revise", "refuses": true, "effect": "revise"}]);
        let field = json!({"id": "choice", "kind": "choice", "label": "Proceed?", "options": options});
        let id =
            server.ask(&json!({"title": "Plan", "source": "plan", "subject": "Do it", "fields": [field]}));
        let path = format!("/d/{id}");
        let mut ana = server.browser();
        ana.sign_in("ana");
        ana.get(&path).is(200).shows("data-needs-words");
        let checked =
            |message: &'static str| [("v:choice", "again"), ("message", message), ("check", "true")];
        ana.fill(&path, &checked("")).is(422).shows("say what should be different about the plan");
        ana.fill(&path, &checked("Smaller steps")).is(204);
        assert_eq!(server.decision(&id)["status"], "pending", "it was only looked at");
    });
}
