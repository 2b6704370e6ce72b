//! A language model as a reader: its prompt, and its output, which is treated as untrusted input like
//! any other.
//!
//! The model is shown the form and the person's words, and answers with one JSON object ([`schema`]). Each value must
//! point to the words it comes from; what it cannot point to is asked, not assumed. What it says that no field takes
//! is never stored.

mod grounds;
mod prompt;
mod schema;

use holdpoint_core::text::{inert, inert_line, start};
use holdpoint_core::{Field, field};
use serde_json::{Map, Value};

use super::briefing::{Briefing, ReaderResult};
use super::form::{names_option, option};
use super::reader::{self, Reading, RejectedValue, Rule, StatedValue, UncertainValue};
use super::wire::Action;
use super::worded::called;

pub use prompt::{Format, again, content, request};
pub use schema::schema;

/// How much of a model's own text is shown to a person.
const LONGEST_REMARK: usize = 600;
/// How many bytes the arguments of a tool may have.
const LONGEST_ARGUMENTS: usize = 16 << 10;

/// Reads a model's output.
///
/// # Errors
/// If it is nothing that could be understood; the message tells the model what would be.
pub fn read(output: &str, briefing: &Briefing<'_>) -> Result<ReaderResult, String> {
    let value = object_in(output).ok_or("answer with one JSON object and nothing else")?;
    let Value::Object(map) = value else {
        return Err("answer with one JSON object, not a list or a bare value".into());
    };
    if map.contains_key("action") {
        return tool_call(&map, briefing);
    }
    let fields = briefing.question.fields;
    let message = map.get("message").and_then(Value::as_str).and_then(remark);
    let known = |id: &&str| fields.iter().any(|field| field.id == **id);
    let value = map.get("value").filter(|value| !value.is_null());
    match map.get("intent").and_then(Value::as_str) {
        Some("multi_answer") => {
            let answers = map.get("answers").and_then(Value::as_object).cloned().unwrap_or_default();
            if answers.values().all(Value::is_null) {
                // It found nothing; the built-in reader may.
                return Ok(ReaderResult::Values(reader::read(briefing.question)));
            }
            let mut taking = ValueCollector::new(briefing, map.get("words"));
            for (id, answer) in answers.iter().filter(|(_, answer)| !answer.is_null()) {
                taking.take(id, answer);
            }
            Ok(ReaderResult::Values(taking.with_answer()))
        }
        Some("answer") => {
            let id = match map.get("field_id") {
                None => briefing.question.asked.map(|field| field.id.as_str()),
                Some(id) => id.as_str().filter(known),
            };
            let mut taking = ValueCollector::new(briefing, map.get("words"));
            if let (Some(id), Some(value)) = (id, value) {
                taking.take(id, value);
            }
            let reading = taking.with_answer();
            Ok(if reading.is_empty() { left(message, briefing) } else { ReaderResult::Values(reading) })
        }
        Some("correction") => {
            let named = map.get("field_id").and_then(Value::as_str).filter(known);
            let mut taking =
                ValueCollector { corrects: true, ..ValueCollector::new(briefing, map.get("words")) };
            if let (Some(id), Some(value)) = (named, value) {
                taking.take(id, value);
            }
            if named.is_none() && taking.reading.is_empty() {
                return Ok(left(message, briefing));
            }
            Ok(ReaderResult::Correction { field: named.map(str::to_owned), reading: taking.reading })
        }
        Some(_) => Ok(left(message, briefing)),
        None if message.is_some() => Ok(ReaderResult::Remark(message)),
        None => Err("give an intent: multi_answer, answer, correction, clarify or ask".into()),
    }
}

/// Returns what a turn comes to of which the model took nothing: its remark, or else what the built-in reader takes.
fn left(message: Option<String>, briefing: &Briefing<'_>) -> ReaderResult {
    match message {
        Some(message) => ReaderResult::Remark(Some(message)),
        None => ReaderResult::Values(reader::read(briefing.question)),
    }
}

/// Returns the part of a model's own text that a person may see: inert, marked as the model's, and without links.
fn remark(text: &str) -> Option<String> {
    let words = text.split_whitespace().map(|word| if is_link(word) { "[link removed]" } else { word });
    let shown: String = inert(&words.collect::<Vec<_>>().join(" ")).chars().take(LONGEST_REMARK).collect();
    (!shown.is_empty()).then(|| format!("The language model says: {shown}"))
}

