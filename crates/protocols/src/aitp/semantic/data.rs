//! Whether forms can be filled in.

use std::borrow::Cow;
use std::collections::HashSet;

use holdpoint_core::field::{self, Field};
use holdpoint_core::text::{MAX_FIELDS, MAX_OPTIONS, quote};
use serde_json::Value;

use super::{links, sensitive};
use crate::aitp::document::ValueRef;
use crate::aitp::finding::{Findings, Path};

pub(super) fn request(body: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    for key in ["title", "description"] {
        sensitive::warn(body, key, path, found);
    }
    let Some(form) = body.get("form") else { return };
    let path = &path.member("form");
    if form.get("fields").is_none() && form.get("json_url").is_none() {
        found.semantic(path, "has neither fields nor json_url; nobody can fill it in".into());
    }
    links::check(form, "json_url", path, found);
    let list = path.member("fields");
    if too_many(form, &list, found) {
        return;
    }
    let mut ids = HashSet::new();
    for (place, field) in form.list("fields").enumerate() {
        let path = &list.item(place);
        id(field, path, &mut ids, found);
        sensitive::warn(field, "id", path, found);
        choices(field, path, found);
        default(field, path, found);
        if found.is_full() {
            return;
        }
    }
}

/// Reports a form with more fields than a decision here can have, which are then not checked one by one.
fn too_many(form: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) -> bool {
    let many = if form.list("fields").count() > MAX_FIELDS {
        Some(format!("has more than {MAX_FIELDS}, the most that can be asked here"))
    } else {
        let options = form.list("fields").map(|field| field.list("options").count()).sum::<usize>();
        (options > MAX_OPTIONS)
            .then(|| format!("has more than {MAX_OPTIONS} options in all, the most that can be offered here"))
    };
    let is = many.is_some();
    if let Some(why) = many {
        found.semantic(path, why);
    }
    is
}

pub(super) fn data(body: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    let list = path.member("fields");
    if too_many(body, &list, found) {
        return;
    }
    let mut ids = HashSet::new();
    for (place, field) in body.list("fields").enumerate() {
        id(field, &list.item(place), &mut ids, found);
        if found.is_full() {
            return;
        }
    }
}

fn id<'d>(field: ValueRef<'d>, path: &Path<'_>, ids: &mut HashSet<Cow<'d, str>>, found: &mut Findings) {
    let Some(id) = field.text_of("id") else { return };
    let path = &path.member("id");
    if id.is_empty() {
        found.semantic(path, "is empty; a field needs an id to be answered by".into());
    }
    if let Some(known) = ids.replace(id) {
        found.semantic(path, format!("{} occurs twice; ids must differ", quote(&known)));
    }
}

fn choices(field: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    if field.text_of("type").as_deref() == Some("select") && field.list("options").next().is_none() {
        found.semantic(path, "a select needs options to choose from".into());
    }
}

/// Checks that the default of a field is a valid value of it.
fn default(field: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    let Some(given) = field.text_of("default_value").filter(|given| !given.trim().is_empty()) else { return };
    let plain = |kind| Field::new("it", kind, "it");
    let wrong = match field.text_of("type").as_deref() {
        Some("number") if !given.trim().parse::<f64>().is_ok_and(f64::is_finite) => {
            Err(format!("{} is not a number", quote(&given)))
        }
        Some("email") => taken(&plain(field::Kind::Email), &given),
        Some("tel") => taken(&plain(field::Kind::Tel), &given),
        Some("select") if field.list("options").all(|option| option.text().as_ref() != Some(&given)) => {
            Err(format!("{} is not among the options", quote(&given)))
        }
        _ => Ok(()),
    };
    if let Err(why) = wrong {
        found.semantic(&path.member("default_value"), why);
    }
}

fn taken(field: &Field, given: &str) -> Result<(), String> {
    field::check(field, &Value::from(given)).map(|_| ())
}
