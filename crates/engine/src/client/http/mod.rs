//! The client that talks to a server: one request for each method, and what its answer means.

mod events;
#[cfg(feature = "threads")]
mod threads;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{AnswerInput, Attention, New, Requirements, Revision};
use holdpoint_core::{
    Decision, DecisionId, Item, Person, Project, ProjectChange, Span, Status, Timestamp, Token, Values, text,
};
use holdpoint_store::OutboxState;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

pub use wire::Http;
use wire::random_key;
pub(super) use wire::{TIMEOUT, segment};

use super::bodies::{
    AnswerBody, AnswerItems, AnsweredItem, AnsweredItems, Authentication, Items, SignInLink,
};
use super::{Answered, Client, Consumed, Created, Detail, EventPage, ListQuery, Listed};
use crate::auth::{CreatedToken, NewPerson, NewToken};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::outbox::Undelivered;
use crate::receipt::Receipt;

/// How long one request holds; shorter than what proxies cut off.
const HOLD: Span = Span::from_secs(50);
/// How many decisions a server lists at a time, and how many ids it takes.
const PAGE: usize = 1000;

#[async_trait]
impl Client for Http {
    async fn create(&self, new: New, key: Option<String>) -> Result<Created> {
        // With a key of its own, a request whose answer got lost can be sent again.
        let key = match key {
            Some(key) => key,
            None => random_key()?,
        };
        let make = || self.request(Method::POST, "/v1/decisions").header("idempotency-key", &key).json(&new);
        let response = self.persist(make, TIMEOUT).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        Ok(Created { decision: self.read(response).await?, replayed })
    }

    async fn get(&self, id: &str) -> Result<Decision> {
        // What no id starts with could lead to another address.
        let prefix = DecisionId::normalise_prefix(id).filter(|prefix| !prefix.is_empty());
        let missing = || Error::NotFound(text::inert_line(id));
        let prefix = prefix.ok_or_else(missing)?;
        match self.get_json(&format!("/v1/decisions/{prefix}"), &[]).await {
            // It knows the id as it was sent, not as it was typed.
            Err(Error::Remote(problem)) if problem.code == "not_found" => Err(missing()),
            got => got,
        }
    }

