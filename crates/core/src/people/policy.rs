//! What a project demands of its decisions: an admin says so, and an ask may only demand more.

use serde::{Deserialize, Serialize};

use super::Needs;
use crate::actor::{Actor, Auth};
use crate::decision::{Decision, Source};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::rule::is_about_tool;
use crate::state::{Ruling, State};
use crate::text::{check_name, quote};
use crate::{DecisionId, Project, Timestamp};

/// How many policies a project may have.
const MOST: usize = 200;

/// Returns the id of a policy that is to be made.
pub fn fresh_id(random: u64) -> String {
    format!("pol-{}", DecisionId::from_bits(random).suffix())
}

/// What a project demands of some of its decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Policy {
    /// Names it: `pol-` and twelve base-32 characters.
    pub id: String,
    /// Where it counts.
    pub project: String,
    /// For which decisions.
    pub when: MatchedAsks,
    /// How many people must consent, and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// Whether only a person who is signed in, or uses a token of their own, may answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// Who made it.
    pub by: String,
    /// When.
    pub created_at: Timestamp,
}

/// What is sent to make a policy. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct NewPolicy {
    /// Where it counts; `default` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// For which decisions: at least one member.
    pub when: MatchedAsks,
    /// How many people must consent, and which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// Whether only a person who is signed in, or uses a token of their own, may answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
}

impl NewPolicy {
    /// Returns the project that it will count in.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }
}

/// Which decisions a policy is for: everything that is given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct MatchedAsks {
    /// Why it is asked: `approval`, `plan` or `question`. Whatever has a subject counts as an approval too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The tool that is to be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The name of the credential that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<String>,
}

impl MatchedAsks {
    fn fit(&self, decision: &Decision) -> bool {
        let source = self.source.is_none_or(|source| {
            // An agent chooses the source: that it calls an approval a question must not spare it the policy.
            let is_approval = source == Source::Approval && decision.subject.is_some();
            source == decision.source || is_approval && decision.source != Source::Verdict
        });
        let tool = self.tool.as_deref().is_none_or(|tool| is_about_tool(decision, tool));
        source && tool && self.asked_by.as_ref().is_none_or(|name| decision.asked_by.as_ref() == Some(name))
    }
}

/// What is asked about policies.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyCommand {
    /// Make one.
    Add {
        /// Its id.
        id: String,
        /// What it says.
        new: Box<NewPolicy>,
    },
    /// End one.
    Remove {
        /// Which.
        id: String,
    },
}

/// Adds to a decision what the policies of its project demand.
///
/// # Errors
/// No vote could satisfy all of them, or the ask names others than they do.
pub(crate) fn tighten(policies: &[Policy], decision: &mut Decision) -> Result<(), Refusal> {
    let fitting: Vec<&Policy> = policies.iter().filter(|policy| policy.when.fit(decision)).collect();
    for policy in fitting {
        decision.needs_person |= policy.needs_person;
        let Some(demanded) = &policy.needs else { continue };
        let needs = match &decision.needs {
            Some(asked) => asked.and(demanded).map_err(|why| {
                Refusal::invalid("needs.from", format!("{why}; policy {} says whose votes count", policy.id))
            })?,
            None => demanded.clone(),
        };
        decision.needs = Some(Box::new(needs));
    }
    Ok(())
}

pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    project: &str,
    command: &PolicyCommand,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if actor.is_program() {
        return Err(Refusal::Forbidden("policies are an admin's: agents do not change them".into()));
    }
    let known = |id: &str| state.policies.iter().find(|policy| policy.id == id);
    let event = match command {
        PolicyCommand::Add { id, new } => {
            check(new, actor)?;
            if state.policies.len() >= MOST {
                return Err(Refusal::invalid("project", format!("has {MOST} policies; remove some first")));
            }
            if known(id).is_some() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            Event::PolicyAdded(Box::new(Policy {
                id: id.clone(),
                project: project.to_owned(),
                when: new.when.clone(),
                needs: new.needs.clone(),
                needs_person: new.needs_person,
                by: actor.by.clone(),
                created_at: now,
            }))
        }
        PolicyCommand::Remove { id } => {
            if known(id).is_none() {
                return Err(Refusal::NotFound { what: "policy", id: id.clone() });
            }
            Event::PolicyRemoved { id: id.clone(), project: project.to_owned(), by: actor.by.clone() }
        }
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn check(new: &NewPolicy, actor: &Actor) -> Result<(), Refusal> {
    if actor.auth == Auth::Claimed {
        return Err(Refusal::Forbidden(
            "a policy tells people apart: that takes a server that checks who calls (hold serve)".into(),
        ));
    }
    check_name(new.project())
        .map_err(|why| Refusal::invalid("project", format!("{} {why}", quote(new.project()))))?;
    if new.when == MatchedAsks::default() {
        return Err(Refusal::invalid("when", "names nothing; give a source, a tool or who asks (asked_by)"));
    }
    if new.needs.is_none() && !new.needs_person {
        return Err(Refusal::invalid("policy", "demands nothing; give needs, needs_person or both"));
    }
    if let Some(source) = new.when.source
        && !matches!(source, Source::Approval | Source::Plan | Source::Question)
    {
        let why = format!("must be approval, plan or question; a {} is not asked by an agent", source.name());
        return Err(Refusal::invalid("when.source", why));
    }
    for (place, name) in [("when.tool", &new.when.tool), ("when.asked_by", &new.when.asked_by)] {
        if let Some(name) = name {
            check_name(name).map_err(|why| Refusal::invalid(place, format!("{} {why}", quote(name))))?;
        }
    }
    match new.needs.as_ref().map(Needs::faults).unwrap_or_default() {
        faults if faults.is_empty() => Ok(()),
        faults => Err(Refusal::Invalid(faults)),
    }
}
