//! Keys that mark rows, and keys on the marked decisions.

use crossterm::event::KeyCode;
use holdpoint_core::DecisionId;

use crate::inbox::batch::{Batch, Stage};
use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::outgoing::AnswerOrigin;
use crate::inbox::update::outgoing;
use crate::view_model::bulk_answer::{self, MarkedDecision};
use crate::view_model::wording;

/// Marks the selected row, or removes its mark.
pub(super) fn mark(model: &mut Model) {
    let Some((id, alone)) = model.list.row().map(|row| (row.id, row.alone)) else { return };
    if alone {
        model.say(Tone::Plain, "Answer this one separately.");
        return;
    }
    if !model.list.marked.remove(&id) {
        model.list.marked.insert(id);
    }
    model.list.last_mark = Some(id);
}

/// Marks all rows from the last mark to the selected one.
pub(super) fn mark_to(model: &mut Model) {
    let list = &mut model.list;
    let Some(here) = list.selected_index() else { return };
    let shown: Vec<(DecisionId, bool)> =
        list.found.iter().filter_map(|at| list.rows.get(*at)).map(|row| (row.id, row.alone)).collect();
    let from = shown.iter().position(|(id, _)| Some(*id) == list.last_mark).unwrap_or(0);
    let range = from.min(here)..=from.max(here);
    list.marked.extend(shown[range].iter().filter(|(_, alone)| !alone).map(|(id, _)| *id));
    list.last_mark = shown.get(here).map(|(id, _)| *id);
}

/// Marks all rows that match the search, or unmarks them if all are marked.
pub(super) fn mark_all(model: &mut Model) {
    let list = &mut model.list;
    let rows = list.found.iter().filter_map(|at| list.rows.get(*at));
    let shown: Vec<DecisionId> = rows.filter(|row| !row.alone).map(|row| row.id).collect();
    if shown.iter().all(|id| list.marked.contains(id)) {
        list.marked.clear();
    } else {
        list.marked.extend(shown);
    }
}

/// Reads the marked decisions, in the order of the list.
pub(super) fn gather(model: &mut Model) -> Vec<InboxEffect> {
    let list = &model.list;
    let ids = list.rows.iter().map(|row| row.id).filter(|id| list.marked.contains(id)).collect();
    model.screen = Screen::Gathering;
    vec![InboxEffect::Gather(ids)]
}

pub(super) fn gathered(model: &mut Model, marked: Vec<MarkedDecision>) {
    if !matches!(model.screen, Screen::Gathering) {
        return;
    }
    if marked.is_empty() {
        model.screen = Screen::List;
        model.list.marked.clear();
        model.say(Tone::Bad, "Nothing marked can still be answered.");
        return;
    }
    model.screen = Screen::Batch(Box::new(Batch::new(marked, model.now)));
    model.arrival.renew();
}

pub(super) fn pressed(model: &mut Model, key: KeyCode) -> Vec<InboxEffect> {
    let Screen::Batch(batch) = &mut model.screen else { return Vec::new() };
    let page = batch.page();
    match key {
        KeyCode::Char('u' | 'q') | KeyCode::Esc => return leave(model),
        KeyCode::Enter if batch.stage == Stage::Done => return leave(model),
        KeyCode::Char('j') | KeyCode::Down => batch.pager.turn(1),
        KeyCode::Char('k') | KeyCode::Up => batch.pager.turn(-1),
        KeyCode::PageDown | KeyCode::Char(' ') => batch.pager.turn(page),
        KeyCode::PageUp => batch.pager.turn(-page),
        KeyCode::Home | KeyCode::Char('<') => batch.pager.turn(isize::MIN),
        KeyCode::End | KeyCode::Char('>') => batch.pager.turn(isize::MAX),
        KeyCode::Char(digit @ '1'..='9') if batch.stage == Stage::Looking => {
            let number = digit.to_digit(10).map_or(0, |digit| digit as usize);
            match batch.offers.get(number.wrapping_sub(1)) {
                None => {
                    let why = format!("No option {digit}.");
                    model.say(Tone::Bad, why);
                }
                Some((offer, _)) if batch.is_unread(offer) => {
                    model.say(Tone::Bad, "Read all of them to the end first: PgDn.");
                }
                Some(_) => batch.picked = Some(number - 1),
            }
        }
        KeyCode::Enter if batch.stage == Stage::Looking => return send(model),
        _ => {}
    }
    Vec::new()
}

fn leave(model: &mut Model) -> Vec<InboxEffect> {
    if matches!(&model.screen, Screen::Batch(batch) if batch.stage == Stage::Done) {
        model.list.marked.clear();
    }
    let mut effects = outgoing::go_on(model);
    effects.push(InboxEffect::List);
    effects
}

/// Sends the picked answer to each decision that has it.
fn send(model: &mut Model) -> Vec<InboxEffect> {
    let by = model.by.clone();
    let Screen::Batch(batch) = &mut model.screen else { return Vec::new() };
    let Some((offer, _)) = batch.picked.and_then(|at| batch.offers.get(at)).cloned() else {
        model.say(Tone::Plain, "Pick one answer first: 1 to 9.");
        return Vec::new();
    };
    let reading = batch.reading();
    batch.left.clear();
    let mut items = Vec::new();
    for MarkedDecision { decision, same } in &batch.marked {
        let same = same.iter().map(|other| other.id).collect();
        match bulk_answer::item(decision, same, &offer, reading) {
            Ok(mut item) => {
                item.answer.by.clone_from(&by);
                items.push((item.id, item.answer));
            }
            Err(why) => batch.left.push((decision.id, why)),
        }
    }
    if items.is_empty() {
        let (answered, all) = (batch.tell(&[]), batch.marked.len());
        model.say(Tone::Bad, format!("{answered} of {all} answered."));
        return Vec::new();
    }
    let count = items.len();
    let title = if count == 1 { "1 decision".to_owned() } else { format!("{count} decisions") };
    let Screen::Batch(batch) = std::mem::replace(&mut model.screen, Screen::List) else { return Vec::new() };
    model.list.marked.clear();
    outgoing::give(model, AnswerOrigin::Batch(batch, items), wording::short(&offer.label, 40), title)
}
