//! What the rules of a project say about a decision, and why none answers it.

use holdpoint_core::rule::{self, InForce, Ruled};
use holdpoint_core::{Decision, Rule, RuleStatus, Status, Timestamp, text};
use serde::{Deserialize, Serialize};

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

/// Returns what a rule does, in a line.
pub fn rule_line(rule: &Rule) -> String {
    format!("{}: {}", rule.then.name(), rule.when)
}

/// How much of a rule must fit that it is worth naming: who asks, with which tool, and something of what is asked.
const NEAR: u8 = 3;
/// How near a rule is that is for the very thing that is asked.
const ABOUT: u8 = 6;

/// Says what the rules make of a decision.
pub(super) fn explain(in_force: &InForce, decision: &Decision, now: Timestamp) -> Explanation {
    let mut explained: Vec<((u8, usize), ExplainedRule)> = Vec::new();
    let mut active = 0;
    for rule in in_force.rules.all() {
        let ended = match in_force.status(rule, now) {
            RuleStatus::Active => None,
            RuleStatus::Tripped => Some(format!(
                "it has tripped: it answered too often, and {} is asked whether it goes on (hold rule resume {})",
                text::inert_line(&rule.by),
                rule.id
            )),
            RuleStatus::Lapsed => Some(format!("{} may no longer answer here", text::inert_line(&rule.by))),
            RuleStatus::Expired | RuleStatus::Revoked | RuleStatus::Exhausted => continue,
        };
        let (nearness, why) = match (rule::matches(rule, decision), ended) {
            // A rule for the very thing that another asks is nearer than one for another thing.
            (Err(why), _) if rule::is_about(rule, decision) => {
                ((why.nearness.max(ABOUT), why.fitted), Some(why.to_string()))
            }
            (Err(why), _) => ((why.nearness, why.fitted), Some(why.to_string())),
            (Ok(()), Some(why)) => ((u8::MAX, 0), Some(why)),
            (Ok(()), None) => ((u8::MAX, 0), None),
        };
        active += 1;
        if nearness.0 < NEAR {
            continue;
        }
        explained.push((nearness, ExplainedRule { id: rule.id.clone(), rule: rule_line(rule), why }));
    }
    explained.sort_by_key(|(nearness, _)| std::cmp::Reverse(*nearness));
    let answered_by = decision.answer.as_ref().and_then(|answer| answer.by.strip_prefix(rule::BY));
    let summary = match (answered_by, in_force.rule_on(decision, now), explained.first()) {
        (Some(id), ..) => format!("{id} answered it."),
        (None, Some(Ruled::Asked(rule)), _) => format!("{} says that a person is asked.", rule.id),
        (None, Some(Ruled::Answered { rule, .. } | Ruled::Trips(rule)), _)
            if decision.status == Status::Pending =>
        {
            format!("{} would answer it now; it was asked before that rule counted.", rule.id)
        }
        (None, Some(_), _) => "A person answered it.".to_owned(),
        (None, None, None) if active == 0 => "There is no active rule in this project.".to_owned(),
        (None, None, None) => {
            format!("No rule answers it, and none of the {active} active ones of this project comes near.")
        }
        (None, None, Some((_, nearest))) => match &nearest.why {
            Some(why) => format!("No rule answers it. Nearest is {}: {why}.", nearest.id),
            None => {
                format!("{} matches, but the question has no single option that it could take.", nearest.id)
            }
        },
    };
    Explanation { summary, rules: explained.into_iter().map(|(_, rule)| rule).take(20).collect() }
}
