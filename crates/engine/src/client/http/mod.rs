//! The client of a server: one request for each method.

mod admin;
mod channels;
mod events;
mod jobs;
mod log;
mod people;
mod projects;
mod rules;
mod runs;
mod server_address;
mod threads;
mod views;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{AnswerInput, Attention, New, Requirements, Revision};
use holdpoint_core::{Decision, DecisionId, Search, Span, Status, Timestamp, Values, text};
use serde_json::Value;

pub use server_address::{OpeningClient, ServerLocator};
pub use wire::Http;
use wire::{TIMEOUT, may_pass, random_key};

use super::{
    AnswerBody, AnswerItems, Answered, AnsweredItem, Client, Consumed, Created, Detail, EventPage, ListQuery,
    Listed, SnoozeBody, TakeBody,
};
use crate::api::HoldParams;
use crate::api::decisions::{
    ANSWER_DECISION, ANSWER_DECISIONS, CANCEL_DECISION, CONSUME_DECISION, CREATE_DECISION, Cancel, Consume,
    DRAFT_DECISION, Draft, EventParams, GET_DECISION, GET_PREFIX_LENGTHS, GET_RECEIPT, LIST_DECISIONS,
    ListParams, On, Order, PrefixParams, RELEASE_DECISION, REVISE_DECISION, SNOOZE_DECISION, TAKE_DECISION,
    WAIT_FOR_DECISION, WAKE_DECISION,
};
use crate::api::views::GET_INBOX;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::receipt::Receipt;

/// How long one request holds; shorter than what proxies cut off.
const HOLD: Span = Span::from_secs(50);
/// How many decisions a server lists at a time, and how many ids it takes.
const PAGE: usize = 1000;

#[async_trait]
impl Client for Http {
    async fn create(&self, new: New, key: Option<String>) -> Result<Created> {
        // With a key, a request whose response was lost can be sent again.
        let key = match key {
            Some(key) => key,
            None => random_key()?,
        };
        let make = || self.request(&CREATE_DECISION, &[]).header("idempotency-key", &key).json(&new);
        let response = self.persist(make, TIMEOUT).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        Ok(Created { decision: self.read(response).await?, replayed })
    }

    async fn get(&self, id: &str) -> Result<Decision> {
        // A text that cannot begin an id could lead to another address.
        let prefix = DecisionId::normalise_prefix(id).filter(|prefix| !prefix.is_empty());
        let missing = || Error::NotFound(text::inert_line(id));
        let prefix = prefix.ok_or_else(missing)?;
        match self.call(&GET_DECISION, &[&prefix]).await {
            // The server reports the id as it was sent, not as the user typed it.
            Err(Error::Remote(problem)) if problem.code == "not_found" => Err(missing()),
            got => got,
        }
    }

    async fn list(&self, query: &ListQuery) -> Result<Listed> {
        let mut listed = Listed { items: Vec::new(), next: query.cursor.clone() };
        loop {
            let wanted = query.limit - listed.items.len();
            let statuses: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
            let params = ListParams {
                status: Some(if statuses.is_empty() { "all".into() } else { statuses.join(",") }),
                project: query.project.clone(),
                owner: query.owner.as_ref().map(ToString::to_string),
                source: query.source.map(|source| source.name().into()),
                on: query.on_items.then_some(On::Items),
                requested_by: query.requested_by.clone(),
                digest: query.digest.clone(),
                settled_since: query.settled_since,
                q: query.search.as_ref().map(Search::to_read),
                order: query.newest_first.then_some(Order::NewestFirst),
                limit: Some(wanted.min(PAGE)),
                cursor: listed.next.take(),
            };
            let page = self.query(&LIST_DECISIONS, &[], &params).await?;
            for item in page.items {
                // A server shortens long decisions in lists.
                let whole = query.detail == Detail::Brief || item.truncated.is_empty();
                listed.items.push(if whole { item } else { self.get(&item.id.to_string()).await? });
            }
            listed.next = page.next;
            if listed.next.is_none() || listed.items.len() >= query.limit {
                return Ok(listed);
            }
        }
    }

    async fn answer(&self, id: DecisionId, mut input: AnswerInput) -> Result<Answered> {
        // The name counts only if the server does not authenticate callers.
        input.by = input.by.or_else(|| self.user.clone());
        let make = || self.request(&ANSWER_DECISION, &[&id.to_string()]).json(&input);
        let response = self.persist(make, TIMEOUT).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        let AnswerBody { decision, same } = self.read(response).await?;
        let next = match decision.next.filter(|_| decision.status == Status::Refined) {
            Some(next) => Some(self.get(&next.to_string()).await?),
            None => None,
        };
        Ok(Answered { decision, next, replayed, same })
    }

    async fn answer_many(&self, mut answers: AnswerItems) -> Result<Vec<AnsweredItem>> {
        for item in &mut answers.items {
            item.answer.by = item.answer.by.take().or_else(|| self.user.clone());
        }
        Ok(self.send(&ANSWER_DECISIONS, &[], &answers).await?.items)
    }

    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision> {
        self.send(&REVISE_DECISION, &[&id.to_string()], &revision).await
    }

    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision> {
        self.send(&DRAFT_DECISION, &[&id.to_string()], &Draft { values }).await
    }

