//! Giving an answer, and showing on the card why it was refused.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Decision, DecisionId, Status, Timestamp, form};

use super::{outgoing, pick};
use crate::inbox::card::{Card, FocusItem};
use crate::inbox::events::{AnswerRefusal, InboxEffect};
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::outgoing::AnswerOrigin;
use crate::view_model::submitted_answer::{self, AnswerExtras, PressedButton};
use crate::view_model::{read_before_consent, read_form, wording};

/// Sends the values, or shows what is not right yet. Nothing is sent if the card is blocked.
pub(super) fn send(model: &mut Model, pressed: PressedButton<'_>) -> Vec<InboxEffect> {
    let (now, by) = (model.now, model.by.clone());
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    card.edit = None;
    if card.blocked.is_some() || card.decision.status != Status::Pending {
        return Vec::new();
    }
    let some = |text: &str| (!text.trim().is_empty()).then(|| text.to_owned());
    let beside = AnswerExtras {
        message: some(&card.message),
        guidance: some(&card.guidance),
        digest: Some(card.decision.digest.clone()),
        by,
        seen: card.subject.is_some().then(|| card.reading.seen.get()),
    };
    let answer = submitted_answer::answer(&card.decision, &card.filled, pressed, beside, now);
    // The chosen patch set replaces the one that is shown, and must be read before it is committed.
    let consents = answer.as_ref().ok().filter(|input| !card.reading.unread && input.seen.is_some());
    if let Some(input) = consents
        && read_before_consent::another_is_shown(&card.decision, &input.values, &card.patchset).is_some()
        && let Some(chosen) = read_before_consent::committed(&card.decision, &input.values)
    {
        return vec![InboxEffect::ShowPatchset(card.decision.id, chosen.to_owned())];
    }
    match answer {
        Ok(input)
            if card.is_unread()
                && consents_to_subject(&card.decision, &input.values, input.out.as_deref()) =>
        {
            let why = unread(card);
            model.say(Tone::Bad, why);
            Vec::new()
        }
        Ok(mut input) => {
            if input.guidance.is_none() {
                input.same = card.same.iter().map(|other| other.id).collect();
            }
            card.faults.clear();
            let said = describe_answer(&card.decision, &input);
            let title = wording::headline(&card.decision, 60);
            let Screen::Card(card) = std::mem::replace(&mut model.screen, Screen::List) else {
                return Vec::new();
            };
            // Errors that have been corrected are not shown any longer.
            model.notice = None;
            outgoing::give(model, AnswerOrigin::Card(card, Box::new(input)), said, title)
        }
        Err(faults) => {
            wrong(model, faults);
            Vec::new()
        }
    }
}

/// Describes how much must be read before consenting.
pub(super) fn unread(card: &Card) -> String {
    match card.reading.left() {
        0 => "Read to the end first (PgDn). C approves unread.".to_owned(),
        1 => "1 line left (PgDn). C approves unread.".to_owned(),
        left => format!("{left} lines left (PgDn). C approves unread."),
    }
}

/// Describes the answer, in the words on the card.
fn describe_answer(decision: &Decision, input: &AnswerInput) -> String {
    if input.guidance.is_some() {
        return "Changes requested".into();
    }
    let given = wording::given(decision, &input.values, input.out.as_deref());
    let given: Vec<String> = given.into_iter().map(|(_, value)| value).collect();
    if given.is_empty() { "Answered".into() } else { wording::short(&given.join(", "), 40) }
}

/// Stores the valid values so far as a draft, so that they survive a crash.
pub(super) fn drafted(card: &Card, now: Timestamp) -> Vec<InboxEffect> {
    if card.blocked.is_some() || read_form::sends(&card.decision) {
        return Vec::new();
    }
    let said = read_form::some(&card.decision, &card.filled, now);
    let values = form::accept_draft(&card.decision.fields, &said.values).values;
    vec![InboxEffect::Draft(card.decision.id, values)]
}

/// Shows on the restored card why its answer was refused.
pub(super) fn not_taken(model: &mut Model, id: DecisionId, why: AnswerRefusal) -> Vec<InboxEffect> {
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    match why {
        AnswerRefusal::Settled(settled) => {
            card.blocked = Some(format!("{}: {}", wording::raced(&settled), wording::answered(&settled)));
        }
        AnswerRefusal::Stale => return vec![InboxEffect::Look(id)],
        AnswerRefusal::Invalid(faults) => wrong(model, faults),
        AnswerRefusal::Lost(why) => model.say(Tone::Bad, wording::lost(&why)),
        AnswerRefusal::Other(why) => {
            model.say(Tone::Bad, format!("{} Nothing was sent.", wording::sentence(&why)));
        }
    }
    Vec::new()
}

/// Shows what is wrong, and moves the focus there.
fn wrong(model: &mut Model, faults: Vec<holdpoint_core::FieldError>) {
    let now = model.now;
    let Screen::Card(card) = &mut model.screen else { return };
    let first = faults.first().cloned();
    card.faults = faults;
    let Some(first) = first else { return };
    let field = card.decision.fields.iter().position(|field| field.id == first.field);
    let items = card.items(now);
    let suggested = |item: &&FocusItem| match item {
        FocusItem::Option(at, option) if Some(*at) == field => {
            let asked = &card.decision.fields[*at];
            asked.options.get(*option).is_some_and(|option| wording::is_suggested(asked, option))
        }
        _ => false,
    };
    let place = items.iter().find(suggested).or_else(|| {
        items.iter().find(|item| match field {
            Some(at) => item.field() == Some(at),
            None if first.field == "message" => **item == FocusItem::Message,
            None => first.field == "guidance" && **item == FocusItem::Guidance,
        })
    });
    if let Some(place) = place {
        card.focus = Some(place.clone());
        card.follows = true;
        pick::land(card);
    }
    let label = field.and_then(|at| card.decision.fields.get(at)).map_or("", |field| field.label.as_str());
    let why = if label.is_empty() {
        first.message
    } else {
        wording::fault(&wording::short(label, 40), &first.message)
    };
    model.say(Tone::Bad, format!("Nothing was sent. {}", wording::sentence(&why)));
}
