//! Types decisions into the sessions that they are for, once.

use std::time::Duration;

use holdpoint_core::job::{GO_ON, JobCommand, Report};
use holdpoint_core::{Actor, Command, Event, Job, Lane, Span};
use holdpoint_store::{Claim, ClaimOrder, Delivery, EventQuery, OutboxEntry};
use serde_json::Value;

use super::drive::Driver;
use super::escalation;
use super::keys::{InputMode, keys};
use super::reaction::{enter_if_echoed, wait_for_reaction};
use crate::error::Result;
use crate::sessions::{self, Key, Keys, ScreenCondition, Session, TypingStatus};

/// The lease is empty: one task types for a job, and the session's host knows what has been typed. A lasting lease
/// would only make the next server wait for entries claimed by a killed one.
const LEASE: Span = Span::from_millis(0);
/// How long to wait before a failure is tried again.
const AGAIN: Span = Span::from_secs(1);
/// How long after typing the screen is checked again.
pub(super) const AFTER_TYPING: Duration = Duration::from_millis(700);

/// The result of typing.
enum TypingOutcome {
    Typed,
    /// These words, after a dialog without a place for them was left.
    Told(String),
    Later(String),
    Unsure(String),
    /// The agent shows something else, so nothing was typed.
    Missed(String),
    /// The agent has ended, so it did not read it.
    Ended(String),
    /// The agent has ended, and is started again to read this message of a person.
    StartAgain(String),
}

/// The result of typing all waiting entries.
#[derive(Default)]
pub(super) struct TypingSummary {
    /// Whether there were any.
    pub(super) any: bool,
    /// Whether something was not typed, or may not have been.
    pub(super) missed: bool,
    /// Whether the agent has ended without reading it.
    pub(super) ended: bool,
    /// The words that were typed after a dialog without a place for them was left.
    pub(super) told: Option<String>,
}

impl TypingSummary {
    /// Returns how long to wait before checking the agent again; none at all if it shows a prompt that has not been
    /// asked about.
    pub(super) fn look_after(&self) -> Option<Duration> {
        self.any.then_some(if self.missed { Duration::ZERO } else { AFTER_TYPING })
    }
}

impl Driver {
    /// Types all waiting entries.
    pub(super) async fn type_orders(&self, job: &Job, session: Option<&Session>) -> Result<TypingSummary> {
        let now = self.engine.now().await?;
        let claim = Claim {
            lane: Lane::Session,
            pick: ClaimOrder::InOrder { project: job.project.clone(), target: job.owner().to_string() },
            lease: self.node.clone(),
            until: now.checked_add(LEASE).unwrap_or(now),
            now,
            limit: 16,
        };
        let entries = self.engine.store().claim(claim).await?;
        let mut typing = TypingSummary { any: !entries.is_empty(), ..TypingSummary::default() };
        for entry in entries {
            let delivery = match self.type_one(job, session, &entry).await? {
                TypingOutcome::Typed => Delivery::Done,
                TypingOutcome::Told(words) => {
                    typing.told = Some(words);
                    Delivery::Done
                }
                TypingOutcome::Later(error) => {
                    Delivery::Retry { not_before: now.checked_add(AGAIN).unwrap_or(now), error }
                }
                TypingOutcome::Unsure(what) => {
                    let what = format!("It is not known whether this was done: {what}.");
                    let escalation = Some(escalation::missed(job)?);
                    self.report(job, Report::Missed { what, escalation }).await?;
                    typing.missed = true;
                    Delivery::Done
                }
                TypingOutcome::Ended(what) => {
                    self.report(job, Report::Missed { what, escalation: None }).await?;
                    (typing.missed, typing.ended) = (true, true);
                    Delivery::Done
                }
                TypingOutcome::StartAgain(words) => {
                    self.start_again(job, words).await?;
                    Delivery::Done
                }
                TypingOutcome::Missed(what) => {
                    tracing::info!(job.id = %job.id, "{what}");
                    let escalation = Some(escalation::missed(job)?);
                    self.report(job, Report::Missed { what, escalation }).await?;
                    typing.missed = true;
                    Delivery::Done
                }
            };
            // Later entries wait, too: keys are typed in the order they were given.
            let wait = matches!(delivery, Delivery::Retry { .. });
            self.engine.store().deliver(&self.node, vec![(entry.id, delivery)]).await?;
            if wait {
                break;
            }
        }
        Ok(typing)
    }

