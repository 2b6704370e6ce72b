//! What the outside asks for, and the one place where it is decided.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::credential::{self, PasswordHash, SecretHash};
use crate::decision::{self, AnswerInput, New, Revision};
use crate::json::Values;
use crate::refusal::Refusal;
use crate::{Decision, DecisionId, Effect, Event, Item, Owner, Project, Span, Timestamp, text};

/// What the outside asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Ask.
    Create(Box<New>),
    /// Change what is asked.
    Revise {
        /// The decision.
        id: DecisionId,
        /// What changes.
        revision: Box<Revision>,
    },
    /// Keep values for whoever finishes.
    Draft {
        /// The decision.
        id: DecisionId,
        /// The values.
        values: Values,
    },
    /// Answer, or give guidance.
    Answer {
        /// The decision.
        id: DecisionId,
        /// The answer.
        input: Box<AnswerInput>,
    },
    /// Take a question back.
    Cancel {
        /// The decision.
        id: DecisionId,
        /// Why.
        reason: Option<String>,
    },
    /// Use an approval.
    Consume {
        /// The decision.
        id: DecisionId,
        /// What is about to be done.
        subject: Value,
        /// The least assurance that will do.
        min: Option<Auth>,
    },
    /// Record that a deadline has passed.
    Expire {
        /// The decision.
        id: DecisionId,
    },
    /// Remove one settled decision because it is old.
    Prune {
        /// The decision.
        id: DecisionId,
    },
    /// End the questions of an owner that ended or was deleted.
    EndOwner {
        /// Where it belongs.
        project: String,
        /// The owner.
        owner: Owner,
        /// Whether it was deleted, not only ended.
        deleted: bool,
    },
    /// Make a work item known.
    CreateItem {
        /// Where it belongs.
        project: String,
        /// Its name.
        id: String,
        /// What it is about.
        title: Option<String>,
    },
    /// Change a project's settings.
    UpdateProject {
        /// Its name.
        name: String,
        /// The shortest time after which an agent's default may be taken.
        min_timeout: Span,
    },
    /// Make a token.
    CreateToken {
        /// Its id.
        id: String,
        /// Under which name its holder acts.
        name: String,
        /// What it allows.
        role: Role,
        /// Where it counts; everywhere if empty.
        projects: Vec<String>,
        /// The hash of its secret.
        hash: SecretHash,
    },
    /// End a token.
    RevokeToken {
        /// The token.
        id: String,
    },
    /// Make a person known, or change what is known.
    PutPerson {
        /// The name.
        name: String,
        /// What they may do.
        role: Role,
        /// Where notices go.
        email: Option<String>,
        /// Where they may look and answer; everywhere if empty.
        projects: Vec<String>,
        /// The hash of a new password; the old one stays if none.
        password: Option<PasswordHash>,
    },
    /// Forget a person, and end their sessions.
    RemovePerson {
        /// The name.
        name: String,
    },
    /// Say whether the store is written only by a server that checks who asks.
    SetAuth {
        /// Whether it is.
        required: bool,
    },
}

/// Who sends a command, through which door, and how surely that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The name.
    pub by: String,
    /// The door.
    pub via: String,
    /// How surely the name is known.
    pub auth: Auth,
    /// What the credential allows; everything if there is none.
    pub role: Option<Role>,
    /// The credential's id.
    pub credential: Option<String>,
}

impl Actor {
    /// Returns someone whose name nobody has checked.
    pub fn claimed(by: impl Into<String>, via: impl Into<String>) -> Self {
        Self { by: by.into(), via: via.into(), auth: Auth::Claimed, role: None, credential: None }
    }

    /// Returns Holdpoint itself, where a deadline has passed.
    pub fn system() -> Self {
        Self { auth: Auth::System, ..Self::claimed("system:timeout", "timeout") }
    }
}

/// How surely it is known who acted, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// Holdpoint itself, on a deadline: nobody.
    System,
    /// A name that was given, and not checked.
    Claimed,
    /// Whoever may read the local token.
    Local,
    /// Whoever held a signed link.
    Link,
    /// A token.
    Token,
    /// A signed-in session.
    Session,
}

impl Auth {
    /// All of them, from least to most.
    pub const ALL: [Self; 6] =
        [Self::System, Self::Claimed, Self::Local, Self::Link, Self::Token, Self::Session];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Claimed => "claimed",
            Self::Local => "local",
            Self::Link => "link",
            Self::Token => "token",
            Self::Session => "session",
        }
    }
}

/// What a credential allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it; what each may is written where it is checked")]
pub enum Role {
    Agent,
    Person,
    Admin,
}

