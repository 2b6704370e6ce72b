//! Standing rules, as requests.

use async_trait::async_trait;
use holdpoint_core::rule::Then;
use holdpoint_core::{NewRule, Span};

use super::{Http, TIMEOUT};
use crate::api::ProjectParams;
use crate::api::rules::{
    CREATE_RULE, DISMISS_RULE, EXPLAIN_RULES, GET_RULE, LIST_RULE_WAITING, LIST_RULES, LIST_SUGGESTED_RULES,
    PROPOSE_RULES, ProposalParams, RESUME_RULE, REVOKE_RULE, TEST_RULE, TestParams,
};
use crate::client::Rules;
use crate::error::Result;
use crate::rules::{
    CreatedRule, Explanation, RuleChange, RuleRecord, ShownRule, SuggestedRule, TestedRule, TriedProposal,
    WaitingAsk,
};

#[async_trait]
impl Rules for Http {
    async fn create_rule(&self, new: NewRule) -> Result<CreatedRule> {
        self.send(&CREATE_RULE, &[], &new).await
    }

    async fn rules(&self, project: Option<&str>) -> Result<Vec<ShownRule>> {
        Ok(self.query(&LIST_RULES, &[], &ProjectParams::of(project)).await?.items)
    }

    async fn rule(&self, id: &str) -> Result<RuleRecord> {
        self.call(&GET_RULE, &[id]).await
    }

    async fn change_rule(&self, id: &str, change: RuleChange) -> Result<ShownRule> {
        let endpoint = match change {
            RuleChange::Revoke => &REVOKE_RULE,
            RuleChange::Resume => &RESUME_RULE,
        };
        self.call(endpoint, &[id]).await
    }

    async fn test_rule(&self, new: NewRule, since: Option<Span>) -> Result<TestedRule> {
        let query = TestParams { since };
        let make = || self.request(&TEST_RULE, &[]).query(&query).json(&new);
        self.read(self.persist(make, TIMEOUT).await?).await
    }

    async fn propose_rules(&self, decision: &str, then: Then) -> Result<Vec<TriedProposal>> {
        let query = ProposalParams { then: Some(then) };
        Ok(self.query(&PROPOSE_RULES, &[decision], &query).await?.items)
    }

    async fn explain_rules(&self, decision: &str) -> Result<Explanation> {
        self.call(&EXPLAIN_RULES, &[decision]).await
    }

    async fn suggested_rules(&self, project: Option<&str>) -> Result<Vec<SuggestedRule>> {
        Ok(self.query(&LIST_SUGGESTED_RULES, &[], &ProjectParams::of(project)).await?.items)
    }

    async fn dismiss_rule(&self, project: Option<&str>, code: &str) -> Result<()> {
        self.query(&DISMISS_RULE, &[code], &ProjectParams::of(project)).await
    }

    async fn waiting_for_rule(&self, id: &str) -> Result<Vec<WaitingAsk>> {
        Ok(self.call(&LIST_RULE_WAITING, &[id]).await?.items)
    }
}
