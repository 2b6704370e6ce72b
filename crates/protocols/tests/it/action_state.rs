//! What is kept of a conversation between two turns.

use holdpoint_core::Values;
use holdpoint_protocols::action::conversation::{Command, DraftDirection, DraftHistory, Offer, State};
use serde_json::json;

fn full() -> State {
    let offer = |put| Offer {
        field: "start".into(),
        values: vec![json!("2026-11-03"), json!("2026-03-11")],
        words: "3/11".into(),
        put,
    };
    State {
        begun: true,
        asked: Some("start".into()),
        last: Some("kind".into()),
        first: Some("end".into()),
        postponed: vec!["notes".into()],
        confirmed: vec![1],
        summed: Some(2),
        failures: 2,
        offers: vec![offer(1), offer(0)],
        sources: [("start".to_owned(), "3/11".to_owned())].into(),
        wished: Some(Command::Cancel),
        passed_by: vec![("kind".into(), json!({"text": "own"}))],
        half: Some("10:30:00".into()),
        waiting: Some(json!("2026-11-09")),
        tool: Some("look".into()),
        unheard: 2,
        barren: vec!["other".into()],
        heard: Some("billing, please".into()),
        rounds: 1,
        resumed: false,
        said: "Did you mean …?".into(),
        past: Vec::new(),
    }
}

#[test]
fn what_is_kept_is_read_again() {
    assert_eq!(State::read(&full().to_value()), Some(full()));
    assert_eq!(State::default().to_value(), json!({}), "what says nothing is not written");
    assert_eq!(State::read(&json!({})), Some(State::default()));
}

#[test]
fn what_is_no_state_is_none() {
    for foreign in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"begun": "yes"}),
        json!({"wished": "explode"}),
        json!({"failures": -1}),
        json!({"offers": [{}]}),
    ] {
        assert_eq!(State::read(&foreign), None, "{foreign}");
    }
}

#[test]
fn nothing_grows_without_end() {
    let many = json!({
        "failures": u32::MAX, "rounds": u32::MAX, "heard": "x".repeat(1 << 20), "said": "é".repeat(1 << 20),
        "postponed": vec!["x"; 100_000], "confirmed": vec![1; 100_000],
        "offers": [{"field": "a", "values": [], "words": "w".repeat(1 << 20), "put": u32::MAX}],
    });
    let state = State::read(&many).unwrap();
    assert!(serde_json::to_string(&state.to_value()).unwrap().len() < 100_000);
    assert_eq!((state.failures, state.offers[0].put), (1_000, 1_000));
}

fn draft(number: i64) -> Values {
    Values::from_iter([("a".to_owned(), json!(number))])
}

fn past(drafts: impl IntoIterator<Item = i64>, way: DraftDirection) -> Vec<Values> {
    let mut past = DraftHistory::default();
    drafts.into_iter().for_each(|number| past.drafted(draft(number), way));
    past.before().to_vec()
}

#[test]
fn what_was_known_before_follows_from_what_was_drafted() {
    let empty = Values::new();
    assert_eq!(past([1, 2, 3], DraftDirection::Unsaid), [empty.clone(), draft(1), draft(2)]);
    // 2 was taken back, then 3 given.
    assert_eq!(past([1, 2, 1, 3], DraftDirection::Unsaid), [empty.clone(), draft(1)]);
    assert_eq!(past([1, 1], DraftDirection::Unsaid), [empty]);
    assert_eq!(past(0..100, DraftDirection::Unsaid).len(), 20);
    assert!(past([], DraftDirection::Unsaid).is_empty());
}

/// A person who gives a former value again has changed something, and can take that back.
#[test]
fn a_value_given_anew_is_not_taken_back() {
    assert_eq!(past([1, 2, 1], DraftDirection::Forth), [Values::new(), draft(1), draft(2)]);
    let mut undone = DraftHistory::default();
    for number in [1, 2] {
        undone.drafted(draft(number), DraftDirection::Forth);
    }
    undone.drafted(draft(1), DraftDirection::Back);
    assert_eq!(undone.before(), [Values::new()]);
}
