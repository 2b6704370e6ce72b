//! Standing rules over HTTP; for people.

use holdpoint_core::rule::Then;
use holdpoint_engine::Rules as _;
use holdpoint_engine::api::Items;
use holdpoint_engine::api::rules::{
    CREATE_RULE, DISMISS_RULE, EXPLAIN_RULES, GET_RULE, LIST_RULE_WAITING, LIST_RULES, LIST_SUGGESTED_RULES,
    PROPOSE_RULES, RESUME_RULE, REVOKE_RULE, TEST_RULE,
};
use holdpoint_engine::rules::RuleChange;

use super::routes::Routes;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&CREATE_RULE, |call| async move { call.client().create_rule(call.body).await })
        .on(&LIST_RULES, |call| async move {
            call.client().rules(call.query.project.as_deref()).await.map(Items::from)
        })
        .on(&TEST_RULE, |call| async move { call.client().test_rule(call.body, call.query.since).await })
        .on(&GET_RULE, |call| async move { call.client().rule(&call.name).await })
        .on(&LIST_RULE_WAITING, |call| async move {
            call.client().waiting_for_rule(&call.name).await.map(Items::from)
        })
        .on(
            &REVOKE_RULE,
            |call| async move { call.client().change_rule(&call.name, RuleChange::Revoke).await },
        )
        .on(
            &RESUME_RULE,
            |call| async move { call.client().change_rule(&call.name, RuleChange::Resume).await },
        )
        .on(&PROPOSE_RULES, |call| async move {
            let then = call.query.then.unwrap_or(Then::Allow);
            call.client().propose_rules(&call.name, then).await.map(Items::from)
        })
        .on(&LIST_SUGGESTED_RULES, |call| async move {
            call.client().suggested_rules(call.query.project.as_deref()).await.map(Items::from)
        })
        .on(&DISMISS_RULE, |call| async move {
            call.client().dismiss_rule(call.query.project.as_deref(), &call.name).await
        })
        .on(&EXPLAIN_RULES, |call| async move { call.client().explain_rules(&call.name).await })
}
