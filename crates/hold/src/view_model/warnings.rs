//! Holdpoint's own warnings about a decision.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Kind, Status};
use holdpoint_protocols::aitp::translate;

/// Lists Holdpoint's own warnings about a decision. None of it is the agent's text, though a remark may quote it.
pub(crate) fn all(decision: &Decision) -> Vec<String> {
    let account = decision.account_warning().map(str::to_owned);
    translate::remarks(decision).iter().map(|remark| inert_line(remark)).chain(account).collect()
}

/// Warns if consent is asked for and no option refuses.
pub(crate) fn no_way_to_refuse(decision: &Decision) -> Option<&'static str> {
    let offers_no = !decision.outs.is_empty()
        || decision.fields.iter().flat_map(|field| &field.options).any(|option| option.refuses);
    let is_asked = decision.subject.is_some() && decision.status == Status::Pending && !offers_no;
    // A boolean's `false` is a no.
    let has_boolean = decision.fields.iter().any(|field| field.kind == Kind::Boolean);
    (is_asked && !has_boolean).then_some("No option here refuses: whatever is answered counts as a yes.")
}
