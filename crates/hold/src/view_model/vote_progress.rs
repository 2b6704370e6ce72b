//! The progress of a decision that takes several people, in words.

use holdpoint_core::{Decision, Status, Timestamp};

use super::wording;

/// Describes how many have consented, who, and who is still needed; none if one person is enough.
pub(crate) fn progress(decision: &Decision) -> Option<String> {
    decision.progress().map(|progress| progress.to_string())
}

/// Describes the progress in a few characters: `1/2`.
pub(crate) fn count(decision: &Decision) -> Option<String> {
    decision.progress().map(|progress| format!("{}/{}", progress.approvals, progress.needed))
}

/// Describes someone's vote, if they have voted.
pub(crate) fn vote_of(decision: &Decision, who: &str) -> Option<String> {
    let vote = decision.votes.iter().rev().find(|vote| vote.by == who)?;
    let given = wording::given(decision, &vote.values, vote.out.as_deref());
    let given: Vec<String> = given.into_iter().map(|(_, value)| wording::short(&value, 80)).collect();
    Some(format!("You voted: {}.", given.join(", ")))
}

/// Describes progress for a card, whether only people may answer, and what happens while nobody does.
pub(crate) fn on_card(decision: &Decision, now: Timestamp) -> Option<String> {
    let votes = progress(decision).map(|progress| format!("Votes: {progress}."));
    let is_open = decision.status == Status::Pending;
    let person = (decision.needs_person && is_open)
        .then(|| "Only a person who is signed in, or uses a token of their own, can answer.".to_owned());
    let words: Vec<String> = votes.into_iter().chain(person).chain(escalation(decision, now)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Describes the next escalation: `At 14:30 UTC oncall is told.`
pub(crate) fn escalation(decision: &Decision, now: Timestamp) -> Option<String> {
    let at = decision.escalates_at()?;
    let next = decision.escalation.as_ref()?.ahead(decision.created_at).into_iter().next()?;
    let (full, today) = (at.to_string(), now.to_string());
    let day = full.get(..10).filter(|day| today.get(..10) != Some(day));
    let day = day.map(|day| format!("{day} ")).unwrap_or_default();
    let time = full.get(11..16).unwrap_or_default();
    Some(format!("At {day}{time} UTC {}, unless somebody answers before.", next.happens()))
}

/// Describes the result of an answer that was one of several votes; none once the decision is settled.
pub(crate) fn voted(decision: &Decision) -> Option<String> {
    let is_open = decision.status == Status::Pending;
    progress(decision).filter(|_| is_open).map(|progress| format!("Your vote is in: {progress}"))
}

/// Returns whether someone is asked: by name, or because the decision is for anyone.
pub(crate) fn is_put_to(decision: &Decision, who: &str) -> bool {
    decision.is_for_anyone() || decision.assignees.iter().any(|name| name == who)
}
