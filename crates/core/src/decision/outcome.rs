//! What an answer amounts to: which options it picks, and whether it is a no.

use serde_json::Value;

use super::{Decision, Status};
use crate::field::{self, Opt};
use crate::form;
use crate::json::Values;
use crate::refusal::Refusal;

/// An option that an answer picked.
#[derive(Debug)]
pub struct Chosen<'a> {
    /// The field it was picked in; none for an out.
    pub field: Option<&'a str>,
    /// The option.
    pub option: &'a Opt,
    /// How many.
    pub quantity: u64,
}

/// Lists the options that the decision's answer picks, outs included.
pub fn chosen(decision: &Decision) -> Vec<Chosen<'_>> {
    let Some(answer) = &decision.answer else { return Vec::new() };
    picks(decision, &answer.values, answer.out.as_deref())
}

/// Returns whether a decision was settled by a no: a refusing option or an out.
pub fn is_refusal(decision: &Decision) -> bool {
    let answered = matches!(decision.status, Status::Answered | Status::TimedOut);
    let answer = decision.answer.as_ref().filter(|_| answered);
    answer.is_some_and(|answer| refuses(decision, &answer.values, answer.out.as_deref()))
}

pub(super) fn refuses(decision: &Decision, values: &Values, out: Option<&str>) -> bool {
    out.is_some() || picks(decision, values, None).iter().any(|chosen| chosen.option.refuses)
}

fn picks<'a>(decision: &'a Decision, values: &Values, out: Option<&str>) -> Vec<Chosen<'a>> {
    let of_field = |field: &'a field::Field| {
        let value = values.get(&field.id);
        value.into_iter().flat_map(move |value| field::picked(field, value)).map(|picked| Chosen {
            field: Some(&field.id),
            option: picked.option,
            quantity: picked.quantity,
        })
    };
    let out = decision.outs.iter().find(|option| out == Some(option.id.as_str()));
    let out = out.map(|option| Chosen { field: None, option, quantity: 1 });
    decision.fields.iter().flat_map(of_field).chain(out).collect()
}

/// Reads a declared default, which is a whole answer: values, or `{"out": …}`.
pub(super) fn read_default(
    decision: &Decision,
    default: &Values,
) -> Result<(Values, Option<String>), Refusal> {
    if let (Some(out), None) = (default.get("out").and_then(Value::as_str), decision.field("out")) {
        return if default.len() == 1 && decision.outs.iter().any(|option| option.id == out) {
            Ok((Values::new(), Some(out.to_owned())))
        } else {
            Err(Refusal::invalid("default", format!("{out:?} is not an out of this decision")))
        };
    }
    let filling = form::accept(&decision.fields, default);
    if filling.faults.is_empty() {
        Ok((filling.values, None))
    } else {
        let place =
            |fault: crate::Fault| crate::Fault::new(format!("default.{}", fault.field), fault.message);
        Err(Refusal::Invalid(filling.faults.into_iter().map(place).collect()))
    }
}

/// Returns the answer that `on_timeout: deny` gives: the one option that refuses.
pub(super) fn denial(decision: &Decision) -> Result<Values, Refusal> {
    let mut refusing = decision.fields.iter().flat_map(|field| {
        field.all_options().filter(|option| option.refuses).map(move |option| (field, option))
    });
    let (Some((field, option)), None) = (refusing.next(), refusing.next()) else {
        return Err(Refusal::invalid(
            "on_timeout",
            "deny needs exactly one option that refuses (\"refuses\": true)",
        ));
    };
    let value = match field.kind {
        field::Kind::Choices => serde_json::json!([option.id]),
        field::Kind::Products => serde_json::json!([{ "id": option.id, "quantity": 1 }]),
        _ => Value::String(option.id.clone()),
    };
    let values = Values::from_iter([(field.id.clone(), value)]);
    let filling = form::accept(&decision.fields, &values);
    if filling.faults.is_empty() {
        Ok(filling.values)
    } else {
        let message = format!("deny would answer {:?} only, which is no whole answer here", field.id);
        Err(Refusal::invalid("on_timeout", message))
    }
}
