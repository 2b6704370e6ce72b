//! Credentials: tokens, people, and whether a store demands them. Of secrets only fingerprints reach the log: enough to tell
//! whether a row is what an event said, and no use to anybody else.

mod apply;
mod check;
mod decide;
mod secret;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::actor::Role;
use crate::notify::Notify;
use crate::permission::Permission;
use crate::{DecisionId, Timestamp};

pub use apply::{apply_to_person, apply_to_token};
pub use secret::{PasswordHash, SecretHash};

pub(crate) use decide::{decide, may_set_notify};

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
