//! The selected decision's card beside the list, if there is room.

use crate::inbox::card::Card;
use crate::inbox::events::{InboxEffect, OpenedDecision};
use crate::inbox::model::{Model, Screen};
use crate::inbox::view::has_panes;

/// Asks for the selected decision, unless it has been read.
pub(super) fn wanted(model: &mut Model) -> Option<InboxEffect> {
    if !matches!(model.screen, Screen::List)
        || !has_panes(model)
        || model.list.glancing == model.list.selected
    {
        return None;
    }
    model.list.glancing = model.list.selected;
    model.list.selected.map(InboxEffect::Glance)
}

/// Shows the card; nothing is picked on it, and no key acts on it.
pub(super) fn read(model: &mut Model, opened: OpenedDecision) {
    if model.list.glancing == Some(opened.decision.id) {
        let card = Card { focus: None, ..Card::of(opened) };
        model.list.glance = Some(Box::new(card));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::inbox::events::InboxEvent;
    use crate::inbox::scene::{approval, decision, draw, inbox, listed, opened, press};
    use crate::inbox::update::update;

    #[test]
    fn the_whole_card_of_the_selected_decision_stands_beside_the_list() {
        let (first, second) = (approval(1), decision(2, &json!({"prompt": "Which queue?"})));
        let mut model = inbox((140, 30), &[first.clone(), second.clone()]);
        assert_eq!(model.list.glancing, Some(first.id), "what is selected first is read at once");
        update(&mut model, InboxEvent::Glanced(Box::new(opened(&first))));
        let shown = draw(&model);
        assert!(shown.contains("Request changes (g)") && shown.contains("  2 No (refuses)"), "{shown}");
        assert_eq!(press(&mut model, "j"), [InboxEffect::Glance(second.id)]);
        // Until it is read, the preview of the row is shown; a card that arrives too late is not.
        update(&mut model, InboxEvent::Glanced(Box::new(opened(&first))));
        assert!(!draw(&model).contains("Request changes (g)"), "{}", draw(&model));
        update(&mut model, InboxEvent::Glanced(Box::new(opened(&second))));
        assert!(draw(&model).contains("[ Send answer ]"), "{}", draw(&model));
        // Keys still act on the list: nothing is picked on the card beside it.
        assert_eq!(press(&mut model, "1"), [InboxEffect::Open(second.id, Some(1))]);
    }

    #[test]
    fn it_is_read_again_with_the_list_and_not_at_all_where_there_is_no_room() {
        let first = approval(1);
        let mut model = inbox((140, 30), std::slice::from_ref(&first));
        assert_eq!(update(&mut model, listed(std::slice::from_ref(&first))), [InboxEffect::Glance(first.id)]);
        let mut narrow = inbox((119, 30), std::slice::from_ref(&first));
        assert_eq!(update(&mut narrow, listed(std::slice::from_ref(&first))), []);
        assert_eq!(update(&mut narrow, InboxEvent::Resized(120, 30)), [InboxEffect::Glance(first.id)]);
    }
}
