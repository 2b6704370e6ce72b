//! Whether a rule matches a decision, and if not, why not.

use std::fmt;

use super::glob::{self, Stars};
use super::subject::Call;
use super::{Rule, Then, When, files, reading, shell, tools, values};
use crate::decision::{Decision, Priority, Source};
use crate::text::{inert_line, quote};

/// The pattern that stands for any text, beside others that say more.
pub(super) const ANY: &str = "**";

/// Why a rule does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    why: String,
    /// How much of the rule fitted before this did not: the more, the nearer.
    pub nearness: u8,
    /// Of what is equally near, how much of it fitted: commands of a line, words of a command. What fails last is nearest.
    pub fitted: usize,
}

impl Mismatch {
    /// Adds how much fitted before.
    pub(super) fn after(self, fitted: usize) -> Self {
        Self { fitted: self.fitted + fitted, ..self }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

pub(super) fn no<T>(nearness: u8, why: impl Into<String>) -> Result<T, Mismatch> {
    Err(Mismatch { why: inert_line(&why.into()), nearness, fitted: 0 })
}

/// Checks whether a rule matches a decision, its time and its author aside.
///
/// # Errors
/// Says what does not fit.
pub fn matches(rule: &Rule, decision: &Decision) -> Result<(), Mismatch> {
    let When { asked_by, source, owner, title, .. } = &rule.when;
    if rule.project != decision.project {
        return no(0, format!("it is for project {}", rule.project));
    }
    if let Some(name) = asked_by
        && decision.asked_by.as_ref() != Some(name)
    {
        let who = decision.asked_by.as_deref().map_or("somebody nobody has checked".to_owned(), quote);
        return no(1, format!("it is for what {} asks; this was asked by {who}", quote(name)));
    }
    if let Some(id) = &rule.when.asked_with
        && decision.asked_with.as_ref() != Some(id)
    {
        return no(1, format!("it is for the credential {}, and this was asked with another", quote(id)));
    }
    if let Some(source) = source
        && *source != decision.source
    {
        return no(1, format!("it is for source {}; this is {}", source.name(), decision.source.name()));
    }
    if let Some(kind) = owner
        && decision.owner.as_ref().map(|owner| owner.kind) != Some(*kind)
    {
        return no(1, format!("it is for what a {} waits for", kind.name()));
    }
    if let Some(title) = title {
        let text = decision.title.as_deref().unwrap_or_default();
        if !glob::matches(title, text, Stars::Prose) {
            return no(1, format!("the title is not like {}", quote(title)));
        }
    }
    what_is_asked(rule, decision)?;
    if decision.needs_person && rule.then != Then::Ask {
        return no(7, "only a person who is signed in answers it");
    }
    if rule.then == Then::Allow {
        may_allow(rule, decision)?;
    }
    Ok(())
}

/// Returns whether a rule says what is asked, and this is that, whoever asks it.
pub fn is_about(rule: &Rule, decision: &Decision) -> bool {
    let When { digest, tool, command, path, input, .. } = &rule.when;
    let says = digest.is_some() || tool.is_some() || command.is_some() || path.is_some() || input.is_some();
    says && what_is_asked(rule, decision).is_ok()
}

pub(super) fn what_is_asked(rule: &Rule, decision: &Decision) -> Result<(), Mismatch> {
    let when = &rule.when;
    if let Some(digest) = &when.digest {
        return if *digest == decision.digest { Ok(()) } else { no(1, "it is for another question") };
    }
    if when.tool.is_none() && when.command.is_none() && when.path.is_none() && when.input.is_none() {
        return Ok(());
    }
    let Some(subject) = &decision.subject else {
        return no(1, "there is nothing exact to match: no subject");
    };
    if let Some(input) = &when.input {
        if let Some(tool) = &when.tool {
            tool_is(tool, Call::of(subject).as_ref())?;
        }
        return values::covers(input, when.tool.as_deref(), subject, rule.then);
    }
    let Some(call) = Call::of(subject) else { return no(1, "the subject is not the call of a tool") };
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
            return no(2, format!("{} is not known as a shell; a rule for it names the tool", quote(tool)));
        }
        return shell::matches(pattern, &call, rule.then);
    }
    match &when.path {
        Some(pattern) => tools::path_matches(when, pattern, &call, rule.then),
        None if rule.then == Then::Allow => tools::own_matches(&call),
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

pub(super) const GUARDED: &str = "hidden files, what looks like a secret, and changes to what steers programs are asked unless they are named";

/// Returns whether a word names a hidden file, one that looks like a secret, or one that is to be changed and steers programs,
/// which the pattern does not name.
pub(super) fn is_guarded(word: &str, pattern: &str, changes: bool) -> bool {
    let is_named = |part: &str| {
        pattern.split(['/', ':']).any(|named| named == part) || (!changes && files::is_open(part))
    };
    if changes && files::is_hook(word) && !is_named("hooks") {
        return true;
    }
    word.split(['/', ':']).any(|part| {
        // `./...` stands for all packages below.
        let is_hidden = part.starts_with('.') && part != "." && part != "...";
        (is_hidden || files::looks_secret(part) || (changes && files::steers(part))) && !is_named(part)
    })
}

/// Refuses to allow what only a person, looking at it, may allow.
fn may_allow(rule: &Rule, decision: &Decision) -> Result<(), Mismatch> {
    match decision.source {
        Source::Approval | Source::Question => {}
        other => return no(7, format!("a {} is always asked", other.name())),
    }
    if decision.rule.is_some() {
        return no(7, "whether a rule goes on is always asked");
    }
    if decision.needs.is_some() {
        return no(7, "it takes the votes of people");
    }
    if decision.priority == Priority::Urgent {
        return no(7, "what is urgent is always asked");
    }
    if decision.iteration > 1 {
        return no(7, "a further round is always asked");
    }
    if !decision.is_for_anyone() && !decision.assignees.contains(&rule.by) {
        return no(7, format!("others than {} are asked", rule.by));
    }
    if rule.made_with.is_some() && rule.made_with == decision.asked_with {
        return no(7, "who made the rule asks, and nobody allows what they ask themselves");
    }
    Ok(())
}
