//! Options that a tool looked up, from whatever shape its result has.

use holdpoint_core::Opt;
use holdpoint_core::text::{MAX_NAME, inert_line};
use serde_json::Value;

/// How many options are taken from one result.
const MOST: usize = 1000;

/// Reads options from a result: the list at a pointer, or the result if it is one, or else the first list in it.
pub fn options_of(result: &Value, path: Option<&str>) -> Vec<Opt> {
    let list = match (path, result) {
        // A tool with a single list returns it as it is.
        (Some(path), _) => result.pointer(path).and_then(Value::as_array).or_else(|| result.as_array()),
        (None, Value::Array(list)) => Some(list),
        (None, Value::Object(map)) => map.values().find_map(Value::as_array),
        _ => None,
    };
    let mut options: Vec<Opt> = Vec::new();
    for item in list.into_iter().flatten().take(MOST) {
        let Some(label) = label_of(item) else { continue };
        let own = ["id", "code", "key"].iter().find_map(|key| item.get(*key));
        let id = own
            .and_then(|id| id.as_str().map(str::to_owned).or_else(|| id.as_i64().map(|id| id.to_string())));
        let id: String = id.unwrap_or_else(|| label.clone()).trim().chars().take(MAX_NAME / 4).collect();
        if holdpoint_core::text::check_name(&id).is_ok()
            && !id.starts_with('_')
            && options.iter().all(|known| known.id != id)
        {
            options.push(Opt::new(id, label));
        }
    }
    options
}

/// Returns what a person reads of an entry: its English name, its name, its English value, or the first of label,
/// title, text, description; a bare text is itself.
fn label_of(item: &Value) -> Option<String> {
    let text =
        |value: Option<&Value>| value.and_then(Value::as_str).map(inert_line).filter(|text| !text.is_empty());
    text(Some(item))
        .or_else(|| text(item.pointer("/name/english")))
        .or_else(|| text(item.get("name")))
        .or_else(|| text(item.pointer("/value/english")))
        .or_else(|| ["label", "title", "text", "description"].iter().find_map(|key| text(item.get(*key))))
}
