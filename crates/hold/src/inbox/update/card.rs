//! Keys on a card.

use crossterm::event::{KeyCode, KeyEvent};
use holdpoint_core::text::inert;
use holdpoint_core::{DecisionId, Status};

use super::{attend, outgoing, pick, send};
use crate::inbox::card::{Card, FocusItem, ReadingProgress};
use crate::inbox::events::{InboxEffect, OpenedDecision};
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::pager::{PageDirection, Pager};
use crate::inbox::view::rounds;
use crate::view_model::guide::{self, ChangeRequest};
use crate::view_model::submitted_answer::PressedButton;
use crate::view_model::{details, read_form, wording};

/// Opens a decision that was read; does nothing if the person went elsewhere meanwhile.
pub(super) fn opened(model: &mut Model, opened: OpenedDecision) -> Vec<InboxEffect> {
    if !matches!(model.screen, Screen::Opening(id) if id == opened.decision.id) {
        return Vec::new();
    }
    let pick = opened.pick;
    let mut card = Card::of(opened);
    if card.decision.status != Status::Pending {
        card.blocked = Some(wording::settled_meanwhile(&card.decision));
    } else if let Some(item) = pick.and_then(|number| card.numbered(number)) {
        ready(&mut card, &item, model.now);
        card.follows = true;
    } else {
        pick::start(&mut card, model.now);
    }
    model.screen = Screen::Card(Box::new(card));
    model.arrival.renew();
    Vec::new()
}

/// Shows the chosen patch set instead of the previous one.
pub(super) fn show_patchset(model: &mut Model, id: DecisionId, number: String, diff: Option<String>) {
    let Screen::Card(card) = &mut model.screen else { return };
    if card.decision.id != id {
        return;
    }
    let Some(diff) = diff else {
        card.reading = ReadingProgress::default();
        model.say(Tone::Bad, format!("Patch set {number} cannot be shown. C approves unread."));
        return;
    };
    let words = format!("Showing patch set {number}. Read it, then send.");
    card.show_patchset(number, diff);
    model.arrival.renew();
    model.say(Tone::Plain, words);
}

pub(super) fn pressed(model: &mut Model, key: KeyEvent) -> Vec<InboxEffect> {
    let (now, page) = (model.now, model.body_height().saturating_sub(2).max(1));
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    match key.code {
        KeyCode::Char('u' | 'q') | KeyCode::Esc => {
            let mut effects = outgoing::go_on(model);
            effects.push(InboxEffect::List);
            return effects;
        }
        KeyCode::Char('j') | KeyCode::Down => pick::go(card, now, 1),
        KeyCode::Char('k') | KeyCode::Up => pick::go(card, now, -1),
        KeyCode::Tab => pick::go_field(card, now, 1),
        KeyCode::BackTab => pick::go_field(card, now, -1),
        KeyCode::PageDown => pick::turn(card, page.cast_signed()),
        KeyCode::PageUp => pick::turn(card, -page.cast_signed()),
        KeyCode::Home | KeyCode::Char('<') => pick::turn(card, isize::MIN),
        KeyCode::End | KeyCode::Char('>') => pick::turn(card, isize::MAX),
        KeyCode::Char(']') => turn_file(card, PageDirection::Next),
        KeyCode::Char('[') => turn_file(card, PageDirection::Previous),
        KeyCode::Char('t') => return attend::take(model),
        KeyCode::Char('z') => return attend::snooze(model),
        KeyCode::Char('a') => return vec![InboxEffect::Propose(card.decision.id)],
        KeyCode::Char('p') => card.pager = Some(prompt(card)),
        KeyCode::Char('s') => card.pager = subject(card),
        KeyCode::Char('d') => card.pager = rounds::in_full(card),
        KeyCode::Char('i') => card.pager = Some(details(card)),
        KeyCode::Char('r') if card.fresh.is_some() => {
            anew(card);
            pick::start(card, now);
            model.arrival.renew();
        }
        KeyCode::Char('C') if card.subject.is_some() && !card.reading.seen.get() => {
            card.reading.unread = true;
            model.say(Tone::Plain, "Unread approval (recorded). Pick, then Enter.");
        }
        KeyCode::Char('/') => {
            let items = card.items(now);
            if let Some(item) = items.iter().find(|item| matches!(item, FocusItem::Search(_))) {
                pick::begin(card, item);
            } else {
                model.screen = Screen::List;
                model.aside.clear();
                model.list.searching = true;
            }
        }
        KeyCode::Char('m') => pick::begin(card, &FocusItem::Message),
        KeyCode::Char('g') => match guide::of(&card.decision) {
            ChangeRequest::Takes(_) => pick::begin(card, &FocusItem::Guidance),
            ChangeRequest::LastRound => model.say(Tone::Bad, guide::LAST_ROUND),
            ChangeRequest::No => {
                model.say(Tone::Bad, "Not possible here: answer, or choose another way out.");
            }
        },
        KeyCode::Char('0') if card.again.is_some() => return reuse_answer(model),
        KeyCode::Char(digit @ '1'..='9') => {
            return pick_number(model, digit.to_digit(10).unwrap_or_default() as usize);
        }
        KeyCode::Char('+' | '=' | '-' | '&') | KeyCode::Left | KeyCode::Right => {
            let Some(item) = card.focus.clone() else { return Vec::new() };
            match key.code {
                KeyCode::Left => pick::turn_variant(card, &item, now, -1),
                KeyCode::Right => pick::turn_variant(card, &item, now, 1),
                KeyCode::Char('-') => pick::count(card, &item, -1),
                KeyCode::Char('&') => pick::add_variant(card, &item, now),
                _ => pick::count(card, &item, 1),
            }
            return send::drafted(card, now);
        }
        KeyCode::Char(' ') | KeyCode::Enter => return act(model, key.code),
        _ => {}
    }
    Vec::new()
}

