//! Answers under way: held back, undone, acknowledged or refused.

use holdpoint_core::DecisionId;

use crate::inbox::batch::Stage as BatchStage;
use crate::inbox::events::{AnswerOutcome, AnswerRefusal, InboxEffect};
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::outgoing::{AnswerOrigin, OutgoingAnswer, SendFailure, SendStage};
use crate::inbox::update::{pick, send};
use crate::view_model::{identical, vote_progress, wording};

/// Accepts an answer, and goes on to what is next.
pub(super) fn give(model: &mut Model, given: AnswerOrigin, words: String, title: String) -> Vec<InboxEffect> {
    model.now = model.now.max(model.pressed_at);
    let mut effects = model.outgoing.take(given, words, title, model.now);
    effects.extend(go_on(model));
    hide(model);
    effects
}

/// Shows what comes after a card: a refused answer, a screen that was set aside for one, or the list.
pub(super) fn go_on(model: &mut Model) -> Vec<InboxEffect> {
    model.screen = Screen::List;
    model.arrival.renew();
    if let Some(entry) = model.outgoing.not_taken() {
        return bring_back(model, entry);
    }
    let Some(screen) = model.aside.pop() else { return Vec::new() };
    // It may have been settled or changed meanwhile.
    let looks =
        if let Screen::Card(card) = &screen { vec![InboxEffect::Look(card.decision.id)] } else { Vec::new() };
    model.screen = screen;
    looks
}

/// Undoes the last answer that has not been sent, or shows the one that was refused.
pub(super) fn undo(model: &mut Model) -> Vec<InboxEffect> {
    let Some(entry) = model.outgoing.take_back() else {
        let words = if model.outgoing.is_busy() {
            "Too late to undo: the answer is being sent."
        } else {
            "There is nothing to undo."
        };
        model.say(Tone::Plain, words);
        return Vec::new();
    };
    model.leaving = false;
    match std::mem::replace(&mut model.screen, Screen::List) {
        Screen::Batch(batch) if batch.stage == BatchStage::Done => {}
        open @ (Screen::Card(_) | Screen::Batch(_)) => model.aside.push(open),
        Screen::List | Screen::Opening(_) | Screen::Gathering => {}
    }
    bring_back(model, entry)
}

/// Restores the screen of an answer as it was left, and shows why it was refused.
fn bring_back(model: &mut Model, entry: OutgoingAnswer) -> Vec<InboxEffect> {
    let OutgoingAnswer { given, title, stage, .. } = entry;
    model.arrival.renew();
    let mut effects = Vec::new();
    hide(model);
    match given {
        AnswerOrigin::Card(card, _) => {
            let id = card.decision.id;
            model.list.selected = Some(id);
            model.screen = Screen::Card(card);
            // Someone else may have settled or changed it while it was held back.
            effects.push(InboxEffect::Look(id));
            if let SendStage::Back(SendFailure::One(why)) = stage {
                effects = send::not_taken(model, id, why);
            } else {
                if let Screen::Card(card) = &mut model.screen {
                    pick::land(card);
                }
                model.say(Tone::Plain, format!("Not sent: {title}"));
            }
        }
        AnswerOrigin::Batch(mut batch, _) => {
            match stage {
                SendStage::Back(SendFailure::Some(told)) => {
                    let (answered, all) = (batch.tell(&told), batch.marked.len());
                    model.say(Tone::Bad, format!("{answered} of {all} answered."));
                }
                SendStage::Back(SendFailure::None(why)) => {
                    model.say(Tone::Bad, format!("{} Nothing was sent.", wording::sentence(&why)));
                }
                _ => {
                    model.list.marked = batch.marked.iter().map(|one| one.decision.id).collect();
                    model.say(Tone::Plain, format!("Not sent: {title}"));
                }
            }
            model.screen = Screen::Batch(batch);
        }
    }
    effects
}

