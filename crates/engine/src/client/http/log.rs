//! The log and its proofs, as requests.

use async_trait::async_trait;

use super::Http;
use crate::api::Empty;
use crate::api::log::{ACCEPT_LOG, GET_LOG_CONSISTENCY, GET_LOG_HEAD, Heads, REVOKE_KEY, ROTATE_KEY, Reason};
use crate::client::Logs;
use crate::error::Result;
use crate::log::AcceptedLog;
use crate::log_proof::SignedHead;
use crate::rotation::RotatedKey;

#[async_trait]
impl Logs for Http {
    async fn accept_log(&self, reason: &str) -> Result<AcceptedLog> {
        self.send(&ACCEPT_LOG, &[], &Reason { reason: reason.to_owned() }).await
    }

    async fn rotate_key(&self) -> Result<RotatedKey> {
        // A second rotation would do no harm, but was not requested.
        self.send_once(&ROTATE_KEY, &[], &Empty {}).await
    }

    async fn revoke_key(&self, key: &str, reason: &str) -> Result<()> {
        self.send(&REVOKE_KEY, &[key], &Reason { reason: reason.to_owned() }).await.map(drop)
    }

    async fn log_head(&self) -> Result<Option<SignedHead>> {
        self.call(&GET_LOG_HEAD, &[]).await
    }

    async fn log_consistency(&self, from: i64, to: i64) -> Result<Vec<String>> {
        Ok(self.query(&GET_LOG_CONSISTENCY, &[], &Heads { from, to }).await?.path)
    }
}
