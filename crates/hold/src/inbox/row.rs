//! The list's copy of a decision: only what a line and a preview need, because an agent's text may be large.

use holdpoint_core::decision::number::{self, Entry, NumberMeaning};
use holdpoint_core::search::Text;
use holdpoint_core::{Decision, DecisionId, Search, Source, Timestamp};

use crate::view_model::deadline::AtDeadline;
use crate::view_model::identical::{self, IdenticalGroup};
use crate::view_model::{bulk_answer, read_before_consent, vote_progress, wording};

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
            wording::priority(decision.priority).into_iter().map(str::to_lowercase).collect();
        if decision.iteration > 1 {
            tags.push(format!("round {}", decision.iteration));
        }
        if let Some(taken) = &decision.taken {
            tags.push(format!("{} is on it", wording::short(&taken.by, 20)));
        }
        if !decision.draft.is_empty() {
            tags.push("draft".into());
        }
        let all = number::entries(decision);
        let brief = |entry: &Entry<'_>| match entry.means {
            NumberMeaning::Option(_, option)
            | NumberMeaning::Accept(_, option)
            | NumberMeaning::Out(option) => option.brief().to_owned(),
            NumberMeaning::Other => entry.label.to_owned(),
        };
        // If there is nothing to pick, a written answer is not an alternative to anything.
        let picked = all.iter().filter(|entry| all.len() > 1 || entry.means != NumberMeaning::Other);
        Self {
            id: decision.id,
            title: wording::title(decision, 300),
            headline: wording::headline(decision, 200),
            what: what(decision),
            source: decision.source,
            tags,
            votes: vote_progress::count(decision),
            progress: vote_progress::progress(decision),
            asker: owner_name
                .map(|name| wording::short(name, 60))
                .or_else(|| decision.asker().map(|asker| wording::short(&asker.brief(), 60)))
                .or_else(|| decision.owner.as_ref().map(|owner| wording::short(&wording::owner(owner), 60)))
                .unwrap_or_default(),
            about: wording::about(decision, owner_name),
            created_at: decision.created_at,
            deadline: decision.deadline,
            at_deadline: AtDeadline::of(decision),
            subject: decision.subject.as_ref().and_then(read_before_consent::in_row),
            repeats: wording::repeats_subject(decision),
            has_subject: decision.subject_digest.is_some(),
            alone: bulk_answer::alone(decision).is_some(),
            refusing: read_before_consent::refusing(decision),
            options: picked.clone().take(OPTIONS).map(|entry| wording::short(&brief(entry), 40)).collect(),
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
        row.same = identical::same_question_note(&group.decision, &group.others, now);
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
    decision.subject.as_ref().filter(|_| is_told).map(read_before_consent::what)
}
