//! What a surface cannot carry, checked against what the translators really do.

use holdpoint_core::Kind;
use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_protocols::acp::EditorRequest;
use holdpoint_protocols::claude::{Dialect, Event, Reply, output};
use holdpoint_protocols::loss::{Part, PartHandling, Surface, fate, fits, parts};
use holdpoint_protocols::mcp::form::{FormDisplay, show};
use holdpoint_protocols::mcp::peer::Peer;
use holdpoint_protocols::mcp::result;
use serde_json::{Map, Value, json};

use crate::through_core::{answer, ask};

fn field(part: Part) -> Option<Value> {
    let options = json!([{"id": "a", "label": "A"}]);
    let (kind, more) = match part {
        Part::Choice => ("choice", json!({"options": options})),
        Part::Choices => ("choices", json!({"options": options})),
        Part::Custom => ("choice", json!({"options": options, "custom": true})),
        Part::Plain => ("text", json!({})),
        Part::Time => ("time", json!({})),
        Part::Location => ("location", json!({})),
        Part::Products => ("products", json!({"options": options})),
        Part::Conditional => ("text", json!({"visible_if": {"field": "first", "op": "EXISTS"}})),
        Part::Out | Part::Note | Part::Reason | Part::EditedInput | Part::Stop => return None,
    };
    let mut field = json!({"id": "it", "kind": kind, "label": "It"});
    field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Some(field)
}

fn new(part: Part) -> Option<New> {
    let first = json!({"id": "first", "kind": "text", "label": "First", "required": false});
    let fields = json!([first, field(part)?]);
    serde_json::from_value(json!({"prompt": "?", "fields": fields})).ok()
}

#[test]
fn a_form_shows_what_the_table_says_and_the_rest_by_its_address() {
    let peer = Peer { form: true, url: true, ..Peer::default() };
    for part in Part::ALL {
        let Some(new) = new(part) else { continue };
        let decision = ask(new).unwrap();
        assert!(parts(&decision).contains(&part), "{part:?}");
        let shown = show(&decision, &peer, Some("https://hold.example/d/1"));
        match fate(part, Surface::McpForm) {
            PartHandling::Whole | PartHandling::Words => {
                assert!(matches!(shown, FormDisplay::Form(_)), "{part:?}: {shown:?}");
            }
            PartHandling::Link => {
                assert!(!fits(&decision, Surface::McpForm));
                assert!(
                    matches!(&shown, FormDisplay::Link(url) if url["mode"] == "url"),
                    "{part:?}: {shown:?}"
                );
                let without = show(&decision, &Peer { url: false, ..peer.clone() }, None);
                assert!(
                    matches!(&without, FormDisplay::Words(words) if words.contains("hold answer")),
                    "{without:?}"
                );
            }
            PartHandling::Kept | PartHandling::Never => panic!("{part:?} can be asked"),
        }
    }
}

