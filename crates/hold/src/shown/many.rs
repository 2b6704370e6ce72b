//! One answer to many decisions: which may get it, and what each of them would be told.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::text::MAX_SAME;
use holdpoint_core::{Decision, DecisionId, Kind, Opt, Source, Status};
use holdpoint_engine::{AnswerItem, AnswerItems, Client, Error, ListQuery};
use serde_json::json;

use super::same;

/// More ways to answer than have a key are not offered.
const OFFERED: usize = 9;

/// A decision that was marked, and those that ask the same.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) decision: Decision,
    pub(crate) same: Vec<Decision>,
}

impl Marked {
    /// Returns whether a decision is it, or one of those that ask the same.
    pub(crate) fn shows(&self, id: DecisionId) -> bool {
        self.decision.id == id || self.same.iter().any(|other| other.id == id)
    }
}

/// Reads what was marked, but for what was settled meanwhile, is answered by itself, or is more than is answered at once.
pub(crate) async fn gather(client: &dyn Client, ids: &[DecisionId]) -> Result<Vec<Marked>, Error> {
    let query = ListQuery { statuses: vec![Status::Pending], limit: same::LOOKED_AT, ..ListQuery::default() };
    let pending = client.list(&query).await?.items;
    let mut found = Vec::new();
    for id in ids.iter().take(AnswerItems::MOST) {
        // It gets its answer with another that asks the same.
        if found.iter().any(|one: &Marked| one.shows(*id)) {
            continue;
        }
        let Some(decision) = present(client, *id).await? else { continue };
        if decision.status == Status::Pending && alone(&decision).is_none() {
            let others = pending.iter().filter(|other| decision.asks_same(other));
            found.push(Marked { same: others.take(MAX_SAME).cloned().collect(), decision });
        }
    }
    Ok(found)
}

/// Reads a decision, unless it was removed meanwhile.
pub(crate) async fn present(client: &dyn Client, id: DecisionId) -> Result<Option<Decision>, Error> {
    match client.get(&id.to_string()).await {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// Lists what can be answered, with how many have it; what most have comes first.
pub(crate) fn counted(found: &[Marked]) -> Vec<(Offer, usize)> {
    let mut counted: Vec<(Offer, usize)> = Vec::new();
    for offer in found.iter().flat_map(|one| offers(&one.decision)) {
        match counted.iter_mut().find(|(known, _)| *known == offer) {
            Some((_, count)) => *count += 1,
            None => counted.push((offer, 1)),
        }
    }
    // Of those that as many have, each has the number that it has on a card.
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted.truncate(OFFERED);
    counted
}

/// Something that can be answered, as those to whom it can be say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) id: String,
    pub(crate) label: String,
    /// Whether it is a no.
    pub(crate) refuses: bool,
}

/// Says why a decision is only answered by itself, if so.
pub(crate) fn alone(decision: &Decision) -> Option<&'static str> {
    matches!(decision.source, Source::Verdict | Source::Form)
        .then_some("verdicts and forms are answered one by one")
}

/// Lists what can be answered to a decision by picking one thing.
fn offers(decision: &Decision) -> Vec<Offer> {
    if alone(decision).is_some() {
        return Vec::new();
    }
    let offer = |option: &Opt, is_out: bool| Offer {
        id: option.id.clone(),
        label: option.label.clone(),
        refuses: is_out || option.refuses,
    };
    let options = picked(decision).into_iter().flat_map(|field| &field.options);
    let options = options.map(|option| offer(option, false));
    options.chain(decision.outs.iter().map(|out| offer(out, true))).collect()
}

/// Makes the answer to a decision and to those that ask the same, or says why it gets none.
pub(crate) fn item(
    decision: &Decision,
    same: Vec<DecisionId>,
    offer: &Offer,
    reading: Reading,
) -> Result<AnswerItem, String> {
    let label = holdpoint_core::text::inert_line(&offer.label);
    let mut answer = answer(decision, offer).ok_or_else(|| format!("has no option {label}"))?;
    if consents_to_subject(decision, &answer.values, answer.out.as_deref()) {
        if reading == Reading::Unread {
            return Err("was not read to its end before the yes".to_owned());
        }
        answer.seen = Some(true);
    }
    answer.same = same;
    Ok(AnswerItem { id: decision.id, answer })
}

/// Whether somebody had the whole subject before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Read,
    Unread,
}

/// Makes the answer to one decision; nothing if it has no such option.
fn answer(decision: &Decision, offer: &Offer) -> Option<AnswerInput> {
    offers(decision).contains(offer).then_some(())?;
    let mut input = AnswerInput { digest: Some(decision.digest.clone()), ..AnswerInput::default() };
    match picked(decision).filter(|field| field.option(&offer.id).is_some()) {
        Some(field) => {
            input.values.insert(field.id.clone(), json!(offer.id));
        }
        None => input.out = Some(offer.id.clone()),
    }
    Some(input)
}

/// Returns the one field in which one option is picked, if that is all that is asked.
fn picked(decision: &Decision) -> Option<&holdpoint_core::Field> {
    match decision.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Choice | Kind::Confirm) => Some(field),
        _ => None,
    }
}
