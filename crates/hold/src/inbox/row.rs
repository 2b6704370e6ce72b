//! A decision as the list keeps it: what a line and a preview need, and no more. What an agent wrote may be large.

use holdpoint_core::decision::number::{self, Entry, Means};
use holdpoint_core::search::Text;
use holdpoint_core::{Decision, DecisionId, Search, Source, Timestamp};

use crate::shown::same::{self, Group};
use crate::shown::{deadline, many, people, reading, words};

/// How many options a preview names.
const OPTIONS: usize = 9;

/// A line of the list.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: DecisionId,
    pub(crate) title: String,
    /// What would be done, where that says more than the title.
    pub(crate) what: Option<String>,
    pub(crate) source: Source,
    /// Urgent, round 2, draft.
    pub(crate) tags: Vec<String>,
    /// Who asks, what for, where.
    pub(crate) asker: String,
    pub(crate) about: String,
    pub(crate) created_at: Timestamp,
    pub(crate) deadline: Option<Timestamp>,
    /// What the deadline does.
    pub(crate) silence: String,
    /// The whole subject, where it fits in a line.
    pub(crate) subject: Option<String>,
    /// Whether there is one.
    pub(crate) has_subject: bool,
    /// Whether it can only be answered by itself.
    pub(crate) alone: bool,
    /// The numbers that refuse.
    pub(crate) refusing: Vec<usize>,
    /// The first options and outs, by number.
    pub(crate) options: Vec<String>,
    /// How many there are in all.
    pub(crate) option_count: usize,
    /// How often the same is asked, if more than once.
    pub(crate) same: Option<String>,
    /// Where a search looks.
    text: Text,
}

impl Row {
    pub(crate) fn of(decision: &Decision, owner_name: Option<&str>) -> Self {
        let mut tags: Vec<String> =
            words::priority(decision.priority).into_iter().map(str::to_lowercase).collect();
        if decision.iteration > 1 {
            tags.push(format!("round {}", decision.iteration));
        }
        if let Some(taken) = &decision.taken {
            tags.push(format!("{} is on it", words::short(&taken.by, 20)));
        }
        if !decision.draft.is_empty() {
            tags.push("draft".into());
        }
        tags.extend(people::progress(decision));
        let all = number::entries(decision);
        let brief = |entry: &Entry<'_>| match entry.means {
            Means::Option(_, option) | Means::Accept(_, option) | Means::Out(option) => {
                option.brief().to_owned()
            }
            Means::Other => entry.label.to_owned(),
        };
        Self {
            id: decision.id,
            title: words::title(decision, 300),
            what: what(decision),
            source: decision.source,
            tags,
            asker: owner_name
                .map(|name| words::short(name, 60))
                .or_else(|| decision.asker().map(|asker| words::short(&asker.brief(), 60)))
                .or_else(|| decision.owner.as_ref().map(|owner| words::short(&words::owner(owner), 60)))
                .unwrap_or_default(),
            about: words::about(decision, owner_name),
            created_at: decision.created_at,
            deadline: decision.deadline,
            silence: deadline::silence(decision),
            subject: decision.subject.as_ref().and_then(reading::in_row),
            has_subject: decision.subject_digest.is_some(),
            alone: many::alone(decision).is_some(),
            refusing: reading::refusing(decision),
            options: all.iter().take(OPTIONS).map(|entry| words::short(&brief(entry), 40)).collect(),
            option_count: all.len(),
            same: None,
            text: Text::of(decision, owner_name),
        }
    }

    /// Makes one row of those that ask the same.
    pub(crate) fn of_group(group: &Group, owner_name: Option<&str>, now: Timestamp) -> Self {
        let mut row = Self::of(&group.decision, owner_name);
        row.same = same::words(&group.decision, &group.others, now);
        if row.same.is_some() {
            row.tags.push(format!("{} times", group.others.len() + 1));
        }
        row
    }

    /// Returns whether it is what is sought.
    pub(crate) fn fits(&self, sought: &Search, now: Timestamp) -> bool {
        sought.fits_text(&self.text, now)
    }
}

/// Says what would be done. A plan and a verdict are known by their titles.
fn what(decision: &Decision) -> Option<String> {
    let is_told = !matches!(decision.source, Source::Plan | Source::Verdict);
    decision.subject.as_ref().filter(|_| is_told).map(reading::line)
}
