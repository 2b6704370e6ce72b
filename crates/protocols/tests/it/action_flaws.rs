//! All that is wrong with a definition is told at once, each with its line and field.

use holdpoint_protocols::action::form;

fn flaws(text: &str) -> Vec<String> {
    form::read(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn all_flaws_of_a_form_are_told() {
    let form = r#"{
 "form": "t",
 "fields": [
  {"id": "a", "kind": "choice", "label": "A?", "options_from": {"tool": "list", "path": "services"}},
  {"id": "b", "kind": "text", "label": 5,
   "required": "maybe"},
  {"id": "c", "kind": "slider", "label": "C?",
   "visible_if": {"field": "nobody", "op": "EXISTS"}},
  {"id": "d", "kind": "choice", "label": "D?", "options": []},
  {"id": "e", "kind": "text", "label": "E?", "visible_if": {"field": "f", "op": "EXISTS"}},
  {"id": "f", "kind": "text", "label": "F?", "visible_if": {"field": "nobody", "op": "EXISTS"}}
 ],
 "tools": ["list"]
}"#;
    let told = flaws(form);
    for words in [
        "line 4: a: options_from: path \"services\" must begin with a slash: \"/services\"",
        "line 5: b:",
        "line 6: b:",
        "line 7: c:",
        "line 8: c: visible_if refers to \"nobody\"",
        "line 9: d: a choice field needs at least one option",
        "line 11: f: visible_if refers to \"nobody\"",
    ] {
        assert!(
            told.iter().any(|flaw| flaw.starts_with(words) || flaw.contains(words)),
            "{words}:\n{}",
            told.join("\n")
        );
    }
}

#[test]
fn all_flaws_of_a_published_form_are_told() {
    let form = r#"{
 "form_id": "t",
 "fields": [
  {"type": "slider"},
  {"id": "b", "type": "dropdown", "prompt": "",
   "required": "perhaps"},
  {"id": "c", "type": "text", "prompt": "C?", "visible_if": {"all": [
    {"field": "c", "operator": "EXISTS"},
    {"field": "b", "operator": "like"},
    {"field": "b", "operator": "EQUALS", "value": 5}]}}
 ]
}"#;
    let told = flaws(form);
    for words in [
        "line 4: field 1: id: Field required",
        "type \"slider\" is unknown",
        "line 4: field 1: prompt: Field required",
        "line 5: b: prompt must be a text",
        "line 6: b: required is true or false",
        "line 5: b: a dropdown needs options",
        "line 8: c: visible_if: refers to its own field",
        "line 9: c: visible_if: operator \"like\" is unknown",
        "line 10: c: visible_if: value must be a text",
    ] {
        assert!(told.iter().any(|flaw| flaw.contains(words)), "{words}:\n{}", told.join("\n"));
    }
}

/// One flaw does not hide that a name occurs twice, and the keys that are listed are all there are.
#[test]
fn a_flaw_hides_no_other() {
    let form = r#"{
 "form": "t",
 "fields": [
  {"id": "a", "kind": "slider", "label": "A?"},
  {"id": "b", "kind": "text", "label": "B?", "colour": 1},
  {"id": "b", "kind": "text", "label": "B?"},
  {"id": "a", "kind": "choice", "label": "A?", "options": ["x", "y", "x"]},
  {"id": "c", "kind": "choice", "label": "C?", "size": 1, "options": ["z", "z"]},
  {"id": "d", "kind": "choice", "label": "D?", "options": [{"id": "x", "label": "X", "shade": 1}]}
 ]
}"#;
    let told = flaws(form);
    for words in [
        "line 5: b: unknown field `colour`",
        "`step`, `synonyms`, `unit`",
        "line 6: b: this field id occurs twice",
        "line 7: a: this field id occurs twice",
        "line 7: a: option id \"x\" occurs twice",
        "line 8: c: option id \"z\" occurs twice",
        "`extra`, `synonyms`",
    ] {
        assert!(told.iter().any(|flaw| flaw.contains(words)), "{words}:\n{}", told.join("\n"));
    }
}

#[test]
fn what_is_no_form_at_all_is_told_for_what_it_is() {
    for (text, words) in [
        ("", "is empty; a form is JSON"),
        (" \n ", "is empty"),
        ("[1]", "must be an object"),
        ("\"x\"", "must be an object"),
        ("# Hello", "has neither front matter"),
    ] {
        let told = flaws(text);
        assert!(told.len() == 1 && told[0].contains(words), "{text:?}: {told:?}");
    }
}
