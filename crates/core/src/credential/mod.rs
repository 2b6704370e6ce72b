//! Credentials: tokens, people, and whether a store demands them. Of secrets only fingerprints reach the log: enough to tell
//! whether a row is what an event said, and no use to anybody else.

mod check;
mod secret;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::actor::{Actor, Auth, Role};
use crate::command::Command;
use crate::event::{PersonUpdated, TokenCreated};
use crate::notify::Notify;
use crate::permission::Permission;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{check_name, inert_line};
use crate::{DecisionId, Event, Timestamp};

pub use secret::{PasswordHash, SecretHash};

use check::{check_credential_name, check_email, check_namesakes, check_owner, check_projects};

/// A token: a credential for a program, or for a person outside the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Token {
    /// Names it: `tok-` and twelve base-32 characters. It is not a secret.
    pub id: String,
    /// Its holder acts under this name; for an agent the NAME in `agent:NAME`.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// Where it counts; everywhere if empty.
    pub projects: Vec<String>,
    /// What it allows beyond its role.
    #[serde(default)]
    pub permissions: Vec<Permission>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who made it.
    pub created_by: String,
    /// From when on it counts no more.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    /// Since when it counts no more.
    pub revoked_at: Option<Timestamp>,
    /// The person it belongs to: what it asks, it asks on their behalf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

impl Token {
    /// Returns whether the token counts: neither revoked nor expired.
    pub fn in_force(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expires| now < expires)
    }

    /// Returns whether its holder may answer in a project.
    pub fn answers_in(&self, project: &str, now: Timestamp) -> bool {
        self.in_force(now) && may_answer_in(self.role, &self.projects, project)
    }

    /// Returns whether what was said with it once, such as a standing rule, still counts in a project: whoever has it may answer
    /// there, and so may the person it belongs to. Somebody who got the name of a removed person did not say it.
    pub fn still_speaks_in<'a>(
        &self,
        project: &str,
        now: Timestamp,
        person: impl FnOnce(&str) -> Option<&'a Person>,
    ) -> bool {
        let same = |person: &Person| person.answers_in(project) && person.created_at <= self.created_at;
        self.answers_in(project, now)
            && self.owner.as_deref().is_none_or(|name| person(name).is_some_and(same))
    }
}

fn may_answer_in(role: Role, projects: &[String], project: &str) -> bool {
    role != Role::Agent && (projects.is_empty() || projects.iter().any(|name| name == project))
}

/// Someone who can sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Person {
    /// The name, as it stands in assignees and answers.
    pub name: String,
    /// What they may do: [`Role::Person`] or [`Role::Admin`].
    pub role: Role,
    /// Where notices go.
    pub email: Option<String>,
    /// Where they may look and answer; everywhere if empty.
    pub projects: Vec<String>,
    /// When they became known.
    pub created_at: Timestamp,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// The accounts that answer in their name, by channel.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accounts: BTreeMap<String, String>,
    /// How they want to be told.
    #[serde(default, skip_serializing_if = "Notify::is_default")]
    pub notify: Notify,
}

impl Person {
    /// Returns the credential under which a person who signed in, or followed a link, acts.
    pub fn credential(name: &str) -> String {
        format!("person:{name}")
    }

    /// Returns whether they may answer in a project.
    pub fn answers_in(&self, project: &str) -> bool {
        may_answer_in(self.role, &self.projects, project)
    }
}

/// What is known of the credentials that a command is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The token that is named.
    pub token: Option<Token>,
    /// The person who is named.
    pub person: Option<Person>,
    /// As what the name that is given counts already: roles of tokens in force, and of the person.
    pub namesakes: Vec<Role>,
    /// Whether only a server that checks identities may write to the store.
    pub auth_required: bool,
}

impl Role {
    /// All of them, from least to most.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Person, Self::Admin];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Person => "person",
            Self::Admin => "admin",
        }
    }

    /// Finds a role by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Makes the id of a token from randomness.
pub fn token_id(random: u64) -> String {
    format!("tok-{}", DecisionId::from_bits(random).suffix())
}

/// How the names of callers from the server's own machine begin.
const LOCAL: &str = "local:";

