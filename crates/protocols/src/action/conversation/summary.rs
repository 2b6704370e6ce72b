//! What is said to the summary of a step.

use super::super::briefing::Understood;
use super::super::form;
use super::super::reader::{Manner, Reading, manner};
use super::super::wire::Action;
use super::apply::{halves, store, typed};
use super::{Talk, Turn, mend, next, offer, say};

/// Takes what is said to a step's summary. Returns an action if that ends the turn.
pub(super) fn answer(talk: &mut Talk<'_>, step: u64, turn: &Turn, understood: &Understood) -> Option<Action> {
    let nothing = Reading::default();
    let (reading, corrected) = match understood {
        Understood::Values(reading) => (reading, None),
        Understood::Correction { field, reading } => (reading, field.clone()),
        Understood::Remark(_) | Understood::Tool(_) => (&nothing, None),
    };
    if let Some(why) = talk.withheld() {
        mend::withhold(talk, why);
        let text = format!("{} {}", talk.told.join(" "), say::summary(talk, step));
        return Some(Action::Message { text });
    }
    let mut given = typed(talk, turn);
    given.extend(halves(talk, reading));
    let stated = !reading.taken.is_empty() || !given.is_empty();
    if !stated && !reading.unsure.is_empty() {
        talk.state.summed = None;
        offer::make(talk, reading);
        return None;
    }
    match manner(talk.said()) {
        _ if stated => {
            let mut all = given;
            all.extend(reading.taken.iter().map(|taken| (taken.field.clone(), taken.value.clone())));
            talk.state.summed = None;
            // `yes, and Monday at ten` agrees, unless it changes what was agreed to.
            let here = |id: &String| talk.field(id).is_some_and(|field| form::step(field) == step);
            if manner(talk.said()) == Manner::Confirm && !all.iter().any(|(id, _)| here(id)) {
                talk.state.confirmed.push(step);
            }
            store(talk, all, reading);
            None
        }
        Manner::Confirm => {
            talk.state.summed = None;
            talk.state.confirmed.push(step);
            None
        }
        Manner::Edit | Manner::Correct => {
            match corrected
                .or_else(|| reading.named.first().cloned())
                .or_else(|| mend::named(talk, talk.said()))
            {
                Some(id) => {
                    talk.state.summed = None;
                    if !mend::reopen(talk, &id) {
                        next::ask_first(talk, &id);
                    }
                    None
                }
                None => Some(Action::Message {
                    text: format!("What shall I change? {}", say::summary(talk, step)),
                }),
            }
        }
        _ => {
            let text =
                format!("I need a yes before I go on, or what to change. {}", say::summary(talk, step));
            Some(Action::Message { text })
        }
    }
}
