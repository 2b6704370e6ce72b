//! The log and its keys, from this process or over a wire.

use async_trait::async_trait;
#[cfg(feature = "http-client")]
use reqwest::Method;
#[cfg(feature = "http-client")]
use serde_json::{Value, json};

use super::Embedded;
#[cfg(feature = "http-client")]
use super::Http;
#[cfg(feature = "http-client")]
use super::http::segment;
use crate::error::Result;
#[cfg(feature = "http-client")]
use crate::log::LogPath;
use crate::log::{AcceptedLog, RotatedKey};
use crate::log_proof::SignedHead;

/// All that can be done about the log itself.
#[async_trait]
pub trait Logs: Send + Sync {
    /// Goes on from a log that does not run through what was signed.
    async fn accept_log(&self, reason: &str) -> Result<AcceptedLog>;

    /// Puts a new signing key in the place of the present one.
    async fn rotate_key(&self) -> Result<RotatedKey>;

    /// Says that what a key writes from now on does not count.
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

#[cfg(feature = "http-client")]
#[async_trait]
impl Logs for Http {
    async fn accept_log(&self, reason: &str) -> Result<AcceptedLog> {
        self.send(Method::POST, "/v1/log/accept", &json!({ "reason": reason })).await
    }

    async fn rotate_key(&self) -> Result<RotatedKey> {
        // Sent once: a second rotation would do no harm, but nobody asked for it.
        let make = || self.request(Method::POST, "/v1/keys/rotate").json(&json!({}));
        let response = self.persist(make, std::time::Duration::ZERO).await?;
        self.read(response).await
    }

    async fn revoke_key(&self, key: &str, reason: &str) -> Result<()> {
        let path = format!("/v1/keys/{}/revoke", segment(key));
        self.send::<Value>(Method::POST, &path, &json!({ "reason": reason })).await.map(drop)
    }

    async fn log_head(&self) -> Result<Option<SignedHead>> {
        self.get_json("/v1/log/head", &[]).await
    }

    async fn log_consistency(&self, from: i64, to: i64) -> Result<Vec<String>> {
        let query = [("from", from.to_string()), ("to", to.to_string())];
        Ok(self.get_json::<LogPath>("/v1/log/consistency", &query).await?.path)
    }
}
