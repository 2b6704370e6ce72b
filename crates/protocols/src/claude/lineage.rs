//! The asker: the session, and the agent within it. Several agents of one session are distinguished.

use holdpoint_core::decision::HELD;
use holdpoint_core::text::{check_name, inert_line};
use holdpoint_core::{Opt, Owner, OwnerKind, Source};
use serde_json::{Map, Value};

use super::terms::CallContext;
use crate::oddjobs::options::offer;

/// Returns the name with which the asker is woken.
pub(super) fn asker(terms: &CallContext) -> Option<String> {
    let session = terms.session.as_deref()?;
    if let Some(within) = &terms.within {
        // Questions of the supervisor about the agent and questions of the agent itself have the same asker.
        let name = match &terms.agent_id {
            Some(agent) => format!("{}/{agent}", within.agent),
            None => within.agent.clone(),
        };
        return check_name(&name).is_ok().then_some(name).or_else(|| Some(within.agent.clone()));
    }
    let whose = terms.dialect.name();
    let name = match &terms.agent_id {
        Some(agent) => format!("{whose}:{session}/{agent}"),
        None => format!("{whose}:{session}"),
    };
    // An invalid agent id must not prevent the question.
    check_name(&name).is_ok().then_some(name).or_else(|| Some(format!("{whose}:{session}")))
}

/// Returns the owner: the job that it works for, or the session, whose end cancels its questions.
pub(super) fn owner(terms: &CallContext) -> Option<Owner> {
    if let Some(within) = &terms.within {
        return Some(within.owner.clone());
    }
    terms.session.as_deref().map(|session| Owner::new(OwnerKind::Thread, session))
}

/// Returns the outs for questions in a job: one that ends the job, and one that leaves the question unanswered.
pub(super) fn outs(source: Source) -> Vec<Opt> {
    offer(source).map(|offer| offer.outs).unwrap_or_default()
}

/// Returns a title with the subject and, for an agent within a session, the agent.
pub(super) fn title(terms: &CallContext, what: &str) -> String {
    let what = inert_line(what);
    match (&terms.agent_type, &terms.agent_id) {
        (None, None) => what,
        (kind, id) => {
            let words = [kind.as_deref(), id.as_deref()].into_iter().flatten().map(inert_line);
            format!("{what} (sub-agent {})", words.collect::<Vec<_>>().join(" "))
        }
    }
}

/// Returns other facts about the asker.
pub(super) fn extra(terms: &CallContext) -> Map<String, Value> {
    let known = [
        ("cwd", terms.cwd.as_deref()),
        ("prompt_id", terms.prompt_id.as_deref()),
        ("agent_id", terms.agent_id.as_deref()),
        ("agent_type", terms.agent_type.as_deref()),
        ("permission_mode", terms.permission_mode.as_deref()),
    ];
    let mut extra: Map<String, Value> = known
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key.to_owned(), Value::from(value))))
        .collect();
    extra.insert("way".to_owned(), terms.way.name().into());
    if terms.within.is_some() {
        extra.insert(HELD.to_owned(), true.into());
    }
    extra
}
