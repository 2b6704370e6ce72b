//! From `bd decision respond` to an answer.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::decision::number::takes_words;
use holdpoint_core::{Decision, Field, Kind, Refusal, Source, Values};
use serde_json::{Value, json};

/// The arguments of `respond`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Respond {
    /// The id of the chosen option (`--option`, `--select`).
    pub option: Option<String>,
    /// Free text: the answer, or a comment on an option.
    pub text: Option<String>,
    /// Guidance, which asks for another round.
    pub guidance: Option<String>,
    /// Whether the text is final: work continues with it, without another round.
    pub accept_guidance: bool,
    /// Who answers.
    pub by: Option<String>,
}

/// Turns a response into an answer. Core checks whether the option exists and is still open.
///
/// `--accept-guidance` means that the text is the answer and no further round is needed. To accept what is proposed
/// unchanged, the option `_accept` is chosen.
pub fn respond(decision: &Decision, given: &Respond) -> Result<AnswerInput, Refusal> {
    let option = filled(given.option.as_deref()).map(str::trim);
    let text = filled(given.text.as_deref());
    let guidance = filled(given.guidance.as_deref());
    let no = |place: &str, message: &str| Err(Refusal::invalid(place, message));
    let input = match (option, text, guidance) {
        (_, None, _) if given.accept_guidance => {
            return no("accept-guidance", "--accept-guidance requires --text");
        }
        (Some(_), _, _) if given.accept_guidance => {
            return no("accept-guidance", "goes with --text alone; an option is taken without it");
        }
        (_, _, Some(_)) if given.accept_guidance => {
            return no("accept-guidance", "ends the rounds, --guidance asks for another; give one of them");
        }
        (None, None, None) => {
            return no("answer", "must provide --option (or --select), --text or --guidance");
        }
        (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
            return no("guidance", "asks for another round and cannot come with --option or --text");
        }
        (None, None, Some(words)) => {
            AnswerInput { guidance: Some(words.to_owned()), ..AnswerInput::default() }
        }
        (Some(id), words, None) => AnswerInput { message: words.map(str::to_owned), ..pick(decision, id)? },
        // A text for a waiting agent is sent as a message, as by `hold oj`.
        (None, Some(words), None) if tells_an_agent(decision) => {
            AnswerInput { message: Some(words.to_owned()), ..AnswerInput::default() }
        }
        (None, Some(words), None) => {
            let field = only_field(decision)?;
            let value = match field.kind {
                Kind::Choice => json!({ "text": words }),
                Kind::Choices => json!([{ "text": words }]),
                _ => Value::from(words),
            };
            answering(field, value)
        }
    };
    Ok(AnswerInput { by: filled(given.by.as_deref()).map(str::to_owned), ..input })
}

/// Returns whether a text alone resumes the agent of a job, or sends its plan back.
fn tells_an_agent(decision: &Decision) -> bool {
    let resumes =
        matches!(decision.source, Source::Idle | Source::Dead | Source::Error | Source::Gate | Source::Plan);
    resumes && !decision.fields.iter().any(takes_words)
}

fn pick(decision: &Decision, id: &str) -> Result<AnswerInput, Refusal> {
    if decision.outs.iter().any(|out| out.id == id) {
        return Ok(AnswerInput { out: Some(id.to_owned()), ..AnswerInput::default() });
    }
    // What is asked only after the choice is implied by it, or answered by name.
    let mut at_once = decision.fields.iter().filter(|field| field.visible_if.is_none());
    let field = match (at_once.next(), at_once.next()) {
        (Some(field), None) => field,
        _ => only_field(decision)?,
    };
    let value =
        if matches!(field.kind, Kind::Choices | Kind::Products) { json!([id]) } else { Value::from(id) };
    Ok(answering(field, value))
}

fn answering(field: &Field, value: Value) -> AnswerInput {
    AnswerInput { values: Values::from_iter([(field.id.clone(), value)]), ..AnswerInput::default() }
}

/// Returns the only field: a decision from another door may have several, which one option cannot answer.
fn only_field(decision: &Decision) -> Result<&Field, Refusal> {
    match decision.fields.as_slice() {
        [field] => Ok(field),
        fields => {
            let message = format!(
                "decision {} asks {} fields; answer it with: hold answer {} --set FIELD=VALUE",
                decision.id,
                fields.len(),
                decision.id
            );
            Err(Refusal::invalid("answer", message))
        }
    }
}

fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}
