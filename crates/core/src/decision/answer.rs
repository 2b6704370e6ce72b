//! Answering. The first answer wins; the same answer again is a replay.

use serde_json::Value;

use super::answer_input::{AnswerInput, check, check_size, guidance, read};
use super::given::{UnsignedAnswer, resolved, settled, sign};
use super::may_answer::may_answer;
use super::{Answer, Decision, Status, action, consents_to_subject, guide, vote};
use crate::actor::{Actor, Auth};
use crate::field::{self, Kind};
use crate::json::Values;
use crate::people;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{check_name, quote};
use crate::{Timestamp, form, rule, run};

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
    if let Some(why) = action::not_on_menu(decision, &given.values, given.out.as_deref()) {
        return Err(Refusal::invalid("choice", why));
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
    /// Reads an answer that was filled in elsewhere, as an answer to this decision would be read, and settles nothing.
    pub fn read_answer(&self, input: &AnswerInput, actor: &Actor, now: Timestamp) -> Result<Answer, Refusal> {
        check_size(input)?;
        check_digest(self, input.digest.as_deref())?;
        Ok(sign(self, check(self, read(self, input)?)?, actor, now))
    }
}

/// Refuses an answer to an older version of the decision, and an answer about a subject without a digest of what was
/// seen. A settled decision is reported as settled instead.
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

/// Refuses to send an answer over changes that others have made to the draft. A settled decision is reported as settled
/// instead.
pub(super) fn check_draft(decision: &Decision, over: Option<&Values>) -> Result<(), Refusal> {
    match over {
        Some(over) if *over != decision.draft && decision.status == Status::Pending => {
            Err(Refusal::Stale { id: decision.id, digest: decision.digest.clone() })
        }
        _ => Ok(()),
    }
}

/// Takes the name that the caller gave, but only if its identity has not been checked.
fn named(actor: &Actor, by: Option<&str>) -> Result<Actor, Refusal> {
    let named = match by.map(str::trim).filter(|by| !by.is_empty() && actor.auth == Auth::Claimed) {
        Some(by) => {
            check_name(by).map_err(|why| Refusal::invalid("by", format!("{} {why}", quote(by))))?;
            Actor { by: by.to_owned(), ..actor.clone() }
        }
        None => actor.clone(),
    };
    if named.by.starts_with("system:") && named.auth != Auth::System {
        let why = format!("{} is Holdpoint's own name; give a person's name", quote(&named.by));
        return Err(Refusal::invalid("by", why));
    }
    Ok(named)
}

/// Accepts the same answer again; refuses any other, reporting what was decided.
fn replay(decision: &Decision, actor: &Actor, given: &UnsignedAnswer) -> Result<Ruling, Refusal> {
    let same = |out: &Option<String>, message: &Option<String>, values: &Values| {
        *out == given.out && *message == given.message && same_values(decision, values, &given.values)
    };
    let answer = decision.answer.as_ref().filter(|_| decision.status == Status::Answered);
    let person = actor.owner.as_ref().unwrap_or(&actor.by);
    let equal = answer.is_some_and(|answer| match decision.votes.iter().find(|vote| vote.by == *person) {
        Some(vote) => same(&vote.out, &vote.message, &vote.values),
        // A person who has not voted did not answer, even if others gave the same answer.
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

/// Reports that a decision is settled before anything else that is wrong with an answer.
fn settled_first(decision: &Decision, refusal: Refusal) -> Refusal {
    if decision.status == Status::Pending { refusal } else { settled(decision) }
}
