//! One line above the inbox: a rule for what the visitor allows repeatedly.
//!
//! Suggestions are computed in the background from time to time. A page shows what is known when it is rendered, so
//! it does not have to wait, and nothing moves on it later.

use std::sync::Arc;

use holdpoint_engine::Rules as _;
use holdpoint_engine::rules::SuggestedRule;
use maud::{Markup, html};

use super::rules;
use super::visitor::Visitor;
use crate::http::app::App;

/// Renders the rule that would save the visitor the most answers, if there is one.
pub(super) fn line(app: &Arc<App>, visitor: &Visitor) -> Markup {
    let Some(who) = visitor.caller.actor.credential.clone().filter(|_| visitor.signed_in) else {
        return html! {};
    };
    let (rule, is_old) = app.live.suggested.cached(&who);
    if is_old {
        let (app, client) = (Arc::clone(app), visitor.client(app));
        tokio::spawn(async move {
            match client.suggested_rules(None).await {
                Ok(rules) => app.live.suggested.learn(&who, rules.into_iter().next()),
                Err(error) => tracing::debug!("Could not work out what rules to suggest: {error}"),
            }
        });
    }
    rule.map_or_else(|| html! {}, |rule| markup(&rule, visitor))
}

fn markup(suggested: &SuggestedRule, visitor: &Visitor) -> Markup {
    let SuggestedRule { tried, times, decision } = suggested;
    html! {
        div #suggested .hint.suggested {
            span dir="auto" { "You allowed " (rules::what(tried)) " " (times) " times this week." }
            a href={ "/d/" (decision) "/rules" } { "Make it a rule…" }
            form method="post" action={ "/rules/suggested/" (tried.proposal.code) "/dismiss" } {
                (visitor.token())
                input type="hidden" name="project" value=(tried.proposal.rule.project());
                input type="hidden" name="back" value="/";
                button aria-label="Dismiss the suggestion" { "Dismiss" }
            }
        }
    }
}
