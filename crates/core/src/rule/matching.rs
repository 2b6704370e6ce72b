//! Whether a rule matches a decision, and if not, why.

use serde_json::Value;

use super::glob::{self, WildcardScope};
use super::mismatch::{Mismatch, no};
use super::subject::Call;
use super::{Rule, Then, When, reading, shell, tools, values};
use crate::decision::{Decision, Priority, Source};
use crate::text::quote;

/// Checks whether a rule matches a decision, regardless of its time and its author.
///
/// # Errors
/// Returns what does not match.
pub fn matches(rule: &Rule, decision: &Decision) -> Result<(), Mismatch> {
    let When { asked_by, source, owner, title, .. } = &rule.when;
    if rule.project != decision.project {
        return no(0, format!("it is for project {}", rule.project));
    }
    if let Some(name) = asked_by
        && decision.asked_by.as_ref() != Some(name)
    {
        let who = decision.asked_by.as_deref().map_or("an unverified agent".to_owned(), quote);
        return no(1, format!("it is for requests from {}; this is from {who}", quote(name)));
    }
    if let Some(id) = &rule.when.asked_with
        && decision.asked_with.as_ref() != Some(id)
    {
        return no(1, format!("it is for the credential {}; this uses another", quote(id)));
    }
    if let Some(source) = source
        && *source != decision.source
    {
        return no(1, format!("it is for source {}; this is {}", source.name(), decision.source.name()));
    }
    if let Some(kind) = owner
        && decision.owner.as_ref().map(|owner| owner.kind) != Some(*kind)
    {
        return no(1, format!("it is for requests of a {}", kind.name()));
    }
    if let Some(title) = title {
        let text = decision.title.as_deref().unwrap_or_default();
        if !glob::matches(title, text, WildcardScope::Prose) {
            return no(1, format!("the title is not like {}", quote(title)));
        }
    }
    what_is_asked(rule, decision)?;
    if decision.needs_person && rule.then != Then::Ask {
        return no(7, "only a person who is signed in can answer it");
    }
    if rule.then == Then::Allow {
        may_allow(rule, decision)?;
    }
    Ok(())
}

/// Returns whether a rule names a question and this is that question, regardless of the asker.
pub fn is_about(rule: &Rule, decision: &Decision) -> bool {
    let When { digest, tool, command, path, input, .. } = &rule.when;
    let says = digest.is_some() || tool.is_some() || command.is_some() || path.is_some() || input.is_some();
    says && what_is_asked(rule, decision).is_ok()
}

pub(super) fn what_is_asked(rule: &Rule, decision: &Decision) -> Result<(), Mismatch> {
    let when = &rule.when;
    if let Some(digest) = &when.digest {
        return if *digest == decision.digest { Ok(()) } else { no(1, "it is for another request") };
    }
    if when.tool.is_none() && when.command.is_none() && when.path.is_none() && when.input.is_none() {
        return Ok(());
    }
    match &decision.subject {
        Some(subject) => subject_fits(when, rule.then, subject),
        None => no(1, "there is nothing exact to match: no subject"),
    }
}

/// Checks whether the conditions of a rule match a subject.
pub(super) fn subject_fits(when: &When, then: Then, subject: &Value) -> Result<(), Mismatch> {
    if let Some(input) = &when.input {
        if let Some(tool) = &when.tool {
            tool_is(tool, Call::of(subject).as_ref())?;
        }
        return values::covers(input, when.tool.as_deref(), subject, then);
    }
    let Some(call) = Call::of(subject) else { return no(1, "the subject is not a tool call") };
    if let (Some(server), true, None) = (&when.tool, when.looking, &when.path) {
        return reading::server_matches(server, &call);
    }
    if let Some(tool) = &when.tool {
        tool_is(tool, Some(&call))?;
    }
    if let Some(pattern) = &when.command {
        if let (None, Some(tool)) = (&when.tool, call.tool)
            && !tools::SHELL_TOOLS.contains(&tool)
        {
            return no(2, format!("{} is not a known shell; a rule for it must name the tool", quote(tool)));
        }
        return shell::matches(pattern, &call, then);
    }
    match &when.path {
        Some(pattern) => tools::path_matches(when, pattern, &call, then),
        None if then == Then::Allow => tools::own_matches(&call),
        None => Ok(()),
    }
}

fn tool_is(tool: &str, call: Option<&Call<'_>>) -> Result<(), Mismatch> {
    match call.and_then(|call| call.tool) {
        Some(other) if other == tool => Ok(()),
        Some(other) => no(1, format!("it is for the tool {}; this is {}", quote(tool), quote(other))),
        None => no(1, format!("it is for the tool {}; no tool is named here", quote(tool))),
    }
}

/// Refuses to allow what only a person may allow, after reading it.
fn may_allow(rule: &Rule, decision: &Decision) -> Result<(), Mismatch> {
    match decision.source {
        Source::Approval | Source::Question => {}
        other => return no(7, format!("a {} always needs a person", other.name())),
    }
    if decision.rule.is_some() {
        return no(7, "resuming a rule always needs a person");
    }
    if decision.needs.is_some() {
        return no(7, "it needs votes from people");
    }
    if decision.priority == Priority::Urgent {
        return no(7, "urgent requests always need a person");
    }
    if decision.iteration > 1 {
        return no(7, "further rounds always need a person");
    }
    if !decision.is_for_anyone() && !decision.assignees.contains(&rule.by) {
        return no(7, format!("{} is not among the assignees", rule.by));
    }
    if rule.made_with.is_some() && rule.made_with == decision.asked_with {
        return no(7, "the author of the rule asks, and nobody may allow their own request");
    }
    Ok(())
}
