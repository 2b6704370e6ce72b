//! The "accept" option of later rounds, which accepts the current proposal unchanged.

use super::{Decision, Source};
use crate::field::definition::ACCEPT;
use crate::{Field, Kind, Opt};

/// Offers to accept the proposal as it stands, from the second round of a question with one choice. The option is
/// Holdpoint's, not the asker's, so it is appended again in each round.
pub(super) fn offer_accept(decision: &mut Decision) {
    withdraw_accept(&mut decision.fields);
    if decision.source != Source::Question || decision.iteration < 2 || decision.is_in_terminal() {
        return;
    }
    if let [field] = decision.fields.as_mut_slice()
        && field.kind == Kind::Choice
    {
        let mut accept = Opt::new(ACCEPT, "Accept the proposal as it stands");
        accept.short = Some("Accept".into());
        field.options.push(accept);
    }
}

/// Removes the option, leaving what the asker itself offers.
pub(super) fn withdraw_accept(fields: &mut [Field]) {
    for field in fields {
        field.options.retain(|option| option.id != ACCEPT);
    }
}
