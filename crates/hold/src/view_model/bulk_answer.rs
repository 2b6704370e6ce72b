//! One answer to many decisions: which decisions may get it, and what each of them would be told.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::text::MAX_SAME;
use holdpoint_core::{Decision, DecisionId, Kind, Opt, Source, Status};
use holdpoint_engine::{AnswerItem, AnswerItems, Client, Error, ListQuery};
use serde_json::json;

use super::identical;

/// Answers beyond this number have no key, and are not offered.
const OFFERED: usize = 9;

/// A marked decision, and those that ask the same.
#[derive(Clone, Debug)]
pub(crate) struct MarkedDecision {
    pub(crate) decision: Decision,
    pub(crate) same: Vec<Decision>,
}

impl MarkedDecision {
    /// Returns whether a decision is the marked one, or one of those that ask the same.
    pub(crate) fn shows(&self, id: DecisionId) -> bool {
        self.decision.id == id || self.same.iter().any(|other| other.id == id)
    }
}

/// Reads the marked decisions, except those that were settled meanwhile, are only answered one by one, or exceed the
/// number that can be answered at once.
pub(crate) async fn gather(client: &dyn Client, ids: &[DecisionId]) -> Result<Vec<MarkedDecision>, Error> {
    let query =
        ListQuery { statuses: vec![Status::Pending], limit: identical::LOOKED_AT, ..ListQuery::default() };
    let pending = client.list(&query).await?.items;
    let mut found = Vec::new();
    for id in ids.iter().take(AnswerItems::MOST) {
        // It gets its answer along with another that asks the same.
        if found.iter().any(|one: &MarkedDecision| one.shows(*id)) {
            continue;
        }
        let Some(decision) = present(client, *id).await? else { continue };
        if decision.status == Status::Pending && alone(&decision).is_none() {
            let others = pending.iter().filter(|other| decision.asks_same(other));
            found.push(MarkedDecision { same: others.take(MAX_SAME).cloned().collect(), decision });
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

/// Lists the possible answers with the number of decisions that have each; the most frequent first.
pub(crate) fn counted(found: &[MarkedDecision]) -> Vec<(AnswerChoice, usize)> {
    let mut counted: Vec<(AnswerChoice, usize)> = Vec::new();
    for offer in found.iter().flat_map(|one| offers(&one.decision)) {
        match counted.iter_mut().find(|(known, _)| *known == offer) {
            Some((_, count)) => *count += 1,
            None => counted.push((offer, 1)),
        }
    }
    // The sort is stable: equally frequent answers keep the order that they have on a card.
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted.truncate(OFFERED);
    counted
}

/// A possible answer, with its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerChoice {
    pub(crate) id: String,
    pub(crate) label: String,
    /// Whether it refuses.
    pub(crate) refuses: bool,
}

/// Returns why a decision is only answered on its own, if it is.
pub(crate) fn alone(decision: &Decision) -> Option<&'static str> {
    matches!(decision.source, Source::Verdict | Source::Form)
        .then_some("verdicts and forms are answered one by one")
}

/// Lists the answers to a decision that take a single pick.
fn offers(decision: &Decision) -> Vec<AnswerChoice> {
    if alone(decision).is_some() {
        return Vec::new();
    }
    let offer = |option: &Opt, is_out: bool| AnswerChoice {
        id: option.id.clone(),
        label: option.label.clone(),
        refuses: is_out || option.refuses,
    };
    let options = picked(decision).into_iter().flat_map(|field| &field.options);
    let options = options.map(|option| offer(option, false));
    options.chain(decision.outs.iter().map(|out| offer(out, true))).collect()
}

/// Builds the answer to a decision and to those that ask the same, or returns why there is none.
pub(crate) fn item(
    decision: &Decision,
    same: Vec<DecisionId>,
    offer: &AnswerChoice,
    reading: SubjectSeen,
) -> Result<AnswerItem, String> {
    let label = holdpoint_core::text::inert_line(&offer.label);
    let mut answer = answer(decision, offer).ok_or_else(|| format!("has no option {label}"))?;
    if consents_to_subject(decision, &answer.values, answer.out.as_deref()) {
        if reading == SubjectSeen::Unread {
            return Err("was not read to the end".to_owned());
        }
        answer.seen = Some(true);
    }
    answer.same = same;
    Ok(AnswerItem { id: decision.id, answer })
}

/// Whether the person had the whole subject on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubjectSeen {
    Read,
    Unread,
}

/// Builds the answer to one decision; none if it has no such option.
fn answer(decision: &Decision, offer: &AnswerChoice) -> Option<AnswerInput> {
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

/// Returns the only field, if the decision asks for one pick and nothing else.
fn picked(decision: &Decision) -> Option<&holdpoint_core::Field> {
    match decision.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Choice | Kind::Confirm) => Some(field),
        _ => None,
    }
}