    async fn attend(&self, id: DecisionId, attention: Attention) -> Result<Decision> {
        // The name counts only if the server does not authenticate callers.
        let (id, by) = (&id.to_string(), self.user.clone());
        match attention {
            Attention::Take => self.send(&TAKE_DECISION, &[id], &TakeBody { by }).await,
            Attention::Release => self.call(&RELEASE_DECISION, &[id]).await,
            Attention::Snooze { until } => {
                self.send(&SNOOZE_DECISION, &[id], &SnoozeBody { until, by }).await
            }
            Attention::Wake => self.call(&WAKE_DECISION, &[id]).await,
        }
    }

    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision> {
        // The name counts only if the server does not authenticate callers.
        let body = Cancel { reason, by: self.user.clone() };
        self.send(&CANCEL_DECISION, &[&id.to_string()], &body).await
    }

    async fn consume(
        &self,
        id: DecisionId,
        subject: Value,
        required: Requirements,
        key: Option<String>,
    ) -> Result<Consumed> {
        // With a key, a request whose response was lost can be sent again without counting as a second use.
        let key = match key {
            Some(key) => key,
            None => random_key()?,
        };
        let (id, body) = (id.to_string(), Consume { subject, min: required.min, seen: required.seen });
        let make = || self.request(&CONSUME_DECISION, &[&id]).header("idempotency-key", &key).json(&body);
        let response = self.persist(make, TIMEOUT).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        Ok(Consumed { decision: self.read(response).await?, replayed })
    }

    async fn receipt(&self, id: DecisionId) -> Result<Receipt> {
        self.call(&GET_RECEIPT, &[&id.to_string()]).await
    }

    async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        let left = || give_up.map(|at| at.saturating_duration_since(tokio::time::Instant::now()));
        let is_over = || left().is_some_and(|left| left.is_zero());
        let name = id.to_string();
        let mut told = false;
        loop {
            let millis =
                left().map_or(HOLD.as_millis(), |left| i64::try_from(left.as_millis()).unwrap_or(i64::MAX));
            let hold = Span::from_millis(millis.min(HOLD.as_millis()));
            let query = HoldParams { timeout: Some(hold) };
            let make = || {
                let limit = Duration::from_millis(hold.as_millis().unsigned_abs() + 30_000);
                self.request(&WAIT_FOR_DECISION, &[&name]).query(&query).timeout(limit)
            };
            let read = match self.persist(make, TIMEOUT).await {
                Ok(response) => self.read(response).await,
                Err(error) => Err(error),
            };
            let decision: Decision = match read {
                // A waiter has time, and a server that restarts, even in the middle of a response, still has the
                // question.
                Err(error) if may_pass(&error) && !is_over() => {
                    if !told {
                        self.place.lost(&error.to_string());
                        told = true;
                    }
                    // If no server has the decision any more, the answer is written to the store.
                    if let Some(client) = self.place.without_server().await {
                        match client.wait(id, left()).await {
                            // The server had it in another store.
                            Err(Error::NotFound(_)) => {}
                            waited => return waited,
                        }
                    }
                    wire::pause().await;
                    continue;
                }
                Err(Error::Remote(problem)) if problem.code == "removed" => return Err(Error::Removed(id)),
                Err(Error::Remote(problem)) if problem.code == "not_found" => {
                    return Err(Error::NotFound(name));
                }
                read => read?,
            };
            if decision.status != Status::Pending || is_over() {
                return Ok(decision);
            }
        }
    }

    async fn head(&self) -> Result<i64> {
        self.last_event().await
    }

    async fn events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage> {
        let decision = decision.map(|id| id.to_string());
        let project = project.map(str::to_owned);
        self.read_events(EventParams { after: Some(after), project, decision, limit: None }, wait).await
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        let mut lengths = Vec::with_capacity(ids.len());
        for some in ids.chunks(PAGE) {
            let list = some.iter().map(DecisionId::to_string).collect::<Vec<_>>().join(",");
            lengths.extend(self.query(&GET_PREFIX_LENGTHS, &[], &PrefixParams { ids: list }).await?);
        }
        Ok(lengths)
    }

    async fn finish(&self) -> Vec<String> {
        // The server notifies those who are to be told.
        Vec::new()
    }

    async fn undo(&self) -> Result<Span> {
        match self.call(&GET_INBOX, &[]).await {
            // An older server does not have this setting.
            Err(Error::Remote(problem)) if problem.status == 404 => Ok(Span::from_secs(0)),
            said => Ok(said?.undo),
        }
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok(Clock::System.now())
    }

    fn page(&self, id: DecisionId) -> Option<String> {
        Some(format!("{}/d/{id}", self.place.base()))
    }

    fn inbox(&self) -> Option<String> {
        Some(format!("{}/", self.place.base()))
    }
}
