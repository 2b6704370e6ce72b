//! The standing rules that a card proposes: each step with what it would have done, and the one that is picked.

use std::fmt::Write as _;

use holdpoint_core::NewRule;
use holdpoint_core::text::inert_line;
use holdpoint_engine::rules::{BackTest, TriedProposal};

use super::pager::Pager;

/// Rules that a card proposes.
#[derive(Debug)]
pub(crate) struct Proposed {
    steps: Vec<TriedProposal>,
    picked: Option<usize>,
    /// Whether it was said that a person refused some of what it would allow.
    warned: bool,
}

impl Proposed {
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

    /// Returns the rule that is picked, or what the person should know or do first.
    pub(crate) fn take(&mut self) -> Result<NewRule, String> {
        let Some(step) = self.picked.and_then(|at| self.steps.get(at)) else {
            return Err("Pick one of them first: 1 to 9.".to_owned());
        };
        let refused = step.against_refusals();
        if refused > 0 && !self.warned {
            self.warned = true;
            return Err(format!(
                "A person said no to {refused} of what it matches: Enter again makes it all the same."
            ));
        }
        Ok(NewRule { despite_refusals: refused > 0, ..step.proposal.rule.clone() })
    }

    /// Shows them all, the picked one marked.
    pub(crate) fn pager(&self) -> Pager {
        let mut text = String::from("From now on allow, for 8 hours:\n");
        for (at, TriedProposal { proposal, test, warnings }) in self.steps.iter().enumerate() {
            let mark = if self.picked == Some(at) { ">" } else { " " };
            let BackTest { matched, consented, refused, .. } = test;
            let asks = if *matched == 1 { "ask" } else { "asks" };
            let _ = write!(
                text,
                "\n{mark} {}  {}\n     matches {matched} {asks} of the last 30 days: a person said yes to {consented}, no to {refused}",
                at + 1,
                inert_line(&proposal.title),
            );
            for warning in warnings {
                let _ = write!(text, "\n     Warning: {}", inert_line(warning));
            }
            text.push('\n');
        }
        text.push_str("\nThe rule does not answer what waits already; that is offered next. Other lengths: hold rule add --from.");
        Pager::new("A standing rule", text)
    }
}