/// Handles an acknowledged answer.
pub(super) fn taken(model: &mut Model, taken: &AnswerOutcome) -> Vec<InboxEffect> {
    let decision = &taken.decision;
    model.outgoing.remove(decision.id);
    let title = wording::title(decision, 60);
    let what = match (&taken.next, &decision.answer) {
        (Some(next), _) => format!("Changes requested; round {} is open", next.iteration),
        (None, Some(answer)) if taken.replayed => {
            format!("Already answered this way by {}", wording::short(&answer.by, 40))
        }
        (None, Some(_)) => format!("Answered: {}", wording::short(&wording::answered(decision), 80)),
        (None, None) if let Some(voted) = vote_progress::voted(decision) => voted,
        (None, None) => wording::status(decision.status).to_owned(),
    };
    let others = identical::outcome(&taken.same).map(|words| format!("; {words}")).unwrap_or_default();
    done(model, format!("{what} — {title}{others}"));
    // Remove a settled decision at once; the next list will not have it either.
    model.list.rows.retain(|row| row.id != decision.id);
    hide(model);
    acknowledged(model)
}

/// Handles the outcome of several answers; shows those that were refused.
pub(super) fn taken_many(
    model: &mut Model,
    key: DecisionId,
    told: Result<Vec<(DecisionId, Option<String>)>, String>,
) -> Vec<InboxEffect> {
    let Some(entry) = model.outgoing.find(key) else { return vec![InboxEffect::List] };
    let AnswerOrigin::Batch(batch, _) = &entry.given else { return vec![InboxEffect::List] };
    let why = match told {
        Err(why) => SendFailure::None(why),
        Ok(told) => {
            let is_whole = batch.left.is_empty() && told.iter().all(|(_, why)| why.is_none());
            let taken = |id: DecisionId| told.iter().any(|(one, why)| *one == id && why.is_none());
            let all = batch.marked.len();
            model.list.rows.retain(|row| !taken(row.id));
            if is_whole {
                model.outgoing.remove(key);
                done(model, format!("{all} of {all} answered."));
                hide(model);
                return acknowledged(model);
            }
            SendFailure::Some(told)
        }
    };
    let mut effects = not_taken(model, key, why);
    effects.push(InboxEffect::List);
    effects
}

/// Handles a refused answer: its card comes back, at once or after the one on the screen.
pub(super) fn refused(model: &mut Model, id: DecisionId, why: AnswerRefusal) -> Vec<InboxEffect> {
    not_taken(model, id, SendFailure::One(why))
}

fn not_taken(model: &mut Model, key: DecisionId, why: SendFailure) -> Vec<InboxEffect> {
    let Some(entry) = model.outgoing.find(key) else { return Vec::new() };
    entry.stage = SendStage::Back(why);
    model.leaving = false;
    let is_free = matches!(model.screen, Screen::List) && !model.list.searching && !model.ended;
    match is_free.then(|| model.outgoing.not_taken()).flatten() {
        Some(entry) => bring_back(model, entry),
        None => Vec::new(),
    }
}

/// Ends the inbox once all answers are acknowledged; on a second request, at once.
pub(super) fn quit(model: &mut Model) -> Vec<InboxEffect> {
    if model.leaving || !model.outgoing.is_busy() {
        return vec![InboxEffect::Quit];
    }
    model.leaving = true;
    model.outgoing.flush()
}

/// Sends all answers that are held back, because the person can no longer undo them.
pub(crate) fn flush(model: &mut Model) -> Vec<InboxEffect> {
    model.outgoing.flush()
}

/// Hides the decisions whose answers are under way; the selection moves to the next.
fn hide(model: &mut Model) {
    let list = &mut model.list;
    let selected = list.selected;
    list.hidden = model.outgoing.answered();
    list.find(model.now);
    if list.selected != selected && matches!(model.screen, Screen::List) {
        model.arrival.renew();
    }
}

/// Shows a success, unless that would hide a failure.
fn done(model: &mut Model, words: String) {
    if model.notice.as_ref().is_none_or(|notice| notice.tone != Tone::Bad) {
        model.say(Tone::Good, words);
    }
}

fn acknowledged(model: &Model) -> Vec<InboxEffect> {
    let ends = model.leaving && !model.outgoing.is_busy();
    let quit = ends.then_some(InboxEffect::Quit);
    std::iter::once(InboxEffect::List).chain(quit).collect()
}
