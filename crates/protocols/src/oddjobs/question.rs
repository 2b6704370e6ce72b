//! The questions that an agent asks together, as JSON, and their fields.

use std::collections::{HashMap, HashSet};

use holdpoint_core::json::parse_strict;
use holdpoint_core::text::{inert_line, start};
use holdpoint_core::{Field, FieldError, Kind, Opt, Refusal};
use serde_json::{Map, Value};

/// One question of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub question: String,
    /// A word or two above it.
    pub header: Option<String>,
    /// Whether several options may be chosen.
    pub multi_select: bool,
    /// The options: labels, with a description if there is one. Free text if empty.
    pub options: Vec<(String, Option<String>)>,
}

/// Parses questions: an array of them, or an object with that array under `questions`.
///
/// An empty array or `null` is not a question at all. Unknown keys are ignored: the tools that write this format add to
/// it freely.
pub fn read(text: &str) -> Result<Vec<Question>, Refusal> {
    const SHAPE: &str =
        "must be an array of {question, header?, multiSelect?, options} or {\"questions\": […]}";
    let value =
        parse_strict(text).map_err(|why| wrong(format!("are not JSON: {}", inert_line(&why.to_string()))))?;
    let items = match value {
        Value::Array(items) => items,
        Value::Null => Vec::new(),
        Value::Object(mut map) => match map.remove("questions") {
            Some(Value::Array(items)) => items,
            Some(Value::Null) => Vec::new(),
            _ => return Err(wrong(SHAPE)),
        },
        _ => return Err(wrong(SHAPE)),
    };
    read_all(&items)
}

/// Parses questions that are JSON values already.
pub fn read_all(items: &[Value]) -> Result<Vec<Question>, Refusal> {
    let (mut questions, mut faults) = (Vec::with_capacity(items.len()), Vec::new());
    for (at, item) in items.iter().enumerate() {
        match read_one(item) {
            Ok(question) => questions.push(question),
            Err(why) => faults.push(FieldError::new("questions", format!("question {}: {why}", at + 1))),
        }
    }
    if faults.is_empty() { Ok(questions) } else { Err(Refusal::Invalid(faults)) }
}

/// Turns questions into fields: `choice` (or `text`) for a single one, `q1`, `q2` … for several.
///
/// Every question also takes free text. Option ids are made from the labels and avoid `taken`.
pub fn fields(questions: &[Question], taken: &[Opt]) -> Vec<Field> {
    let single = questions.len() == 1;
    let field = |(at, question): (usize, &Question)| {
        let kind = match (question.options.as_slice(), question.multi_select) {
            // Free text is sent as a message, which may have several lines.
            ([], _) => Kind::Multiline,
            (_, false) => Kind::Choice,
            (_, true) => Kind::Choices,
        };
        let id = match kind {
            Kind::Multiline if single => "text".to_owned(),
            _ if single => "choice".to_owned(),
            _ => format!("q{}", at + 1),
        };
        let mut slugs = Slugs::avoiding(taken);
        let options = question.options.iter().map(|(label, description)| Opt {
            description: description.clone(),
            ..Opt::new(slugs.of(label), label)
        });
        let mut field = Field::offering(id, kind, &question.question, options.collect());
        field.custom = kind.takes_custom();
        if let Some(header) = &question.header {
            field.extra.insert("header".to_owned(), Value::from(header.as_str()));
        }
        field
    };
    questions.iter().enumerate().map(field).collect()
}

/// Returns the header of a field, if it has one.
pub fn header(field: &Field) -> Option<&str> {
    field.extra.get("header").and_then(Value::as_str)
}

/// Makes unique option ids from labels.
#[derive(Debug, Default)]
pub(super) struct Slugs {
    taken: HashSet<String>,
    /// The last number added to a stem, so that ten thousand equal labels cost no more than unequal ones.
    last: HashMap<String, usize>,
}

impl Slugs {
    /// Starts with ids that are already in use.
    pub(super) fn avoiding<'a>(options: impl IntoIterator<Item = &'a Opt>) -> Self {
        Self { taken: options.into_iter().map(|option| option.id.clone()).collect(), last: HashMap::new() }
    }

    /// Returns an id for a label: letters and digits joined by `-`, short, never starting with `_`.
    pub(super) fn of(&mut self, label: &str) -> String {
        const LONGEST: usize = 40;
        // Only the start of a very long label matters.
        let lower = start(label, 8 * LONGEST).to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let words = words.join("-");
        let stem = match start(&words, LONGEST).trim_end_matches('-') {
            "" => "option",
            stem => stem,
        };
        let last = self.last.entry(stem.to_owned()).or_insert(0);
        loop {
            *last += 1;
            let id = if *last == 1 { stem.to_owned() } else { format!("{stem}-{last}") };
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

fn read_one(item: &Value) -> Result<Question, String> {
    let map = item.as_object().ok_or("must be an object with \"question\" and \"options\"")?;
    let question = text(map, "question")?.ok_or("\"question\" is missing: what is asked?")?;
    let multi_select = match map.get("multiSelect") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(several)) => *several,
        Some(_) => return Err("\"multiSelect\" must be true or false".into()),
    };
    let options = match map.get("options") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => {
            let read = |(at, item)| read_option(item).map_err(|why| format!("option {}: {why}", at + 1));
            items.iter().enumerate().map(read).collect::<Result<_, String>>()?
        }
        Some(_) => return Err("\"options\" must be an array of labels or of {label, description?}".into()),
    };
    Ok(Question { question, header: text(map, "header")?, multi_select, options })
}

fn read_option(item: &Value) -> Result<(String, Option<String>), String> {
    match item {
        Value::String(label) if !label.trim().is_empty() => Ok((label.clone(), None)),
        Value::Object(map) => {
            let label = text(map, "label")?.ok_or("\"label\" is missing")?;
            Ok((label, text(map, "description")?))
        }
        _ => Err("must be a label or {label, description?}".into()),
    }
}

fn text(map: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(format!("\"{key}\" must be a string")),
    }
}

fn wrong(message: impl Into<String>) -> Refusal {
    Refusal::invalid("questions", message)
}
