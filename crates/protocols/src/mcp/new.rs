//! From the arguments of `ask` to a question: a full decision, or the short form of one question.

use holdpoint_core::decision::New;
use holdpoint_core::text::{MAX_LABEL, inert_line, start};
use holdpoint_core::{Field, Kind, Opt, Source};
use serde_json::{Map, Value};

/// Converts the short form to the fields of a question that has none.
pub(super) fn complete(mut new: New, short: ShortQuestion) -> Result<New, String> {
    let ShortQuestion { options, kind, multiple, custom } = short;
    let any = !options.is_empty() || kind.is_some() || multiple || custom;
    if !new.fields.is_empty() {
        return if any {
            Err("options, kind, multiple and custom are the short form; with fields, put them there"
                .to_owned())
        } else {
            Ok(new)
        };
    }
    let approval = new.source == Some(Source::Approval) || (new.source.is_none() && new.subject.is_some());
    let kind = kind.unwrap_or(match (options.is_empty(), multiple, approval) {
        (false, true, _) => Kind::Choices,
        (false, false, _) => Kind::Choice,
        (true, _, true) => Kind::Confirm,
        (true, _, false) => Kind::Multiline,
    });
    let mut options = options;
    if options.is_empty() && kind == Kind::Confirm {
        options = vec![Opt::new("yes", "Yes"), Opt { refuses: true, ..Opt::new("no", "No") }];
    }
    let words = new.prompt.as_deref().or(new.title.as_deref()).unwrap_or_default();
    let line = inert_line(words.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    let id = if kind.picks() { "choice" } else { "text" };
    let field = Field { custom, ..Field::offering(id, kind, start(&line, MAX_LABEL.min(200)), options) };
    new.fields = vec![field];
    Ok(new)
}

/// The short form of one question.
#[derive(Debug, Default)]
pub(super) struct ShortQuestion {
    options: Vec<Opt>,
    kind: Option<Kind>,
    multiple: bool,
    custom: bool,
}

impl ShortQuestion {
    /// Takes the short form out of the arguments.
    pub(super) fn take(arguments: &mut Map<String, Value>) -> Result<Self, String> {
        let options = match arguments.remove("options") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items.into_iter().map(option).collect::<Result<_, _>>()?,
            Some(_) => return Err("options must be an array".to_owned()),
        };
        let kind = match arguments.remove("kind") {
            None | Some(Value::Null) => None,
            Some(kind) => Some(serde_json::from_value(kind).map_err(|why| format!("kind: {why}"))?),
        };
        let mut flag = |key: &str| match arguments.remove(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(format!("{key} must be true or false")),
        };
        Ok(Self { options, kind, multiple: flag("multiple")?, custom: flag("custom")? })
    }
}

fn option(item: Value) -> Result<Opt, String> {
    match item {
        Value::String(text) => Ok(Opt::read(&text)),
        other @ Value::Object(_) => serde_json::from_value(other).map_err(|why| format!("options: {why}")),
        _ => Err("options: each is text, \"id:Label\" or a label, or an object with id and label".to_owned()),
    }
}
