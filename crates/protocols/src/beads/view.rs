//! A decision as a decision point: the keys that `bd decision … --json` prints.

use holdpoint_core::{Decision, DecisionId, Field, Opt, OwnerKind, Priority, Status, Timestamp};
use serde::Serialize;

use super::reply::reply;

/// A decision in the form of a decision point: all keys are present, null if empty.
///
/// `responded_at` is null exactly while the decision is pending, however it was settled; `status` tells how.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionPoint {
    /// The id of the decision.
    pub id: DecisionId,
    /// Its status.
    pub status: Status,
    /// The project; the other commands take it as `--project`.
    pub project: String,
    /// The work item that waits: the one it was asked on, else the first that it blocks; null if none.
    pub issue_id: Option<String>,
    /// The parent of the item it was asked on.
    pub parent: Option<String>,
    /// The question.
    pub prompt: String,
    /// Context for the person.
    pub context: Option<String>,
    /// `high`, `medium` or `low`.
    pub urgency: &'static str,
    /// The options, including `_accept` if it is offered; empty if there are several fields.
    pub options: Vec<PointOption>,
    /// The option that is chosen at the deadline.
    pub default_option: Option<String>,
    /// The option that was chosen, also by the deadline; null for free text.
    pub selected_option: Option<String>,
    /// Free text, a message, guidance, or the reason it was cancelled.
    pub response_text: Option<String>,
    /// When it was settled.
    pub responded_at: Option<Timestamp>,
    /// Who answered; `system:timeout` for the deadline.
    pub responded_by: Option<String>,
    /// The round, from 1.
    pub iteration: u32,
    /// The last round.
    pub max_iterations: u32,
    /// The decision of the previous round.
    pub prior_id: Option<DecisionId>,
    /// The decision of the round that guidance opened.
    pub next_id: Option<DecisionId>,
    /// The guidance that opened this round.
    pub guidance: Option<String>,
    /// The agent or session to wake.
    pub requested_by: Option<String>,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When the default is chosen, or the decision ends without an answer.
    pub deadline: Option<Timestamp>,
    /// Other work items that are blocked while it is pending.
    pub blocks: Vec<String>,
    /// The digest of the question; `respond --digest` takes it.
    pub digest: String,
    /// Why it was cancelled. Not `response_text`, which readers take for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One option of a decision point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PointOption {
    /// Its id in answers.
    pub id: String,
    /// One to three words; the id if none were given.
    pub short: String,
    /// A sentence.
    pub label: String,
    /// More about it, as markdown.
    pub description: Option<String>,
}

/// Returns a decision as a decision point.
pub fn view(decision: &Decision) -> DecisionPoint {
    let reply = reply(decision);
    let issue = issue(decision);
    // If the title is the question, the prompt is the context. A job's title says what its agent asks.
    let is_jobs = decision.owner.as_ref().is_some_and(|owner| owner.kind != OwnerKind::Item);
    let is_question =
        |title: &&String| is_jobs || choice(decision).is_some_and(|field| title.trim() == field.label);
    let (prompt, context) = match (decision.title.as_ref().filter(is_question), &decision.prompt) {
        (Some(title), Some(prompt)) if title != prompt => (Some(title), Some(prompt.clone())),
        (_, prompt) => (prompt.as_ref().or(decision.title.as_ref()), None),
    };
    DecisionPoint {
        id: decision.id,
        status: decision.status,
        project: decision.project.clone(),
        issue_id: issue.map(str::to_owned),
        parent: issue.and_then(parent).map(str::to_owned),
        prompt: prompt.cloned().unwrap_or_default(),
        context,
        urgency: urgency(decision.priority),
        options: choice(decision).map(|field| field.options.iter().map(option).collect()).unwrap_or_default(),
        default_option: default_option(decision),
        selected_option: reply.selected.map(|option| option.id.clone()),
        response_text: reply.text,
        responded_at: decision.settled_at,
        responded_by: reply.by.map(str::to_owned),
        iteration: decision.iteration,
        max_iterations: decision.max_iterations,
        prior_id: decision.prior,
        next_id: decision.next,
        guidance: decision.guidance.clone(),
        requested_by: decision.requested_by.clone(),
        created_at: decision.created_at,
        deadline: decision.deadline,
        blocks: decision.blocks.clone(),
        digest: decision.digest.clone(),
        reason: decision.reason.clone(),
    }
}

/// Returns the work item that waits for a decision: the one it was asked on, or else the first that it blocks.
pub fn issue(decision: &Decision) -> Option<&str> {
    decision.blocked_items().next()
}

/// Returns the parent of an item that was made for a decision.
pub fn parent(issue: &str) -> Option<&str> {
    let (parent, number) = issue.rsplit_once(BELOW)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(parent).filter(|parent| !parent.is_empty())
}

/// Returns the name of a new item below another for a decision; these are numbered from 1.
pub fn below(parent: &str, number: usize) -> String {
    format!("{parent}{BELOW}{number}")
}

/// The separator between the names of two such items.
const BELOW: &str = ".decision-";

fn urgency(priority: Priority) -> &'static str {
    match priority {
        Priority::Low => "low",
        Priority::Normal => "medium",
        Priority::High | Priority::Urgent => "high",
    }
}

/// Returns the only field with options; a decision point has no place for a second.
fn choice(decision: &Decision) -> Option<&Field> {
    let mut offering = decision.fields.iter().filter(|field| field.kind.picks());
    let first = offering.next();
    first.filter(|_| offering.next().is_none())
}

fn option(option: &Opt) -> PointOption {
    PointOption {
        id: option.id.clone(),
        short: option.short.clone().unwrap_or_else(|| option.id.clone()),
        label: option.label.clone(),
        description: option.description.clone(),
    }
}

fn default_option(decision: &Decision) -> Option<String> {
    let default = decision.default.as_ref()?;
    let value = choice(decision).and_then(|field| default.get(&field.id)).or_else(|| default.get("out"))?;
    value.as_str().map(str::to_owned)
}