#[test]
fn a_result_carries_every_answer_whole() {
    for (part, value) in [
        (Part::Choice, json!("a")),
        (Part::Choices, json!(["a"])),
        (Part::Custom, json!({"text": "own"})),
        (Part::Plain, json!("words")),
        (Part::Time, json!("10:00:00")),
        (Part::Location, json!({"lat": 1, "lng": 2})),
        (Part::Products, json!([{"id": "a", "quantity": 2}])),
    ] {
        assert_eq!(fate(part, Surface::McpResult), PartHandling::Whole);
        let decision = ask(new(part).unwrap()).unwrap();
        let values = Map::from_iter([("it".to_owned(), value.clone())]);
        let message = Some("a note".to_owned());
        let settled = answer(&decision, AnswerInput { values, message, ..AnswerInput::default() }).unwrap();
        let shown = result::outcome(&settled);
        assert_eq!(shown["structuredContent"]["values"]["it"], value, "{part:?}");
        assert_eq!(shown["structuredContent"]["message"], "a note");
        let text = shown["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("a note"), "{text}");
    }
}

#[test]
fn words_with_a_yes_or_a_no_go_where_the_table_says() {
    let (note, permissions) = (Some("be careful".into()), Vec::new());
    let yes = Reply::Allow { input: Map::new(), note, by: None, permissions };
    let no = Reply::Deny { message: "not today".into(), stop: true };
    for (surface, told_yes, told_no) in [
        (Surface::PreToolUse, output::pre_tool_use(&yes), output::pre_tool_use(&no)),
        (Surface::PermissionRequest, output::permission_request(&yes), output::permission_request(&no)),
        (Surface::PromptTool, Some(output::prompt_tool(&yes)), Some(output::prompt_tool(&no))),
    ] {
        let (told_yes, told_no) = (told_yes.unwrap(), told_no.unwrap());
        let agent_reads = told_yes.pointer("/hookSpecificOutput/additionalContext").is_some();
        let person_reads = told_yes.get("systemMessage").is_some();
        match fate(Part::Note, surface) {
            PartHandling::Whole => assert!(agent_reads, "{surface:?}: {told_yes}"),
            PartHandling::Words => assert!(person_reads && !agent_reads, "{surface:?}: {told_yes}"),
            PartHandling::Kept => {
                assert!(!told_yes.to_string().contains("be careful"), "{surface:?}: {told_yes}");
            }
            PartHandling::Link | PartHandling::Never => panic!("{surface:?} has no such words"),
        }
        assert_eq!(fate(Part::Reason, surface), PartHandling::Whole);
        assert!(told_no.to_string().contains("not today"), "{surface:?}: {told_no}");
        assert_eq!(fate(Part::Stop, surface), PartHandling::Whole);
        let stops = told_no["continue"] == json!(false)
            || told_no.pointer("/hookSpecificOutput/decision/interrupt") == Some(&json!(true))
            || told_no["interrupt"] == json!(true);
        assert!(stops, "{surface:?}: {told_no}");
    }
}

#[test]
fn codex_is_told_no_more_than_the_table_says() {
    let told =
        |reply: Reply| output::of(Dialect::Codex, Event::PermissionRequest, &reply).unwrap().to_string();
    let (note, permissions) = (Some("be careful".into()), Vec::new());
    let yes = told(Reply::Allow { input: Map::new(), note, by: None, permissions });
    let no = told(Reply::Deny { message: "not today".into(), stop: true });
    assert_eq!(fate(Part::Note, Surface::Codex), PartHandling::Kept);
    assert_eq!(fate(Part::EditedInput, Surface::Codex), PartHandling::Never);
    assert!(!yes.contains("be careful") && !yes.contains("updatedInput"), "{yes}");
    assert_eq!(
        (fate(Part::Reason, Surface::Codex), fate(Part::Stop, Surface::Codex)),
        (PartHandling::Whole, PartHandling::Never)
    );
    assert!(no.contains("not today") && !no.contains("interrupt") && !no.contains("continue"), "{no}");
}

#[test]
fn an_editors_agent_is_told_why_in_words_of_its_own() {
    let params = json!({"sessionId": "s", "toolCall": {"toolCallId": "c", "title": "Run"}, "options": [
        {"optionId": "1", "name": "?", "kind": "allow_once"}, {"optionId": "2", "name": "?", "kind": "reject_once"}]});
    let asked = EditorRequest::read("session/request_permission", params.as_object().unwrap()).unwrap();
    let decision = ask(asked.question("default", None)).unwrap();
    let told = |choice: &str| {
        let values = Map::from_iter([("choice".to_owned(), choice.into())]);
        let digest = Some(decision.digest.clone());
        let input = AnswerInput { values, message: Some("a word".into()), digest, ..AnswerInput::default() };
        asked.reply(&answer(&decision, input).unwrap()).unwrap()
    };
    let (yes, no) = (told("approve"), told("deny"));
    assert_eq!(
        (fate(Part::Note, Surface::Acp), fate(Part::Reason, Surface::Acp)),
        (PartHandling::Kept, PartHandling::Words)
    );
    assert_eq!((yes.result["outcome"]["optionId"].as_str(), yes.reason), (Some("1"), None));
    assert_eq!(
        (no.result["outcome"]["optionId"].as_str(), no.reason.as_deref()),
        (Some("2"), Some("a word"))
    );
}

#[test]
fn every_kind_is_a_part_of_the_table() {
    for kind in Kind::ALL {
        let options = if kind.picks() { json!([{"id": "a"}, {"id": "no"}]) } else { json!([]) };
        let new = json!({"prompt": "?", "fields": [{"id": "it", "kind": kind.name(), "options": options}]});
        let decision = ask(serde_json::from_value(new).unwrap()).unwrap();
        for surface in Surface::ALL {
            let fates: Vec<PartHandling> =
                parts(&decision).into_iter().map(|part| fate(part, surface)).collect();
            assert_eq!(fates.len(), 1, "{kind:?} at {surface:?}");
        }
    }
}
