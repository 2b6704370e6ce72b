//! From `bd decision create` to a question on an item.

use holdpoint_core::decision::New;
use holdpoint_core::json::parse_strict;
use holdpoint_core::text::{MAX_LABEL, inert_line, start};
use holdpoint_core::{Field, FieldError, Kind, Opt, Owner, Priority, Refusal, Source, Span, Values};
use serde_json::{Map, Value};

use super::FIELD;

/// How long a decision with a default waits if no timeout is given.
pub const DEFAULT_TIMEOUT: Span = Span::from_secs(24 * 60 * 60);

/// The arguments of `create`. Options come as repeated `id:label` or as one JSON array, not both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Create {
    /// The project; `default` if not given.
    pub project: Option<String>,
    /// The work item that waits.
    pub issue: String,
    /// The item below which this one is made, if any.
    pub parent: Option<String>,
    /// The question.
    pub prompt: String,
    /// Context for the person.
    pub context: Option<String>,
    /// The urgency: `high`, `medium` or `low`.
    pub urgency: Option<String>,
    /// Options as `id:label`; without a colon the text is both.
    pub option: Vec<String>,
    /// Options as a JSON array of `{id, short, label, description, refuses}`, or of strings that are id and label.
    pub options: Option<String>,
    /// The option that is chosen at the timeout.
    pub default: Option<String>,
    /// The timeout.
    pub timeout: Option<Span>,
    /// The timeout for choosing the default, if none is given; [`DEFAULT_TIMEOUT`] if not set.
    pub default_timeout: Option<Span>,
    /// Other work items that are blocked while it is pending.
    pub blocks: Vec<String>,
    /// The last round of guidance.
    pub max_iterations: Option<u32>,
    /// The agent or session to wake.
    pub requested_by: Option<String>,
    /// Whether no one is notified of the question.
    pub quiet: bool,
}

/// Turns the arguments of `create` into a question with one choice on the item, refused while another is pending.
///
/// Duplicate or reserved ids are refused by core.
pub fn create(given: &Create) -> Result<New, Refusal> {
    let mut faults = Vec::new();
    let owner = format!("item:{}", given.issue).parse::<Owner>();
    let owner = owner.map_err(|why| faults.push(FieldError::new("issue", why))).ok();
    if given.issue.starts_with("dcn-") {
        let why = "choose another name: this one reads as the id of a decision";
        faults.push(FieldError::new("issue", why));
    }
    if given.prompt.trim().is_empty() {
        faults.push(FieldError::new("prompt", "is empty; what is asked? (--prompt TEXT)"));
    }
    let priority = read_urgency(given.urgency.as_deref(), &mut faults);
    let options = read_options(given, &mut faults);
    let default = given.default.as_deref().map(str::trim).filter(|id| !id.is_empty());
    if let Some(default) = default
        && faults.is_empty()
        && !options.iter().any(|option| option.id == default)
    {
        let message =
            format!("default option '{}' not found in options: {}", inert_line(default), ids(&options));
        faults.push(FieldError::new("default", message));
    }
    if given.quiet && default.is_some() {
        let why = "cannot have a --default: nobody would notice a question that answers itself";
        faults.push(FieldError::new("no-notify", why));
    }
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    let field = Field { custom: true, ..Field::offering(FIELD, Kind::Choice, label(&given.prompt), options) };
    // With a context, the question is the title.
    let context = given.context.clone().filter(|context| !context.trim().is_empty());
    let title = context.as_ref().map(|_| given.prompt.clone());
    Ok(New {
        project: given.project.clone(),
        source: Some(Source::Question),
        title,
        prompt: Some(context.unwrap_or_else(|| given.prompt.clone())),
        priority,
        fields: vec![field],
        owner,
        requested_by: given.requested_by.clone(),
        timeout: given.timeout.or(default.map(|_| given.default_timeout.unwrap_or(DEFAULT_TIMEOUT))),
        blocks: given.blocks.clone(),
        default: default.map(|id| Values::from_iter([(FIELD.to_owned(), Value::from(id))])),
        max_iterations: given.max_iterations,
        exclusive: true,
        quiet: given.quiet,
        ..New::default()
    })
}

