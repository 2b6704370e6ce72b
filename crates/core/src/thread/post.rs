//! Posting to a thread, and the effects of a message: asking, answering, reporting.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{MOST_REPORTS, Posted, Report, SELF, Side, Thread, speaker};
use crate::actor::{Actor, Auth};
use crate::command::Command;
use crate::decision::{self, AnswerInput, New};
use crate::event::Event;
use crate::refusal::{FieldError, Refusal};
use crate::state::{Ruling, State};
use crate::text::{MAX_BODY, inert_line, quote};
use crate::{Decision, DecisionId, Status, Timestamp, access, apply, json};

/// A message to a thread, and the actions that a protocol reads from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Post {
    /// The thread.
    pub thread: String,
    /// The project it belongs to.
    pub project: String,
    /// The speaker's name in the thread.
    pub actor: Option<String>,
    /// The speaker's side; used only where the sender's identity is not checked.
    pub role: Option<Side>,
    /// The content.
    pub content: Vec<String>,
    /// The attachments, by reference.
    pub attachments: Vec<Value>,
    /// Other data about it.
    pub metadata: Map<String, Value>,
    /// Its actions, in order. They are derived from the content, not sent.
    #[serde(skip)]
    pub actions: Vec<ThreadAction>,
}

impl Post {
    /// Refuses an invalid message.
    ///
    /// # Errors
    /// Reports what is wrong with it.
    pub fn check(&self, thread: &Thread, actor: &Actor) -> Result<(), Refusal> {
        check(thread, actor, self).map(drop)
    }

    /// Returns the speaker's name: the claimed one, else the actor's own in the thread.
    pub fn speaker(&self, thread: &Thread, actor: &Actor) -> String {
        speaker::speaker(thread, actor, self.actor.as_deref())
    }
}

/// One action of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum ThreadAction {
    /// Asks a decision.
    Ask(Box<New>),
    /// Answers a decision.
    Answer {
        /// The decision.
        id: DecisionId,
        /// The answer.
        input: Box<AnswerInput>,
    },
    /// Reports the outcome of a decision.
    Report {
        /// The decision.
        id: DecisionId,
        /// The name of the message in its protocol.
        message: String,
        /// The whole message.
        content: Value,
    },
    /// Asks for a reply in plain text.
    Say(String),
}

const MOST_PARTS: usize = 100;

/// Posts a message. Actions that fail are recorded with it, and answered in plain text.
pub(crate) fn post(state: &State, actor: &Actor, post: &Post, now: Timestamp) -> Result<Ruling, Refusal> {
    let missing = || Refusal::NotFound { what: "thread", id: post.thread.clone() };
    let thread = state.thread.as_ref().filter(|thread| thread.id == post.thread).ok_or_else(missing)?;
    let (attachments, metadata) = check(thread, actor, post)?;
    let name = post.speaker(thread, actor);
    let mut doing = PostInProgress {
        state,
        thread,
        actor,
        speaker: &name,
        now,
        siblings: state.siblings.clone(),
        spare: state.spare.iter().copied(),
        ruling: Ruling::default(),
        touched: Vec::new(),
        words: Vec::new(),
    };
    for action in &post.actions {
        doing.carry_out(action);
    }
    let PostInProgress { ruling, touched, words, .. } = doing;
    let posted = Posted {
        id: thread.id.clone(),
        project: thread.project.clone(),
        role: speaker::side(thread, actor, post.role, &name),
        actor: name.clone(),
        content: post.content.clone(),
        attachments,
        metadata,
        decisions: touched,
        by: actor.by.clone(),
        via: actor.via.clone(),
        auth: actor.auth,
    };
    let mut events = vec![Event::ThreadPosted(Box::new(posted))];
    let effects = ruling.effects.into_iter().map(|effect| effect.after(1)).collect();
    events.extend(ruling.events);
    if !words.is_empty() {
        events.push(Event::ThreadPosted(Box::new(in_return(thread, words))));
    }
    Ok(Ruling { events, effects, ..Ruling::default() })
}

