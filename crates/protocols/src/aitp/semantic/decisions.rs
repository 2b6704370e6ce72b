//! Choices that can be told apart, and links and prices that hold.

use std::borrow::Cow;
use std::collections::HashSet;

use holdpoint_core::Timestamp;
use holdpoint_core::text::quote;

use super::{expiry, links, sensitive};
use crate::aitp::document::{At, Kind};
use crate::aitp::finding::{Findings, Path};

/// How deep variants are looked at.
const DEEPEST: usize = 3;

pub(super) fn request(body: At<'_>, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
    for key in ["title", "description"] {
        sensitive::warn(body, key, path, found);
    }
    let mut ids = HashSet::new();
    options(body, "options", now, DEEPEST, path, &mut ids, found);
}

fn options<'d>(
    at: At<'d>,
    key: &str,
    now: Timestamp,
    depth: usize,
    path: &Path<'_>,
    ids: &mut HashSet<Cow<'d, str>>,
    found: &mut Findings,
) {
    let list = path.member(key);
    for (place, option) in at.list(key).enumerate().filter(|(_, option)| option.kind() == Kind::Object) {
        let path = &list.item(place);
        id(option, path, ids, found);
        sensitive::warn(option, "id", path, found);
        for key in ["image_url", "url"] {
            links::check(option, key, path, found);
        }
        if let Some(price) = option.get("quote") {
            quote_of(price, now, &path.member("quote"), found);
        }
        if depth > 0 {
            options(option, "variants", now, depth - 1, path, ids, found);
        }
        if found.is_full() {
            return;
        }
    }
}

/// Options and variants are chosen by id alone, so each must be the only one.
fn id<'d>(option: At<'d>, path: &Path<'_>, ids: &mut HashSet<Cow<'d, str>>, found: &mut Findings) {
    let Some(id) = option.text_of("id") else { return };
    let path = &path.member("id");
    if id.is_empty() {
        found.semantic(path, "is empty; an option needs an id to be chosen by".into());
    }
    if let Some(known) = ids.replace(id) {
        let message = format!("{} stands twice; ids must differ over options and variants", quote(&known));
        found.semantic(path, message);
    }
}

/// Looks at a price as decisions and older payments have it.
pub(super) fn quote_of(price: At<'_>, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
    expiry(price, "valid_until", now, path, found);
    let plans = path.member("payment_plans");
    for (place, plan) in price.list("payment_plans").enumerate() {
        if plan.get("amount").and_then(At::number).is_some_and(|amount| amount < 0.0) {
            found.semantic(&plans.item(place).member("amount"), "is less than nothing".into());
        }
    }
}

/// Looks at what was chosen, as far as that can be done without what was asked.
pub(super) fn decision(body: At<'_>, path: &Path<'_>, found: &mut Findings) {
    let mut ids = HashSet::new();
    let list = path.member("options");
    for (place, option) in body.list("options").enumerate() {
        let path = &list.item(place);
        id(option, path, &mut ids, found);
        if let Some(quantity) = option.get("quantity").and_then(At::number)
            && (quantity.fract() != 0.0 || quantity < 1.0)
        {
            found.semantic(&path.member("quantity"), format!("{quantity} must be a whole number from 1"));
        }
        if found.is_full() {
            return;
        }
    }
}
