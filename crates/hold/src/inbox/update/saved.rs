//! Saved views: a key goes from one to the next, and from the last back to everything.

use holdpoint_core::text::inert_line;

use super::list;
use crate::inbox::editor::Editor;
use crate::inbox::events::{InboxEffect, NextView};
use crate::inbox::model::{Model, Tone};

/// Asks for the next view.
pub(super) fn next(model: &Model) -> Vec<InboxEffect> {
    vec![InboxEffect::View(model.list.view.clone())]
}

/// Shows a view, or everything after the last.
pub(super) fn viewed(model: &mut Model, viewed: NextView) -> Vec<InboxEffect> {
    match viewed {
        NextView::None => {
            model.say(Tone::Plain, "You have no saved views. Save one with: hold view save NAME WORDS");
            Vec::new()
        }
        NextView::All => {
            leave(model);
            model.say(Tone::Plain, "Everything that waits");
            Vec::new()
        }
        NextView::One { view, number, count } => {
            model.list.search = Editor::new(&view.q);
            model.say(Tone::Plain, format!("View {number} of {count}: {}", inert_line(&view.name)));
            model.list.view = Some(view.name);
            list::find(model)
        }
    }
}

/// Leaves the view, and shows everything.
pub(super) fn leave(model: &mut Model) {
    model.list.view = None;
    model.list.search = Editor::default();
    model.list.find(model.now);
}

#[cfg(test)]
mod tests {
    use holdpoint_store::View;
    use serde_json::json;

    use crate::inbox::events::{InboxEffect, InboxEvent, NextView};
    use crate::inbox::model::Model;
    use crate::inbox::scene::{decision, draw, inbox, press};
    use crate::inbox::update::update;

    fn view(model: &mut Model, name: &str, q: &str, number: usize) {
        let view = View { name: name.into(), q: q.into(), status: "pending".into() };
        assert_eq!(update(model, InboxEvent::Viewed(NextView::One { view, number, count: 2 })), []);
    }

    #[test]
    fn a_key_goes_through_the_views_and_back_to_everything() {
        let waiting = [
            decision(1, &json!({"prompt": "Deploy the shop?"})),
            decision(2, &json!({"prompt": "Which colour?"})),
        ];
        let mut model = inbox((80, 24), &waiting);
        let shown = |model: &Model, wanted: [bool; 2]| {
            let text = draw(model);
            assert_eq!(
                ["Deploy the shop?", "Which colour?"].map(|words| text.contains(words)),
                wanted,
                "{text}"
            );
            text
        };
        assert_eq!(press(&mut model, "v"), [InboxEffect::View(None)]);
        view(&mut model, "Deploys", "deploy", 1);
        assert!(shown(&model, [true, false]).contains("View 1 of 2: Deploys"));
        assert_eq!(press(&mut model, "v"), [InboxEffect::View(Some("Deploys".into()))]);
        view(&mut model, "Colours", "colour", 2);
        shown(&model, [false, true]);
        assert_eq!(press(&mut model, "v"), [InboxEffect::View(Some("Colours".into()))]);
        update(&mut model, InboxEvent::Viewed(NextView::All));
        shown(&model, [true, true]);
        assert_eq!(press(&mut model, "v"), [InboxEffect::View(None)]);
        view(&mut model, "Deploys", "deploy", 1);
        press(&mut model, "/colour");
        shown(&model, [false, true]);
        press(&mut model, "<esc>");
        view(&mut model, "Deploys", "deploy", 1);
        press(&mut model, "u");
        shown(&model, [true, true]);
        assert_eq!(press(&mut model, "v"), [InboxEffect::View(None)], "left, it begins anew");
    }

    #[test]
    fn who_has_no_views_is_told_how_to_save_one() {
        let mut model = inbox((80, 24), &[]);
        update(&mut model, InboxEvent::Viewed(NextView::None));
        assert!(draw(&model).contains("hold view save NAME WORDS"));
    }
}
