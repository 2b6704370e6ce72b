//! From messages to decisions and back.
//!
//! A request becomes a decision ([`ask`]), its answer a message ([`reply`]). Any other decision can be put as a
//! request ([`put`]), and a message answers it ([`answer`]). What AITP has no words for is named, never dropped in
//! silence.

mod answer;
mod approve;
mod ask;
mod form;
mod keep;
mod pay;
mod put;
mod remark;
mod reply;

pub use answer::{Taken, answer};
pub use approve::facts;
pub use ask::ask;
pub use form::{form_address, with_form};
pub use keep::{autocomplete, fill_label};
pub use put::{Put, put};
pub use remark::{remarked, remarks};
pub use reply::{Reply, expired, reply};

use holdpoint_core::Decision;
use holdpoint_core::decision::Origin;

use super::finding::Finding;
use super::message::{Body, Message};

/// The name of the protocol in a decision's origin.
pub const PROTOCOL: &str = "aitp";

/// Returns what an AITP request left for its answer, if the decision is one.
fn origin(decision: &Decision) -> Option<&Origin> {
    decision.origin.as_ref().filter(|origin| origin.protocol == PROTOCOL)
}

/// Returns the id that a request for the decision has.
pub fn request_id(decision: &Decision) -> String {
    origin(decision).and_then(|origin| origin.id.clone()).unwrap_or_else(|| decision.id.to_string())
}

/// Returns the id of the request that a message answers, if it says so.
pub fn answers(message: &Message) -> Option<&str> {
    match &message.body {
        Body::Decision(chose) => chose.request_decision_id.as_deref(),
        Body::Data(data) => data.request_data_id.as_deref(),
        _ => None,
    }
}

/// Lists findings in one text, a line each.
pub fn lines(findings: &[Finding]) -> String {
    let line = |finding: &Finding| match finding.pointer.as_str() {
        "" => finding.message.clone(),
        pointer => format!("{}: {}", holdpoint_core::text::inert_line(pointer), finding.message),
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}
