//! Reads the controls of a form as values, each in the shape of its kind. Invalid values stay as they are, so that
//! the validator can report why.

use std::collections::HashSet;

use holdpoint_core::{Decision, Field, FieldError, Kind, Timestamp, Values, form};
use serde_json::{Value, json};

use super::form_values::{
    CUSTOM, FormValues, NONE, place_name, quantity_name, text_name, value_name, variant_name,
};
use super::{products, wording};

/// The contents of a form.
#[derive(Debug)]
pub(crate) struct FormContents {
    /// Values as they were given, valid or not.
    pub(crate) values: Values,
    /// Errors, at most one per field.
    pub(crate) faults: Vec<FieldError>,
}

/// Fields with more options than this get a search box instead of buttons.
pub(crate) const FEW: usize = 12;

/// A field that is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenField<'a> {
    /// The field.
    pub(crate) field: &'a Field,
    /// Its index among all fields.
    pub(crate) at: usize,
}

/// Lists the fields that are asked, given the values so far.
pub(crate) fn asked<'a>(decision: &'a Decision, filled: &FormValues, now: Timestamp) -> Vec<OpenField<'a>> {
    let conditional = decision.fields.iter().any(|field| field.visible_if.is_some());
    let seen: Option<HashSet<&str>> = conditional.then(|| {
        let said = some(decision, filled, now);
        let values = form::accept_draft(&decision.fields, &said.values).values;
        form::visible(&decision.fields, &values).iter().map(|field| field.id.as_str()).collect()
    });
    let is_seen = |field: &Field| seen.as_ref().is_none_or(|seen| seen.contains(field.id.as_str()));
    let fields = decision.fields.iter().enumerate().filter(|(_, field)| is_seen(field));
    fields.map(|(at, field)| OpenField { field, at }).collect()
}

/// Returns whether choosing an option sends the answer: the only field is one of a few buttons.
pub(crate) fn sends(decision: &Decision) -> bool {
    matches!(decision.fields.as_slice(), [only] if only.kind == Kind::Confirm && only.options.len() <= FEW)
}

/// Reads a whole form, and checks it as the core will.
pub(crate) fn whole(decision: &Decision, filled: &FormValues, now: Timestamp) -> FormContents {
    let mut said = some(decision, filled, now);
    let checked = form::accept(&decision.fields, &said.values);
    for fault in checked.faults {
        if !said.faults.iter().any(|known| known.field == fault.field) {
            said.faults.push(fault);
        }
    }
    let seen: Vec<&str> =
        form::visible(&decision.fields, &checked.values).iter().map(|field| field.id.as_str()).collect();
    said.faults.retain(|fault| seen.contains(&fault.field.as_str()));
    said
}

/// Reads the values that are there; all may be missing.
pub(crate) fn some(decision: &Decision, filled: &FormValues, now: Timestamp) -> FormContents {
    let mut said = FormContents { values: Values::new(), faults: Vec::new() };
    for field in &decision.fields {
        match read(field, filled, now) {
            Ok(Some(value)) => {
                said.values.insert(field.id.clone(), value);
            }
            Ok(None) => {}
            Err(why) => said.faults.push(FieldError::new(&field.id, why)),
        }
    }
    said
}

fn read(field: &Field, filled: &FormValues, now: Timestamp) -> Result<Option<Value>, String> {
    let text = filled.one(&value_name(field));
    let trimmed = text.trim();
    let some = |value: Value| Ok(Some(value));
    match field.kind {
        Kind::Choice | Kind::Confirm => one(field, filled),
        Kind::Choices => Ok(several(field, filled)),
        Kind::Products => bought(field, filled, now),
        Kind::Location => {
            let parts = ["lat", "lng"].map(|part| filled.one(&place_name(part, field)).trim());
            if parts == ["", ""] {
                return Ok(None);
            }
            some(json!({ "lat": number(parts[0]), "lng": number(parts[1]) }))
        }
        _ if trimmed.is_empty() || trimmed == NONE => Ok(None),
        Kind::Multiline => some(text.replace("\r\n", "\n").into()),
        Kind::Text => some(text.into()),
        // A number is passed on as it was typed: its notation is kept with the answer.
        Kind::Email | Kind::Tel | Kind::Url | Kind::Date | Kind::Number | Kind::Integer => {
            some(trimmed.into())
        }
        Kind::Boolean => match trimmed {
            "true" => some(true.into()),
            "false" => some(false.into()),
            other => some(other.into()),
        },
        // Browsers omit the seconds if they are zero.
        Kind::Time | Kind::Datetime => {
            let trimmed = trimmed.replacen(' ', "T", 1);
            let time = trimmed.rsplit('T').next().unwrap_or_default();
            let seconds = if time.len() == 5 { ":00" } else { "" };
            some(format!("{trimmed}{seconds}").into())
        }
    }
}

