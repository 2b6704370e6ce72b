//! A scene: a store, a clock that the case sets, and helpers for common commands.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use ed25519_dalek::{Signer as _, SigningKey};
use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{Actor, Command, Decision, DecisionId, Field, Kind, Opt, Refusal, Timestamp};

use super::StoreHarness;
use sha2::{Digest, Sha256};

use crate::chain::{self, Hash, hex};
use crate::vouch::{Identity, KeyId, Remembered};
use crate::{Error, Options, Outcome, Query, Route, Signer, Store, Submission};

/// The time at which every scene starts.
pub const T0: i64 = 1_800_000_000_000;

/// A store and a clock.
#[derive(Debug)]
pub struct Scene {
    pub store: Arc<dyn Store>,
    clock: AtomicI64,
    routes: Mutex<Arc<[Route]>>,
}

impl Scene {
    pub async fn new(bench: &dyn StoreHarness) -> Self {
        Self::with(bench, Options::default()).await
    }

    pub async fn with(bench: &dyn StoreHarness, options: Options) -> Self {
        Self {
            store: bench.open(options).await,
            clock: AtomicI64::new(T0),
            routes: Mutex::new(Arc::from([])),
        }
    }

    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.clock.load(Ordering::Relaxed))
    }

    /// Sets the clock to this many seconds after the start.
    pub fn at(&self, seconds: i64) {
        self.clock.store(T0 + seconds * 1_000, Ordering::Relaxed);
    }

    pub fn route(&self, routes: &[Route]) {
        *self.routes.lock().unwrap() = Arc::from(routes);
    }

    pub fn submission(&self, command: Command) -> Submission {
        let routes = self.routes.lock().unwrap().clone();
        Submission { routes, ..Submission::new(command, Actor::claimed("ana", "cli"), self.now()) }
    }

    pub async fn submit(&self, command: Command) -> Result<Outcome, Error> {
        self.store.submit(self.submission(command)).await
    }

    pub async fn ask(&self, new: New) -> Decision {
        self.submit(Command::Create(Box::new(new))).await.unwrap().decision.unwrap().into_decision()
    }

    pub async fn ask_with_key(&self, new: New, key: &str) -> Result<Outcome, Error> {
        let submission =
            Submission { key: Some(key.into()), ..self.submission(Command::Create(Box::new(new))) };
        self.store.submit(submission).await
    }

    pub async fn answer(&self, id: DecisionId, choice: &str) -> Result<Outcome, Error> {
        self.submit(choose(id, choice)).await
    }

    /// Submits a command that must be refused.
    pub async fn refused(&self, command: Command) -> Refusal {
        refusal(self.submit(command).await)
    }

    pub async fn decision(&self, id: DecisionId) -> Decision {
        self.store.decision(id).await.unwrap().unwrap()
    }

    /// Lists the ids that a query finds, on one page.
    pub async fn ids(&self, query: Query) -> Vec<DecisionId> {
        let page = self.store.list(&Query { limit: 100, ..query }).await.unwrap();
        page.items.iter().map(|decision| decision.id).collect()
    }
}

pub(super) fn refusal(result: Result<Outcome, Error>) -> Refusal {
    match result {
        Err(Error::Refused(refusal)) => Some(refusal),
        Ok(_) | Err(_) => None,
    }
    .unwrap()
}

/// Returns a question with the options a and b.
pub fn question() -> New {
    let options = vec![Opt::new("a", "The one"), Opt::new("b", "The other")];
    New {
        prompt: Some("Which?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Which?", options)],
        ..New::default()
    }
}

/// Returns the command that answers with an option.
pub fn choose(id: DecisionId, choice: &str) -> Command {
    let input = AnswerInput { choice: Some(choice.into()), ..AnswerInput::default() };
    Command::Answer { id, input: Box::new(input) }
}

/// Returns a signer with a fixed key, whose memory lasts as long as itself.
pub fn signer(seed: u8) -> Arc<dyn Signer> {
    Arc::new(Fixed { key: SigningKey::from_bytes(&[seed; 32]), memory: Mutex::default() })
}

#[derive(Debug)]
struct Fixed {
    key: SigningKey,
    memory: Mutex<Option<Remembered>>,
}

impl Signer for Fixed {
    fn key(&self) -> String {
        chain::key_id(&self.public_key())
    }

    fn public_key(&self) -> String {
        hex(self.key.verifying_key().as_bytes())
    }

    fn sign(&self, message: &[u8]) -> String {
        hex(&self.key.sign(message).to_bytes())
    }

    fn seal(&self, batch: &[u8]) -> (KeyId, Hash) {
        let mac = Sha256::new().chain_update(self.key.to_bytes()).chain_update(batch).finalize();
        let id = chain::unhex(&self.key()[4..]).unwrap();
        (id.try_into().unwrap(), mac.into())
    }

    fn is_alone(&self) -> bool {
        false
    }

    fn trusted(&self) -> Vec<String> {
        [1, 2].map(|seed| hex(SigningKey::from_bytes(&[seed; 32]).verifying_key().as_bytes())).into()
    }

    fn trust(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }

    fn remembered(&self, _: &Identity) -> Result<Option<Remembered>, Error> {
        Ok(self.memory.lock().unwrap().clone())
    }

    fn remember(&self, _: &Identity, remembered: &Remembered) -> Result<(), Error> {
        let mut memory = self.memory.lock().unwrap();
        let number = memory.as_ref().map_or(0, |before| before.number).max(remembered.number);
        if memory.as_ref().is_none_or(|before| remembered.rises_above(before)) {
            *memory = Some(remembered.clone());
        }
        if let Some(memory) = memory.as_mut() {
            memory.number = number;
        }
        Ok(())
    }
}
