//! When a field is asked: conditions over the values of other fields.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::field::{self, Field, Kind};
use crate::json::{self, Values};
use crate::refusal::FieldError;
use crate::text::{inert_line, quote};

/// One comparison, or a tree of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "RawCondition")]
pub enum Condition {
    /// True if every part is.
    All {
        /// The parts.
        all: Vec<Condition>,
    },
    /// True if some part is.
    Any {
        /// The parts.
        any: Vec<Condition>,
    },
    /// True if the part is not.
    Not {
        /// The part.
        not: Box<Condition>,
    },
    /// Compares a field's value.
    Compare {
        /// The field to compare.
        field: String,
        /// The comparison.
        op: Op,
        /// The value to compare with.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        /// Or another field, whose value to compare with.
        #[serde(skip_serializing_if = "Option::is_none")]
        value_field: Option<String>,
    },
}

/// A condition as it is sent, read loosely so that errors in it can be explained.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCondition {
    all: Option<Vec<Condition>>,
    any: Option<Vec<Condition>>,
    not: Option<Box<Condition>>,
    field: Option<String>,
    op: Option<Op>,
    value: Option<Value>,
    value_field: Option<String>,
}

impl TryFrom<RawCondition> for Condition {
    type Error = &'static str;

    fn try_from(written: RawCondition) -> Result<Self, &'static str> {
        let RawCondition { all, any, not, field, op, value, value_field } = written;
        let bare = value.is_none() && value_field.is_none();
        match (all, any, not, field, op) {
            (None, None, None, Some(field), Some(op)) => Ok(Self::Compare { field, op, value, value_field }),
            (Some(all), None, None, None, None) if bare => Ok(Self::All { all }),
            (None, Some(any), None, None, None) if bare => Ok(Self::Any { any }),
            (None, None, Some(not), None, None) if bare => Ok(Self::Not { not }),
            _ => Err("a condition is one of {all}, {any}, {not} and {field, op, value or value_field}"),
        }
    }
}

/// The operators of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum Op {
    Exists,
    Equals,
    NotEquals,
    After,
    Before,
    OnOrAfter,
    OnOrBefore,
    In,
    Contains,
}

/// How deep a tree of conditions may nest.
const DEPTH: usize = 16;

impl Condition {
    /// Evaluates the condition over the values of visible fields. A comparison of a field without a value is false.
    pub fn holds(&self, fields: &[Field], values: &Values) -> bool {
        match self {
            Self::All { all } => all.iter().all(|part| part.holds(fields, values)),
            Self::Any { any } => any.iter().any(|part| part.holds(fields, values)),
            Self::Not { not } => !not.holds(fields, values),
            Self::Compare { field, op, value, value_field } => {
                let Some(left) = values.get(field) else { return false };
                if *op == Op::Exists {
                    return true;
                }
                let right = match value_field {
                    Some(other) => values.get(other),
                    None => value.as_ref(),
                };
                right.is_some_and(|right| compare(fields, field, *op, left, right))
            }
        }
    }

    /// Normalizes the values it compares with.
    pub(crate) fn settle(&mut self) -> Result<(), String> {
        match self {
            Self::All { all: parts } | Self::Any { any: parts } => {
                parts.iter_mut().try_for_each(Self::settle)
            }
            Self::Not { not } => not.settle(),
            Self::Compare { value, .. } => value.as_mut().map_or(Ok(()), json::settle),
        }
    }

    /// Lists the fields it refers to.
    pub fn references(&self) -> Vec<&str> {
        match self {
            Self::All { all: parts } | Self::Any { any: parts } => {
                parts.iter().flat_map(Self::references).collect()
            }
            Self::Not { not } => not.references(),
            Self::Compare { field, value_field, .. } => {
                std::iter::once(field.as_str()).chain(value_field.as_deref()).collect()
            }
        }
    }

