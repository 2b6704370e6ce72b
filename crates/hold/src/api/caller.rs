//! Who calls: by a token, a session, the local token, or, where nobody checks, by claim.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use holdpoint_core::{Actor, Decision, Role};
use holdpoint_engine::Embedded;
use holdpoint_store::Logged;

use super::App;
use super::problem::{Answer, Failed};

/// Whether callers are asked who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nobody checks: names are claimed. Only on loopback.
    NoAuth,
}

/// Who calls, and where they may look.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    actor: Actor,
    projects: Vec<String>,
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Failed;

    async fn from_request_parts(_: &mut Parts, app: &Arc<App>) -> Result<Self, Failed> {
        match app.mode {
            Mode::NoAuth => Ok(Self { actor: Actor::claimed("anonymous", "http"), projects: Vec::new() }),
        }
    }
}

impl Caller {
    /// Returns the actor that commands are sent as.
    pub(super) fn access(&self) -> Actor {
        self.actor.clone()
    }

    /// Returns a client that acts as the caller.
    pub(super) fn client(&self, app: &App) -> Embedded {
        Embedded::acting(app.engine.clone(), self.actor.clone())
    }

    /// Returns the decision as the caller may see it.
    pub(super) fn view(&self, mut decision: Decision) -> Decision {
        decision.asked_with = None;
        decision
    }

    /// Returns whether the caller may look at a decision.
    pub(super) fn sees(&self, decision: &Decision) -> bool {
        self.sees_project(&decision.project)
    }

    /// Returns whether the caller may look into a project.
    pub(super) fn sees_project(&self, project: &str) -> bool {
        self.projects.is_empty() || self.projects.iter().any(|name| name == project)
    }

    /// Returns whether the caller may see an event.
    pub(super) fn sees_event(&self, logged: &Logged) -> bool {
        let project = logged.body.as_ref().and_then(|body| body.get("project")?.as_str());
        project.is_none_or(|project| self.sees_project(project))
    }

    /// Returns the project to read: the one asked for, if the caller may look into it.
    pub(super) fn project_to_read(&self, asked: Option<String>) -> Answer<Option<String>> {
        match asked {
            Some(project) => self.may_use_project(&project).map(|()| Some(project)),
            None => Ok(None),
        }
    }

    /// Refuses a project that the credential is not for.
    pub(super) fn may_use_project(&self, project: &str) -> Answer<()> {
        if self.sees_project(project) {
            Ok(())
        } else {
            Err(Failed::new(403, "forbidden", format!("this credential is not for project {project:?}")))
        }
    }

    /// Refuses agents.
    pub(super) fn must_be_person(&self, what: &str) -> Answer<()> {
        match self.actor.role {
            Some(Role::Agent) => Err(Failed::new(403, "forbidden", format!("an agent may not {what}"))),
            _ => Ok(()),
        }
    }

    /// Refuses all but admins.
    pub(super) fn must_be_admin(&self, what: &str) -> Answer<()> {
        match self.actor.role {
            Some(Role::Agent | Role::Person) => {
                Err(Failed::new(403, "forbidden", format!("only an admin may {what}")))
            }
            _ => Ok(()),
        }
    }
}
