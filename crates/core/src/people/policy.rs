//! Policies: what a project demands of its decisions. An admin sets them, and a request may only demand more.

use serde::{Deserialize, Serialize};

use super::{EscalationStep, Needs, Roster, escalation_faults};
use crate::actor::{Actor, Auth};
use crate::decision::{Decision, Source};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::rule::is_about_tool;
use crate::state::{Ruling, State};
use crate::text::{check_name, quote};
use crate::{DecisionId, Project, Timestamp};

/// The maximum number of policies per project.
const MOST: usize = 200;

/// Makes the id of a new policy.
pub fn fresh_id(random: u64) -> String {
    format!("pol-{}", DecisionId::from_bits(random).suffix())
}

/// What a project demands of some of its decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Policy {
    /// The id: `pol-` and twelve base-32 characters.
    pub id: String,
    /// The project it applies to.
    pub project: String,
    /// The decisions it applies to.
    pub when: MatchedAsks,
    /// How many people must consent, and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// Whether only a person who is signed in, or uses a token of their own, may answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// What happens while nobody answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub escalation: Vec<EscalationStep>,
    /// Who made it.
    pub by: String,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Policy {
    /// Returns whether it names a person, or a group as `group:NAME`.
    pub fn names(&self, who: &str) -> bool {
        let needs = self.needs.iter().flat_map(|needs| needs.from.iter().chain(needs.each.keys()));
        let steps = self.escalation.iter().flat_map(|step| step.tell.iter().chain(&step.assign));
        needs.chain(steps).any(|name| name == who)
    }
}

/// A request to make a policy. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct NewPolicy {
    /// The project it applies to; `default` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The decisions it applies to: at least one member, unless it only escalates.
    pub when: MatchedAsks,
    /// How many people must consent, and which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// Whether only a person who is signed in, or uses a token of their own, may answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// What happens while nobody answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub escalation: Vec<EscalationStep>,
}

impl NewPolicy {
    /// Returns the project that it will apply to.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }

    /// Checks the content of a policy.
    ///
    /// # Errors
    /// Explains what would be right.
    pub fn check(&self) -> Result<(), Refusal> {
        check_name(self.project())
            .map_err(|why| Refusal::invalid("project", format!("{} {why}", quote(self.project()))))?;
        let demands = self.needs.is_some() || self.needs_person;
        if self.when == MatchedAsks::default() && demands {
            return Err(Refusal::invalid(
                "when",
                "names nothing; give a source, a tool or who asks (asked_by)",
            ));
        }
        if !demands && self.escalation.is_empty() {
            let why = "demands nothing; give needs, needs_person, escalation or several of them";
            return Err(Refusal::invalid("policy", why));
        }
        if let Some(source) = self.when.source
            && !matches!(source, Source::Approval | Source::Plan | Source::Question)
        {
            let why =
                format!("must be approval, plan or question; a {} is not asked by an agent", source.name());
            return Err(Refusal::invalid("when.source", why));
        }
        for (place, name) in [("when.tool", &self.when.tool), ("when.asked_by", &self.when.asked_by)] {
            if let Some(name) = name {
                check_name(name).map_err(|why| Refusal::invalid(place, format!("{} {why}", quote(name))))?;
            }
        }
        let mut faults = self.needs.as_ref().map(Needs::faults).unwrap_or_default();
        faults.extend(escalation_faults(&self.escalation));
        if !faults.is_empty() {
            return Err(Refusal::Invalid(faults));
        }
        Ok(())
    }

    /// Refuses demands that the known people could never meet.
    ///
    /// # Errors
    /// States how many people there are.
    pub fn check_reach(&self, roster: &Roster) -> Result<(), Refusal> {
        self.needs.as_ref().map_or(Ok(()), |needs| needs.check_reach(roster, None))
    }

    /// Returns the policy that it makes.
    pub fn as_policy(&self, id: &str, by: &str, now: Timestamp) -> Policy {
        Policy {
            id: id.to_owned(),
            project: self.project().to_owned(),
            when: self.when.clone(),
            needs: self.needs.clone(),
            needs_person: self.needs_person,
            escalation: self.escalation.clone(),
            by: by.to_owned(),
            created_at: now,
        }
    }
}

