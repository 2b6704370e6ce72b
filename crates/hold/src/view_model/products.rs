//! Products on offer: what they cost, and until when.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Opt, Timestamp};
use serde_json::Value;

use super::wording;

/// Returns whether an option's price has expired.
pub(crate) fn is_expired(option: &Opt, base: Option<&Opt>, now: Timestamp) -> bool {
    let quote = option.quote.as_ref().or_else(|| base?.quote.as_ref());
    let until = quote.and_then(|quote| quote.get("valid_until")?.as_str()?.parse::<Timestamp>().ok());
    until.is_some_and(|until| until <= now)
}

/// Returns the price of a product, for each plan of its quote.
pub(crate) fn price(option: &Opt) -> Option<String> {
    const SHOWN: usize = 5;
    let plans = option.quote.as_ref()?.get("payment_plans")?.as_array()?;
    let kind =
        |plan: &Value| plan.get("plan_type").and_then(Value::as_str).map(inert_line).unwrap_or_default();
    let shown: Vec<String> = match &plans[..] {
        [one] => vec![cost(one)?],
        several => several
            .iter()
            .take(SHOWN)
            .filter_map(|plan| Some(format!("{} {}", cost(plan)?, kind(plan))))
            .collect(),
    };
    let more = if plans.len() > SHOWN { " or …" } else { "" };
    (!shown.is_empty()).then(|| wording::short(&format!("{}{more}", shown.join(" or ")), 200))
}

fn cost(plan: &Value) -> Option<String> {
    let amount = match plan.get("amount")? {
        Value::Number(number) => in_cents(&number.to_string()),
        Value::String(text) => inert_line(text),
        _ => return None,
    };
    let currency = plan.get("currency").and_then(Value::as_str).unwrap_or_default();
    Some(wording::short(&format!("{amount} {currency}"), 40))
}

/// Formats an amount with two decimal places, or more if it has more: what is shown is what is paid.
fn in_cents(number: &str) -> String {
    match number.split_once('.') {
        _ if number.contains('e') => number.to_owned(),
        Some((_, places)) if places.len() >= 2 => number.to_owned(),
        Some(_) => format!("{number}0"),
        None => format!("{number}.00"),
    }
}

/// Returns the product's rating.
pub(crate) fn rating(option: &Opt) -> Option<String> {
    let rating = option.rating?;
    let reviews = match option.reviews_count {
        None => String::new(),
        Some(1) => ", 1 review".to_owned(),
        Some(count) => format!(", {count} reviews"),
    };
    Some(format!("{rating} of 5{reviews}"))
}

/// Returns until when a price is valid.
pub(crate) fn valid_until(option: &Opt) -> Option<Timestamp> {
    option.quote.as_ref()?.get("valid_until")?.as_str()?.parse().ok()
}
