//! Accepts values for a set of fields: drops those of hidden fields, and reports what is wrong or missing.

use std::collections::HashMap;

use super::Condition;
use crate::field::{self, Field};
use crate::json::Values;
use crate::refusal::FieldError;
use crate::text::MAX_FIELDS;

/// The values accepted for a set of fields.
#[derive(Debug, Default)]
pub struct AcceptedValues {
    /// The values of visible fields, in normal form.
    pub values: Values,
    /// What is wrong or missing, at most one message per field.
    pub faults: Vec<FieldError>,
}

/// Accepts a complete answer: every visible required field must have a value.
pub fn accept(fields: &[Field], given: &Values) -> AcceptedValues {
    let mut filling = accept_draft(fields, given);
    for field in visible(fields, &filling.values) {
        let missing = field.required && !filling.values.contains_key(&field.id);
        if missing && !filling.faults.iter().any(|fault| fault.field == field.id) {
            let why = match &field.default {
                Some(_) if field.kind.is_pick() => "is required; pick the suggested option to use it",
                Some(_) => "is required; send the prefilled value to use it",
                None => "is required",
            };
            filling.faults.push(FieldError::new(&field.id, why));
        }
    }
    filling
}

/// Accepts some values: each is checked, but none is required. `null` means no value.
pub fn accept_draft(fields: &[Field], given: &Values) -> AcceptedValues {
    let mut filling = AcceptedValues::default();
    for (id, value) in given {
        let Some(field) = fields.iter().find(|field| field.id == *id) else {
            // The first few messages are enough to see what is wrong.
            if filling.faults.len() < MAX_FIELDS {
                let message = format!("is not asked; the fields are: {}", names(fields));
                filling.faults.push(FieldError::new(id, message));
            }
            continue;
        };
        if value.is_null() {
            continue;
        }
        match field::check(field, value) {
            Ok(kept) => {
                filling.values.insert(id.clone(), kept);
            }
            Err(why) => filling.faults.push(FieldError::new(id, why)),
        }
    }
    // A wrong value does not matter if its field is hidden anyway.
    let seen = drop_hidden(fields, &mut filling.values);
    let place = |fault: &FieldError| fields.iter().position(|field| field.id == fault.field);
    filling.faults.retain(|fault| place(fault).is_none_or(|at| seen[at]));
    filling
}

/// Lists the fields that are asked, given the values so far.
pub fn visible<'a>(fields: &'a [Field], values: &Values) -> Vec<&'a Field> {
    let seen = drop_hidden(fields, &mut values.clone());
    fields.iter().zip(seen).filter_map(|(field, seen)| seen.then_some(field)).collect()
}

/// Returns the first visible field without a value, required or not, that is not among the skipped ones.
pub fn next_unanswered<'a>(fields: &'a [Field], values: &Values, skipped: &[String]) -> Option<&'a Field> {
    let open = |field: &&Field| !values.contains_key(&field.id) && !skipped.contains(&field.id);
    visible(fields, values).into_iter().find(open)
}

/// Removes the values of hidden fields; returns for each field whether it is visible.
///
/// A field is evaluated after the fields that its condition refers to, so that one pass reaches the fixpoint.
fn drop_hidden(fields: &[Field], values: &mut Values) -> Vec<bool> {
    let mut kept = Values::new();
    let mut seen = vec![false; fields.len()];
    for at in in_order(fields) {
        let field = &fields[at];
        seen[at] = field.visible_if.as_ref().is_none_or(|condition| condition.holds(fields, &kept));
        if seen[at]
            && let Some((id, value)) = values.remove_entry(&field.id)
        {
            kept.insert(id, value);
        }
    }
    *values = kept;
    seen
}

/// Returns the indices of the fields, each after those that its condition refers to.
fn in_order(fields: &[Field]) -> Vec<usize> {
    fn visit(at: usize, edges: &[Vec<usize>], met: &mut [bool], order: &mut Vec<usize>) {
        if !std::mem::replace(&mut met[at], true) {
            edges[at].iter().for_each(|other| visit(*other, edges, met, order));
            order.push(at);
        }
    }
    if fields.iter().all(|field| field.visible_if.is_none()) {
        return (0..fields.len()).collect();
    }
    let places: HashMap<&str, usize> =
        fields.iter().enumerate().map(|(at, field)| (field.id.as_str(), at)).collect();
    let looks_at = |field: &Field| {
        let names = field.visible_if.as_ref().map(Condition::references).unwrap_or_default();
        names.iter().filter_map(|name| places.get(name).copied()).collect()
    };
    let edges: Vec<Vec<usize>> = fields.iter().map(looks_at).collect();
    let (mut met, mut order) = (vec![false; fields.len()], Vec::with_capacity(fields.len()));
    for at in 0..fields.len() {
        visit(at, &edges, &mut met, &mut order);
    }
    order
}

/// Lists the ids of the first fields, for a message.
pub(crate) fn names(fields: &[Field]) -> String {
    const SHOWN: usize = 20;
    let list: Vec<&str> = fields.iter().take(SHOWN).map(|field| field.id.as_str()).collect();
    let more = if fields.len() > SHOWN { " …" } else { "" };
    crate::text::inert_line(&format!("{}{more}", list.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Kind, Opt};
    use serde_json::{Value, json};

    fn fields() -> Vec<Field> {
        let options = vec![Opt::new("sick", "Sick"), Opt::new("annual", "Annual")];
        let mut certificate = Field::new("certificate", Kind::Boolean, "Certificate?");
        certificate.visible_if =
            Some(serde_json::from_value(json!({"field": "type", "op": "EQUALS", "value": "sick"})).unwrap());
        let mut issuer = Field::new("issuer", Kind::Text, "By whom?");
        issuer.visible_if = Some(
            serde_json::from_value(json!({"field": "certificate", "op": "EQUALS", "value": true})).unwrap(),
        );
        vec![Field::offering("type", Kind::Choice, "Type?", options), certificate, issuer]
    }

    fn check(given: &Value) -> (Value, Vec<String>) {
        let filling = accept(&fields(), given.as_object().unwrap());
        (Value::Object(filling.values), filling.faults.iter().map(FieldError::to_string).collect())
    }

    #[test]
    fn hidden_fields_are_neither_kept_nor_missed() {
        let whole = json!({"type": "sick", "certificate": true, "issuer": "Dr Who"});
        assert_eq!(check(&whole), (whole, vec![]));
        assert_eq!(
            check(&json!({"type": "annual", "certificate": true, "issuer": "Dr Who"})),
            (json!({"type": "annual"}), vec![])
        );
        assert_eq!(check(&json!({"type": "annual", "certificate": "maybe"})).1, Vec::<String>::new());
    }

    #[test]
    fn each_field_has_one_message() {
        assert_eq!(check(&json!({})).1, ["type: is required"]);
        assert_eq!(check(&json!({"type": "sick", "certificate": true})).1, ["issuer: is required"]);
        assert_eq!(
            check(&json!({"type": "x", "zzz": 1})).1,
            [
                "type: \"x\" is not among the options: sick, annual",
                "zzz: is not asked; the fields are: type, certificate, issuer"
            ]
        );
    }
}
