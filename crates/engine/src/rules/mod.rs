//! Standing rules for people: made, listed, ended, tried on earlier questions, and explained.

mod back_test;
mod explain;
pub(crate) mod settings;
mod suggest;
mod waiting;

use std::collections::BTreeSet;
use std::sync::Arc;

use holdpoint_core::rule::{self, InForce, Proposal, Then};
use holdpoint_core::{
    Command, Decision, NewRule, Person, Project, Refusal, Rule, RuleCommand, RuleStatus, Span, text,
};
use holdpoint_store::{Detail, Order, Query, SharedDecision};
use serde::{Deserialize, Serialize};

pub use back_test::{BackTest, TestedRule, TriedAsk, TriedProposal};
pub use explain::{ExplainedRule, Explanation, rule_line};
pub use settings::Settings;
pub use suggest::SuggestedRule;
pub use waiting::WaitingAsk;

use back_test::{tried, try_on};
use explain::explain;

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How far back a rule is tried by default.
const BACK_TEST: Span = Span::from_secs(30 * 24 * 60 * 60);
/// How many decisions a rule is tried on.
const MOST_TRIED: usize = 10_000;
/// How many decisions are read at a time.
const PAGE: usize = 500;
/// How many of the asks that a rule has answered are listed.
const MOST_LISTED: usize = 20;

/// A rule and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShownRule {
    /// The rule.
    #[serde(flatten)]
    pub rule: Rule,
    /// Where it stands.
    pub status: RuleStatus,
    /// How often it has answered, where it may only so often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<u64>,
}

/// A rule, where it stands, and what it has answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleRecord {
    /// The rule.
    #[serde(flatten)]
    pub rule: ShownRule,
    /// How many of the latest 10,000 asks it answered.
    pub answered: usize,
    /// The last of those.
    pub last_answered: Vec<TriedAsk>,
}

/// A rule that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreatedRule {
    /// The rule.
    #[serde(flatten)]
    pub rule: ShownRule,
    /// What its author should know about how far it reaches.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// What waits already and would be answered by it, the oldest first, at most 100. The rule leaves them alone: a person answers them,
    /// e.g. all at once with `POST /v1/answers`.
    #[serde(default)]
    pub waiting: Vec<WaitingAsk>,
}

impl Engine {
    /// Makes a rule. If it would allow something that people refused, its author has to confirm that.
    pub async fn create_rule(&self, caller: &Caller, new: NewRule) -> Result<CreatedRule> {
        if new.then == Then::Allow && !new.despite_refusals {
            let count = self.test_rule(caller, &new, None).await?.test.refused;
            if count > 0 {
                return Err(Refusal::RefusedBefore { count }.into());
            }
        }
        let id = rule::fresh_id(u64::from_le_bytes(crate::auth::random()?));
        let (project, warnings) = (new.project().to_owned(), new.warnings());
        let command = RuleCommand::Create { id: id.clone(), new: Box::new(new) };
        self.submit_for(caller, Command::Rule { project: project.clone(), command }, None).await?;
        let in_force = self.rules_in_force(&project).await?;
        let made = in_force.rules.get(&id).ok_or(Refusal::NotFound { what: "rule", id })?;
        let waiting = self.waiting_for(made).await?;
        Ok(CreatedRule { rule: self.shown_rule(&in_force, made).await?, warnings, waiting })
    }

    /// Lists the rules of a project, or of all that the caller may use, ended ones included, newest first.
    pub async fn rules(&self, caller: &Caller, project: Option<&str>) -> Result<Vec<ShownRule>> {
        rule::may_manage(&caller.actor)?;
        let mut shown = Vec::new();
        for project in self.projects_with_rules(caller, project).await? {
            let in_force = self.rules_in_force(&project).await?;
            for one in in_force.rules.all() {
                shown.push(self.shown_rule(&in_force, one).await?);
            }
        }
        shown.sort_by_key(|shown| std::cmp::Reverse(shown.rule.created_at));
        Ok(shown)
    }

