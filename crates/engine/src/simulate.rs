//! What other rules and policies would have done with recent questions. Nothing is written.

use std::sync::Arc;

use holdpoint_core::people::{NewPolicy, Policy, SimulatedOutcome, outcome, simulate};
use holdpoint_core::{Decision, DecisionId, Event, NewRule, Refusal, Span, Timestamp, access, text};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How far back to look by default.
const SINCE: Span = Span::from_secs(30 * 24 * 60 * 60);
/// How many asks with a different outcome are listed.
const LISTED: usize = 200;
/// How many rules, and how many policies, may be tried at once.
const MOST: usize = 200;

/// What to try on past decisions, in addition to the current rules. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SimulationInput {
    /// In which project; `default` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// How far back; 30 days if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Span>,
    /// Rules.
    #[serde(rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<NewRule>,
    /// Policies.
    #[serde(rename = "policy", skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<NewPolicy>,
}

impl SimulationInput {
    /// Reads a file with `[[rule]]` and `[[policy]]` tables.
    ///
    /// # Errors
    /// If the text cannot be parsed, with the reason.
    pub fn from_toml(text: &str) -> std::result::Result<Self, String> {
        toml::from_str(text).map_err(|why| why.to_string())
    }
}

/// What would have been.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Simulation {
    /// How many asks were looked at.
    pub tried: usize,
    /// How many of them a rule would have answered.
    pub by_rules: usize,
    /// How many of those a person had answered otherwise.
    pub contradicted: usize,
    /// How many would have been settled as they were.
    pub same: usize,
    /// How many would have waited for more people.
    pub waiting: usize,
    /// How many could not have been asked so.
    pub refused: usize,
    /// How often somebody would have been notified because nobody answered.
    pub told: usize,
    /// Those that would have gone otherwise, the newest first; at most 200.
    pub items: Vec<SimulatedAsk>,
}

/// An ask that would have gone otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SimulatedAsk {
    /// Names it.
    pub id: DecisionId,
    /// What it was about, in a line.
    pub summary: String,
    /// When it was asked.
    pub created_at: Timestamp,
    /// The outcome.
    pub outcome: String,
    /// What would have become of it.
    pub would_be: String,
    /// Who would have been told meanwhile, in words.
    pub told: Vec<String>,
}

impl Engine {
    /// Replays recent questions with further rules and policies.
    pub async fn simulate(&self, caller: &Caller, input: SimulationInput) -> Result<Simulation> {
        access::administers(&caller.actor, "a project's policies")?;
        let project = input.project.clone().unwrap_or_else(|| holdpoint_core::Project::DEFAULT.to_owned());
        check(&input, &project)?;
        let now = self.now().await?;
        let asks = self.asks_before(caller, &project, input.since.unwrap_or(SINCE)).await?;
        let roster = holdpoint_store::roster(&*self.store).await?;
        // Rules and policies that could not be created are refused here too.
        for policy in &input.policies {
            self.check_named(policy).await?;
            policy.check_reach(&roster)?;
        }
        let mut in_force = self.rules_in_force(&project).await?;
        let rules = Arc::make_mut(&mut in_force.rules);
        let mut policies: Vec<Policy> =
            holdpoint_store::rules(&*self.store, &project).await?.policies().to_vec();
        for (at, new) in (1..).zip(&input.rules) {
            let rule = new.as_rule(&format!("rule {at} of the file"), &caller.actor, now);
            rules.apply(&Event::RuleCreated(Box::new(holdpoint_core::Rule { made_with: None, ..rule })));
        }
        for (at, new) in (1..).zip(&input.policies) {
            policies.push(new.as_policy(&format!("policy {at} of the file"), &caller.actor.by, now));
        }
        let tokens = self.store.tokens().await?;
        let requester = |ask: &Decision| {
            let token = tokens.iter().find(|token| Some(&token.id) == ask.asked_with.as_ref());
            ask.requester.clone().or_else(|| token.and_then(|token| token.owner.clone()))
        };
        let mut found = Simulation { tried: asks.len(), ..Simulation::default() };
        for ask in &asks {
            let simulated = simulate(ask, &in_force, &policies, &roster, requester(ask).as_deref(), now);
            let was_by_person = ask.answer.as_ref().is_some_and(|answer| !answer.by.contains(':'));
            match &simulated.would_be {
                SimulatedOutcome::Ruled { then, .. } => {
                    found.by_rules += 1;
                    let refuses = *then == holdpoint_core::rule::Then::Refuse;
                    let is_refusal = holdpoint_core::decision::is_refusal(ask);
                    found.contradicted += usize::from(was_by_person && is_refusal != refuses);
                }
                SimulatedOutcome::Same { .. } => found.same += 1,
                SimulatedOutcome::Waiting { .. } => found.waiting += 1,
                SimulatedOutcome::Refused(_) => found.refused += 1,
            }
            found.told += simulated.told.len();
            if simulated.differs && found.items.len() < LISTED {
                let told = simulated.told.iter().map(|told| {
                    let people =
                        if told.people.is_empty() { "nobody".into() } else { told.people.join(", ") };
                    text::inert_line(&format!("{}: {} ({people})", told.at, told.what))
                });
                found.items.push(SimulatedAsk {
                    id: ask.id,
                    summary: text::inert_line(text::start(ask.summary(), 200)),
                    created_at: ask.created_at,
                    outcome: outcome(ask),
                    would_be: describe(&simulated.would_be),
                    told: told.collect(),
                });
            }
        }
        Ok(found)
    }
}

fn check(input: &SimulationInput, project: &str) -> Result<()> {
    if input.rules.len().max(input.policies.len()) > MOST {
        return Err(
            Refusal::invalid("rule", format!("at most {MOST} rules and policies are tried at once")).into()
        );
    }
    if input.since.is_some_and(|since| since <= Span::from_millis(0)) {
        return Err(Refusal::invalid("since", "must be longer than zero, e.g. 30d").into());
    }
    let named = input.rules.iter().filter_map(|rule| rule.project.as_deref());
    let named = named.chain(input.policies.iter().filter_map(|policy| policy.project.as_deref()));
    if let Some(other) = named.into_iter().find(|name| *name != project) {
        let why = format!("{} is another project than {}", text::quote(other), text::quote(project));
        return Err(Refusal::invalid("project", why).into());
    }
    for rule in &input.rules {
        rule.check()?;
    }
    for policy in &input.policies {
        policy.check()?;
    }
    Ok(())
}

fn describe(would_be: &SimulatedOutcome) -> String {
    match would_be {
        SimulatedOutcome::Ruled { rule, then } => format!("{then} by {rule}, at once", then = then.name()),
        SimulatedOutcome::Same { by } => format!("as it was, by {}", by.join(", ")),
        SimulatedOutcome::Waiting { progress } => format!("waits: {progress}"),
        SimulatedOutcome::Refused(refusal) => text::inert_line(&format!("cannot be asked so: {refusal}")),
    }
}
