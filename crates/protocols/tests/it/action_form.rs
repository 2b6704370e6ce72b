//! Form definitions: what is read, and what is refused with its line.

use holdpoint_core::form::{accept, accept_draft};
use holdpoint_core::{Kind, Values};
use holdpoint_protocols::action::form::{Form, read, read_value, step, synonyms, words_of};
use serde_json::{Value, json};

pub(crate) fn example(name: &str) -> Form {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/forms");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    read(&text).unwrap_or_else(|flaws| panic!("{name}: {flaws:#?}"))
}

#[expect(clippy::needless_pass_by_value, reason = "reads better in a table")]
fn errors(form: Value) -> Vec<String> {
    read_value(&form).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

/// A published form of one field.
#[expect(clippy::needless_pass_by_value, reason = "reads better in a table")]
fn of_field(field: Value) -> Value {
    json!({"form_id": "t", "fields": [field, {"id": "b", "type": "text", "prompt": "B?"}]})
}

fn values(value: &Value) -> Values {
    value.as_object().unwrap().clone()
}

#[test]
fn the_examples_are_sound() {
    for (name, title, fields) in [
        ("leave_request.json", "Leave request", 7),
        ("incident_report.json", "Incident report", 5),
        ("hotel_booking.json", "Book a room", 9),
        ("change_request.md", "Change request", 8),
    ] {
        let form = example(name);
        assert_eq!(
            (form.title.as_str(), form.fields.len(), form.warnings.len()),
            (title, fields, 0),
            "{name}"
        );
    }
    let change = example("change_request.md");
    assert_eq!(change.fields.iter().map(step).collect::<Vec<_>>(), [1, 1, 1, 2, 2, 2, 2, 2]);
    assert_eq!(
        synonyms(&change.fields[1].options[0].extra).collect::<Vec<_>>(),
        ["prod", "live system", "on live"]
    );
    assert_eq!(change.fields[6].options[2].id, "high");
}

/// Rows S1 to S5 and S8: what the first generation refuses is refused here.
#[test]
fn published_forms_that_are_wrong() {
    assert_eq!(errors(json!({"form_id": "t"})), ["fields: Field required"]);
    let twice = json!({"form_id": "t", "fields": [
        {"id": "f", "type": "text", "prompt": "?"}, {"id": "f", "type": "text", "prompt": "?"}]});
    assert_eq!(errors(twice), ["f: this field id occurs twice; ids must differ"]);
    let condition = |condition: Value| {
        of_field(json!({"id": "a", "type": "text", "prompt": "?", "visible_if": condition}))
    };
    let one = |part: Value| condition(json!({"all": [part]}));
    for (form, message) in [
        (of_field(json!({"id": "a", "type": "dropdown", "prompt": "?"})), "a dropdown needs options"),
        (of_field(json!({"id": "a", "type": "dropdown", "prompt": "?", "options": []})), "at least one"),
        (
            of_field(json!({"id": "a", "type": "text", "prompt": "?", "options": []})),
            "a text takes no options",
        ),
        (
            of_field(json!({"id": "a", "type": "dropdown", "prompt": "?", "options": ["x", "x"]})),
            "occurs twice",
        ),
        (of_field(json!({"id": "a", "type": "slider", "prompt": "?"})), "type \"slider\" is unknown"),
        (of_field(json!({"id": "a", "type": "text", "prompt": ""})), "prompt must be a text"),
        (of_field(json!({"id": "a", "type": "text"})), "prompt: Field required"),
        (of_field(json!({"type": "text", "prompt": "?"})), "id: Field required"),
        (one(json!({"field": "b", "operator": "exists"})), "operator \"exists\" is unknown"),
        (
            one(json!({"field": "b", "operator": "CONTAINS", "value": "x"})),
            "operator \"CONTAINS\" is unknown",
        ),
        (condition(json!({"any": [{"field": "b", "operator": "EXISTS"}]})), "must be {\"all\""),
        (condition(json!({"all": []})), "at least one condition"),
        (one(json!({"field": "z", "operator": "EXISTS"})), "refers to \"z\", which is not a field"),
        (one(json!({"field": "a", "operator": "EXISTS"})), "refers to its own field"),
        (one(json!({"field": "b", "operator": "EQUALS", "value_field": "z"})), "\"z\", which is not a field"),
        (one(json!({"field": "b", "operator": "EQUALS", "value": 5})), "value must be a text, not 5"),
        (one(json!({"field": "b", "operator": "EQUALS"})), "needs a value or a value_field"),
        (json!({"form_id": "t", "fields": []}), "at least one field"),
        (json!({"form_id": "", "fields": [{"id": "a", "type": "text", "prompt": "?"}]}), "must not be empty"),
        (json!([1]), "must be an object"),
    ] {
        let errors = errors(form.clone());
        assert_eq!(errors.len(), 1, "{form}: {errors:?}");
        assert!(errors[0].contains(message), "{form}: {errors:?}");
    }
}

/// Where the first generation accepts what cannot work (S6) or what means nothing (V6), this does better.
#[test]
fn circles_and_impossible_options_are_refused() {
    let exists = |id: &str, other: &str| {
        json!({"id": id, "type": "text", "prompt": "?",
        "visible_if": {"all": [{"field": other, "operator": "EXISTS"}]}})
    };
    let circle = json!({"form_id": "t", "fields": [exists("a", "b"), exists("b", "a")]});
    assert_eq!(errors(circle), ["a: visible_if is circular: a → b → a"]);
    let never = json!({"form_id": "t", "fields": [
        {"id": "a", "type": "dropdown", "prompt": "?", "options": ["Sick"]},
        {"id": "b", "type": "text", "prompt": "?",
         "visible_if": {"all": [{"field": "a", "operator": "EQUALS", "value": "sick"}]}}]});
    assert_eq!(errors(never), ["b: visible_if: compares a with \"sick\", which is not among its options"]);
    let ticked = json!({"form_id": "t", "fields": [
        {"id": "a", "type": "checkbox", "prompt": "?", "options": ["Yes", "No"]},
        {"id": "b", "type": "text", "prompt": "?",
         "visible_if": {"all": [{"field": "a", "operator": "EQUALS", "value": "Yes"}]}},
        {"id": "c", "type": "text", "prompt": "?",
         "visible_if": {"all": [{"field": "a", "operator": "NOT_EQUALS", "value": "Yes"}]}}]});
    let form = read_value(&ticked).unwrap();
    let seen = |given: Value| {
        let visible = holdpoint_core::form::visible(&form.fields, &values(&given));
        visible.iter().map(|field| field.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(seen(json!({"a": ["Yes"]})), ["a", "b"]);
    assert_eq!(seen(json!({"a": ["No"]})), ["a", "c"]);
    assert_eq!(seen(json!({})), ["a"]);
}

/// Row S7: nested rules are taken, and change nothing.
#[test]
fn rules_are_ignored() {
    let form = json!({"form_id": "t", "rules": {"interaction": {"never_assume_values": false}},
        "fields": [{"id": "a", "type": "text", "prompt": "A?", "colour": "red"}]});
    assert_eq!(read_value(&form).unwrap().fields[0].label, "A?");
}

/// Rows N1 to N3 (typed values) and V1 to V5, over the fields as they are read.
#[test]
fn typed_values_are_strict() {
    let form = json!({"form_id": "t", "fields": [
        {"id": "d", "type": "dropdown", "prompt": "?", "options": ["Fire", "Accident"]},
        {"id": "c", "type": "checkbox", "prompt": "?", "options": ["A", "B"]},
        {"id": "t", "type": "text", "prompt": "?"},
        {"id": "l", "type": "location", "prompt": "?"},
        {"id": "day", "type": "date", "prompt": "?"}]});
    let form = read_value(&form).unwrap();
    for (given, kept) in [
        (json!({"d": "fire"}), None),
        (json!({"d": "Fire"}), Some(json!({"d": "Fire"}))),
        (json!({"c": "A"}), None),
        (json!({"c": []}), None),
        (json!({"c": ["Maybe"]}), None),
        (json!({"c": ["A", "A"]}), Some(json!({"c": ["A"]}))),
        (json!({"t": "  hi  "}), Some(json!({"t": "  hi  "}))),
        (json!({"t": "one\ntwo"}), Some(json!({"t": "one\ntwo"}))),
        (json!({"t": "   "}), None),
        (json!({"day": "2026-02-30"}), None),
        (json!({"day": "March"}), None),
        (json!({"day": "2026-02-28"}), Some(json!({"day": "2026-02-28"}))),
        (json!({"l": {"lat": "24.7", "lng": 1}}), None),
        (json!({"l": {"lat": 90, "lng": -180}}), Some(json!({"l": {"lat": 90, "lng": -180}}))),
        (json!({"l": {"lat": 90.0001, "lng": 0}}), None),
        (json!({"l": {"latitude": 1, "longitude": 2}}), None),
    ] {
        let filling = accept_draft(&form.fields, &values(&given));
        match kept {
            Some(kept) => assert_eq!(Value::Object(filling.values), kept, "{given}: {:?}", filling.faults),
            None => assert_eq!(filling.faults.len(), 1, "{given} was taken"),
        }
    }
}

#[test]
fn conditions_hold_as_published() {
    let show = |condition: Value, given: Value| {
        let form = json!({"form_id": "t", "fields": [
            {"id": "a", "type": "text", "prompt": "?"}, {"id": "b", "type": "text", "prompt": "?"},
            {"id": "shown", "type": "text", "prompt": "?", "visible_if": {"all": [condition]}}]});
        let form = read_value(&form).unwrap();
        let visible = holdpoint_core::form::visible(&form.fields, &values(&given));
        visible.iter().any(|field| field.id == "shown")
    };
    let day = |op: &str| json!({"field": "a", "operator": op, "value": "2026-03-02"});
    for (condition, given, expected) in [
        (json!({"field": "a", "operator": "EXISTS"}), json!({"a": ""}), true),
        (json!({"field": "a", "operator": "EXISTS"}), json!({"a": 0}), true),
        (json!({"field": "a", "operator": "EXISTS"}), json!({"a": []}), true),
        (json!({"field": "a", "operator": "EXISTS"}), json!({"a": false}), true),
        (json!({"field": "a", "operator": "NOT_EQUALS", "value": "x"}), json!({}), false),
        (day("AFTER"), json!({"a": "2026-03-02"}), false),
        (day("AFTER"), json!({"a": "2026-03-02T18:00:00"}), false),
        (day("ON_OR_AFTER"), json!({"a": "2026-03-02"}), true),
        (
            json!({"field": "a", "operator": "EQUALS", "value": "x", "value_field": "b"}),
            json!({"a": "x"}),
            false,
        ),
        (
            json!({"field": "a", "operator": "EQUALS", "value": "y", "value_field": "b"}),
            json!({"a": "x", "b": "x"}),
            true,
        ),
    ] {
        assert_eq!(show(condition.clone(), given.clone()), expected, "{condition} over {given}");
    }
}

/// Rows C1 to C4 and C6: what an answer hides is dropped, however deep and in whatever order it came.
#[test]
fn hidden_values_are_dropped() {
    let leave = example("leave_request.json").fields;
    let incident = example("incident_report.json").fields;
    let dates = |end: &str| json!({"start_date": "2026-02-11", "end_date": end, "followup_reason": "long"});
    for (fields, given, kept) in [
        (
            &leave,
            json!({"leave_type": "Annual", "medical_certificate": ["Yes"]}),
            json!({"leave_type": "Annual"}),
        ),
        (&leave, json!({"medical_certificate": ["Yes"]}), json!({})),
        (
            &leave,
            json!({"medical_certificate": ["Yes"], "leave_type": "Sick"}),
            json!({"leave_type": "Sick", "medical_certificate": ["Yes"]}),
        ),
        (&incident, dates("2026-02-15"), dates("2026-02-15")),
        (&incident, dates("2026-02-10"), json!({"start_date": "2026-02-11", "end_date": "2026-02-10"})),
    ] {
        let filling = accept_draft(fields, &values(&given));
        assert_eq!((Value::Object(filling.values), filling.faults.len()), (kept, 0), "{given}");
    }
    let link = |id: &str, before: &str| {
        json!({"id": id, "type": "text", "prompt": "?",
        "visible_if": {"all": [{"field": before, "operator": "EXISTS"}]}})
    };
    let chain = json!({"form_id": "t", "fields": [link("d", "c"), link("c", "b"), link("b", "a"),
        {"id": "a", "type": "text", "prompt": "?"}]});
    let chain = read_value(&chain).unwrap().fields;
    let filling = accept(&chain, &values(&json!({"b": "1", "c": "2", "d": "3"})));
    assert_eq!((filling.values.len(), filling.faults.len()), (0, 1));
}

#[test]
fn flaws_name_line_and_field() {
    let flaws = |text: &str| read(text).err().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>();
    let json = "{\n \"form_id\": \"t\",\n \"fields\": [\n  {\"id\": \"a\", \"type\": \"text\", \"prompt\": \"?\"},\n  {\n   \"id\": \"b\",\n   \"type\": \"slider\",\n   \"prompt\": \"?\"\n  }\n ]\n}";
    let known = "the types are dropdown, checkbox, text, date, datetime, location";
    assert_eq!(flaws(json), [format!("line 7: b: type \"slider\" is unknown; {known}")]);
    assert!(flaws("{\n\"form_id\": \"t\",,\n}")[0].starts_with("line 2: is not JSON"));
    let yaml = "\n---\nform_id: t\nfields:\n  - id: a\n    type: date\n    prompt: A?\n  - id: b\n    type: dropdown\n---\n# T\n";
    assert_eq!(flaws(yaml), ["line 8: b: a dropdown needs options"]);
    assert!(flaws("---\nform_id: t\nfields: [\n---\n")[0].starts_with("line 4: is not YAML"));
    assert_eq!(flaws("---\nform_id: t\n"), ["line 1: the front matter is not ended by a line ---"]);
    assert!(flaws("# Only prose\n\nNothing else.\n")[0].contains("neither front matter"));
    let own = "{\"form\": \"t\",\n \"fields\": [\n  {\"id\": \"a\", \"kind\": \"text\", \"colour\": 1}],\n \"theme\": 2}";
    let flaws = flaws(own);
    assert!(flaws[0].starts_with("line 3: a: unknown field `colour`"), "{flaws:?}");
    assert!(flaws[1].starts_with("line 4: theme: is not a key"), "{flaws:?}");
}

#[test]
fn front_matter_is_read_as_it_is_written() {
    let form = read(
        "---\ntitle: a---b\nform_id: t\nfields:\n  - {id: kind, type: dropdown, required: yes, prompt: Kind?, options: [Yes, No, 5, true]}\n  \
         - {id: day, type: date, required: true, step: 2.0, visible_if: 'kind is Yes or kind is No'}\n  \
         - {id: why, type: text, required: conditional, visible_if: when the manager asks}\n  \
         - {id: at, type: time, depends_on: day, required: 'True'}\n  \
         - {id: place, type: dropdown, required: true, data_source: 'tool: places()'}\n\
         tools:\n  - {name: places, purpose: Lists places, when: at the start}\n---\n# Ignored\n",
    )
    .unwrap_or_else(|flaws| panic!("{flaws:?}"));
    assert_eq!(form.title, "a---b");
    let options: Vec<&str> = form.fields[0].options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!(options, ["Yes", "No", "5", "true"]);
    let required: Vec<bool> = form.fields.iter().map(|field| field.required).collect();
    assert_eq!(required, [true, true, false, true, true]);
    assert_eq!(step(&form.fields[1]), 2);
    assert!(form.fields[1].visible_if.is_some() && form.fields[2].visible_if.is_none());
    assert_eq!(form.fields[3].kind, Kind::Time);
    assert_eq!(form.fields[4].options_from.as_ref().unwrap().tool, "places");
    assert_eq!(form.warnings.len(), 1);
    assert!(form.warnings[0].to_string().starts_with("line 7: why: visible_if is prose"));
}

#[test]
fn the_older_table_is_read_by_its_columns() {
    let form = read(
        "# Form Pilot: Trip\n\n| # | Field ID | Type | Required | Prompt |\n|---|---|---|---|---|\n\
         | 1 | `from` | date | Yes | From when? |\n|  | kind | dropdown | no | |\n\nAnd so on.\n",
    )
    .unwrap();
    assert_eq!(form.title, "Trip");
    let fields: Vec<_> =
        form.fields.iter().map(|field| (field.id.as_str(), field.kind, field.required)).collect();
    assert_eq!(fields, [("from", Kind::Date, true), ("kind", Kind::Multiline, false)]);
    assert_eq!(form.fields[0].label, "From when?");
}

#[test]
fn ids_are_said_as_words() {
    for (id, words) in
        [("leave_type", "leave type"), ("birthDate", "birth date"), ("a.b-c", "a b c"), ("__", "")]
    {
        assert_eq!(words_of(id), words);
    }
}

/// Wherever a conversation was begun, it is gone on with as the same form: with its name, and what it looks up.
#[test]
fn a_form_comes_back_from_its_decision() {
    let form = read_value(&json!({"form": "deploy", "title": "Deploy", "purpose": "To ship",
        "tools": [{"name": "list_services", "purpose": "what there is"}],
        "fields": [{"id": "svc", "kind": "choice", "label": "Which?", "options_from": {"tool": "list_services", "path": "/s"}},
                   {"id": "why", "kind": "text", "label": "Why?"}]}))
    .unwrap();
    let decision = crate::through_core::ask(form.opening("web", "chat-1")).unwrap();
    assert_eq!(
        (decision.project.as_str(), decision.owner.as_ref().unwrap().to_string()),
        ("web", "chat:chat-1".to_owned())
    );
    let again = Form::of(&decision);
    assert_eq!((&again.id, &again.title, &again.purpose), (&form.id, &form.title, &form.purpose));
    assert_eq!((again.tools, again.fields.len()), (form.tools, 2));
}