fn read_urgency(urgency: Option<&str>, faults: &mut Vec<FieldError>) -> Option<Priority> {
    match urgency? {
        "high" => Some(Priority::High),
        "medium" => Some(Priority::Normal),
        "low" => Some(Priority::Low),
        other => {
            let message = format!("invalid urgency '{}': must be high, medium, or low", inert_line(other));
            faults.push(FieldError::new("urgency", message));
            None
        }
    }
}

fn read_options(given: &Create, faults: &mut Vec<FieldError>) -> Vec<Opt> {
    let read = match (&given.options, given.option.as_slice()) {
        (Some(_), [_, ..]) => Err(vec!["give --option or --options, not both".to_owned()]),
        (Some(text), []) => read_json(text),
        (None, []) => {
            Err(vec!["at least one option is required (--option ID:LABEL or --options JSON)".to_owned()])
        }
        (None, pairs) => collect(pairs.iter().enumerate().map(|(at, pair)| read_pair(at, pair))),
    };
    read.unwrap_or_else(|messages| {
        faults.extend(messages.into_iter().map(|message| FieldError::new("options", message)));
        Vec::new()
    })
}

fn read_json(text: &str) -> Result<Vec<Opt>, Vec<String>> {
    let value = parse_strict(text)
        .map_err(|why| vec![format!("invalid options JSON: {}", inert_line(&why.to_string()))])?;
    let Value::Array(items) = value else {
        return Err(vec![
            "invalid options JSON: must be an array of {id, short, label, description, refuses}".into(),
        ]);
    };
    if items.is_empty() {
        return Err(vec!["at least one option is required; the array is empty".into()]);
    }
    collect(items.into_iter().enumerate().map(|(at, item)| match item {
        Value::String(text) if !text.trim().is_empty() => Ok(Opt::new(text.trim(), text.trim())),
        Value::Object(map) => read_object(at, &map),
        _ => Err(format!("option {at} must be an object with 'id' and 'label'")),
    }))
}

/// Parses `id:label`, or `id!:label` for an option that refuses; the label may contain further colons.
fn read_pair(at: usize, pair: &str) -> Result<Opt, String> {
    let option = Opt::read(pair);
    if option.id.is_empty() {
        return Err(missing(at, "id"));
    }
    if option.label.is_empty() {
        return Err(missing(at, "label"));
    }
    Ok(option)
}

fn read_object(at: usize, map: &Map<String, Value>) -> Result<Opt, String> {
    const KEYS: [&str; 5] = ["id", "short", "label", "description", "refuses"];
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!(
            "option {at} has the unknown key '{}'; the keys are {}",
            inert_line(key),
            KEYS.join(", ")
        ));
    }
    let text = |key: &str| match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(format!("option {at}: '{key}' must be a string")),
    };
    let id = text("id")?.ok_or_else(|| missing(at, "id"))?;
    let label = text("label")?.ok_or_else(|| missing(at, "label"))?;
    let refuses = match map.get("refuses") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(refuses)) => *refuses,
        Some(_) => return Err(format!("option {at}: 'refuses' must be true or false")),
    };
    Ok(Opt { short: text("short")?, description: text("description")?, refuses, ..Opt::new(id, label) })
}

/// Collects every error, so that all options can be corrected at once.
fn collect(options: impl Iterator<Item = Result<Opt, String>>) -> Result<Vec<Opt>, Vec<String>> {
    let (mut read, mut messages) = (Vec::new(), Vec::new());
    for option in options {
        match option {
            Ok(option) => read.push(option),
            Err(message) => messages.push(message),
        }
    }
    if messages.is_empty() { Ok(read) } else { Err(messages) }
}

fn missing(at: usize, key: &str) -> String {
    format!("option {at} missing '{key}' field (counting from 0)")
}

/// Returns a label for a prompt, which may be much longer than a label; the decision has all of it.
fn label(prompt: &str) -> String {
    start(prompt.trim(), MAX_LABEL).to_owned()
}

fn ids(options: &[Opt]) -> String {
    inert_line(&options.iter().take(12).map(|option| option.id.as_str()).collect::<Vec<_>>().join(", "))
}