/// What a command is decided on: loaded in the transaction that will record the outcome. Decisions are shared with
/// whoever loaded them.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The decision that the command names.
    pub decision: Option<Arc<Decision>>,
    /// How it was named, for the refusal.
    pub named: String,
    /// Decisions of the same owner: the pending ones to ask, all of them to end the owner.
    pub siblings: Vec<Arc<Decision>>,
    /// The item that owns or is named.
    pub item: Option<Item>,
    /// The project's settings.
    pub project: Project,
    /// The id that a decision opened by this command gets.
    pub fresh: Option<DecisionId>,
    /// The credentials that are named.
    pub known: credential::Known,
}

impl State {
    /// Returns the state as it stands at a time: whatever is overdue is timed out, recorded or not.
    fn as_of(&self, now: Timestamp) -> Cow<'_, Self> {
        let decisions = || self.decision.iter().chain(&self.siblings);
        if !decisions().any(|decision| decision.is_due(now)) {
            return Cow::Borrowed(self);
        }
        let mut state = self.clone();
        let as_of = |decision: Arc<Decision>| Arc::new(Arc::unwrap_or_clone(decision).as_of(now));
        state.decision = state.decision.map(as_of);
        state.siblings = state.siblings.into_iter().map(as_of).collect();
        Cow::Owned(state)
    }

    /// Returns the decision that the command names.
    pub fn decision(&self) -> Result<&Decision, Refusal> {
        self.decision.as_deref().ok_or_else(|| Refusal::NotFound { what: "decision", id: self.named.clone() })
    }
}

/// What a command comes to: events that record, effects that wait. No events and `replayed` if it was done before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ruling {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What should happen outside.
    pub effects: Vec<Effect>,
    /// Whether it had happened before.
    pub replayed: bool,
}

/// Decides; changes nothing.
///
/// What is overdue counts as timed out, whether or not someone has recorded it: no answer is taken after the
/// deadline. [`Command::Expire`] is what records it.
pub fn decide(state: &State, actor: &Actor, command: &Command, now: Timestamp) -> Result<Ruling, Refusal> {
    let state = match command {
        // These look at what is recorded, for they record it or take it away.
        Command::Expire { .. } | Command::Prune { .. } => Cow::Borrowed(state),
        _ => state.as_of(now),
    };
    let state = state.as_ref();
    match command {
        Command::Create(new) => decision::create(state, actor, new, now),
        Command::Revise { revision, .. } => decision::revise(state, actor, revision),
        Command::Draft { values, .. } => decision::draft(state, actor, values),
        Command::Answer { input, .. } => decision::answer(state, actor, input, now),
        Command::Cancel { reason, .. } => decision::cancel(state, actor, reason.as_deref()),
        Command::Consume { subject, min, .. } => decision::consume(state, actor, subject, *min),
        Command::Expire { .. } => decision::expire(state, now),
        Command::Prune { .. } => decision::prune(state),
        Command::EndOwner { project, owner, deleted } => decision::end_owner(state, project, owner, *deleted),
        Command::CreateItem { project, id, title } => create_item(state, project, id, title.as_deref()),
        Command::UpdateProject { name, min_timeout } => update_project(state, name, *min_timeout),
        Command::CreateToken { .. }
        | Command::RevokeToken { .. }
        | Command::PutPerson { .. }
        | Command::RemovePerson { .. }
        | Command::SetAuth { .. } => credential::decide(state, actor, command),
    }
}

fn create_item(state: &State, project: &str, id: &str, title: Option<&str>) -> Result<Ruling, Refusal> {
    text::check_name(id)
        .map_err(|why| Refusal::invalid("item", format!("{:?} {why}", text::inert_line(id))))?;
    text::check_name(project).map_err(|why| Refusal::invalid("project", why))?;
    text::check_length(title.unwrap_or_default(), text::MAX_LABEL)
        .map_err(|why| Refusal::invalid("title", why))?;
    if state.item.is_some() {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::ItemCreated {
        id: id.to_owned(),
        project: project.to_owned(),
        title: title.map(str::to_owned),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn update_project(state: &State, name: &str, min_timeout: Span) -> Result<Ruling, Refusal> {
    text::check_name(name)
        .map_err(|why| Refusal::invalid("project", format!("{:?} {why}", text::inert_line(name))))?;
    if min_timeout.as_millis() < 0 {
        return Err(Refusal::invalid("min_timeout", "must not be negative"));
    }
    if state.project.min_timeout == min_timeout {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::ProjectUpdated { id: name.to_owned(), project: name.to_owned(), min_timeout };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
