//! One quiet line above the inbox: a rule for what the visitor allows again and again.
//!
//! What is suggested is worked out beside the page, now and then; a page shows what is known when it is drawn, so it waits for nothing
//! and nothing moves on it later.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdpoint_core::text::inert_line;
use holdpoint_engine::Rules as _;
use holdpoint_engine::rules::SuggestedRule;
use maud::{Markup, html};
use tokio::time::Instant;

use super::visitor::Visitor;
use crate::api::App;

/// For how long it is not worked out again.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// Of how many people it is kept.
const MOST: usize = 1_000;

/// What is suggested to each person, by the credential that they came with.
#[derive(Debug, Default)]
pub(crate) struct Suggested(Mutex<HashMap<String, Known>>);

#[derive(Debug)]
struct Known {
    since: Instant,
    rule: Option<Box<SuggestedRule>>,
}

impl Suggested {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it worked out anew for somebody: they made a rule, or do not want one.
    pub(super) fn forget(&self, visitor: &Visitor) {
        if let Some(who) = &visitor.caller.actor.credential {
            self.lock().remove(who);
        }
    }

    /// Returns what is known, and whether it is to be worked out again, which nobody else does then.
    fn look(&self, who: &str) -> (Option<SuggestedRule>, bool) {
        let mut all = self.lock();
        let known = all.get(who);
        let rule = known.and_then(|known| known.rule.as_deref().cloned());
        let is_fresh = known.is_some_and(|known| known.since.elapsed() < FRESH);
        if !is_fresh {
            if all.len() >= MOST {
                all.clear();
            }
            let kept = rule.clone().map(Box::new);
            all.insert(who.to_owned(), Known { since: Instant::now(), rule: kept });
        }
        (rule, !is_fresh)
    }
}

/// Suggests the rule that would save the visitor the most answers, if there is one.
pub(super) fn line(app: &Arc<App>, visitor: &Visitor) -> Markup {
    let Some(who) = visitor.caller.actor.credential.clone().filter(|_| visitor.signed_in) else {
        return html! {};
    };
    let (rule, is_old) = app.live.suggested.look(&who);
    if is_old {
        let (app, client) = (Arc::clone(app), visitor.client(app));
        tokio::spawn(async move {
            match client.suggested_rules(None).await {
                Ok(rules) => {
                    if let Some(known) = app.live.suggested.lock().get_mut(&who) {
                        known.rule = rules.into_iter().next().map(Box::new);
                    }
                }
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
            span dir="auto" { "You allowed " (inert_line(&tried.proposal.title)) " " (times) " times this week." }
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
