//! Types what was decided into the session it is for, once.

use holdpoint_core::{Act, Decision, Event, Job, Lane, Span};
use holdpoint_store::{Claim, Delivery, EventQuery, Parcel};
use serde_json::Value;

use super::drive::Driver;
use super::escalation::{self, PROTOCOL};
use crate::error::Result;
use crate::sessions::{self, Key, Keys, Session, Typed};

/// How long a taken row is ours.
const LEASE: Span = Span::from_secs(30);
/// How long to wait before what failed is tried again.
const AGAIN: Span = Span::from_secs(1);

/// What came of typing.
enum Done {
    Typed,
    Later(String),
    Unsure(String),
}

impl Driver {
    /// Types all that waits to be typed. Returns whether anything was.
    pub(super) async fn type_orders(&self, job: &Job, session: Option<&Session>) -> Result<bool> {
        let now = self.engine.now().await?;
        let claim = Claim {
            lanes: vec![Lane::Session],
            but: Vec::new(),
            only: vec![job.owner().to_string()],
            lease: self.node.clone(),
            until: now.checked_add(LEASE).unwrap_or(now),
            now,
            limit: 16,
        };
        let parcels = self.engine.store().claim(claim).await?;
        let any = !parcels.is_empty();
        for parcel in parcels {
            let delivery = match self.type_one(job, session, &parcel).await? {
                Done::Typed => Delivery::Done,
                Done::Later(error) => {
                    Delivery::Retry { not_before: now.checked_add(AGAIN).unwrap_or(now), error }
                }
                Done::Unsure(what) => {
                    let escalation = escalation::unsure(job, &what)?;
                    self.report(job, holdpoint_core::job::Report::Unsure { escalation }).await?;
                    Delivery::Done
                }
            };
            self.engine.store().deliver(parcel.id, &self.node, delivery).await?;
        }
        Ok(any)
    }

    async fn type_one(&self, job: &Job, session: Option<&Session>, parcel: &Parcel) -> Result<Done> {
        let Some(event) = self.event(parcel.seq).await? else { return Ok(Done::Typed) };
        let decision = match parcel.decision {
            Some(id) => self.engine.store().decision(id).await?,
            None => None,
        };
        let lines = keys(&event, decision.as_ref());
        let Some(session) = session.filter(|_| !lines.is_empty()) else { return Ok(Done::Typed) };
        // What was meant for an agent that was started anew since is for nobody.
        if let Some(meant) = agent_of(&event).filter(|meant| Some(*meant) != job.agent_id.as_deref()) {
            tracing::info!(job.id = %job.id, "An answer was for {meant}, which is gone");
            return Ok(Done::Typed);
        }
        for (at, keys) in lines.iter().enumerate() {
            match session.input(&format!("{}.{at}", parcel.id), keys).await {
                Ok(Typed::Now | Typed::Already) => {}
                Ok(Typed::Unsure) => return Ok(Done::Unsure(format!("typing {}", worded(keys)))),
                // Whoever watches the session sees that too, and says so.
                Err(sessions::Error::Ended | sessions::Error::HostGone | sessions::Error::NotStarted(_)) => {
                    return Ok(Done::Typed);
                }
                Err(sessions::Error::Refused(why)) => {
                    tracing::warn!(job.id = %job.id, "An answer could not be typed for job {}: {why}", job.id);
                    return Ok(Done::Typed);
                }
                Err(why) => return Ok(Done::Later(why.to_string())),
            }
        }
        Ok(Done::Typed)
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

/// Returns what is typed for an action, one input after the other.
fn keys(event: &Event, decision: Option<&Decision>) -> Vec<Keys> {
    let line = |text: &str| Keys::Line(text.to_owned());
    let extra =
        decision.and_then(|decision| decision.origin.as_ref()).filter(|origin| origin.protocol == PROTOCOL);
    let said = |key: &str| extra.and_then(|origin| origin.extra.get(key)).and_then(Value::as_str);
    let message = |act: &Act| act.message.as_deref().map(line);
    match event {
        Event::SessionInput { act, input, .. } => {
            let enter = extra.and_then(|origin| origin.extra.get("enter")).and_then(Value::as_bool);
            let typed = match input.as_str() {
                "y" => said("yes").unwrap_or("y"),
                "n" => said("no").unwrap_or("n"),
                other => other,
            };
            let first = if enter == Some(false) { press(typed) } else { enters(typed) };
            std::iter::once(first).chain(message(act)).collect()
        }
        Event::SessionRespond { act, accept: true, option, .. } => {
            let number = option.unwrap_or(1).to_string();
            std::iter::once(line(&number)).chain(message(act)).collect()
        }
        Event::SessionRespond { act, accept: false, .. } => match message(act) {
            Some(words) => said("revise").map(line).into_iter().chain([words]).collect(),
            None => vec![Keys::Press(vec![Key::Escape])],
        },
        Event::JobResume { act, restart: false } | Event::CrewResume { act, restart: false } => {
            message(act).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What is typed with Enter; Escape is a key and no text.
fn enters(text: &str) -> Keys {
    if text == "\u{1b}" { press(text) } else { Keys::Line(text.to_owned()) }
}

fn press(text: &str) -> Keys {
    let key = |c| if c == '\u{1b}' { Key::Escape } else { Key::Char(c) };
    Keys::Press(text.chars().map(key).collect())
}

fn agent_of(event: &Event) -> Option<&str> {
    match event {
        Event::SessionInput { act, .. } | Event::SessionRespond { act, .. } => act.agent_id.as_deref(),
        _ => None,
    }
}

fn worded(keys: &Keys) -> String {
    match keys {
        Keys::Line(text) => holdpoint_core::text::quote(text),
        Keys::Press(_) => "keys".into(),
    }
}
