//! The texts for a form that is sent, or not sent yet.

use holdpoint_core::{Values, field, form as together};
use serde_json::Value;

use super::super::form::Form;
use super::super::wire::Action;
use super::{Outcome, say};

/// Returns the action that reports a form as sent, from the one that completed it.
pub fn sent(action: Action) -> Action {
    match action {
        Action::FormComplete { data, message } => {
            let told = message.split(say::ALL_KNOWN).next().unwrap_or_default().trim_end();
            // A list ends with its line.
            let space = match told {
                "" => "",
                told if told.contains('\n') => "\n",
                _ => " ",
            };
            Action::FormComplete { data, message: format!("{told}{space}It has been sent.") }
        }
        other => other,
    }
}

/// Says why a form is not sent yet, though that was wanted.
pub fn unsent(form: &Form, outcome: &Outcome) -> String {
    why_unsent(form, &outcome.values, &outcome.action, outcome.unclear)
}

/// Says why a form is not sent yet, from the known values and the next question.
pub(super) fn why_unsent(form: &Form, values: &Values, action: &Action, unclear: bool) -> String {
    let open = together::visible(&form.fields, values).into_iter().filter(|field| field.required);
    let open: Vec<String> = open.filter(|field| !values.contains_key(&field.id)).map(say::called).collect();
    match (&open[..], action.field_id()) {
        ([], None) if values.is_empty() => "It is not sent.".to_owned(),
        ([], Some(id)) => {
            let name = super::field(form, Some(id)).map_or_else(|| say::name(id), say::called);
            format!("It is not sent yet: first say what {name} should be.")
        }
        ([], None) if unclear => {
            "It is not sent, because you may have wanted to change something. If it is right, send it again."
                .to_owned()
        }
        ([], None) => "It is not sent yet: first say whether what is summed up here is right.".to_owned(),
        (open, _) => format!("It is not sent yet, because this is missing: {}.", open.join(", ")),
    }
}

/// Returns values in the form of the protocol: free text instead of an option is a plain text.
pub fn plain(values: &Values) -> Values {
    values.iter().map(|(id, value)| (id.clone(), in_words(value))).collect()
}

fn in_words(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(in_words).collect()),
        other => field::has_custom_text(other).map_or_else(|| other.clone(), Value::from),
    }
}
