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
        "line 8: c: visible_if looks at \"nobody\"",
        "line 9: d: a choice field needs at least one option",
        "line 11: f: visible_if looks at \"nobody\"",
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
        "line 8: c: visible_if: looks at its own field",
        "line 9: c: visible_if: operator \"like\" is unknown",
        "line 10: c: visible_if: value must be a text",
    ] {
        assert!(told.iter().any(|flaw| flaw.contains(words)), "{words}:\n{}", told.join("\n"));
    }
}