/// Picks the item with a number.
fn pick_number(model: &mut Model, number: usize) -> Vec<InboxEffect> {
    let now = model.now;
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    let item = card.numbered(number).filter(|item| card.items(now).contains(item));
    let Some(item) = item else {
        model.say(Tone::Bad, format!("No option {number}."));
        return Vec::new();
    };
    card.reading.refused = card.is_unread() && read_form::sends(&card.decision) && consents(card, &item);
    if card.reading.refused {
        let why = send::unread(card);
        model.say(Tone::Bad, why);
        return Vec::new();
    }
    ready(card, &item, now);
    card.follows = true;
    send::drafted(card, now)
}

/// Picks the person's recent answer to the same question; sends nothing.
fn reuse_answer(model: &mut Model) -> Vec<InboxEffect> {
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    let Some(again) = card.again.clone() else { return Vec::new() };
    // The numbers are those of the card as a whole.
    card.focus = None;
    let mut effects = Vec::new();
    for number in again.numbers {
        let Screen::Card(card) = &mut model.screen else { break };
        let item = card.numbered(number);
        if let (Some(text), Some(item @ (FocusItem::Own(_) | FocusItem::Text(_)))) = (&again.text, &item) {
            pick::write(card, item, text);
            card.focus = Some(FocusItem::Send);
            card.follows = true;
        } else if item.is_none_or(|item| !card.is_chosen(&item)) {
            effects = pick_number(model, number);
        }
    }
    effects
}

