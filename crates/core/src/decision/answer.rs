//! Answering. The first answer wins; the same answer again is a replay.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::may_answer::may_answer;
use super::vote;
use super::{Answer, Decision, Source, Status, action, consents_to_subject, guide, number, outcome};
use crate::actor::{Actor, Auth};
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::field::{self, Field, Kind};
use crate::json::{self, Values};
use crate::people;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{MAX_BODY, MAX_MESSAGE, check_length, check_name, quote};
use crate::{DecisionId, Timestamp, form, rule, run};

/// What is sent to answer. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AnswerInput {
    /// Values by field id.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
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
    /// The digest of what the person saw; required where the decision has a subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Who answers; counts only where nobody checks who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// For a consent to a subject: whether the answerer had the whole subject on the screen; `false` to consent unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<bool>,
    /// Other decisions that were shown as the same ask: each is answered too if it still is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<DecisionId>,
    /// The draft that is sent, where another one must not be lost for it.
    #[serde(skip)]
    pub over: Option<Values>,
}

/// An answer brought to one form, not yet signed by anybody.
#[derive(Default)]
pub(super) struct Given {
    pub(super) values: Values,
    pub(super) out: Option<String>,
    pub(super) message: Option<String>,
    pub(super) written: BTreeMap<String, String>,
}

pub(crate) fn answer(
    state: &State,
    actor: &Actor,
    input: &AnswerInput,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_answer(decision, actor)?;
    let actor = &named(actor, input.by.as_deref())?;
    check_size(input)?;
    check_digest(decision, input.digest.as_deref())?;
    check_draft(decision, input.over.as_ref())?;
    let is_pending = decision.status == Status::Pending;
    let voter = if is_pending { vote::admit(state, decision, actor, now)? } else { None };
    let given = match guidance(input).map_err(|refusal| settled_first(decision, refusal))? {
        Some(guidance) if guide::opens_next(decision) => {
            return guide::open_next(state, decision, actor, guidance, now);
        }
        Some(guidance) => guide::as_answer(decision, guidance),
        None => read(decision, input),
    };
    let mut given = given.map_err(|refusal| settled_first(decision, refusal))?;
    given.values.extend(run::implied(decision, &given.values));
    if decision.status != Status::Pending {
        return replay(decision, actor, &given);
    }
    let given = check(decision, given)?;
    if given.message.is_none() && action::needs_words(decision, &given.values, given.out.as_deref()) {
        return Err(Refusal::invalid("message", "say what should be different about the plan"));
    }
    let seen = input.seen.filter(|_| consents_to_subject(decision, &given.values, given.out.as_deref()));
    if let (Some(needs), Some(person)) = (&decision.needs, voter) {
        return vote::cast(state, (decision, needs), (actor, person), given, seen, now);
    }
    let on_behalf_of = people::stands_in(state, decision, actor, now);
    let answer = Answer { seen, on_behalf_of, ..sign(decision, given, actor, now) };
    let of_rule = rule::after_trip(state, decision, &answer, actor, now);
    let mut ruling = resolved(decision, answer, Vec::new());
    ruling.events.extend(of_rule);
    Ok(ruling)
}

impl Decision {
    /// Reads what was filled in elsewhere as an answer to this would be read, and settles nothing.
    pub fn read_answer(&self, input: &AnswerInput, actor: &Actor, now: Timestamp) -> Result<Answer, Refusal> {
        check_size(input)?;
        check_digest(self, input.digest.as_deref())?;
        Ok(sign(self, check(self, read(self, input)?)?, actor, now))
    }
}

/// Settles a decision with an answer, after what else happened.
pub(super) fn resolved(decision: &Decision, answer: Answer, mut events: Vec<Event>) -> Ruling {
    let actions = action::actions(decision, &answer);
    let mut effects = vec![Effect::Tell { occasion: Occasion::Respond, id: decision.id }];
    let first = events.len() + 1;
    effects.extend((first..first + actions.len()).map(|event| Effect::Act { event }));
    if run::carries_out(decision) {
        effects.push(Effect::CarryOut { id: decision.id });
    }
    let choices = number::numbers(decision, &answer.values, answer.out.as_deref());
    let chosen = number::picks(decision, &answer.values, answer.out.as_deref());
    events.push(Event::Resolved {
        id: decision.id,
        project: decision.project.clone(),
        answer,
        choices,
        chosen,
    });
    events.extend(actions);
    Ruling { events, effects, ..Ruling::default() }
}