/// Selects decisions for a policy: every given member must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct MatchedAsks {
    /// The source: `approval`, `plan` or `question`. Any decision with a subject counts as an approval too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The tool to be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The name of the credential that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<String>,
}

impl MatchedAsks {
    fn fit(&self, decision: &Decision) -> bool {
        let source = self.source.is_none_or(|source| {
            // The agent chooses the source, so calling an approval a question must not evade the policy.
            let is_approval = source == Source::Approval && decision.subject.is_some();
            source == decision.source || is_approval && decision.source != Source::Verdict
        });
        let tool = self.tool.as_deref().is_none_or(|tool| is_about_tool(decision, tool));
        source && tool && self.asked_by.as_ref().is_none_or(|name| decision.asked_by.as_ref() == Some(name))
    }
}

/// A command about policies.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyCommand {
    /// Make a policy.
    Add {
        /// Its id.
        id: String,
        /// Its content.
        new: Box<NewPolicy>,
    },
    /// Remove a policy.
    Remove {
        /// Its id.
        id: String,
    },
}

/// The maximum number of escalation steps per decision.
const MOST_STEPS: usize = 100;

/// Refuses a request that would exclude people who may vote by a policy.
pub(crate) fn check_from(policies: &[Policy], decision: &Decision) -> Result<(), Refusal> {
    let Some(asked) = decision.needs.as_ref().filter(|needs| !needs.from.is_empty()) else { return Ok(()) };
    for policy in policies.iter().filter(|policy| policy.when.fit(decision)) {
        let named = policy.needs.iter().flat_map(|needs| &needs.from);
        let out: Vec<&str> = named.filter(|who| !asked.from.contains(who)).map(String::as_str).collect();
        if !out.is_empty() {
            let why = format!(
                "leaves out {}, who may vote by policy {}; leave from away, or name them too",
                out.join(", "),
                policy.id
            );
            return Err(Refusal::invalid("needs.from", crate::text::inert_line(&why)));
        }
    }
    Ok(())
}

/// Lists the escalation steps of the project's policies, followed by those of the request itself.
pub(crate) fn escalation(
    policies: &[Policy],
    decision: &Decision,
    asked: &[EscalationStep],
) -> Vec<EscalationStep> {
    let fitting = policies.iter().filter(|policy| policy.when.fit(decision));
    let mut steps: Vec<EscalationStep> = Vec::new();
    for step in fitting.flat_map(|policy| &policy.escalation).chain(asked) {
        if steps.len() < MOST_STEPS && !steps.contains(step) {
            steps.push(step.clone());
        }
    }
    steps
}

/// Adds the demands of the project's policies to a decision. If a policy names whose votes count, the names in the
/// request are dropped.
///
/// # Errors
/// Fails if no vote could satisfy all of them.
pub(crate) fn tighten(policies: &[Policy], decision: &mut Decision) -> Result<(), Refusal> {
    let fitting: Vec<&Policy> = policies.iter().filter(|policy| policy.when.fit(decision)).collect();
    let names = |policy: &&Policy| policy.needs.as_ref().is_some_and(|needs| !needs.from.is_empty());
    if let Some(needs) = decision.needs.as_mut().filter(|_| fitting.iter().any(names)) {
        needs.from.clear();
    }
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
        return Err(Refusal::Forbidden("only an admin can change policies, and agents cannot".into()));
    }
    let known = |id: &str| state.policies.iter().find(|policy| policy.id == id);
    let event = match command {
        PolicyCommand::Add { id, new } => {
            check(state, new, actor)?;
            if state.policies.len() >= MOST {
                return Err(Refusal::invalid("project", format!("has {MOST} policies; remove some first")));
            }
            if known(id).is_some() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            let made = new.as_policy(id, &actor.by, now);
            Event::PolicyAdded(Box::new(Policy { project: project.to_owned(), ..made }))
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

fn check(state: &State, new: &NewPolicy, actor: &Actor) -> Result<(), Refusal> {
    if actor.auth == Auth::Claimed {
        return Err(Refusal::Forbidden(
            "use a server that checks who calls (hold serve): a policy depends on who answers".into(),
        ));
    }
    new.check()?;
    new.check_reach(&state.roster)
}
