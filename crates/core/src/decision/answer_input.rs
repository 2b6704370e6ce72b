//! The input of an answer, and how its several forms are reduced to one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fitting::fitting_values;
use super::given::{UnsignedAnswer, what_is_right};
use super::{Decision, Source, outcome};
use crate::field::{Field, Kind};
use crate::json::{self, Values};
use crate::refusal::Refusal;
use crate::text::{MAX_BODY, MAX_MESSAGE, check_length, quote};
use crate::{DecisionId, form};

/// An answer to a decision. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AnswerInput {
    /// Values by field id.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    #[serde(skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    /// The value of the only field that takes one choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Value>,
    /// The value of the only field that takes several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Value>>,
    /// An out, instead of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// An accompanying message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Words that ask for another round, instead of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
    /// The digest of what the person saw; required where the decision has a subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Who answers; ignored where the caller's identity is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// For a consent to a subject: whether the answerer had the whole subject on the screen; `false` to consent unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<bool>,
    /// Other decisions that were shown as the same ask: each is answered too if it still is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<DecisionId>,
    /// The draft that was sent; the answer is refused if the draft has changed since.
    #[serde(skip)]
    pub over: Option<Values>,
}

/// Returns the guidance, if that is what was sent; it goes with nothing else.
pub(super) fn guidance(input: &AnswerInput) -> Result<Option<&str>, Refusal> {
    let answered = !input.values.is_empty()
        || input.choice.is_some()
        || input.choices.is_some()
        || input.out.is_some()
        || input.message.as_deref().is_some_and(|text| !text.trim().is_empty());
    match input.guidance.as_deref().map(str::trim) {
        Some("") if !answered => Err(Refusal::invalid("guidance", "is empty; say what should be different")),
        None | Some("") => Ok(None),
        Some(_) if answered => {
            Err(Refusal::invalid("guidance", "cannot be combined with an answer or a message"))
        }
        guidance => Ok(guidance),
    }
}

pub(super) fn check_size(input: &AnswerInput) -> Result<(), Refusal> {
    for (place, text) in [("message", &input.message), ("guidance", &input.guidance)] {
        let length = check_length(text.as_deref().unwrap_or_default(), MAX_MESSAGE);
        length.map_err(|why| Refusal::invalid(place, why))?;
    }
    let size = json::size(input).unwrap_or(usize::MAX);
    if size > MAX_BODY {
        return Err(Refusal::invalid("answer", format!("has {size} bytes; at most {MAX_BODY} are allowed")));
    }
    Ok(())
}

/// Reduces the several forms of an answer to one.
pub(super) fn read(decision: &Decision, input: &AnswerInput) -> Result<UnsignedAnswer, Refusal> {
    let mut values = input.values.clone();
    let mut put = |key: &str, value: Value, fits: fn(Kind) -> bool| {
        let field = only_field(decision, key, fits)?;
        match values.insert(field.id.clone(), value) {
            Some(_) => {
                Err(Refusal::invalid(key, format!("{} is in values too; give it once", quote(&field.id))))
            }
            None => Ok(()),
        }
    };
    if let Some(choice) = &input.choice {
        put("choice", choice.clone(), |kind| matches!(kind, Kind::Choice | Kind::Confirm))?;
    }
    if let Some(choices) = &input.choices {
        let choices = Value::Array(choices.clone());
        put("choices", choices, |kind| matches!(kind, Kind::Choices | Kind::Products))?;
    }
    let message = input.message.clone().filter(|text| !text.trim().is_empty());
    match (&input.out, message) {
        (Some(_), _) if !values.is_empty() => {
            Err(Refusal::invalid("out", "replaces the answer and cannot be combined with values"))
        }
        (Some(out), message) if decision.outs.iter().any(|option| option.id == *out) => {
            Ok(UnsignedAnswer { values, out: Some(out.clone()), message, ..UnsignedAnswer::default() })
        }
        (Some(out), _) => {
            let message =
                format!("{} is not an out; the outs are: {}", quote(out), outcome::list(&decision.outs));
            Err(Refusal::invalid("out", message))
        }
        (None, Some(message)) if values.is_empty() => message_alone(decision, message),
        (None, None) if values.is_empty() => {
            Err(Refusal::invalid("answer", format!("is empty; {}", what_is_right(decision))))
        }
        (None, message) => Ok(UnsignedAnswer { values, message, ..UnsignedAnswer::default() }),
    }
}

