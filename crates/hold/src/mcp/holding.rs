//! Holds a call until its decision is settled: as a task if the client accepts one; otherwise with progress notices
//! while the client is patient; otherwise by sending it round, or by telling it to come back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Span, Status, Timestamp};
use holdpoint_engine::Error;
use holdpoint_protocols::mcp::peer::{Meta, Peer, ProtocolEra, Tasks};
use holdpoint_protocols::mcp::rpc::{self, Request, RpcError};
use holdpoint_protocols::mcp::state::{self, MOST_ROUNDS, State};
use holdpoint_protocols::mcp::{form, result, task};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::ask_in_client::FilledIn;
use super::replies::ExpectedReply;
use super::{McpServer, NotificationSender};

/// Most clients give up after a minute unless told otherwise.
const USUAL: Duration = Duration::from_secs(50);
/// How often a client is told that we still wait.
const BEAT: Duration = Duration::from_secs(15);
/// How long a state that a client sends back is valid.
const STATE_LASTS: Span = Span::from_secs(24 * 60 * 60);

/// How long a call may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitLimit {
    /// As long as clients usually allow.
    Usual,
    /// As long as the call asks for.
    Said(Duration),
    /// Until it is settled.
    Endless,
}

/// Counts the calls that hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct HoldingCount(Arc<AtomicUsize>);

/// A call that counts as long as this value is kept.
pub(super) struct Holding(HoldingCount);

impl HoldingCount {
    /// Returns how many calls hold.
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn enter(&self) -> Holding {
        self.0.fetch_add(1, Ordering::Relaxed);
        Holding(self.clone())
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A call that waits for a decision.
pub(super) struct PendingCall<'a> {
    pub(super) request: &'a Request,
    pub(super) meta: &'a Meta,
    pub(super) peer: &'a Peer,
    pub(super) out: &'a NotificationSender,
    pub(super) wait_limit: WaitLimit,
}

/// The outcome of holding.
pub(super) enum HoldOutcome {
    /// The decision is settled, or the call asked not to hold any longer.
    Over(Box<Decision>),
    /// The client gets this result, and comes back.
    Later(Map<String, Value>),
}

impl PendingCall<'_> {
    /// Returns whether the request asks for a task as defined by revision 2025-11-25.
    pub(super) fn wants_core_task(&self) -> bool {
        self.peer.tasks == Tasks::Core && self.request.params.contains_key("task")
    }
}

/// Names who is asked.
fn whom(decision: &Decision) -> String {
    match decision.assignees.as_slice() {
        [] => "a person".to_owned(),
        names => inert_line(&names.join(", ")),
    }
}

impl McpServer {
    /// Returns the state that the client sent back, if it did.
    pub(super) async fn resumed(&self, request: &Request) -> Result<Option<State>, RpcError> {
        let Some(text) = request.params.get("requestState") else { return Ok(None) };
        let forged = || RpcError::params("requestState is not one that was given out here");
        let state: State = text.as_str().and_then(|text| self.seal.open(text)).ok_or_else(forged)?;
        let now = self.client.now().await.unwrap_or(Timestamp::from_millis(0));
        state.check(&request.params, &self.caller, now).map(Some)
    }

    /// Holds on a decision in the way that the client supports.
    pub(super) async fn hold(
        &self,
        decision: Decision,
        round: u32,
        waiting: &PendingCall<'_>,
    ) -> Result<HoldOutcome, Error> {
        if waiting.wants_core_task() {
            return Ok(HoldOutcome::Later(task::core_created(&decision)));
        }
        if decision.status != Status::Pending {
            return Ok(HoldOutcome::Over(Box::new(self.as_answered_there(decision))));
        }
        if waiting.peer.tasks == Tasks::Extension {
            return Ok(HoldOutcome::Later(task::created(&decision)));
        }
        let mut asked = None;
        if self.in_client && waiting.peer.era == ProtocolEra::Legacy {
            asked = self.ask_alongside(&decision, waiting, None).await;
        } else if self.in_client && round < MOST_ROUNDS {
            if let Some(outcome) = self.ask_there(&decision, round, waiting).await {
                return Ok(outcome);
            }
            let again = self.client.get(&decision.id.to_string()).await?;
            if again.status != Status::Pending {
                return Ok(HoldOutcome::Over(Box::new(again)));
            }
        }
        let stood = self.hold_on(&decision, waiting, asked).await?;
        let usual = waiting.wait_limit == WaitLimit::Usual;
        if stood.status == Status::Pending
            && usual
            && waiting.peer.era == ProtocolEra::Modern
            && round < MOST_ROUNDS
        {
            return Ok(HoldOutcome::Later(self.round(stood.id, round + 1, waiting, None).await));
        }
        Ok(HoldOutcome::Over(Box::new(stood)))
    }

