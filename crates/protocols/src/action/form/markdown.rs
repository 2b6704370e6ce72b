//! Markdown: YAML front matter that defines the form, or the older table of fields.

use holdpoint_core::text::inert_line;
use serde_json::{Map, Value, json};

use super::lines::Lines;
use super::{Flaw, Form, Source, build, yaml};

/// Reads a form in Markdown.
pub(super) fn read(text: &str) -> Result<Form, Vec<Flaw>> {
    let heading = heading(text);
    let start = text.len() - text.trim_start().len();
    let skipped = text[..start].matches('\n').count();
    let body = &text[start..];
    if let Some((header, lines_above)) = front_matter(body) {
        let moved = skipped + lines_above;
        let (value, lines) = yaml::read(header)
            .map_err(|flaw| vec![Flaw { line: flaw.line.map(|line| line + moved), ..flaw }])?;
        return build(&value, lines.moved_by(moved), Source::FrontMatter, heading);
    }
    if is_fence(body.lines().next().unwrap_or_default()) {
        return Err(vec![whole(Some(skipped + 1), "the front matter is not ended by a line ---")]);
    }
    match table(text) {
        Some((fields, lines)) => {
            let id = heading.clone().unwrap_or_else(|| "form".to_owned());
            let value = json!({ "form_id": id, "fields": fields });
            build(&value, lines, Source::FrontMatter, heading)
        }
        None => Err(vec![whole(
            None,
            "has neither front matter (--- … ---) nor a table of fields (Field ID, Type, Required)",
        )]),
    }
}

fn whole(line: Option<usize>, message: &str) -> Flaw {
    Flaw { line, place: String::new(), message: message.to_owned() }
}

/// Splits the front matter off: from a first line `---` to the next line that is one.
fn front_matter(text: &str) -> Option<(&str, usize)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line))?;
    let mut end = first.len();
    for line in lines {
        if is_fence(line) || line.trim_end() == "..." {
            return Some((&text[first.len()..end], 1));
        }
        end += line.len();
    }
    None
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Returns the first heading, without the name that some authors put before it.
fn heading(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# "))?;
    let bare = ["Form Pilot:", "Form Pilot -", "FormPilot:"]
        .iter()
        .find_map(|prefix| line.trim().strip_prefix(prefix));
    let title = inert_line(bare.unwrap_or(line));
    Some(title).filter(|title| !title.is_empty())
}

/// Reads the table of fields by the names of its columns.
fn table(text: &str) -> Option<(Vec<Value>, Lines)> {
    let mut rows = text.lines().enumerate().skip_while(|(_, line)| {
        !(line.contains('|') && line.contains("Field ID") && line.contains("Required"))
    });
    let columns: Vec<String> = cells(rows.next()?.1).iter().map(|cell| cell.to_lowercase()).collect();
    let (mut fields, mut lines) = (Vec::new(), Lines::default());
    for (at, row) in rows.take_while(|(_, row)| row.trim_start().starts_with('|')) {
        let cells = cells(row);
        if cells.iter().all(|cell| cell.chars().all(|c| "-: ".contains(c))) {
            continue;
        }
        lines.note(format!("/fields/{}", fields.len()), at + 1);
        fields.push(Value::Object(row_field(&columns, &cells)));
    }
    Some((fields, lines)).filter(|(fields, _)| !fields.is_empty())
}

fn row_field(columns: &[String], cells: &[String]) -> Map<String, Value> {
    let cell = |names: &[&str]| {
        let at = columns.iter().position(|column| names.contains(&column.as_str()))?;
        cells.get(at).map(|cell| cell.trim_matches('`').to_owned()).filter(|cell| !cell.is_empty())
    };
    let mut field = Map::new();
    if let Some(id) = cell(&["field id"]) {
        field.insert("id".into(), id.into());
    }
    let options: Vec<Value> = cell(&["options"])
        .map(|list| list.split([',', ';']).map(|option| Value::from(option.trim())).collect())
        .unwrap_or_default();
    let kind = cell(&["type"]).unwrap_or_default().to_lowercase();
    let picks = matches!(kind.as_str(), "dropdown" | "checkbox");
    // A table seldom says what can be chosen; then the person is asked in words.
    let kind = if picks && options.is_empty() { "text".to_owned() } else { kind };
    if picks && !options.is_empty() {
        field.insert("options".into(), Value::Array(options));
    }
    field.insert("type".into(), kind.into());
    let required = cell(&["required"]).unwrap_or_default().to_lowercase();
    field.insert("required".into(), Value::Bool(required.starts_with("yes")));
    for (key, names) in
        [("prompt", ["prompt", "question", "label"]), ("description", ["description", "notes", "rules"])]
    {
        if let Some(text) = cell(&names) {
            field.insert(key.into(), text.into());
        }
    }
    field
}

/// Returns the cells of a row; a blank one stays in its place.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(|cell| cell.trim().to_owned()).collect()
}
