use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{Decision, Event, Field, Kind, Opt, Refusal, Source};
use holdpoint_protocols::oddjobs::number::{chosen, entries};
use holdpoint_protocols::oddjobs::{ResolveError, resolve};
use serde_json::{Value, json};

use crate::oddjobs_create::{asked, asking, given, offering};
use crate::through_core::{answer, ask, guide, settle};

/// A program that waits by itself can propose again; an agent in a terminal cannot.
fn second_round(options: &[&str]) -> Decision {
    let first = Decision { owner: None, ..asked(&offering(Source::Question, options)) };
    guide(&first, "other ones").1
}

fn two_questions() -> Decision {
    asked(&asking(&json!([
        {"question": "Framework?", "header": "Framework", "options": ["React", "Vue"]},
        {"question": "Database?", "header": "Database", "options": ["Postgres", "MySQL"]}
    ])))
}

fn several_allowed() -> Decision {
    asked(&asking(&json!([{"question": "Which?", "multiSelect": true, "options": ["A", "B", "C"]}])))
}

fn read(decision: &Decision, choices: &[usize], message: Option<&str>) -> Value {
    serde_json::to_value(resolve(decision, choices, message).unwrap()).unwrap()
}

fn refused(decision: &Decision, choices: &[usize], message: Option<&str>) -> String {
    resolve(decision, choices, message).unwrap_err().to_string()
}

#[test]
fn numbers_run_over_options_then_other_then_outs_then_accept() {
    let labels =
        |decision: &Decision| entries(decision).iter().map(|e| e.label.to_owned()).collect::<Vec<_>>();
    let flat = ["React", "Vue", "Postgres", "MySQL", "Other", "Cancel", "Dismiss"];
    assert_eq!(labels(&two_questions()), flat);
    let second = second_round(&["A", "B"]);
    let accept = second.fields[0].options.last().unwrap().label.clone();
    assert_eq!(labels(&second), ["A", "B", "Other", "Cancel", "Dismiss", accept.as_str()]);
    assert_eq!(read(&second, &[6], Some("ok")), json!({"values": {"choice": "_accept"}, "message": "ok"}));
    assert_eq!(read(&second, &[5], None), json!({"out": "dismiss"}));
}

#[test]
fn one_number_picks_from_the_flat_list() {
    let idle = asked(&given(Source::Idle));
    let plan = asked(&given(Source::Plan));
    let question = asked(&offering(Source::Question, &["A", "B"]));
    let cases = [
        (&idle, 1, None, json!({"values": {"choice": "nudge"}})),
        (&idle, 2, Some("x"), json!({"values": {"choice": "done"}, "message": "x"})),
        (&idle, 3, None, json!({"out": "cancel"})),
        (&idle, 4, Some("later"), json!({"out": "dismiss", "message": "later"})),
        (&plan, 4, Some("add tests"), json!({"values": {"choice": "revise"}, "message": "add tests"})),
        (&plan, 5, None, json!({"out": "cancel"})),
        (&question, 2, None, json!({"values": {"choice": "b"}})),
        (&question, 3, Some("C"), json!({"message": "C"})),
        (&question, 4, None, json!({"out": "cancel"})),
    ];
    for (decision, number, message, expected) in cases {
        assert_eq!(read(decision, &[number], message), expected);
        answer(decision, resolve(decision, &[number], message).unwrap()).unwrap();
    }
}

#[test]
fn several_numbers_pick_several_or_one_each() {
    let one = several_allowed();
    assert_eq!(read(&one, &[1], None), json!({"values": {"choice": ["a"]}}));
    assert_eq!(read(&one, &[3, 1], Some("m")), json!({"values": {"choice": ["c", "a"]}, "message": "m"}));
    assert_eq!(read(&one, &[1, 4], Some("D")), json!({"values": {"choice": ["a", {"text": "D"}]}}));
    let two = two_questions();
    assert_eq!(read(&two, &[1, 2], None), json!({"values": {"q1": "react", "q2": "mysql"}}));
    assert_eq!(
        read(&two, &[3, 1], Some("Svelte")),
        json!({"values": {"q1": {"text": "Svelte"}, "q2": "postgres"}})
    );
    assert_eq!(read(&two, &[6], None), json!({"out": "cancel"}));
    assert_eq!(read(&two, &[5], Some("you choose")), json!({"message": "you choose"}));
    for (decision, choices) in [(&one, vec![1, 4]), (&two, vec![3, 1]), (&two, vec![3, 3]), (&two, vec![5])] {
        answer(decision, resolve(decision, &choices, Some("words")).unwrap()).unwrap();
    }
}

