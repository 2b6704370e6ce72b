//! How far a decision that takes several people has come, in words.

use holdpoint_core::{Decision, Status};

/// Says how many have consented, who, and who is still needed; nothing where one person is enough.
pub(crate) fn progress(decision: &Decision) -> Option<String> {
    decision.progress().map(|progress| progress.to_string())
}

/// Says so for a card, and that only people answer where that is demanded.
pub(crate) fn on_card(decision: &Decision) -> Option<String> {
    let votes = progress(decision).map(|progress| format!("Votes: {progress}."));
    let is_open = decision.status == Status::Pending;
    let person = (decision.needs_person && is_open)
        .then(|| "Only a person who is signed in, or uses a token of their own, can answer.".to_owned());
    let words: Vec<String> = votes.into_iter().chain(person).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Says what became of an answer that was one of several votes; nothing once the decision is settled.
pub(crate) fn voted(decision: &Decision) -> Option<String> {
    let is_open = decision.status == Status::Pending;
    progress(decision).filter(|_| is_open).map(|progress| format!("Your vote is in: {progress}"))
}
