//! Whether options can be distinguished, and links and prices are valid.

use std::borrow::Cow;
use std::collections::HashSet;

use holdpoint_core::Timestamp;
use holdpoint_core::text::{MAX_OPTIONS, quote};

use super::{amounts, expiry, links, sensitive};
use crate::aitp::document::{Kind, Name, ValueRef};
use crate::aitp::finding::{Findings, Path};
use crate::aitp::rules::names::name;

const ID: Name = name("id");
const IMAGE_URL: Name = name("image_url");
const URL: Name = name("url");
const QUOTE: Name = name("quote");
const REVIEWS_COUNT: Name = name("reviews_count");
const VARIANTS: Name = name("variants");
const VALID_UNTIL: Name = name("valid_until");
const PAYMENT_PLANS: Name = name("payment_plans");
const AMOUNT: Name = name("amount");

/// How deep variants are checked.
const DEEPEST: usize = 3;

pub(super) fn request(body: ValueRef<'_>, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
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
    // Options that share an id are reported one by one, which soon is too many.
    too_many(ids.len(), path, found);
}

/// Reports more options than a decision here can offer.
fn too_many(count: usize, path: &Path<'_>, found: &mut Findings) -> bool {
    if count > MAX_OPTIONS {
        let message =
            format!("has more than {MAX_OPTIONS}, variants counted, the most that can be offered here");
        found.semantic(&path.member("options"), message);
    }
    count > MAX_OPTIONS
}

fn options<'d>(
    list: ValueRef<'d>,
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
        // A single pass over all of it: there may be thousands.
        for member in option.children() {
            if found.is_full() || ids.len() > MAX_OPTIONS {
                return;
            }
            match member.name() {
                ID => {
                    id(member, path, ids, found);
                    sensitive::warn_of(member, "id", path, found);
                }
                IMAGE_URL => links::check_at(member, "image_url", path, found),
                URL => links::check_at(member, "url", path, found),
                QUOTE => quote_of(member, now, &path.member("quote"), found),
                REVIEWS_COUNT => amounts::count(member, "reviews_count", path, found),
                VARIANTS if depth > 0 => {
                    options(member, now, depth - 1, &path.member("variants"), ids, found);
                }
                _ => {}
            }
        }
    }
}

/// Checks that an id is unique: options and variants are chosen by id alone.
fn id<'d>(id: ValueRef<'d>, path: &Path<'_>, ids: &mut HashSet<Cow<'d, str>>, found: &mut Findings) {
    let Some(id) = id.text() else { return };
    if id.is_empty() {
        found.semantic(&path.member("id"), "is empty; an option needs an id to be chosen by".into());
    }
    if let Some(known) = ids.replace(id) {
        let message = format!("{} occurs twice; ids must differ over options and variants", quote(&known));
        found.semantic(&path.member("id"), message);
    }
}

/// Checks a price in the form of decisions and older payments.
pub(super) fn quote_of(price: ValueRef<'_>, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
    for member in price.children() {
        match member.name() {
            VALID_UNTIL => expiry(member, "valid_until", now, path, found),
            PAYMENT_PLANS => plans(member, &path.member("payment_plans"), found),
            _ => {}
        }
    }
}

fn plans(list: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    if list.kind() == Kind::List && list.children().next().is_none() {
        found.warn(path, "is empty; there is no price".into());
    }
    for (place, plan) in list.children().enumerate() {
        for amount in plan.children().filter(|member| member.name() == AMOUNT) {
            amounts::price(amount, "amount", &path.item(place), found);
        }
    }
}

/// Checks what was chosen, as far as possible without the question.
pub(super) fn decision(body: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
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
        if let Some(quantity) = option.get("quantity") {
            amounts::quantity(quantity, "quantity", path, found);
        }
        if found.is_full() {
            return;
        }
    }
}
