//! In the text box of a question, every key types until Esc.

use holdpoint_core::Decision;
use serde_json::json;

use crate::inbox::card::FocusItem;
use crate::inbox::events::InboxEffect;
use crate::inbox::model::Screen;
use crate::inbox::scene::{card, decision, draw, inbox, open, press};

fn named(number: u32) -> Decision {
    let fields = json!([{"id": "name", "kind": "text", "label": "Which name?"}]);
    decision(number, &json!({"prompt": "Which name?", "fields": fields}))
}

fn sent(effects: &[InboxEffect]) -> Option<&serde_json::Value> {
    effects.iter().find_map(|effect| match effect {
        InboxEffect::Send(_, input) => input.values.get("name"),
        _ => None,
    })
}

#[test]
fn a_text_question_takes_every_letter_from_the_start() {
    let every: String = ('!'..='~').filter(|letter| *letter != '<').collect();
    for words in ["zebra", "quokka", "goto", "mjuq", "42", "?U/tags", &every] {
        let mut model = inbox((80, 24), &[named(1)]);
        open(&mut model, &named(1), None);
        let effects = press(&mut model, words);
        assert_eq!(effects, [], "{words}");
        assert!(draw(&model).contains("Esc leaves"), "{}", draw(&model));
        // The first Enter moves on to the button, the second sends.
        let effects = press(&mut model, "<enter><enter>");
        assert_eq!(sent(&effects), Some(&json!(words)), "{}", draw(&model));
    }
}

#[test]
fn after_escape_letters_are_commands_again() {
    let mut model = inbox((80, 24), &[named(1)]);
    open(&mut model, &named(1), None);
    press(&mut model, "zeb<esc>");
    assert!(matches!(press(&mut model, "z")[..], [InboxEffect::Attend(..)]));
    press(&mut model, "u");
    assert!(matches!(model.screen, Screen::List));
}

#[test]
fn a_number_on_the_list_opens_a_text_question_to_be_typed_in() {
    let mut model = inbox((80, 24), &[named(1)]);
    open(&mut model, &named(1), Some(1));
    press(&mut model, "zebra");
    assert_eq!(card(&model).filled.one("v:name"), "zebra");
}

#[test]
fn every_way_onto_a_box_types_there() {
    let fields = json!([
        {"id": "env", "kind": "choice", "label": "Where?", "required": true, "options": [{"id": "dev", "label": "Dev"}]},
        {"id": "name", "kind": "text", "label": "Which name?"},
        {"id": "day", "kind": "date", "label": "Which day?"},
    ]);
    let form = decision(1, &json!({"source": "form", "fields": fields}));
    for way in ["1<tab>", "1j", "1<down>", "<tab><tab>"] {
        let mut model = inbox((80, 30), std::slice::from_ref(&form));
        open(&mut model, &form, None);
        press(&mut model, way);
        press(&mut model, "zebra<enter>q<up>s");
        let card = card(&model);
        let both = (card.filled.one("v:name"), card.filled.one("v:day"));
        assert_eq!(both, ("zebras", "q"), "{way}: {}", draw(&model));
    }
}

#[test]
fn a_card_is_read_from_its_top_though_its_box_is_below_and_typing_goes_there() {
    let long = json!({"prompt": "word ".repeat(2_000),
        "fields": [{"id": "name", "kind": "text", "label": "Which name?"}]});
    let question = decision(1, &long);
    let mut model = inbox((60, 14), std::slice::from_ref(&question));
    open(&mut model, &question, None);
    assert_eq!(card(&model).top.get(), 0);
    press(&mut model, "<pgdn>");
    assert!(card(&model).top.get() > 0, "pages turn while one types");
    press(&mut model, "z");
    assert!(draw(&model).contains("Which name?") && draw(&model).contains('z'), "{}", draw(&model));
    assert_eq!(card(&model).focus, Some(FocusItem::Text(0)));
}
