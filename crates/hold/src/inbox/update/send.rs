//! Sending an answer, and its outcome.

use holdpoint_core::decision::consents_to_subject;
use holdpoint_core::{DecisionId, Status, Timestamp, form};

use crate::inbox::card::{Card, Item};
use crate::inbox::model::{Model, Screen, Tone};
use crate::inbox::news::{Effect, Refused, Taken};
use crate::shown::verb::{self, Beside, Pressed};
use crate::shown::{people, read, reading, same, words};

/// Sends what is filled in, or says what is not right yet. Nothing is sent that is blocked or on its way.
pub(super) fn send(model: &mut Model, pressed: Pressed<'_>) -> Vec<Effect> {
    let (now, by) = (model.now, model.by.clone());
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    card.edit = None;
    if card.blocked.is_some() || card.sending || card.decision.status != Status::Pending {
        return Vec::new();
    }
    let some = |text: &str| (!text.trim().is_empty()).then(|| text.to_owned());
    let beside = Beside {
        message: some(&card.message),
        guidance: some(&card.guidance),
        digest: Some(card.decision.digest.clone()),
        by,
        seen: card.subject.is_some().then(|| card.reading.seen.get()),
    };
    let answer = verb::answer(&card.decision, &card.filled, pressed, beside, now);
    // The patch set that is chosen comes in the place of the one that is shown, and is read before it is committed.
    let consents = answer.as_ref().ok().filter(|input| !card.reading.unread && input.seen.is_some());
    if let Some(input) = consents
        && reading::another_is_shown(&card.decision, &input.values, &card.patchset).is_some()
        && let Some(chosen) = reading::committed(&card.decision, &input.values)
    {
        return vec![Effect::ShowPatchset(card.decision.id, chosen.to_owned())];
    }
    match answer {
        Ok(input)
            if card.is_unread()
                && consents_to_subject(&card.decision, &input.values, input.out.as_deref()) =>
        {
            let why = super::card::unread(card);
            model.say(Tone::Bad, why);
            Vec::new()
        }
        Ok(mut input) => {
            if input.guidance.is_none() {
                input.same = card.same.iter().map(|other| other.id).collect();
            }
            card.faults.clear();
            card.sending = true;
            vec![Effect::Send(card.decision.id, Box::new(input))]
        }
        Err(faults) => {
            wrong(model, faults);
            Vec::new()
        }
    }
}

/// Keeps what is right so far, so that it survives a closed lid.
pub(super) fn drafted(card: &Card, now: Timestamp) -> Vec<Effect> {
    if card.blocked.is_some() || card.sending || read::sends(&card.decision) {
        return Vec::new();
    }
    let said = read::some(&card.decision, &card.filled, now);
    let values = form::accept_draft(&card.decision.fields, &said.values).values;
    vec![Effect::Draft(card.decision.id, values)]
}

/// An answer was taken: back to the list, with the next one at hand.
pub(super) fn taken(model: &mut Model, taken: &Taken) -> Vec<Effect> {
    let decision = &taken.decision;
    let title = words::title(decision, 60);
    let what = match (&taken.next, &decision.answer) {
        (Some(next), _) => format!("Changes requested; round {} is open", next.iteration),
        (None, Some(answer)) if taken.replayed => {
            format!("Already answered this way by {}", words::short(&answer.by, 40))
        }
        (None, Some(_)) => format!("Answered: {}", words::short(&words::answered(decision), 80)),
        (None, None) if let Some(voted) = people::voted(decision) => voted,
        (None, None) => words::status(decision.status).to_owned(),
    };
    let others = same::outcome(&taken.same).map(|words| format!("; {words}")).unwrap_or_default();
    model.say(Tone::Good, format!("{what} — {title}{others}"));
    if matches!(&model.screen, Screen::Card(card) if card.decision.id == decision.id) {
        model.screen = Screen::List;
    }
    model.arrival.renew();
    // What is settled is gone at once; the list that is read next says so too.
    let place = model.list.place();
    model.list.rows.retain(|row| row.id != decision.id);
    model.list.find(model.now);
    if let Some(place) = place {
        model.list.select(place);
    }
    vec![Effect::List]
}

pub(super) fn refused(model: &mut Model, id: DecisionId, refused: Refused) -> Vec<Effect> {
    let Screen::Card(card) = &mut model.screen else {
        if let Refused::Other(why) = refused {
            model.say(Tone::Bad, why);
        }
        return Vec::new();
    };
    if card.decision.id != id {
        return Vec::new();
    }
    card.sending = false;
    match refused {
        Refused::Settled(settled) => {
            card.blocked = Some(format!("{}: {}", words::raced(&settled), words::answered(&settled)));
            Vec::new()
        }
        Refused::Stale => vec![Effect::Look(id)],
        Refused::Invalid(faults) => {
            wrong(model, faults);
            Vec::new()
        }
        Refused::Other(why) => {
            model.say(Tone::Bad, format!("{} Nothing was sent.", words::sentence(&why)));
            Vec::new()
        }
    }
}

/// Shows what is wrong, and goes there.
fn wrong(model: &mut Model, faults: Vec<holdpoint_core::FieldError>) {
    let now = model.now;
    let Screen::Card(card) = &mut model.screen else { return };
    let first = faults.first().cloned();
    card.faults = faults;
    let Some(first) = first else { return };
    let field = card.decision.fields.iter().position(|field| field.id == first.field);
    let items = card.items(now);
    let place = items.iter().find(|item| match field {
        Some(at) => item.field() == Some(at),
        None if first.field == "message" => **item == Item::Message,
        None => first.field == "guidance" && **item == Item::Guidance,
    });
    if let Some(place) = place {
        card.focus = Some(place.clone());
        card.follows = true;
    }
    let label = field.and_then(|at| card.decision.fields.get(at)).map_or("", |field| field.label.as_str());
    let label = words::short(label, 40);
    let colon = if label.is_empty() { "" } else { ": " };
    model.say(Tone::Bad, format!("Nothing was sent yet. {label}{colon}{}", words::sentence(&first.message)));
}
