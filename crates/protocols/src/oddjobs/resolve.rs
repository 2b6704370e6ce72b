//! From numbers and a message to an answer.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Field, Kind, Refusal, Source, Status, Values, form};
use serde_json::{Value, json};

use super::number::{Entry, NumberMeaning, entries, group, questions, takes_words};

/// Why numbers and a message are not a valid answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ResolveError {
    #[error("must provide either a choice or a message (-m)")]
    Empty,
    #[error("choice {choice} out of range (1..{most})")]
    OutOfRange { choice: usize, most: usize },
    #[error("choice {choice} for question {question} out of range (1..{most})")]
    OutOfRangeFor { choice: usize, question: usize, most: usize },
    #[error("expected {expected} choices (one per question), got {got}")]
    Count { expected: usize, got: usize },
    #[error("expected one choice, got {got}: this question takes one option only")]
    OneOnly { got: usize },
    #[error("choice {choice} ({label}) is taken alone, not together with other choices")]
    Alone { choice: usize, label: String },
    #[error("choice {choice} (Other) needs your own words: add -m TEXT")]
    Wordless { choice: usize },
    #[error(
        "{field:?} takes a {kind}, which has no number; answer with: hold answer {id} --set {field}=VALUE"
    )]
    Unnumbered { id: DecisionId, field: String, kind: &'static str },
    /// It is already settled, regardless of other errors.
    #[error(transparent)]
    Settled(Refusal),
}

impl From<ResolveError> for Refusal {
    fn from(unfit: ResolveError) -> Self {
        let place = match &unfit {
            ResolveError::Settled(_) | ResolveError::Empty => "answer",
            ResolveError::Wordless { .. } => "message",
            _ => "choice",
        };
        match unfit {
            ResolveError::Settled(refusal) => refusal,
            other => Self::invalid(place, other.to_string()),
        }
    }
}

/// Turns the numbers a person typed, and a message, into an answer.
///
/// One field: one number of the flat list, or several if the field allows several. Several fields: one number for each;
/// a single number refers to the flat list and must concern all of them. A message alone is left to core, which knows
/// what it means for each source.
pub fn resolve(
    decision: &Decision,
    choices: &[usize],
    message: Option<&str>,
) -> Result<AnswerInput, ResolveError> {
    let message = message.filter(|text| !text.trim().is_empty());
    let read = match (choices, questions(decision).as_slice()) {
        ([], _) => match message {
            Some(_) => Ok(with_message(AnswerInput::default(), message)),
            None => Err(ResolveError::Empty),
        },
        ([choice], fields) => one(decision, fields, *choice, message),
        (choices, [field]) => several(decision, field, choices, message),
        (choices, fields) => one_each(decision, fields, choices, message),
    };
    read.map_err(|unfit| match decision.status {
        Status::Pending => unfit,
        _ => ResolveError::Settled(Refusal::Settled(Box::new(decision.clone()))),
    })
}

fn one(
    decision: &Decision,
    fields: &[&Field],
    choice: usize,
    message: Option<&str>,
) -> Result<AnswerInput, ResolveError> {
    let entries = entries(decision);
    match (find(decision, &entries, choice)?.means, fields) {
        (NumberMeaning::Out(out), _) => {
            Ok(with_message(AnswerInput { out: Some(out.id.clone()), ..AnswerInput::default() }, message))
        }
        (NumberMeaning::Other, _) if message.is_none() => Err(ResolveError::Wordless { choice }),
        // This gives the same answer as the message alone, so that one is a replay of the other.
        (NumberMeaning::Other, fields)
            if decision.source == Source::Question && fields.iter().all(|field| takes_words(field)) =>
        {
            Ok(with_message(AnswerInput::default(), message))
        }
        (NumberMeaning::Option(..) | NumberMeaning::Accept(..) | NumberMeaning::Other, [field]) => {
            several(decision, field, &[choice], message)
        }
        // It is for the first question, if that answer makes the others unnecessary.
        (NumberMeaning::Option(..) | NumberMeaning::Accept(..) | NumberMeaning::Other, fields) => {
            one_each(decision, fields, &[choice], message)
                .map_err(|_| ResolveError::Count { expected: fields.len(), got: 1 })
        }
    }
}