/// Returns whether a word could lead somewhere: it has a scheme, a tag, or a host's name in it.
fn is_link(word: &str) -> bool {
    let low = word.to_lowercase();
    let label = |part: &str| part.chars().take_while(|c| c.is_alphanumeric()).count();
    let mut hosts = low.split('.').zip(low.split('.').skip(1));
    let host = |(before, after): (&str, &str)| {
        before.ends_with(char::is_alphabetic) && label(after) >= 2 && after.starts_with(char::is_alphabetic)
    };
    let schemes = ["://", "www.", "mailto:", "javascript:", "data:", "tel:", "href"];
    word.contains(['<', '@']) || schemes.iter().any(|scheme| low.contains(scheme)) || hosts.any(host)
}

/// Values while they are taken from an output.
struct ValueCollector<'a> {
    briefing: &'a Briefing<'a>,
    /// Words that stand beside the values and not in them.
    words: Option<&'a Value>,
    /// Whether it says that something known is to be changed.
    corrects: bool,
    reading: Reading,
}

impl<'a> ValueCollector<'a> {
    fn new(briefing: &'a Briefing<'a>, words: Option<&'a Value>) -> Self {
        Self { briefing, words, corrects: false, reading: Reading::default() }
    }

    /// Adds what the built-in reader takes as the answer to what was asked, where the model says nothing of it.
    fn with_answer(self) -> Reading {
        let mut reading = self.reading;
        let answers = |taken: &StatedValue| matches!(taken.rule, Rule::Exact | Rule::Answer);
        for taken in reader::read(self.briefing.question).taken.into_iter().filter(answers) {
            let known = reading.has(&taken.field);
            let words = self.briefing.question.asked.is_some_and(|asked| asked.kind.is_text());
            if !known && (!words || reading.is_empty()) {
                reading.taken.push(taken);
            }
        }
        reading
    }

    /// Accepts one value, if it fits its field and its words occur in the text.
    fn take(&mut self, id: &str, answer: &Value) {
        let (value, own) = match answer {
            Value::Object(map) if map.contains_key("value") => {
                (map.get("value").unwrap_or(answer), map.get("words"))
            }
            _ => (answer, None),
        };
        let words = own.or(self.words).and_then(Value::as_str).unwrap_or_default().trim();
        let Some(known) = self.briefing.question.fields.iter().find(|field| field.id == id) else {
            // Of a whole description it is told what could not be placed; in an answer it is nothing the person can mend.
            if self.briefing.question.asked.is_none() && self.briefing.values.is_empty() {
                self.unfit(id, value, "there is no such field".into());
            }
            return;
        };
        match field::check(known, &by_id(known, value)) {
            Ok(value) => self.weigh(known, value, words),
            Err(why) => self.unfit(id, value, why),
        }
    }

    fn weigh(&mut self, known: &Field, value: Value, words: &str) {
        let (field, text) = (known.id.clone(), self.briefing.question.text);
        if let Some(value) = grounds::stated(&self.briefing.question, known, value.clone(), words) {
            let words = words.to_owned();
            if let Some(why) = self.doubt(known, &value, &words) {
                self.reading.unsure.push(UncertainValue { field, values: vec![value], words, why });
            } else {
                self.reading.taken.push(StatedValue { field, value, words, rule: Rule::Model, note: None });
            }
        } else if known.kind.picks() {
            // What it cannot point to is asked, not assumed.
            let words = if grounds::contains(text, words) { words.to_owned() } else { String::new() };
            let why = "the language model does not say from which words".to_owned();
            self.reading.unsure.push(UncertainValue { field, values: vec![value], words, why });
        }
    }

