//! The inbox's access to decisions: reading, sending, following the log. It runs concurrently with the drawing, and
//! reports back as news.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::rule::Then;
use holdpoint_core::{Decision, DecisionId, Refusal, Search, Status};
use holdpoint_engine::{AnswerItem, AnswerItems, Client, Error, Home, ListQuery};
use holdpoint_store::View;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::sync::mpsc::UnboundedSender;

use super::events::{
    AnswerOutcome, AnswerRefusal, DecisionEvent, InboxEffect, InboxEvent, NextView, OpenedDecision,
    PendingList,
};
use super::row::Row;
use crate::view_model::identical::{self, IdenticalGroup};
use crate::view_model::owners::OwnerNames;
use crate::view_model::recent_answer::{self, Again};
use crate::view_model::verdict_commit::{LOOKED_AT, landed};
use crate::view_model::{bulk_answer, change, private, rank, rounds, vote_progress, wording};

/// How many decisions are ranked; if there are more, the oldest are.
const RANKED: usize = 1_000;
/// How long to hold for an event.
const HOLD: Duration = Duration::from_secs(60);
/// How long to wait before retrying a connection.
const PAUSE: Duration = Duration::from_secs(2);

/// The decisions that the inbox shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct InboxFilter {
    pub(crate) query: ListQuery,
    /// Only decisions assigned to this person, or to nobody.
    pub(crate) mine: Option<String>,
    /// The person whose inbox it is: decisions that they have snoozed are not shown.
    pub(crate) me: String,
}

/// Carries out the inbox's effects.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) client: Arc<dyn Client>,
    pub(crate) narrowed: InboxFilter,
    /// Where this terminal's record of shown decisions is kept.
    pub(crate) home: Home,
    pub(crate) news: UnboundedSender<InboxEvent>,
    /// The names of owners.
    pub(crate) names: Arc<Mutex<OwnerNames>>,
}

impl Worker {
    fn send_event(&self, news: InboxEvent) {
        // The receiver is gone only at the end.
        let _ = self.news.send(news);
    }

    /// Carries out an effect.
    pub(crate) async fn perform(self, effect: InboxEffect) {
        let news = match effect {
            InboxEffect::List => match self.list().await {
                Ok(listing) => InboxEvent::Listed(listing),
                Err(error) => InboxEvent::Lost(wording::sentence(&error.to_string())),
            },
            InboxEffect::Find(text) => match self.find(&text).await {
                Ok(rows) => InboxEvent::Found(rows),
                Err(error) => InboxEvent::Lost(wording::sentence(&error.to_string())),
            },
            InboxEffect::View(after) => match self.view_after(after.as_deref()).await {
                Ok(viewed) => InboxEvent::Viewed(viewed),
                Err(error) => InboxEvent::Warned(wording::sentence(&error.to_string())),
            },
            InboxEffect::Open(id, pick) => match self.opened(id, pick).await {
                Ok(opened) => InboxEvent::Opened(Box::new(opened)),
                Err(error) => InboxEvent::NotOpened(wording::sentence(&error.to_string())),
            },
            InboxEffect::Glance(id) => match self.opened(id, None).await {
                Ok(opened) => InboxEvent::Glanced(Box::new(opened)),
                // The preview of the row is enough until the list is read again.
                Err(_) => return,
            },
            InboxEffect::Look(id) => match self.client.get(&id.to_string()).await {
                Ok(decision) => InboxEvent::Current(id, Some(Box::new(decision))),
                Err(error) if is_gone(&error) => InboxEvent::Current(id, None),
                Err(error) => InboxEvent::Lost(wording::sentence(&error.to_string())),
            },
            InboxEffect::ShowPatchset(id, number) => {
                let diff = match self.client.get(&id.to_string()).await {
                    Ok(decision) => {
                        change::read_set(&*self.client, &decision, number.parse().unwrap_or(0)).await
                    }
                    Err(_) => None,
                };
                InboxEvent::Patchset(id, number, diff)
            }
            InboxEffect::Gather(ids) => match bulk_answer::gather(&*self.client, &ids).await {
                Ok(marked) => InboxEvent::Gathered(marked),
                Err(error) => InboxEvent::NotOpened(wording::sentence(&error.to_string())),
            },
            InboxEffect::Attend(id, attention) => match self.client.attend(id, attention).await {
                Ok(decision) => InboxEvent::Attended(Box::new(decision), attention),
                Err(error) => InboxEvent::Warned(wording::sentence(&error.to_string())),
            },
            InboxEffect::Propose(id) => match self.client.propose_rules(&id.to_string(), Then::Allow).await {
                Ok(steps) => InboxEvent::Proposed(id, steps),
                Err(error) => InboxEvent::Warned(wording::sentence(&error.to_string())),
            },
            InboxEffect::MakeRule(rule) => match self.client.create_rule(*rule).await {
                Ok(made) => InboxEvent::RuleMade(Box::new(made)),
                Err(error) => InboxEvent::Warned(wording::sentence(&error.to_string())),
            },
            InboxEffect::SendMany(items) => return self.send_many(items).await,
            InboxEffect::Send(id, input) => return self.send(id, *input).await,
            InboxEffect::Draft(id, values) => {
                // A draft is only a convenience: its values are still on the screen.
                let _ = self.client.draft(id, values).await;
                return;
            }
            InboxEffect::Redraw | InboxEffect::Suspend | InboxEffect::Quit => return,
        };
        self.send_event(news);
    }