/// Acts on the focused item; if it is not visible, scrolls to it first.
fn act(model: &mut Model, key: KeyCode) -> Vec<InboxEffect> {
    let now = model.now;
    let page = model.body_height().saturating_sub(2).max(1);
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    // After a yes was refused, Enter must not send the focused no.
    let reads = if key == KeyCode::Enter { card.reading.refused } else { !card.focus_seen.get() };
    if card.is_unread() && reads {
        pick::turn(card, page.cast_signed());
        return Vec::new();
    }
    if key == KeyCode::Enter && card.reading.refused {
        model.say(Tone::Bad, "Pick an answer by its number.");
        return Vec::new();
    }
    let Some(item) = card.focus.clone().filter(|item| card.items(now).contains(item)) else {
        if key == KeyCode::Enter && has_choice(card) {
            return send::send(model, PressedButton::Answer);
        }
        pick::go(card, now, 1);
        return Vec::new();
    };
    if !card.focus_seen.get() {
        card.follows = true;
        model.say(Tone::Plain, "Scrolled back. Press again.");
        return Vec::new();
    }
    if card.blocked.is_some() {
        return Vec::new();
    }
    match &item {
        FocusItem::Send if key == KeyCode::Enter => send::send(model, PressedButton::Answer),
        FocusItem::Guide if key == KeyCode::Enter => send::send(model, PressedButton::Guide),
        FocusItem::Out(at) if key == KeyCode::Enter => {
            let Some(out) = card.decision.outs.get(*at).map(|out| out.id.clone()) else { return Vec::new() };
            send::send(model, PressedButton::Out(&out))
        }
        FocusItem::Option(..) | FocusItem::Fixed(..) => {
            let sends = read_form::sends(&card.decision);
            let chosen = card.is_chosen(&item);
            if key == KeyCode::Enter && sends {
                if !chosen {
                    pick::choose(card, &item, now);
                }
                return send::send(model, PressedButton::Answer);
            }
            if key == KeyCode::Enter && chosen {
                return send::send(model, PressedButton::Answer);
            }
            pick::choose(card, &item, now);
            send::drafted(card, now)
        }
        box_ if pick::target(card, box_).is_some() => {
            pick::begin(card, box_);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Prepares the item that a number stands for: an option is chosen, a button only gets the focus. Enter sends.
fn ready(card: &mut Card, item: &FocusItem, now: holdpoint_core::Timestamp) {
    card.focus = Some(item.clone());
    let several = matches!(item, FocusItem::Option(at, _) if {
        use holdpoint_core::Kind;
        card.decision.fields.get(*at).is_some_and(|field| matches!(field.kind, Kind::Choices | Kind::Products))
    });
    if matches!(item, FocusItem::Own(_) | FocusItem::Text(_)) {
        pick::begin(card, item);
        return;
    }
    if matches!(item, FocusItem::Out(_))
        || (!several && card.is_chosen(item))
        || read_form::sends(&card.decision)
    {
        return;
    }
    pick::choose(card, item, now);
}

/// Returns whether there are values that could be sent.
fn has_choice(card: &Card) -> bool {
    !read_form::sends(&card.decision) && card.filled.is_touched()
}

/// Scrolls to the next or previous file of the change.
fn turn_file(card: &mut Card, turn: PageDirection) {
    let start = card.subject_at.get();
    let files = card.subject.as_ref().map(Pager::files).unwrap_or_default();
    let places: Vec<usize> = files.into_iter().map(|at| start + at).collect();
    if let Some(place) = turn.from(card.top.get(), &places) {
        card.follows = false;
        card.top.set(place);
    }
}

/// Shows the current question, keeping what was typed.
fn anew(card: &mut Card) {
    let Some(fresh) = card.fresh.take() else { return };
    // The same patch sets have the same diff.
    let same = fresh.subject_digest == card.decision.subject_digest;
    let diff = card.diff.take().filter(|_| same);
    let name = card.owner_name.take();
    let mut next = Card::new(*fresh, std::mem::take(&mut card.rounds), diff, name);
    next.filled = std::mem::take(&mut card.filled);
    next.message = std::mem::take(&mut card.message);
    next.guidance = std::mem::take(&mut card.guidance);
    if next.diff.is_some() {
        next.patchset = std::mem::take(&mut card.patchset);
    }
    *card = next;
}

/// Returns whether picking an item would be a consent.
fn consents(card: &Card, item: &FocusItem) -> bool {
    let FocusItem::Option(at, option) = item else { return false };
    let option = card.decision.fields.get(*at).and_then(|field| field.options.get(*option));
    option.is_some_and(|option| !option.refuses)
}

/// Returns the agent's text in full.
pub(crate) fn prompt(card: &Card) -> Pager {
    let decision = &card.decision;
    let parts = [decision.title.as_deref(), decision.prompt.as_deref()];
    let text: Vec<String> = parts.into_iter().flatten().map(inert).collect();
    Pager::of_prose("What the agent says", text.join("\n\n"))
}

/// Returns the ids of the decision, and its subject as it was sent.
pub(crate) fn details(card: &Card) -> Pager {
    Pager::new(details::TITLE, details::text(&card.decision, &card.same))
}

/// Returns the subject in full.
pub(crate) fn subject(card: &Card) -> Option<Pager> {
    let subject = card.subject.as_ref()?;
    Some(subject.with_end("You approve exactly this."))
}
