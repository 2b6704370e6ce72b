//! From a message to the answer of a decision.

use std::collections::{HashMap, HashSet};

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::json::{Values, whole_number};
use holdpoint_core::text::quote;
use holdpoint_core::{Decision, Field, Kind};
use serde_json::{Value, json};

use super::form::{finding, value};
use super::keep::{field_id, option_id};
use super::put::{Carrier, carrier};
use super::request_id;
use crate::aitp::finding::Finding;
use crate::aitp::message::data::Data;
use crate::aitp::message::decisions::Decision as Chose;
use crate::aitp::message::{Body, Message};

/// The answer in a message, and the parts of it that do not count.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerInMessage {
    /// The answer.
    pub input: AnswerInput,
    /// Parts of the message that were not asked for.
    pub remarks: Vec<Finding>,
}

/// Reads a message as the answer to a decision.
///
/// # Errors
/// What is wrong with it: another request's id, an option or a field that was not offered, too many, too few.
pub fn answer(decision: &Decision, message: &Message) -> Result<AnswerInMessage, Vec<Finding>> {
    let carrier = carrier(decision)?;
    let mut reader = AnswerReader::default();
    let input = match (&message.body, carrier) {
        (Body::Decision(chose), Carrier::Choice(field)) => {
            reader.belongs(decision, chose.request_decision_id.as_deref(), "/decision/request_decision_id");
            reader.choice(field, chose)
        }
        (Body::Data(data), Carrier::Form) => {
            reader.belongs(decision, data.request_data_id.as_deref(), "/data/request_data_id");
            reader.form(&decision.fields, data)
        }
        (body, carrier) => {
            let right = if matches!(carrier, Carrier::Form) { "data" } else { "decision" };
            let why = format!("{} does not answer this; {right} would", body.name());
            return Err(vec![finding(String::new(), why)]);
        }
    };
    if reader.errors.is_empty() {
        Ok(AnswerInMessage { input, remarks: reader.remarks })
    } else {
        Err(reader.errors)
    }
}

#[derive(Default)]
struct AnswerReader {
    errors: Vec<Finding>,
    remarks: Vec<Finding>,
}

impl AnswerReader {
    fn wrong(&mut self, pointer: String, message: String) {
        if self.errors.len() < 100 {
            self.errors.push(finding(pointer, message));
        }
    }

    fn remark(&mut self, pointer: String, message: String) {
        if self.remarks.len() < 100 {
            self.remarks.push(finding(pointer, message));
        }
    }

    fn belongs(&mut self, decision: &Decision, given: Option<&str>, pointer: &str) {
        let id = request_id(decision);
        if let Some(given) = given.filter(|given| *given != id) {
            self.wrong(
                pointer.into(),
                format!("{} answers another request; this is {}", quote(given), quote(&id)),
            );
        }
    }

    fn choice(&mut self, field: &Field, chose: &Chose) -> AnswerInput {
        let known: HashMap<&str, &str> =
            field.all_options().map(|option| (option_id(option), option.id.as_str())).collect();
        let mut met = HashSet::new();
        let mut values = Vec::new();
        for (place, selected) in chose.options.iter().enumerate() {
            let at = |key: &str| format!("/decision/options/{place}/{key}");
            let Some(id) = known.get(selected.id.as_str()) else {
                self.wrong(at("id"), format!("{} is not among the options", quote(&selected.id)));
                continue;
            };
            if !met.insert(*id) {
                self.wrong(at("id"), format!("{} occurs twice; choose it once", quote(&selected.id)));
                continue;
            }
            let Some(quantity) = &selected.quantity else {
                values.push(pick(field, id, 1));
                continue;
            };
            match whole_number(quantity).filter(|quantity| *quantity >= 1) {
                _ if field.kind != Kind::Products => {
                    self.remark(at("quantity"), "does not count here: only products have quantities".into());
                    values.push(pick(field, id, 1));
                }
                Some(quantity) => values.push(pick(field, id, quantity)),
                None => self.wrong(at("quantity"), format!("{quantity} must be a whole number from 1")),
            }
        }
        let one = matches!(field.kind, Kind::Choice | Kind::Confirm);
        if one && chose.options.len() > 1 {
            let message = format!("{} were chosen; choose one", chose.options.len());
            self.wrong("/decision/options".into(), message);
        }
        let value = if one { values.pop().unwrap_or_default() } else { Value::Array(values) };
        AnswerInput { values: Values::from_iter([(field.id.clone(), value)]), ..AnswerInput::default() }
    }

    fn form(&mut self, fields: &[Field], data: &Data) -> AnswerInput {
        let known: HashMap<&str, &Field> = fields.iter().map(|field| (field_id(field), field)).collect();
        let mut values = Values::new();
        let mut met = HashSet::new();
        for (place, given) in data.fields.iter().enumerate() {
            let at = |key: &str| format!("/data/fields/{place}/{key}");
            let Some(field) = known.get(given.id.as_str()) else {
                self.remark(at("id"), format!("nobody asked for {}", quote(&given.id)));
                continue;
            };
            if !met.insert(field.id.as_str()) {
                self.wrong(at("id"), format!("{} occurs twice; give it once", quote(&given.id)));
                continue;
            }
            match value(field, given.value.as_deref().unwrap_or_default()) {
                Ok(Some(value)) => drop(values.insert(field.id.clone(), value)),
                Ok(None) if field.required => {
                    self.wrong(at("value"), format!("{} must be filled in", quote(&given.id)));
                }
                Ok(None) => {}
                Err(why) => self.wrong(at("value"), why),
            }
        }
        let missing =
            |field: &&Field| field.required && field.visible_if.is_none() && !met.contains(field.id.as_str());
        let missing: Vec<String> =
            fields.iter().filter(missing).map(|field| quote(field_id(field))).collect();
        for id in missing {
            self.wrong("/data/fields".into(), format!("{id} is missing and must be filled in"));
        }
        AnswerInput { values, ..AnswerInput::default() }
    }
}

fn pick(field: &Field, id: &str, quantity: i64) -> Value {
    match field.kind {
        Kind::Products => json!({ "id": id, "quantity": quantity }),
        _ => Value::from(id),
    }
}
