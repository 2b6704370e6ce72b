//! Which strings of a thread are messages, and which are words.

use holdpoint_protocols::aitp::thread::{Part, recognise, show};

use crate::aitp_threads::request;
use crate::through_core::at;

#[test]
fn only_a_whole_string_is_a_message() {
    let words = |text: &str| matches!(recognise(text, at(0)), Part::Words);
    assert!(words("Please see {\"$schema\": \"https://aitp.dev/v1/decisions/schema.json\"} there"));
    assert!(words("{\"price\": 5}"));
    assert!(words("{not json}"));
    assert!(words("[1, 2]"));
    assert!(matches!(recognise(&format!("\n {} ", request("r")), at(0)), Part::Message(_)));
    assert!(matches!(recognise("{\"request_decision\": {}}", at(0)), Part::Wrong(_)));
    assert!(matches!(
        recognise(r#"{"$schema": "https://aitp.dev/capabilities/aitp-06-solana/v1.0.0/schema.json"}"#, at(0)),
        Part::Wrong(_)
    ));
    assert!(matches!(
        recognise(r#"{"$schema": "https://aitp.dev/v1/decisions/schema.json", broken}"#, at(0)),
        Part::Wrong(_)
    ));
    let whole = request("r").to_string();
    for cut in (whole.find("https://").unwrap() + 1)..whole.len() {
        let cut = &whole[..cut];
        assert!(matches!(recognise(cut, at(0)), Part::Wrong(_)), "{cut}");
        assert_eq!(show(cut, at(0)).title.as_deref(), Some("A message that is wrong"), "{cut}");
    }
    assert!(matches!(recognise(&format!("{whole} Please choose."), at(0)), Part::Wrong(_)));
    assert!(words("{see https://aitp.dev/ for more"));
    assert!(words("{\"price\": 5, \"na"));
    assert!(words(r#"{"$schema": "https://json-schema.o"#));
    assert!(words(r#"{"$schema": ""#));
    let twice = r#"{"$schema":"https://aitp.dev/v1/decisions/schema.json","request_decision":{"id":"a","id":"b","options":[{"id":"x"}]}}"#;
    assert!(matches!(recognise(twice, at(0)), Part::Wrong(_)), "two readers could read it differently");
}
