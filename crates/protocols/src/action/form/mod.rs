//! Form definitions: JSON with `visible_if`, Markdown with YAML front matter, and our own JSON, read into core's
//! fields and checked before anyone is asked.
//!
//! What cannot work is a [`Flaw`] and refuses the form; what will work otherwise than its author may think is a
//! warning beside it. Both name the line and the field.

mod asked;
mod condition;
mod field;
mod lines;
mod looked_up;
mod markdown;
mod offered;
mod picked;
mod shape;
mod yaml;

use std::fmt;

use holdpoint_core::field::definition;
use holdpoint_core::text::{check_name, inert_line};
use holdpoint_core::{Field, FieldError};
use serde::Serialize;
use serde_json::{Map, Value};

use lines::Lines;

pub use looked_up::options_of;
pub use picked::{names_option, option, picked, pointed, sent};
pub use shape::{ends, poles, span};

/// How many bytes a definition may have.
pub const LONGEST: usize = 1 << 20;

/// A form, ready to be asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Form {
    /// Names the form.
    pub id: String,
    /// What the person reads above it.
    pub title: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// The fields. A field's step and synonyms are in its `extra`.
    pub fields: Vec<Field>,
    /// What the front end can look up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// Warnings for the author; the form can still be asked.
    #[serde(skip)]
    pub warnings: Vec<Flaw>,
}

/// Something the front end can do for the conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// When it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}

/// One thing that is wrong with a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flaw {
    /// The line it is on, counted from 1, where that is known.
    pub line: Option<usize>,
    /// The field or key that is wrong; empty for the whole form.
    pub place: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Flaw {
    /// Returns the flaw without its line, as `place: message`.
    pub fn without_line(&self) -> String {
        let place = inert_line(&self.place);
        if place.is_empty() { self.message.clone() } else { format!("{place}: {}", self.message) }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.without_line())
    }
}

/// Reads a definition: JSON if it begins with a brace, else Markdown.
///
/// # Errors
/// Everything that is wrong with it, in the order of its lines.
pub fn read(text: &str) -> Result<Form, Vec<Flaw>> {
    if text.len() > LONGEST {
        let message = format!("has {} bytes; at most {LONGEST} are allowed", text.len());
        return Err(vec![Flaw { line: None, place: String::new(), message }]);
    }
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        // A list or a text is JSON too, if not a form.
        Some('{' | '[' | '"') => {}
        Some(_) => return markdown::read(text),
        None => {
            let message = "is empty; a form is JSON with form_id and fields, or Markdown with front matter";
            return Err(vec![Flaw { line: None, place: String::new(), message: message.into() }]);
        }
    }
    match holdpoint_core::json::parse_strict(text) {
        Ok(value) => build(&value, Lines::of_json(text), Source::Json, None),
        Err(why) => {
            let message = format!("is not JSON that can be read: {}", inert_line(&why.to_string()));
            Err(vec![Flaw { line: Some(why.line()).filter(|line| *line > 0), place: String::new(), message }])
        }
    }
}

/// Reads a definition that came as JSON inside a message, where lines mean nothing.
///
/// # Errors
/// As [`read`].
pub fn read_value(value: &Value) -> Result<Form, Vec<Flaw>> {
    build(value, Lines::default(), Source::Json, None)
}

/// Returns the step that a field belongs to; 1 by default.
pub fn step(field: &Field) -> u64 {
    field.extra.get("step").and_then(Value::as_u64).unwrap_or(1)
}

/// Lists the other names that a field or an option goes by, from its `extra`.
pub fn synonyms(extra: &Map<String, Value>) -> impl Iterator<Item = &str> {
    extra.get("synonyms").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Where a definition was written; the generations differ in what they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Json,
    FrontMatter,
}

/// The errors found while reading, each with its line.
#[derive(Debug)]
struct Findings {
    lines: Lines,
    flaws: Vec<Flaw>,
    warnings: Vec<Flaw>,
}

/// The maximum number of errors: nobody reads a thousand.
const MOST_FLAWS: usize = 100;

impl Findings {
    fn new(lines: Lines) -> Self {
        Self { lines, flaws: Vec::new(), warnings: Vec::new() }
    }

    fn flaw(&mut self, pointer: &str, place: &str, message: impl Into<String>) {
        if self.flaws.len() < MOST_FLAWS {
            let line = self.lines.line(pointer);
            self.flaws.push(Flaw { line, place: place.to_owned(), message: message.into() });
        }
    }

    fn warning(&mut self, pointer: &str, place: &str, message: impl Into<String>) {
        if self.warnings.len() < MOST_FLAWS {
            let line = self.lines.line(pointer);
            self.warnings.push(Flaw { line, place: place.to_owned(), message: message.into() });
        }
    }
}

const OWN_KEYS: [&str; 5] = ["form", "title", "purpose", "fields", "tools"];

