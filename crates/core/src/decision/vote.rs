//! Voting: one answer per person, until enough agree.

use std::collections::BTreeMap;

use super::given::{UnsignedAnswer, resolved, sign, what_is_right};
use super::{Decision, Status, outcome};
use crate::actor::Actor;
use crate::effect::{Effect, Occasion};
use crate::event::{Event, Voted};
use crate::people::{GROUP, Needs, Vote, VoteResult, vote_result, voter};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::quote;
use crate::{Auth, Timestamp};

/// Refuses an actor that may not answer a decision restricted to people, or to some people; returns the voter's name
/// where votes are counted.
pub(super) fn admit<'a>(
    state: &State,
    decision: &Decision,
    actor: &'a Actor,
    now: Timestamp,
) -> Result<Option<&'a str>, Refusal> {
    if decision.needs.is_none() && !decision.needs_person {
        return Ok(None);
    }
    let person = voter(state, actor)?;
    // A token may be valid for more projects than the person who owns it.
    if state.known.person.as_ref().is_some_and(|known| !known.answers_in(&decision.project)) {
        return Err(Refusal::Forbidden(format!("{} has no vote in this project", quote(person))));
    }
    let Some(needs) = &decision.needs else { return Ok(None) };
    if let Some(requester) = decision.requester.as_deref().filter(|_| needs.not_requester) {
        let acts = || state.roster.stand_ins(requester, &decision.project, now).contains(&person);
        let stands_in = if requester == person { "" } else { ", for whom you stand in" };
        if requester == person || acts() {
            let asker = decision.asked_by.as_deref().unwrap_or("the asker");
            return Err(Refusal::Forbidden(format!(
                "{} asks on behalf of {}{stands_in}, and this takes the votes of others",
                quote(asker),
                quote(requester)
            )));
        }
    }
    // A person who has voted may change the vote, even after leaving the group.
    let has_voted = decision.votes.iter().any(|vote| vote.by == person);
    if !needs.from.is_empty() && !has_voted && seat(state, decision, needs, person, now).1.is_empty() {
        let who = needs.named().join(", ");
        return Err(Refusal::Forbidden(format!("only these can vote: {}", crate::text::inert_line(&who))));
    }
    Ok(Some(person))
}

/// Returns the absent person that somebody votes for, if any, and what the vote counts for. A person with a vote of
/// their own can cast only that one; the vote of an absent person is cast once, and by themselves if they do vote.
fn seat(
    state: &State,
    decision: &Decision,
    needs: &Needs,
    person: &str,
    now: Timestamp,
) -> (Option<String>, Vec<String>) {
    let own = counts_for(state, needs, person);
    if !own.is_empty() || needs.from.is_empty() {
        return (None, own);
    }
    for away in state.roster.absent_for(person, &decision.project, now) {
        let is_cast = decision.votes.iter().any(|vote| vote.by != person && vote.voter() == away);
        let is_known = state.people.contains_key(&away);
        let counts = counts_for(state, needs, &away);
        if !is_cast && is_known && !counts.is_empty() {
            return (Some(away), counts);
        }
    }
    (None, own)
}

/// Returns whether a vote still counts: the person is known, and is the one who voted.
fn still_counts(state: &State, vote: &Vote) -> bool {
    let is_same = |name: &str| state.people.get(name).is_some_and(|since| *since <= vote.at);
    is_same(&vote.by) && vote.on_behalf_of.as_deref().is_none_or(is_same)
}

