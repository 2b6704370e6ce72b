//! People: created, listed, removed.

use holdpoint_core::{Command, Person, Refusal, Role};
use serde::{Deserialize, Serialize};

use super::Caller;
use super::password::{self, Password};
use crate::engine::Engine;
use crate::error::Result;

/// The body of a request to create or update a person. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPerson {
    /// The name, as it is used in assignees and answers.
    pub name: String,
    /// What they may do: person or admin.
    pub role: Role,
    /// Where notices go; nowhere if none.
    #[serde(default)]
    pub email: Option<String>,
    /// Where they may look and answer; everywhere if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// A new password; the old one stays if none. It ends their sessions.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, min_length = 10, max_length = 1024))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
}

impl Engine {
    /// Creates a person, or replaces what is known about them except the password.
    pub async fn put_person(&self, caller: &Caller, new: NewPerson) -> Result<Person> {
        // This comes before the slow hash, so that no other caller can make the server compute it.
        caller.administers()?;
        let password = match new.password {
            Some(password) => Some(password::hash(password).await?),
            None => None,
        };
        let name = new.name.clone();
        let (role, email, projects) = (new.role, new.email, new.projects);
        self.submit_for(caller, Command::PutPerson { name: new.name, role, email, projects, password }, None)
            .await?;
        let known = self.store.person(&name).await?;
        Ok(known.map(|known| known.person).ok_or(Refusal::NotFound { what: "person", id: name })?)
    }

    /// Lists people by name.
    pub async fn people(&self, caller: &Caller) -> Result<Vec<Person>> {
        caller.administers()?;
        Ok(self.store.people().await?)
    }

    /// Removes a person, ends their sessions and the tokens with which they answer. Tokens that only bear their name
    /// stay: those are separate credentials, and cast no vote for a later person of that name. Open decisions that they
    /// voted on are told.
    pub async fn remove_person(&self, caller: &Caller, name: &str) -> Result<()> {
        // This comes first, so that a removal that fails half-way can be repeated.
        for token in self.tokens(caller).await? {
            let answers = token.revoked_at.is_none() && token.role != Role::Agent;
            if answers && token.owner.as_deref() == Some(name) {
                self.submit_for(caller, Command::RevokeToken { id: token.id }, None).await?;
            }
        }
        self.submit_for(caller, Command::RemovePerson { name: name.to_owned() }, None).await?;
        self.clear_votes_of(name).await
    }

    /// Returns whether the store is written only by a server that authenticates callers.
    pub async fn auth_required(&self) -> Result<bool> {
        Ok(self.store.auth_required().await?)
    }

    /// Sets whether the store is written only by a server that authenticates callers.
    pub async fn set_auth(&self, caller: &Caller, required: bool) -> Result<()> {
        self.submit_for(caller, Command::SetAuth { required }, None).await.map(drop)
    }
}
