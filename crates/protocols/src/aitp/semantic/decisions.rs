//! Choices that can be told apart, and links and prices that hold.

use std::borrow::Cow;
use std::collections::HashSet;

use holdpoint_core::Timestamp;
use holdpoint_core::text::{MAX_OPTIONS, quote};

use super::{expiry, links, sensitive};
use crate::aitp::document::{At, Kind};
use crate::aitp::finding::{Findings, Path};

/// How deep variants are looked at.
const DEEPEST: usize = 3;

pub(super) fn request(body: At<'_>, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
    for key in ["title", "description"] {
        sensitive::warn(body, key, path, found);
    }
    let Some(list) = body.get("options") else { return };
    let count = list.children().count();
    if too_many(count, path, found) {
        return;
    }
    let mut ids = HashSet::with_capacity(count);
    options(list, now, DEEPEST, &path.member("options"), &mut ids, found);
    // Those that share an id are taken down one by one, and soon are too many for that too.
    too_many(ids.len(), path, found);
}

/// Says so where there are more than a decision here can offer.
fn too_many(count: usize, path: &Path<'_>, found: &mut Findings) -> bool {
    if count > MAX_OPTIONS {
        let message =
            format!("has more than {MAX_OPTIONS}, variants counted, the most that can be offered here");
        found.semantic(&path.member("options"), message);
    }
    count > MAX_OPTIONS
}

fn options<'d>(
    list: At<'d>,
    now: Timestamp,
    depth: usize,
    path: &Path<'_>,
    ids: &mut HashSet<Cow<'d, str>>,
    found: &mut Findings,
) {
    if list.kind() != Kind::List {
        return;
    }
    for (place, option) in list.children().enumerate().filter(|(_, option)| option.kind() == Kind::Object) {
        let path = &path.item(place);
        // One walk for all of it: there may be thousands.
        for member in option.children() {
            if found.is_full() || ids.len() > MAX_OPTIONS {
                return;
            }
            if member.has_key("id") {
                id(member, path, ids, found);
                sensitive::warn_of(member, &path.member("id"), found);
            } else if member.has_key("image_url") {
                links::check_at(member, &path.member("image_url"), found);
            } else if member.has_key("url") {
                links::check_at(member, &path.member("url"), found);
            } else if member.has_key("quote") {
                quote_of(member, now, &path.member("quote"), found);
            } else if depth > 0 && member.has_key("variants") {
                options(member, now, depth - 1, &path.member("variants"), ids, found);
            }
        }
    }
}

/// Options and variants are chosen by id alone, so each must be the only one.
fn id<'d>(id: At<'d>, path: &Path<'_>, ids: &mut HashSet<Cow<'d, str>>, found: &mut Findings) {
    let Some(id) = id.text() else { return };
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
    if too_many(body.list("options").count(), path, found) {
        return;
    }
    let mut ids = HashSet::new();
    let list = path.member("options");
    for (place, option) in body.list("options").enumerate() {
        let path = &list.item(place);
        if let Some(given) = option.get("id") {
            id(given, path, &mut ids, found);
        }
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