    async fn type_one(
        &self,
        job: &Job,
        session: Option<&Session>,
        entry: &OutboxEntry,
    ) -> Result<TypingOutcome> {
        let Some(event) = self.event(entry.seq).await? else { return Ok(TypingOutcome::Typed) };
        let decision = match entry.decision {
            Some(id) => self.engine.store().decision(id).await?,
            None => None,
        };
        let Some(session) = session else { return Ok(TypingOutcome::Typed) };
        let lines = match keys(&event, decision.as_ref(), input(session).await) {
            Ok(lines) => lines,
            Err(why) => return Ok(TypingOutcome::Missed(why)),
        };
        if lines.is_empty() {
            return Ok(TypingOutcome::Typed);
        }
        // An answer for an agent that has been restarted since is not for the new one.
        if !is_for(&event, job) {
            tracing::info!(job.id = %job.id, "An answer was not for the agent that runs for job {} now", job.id);
            return Ok(TypingOutcome::Typed);
        }
        for (at, (keys, on)) in lines.iter().enumerate() {
            let effect = format!("{}.{at}", entry.id);
            if at > 0 {
                wait_for_reaction(session, on).await;
            }
            match session.input_on(&effect, keys, on.clone()).await {
                Ok(TypingStatus::Now | TypingStatus::Already) => {
                    enter_if_echoed(session, &effect, keys, on).await;
                }
                Ok(TypingStatus::Unsure) => {
                    return Ok(TypingOutcome::Unsure(format!("typing {}", describe_keys(keys))));
                }
                Ok(TypingStatus::Elsewhere) if is_automatic(&event) => {
                    // Nobody waits for it, and the agent's new screen is examined next.
                    tracing::info!(job.id = %job.id, "{}", missed(keys, on, entry));
                    return Ok(TypingOutcome::Typed);
                }
                Ok(TypingStatus::Elsewhere) => return Ok(TypingOutcome::Missed(missed(keys, on, entry))),
                Err(sessions::Error::Ended | sessions::Error::HostGone | sessions::Error::NotStarted(_)) => {
                    return Ok(match words_for_any(&event) {
                        // Nobody waits for it.
                        _ if is_automatic(&event) => TypingOutcome::Typed,
                        Some(words) => TypingOutcome::StartAgain(words),
                        None => TypingOutcome::Ended(format!(
                            "{} was not typed: the agent has ended.",
                            describe_keys(keys)
                        )),
                    });
                }
                Err(sessions::Error::Refused(why)) => {
                    return Ok(TypingOutcome::Missed(format!(
                        "This was not typed: {}. {why}.",
                        describe_keys(keys)
                    )));
                }
                Err(why) => return Ok(TypingOutcome::Later(why.to_string())),
            }
        }
        Ok(match lines.as_slice() {
            [(left, _), (Keys::Line(words), _)] if *left == Keys::Press(vec![Key::Escape]) => {
                TypingOutcome::Told(words.clone())
            }
            _ => TypingOutcome::Typed,
        })
    }

    async fn start_again(&self, job: &Job, words: String) -> Result<()> {
        let command = JobCommand::Resume { message: Some(words), restart: true };
        let command =
            Command::Job { project: job.project.clone(), owner: job.owner(), command: Box::new(command) };
        self.engine.submit(Actor::supervisor(), command).await.map(drop)
    }

    async fn event(&self, seq: i64) -> Result<Option<Event>> {
        let query = EventQuery { after: seq - 1, limit: 1, ..EventQuery::default() };
        let logged = self.engine.store().events(&query).await?;
        let Some(one) = logged.into_iter().next().filter(|one| one.seq == seq) else { return Ok(None) };
        let Some(Value::Object(mut body)) = one.body else { return Ok(None) };
        body.insert("type".into(), one.tag.into());
        Ok(serde_json::from_value(Value::Object(body)).ok())
    }
}

/// Returns how to type to the agent of a session.
async fn input(session: &Session) -> InputMode {
    match session.screen().await {
        Ok(screen) if screen.reads_lines => InputMode::Lines,
        // Errors of the session are reported when something is typed to it.
        _ => InputMode::Keys,
    }
}

/// Returns whether the runbook nudges the agent, not a person.
fn is_automatic(event: &Event) -> bool {
    matches!(event, Event::SessionInput { act, .. } if act.decision_id.is_none())
}

/// Returns whether keys are meant for the current agent; a message for the job is for any of its agents.
fn is_for(event: &Event, job: &Job) -> bool {
    match event {
        Event::SessionInput { act, .. } | Event::SessionRespond { act, .. } => act.agent_id == job.agent_id,
        _ => true,
    }
}

/// Returns a person's message to whichever agent works on the job. The default message, for a person who wrote none,
/// does not count: it is only for an agent that is still running.
fn words_for_any(event: &Event) -> Option<String> {
    match event {
        Event::JobResume { act, .. } | Event::CrewResume { act, .. } => {
            act.message.clone().filter(|words| words != GO_ON)
        }
        _ => None,
    }
}

/// Describes words that were typed to an agent that ended at once.
pub(super) fn unread(words: String) -> String {
    let words = describe_keys(&Keys::Line(words));
    format!("{words} was typed, but probably not read: the agent left its dialog and ended.")
}

/// Describes why keys were not typed.
fn missed(keys: &Keys, on: &ScreenCondition, entry: &OutboxEntry) -> String {
    let keys = describe_keys(keys);
    match (on, entry.decision) {
        (ScreenCondition::Prompt(_), Some(decision)) => {
            format!(
                "The answer to {decision} ({keys}) was not typed: the agent no longer shows what was asked."
            )
        }
        _ => format!("{keys} was not typed: the agent shows a prompt, and would take it for the answer."),
    }
}

fn describe_keys(keys: &Keys) -> String {
    const LONGEST: usize = 200;
    match keys {
        Keys::Line(text) => {
            let short: String = text.chars().take(LONGEST).collect();
            holdpoint_core::text::quote(&short)
        }
        Keys::Press(keys) => {
            let name = |key: &Key| match key {
                Key::Char(c) => c.to_string(),
                other => format!("{other:?}"),
            };
            keys.iter().map(name).collect::<Vec<_>>().join(" ")
        }
    }
}
