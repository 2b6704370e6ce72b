//! `hold notify`: what waits for a person, on their desktop. It follows the log, shows what they want to be told and how it
//! ended, and takes from a notice only what needs no look at a subject.

mod model;
mod program;
mod screen;

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::notify::{Channel, Matter, Notify, Told};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Status, Timestamp};
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::desktop::{self, Heard, Notice, OPEN};
use tokio::time::Instant;

pub(crate) use screen::{Screen, open};

use crate::shown::people::is_put_to;
use model::{Change, Model};

/// How long one look at the log holds.
const HOLD: Duration = Duration::from_secs(25);
/// How long to wait before a server that is gone is tried again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How often what is held back is looked at.
const LOOK: Duration = Duration::from_secs(60);
/// At most so many are looked at.
const MOST: usize = 500;

/// Follows what waits for a person until they interrupt it.
pub(crate) async fn follow(
    client: Arc<dyn Client>,
    screen: Screen,
    me: &str,
    project: Option<String>,
    inbox: Option<String>,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<(), Error> {
    let follower = Follower { client, screen, me: me.to_owned(), project, inbox, model: Model::default() };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => Ok(()),
        gone_wrong = follower.run(say) => gone_wrong,
    }
}

struct Follower {
    client: Arc<dyn Client>,
    screen: Screen,
    me: String,
    project: Option<String>,
    inbox: Option<String>,
    model: Model,
}

/// What there is to do next.
enum Next {
    /// The person did something.
    Heard(Heard),
    /// Something happened in the log.
    Happened { last: i64, matters: bool },
    /// Something that was held back is due.
    Due,
}

