//! Answering. The first answer wins; the same answer again is a replay.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Answer, Decision, Source, Status, action, guide};
use crate::command::{Actor, Role, Ruling, State};
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::field::{self, Field, Kind};
use crate::json::Values;
use crate::refusal::Refusal;
use crate::text::{MAX_BODY, MAX_MESSAGE, check_length};
use crate::{Timestamp, form};

/// What is sent to answer. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AnswerInput {
    /// Values by field id.
    #[serde(skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    /// The value of the only field that takes one choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Value>,
    /// The value of the only field that takes several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Value>>,
    /// An out, instead of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Free words that go with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Words that ask for another round, instead of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
    /// The digest of what the person saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Who answers; counts only where nobody checks who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// An answer brought to one form, not yet signed by anybody.
pub(super) struct Given {
    pub(super) values: Values,
    pub(super) out: Option<String>,
    pub(super) message: Option<String>,
}

pub(crate) fn answer(
    state: &State,
    actor: &Actor,
    input: &AnswerInput,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_answer(decision, actor)?;
    check_texts(input)?;
    let guidance = input.guidance.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let given = match guidance {
        Some(guidance) if has_answer(input) => {
            let message =
                format!("{} is not given together with an answer; give one of them", brief(guidance));
            return Err(Refusal::invalid("guidance", message));
        }
        Some(guidance) => match guide::as_option(decision, guidance)? {
            Some(given) => given,
            None => return guide::open_next(state, decision, actor, guidance, input.digest.as_deref(), now),
        },
        None => read(decision, input).map_err(|refusal| settled_first(decision, refusal))?,
    };
    if decision.status != Status::Pending {
        return replay(decision, &given);
    }
    check_digest(decision, input.digest.as_deref())?;
    let given = check(decision, given)?;
    let answer = sign(given, actor, now);
    let actions = action::actions(decision, &answer);
    let mut effects = vec![Effect::Tell { occasion: Occasion::Respond, id: decision.id }];
    effects.extend((1..=actions.len()).map(|event| Effect::Act { event }));
    let mut events = vec![Event::Resolved { id: decision.id, project: decision.project.clone(), answer }];
    events.extend(actions);
    Ok(Ruling { events, effects, ..Ruling::default() })
}

/// Refuses an answer to something else than what stands there now.
pub(super) fn check_digest(decision: &Decision, digest: Option<&str>) -> Result<(), Refusal> {
    match digest {
        Some(digest) if digest != decision.digest => {
            Err(Refusal::Stale { id: decision.id, digest: decision.digest.clone() })
        }
        _ => Ok(()),
    }
}

/// Puts a name, a door and a time to an answer.
pub(super) fn sign(given: Given, actor: &Actor, now: Timestamp) -> Answer {
    Answer {
        values: given.values,
        out: given.out,
        message: given.message,
        by: actor.by.clone(),
        via: actor.via.clone(),
        auth: actor.auth,
        at: now,
    }
}

/// Who may settle it: not the one who asked, and an agent only what was put to it.
pub(super) fn may_answer(decision: &Decision, actor: &Actor) -> Result<(), Refusal> {
    if actor.credential.is_some() && actor.credential == decision.asked_with {
        return Err(Refusal::Forbidden("whoever asked may not answer with the same credential".into()));
    }
    if actor.role != Some(Role::Agent) {
        return Ok(());
    }
    let assigned = decision.assignees.iter().any(|who| who.strip_prefix("agent:") == Some(&actor.by));
    if !assigned {
        return Err(Refusal::Forbidden("an agent answers only what is assigned to it".into()));
    }
    if matches!(decision.source, Source::Approval | Source::Plan | Source::Verdict) {
        return Err(Refusal::Forbidden(format!("a {} is answered by a person", decision.source.name())));
    }
    Ok(())
}

fn has_answer(input: &AnswerInput) -> bool {
    !input.values.is_empty()
        || input.choice.is_some()
        || input.choices.is_some()
        || input.out.is_some()
        || input.message.as_deref().is_some_and(|text| !text.trim().is_empty())
}

fn check_texts(input: &AnswerInput) -> Result<(), Refusal> {
    for (place, text) in [("message", &input.message), ("guidance", &input.guidance)] {
        check_length(text.as_deref().unwrap_or_default(), MAX_MESSAGE)
            .map_err(|why| Refusal::invalid(place, why))?;
    }
    let size = serde_json::to_vec(&input.values).map_or(usize::MAX, |body| body.len());
    if size > MAX_BODY {
        return Err(Refusal::invalid("values", format!("have {size} bytes; at most {MAX_BODY} are taken")));
    }
    Ok(())
}

