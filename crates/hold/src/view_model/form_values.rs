//! The values of a form's controls, by the names that browsers send: from what was typed, or from a decision's
//! values.

use std::collections::HashMap;

use holdpoint_core::{Decision, Field, Kind, Values};
use serde_json::Value;

use super::wording;

/// The choice of writing a value instead of picking one.
pub(crate) const CUSTOM: &str = "_custom";
/// The choice of leaving a field out.
pub(crate) const NONE: &str = "_none";

/// The values of the controls.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormValues(HashMap<String, Vec<String>>);

/// Returns the name of a field's main control.
pub(crate) fn value_name(field: &Field) -> String {
    format!("v:{}", field.id)
}

/// Returns the name of the control for a written value.
pub(crate) fn text_name(field: &Field) -> String {
    format!("t:{}", field.id)
}

/// Returns the name of the box in which long lists are searched.
pub(crate) fn search_name(field: &Field) -> String {
    format!("s:{}", field.id)
}

/// Returns the name of a product's quantity. The length keeps two ids distinct whatever they contain.
pub(crate) fn quantity_name(field: &Field, option: &str) -> String {
    format!("q:{}:{}:{option}", field.id.len(), field.id)
}

/// Returns the name of a product's variant.
pub(crate) fn variant_name(field: &Field, option: &str) -> String {
    format!("o:{}:{}:{option}", field.id.len(), field.id)
}

/// Returns the name of a location's part: `lat` or `lng`.
pub(crate) fn place_name(part: &str, field: &Field) -> String {
    format!("{part}:{}", field.id)
}

/// Returns the value that a field holds before anybody touched it. It counts only once the person sends it. A yes or
/// no is never prefilled, nor is a pick where a careless yes could do harm.
pub(crate) fn prefilled<'a>(decision: &Decision, field: &'a Field) -> Option<&'a Value> {
    let harm = wording::is_dangerous(decision) && field.kind.is_pick() && !is_only(field);
    field.default.as_ref().filter(|_| !harm && !matches!(field.kind, Kind::Boolean | Kind::Confirm))
}

/// Returns whether a value that others picked is shown to a person who opens the form: not where a careless yes could
/// do harm.
pub(crate) fn shows_draft(decision: &Decision, field: &Field) -> bool {
    !wording::is_dangerous(decision) || !field.kind.is_pick() || is_only(field)
}

/// Returns whether a field leaves nothing to pick, for example because a run has only one patch set to commit. The
/// option that shows the field is the one that counts, and that is picked by hand.
fn is_only(field: &Field) -> bool {
    let one = field.kind == Kind::Choice && field.required && field.options.len() == 1 && !field.custom;
    one && field.visible_if.is_some()
}

impl FormValues {
    /// Returns the values that were typed.
    pub(crate) fn of_pairs(pairs: &[(String, String)]) -> Self {
        let mut filled = Self::default();
        for (name, value) in pairs {
            filled.insert(name.clone(), value.clone());
        }
        filled
    }

    /// Returns the values typed into a decision's form, together with those that leave nothing to pick.
    pub(crate) fn of_form(decision: &Decision, pairs: &[(String, String)]) -> Self {
        let mut filled = Self::of_pairs(pairs);
        for field in decision.fields.iter().filter(|field| is_only(field)) {
            if let Some(value) =
                prefilled(decision, field).filter(|_| filled.all(&value_name(field)).is_empty())
            {
                filled.put_value(field, value);
            }
        }
        filled
    }

    /// Returns the values of an untouched form: the draft, or else what the asker prefilled. Where a careless yes
    /// could do harm, nothing is picked that this person did not pick.
    pub(crate) fn of_decision(decision: &Decision) -> Self {
        let default = |field: &Field| Some((field.id.clone(), prefilled(decision, field)?.clone()));
        let mut values: Values = decision.fields.iter().filter_map(default).collect();
        values.extend(decision.draft.clone());
        let mut filled = Self::default();
        for field in decision.fields.iter().filter(|field| shows_draft(decision, field)) {
            if let Some(value) = values.get(&field.id) {
                filled.put_value(field, value);
            }
        }
        filled
    }

    #[cfg(test)]
    pub(crate) fn of_value(field: &Field, value: &Value) -> Self {
        let mut filled = Self::default();
        filled.put_value(field, value);
        filled
    }

    /// Returns all values in the encoding of a browser, in a fixed order.
    pub(crate) fn encoded(&self) -> String {
        let mut names: Vec<(&String, &Vec<String>)> = self.0.iter().collect();
        names.sort_unstable();
        let mut text = form_urlencoded::Serializer::new(String::new());
        for (name, values) in names {
            for value in values {
                text.append_pair(name, value);
            }
        }
        text.finish()
    }

    /// Returns the value of a control that holds one.
    pub(crate) fn one(&self, name: &str) -> &str {
        self.0.get(name).and_then(|values| values.first()).map_or("", String::as_str)
    }

    /// Returns all values of a control.
    pub(crate) fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a control holds a value.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).iter().any(|known| known == value)
    }

    /// Returns whether any control holds a value.
    pub(crate) fn is_touched(&self) -> bool {
        self.0.values().any(|values| !values.is_empty())
    }

    /// Sets the value of a control; an empty one clears it.
    pub(crate) fn set(&mut self, name: String, value: &str) {
        if value.is_empty() {
            self.0.remove(&name);
        } else {
            self.0.insert(name, vec![value.to_owned()]);
        }
    }

    /// Adds a value to a control, or removes it if it was there.
    pub(crate) fn toggle(&mut self, name: String, value: &str) {
        let values = self.0.entry(name).or_default();
        match values.iter().position(|known| known == value) {
            Some(at) => {
                values.remove(at);
            }
            None => values.push(value.to_owned()),
        }
    }

    fn insert(&mut self, name: String, value: String) {
        self.0.entry(name).or_default().push(value);
    }

    fn put_value(&mut self, field: &Field, value: &Value) {
        let name = value_name(field);
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.put_value(field, item)),
            Value::String(text) => self.insert(name, text.clone()),
            Value::Object(map) => {
                let text = |key: &str| map.get(key).and_then(Value::as_str);
                if let Some(words) = text("text") {
                    self.insert(name, CUSTOM.into());
                    self.insert(text_name(field), words.to_owned());
                } else if let Some(id) = text("id") {
                    // The box belongs to the product; the variant is another control.
                    let product =
                        field.options.iter().find(|option| option.with_variants().any(|one| one.id == id));
                    let product = product.map_or(id, |option| option.id.as_str());
                    let quantity = map.get("quantity").map_or_else(|| "1".into(), Value::to_string);
                    if !self.has(&name, product) {
                        self.insert(name, product.to_owned());
                        self.insert(variant_name(field, product), id.to_owned());
                        self.insert(quantity_name(field, product), quantity);
                    } else if id == product {
                        // Swaps the product with the variant that was picked first.
                        let first = self.one(&variant_name(field, product)).to_owned();
                        let held = self.one(&quantity_name(field, product)).to_owned();
                        self.insert(quantity_name(field, &first), held);
                        self.set(variant_name(field, product), id);
                        self.set(quantity_name(field, product), &quantity);
                    } else {
                        self.insert(quantity_name(field, id), quantity);
                    }
                } else {
                    for part in ["lat", "lng"] {
                        let number = map.get(part).map(Value::to_string).unwrap_or_default();
                        self.insert(place_name(part, field), number);
                    }
                }
            }
            other => self.insert(name, other.to_string()),
        }
    }
}
