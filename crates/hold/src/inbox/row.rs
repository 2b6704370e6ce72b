//! The list's copy of a decision: only what a line and a preview need, because an agent's text may be large.

use holdpoint_core::decision::number::{self, Entry, NumberMeaning};
use holdpoint_core::search::Text;
use holdpoint_core::{Decision, DecisionId, Search, Source, Timestamp};

use crate::shown::deadline::AtDeadline;
use crate::shown::same::{self, IdenticalGroup};
use crate::shown::{many, people, reading, words};

/// How many options a preview lists.
const OPTIONS: usize = 9;

/// A line of the list.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: DecisionId,
    pub(crate) title: String,
    /// Its headline.
    pub(crate) headline: String,
    /// What would be done, if that says more than the title.
    pub(crate) what: Option<String>,
    pub(crate) source: Source,
    /// Such as urgent, round 2, draft.
    pub(crate) tags: Vec<String>,
    /// How many people have consented, and who is still needed.
    pub(crate) votes: Option<String>,
    pub(crate) progress: Option<String>,
    /// Who asks, and a description with purpose and place.
    pub(crate) asker: String,
    pub(crate) about: String,
    pub(crate) created_at: Timestamp,
    pub(crate) deadline: Option<Timestamp>,
    /// What the deadline does.
    pub(crate) at_deadline: AtDeadline,
    /// The whole subject, where it fits in a line.
    pub(crate) subject: Option<String>,
    /// Whether the title says no more than the subject.
    pub(crate) repeats: bool,
    /// Whether it has a subject.
    pub(crate) has_subject: bool,
    /// Whether it can only be answered on its own.
    pub(crate) alone: bool,
    /// The numbers that refuse.
    pub(crate) refusing: Vec<usize>,
    /// The first options and outs, by number.
    pub(crate) options: Vec<String>,
    /// How many there are in total.
    pub(crate) option_count: usize,
    /// How often the same is asked, and in words if more than once.
    pub(crate) times: usize,
    pub(crate) same: Option<String>,
    /// The text that is searched.
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
        let all = number::entries(decision);
        let brief = |entry: &Entry<'_>| match entry.means {
            NumberMeaning::Option(_, option) | NumberMeaning::Accept(_, option) | NumberMeaning::Out(option) => {
                option.brief().to_owned()
            }
            NumberMeaning::Other => entry.label.to_owned(),
        };
        // If there is nothing to pick, a written answer is not an alternative to anything.
        let picked = all.iter().filter(|entry| all.len() > 1 || entry.means != NumberMeaning::Other);
        Self {
            id: decision.id,
            title: words::title(decision, 300),
            headline: words::headline(decision, 200),
            what: what(decision),
            source: decision.source,
            tags,
            votes: people::count(decision),
            progress: people::progress(decision),
            asker: owner_name
                .map(|name| words::short(name, 60))
                .or_else(|| decision.asker().map(|asker| words::short(&asker.brief(), 60)))
                .or_else(|| decision.owner.as_ref().map(|owner| words::short(&words::owner(owner), 60)))
                .unwrap_or_default(),
            about: words::about(decision, owner_name),
            created_at: decision.created_at,
            deadline: decision.deadline,
            at_deadline: AtDeadline::of(decision),
            subject: decision.subject.as_ref().and_then(reading::in_row),
            repeats: words::repeats_subject(decision),
            has_subject: decision.subject_digest.is_some(),
            alone: many::alone(decision).is_some(),
            refusing: reading::refusing(decision),
            options: picked.clone().take(OPTIONS).map(|entry| words::short(&brief(entry), 40)).collect(),
            option_count: picked.count(),
            times: 1,
            same: None,
            text: Text::of(decision, owner_name),
        }
    }

    /// Creates a row for a group of identical questions.
    pub(crate) fn of_group(group: &IdenticalGroup, owner_name: Option<&str>, now: Timestamp) -> Self {
        let mut row = Self::of(&group.decision, owner_name);
        row.times = group.others.len() + 1;
        row.same = same::same_question_note(&group.decision, &group.others, now);
        if row.same.is_some() {
            row.tags.push(format!("{} times", row.times));
        }
        row
    }

    /// Returns whether it matches a search.
    pub(crate) fn fits(&self, sought: &Search, now: Timestamp) -> bool {
        sought.fits_text(&self.text, now)
    }
}

/// Describes what would be done. Plans and verdicts are known by their titles.
fn what(decision: &Decision) -> Option<String> {
    let is_told = !matches!(decision.source, Source::Plan | Source::Verdict);
    decision.subject.as_ref().filter(|_| is_told).map(reading::what)
}
