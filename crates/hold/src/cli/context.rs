//! The environment: where the data is, who we are, and how to reach decisions.

use std::path::PathBuf;
use std::sync::Arc;

use holdpoint_core::Refusal;
use holdpoint_core::text::check_name;
use holdpoint_engine::auth::{AgentProfile, door, local};
use holdpoint_engine::{Client, Embedded, Engine, Error, Home, Http, ListQuery, Role, StoreLocation};

use super::failure::Failure;
use super::find_server::{KnownEnvironment, Waiter};

/// What every command needs. Must not be logged: it may hold a token or a password.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) home: Home,
    url: Option<String>,
    /// The file with the current address of the named server: in a job's session, the server may have been restarted.
    server_file: Option<PathBuf>,
    token: Option<String>,
    store: Option<String>,
    project: Option<String>,
    user: String,
}

/// Returns whether a server does not know the credential.
pub(crate) fn is_unknown<T>(outcome: &holdpoint_engine::Result<T>) -> bool {
    matches!(outcome, Err(Error::Remote(problem)) if problem.status == 401)
}

/// Returns the name of the account we run under, used if the environment does not name the user.
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
            server_file: variable("HOLD_SERVER_FILE")?.map(PathBuf::from),
            token: variable("HOLD_TOKEN")?,
            store: variable("HOLD_STORE")?,
            project: variable("HOLD_PROJECT")?,
            user: variable("USER")?.or(variable("LOGNAME")?).unwrap_or_else(account),
        })
    }

    /// Returns the same context for another user, if one is named. The name only counts if no credential identifies
    /// the caller.
    pub(crate) fn acting_as(&self, name: Option<String>) -> Result<Self, Failure> {
        if let Some(name) = &name {
            check_name(name).map_err(|why| Refusal::invalid("by", why))?;
        }
        Ok(Self { user: name.unwrap_or_else(|| self.user.clone()), ..self.clone() })
    }

    /// Opens the decisions: on the named server, on one that runs here, or in the store itself.
    pub(crate) async fn client(&self, role: Role) -> Result<Box<dyn Client>, Failure> {
        Ok(match self.server() {
            Some(url) => Box::new(self.person_at(&url, "cli")?),
            None => Box::new(self.embedded(self.engine(role).await?, "cli")),
        })
    }

    /// Opens the decisions like [`Self::client`], under the name of an interface, such as `mcp`.
    pub(crate) async fn client_through(
        &self,
        role: Role,
        door: &'static str,
    ) -> Result<Box<dyn Client>, Failure> {
        Ok(match self.server() {
            Some(url) => Box::new(self.person_at(&url, door)?.via_door(door)),
            None => Box::new(self.embedded(self.engine(role).await?, door)),
        })
    }

    fn person_at(&self, url: &str, via: &'static str) -> Result<Http, Failure> {
        let client = Http::new(url, self.token.clone())?.answering_as(&self.user);
        Ok(client.known_to(self.whereabouts(Waiter::Person(via))))
    }

    /// Opens the decisions in the store itself.
    pub(super) fn embedded(&self, engine: Engine, via: &str) -> Embedded {
        Embedded::new(engine, &self.user, via)
    }

    fn whereabouts(&self, waiter: Waiter) -> Arc<KnownEnvironment> {
        Arc::new(KnownEnvironment { context: self.clone(), waiter })
    }

    /// Opens the decisions for an agent on this machine, under its own credential; a token in the environment is that
    /// credential.
    pub(crate) async fn agent(
        &self,
        agent: &AgentProfile,
        door: &'static str,
    ) -> Result<Arc<dyn Client>, Failure> {
        match self.server() {
            Some(url) => Ok(self.agent_at(&url, agent, door).await?),
            None => Ok(self.agent_here(self.engine(Role::Writer).await?, agent, door).await?),
        }
    }

    /// Opens the decisions under an agent's stored credential, if they are on a server. Whether the server still
    /// knows it shows at the first request.
    pub(crate) fn agent_as_kept(&self, agent: &AgentProfile, door: &'static str) -> Option<Arc<dyn Client>> {
        let (url, kept) = (self.server()?, agent.stored_secret(&self.home)?);
        if self.token.is_some() {
            return None;
        }
        let client = self.agent_with(&url, kept.reveal(), agent, door).ok()?;
        Some(Arc::new(client.via_door(door)))
    }

    /// Returns whether an agent has a credential yet.
    pub(crate) fn knows(&self, agent: &AgentProfile) -> bool {
        self.token.is_some() || agent.stored_secret(&self.home).is_some()
    }

    /// Returns the place that credentials are stored for; none for the data folder's own.
    pub(crate) fn credential_place(&self) -> Option<String> {
        let remote = self.url.clone().filter(|url| local::token_for(&self.home, url).is_none());
        remote.or_else(|| self.store.clone().filter(|_| self.url.is_none()))
    }

    fn agent_with(
        &self,
        url: &str,
        token: String,
        agent: &AgentProfile,
        door: &'static str,
    ) -> holdpoint_engine::Result<Http> {
        let known = self.whereabouts(Waiter::Agent(Box::new(agent.clone()), door));
        Ok(Http::new(url, Some(token))?.answering_as(&self.user).known_to(known))
    }

    pub(crate) async fn agent_at(
        &self,
        url: &str,
        agent: &AgentProfile,
        door: &'static str,
    ) -> holdpoint_engine::Result<Arc<dyn Client>> {
        let open = |token: String| self.agent_with(url, token, agent, door);
        let client = match (&self.token, agent.stored_secret(&self.home)) {
            (Some(token), _) => open(token.clone())?,
            (None, kept) => {
                let kept = kept.map(|secret| open(secret.reveal())).transpose()?;
                let probe = ListQuery { limit: 1, ..ListQuery::default() };
                match kept {
                    Some(client) if !is_unknown(&client.list(&probe).await) => client,
                    _ => {
                        let own = local::token_for(&self.home, url).map(|secret| secret.reveal());
                        let owner = Http::new(url, own)?;
                        open(agent.secret(&self.home, &owner).await?.reveal())?
                    }
                }
            }
        };
        Ok(Arc::new(client.via_door(door)))
    }

    /// Does the same in the store itself: the credential is not checked there, but its questions are its own.
    pub(crate) async fn agent_here(
        &self,
        engine: Engine,
        agent: &AgentProfile,
        door: &'static str,
    ) -> holdpoint_engine::Result<Arc<dyn Client>> {
        let kept = match agent.stored_secret(&self.home) {
            Some(secret) => engine.authenticate_token(&secret.reveal(), door).await?,
            None => None,
        };
        let caller = if let Some(caller) = kept {
            caller
        } else {
            let owner = Embedded::new(engine.clone(), &self.user, "cli");
            let secret = agent.secret(&self.home, &owner).await?;
            let made = engine.authenticate_token(&secret.reveal(), door).await?;
            made.ok_or_else(|| Error::Settings("the agent's credential was revoked meanwhile".to_owned()))?
        };
        Ok(Arc::new(Embedded::of(engine, door::enter(caller.unchecked(), Some(door)))))
    }

    /// Returns whether there is a server to talk to.
    pub(crate) fn has_server(&self) -> bool {
        self.server().is_some()
    }

    /// Returns whether a store other than the data folder's was named.
    pub(crate) fn has_named_store(&self) -> bool {
        self.store.is_some()
    }

    /// Returns the address of the server to talk to, if there is one.
    pub(crate) fn address(&self) -> Option<String> {
        self.server()
    }

    /// Returns whether the environment says where the decisions are.
    pub(super) fn names_place(&self) -> bool {
        self.url.is_some() || self.store.is_some()
    }

    /// Returns the current address of a server that a waiter lost; none if the waiter must stay with the named one.
    pub(super) fn moved_to(&self) -> Option<String> {
        let is_here = |url: &String| {
            let rest = url.strip_prefix("http://").unwrap_or_default();
            ["127.0.0.1:", "[::1]:", "localhost:"].iter().any(|host| rest.starts_with(host))
        };
        let found = match (&self.url, &self.server_file) {
            // A server on another machine did not write this file.
            (Some(url), Some(file)) if is_here(url) => local::find_at(file),
            _ if self.names_place() => None,
            _ => local::find(&self.home),
        };
        found.map(|server| server.address)
    }

    fn server(&self) -> Option<String> {
        match (&self.url, &self.store) {
            (Some(url), _) => Some(url.clone()),
            (None, Some(_)) => None,
            (None, None) => local::find_listening(&self.home).map(|server| server.address),
        }
    }

    /// Opens the store itself for a maintenance command, which a server does not run for others.
    pub(crate) async fn own_store(&self, command: &str, role: Role) -> Result<Engine, Failure> {
        if self.url.is_some() {
            let why = format!("hold {command} runs where the store is, but HOLD_URL names a server");
            let hint = "run it on the server's machine, or unset HOLD_URL to look at the store here";
            return Err(Failure::error(why).hint(hint));
        }
        if let Some(file) = self.store_location()?.missing() {
            return Err(self.no_store(&format!("there is no store at {}", file.display())));
        }
        let engine = self.engine(role).await?;
        let here = local::find(&self.home).filter(|_| self.store.is_none());
        let id = engine.store().identity().await?.id;
        if here.and_then(|server| server.store).is_some_and(|of_server| of_server != id) {
            return Err(self.no_store("this is not the store of the server that runs here"));
        }
        Ok(engine)
    }

    /// Returns the error that there is no store, with a hint at where it may be.
    fn no_store(&self, what: &str) -> Failure {
        let is_served = local::find(&self.home).is_some() && self.store.is_none();
        Failure::error(what).hint(if is_served {
            "set HOLD_STORE as it is set for the server that runs here"
        } else {
            "set HOLD_STORE or HOLD_HOME if it is elsewhere; the first question makes one"
        })
    }

    /// Opens the engine itself, for operations that need the store open in this process.
    pub(crate) async fn engine(&self, role: Role) -> Result<Engine, Failure> {
        Ok(Engine::open(&self.home, self.store.as_deref(), role).await?)
    }

    /// Returns the location of the store that the environment names.
    pub(crate) fn store_location(&self) -> Result<StoreLocation, Failure> {
        Ok(StoreLocation::of(&self.home, self.store.as_deref())?)
    }

    /// Returns the project to ask in: the flag's, the environment's, or the default.
    pub(crate) fn project(&self, flag: Option<&str>) -> String {
        let chosen = flag.or(self.project.as_deref());
        chosen.unwrap_or(holdpoint_core::Project::DEFAULT).to_owned()
    }

    /// Returns the name of the user.
    pub(crate) fn user(&self) -> &str {
        &self.user
    }
}

/// Reads a variable. One that is set but unreadable must not count as unset: it may name the store.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(Failure::error(format!("{name} is not UTF-8"))),
    }
}
