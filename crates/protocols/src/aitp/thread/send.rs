//! Holdpoint's own messages in a thread: questions to the other side, and the outcomes of its questions.

use std::fmt::Write as _;

use holdpoint_core::Decision;
use holdpoint_core::text::inert_line;
use holdpoint_core::thread::{SELF, Thread};

use super::not_understood_by;
use crate::aitp::translate::{self, DecisionRequest, Reply};

/// Writes a decision as a request, or as plain text if no participant understands requests, or AITP cannot express it.
pub fn question_parts(thread: &Thread, decision: &Decision) -> Vec<String> {
    match translate::to_request(decision) {
        Ok(DecisionRequest { message, .. })
            if not_understood_by(thread, SELF, message.body.capability()).is_none() =>
        {
            message.to_value().map_or_else(|_| plain(decision), |value| vec![value.to_string()])
        }
        _ => plain(decision),
    }
}

/// Writes the outcome of a decision; a comment follows as plain text.
pub fn replied(decision: &Decision) -> Vec<String> {
    let at = decision.settled_at.unwrap_or(decision.created_at);
    match translate::reply(decision, at) {
        Some(Reply::Message(message, _)) => {
            let comment = decision.answer.as_ref().and_then(|answer| answer.message.as_deref());
            let comment = comment.map(holdpoint_core::text::inert);
            let message = message.to_value().map(|value| value.to_string()).ok();
            let unpaid = translate::expired(decision, at);
            let unpaid = (!unpaid.is_empty()).then(|| {
                format!(
                    "The quote has expired, so this was chosen and not bought: {}",
                    inert_line(&unpaid.join(", "))
                )
            });
            message.into_iter().chain(comment).chain(unpaid).collect()
        }
        Some(Reply::Text(text)) => vec![text],
        None => Vec::new(),
    }
}

fn plain(decision: &Decision) -> Vec<String> {
    let mut text = inert_line(decision.prompt.as_deref().unwrap_or(decision.summary()));
    for field in &decision.fields {
        if decision.fields.len() > 1 {
            let _ = write!(text, "\n{}", inert_line(&field.label));
        }
        for option in field.options.iter().take(100) {
            let _ = write!(text, "\n- {}", inert_line(&option.label));
        }
    }
    vec![text]
}
