//! What is a no, that a confirmation has one, and that a yes is to what was seen.

use holdpoint_core::{Actor, Auth, Command, Decision, Role};
use serde_json::{Value, json};

use crate::script::check;
use crate::world::World;

fn made(actor: &Actor, new: Value) -> Result<Decision, String> {
    let mut world = World::new();
    let new = serde_json::from_value(new).unwrap();
    world.submit(actor, &Command::Create(Box::new(new))).map_err(|refusal| refusal.to_string())?;
    Ok(world.decisions.into_values().next().unwrap())
}

fn asked(kind: &str, options: &Value, rest: &Value) -> Result<Decision, String> {
    let mut new = json!({"prompt": "Deploy?", "fields": [{"id": "c", "kind": kind, "options": options}]});
    for (key, value) in rest.as_object().unwrap() {
        new[key] = value.clone();
    }
    made(&Actor::claimed("ana", "cli"), new)
}

fn refusing(decision: &Decision) -> Vec<&str> {
    let options = decision.fields.iter().flat_map(|field| &field.options);
    options.filter(|option| option.refuses).map(|option| option.id.as_str()).collect()
}

#[test]
fn an_option_that_says_no_refuses_by_itself() {
    for kind in ["choice", "confirm"] {
        for id in ["no", "N", "n", "No", "DENY", "deny", "Reject", "reject", "decline", "Decline"] {
            let options = json!([{"id": "y", "label": "Yes"}, {"id": id, "label": "Whatever"}]);
            assert_eq!(refusing(&asked(kind, &options, &json!({})).unwrap()), [id], "{kind} by id");
            let options =
                json!([{"id": "y", "label": "Yes"}, {"id": "b", "label": format!(" {id} \u{200b}")}]);
            assert_eq!(refusing(&asked(kind, &options, &json!({})).unwrap()), ["b"], "{kind} {id} by label");
        }
    }
    for label in [
        "No, not yet",
        "no - stop",
        "Deny: too risky",
        "\u{200b}No — wait",
        "No.",
        "no!",
        "N\u{43e}",
        "No\u{fe0f}",
        "\u{ff2e}\u{ff2f}",
        "(No)",
        "\u{39d}\u{3bf}",
        "No thanks",
        "no\u{a0} Thanks!",
        "No thank you, not today",
        "Nope",
    ] {
        let options = json!([{"id": "y", "label": "Yes"}, {"id": "b", "label": label}]);
        assert_eq!(refusing(&asked("choice", &options, &json!({})).unwrap()), ["b"], "{label} reads as no");
    }
    for label in
        ["No cache", "Nobody", "No changes", "Nothing else", "Node 20", "Not now", "No thanksgiving", "Nopea"]
    {
        let options = json!([{"id": "y"}, {"id": "b", "label": label}]);
        let asked = asked("choice", &options, &json!({})).unwrap();
        assert!(refusing(&asked).is_empty(), "only a complete clause counts, and {label} is none");
    }
    let options = json!([{"id": "n", "label": "Nitrogen"}]);
    assert!(
        refusing(&asked("choices", &options, &json!({})).unwrap()).is_empty(),
        "in a list it names a thing"
    );
    let options = json!([{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]);
    assert_eq!(refusing(&asked("choices", &options, &json!({})).unwrap()), ["n"]);
}

#[test]
fn a_yes_cannot_be_marked_as_a_no() {
    for kind in ["choice", "confirm"] {
        for label in ["Yes, deploy", "yes", "OK", "Approve", "\u{ff39}es!", "Allow (once)"] {
            let marked =
                json!([{"id": "go", "label": label, "refuses": true}, {"id": "stop", "label": "Not now"}]);
            let refused = asked(kind, &marked, &json!({"subject": "deploy"})).unwrap_err();
            assert!(refused.contains("reads as a yes; label it as a no"), "{refused}");
            let named = json!([{"id": "no", "label": label}, {"id": "yes", "label": "Not now"}]);
            asked(kind, &named, &json!({})).unwrap_err();
        }
    }
    let options = json!([{"id": "leave", "label": "Leave it"}]);
    let refused = asked("confirm", &options, &json!({"outs": [{"id": "yes", "label": "Yes"}]})).unwrap_err();
    assert!(refused.contains("out \"yes\" refuses"), "{refused}");
    // Some clients show the short words alone.
    let short =
        json!([{"id": "a", "label": "Yes", "short": "No"}, {"id": "b", "label": "Stop", "refuses": true}]);
    asked("confirm", &short, &json!({})).unwrap_err();
    let short =
        json!([{"id": "a", "label": "Go on"}, {"id": "b", "label": "Stop", "short": "Yes", "refuses": true}]);
    asked("confirm", &short, &json!({})).unwrap_err();
    // What a label says beyond its first clause is for people to judge.
    let options = json!([{"id": "a", "label": "Accept the risk"}, {"id": "b", "label": "Yesterday's build", "refuses": true}]);
    asked("confirm", &options, &json!({})).unwrap();
}

#[test]
fn in_a_foreign_message_only_what_is_marked_refuses() {
    let options = json!([{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]);
    let origin = json!({"protocol": "claude-code"});
    for foreign in [json!({"source": "request"}), json!({"source": "question", "origin": origin})] {
        assert!(refusing(&asked("choice", &options, &foreign).unwrap()).is_empty(), "{foreign}");
    }
    // What can be consumed is read all the same.
    let subject = json!({"source": "question", "origin": origin, "subject": "rm"});
    assert_eq!(refusing(&asked("choice", &options, &subject).unwrap()), ["n"]);
    let request = json!({"source": "request", "subject": "rm"});
    assert_eq!(refusing(&asked("choice", &options, &request).unwrap()), ["n"]);
    let options = json!([{"id": "y", "label": "Yes"}, {"id": "no", "label": "Not now"}]);
    assert_eq!(refusing(&asked("confirm", &options, &request).unwrap()), ["no"]);
}

#[test]
fn a_question_of_yes_or_no_is_refused_by_no() {
    let only = json!([{"id": "b", "kind": "boolean", "label": "Deploy?"}]);
    let two = json!([{"id": "b", "kind": "boolean", "label": "Deploy?"}, {"id": "t", "kind": "text", "required": false}]);
    let colour = json!({"id": "c", "kind": "choice", "options": [{"id": "red"}], "required": false});
    let coloured = json!([only[0], colour]);
    let confirmed = json!([only[0], {"id": "c", "kind": "confirm", "options": [{"id": "red"}, {"id": "no"}], "required": false}]);
    let (foreign, subject) = (json!({"origin": {"protocol": "aitp"}}), json!({"subject": "rm"}));
    let plain = json!({});
    for (fields, more, value, is_no) in [
        (&only, &plain, false, true),
        (&only, &plain, true, false),
        (&two, &plain, false, true),
        (&only, &foreign, false, false),
        (&coloured, &plain, false, false),
        (&coloured, &subject, false, true),
        (&coloured, &subject, true, false),
        (&confirmed, &subject, false, false),
    ] {
        let mut new = json!({"prompt": "Deploy?", "fields": fields});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut world = World::new();
        let new = serde_json::from_value(new).unwrap();
        let ana = Actor::claimed("ana", "cli");
        world.submit(&ana, &Command::Create(Box::new(new))).unwrap();
        let (id, _) = world.decisions.first_key_value().map(|(id, one)| (*id, one.clone())).unwrap();
        let digest = &world.decisions.values().next().unwrap().digest;
        let mut values = json!({"b": value});
        if fields.get(1).is_some_and(|field| field["id"] == "c") {
            values["c"] = "red".into();
        }
        let input = serde_json::from_value(json!({"values": values, "digest": digest})).unwrap();
        world.submit(&ana, &Command::Answer { id, input }).unwrap();
        let answered = world.decisions.values().next().unwrap();
        assert_eq!(holdpoint_core::decision::is_refusal(answered), is_no, "{fields} {more} {value}");
    }
}

#[test]
fn picking_nothing_consents_to_no_subject() {
    let fields = json!([{"id": "c", "kind": "choices", "options": [{"id": "read"}, {"id": "write"}], "required": false},
        {"id": "b", "kind": "boolean", "required": false}]);
    for (subject, values, is_no) in [
        (true, json!({"c": []}), true),
        (true, json!({"c": ["read"]}), false),
        (true, json!({"c": [], "b": true}), false),
        (false, json!({"c": []}), false),
    ] {
        let mut new = json!({"prompt": "Which?", "fields": fields});
        if subject {
            new["subject"] = "rm".into();
        }
        let mut world = World::new();
        let ana = Actor::claimed("ana", "cli");
        world.submit(&ana, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
        let decision = world.decisions.values().next().unwrap();
        let (id, digest) = (decision.id, decision.digest.clone());
        let input = serde_json::from_value(json!({"values": values, "digest": digest})).unwrap();
        world.submit(&ana, &Command::Answer { id, input }).unwrap();
        let answered = world.decisions.values().next().unwrap();
        assert_eq!(holdpoint_core::decision::is_refusal(answered), is_no, "{subject} {values}");
    }
}

/// `hold ask 'Deploy?' && deploy` must not deploy on "No".
#[test]
fn a_text_that_starts_with_a_no_is_one_where_nothing_else_was_asked() {
    let lone = json!([{"id": "t", "kind": "text"}]);
    let boolean = json!([{"id": "b", "kind": "boolean"}, {"id": "t", "kind": "text", "required": false}]);
    let form = json!([{"id": "t", "kind": "text"}, {"id": "n", "kind": "integer"}]);
    for (fields, more, values, is_no) in [
        (&lone, json!({}), json!({"t": "No"}), true),
        (&lone, json!({}), json!({"t": "NO!"}), true),
        (&lone, json!({}), json!({"t": "no, never"}), true),
        (&lone, json!({}), json!({"t": "Nora"}), false),
        (&lone, json!({}), json!({"t": "on Monday"}), false),
        (&lone, json!({"origin": {"protocol": "aitp"}}), json!({"t": "No"}), false),
        (&boolean, json!({}), json!({"b": false, "t": "later"}), true),
        (&boolean, json!({}), json!({"b": true, "t": "No hurry"}), false),
        (&form, json!({}), json!({"t": "No", "n": 1}), false),
    ] {
        let mut new = json!({"prompt": "Deploy?", "fields": fields});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut world = World::new();
        let ana = Actor::claimed("ana", "cli");
        world.submit(&ana, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
        let (id, digest) = world.decisions.iter().next().map(|(id, one)| (*id, one.digest.clone())).unwrap();
        let input = json!({"values": values, "digest": digest});
        world.submit(&ana, &Command::Answer { id, input: serde_json::from_value(input).unwrap() }).unwrap();
        let answered = world.decisions.values().next().unwrap();
        assert_eq!(holdpoint_core::decision::is_refusal(answered), is_no, "{fields} {values}");
    }
}

/// `hold ask 'Deploy?' … && deploy` must not deploy on "Monday".
#[test]
fn own_words_are_no_yes_where_an_option_could_have_said_it() {
    let yes_no = json!([{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]);
    let caches = json!([{"id": "lru", "label": "LRU"}, {"id": "cdn", "label": "CDN"}]);
    let (plain, subject) = (json!({}), json!({"subject": {"command": "ls"}}));
    for (options, more, words, is_no) in [
        (&yes_no, &plain, "on Monday", true),
        (&caches, &plain, "neither: memcached", false),
        (&caches, &plain, "No, leave it", true),
        (&caches, &subject, "memcached", true),
        (&yes_no, &json!({"source": "request"}), "on Monday", false),
    ] {
        let mut new = json!({"prompt": "Which?", "fields": [{"id": "c", "kind": "choice", "custom": true, "options": options}]});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut world = World::new();
        let ana = Actor::claimed("ana", "cli");
        world.submit(&ana, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
        let (id, digest) = world.decisions.iter().next().map(|(id, one)| (*id, one.digest.clone())).unwrap();
        let input = json!({"values": {"c": {"text": words}}, "digest": digest});
        world.submit(&ana, &Command::Answer { id, input: serde_json::from_value(input).unwrap() }).unwrap();
        let answered = world.decisions.values().next().unwrap();
        assert_eq!(holdpoint_core::decision::is_refusal(answered), is_no, "{options} {more} {words}");
    }
}

#[test]
fn a_confirmation_can_be_declined() {
    let options = json!([{"id": "go", "label": "Go"}, {"id": "stop", "label": "Stop"}]);
    let why = asked("confirm", &options, &json!({})).unwrap_err();
    assert!(why.contains("needs an option that refuses") && why.contains("-o 'ID!:LABEL'"), "{why}");
    let marked = json!([{"id": "go", "label": "Go"}, {"id": "stop", "label": "Stop", "refuses": true}]);
    assert_eq!(refusing(&asked("confirm", &marked, &json!({})).unwrap()), ["stop"]);
    asked("confirm", &options, &json!({"outs": [{"id": "later"}]})).unwrap();
    let outs = |decision: Decision| decision.outs.into_iter().map(|out| out.id).collect::<Vec<_>>();
    let foreign = json!({"source": "request"});
    assert_eq!(outs(asked("confirm", &options, &foreign).unwrap()), ["decline"]);
    assert!(outs(asked("confirm", &marked, &foreign).unwrap()).is_empty());
    let taken = json!([{"id": "go"}, {"id": "decline", "label": "Turn down the volume"}]);
    assert_eq!(outs(asked("confirm", &taken, &foreign).unwrap()), ["decline-2"]);
    check(
        r#"
            ask d1 'Go?' confirm:yes|no
            revise d1 {"fields":[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"sure"}]}]}
            revise d1 {"fields":[{"id":"c","kind":"confirm","options":[{"id":"yes"},{"id":"n"}]}]}
            answer d1 n
        "#,
        r#"
            created d1
            invalid: c: a confirm field needs an option that refuses: name one no, n, deny, reject or decline, or mark one with "refuses": true (-o 'ID!:LABEL' on the command line)
            revised d1
            resolved d1 {"c":"n"} by ana
        "#,
    );
}

#[test]
fn an_answer_about_a_subject_says_what_was_seen() {
    check(
        r#"
            ask d1 'Run?' yes|no subject={"cmd":"ls"}
            answer d1 yes digest=none
            answer d1 no digest=none
            guide d1 'other' digest=none
            answer d1 out=x digest=none
            revise d1 {"subject":{"cmd":"rm -rf /"}}
            answer d1 yes digest=first
            answer d1 yes digest=now
            answer d1 yes digest=none
            ask d2 'Which?' a|b
            answer d2 a digest=none
        "#,
        r#"
            created d1
            digest_required: decision d1 has a subject, and the answer does not carry the digest of what was seen
            digest_required: decision d1 has a subject, and the answer does not carry the digest of what was seen
            digest_required: decision d1 has a subject, and the answer does not carry the digest of what was seen
            digest_required: decision d1 has a subject, and the answer does not carry the digest of what was seen
            revised d1
            stale: decision d1 has changed since it was shown
            resolved d1 {"choice":"yes"} by ana
            replayed, first by ana
            created d2
            resolved d2 {"choice":"a"} by ana
        "#,
    );
}

#[test]
fn who_asks_is_the_credential_first() {
    let new =
        |claim: Value| json!({"prompt": "?", "fields": [{"id": "t", "kind": "text"}], "requested_by": claim});
    let token = Actor {
        auth: Auth::Token,
        role: Some(Role::Agent),
        credential: Some("tok-1".into()),
        ..Actor::claimed("ci-bot", "http")
    };
    let local = Actor { auth: Auth::Local, ..Actor::claimed("ana", "http") };
    let job = Actor { by: "job:job-7k3".into(), ..Actor::supervisor() };
    for (actor, claim, by, words) in [
        (&job, json!("job-7k3"), Some("job:job-7k3"), Some("job-7k3")),
        (&job, json!("job-8"), Some("job:job-7k3"), Some("job:job-7k3, as job-8")),
        (&token, json!("root"), Some("ci-bot"), Some("ci-bot, as root")),
        (&token, json!("ci-bot"), Some("ci-bot"), Some("ci-bot")),
        (&token, json!(null), Some("ci-bot"), Some("ci-bot")),
        (&token, json!("the boss (checked)"), Some("ci-bot"), Some("ci-bot, as \"the boss (checked)\"")),
        (&Actor::claimed("ana", "cli"), json!("root"), None, Some("root (unverified)")),
        (&local, json!("root"), None, Some("root (unverified)")),
        (&Actor::claimed("ana", "cli"), json!(null), None, None),
        (&Actor::supervisor(), json!("agent-7"), Some("system:jobs"), Some("agent-7")),
    ] {
        let decision = made(actor, new(claim)).unwrap();
        assert_eq!(decision.asked_by.as_deref(), by);
        assert_eq!(decision.asker().map(|asker| asker.to_string()).as_deref(), words);
        let resource = serde_json::to_value(&decision).unwrap();
        assert_eq!(resource.get("asked_by"), Some(&json!(by)), "the key is there, null where empty");
    }
}
