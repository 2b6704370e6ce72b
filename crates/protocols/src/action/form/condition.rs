//! When a field is asked: the conditions of the published generations and our own.

use holdpoint_core::form::{Condition, Op};
use holdpoint_core::text::{inert_line, quote};
use holdpoint_core::{Field, Kind, shape};
use serde_json::{Map, Value};

use super::Findings;

/// Reads the conditions of all fields.
pub(super) fn read_all(list: &[Value], fields: &mut [Field], findings: &mut Findings) {
    for (at, value) in list.iter().enumerate() {
        let id = fields[at].id.clone();
        let own = value.get("kind").is_some();
        let given = value.get("visible_if").filter(|given| !given.is_null());
        let read = match given {
            None => depends_on(value),
            Some(Value::String(prose)) if !own => read_prose(prose, fields).map_or_else(
                || {
                    let message = "visible_if is prose, which cannot be evaluated; the field is always asked and can be skipped";
                    findings.warning(&format!("/fields/{at}/visible_if"), &id, message);
                    fields[at].required = false;
                    let words = format!("Only if: {}", inert_line(prose));
                    let before = fields[at].description.take();
                    fields[at].description =
                        Some(before.map_or(words.clone(), |text| format!("{text}\n\n{words}")));
                    Ok(None)
                },
                |condition| Ok(Some(condition)),
            ),
            Some(given) if own => shape::read::<Condition>(given.clone())
                .map(Some)
                .map_err(|error| inert_line(&error.why.to_string())),
            Some(given) => match published(given, &id, fields) {
                Ok(condition) => Ok(Some(condition)),
                Err(wrong) => {
                    for (part, why) in wrong {
                        let pointer = format!("/fields/{at}/visible_if{part}");
                        findings.flaw(&pointer, &id, format!("visible_if: {why}"));
                    }
                    Ok(None)
                }
            },
        };
        match read {
            Ok(condition) => fields[at].visible_if = condition,
            Err(why) => findings.flaw(&format!("/fields/{at}/visible_if"), &id, format!("visible_if: {why}")),
        }
    }
}

/// `depends_on` means that the other field has a value.
fn depends_on(value: &Value) -> Result<Option<Condition>, String> {
    let exists = |name: &str| Condition::Compare {
        field: name.to_owned(),
        op: Op::Exists,
        value: None,
        value_field: None,
    };
    match value.get("depends_on") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(exists(name))),
        Some(Value::Array(names)) => {
            let all: Option<Vec<Condition>> = names.iter().map(|name| name.as_str().map(exists)).collect();
            all.map(|all| Some(Condition::All { all })).ok_or_else(|| "depends_on names fields".into())
        }
        Some(_) => Err("depends_on names a field".into()),
    }
}

/// Reads `{"all": [{field, operator, value | value_field}]}`, where values are texts.
/// Each part that is wrong is told, with where it stands.
fn published(given: &Value, own: &str, fields: &[Field]) -> Result<Condition, Vec<(String, String)>> {
    let parts = given.as_object().filter(|map| map.len() == 1).and_then(|map| map.get("all"));
    let parts = parts.and_then(Value::as_array).filter(|parts| !parts.is_empty());
    let shape = || vec![(String::new(), "must be {\"all\": […]} with at least one condition".to_owned())];
    let parts = parts.ok_or_else(shape)?;
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        match comparison(part, own, fields) {
            Ok(condition) => all.push(condition),
            Err(why) => wrong.push((format!("/all/{at}"), why)),
        }
    }
    if wrong.is_empty() { Ok(Condition::All { all }) } else { Err(wrong) }
}

