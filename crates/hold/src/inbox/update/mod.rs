//! State transitions of the inbox: a pure function, so that it can be tested with tables.

#[cfg(test)]
mod again_tests;
mod attend;
mod batch;
mod card;
mod edit;
mod glance;
mod list;
mod live;
mod outgoing;
mod pager;
mod pick;
mod propose;
#[cfg(test)]
mod propose_tests;
mod saved;
#[cfg(test)]
mod search_tests;
mod send;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typing_tests;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use holdpoint_core::Timestamp;

pub(crate) use card::{details, prompt, subject};
pub(crate) use outgoing::flush;

use super::arrival::KeyEffect;
use super::events::{InboxEffect, InboxEvent};
use super::model::{Model, Screen, Tone};
use crate::view_model::read_before_consent::EARLY;

/// Handles an input, and returns the effects to carry out.
pub(crate) fn update(model: &mut Model, news: InboxEvent) -> Vec<InboxEffect> {
    let mut effects = apply_event(model, news);
    effects.extend(glance::wanted(model));
    effects
}

fn apply_event(model: &mut Model, news: InboxEvent) -> Vec<InboxEffect> {
    match news {
        InboxEvent::Key(key, _) if key.kind == KeyEventKind::Release => Vec::new(),
        InboxEvent::Key(key, at) => pressed(model, key, at),
        InboxEvent::Pasted(text) => pasted(model, &text),
        InboxEvent::Resized(columns, lines) => {
            model.size = (columns, lines);
            Vec::new()
        }
        InboxEvent::Gone => vec![InboxEffect::Quit],
        InboxEvent::Time(now) => live::time(model, now),
        InboxEvent::Quiet(now) => {
            model.arrival.settle(now);
            Vec::new()
        }
        InboxEvent::Happened(happenings) => live::happened(model, &happenings),
        InboxEvent::Listed(listing) => live::listed(model, listing),
        InboxEvent::Found(rows) => list::found(model, rows),
        InboxEvent::Viewed(viewed) => saved::viewed(model, viewed),
        InboxEvent::Lost(why) => {
            model.lost = Some(why);
            Vec::new()
        }
        InboxEvent::Opened(opened) => card::opened(model, *opened),
        InboxEvent::Glanced(opened) => {
            glance::read(model, *opened);
            Vec::new()
        }
        InboxEvent::Attended(decision, attention) => attend::attended(model, &decision, attention),
        InboxEvent::Proposed(id, steps) => {
            propose::proposed(model, id, steps);
            Vec::new()
        }
        InboxEvent::RuleMade(made) => propose::made(model, &made),
        InboxEvent::Gathered(marked) => {
            batch::gathered(model, marked);
            Vec::new()
        }
        InboxEvent::SentMany(first, told) => outgoing::taken_many(model, first, told),
        InboxEvent::NotOpened(why) => {
            model.screen = Screen::List;
            model.arrival.renew();
            model.say(Tone::Bad, why);
            vec![InboxEffect::List]
        }
        InboxEvent::Current(id, decision) => live::current(model, id, decision.map(|decision| *decision)),
        InboxEvent::Taken(taken) => outgoing::taken(model, &taken),
        InboxEvent::Refused(id, refused) => outgoing::refused(model, id, refused),
        InboxEvent::Patchset(id, number, diff) => {
            card::show_patchset(model, id, number, diff);
            Vec::new()
        }
        InboxEvent::Landed(words) => {
            model.landed.push(words.clone());
            model.say(Tone::Good, words);
            Vec::new()
        }
        InboxEvent::Warned(why) => {
            model.say(Tone::Bad, why);
            Vec::new()
        }
    }
}

