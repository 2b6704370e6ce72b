//! The standing rules that a card proposes: each step with what it would have done, and the selected one.

use std::fmt::Write as _;

use holdpoint_core::NewRule;
use holdpoint_core::text::inert_line;
use holdpoint_engine::rules::{BackTest, TriedProposal};

use super::pager::Pager;

/// Rules that a card proposes.
#[derive(Debug)]
pub(crate) struct ProposedRules {
    steps: Vec<TriedProposal>,
    picked: Option<usize>,
    /// Whether the person was told that people refused some of what it would allow.
    warned: bool,
}

impl ProposedRules {
    pub(crate) fn new(steps: Vec<TriedProposal>) -> Self {
        Self { steps, picked: None, warned: false }
    }

    /// Picks a step by its number, from 1; returns whether there is one.
    pub(crate) fn pick(&mut self, number: usize) -> bool {
        let found = number.checked_sub(1).filter(|at| *at < self.steps.len());
        if found.is_some() {
            self.picked = found;
            self.warned = false;
        }
        found.is_some()
    }

    /// Returns the selected rule, or what the person should know or do first.
    pub(crate) fn take(&mut self) -> Result<NewRule, String> {
        let Some(step) = self.picked.and_then(|at| self.steps.get(at)) else {
            return Err("Pick a rule first: 1 to 9.".to_owned());
        };
        let refused = step.against_refusals();
        if refused > 0 && !self.warned {
            self.warned = true;
            return Err(format!("{refused} of its matches were denied. Enter again to create it anyway."));
        }
        Ok(NewRule { despite_refusals: refused > 0, ..step.proposal.rule.clone() })
    }

    /// Formats all steps, with the selected one marked.
    pub(crate) fn pager(&self) -> Pager {
        let mut text = String::from("Allow for 8 hours:\n");
        for (at, TriedProposal { proposal, test, warnings }) in self.steps.iter().enumerate() {
            let mark = if self.picked == Some(at) { ">" } else { " " };
            let BackTest { matched, consented, refused, .. } = test;
            let requests = if *matched == 1 { "request" } else { "requests" };
            let _ = write!(
                text,
                "\n{mark} {}  {}\n     matches {matched} {requests} from the last 30 days: {consented} allowed, {refused} denied",
                at + 1,
                inert_line(&proposal.title),
            );
            for warning in warnings {
                let _ = write!(text, "\n     Warning: {}", inert_line(warning));
            }
            text.push('\n');
        }
        text.push_str("\nThe rule does not answer pending decisions; those are offered next. Other durations: hold rule add --from.");
        Pager::new("New rule", text)
    }
}