    /// Holds, reporting progress, and accepts an answer from the person at the client meanwhile.
    pub(super) async fn hold_on(
        &self,
        decision: &Decision,
        waiting: &PendingCall<'_>,
        mut asked: Option<ExpectedReply>,
    ) -> Result<Decision, Error> {
        let id = decision.id;
        let _holding = self.holding.enter();
        let patient = waiting.peer.is_patient() && waiting.meta.progress.is_some();
        let limit = match waiting.wait_limit {
            WaitLimit::Endless => None,
            WaitLimit::Said(limit) => Some(limit),
            WaitLimit::Usual if self.hold.is_some() => self.hold,
            WaitLimit::Usual if patient => None,
            WaitLimit::Usual => Some(USUAL),
        };
        let wait = self.client.wait(id, limit);
        tokio::pin!(wait);
        let (mut step, mut asked_again) = (0, 0);
        let mut next = Instant::now();
        loop {
            tokio::select! {
                biased;
                settled = &mut wait => {
                    if let Some(asked) = asked {
                        let _ = waiting.out.send(asked.called_off()).await;
                    }
                    return settled;
                }
                response = replied(asked.as_mut()), if asked.is_some() => {
                    asked = match self.take(decision, response).await {
                        FilledIn::Answer(answered) => return Ok(*answered),
                        FilledIn::Wrong(why) if asked_again < MOST_ROUNDS => {
                            asked_again += 1;
                            self.ask_alongside(decision, waiting, Some(&why)).await
                        }
                        FilledIn::Wrong(_) | FilledIn::Nothing => None,
                    };
                }
                () = tokio::time::sleep_until(next), if waiting.meta.progress.is_some() => {
                    step += 1;
                    next = Instant::now() + BEAT;
                    if let Some(token) = &waiting.meta.progress {
                        let page = self.client.page(id).map(|page| format!(" at {page}")).unwrap_or_default();
                        let words = format!("Waiting for {}: decision {id}{page}", whom(decision));
                        let _ = waiting.out.send(rpc::progress(token, step, &words)).await;
                    }
                }
            }
        }
    }

    /// Asks the person at the client, or takes their answer. None if they cannot be asked.
    async fn ask_there(
        &self,
        decision: &Decision,
        round: u32,
        waiting: &PendingCall<'_>,
    ) -> Option<HoldOutcome> {
        let key = form::key(decision);
        let responses = waiting.request.params.get("inputResponses");
        let mut fault = None;
        if let Some(response) = responses.and_then(|responses| responses.get(&key)) {
            match self.take(decision, Some(response.clone())).await {
                FilledIn::Answer(answered) => return Some(HoldOutcome::Over(answered)),
                FilledIn::Wrong(why) => fault = Some(why),
                FilledIn::Nothing => return None,
            }
        }
        let page = self.client.page(decision.id);
        let mut asked = match form::show(decision, waiting.peer, page.as_deref()) {
            form::FormDisplay::Form(params) | form::FormDisplay::Link(params) => params,
            form::FormDisplay::Words(words) => {
                if let Some(token) = &waiting.meta.progress {
                    let _ = waiting.out.send(rpc::progress(token, 0, &words)).await;
                }
                return None;
            }
        };
        if let Some(fault) = fault {
            form::add_fault(&mut asked, &fault);
        }
        let requests = json!({ key: { "method": "elicitation/create", "params": asked } });
        Some(HoldOutcome::Later(self.round(decision.id, round + 1, waiting, Some(requests)).await))
    }

    /// Sends a client round: it calls again with the state that it is given here.
    async fn round(
        &self,
        id: DecisionId,
        round: u32,
        waiting: &PendingCall<'_>,
        requests: Option<Value>,
    ) -> Map<String, Value> {
        let now = self.client.now().await.unwrap_or(Timestamp::from_millis(0));
        let expires = now.checked_add(STATE_LASTS).unwrap_or(now).as_millis();
        let call = state::call_digest(&waiting.request.params);
        let state = State { decision: id, call, caller: self.caller.clone(), round, expires };
        let mut later = Map::new();
        later.insert("resultType".to_owned(), "input_required".into());
        later.insert("requestState".to_owned(), self.seal.seal(&state).into());
        if let Some(requests) = requests {
            later.insert("inputRequests".to_owned(), requests);
        }
        later
    }
}

/// Waits for the client's reply to our request; none if it refused.
async fn replied(asked: Option<&mut ExpectedReply>) -> Option<Value> {
    match asked {
        Some(asked) => asked.reply().await,
        None => None,
    }
}

/// Returns how long a call wants to be held.
pub(super) fn wait_limit(said: Option<Span>) -> WaitLimit {
    match said {
        Some(span) => WaitLimit::Said(Duration::from_millis(span.as_millis().unsigned_abs())),
        None => WaitLimit::Usual,
    }
}

/// Returns the result of a call that only waits.
pub(super) fn over(held: HoldOutcome) -> Map<String, Value> {
    match held {
        HoldOutcome::Over(decision) => result::outcome(&decision),
        HoldOutcome::Later(later) => later,
    }
}
