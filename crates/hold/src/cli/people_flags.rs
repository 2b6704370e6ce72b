//! Flags for the people that a decision takes.

use holdpoint_core::people::{EscalationStep, Needs};

/// Which people a decision takes.
#[derive(Debug, clap::Args)]
pub(crate) struct PeopleArgs {
    /// How many people must give the same consenting answer
    #[arg(long, value_name = "NUMBER")]
    approvals: Option<u32>,
    /// Whose votes count: a person, or group:NAME; repeatable
    #[arg(long, value_name = "WHO")]
    from: Vec<String>,
    /// How many members of a group must consent, as group:NAME=NUMBER; repeatable
    #[arg(long, value_name = "WHO=NUMBER", value_parser = each)]
    each: Vec<(String, u32)>,
    /// How many must refuse to settle it with a no; 1 by default
    #[arg(long, value_name = "NUMBER")]
    refusals: Option<u32>,
    /// Exclude the owner of the asking token from voting
    #[arg(long)]
    not_requester: bool,
    /// Let only a signed-in person, or one with a token of their own, answer
    #[arg(long)]
    needs_person: bool,
    /// What to do while nobody answers: "after=10m tell=group:oncall every=30m times=3", "after=2h assign=ana" or
    /// "after=1h remind"; repeatable
    #[arg(long, value_name = "STEP")]
    escalate: Vec<EscalationStep>,
}

/// The parsed flags.
pub(crate) struct RequiredPeople {
    /// The required people, if any flag was given.
    pub(crate) needs: Option<Needs>,
    /// Whether a person must answer.
    pub(crate) needs_person: bool,
    /// What to do while nobody answers.
    pub(crate) escalation: Vec<EscalationStep>,
}

impl PeopleArgs {
    /// Returns the parsed flags.
    pub(crate) fn read(self) -> RequiredPeople {
        let unset = Needs::default();
        let is_given = self.approvals.is_some()
            || !self.from.is_empty()
            || !self.each.is_empty()
            || self.refusals.is_some()
            || self.not_requester;
        let needs = Needs {
            approvals: self.approvals.unwrap_or(unset.approvals),
            from: self.from,
            each: self.each.into_iter().collect(),
            refusals: self.refusals.unwrap_or(unset.refusals),
            not_requester: self.not_requester,
        };
        RequiredPeople {
            needs: is_given.then_some(needs),
            needs_person: self.needs_person,
            escalation: self.escalate,
        }
    }
}

fn each(text: &str) -> Result<(String, u32), String> {
    let (who, number) = text.rsplit_once('=').ok_or("must be WHO=NUMBER, e.g. group:security=1")?;
    Ok((who.to_owned(), number.parse().map_err(|_| format!("{number:?} is not a number"))?))
}
