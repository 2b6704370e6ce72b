//! Keys on the rules that a card proposes.

use crossterm::event::{KeyCode, KeyEvent};
use holdpoint_core::DecisionId;
use holdpoint_engine::rules::{CreatedRule, TriedProposal};

use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::proposed::ProposedRules;

/// Shows the proposed rules; does nothing if the person went elsewhere meanwhile.
pub(super) fn proposed(model: &mut Model, id: DecisionId, steps: Vec<TriedProposal>) {
    let Screen::Card(card) = &mut model.screen else { return };
    if card.decision.id != id || card.edit.is_some() {
        return;
    }
    if steps.is_empty() {
        model.say(Tone::Plain, "No rule possible: this always needs a person, or the agent is not verified.");
        return;
    }
    let proposed = ProposedRules::new(steps);
    card.pager = Some(proposed.pager());
    card.proposed = Some(proposed);
    model.arrival.renew();
}

/// Handles a key that picks or creates a rule; none if the key only scrolls.
pub(super) fn pressed(model: &mut Model, key: KeyEvent) -> Option<Vec<InboxEffect>> {
    let Screen::Card(card) = &mut model.screen else { return None };
    let proposed = card.proposed.as_mut()?;
    match key.code {
        KeyCode::Char(digit @ '1'..='9') => {
            let number = digit.to_digit(10).map_or(0, |digit| digit as usize);
            let top = card.pager.as_ref().map_or(0, |pager| pager.top.get());
            if proposed.pick(number) {
                let pager = proposed.pager();
                pager.top.set(top);
                card.pager = Some(pager);
                model.notice = None;
            } else {
                model.say(Tone::Bad, format!("No option {digit}."));
            }
            Some(Vec::new())
        }
        KeyCode::Enter => Some(match proposed.take() {
            Ok(rule) => {
                close(model);
                vec![InboxEffect::MakeRule(Box::new(rule))]
            }
            Err(why) => {
                model.say(Tone::Plain, why);
                Vec::new()
            }
        }),
        KeyCode::Esc | KeyCode::Char('a' | 'q' | 'u') => {
            close(model);
            Some(Vec::new())
        }
        _ => None,
    }
}

fn close(model: &mut Model) {
    if let Screen::Card(card) = &mut model.screen {
        card.pager = None;
        card.proposed = None;
        model.arrival.renew();
    }
}

/// Shows that a rule was created, and the pending decisions that match it.
pub(super) fn made(model: &mut Model, made: &CreatedRule) -> Vec<InboxEffect> {
    // Decisions whose answers are under way are not answered again.
    let waiting = made.waiting.iter().map(|ask| ask.id);
    let ids: Vec<DecisionId> = waiting.filter(|id| !model.list.hidden.contains(id)).collect();
    let id = &made.rule.rule.id;
    model.say(Tone::Good, format!("{id} is active. End it: hold rule revoke {id}"));
    let here = match &model.screen {
        Screen::Card(card) => Some(card.decision.id),
        _ => None,
    };
    // The card itself is answered in place.
    let others = here.is_some_and(|here| ids.iter().any(|id| *id != here));
    if !others {
        return Vec::new();
    }
    model.screen = Screen::Gathering;
    vec![InboxEffect::Gather(ids)]
}
