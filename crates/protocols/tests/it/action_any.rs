//! No text makes the readers of forms panic, and what they take core takes too.

use holdpoint_core::decision::New;
use holdpoint_protocols::action::form;
use proptest::prelude::*;

use crate::through_core::ask;

/// Pieces that forms are made of, put together by chance.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "---\n",
        "form_id: t\n",
        "fields:\n",
        "  - id: a\n",
        "  - id: b\n",
        "    type: text\n",
        "    type: dropdown\n",
        "    kind: choice\n",
        "    options: [x, y]\n",
        "    prompt: P?\n",
        "    required: yes\n",
        "    step: 2\n",
        "    visible_if: a is x\n",
        "    visible_if: {all: [{field: a, operator: EXISTS}]}\n",
        "tools:\n",
        " - name: t\n",
        "# T\n",
        "| # | Field ID | Type | Required |\n",
        "|---|---|---|---|\n",
        "| 1 | a | text | Yes |\n",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        ": ",
        "- ",
        "&a ",
        "*a ",
        "!!x ",
        "<<: ",
        "|\n",
        ">\n",
        "\t",
        "? ",
        "\u{feff}",
        "\r\n",
        "é",
        "%",
        "@",
        "`",
        "{\"form\": \"t\", \"fields\": [",
        "{\"id\": \"a\", \"kind\": \"text\"}",
        ",",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A sound form in which a few characters were changed.
fn nearly(sound: &'static str) -> impl Strategy<Value = String> {
    let change = (
        any::<prop::sample::Index>(),
        prop::sample::select(vec!["", "\n", " ", "-", ":", "{", "\"", "x", "0"]),
    );
    prop::collection::vec(change, 1..6).prop_map(move |changes| {
        let mut text: Vec<char> = sound.chars().collect();
        for (at, with) in changes {
            let at = at.index(text.len());
            text.splice(at..=at, with.chars());
        }
        text.into_iter().collect()
    })
}

fn check(text: &str) {
    match form::read(text) {
        Ok(form) => {
            let new = New { title: Some(form.title), fields: form.fields, ..New::default() };
            if let Err(why) = ask(new) {
                panic!("core refuses what was read: {why}");
            }
        }
        Err(flaws) => assert!(!flaws.is_empty() && flaws.iter().all(|flaw| flaw.line != Some(0))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text: String) {
        check(&text);
        check(&format!("---\n{text}\n---\n"));
    }

    #[test]
    fn any_pieces(text in pieces()) {
        check(&text);
        check(&format!("---\n{text}\n---\n"));
    }

    #[test]
    fn nearly_sound_markdown(text in nearly(include_str!("../../../../examples/forms/change_request.md"))) {
        check(&text);
    }

    #[test]
    fn nearly_sound_json(text in nearly(include_str!("../../../../examples/forms/leave_request.json"))) {
        check(&text);
    }
}
