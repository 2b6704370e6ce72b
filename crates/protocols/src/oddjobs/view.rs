//! A decision in the output of `oj decision list` and `show`: as JSON, and as the cells of a table.

use holdpoint_core::field::has_custom_text;
use holdpoint_core::text::{inert_line, start};
use holdpoint_core::{Answer, Decision, DecisionId, Field, Opt, Owner, Source, Status, Timestamp};
use serde::Serialize;

use super::number::{self, Entry, OTHER};
use super::{age, question};

/// One line of `list -o json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The id of the decision.
    pub id: DecisionId,
    /// The owner, e.g. `job-4k2…`; `job:build` if the id does not show its kind.
    pub owner_id: Option<String>,
    /// The owner's name; its id if it has none.
    pub owner_name: Option<String>,
    /// The project.
    pub project: String,
    /// What happened.
    pub source: Source,
    /// The question, or else the start of the context.
    pub summary: String,
    /// When it was asked.
    pub created_at_ms: i64,
}

/// The output of `show -o json`: all keys are present, null or an empty list if empty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detail {
    /// The members of the list.
    #[serde(flatten)]
    pub item: Item,
    /// The status.
    pub status: Status,
    /// The agent to wake.
    pub agent_id: Option<String>,
    /// What the person reads first.
    pub context: String,
    /// All options, numbered over all questions.
    pub options: Vec<Choice>,
    /// The numbers of the chosen `options`, question by question, in the order in which they were chosen.
    pub choices: Vec<usize>,
    /// What is asked, each question with its own numbering, if it is a question or there are several.
    pub question_groups: Vec<Group>,
    /// The comment, or the reason it was cancelled.
    pub message: Option<String>,
    /// When it was settled, in any way.
    pub resolved_at_ms: Option<i64>,
    /// The decision that replaced it.
    pub superseded_by: Option<DecisionId>,
    /// The digest of the question; `resolve --digest` takes it.
    pub digest: String,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "named as in the numbered entry it shows")]
pub struct Choice {
    /// None if it is picked by its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    pub id: String,
    pub label: String,
    pub description: Option<String>,
    pub recommended: bool,
    /// Which of several questions it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// One question of several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The question.
    pub question: String,
    /// A word or two above it.
    pub header: Option<String>,
    /// The options, Other last.
    pub options: Vec<Choice>,
}

/// The cells of a line in the table of `list`; the caller lays them out.
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

/// The headings of the columns, in order.
pub const COLUMNS: [&str; 6] = ["ID", "PROJECT", "AGENT", "AGE", "SOURCE", "SUMMARY"];

/// Returns a decision as an entry of the list; `name` is the owner's name, if known.
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

/// Returns a decision in full; `name` is the owner's name, if known.
pub fn detail(decision: &Decision, name: Option<&str>) -> Detail {
    let questions = number::questions(decision);
    let groups = decision.source == Source::Question || questions.len() > 1;
    let chosen = |answer: &Answer| number::numbers(decision, &answer.values, answer.out.as_deref());
    let group = |field: &Field| Group {
        question: field.label.clone(),
        header: question::header(field).map(str::to_owned),
        options: number::group(field).iter().map(|entry| choice(entry, None)).collect(),
    };
    Detail {
        item: item(decision, name),
        status: decision.status,
        agent_id: decision.requested_by.clone(),
        context: context(decision).to_owned(),
        options: options(decision),
        choices: decision.answer.as_ref().map(chosen).unwrap_or_default(),
        question_groups: questions.into_iter().filter(|_| groups).map(group).collect(),
        message: message(decision),
        resolved_at_ms: decision.settled_at.map(Timestamp::as_millis),
        superseded_by: decision.superseded_by,
        digest: decision.digest.clone(),
    }
}

/// Returns the cells of a decision's line, each on one line and with control characters made harmless.
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

/// Returns the id of a job or crew: unchanged if it shows its kind, otherwise with the kind before it.
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

/// Returns the comment on the answer, or why it was cancelled.
pub(super) fn message(decision: &Decision) -> Option<String> {
    let Some(answer) = &decision.answer else { return decision.reason.clone() };
    let custom = || answer.values.values().find_map(has_custom_text);
    answer.message.as_deref().or_else(custom).map(str::to_owned)
}

/// Lists everything that can be chosen: by number over all questions, then what is picked by its id.
pub(super) fn options(decision: &Decision) -> Vec<Choice> {
    let questions = number::questions(decision);
    let several = questions.len() > 1;
    let numbered = number::entries(decision);
    let numbered = numbered.iter().map(|entry| choice(entry, entry.field().filter(|_| several)));
    let by_ids = questions.into_iter().filter(|field| number::goes_by_ids(field));
    let by_ids = by_ids.flat_map(|field| field.options.iter().map(|option| by_id(field, option)));
    numbered.chain(by_ids).collect()
}

fn choice(entry: &Entry<'_>, field: Option<&str>) -> Choice {
    Choice {
        number: Some(entry.number),
        id: entry.id().unwrap_or(OTHER).to_owned(),
        label: entry.label.to_owned(),
        description: entry.description.map(str::to_owned),
        recommended: entry.recommended,
        field: field.map(str::to_owned),
    }
}

fn by_id(field: &Field, option: &Opt) -> Choice {
    Choice {
        number: None,
        id: option.id.clone(),
        label: option.label.clone(),
        description: option.description.clone(),
        recommended: option.recommended,
        field: Some(field.id.clone()),
    }
}

fn summary(context: &str) -> String {
    const MOST: usize = 80;
    if context.len() <= MOST { context.to_owned() } else { format!("{}...", start(context, MOST - 3)) }
}