/// Interprets a message without values, by source.
pub(super) fn message_alone(decision: &Decision, message: String) -> Result<UnsignedAnswer, Refusal> {
    let mut values = Values::new();
    match decision.source {
        Source::Question => values = in_own_words(decision, &message)?,
        Source::Plan => {
            let no_option = || Refusal::invalid("message", "this plan offers no option to revise it");
            values = fitting_values(decision).ok_or_else(no_option)?;
        }
        Source::Idle | Source::Dead | Source::Error | Source::Gate | Source::Approval => {}
        Source::Request | Source::Form | Source::Verdict => {
            let why = format!("alone answers no {}; {}", decision.source.name(), what_is_right(decision));
            return Err(Refusal::invalid("message", why));
        }
    }
    Ok(UnsignedAnswer { values, message: Some(message), ..UnsignedAnswer::default() })
}

/// Returns the values that words alone give to a question: that of the one field that must be answered, or own words for
/// each choice, as a terminal's "Other" does. Several fields of text would all get a value that nobody meant for them.
fn in_own_words(decision: &Decision, words: &str) -> Result<Values, Refusal> {
    let is_only = decision.fields.len() == 1;
    let (mut values, mut answered, mut skipped) = (Values::new(), Vec::new(), Vec::new());
    // Each value may make another field visible.
    while let Some(field) = form::next_unanswered(&decision.fields, &values, &skipped) {
        if field.required || is_only {
            values.insert(field.id.clone(), as_free_text(field, words));
            answered.push(field);
        } else {
            skipped.push(field.id.clone());
        }
    }
    match &answered[..] {
        [_] => Ok(values),
        [_, _, ..] if answered.iter().all(|field| field.kind.picks()) => Ok(values),
        _ => {
            let why = format!("alone does not say which field it answers; {}", what_is_right(decision));
            Err(Refusal::invalid("message", why))
        }
    }
}

/// Returns the message as free text for a field. It never picks an option, even if it looks like one.
fn as_free_text(field: &Field, text: &str) -> Value {
    match field.kind {
        Kind::Choice | Kind::Confirm => json!({ "text": text }),
        Kind::Choices | Kind::Products => json!([{ "text": text }]),
        _ => Value::String(text.to_owned()),
    }
}

fn only_field<'a>(
    decision: &'a Decision,
    key: &str,
    fits: impl Fn(Kind) -> bool,
) -> Result<&'a Field, Refusal> {
    let mut fields = decision.fields.iter().filter(|field| fits(field.kind));
    match (fields.next(), fields.next()) {
        (Some(field), None) => Ok(field),
        (None, _) => Err(Refusal::invalid(key, "name the field in values: no field accepts this by itself")),
        (Some(_), Some(_)) => {
            Err(Refusal::invalid(key, "name the field in values: several fields accept this"))
        }
    }
}

/// Checks the values as a whole. An answer may be without values only where a message alone may answer.
pub(super) fn check(decision: &Decision, given: UnsignedAnswer) -> Result<UnsignedAnswer, Refusal> {
    if given.out.is_some() || (given.values.is_empty() && given.message.is_some()) {
        return Ok(given);
    }
    let filling = form::accept(&decision.fields, &given.values);
    if filling.faults.is_empty() {
        let written = written(&given.values, &filling.values);
        Ok(UnsignedAnswer { values: filling.values, written, ..given })
    } else {
        Err(Refusal::Invalid(filling.faults))
    }
}

/// Lists the numbers that were given as text which says more than the number: `1.50` has two decimal places.
fn written(given: &Values, kept: &Values) -> BTreeMap<String, String> {
    let more = |(id, value): (&String, &Value)| {
        let (plain, text) = (value.as_number()?.to_string(), given.get(id)?.as_str()?.trim());
        (plain != text).then(|| (id.clone(), text.to_owned()))
    };
    kept.iter().filter_map(more).collect()
}
