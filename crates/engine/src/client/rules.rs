//! Standing rules, from this process or over HTTP.

use async_trait::async_trait;
use holdpoint_core::rule::Then;
use holdpoint_core::{NewRule, Span};

use super::Embedded;
use crate::error::Result;
use crate::rules::{
    CreatedRule, Explanation, RuleChange, RuleRecord, ShownRule, SuggestedRule, TestedRule, TriedProposal,
    WaitingAsk,
};

/// The operations on standing rules.
#[async_trait]
pub trait Rules: Send + Sync {
    /// Makes a rule.
    async fn create_rule(&self, new: NewRule) -> Result<CreatedRule>;

    /// Lists rules, ended ones too, the newest first.
    async fn rules(&self, project: Option<&str>) -> Result<Vec<ShownRule>>;

    /// Returns the rule that an id or a unique start of one names, and what it has answered.
    async fn rule(&self, id: &str) -> Result<RuleRecord>;

    /// Ends a rule, or resumes a tripped one.
    async fn change_rule(&self, id: &str, change: RuleChange) -> Result<ShownRule>;

    /// Tries a rule on earlier questions; writes nothing.
    async fn test_rule(&self, new: NewRule, since: Option<Span>) -> Result<TestedRule>;

    /// Lists the rules that a decision suggests, the narrowest first.
    async fn propose_rules(&self, decision: &str, then: Then) -> Result<Vec<TriedProposal>>;

    /// Explains what the rules do with a decision, and why none answers it.
    async fn explain_rules(&self, decision: &str) -> Result<Explanation>;

    /// Lists rules for what the caller has allowed five times in a week and no person refused.
    async fn suggested_rules(&self, project: Option<&str>) -> Result<Vec<SuggestedRule>>;

    /// Dismisses a suggested rule for the caller.
    async fn dismiss_rule(&self, project: Option<&str>, code: &str) -> Result<()>;

    /// Lists what waits and would be answered by a rule if it were asked now.
    async fn waiting_for_rule(&self, id: &str) -> Result<Vec<WaitingAsk>>;
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

    async fn test_rule(&self, new: NewRule, since: Option<Span>) -> Result<TestedRule> {
        self.engine().test_rule(self.caller(), &new, since).await
    }

    async fn propose_rules(&self, decision: &str, then: Then) -> Result<Vec<TriedProposal>> {
        self.engine().propose_rules(self.caller(), decision, then).await
    }

    async fn explain_rules(&self, decision: &str) -> Result<Explanation> {
        self.engine().explain_rules(self.caller(), decision).await
    }

    async fn suggested_rules(&self, project: Option<&str>) -> Result<Vec<SuggestedRule>> {
        self.engine().suggested_rules(self.caller(), project).await
    }

    async fn dismiss_rule(&self, project: Option<&str>, code: &str) -> Result<()> {
        self.engine().dismiss_rule(self.caller(), project, code).await
    }

    async fn waiting_for_rule(&self, id: &str) -> Result<Vec<WaitingAsk>> {
        self.engine().waiting_for_rule(self.caller(), id).await
    }
}