fn comparison(part: &Value, own: &str, fields: &[Field]) -> Result<Condition, String> {
    let map: &Map<String, Value> = part.as_object().ok_or("a condition is {field, operator, value}")?;
    let text = |key: &str| match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => Err(format!("{key} must be a text, not {}", inert_line(&other.to_string()))),
    };
    let field = text("field")?.ok_or("a condition needs a field")?;
    if field == own {
        return Err("refers to its own field".into());
    }
    let operator = text("operator")?.ok_or("a condition needs an operator")?;
    let op = operator_of(operator).ok_or_else(|| {
        format!(
            "operator {} is unknown; use EXISTS, EQUALS, NOT_EQUALS, AFTER, BEFORE, ON_OR_AFTER, ON_OR_BEFORE",
            quote(operator)
        )
    })?;
    let value_field = text("value_field")?;
    // Where both are given, the other field counts.
    let value = text("value")?.filter(|_| value_field.is_none() && op != Op::Exists);
    Ok(compare(field, op, value, value_field.filter(|_| op != Op::Exists), fields))
}

fn operator_of(name: &str) -> Option<Op> {
    Some(match name {
        "EXISTS" => Op::Exists,
        "EQUALS" => Op::Equals,
        "NOT_EQUALS" => Op::NotEquals,
        "AFTER" => Op::After,
        "BEFORE" => Op::Before,
        "ON_OR_AFTER" => Op::OnOrAfter,
        "ON_OR_BEFORE" => Op::OnOrBefore,
        _ => return None,
    })
}

/// Makes a comparison. A checkbox that is compared with one option is asked whether that option is ticked: a list
/// is never equal to a word, which is not what anyone meant.
fn compare(
    field: &str,
    op: Op,
    value: Option<&str>,
    value_field: Option<&str>,
    fields: &[Field],
) -> Condition {
    let ticks =
        value.is_some() && fields.iter().any(|known| known.id == field && known.kind == Kind::Choices);
    let make = |op: Op, value: Option<&str>| Condition::Compare {
        field: field.to_owned(),
        op,
        value: value.map(Value::from),
        value_field: value_field.map(str::to_owned),
    };
    match op {
        Op::Equals if ticks => make(Op::Contains, value),
        Op::NotEquals if ticks => Condition::All {
            all: vec![make(Op::Exists, None), Condition::Not { not: Box::new(make(Op::Contains, value)) }],
        },
        _ => make(op, value),
    }
}

/// Reads `leave_type is Sick and days != 3`: field ids, `is`, `=`, `==`, `equals`, `is not`, `!=`, joined by `and`
/// or by `or`. Anything else is prose.
fn read_prose(prose: &str, fields: &[Field]) -> Option<Condition> {
    let split = |text: &str, words: [&str; 2]| -> Vec<String> {
        let mut parts = vec![text.to_owned()];
        for word in words {
            parts = parts.iter().flat_map(|part| part.split(word).map(str::to_owned)).collect();
        }
        parts
    };
    let any = split(prose, [" or ", " || "]);
    let all = split(prose, [" and ", " && "]);
    let parts =
        |parts: Vec<String>| parts.iter().map(|part| prose_part(part, fields)).collect::<Option<Vec<_>>>();
    match (any.len(), all.len()) {
        (1, 1) => prose_part(prose, fields),
        (1, _) => parts(all).map(|all| Condition::All { all }),
        (_, 1) => parts(any).map(|any| Condition::Any { any }),
        _ => None,
    }
}

fn prose_part(part: &str, fields: &[Field]) -> Option<Condition> {
    let part = part.trim();
    let known = |name: &str| fields.iter().any(|field| field.id == name);
    for (word, op) in [
        ("!=", Op::NotEquals),
        (" is not ", Op::NotEquals),
        ("==", Op::Equals),
        ("=", Op::Equals),
        (" equals ", Op::Equals),
        (" is ", Op::Equals),
    ] {
        if let Some((left, right)) = part.split_once(word) {
            let right = right.trim().trim_matches(['"', '\'', '`']);
            let left = left.trim().trim_matches('`');
            let plain = !right.is_empty() && !right.contains(['=', '(', ')', '"']);
            return (known(left) && plain).then(|| compare(left, op, Some(right), None, fields));
        }
    }
    None
}