    /// Returns why a value has to be confirmed, although its words occur in the text.
    fn doubt(&self, known: &Field, value: &Value, words: &str) -> Option<String> {
        let (question, asked) = (&self.briefing.question, self.briefing.question.asked);
        let is_asked = asked.is_some_and(|asked| asked.id == known.id);
        let held = self.briefing.values.get(&known.id).filter(|held| *held != value && !is_asked);
        let kept = held.filter(|_| !self.corrects && !reader::corrects(question.text));
        if kept.is_some() {
            return Some("another value is known, and no word says to change it".to_owned());
        }
        let owner =
            (!is_asked && !known.kind.is_text()).then(|| grounds::owner(question, known, words)).flatten();
        let other = owner.map(|field| format!("these words are read for another field ({})", called(field)));
        other.or_else(|| grounds::doubt(question, known, value, words))
    }

    fn unfit(&mut self, id: &str, value: &Value, why: String) {
        let words = start(&inert_line(&value.to_string()), 200).to_owned();
        self.reading.unfit.push(RejectedValue { field: id.to_owned(), why, words });
    }
}

/// Returns a value with options by their id, where it names them by their label.
fn by_id(known: &Field, value: &Value) -> Value {
    match value {
        Value::String(text) if known.kind.picks() => {
            option(known, text).map_or_else(|| value.clone(), |option| Value::from(option.id.as_str()))
        }
        Value::Array(items) if known.kind == holdpoint_core::Kind::Choices => items
            .iter()
            .map(|item| if item.is_string() { by_id(known, item) } else { item.clone() })
            .collect(),
        _ => value.clone(),
    }
}

/// Returns whether the message needs no model, because it is what a control would have sent.
pub fn is_plain(briefing: &Briefing<'_>) -> bool {
    let question = briefing.question;
    match question.asked {
        Some(asked) if asked.kind.is_text() => false,
        Some(_) => reader::read(question).taken.iter().any(|taken| taken.rule == Rule::Exact),
        // The name of an option says itself whose it is.
        None => names_option(question.fields, question.text) && !reader::read(question).taken.is_empty(),
    }
}

fn tool_call(map: &Map<String, Value>, briefing: &Briefing<'_>) -> Result<ReaderResult, String> {
    if map.get("action").and_then(Value::as_str) != Some("TOOL_CALL") {
        return Err("use an intent to say what you understood; TOOL_CALL is the only action".into());
    }
    let name = map.get("tool_name").and_then(Value::as_str).map(str::trim).filter(|name| !name.is_empty());
    let name = name.ok_or("TOOL_CALL needs a tool_name")?;
    let of_field = |field: &Field| field.options_from.as_ref().is_some_and(|from| from.tool == name);
    let declared =
        briefing.tools.iter().any(|tool| tool.name == name) || briefing.question.fields.iter().any(of_field);
    if !declared {
        let names: Vec<&str> = briefing.tools.iter().map(|tool| tool.name.as_str()).collect();
        return Err(format!("there is no such tool; the form has: {}", names.join(", ")));
    }
    let tool_args = match map.get("tool_args") {
        None => Map::new(),
        Some(Value::Object(args)) => args.clone(),
        Some(_) => return Err("tool_args must be an object".into()),
    };
    if Value::Object(tool_args.clone()).to_string().len() > LONGEST_ARGUMENTS {
        return Err("tool_args is too long".into());
    }
    let message = map.get("message").and_then(Value::as_str).and_then(remark);
    let message = message.unwrap_or_else(|| "Looking that up…".to_owned());
    Ok(ReaderResult::Tool(Action::ToolCall { tool_name: name.to_owned(), tool_args, message }))
}

/// Returns whether an output is what the schema asks for, and nothing around it: one object with an intent or an action.
pub fn is_bare(output: &str) -> bool {
    let parsed = holdpoint_core::json::parse_strict(output.trim());
    parsed
        .is_ok_and(|value| value.get("intent").or_else(|| value.get("action")).is_some_and(Value::is_string))
}

/// Finds the JSON in an output: all of it, what is fenced, or from the first brace to the last.
fn object_in(output: &str) -> Option<Value> {
    let parse = |text: &str| holdpoint_core::json::parse_strict(text.trim()).ok();
    let fenced = || {
        output.split("```").skip(1).step_by(2).find_map(|part| {
            let part = part.strip_prefix("json").unwrap_or(part);
            parse(part)
        })
    };
    let braced = || output.get(output.find('{')?..=output.rfind('}')?).and_then(parse);
    parse(output).or_else(fenced).or_else(braced)
}
