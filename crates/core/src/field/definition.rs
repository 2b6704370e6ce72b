//! Checks the definition of fields and options before a decision is asked: ids, options, bounds, prefilled values.

use std::collections::HashSet;

use serde_json::Value;

use super::format::{civil, shape};
use super::value::{self, show};
use super::{Field, Kind, Opt, OptionsFrom};
use crate::form::Condition;
use crate::json;
use crate::refusal::FieldError;
use crate::text::{
    MAX_FIELDS, MAX_LABEL, MAX_OPTIONS, MAX_OUTS, MAX_PROMPT, check_length, check_name, quote,
};

/// The option that core itself adds from the second round.
pub const ACCEPT: &str = "_accept";

/// How deep variants may nest below an option.
const VARIANT_DEPTH: usize = 3;

/// Completes fields (labels, normalized prefilled values) and collects one fault for each wrong field.
pub fn complete(fields: &mut [Field], faults: &mut Vec<FieldError>) {
    if fields.is_empty() {
        faults.push(FieldError::new("fields", "at least one field must be asked"));
    }
    let mut ids = HashSet::new();
    for field in fields.iter_mut() {
        let before = faults.len();
        if !ids.insert(field.id.clone()) {
            faults.push(FieldError::new(&field.id, "this field id occurs twice; ids must differ"));
        }
        complete_field(field, faults);
        // One message per field is enough to act on; a field might have ten thousand wrong options.
        faults.truncate(before + 1);
    }
}

/// Completes options (labels) and collects every fault in them: ids present, not reserved, unique over variants.
pub fn complete_options(place: &str, options: &mut [Opt], faults: &mut Vec<FieldError>) {
    let mut ids = HashSet::new();
    for option in options {
        complete_option(place, option, VARIANT_DEPTH, &mut ids, faults);
    }
}

/// Checks the number of fields, of options over all fields (variants included), and of outs.
pub fn check_count(fields: &[Field], outs: &[Opt], faults: &mut Vec<FieldError>) {
    if fields.len() > MAX_FIELDS {
        faults.push(FieldError::new(
            "fields",
            format!("{} fields; at most {MAX_FIELDS} are allowed", fields.len()),
        ));
    }
    let count = fields.iter().flat_map(Field::all_options).count();
    if count > MAX_OPTIONS {
        faults.push(FieldError::new(
            "fields",
            format!("offer {count} options; at most {MAX_OPTIONS} are allowed"),
        ));
    }
    let count = outs.iter().flat_map(Opt::with_variants).count();
    if count > MAX_OUTS {
        faults.push(FieldError::new("outs", format!("{count} outs; at most {MAX_OUTS} are allowed")));
    }
}

fn complete_field(field: &mut Field, faults: &mut Vec<FieldError>) {
    let before = faults.len();
    let id = if field.id.is_empty() { "fields".to_owned() } else { field.id.clone() };
    check_id("field id", &id, &field.id, faults);
    if field.label.trim().is_empty() {
        field.label.clone_from(&field.id);
    }
    for (what, text, limit) in
        [("label", Some(&field.label), MAX_LABEL), ("description", field.description.as_ref(), MAX_PROMPT)]
    {
        if let Err(why) = check_length(text.map_or("", String::as_str), limit) {
            faults.push(FieldError::new(&id, format!("{what} {why}")));
        }
    }
    complete_options(&id, &mut field.options, faults);
    for wrong in [settle(field), check_kind(field), check_bounds(field)] {
        faults.extend(wrong.err().map(|why| FieldError::new(&id, why)));
    }
    if let Some(default) = &field.default
        && faults.len() == before
    {
        match value::check(field, default) {
            Ok(kept) => field.default = Some(kept),
            Err(why) => faults.push(FieldError::new(&id, format!("default: {why}"))),
        }
    }
}

fn complete_option(
    place: &str,
    option: &mut Opt,
    depth: usize,
    ids: &mut HashSet<String>,
    faults: &mut Vec<FieldError>,
) {
    check_id("option id", place, &option.id, faults);
    let name = || quote(&option.id);
    if !ids.insert(option.id.clone()) {
        faults.push(FieldError::new(place, format!("option id {} occurs twice; ids must differ", name())));
    }
    if option.label.trim().is_empty() {
        option.label.clone_from(&option.id);
    }
    let mut fault = |why: String| faults.push(FieldError::new(place, format!("option {}: {why}", name())));
    for (what, text, limit) in [
        ("label", Some(&option.label), MAX_LABEL),
        ("short", option.short.as_ref(), MAX_LABEL),
        ("description", option.description.as_ref(), MAX_PROMPT),
        ("image_url", option.image_url.as_ref(), MAX_LABEL),
        ("url", option.url.as_ref(), MAX_LABEL),
    ] {
        if let Err(why) = check_length(text.map_or("", String::as_str), limit) {
            fault(format!("{what} {why}"));
        }
    }
    for (what, settled) in [
        ("quote", option.quote.as_mut().map_or(Ok(()), json::settle)),
        ("extra", json::settle_map(&mut option.extra)),
    ] {
        settled.unwrap_or_else(|why| fault(format!("{what}: {why}")));
    }
    if option.rating.is_some_and(|rating| !(0.0..=5.0).contains(&rating)) {
        fault("rating must be between 0 and 5".into());
    }
    if option.reviews_count.is_some_and(|count| json::whole_number(&count.into()).is_none()) {
        fault("reviews_count is beyond 2^53, where numbers lose digits".into());
    }
    if !option.variants.is_empty() && depth == 0 {
        fault(format!("variants nest deeper than {VARIANT_DEPTH}"));
        return;
    }
    for variant in &mut option.variants {
        complete_option(place, variant, depth - 1, ids, faults);
    }
}

