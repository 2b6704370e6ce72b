//! What the environment says: where the data is, who we are, and how to reach decisions.

use holdpoint_engine::{Client, Embedded, Engine, Home, Role};

use super::failure::Failure;

/// What every verb needs.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) home: Home,
    store: Option<String>,
    project: Option<String>,
    user: String,
}

impl Context {
    /// Reads the environment.
    pub(crate) fn from_environment() -> Result<Self, Failure> {
        if variable("HOLD_URL")?.is_some() {
            return Err(Failure::error("HOLD_URL is set, but this version works on a local store only")
                .hint("unset HOLD_URL to use the store on this machine"));
        }
        Ok(Self {
            home: Home::find(|name| std::env::var_os(name))?,
            store: variable("HOLD_STORE")?,
            project: variable("HOLD_PROJECT")?,
            user: variable("USER")?.or(variable("LOGNAME")?).unwrap_or_else(|| "unknown".into()),
        })
    }

    /// Opens the decisions under the name of the user.
    pub(crate) fn client(&self, role: Role) -> Result<Box<dyn Client>, Failure> {
        Ok(Box::new(Embedded::new(self.engine(role)?, &self.user, "cli")))
    }

    /// Opens the engine itself, for what only whoever holds the store can do.
    pub(crate) fn engine(&self, role: Role) -> Result<Engine, Failure> {
        Ok(Engine::open(&self.home, self.store.as_deref(), role)?)
    }

    /// Returns the project that is asked in: the flag's, the environment's, or the default.
    pub(crate) fn project(&self, flag: Option<&str>) -> String {
        let chosen = flag.or(self.project.as_deref());
        chosen.unwrap_or(holdpoint_core::Project::DEFAULT).to_owned()
    }

    /// Returns the name of the user.
    pub(crate) fn user(&self) -> &str {
        &self.user
    }
}

/// Reads a variable. What is set but cannot be read must not pass for unset: it may name the store.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(Failure::error(format!("{name} is not UTF-8"))),
    }
}