/// Returns Holdpoint's own reply.
fn in_return(thread: &Thread, words: Vec<String>) -> Posted {
    Posted {
        id: thread.id.clone(),
        project: thread.project.clone(),
        actor: SELF.into(),
        role: Side::Assistant,
        content: words,
        attachments: Vec::new(),
        metadata: Map::new(),
        decisions: Vec::new(),
        by: "system:thread".into(),
        via: "thread".into(),
        auth: Auth::System,
    }
}

fn check(thread: &Thread, actor: &Actor, post: &Post) -> Result<(Vec<Value>, Map<String, Value>), Refusal> {
    let mut faults = Vec::new();
    if post.content.iter().all(|part| part.trim().is_empty()) && post.attachments.is_empty() {
        faults.push(FieldError::new("content", "says nothing"));
    }
    if post.content.len() > MOST_PARTS || post.attachments.len() > MOST_PARTS {
        faults.push(FieldError::new("content", format!("has more than {MOST_PARTS} parts")));
    }
    if json::size(post).unwrap_or(usize::MAX) > MAX_BODY / 2 {
        faults.push(FieldError::new("content", format!("has more than {} bytes as JSON", MAX_BODY / 2)));
    }
    if post.project != thread.project {
        faults.push(FieldError::new("project", "is not the thread's"));
    }
    let (mut attachments, mut metadata) = (post.attachments.clone(), post.metadata.clone());
    for attachment in &mut attachments {
        faults.extend(json::settle(attachment).err().map(|why| FieldError::new("attachments", why)));
    }
    faults.extend(json::settle_map(&mut metadata).err().map(|why| FieldError::new("metadata", why)));
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    speaker::check(thread, actor, post.actor.as_deref())?;
    Ok((attachments, metadata))
}

/// A message on its way: what it has come to so far.
struct PostInProgress<'a> {
    state: &'a State,
    thread: &'a Thread,
    actor: &'a Actor,
    speaker: &'a str,
    now: Timestamp,
    siblings: Vec<Arc<Decision>>,
    spare: std::iter::Copied<std::slice::Iter<'a, DecisionId>>,
    ruling: Ruling,
    touched: Vec<DecisionId>,
    words: Vec<String>,
}

