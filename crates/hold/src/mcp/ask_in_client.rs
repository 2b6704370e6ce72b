//! Also shows a question to the person at a client that shook hands, while the call that asked it is still held.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Actor, Decision, DecisionId, MCP, Refusal, Status};
use holdpoint_engine::Error;
use holdpoint_protocols::mcp::form;
use holdpoint_protocols::mcp::rpc;
use serde_json::{Value, json};

use super::McpServer;
use super::holding::PendingCall;
use super::replies::ExpectedReply;

/// The reason recorded on a decision that was cancelled because it was answered in the client.
const ANSWERED_THERE: &str = "answered in the client";
/// The name for the person at the client, whom we do not know.
const THEIR_PERSON: &str = "the person at the client";

/// What a person at a client filled in.
pub(super) enum FilledIn {
    /// The decision as they answered it.
    Answer(Box<Decision>),
    /// Something that cannot be the answer, and why: they are asked again.
    Wrong(String),
    /// No answer, which decides nothing: the question stays open elsewhere.
    Nothing,
}

impl McpServer {
    /// Asks the person at a client that shook hands; none if they cannot be asked there.
    pub(super) async fn ask_alongside(
        &self,
        decision: &Decision,
        waiting: &PendingCall<'_>,
        fault: Option<&str>,
    ) -> Option<ExpectedReply> {
        let page = self.client.page(decision.id);
        let mut params = match form::show(decision, waiting.peer, page.as_deref()) {
            form::FormDisplay::Form(params) | form::FormDisplay::Link(params) => params,
            form::FormDisplay::Words(_) => return None,
        };
        if params.get("mode").and_then(Value::as_str) == Some("url") {
            params["elicitationId"] = json!(decision.id);
        } else if let Some(fault) = fault {
            form::add_fault(&mut params, fault);
        }
        self.request(waiting, "elicitation/create", &params).await
    }

    /// Sends a request to a client that shook hands.
    pub(super) async fn request(
        &self,
        waiting: &PendingCall<'_>,
        method: &str,
        params: &Value,
    ) -> Option<ExpectedReply> {
        let expected = self.replies.expect(&self.caller);
        let message = rpc::request(&expected.id().into(), method, params);
        waiting.out.send(message).await.is_ok().then_some(expected)
    }

    /// Accepts what the person at the client filled in.
    pub(super) async fn take(&self, decision: &Decision, response: Option<Value>) -> FilledIn {
        let Some(input) = response.and_then(|response| form::filled(decision, &response)) else {
            return FilledIn::Nothing;
        };
        match self.settle_there(decision.id, &input).await {
            Ok(answered) => FilledIn::Answer(Box::new(answered)),
            Err(Error::Refused(Refusal::Invalid(faults))) => {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                FilledIn::Wrong(faults.join("; "))
            }
            Err(error) => {
                tracing::warn!("what the client answered to {} does not count: {error}", decision.id);
                FilledIn::Nothing
            }
        }
    }

    /// Settles the decision with the client's answer. Nobody here knows who sits at the client, so no answer is
    /// recorded: the asker withdraws the question, and only the call that asked it gets what was filled in.
    async fn settle_there(&self, id: DecisionId, input: &AnswerInput) -> Result<Decision, Error> {
        let now = self.client.now().await?;
        let pending = self.client.get(&id.to_string()).await?;
        let answer = pending.read_answer(input, &Actor::claimed(THEIR_PERSON, MCP), now)?;
        let reason = format!("{ANSWERED_THERE}: {}", answer.brief());
        let taken_back = self.client.cancel(id, Some(reason)).await?;
        let answered = Decision { status: Status::Answered, answer: Some(answer), ..taken_back };
        self.replies.keep(&answered);
        Ok(answered)
    }

    /// Returns a decision as the person at the client answered it, if they did while this process ran.
    pub(super) fn as_answered_there(&self, decision: Decision) -> Decision {
        let answered =
            (decision.status == Status::Cancelled).then(|| self.replies.answered_there(decision.id));
        answered.flatten().unwrap_or(decision)
    }
}
