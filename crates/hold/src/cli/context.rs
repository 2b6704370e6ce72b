//! What the environment says: where the data is, who we are, and how to reach decisions.

use holdpoint_engine::auth::local;
use holdpoint_engine::{Client, Embedded, Engine, Home, Http, Place, Role};

use super::failure::Failure;

/// What every verb needs. Not to be shown: a token or a password may stand in it.
pub(crate) struct Context {
    pub(crate) home: Home,
    url: Option<String>,
    token: Option<String>,
    store: Option<String>,
    project: Option<String>,
    user: String,
}

/// Returns the name of the account we run under, where the environment does not say.
fn account() -> String {
    let own = rustix::process::getuid().as_raw().to_string();
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut accounts = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let named = accounts.find(|account| account.get(2) == Some(&own.as_str()));
    named
        .and_then(|account| account.first().map(|name| (*name).to_owned()))
        .unwrap_or_else(|| format!("uid-{own}"))
}

impl Context {
    /// Reads the environment.
    pub(crate) fn from_environment() -> Result<Self, Failure> {
        Ok(Self {
            home: Home::find(|name| std::env::var_os(name))?,
            url: variable("HOLD_URL")?,
            token: variable("HOLD_TOKEN")?,
            store: variable("HOLD_STORE")?,
            project: variable("HOLD_PROJECT")?,
            user: variable("USER")?.or(variable("LOGNAME")?).unwrap_or_else(account),
        })
    }

    /// Opens the decisions: on the server that is named or that runs here, else in the store itself.
    pub(crate) async fn client(&self, role: Role) -> Result<Box<dyn Client>, Failure> {
        self.client_by(role, "cli").await
    }

    /// Opens the decisions through a door of another name.
    pub(crate) async fn client_by(&self, role: Role, via: &str) -> Result<Box<dyn Client>, Failure> {
        Ok(match self.server() {
            Some(url) => {
                let token = self.token.clone();
                let token =
                    token.or_else(|| local::token_for(&self.home, &url).map(|secret| secret.reveal()));
                Box::new(Http::new(&url, token)?.answering_as(&self.user))
            }
            None => Box::new(Embedded::new(self.engine(role).await?, &self.user, via)),
        })
    }

    /// Returns whether there is a server to talk to.
    pub(crate) fn has_server(&self) -> bool {
        self.server().is_some()
    }

    /// Returns the address of the server to talk to, if to one.
    fn server(&self) -> Option<String> {
        match (&self.url, &self.store) {
            (Some(url), _) => Some(url.clone()),
            (None, Some(_)) => None,
            (None, None) => local::find(&self.home).map(|server| server.address),
        }
    }

    /// Opens the store itself for a command that looks after it, which a server does not do for others.
    pub(crate) async fn own_store(&self, command: &str, role: Role) -> Result<Engine, Failure> {
        match &self.url {
            Some(_) => Err(Failure::error(format!(
                "hold {command} runs where the store is, but HOLD_URL names a server"
            ))
            .hint("run it on the server's machine, or unset HOLD_URL to look at the store here")),
            None => self.engine(role).await,
        }
    }

    /// Opens the engine itself, for what only whoever holds the store can do.
    pub(crate) async fn engine(&self, role: Role) -> Result<Engine, Failure> {
        Ok(Engine::open(&self.home, self.store.as_deref(), role).await?)
    }

    /// Returns where the store is that the environment names.
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        Ok(Place::of(&self.home, self.store.as_deref())?)
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
