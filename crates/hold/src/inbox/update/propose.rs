//! Keys on the rules that a card proposes.

use crossterm::event::{KeyCode, KeyEvent};
use holdpoint_core::DecisionId;
use holdpoint_engine::rules::{CreatedRule, TriedProposal};

use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::news::Effect;
use crate::inbox::proposed::Proposed;

/// Shows what a card proposes; nothing if the person went elsewhere meanwhile.
pub(super) fn proposed(model: &mut Model, id: DecisionId, steps: Vec<TriedProposal>) {
    let Screen::Card(card) = &mut model.screen else { return };
    if card.decision.id != id || card.edit.is_some() {
        return;
    }
    if steps.is_empty() {
        model.say(
            Tone::Plain,
            "It suggests no rule: such questions always need a person, or no credential was checked.",
        );
        return;
    }
    let proposed = Proposed::new(steps);
    card.pager = Some(proposed.pager());
    card.proposed = Some(proposed);
    model.arrival.renew();
}

/// Takes a key that picks or makes a rule; nothing if it is for reading.
pub(super) fn pressed(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
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
                model.say(Tone::Bad, format!("That key did nothing: nothing here has the number {digit}."));
            }
            Some(Vec::new())
        }
        KeyCode::Enter => Some(match proposed.take() {
            Ok(rule) => {
                close(model);
                vec![Effect::MakeRule(Box::new(rule))]
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

/// Says that a rule was made, and shows what waits already and is of its kind.
pub(super) fn made(model: &mut Model, made: &CreatedRule) -> Vec<Effect> {
    // What has an answer that is under way is not answered again.
    let waiting = made.waiting.iter().map(|ask| ask.id);
    let ids: Vec<DecisionId> = waiting.filter(|id| !model.list.hidden.contains(id)).collect();
    let id = &made.rule.rule.id;
    model.say(Tone::Good, format!("{id} counts from now on; hold rule revoke {id} ends it."));
    let here = match &model.screen {
        Screen::Card(card) => Some(card.decision.id),
        _ => None,
    };
    // The card itself is answered where it stands.
    let others = here.is_some_and(|here| ids.iter().any(|id| *id != here));
    if !others {
        return Vec::new();
    }
    model.screen = Screen::Gathering;
    vec![Effect::Gather(ids)]
}
