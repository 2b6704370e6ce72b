//! A store and a clock together: submits commands and reads the current state.

use std::collections::HashSet;
use std::sync::Arc;

use holdpoint_core::{Actor, Command, Decision, DecisionId, Refusal, Status, Timestamp};
use holdpoint_store::{CheckpointPolicy, Options, Outcome, Quota, Route, Signer, Store, Submission};

use crate::auth::TokenCache;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::home::Home;
use crate::hub::Hub;
use crate::keys::Key;
use crate::notify::routes::routes;
use crate::on_call::OnCallState;
use crate::receipt::{self, Receipt};
use crate::settings::Settings;
use crate::store_location::StoreLocation;

/// What a process opens the store for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To read.
    Reader,
    /// To write once or a few times and exit: every commit is signed.
    Writer,
    /// To keep running: commits are signed at intervals.
    Server,
}

/// A store, a clock and the settings: all that decisions need.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Clock,
    pub(crate) settings: Arc<Settings>,
    pub(crate) hub: Option<Arc<Hub>>,
    pub(crate) token_cache: Arc<TokenCache>,
    /// The data folder, if there is one.
    #[cfg_attr(not(feature = "runs"), expect(dead_code, reason = "only what works on files asks for it"))]
    pub(crate) home: Option<Home>,
    pub(crate) signer: Option<Arc<Key>>,
    routes: Arc<[Route]>,
    /// The state of the command that tells who is on call.
    pub(crate) on_call: OnCallState,
    /// Held while events are proven one by one.
    pub(crate) proving: Arc<tokio::sync::Mutex<()>>,
    /// Held while a command with a large document is committed.
    pub(crate) large: Arc<tokio::sync::Mutex<()>>,
}