#[test]
fn other_in_every_question_is_the_message_alone() {
    for (decision, choices) in [
        (two_questions(), vec![3, 3]),
        (two_questions(), vec![5]),
        (asked(&offering(Source::Question, &["A"])), vec![2]),
        (asked(&given(Source::Question)), vec![1]),
        (several_allowed(), vec![4]),
    ] {
        let settled = answer(&decision, resolve(&decision, &[], Some("words")).unwrap()).unwrap();
        let again = resolve(&settled, &choices, Some("words")).unwrap();
        assert_eq!(answer(&settled, again).unwrap(), settled, "{choices:?}");
    }
}

#[test]
fn a_question_that_an_answer_leaves_out_takes_no_number() {
    let option = |id: &str| json!({"id": id, "label": id});
    let committed = json!({"field": "verdict", "op": "EQUALS", "value": "commit"});
    let fields = json!([
        {"id": "verdict", "kind": "choice", "label": "Verdict", "required": true,
         "options": [option("commit"), option("retry")]},
        {"id": "patchset", "kind": "choice", "label": "Patch set", "required": true, "visible_if": committed,
         "options": [option("x"), option("y")]},
    ]);
    let fields = serde_json::from_value(fields).unwrap();
    let verdict = ask(New { prompt: Some("What next?".into()), fields, ..New::default() }).unwrap();
    assert_eq!(read(&verdict, &[2], None), json!({"values": {"verdict": "retry"}}));
    assert_eq!(read(&verdict, &[1, 2], None), json!({"values": {"verdict": "commit", "patchset": "y"}}));
    for choices in [[1].as_slice(), &[1, 2, 1]] {
        let got = choices.len();
        assert_eq!(
            refused(&verdict, choices, None),
            format!("expected 2 choices (one per question), got {got}")
        );
    }
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let idle = asked(&given(Source::Idle));
    let two = two_questions();
    let single = asked(&offering(Source::Question, &["A", "B"]));
    let several = several_allowed();
    let cases: [(&Decision, &[usize], Option<&str>, &str); 18] = [
        (&idle, &[5], None, "choice 5 out of range (1..4)"),
        (&idle, &[0], None, "choice 0 out of range (1..4)"),
        (&idle, &[usize::MAX], Some("m"), "choice 18446744073709551615 out of range (1..4)"),
        (&idle, &[], None, "must provide either a choice or a message (-m)"),
        (&idle, &[], Some("  "), "must provide either a choice or a message (-m)"),
        (&idle, &[1, 2], None, "expected one choice, got 2: this question takes one option only"),
        (&idle, &[1, 3], None, "choice 3 (Cancel) is taken alone, not together with other choices"),
        (&two, &[1, 2, 1], None, "expected 2 choices (one per question), got 3"),
        (&two, &[4, 1], None, "choice 4 for question 1 out of range (1..3)"),
        (&two, &[1, 0], None, "choice 0 for question 2 out of range (1..3)"),
        (&two, &[1], None, "expected 2 choices (one per question), got 1"),
        (&two, &[3], Some("m"), "expected 2 choices (one per question), got 1"),
        (&two, &[8], None, "choice 8 out of range (1..7)"),
        (&two, &[3, 1], None, "choice 3 (Other) needs your own words: add -m TEXT"),
        (&two, &[5], None, "choice 5 (Other) needs your own words: add -m TEXT"),
        (&single, &[3], None, "choice 3 (Other) needs your own words: add -m TEXT"),
        (&several, &[1, 9], None, "choice 9 out of range (1..6)"),
        (&several, &[1, 5], None, "choice 5 (Cancel) is taken alone, not together with other choices"),
    ];
    for (decision, choices, message, expected) in cases {
        assert_eq!(refused(decision, choices, message), expected, "{choices:?} {message:?}");
    }
}

