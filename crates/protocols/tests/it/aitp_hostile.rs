//! Messages made to hurt: none may panic, and all are judged fast.

use std::time::Duration;

use holdpoint_protocols::aitp::{Message, validate};
use proptest::prelude::*;

use crate::through_core::at;

const MEBIBYTE: usize = 1 << 20;

/// What nests, repeats or breaks off, each about a mebibyte.
fn hostile() -> Vec<String> {
    let head =
        r#"{"$schema":"https://aitp.dev/v1/decisions/schema.json","request_decision":{"id":"1","options":["#;
    let fill = |start: &str, piece: &str, end: &str| {
        let count = (MEBIBYTE - start.len() - end.len()) / piece.len();
        format!("{start}{}{end}", piece.repeat(count))
    };
    let nest = |start: &str, open: &str, close: &str, end: &str| {
        let count = (MEBIBYTE - start.len() - end.len()) / (open.len() + close.len());
        format!("{start}{}{}{end}", open.repeat(count), close.repeat(count))
    };
    vec![
        "[".repeat(MEBIBYTE),
        "{\"a\":".repeat(MEBIBYTE / 5),
        nest("", "[", "]", ""),
        nest(&format!("{head}{{\"id\":\"a\"}}],\"more\":"), "[", "]", "}}"),
        nest(&format!("{head}{{\"id\":\"a\",\"variants\":["), "{\"id\":\"v\",\"variants\":[", "]}", "]}]}}"),
        fill(head, "{},", "{}]}}"),
        fill(head, "1,", "1]}}"),
        fill(head, "{\"id\":\"a\"},", "{\"id\":\"a\"}]}}"),
        fill("{", "\"a\":1,", "\"$schema\":\"x\"}"),
        fill(
            "{\"$schema\":\"https://aitp.dev/capabilities/aitp-04-near-wallet/v1.0.0/schema.json\",",
            "\"a\":1,",
            "\"request_account\":{}}",
        ),
        fill("{", "\"request_transaction\":{},", "\"$schema\":\"x\"}"),
        fill(&format!("{head}{{\"id\":\""), "\\ud83d", "\"}]}}"),
        fill(&format!("{head}{{\"id\":\""), "\\", "\"}]}}"),
        fill(&format!("{head}{{\"id\":\""), "4111 ", "\"}]}}"),
        fill(&format!("{head}{{\"id\":\""), "a@b.", "\"}]}}"),
        fill(&format!("{head}{{\"id\":\"a\",\"reviews_count\":"), "9", "}]}}"),
        fill(&format!("{head}{{\"id\":\"a\",\"reviews_count\":1e"), "9", "}]}}"),
        fill("\"", "x", ""),
        fill("", " ", ""),
    ]
}

#[test]
fn nothing_up_to_a_mebibyte_panics_or_takes_long() {
    for text in hostile() {
        let best = (0..if cfg!(debug_assertions) { 1 } else { 5 }).map(|_| {
            let start = std::time::Instant::now();
            let verdict = validate(&text, at(0));
            assert!(verdict.errors.len() <= 100 && verdict.warnings.len() <= 100);
            start.elapsed()
        });
        let best = best.min().unwrap();
        // Unoptimised, time says nothing; the bench measures it too.
        let most = Duration::from_millis(50);
        assert!(cfg!(debug_assertions) || best < most, "{}… took {best:?}", &text[..60.min(text.len())]);
        let _ = Message::read(&text, at(0));
    }
}

#[test]
fn what_is_deep_and_allowed_is_valid() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(
        r#"{{"$schema":"x","request_decision":{{"id":"1","options":[{{"id":"a"}}],"more":{deep}}}}}"#
    );
    assert!(validate(&text, at(0)).valid);
    assert!(Message::read(&text, at(0)).is_err(), "but nothing that deep is kept");
}

proptest! {
    #[test]
    fn no_text_panics(text: String) {
        let _ = Message::read(&text, at(0));
    }

    /// Pieces of messages in any order come nearer to one than letters do.
    #[test]
    fn no_pieces_panic(pieces in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"$schema\"", "\"request_decision\"", "\"decision\"", "\"options\"", "\"id\"",
        "\"https://aitp.dev/v1/decisions/schema.json\"", "\"quote\"", "\"x\\u00\"", "1", "-", "1e400", "null", "\"\\ud800\"",
    ]), 0..40)) {
        let text = pieces.concat();
        let ours = validate(&text, at(0));
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        if !text.contains("1e400") && !text.contains("ud800") {
            let json = !ours.errors.iter().any(|error| error.message.starts_with("is not JSON"));
            prop_assert_eq!(json, theirs.is_ok(), "{}", text);
        }
    }
}
