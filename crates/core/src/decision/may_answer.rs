//! Who may settle a decision. Programs (agents and MCP clients) settle only what a person has let them.

use super::{Decision, Source};
use crate::actor::{Actor, MCP};
use crate::permission::Permission;
use crate::refusal::Refusal;

impl Decision {
    /// Returns whether it takes a person's consent: approvals, plans, verdicts, and anything with a subject.
    pub fn needs_consent(&self) -> bool {
        matches!(self.source, Source::Approval | Source::Plan | Source::Verdict) || self.subject.is_some()
    }
}

/// Refuses the credential that asked, and programs without permission.
pub(super) fn may_answer(decision: &Decision, actor: &Actor) -> Result<(), Refusal> {
    let no = |why: &str| Err(Refusal::Forbidden(why.into()));
    if actor.credential.is_some() && actor.credential == decision.asked_with {
        return no("the asker may not answer with the same credential");
    }
    if !actor.is_program() {
        return Ok(());
    }
    if actor.via == MCP && !actor.has(Permission::Answer) {
        return no(
            "this MCP connection may not answer: a person allows it with `hold mcp --may-answer`, or with a \
                   token made with `--allow answer`",
        );
    }
    let assigned = decision.assignees.iter().any(|who| who.strip_prefix("agent:") == Some(&actor.by));
    let allowed = actor.has(Permission::Answer) && decision.is_for_anyone();
    if !assigned && !allowed {
        return no("an agent can answer only what is assigned to it");
    }
    // One program may have several credentials under its name, so names are compared too.
    if [&decision.requested_by, &decision.asked_by].contains(&&Some(actor.by.clone())) {
        return no("an agent cannot answer a decision that it waits for");
    }
    by_a_person(decision)
}

/// Refuses the kinds of decision that no program may settle.
fn by_a_person(decision: &Decision) -> Result<(), Refusal> {
    let no = |why: String| Err(Refusal::Forbidden(why));
    match decision.source {
        Source::Approval => no("an approval must be answered by a person".into()),
        Source::Plan | Source::Verdict => {
            no(format!("a {} must be answered by a person", decision.source.name()))
        }
        _ if decision.needs_consent() => {
            no("a decision with a subject must be answered by a person, because it can be consumed".into())
        }
        _ => Ok(()),
    }
}