    fn check(&self, place: &str, depth: usize, faults: &mut Vec<FieldError>) {
        let mut fault =
            |message: String| faults.push(FieldError::new(place, format!("visible_if: {message}")));
        match self {
            _ if depth == 0 => fault(format!("nests deeper than {DEPTH}")),
            Self::All { all: parts } | Self::Any { any: parts } => {
                if parts.is_empty() {
                    fault("needs at least one condition".into());
                }
                for part in parts {
                    part.check(place, depth - 1, faults);
                }
            }
            Self::Not { not } => not.check(place, depth - 1, faults),
            Self::Compare { op, value, value_field, .. } => match (op, value, value_field) {
                (Op::Exists, None, None) => {}
                (Op::Exists, ..) => fault("EXISTS takes no value".into()),
                (_, None, None) => fault("needs a value or a value_field to compare with".into()),
                (_, Some(_), Some(_)) => fault("takes a value or a value_field, not both".into()),
                (Op::In, Some(value), _) if !value.is_array() => fault("IN needs a list as its value".into()),
                _ => {}
            },
        }
    }
}

/// Collects faults in conditions: unknown fields, self-reference and cycles, by which a field could never be
/// asked or never stop being asked.
pub fn check_references(fields: &[Field], faults: &mut Vec<FieldError>) {
    let places: HashMap<&str, usize> =
        fields.iter().enumerate().map(|(at, field)| (field.id.as_str(), at)).collect();
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); fields.len()];
    for (at, field) in fields.iter().enumerate() {
        let Some(condition) = &field.visible_if else { continue };
        let so_far = faults.len();
        condition.check(&field.id, DEPTH, faults);
        let names = condition.references();
        if let Some(name) = names.iter().find(|name| !places.contains_key(*name)) {
            let message = format!("visible_if refers to {}, which is not a field", quote(name));
            faults.push(FieldError::new(&field.id, message));
        }
        faults.truncate(so_far + 1);
        edges[at] = names.iter().filter_map(|name| places.get(name).copied()).collect();
        edges[at].sort_unstable();
        edges[at].dedup();
    }
    if let Some(cycle) = find_cycle(&edges) {
        let names: Vec<String> = cycle.iter().map(|at| inert_line(&fields[*at].id)).collect();
        faults.push(FieldError::new(&names[0], format!("visible_if is circular: {}", names.join(" → "))));
    }
}

fn find_cycle(edges: &[Vec<usize>]) -> Option<Vec<usize>> {
    fn visit(
        at: usize,
        edges: &[Vec<usize>],
        done: &mut [bool],
        path: &mut Vec<usize>,
    ) -> Option<Vec<usize>> {
        if let Some(start) = path.iter().position(|seen| *seen == at) {
            let mut cycle = path[start..].to_vec();
            cycle.push(at);
            return Some(cycle);
        }
        if done[at] {
            return None;
        }
        path.push(at);
        let found = edges[at].iter().find_map(|next| visit(*next, edges, done, path));
        path.pop();
        done[at] = true;
        found
    }
    let mut done = vec![false; edges.len()];
    (0..edges.len()).find_map(|at| visit(at, edges, &mut done, &mut Vec::new()))
}

fn compare(fields: &[Field], id: &str, op: Op, left: &Value, right: &Value) -> bool {
    let same = |left: &Value, right: &Value| {
        // Only lists need the field's kind, because the order of their items may not matter.
        let known = fields.iter().find(|known| left.is_array() && known.id == *id);
        field::same(known.map_or(Kind::Text, |known| known.kind), left, right)
    };
    match op {
        Op::Exists => true,
        Op::Equals => same(left, right),
        Op::NotEquals => !same(left, right),
        Op::In => right.as_array().is_some_and(|list| list.iter().any(|item| same(left, item))),
        Op::Contains => match left {
            Value::Array(items) => items.iter().any(|item| item == right || item.get("id") == Some(right)),
            Value::String(text) => right.as_str().is_some_and(|part| text.contains(part)),
            _ => false,
        },
        Op::After => order(left, right).is_some_and(std::cmp::Ordering::is_gt),
        Op::Before => order(left, right).is_some_and(std::cmp::Ordering::is_lt),
        Op::OnOrAfter => order(left, right).is_some_and(std::cmp::Ordering::is_ge),
        Op::OnOrBefore => order(left, right).is_some_and(std::cmp::Ordering::is_le),
    }
}

