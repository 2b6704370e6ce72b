//! The log and its keys, from this process or over HTTP.

use async_trait::async_trait;

use super::Embedded;
use crate::error::Result;
use crate::log::AcceptedLog;
use crate::log_proof::SignedHead;
use crate::rotation::RotatedKey;

/// The operations on the log itself.
#[async_trait]
pub trait Logs: Send + Sync {
    /// Accepts a log that does not continue what was signed, and goes on from it.
    async fn accept_log(&self, reason: &str) -> Result<AcceptedLog>;

    /// Replaces the current signing key with a new one.
    async fn rotate_key(&self) -> Result<RotatedKey>;

    /// Revokes a key: what it writes from now on does not count.
    async fn revoke_key(&self, key: &str, reason: &str) -> Result<()>;

    /// Returns the last signed head of the log, if there is one.
    async fn log_head(&self) -> Result<Option<SignedHead>>;

    /// Returns the proof that the log up to one event is the start of the log up to another.
    async fn log_consistency(&self, from: i64, to: i64) -> Result<Vec<String>>;
}

#[async_trait]
impl Logs for Embedded {
    async fn accept_log(&self, reason: &str) -> Result<AcceptedLog> {
        self.engine().accept_log(self.caller(), reason.to_owned()).await
    }

    async fn rotate_key(&self) -> Result<RotatedKey> {
        self.engine().rotate_key(self.caller()).await
    }

    async fn revoke_key(&self, key: &str, reason: &str) -> Result<()> {
        self.engine().revoke_key(self.caller(), key, reason.to_owned()).await
    }

    async fn log_head(&self) -> Result<Option<SignedHead>> {
        self.engine().log_head().await
    }

    async fn log_consistency(&self, from: i64, to: i64) -> Result<Vec<String>> {
        self.engine().log_consistency(from, to).await
    }
}
