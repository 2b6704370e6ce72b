//! Text, numbers, dates, yes or no, and locations.

use holdpoint_core::Kind;
use holdpoint_protocols::aitp::translate;
use maud::{Markup, html};

use super::choice::number;
use super::{ControlInput, described};
use crate::web::form_values::{NONE, place_name, value_name};

/// Renders the control of a kind that has a single box.
pub(super) fn input(drawn: &ControlInput<'_>) -> Markup {
    let field = drawn.field;
    let name = value_name(field);
    let value = drawn.filled.one(&name);
    let id = format!("f{}", drawn.at);
    let invalid = drawn.fault.map(|_| "true");
    // Not type=number: browsers drop what they cannot parse, and then the error cannot quote it.
    let (kind, mode, step) = match field.kind {
        Kind::Email => ("email", None, None),
        Kind::Tel => ("tel", None, None),
        Kind::Url => ("url", None, None),
        Kind::Number => ("text", Some("decimal"), None),
        Kind::Integer => ("text", Some("numeric"), None),
        Kind::Date => ("date", None, None),
        Kind::Time => ("time", None, Some("1")),
        Kind::Datetime => ("datetime-local", None, Some("1")),
        _ => ("text", None, None),
    };
    let autocomplete = translate::autocomplete(field).unwrap_or("off");
    html! {
        @if field.kind == Kind::Multiline {
            textarea id=(id) name=(name) rows="6" autocomplete=(autocomplete) dir="auto" aria-invalid=[invalid] aria-describedby=[described(drawn)]
                aria-required=(field.required) { "\n" (value) }
        } @else {
            input id=(id) name=(name) type=(kind) inputmode=[mode] step=[step] value=(value) autocomplete=(autocomplete)
                dir=[field.kind.is_text().then_some("auto")] aria-invalid=[invalid] aria-describedby=[described(drawn)]
                aria-required=(field.required);
        }
    }
}

/// Renders the controls of a kind that has several parts.
pub(super) fn parts(drawn: &ControlInput<'_>) -> Markup {
    if drawn.field.kind == Kind::Boolean { yes_or_no(drawn) } else { location_inputs(drawn) }
}

/// Renders yes and no. Neither is chosen at first: an untouched boolean is not a no.
fn yes_or_no(drawn: &ControlInput<'_>) -> Markup {
    let field = drawn.field;
    let name = value_name(field);
    let mut answers = vec![("true", "Yes"), ("false", "No")];
    if !field.required {
        answers.push((NONE, "Leave blank"));
    }
    let suggested = field.default.as_ref().map(ToString::to_string);
    html! {
        div .options.side data-options {
            @for (at, (value, words)) in answers.into_iter().enumerate() {
                div .option {
                    label {
                        input type="radio" name=(name) value=(value) checked[drawn.filled.has(&name, value)]
                            data-number=[drawn.yes_number(at)] aria-describedby=[described(drawn)];
                        span .label { (words) }
                        @if suggested.as_deref() == Some(value) { span .tag { "Suggested" } }
                        (number(drawn.yes_number(at)))
                    }
                }
            }
        }
    }
}

fn location_inputs(drawn: &ControlInput<'_>) -> Markup {
    let parts = [("lat", "Latitude", "-90 to 90"), ("lng", "Longitude", "-180 to 180")];
    html! {
        div .place {
            @for (part, label, range) in parts {
                @let name = place_name(part, drawn.field);
                label { (label)
                    input name=(name) value=(drawn.filled.one(&name)) inputmode="decimal" placeholder=(range)
                        data-place=(part) autocomplete="off" aria-describedby=[described(drawn)];
                }
            }
            button type="button" data-locate hidden { "Use my position" }
        }
    }
}
