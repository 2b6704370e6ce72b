//! Takes values for a set of fields: drops what is hidden, names what is wrong or missing.

use serde_json::Value;

use crate::field::{self, Field};
use crate::json::Values;
use crate::refusal::Fault;

/// Values taken for a set of fields.
#[derive(Debug, Default)]
pub struct Filling {
    /// The values of visible fields, in the form they are kept in.
    pub values: Values,
    /// What is wrong or missing, at most one message a field.
    pub faults: Vec<Fault>,
}

/// Takes a whole answer: every visible required field must have a value.
pub fn accept(fields: &[Field], given: &Values) -> Filling {
    let mut filling = accept_draft(fields, given);
    for field in visible(fields, &filling.values) {
        let missing = field.required && !filling.values.contains_key(&field.id);
        if missing && !filling.faults.iter().any(|fault| fault.field == field.id) {
            filling.faults.push(Fault::new(&field.id, "is required"));
        }
    }
    filling
}

/// Takes some values: each is checked, none need be there. `null` means no value.
pub fn accept_draft(fields: &[Field], given: &Values) -> Filling {
    let mut filling = Filling::default();
    for (id, value) in given {
        let Some(field) = fields.iter().find(|field| field.id == *id) else {
            let known: Vec<&str> = fields.iter().take(20).map(|field| field.id.as_str()).collect();
            filling
                .faults
                .push(Fault::new(id, format!("is not asked; the fields are: {}", known.join(", "))));
            continue;
        };
        if value.is_null() {
            continue;
        }
        match field::check(field, value) {
            Ok(kept) => {
                filling.values.insert(id.clone(), kept);
            }
            Err(why) => filling.faults.push(Fault::new(id, why)),
        }
    }
    // A wrong value under a field that is hidden anyway disturbs nobody.
    let seen = drop_hidden(fields, &mut filling.values);
    filling
        .faults
        .retain(|fault| seen.contains(&fault.field) || !fields.iter().any(|field| field.id == fault.field));
    filling
}

/// Lists the fields that are asked, given the values so far.
pub fn visible<'a>(fields: &'a [Field], values: &Values) -> Vec<&'a Field> {
    let mut values = values.clone();
    let seen = drop_hidden(fields, &mut values);
    fields.iter().filter(|field| seen.contains(&field.id)).collect()
}

/// Returns the first visible field without a value; with `optional`, those that may be left out count too.
pub fn next_unanswered<'a>(fields: &'a [Field], values: &Values, skipped: &[String]) -> Option<&'a Field> {
    visible(fields, values)
        .into_iter()
        .find(|field| !values.contains_key(&field.id) && !skipped.contains(&field.id))
}

/// Removes values of hidden fields until nothing changes any more; returns the ids of the visible fields.
///
/// Conditions have no circles, so each pass settles at least one more level.
fn drop_hidden(fields: &[Field], values: &mut Values) -> Vec<String> {
    loop {
        let shown = |field: &&Field| {
            field.visible_if.as_ref().is_none_or(|condition| condition.holds(fields, values))
        };
        let seen: Vec<String> = fields.iter().filter(shown).map(|field| field.id.clone()).collect();
        let before = values.len();
        values.retain(|id: &String, _: &mut Value| seen.contains(id));
        if values.len() == before {
            return seen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Kind, Opt};
    use serde_json::json;

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

    fn check(given: Value) -> (Value, Vec<String>) {
        let filling = accept(&fields(), given.as_object().unwrap());
        (Value::Object(filling.values), filling.faults.iter().map(Fault::to_string).collect())
    }

    #[test]
    fn hidden_fields_are_neither_kept_nor_missed() {
        let whole = json!({"type": "sick", "certificate": true, "issuer": "Dr Who"});
        assert_eq!(check(whole.clone()), (whole, vec![]));
        assert_eq!(
            check(json!({"type": "annual", "certificate": true, "issuer": "Dr Who"})),
            (json!({"type": "annual"}), vec![])
        );
        assert_eq!(check(json!({"type": "annual", "certificate": "maybe"})).1, Vec::<String>::new());
    }

    #[test]
    fn each_field_has_one_message() {
        assert_eq!(check(json!({})).1, ["type: is required"]);
        assert_eq!(check(json!({"type": "sick", "certificate": true})).1, ["issuer: is required"]);
        assert_eq!(
            check(json!({"type": "x", "zzz": 1})).1,
            [
                "type: \"x\" is not among the options: sick, annual",
                "zzz: is not asked; the fields are: type, certificate, issuer"
            ]
        );
    }
}
