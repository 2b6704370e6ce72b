//! Replacing the signing key. Each step can be repeated, and the next key is kept until the last one is done, so a
//! rotation that was cut off is finished by the next process that finds it.

use std::fmt;
use std::time::Duration;

use holdpoint_core::{Actor, Command, LogCommand, Refusal};
use holdpoint_store::Signer as _;
use holdpoint_store::vouch::{self, Rotations};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::keys::{Rotation, SEEN};
use crate::log::may_vouch;

/// How long to wait for another process that is rotating the key.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often to check whether it has finished.
const PAUSE: Duration = Duration::from_millis(50);

/// The state of the signing key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RotatedKey {
    /// The id of the key that signed until now.
    pub from: String,
    /// The id of the key that signs from now on.
    pub to: String,
    /// Its public half, in hex.
    pub public_key: String,
}

impl fmt::Display for RotatedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is the signing key from now on; {} is revoked", self.to, self.from)
    }
}

impl Engine {
    /// Replaces the current signing key with a new one; the old one no longer counts from then on. Finishes a rotation
    /// that was cut off instead, if there is one.
    pub async fn rotate_key(&self, caller: &Caller) -> Result<RotatedKey> {
        may_vouch(caller)?;
        let key = self.key()?;
        let mut waited = Duration::ZERO;
        let _alone = loop {
            match key.lock_rotation()? {
                Some(lock) => break lock,
                None if waited < PATIENCE => {
                    tokio::time::sleep(PAUSE).await;
                    waited += PAUSE;
                }
                None => {
                    let why = "another process has been rotating the key for a while; is it suspended?";
                    return Err(Refusal::invalid("key", why).into());
                }
            }
        };
        self.sign().await;
        if let Some(fault) = self.unvouched() {
            let why =
                format!("signing the log has stopped: {fault}; accept that first, with the key as it is");
            return Err(Refusal::invalid("log", why).into());
        }
        let store = self.store.identity().await?;
        let rotation = match key.rotation()? {
            Some(begun) if begun.store != store.id => {
                let why = format!(
                    "a rotation of this key was cut off with the store {}; finish it there first, or remove \
                     keys/next.key if that store is gone for good",
                    begun.place
                );
                return Err(Refusal::invalid("key", why).into());
            }
            Some(begun) => begun,
            None => key.begin_rotation(&store.id, &store.place)?,
        };
        self.carry_out_rotation(caller, &rotation).await
    }

    /// Finishes a rotation that was cut off, unless another process is doing so; returns what became of the key. Left alone while
    /// the log cannot be signed.
    pub(crate) async fn finish_rotation(&self) -> Result<Option<RotatedKey>> {
        if !self.is_rotation_left().await? {
            return Ok(None);
        }
        let key = self.key()?;
        let Some(_alone) = key.lock_rotation()? else { return Ok(None) };
        self.sign().await;
        if self.unvouched().is_some() {
            return Ok(None);
        }
        let caller = Caller { actor: Actor::rotation(), projects: Vec::new() };
        match key.rotation()? {
            Some(begun) if begun.store == self.store.identity().await?.id => {
                self.carry_out_rotation(&caller, &begun).await.map(Some)
            }
            Some(_) => Ok(None),
            // Cut off by a version that kept no next key, or finished meanwhile.
            None => {
                let mut left = self.revoke_replaced(&caller).await?.into_iter();
                self.sign().await;
                let (to, public_key) = (key.key(), key.public_key());
                Ok(left.next().map(|from| RotatedKey { from, to, public_key }))
            }
        }
    }

    /// Like [`Engine::finish_rotation`], but looks only for the next key, which costs a command nothing.
    pub(crate) async fn finish_begun_rotation(&self) -> Result<Option<RotatedKey>> {
        match &self.signer {
            Some(key) if key.is_rotating() => Box::pin(self.finish_rotation()).await,
            _ => Ok(None),
        }
    }

    /// Returns what a rotation that was cut off has left undone, in words.
    pub async fn cut_off_rotation(&self) -> Result<Option<String>> {
        let Some(key) = self.signer.as_deref() else { return Ok(None) };
        // Where nothing may be written, nobody is rotating a key.
        if !self.is_rotation_left().await? || matches!(key.lock_rotation(), Ok(None)) {
            return Ok(None);
        }
        let left = Rotations::read(self.store.as_ref(), key).await?.left(&key.key());
        let what = match (left.first(), key.rotation()?) {
            (Some(old), _) => format!("{old} was replaced, but is still trusted"),
            (None, Some(begun)) if begun.next.key() != key.key() => format!("{} still signs", key.key()),
            (None, Some(_)) => "its end was not recorded".to_owned(),
            (None, None) => return Ok(None),
        };
        Ok(Some(format!("a rotation of the signing key was cut off: {what}; hold key rotate finishes it")))
    }

    async fn is_rotation_left(&self) -> Result<bool> {
        let Some(key) = self.signer.as_deref() else { return Ok(false) };
        Ok(key.is_rotating() || !Rotations::read(self.store.as_ref(), key).await?.left(&key.key()).is_empty())
    }

    /// Does what is left of a rotation, in an order in which it can be cut off anywhere.
    async fn carry_out_rotation(&self, caller: &Caller, rotation: &Rotation) -> Result<RotatedKey> {
        let (key, store, Rotation { from, next, .. }) = (self.key()?, self.store.as_ref(), rotation);
        let (to, public_key) = (next.key(), next.public_key());
        let mut old = None;
        if key.key() != to {
            key.publish(next)?;
            // Wait until every process of the data folder signs what it writes, so that the next key can check it; the
            // old key vouches for what was written before.
            tokio::time::sleep(SEEN).await;
            self.sign().await;
            if !Rotations::read(store, key).await?.has(from, &to) {
                let (from, to, public_key) = (from.clone(), to.clone(), public_key.clone());
                let rotate = LogCommand::RotateKey { from, to, public_key };
                self.submit_for(caller, Command::Log(rotate), None).await?;
            }
            // The old key vouches for its last batches before it is replaced.
            self.sign().await;
            old = Some(key.replace_by(next)?);
        }
        // Wait until every process of the data folder writes with the new key.
        tokio::time::sleep(SEEN).await;
        self.revoke_replaced(caller).await?;
        if let Some(old) = &old {
            vouch::attest(store, old, self.clock.now()).await?;
        }
        self.sign().await;
        key.end_rotation()?;
        Ok(RotatedKey { from: from.clone(), to, public_key })
    }

    /// Revokes the keys that the signing one has replaced; returns those that were not revoked yet.
    async fn revoke_replaced(&self, caller: &Caller) -> Result<Vec<String>> {
        let key = self.key()?;
        let left = Rotations::read(self.store.as_ref(), key).await?.left(&key.key());
        for replaced in &left {
            let revoke = LogCommand::RevokeKey { key: replaced.clone(), reason: "rotated".into() };
            self.submit_for(caller, Command::Log(revoke), None).await?;
        }
        Ok(left)
    }
}
