//! Taking and snoozing the current decision.

use holdpoint_core::decision::Attention;
use holdpoint_core::{Decision, DecisionId, Span};

use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::update::outgoing;
use crate::view_model::{span, wording};

/// How long the key snoozes a decision.
const SNOOZE: Span = Span::from_secs(60 * 60);

/// Takes the current decision.
pub(super) fn take(model: &mut Model) -> Vec<InboxEffect> {
    here(model).map(|id| InboxEffect::Attend(id, Attention::Take)).into_iter().collect()
}

/// Snoozes the current decision for an hour.
pub(super) fn snooze(model: &mut Model) -> Vec<InboxEffect> {
    let until = model.now.checked_add(SNOOZE).unwrap_or(model.now);
    here(model).map(|id| InboxEffect::Attend(id, Attention::Snooze { until })).into_iter().collect()
}

/// Shows the result.
pub(super) fn attended(model: &mut Model, decision: &Decision, attention: Attention) -> Vec<InboxEffect> {
    let title = wording::title(decision, 60);
    let id = decision.id;
    let mut effects = vec![InboxEffect::List];
    if matches!(attention, Attention::Snooze { .. }) {
        if matches!(&model.screen, Screen::Card(card) if card.decision.id == id) {
            effects.extend(outgoing::go_on(model));
        }
        let until = decision.snoozed.values().max().map(|until| until.since(model.now).as_millis());
        let left = span::remaining(until.unwrap_or(0));
        // The command comes before the title, because the line is cut at the edge of the screen.
        model.say(Tone::Good, format!("Snoozed for {left}. To undo: hold snooze {id} --end. {title}"));
    } else {
        model.say(Tone::Good, format!("You are on it for 30 min: {title}"));
    }
    effects
}

fn here(model: &Model) -> Option<DecisionId> {
    match &model.screen {
        Screen::Card(card) => Some(card.decision.id),
        Screen::List => model.list.row().map(|row| row.id),
        _ => None,
    }
}