#[test]
fn a_settled_decision_says_so_first() {
    let idle = asked(&given(Source::Idle));
    let settled = answer(&idle, resolve(&idle, &[2], None).unwrap()).unwrap();
    for choices in [vec![], vec![9], vec![1, 2]] {
        let unfit = resolve(&settled, &choices, None).unwrap_err();
        assert!(unfit.to_string().ends_with("is already answered: done by ana"), "{unfit}");
        assert_eq!(Refusal::from(unfit).code(), "already_settled");
    }
    assert_eq!(answer(&settled, resolve(&settled, &[2], None).unwrap()).unwrap(), settled);
}

#[test]
fn refusals_name_their_place() {
    let place = |unfit: ResolveError| match Refusal::from(unfit) {
        Refusal::Invalid(faults) => faults[0].field.clone(),
        other => panic!("{other}"),
    };
    assert_eq!(place(ResolveError::Empty), "answer");
    assert_eq!(place(ResolveError::Wordless { choice: 3 }), "message");
    assert_eq!(place(ResolveError::OutOfRange { choice: 5, most: 4 }), "choice");
}

#[test]
fn fields_without_numbers_say_how_else() {
    let date = Field::new("when", Kind::Date, "When?");
    let size =
        Field::offering("size", Kind::Confirm, "Size?", vec![Opt::new("s", "S"), Opt::new("no", "No")]);
    let asked = |fields| ask(New { prompt: Some("?".into()), fields, ..New::default() }).unwrap();
    let alone = asked(vec![date.clone()]);
    let hint = format!(
        "\"when\" takes a date, which has no number; answer with: hold answer {} --set when=VALUE",
        alone.id
    );
    assert_eq!(refused(&alone, &[1], None), hint);
    assert_eq!(refused(&asked(vec![size, date]), &[1, 1], None), hint);
}

#[test]
fn choices_order_what_they_say() {
    let tags = |decision: &Decision, choices: &[usize], message: Option<&str>| {
        let (_, events) = settle(decision, resolve(decision, choices, message).unwrap()).unwrap();
        events.iter().map(Event::tag).skip(1).collect::<Vec<_>>()
    };
    let cases: [(Source, usize, &[&str]); 14] = [
        (Source::Idle, 1, &["job:resume"]),
        (Source::Idle, 2, &["step:completed"]),
        (Source::Idle, 3, &["job:cancel"]),
        (Source::Idle, 4, &[]),
        (Source::Dead, 1, &["job:resume"]),
        (Source::Error, 2, &["step:completed"]),
        (Source::Gate, 1, &["job:resume"]),
        (Source::Gate, 2, &["step:completed"]),
        (Source::Gate, 3, &["job:cancel"]),
        (Source::Approval, 1, &["session:input"]),
        (Source::Approval, 2, &["session:input"]),
        (Source::Approval, 4, &[]),
        (Source::Plan, 1, &["session:respond"]),
        (Source::Plan, 5, &["session:respond", "job:cancel"]),
    ];
    for (source, number, expected) in cases {
        assert_eq!(tags(&asked(&given(source)), &[number], None), expected, "{source:?} {number}");
    }
    assert_eq!(tags(&two_questions(), &[1, 2], None), ["session:input", "session:input"]);
    assert_eq!(tags(&asked(&given(Source::Gate)), &[], Some("try harder")), ["job:resume"]);
}

#[test]
fn what_was_chosen_is_numbered_as_it_was_typed() {
    let cases: [(Decision, &[usize], Option<&str>); 9] = [
        (asked(&given(Source::Idle)), &[1], None),
        (asked(&given(Source::Idle)), &[4], None),
        (two_questions(), &[1, 2], None),
        (two_questions(), &[3, 1], Some("x")),
        (two_questions(), &[7], None),
        (several_allowed(), &[1, 3], None),
        (several_allowed(), &[2, 4], Some("x")),
        (asked(&given(Source::Question)), &[1], Some("x")),
        (second_round(&["A"]), &[5], None),
    ];
    for (decision, choices, message) in cases {
        let settled = answer(&decision, resolve(&decision, choices, message).unwrap()).unwrap();
        let numbers: Vec<usize> = chosen(&settled).iter().map(|entry| entry.number).collect();
        assert_eq!(numbers, choices);
    }
    let idle = asked(&given(Source::Idle));
    assert!(chosen(&idle).is_empty());
    let only_words = AnswerInput { message: Some("hm".into()), ..AnswerInput::default() };
    assert!(chosen(&answer(&idle, only_words).unwrap()).is_empty());
}
