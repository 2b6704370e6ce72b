//! A decision as `oj decision list` and `show` print it: as JSON, and as the cells of a table.

use holdpoint_core::field::has_custom_text;
use holdpoint_core::text::{inert_line, start};
use holdpoint_core::{Decision, DecisionId, Field, Owner, Source, Status, Timestamp};
use serde::Serialize;

use super::number::{self, Entry, OTHER};
use super::{age, question};

/// One line of `list -o json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Names the decision.
    pub id: DecisionId,
    /// Who waits, e.g. `job-4k2…`; where the id does not say what it is, `job:build`.
    pub owner_id: Option<String>,
    /// What people call it: a job's name; where none is known, its id.
    pub owner_name: Option<String>,
    /// Where it belongs.
    pub project: String,
    /// What happened.
    pub source: Source,
    /// What is asked, else the start of the context.
    pub summary: String,
    /// When it was asked.
    pub created_at_ms: i64,
}

/// What `show -o json` prints: all keys are there, null or an empty list where there is nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detail {
    /// What the list shows too.
    #[serde(flatten)]
    pub item: Item,
    /// Where it stands.
    pub status: Status,
    /// The agent to wake.
    pub agent_id: Option<String>,
    /// What the person reads first.
    pub context: String,
    /// Everything that can be chosen, numbered over all questions.
    pub options: Vec<Choice>,
    /// The numbers that were chosen, one a question where there are several.
    pub choices: Vec<usize>,
    /// For a question: what is asked, each with its own numbering.
    pub question_groups: Vec<Group>,
    /// The words that came with it, or the reason it was cancelled.
    pub message: Option<String>,
    /// When it was settled, in whatever way.
    pub resolved_at_ms: Option<i64>,
    /// The decision that took its place.
    pub superseded_by: Option<DecisionId>,
    /// Names exactly what is asked; `resolve --digest` takes it.
    pub digest: String,
}

/// One numbered option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "named as in the numbered entry it shows")]
pub struct Choice {
    pub number: usize,
    pub id: String,
    pub label: String,
    pub description: Option<String>,
    pub recommended: bool,
}

/// One question of several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// What is asked.
    pub question: String,
    /// A word or two above it.
    pub header: Option<String>,
    /// What can be chosen, Other last.
    pub options: Vec<Choice>,
}

/// The cells of a line in the table of `list`; the door lays them out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the columns")]
pub struct Row {
    pub id: DecisionId,
    pub project: String,
    pub agent: String,
    pub age: String,
    pub source: &'static str,
    pub summary: String,
}

/// The heads of the columns, in order.
pub const COLUMNS: [&str; 6] = ["ID", "PROJECT", "AGENT", "AGE", "SOURCE", "SUMMARY"];

/// Shows a decision as a line of the list; `name` is what people call its owner, where that is known.
pub fn item(decision: &Decision, name: Option<&str>) -> Item {
    Item {
        id: decision.id,
        owner_id: decision.owner.as_ref().map(owner_id),
        owner_name: decision.owner.as_ref().map(|owner| name.unwrap_or(&owner.id).to_owned()),
        project: decision.project.clone(),
        source: decision.source,
        summary: summary(decision.summary()),
        created_at_ms: decision.created_at.as_millis(),
    }
}

/// Shows all of a decision; `name` is what people call its owner, where that is known.
pub fn detail(decision: &Decision, name: Option<&str>) -> Detail {
    let asks = decision.source == Source::Question;
    let group = |field: &Field| Group {
        question: field.label.clone(),
        header: question::header(field).map(str::to_owned),
        options: number::group(field).iter().map(choice).collect(),
    };
    Detail {
        item: item(decision, name),
        status: decision.status,
        agent_id: decision.requested_by.clone(),
        context: context(decision).to_owned(),
        options: number::entries(decision).iter().map(choice).collect(),
        choices: number::chosen(decision).iter().map(|entry| entry.number).collect(),
        question_groups: decision.fields.iter().filter(|_| asks).map(group).collect(),
        message: message(decision),
        resolved_at_ms: decision.settled_at.map(Timestamp::as_millis),
        superseded_by: decision.superseded_by,
        digest: decision.digest.clone(),
    }
}

/// Returns the cells of a decision's line, each on one line and inert.
pub fn row(decision: &Decision, name: Option<&str>, now: Timestamp) -> Row {
    let owner = decision.owner.as_ref().map(|owner| inert_line(name.unwrap_or(&owner.id)));
    Row {
        id: decision.id,
        project: if decision.project.is_empty() { "-".into() } else { inert_line(&decision.project) },
        agent: owner.unwrap_or_else(|| "-".into()),
        age: age(decision.created_at, now),
        source: decision.source.name(),
        summary: inert_line(&summary(decision.summary())),
    }
}

/// Returns the id of a job or crew: as it is where it says what it is, else behind its kind.
pub(super) fn owner_id(owner: &Owner) -> String {
    if owner.id.starts_with("job-") || owner.id.starts_with("crw-") {
        owner.id.clone()
    } else {
        owner.to_string()
    }
}

/// Returns what the person reads first.
pub(super) fn context(decision: &Decision) -> &str {
    decision.prompt.as_deref().unwrap_or(decision.summary())
}

/// Returns the words that came with the answer, or why it was cancelled.
pub(super) fn message(decision: &Decision) -> Option<String> {
    let Some(answer) = &decision.answer else { return decision.reason.clone() };
    let custom = || answer.values.values().find_map(has_custom_text);
    answer.message.as_deref().or_else(custom).map(str::to_owned)
}

fn choice(entry: &Entry<'_>) -> Choice {
    Choice {
        number: entry.number,
        id: entry.id().unwrap_or(OTHER).to_owned(),
        label: entry.label.to_owned(),
        description: entry.description.map(str::to_owned),
        recommended: entry.recommended,
    }
}

fn summary(context: &str) -> String {
    const MOST: usize = 80;
    if context.len() <= MOST { context.to_owned() } else { format!("{}...", start(context, MOST - 3)) }
}
