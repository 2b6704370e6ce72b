//! The caller, once identified.

use std::path::{Path, PathBuf};

use holdpoint_core::{Actor, Auth, Command, Decision, Person, Refusal, Run, Token, access};
use holdpoint_store::{LinkUse, Outcome, SeenBy, SharedDecision, Submission};

use crate::engine::Engine;
use crate::error::{Error, Result};

/// The caller, and where the credential is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who it is, through which door it came, and how surely it is known.
    pub actor: Actor,
    /// The projects where the credential is valid; everywhere if empty.
    pub projects: Vec<String>,
}

impl Caller {
    /// Returns a caller whose name has not been checked: embedded use, and a server without authentication.
    pub fn claimed(by: impl Into<String>, via: impl Into<String>) -> Self {
        Self { actor: Actor::claimed(by, via), projects: Vec::new() }
    }

    /// Returns the holder of the local token, who may do everything.
    pub fn local(by: impl Into<String>, via: impl Into<String>) -> Self {
        Self { actor: Actor { auth: Auth::Local, ..Actor::claimed(by, via) }, projects: Vec::new() }
    }

    /// Returns the holder of a token.
    pub(super) fn of_token(token: &Token, via: &str) -> Self {
        let credential = Some(token.id.clone());
        Self {
            actor: Actor {
                auth: Auth::Token,
                role: Some(token.role),
                credential,
                permissions: token.permissions.clone(),
                owner: token.owner.clone(),
                ..Actor::claimed(&token.name, via)
            },
            projects: token.projects.clone(),
        }
    }

    /// Returns the same caller for a server that does not check credentials: what it asked with counts, its name is
    /// only claimed.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.actor.auth = Auth::Claimed;
        self
    }

    /// Returns a person who signed in.
    pub(super) fn of_person(person: &Person, via: &str) -> Self {
        let credential = Some(Person::credential(&person.name));
        let (auth, role) = (Auth::Session, Some(person.role));
        Self {
            actor: Actor { auth, role, credential, ..Actor::claimed(&person.name, via) },
            projects: person.projects.clone(),
        }
    }

    /// Returns the name on the credential: for a person's token, the person it belongs to, if it names one.
    pub fn credential_name(&self) -> Option<&str> {
        let Actor { by, auth, owner, .. } = &self.actor;
        let person = owner.as_deref().filter(|_| !self.actor.is_program());
        auth.is_checked().then(|| person.unwrap_or(by))
    }

    /// Returns whether the caller may read a decision.
    pub fn may_read(&self, decision: &Decision) -> bool {
        access::may_read(decision, &self.actor, &self.projects)
    }

    /// Returns whether the caller may read a run and work on it.
    pub fn may_work_on(&self, run: &Run) -> bool {
        access::may_work_on(run, &self.actor, &self.projects)
    }

    /// Returns whether the caller may do anything in a project.
    pub fn may_use(&self, project: &str) -> bool {
        access::may_write_project(&self.actor, &self.projects, project)
    }

    /// Refuses a caller that may not manage tokens, people and settings.
    pub fn administers(&self) -> Result<()> {
        let command = Command::SetAuth { required: true };
        Ok(access::admit(&self.actor, &self.projects, &command, None)?)
    }

    /// Refuses a caller that may not start jobs, runs and imports in a project.
    pub fn may_start(&self, project: &str) -> Result<()> {
        access::may_start(&self.actor, &self.projects)?;
        if self.may_use(project) {
            return Ok(());
        }
        let name = holdpoint_core::text::quote(project);
        Err(Refusal::Forbidden(format!("this credential is not for project {name}")).into())
    }

    /// Refuses a caller with a credential that names a place outside the allowed folders, or one that links lead out of
    /// them.
    pub fn may_use_place(&self, place: &Path, allowed: &[PathBuf], setting: &str) -> Result<()> {
        let real = std::fs::canonicalize(place).ok();
        let within = |folder: &PathBuf| {
            let folder = std::fs::canonicalize(folder).ok();
            real.as_ref().zip(folder).is_some_and(|(real, folder)| real.starts_with(folder))
        };
        if self.actor.role.is_none() || allowed.iter().any(within) {
            return Ok(());
        }
        let why = format!(
            "over HTTP, only what lies in folders that the server's settings name may be used ({setting})"
        );
        Err(Refusal::Forbidden(why).into())
    }

    /// Returns a decision as the caller may see it.
    #[must_use]
    pub fn visible(&self, decision: Decision) -> Decision {
        access::visible_to(decision, &self.actor)
    }

    /// Returns the visible part of a shared decision, which is copied only if something has to be left out.
    pub(crate) fn visible_part(&self, decision: SharedDecision) -> SharedDecision {
        if access::shows_whole(&decision, &self.actor) {
            return decision;
        }
        SharedDecision::new(self.visible(decision.into_decision()))
    }

    /// Returns the restriction on an agent's lists; other callers have none.
    pub fn seen_by(&self) -> Option<SeenBy> {
        (!access::reads_project(&self.actor)).then(|| SeenBy {
            credential: self.actor.credential.clone().unwrap_or_default(),
            assignee: format!("agent:{}", self.actor.by),
        })
    }
}

