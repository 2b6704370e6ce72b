//! What a rule would have done to what was asked before.

use holdpoint_core::decision::is_refusal;
use holdpoint_core::rule::{self, Proposal, Then};
use holdpoint_core::{Decision, DecisionId, Rule, Status, text};
use holdpoint_protocols::present;
use serde::{Deserialize, Serialize};

/// How many examples are shown.
const SHOWN: usize = 3;

/// What a rule would have done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BackTest {
    /// How many asks it was tried on.
    pub tried: usize,
    /// How many of them it would have answered, or sent to a person.
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

/// What a rule would have done, and how far it reaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestedRule {
    /// What it would have done.
    #[serde(flatten)]
    pub test: BackTest,
    /// What its author should know about how far it reaches.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// An ask that a rule was tried on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TriedAsk {
    /// Names it.
    pub id: DecisionId,
    /// What it was about, in a line.
    pub summary: String,
    /// The outcome.
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
    /// Returns how many asks it would allow that a person had refused, which its author has to accept.
    pub fn against_refusals(&self) -> usize {
        if self.proposal.rule.then == Then::Allow { self.test.refused } else { 0 }
    }
}

/// Tries a rule on some asks.
pub(super) fn try_on(rule: &Rule, asks: &[Decision]) -> BackTest {
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
            Err(why) if why.nearness >= 3 => {
                near.push(((why.nearness, why.fitted), tried(ask, Some(why.to_string()))));
            }
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

/// Returns the outcome of an ask, and why a rule does not match it.
pub(super) fn tried(ask: &Decision, why: Option<String>) -> TriedAsk {
    let outcome = match &ask.answer {
        Some(answer) => format!("{} by {}", answer.brief(), text::inert_line(&answer.by)),
        None => ask.status.to_string(),
    };
    TriedAsk { id: ask.id, summary: present::headline(ask, 200), outcome, why }
}