fn pressed(model: &mut Model, key: KeyEvent, at: Timestamp) -> Vec<InboxEffect> {
    model.pressed_at = at;
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => return outgoing::quit(model),
        KeyCode::Char('z') if control => return vec![InboxEffect::Suspend],
        KeyCode::Char('l') if control => return vec![InboxEffect::Redraw, InboxEffect::List],
        _ => {}
    }
    if model.leaving && key.code != KeyCode::Char('U') {
        return if key.code == KeyCode::Char('q') { outgoing::quit(model) } else { Vec::new() };
    }
    if model.arrival.is_early(at, reach(model, key)) {
        model.say(Tone::Plain, EARLY);
        return Vec::new();
    }
    if model.help {
        model.help = false;
        return Vec::new();
    }
    if matches!(&model.screen, Screen::Card(card) if card.edit.is_some()) {
        return in_a_box(model, key);
    }
    if model.list.searching && matches!(model.screen, Screen::List) {
        return list::searching(model, key);
    }
    if key.code == KeyCode::Char('U') {
        return outgoing::undo(model);
    }
    if matches!(&model.screen, Screen::Card(card) if card.pager.is_some()) {
        return pager::pressed(model, key);
    }
    if key.code == KeyCode::Char('?') {
        model.help = true;
        return Vec::new();
    }
    if control {
        return Vec::new();
    }
    model.notice = None;
    match model.screen {
        Screen::List => list::pressed(model, key.code),
        Screen::Batch(_) => batch::pressed(model, key.code),
        Screen::Opening(_) | Screen::Gathering => {
            if matches!(key.code, KeyCode::Esc | KeyCode::Char('u' | 'q')) {
                model.screen = Screen::List;
            } else {
                model.say(Tone::Plain, "Ignored: still opening.");
            }
            Vec::new()
        }
        Screen::Card(_) => card::pressed(model, key),
    }
}

/// Handles a key that is pressed in a text box.
fn in_a_box(model: &mut Model, key: KeyEvent) -> Vec<InboxEffect> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    // A terminal sends Alt and a letter as Esc followed by that letter.
    if alt && matches!(key.code, KeyCode::Char(code) if !(control && code == 's')) {
        let mut effects = edit::leave(model);
        effects.extend(card::pressed(model, KeyEvent::new(key.code, KeyModifiers::NONE)));
        return effects;
    }
    edit::pressed(model, key)
}

/// Inserts pasted text into the focused box; elsewhere it does nothing, and above all does not act as keys.
fn pasted(model: &mut Model, text: &str) -> Vec<InboxEffect> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    match &mut model.screen {
        Screen::Card(card) => edit::pasted(card, &text),
        Screen::List if model.list.searching => {
            model.list.search.insert(&text.replace('\n', " "));
            return list::find(model);
        }
        _ => {}
    }
    Vec::new()
}

/// Returns what a key can do here: open, pick or send something, type, or only look.
fn reach(model: &Model, key: KeyEvent) -> KeyEffect {
    let acts = match &model.screen {
        _ if model.help => false,
        Screen::List => {
            !model.list.searching && matches!(key.code, KeyCode::Enter | KeyCode::Char('1'..='9'))
        }
        Screen::Opening(_) | Screen::Gathering => false,
        Screen::Batch(_) => matches!(key.code, KeyCode::Enter | KeyCode::Char('1'..='9')),
        Screen::Card(card) if card.edit.is_some() => {
            let held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
            held && matches!(key.code, KeyCode::Enter | KeyCode::Char('s'))
        }
        Screen::Card(card) => {
            let picks = card.pager.is_none() || card.proposed.is_some();
            picks && matches!(key.code, KeyCode::Enter | KeyCode::Char(' ' | '1'..='9'))
        }
    };
    let writes = match &model.screen {
        Screen::List => model.list.searching,
        Screen::Opening(_) | Screen::Gathering | Screen::Batch(_) => false,
        Screen::Card(card) => card.edit.is_some(),
    };
    let looks = matches!(
        key.code,
        KeyCode::Esc
            | KeyCode::Up
            | KeyCode::Down
            | KeyCode::PageUp
            | KeyCode::PageDown
            | KeyCode::Char('?' | 'U' | 'd' | 'j' | 'k' | 'p' | 'q' | 's' | 'u' | ']' | '[')
    );
    match (acts, writes, looks) {
        (true, _, _) => KeyEffect::Acts,
        (false, false, true) => KeyEffect::Looks,
        _ => KeyEffect::Writes,
    }
}