impl PostInProgress<'_> {
    fn carry_out(&mut self, action: &ThreadAction) {
        let done = match action {
            ThreadAction::Ask(new) => self.ask(new),
            ThreadAction::Answer { id, input } => self.answer(*id, input),
            ThreadAction::Report { id, message, content } => self.report(*id, message, content),
            ThreadAction::Say(words) => {
                self.words.push(words.clone());
                Ok(())
            }
        };
        if let Err(refusal) = done {
            self.words.push(format!("This was not accepted: {}", inert_line(&refusal.to_string())));
        }
    }

    fn ask(&mut self, new: &New) -> Result<(), Refusal> {
        let again = |other: &&Arc<Decision>| {
            let ids = [&new.origin, &other.origin].map(|origin| origin.as_ref()?.id.as_deref());
            other.status == Status::Pending && ids[0].is_some() && ids[0] == ids[1]
        };
        if let Some(pending) = self.siblings.iter().find(again) {
            let id = pending.origin.as_ref().and_then(|origin| origin.id.as_deref()).unwrap_or_default();
            let why = format!("use another id: {} is pending already", quote(id));
            return Err(Refusal::invalid("id", why));
        }
        let mut new = New {
            project: Some(self.thread.project.clone()),
            owner: Some(self.thread.owner()),
            ..new.clone()
        };
        if new.requested_by.is_none() {
            // People are shown the checked name of the asker where there is one, not the name used in the thread.
            let asks = if self.actor.auth.is_checked() { &self.actor.by } else { self.speaker };
            new.requested_by = Some(asks.to_owned());
        }
        if new.assignees.is_empty() {
            new.assignees.clone_from(&self.thread.assignees);
        }
        if let Some(origin) = &mut new.origin {
            origin.thread = Some(self.thread.id.clone());
        }
        access::may_ask(self.actor, &new)?;
        let mut spare = self.spare.clone();
        let state = State { fresh: spare.next(), siblings: Vec::new(), ..self.state.clone() };
        let ruling = decision::create(&state, self.actor, &new, self.now)?;
        self.spare = spare;
        self.take(ruling);
        Ok(())
    }

    fn answer(&mut self, id: DecisionId, input: &AnswerInput) -> Result<(), Refusal> {
        let decision = self.sibling(id)?;
        let command = Command::Answer { id, input: Box::new(input.clone()) };
        if !access::may_read(&decision, self.actor, &[]) {
            let why = format!("{} was not asked this; only those asked may answer it", quote(self.speaker));
            return Err(Refusal::Forbidden(why));
        }
        access::admit(self.actor, &[], &command, Some(&decision))?;
        let state = State { decision: Some(decision), ..self.state.clone() };
        // This is used only where the sender's identity is not checked.
        let input = AnswerInput { by: Some(self.speaker.to_owned()), ..input.clone() };
        let ruling = decision::answer(&state, self.actor, &input, self.now)?;
        self.touched.push(id);
        self.take(ruling);
        Ok(())
    }

    fn report(&mut self, id: DecisionId, message: &str, content: &Value) -> Result<(), Refusal> {
        let decision = self.sibling(id)?;
        self.touched.push(id);
        if decision.reports.len() >= MOST_REPORTS {
            return Ok(());
        }
        let approved = decision.subject.is_some().then(|| is_approved(&decision));
        if approved == Some(false) {
            let id = decision.origin.as_ref().and_then(|origin| origin.id.as_deref()).unwrap_or_default();
            self.words.push(format!(
                "Nobody here has approved {}; this is stored, and marked as unapproved.",
                quote(id)
            ));
        }
        let report = Report {
            message: message.to_owned(),
            content: content.clone(),
            thread: self.thread.id.clone(),
            by: self.actor.by.clone(),
            actor: (self.speaker != self.actor.by).then(|| self.speaker.to_owned()),
            auth: Some(self.actor.auth),
            approved,
            at: self.now,
        };
        let event = Event::Reported { id, project: decision.project.clone(), report: Box::new(report) };
        self.take(Ruling { events: vec![event], ..Ruling::default() });
        Ok(())
    }

    fn sibling(&self, id: DecisionId) -> Result<Arc<Decision>, Refusal> {
        let found = self.siblings.iter().find(|decision| decision.id == id && self.thread.owns(decision));
        found.cloned().ok_or_else(|| Refusal::NotFound { what: "decision", id: id.to_string() })
    }

    /// Applies the outcome of one action, so that the next is decided on top of it.
    fn take(&mut self, ruling: Ruling) {
        for event in &ruling.events {
            match event {
                Event::Created(decision) => {
                    self.touched.push(decision.id);
                    self.siblings.push(Arc::new((**decision).clone()));
                }
                event => {
                    for decision in &mut self.siblings {
                        if event.decision() == Some(decision.id)
                            && let Some(after) = apply(Some((**decision).clone()), event, self.now)
                        {
                            *decision = Arc::new(after);
                        }
                    }
                }
            }
        }
        let before = self.ruling.events.len();
        self.ruling.effects.extend(ruling.effects.into_iter().map(|effect| effect.after(before)));
        self.ruling.events.extend(ruling.events);
    }
}

/// Returns whether the subject of a decision was approved.
fn is_approved(decision: &Decision) -> bool {
    decision.status == Status::Answered
        && !decision::is_refusal(decision)
        && !decision::chosen(decision).is_empty()
}
