//! How many people, and which, must answer a decision.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::roster::{GROUP, Roster};
use crate::actor::{Actor, Auth};
use crate::decision::Decision;
use crate::field::{Field, Kind};
use crate::refusal::{FieldError, Refusal};
use crate::text::{check_name, inert_line, quote};

/// The maximum number of votes.
const MOST_VOTES: u32 = 100;
/// The maximum number of people and groups named.
const MOST_NAMED: usize = 50;

/// How many people must consent, and which. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Needs {
    /// How many people must give the same consenting answer.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    pub approvals: u32,
    /// Whose votes count: people, and groups as `group:NAME`. If empty, those of anyone who may answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// How many of the consenting people must be in a group, or be a certain person.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub each: BTreeMap<String, u32>,
    /// How many must refuse to settle it with a no.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    pub refusals: u32,
    /// Whether the person who owns the token that asked may not vote.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub not_requester: bool,
}

impl Default for Needs {
    /// Requires one person.
    fn default() -> Self {
        Self { approvals: 1, from: Vec::new(), each: BTreeMap::new(), refusals: 1, not_requester: false }
    }
}

impl Needs {
    /// Lists what is wrong with it.
    pub(crate) fn faults(&self) -> Vec<FieldError> {
        let mut faults = Vec::new();
        let mut fault = |place: &str, why: String| faults.push(FieldError::new(place, why));
        let counts = [("needs.approvals", self.approvals), ("needs.refusals", self.refusals)];
        let each = self.each.values().map(|count| ("needs.each", *count));
        for (place, count) in counts.into_iter().chain(each) {
            if !(1..=MOST_VOTES).contains(&count) {
                fault(place, format!("must be from 1 to {MOST_VOTES}"));
            }
        }
        let named = self.from.iter().map(|name| ("needs.from", name));
        let named = named.chain(self.each.keys().map(|name| ("needs.each", name)));
        for (place, name) in named.clone().take(2 * MOST_NAMED) {
            if let Err(why) = check_name(name.strip_prefix(GROUP).unwrap_or(name)) {
                fault(place, format!("{} {why}", quote(name)));
            } else if name.starts_with("agent:") {
                fault(place, format!("{} is an agent; people and groups vote", quote(name)));
            }
        }
        if self.from.len().max(self.each.len()) > MOST_NAMED {
            fault("needs", format!("names more than {MOST_NAMED} people and groups; make a group of them"));
        }
        faults
    }

    /// Returns requirements that satisfy both.
    ///
    /// # Errors
    /// Fails if no person or group is named by both.
    pub(crate) fn and(&self, other: &Self) -> Result<Self, String> {
        let from = match (self.from.as_slice(), other.from.as_slice()) {
            ([], from) | (from, []) => from.to_vec(),
            (one, two) => {
                let both: Vec<String> = one.iter().filter(|name| two.contains(name)).cloned().collect();
                if both.is_empty() {
                    return Err(format!("nobody is named in both {} and {}", one.join(", "), two.join(", ")));
                }
                both
            }
        };
        let mut each = self.each.clone();
        for (name, count) in &other.each {
            let most = each.entry(name.clone()).or_default();
            *most = (*most).max(*count);
        }
        Ok(Self {
            approvals: self.approvals.max(other.approvals),
            from,
            each,
            refusals: self.refusals.min(other.refusals),
            not_requester: self.not_requester || other.not_requester,
        })
    }