    /// Reads a decision with everything that its card shows.
    async fn opened(&self, id: DecisionId, pick: Option<usize>) -> Result<OpenedDecision, Error> {
        let (decision, rounds) = open(&*self.client, id).await?;
        let diff = change::read(&*self.client, &decision).await;
        let owner_name = self.name(&decision).await;
        let same = identical::of(&*self.client, &decision).await.unwrap_or_default();
        let again = self.recent_answer(&decision).await;
        Ok(OpenedDecision { decision, owner_name, rounds, diff, pick, same, again })
    }

    /// Reads the pending decisions, ranked.
    pub(crate) async fn list(&self) -> Result<PendingList, Error> {
        let mut names = self.names.lock().await;
        list(&*self.client, &self.narrowed, None, &mut names).await
    }

    /// Searches for pending decisions beyond those that were read.
    pub(crate) async fn find(&self, text: &str) -> Result<Vec<Row>, Error> {
        let mut names = self.names.lock().await;
        Ok(list(&*self.client, &self.narrowed, Some(Search::of(text)), &mut names).await?.rows)
    }

    /// Returns the next saved view, among those that show pending decisions.
    async fn view_after(&self, name: Option<&str>) -> Result<NextView, Error> {
        let waits = |view: &View| {
            let statuses = Status::read_several(&view.status).unwrap_or_default();
            statuses.is_empty() || statuses.contains(&Status::Pending)
        };
        let mut views = self.client.views().await?;
        views.retain(waits);
        let count = views.len();
        let here = name.and_then(|name| views.iter().position(|view| view.name == name));
        let at = here.map_or(0, |here| here + 1);
        Ok(match views.into_iter().nth(at) {
            Some(view) => NextView::One { view, number: at + 1, count },
            None if count == 0 => NextView::None,
            None => NextView::All,
        })
    }

    /// Returns the name of a decision's owner.
    pub(crate) async fn name(&self, decision: &Decision) -> Option<String> {
        let mut names = self.names.lock().await;
        names.learn(&*self.client, std::slice::from_ref(decision)).await;
        names.name(decision).map(str::to_owned)
    }

    /// Returns the person's recent answer to the same question; none if it cannot be read.
    pub(crate) async fn recent_answer(&self, decision: &Decision) -> Option<Again> {
        let now = self.client.now().await.ok()?;
        recent_answer::find(&*self.client, decision, &self.narrowed.me, now).await.ok()?
    }

    async fn send(self, id: DecisionId, input: AnswerInput) {
        match self.client.answer(id, input).await {
            Ok(answered) => {
                let (decision, next) = (answered.decision, answered.next);
                let (settled, replayed) = (decision.clone(), answered.replayed);
                let same = answered.same;
                self.send_event(InboxEvent::Taken(Box::new(AnswerOutcome {
                    decision,
                    next,
                    replayed,
                    same,
                })));
                for failure in self.client.finish().await {
                    self.send_event(InboxEvent::Warned(wording::sentence(&failure)));
                }
                match landed(&*self.client, &settled, LOOKED_AT).await {
                    Some(Ok(words)) => self.send_event(InboxEvent::Landed(words)),
                    Some(Err(why)) => self.send_event(InboxEvent::Warned(why)),
                    None => {}
                }
            }
            Err(error) => self.send_event(InboxEvent::Refused(id, refused(error))),
        }
    }

