//! Credentials: tokens, people, and whether a store demands them. Of secrets only fingerprints reach the log: enough to
//! check a row against its event, and useless for anything else.

mod apply;
mod check;
mod decide;
mod secret;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::actor::Role;
use crate::notify::Notify;
use crate::permission::Permission;
use crate::{DecisionId, Lane, Timestamp};

pub use apply::{apply_to_person, apply_to_token};
pub use secret::{PasswordHash, SecretHash};

pub(crate) use decide::{decide, may_set_notify};

/// A token: a credential for a program, or for a person outside the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Token {
    /// The id: `tok-` and twelve base-32 characters. It is not a secret.
    pub id: String,
    /// Its holder acts under this name; for an agent the NAME in `agent:NAME`.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// The projects it is valid for; all if empty.
    pub projects: Vec<String>,
    /// What it allows beyond its role.
    #[serde(default)]
    pub permissions: Vec<Permission>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who made it.
    pub created_by: String,
    /// When it expires.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// The person it belongs to: what it asks, it asks on their behalf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

impl Token {
    /// Returns whether the token is valid: neither revoked nor expired.
    pub fn in_force(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expires| now < expires)
    }

    /// Returns whether its holder may answer in a project.
    pub fn answers_in(&self, project: &str, now: Timestamp) -> bool {
        self.in_force(now) && may_answer_in(self.role, &self.projects, project)
    }

    /// Returns whether what was said with it earlier, such as a standing rule, still counts in a project: its holder
    /// may answer there, and so may the person it belongs to. A person who was later given the name of a removed one
    /// does not count.
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
    /// The name, as used in assignees and answers.
    pub name: String,
    /// What they may do: [`Role::Person`] or [`Role::Admin`].
    pub role: Role,
    /// Where notices go.
    pub email: Option<String>,
    /// The projects they may see and answer in; all if empty.
    pub projects: Vec<String>,
    /// When they were added.
    pub created_at: Timestamp,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// The accounts that answer in their name, by channel.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accounts: BTreeMap<String, String>,
    /// How they want to be notified.
    #[serde(default, skip_serializing_if = "Notify::is_default")]
    pub notify: Notify,
}

impl Person {
    /// Returns the credential under which a person who signed in, or followed a link, acts.
    pub fn credential(name: &str) -> String {
        format!("person:{name}")
    }

    /// Returns the address at which a channel reaches them, if they have set one.
    pub fn reached_at(&self, channel: Lane) -> Option<&str> {
        match channel {
            Lane::Mail | Lane::Digest => self.email.as_deref(),
            other => self.accounts.get(other.name()).map(String::as_str),
        }
    }

    /// Returns whether they may answer in a project.
    pub fn answers_in(&self, project: &str) -> bool {
        may_answer_in(self.role, &self.projects, project)
    }
}

/// What the store knows of the credentials that a command is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownCredentials {
    /// The named token.
    pub token: Option<Token>,
    /// The named person.
    pub person: Option<Person>,
    /// The roles that already use the given name: those of tokens in force, and of the person.
    pub namesakes: Vec<Role>,
    /// Whether only a server that checks identities may write to the store.
    pub auth_required: bool,
}

impl Role {
    /// All roles, from least to most.
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

/// The prefix of the names of callers on the server's own machine.
const LOCAL: &str = "local:";