    async fn list(&self, query: &ListQuery) -> Result<Listed> {
        let mut listed = Listed { items: Vec::new(), next: query.cursor.clone() };
        loop {
            let wanted = query.limit - listed.items.len();
            let mut pairs = vec![("limit", wanted.min(PAGE).to_string())];
            let statuses: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
            pairs.push(("status", if statuses.is_empty() { "all".into() } else { statuses.join(",") }));
            let optional = [
                ("project", query.project.clone()),
                ("source", query.source.map(|source| source.name().into())),
                ("owner", query.owner.as_ref().map(ToString::to_string)),
                ("requested_by", query.requested_by.clone()),
                ("on", query.on_items.then(|| "items".into())),
                ("settled_since", query.settled_since.map(|at| at.to_string())),
                ("order", query.newest_first.then(|| "newest_first".into())),
                ("cursor", listed.next.take()),
            ];
            pairs.extend(optional.into_iter().filter_map(|(key, value)| Some((key, value?))));
            let page: Items<Decision> = self.get_json("/v1/decisions", &pairs).await?;
            for item in page.items {
                // A server lists long decisions in short.
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
        // Counts only where the server asks nobody who they are.
        input.by = input.by.or_else(|| self.user.clone());
        let body = serde_json::to_value(&input).unwrap_or_default();
        let path = format!("/v1/decisions/{id}/answer");
        let response = self.persist(|| self.request(Method::POST, &path).json(&body), TIMEOUT).await?;
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
        let body = serde_json::to_value(&answers).unwrap_or_default();
        let answered: AnsweredItems = self.send(Method::POST, "/v1/answers", &body).await?;
        Ok(answered.items)
    }

    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision> {
        let body = serde_json::to_value(&revision).unwrap_or_default();
        self.send(Method::PATCH, &format!("/v1/decisions/{id}"), &body).await
    }

    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision> {
        self.send(Method::PUT, &format!("/v1/decisions/{id}/draft"), &json!({ "values": values })).await
    }

    async fn attend(&self, id: DecisionId, attention: Attention) -> Result<Decision> {
        // The name counts only where the server asks nobody who they are.
        let (method, what, body) = match attention {
            Attention::Take => (Method::PUT, "take", json!({ "by": self.user })),
            Attention::Release => (Method::DELETE, "take", Value::Null),
            Attention::Snooze { until } => {
                (Method::PUT, "snooze", json!({ "until": until, "by": self.user }))
            }
            Attention::Wake => (Method::DELETE, "snooze", Value::Null),
        };
        self.send(method, &format!("/v1/decisions/{id}/{what}"), &body).await
    }

    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision> {
        // The name counts only where the server asks nobody who they are.
        let body = json!({ "reason": reason, "by": self.user });
        self.send(Method::POST, &format!("/v1/decisions/{id}/cancel"), &body).await
    }

    async fn consume(
        &self,
        id: DecisionId,
        subject: Value,
        required: Requirements,
        key: Option<String>,
    ) -> Result<Consumed> {
        // With a key of its own, a request whose answer got lost can be sent again, and is not a second use.
        let key = match key {
            Some(key) => key,
            None => random_key()?,
        };
        let path = format!("/v1/decisions/{id}/consume");
        // A server that does not know `seen` refuses it, which is right only where it is required.
        let mut body = json!({ "subject": subject, "min": required.min });
        if required.seen {
            body["seen"] = true.into();
        }
        let make = || self.request(Method::POST, &path).header("idempotency-key", &key).json(&body);
        let response = self.persist(make, TIMEOUT).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        Ok(Consumed { decision: self.read(response).await?, replayed })
    }

    async fn receipt(&self, id: DecisionId) -> Result<Receipt> {
        self.get_json(&format!("/v1/decisions/{id}/receipt"), &[]).await
    }

    async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        let path = format!("/v1/decisions/{id}/wait");
        loop {
            let left = give_up.map(|at| at.saturating_duration_since(tokio::time::Instant::now()));
            let millis =
                left.map_or(HOLD.as_millis(), |left| i64::try_from(left.as_millis()).unwrap_or(i64::MAX));
            let hold = Span::from_millis(millis.min(HOLD.as_millis()));
            let query = [("timeout", hold.to_string())];
            // A waiter has time; a server that is restarted still has the question.
            let timeout = left.map_or(Duration::from_secs(u32::MAX.into()), |left| left.max(TIMEOUT));
            let make = || {
                let limit = Duration::from_millis(hold.as_millis().unsigned_abs() + 30_000);
                self.request(Method::GET, &path).query(&query).timeout(limit)
            };
            let response = self.persist(make, timeout).await?;
            // A server that stops in the middle of its answer is asked again like one that was not there.
            let decision: Decision = match self.read(response).await {
                Err(Error::Unreachable(_)) if left.is_none_or(|left| !left.is_zero()) => {
                    wire::pause().await;
                    continue;
                }
                Err(Error::Remote(problem)) if problem.code == "removed" => return Err(Error::Removed(id)),
                read => read?,
            };
            let time_is_up = give_up.is_some_and(|at| tokio::time::Instant::now() >= at);
            if decision.status != Status::Pending || time_is_up {
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
        let mut query = Vec::new();
        query.extend(decision.map(|id| ("decision", id.to_string())));
        query.extend(project.map(|project| ("project", project.to_owned())));
        self.read_events(after, query, wait).await
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        let mut lengths = Vec::with_capacity(ids.len());
        for some in ids.chunks(PAGE) {
            let list = some.iter().map(DecisionId::to_string).collect::<Vec<_>>().join(",");
            lengths.extend(self.get_json::<Vec<usize>>("/v1/prefixes", &[("ids", list)]).await?);
        }
        Ok(lengths)
    }

    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        let query: Vec<_> = project.map(|project| ("project", project.to_owned())).into_iter().collect();
        Ok(self.get_json::<Items<Item>>("/v1/items", &query).await?.items)
    }

    async fn create_item(&self, project: &str, id: &str, title: Option<String>) -> Result<Item> {
        self.send(Method::POST, "/v1/items", &json!({ "id": id, "project": project, "title": title })).await
    }

    async fn delete_item(&self, project: &str, id: &str) -> Result<usize> {
        #[derive(Deserialize)]
        struct Deleted {
            removed: usize,
        }
        let path = format!("/v1/items/{}", segment(id));
        let request = self.request(Method::DELETE, &path).query(&[("project", project)]);
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        Ok(self.read::<Deleted>(response).await?.removed)
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        Ok(self.get_json::<Items<Project>>("/v1/projects", &[]).await?.items)
    }

    async fn update_project(&self, name: &str, change: ProjectChange) -> Result<Project> {
        self.send(Method::PUT, &format!("/v1/projects/{}", segment(name)), &json!(change)).await
    }

    async fn create_token(&self, new: NewToken) -> Result<CreatedToken> {
        // Sent once: a second token whose secret nobody has seen would be worse than none.
        let make = || self.request(Method::POST, "/v1/tokens").json(&new);
        let response = self.persist(make, Duration::ZERO).await?;
        self.read(response).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        Ok(self.get_json::<Items<Token>>("/v1/tokens", &[]).await?.items)
    }

    async fn revoke_token(&self, id: &str) -> Result<Token> {
        self.send(Method::DELETE, &format!("/v1/tokens/{}", segment(id)), &json!({})).await
    }

    async fn put_person(&self, new: NewPerson) -> Result<Person> {
        let path = format!("/v1/people/{}", segment(&new.name));
        let response = self.persist(|| self.request(Method::PUT, &path).json(&new), TIMEOUT).await?;
        self.read(response).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        Ok(self.get_json::<Items<Person>>("/v1/people", &[]).await?.items)
    }

    async fn remove_person(&self, name: &str) -> Result<()> {
        let path = format!("/v1/people/{}", segment(name));
        let response = self.persist(|| self.request(Method::DELETE, &path), TIMEOUT).await?;
        self.done(response).await
    }

    async fn sign_in_link(&self, name: &str) -> Result<String> {
        let path = format!("/v1/people/{}/link", segment(name));
        Ok(self.send::<SignInLink>(Method::POST, &path, &json!({})).await?.url)
    }

    async fn auth_required(&self) -> Result<bool> {
        Ok(self.get_json::<Authentication>("/v1/auth", &[]).await?.required)
    }

    async fn set_auth(&self, required: bool) -> Result<()> {
        let body = json!({ "required": required });
        self.send::<Authentication>(Method::PUT, "/v1/auth", &body).await.map(drop)
    }

    async fn outbox(&self, state: Option<OutboxState>, limit: usize) -> Result<Vec<Undelivered>> {
        let mut query = vec![("limit", limit.min(1000).to_string())];
        query.extend(state.map(|state| ("state", state.name().to_owned())));
        Ok(self.get_json::<Items<Undelivered>>("/v1/outbox", &query).await?.items)
    }

    async fn resend(&self, id: i64) -> Result<()> {
        self.send::<Value>(Method::POST, &format!("/v1/outbox/{id}/resend"), &json!({})).await.map(drop)
    }

    async fn finish(&self) -> Vec<String> {
        // The server notifies those who are to be told.
        Vec::new()
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok(Clock::System.now())
    }

    fn page(&self, id: DecisionId) -> Option<String> {
        Some(format!("{}/d/{id}", self.base))
    }
}
