//! The cost of a request for money: every way to pay it, the payee, and what recurs. A person reads this in the title
//! and, if there are several ways, chooses one.

use holdpoint_core::Opt;
use holdpoint_core::text::inert_line;

use crate::aitp::message::Body;
use crate::aitp::message::decisions::{PaymentPlan, Quote};
use crate::aitp::message::payments::PaymentOption;

/// How many characters of a name or an amount a title shows.
const LONGEST: usize = 60;
/// How many ways to pay a title lists; the options have all.
const LISTED: usize = 3;

/// Returns the payee of a request, and the ways to pay; none if it does not ask for money.
pub(super) fn ways(body: &Body) -> Option<(String, Vec<String>)> {
    let of_options = |options: &[PaymentOption]| -> Vec<String> {
        options.iter().map(|way| money(way.amount.as_deref(), &way.currency)).collect()
    };
    match body {
        Body::Quote(price) => Some((short(&price.merchant_id), of_options(&price.payment_options))),
        Body::WrappedQuote(wrapped) => {
            let price = &wrapped.original_quote;
            Some((short(&price.merchant_id), of_options(&price.payment_options)))
        }
        Body::LegacyQuote(price) => Some((short(&price.payee_id), plans(price))),
        Body::TopUpRequest(top_up) => {
            let way = money(top_up.amount.as_deref(), &top_up.currency);
            Some((short(&top_up.merchant_id), vec![way]))
        }
        _ => None,
    }
}

/// Writes the title of a question about money: how much, in which currency, to whom, and what recurs.
pub(super) fn title(does: &str, payee: &str, ways: &[String]) -> String {
    match ways {
        [] => format!("{does} what {payee} asks for?"),
        several => {
            let more = if several.len() > LISTED { " or …" } else { "" };
            let listed: Vec<&str> = several.iter().take(LISTED).map(String::as_str).collect();
            format!("{does} {}{more} to {payee}?", listed.join(" or "))
        }
    }
}

/// Offers each way to pay; a single one is simply approved.
pub(super) fn options(ways: &[String]) -> Vec<Opt> {
    match ways {
        [] | [_] => vec![Opt::new("approve", "Approve")],
        several => {
            let offer =
                |(at, way): (usize, &String)| Opt::new(format!("approve-{}", at + 1), format!("Pay {way}"));
            several.iter().enumerate().map(offer).collect()
        }
    }
}

fn plans(price: &Quote) -> Vec<String> {
    let plan = |plan: &PaymentPlan| {
        let cost = money(Some(&plan.amount.to_string()), &plan.currency);
        let mut recurs: Vec<String> = vec![short(&plan.plan_type)];
        let details =
            plan.extra.iter().filter(|(name, _)| name.contains("recur") || name.contains("interval"));
        for (_, detail) in details {
            super::facts(detail, &mut |name, value| {
                recurs.push(short(&format!("{name} {value}")));
                recurs.len() < LISTED
            });
        }
        // A single payment needs no note if it is the only way.
        match &recurs[..] {
            [once] if once == "one-time" && price.payment_plans.len() == 1 => cost,
            _ => format!("{cost} ({})", recurs.join(", ").trim()),
        }
    };
    price.payment_plans.iter().map(plan).collect()
}

fn money(amount: Option<&str>, currency: &str) -> String {
    let amount = amount.map_or_else(|| "an open amount of".to_owned(), short);
    format!("{amount} {}", short(currency))
}

fn short(text: &str) -> String {
    let line = inert_line(text);
    let cut: String = line.chars().take(LONGEST).collect();
    if cut.len() < line.len() { format!("{cut}…") } else { line }
}
