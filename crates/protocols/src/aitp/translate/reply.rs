//! From a settled decision to the message that answers its request.

use std::collections::{HashMap, HashSet};

use holdpoint_core::decision::{Answer, chosen};
use holdpoint_core::field::has_custom_text;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Kind, Opt, Source, Status, Timestamp};
use serde_json::{Map, Value, json};

use super::keep::{field_id, option_id, option_texts, stored_members};
use super::put::{Carrier, DecisionRequest, carrier, write};
use super::request_id;
use crate::aitp::message::Message;

/// The reply to the asker.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A message, and descriptions of what it leaves out of the answer.
    Message(Box<Message>, Vec<String>),
    /// Plain text, for which AITP has no message: a no, or that there is no answer.
    Text(String),
}

/// Returns the reply to the decision's request; none while it is pending.
pub fn reply(decision: &Decision, now: Timestamp) -> Option<Reply> {
    let text = |text: String| Some(Reply::Text(text));
    let answer = match (decision.status, &decision.answer) {
        (Status::Pending, _) => return None,
        (Status::Answered | Status::TimedOut, Some(answer)) => answer,
        (Status::TimedOut, None) => return text("Nobody answered in time.".into()),
        (Status::Refined, answer) => {
            let guidance = answer.as_ref().and_then(|answer| answer.message.as_deref()).unwrap_or_default();
            return text(format!("Please ask again: {}", inert_line(guidance)));
        }
        (_, _) => {
            let reason = decision.reason.as_deref().map(|reason| format!(": {}", inert_line(reason)));
            return text(format!("This is no longer wanted{}.", reason.unwrap_or_default()));
        }
    };
    let words = answer.message.as_deref().map(|words| format!(" {}", inert_line(words))).unwrap_or_default();
    let picked = chosen(decision);
    if answer.out.is_some() {
        let label = picked.first().map(|chosen| inert_line(&chosen.option.label)).unwrap_or_default();
        return text(format!("Not answered: {label}.{words}"));
    }
    if answer.values.is_empty() {
        return text(words.trim().to_owned());
    }
    if decision.source == Source::Approval && super::origin(decision).is_some() {
        let no = holdpoint_core::decision::is_refusal(decision);
        // If there were several ways to pay, the chosen one is named.
        let way = picked.first().filter(|chosen| !no && chosen.option.id != "approve");
        let way = way.map(|chosen| format!(": {}", inert_line(&chosen.option.label))).unwrap_or_default();
        return text(format!("{}{way}.{words}", if no { "Declined" } else { "Approved" }));
    }
    let mut left_out = Vec::new();
    if answer.message.is_some() {
        left_out.push(format!("the words that came with it:{words}"));
    }
    if decision.status == Status::TimedOut {
        left_out.push("that no person chose it: the deadline took the default".into());
    }
    let expired = expired(decision, now);
    left_out.extend(
        expired
            .iter()
            .map(|id| format!("that the quote of {id} has expired: it was chosen, and cannot be paid")),
    );
    match message(decision, answer, decision.settled_at.unwrap_or(now)) {
        Ok(DecisionRequest { message, .. }) => Some(Reply::Message(Box::new(message), left_out)),
        Err(_) => text(format!("{}{words}", answer.brief())),
    }
}

/// Lists the chosen options whose quote has expired, by their ids in messages: they were not bought.
pub fn expired(decision: &Decision, now: Timestamp) -> Vec<&str> {
    let picked = chosen(decision);
    let prices = if picked.is_empty() { HashMap::new() } else { prices(decision) };
    let expired = |option: &&Opt| prices.get(option.id.as_str()).is_some_and(|until| *until <= now);
    picked.into_iter().map(|chosen| chosen.option).filter(expired).map(option_id).collect()
}

/// Returns the expiry of everything with a price; a variant without a price has that of its product.
fn prices(decision: &Decision) -> HashMap<&str, Timestamp> {
    fn until(option: &Opt) -> Option<Timestamp> {
        option.quote.as_ref()?["valid_until"].as_str()?.parse().ok()
    }
    fn note<'a>(option: &'a Opt, base: Option<Timestamp>, prices: &mut HashMap<&'a str, Timestamp>) {
        let until = if option.quote.is_some() { until(option) } else { base };
        if let Some(until) = until {
            prices.insert(&option.id, until);
        }
        option.variants.iter().for_each(|variant| note(variant, until, prices));
    }
    let mut prices = HashMap::new();
    decision
        .fields
        .iter()
        .flat_map(|field| &field.options)
        .for_each(|option| note(option, None, &mut prices));
    prices
}

fn message(
    decision: &Decision,
    answer: &Answer,
    at: Timestamp,
) -> Result<DecisionRequest, Vec<crate::aitp::Finding>> {
    let carrier = carrier(decision)?;
    let id = request_id(decision);
    let mut body = Map::new();
    let name = match carrier {
        Carrier::Choice(field) => {
            // Options that had expired when they were chosen are not bought, so no message says how many.
            let expired: HashSet<&str> = expired(decision, at).into_iter().collect();
            let options = chosen(decision).into_iter().map(|chosen| {
                let mut selected = json!({ "id": option_id(chosen.option), "name": chosen.option.label });
                if field.kind == Kind::Products && !expired.contains(option_id(chosen.option)) {
                    selected["quantity"] = chosen.quantity.into();
                }
                selected
            });
            body.insert("options".into(), options.collect());
            body.insert("request_decision_id".into(), id.into());
            "decision"
        }
        Carrier::Form => {
            let fields = decision.fields.iter().map(|field| {
                let value = answer.values.get(&field.id).map(|value| written(answer, field, value));
                let value = value.unwrap_or_default();
                json!({ "id": field_id(field), "label": field.label, "value": value })
            });
            body.insert("fields".into(), fields.collect());
            body.insert("request_data_id".into(), id.into());
            "data"
        }
    };
    write(decision, carrier.capability(), name, body, Vec::new())
}

/// Returns a value as written: by the person who answered or, if they left it unchanged, by the asker.
fn written(answer: &Answer, field: &Field, value: &Value) -> String {
    if let Some(text) = answer.written.get(&field.id) {
        return text.clone();
    }
    let left = value.is_number() && field.default.as_ref() == Some(value);
    let given = stored_members(&field.extra).and_then(|members| members.get("default_value")?.as_str());
    given.filter(|_| left).map_or_else(|| text(field, value), |given| given.trim().to_owned())
}

/// Returns a value as a form's string.
pub(super) fn text(field: &Field, value: &Value) -> String {
    match value {
        Value::String(id) if field.kind.picks() => {
            let texts = option_texts(field);
            let found = texts.into_iter().find(|(option, _)| option.id == *id);
            found.map_or(id.as_str(), |(_, text)| text).to_owned()
        }
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "Yes" } else { "No" }.into(),
        Value::Object(place) if field.kind == Kind::Location => {
            let part = |key: &str| place.get(key).map(Value::to_string).unwrap_or_default();
            format!("{}, {}", part("lat"), part("lng"))
        }
        other => has_custom_text(other).map_or_else(|| other.to_string(), str::to_owned),
    }
}
