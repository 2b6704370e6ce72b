//! Money: how much, to whom and how often. Other members are shown below.

use serde_json::{Map, Value};

use super::{Block, Content, unnamed};

/// The members that name the payee, and the frequency.
const PAYEES: [&str; 5] = ["payee", "payee_id", "recipient", "merchant_id", "to"];
const SPANS: [&str; 7] = ["interval", "recurring", "recurs", "recurrence", "frequency", "period", "every"];
/// What members are called that list the ways to pay.
const WAYS: [&str; 2] = ["payment_options", "payment_plans"];
/// The length above which a name is not shown beside an amount.
const LONGEST: usize = 80;

/// Takes an amount out of some members.
pub(super) fn take(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let (amount, within) = match members.get("amount")? {
        Value::Object(parts) if parts.len() == 2 => {
            let value = parts.get("value").or_else(|| parts.get("amount"))?;
            (figure(value)?, Some(currency(parts)?))
        }
        other => (figure(other)?, None),
    };
    let currency = match &within {
        Some(currency) => currency.clone(),
        None => currency(members)?,
    };
    members.remove("amount");
    if within.is_none() {
        members.remove("currency");
    }
    let mut words = format!("{amount} {currency}");
    if let Some((name, payee)) = named(members, &PAYEES) {
        members.remove(name);
        words = format!("{words} to {payee}");
    }
    if let Some((name, span)) = named(members, &SPANS) {
        members.remove(name);
        words = format!("{words}, {span}");
    }
    Some(("Payment", vec![unnamed(Content::Money(words))]))
}

/// Returns the price of a quote, for each way to pay it. The quote itself is kept, because it has more in it.
pub(super) fn quote(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let quote = match members.get("wrapped_quote") {
        Some(wrapped) => wrapped.get("original_quote")?,
        None => members.get("quote")?,
    };
    let quote = quote.as_object()?;
    let ways = WAYS.iter().find_map(|name| quote.get(*name)?.as_array())?;
    let payee = named(quote, &PAYEES).map(|(_, payee)| format!(" to {payee}")).unwrap_or_default();
    let way = |way: &Value| {
        let way = way.as_object()?;
        let plan = named(way, &["plan_type"]).filter(|(_, plan)| plan != "one-time");
        let plan = plan.map(|(_, plan)| format!(", {plan}")).unwrap_or_default();
        Some(unnamed(Content::Money(format!(
            "{} {}{payee}{plan}",
            figure(way.get("amount")?)?,
            currency(way)?
        ))))
    };
    let ways = ways.iter().map(way).collect::<Option<Vec<_>>>()?;
    (!ways.is_empty()).then_some(("Payment", ways))
}

fn figure(amount: &Value) -> Option<String> {
    match amount {
        Value::Number(number) => Some(in_cents(number.to_string())),
        Value::String(text) if text.chars().any(|c| c.is_ascii_digit()) => {
            text.chars().all(|c| c.is_ascii_digit() || ".,' -".contains(c)).then(|| text.clone())
        }
        _ => None,
    }
}

/// Completes the cents of an amount that has only tenths: 12.50.
fn in_cents(number: String) -> String {
    match number.split_once('.') {
        Some((_, places)) if places.len() == 1 => number + "0",
        _ => number,
    }
}

fn currency(members: &Map<String, Value>) -> Option<String> {
    let name = members.get("currency")?.as_str()?;
    (!name.is_empty() && name.len() <= 8 && name.chars().all(char::is_alphanumeric)).then(|| name.to_owned())
}

/// Returns the first of these members that is a name: on one line, and without anything that could pass for more.
fn named<'a>(members: &Map<String, Value>, names: &[&'a str]) -> Option<(&'a str, String)> {
    names.iter().find_map(|name| {
        let text = members.get(*name)?.as_str()?;
        let is_name = !text.trim().is_empty() && text.len() <= LONGEST && !text.contains([',', '\n', '·']);
        is_name.then(|| (*name, text.to_owned()))
    })
}