/// Refuses an answer to something other than what is there now, and an answer about a subject that does not say
/// what was seen. What is settled says so itself.
fn check_digest(decision: &Decision, digest: Option<&str>) -> Result<(), Refusal> {
    match digest {
        _ if decision.status != Status::Pending => Ok(()),
        Some(digest) if digest != decision.digest => {
            Err(Refusal::Stale { id: decision.id, digest: decision.digest.clone() })
        }
        None if decision.subject.is_some() => Err(Refusal::DigestRequired { id: decision.id }),
        _ => Ok(()),
    }
}

/// Refuses to send over what others have filled in since. What is settled says so itself.
pub(super) fn check_draft(decision: &Decision, over: Option<&Values>) -> Result<(), Refusal> {
    match over {
        Some(over) if *over != decision.draft && decision.status == Status::Pending => {
            Err(Refusal::Stale { id: decision.id, digest: decision.digest.clone() })
        }
        _ => Ok(()),
    }
}

/// Puts to an answer what it was given to, a name, a door and a time.
pub(super) fn sign(decision: &Decision, given: Given, actor: &Actor, now: Timestamp) -> Answer {
    Answer {
        values: given.values,
        out: given.out,
        message: given.message,
        written: given.written,
        seen: None,
        digest: Some(decision.digest.clone()),
        by: actor.by.clone(),
        on_behalf_of: None,
        via: actor.via.clone(),
        channel: actor.channel.clone(),
        auth: actor.auth,
        at: now,
    }
}

/// A name that was given counts only where nobody has checked the one we know.
fn named(actor: &Actor, by: Option<&str>) -> Result<Actor, Refusal> {
    let named = match by.map(str::trim).filter(|by| !by.is_empty() && actor.auth == Auth::Claimed) {
        Some(by) => {
            check_name(by).map_err(|why| Refusal::invalid("by", format!("{} {why}", quote(by))))?;
            Actor { by: by.to_owned(), ..actor.clone() }
        }
        None => actor.clone(),
    };
    if named.by.starts_with("system:") && named.auth != Auth::System {
        let why = format!("{} is how Holdpoint itself is called; give a person's name", quote(&named.by));
        return Err(Refusal::invalid("by", why));
    }
    Ok(named)
}

/// Returns the guidance, if that is what was sent; it goes with nothing else.
fn guidance(input: &AnswerInput) -> Result<Option<&str>, Refusal> {
    let answered = !input.values.is_empty()
        || input.choice.is_some()
        || input.choices.is_some()
        || input.out.is_some()
        || input.message.as_deref().is_some_and(|text| !text.trim().is_empty());
    match input.guidance.as_deref().map(str::trim) {
        Some("") if !answered => Err(Refusal::invalid("guidance", "is empty; say what should be different")),
        None | Some("") => Ok(None),
        Some(_) if answered => Err(Refusal::invalid(
            "guidance",
            "is given instead of an answer or a message, not together with one",
        )),
        guidance => Ok(guidance),
    }
}

fn check_size(input: &AnswerInput) -> Result<(), Refusal> {
    for (place, text) in [("message", &input.message), ("guidance", &input.guidance)] {
        let length = check_length(text.as_deref().unwrap_or_default(), MAX_MESSAGE);
        length.map_err(|why| Refusal::invalid(place, why))?;
    }
    let size = json::size(input).unwrap_or(usize::MAX);
    if size > MAX_BODY {
        return Err(Refusal::invalid("answer", format!("has {size} bytes; at most {MAX_BODY} are taken")));
    }
    Ok(())
}

