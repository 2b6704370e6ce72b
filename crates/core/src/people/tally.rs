//! Tallies the votes on a decision that takes several people.

use std::fmt;

use super::{GROUP, Needs, Vote};
use crate::decision::Decision;
use crate::decision::votes_no;
use crate::text::inert_line;

/// The result of the votes.
#[derive(Clone, Debug, PartialEq)]
pub enum VoteResult<'a> {
    /// More votes are needed.
    Open,
    /// Enough people gave the same consenting answer: their votes.
    Consented(Vec<&'a Vote>),
    /// Enough people refuse: their votes.
    Refused(Vec<&'a Vote>),
}

/// Returns the result of the votes on a decision.
pub(crate) fn vote_result<'a>(decision: &Decision, needs: &Needs, votes: &'a [Vote]) -> VoteResult<'a> {
    let is_counted = |vote: &&Vote| needs.from.is_empty() || !vote.counts_for.is_empty();
    let refusing: Vec<&Vote> =
        votes.iter().filter(|vote| votes_no(decision, vote)).filter(is_counted).collect();
    if refusing.len() >= count(needs.refusals) {
        return VoteResult::Refused(refusing);
    }
    let mut rest: Vec<&Vote> = votes.iter().filter(|vote| !votes_no(decision, vote)).collect();
    while let Some(first) = rest.first().copied() {
        let (alike, others): (Vec<&Vote>, Vec<&Vote>) =
            rest.into_iter().partition(|vote| vote.values == first.values);
        if missing(needs, &alike) == 0
            && needs.each.iter().all(|(name, least)| lacks(&alike, name, *least) == 0)
        {
            return VoteResult::Consented(alike);
        }
        rest = others;
    }
    VoteResult::Open
}

fn count(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns how many approvals are missing.
fn missing(needs: &Needs, alike: &[&Vote]) -> usize {
    let counted = alike.iter().filter(|vote| needs.counts(&vote.counts_for)).count();
    count(needs.approvals).saturating_sub(counted)
}

/// Returns how many votes of a group, or of a person, are missing.
fn lacks(alike: &[&Vote], name: &str, least: u32) -> usize {
    let there = alike.iter().filter(|vote| vote.counts_for.iter().any(|one| one == name)).count();
    count(least).saturating_sub(there)
}

/// The progress of a decision that takes several people, for display. Inert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of approvals of the most common answer.
    pub approvals: usize,
    /// How many are needed.
    pub needed: usize,
    /// The people who consent with that answer.
    pub consenting: Vec<String>,
    /// The people who consent with another answer.
    pub otherwise: Vec<String>,
    /// The people who refuse.
    pub refusing: Vec<String>,
    /// The people and groups still needed; empty once it is settled.
    pub still_needed: Vec<String>,
}

impl Decision {
    /// Returns its progress, if it takes several people.
    pub fn progress(&self) -> Option<Progress> {
        let needs = self.needs.as_ref()?;
        let name = |vote: &&Vote| vote.signed();
        let (refusing, consenting): (Vec<&Vote>, Vec<&Vote>) =
            self.votes.iter().partition(|vote| votes_no(self, vote));
        let alike = |vote: &&Vote| {
            let values = &vote.values;
            consenting.iter().copied().filter(|other| other.values == *values).collect::<Vec<_>>()
        };
        let leading = consenting.iter().map(alike).max_by_key(Vec::len).unwrap_or_default();
        let missing = missing(needs, &leading);
        let mut still_needed = Vec::new();
        if self.answer.is_none() {
            let has_voted = |who: &str| leading.iter().any(|vote| vote.voter() == who);
            if missing > 0 && needs.from.is_empty() {
                let people = if missing == 1 { "person" } else { "people" };
                still_needed.push(format!("{missing} more {people}"));
            } else if missing > 0 {
                let open = needs.from.iter().filter(|who| who.starts_with(GROUP) || !has_voted(who));
                still_needed.extend(open.map(|who| inert_line(who)));
            }
            let lacking = needs.each.iter().filter(|(who, least)| lacks(&leading, who, **least) > 0);
            still_needed.extend(lacking.map(|(who, _)| inert_line(who)));
            let mut met = std::collections::BTreeSet::new();
            still_needed.retain(|who| met.insert(who.clone()));
        }
        let counted = leading.iter().filter(|vote| needs.counts(&vote.counts_for)).count();
        Some(Progress {
            approvals: counted,
            needed: count(needs.approvals),
            consenting: leading.iter().map(name).collect(),
            otherwise: consenting.iter().filter(|vote| !leading.contains(vote)).map(name).collect(),
            refusing: refusing.iter().map(name).collect(),
            still_needed,
        })
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.approvals, self.needed)?;
        if !self.consenting.is_empty() {
            write!(f, ": {}", self.consenting.join(", "))?;
        }
        for (what, who) in [("otherwise", &self.otherwise), ("refused", &self.refusing)] {
            if !who.is_empty() {
                write!(f, "; {what}: {}", who.join(", "))?;
            }
        }
        if !self.still_needed.is_empty() {
            write!(f, "; still needed: {}", self.still_needed.join(", "))?;
        }
        Ok(())
    }
}
