//! The client that answers from a store in this process. Names are claimed: nobody checks them.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{AnswerInput, New, Revision};
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Item, ItemStatus, Owner, OwnerKind, Project, Refusal, Span,
    Timestamp, Values,
};
use holdpoint_store::{Cursor, EventQuery, Order, Outcome, Query};
use serde_json::Value;

use super::{Answered, Client, Created, EventPage, ListQuery, Listed};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::event_view;

/// How many events are read at a time.
const EVENTS: usize = 500;

/// A client on an engine in this process.
#[derive(Clone, Debug)]
pub struct Embedded {
    engine: Engine,
    actor: Actor,
}

impl Embedded {
    /// Makes a client that acts under a name, through a door.
    pub fn new(engine: Engine, by: impl Into<String>, via: impl Into<String>) -> Self {
        Self { engine, actor: Actor::claimed(by, via) }
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    async fn act(&self, command: Command) -> Result<Outcome> {
        self.engine.submit(self.actor.clone(), command).await
    }

    async fn act_on(&self, command: Command) -> Result<Decision> {
        decision_of(self.act(command).await?)
    }

    async fn read_events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
    ) -> Result<EventPage> {
        let query = EventQuery { after, decision, project: project.map(str::to_owned), limit: EVENTS };
        let logged = self.engine.store().events(&query).await?;
        let last = logged.last().map_or(after, |event| event.seq);
        Ok(EventPage { events: logged.iter().map(event_view::view).collect(), last })
    }
}

#[async_trait]
impl Client for Embedded {
    async fn create(&self, new: New, key: Option<String>) -> Result<Created> {
        let command = Command::Create(Box::new(new));
        let outcome = self.engine.submit_keyed(self.actor.clone(), command, key).await?;
        Ok(Created { replayed: outcome.replayed, decision: decision_of(outcome)? })
    }

    async fn get(&self, id: &str) -> Result<Decision> {
        let found = self.engine.find(id).await?;
        let decision = self.engine.decision(found).await?;
        decision.map(shown).ok_or_else(|| Error::NotFound(id.to_owned()))
    }

    async fn list(&self, query: &ListQuery) -> Result<Listed> {
        let cursor = query.cursor.as_deref().map(read_cursor).transpose()?;
        let query = Query {
            project: query.project.clone(),
            statuses: query.statuses.clone(),
            source: query.source,
            owner: query.owner.clone(),
            requested_by: query.requested_by.clone(),
            settled_since: query.settled_since,
            order: if query.newest_first { Order::NewestFirst } else { Order::OldestFirst },
            cursor,
            limit: query.limit,
            now: Some(self.engine.now().await?),
        };
        let page = self.engine.store().list(&query).await?;
        Ok(Listed {
            items: page.items.into_iter().map(shown).collect(),
            next: page.next.map(|Cursor(place)| place.to_string()),
        })
    }

    async fn answer(&self, id: DecisionId, mut input: AnswerInput) -> Result<Answered> {
        let mut actor = self.actor.clone();
        if let Some(by) = input.by.take() {
            holdpoint_core::text::check_name(&by).map_err(|why| Refusal::invalid("by", why))?;
            actor.by = by;
        }
        let outcome = self.engine.submit(actor, Command::Answer { id, input: Box::new(input) }).await?;
        let (next, replayed) = (outcome.next.clone().map(shown), outcome.replayed);
        Ok(Answered { decision: decision_of(outcome)?, next, replayed })
    }

    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision> {
        self.act_on(Command::Revise { id, revision: Box::new(revision) }).await
    }

    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision> {
        self.act_on(Command::Draft { id, values }).await
    }

    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision> {
        self.act_on(Command::Cancel { id, reason }).await
    }

    async fn consume(&self, id: DecisionId, subject: Value, min: Option<Auth>) -> Result<Decision> {
        self.act_on(Command::Consume { id, subject, min }).await
    }

    async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        self.engine.wait(id, timeout).await.map(shown)
    }

    async fn events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage> {
        if wait.is_zero() {
            return self.read_events(after, decision, project).await;
        }
        let mut changed = self.engine.store().watch()?;
        let give_up = tokio::time::Instant::now() + wait;
        loop {
            changed.mark_unchanged();
            let page = self.read_events(after, decision, project).await?;
            if !page.events.is_empty() {
                return Ok(page);
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = tokio::time::sleep_until(give_up) => return Ok(page),
            }
        }
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        Ok(self.engine.store().prefix_lengths(ids).await?)
    }

    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        Ok(self.engine.store().items(project).await?)
    }

    async fn create_item(&self, project: &str, id: &str, title: Option<String>) -> Result<Item> {
        let command = Command::CreateItem { project: project.into(), id: id.into(), title: title.clone() };
        let outcome = self.act(command).await?;
        let known = self.items(Some(project)).await?.into_iter().find(|item| item.id == id);
        Ok(known.unwrap_or(Item {
            id: id.into(),
            project: project.into(),
            title,
            status: ItemStatus::Open,
            pending: 0,
            created_at: outcome.now,
        }))
    }

    async fn delete_item(&self, project: &str, id: &str) -> Result<usize> {
        let owner = Owner::new(OwnerKind::Item, id);
        let outcome = self.act(Command::EndOwner { project: project.into(), owner, deleted: true }).await?;
        Ok(outcome.events.saturating_sub(1))
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        Ok(self.engine.store().projects().await?)
    }

    async fn update_project(&self, name: &str, min_timeout: Span) -> Result<Project> {
        self.act(Command::UpdateProject { name: name.into(), min_timeout }).await?;
        Ok(Project { name: name.into(), min_timeout })
    }

    async fn finish(&self) -> Vec<String> {
        match self.engine.run_hooks().await {
            Ok(failures) => failures,
            Err(error) => vec![error.to_string()],
        }
    }

    async fn now(&self) -> Result<Timestamp> {
        self.engine.now().await
    }
}

fn decision_of(outcome: Outcome) -> Result<Decision> {
    outcome
        .decision
        .map(shown)
        .ok_or_else(|| Error::Store(holdpoint_store::Error::Corrupt("a command came to no decision".into())))
}

/// Takes away what no door shows.
fn shown(mut decision: Decision) -> Decision {
    decision.asked_with = None;
    decision
}

fn read_cursor(text: &str) -> Result<Cursor> {
    let wrong = || Refusal::invalid("cursor", "is not one that a list gave out");
    Ok(Cursor(text.parse().map_err(|_| wrong())?))
}