fn check_id(what: &str, place: &str, id: &str, faults: &mut Vec<FieldError>) {
    if let Err(why) = check_name(id) {
        faults.push(FieldError::new(place, format!("{what} {} {why}", quote(id))));
    } else if id.starts_with('_') {
        faults.push(FieldError::new(
            place,
            format!("{what} {} is reserved: ids must not start with _", quote(id)),
        ));
    }
}

/// Normalizes all free JSON in a field.
fn settle(field: &mut Field) -> Result<(), String> {
    for (key, value) in [("default", &mut field.default), ("min", &mut field.min), ("max", &mut field.max)] {
        value.as_mut().map_or(Ok(()), json::settle).map_err(|why| format!("{key}: {why}"))?;
    }
    json::settle_map(&mut field.extra).map_err(|why| format!("extra: {why}"))?;
    if let Some(from) = &mut field.options_from {
        json::settle_map(&mut from.args).map_err(|why| format!("options_from: {why}"))?;
    }
    let condition = field.visible_if.as_mut();
    condition.map_or(Ok(()), Condition::settle).map_err(|why| format!("visible_if: {why}"))
}

/// Checks that a field has what its kind needs, and nothing that its kind does not use.
fn check_kind(field: &Field) -> Result<(), String> {
    let kind = field.kind.name();
    if field.custom && !field.kind.takes_custom() {
        return Err(format!("custom is for choice and choices, not for {kind}"));
    }
    match &field.options_from {
        Some(from) if field.kind.picks() => return check_options_from(from),
        Some(_) => return Err(format!("options_from is for fields with options, not for {kind}")),
        None => {}
    }
    if field.kind.picks() && field.options.is_empty() && !field.custom {
        return Err(format!("a {kind} field needs at least one option"));
    }
    if !field.kind.picks() && !field.options.is_empty() {
        return Err(format!("{} field takes no options; use choice or choices", field.kind.with_article()));
    }
    Ok(())
}

fn check_options_from(from: &OptionsFrom) -> Result<(), String> {
    check_name(&from.tool).map_err(|why| format!("options_from: tool {} {why}", quote(&from.tool)))?;
    let path = from.path.as_deref().unwrap_or_default();
    if !path.is_empty() && !path.starts_with('/') {
        let right = format!("/{path}");
        return Err(format!("options_from: path {} must begin with a slash: {}", quote(path), quote(&right)));
    }
    check_length(path, MAX_LABEL).map_err(|why| format!("options_from: path {why}"))
}

fn check_bounds(field: &Field) -> Result<(), String> {
    for (name, bound) in [("min", &field.min), ("max", &field.max)] {
        let Some(bound) = bound else { continue };
        let right = match field.kind {
            Kind::Number => bound.is_number(),
            Kind::Integer => bound.is_i64(),
            Kind::Choices | Kind::Products => bound.as_u64().is_some(),
            kind if kind.is_text() => bound.as_u64().is_some(),
            kind if kind.is_temporal() => bound.as_str().is_some_and(|text| civil(kind, text).is_ok()),
            _ => false,
        };
        if !right {
            let (kind, right) = (field.kind.name(), bound_of(field.kind));
            return Err(format!(
                "{name} {} does not fit a field of kind {kind}, which takes {right}",
                show(bound)
            ));
        }
    }
    for (name, exclusive, bound) in
        [("min", field.exclusive_min, &field.min), ("max", field.exclusive_max, &field.max)]
    {
        if exclusive && (bound.is_none() || !matches!(field.kind, Kind::Number | Kind::Integer)) {
            return Err(format!("exclusive_{name} goes with the {name} of a number"));
        }
    }
    let crossed = match (&field.min, &field.max) {
        (Some(Value::Number(min)), Some(Value::Number(max))) => {
            if (field.exclusive_min || field.exclusive_max) && min.as_f64() == max.as_f64() {
                return Err("min and max leave no value".into());
            }
            min.as_f64() > max.as_f64()
        }
        (Some(Value::String(min)), Some(Value::String(max))) => min > max,
        _ => false,
    };
    if crossed {
        return Err("min is greater than max".into());
    }
    let offered = field.all_options().count() as u64;
    let open = field.custom || field.options_from.is_some();
    match field.min.as_ref().and_then(Value::as_u64) {
        Some(min) if field.kind.picks() && !open && min > offered => {
            Err(format!("min {min} is more than there are options ({offered})"))
        }
        _ => Ok(()),
    }
}

/// Describes the bounds that a kind takes.
fn bound_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "a number",
        Kind::Integer => "a whole number",
        Kind::Choices | Kind::Products => "a count from 0",
        kind if kind.is_text() => "a length from 0",
        kind if kind.is_temporal() => shape(kind),
        _ => "no bounds",
    }
}
