//! No input makes a translator panic; what it takes, core can be asked about.

use holdpoint_core::Source;
use holdpoint_protocols::beads::{self, Respond};
use holdpoint_protocols::oddjobs::{self, context, number, question, view};
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::oddjobs_create::given;
use crate::through_core::{answer, ask, at};

/// Any JSON, with the keys that the parsers look for more often than chance would have them.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-c_: ]{0,3}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        4 => prop::sample::select(vec!["id", "label", "short", "description", "questions", "question", "header", "options", "multiSelect"])
            .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|pairs| Value::Object(Map::from_iter(pairs))),
        ]
    })
}

/// Questions that are mostly right.
fn questions() -> impl Strategy<Value = Value> {
    let option = prop_oneof![
        any::<String>().prop_map(Value::from),
        "[ab]{1,2}".prop_map(Value::from),
        "[ab]{1,2}".prop_map(|label| serde_json::json!({ "label": label })),
    ];
    let one = (any::<String>(), any::<bool>(), prop::collection::vec(option, 0..4)).prop_map(|(text, several, options)| {
        serde_json::json!({"question": format!("{text}?"), "multiSelect": several, "options": options})
    });
    prop::collection::vec(one, 0..4).prop_map(Value::Array)
}

fn text_or(json: impl Strategy<Value = Value>) -> impl Strategy<Value = String> {
    prop_oneof![3 => json.prop_map(|value| value.to_string()), 1 => any::<String>()]
}

fn point(option: Vec<String>, options: Option<String>) -> beads::Create {
    beads::Create { issue: "bd-1".into(), prompt: "?".into(), option, options, ..beads::Create::default() }
}

proptest! {
    #[test]
    fn pairs(option in prop::collection::vec(any::<String>(), 0..5), default: Option<String>) {
        let given = beads::Create { default, ..point(option, None) };
        if let Ok(decision) = beads::create(&given).and_then(ask) {
            prop_assert_eq!(beads::view(&decision).options.len(), given.option.len());
        }
    }

    #[test]
    fn options_json(text in text_or(any_json())) {
        if let Ok(decision) = beads::create(&point(Vec::new(), Some(text))).and_then(ask) {
            let point = beads::view(&decision);
            prop_assert!(!point.options.is_empty());
            prop_assert!(point.options.iter().all(|option| !option.short.is_empty() && !option.label.is_empty()));
        }
    }

    #[test]
    fn issues_and_prompts(issue: String, prompt: String, requested_by: Option<String>) {
        let given = beads::Create { issue, prompt, requested_by, ..point(vec!["a".into()], None) };
        let _ = beads::create(&given).and_then(ask);
    }

    #[test]
    fn responses(option: Option<String>, text: Option<String>, guidance: Option<String>, accept_guidance: bool) {
        let decision = beads::create(&point(vec!["a".into()], None)).and_then(ask).unwrap();
        let given = Respond { option, text, guidance, accept_guidance, by: None };
        if let Ok(settled) = beads::respond(&decision, &given).and_then(|input| answer(&decision, input)) {
            let told = beads::inject([&settled]);
            prop_assert!(told.starts_with("<system-reminder>\n") && told.ends_with("\n</system-reminder>\n"));
            prop_assert_eq!(told.to_lowercase().matches("system-reminder>").count(), 2);
            prop_assert!(beads::check([&settled]).has_responses);
        }
    }

    #[test]
    fn any_questions(text in text_or(any_json())) {
        if let Ok(read) = question::read(&text) {
            let _ = context::context("x", &context::Cause::Question { questions: &read }, Some(&text));
        }
        let _ = oddjobs::create(&oddjobs::Create { questions: Some(text), ..given(Source::Question) }).and_then(ask);
    }

    /// Whatever is asked, every number in range is taken and comes back as it was typed.
    #[test]
    fn questions_are_answered_by_number(questions in questions(), seeds: [usize; 4], message in "[a-z]{1,5}") {
        let given = oddjobs::Create { questions: Some(questions.to_string()), ..given(Source::Question) };
        let Ok(decision) = oddjobs::create(&given).and_then(ask) else { return Ok(()) };
        let choices: Vec<usize> = match decision.fields.as_slice() {
            [_] => vec![seeds[0] % number::entries(&decision).len() + 1],
            fields => fields.iter().zip(seeds).map(|(field, seed)| seed % number::group(field).len() + 1).collect(),
        };
        let input = oddjobs::resolve(&decision, &choices, Some(&message)).unwrap();
        let settled = answer(&decision, input).unwrap();
        // Of several questions each has its own numbers when typed; what is shown refers to the list over all of them.
        let before = |at: usize| decision.fields[..at].iter().map(|field| field.options.len()).sum::<usize>();
        let flat = |(at, number): (usize, usize)| match &decision.fields[at] {
            field if number <= field.options.len() => before(at) + number,
            _ => number::of_words(&decision).unwrap(),
        };
        let expected: Vec<usize> = match decision.fields.as_slice() {
            [_] => choices,
            _ => choices.into_iter().enumerate().map(flat).collect(),
        };
        prop_assert_eq!(view::detail(&settled, None).choices, expected);
        let _ = oddjobs::show(&settled, None, at(5), Some("oj"));
    }

    #[test]
    fn numbers(choices in prop::collection::vec(prop_oneof![0_usize..9, any::<usize>()], 0..5), message: Option<String>, place in 0_usize..7) {
        let source = oddjobs::options::SOURCES[place];
        let decision = oddjobs::create(&given(source)).and_then(ask).unwrap();
        if let Ok(input) = oddjobs::resolve(&decision, &choices, message.as_deref()) {
            let _ = answer(&decision, input);
        }
    }

    #[test]
    fn labels_and_contexts(options in prop::collection::vec(any::<String>(), 0..5), text: String, place in 0_usize..7) {
        let given = oddjobs::Create { options, context: text, ..given(oddjobs::options::SOURCES[place]) };
        if let Ok(decision) = oddjobs::create(&given).and_then(ask) {
            let _ = (view::row(&decision, None, at(1)), oddjobs::show(&decision, None, at(1), None));
            prop_assert!(view::item(&decision, None).summary.len() <= 80);
        }
    }
}