/// Removes the votes of a person who was removed. This settles nothing.
pub(crate) fn clear(state: &State, actor: &Actor, person: &str) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if actor.auth != Auth::System {
        return Err(Refusal::Forbidden("votes go with the person who cast them".into()));
    }
    let gone = decision.votes.iter().filter(|vote| vote.by == person || vote.voter() == person);
    let cleared: Vec<String> = gone.map(|vote| vote.by.clone()).collect();
    if cleared.is_empty() || decision.status != Status::Pending {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let (id, project, by) = (decision.id, decision.project.clone(), actor.by.clone());
    let event = Event::VotesCleared { id, project, cleared, by };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn counts_for(state: &State, needs: &Needs, person: &str) -> Vec<String> {
    let named = needs.named().into_iter();
    named.filter(|named| state.roster.is(person, named)).map(str::to_owned).collect()
}

/// Casts or changes a person's vote; the last vote that is needed settles the decision.
pub(super) fn cast(
    state: &State,
    (decision, needs): (&Decision, &Needs),
    (actor, person): (&Actor, &str),
    given: UnsignedAnswer,
    seen: Option<bool>,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if outcome::picks(decision, &given.values, given.out.as_deref()).len() != 1 {
        let right = what_is_right(decision);
        return Err(Refusal::invalid("answer", format!("a vote picks one of the options; {right}")));
    }
    let (on_behalf_of, counts_for) = seat(state, decision, needs, person, now);
    let vote = Vote {
        by: person.to_owned(),
        on_behalf_of,
        values: given.values,
        out: given.out,
        message: given.message,
        counts_for,
        seen,
        token: (actor.by != person).then(|| actor.by.clone()),
        via: actor.via.clone(),
        channel: actor.channel.clone(),
        auth: actor.auth,
        at: now,
    };
    if decision.votes.iter().any(|before| is_same(before, &vote)) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let groups = vote.counts_for.iter().filter_map(|named| {
        let people = state.roster.people(named.strip_prefix(GROUP)?);
        Some((named.clone(), people.into_iter().map(str::to_owned).collect()))
    });
    let groups: BTreeMap<String, Vec<String>> = groups.collect();
    let mut votes = decision.votes.clone();
    votes.retain(|before| still_counts(state, before));
    record_vote(&mut votes, vote.clone());
    let recorded = Event::Voted(Box::new(Voted {
        id: decision.id,
        project: decision.project.clone(),
        vote: vote.clone(),
        groups,
    }));
    let counted = match vote_result(decision, needs, &votes) {
        VoteResult::Open => {
            let effects = vec![Effect::Tell { occasion: Occasion::Vote, id: decision.id }];
            return Ok(Ruling { events: vec![recorded], effects, ..Ruling::default() });
        }
        VoteResult::Consented(counted) | VoteResult::Refused(counted) => counted,
    };
    let given = UnsignedAnswer {
        values: vote.values,
        out: vote.out,
        message: vote.message,
        ..UnsignedAnswer::default()
    };
    let mut answer = sign(decision, given, actor, now);
    person.clone_into(&mut answer.by);
    answer.on_behalf_of.clone_from(&vote.on_behalf_of);
    // The assurance of the whole answer is that of its least sure voter.
    answer.auth = counted.iter().map(|vote| vote.auth).fold(Auth::Session, Auth::min);
    answer.seen = if counted.iter().any(|vote| vote.seen == Some(false)) {
        Some(false)
    } else {
        counted.iter().all(|vote| vote.seen == Some(true)).then_some(true)
    };
    Ok(resolved(decision, answer, vec![recorded]))
}

/// Returns whether a vote says the same as an earlier one of the same person.
pub(super) fn is_same(before: &Vote, vote: &Vote) -> bool {
    let said = |vote: &Vote| {
        (
            vote.by.clone(),
            vote.on_behalf_of.clone(),
            vote.values.clone(),
            vote.out.clone(),
            vote.message.clone(),
        )
    };
    said(before) == said(vote) && before.counts_for == vote.counts_for && before.seen == vote.seen
}

/// Puts a person's vote in place of the one they gave before, or that was given for them.
pub(crate) fn record_vote(votes: &mut Vec<Vote>, vote: Vote) {
    votes.retain(|before| before.by != vote.by && before.voter() != vote.voter());
    votes.push(vote);
}

/// Returns whether a vote is a no.
pub(crate) fn votes_no(decision: &Decision, vote: &Vote) -> bool {
    outcome::refuses(decision, &vote.values, vote.out.as_deref())
}
