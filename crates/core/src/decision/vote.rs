//! Voting: one answer of each person, until enough say the same.

use std::collections::BTreeMap;

use super::answer::{Given, resolved, sign};
use super::{Decision, outcome};
use crate::actor::Actor;
use crate::event::{Event, Voted};
use crate::people::{GROUP, Needs, Standing, Vote, standing, voter};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::quote;
use crate::{Auth, Timestamp};

/// Refuses whoever may not answer a decision that only people, or only some people, may; returns who it is where that counts.
pub(super) fn admit<'a>(
    state: &State,
    decision: &Decision,
    actor: &'a Actor,
) -> Result<Option<&'a str>, Refusal> {
    if decision.needs.is_none() && !decision.needs_person {
        return Ok(None);
    }
    let person = voter(state, actor)?;
    // A token may reach further than the person who owns it.
    if state.known.person.as_ref().is_some_and(|known| !known.answers_in(&decision.project)) {
        return Err(Refusal::Forbidden(format!("{} has no vote in this project", quote(person))));
    }
    let Some(needs) = &decision.needs else { return Ok(None) };
    if needs.not_requester && decision.requester.as_deref() == Some(person) {
        let asker = decision.asked_by.as_deref().unwrap_or("the asker");
        return Err(Refusal::Forbidden(format!(
            "{} asks on behalf of {}, and this takes the votes of others",
            quote(asker),
            quote(person)
        )));
    }
    // Who has voted may take it back, whatever group they have left since.
    let has_voted = decision.votes.iter().any(|vote| vote.by == person);
    if !needs.from.is_empty() && !has_voted && counts_for(state, needs, person).is_empty() {
        let who = needs.named().join(", ");
        return Err(Refusal::Forbidden(format!("this takes the votes of {}", crate::text::inert_line(&who))));
    }
    Ok(Some(person))
}

fn counts_for(state: &State, needs: &Needs, person: &str) -> Vec<String> {
    let named = needs.named().into_iter();
    named.filter(|named| state.roster.is(person, named)).map(str::to_owned).collect()
}

/// Casts a person's vote, or changes it; the one that is enough settles the decision.
pub(super) fn cast(
    state: &State,
    (decision, needs): (&Decision, &Needs),
    (actor, person): (&Actor, &str),
    given: Given,
    seen: Option<bool>,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if outcome::picks(decision, &given.values, given.out.as_deref()).len() != 1 {
        let right = super::answer::what_is_right(decision);
        return Err(Refusal::invalid("answer", format!("a vote picks one of the options; {right}")));
    }
    let vote = Vote {
        by: person.to_owned(),
        values: given.values,
        out: given.out,
        message: given.message,
        counts_for: counts_for(state, needs, person),
        seen,
        token: (actor.by != person).then(|| actor.by.clone()),
        via: actor.via.clone(),
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
    put(&mut votes, vote.clone());
    let recorded = Event::Voted(Box::new(Voted {
        id: decision.id,
        project: decision.project.clone(),
        vote: vote.clone(),
        groups,
    }));
    let counted = match standing(decision, needs, &votes) {
        Standing::Open => return Ok(Ruling { events: vec![recorded], ..Ruling::default() }),
        Standing::Consented(counted) | Standing::Refused(counted) => counted,
    };
    let given = Given { values: vote.values, out: vote.out, message: vote.message, ..Given::default() };
    let mut answer = sign(decision, given, actor, now);
    person.clone_into(&mut answer.by);
    // It is known no better who consented than it is known of the least known of them.
    answer.auth = counted.iter().map(|vote| vote.auth).fold(Auth::Session, Auth::min);
    answer.seen = if counted.iter().any(|vote| vote.seen == Some(false)) {
        Some(false)
    } else {
        counted.iter().all(|vote| vote.seen == Some(true)).then_some(true)
    };
    Ok(resolved(decision, answer, vec![recorded]))
}

/// Returns whether a vote says what another of the same person said.
pub(super) fn is_same(before: &Vote, vote: &Vote) -> bool {
    let said = |vote: &Vote| (vote.by.clone(), vote.values.clone(), vote.out.clone(), vote.message.clone());
    said(before) == said(vote) && before.counts_for == vote.counts_for && before.seen == vote.seen
}

/// Sets a person's vote in place of the one they gave before.
pub(crate) fn put(votes: &mut Vec<Vote>, vote: Vote) {
    votes.retain(|before| before.by != vote.by);
    votes.push(vote);
}

/// Returns whether a vote is a no.
pub(crate) fn votes_no(decision: &Decision, vote: &Vote) -> bool {
    outcome::refuses(decision, &vote.values, vote.out.as_deref())
}