impl Engine {
    /// Decides and records a command for a caller; the outcome, a refusal included, contains only what the caller may
    /// see.
    pub async fn submit_for(
        &self,
        caller: &Caller,
        command: Command,
        key: Option<String>,
    ) -> Result<Outcome> {
        self.submit_with(caller, command, key, None).await
    }

    pub(super) async fn submit_with(
        &self,
        caller: &Caller,
        command: Command,
        key: Option<String>,
        link: Option<LinkUse>,
    ) -> Result<Outcome> {
        let outcome = self.submit_whole(caller, command, key, link).await?;
        Ok(visible_outcome(caller, outcome))
    }

    /// Decides and records a command for a caller. A refusal contains only what the caller may see; an outcome contains
    /// all that was recorded.
    pub(crate) async fn submit_whole(
        &self,
        caller: &Caller,
        command: Command,
        key: Option<String>,
        link: Option<LinkUse>,
    ) -> Result<Outcome> {
        let about_credentials = matches!(
            command,
            Command::CreateToken { .. }
                | Command::RevokeToken { .. }
                | Command::PutPerson { .. }
                | Command::LinkAccount { .. }
                | Command::SetNotify { .. }
                | Command::RemovePerson { .. }
                | Command::SignIn { .. }
                | Command::SetAuth { .. }
        );
        let submission = Submission { key, link, ..self.submission_for(caller, command) };
        let submitted = self.commit(submission).await;
        if about_credentials {
            // Even if it failed: what was known about credentials may be outdated.
            self.token_cache.changed();
            Box::pin(self.sign_credentials()).await;
        }
        submitted.map_err(|error| visible_error(caller, error))
    }

    /// Decides and records several commands for a caller in one transaction; each has a separate outcome.
    pub(crate) async fn submit_all_for(
        &self,
        caller: &Caller,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<Vec<Result<Outcome>>> {
        let all = commands.into_iter().map(|command| self.submission_for(caller, command)).collect();
        let outcomes = self.commit_all(all).await?;
        let seen = |outcome: holdpoint_store::Result<Outcome>| match outcome {
            Ok(outcome) => Ok(visible_outcome(caller, outcome)),
            Err(error) => Err(visible_error(caller, error)),
        };
        Ok(outcomes.into_iter().map(seen).collect())
    }

    fn submission_for(&self, caller: &Caller, command: Command) -> Submission {
        Submission {
            routes: self.routes(),
            projects: caller.projects.clone(),
            quota: Some(self.quota()),
            ..Submission::new(command, caller.actor.clone(), self.clock.now())
        }
    }
}

/// Removes from an outcome what the caller may not see.
fn visible_outcome(caller: &Caller, outcome: Outcome) -> Outcome {
    Outcome {
        decision: outcome.decision.map(|decision| caller.visible_part(decision)),
        next: outcome.next.map(|decision| caller.visible_part(decision)),
        ..outcome
    }
}

/// Removes from a refusal what the caller may not see.
fn visible_error(caller: &Caller, error: holdpoint_store::Error) -> Error {
    match Error::from(error) {
        Error::Refused(Refusal::Settled(decision)) => {
            Error::Refused(Refusal::Settled(Box::new(caller.visible(*decision))))
        }
        error => error,
    }
}