fn one(field: &Field, filled: &FormValues) -> Result<Option<Value>, String> {
    let picked = filled.one(&value_name(field));
    let words = filled.one(&text_name(field));
    match (picked, words.trim()) {
        ("" | NONE, "") => Ok(None),
        (CUSTOM | "", _) => Ok(Some(json!({ "text": words.replace("\r\n", "\n") }))),
        (_, words) if !words.is_empty() && field.custom => {
            Err("you chose an option and wrote your own words: clear one of them".into())
        }
        (picked, _) => Ok(Some(picked.into())),
    }
}

fn several(field: &Field, filled: &FormValues) -> Option<Value> {
    let picked =
        filled.all(&value_name(field)).iter().filter(|id| ![CUSTOM, NONE, ""].contains(&id.as_str()));
    let mut items: Vec<Value> = picked.map(|id| id.as_str().into()).collect();
    let words = filled.one(&text_name(field));
    if !words.trim().is_empty() {
        items.push(json!({ "text": words.replace("\r\n", "\n") }));
    }
    (!items.is_empty()).then_some(Value::Array(items))
}

fn bought(field: &Field, filled: &FormValues, now: Timestamp) -> Result<Option<Value>, String> {
    let mut items = Vec::new();
    for product in filled.all(&value_name(field)) {
        let variant = filled.one(&variant_name(field, product));
        let id = if variant.is_empty() { product } else { variant };
        let expired = field.option(id).is_some_and(|option| {
            let base = field.options.iter().find(|base| base.id == *product);
            products::is_expired(option, base, now)
        });
        // An option whose price has expired is chosen but not bought, so its quantity does not count.
        let quantity = if expired { "" } else { filled.one(&quantity_name(field, product)).trim() };
        items.push(
            json!({ "id": id, "quantity": if quantity.is_empty() { json!(1) } else { number(quantity) } }),
        );
        items.extend(further(field, filled, product, id)?);
    }
    Ok((!items.is_empty()).then_some(Value::Array(items)))
}

/// Reads the quantities of further variants of a product, next to the variant that was picked.
fn further(field: &Field, filled: &FormValues, product: &str, picked: &str) -> Result<Vec<Value>, String> {
    let base = field.options.iter().find(|base| base.id == product);
    let mut wanted = Vec::new();
    for variant in base.into_iter().flat_map(|base| base.with_variants().skip(1)) {
        let quantity = filled.one(&quantity_name(field, &variant.id)).trim();
        if quantity.is_empty() || quantity == "0" {
            continue;
        }
        if variant.id == picked {
            let name = wording::short(variant.brief(), 80);
            return Err(format!("the quantity of {name} is given twice: clear one of the two"));
        }
        wanted.push(json!({ "id": variant.id, "quantity": number(quantity) }));
    }
    Ok(wanted)
}

