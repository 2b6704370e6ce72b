//! Listening to Slack: one node does so at a time, over a socket that is replaced before it is closed.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Lane, Span};
use holdpoint_protocols::slack::{ActionKind, Frame, SlackAction, sending};
use holdpoint_store::Happened;
use serde_json::json;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use super::super::channel::DeliveryError;
use super::super::channel_settings::as_duration;
use super::super::drain::lease_name;
use super::super::notices::OpenChannels;
use super::api::DeliveryResult;
use super::channel::Slack;
use super::socket::Socket;
use crate::engine::Engine;

const CHANNEL: Lane = Lane::Slack;
/// How long a node that has stopped renewing its lease keeps others from listening, and how often the lease is renewed.
const LEASE: Span = Span::from_secs(60);
const BEAT: Duration = Duration::from_secs(15);
/// How long to wait before the next try, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// How many deliveries are remembered, so that a repeated one is recognised.
const REMEMBERED: usize = 1_000;

/// Why a node stops listening.
enum StopReason {
    /// It was told to stop.
    Stopped,
    /// Another node listens.
    Elsewhere,
}

impl Engine {
    /// Listens until told to stop.
    pub(in crate::notify) async fn run_slack(
        self,
        notices: Arc<OpenChannels>,
        mut stop: watch::Receiver<bool>,
    ) {
        let (Some(slack), Ok(holder)) = (notices.slack.clone(), lease_name()) else { return };
        let failing = self.last_failure(CHANNEL).await.is_some();
        let mut listener = Listener {
            slack,
            notices,
            holder,
            work: JoinSet::new(),
            known: RecentDeliveries::default(),
            failing,
        };
        let mut pause = PAUSES.0;
        while !*stop.borrow() {
            let mut ready = false;
            let wait = match self.hear_slack(&mut listener, &mut ready, &mut stop).await {
                Ok(StopReason::Stopped) => break,
                Ok(StopReason::Elsewhere) => PAUSES.0 * 2,
                Err(trouble) => {
                    let (DeliveryError::Later { why, .. } | DeliveryError::Never { why }) = &trouble;
                    tracing::warn!("Could not listen to Slack: {why}");
                    self.log_channel(CHANNEL, "", None, Happened::Failed, why).await;
                    listener.failing = true;
                    pause = if ready { PAUSES.0 } else { (pause * 2).min(PAUSES.1) };
                    match trouble {
                        DeliveryError::Later { after: Some(after), .. } => as_duration(after).max(pause),
                        _ => pause,
                    }
                }
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stop.changed() => {}
            }
        }
        while listener.work.join_next().await.is_some() {}
        // The next node need not wait.
        if let Ok(now) = self.now().await {
            let _ = self.store.listen(CHANNEL, &listener.holder, now, Span::from_secs(0), 0).await;
        }
    }

    /// Listens as long as it is this node's turn, and nothing fails.
    async fn hear_slack(
        &self,
        listener: &mut Listener,
        ready: &mut bool,
        stop: &mut watch::Receiver<bool>,
    ) -> DeliveryResult<StopReason> {
        if !self.keeps_slack(&listener.holder).await? {
            return Ok(StopReason::Elsewhere);
        }
        let mut socket = tokio::select! {
            opened = Socket::open(&listener.slack.api) => opened?,
            _ = stop.changed() => return Ok(StopReason::Stopped),
        };
        *ready = true;
        if std::mem::take(&mut listener.failing) {
            self.log_channel(CHANNEL, "", None, Happened::Connected, "").await;
        }
        let mut next: Option<JoinHandle<DeliveryResult<Socket>>> = None;
        let mut beat = tokio::time::interval(BEAT);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                frame = socket.next() => match frame {
                    Ok(Frame::Envelope { id, key, heard }) => {
                        // This comes first: Slack waits three seconds.
                        socket.acknowledge(&id, shown_meanwhile(heard.as_deref())).await?;
                        if let Some(heard) = heard.filter(|_| listener.known.is_new(key)) {
                            let (engine, slack) = (self.clone(), Arc::clone(&listener.slack));
                            let notices = Arc::clone(&listener.notices);
                            listener.work.spawn(async move { Box::pin(engine.take_from_slack(&notices, &slack, &heard)).await });
                        }
                    }
                    Ok(Frame::Disconnect { reason }) if reason == "link_disabled" => {
                        return Err(DeliveryError::later("Socket Mode is turned off in the settings of the app"));
                    }
                    Ok(Frame::Disconnect { .. }) => {
                        // The next is open before this one is closed: what happens in between is told to one of them.
                        next.get_or_insert_with(|| opening(&listener.slack));
                    }
                    Ok(Frame::Hello | Frame::Other) => {}
                    Err(trouble) => match next.take() {
                        Some(opening) => socket = opened(opening.await)?,
                        None => return Err(trouble),
                    },
                },
                opening = waiting(&mut next), if next.is_some() => {
                    next = None;
                    let before = std::mem::replace(&mut socket, opened(opening)?);
                    before.close().await;
                }
                Some(_) = listener.work.join_next() => {}
                _ = beat.tick() => {
                    if !self.keeps_slack(&listener.holder).await? {
                        return Ok(StopReason::Elsewhere);
                    }
                    socket.ping().await?;
                }
                _ = stop.changed() => {
                    socket.close().await;
                    return Ok(StopReason::Stopped);
                }
            }
        }
    }

    async fn keeps_slack(&self, holder: &str) -> DeliveryResult<bool> {
        let now = self.now().await?;
        Ok(self.store.listen(CHANNEL, holder, now, LEASE, 0).await?.is_some())
    }
}

/// What listening takes.
struct Listener {
    slack: Arc<Slack>,
    notices: Arc<OpenChannels>,
    holder: String,
    work: JoinSet<()>,
    known: RecentDeliveries,
    /// Whether the channel's last note says that it failed.
    failing: bool,
}

/// Returns what an acknowledgement shows: a submitted form must not close before its result is known.
fn shown_meanwhile(heard: Option<&SlackAction>) -> Option<serde_json::Value> {
    let submitted = matches!(heard, Some(SlackAction { said: ActionKind::Submitted(_), .. }));
    submitted.then(|| json!({ "response_action": "update", "view": sending() }))
}

fn opening(slack: &Arc<Slack>) -> JoinHandle<DeliveryResult<Socket>> {
    let slack = Arc::clone(slack);
    tokio::spawn(async move { Socket::open(&slack.api).await })
}

type Joined = Result<DeliveryResult<Socket>, tokio::task::JoinError>;

fn opened(opening: Joined) -> DeliveryResult<Socket> {
    opening.map_err(|why| DeliveryError::later(why.to_string()))?
}

async fn waiting(next: &mut Option<JoinHandle<DeliveryResult<Socket>>>) -> Joined {
    match next {
        Some(next) => next.await,
        None => std::future::pending().await,
    }
}

/// The recent deliveries.
#[derive(Default)]
struct RecentDeliveries {
    keys: HashSet<String>,
    order: VecDeque<String>,
}

impl RecentDeliveries {
    /// Returns whether a delivery is new.
    fn is_new(&mut self, key: String) -> bool {
        if !self.keys.insert(key.clone()) {
            return false;
        }
        self.order.push_back(key);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.keys.remove(&oldest);
        }
        true
    }
}
