//! The values that a person entered in a modal, as values of the decision's fields.

use holdpoint_core::Decision;
use holdpoint_core::field::{Field, Kind, picked};
use holdpoint_core::json::Values;
use serde_json::{Value, json};

use super::inputs::labelled;

/// The content of a modal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// The values, by field. They are checked when they are submitted.
    pub values: Values,
    /// The free text.
    pub words: Option<String>,
}

/// Reads the state of a modal (`view.state.values`).
pub fn filled(decision: &Decision, state: &Value) -> Filled {
    let fields = decision.fields.iter().enumerate();
    let values = fields.filter_map(|(at, field)| Some((field.id.clone(), value(at, field, state)?)));
    let words = text(&state["words"]["v"]).filter(|words| !words.trim().is_empty());
    Filled { values: values.collect(), words }
}

/// Returns whether values decline the question: every option in them is a refusal.
pub fn declines(decision: &Decision, values: &Values) -> bool {
    let picks = values.iter().flat_map(|(id, value)| {
        let field = decision.field(id);
        field.map(|field| picked(field, value)).unwrap_or_default()
    });
    let refuses: Vec<bool> = picks.map(|picked| picked.option.refuses).collect();
    // A text alone neither declines nor agrees.
    values.is_empty() || !refuses.is_empty() && refuses.iter().all(|refuses| *refuses)
}

fn value(at: usize, field: &Field, state: &Value) -> Option<Value> {
    let part = |part: &str| &state[format!("f{at}{part}")]["v"];
    let whole = part("");
    let own =
        || text(part(".text")).filter(|text| !text.trim().is_empty()).map(|text| json!({ "text": text }));
    match field.kind {
        Kind::Choice | Kind::Confirm => {
            own().or_else(|| Some(json!(option(field, &whole["selected_option"])?)))
        }
        Kind::Choices => {
            let chosen = whole["selected_options"].as_array().map(Vec::as_slice).unwrap_or_default();
            let chosen = chosen.iter().filter_map(|one| option(field, one)).map(|id| json!(id));
            let chosen: Vec<Value> = chosen.chain(own()).collect();
            Some(chosen).filter(|chosen| !chosen.is_empty()).map(Value::Array)
        }
        Kind::Products => {
            let quantity = |(place, (_, option)): (usize, (String, &holdpoint_core::Opt))| {
                let given = text(part(&format!(".{place}")))?;
                let given = given.trim().parse::<u64>().map_or(json!(given), |given| json!(given));
                (given != json!(0)).then(|| json!({ "id": option.id, "quantity": given }))
            };
            let lines: Vec<Value> = labelled(field).into_iter().enumerate().filter_map(quantity).collect();
            Some(lines).filter(|lines| !lines.is_empty()).map(Value::Array)
        }
        Kind::Boolean => match whole["selected_option"]["value"].as_str()? {
            "o0" => Some(json!(true)),
            _ => Some(json!(false)),
        },
        Kind::Text | Kind::Multiline | Kind::Email | Kind::Tel | Kind::Url | Kind::Number | Kind::Integer => {
            text(whole).filter(|text| !text.trim().is_empty()).map(Value::String)
        }
        Kind::Date => whole["selected_date"].as_str().map(|date| json!(date)),
        Kind::Time => whole["selected_time"].as_str().map(|time| json!(format!("{time}:00"))),
        Kind::Datetime => {
            let (date, time) = (whole["selected_date"].as_str(), part(".time")["selected_time"].as_str());
            // An incomplete value is reported as wrong where it is checked.
            (date.is_some() || time.is_some()).then(|| {
                let time = time.map(|time| format!("T{time}:00")).unwrap_or_default();
                json!(format!("{}{time}", date.unwrap_or_default()))
            })
        }
        Kind::Location => {
            let (lat, lng) = (text(whole), text(part(".lng")));
            let number = |text: Option<String>| text.and_then(|text| text.trim().parse::<f64>().ok());
            (lat.is_some() || lng.is_some()).then(|| json!({ "lat": number(lat), "lng": number(lng) }))
        }
    }
}

fn option(field: &Field, chosen: &Value) -> Option<String> {
    let at: usize = chosen["value"].as_str()?.strip_prefix('o')?.parse().ok()?;
    labelled(field).get(at).map(|(_, option)| option.id.clone())
}

fn text(element: &Value) -> Option<String> {
    element["value"].as_str().map(str::to_owned)
}