/// Reads numbers of the flat list as choices in the only field.
fn several(
    decision: &Decision,
    field: &Field,
    choices: &[usize],
    message: Option<&str>,
) -> Result<AnswerInput, ResolveError> {
    let entries = entries(decision);
    let mut picked = Vec::with_capacity(choices.len());
    for choice in choices {
        let entry = find(decision, &entries, *choice)?;
        if choices.len() > 1 && matches!(entry.means, NumberMeaning::Out(_) | NumberMeaning::Accept(..)) {
            return Err(ResolveError::Alone { choice: *choice, label: inert_line(entry.label) });
        }
        picked.push(entry);
    }
    if picked.len() > 1 && !takes_several(field) {
        return Err(ResolveError::OneOnly { got: picked.len() });
    }
    let items = picked.iter().map(|entry| item(field, entry, message)).collect::<Result<Vec<_>, _>>()?;
    Ok(answer(&[(field, items)], &picked, message))
}

/// Reads one number for each field, within that field's own options. A field that is not visible after the choices so
/// far needs none: for example the patch set, if none is committed.
fn one_each(
    decision: &Decision,
    fields: &[&Field],
    choices: &[usize],
    message: Option<&str>,
) -> Result<AnswerInput, ResolveError> {
    let count = || ResolveError::Count { expected: fields.len(), got: choices.len() };
    if choices.len() > fields.len() {
        return Err(count());
    }
    let groups: Vec<Vec<Entry<'_>>> = fields.iter().map(|field| group(field)).collect();
    let (mut values, mut picked) = (Vec::with_capacity(fields.len()), Vec::with_capacity(fields.len()));
    let mut choices_left = choices.iter();
    for (at, (field, group)) in fields.iter().zip(&groups).enumerate() {
        if choices.len() < fields.len() && !is_asked(decision, field, &answer(&values, &picked, None).values)
        {
            continue;
        }
        if group.is_empty() {
            return Err(unnumbered(decision, field));
        }
        let choice = match choices_left.next() {
            Some(choice) => choice,
            None if !field.required => continue,
            // A single patch set need not be named.
            None if decision.source == Source::Verdict && group.len() == 1 => &1,
            None => return Err(count()),
        };
        let entry = choice.checked_sub(1).and_then(|place| group.get(place));
        let entry = entry.ok_or(ResolveError::OutOfRangeFor {
            choice: *choice,
            question: at + 1,
            most: group.len(),
        })?;
        values.push((*field, vec![item(field, entry, message)?]));
        picked.push(entry);
    }
    if choices_left.next().is_some() { Err(count()) } else { Ok(answer(&values, &picked, message)) }
}

fn is_asked(decision: &Decision, field: &Field, values: &Values) -> bool {
    form::visible(&decision.fields, values).iter().any(|asked| asked.id == field.id)
}

fn find<'e, 'a>(
    decision: &Decision,
    entries: &'e [Entry<'a>],
    choice: usize,
) -> Result<&'e Entry<'a>, ResolveError> {
    match (decision.fields.as_slice(), entries) {
        ([field, ..], []) => Err(unnumbered(decision, field)),
        (_, entries) => {
            let entry = choice.checked_sub(1).and_then(|place| entries.get(place));
            entry.ok_or(ResolveError::OutOfRange { choice, most: entries.len() })
        }
    }
}

/// Returns the value of one number in a field.
fn item(field: &Field, entry: &Entry<'_>, message: Option<&str>) -> Result<Value, ResolveError> {
    match entry.means {
        NumberMeaning::Option(_, option) | NumberMeaning::Accept(_, option) | NumberMeaning::Out(option) => {
            Ok(Value::from(option.id.as_str()))
        }
        NumberMeaning::Other => {
            let words = message.ok_or(ResolveError::Wordless { choice: entry.number })?;
            Ok(if field.kind.is_text() { Value::from(words) } else { json!({ "text": words }) })
        }
    }
}

fn answer(values: &[(&Field, Vec<Value>)], picked: &[&Entry<'_>], message: Option<&str>) -> AnswerInput {
    let value = |(field, items): &(&Field, Vec<Value>)| {
        let whole = match items.as_slice() {
            [only] if !takes_several(field) => only.clone(),
            items => Value::Array(items.to_vec()),
        };
        (field.id.clone(), whole)
    };
    // A message that became the answer to one question must not be sent along with the answer to another.
    let worded = picked.iter().filter(|entry| entry.means == NumberMeaning::Other).count();
    let message = message.filter(|_| worded == 0 || worded == picked.len());
    with_message(
        AnswerInput { values: values.iter().map(value).collect::<Values>(), ..AnswerInput::default() },
        message,
    )
}

fn takes_several(field: &Field) -> bool {
    matches!(field.kind, Kind::Choices | Kind::Products)
}

fn unnumbered(decision: &Decision, field: &Field) -> ResolveError {
    ResolveError::Unnumbered { id: decision.id, field: inert_line(&field.id), kind: field.kind.name() }
}

fn with_message(input: AnswerInput, message: Option<&str>) -> AnswerInput {
    AnswerInput { message: message.map(str::to_owned), ..input }
}
