//! From messages to decisions and back.
//!
//! A request becomes a decision ([`ask`]), and its answer a message ([`reply`]). Any other decision can be sent as a
//! request ([`to_request`]), and a message answers it ([`answer`]). Anything that AITP cannot express is reported, never
//! dropped silently.

mod answer;
mod approve;
mod ask;
mod form;
mod keep;
mod pay;
mod put;
mod remark;
mod reply;

pub use answer::{AnswerInMessage, answer};
pub use approve::facts;
pub use ask::ask;
pub use form::{form_address, with_form};
pub use keep::{autocomplete, fill_label};
pub use put::{DecisionRequest, to_request};
pub use remark::{remarked, remarks};
pub use reply::{Reply, expired, reply};

use holdpoint_core::Decision;
use holdpoint_core::decision::Origin;

use super::finding::Finding;
use super::message::{Body, Message};

/// The name of the protocol in a decision's origin.
pub const PROTOCOL: &str = "aitp";

/// Returns the origin of a decision, if it was created by an AITP request.
fn origin(decision: &Decision) -> Option<&Origin> {
    decision.origin.as_ref().filter(|origin| origin.protocol == PROTOCOL)
}

/// Returns the id of the request for a decision.
pub fn request_id(decision: &Decision) -> String {
    origin(decision).and_then(|origin| origin.id.clone()).unwrap_or_else(|| decision.id.to_string())
}

/// Returns the id of the request that a message answers, if it has one.
pub fn answers(message: &Message) -> Option<&str> {
    match &message.body {
        Body::Decision(chose) => chose.request_decision_id.as_deref(),
        Body::Data(data) => data.request_data_id.as_deref(),
        _ => None,
    }
}

/// Formats findings as text, one per line.
pub fn lines(findings: &[Finding]) -> String {
    let line = |finding: &Finding| match finding.pointer.as_str() {
        "" => finding.message.clone(),
        pointer => format!("{}: {}", holdpoint_core::text::inert_line(pointer), finding.message),
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}