impl Follower {
    /// Goes on until something is wrong that time does not mend.
    async fn run(mut self, say: &mut (dyn FnMut(String) + Send)) -> Result<(), Error> {
        // What is wrong from the start is said, and not tried again.
        let mut after = self.client.head().await?;
        let mut wake = self.refresh().await?;
        say(format!(
            "Following what waits for {}; notices are shown by {}",
            inert_line(&self.me),
            self.screen.name()
        ));
        let mut pause = PAUSES.0;
        loop {
            let done = match self.next(after, wake).await {
                Ok(Next::Heard(heard)) => self.take(heard).await.map(|()| wake),
                Ok(Next::Happened { last, matters: false }) => {
                    after = last;
                    Ok(wake)
                }
                Ok(Next::Happened { last, matters: true }) => {
                    after = last;
                    self.refresh().await
                }
                Ok(Next::Due) => self.refresh().await,
                Err(error) => Err(error),
            };
            match done {
                Ok(next) => {
                    wake = next;
                    pause = PAUSES.0;
                }
                Err(error @ (Error::Unreachable(_) | Error::Store(_))) => {
                    say(format!("{error}; trying again"));
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                    // What happened meanwhile is seen by looking at everything again.
                    wake = Some(Instant::now());
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn next(&mut self, after: i64, wake: Option<Instant>) -> Result<Next, Error> {
        let Self { client, screen, project, .. } = self;
        let wake = async {
            match wake {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = screen.heard() => Ok(Next::Heard(heard)),
            () = wake => Ok(Next::Due),
            page = client.events(after, None, project.as_deref(), HOLD) => {
                let page = page?;
                let matters = |event: &serde_json::Map<String, serde_json::Value>| {
                    let kind = event.get("type").and_then(serde_json::Value::as_str).unwrap_or_default();
                    kind.starts_with("decision:") || kind.starts_with("person:")
                };
                Ok(Next::Happened { last: page.last, matters: page.events.iter().any(matters) })
            }
        }
    }

    /// Looks at all that waits and brings the desktop up to date; returns when to look again at what is held back.
    async fn refresh(&mut self) -> Result<Option<Instant>, Error> {
        let now = self.client.now().await?;
        let notify = self.notify().await?;
        let query = ListQuery {
            project: self.project.clone(),
            statuses: vec![Status::Pending],
            newest_first: true,
            limit: MOST,
            ..ListQuery::default()
        };
        let mut due: Option<Timestamp> = None;
        let mut waiting = Vec::new();
        for decision in self.client.list(&query).await?.items {
            if !is_put_to(&decision, &self.me) || decision.snoozed_until(&self.me, now).is_some() {
                continue;
            }
            let matter = Matter {
                source: decision.source,
                project: &decision.project,
                priority: decision.priority,
                since: decision.created_at,
                deadline: decision.deadline,
            };
            match notify.plan(Channel::Desktop, &matter, now) {
                Told::Now => waiting.push(decision),
                Told::Held { until, .. } | Told::Gathered { until, .. } => {
                    due = Some(due.map_or(until, |known| known.min(until)));
                }
                Told::Not { .. } => {}
            }
        }
        for change in self.model.update(waiting) {
            self.show(change).await;
        }
        let wait = due.map(|due| Duration::from_millis(due.since(now).as_millis().unsigned_abs() + 1));
        // A machine that sleeps has a clock that stands.
        Ok(wait.map(|wait| Instant::now() + wait.min(LOOK)))
    }

    /// Returns how they want to be told; as everybody where that is not to be known.
    async fn notify(&self) -> Result<Notify, Error> {
        match self.client.notify_of(&self.me).await {
            Ok(view) => Ok(view.notify),
            Err(error @ (Error::Unreachable(_) | Error::Store(_))) => Err(error),
            Err(_) => Ok(Notify::default()),
        }
    }

    async fn show(&mut self, change: Change) {
        match change {
            Change::Show(decision, replaces) => {
                let has_card = self.client.page(decision.id).is_some();
                let shown = self.screen.show(&desktop::notice(&decision, has_card), replaces).await;
                if let Some(notice) = said(shown) {
                    self.model.shown(decision.id, notice);
                }
            }
            Change::ShowSeveral(count, replaces) => {
                let shown = self.screen.show(&desktop::several(count, self.inbox.is_some()), replaces).await;
                if let Some(notice) = said(shown) {
                    self.model.shown_several(notice);
                }
            }
            Change::Settle(id, notice) => {
                // What became of it is a courtesy: that it is over is not.
                if let Ok(decision) = self.client.get(&id.to_string()).await {
                    self.settle(&decision, notice).await;
                }
            }
        }
    }

    async fn settle(&mut self, decision: &Decision, notice: u32) {
        let _ = said(self.screen.show(&desktop::settled(decision), Some(notice)).await);
    }

    /// Does what the person clicked.
    async fn take(&mut self, heard: Heard) -> Result<(), Error> {
        let (notice, action) = match heard {
            Heard::Closed(notice) => {
                self.model.closed(notice);
                return Ok(());
            }
            Heard::Clicked(notice, action) => (notice, action),
        };
        if self.model.is_several(notice) {
            if let Some(inbox) = &self.inbox {
                program::open_page(&format!("{}/", inbox.trim_end_matches('/')));
            }
            return Ok(());
        }
        let Some(decision) = self.model.decision(notice).cloned() else { return Ok(()) };
        if action == OPEN {
            if let Some(page) = self.client.page(decision.id) {
                program::open_page(&page);
            }
            return Ok(());
        }
        // What the notice did not offer, a click on it does not answer.
        let offered = desktop::controls(&decision);
        let control = desktop::answer(&action).and_then(|at| offered.get(at)).filter(|one| !one.consents);
        let Some(input) = control.and_then(|control| control.act.answer(&decision)) else { return Ok(()) };
        let input = AnswerInput { digest: Some(decision.digest.clone()), ..input };
        match self.client.answer(decision.id, input).await {
            Ok(answered) => self.settle(&answered.decision, notice).await,
            Err(error @ (Error::Unreachable(_) | Error::Store(_))) => {
                self.not_sent(&decision, notice, &error).await;
                return Err(error);
            }
            Err(error) => self.not_sent(&decision, notice, &error).await,
        }
        self.model.closed(notice);
        Ok(())
    }

    async fn not_sent(&mut self, decision: &Decision, notice: u32, error: &Error) {
        let shown = Notice {
            title: "Nothing was sent".into(),
            body: inert_line(&error.to_string()),
            actions: Vec::new(),
            stays: false,
        };
        let _ = said(self.screen.show(&shown, Some(notice)).await);
        tracing::warn!(decision.id = %decision.id, "The answer was not taken: {error}");
    }
}

/// Logs why a notice is not on the screen; nothing else stops for it.
fn said(shown: Result<u32, String>) -> Option<u32> {
    shown.map_err(|why| tracing::warn!("A notice could not be shown: {why}")).ok()
}
