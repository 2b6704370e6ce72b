//! Where and how a card's answer is sent, and whether the visitor may send one.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Command, Decision, Source, Status, access};
use maud::Markup;

use super::error::PageError;
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;

/// The target of a card's form, and its settings.
#[derive(Debug)]
pub(super) struct AnswerForm {
    /// The form's action.
    pub(super) action: String,
    /// The CSRF token.
    pub(super) token: Markup,
    /// The filter of the list that the person came from.
    pub(super) back: String,
    /// Where drafts are sent, if they are stored.
    pub(super) drafts: Option<String>,
    /// Where to listen for changes, while the decision is pending.
    pub(super) live: Option<String>,
    /// The answerer's name, where authentication is off.
    pub(super) name: Option<String>,
    /// Why the visitor may not answer, if so.
    pub(super) barred: Option<String>,
    /// The address of the conversation, if there is one.
    pub(super) chat: Option<String>,
    /// Whether the next card follows the answer, instead of the list.
    pub(super) flows: bool,
    /// For how many seconds a page with scripts holds the answer back, so that it can be undone.
    pub(super) undo: i64,
}

impl AnswerForm {
    /// Returns the answer form for a visitor.
    pub(super) fn of_visitor(
        visitor: &Visitor,
        decision: &Decision,
        back: &str,
        name: String,
        barred: Option<String>,
    ) -> Self {
        Self {
            action: format!("/d/{}", decision.id),
            token: visitor.token(),
            back: back.to_owned(),
            drafts: barred.is_none().then(|| format!("/d/{}/draft", decision.id)),
            live: (decision.status == Status::Pending).then(|| {
                let shown = decision.remarks.len();
                format!("/d/{}/live?digest={}&remarks={shown}", decision.id, decision.digest)
            }),
            name: (!visitor.signed_in).then_some(if name == "anonymous" { String::new() } else { name }),
            barred,
            chat: can_be_talked_about(decision).then(|| chat_address(decision)),
            flows: false,
            undo: 0,
        }
    }
}

/// Returns the address of a decision's conversation.
pub(super) fn chat_address(decision: &Decision) -> String {
    format!("/d/{}/chat", decision.id)
}

/// Returns whether a conversation is useful: for a form, or if several things are asked.
fn can_be_talked_about(decision: &Decision) -> bool {
    // A subject that is consented to is read on the card.
    decision.status == Status::Pending
        && decision.subject.is_none()
        && (decision.source == Source::Form || decision.fields.len() > 1)
}

/// Returns why a visitor may not answer, if so. Reasons that only the store knows show when an answer is sent.
pub(super) async fn barred(
    app: &App,
    visitor: &Visitor,
    decision: &Decision,
) -> Result<Option<String>, PageError> {
    let command = Command::Answer { id: decision.id, input: Box::new(AnswerInput::default()) };
    let admitted = access::admit(&visitor.caller.actor, &visitor.caller.projects, &command, Some(decision));
    match admitted {
        Err(refusal) if !app.engine.stands_in(&visitor.caller, decision).await? => {
            Ok(Some(words::capital(&refusal.to_string())))
        }
        _ => Ok(None),
    }
}
