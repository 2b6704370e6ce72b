//! Standing rules for people: made, listed, ended, tried on what was asked before, and explained.

use std::collections::BTreeSet;

use holdpoint_core::decision::is_refusal;
use holdpoint_core::rule::{self, InForce, Proposal, Ruled, Then};
use holdpoint_core::{
    Command, Decision, DecisionId, NewRule, Project, Refusal, Rule, RuleCommand, RuleSet, RuleStatus, Span,
    Status, Timestamp, text,
};
use holdpoint_store::{Detail, Order, Query};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How far back a rule is tried if nothing is said.
const BACK_TEST: Span = Span::from_secs(30 * 24 * 60 * 60);
/// How many decisions a rule is tried on.
const MOST_TRIED: usize = 10_000;
/// How many decisions are read at a time.
const PAGE: usize = 500;
/// How many examples are shown.
const SHOWN: usize = 3;

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
}

/// What a rule would have done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackTest {
    /// How many asks it was tried on.
    pub tried: usize,
    /// How many of them it would have answered, or put to a person.
    pub matched: usize,
    /// How many of those a person had consented to.
    pub consented: usize,
    /// How many of those a person had refused.
    pub refused: usize,
    /// Some that it matches, those that a person had answered otherwise first.
    pub examples: Vec<TriedAsk>,
    /// Those that it misses by the least, each with the reason.
    pub near: Vec<TriedAsk>,
}

/// An ask that a rule was tried on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TriedAsk {
    /// Names it.
    pub id: DecisionId,
    /// What it was about, in a line.
    pub summary: String,
    /// What became of it.
    pub outcome: String,
    /// Why the rule does not match, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A rule that a decision suggests, and what it would have done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TriedProposal {
    /// The rule.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// What it would have done.
    pub test: BackTest,
    /// What its author should know about how far it reaches.
    pub warnings: Vec<String>,
}

impl TriedProposal {
    /// Returns how many of the asks that it matches a person had answered otherwise.
    pub fn contradicted(&self) -> usize {
        if self.proposal.rule.then == Then::Refuse { self.test.consented } else { self.test.refused }
    }
}

/// What the rules say about a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explanation {
    /// What they come to, in a sentence.
    pub summary: String,
    /// What each active rule that comes near says, the nearest first.
    pub rules: Vec<ExplainedRule>,
}

/// What a rule says about a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplainedRule {
    /// The rule.
    pub id: String,
    /// What it does, in a line.
    pub rule: String,
    /// Why it does not match; absent if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Engine {
    /// Makes a rule.
    pub async fn create_rule(&self, caller: &Caller, new: NewRule) -> Result<CreatedRule> {
        let id = rule::fresh_id(u64::from_le_bytes(crate::auth::random()?));
        let (project, warnings) = (new.project().to_owned(), new.warnings());
        let command = RuleCommand::Create { id: id.clone(), new: Box::new(new) };
        self.submit_for(caller, Command::Rule { project: project.clone(), command }, None).await?;
        let rules = holdpoint_store::rules(&*self.store, &project).await?;
        let made = rules.get(&id).ok_or(Refusal::NotFound { what: "rule", id })?;
        Ok(CreatedRule { rule: self.shown_rule(&rules, made).await?, warnings })
    }

    /// Lists the rules of a project, or of all that the caller may use; ended ones too, the newest first.
    pub async fn rules(&self, caller: &Caller, project: Option<&str>) -> Result<Vec<ShownRule>> {
        rule::may_manage(&caller.actor)?;
        let mut shown = Vec::new();
        for project in self.projects_with_rules(caller, project).await? {
            let rules = holdpoint_store::rules(&*self.store, &project).await?;
            for one in rules.all() {
                shown.push(self.shown_rule(&rules, one).await?);
            }
        }
        shown.sort_by_key(|shown| std::cmp::Reverse(shown.rule.created_at));
        Ok(shown)
    }

    /// Ends a rule, or lets one go on that has tripped. It is named by its id or a unique start of it.
    pub async fn change_rule(&self, caller: &Caller, id: &str, change: RuleChange) -> Result<ShownRule> {
        let found = self.find_rule(caller, id).await?.rule;
        let (id, project) = (found.id, found.project);
        let command = match change {
            RuleChange::Revoke => RuleCommand::Revoke { id: id.clone() },
            RuleChange::Resume => RuleCommand::Resume { id: id.clone() },
        };
        self.submit_for(caller, Command::Rule { project: project.clone(), command }, None).await?;
        self.find_rule(caller, &id).await
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
                Err(Refusal::invalid("id", "several rules start so; give more of the id").into())
            }
        }
    }

    /// Tries a rule on what was asked before; writes nothing.
    pub async fn test_rule(&self, caller: &Caller, new: &NewRule, since: Option<Span>) -> Result<BackTest> {
        rule::may_manage(&caller.actor)?;
        new.check()?;
        let asks = self.asks_before(caller, new.project(), since.unwrap_or(BACK_TEST)).await?;
        Ok(try_on(&new.as_rule("rul-test", &caller.actor, self.now().await?), &asks))
    }

    /// Lists the rules that a decision suggests, the narrowest first, each with what it would have done.
    pub async fn propose_rules(&self, caller: &Caller, id: &str, then: Then) -> Result<Vec<TriedProposal>> {
        rule::may_manage(&caller.actor)?;
        let id = self.find_for(caller, id).await?.id;
        // With the credential that it was asked with, which no caller is shown.
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

    /// Says what the rules make of a decision, and why none answers it.
    pub async fn explain_rules(&self, caller: &Caller, id: &str) -> Result<Explanation> {
        rule::may_manage(&caller.actor)?;
        let id = self.find_for(caller, id).await?.id;
        let missing = || Refusal::NotFound { what: "decision", id: id.to_string() };
        let decision = self.store.decision(id).await?.ok_or_else(missing)?;
        let rules = holdpoint_store::rules(&*self.store, &decision.project).await?;
        Ok(explain(&rules, &decision, self.now().await?))
    }

    /// Returns the rule that answered a decision, if one did.
    pub(crate) async fn rule_behind(&self, decision: &Decision) -> Result<Option<Rule>> {
        let answer = decision.answer.as_ref();
        let Some(id) = answer.and_then(|answer| answer.by.strip_prefix(rule::BY)) else { return Ok(None) };
        let rules = holdpoint_store::rules(&*self.store, &decision.project).await?;
        Ok(rules.get(id).cloned())
    }

    async fn shown_rule(&self, rules: &RuleSet, rule: &Rule) -> Result<ShownRule> {
        let used = match rule.uses {
            Some(_) => Some(holdpoint_store::rule_uses(&*self.store, &rule.id).await?),
            None => None,
        };
        Ok(ShownRule { rule: rule.clone(), status: rules.status(rule, self.now().await?), used })
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

    /// Reads what was asked in a project lately, the newest first.
    async fn asks_before(&self, caller: &Caller, project: &str, since: Span) -> Result<Vec<Decision>> {
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
            let count = page.items.len();
            asks.extend(page.items.into_iter().filter(|ask| now.since(ask.created_at) <= since));
            if page.next.is_none() || count == 0 || asks.len() >= MOST_TRIED {
                return Ok(asks);
            }
            query.cursor = page.next;
        }
    }
}

