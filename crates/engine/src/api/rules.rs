//! Standing rules; for people.

use holdpoint_core::rule::Then;
use holdpoint_core::{NewRule, Span};
use serde::{Deserialize, Serialize};

use super::{Items, NoParams, ProjectParams, endpoints};
use crate::rules::{
    CreatedRule, Explanation, RuleRecord, ShownRule, SuggestedRule, TestedRule, TriedProposal, WaitingAsk,
};

endpoints! {
    "rules" {
        /// Makes a standing rule. One that would allow what people refused in the last 30 days is refused with how many that are,
        /// unless `despite_refusals` is set.
        CREATE_RULE = createRule People Post "/v1/rules"
            (NoParams, NewRule) => 201 CreatedRule, "The rule";
        /// Lists standing rules, ended ones too, the newest first.
        LIST_RULES = listRules People Get "/v1/rules"
            (ProjectParams, ()) => 200 Items<ShownRule>, "The rules";
        /// Tries a rule on what was asked before; writes nothing.
        TEST_RULE = testRule People Post "/v1/rules/test"
            (TestParams, NewRule) => 200 TestedRule, "What it would have done";
        /// Lists rules for what the caller has allowed five times in a week and nobody refused.
        LIST_SUGGESTED_RULES = listSuggestedRules People Get "/v1/rules/suggested"
            (ProjectParams, ()) => 200 Items<SuggestedRule>, "Rules that the caller's answers suggest";
        /// Does not suggest a rule to the caller again, in a project or wherever it is suggested; it is named by its code.
        DISMISS_RULE = dismissRule People Post "/v1/rules/suggested/{id}/dismiss"
            (ProjectParams, ()) => 204 (), "The suggestion is dismissed";
        /// Returns a standing rule, and what it has answered.
        GET_RULE = getRule People Get "/v1/rules/{id}"
            (NoParams, ()) => 200 RuleRecord, "The rule";
        /// Lists what waits already and would be answered by a rule, the oldest first. The rule leaves them alone: send each with its
        /// values and its digest to `/v1/answers`.
        LIST_RULE_WAITING = listRuleWaiting People Get "/v1/rules/{id}/waiting"
            (NoParams, ()) => 200 Items<WaitingAsk>, "What waits";
        /// Ends a standing rule. What it answered stays answered.
        REVOKE_RULE = revokeRule People Post "/v1/rules/{id}/revoke"
            (NoParams, ()) => 200 ShownRule, "The rule";
        /// Resumes a standing rule that has tripped.
        RESUME_RULE = resumeRule People Post "/v1/rules/{id}/resume"
            (NoParams, ()) => 200 ShownRule, "The rule";
        /// Lists the rules that a decision suggests, the narrowest first, each with what it would have done.
        PROPOSE_RULES = proposeRules People Get "/v1/decisions/{id}/rules"
            (ProposalParams, ()) => 200 Items<TriedProposal>, "Rules that could be made";
        /// Says what the rules make of a decision, and why none answers it.
        EXPLAIN_RULES = explainRules People Get "/v1/decisions/{id}/explanation"
            (NoParams, ()) => 200 Explanation, "What the rules say";
    }
}

/// On what a rule is tried.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct TestParams {
    /// How far back; 30 days if not given.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub since: Option<Span>,
}

/// What proposed rules should do.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ProposalParams {
    /// What the rules should do; allow if not given.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub then: Option<Then>,
}
