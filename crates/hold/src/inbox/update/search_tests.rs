//! Searching in more than was read.

use serde_json::json;

use super::update;
use crate::inbox::news::{Effect, Listing, News};
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
    assert_eq!(press(&mut model, "o"), [Effect::Find("co".into())]);
    update(&mut model, News::Found(vec![Row::of(&first, None), Row::of(&beyond, None)]));
    assert_eq!((model.list.selected, model.list.rows.len()), (Some(beyond.id), 2));
    // What happens elsewhere has the first ones read again, and what was found beyond them looked for again.
    let News::Listed(listing) = listed(std::slice::from_ref(&first)) else { unreachable!() };
    let again = update(&mut model, News::Listed(Listing { more: true, ..listing }));
    assert_eq!(again, [Effect::Find("co".into())]);
    assert_eq!((model.list.selected, model.list.rows.len()), (Some(beyond.id), 2));
    update(&mut model, News::Found(Vec::new()));
    assert_eq!(model.list.rows.len(), 1);
}