/// Reads a number; invalid input stays as it was typed, so that the message can quote it.
fn number(text: &str) -> Value {
    let whole = text.parse::<i64>().ok().map(Value::from);
    let float = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    whole.or_else(float).unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::Opt;

    fn field(kind: Kind) -> Field {
        let options = vec![Opt::new("a", "A"), Opt::new("b", "B")];
        let custom = kind.takes_custom();
        Field { custom, options: if kind.picks() { options } else { vec![] }, ..Field::new("x", kind, "X") }
    }

    fn check(kind: Kind, sent: &str) -> Result<Option<Value>, String> {
        read(
            &field(kind),
            &FormValues::of_pairs(&form_urlencoded::parse(sent.as_bytes()).into_owned().collect::<Vec<_>>()),
            Timestamp::from_millis(0),
        )
    }

    #[test]
    fn controls_become_values() {
        for (kind, sent, expected) in [
            (Kind::Choice, "v:x=a", json!("a")),
            (Kind::Choice, "v:x=_custom&t:x=own+words", json!({"text": "own words"})),
            (Kind::Choice, "t:x=own", json!({"text": "own"})),
            (Kind::Choices, "v:x=a&v:x=b&t:x=c", json!(["a", "b", {"text": "c"}])),
            (Kind::Confirm, "v:x=b", json!("b")),
            (Kind::Products, "v:x=a&q:1:x:a=3", json!([{"id": "a", "quantity": 3}])),
            (Kind::Products, "v:x=a&o:1:x:a=b&q:1:x:a=", json!([{"id": "b", "quantity": 1}])),
            (Kind::Multiline, "v:x=a%0D%0Ab", json!("a\nb")),
            (Kind::Email, "v:x=+a@b.de+", json!("a@b.de")),
            (Kind::Number, "v:x= 1.50 ", json!("1.50")),
            (Kind::Number, "v:x=NaN", json!("NaN")),
            (Kind::Integer, "v:x=7", json!("7")),
            (Kind::Boolean, "v:x=false", json!(false)),
            (Kind::Time, "v:x=09:30", json!("09:30:00")),
            (Kind::Datetime, "v:x=2026-03-02T09:30", json!("2026-03-02T09:30:00")),
            (Kind::Location, "lat:x=1&lng:x=2.5", json!({"lat": 1, "lng": 2.5})),
        ] {
            assert_eq!(check(kind, sent), Ok(Some(expected)), "{sent}");
        }
    }

    /// Several variants of one product can be chosen at once, and are shown again as they were chosen.
    #[test]
    fn several_variants_of_one_product() {
        let mut field = field(Kind::Products);
        field.options[0].variants = vec![Opt::new("a1", "A1"), Opt::new("a2", "A2")];
        let sent = "v:x=a&o:1:x:a=a1&q:1:x:a=2&q:1:x:a2=3";
        let pairs: Vec<_> = form_urlencoded::parse(sent.as_bytes()).into_owned().collect();
        let now = Timestamp::from_millis(0);
        let expected = json!([{"id": "a1", "quantity": 2}, {"id": "a2", "quantity": 3}]);
        assert_eq!(read(&field, &FormValues::of_pairs(&pairs), now), Ok(Some(expected)));
        for held in [
            json!([{"id": "a2", "quantity": 3}, {"id": "a1", "quantity": 2}]),
            json!([{"id": "a1", "quantity": 2}, {"id": "a", "quantity": 1}]),
        ] {
            let filled = FormValues::of_value(&field, &held);
            let Ok(Some(Value::Array(read))) = read(&field, &filled, now) else { panic!("{held}") };
            let sorted = |items: &[Value]| {
                let mut all: Vec<String> = items.iter().map(Value::to_string).collect();
                all.sort();
                all
            };
            assert_eq!(sorted(&read), sorted(held.as_array().unwrap()));
        }
    }

    #[test]
    fn a_variant_with_two_quantities_is_refused() {
        let mut field = field(Kind::Products);
        field.options[0].variants = vec![Opt::new("a1", "Red")];
        let pairs = ["v:x", "o:1:x:a", "q:1:x:a", "q:1:x:a1"].map(str::to_owned).into_iter();
        let pairs: Vec<_> = pairs.zip(["a", "a1", "1", "3"].map(str::to_owned)).collect();
        let refused = read(&field, &FormValues::of_pairs(&pairs), Timestamp::from_millis(0));
        assert_eq!(refused, Err("the quantity of Red is given twice: clear one of the two".into()));
    }

    #[test]
    fn what_is_untouched_is_no_value() {
        for kind in Kind::ALL {
            for sent in ["", "v:x=&t:x=", "q:1:x:a=1&lat:x=&lng:x=&v:x=_none"] {
                let untouched = kind != Kind::Products || !sent.contains("v:x");
                assert!(!untouched || check(kind, sent) == Ok(None), "{}: {sent}", kind.name());
            }
        }
    }

    #[test]
    fn two_answers_to_one_question_are_none() {
        assert!(check(Kind::Choice, "v:x=a&t:x=own").is_err());
    }
}