/// What becomes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleChange {
    /// It ends.
    Revoke,
    /// It goes on after it has tripped.
    Resume,
}

fn try_on(rule: &Rule, asks: &[Decision]) -> BackTest {
    let mut test = BackTest { tried: asks.len(), ..BackTest::default() };
    let (mut matched, mut near) = (Vec::new(), Vec::new());
    for ask in asks {
        match rule::matches(rule, ask) {
            Ok(()) => {
                let by_person = ask.answer.as_ref().is_some_and(|answer| !answer.by.starts_with(rule::BY));
                let answered = ask.status == Status::Answered && by_person;
                test.matched += 1;
                test.consented += usize::from(answered && !is_refusal(ask));
                test.refused += usize::from(answered && is_refusal(ask));
                let differs = answered && is_refusal(ask) != (rule.then == Then::Refuse);
                matched.push((!differs, tried(ask, None)));
            }
            Err(why) if why.nearness >= 3 => near.push((why.nearness, tried(ask, Some(why.to_string())))),
            Err(_) => {}
        }
    }
    matched.sort_by_key(|(agrees, _)| *agrees);
    near.sort_by_key(|(nearness, _)| std::cmp::Reverse(*nearness));
    near.dedup_by(|a, b| a.1.summary == b.1.summary && a.1.why == b.1.why);
    test.examples = matched.into_iter().map(|(_, ask)| ask).take(SHOWN).collect();
    test.near = near.into_iter().map(|(_, ask)| ask).take(SHOWN).collect();
    test
}

fn tried(ask: &Decision, why: Option<String>) -> TriedAsk {
    let outcome = match &ask.answer {
        Some(answer) => format!("{} by {}", answer.brief(), text::inert_line(&answer.by)),
        None => ask.status.to_string(),
    };
    TriedAsk { id: ask.id, summary: text::inert_line(text::start(ask.summary(), 200)), outcome, why }
}

/// Returns what a rule does, in a line.
pub fn rule_line(rule: &Rule) -> String {
    format!("{}: {}", rule.then.name(), rule.when)
}

fn explain(rules: &RuleSet, decision: &Decision, now: Timestamp) -> Explanation {
    let mut explained: Vec<(u8, ExplainedRule)> = Vec::new();
    for rule in rules.active(now) {
        let (nearness, why) = match rule::matches(rule, decision) {
            Ok(()) => (u8::MAX, None),
            Err(why) => (why.nearness, Some(why.to_string())),
        };
        explained.push((nearness, ExplainedRule { id: rule.id.clone(), rule: rule_line(rule), why }));
    }
    explained.sort_by_key(|(nearness, _)| std::cmp::Reverse(*nearness));
    let answered_by = decision.answer.as_ref().and_then(|answer| answer.by.strip_prefix(rule::BY));
    let authors =
        rules.authors().map(|author| (author.to_owned(), Timestamp::from_millis(i64::MIN))).collect();
    let in_force = InForce { rules: std::sync::Arc::new(rules.clone()), authors, ..InForce::default() };
    let summary = match (answered_by, in_force.rule_on(decision, now), explained.first()) {
        (Some(id), ..) => format!("{id} answered it."),
        (None, Some(Ruled::Asked(rule)), _) => format!("{} says that a person is asked.", rule.id),
        (None, Some(Ruled::Answered { rule, .. } | Ruled::Trips(rule)), _)
            if decision.status == Status::Pending =>
        {
            format!(
                "{} would answer it now; it was asked before that rule counted, or the rule had tripped.",
                rule.id
            )
        }
        (None, Some(_), _) => "A person answered it.".to_owned(),
        (None, None, None) => "There is no active rule in this project.".to_owned(),
        (None, None, Some((_, nearest))) => match &nearest.why {
            Some(why) => format!("No rule matches. Nearest is {}: {why}.", nearest.id),
            None => {
                format!("{} matches, but the question has no single option that it could take.", nearest.id)
            }
        },
    };
    Explanation { summary, rules: explained.into_iter().map(|(_, rule)| rule).take(20).collect() }
}

impl RuleChange {
    /// Returns its name, as it stands in the address.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Revoke => "revoke",
            Self::Resume => "resume",
        }
    }
}