/// Makes a form of a definition that has been parsed; `heading` is the title that Markdown gives it.
fn build(value: &Value, lines: Lines, source: Source, heading: Option<String>) -> Result<Form, Vec<Flaw>> {
    let mut findings = Findings::new(lines);
    let Value::Object(map) = value else {
        findings.flaw("", "", "must be an object with form_id and fields");
        return Err(findings.flaws);
    };
    let (key, id) = name_of(map, &mut findings);
    if key == "form" {
        for unknown in map.keys().filter(|key| !OWN_KEYS.contains(&key.as_str())) {
            let message = format!("is not a key of a form; the keys are {}", OWN_KEYS.join(", "));
            findings.flaw(&lines::join("", unknown), unknown, message);
        }
    }
    let tools = read_tools(map.get("tools"), &mut findings);
    let mut fields = Vec::new();
    match map.get("fields") {
        Some(Value::Array(list)) => {
            let read = field::read_all(list, source, &tools, &mut findings);
            fields = read.fields;
            check(&mut fields, &read.sound, &tools, &mut findings);
        }
        Some(_) => findings.flaw("/fields", "fields", "must be a list of fields"),
        None => findings.flaw("", "fields", "Field required"),
    }
    if !findings.flaws.is_empty() {
        findings.flaws.sort_by_key(|flaw| flaw.line.unwrap_or(usize::MAX));
        return Err(findings.flaws);
    }
    let text =
        |key: &str| map.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let title = text("title").map(str::to_owned).or(heading).unwrap_or_else(|| words_of(&id));
    let purpose = text("purpose").map(str::to_owned);
    Ok(Form { id, title, purpose, fields, tools, warnings: findings.warnings })
}

/// Reads the form's name: `form_id` in the published generations, `form` in ours.
fn name_of(map: &Map<String, Value>, findings: &mut Findings) -> (&'static str, String) {
    let key = if map.contains_key("form") && !map.contains_key("form_id") { "form" } else { "form_id" };
    match map.get(key) {
        Some(Value::String(id)) => {
            if let Err(why) = check_name(id) {
                findings.flaw(&lines::join("", key), key, why);
            }
            (key, id.clone())
        }
        Some(_) => {
            findings.flaw(&lines::join("", key), key, "must be a text");
            (key, String::new())
        }
        None => {
            findings.flaw("", key, "Field required");
            (key, String::new())
        }
    }
}

/// Checks the fields together, as core will when the form is asked.
fn check(fields: &mut [Field], sound: &[bool], tools: &[Tool], findings: &mut Findings) {
    let (mut faults, mut ignored) = (Vec::new(), Vec::new());
    definition::complete(fields, &mut ignored);
    // What only keeps the place of a field that cannot be read has no flaws of its own, but a name.
    let mut readable: Vec<Field> =
        fields.iter().zip(sound).filter(|(_, sound)| **sound).map(|(field, _)| field.clone()).collect();
    if !readable.is_empty() || fields.is_empty() {
        definition::complete(&mut readable, &mut faults);
    }
    let named = ignored.into_iter().filter(|fault| fault.message.contains("occurs twice"));
    let unsaid: Vec<FieldError> = named.filter(|fault| !faults.contains(fault)).collect();
    faults.extend(unsaid);
    definition::check_count(fields, &[], &mut faults);
    holdpoint_core::form::check_references(fields, &mut faults);
    for FieldError { field, message } in faults {
        // A second field of the same name is the one that is wrong.
        let at = fields.iter().rposition(|known| known.id == field);
        // A message begins with the key that is wrong, where it is one; if there is none, the field's own line is taken.
        let key = message.split([' ', ':']).next().unwrap_or_default();
        let pointer =
            at.map_or_else(|| "/fields".to_owned(), |at| lines::join(&format!("/fields/{at}"), key));
        findings.flaw(&pointer, &field, message);
    }
    offered::check(fields, tools, findings);
}

fn read_tools(value: Option<&Value>, findings: &mut Findings) -> Vec<Tool> {
    let list = match value {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(list)) => list,
        Some(_) => {
            findings.flaw("/tools", "tools", "must be a list of tools");
            return Vec::new();
        }
    };
    let mut tools: Vec<Tool> = Vec::new();
    for (at, item) in list.iter().enumerate() {
        let pointer = format!("/tools/{at}");
        let text = |key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = item.as_str().map(str::to_owned).or_else(|| text("name")).unwrap_or_default();
        if let Err(why) = check_name(&name) {
            findings.flaw(&pointer, "tools", format!("a tool's name {why}"));
        } else if tools.iter().any(|tool| tool.name == name) {
            findings.flaw(&pointer, "tools", format!("tool {} occurs twice", inert_line(&name)));
        } else {
            tools.push(Tool { name, purpose: text("purpose"), when: text("when") });
        }
    }
    tools
}

/// Returns an id as a person would say it: `leave_request` and `leaveRequest` as "leave request".
pub fn words_of(id: &str) -> String {
    let mut words = String::with_capacity(id.len() + 4);
    let mut before = ' ';
    for c in id.chars() {
        if c == '_' || c == '-' || c == '.' || c.is_whitespace() {
            if !words.ends_with(' ') && !words.is_empty() {
                words.push(' ');
            }
        } else {
            if c.is_uppercase() && before.is_lowercase() {
                words.push(' ');
            }
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words.trim_end().to_owned()
}
