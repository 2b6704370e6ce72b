//! Checks that prices are still valid, and times are times.

use holdpoint_core::Timestamp;

use super::{amounts, decisions, expiry, links};
use crate::aitp::document::ValueRef;
use crate::aitp::finding::{Findings, Path};

pub(super) fn check(
    message: &str,
    body: ValueRef<'_>,
    now: Timestamp,
    path: &Path<'_>,
    found: &mut Findings,
) {
    match message {
        "quote" if body.get("payment_plans").is_some() => decisions::quote_of(body, now, path, found),
        "quote" => quote(body, now, path, found),
        "wrapped_quote" => {
            if let Some(original) = body.get("original_quote") {
                quote(original, now, &path.member("original_quote"), found);
            }
            let list = path.member("wrappers");
            for (place, wrapper) in body.list("wrappers").enumerate() {
                time(wrapper, &list.item(place), found);
            }
        }
        _ => {
            time(body, path, found);
            if let Some(amount) = body.get("amount") {
                amounts::payment(amount, "amount", path, found);
            }
            if let Some(amount) = body.get("payment_method").and_then(|method| method.get("amount")) {
                amounts::payment(amount, "amount", &path.member("payment_method"), found);
            }
            let list = path.member("details");
            for (place, detail) in body.list("details").enumerate() {
                let path = &list.item(place);
                links::check(detail, "url", path, found);
                if let Some(amount) = detail.get("amount") {
                    amounts::payment(amount, "amount", path, found);
                }
            }
        }
    }
}

fn quote(body: ValueRef<'_>, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
    if let Some(until) = body.get("expiration") {
        expiry(until, "expiration", now, path, found);
    }
    if body.list("payment_options").next().is_none() {
        found.semantic(&path.member("payment_options"), "is empty; there is no way to pay".into());
    }
    let list = path.member("payment_options");
    for (place, option) in body.list("payment_options").enumerate() {
        let path = &list.item(place);
        if let Some(amount) = option.get("amount") {
            amounts::price(amount, "amount", path, found);
        }
        if option.list("payment_methods").next().is_none() {
            found.warn(&path.member("payment_methods"), "is empty; there is no way to pay so".into());
        }
        if found.is_full() {
            return;
        }
    }
    if let Some(share) = body.get("revenue_share")
        && let Some(points) = share.get("affiliate_share_bps").and_then(ValueRef::number)
        && !(0.0..=10_000.0).contains(&points)
    {
        let path = path.member("revenue_share");
        let message = format!("{points} must be from 0 to 10000, hundredths of a per cent");
        found.semantic(&path.member("affiliate_share_bps"), message);
    }
}

fn time(at: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    if let Some(Err(why)) = at.text_of("timestamp").map(|text| text.parse::<Timestamp>()) {
        found.semantic(&path.member("timestamp"), why);
    }
}