/// Orders two dates by calendar day (a time of day does not count), two times, or two numbers.
fn order(left: &Value, right: &Value) -> Option<std::cmp::Ordering> {
    fn day(text: &str) -> Option<jiff::civil::Date> {
        text.get(..10)?.parse().ok()
    }
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64()?.partial_cmp(&right.as_f64()?),
        (Value::String(left), Value::String(right)) => {
            if let (Some(left), Some(right)) = (day(left), day(right)) {
                return Some(left.cmp(&right));
            }
            let time = |text: &str| text.parse::<jiff::civil::Time>().ok();
            Some(time(left)?.cmp(&time(right)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn holds(condition: Value, values: Value) -> bool {
        let fields = [Field::new("a", Kind::Text, "a"), Field::new("s", Kind::Choices, "s")];
        let Value::Object(values) = values else { panic!("values are an object") };
        serde_json::from_value::<Condition>(condition).unwrap().holds(&fields, &values)
    }

    #[test]
    fn comparisons() {
        let day = |op: &str| json!({"field": "a", "op": op, "value": "2026-03-02"});
        for (condition, values, expected) in [
            (json!({"field": "a", "op": "EXISTS"}), json!({"a": ""}), true),
            (json!({"field": "a", "op": "EXISTS"}), json!({"a": 0}), true),
            (json!({"field": "a", "op": "EXISTS"}), json!({"a": false}), true),
            (json!({"field": "a", "op": "EXISTS"}), json!({}), false),
            (json!({"field": "a", "op": "EQUALS", "value": "x"}), json!({"a": "x"}), true),
            (json!({"field": "a", "op": "EQUALS", "value": "Yes"}), json!({"a": ["Yes"]}), false),
            (json!({"field": "s", "op": "EQUALS", "value": ["x", "y"]}), json!({"s": ["y", "x"]}), true),
            (json!({"field": "a", "op": "NOT_EQUALS", "value": "x"}), json!({}), false),
            (json!({"field": "a", "op": "NOT_EQUALS", "value": "x"}), json!({"a": "y"}), true),
            (json!({"field": "a", "op": "EQUALS", "value_field": "b"}), json!({"a": 1}), false),
            (json!({"field": "a", "op": "EQUALS", "value_field": "b"}), json!({"a": 1, "b": 1}), true),
            (day("AFTER"), json!({"a": "2026-03-02"}), false),
            (day("AFTER"), json!({"a": "2026-03-02T23:00:00"}), false),
            (day("AFTER"), json!({"a": "2026-03-03"}), true),
            (day("ON_OR_AFTER"), json!({"a": "2026-03-02"}), true),
            (day("BEFORE"), json!({"a": "2026-03-01"}), true),
            (day("ON_OR_BEFORE"), json!({"a": "2026-03-03"}), false),
            (day("AFTER"), json!({"a": "garbage"}), false),
            (json!({"field": "a", "op": "AFTER", "value": "09:00:00"}), json!({"a": "10:00:00"}), true),
            (json!({"field": "a", "op": "BEFORE", "value": 5}), json!({"a": 4.5}), true),
            (json!({"field": "a", "op": "IN", "value": ["x", "y"]}), json!({"a": "y"}), true),
            (json!({"field": "a", "op": "CONTAINS", "value": "ell"}), json!({"a": "hello"}), true),
            (json!({"field": "s", "op": "CONTAINS", "value": "x"}), json!({"s": ["x"]}), true),
            (json!({"not": {"field": "a", "op": "EXISTS"}}), json!({}), true),
            (
                json!({"any": [{"field": "a", "op": "EXISTS"}, {"field": "s", "op": "EXISTS"}]}),
                json!({"s": []}),
                true,
            ),
            (
                json!({"all": [{"field": "a", "op": "EXISTS"}, {"field": "s", "op": "EXISTS"}]}),
                json!({"s": []}),
                false,
            ),
        ] {
            assert_eq!(holds(condition.clone(), values.clone()), expected, "{condition} over {values}");
        }
    }

    #[test]
    fn circles_and_loose_ends_are_found() {
        let field = |id: &str, looks_at: &str| Field {
            visible_if: Some(serde_json::from_value(json!({"field": looks_at, "op": "EXISTS"})).unwrap()),
            ..Field::new(id, Kind::Text, id)
        };
        for (fields, expected) in [
            (vec![field("a", "a")], "a: visible_if is circular: a → a"),
            (vec![field("a", "b"), field("b", "a")], "a: visible_if is circular: a → b → a"),
            (vec![field("a", "z")], "a: visible_if refers to \"z\", which is not a field"),
        ] {
            let mut faults = Vec::new();
            check_references(&fields, &mut faults);
            assert_eq!(faults.iter().map(FieldError::to_string).collect::<Vec<_>>(), [expected]);
        }
    }
}
