//! Explains what the rules of a project do with a decision, and why none answers it.

use holdpoint_core::rule::{self, InForce, RuleEffect};
use holdpoint_core::{Decision, Rule, RuleStatus, Status, Timestamp, text};
use serde::{Deserialize, Serialize};

/// What the rules say about a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explanation {
    /// The result, in a sentence.
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

/// Returns in one line what a rule does.
pub fn rule_line(rule: &Rule) -> String {
    format!("{}: {}", rule.then.name(), rule.when)
}

/// How much of a rule must match for it to be worth naming: who asks, with which tool, and part of the question.
const NEAR: u8 = 3;
/// The nearness of a rule for exactly this question.
const ABOUT: u8 = 6;

/// Explains what the rules do with a decision.
pub(super) fn explain(in_force: &InForce, decision: &Decision, now: Timestamp) -> Explanation {
    let mut explained: Vec<((u8, usize), ExplainedRule)> = Vec::new();
    let mut active = 0;
    for rule in in_force.rules.all() {
        let ended = match in_force.status(rule, now) {
            RuleStatus::Active => None,
            RuleStatus::Tripped => Some(format!(
                "it is paused: it answered too often. {} can resume it (hold rule resume {})",
                text::inert_line(&rule.by),
                rule.id
            )),
            RuleStatus::Lapsed => Some(format!("{} may no longer answer here", text::inert_line(&rule.by))),
            RuleStatus::Expired | RuleStatus::Revoked | RuleStatus::Exhausted => continue,
        };
        let (nearness, why) = match (rule::matches(rule, decision), ended) {
            // A rule for the same question from another asker is nearer than one for another question.
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
        (None, Some(RuleEffect::Asked(rule)), _) => format!("{} sends it to a person.", rule.id),
        (None, Some(RuleEffect::Answered { rule, .. } | RuleEffect::Trips(rule)), _)
            if decision.status == Status::Pending =>
        {
            format!("{} would answer it now, but was created after it was asked.", rule.id)
        }
        (None, Some(_), _) => "A person answered it.".to_owned(),
        (None, None, None) if active == 0 => "This project has no active rules.".to_owned(),
        (None, None, None) => {
            format!("No rule answers it, and none of this project's {active} active rules comes close.")
        }
        (None, None, Some((_, nearest))) => match &nearest.why {
            Some(why) => format!("No rule answers it. The closest is {}: {why}.", nearest.id),
            None => {
                format!("{} matches, but the question has no single option to pick.", nearest.id)
            }
        },
    };
    Explanation { summary, rules: explained.into_iter().map(|(_, rule)| rule).take(20).collect() }
}
