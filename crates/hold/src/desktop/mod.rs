//! `hold notify`: desktop notifications for what waits for a person. It follows the log, shows what the person wants
//! to be told and how it ended, and accepts only answers on a notice that do not require reading the subject.

mod decision_source;
mod model;
mod notifier;
mod program;

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::notify::{Channel, NoticeContext, Notify, Timing};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Status, Timestamp};
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::desktop::{self, Notice, NotificationEvent, OPEN};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;

use decision_source::LostServer;
pub(crate) use decision_source::{DecisionSource, Opening};
pub(crate) use notifier::{Notifier, open};

use crate::view_model::vote_progress::is_put_to;
use model::{DesktopChange, Model};

/// How long one poll of the log holds.
const HOLD: Duration = Duration::from_secs(25);
/// How often held-back decisions are checked.
const LOOK: Duration = Duration::from_secs(60);
/// The maximum number of decisions that are read.
const MOST: usize = 500;

/// Follows until a signal ends it. Returns whose token it has if that is not the person who was named.
pub(crate) async fn until_told_to_end(
    follower: &mut Follower,
    named: Option<&str>,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<Option<String>, Error> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let signals: std::io::Result<Vec<_>> = kinds.into_iter().map(signal).collect();
    let mut signals =
        signals.map_err(|source| Error::Io { what: "cannot listen for signals".into(), source })?;
    let told = std::future::poll_fn(|context| {
        let is_told = signals.iter_mut().any(|one| one.poll_recv(context).is_ready());
        if is_told { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    });
    tokio::select! {
        () = told => Ok(None),
        outcome = follower.run(named, say) => outcome.map(Some),
    }
}

/// Keeps the desktop's notices in line with what waits.
pub(crate) struct Follower {
    client: Arc<dyn Client>,
    /// Finds the decisions again when their server goes or a server appears.
    place: Box<dyn DecisionSource>,
    screen: Notifier,
    me: String,
    project: Option<String>,
    model: Model,
    /// Whether the user was told that notices cannot be shown, and no notice has been shown since.
    is_dark: bool,
}

/// How following started.
enum FollowStart {
    /// Follows from a place in the log; `wake` is when to check held-back decisions.
    Following { after: i64, wake: Option<Instant> },
    /// Does not follow: the token belongs to this person, and another was named.
    SomebodyElse(String),
}

/// The next thing to do.
enum FollowerEvent {
    /// The person clicked or closed a notice.
    Heard(NotificationEvent),
    /// Something was recorded in the log.
    Happened { last: i64, matters: bool },
    /// A held-back decision is due.
    Due,
}

impl Follower {
    /// Creates a follower for a user; a credential may later name the person.
    pub(crate) fn new(
        client: Arc<dyn Client>,
        place: Box<dyn DecisionSource>,
        screen: Notifier,
        user: String,
        project: Option<String>,
    ) -> Self {
        Self { client, place, screen, me: user, project, model: Model::default(), is_dark: false }
    }

    /// Ends the programs that show notices and report their events.
    pub(crate) async fn end(self) {
        self.screen.end().await;
    }

    /// Runs until an error that retrying does not fix, or until the token turns out to belong to somebody else.
    async fn run(
        &mut self,
        named: Option<&str>,
        say: &mut (dyn FnMut(String) + Send),
    ) -> Result<String, Error> {
        let mut lost = LostServer::default();
        let (mut after, mut wake) = loop {
            match self.begin(named, say).await {
                Ok(FollowStart::Following { after, wake }) => break (after, wake),
                Ok(FollowStart::SomebodyElse(name)) => return Ok(name),
                Err(error) => self.wait_for(error, &mut lost, say).await?,
            }
        };
        lost = LostServer::default();
        say(format!(
            "Following what waits for {}; notices are shown by {}",
            inert_line(&self.me),
            self.screen.name()
        ));
        loop {
            let done = match self.next(after, wake).await {
                Ok(FollowerEvent::Heard(heard)) => self.take(heard, say).await.map(|()| wake),
                Ok(FollowerEvent::Happened { last, matters: false }) => {
                    after = last;
                    Ok(wake)
                }
                Ok(FollowerEvent::Happened { last, matters: true }) => {
                    after = last;
                    self.refresh(say).await
                }
                Ok(FollowerEvent::Due) => self.refresh(say).await,
                Err(error) => Err(error),
            };
            match done {
                Ok(next) => {
                    wake = next;
                    lost = LostServer::default();
                }
                Err(error) => {
                    self.wait_for(error, &mut lost, say).await?;
                    // Refreshing everything also covers what happened meanwhile.
                    wake = Some(Instant::now());
                }
            }
        }
    }

    /// Finds out who the person is and what waits.
    async fn begin(
        &mut self,
        named: Option<&str>,
        say: &mut (dyn FnMut(String) + Send),
    ) -> Result<FollowStart, Error> {
        // The token's person counts, not the name of the local account.
        if let Some(name) = self.client.whoami().await? {
            if named.is_some_and(|named| named != name) {
                return Ok(FollowStart::SomebodyElse(name));
            }
            self.me = name;
        }
        let after = self.client.head().await?;
        Ok(FollowStart::Following { after, wake: self.refresh(say).await? })
    }

    /// Waits for a server that is gone, and then finds out where the decisions are.
    async fn wait_for(
        &mut self,
        error: Error,
        lost: &mut LostServer,
        say: &mut (dyn FnMut(String) + Send),
    ) -> Result<(), Error> {
        if let Some(client) = lost.wait(error, self.place.as_ref(), say).await? {
            self.client = client;
        }
        Ok(())
    }

    async fn next(&mut self, after: i64, wake: Option<Instant>) -> Result<FollowerEvent, Error> {
        let Self { client, screen, project, .. } = self;
        let wake = async {
            match wake {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = screen.next_event() => Ok(FollowerEvent::Heard(heard)),
            () = wake => Ok(FollowerEvent::Due),
            page = client.events(after, None, project.as_deref(), HOLD) => {
                let page = page?;
                let matters = |event: &serde_json::Map<String, serde_json::Value>| {
                    let kind = event.get("type").and_then(serde_json::Value::as_str).unwrap_or_default();
                    kind.starts_with("decision:") || kind.starts_with("person:")
                };
                Ok(FollowerEvent::Happened { last: page.last, matters: page.events.iter().any(matters) })
            }
        }
    }

    /// Reads everything that waits and updates the desktop; returns when to check held-back decisions again.
    async fn refresh(&mut self, say: &mut (dyn FnMut(String) + Send)) -> Result<Option<Instant>, Error> {
        // A server that started after this program serves the cards and knows who answers.
        if self.client.inbox().is_none()
            && self.place.has_server()
            && let Some(client) = self.place.open().await
        {
            self.client = client;
            self.me = self.client.whoami().await?.unwrap_or_else(|| self.me.clone());
        }
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
            let matter = NoticeContext::of(&decision, decision.created_at);
            match notify.plan(Channel::Desktop, &matter, now) {
                Timing::Now => waiting.push(decision),
                // A notice on the screen stays during quiet hours, and changes with its decision.
                _ if self.model.knows(decision.id) => waiting.push(decision),
                Timing::Held { until, .. } | Timing::Gathered { until, .. } => {
                    due = Some(due.map_or(until, |known| known.min(until)));
                }
                Timing::Not { .. } => {}
            }
        }
        for change in self.model.update(waiting) {
            self.show(change, say).await;
        }
        let wait = due.map(|due| Duration::from_millis(due.since(now).as_millis().unsigned_abs() + 1));
        // While a machine sleeps, its clock stands still, so the wait is bounded.
        Ok(wait.map(|wait| Instant::now() + wait.min(LOOK)))
    }

    /// Returns how the person wants to be told; the defaults if that cannot be read.
    async fn notify(&self) -> Result<Notify, Error> {
        match self.client.notify_of(&self.me).await {
            Ok(view) => Ok(view.notify),
            Err(error @ (Error::Unreachable(_) | Error::Store(_))) => Err(error),
            Err(_) => Ok(Notify::default()),
        }
    }

    async fn show(&mut self, change: DesktopChange, say: &mut (dyn FnMut(String) + Send)) {
        match change {
            DesktopChange::Show(decision, replaces) => {
                let has_card = self.client.page(decision.id).is_some();
                if let Some(notice) = self.draw(&desktop::notice(&decision, has_card), replaces, say).await {
                    self.model.shown(decision.id, notice);
                }
            }
            DesktopChange::ShowSeveral(count, replaces) => {
                let has_card = self.client.inbox().is_some();
                if let Some(notice) = self.draw(&desktop::several(count, has_card), replaces, say).await {
                    self.model.shown_several(notice);
                }
            }
            DesktopChange::Settle(id, notice) => {
                // Showing the outcome is optional; removing the notice is not.
                if let Ok(decision) = self.client.get(&id.to_string()).await {
                    self.settle(&decision, notice, say).await;
                }
            }
        }
    }

    async fn settle(&mut self, decision: &Decision, notice: u32, say: &mut (dyn FnMut(String) + Send)) {
        self.draw(&desktop::settled(decision), Some(notice), say).await;
    }

    /// Shows a notice. If that fails, warns once and goes on.
    async fn draw(
        &mut self,
        notice: &Notice,
        replaces: Option<u32>,
        say: &mut (dyn FnMut(String) + Send),
    ) -> Option<u32> {
        match self.screen.show(notice, replaces).await {
            Ok(name) => {
                self.is_dark = false;
                Some(name)
            }
            Err(why) => {
                if !std::mem::replace(&mut self.is_dark, true) {
                    say(format!("warning: a notice could not be shown: {}; going on", inert_line(&why)));
                }
                None
            }
        }
    }

    /// Handles a click.
    async fn take(
        &mut self,
        heard: NotificationEvent,
        say: &mut (dyn FnMut(String) + Send),
    ) -> Result<(), Error> {
        let (notice, action) = match heard {
            NotificationEvent::Closed(notice) => {
                self.model.closed(notice);
                return Ok(());
            }
            NotificationEvent::Clicked(notice, action) => (notice, action),
        };
        if self.model.is_several(notice) {
            if let Some(inbox) = self.client.inbox() {
                program::open_page(&inbox);
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
        // A click cannot give an answer that the notice did not offer.
        let offered = desktop::controls(&decision);
        let control = desktop::answer(&action).and_then(|at| offered.get(at)).filter(|one| !one.consents);
        let Some(input) = control.and_then(|control| control.act.answer(&decision)) else { return Ok(()) };
        let input = AnswerInput { digest: Some(decision.digest.clone()), ..input };
        match self.client.answer(decision.id, input).await {
            Ok(answered) => self.settle(&answered.decision, notice, say).await,
            Err(error @ (Error::Unreachable(_) | Error::Store(_))) => {
                self.not_sent(&decision, notice, &error, say).await;
                return Err(error);
            }
            Err(error) => self.not_sent(&decision, notice, &error, say).await,
        }
        self.model.closed(notice);
        Ok(())
    }

    async fn not_sent(
        &mut self,
        decision: &Decision,
        notice: u32,
        error: &Error,
        say: &mut (dyn FnMut(String) + Send),
    ) {
        let shown = Notice {
            title: "Nothing was sent".into(),
            body: inert_line(&error.to_string()),
            actions: Vec::new(),
            stays: false,
        };
        self.draw(&shown, Some(notice), say).await;
        tracing::warn!(decision.id = %decision.id, "The answer was not taken: {error}");
    }
}