    /// Refuses requirements that cannot be met: more votes than there are people who may give one. `requester` may not
    /// vote.
    pub(crate) fn check_reach(&self, roster: &Roster, requester: Option<&str>) -> Result<(), Refusal> {
        let reach = |names: &mut dyn Iterator<Item = &String>| {
            let names: Vec<&String> = names.collect();
            let mut people: Vec<String> =
                roster.named(names.iter().copied()).into_iter().map(str::to_owned).collect();
            people.retain(|person| Some(person.as_str()) != requester);
            people
        };
        let short = |what: &str, needed: u32, people: &[String], named: &[&str]| {
            let there = match people {
                [] => "is nobody".to_owned(),
                [only] => format!("is only {only}"),
                some => format!("are only {} people ({})", some.len(), some.join(", ")),
            };
            let but = requester.map(|name| format!(", not counting {name}, who asks")).unwrap_or_default();
            let way = match named.iter().find_map(|name| name.strip_prefix(GROUP)) {
                Some(group) => format!("add people (hold group add {group} NAME) or ask for fewer"),
                None => "name more people or ask for fewer".to_owned(),
            };
            let why = format!("takes {needed} of {}, and there {there}{but}; {way}", named.join(", "));
            Err(Refusal::invalid(what, inert_line(&why)))
        };
        let is_short = |needed: u32, people: &[String]| {
            usize::try_from(needed).is_ok_and(|needed| people.len() < needed)
        };
        let voters = reach(&mut self.from.iter());
        let from: Vec<&str> = self.from.iter().map(String::as_str).collect();
        if !from.is_empty() && is_short(self.approvals, &voters) {
            return short("needs.approvals", self.approvals, &voters, &from);
        }
        for (name, least) in &self.each {
            let people = reach(&mut std::iter::once(name));
            if is_short(*least, &people) {
                return short("needs.each", *least, &people, &[name]);
            }
        }
        let refusing = reach(&mut self.from.iter().chain(self.each.keys()));
        if !from.is_empty() && is_short(self.refusals, &refusing) {
            return short("needs.refusals", self.refusals, &refusing, &self.named());
        }
        Ok(())
    }

    /// Lists the people and groups whose votes count for anything, each once; empty if anyone's count.
    pub fn named(&self) -> Vec<&str> {
        let mut named: Vec<&str> = self.from.iter().map(String::as_str).collect();
        named
            .extend(self.each.keys().map(String::as_str).filter(|name| !self.from.iter().any(|n| n == name)));
        named
    }

    /// Returns whether an approval that counts for these names is one of those required.
    pub(crate) fn counts(&self, counts_for: &[String]) -> bool {
        self.from.is_empty() || self.from.iter().any(|name| counts_for.contains(name))
    }
}

/// Refuses a decision whose requirements on people cannot be met by anyone.
pub(crate) fn check(decision: &Decision, actor: &Actor) -> Result<(), Refusal> {
    if decision.needs.is_none() && !decision.needs_person {
        return Ok(());
    }
    if actor.auth == Auth::Claimed {
        return Err(Refusal::Forbidden(
            "use a server that checks who calls (hold serve): needs and needs_person depend on who answers"
                .into(),
        ));
    }
    let Some(needs) = &decision.needs else { return Ok(()) };
    let faults = needs.faults();
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    let is_pick = |field: &&Field| matches!(field.kind, Kind::Confirm | Kind::Choice);
    let (picks, others): (Vec<&Field>, Vec<&Field>) = decision.fields.iter().partition(is_pick);
    if picks.len() != 1 || others.iter().any(|field| field.required) {
        let kinds = decision.fields.iter().map(|field| field.kind.name()).collect::<Vec<_>>().join(", ");
        let why = format!(
            "must have exactly one confirm or choice field, and others only if they are optional, so that votes can be compared; this has: {kinds}"
        );
        return Err(Refusal::invalid("needs", why));
    }
    if needs.not_requester && decision.requester.is_none() {
        let who = actor.checked_name().map_or("who asks".to_owned(), |name| quote(&name));
        return Err(Refusal::Forbidden(format!(
            "not_requester keeps the person who asks from voting, and nobody knows whose {who} is: ask with a token that \
             names its owner (hold token create … --owner PERSON)"
        )));
    }
    Ok(())
}

impl std::fmt::Display for Needs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let approvals = if self.approvals == 1 { "approval" } else { "approvals" };
        write!(f, "{} {approvals}", self.approvals)?;
        if !self.from.is_empty() {
            write!(f, " from {}", self.from.join(", "))?;
        }
        for (who, least) in &self.each {
            write!(f, ", at least {least} of {who}")?;
        }
        if self.refusals > 1 {
            write!(f, ", {} refusals to refuse", self.refusals)?;
        }
        if self.not_requester {
            f.write_str(", not the requester's")?;
        }
        Ok(())
    }
}
