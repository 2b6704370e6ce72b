//! The recent answer to the same question: shown, picked by a key, and never sent by itself.

use holdpoint_core::Decision;
use serde_json::json;

use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen};
use crate::inbox::scene::{approval, decision, draw, inbox, now, open, press};
use crate::view_model::recent_answer::Again;

fn opened(decision: &Decision, numbers: Vec<usize>, text: Option<&str>) -> Model {
    let mut model = inbox((80, 24), std::slice::from_ref(decision));
    open(&mut model, decision, None);
    let Screen::Card(card) = &mut model.screen else { panic!("no card is open") };
    card.again = Some(Again { at: now(), what: "this".into(), numbers, text: text.map(str::to_owned) });
    model
}

fn sent(effects: &[InboxEffect]) -> Option<serde_json::Value> {
    effects.iter().find_map(|effect| match effect {
        InboxEffect::Send(_, input) => Some(serde_json::Value::Object(input.values.clone())),
        _ => None,
    })
}

#[test]
fn it_is_picked_by_its_key_and_sent_by_enter() {
    let mut own = decision(1, &json!({}));
    own.fields[0].custom = true;
    for (decision, numbers, text, values) in [
        (decision(1, &json!({})), vec![2], None, json!({"choice": "memory"})),
        (approval(1), vec![1], None, json!({"c": "yes"})),
        (own, vec![3], Some("none"), json!({"choice": {"text": "none"}})),
    ] {
        let mut model = opened(&decision, numbers, text);
        assert!(
            draw(&model).contains("You answered this 0 s ago: this. 0 picks it again."),
            "{}",
            draw(&model)
        );
        assert_eq!(sent(&press(&mut model, "0")), None);
        let effects = press(&mut model, "<enter>");
        assert_eq!(sent(&effects), Some(values), "{effects:?} {}", draw(&model));
    }
}

#[test]
fn a_yes_to_what_is_not_read_is_not_picked() {
    let lines = (1..=100).map(|n| format!("echo {n}")).collect::<Vec<_>>().join("\n");
    let mut long = approval(1);
    long.subject = Some(json!({ "command": lines }));
    let mut model = opened(&long, vec![1], None);
    press(&mut model, "0");
    assert!(draw(&model).contains("left (PgDn)"), "{}", draw(&model));
    assert_eq!(sent(&press(&mut model, "<enter>")), None);
}

#[test]
fn ids_are_a_key_away() {
    let approval = approval(1);
    let mut model = opened(&approval, Vec::new(), None);
    let id = approval.id.to_string();
    assert!(!draw(&model).contains(&id) && !draw(&model).contains("sha256"), "{}", draw(&model));
    press(&mut model, "i");
    let shown = draw(&model);
    for words in [&id, "Digest: sha256:1", "Subject: sha256:2", "\"command\": \"kubectl apply\""] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}
