//! Carries out orders: ends what runs, starts it again, runs a gate.

use holdpoint_core::job::{Order, Report};
use holdpoint_core::{Job, JobKind, JobStatus};
use tokio::sync::Notify;

use super::control::random_name;
use super::drive::{Driver, GRACE};
use super::gate_lock::GateLock;
use super::watched::WatchedSession;
use super::{escalation, gate, launch, session_dir};
use crate::error::{Error, Result};
use crate::run::worktree;
use crate::sessions::Session;

impl Driver {
    /// Carries out an order. Returns whether there may be more.
    pub(super) async fn carry_out(
        &self,
        job: &Job,
        order: Order,
        wake: &Notify,
        watched: &mut Option<WatchedSession>,
    ) -> Result<bool> {
        match order {
            Order::Gate { run } => {
                self.gate(job, &run, wake).await?;
                return Ok(true);
            }
            Order::Restart { .. } => {
                *watched = None;
                self.stop(job).await;
                let agent_id = random_name("agt-")?;
                let own_account = self.account.is_own();
                self.report(job, Report::Began { agent_id, own_account }).await?;
            }
            Order::Cancel | Order::Suspend | Order::Advance => {
                *watched = None;
                // The decision is still to be typed, so that the agent reads it before it ends.
                let session = self.session(job);
                self.type_orders(job, session.as_ref()).await?;
                self.end_child(job, &order).await?;
                self.stop(job).await;
                self.report(job, Report::Carried).await?;
            }
        }
        Ok(true)
    }

    pub(super) async fn gate(&self, job: &Job, run: &str, wake: &Notify) -> Result<()> {
        let agent_id = job.agent_id.clone().unwrap_or_default();
        let known = launch::known(&self.home, job, &agent_id);
        let started = std::time::Instant::now();
        let ended = match holdpoint_core::job::interpolate::shell(run, &known) {
            Ok(command) => {
                let dir = worktree::dir(&self.home, job);
                let running = async {
                    let lock = GateLock::of(&self.home, &job.id).await?;
                    Ok::<_, Error>(gate::run(&self.account, &command, &dir, Some(&lock)).await)
                };
                tokio::pin!(running);
                loop {
                    tokio::select! {
                        ended = &mut running => break ended?,
                        () = wake.notified() => {}
                    }
                    // A person who orders something else meanwhile does not have to wait for the gate.
                    let now = self.job(&job.id).await?;
                    if now.is_none_or(|now| now.order != job.order || now.visit != job.visit) {
                        return Ok(());
                    }
                }
            }
            Err(why) => gate::GateResult::failed(2, why.to_string()),
        };
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.prove_attempt(job, run, ended.code, took_ms, &ended.log).await;
        let escalation = escalation::gate(job, run, &ended)?;
        if ended.code == 0 {
            self.stop(job).await;
        }
        self.report(job, Report::Gated { passed: ended.code == 0, escalation }).await
    }

    pub(super) fn session(&self, job: &Job) -> Option<Session> {
        let agent_id = job.agent_id.as_ref()?;
        Session::open(&session_dir(&self.home, agent_id)).ok()
    }

    pub(super) async fn stop(&self, job: &Job) {
        if let Some(session) = self.session(job) {
            match session.stop(GRACE).await {
                Ok(stopped) if stopped.left.is_empty() => {}
                Ok(stopped) => tracing::warn!(job.id = %job.id, "Could not end processes {:?}", stopped.left),
                Err(why) => tracing::debug!(job.id = %job.id, "The session of job {}: {why}", job.id),
            }
        }
    }

    /// Cleans up after a job that no longer belongs to any node.
    pub(super) async fn leave(&self, job: &Job) {
        let mine = job.history.last().filter(|visit| visit.node == self.node);
        if let Some(visit) = mine
            && let Ok(session) = Session::open(&session_dir(&self.home, &visit.agent_id))
        {
            let _ = session.stop(GRACE).await;
        }
        self.end_tokens(job).await;
        match job.status {
            JobStatus::Done => self.tell(job, |notify| notify.on_done.as_ref()),
            JobStatus::Failed | JobStatus::Cancelled => self.tell(job, |notify| notify.on_fail.as_ref()),
            _ => return,
        }
        self.end_attempt(job).await;
        let (home, job) = (self.home.clone(), job.clone());
        let _ = tokio::task::spawn_blocking(move || worktree::remove(&home, &job)).await;
    }

    /// Runs a notification command for a beginning or an end, without waiting for it.
    pub(super) fn tell(&self, job: &Job, which: impl Fn(&holdpoint_core::job::Notify) -> Option<&String>) {
        let notify = match job.kind {
            JobKind::Job => job.definition().map(|definition| &definition.notify),
            JobKind::Crew => job.agent().map(|agent| &agent.notify),
        };
        let Some(command) = notify.and_then(which) else { return };
        let known = launch::known(&self.home, job, job.agent_id.as_deref().unwrap_or_default());
        let command = match holdpoint_core::job::interpolate::shell(command, &known) {
            Ok(command) => command,
            Err(why) => return tracing::warn!(job = %job.id, "Did not run a notify command: {why}"),
        };
        let dir = worktree::dir(&self.home, job);
        let account = self.account.clone();
        tokio::spawn(async move { gate::run(&account, &command, &dir, None).await });
    }
}
