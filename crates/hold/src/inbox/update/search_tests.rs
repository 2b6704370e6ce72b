//! Searching beyond what was read, and the position in a list that changes.

use serde_json::json;

use super::update;
use crate::inbox::events::{InboxEffect, InboxEvent, PendingList};
use crate::inbox::row::Row;
use crate::inbox::scene::{decision, inbox, listed, press};

const SIZE: (u16, u16) = (80, 24);

#[test]
fn a_search_goes_beyond_what_was_read() {
    let (first, beyond) =
        (decision(1, &json!({"prompt": "Tea?"})), decision(2, &json!({"prompt": "Coffee?"})));
    let mut model = inbox(SIZE, std::slice::from_ref(&first));
    assert!(press(&mut model, "/c").is_empty());
    model.list.more = true;
    assert_eq!(press(&mut model, "o"), [InboxEffect::Find("co".into())]);
    update(&mut model, InboxEvent::Found(vec![Row::of(&first, None), Row::of(&beyond, None)]));
    assert_eq!((model.list.selected, model.list.rows.len()), (Some(beyond.id), 2));
    // An event has the first page read again, and the search beyond it repeated.
    let InboxEvent::Listed(listing) = listed(std::slice::from_ref(&first)) else { unreachable!() };
    let again = update(&mut model, InboxEvent::Listed(PendingList { more: true, ..listing }));
    assert_eq!(again, [InboxEffect::Find("co".into())]);
    assert_eq!((model.list.selected, model.list.rows.len()), (Some(beyond.id), 2));
    update(&mut model, InboxEvent::Found(Vec::new()));
    assert_eq!(model.list.rows.len(), 1);
}

#[test]
fn where_a_row_is_gone_one_stays_at_its_place() {
    let all: Vec<_> = (1..=4).map(|n| decision(n, &json!({"prompt": format!("Question {n}?")}))).collect();
    let mut model = inbox(SIZE, &all);
    press(&mut model, "jj");
    let left: Vec<_> = [0, 1, 3].map(|at: usize| all[at].clone()).into();
    update(&mut model, listed(&left));
    assert_eq!(model.list.selected, Some(all[3].id));
    update(&mut model, listed(&left[..2]));
    assert_eq!(model.list.selected, Some(all[1].id), "the last, where none comes after it");
}