    /// Ends a rule, or resumes a tripped one, named by its id or a unique prefix of it.
    pub async fn change_rule(&self, caller: &Caller, id: &str, change: RuleChange) -> Result<ShownRule> {
        let found = self.find_rule(caller, id).await?.rule;
        let (id, project) = (found.id, found.project);
        let command = match change {
            RuleChange::Revoke => RuleCommand::Revoke { id: id.clone() },
            RuleChange::Resume => RuleCommand::Resume { id: id.clone() },
        };
        self.submit_for(caller, Command::Rule { project: project.clone(), command }, None).await?;
        self.withdraw_question(caller, &project, &id, change).await?;
        self.find_rule(caller, &id).await
    }

    /// Cancels the question whether a rule continues, once that has been decided elsewhere.
    async fn withdraw_question(
        &self,
        caller: &Caller,
        project: &str,
        rule: &str,
        change: RuleChange,
    ) -> Result<()> {
        let rules = holdpoint_store::rules(&*self.store, project).await?;
        let Some(id) = rules.asked_whether(rule) else { return Ok(()) };
        let done = match change {
            RuleChange::Revoke => "revoked",
            RuleChange::Resume => "resumed",
        };
        let reason = Some(format!("{rule} was {done} by {}", text::inert_line(&caller.actor.by)));
        match self.submit_for(caller, Command::Cancel { id, reason }, None).await {
            // It has been answered, or is from an earlier trip.
            Ok(_) | Err(crate::error::Error::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Returns the rule that an id or a unique start of one names.
    pub async fn find_rule(&self, caller: &Caller, id: &str) -> Result<ShownRule> {
        let bare = |id: &str| id.trim().to_ascii_lowercase().trim_start_matches("rul-").to_owned();
        let wanted = bare(id);
        let rules = self.rules(caller, None).await?;
        let mut fitting =
            rules.into_iter().filter(|shown| !wanted.is_empty() && bare(&shown.rule.id).starts_with(&wanted));
        match (fitting.next(), fitting.next()) {
            (Some(found), None) => Ok(found),
            (None, _) => Err(Refusal::NotFound { what: "rule", id: text::inert_line(id) }.into()),
            (Some(_), Some(_)) => {
                Err(Refusal::invalid("id", "several rules start with this; give more of the id").into())
            }
        }
    }

    /// Tries a rule on earlier questions; writes nothing.
    pub async fn test_rule(&self, caller: &Caller, new: &NewRule, since: Option<Span>) -> Result<TestedRule> {
        rule::may_manage(&caller.actor)?;
        new.check()?;
        let asks = self.asks_before(caller, new.project(), since.unwrap_or(BACK_TEST)).await?;
        let test = try_on(&new.as_rule("rul-test", &caller.actor, self.now().await?), &asks);
        Ok(TestedRule { test, warnings: new.warnings() })
    }

    /// Lists the rules that a decision suggests, the narrowest first, each with what it would have done.
    pub async fn propose_rules(&self, caller: &Caller, id: &str, then: Then) -> Result<Vec<TriedProposal>> {
        rule::may_manage(&caller.actor)?;
        let id = self.find_for(caller, id).await?.id;
        // Including the credential that it was asked with, which is not shown to callers.
        let missing = || Refusal::NotFound { what: "decision", id: id.to_string() };
        let decision = self.store.decision(id).await?.ok_or_else(missing)?;
        let proposals = rule::proposals(&decision, then);
        if proposals.is_empty() {
            return Ok(Vec::new());
        }
        let asks = self.asks_before(caller, &decision.project, BACK_TEST).await?;
        let now = self.now().await?;
        let tried = |proposal: Proposal| {
            let test = try_on(&proposal.rule.as_rule("rul-test", &caller.actor, now), &asks);
            TriedProposal { warnings: proposal.rule.warnings(), proposal, test }
        };
        Ok(proposals.into_iter().map(tried).collect())
    }

    /// Explains what the rules do with a decision, and why none answers it.
    pub async fn explain_rules(&self, caller: &Caller, id: &str) -> Result<Explanation> {
        rule::may_manage(&caller.actor)?;
        let id = self.find_for(caller, id).await?.id;
        let missing = || Refusal::NotFound { what: "decision", id: id.to_string() };
        let decision = self.store.decision(id).await?.ok_or_else(missing)?;
        let in_force = self.rules_in_force(&decision.project).await?;
        Ok(explain(&in_force, &decision, self.now().await?))
    }

    /// Returns the rule that answered a decision, if one did.
    pub(crate) async fn rule_behind(&self, decision: &Decision) -> Result<Option<Rule>> {
        let answer = decision.answer.as_ref();
        let Some(id) = answer.and_then(|answer| answer.by.strip_prefix(rule::BY)) else { return Ok(None) };
        let rules = holdpoint_store::rules(&*self.store, &decision.project).await?;
        Ok(rules.get(id).cloned())
    }

    async fn shown_rule(&self, in_force: &InForce, rule: &Rule) -> Result<ShownRule> {
        let used = match rule.uses {
            Some(_) => Some(holdpoint_store::rule_uses(&*self.store, &rule.id).await?),
            None => None,
        };
        Ok(ShownRule { rule: rule.clone(), status: in_force.status(rule, self.now().await?), used })
    }

    /// Reads the rules of a project, and which of their authors may still answer there.
    pub(crate) async fn rules_in_force(&self, project: &str) -> Result<InForce> {
        let rules = holdpoint_store::rules(&*self.store, project).await?;
        if rules.is_empty() {
            return Ok(InForce::default());
        }
        let now = self.now().await?;
        let mut people = self.store.people().await?;
        let mut tokens = self.store.tokens().await?;
        let named = |name: &str| people.iter().find(|person| person.name == name);
        tokens.retain(|token| token.still_speaks_in(project, now, named));
        people.retain(|person| person.answers_in(project));
        let people = people.into_iter().map(|person| (Person::credential(&person.name), person.created_at));
        let tokens = tokens.into_iter().map(|token| (token.id, token.created_at));
        Ok(InForce { authors: people.chain(tokens).collect(), rules: Arc::new(rules), ..InForce::default() })
    }

    /// Returns a rule and what it has answered.
    pub async fn rule_record(&self, caller: &Caller, id: &str) -> Result<RuleRecord> {
        let rule = self.find_rule(caller, id).await?;
        let since = self.now().await?.since(rule.rule.created_at);
        let by = format!("{}{}", rule::BY, rule.rule.id);
        let mut asks = self.asks_before(caller, &rule.rule.project, since).await?;
        asks.retain(|ask| ask.answer.as_ref().is_some_and(|answer| answer.by == by));
        let last_answered = asks.iter().take(MOST_LISTED).map(|ask| tried(ask, None)).collect();
        Ok(RuleRecord { rule, answered: asks.len(), last_answered })
    }

    pub(crate) async fn projects_with_rules(
        &self,
        caller: &Caller,
        project: Option<&str>,
    ) -> Result<BTreeSet<String>> {
        let named = if let Some(project) = project {
            BTreeSet::from([project.to_owned()])
        } else {
            let known = self.store.projects().await?.into_iter().map(|project| project.name);
            known.chain([Project::DEFAULT.to_owned()]).collect()
        };
        Ok(named.into_iter().filter(|project| caller.may_use(project)).collect())
    }

    /// Reads the recent questions of a project, newest first.
    pub(crate) async fn asks_before(
        &self,
        caller: &Caller,
        project: &str,
        since: Span,
    ) -> Result<Vec<Decision>> {
        if !caller.may_use(project) {
            return Err(Refusal::Forbidden(format!(
                "this credential is not for project {}",
                text::quote(project)
            ))
            .into());
        }
        let now = self.now().await?;
        let mut query = Query {
            project: Some(project.to_owned()),
            order: Order::NewestFirst,
            limit: PAGE,
            now: Some(now),
            detail: Detail::Whole,
            ..Query::default()
        };
        let mut asks = Vec::new();
        loop {
            let page = self.store.list(&query).await?;
            // They are ordered by age: whatever follows one that is too old is older still.
            let is_over = page.items.last().is_none_or(|last| now.since(last.created_at) > since);
            let recent = page.items.into_iter().filter(|ask| now.since(ask.created_at) <= since);
            asks.extend(recent.map(SharedDecision::into_decision));
            if page.next.is_none() || is_over || asks.len() >= MOST_TRIED {
                return Ok(asks);
            }
            query.cursor = page.next;
        }
    }
}

/// A change to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleChange {
    /// Ends it.
    Revoke,
    /// Resumes it after it has tripped.
    Resume,
}
