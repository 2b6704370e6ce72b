//! The option of later rounds: the proposal as it stands.

use super::{Decision, Source};
use crate::field::definition::ACCEPT;
use crate::{Field, Kind, Opt};

/// From the second round on, a question with one choice can be accepted as it stands. The option is ours, not
/// the asker's: it is appended again each time.
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

/// Leaves what the asker itself offers.
pub(super) fn withdraw_accept(fields: &mut [Field]) {
    for field in fields {
        field.options.retain(|option| option.id != ACCEPT);
    }
}
