use holdpoint_core::decision::New;
use holdpoint_core::{Decision, Field, Kind};
use holdpoint_protocols::beads::{Create, Respond, create, respond};
use serde_json::json;

use crate::through_core::{answer, ask, guide};

fn pending() -> Decision {
    let given = Create {
        issue: "bd-1".into(),
        prompt: "Cache?".into(),
        option: vec!["redis:Use Redis".into(), "memory:In memory".into()],
        ..Create::default()
    };
    ask(create(&given).unwrap()).unwrap()
}

fn option(id: &str) -> Respond {
    Respond { option: Some(id.into()), ..Respond::default() }
}

fn text(text: &str) -> Respond {
    Respond { text: Some(text.into()), ..Respond::default() }
}

#[test]
fn responses_become_answers() {
    let first = pending();
    let (_, second) = guide(&first, "think of cost");
    let both = Respond { text: Some("for now".into()), ..option("redis") };
    let accept = Respond { accept_guidance: true, ..text("cheap one") };
    let by = Respond { by: Some("u".into()), ..option("memory") };
    let cases = [
        (&first, option("redis"), json!({"values": {"choice": "redis"}})),
        (&first, both, json!({"values": {"choice": "redis"}, "message": "for now"})),
        (&first, text("a hybrid"), json!({"values": {"choice": {"text": "a hybrid"}}})),
        (&first, by, json!({"values": {"choice": "memory"}, "by": "u"})),
        (&first, accept.clone(), json!({"values": {"choice": {"text": "cheap one"}}})),
        (&second, accept, json!({"values": {"choice": {"text": "cheap one"}}})),
        (&second, option("_accept"), json!({"values": {"choice": "_accept"}})),
    ];
    for (decision, given, expected) in cases {
        let input = respond(decision, &given).unwrap();
        assert_eq!(serde_json::to_value(&input).unwrap(), expected, "{given:?}");
        answer(decision, input).unwrap();
    }
    let guidance = Respond { guidance: Some("cheaper".into()), ..Respond::default() };
    assert_eq!(
        serde_json::to_value(respond(&first, &guidance).unwrap()).unwrap(),
        json!({"guidance": "cheaper"})
    );
}

#[test]
fn what_is_not_a_response_is_refused() {
    let decision = pending();
    let guidance = || Some("more".to_owned());
    let cases = [
        (Respond::default(), "answer: must provide --option (or --select), --text or --guidance"),
        (text("  "), "answer: must provide --option (or --select), --text or --guidance"),
        (
            Respond { accept_guidance: true, ..Respond::default() },
            "accept-guidance: --accept-guidance requires --text",
        ),
        (
            Respond { accept_guidance: true, text: guidance(), ..option("redis") },
            "accept-guidance: goes with --text alone; an option is taken without it",
        ),
        (
            Respond { accept_guidance: true, guidance: guidance(), ..text("x") },
            "accept-guidance: ends the rounds, --guidance asks for another; give one of them",
        ),
        (
            Respond { guidance: guidance(), ..option("redis") },
            "guidance: asks for another round and cannot come with --option or --text",
        ),
        (
            Respond { guidance: guidance(), ..text("x") },
            "guidance: asks for another round and cannot come with --option or --text",
        ),
        (option("c"), "choice: \"c\" is not among the options: redis, memory"),
        (option("_accept"), "choice: \"_accept\" is not among the options: redis, memory"),
    ];
    for (given, expected) in cases {
        let refused = respond(&decision, &given).and_then(|input| answer(&decision, input)).unwrap_err();
        assert_eq!(refused.to_string(), expected, "{given:?}");
    }
}

#[test]
fn a_settled_decision_stays_as_it_is() {
    let decision = pending();
    let settled = answer(&decision, respond(&decision, &option("redis")).unwrap()).unwrap();
    let again = respond(&settled, &option("redis")).unwrap();
    assert_eq!(answer(&settled, again).unwrap(), settled);
    let other = respond(&settled, &option("memory")).unwrap();
    assert_eq!(answer(&settled, other).unwrap_err().code(), "already_settled");
}

#[test]
fn decisions_from_other_doors_are_answered_by_their_kind() {
    let asked = |fields: Vec<Field>| ask(New { prompt: Some("?".into()), fields, ..New::default() }).unwrap();
    let words = asked(vec![Field::new("text", Kind::Text, "Name?")]);
    assert_eq!(respond(&words, &text("x")).unwrap().values["text"], json!("x"));
    let several = Field::offering("tags", Kind::Choices, "Tags?", vec![holdpoint_core::Opt::new("a", "A")]);
    let several = asked(vec![Field { custom: true, ..several }]);
    assert_eq!(respond(&several, &option("a")).unwrap().values["tags"], json!(["a"]));
    assert_eq!(respond(&several, &text("b")).unwrap().values["tags"], json!([{"text": "b"}]));
    let form = asked(vec![Field::new("a", Kind::Text, "A"), Field::new("b", Kind::Text, "B")]);
    let refused = respond(&form, &text("x")).unwrap_err().to_string();
    assert!(refused.contains("asks 2 fields") && refused.contains("--set"), "{refused}");
}