impl Engine {
    /// Opens the store that belongs to a data folder, or the one that `HOLD_STORE` names.
    pub async fn open(home: &Home, named: Option<&str>, role: Role) -> Result<Self> {
        let location = StoreLocation::of(home, named)?;
        Clock::System.check()?;
        let settings = match role {
            Role::Reader => Settings::default(),
            Role::Writer | Role::Server => Settings::load(&home.config())?,
        };
        let signer = match role {
            Role::Reader => Key::load(home).ok().map(Arc::new),
            Role::Writer | Role::Server => Some(Arc::new(Key::load_or_make(home)?)),
        };
        let policy = match role {
            Role::Server => CheckpointPolicy::ByCaller,
            Role::Reader | Role::Writer => CheckpointPolicy::EveryCommit,
        };
        let signs = signer.clone().map(|key| key as Arc<dyn Signer>);
        let store =
            location.open(Options { signer: signs, policy, trip_limit: settings.rules.trip_limit }).await?;
        Ok(Self { signer, home: Some(home.clone()), ..Self::new(store, Clock::System, settings) })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Makes an engine from its parts.
    pub fn new(store: Arc<dyn Store>, clock: Clock, settings: Settings) -> Self {
        let routes = routes(&settings);
        let (settings, token_cache) = (Arc::new(settings), Arc::default());
        let (proving, large, on_call) = (Arc::default(), Arc::default(), OnCallState::default());
        Self {
            store,
            clock,
            settings,
            hub: None,
            token_cache,
            home: None,
            signer: None,
            routes,
            on_call,
            proving,
            large,
        }
    }

    /// Returns the store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Returns the time of the clock.
    pub fn clock(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns a signed statement of what was decided.
    pub async fn receipt(&self, decision: &Decision) -> Result<Receipt> {
        if decision.status == Status::Pending {
            return Err(Refusal::StillPending { id: decision.id }.into());
        }
        let missing = || Error::Settings("there is no key here to sign a receipt with".into());
        let signer = self.signer.as_deref().ok_or_else(missing)?;
        let recorded = self.settled_in_log(decision).await?;
        let rule = self.rule_behind(&recorded).await?;
        receipt::issue(&recorded, rule, self.log_proof(&recorded).await?, signer)
    }

    /// Decides and records a command.
    pub async fn submit(&self, actor: Actor, command: Command) -> Result<Outcome> {
        self.submit_keyed(actor, command, None).await
    }

    /// Decides and records a command; under a known key, returns the outcome of the first time.
    pub async fn submit_keyed(&self, actor: Actor, command: Command, key: Option<String>) -> Result<Outcome> {
        let submission =
            Submission { key, routes: self.routes(), ..Submission::new(command, actor, self.clock.now()) };
        Ok(self.commit(submission).await?)
    }

    /// Returns what each credential may have pending.
    pub(crate) fn quota(&self) -> Quota {
        let limits = self.settings.limits;
        Quota { decisions: limits.pending, bytes: limits.pending_bytes }
    }

    pub(crate) fn routes(&self) -> Arc<[Route]> {
        Arc::clone(&self.routes)
    }

    /// Returns the current time for readers: never before the last event.
    pub async fn now(&self) -> Result<Timestamp> {
        Ok(self.store.head().await?.now(self.clock.now()))
    }

    /// Records that the clock was stepped back, if it was: until then time stands still for readers. Any command
    /// records it; this one, on a decision that is waited for, does nothing else. Returns whether the clock was stepped
    /// back.
    pub(crate) async fn record_step(&self, id: DecisionId) -> Result<bool> {
        let behind = self.store.head().await?.is_behind(self.clock.now());
        if behind {
            self.submit(Actor::system(), Command::Expire { id }).await?;
        }
        Ok(behind)
    }

    /// Returns a decision in its current state, with overdue ones as timed out. Writes nothing.
    pub async fn decision(&self, id: DecisionId) -> Result<Option<Decision>> {
        let Some(decision) = self.store.decision(id).await? else { return Ok(None) };
        self.check_shown(&decision).await?;
        // Only a deadline makes the time matter.
        if decision.deadline.is_none() {
            return Ok(Some(decision));
        }
        let now = self.now().await?;
        if !decision.is_due(now) {
            return Ok(Some(decision));
        }
        // It may have been answered between reading it and reading the clock; and a deadline or a default that only its
        // row knows settles nothing.
        match self.store.decision(id).await? {
            Some(row) => Ok(Box::pin(self.as_in_log(row)).await?.map(|decision| decision.as_of(now))),
            None => Ok(None),
        }
    }

    /// Finds the one decision that a typed id or prefix names.
    pub async fn find(&self, typed: &str) -> Result<DecisionId> {
        const SHOWN: usize = 8;
        let missing = || Error::NotFound(holdpoint_core::text::inert_line(typed));
        if let Ok(id) = typed.parse() {
            return Ok(id);
        }
        let prefix =
            DecisionId::normalise_prefix(typed).filter(|prefix| !prefix.is_empty()).ok_or_else(missing)?;
        let mut ids = self.store.find(&prefix, SHOWN + 1).await?;
        match ids.as_slice() {
            [] => Err(missing()),
            [only] => Ok(*only),
            _ => {
                let more = ids.len() > SHOWN;
                ids.truncate(SHOWN);
                let mut candidates = Vec::new();
                for id in ids {
                    candidates.extend(self.decision(id).await?);
                }
                Err(Error::Ambiguous { prefix, candidates, more })
            }
        }
    }

    /// Records every deadline that has passed; returns how many. A decision that does not match the log is left alone,
    /// and does not keep others from being recorded.
    pub async fn expire_due(&self) -> Result<usize> {
        let mut expired = 0;
        let mut refused = HashSet::new();
        loop {
            let mut due = self.store.due(self.now().await?, 64 + refused.len()).await?;
            due.retain(|id| !refused.contains(id));
            if due.is_empty() {
                return Ok(expired);
            }
            for id in due {
                match self.submit(Actor::system(), Command::Expire { id }).await {
                    Ok(outcome) => expired += usize::from(!outcome.replayed),
                    Err(Error::Refused(Refusal::Unproven { .. })) => {
                        refused.insert(id);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}