/// Brings the several ways to answer to one.
fn read(decision: &Decision, input: &AnswerInput) -> Result<Given, Refusal> {
    let mut values = input.values.clone();
    if let Some(choice) = &input.choice {
        let field = only_field(decision, "choice", |kind| matches!(kind, Kind::Choice | Kind::Confirm))?;
        values.insert(field.id.clone(), choice.clone());
    }
    if let Some(choices) = &input.choices {
        let field = only_field(decision, "choices", |kind| matches!(kind, Kind::Choices | Kind::Products))?;
        values.insert(field.id.clone(), Value::Array(choices.clone()));
    }
    let message = input.message.clone().filter(|text| !text.trim().is_empty());
    if let Some(out) = &input.out {
        if !values.is_empty() {
            return Err(Refusal::invalid("out", "is taken instead of answering, not together with values"));
        }
        if !decision.outs.iter().any(|option| option.id == *out) {
            return Err(Refusal::invalid(
                "out",
                format!("{out:?} is not an out; the outs are: {}", list(&decision.outs)),
            ));
        }
        return Ok(Given { values, out: Some(out.clone()), message });
    }
    match message {
        Some(message) if values.is_empty() => message_alone(decision, message),
        None if values.is_empty() => {
            let message = format!("is empty; {}", what_is_right(decision));
            Err(Refusal::invalid("answer", message))
        }
        message => Ok(Given { values, out: None, message }),
    }
}

/// What a message means by itself, by source.
fn message_alone(decision: &Decision, message: String) -> Result<Given, Refusal> {
    let mut values = Values::new();
    match decision.source {
        Source::Question => {
            for field in form::visible(&decision.fields, &values) {
                values.insert(field.id.clone(), as_free_text(field, &message));
            }
        }
        Source::Plan => {
            let (field, option) = guide::fitting_option(decision)
                .ok_or_else(|| Refusal::invalid("message", "this plan offers no option to revise it"))?;
            values.insert(field, Value::String(option));
        }
        Source::Idle | Source::Dead | Source::Error | Source::Gate | Source::Approval => {}
        Source::Request | Source::Form | Source::Verdict => {
            let why = format!("alone answers no {}; {}", decision.source.name(), what_is_right(decision));
            return Err(Refusal::invalid("message", why));
        }
    }
    Ok(Given { values, out: None, message: Some(message) })
}

fn as_free_text(field: &Field, text: &str) -> Value {
    match field.kind {
        Kind::Choice => json!({ "text": text }),
        Kind::Choices => json!([{ "text": text }]),
        _ => Value::String(text.to_owned()),
    }
}

fn only_field<'a>(
    decision: &'a Decision,
    key: &str,
    fits: impl Fn(Kind) -> bool,
) -> Result<&'a Field, Refusal> {
    let mut fields = decision.fields.iter().filter(|field| fits(field.kind));
    match (fields.next(), fields.next()) {
        (Some(field), None) => Ok(field),
        (None, _) => Err(Refusal::invalid(key, "no field here takes that; name the field in values")),
        (Some(_), Some(_)) => {
            Err(Refusal::invalid(key, "several fields take that; name the field in values"))
        }
    }
}

/// Checks the values as a whole. An answer may be without values only where a message alone may answer.
fn check(decision: &Decision, given: Given) -> Result<Given, Refusal> {
    if given.out.is_some() || (given.values.is_empty() && given.message.is_some()) {
        return Ok(given);
    }
    let filling = form::accept(&decision.fields, &given.values);
    if filling.faults.is_empty() {
        Ok(Given { values: filling.values, ..given })
    } else {
        Err(Refusal::Invalid(filling.faults))
    }
}

/// Accepts the same answer again; refuses any other with what was decided.
fn replay(decision: &Decision, given: &Given) -> Result<Ruling, Refusal> {
    let answer = decision.answer.as_ref().filter(|_| decision.status == Status::Answered);
    let equal = answer.is_some_and(|answer| {
        answer.out == given.out
            && answer.message == given.message
            && same_values(decision, &answer.values, &given.values)
    });
    if equal { Ok(Ruling { replayed: true, ..Ruling::default() }) } else { Err(settled(decision)) }
}

fn same_values(decision: &Decision, answered: &Values, given: &Values) -> bool {
    let kept = form::accept_draft(&decision.fields, given);
    let same = |(id, value): (&String, &Value)| {
        let kind = decision.field(id).map_or(Kind::Text, |field| field.kind);
        kept.values.get(id).is_some_and(|other| field::same(kind, value, other))
    };
    kept.faults.is_empty() && kept.values.len() == answered.len() && answered.iter().all(same)
}

/// Tells who answers a settled decision that it is settled, before what else is wrong.
fn settled_first(decision: &Decision, refusal: Refusal) -> Refusal {
    if decision.status == Status::Pending { refusal } else { settled(decision) }
}

pub(super) fn settled(decision: &Decision) -> Refusal {
    Refusal::Settled(Box::new(decision.clone()))
}

fn what_is_right(decision: &Decision) -> String {
    match decision.fields.as_slice() {
        [field] if field.kind.picks() => format!("choose one of: {}", list(&field.options)),
        [field] => format!("give a {}", field.kind.name()),
        fields => {
            format!(
                "give values for: {}",
                fields.iter().map(|field| field.id.as_str()).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

fn list(options: &[crate::Opt]) -> String {
    let ids: Vec<&str> = options.iter().take(12).map(|option| option.id.as_str()).collect();
    let more = if options.len() > ids.len() { " …" } else { "" };
    if ids.is_empty() {
        "(none)".into()
    } else {
        crate::text::inert_line(&format!("{}{more}", ids.join(", ")))
    }
}

fn brief(text: &str) -> String {
    let line = crate::text::inert_line(text);
    format!("{:?}", line.chars().take(40).collect::<String>())
}
