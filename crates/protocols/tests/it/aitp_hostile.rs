//! Messages made to hurt: none may panic, and all are judged fast.

use std::time::Duration;

use holdpoint_protocols::aitp::thread::{recognise, show};
use holdpoint_protocols::aitp::{Layer, Message, translate, validate};
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
        count(head, |n| format!("{{\"id\":\"{n}\"}}"), "]}}"),
        count(&format!("{head}{{\"id\":\"a\",\"variants\":["), |n| format!("{{\"id\":\"{n}\"}}"), "]}]}}"),
        count(&format!("{head}{{\"id\":\"a\"}}],"), |n| format!("\"{n}\":1"), "}}"),
        count(&head.replace("request_decision", "decision"), |n| format!("{{\"id\":\"{n}\"}}"), "]}}"),
        count(
            r#"{"$schema":"x","request_data":{"id":"1","description":"","form":{"fields":["#,
            |n| format!("{{\"id\":\"{n}\"}}"),
            "]}}}",
        ),
        count(
            r#"{"$schema":"x","request_data":{"id":"1","description":"","form":{"fields":[{"id":"a","type":"select","options":["#,
            |n| format!("\"{n}\""),
            "]}]}}}",
        ),
        count(
            r#"{"$schema":"https://aitp.dev/capabilities/aitp-05-evm-wallet/v1.0.0/schema.json","request_message_signing":{"request_id":"1","signing_type":"typed_data","typed_data":{"primaryType":"1","domain":{},"message":{},"types":{"#,
            |n| format!("\"{n}\":[]"),
            "}}}}",
        ),
        // As much as is read, with all that an option can have.
        count(
            head,
            |n| {
                format!(
                    r#"{{"id":"{n}","quote":{{"type":"Quote","payee_id":"","quote_id":"","valid_until":"2020-01-01T00:00:00Z","payment_plans":[]}},"name":"{}"}}"#,
                    "x".repeat(70)
                )
            },
            "]}}",
        ),
    ]
}

/// About a mebibyte of pieces that differ.
fn count(start: &str, piece: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = start.to_owned();
    for number in 0.. {
        let piece = piece(number);
        if text.len() + 1 + piece.len() + end.len() > MEBIBYTE {
            break;
        }
        if number > 0 {
            text.push(',');
        }
        text.push_str(&piece);
    }
    text + end
}

/// Everything that is done with what a stranger sent.
fn looks(text: &str) -> [(&'static str, Duration); 4] {
    let took = |look: &dyn Fn()| {
        let once = |_| {
            let start = std::time::Instant::now();
            look();
            start.elapsed()
        };
        (0..if cfg!(debug_assertions) { 1 } else { 5 }).map(once).min().unwrap()
    };
    let judge = || {
        let verdict = validate(text, at(0));
        assert!(verdict.errors.len() <= 100 + 4 && verdict.warnings.len() <= 100);
    };
    let read = Message::read(text, at(0));
    let asked = || drop(read.as_ref().map(|read| translate::ask(&read.message, at(0))));
    [
        ("judging", took(&judge)),
        ("reading", took(&|| drop(recognise(text, at(0))))),
        ("showing", took(&|| drop(show(text, at(0))))),
        ("asking", took(&asked)),
    ]
}

#[test]
fn nothing_up_to_a_mebibyte_panics_or_takes_long() {
    for text in hostile() {
        for (what, best) in looks(&text) {
            // Unoptimised, time says nothing; the bench measures it too.
            let most = Duration::from_millis(50);
            let head = &text[..60.min(text.len())];
            assert!(cfg!(debug_assertions) || best < most, "{what} {head}… took {best:?}");
        }
    }
}

#[test]
fn what_is_not_read_is_said_by_who_judges() {
    let with = |more: &str| {
        format!(
            r#"{{"$schema":"https://aitp.dev/v1/decisions/schema.json","request_decision":{{"id":"1","options":[{{"id":"a"}}],{more}}}}}"#
        )
    };
    let deep = format!("\"x\":{}{}", "[".repeat(70), "]".repeat(70));
    let many = format!("\"x\":[{}1]", "1,".repeat(60_000));
    let way = format!("/request_decision/x{}", "/0".repeat(62));
    for (more, pointer, words) in [
        (r#""x":{"k":1,"k":2}"#, "/request_decision/x/k", "\"k\" occurs twice"),
        (r#""title":"a","\u0074itle":"b""#, "/request_decision/title", "\"title\" occurs twice"),
        (r#""title":"\ud83d!""#, "/request_decision/title", "half a pair of surrogates"),
        (r#""title":"\udc00""#, "/request_decision/title", "half a pair of surrogates"),
        (r#""x":[0,9007199254740993]"#, "/request_decision/x/1", "beyond 2^53"),
        (r#""x":1e999"#, "/request_decision/x", "beyond 2^53"),
        (&deep, &way, "deeper than 64"),
        (&many, "", "more than 50000"),
    ] {
        let verdict = validate(&with(more), at(0));
        assert!(verdict.valid, "the schema is satisfied: {verdict:?}");
        let error = verdict.errors.first().unwrap_or_else(|| panic!("{more}"));
        assert_eq!((error.layer, error.pointer.as_str()), (Layer::Semantic, pointer), "{}", error.message);
        assert!(error.message.contains(words), "{}", error.message);
        assert_eq!(Message::read(&with(more), at(0)).unwrap_err(), verdict, "one verdict for both");
    }
    for good in [r#""title":"\ud83d\ude00""#, r#""x":9007199254740991"#, r#""x":[{"a":1},{"a":1}]"#] {
        assert_eq!(validate(&with(good), at(0)).errors, [], "{good}");
        assert!(Message::read(&with(good), at(0)).is_ok(), "{good}");
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
        "\"https://aitp.dev/v1/decisions/schema.json\"", "\"quote\"", "\"x\\u00\"", "1", "-", "1e400", "null", "\"\\ud800\"", "\"\\u0069d\"",
    ]), 0..40)) {
        let text = pieces.concat();
        let ours = validate(&text, at(0));
        // What is judged readable is read, and nothing else.
        if ours.valid && ours.capability.is_some() {
            let strict = holdpoint_core::json::parse_strict(&text).is_ok();
            prop_assert_eq!(Message::read(&text, at(0)).is_ok(), strict, "{}", text);
        }
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        if !text.contains("1e400") && !text.contains("ud800") {
            let json = !ours.errors.iter().any(|error| error.message.starts_with("is not JSON"));
            prop_assert_eq!(json, theirs.is_ok(), "{}", text);
        }
    }
}
