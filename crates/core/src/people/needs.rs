//! How many people a decision takes, and which.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::roster::GROUP;
use crate::actor::{Actor, Auth};
use crate::decision::Decision;
use crate::field::{Field, Kind};
use crate::refusal::{FieldError, Refusal};
use crate::text::{check_name, quote};

/// How many votes may be asked for.
const MOST_VOTES: u32 = 100;
/// How many people and groups may be named.
const MOST_NAMED: usize = 50;

/// How many people must consent, and which. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Needs {
    /// How many people must give the same consenting answer.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    pub approvals: u32,
    /// Whose votes count: people, and groups as `group:NAME`. Anyone's who may answer if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// How many of those who consent must be of a group, or a person.
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
    /// One person.
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

    /// Returns what satisfies both.
    ///
    /// # Errors
    /// Nobody is named by both.
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

    /// Lists whose votes count for anything, each once; nobody where anyone's does.
    pub fn named(&self) -> Vec<&str> {
        let mut named: Vec<&str> = self.from.iter().map(String::as_str).collect();
        named
            .extend(self.each.keys().map(String::as_str).filter(|name| !self.from.iter().any(|n| n == name)));
        named
    }

    /// Returns whether an approval of somebody who is one of these is one of those that are counted.
    pub(crate) fn counts(&self, counts_for: &[String]) -> bool {
        self.from.is_empty() || self.from.iter().any(|name| counts_for.contains(name))
    }
}

/// Refuses a decision that asks for people in a way that nobody could answer.
pub(crate) fn check(decision: &Decision, actor: &Actor) -> Result<(), Refusal> {
    if decision.needs.is_none() && !decision.needs_person {
        return Ok(());
    }
    if actor.auth == Auth::Claimed {
        return Err(Refusal::Forbidden(
            "needs and needs_person tell people apart: that takes a server that checks who calls (hold serve)".into(),
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
            "takes exactly one confirm or choice field, and others only if they may stay empty, so that votes can be compared; \
             this asks: {kinds}"
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