/// Brings the several ways to answer to one.
fn read(decision: &Decision, input: &AnswerInput) -> Result<Given, Refusal> {
    let mut values = input.values.clone();
    let mut put = |key: &str, value: Value, fits: fn(Kind) -> bool| {
        let field = only_field(decision, key, fits)?;
        match values.insert(field.id.clone(), value) {
            Some(_) => {
                Err(Refusal::invalid(key, format!("{} is in values too; give it once", quote(&field.id))))
            }
            None => Ok(()),
        }
    };
    if let Some(choice) = &input.choice {
        put("choice", choice.clone(), |kind| matches!(kind, Kind::Choice | Kind::Confirm))?;
    }
    if let Some(choices) = &input.choices {
        let choices = Value::Array(choices.clone());
        put("choices", choices, |kind| matches!(kind, Kind::Choices | Kind::Products))?;
    }
    let message = input.message.clone().filter(|text| !text.trim().is_empty());
    match (&input.out, message) {
        (Some(_), _) if !values.is_empty() => {
            Err(Refusal::invalid("out", "is taken instead of answering, not together with values"))
        }
        (Some(out), message) if decision.outs.iter().any(|option| option.id == *out) => {
            Ok(Given { values, out: Some(out.clone()), message, ..Given::default() })
        }
        (Some(out), _) => {
            let message =
                format!("{} is not an out; the outs are: {}", quote(out), outcome::list(&decision.outs));
            Err(Refusal::invalid("out", message))
        }
        (None, Some(message)) if values.is_empty() => message_alone(decision, message),
        (None, None) if values.is_empty() => {
            Err(Refusal::invalid("answer", format!("is empty; {}", what_is_right(decision))))
        }
        (None, message) => Ok(Given { values, message, ..Given::default() }),
    }
}

/// What a message means by itself, by source.
pub(super) fn message_alone(decision: &Decision, message: String) -> Result<Given, Refusal> {
    let mut values = Values::new();
    match decision.source {
        Source::Question => {
            let mut skipped = Vec::new();
            // Each value may bring another field into view; what may be left out need not take the words.
            while let Some(field) = form::next_unanswered(&decision.fields, &values, &skipped) {
                let text = as_free_text(field, &message);
                if field.required || field::check(field, &text).is_ok() {
                    values.insert(field.id.clone(), text);
                } else {
                    skipped.push(field.id.clone());
                }
            }
        }
        Source::Plan => {
            let no_option = || Refusal::invalid("message", "this plan offers no option to revise it");
            values = guide::fitting_values(decision).ok_or_else(no_option)?;
        }
        Source::Idle | Source::Dead | Source::Error | Source::Gate | Source::Approval => {}
        Source::Request | Source::Form | Source::Verdict => {
            let why = format!("alone answers no {}; {}", decision.source.name(), what_is_right(decision));
            return Err(Refusal::invalid("message", why));
        }
    }
    Ok(Given { values, message: Some(message), ..Given::default() })
}

/// A message never picks an option, even where it reads like one.
fn as_free_text(field: &Field, text: &str) -> Value {
    match field.kind {
        Kind::Choice | Kind::Confirm => json!({ "text": text }),
        Kind::Choices | Kind::Products => json!([{ "text": text }]),
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
        let written = written(&given.values, &filling.values);
        Ok(Given { values: filling.values, written, ..given })
    } else {
        Err(Refusal::Invalid(filling.faults))
    }
}

/// Lists the numbers that were given as text which says more than the number: `1.50` is one and a half, and two places.
fn written(given: &Values, kept: &Values) -> BTreeMap<String, String> {
    let more = |(id, value): (&String, &Value)| {
        let (plain, text) = (value.as_number()?.to_string(), given.get(id)?.as_str()?.trim());
        (plain != text).then(|| (id.clone(), text.to_owned()))
    };
    kept.iter().filter_map(more).collect()
}

/// Accepts the same answer again; refuses any other with what was decided.
fn replay(decision: &Decision, actor: &Actor, given: &Given) -> Result<Ruling, Refusal> {
    let same = |out: &Option<String>, message: &Option<String>, values: &Values| {
        *out == given.out && *message == given.message && same_values(decision, values, &given.values)
    };
    let answer = decision.answer.as_ref().filter(|_| decision.status == Status::Answered);
    let person = actor.owner.as_ref().unwrap_or(&actor.by);
    let equal = answer.is_some_and(|answer| match decision.votes.iter().find(|vote| vote.by == *person) {
        Some(vote) => same(&vote.out, &vote.message, &vote.values),
        // Who has not voted did not answer, though others said the same.
        None => decision.needs.is_none() && same(&answer.out, &answer.message, &answer.values),
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

/// Says what would answer a decision.
pub(super) fn what_is_right(decision: &Decision) -> String {
    match decision.fields.as_slice() {
        [field] if field.kind.picks() => format!("choose one of: {}", outcome::list(&field.options)),
        [field] => format!("give a {}", field.kind.name()),
        fields => format!("give values for: {}", form::names(fields)),
    }
}