/// Decides the commands that are about credentials. Who may give them is checked with them.
pub(crate) fn decide(state: &State, actor: &Actor, command: &Command) -> Result<Ruling, Refusal> {
    let known = &state.known;
    if let Command::SignIn { person, session, .. } = command {
        return sign_in(known, actor, person, *session);
    }
    if let Command::LinkAccount { name, channel, account } = command {
        return link_account(known, actor, name, channel, account.as_deref());
    }
    if let Command::SetNotify { name, notify } = command {
        return set_notify(known, name, notify, actor);
    }
    crate::access::administers(actor, "tokens, people and authentication")?;
    let event = match command {
        Command::CreateToken { id, name, role, projects, permissions, expires_at, owner, hash } => {
            if known.token.is_some() {
                return Err(Refusal::invalid("id", format!("{id:?} is taken")));
            }
            check_credential_name(name)?;
            check_namesakes(known, name, *role)?;
            check_owner(known, owner.as_deref())?;
            Event::TokenCreated(Box::new(TokenCreated {
                id: id.clone(),
                name: name.clone(),
                role: *role,
                projects: check_projects(projects)?,
                permissions: permissions.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
                expires_at: *expires_at,
                fingerprint: Some(hash.fingerprint()),
                owner: owner.clone(),
                by: actor.by.clone(),
            }))
        }
        Command::RevokeToken { id } => {
            let missing = || Refusal::NotFound { what: "token", id: inert_line(id) };
            let token = known.token.as_ref().ok_or_else(missing)?;
            if token.revoked_at.is_some() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            Event::TokenRevoked { id: token.id.clone(), by: actor.by.clone() }
        }
        Command::PutPerson { name, role, email, projects, password } => {
            check_credential_name(name)?;
            if *role == Role::Agent {
                return Err(Refusal::invalid("role", "must be person or admin; an agent gets a token"));
            }
            check_namesakes(known, name, *role)?;
            let email = email.as_deref().map(check_email).transpose()?;
            let (role, projects) = (*role, check_projects(projects)?);
            let before = known.person.as_ref();
            let same = before.is_some_and(|person| {
                person.role == role && person.email == email && person.projects == projects
            });
            if same && password.is_none() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            let has_password = password.is_some() || before.is_some_and(|person| person.has_password);
            let (id, new_password, by) = (name.clone(), password.is_some(), actor.by.clone());
            let fingerprint = password.as_ref().map(PasswordHash::fingerprint);
            let accounts = before.map(|person| person.accounts.clone()).unwrap_or_default();
            let notify = before.map(|person| person.notify.clone()).unwrap_or_default();
            Event::PersonUpdated(Box::new(PersonUpdated {
                id,
                role,
                email,
                projects,
                has_password,
                new_password,
                fingerprint,
                accounts,
                notify,
                by,
            }))
        }
        Command::RemovePerson { name } => {
            let missing = || Refusal::NotFound { what: "person", id: inert_line(name) };
            let person = known.person.as_ref().ok_or_else(missing)?;
            let removed = Event::PersonRemoved { id: person.name.clone(), by: actor.by.clone() };
            let mut events = vec![removed];
            // Who is made known under that name later is somebody else.
            events.extend(state.roster.without(&person.name, &actor.by));
            return Ok(Ruling { events, ..Ruling::default() });
        }
        Command::SetAuth { required } if known.auth_required == *required => {
            return Ok(Ruling { replayed: true, ..Ruling::default() });
        }
        Command::SetAuth { required } => {
            Event::AuthUpdated { id: "auth".into(), required: *required, by: actor.by.clone() }
        }
        _ => return Ok(Ruling::default()),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Signs someone in. A caller from this machine is not a known person.
fn sign_in(known: &Known, actor: &Actor, person: &str, session: SecretHash) -> Result<Ruling, Refusal> {
    if actor.auth != Auth::System {
        return Err(Refusal::Forbidden("nobody signs in by a command".into()));
    }
    if known.person.is_none() && !person.starts_with(LOCAL) {
        return Err(Refusal::NotFound { what: "person", id: inert_line(person) });
    }
    let event = Event::SignedIn { id: person.to_owned(), session: session.fingerprint() };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Links an account of a channel to a person, or takes the link away. Whether a code was right is known where it is checked.
fn link_account(
    known: &Known,
    actor: &Actor,
    name: &str,
    channel: &str,
    account: Option<&str>,
) -> Result<Ruling, Refusal> {
    if actor.auth != Auth::System {
        crate::access::administers(actor, "tokens, people and authentication")?;
    }
    let missing = || Refusal::NotFound { what: "person", id: inert_line(name) };
    let person = known.person.as_ref().ok_or_else(missing)?;
    for text in [Some(channel), account].into_iter().flatten() {
        check_name(text).map_err(|why| Refusal::invalid("account", why))?;
    }
    let mut accounts = person.accounts.clone();
    match account {
        Some(account) => accounts.insert(channel.to_owned(), account.to_owned()),
        None => accounts.remove(channel),
    };
    if accounts == person.accounts {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    Ok(changed(Person { accounts, ..person.clone() }, actor))
}

/// Says how a person wants to be told.
fn set_notify(known: &Known, name: &str, notify: &Notify, actor: &Actor) -> Result<Ruling, Refusal> {
    let missing = || Refusal::NotFound { what: "person", id: inert_line(name) };
    let person = known.person.as_ref().ok_or_else(missing)?;
    let notify = notify.checked()?;
    if notify == person.notify {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    Ok(changed(Person { notify, ..person.clone() }, actor))
}

/// Refuses who may not say how a person is told: they themselves may, admins of all projects, and a link in a digest.
pub(crate) fn may_set_notify(actor: &Actor, projects: &[String], name: &str) -> Result<(), Refusal> {
    let is_admin = match actor.role {
        None => true,
        Some(Role::Admin) => projects.is_empty(),
        Some(Role::Person | Role::Agent) => false,
    };
    let is_person = matches!(actor.role, Some(Role::Person | Role::Admin));
    let is_self = is_person && actor.owner.as_deref().unwrap_or(&actor.by) == name;
    if actor.auth == Auth::System || !actor.is_program() && (is_admin || is_self) {
        return Ok(());
    }
    Err(Refusal::Forbidden(
        "how somebody is told, they say themselves, or an admin of all projects does".into(),
    ))
}

/// Records a person who is known as they are after a change that is not to their password.
fn changed(person: Person, actor: &Actor) -> Ruling {
    let event = Event::PersonUpdated(Box::new(PersonUpdated {
        id: person.name,
        role: person.role,
        email: person.email,
        projects: person.projects,
        has_password: person.has_password,
        new_password: false,
        fingerprint: None,
        accounts: person.accounts,
        notify: person.notify,
        by: actor.by.clone(),
    }));
    Ruling { events: vec![event], ..Ruling::default() }
}

/// Returns a token after an event about it.
pub fn apply_to_token(token: Option<Token>, event: &Event, at: Timestamp) -> Option<Token> {
    match event {
        Event::TokenCreated(created) => Some(Token {
            id: created.id.clone(),
            name: created.name.clone(),
            role: created.role,
            projects: created.projects.clone(),
            permissions: created.permissions.clone(),
            created_at: at,
            created_by: created.by.clone(),
            expires_at: created.expires_at,
            revoked_at: None,
            owner: created.owner.clone(),
        }),
        Event::TokenRevoked { .. } => token.map(|token| Token { revoked_at: Some(at), ..token }),
        _ => token,
    }
}

/// Returns a person after an event about them; nobody once they are removed.
pub fn apply_to_person(person: Option<Person>, event: &Event, at: Timestamp) -> Option<Person> {
    match event {
        Event::PersonUpdated(updated) => Some(Person {
            name: updated.id.clone(),
            role: updated.role,
            email: updated.email.clone(),
            projects: updated.projects.clone(),
            created_at: person.map_or(at, |person| person.created_at),
            has_password: updated.has_password,
            accounts: updated.accounts.clone(),
            notify: updated.notify.clone(),
        }),
        Event::PersonRemoved { .. } => None,
        _ => person,
    }
}
