//! The answer that silence gives. It is never consent: where there is a subject, it may only refuse.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Answer, Decision, OnTimeout, Source, Status, outcome};
use crate::actor::{Actor, Auth, Role};
use crate::field::definition::ACCEPT;
use crate::field::picking;
use crate::form;
use crate::json::Values;
use crate::refusal::{FieldError, Refusal};
use crate::text::quote;
use crate::time::{Span, Timestamp};

/// The name that answers when a deadline passes.
const TIMEOUT: &str = "system:timeout";

/// Returns the decision timed out, with the answer that silence gives.
pub(super) fn settle(mut decision: Decision, now: Timestamp) -> Decision {
    decision.answer = silent_answer(&decision, now);
    decision.status = Status::TimedOut;
    decision.settled_at = Some(settled_at(&decision, now));
    decision
}

fn settled_at(decision: &Decision, now: Timestamp) -> Timestamp {
    decision.deadline.unwrap_or(now)
}

pub(super) fn silent_answer(decision: &Decision, now: Timestamp) -> Option<Answer> {
    let (values, out) = match decision.on_timeout {
        OnTimeout::Expire | OnTimeout::Cancel => return None,
        OnTimeout::Default => read_default(decision, decision.default.as_ref()?).ok()?,
        OnTimeout::Deny => (denial(decision).ok()?, None),
    };
    Some(Answer {
        values: if out.is_some() { Values::new() } else { values },
        out,
        message: None,
        written: BTreeMap::new(),
        seen: None,
        digest: Some(decision.digest.clone()),
        by: TIMEOUT.into(),
        on_behalf_of: None,
        via: "timeout".into(),
        channel: None,
        auth: Auth::System,
        at: settled_at(decision, now),
    })
}

/// Checks that the answer of the deadline is complete, and a no where it must be; normalizes the declared default.
pub(super) fn check(decision: &mut Decision) -> Result<(), Refusal> {
    if decision.on_timeout == OnTimeout::Default && decision.default.is_none() {
        return Err(Refusal::invalid("on_timeout", "default needs a default value"));
    }
    if let Some(default) = &decision.default {
        let (values, out) = read_default(decision, default)?;
        let must_refuse = matches!(decision.source, Source::Approval | Source::Plan | Source::Verdict)
            || decision.subject.is_some()
            || decision.needs.is_some()
            || decision.needs_person;
        if must_refuse && !outcome::refuses(decision, &values, out.as_deref()) {
            let message = "for an approval, a plan, a verdict, what has a subject and what takes certain people, silence \
                           may only refuse: take a refusing option or an out";
            return Err(Refusal::invalid("default", message));
        }
        decision.default = Some(match out {
            Some(out) => Values::from_iter([("out".to_owned(), Value::String(out))]),
            None => values,
        });
    }
    if decision.on_timeout == OnTimeout::Deny {
        denial(decision)?;
    }
    Ok(())
}

/// Checks that an agent's question, in its present form, stays open long enough to be seen before its own default
/// answers it.
pub(super) fn check_agent(
    least: Span,
    actor: &Actor,
    decision: &Decision,
    now: Timestamp,
) -> Result<(), Refusal> {
    let too_soon = actor.role == Some(Role::Agent)
        && actor.auth.is_checked()
        && decision.on_timeout == OnTimeout::Default
        && decision.deadline.is_some_and(|deadline| deadline.since(now) < least);
    if !too_soon {
        Ok(())
    } else if now > decision.created_at {
        let message = format!(
            "passes in less than {least}: cancel this and ask again, because silence would answer before anyone had time to look"
        );
        Err(Refusal::invalid("deadline", message))
    } else {
        Err(Refusal::invalid("timeout", format!("must be at least {least} where the default is taken")))
    }
}

/// Reads a declared default, which is a complete answer: values, or `{"out": …}` unless a field has that name.
pub(super) fn read_default(
    decision: &Decision,
    default: &Values,
) -> Result<(Values, Option<String>), Refusal> {
    if let Some(out) = default_out(decision, default) {
        let wrong = |message| Err(Refusal::invalid("default", message));
        return if default.len() > 1 {
            wrong(format!("the out {} replaces values and cannot be combined with them", quote(out)))
        } else if decision.outs.iter().any(|option| option.id == *out) {
            Ok((Values::new(), Some(out.to_owned())))
        } else {
            wrong(format!("{} is not an out; the outs are: {}", quote(out), outcome::list(&decision.outs)))
        };
    }
    let filling = form::accept(&decision.fields, default);
    if !filling.faults.is_empty() {
        let place = |fault: FieldError| FieldError::new(format!("default.{}", fault.field), fault.message);
        return Err(Refusal::Invalid(filling.faults.into_iter().map(place).collect()));
    }
    let accepts = |(_, value): (_, &Value)| value.as_str() == Some(ACCEPT);
    if filling.values.iter().any(accepts) {
        let message = format!("{ACCEPT} can only be chosen by a person");
        return Err(Refusal::invalid("default", message));
    }
    Ok((filling.values, None))
}

/// Returns the out that a declared default names, whether or not such an out exists.
pub(super) fn default_out<'a>(decision: &Decision, default: &'a Values) -> Option<&'a str> {
    default.get("out").and_then(Value::as_str).filter(|_| decision.field("out").is_none())
}

/// Returns the answer that `on_timeout: deny` gives: the one option that refuses.
pub(super) fn denial(decision: &Decision) -> Result<Values, Refusal> {
    let wrong = |message| Err(Refusal::invalid("on_timeout", message));
    let fields = decision.fields.iter();
    let options = fields.flat_map(|field| field.all_options().map(move |option| (field, option)));
    let refusing: Vec<_> = options.filter(|(_, option)| option.refuses).take(2).collect();
    let [(field, option)] = refusing.as_slice() else {
        return wrong("deny needs exactly one option that refuses (\"refuses\": true)".to_owned());
    };
    let values = Values::from_iter([(field.id.clone(), picking(field, &option.id))]);
    let filling = form::accept(&decision.fields, &values);
    let picks = format!("deny would answer {} in {}", quote(&option.id), quote(&field.id));
    match filling.faults.first() {
        Some(fault) => wrong(format!("{picks} only, but {fault}")),
        None if filling.values.is_empty() => {
            wrong(format!("{picks}, which is hidden while nothing else is answered"))
        }
        None => Ok(filling.values),
    }
}