    async fn send_many(self, items: Vec<(DecisionId, AnswerInput)>) {
        let Some(first) = items.first().map(|(id, _)| *id) else { return };
        let items = items.into_iter().map(|(id, answer)| AnswerItem { id, answer }).collect();
        match self.client.answer_many(AnswerItems { items }).await {
            Ok(answered) => {
                let told = answered.into_iter().map(|item| (item.id, item.refused.map(|why| why.detail)));
                self.send_event(InboxEvent::SentMany(first, Ok(told.collect())));
                for failure in self.client.finish().await {
                    self.send_event(InboxEvent::Warned(wording::sentence(&failure)));
                }
            }
            Err(error) => self.send_event(InboxEvent::SentMany(first, Err(error.to_string()))),
        }
    }

    /// Follows the log, from a place or from now, and reports what happens to decisions.
    pub(crate) async fn follow(self, from: Option<i64>) {
        let mut after = from;
        loop {
            match self.events(&mut after).await {
                Ok(happenings) if happenings.is_empty() => {}
                Ok(happenings) => self.send_event(InboxEvent::Happened(happenings)),
                Err(error) => {
                    // Everything is read again afterwards, so events missed here do not matter.
                    after = None;
                    self.send_event(InboxEvent::Lost(wording::sentence(&error.to_string())));
                    tokio::time::sleep(PAUSE).await;
                    self.clone().perform(InboxEffect::List).await;
                }
            }
            if self.news.is_closed() {
                return;
            }
        }
    }

    async fn events(&self, after: &mut Option<i64>) -> Result<Vec<DecisionEvent>, Error> {
        let place = match *after {
            Some(place) => place,
            None => self.client.head().await?,
        };
        let project = self.narrowed.query.project.as_deref();
        let page = self.client.events(place, None, project, HOLD).await?;
        *after = Some(page.last);
        let text = |event: &serde_json::Map<String, Value>, key: &str| {
            event.get(key).and_then(Value::as_str).map(str::to_owned)
        };
        let happening = |event| {
            let what = text(event, "type")?.strip_prefix("decision:")?.to_owned();
            Some(DecisionEvent { what, id: text(event, "id")?.parse().ok()? })
        };
        Ok(page.events.iter().filter_map(happening).collect())
    }
}

async fn list(
    client: &dyn Client,
    narrowed: &InboxFilter,
    search: Option<Search>,
    names: &mut OwnerNames,
) -> Result<PendingList, Error> {
    let now = client.now().await?;
    let query =
        ListQuery { statuses: vec![Status::Pending], search, limit: RANKED, ..narrowed.query.clone() };
    let mine = |decision: &Decision| {
        narrowed.mine.as_deref().is_none_or(|who| vote_progress::is_put_to(decision, who))
    };
    let here = |decision: &Decision| mine(decision) && decision.snoozed_until(&narrowed.me, now).is_none();
    let (found, more) = private::list(client, query, here).await?;
    let found = rank::rank(found, now);
    names.learn(client, &found).await;
    let row = |group: &IdenticalGroup| Row::of_group(group, names.name(&group.decision), now);
    let rows = identical::group(found).iter().map(row).collect();
    Ok(PendingList { rows, more, now: Some(now) })
}

/// Reads a decision and the rounds before it.
pub(crate) async fn open(
    client: &dyn Client,
    id: DecisionId,
) -> Result<(Decision, Vec<rounds::Round>), Error> {
    let decision = client.get(&id.to_string()).await?;
    let rounds = rounds::before(client, &decision).await?;
    Ok((decision, rounds))
}

/// Returns whether an error means that something was removed, rather than unreachable.
pub(crate) fn is_gone(error: &Error) -> bool {
    match error {
        Error::NotFound(_) | Error::Removed(_) => true,
        Error::Remote(problem) => matches!(problem.status, 404 | 410),
        _ => false,
    }
}

/// Classifies why an answer was refused, whether locally or by a server.
pub(crate) fn refused(error: Error) -> AnswerRefusal {
    match error {
        Error::Refused(Refusal::Settled(decision)) => AnswerRefusal::Settled(decision),
        Error::Refused(Refusal::Stale { .. }) => AnswerRefusal::Stale,
        Error::Refused(Refusal::Invalid(faults)) => AnswerRefusal::Invalid(faults),
        Error::Remote(problem) => match (problem.code.as_str(), problem.decision, problem.errors) {
            ("already_settled", Some(decision), _) => AnswerRefusal::Settled(decision),
            ("stale", ..) => AnswerRefusal::Stale,
            (_, _, errors) if !errors.is_empty() => AnswerRefusal::Invalid(errors),
            _ => AnswerRefusal::Other(problem.detail),
        },
        Error::Unreachable(why) => AnswerRefusal::Lost(why),
        other => AnswerRefusal::Other(other.to_string()),
    }
}
