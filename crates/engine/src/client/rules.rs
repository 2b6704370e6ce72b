//! Standing rules, from this process or over a wire.

use async_trait::async_trait;
use holdpoint_core::rule::Then;
use holdpoint_core::{NewRule, Span};
#[cfg(feature = "http-client")]
use reqwest::Method;
#[cfg(feature = "http-client")]
use serde_json::json;

use super::Embedded;
#[cfg(feature = "http-client")]
use super::Http;
#[cfg(feature = "http-client")]
use super::bodies::Items;
#[cfg(feature = "http-client")]
use super::http::segment;
use crate::error::Result;
use crate::rules::{BackTest, CreatedRule, Explanation, RuleChange, RuleRecord, ShownRule, TriedProposal};

/// All that can be done with standing rules.
#[async_trait]
pub trait Rules: Send + Sync {
    /// Makes a rule.
    async fn create_rule(&self, new: NewRule) -> Result<CreatedRule>;

    /// Lists rules, ended ones too, the newest first.
    async fn rules(&self, project: Option<&str>) -> Result<Vec<ShownRule>>;

    /// Returns the rule that an id or a unique start of one names, and what it has answered.
    async fn rule(&self, id: &str) -> Result<RuleRecord>;

    /// Ends a rule, or lets one go on that has tripped.
    async fn change_rule(&self, id: &str, change: RuleChange) -> Result<ShownRule>;

    /// Tries a rule on what was asked before; writes nothing.
    async fn test_rule(&self, new: NewRule, since: Option<Span>) -> Result<BackTest>;

    /// Lists the rules that a decision suggests, the narrowest first.
    async fn propose_rules(&self, decision: &str, then: Then) -> Result<Vec<TriedProposal>>;

    /// Says what the rules make of a decision, and why none answers it.
    async fn explain_rules(&self, decision: &str) -> Result<Explanation>;
}

#[async_trait]
impl Rules for Embedded {
    async fn create_rule(&self, new: NewRule) -> Result<CreatedRule> {
        self.engine().create_rule(self.caller(), new).await
    }

    async fn rules(&self, project: Option<&str>) -> Result<Vec<ShownRule>> {
        self.engine().rules(self.caller(), project).await
    }

    async fn rule(&self, id: &str) -> Result<RuleRecord> {
        self.engine().rule_record(self.caller(), id).await
    }

    async fn change_rule(&self, id: &str, change: RuleChange) -> Result<ShownRule> {
        self.engine().change_rule(self.caller(), id, change).await
    }

    async fn test_rule(&self, new: NewRule, since: Option<Span>) -> Result<BackTest> {
        self.engine().test_rule(self.caller(), &new, since).await
    }

    async fn propose_rules(&self, decision: &str, then: Then) -> Result<Vec<TriedProposal>> {
        self.engine().propose_rules(self.caller(), decision, then).await
    }

    async fn explain_rules(&self, decision: &str) -> Result<Explanation> {
        self.engine().explain_rules(self.caller(), decision).await
    }
}

#[cfg(feature = "http-client")]
#[async_trait]
impl Rules for Http {
    async fn create_rule(&self, new: NewRule) -> Result<CreatedRule> {
        self.send(Method::POST, "/v1/rules", &json!(new)).await
    }

    async fn rules(&self, project: Option<&str>) -> Result<Vec<ShownRule>> {
        let query: Vec<_> = project.map(|project| ("project", project.to_owned())).into_iter().collect();
        Ok(self.get_json::<Items<ShownRule>>("/v1/rules", &query).await?.items)
    }

    async fn rule(&self, id: &str) -> Result<RuleRecord> {
        self.get_json(&format!("/v1/rules/{}", segment(id)), &[]).await
    }

    async fn change_rule(&self, id: &str, change: RuleChange) -> Result<ShownRule> {
        let path = format!("/v1/rules/{}/{}", segment(id), change.name());
        self.send(Method::POST, &path, &json!({})).await
    }

    async fn test_rule(&self, new: NewRule, since: Option<Span>) -> Result<BackTest> {
        let since = since.map(|since| format!("?since={since}")).unwrap_or_default();
        self.send(Method::POST, &format!("/v1/rules/test{since}"), &json!(new)).await
    }

    async fn propose_rules(&self, decision: &str, then: Then) -> Result<Vec<TriedProposal>> {
        let path = format!("/v1/decisions/{}/rules", segment(decision));
        let query = [("then", then.name().to_owned())];
        Ok(self.get_json::<Items<TriedProposal>>(&path, &query).await?.items)
    }

    async fn explain_rules(&self, decision: &str) -> Result<Explanation> {
        self.get_json(&format!("/v1/decisions/{}/explanation", segment(decision)), &[]).await
    }
}
