//! Reports the signals of a session to its job.

use holdpoint_core::job::detect::{Signal, find_error};
use holdpoint_core::job::{Report, Run, Trigger};
use holdpoint_core::{Job, JobStatus};

use super::drive::Driver;
use super::escalation;
use super::watched::{WatchedSession, patterns};
use crate::error::Result;
use crate::sessions::Screen;

impl Driver {
    /// Reports a signal.
    pub(super) async fn report_signal(&self, job: &Job, signal: &Signal, screen: &Screen) -> Result<()> {
        let is_agent = matches!(job.run(), Some(Run::Agent(_)));
        match signal {
            Signal::Dead { code, signal } if !is_agent => {
                let detail = match (code, signal) {
                    (Some(code), _) => format!("exit code {code}"),
                    (None, Some(signal)) => format!("ended by signal {signal}"),
                    (None, None) => "ended".to_owned(),
                };
                self.report(job, Report::Ended { ok: *code == Some(0), detail }).await
            }
            _ if !is_agent => Ok(()),
            Signal::Working => self.report(job, Report::Active).await,
            Signal::Dead { code: Some(1..), .. } => {
                let error = find_error(&screen.text, &patterns(job));
                let now = self.job(&job.id).await?;
                let retried = now.as_ref().and_then(|now| now.retry.as_ref()).map(|retry| retry.trigger);
                let waits = now.is_some_and(|now| now.status == JobStatus::Waiting);
                match error.map(|(kind, text)| Signal::Error { kind, text }) {
                    // That error is already being handled.
                    Some(_) if retried == Some(Trigger::Error) => Ok(()),
                    // It ended because of its last error.
                    Some(error) if retried.is_none() && !waits => self.signalled(job, &error, screen).await,
                    _ => self.signalled(job, signal, screen).await,
                }
            }
            other => self.signalled(job, other, screen).await,
        }
    }

    async fn signalled(&self, job: &Job, signal: &Signal, screen: &Screen) -> Result<()> {
        match escalation::of_signal(job, signal, screen) {
            Some(escalation) => self.happened(job, escalation?).await,
            None => Ok(()),
        }
    }

    pub(super) async fn happened(&self, job: &Job, escalation: escalation::Escalation) -> Result<()> {
        let escalation::Escalation { trigger, detail, new } = escalation;
        self.report(job, Report::Happened { trigger, detail, escalation: new }).await
    }

    /// Reports that a session is gone, and that it is unknown how it ended.
    pub(super) async fn lost(&self, job: &Job, why: &str) -> Result<()> {
        if job.agent().is_some() {
            self.happened(job, escalation::lost(job, why)?).await
        } else {
            self.unsure_end(job, why).await
        }
    }

    pub(super) async fn unsure_end(&self, job: &Job, why: &str) -> Result<()> {
        let escalation = escalation::lost(job, why)?.new;
        self.report(job, Report::Unsure { escalation }).await
    }

    /// Retries, because the time for it has come.
    pub(super) async fn try_again(&self, job: &Job, watched: &mut Option<WatchedSession>) -> Result<()> {
        let escalation = escalation::lost(job, "Every attempt failed.")?.new;
        self.report(job, Report::Due { escalation }).await?;
        if let Some(watched) = watched {
            watched.watch.look_again();
        }
        Ok(())
    }
}
