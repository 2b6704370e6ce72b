//! Rules suggested by a person's own answers: the same ask, allowed repeatedly.

use std::collections::{BTreeSet, HashMap};

use holdpoint_core::decision::is_refusal;
use holdpoint_core::rule::{self, Proposal, Then, When};
use holdpoint_core::{Command, Decision, DecisionId, Refusal, RuleCommand, Span, Status, text};
use serde::{Deserialize, Serialize};

use super::back_test::{TriedProposal, try_on};
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How far back answers are read.
const WEEK: Span = Span::from_secs(7 * 24 * 60 * 60);
/// How often the same ask must have been allowed.
const OFTEN: usize = 5;

/// A rule that somebody's own answers suggest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuggestedRule {
    /// The rule, and what it would have done.
    #[serde(flatten)]
    pub tried: TriedProposal,
    /// How often the caller allowed the same in the last seven days.
    pub times: usize,
    /// The last of those asks.
    pub decision: DecisionId,
}

impl Engine {
    /// Lists rules for what the caller has allowed five times in a week and no person refused, the most frequent first.
    pub async fn suggested_rules(
        &self,
        caller: &Caller,
        project: Option<&str>,
    ) -> Result<Vec<SuggestedRule>> {
        rule::may_manage(&caller.actor)?;
        let now = self.now().await?;
        let mut suggested = Vec::new();
        for project in self.projects_with_rules(caller, project).await? {
            let asks = self.asks_before(caller, &project, WEEK).await?;
            let mut often = allowed_often(&asks, &caller.actor.by);
            if often.is_empty() {
                continue;
            }
            let in_force = self.rules_in_force(&project).await?;
            often.retain(|(ask, _)| in_force.rule_on(ask, now).is_none());
            for (ask, times) in often {
                // Including the credential that it was asked with, which a list leaves out.
                let Some(ask) = self.store.decision(ask.id).await? else { continue };
                let Some(proposal) = narrowest(&ask) else { continue };
                let test = try_on(&proposal.rule.as_rule("rul-test", &caller.actor, now), &asks);
                let tried = TriedProposal { warnings: proposal.rule.warnings(), proposal, test };
                let is_dismissed = in_force.rules.is_dismissed(&tried.proposal.code, &caller.actor.by);
                if tried.against_refusals() == 0 && !is_dismissed {
                    suggested.push(SuggestedRule { tried, times, decision: ask.id });
                }
            }
        }
        suggested.sort_by_key(|one| (std::cmp::Reverse(one.times), one.decision));
        Ok(suggested)
    }

    /// Dismisses a suggested rule for the caller, in a project or wherever it is suggested.
    pub async fn dismiss_rule(&self, caller: &Caller, project: Option<&str>, code: &str) -> Result<()> {
        let suggested = self.suggested_rules(caller, project).await?;
        let meant = suggested.iter().filter(|one| one.tried.proposal.code == code);
        let projects: BTreeSet<&str> = meant.map(|one| one.tried.proposal.rule.project()).collect();
        for project in &projects {
            let command = RuleCommand::Dismiss { code: code.to_owned() };
            self.submit_for(caller, Command::Rule { project: (*project).to_owned(), command }, None).await?;
        }
        if !projects.is_empty() {
            return Ok(());
        }
        // Dismissing it again is not an error.
        for project in self.projects_with_rules(caller, project).await? {
            let rules = holdpoint_store::rules(&*self.store, &project).await?;
            if rules.is_dismissed(code, &caller.actor.by) {
                return Ok(());
            }
        }
        Err(Refusal::NotFound { what: "suggestion", id: text::inert_line(code) }.into())
    }
}

/// Finds what a person has allowed often and no person has refused: the last ask of each kind, and how often. Asks are
/// of the same kind if the same narrow rule would answer them, however the agent described them.
fn allowed_often<'a>(asks: &'a [Decision], by: &str) -> Vec<(&'a Decision, usize)> {
    let mut kinds: HashMap<String, (&Decision, usize, bool)> = HashMap::new();
    for ask in asks.iter().filter(|ask| ask.status == Status::Answered) {
        let Some(proposal) = narrowest(ask) else { continue };
        let when = When { asked_with: None, ..proposal.rule.when };
        let Ok(kind) = serde_json::to_string(&when) else { continue };
        let is_theirs = ask.answer.as_ref().is_some_and(|answer| answer.by == by);
        let refused = is_refusal(ask);
        let (_, times, ever_refused) = kinds.entry(kind).or_insert((ask, 0, false));
        *times += usize::from(is_theirs && !refused);
        *ever_refused |= refused;
    }
    let often = kinds.into_values().filter(|(_, times, refused)| *times >= OFTEN && !refused);
    often.map(|(ask, times, _)| (ask, times)).collect()
}

/// Returns the narrowest rule that covers the same ask with a different description.
fn narrowest(ask: &Decision) -> Option<Proposal> {
    let mut proposals = rule::proposals(ask, Then::Allow).into_iter();
    let question = proposals.next();
    proposals.next().or(question)
}
