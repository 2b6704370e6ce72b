//! What choosing an option does, unless its label already says so.

use holdpoint_core::decision::number::goes_by_ids;
use holdpoint_core::decision::refusing::{is_foreign, is_only_no, is_only_yes, is_yes};
use holdpoint_core::field::Effect;
use holdpoint_core::{Decision, Field, Kind, Opt, OwnerKind, Source};
use serde_json::Value;

use super::wording::is_dangerous;

/// The most options that a yes-or-no question has.
const FEW: usize = 9;

/// Returns whether an option counts as a yes or a no, if consent is asked for and the label leaves that open. The
/// agent chose the labels, and may call the yes beside a plain No anything.
pub(crate) fn counts_as(decision: &Decision, field: &Field, option: &Opt) -> Option<&'static str> {
    // Picking from a long list picks a value; and since this runs for each option, thousands would take seconds.
    let offers_yes = || {
        field.kind == Kind::Choice
            && field.options.len() <= FEW
            && field.options.iter().any(|option| is_yes(&option.label))
    };
    let takes_consent = field.kind == Kind::Confirm || is_dangerous(decision) || offers_yes();
    let is_plain = |option: &Opt| match option.refuses {
        _ if effect(decision, option).is_some() => true,
        // `No, go ahead` begins with a no, but means something else.
        true => is_only_no(&option.label),
        false => is_yes(&option.label) || is_yes_for_a_while(&option.label),
    };
    // Another party's options count as a yes unless marked otherwise, whatever the label; pointing that out would
    // only confuse.
    let is_unmarked = !option.refuses && is_foreign(decision);
    // Which patch set is committed is asked after the yes.
    if !takes_consent || is_unmarked || goes_by_ids(field) || is_plain(option) {
        return None;
    }
    Some(if option.refuses { "refuses" } else { "counts as yes" })
}

/// Returns whether the asker suggests an option: of a yes or no, or of the patch sets.
pub(crate) fn is_suggested(field: &Field, option: &Opt) -> bool {
    let shows = field.kind == Kind::Confirm || goes_by_ids(field);
    shows && !option.recommended && field.default.as_ref().and_then(Value::as_str) == Some(option.id.as_str())
}

/// Returns whether a label is a yes with a duration and nothing more: "Allow once".
fn is_yes_for_a_while(label: &str) -> bool {
    const WHILES: [&str; 6] =
        [" once", " always", " this time", " for now", " for this session", " for the session"];
    let label = label.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!')).to_lowercase();
    let rest =
        WHILES.iter().find_map(|lasts| label.strip_suffix(lasts)).or_else(|| label.strip_prefix("always "));
    rest.is_some_and(is_only_yes)
}

/// Describes what choosing an option does, if that is known.
pub(crate) fn effect(decision: &Decision, option: &Opt) -> Option<&'static str> {
    let owned =
        decision.owner.as_ref().is_some_and(|owner| matches!(owner.kind, OwnerKind::Job | OwnerKind::Crew));
    let by_id = || match (decision.source, option.id.as_str()) {
        _ if !owned => None,
        (_, "cancel") => Some(Effect::Cancel),
        (_, "dismiss") => Some(Effect::Dismiss),
        (Source::Idle, "nudge") => Some(Effect::Resume),
        (Source::Dead | Source::Error | Source::Gate, "retry") => Some(Effect::Restart),
        (Source::Idle, "done") | (Source::Dead | Source::Error | Source::Gate, "skip") => {
            Some(Effect::Advance)
        }
        _ => None,
    };
    Some(match option.effect.or_else(by_id)? {
        Effect::Resume => "The agent is told to go on.",
        Effect::Restart => "The agent is started again.",
        Effect::Advance => "The step counts as done; the job goes on.",
        // Only the asker knows what else is cancelled.
        Effect::Cancel if !owned => return None,
        Effect::Cancel => "The job is cancelled.",
        Effect::Dismiss => "Nothing is done; the job stays as it is.",
        Effect::Approve => "Allows it once.",
        Effect::Deny => "Does not allow it.",
        Effect::AcceptClear => "The plan is carried out with a fresh context.",
        Effect::AcceptAuto => "The plan is carried out; edits are not asked about.",
        Effect::AcceptManual => "The plan is carried out; each edit is asked about.",
        Effect::Revise => "The agent reworks the plan.",
        Effect::Commit => "Commits the work.",
        Effect::Checkpoint => "Saved until someone resumes it.",
        Effect::Abandon => "Drops the task.",
        Effect::Retry => "Starts another attempt.",
        Effect::Rollback => "Rolls back the work.",
    })
}

/// Describes what choosing an option does, if its label does not say that by itself: the agent may call the yes
/// anything.
pub(crate) fn explained(decision: &Decision, option: &Opt) -> Option<&'static str> {
    let says_it = match option.effect {
        Some(Effect::Approve) => is_yes(&option.label) || is_yes_for_a_while(&option.label),
        Some(Effect::Deny) => is_only_no(&option.label),
        _ => false,
    };
    effect(decision, option).filter(|_| !says_it)
}
