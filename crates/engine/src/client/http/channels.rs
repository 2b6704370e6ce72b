//! Channels, as requests.

use async_trait::async_trait;
use holdpoint_core::Lane;
use holdpoint_store::ChannelNote;

use super::Http;
use crate::api::admin::{ChannelLogParams, ChannelTest, LIST_CHANNEL_LOG, LIST_CHANNELS, TEST_CHANNEL};
use crate::api::people::{CREATE_ACCOUNT_CODE, UNLINK_ACCOUNT};
use crate::auth::AccountCode;
use crate::client::Channels;
use crate::error::Result;
use crate::notify::{ChannelState, ChannelTested};

#[async_trait]
impl Channels for Http {
    async fn channels(&self) -> Result<Vec<ChannelState>> {
        Ok(self.call(&LIST_CHANNELS, &[]).await?.items)
    }

    async fn test_channel(&self, channel: &str, person: &str) -> Result<ChannelTested> {
        self.send(&TEST_CHANNEL, &[channel], &ChannelTest { person: person.to_owned() }).await
    }

    async fn channel_log(&self, channel: Option<Lane>, limit: usize) -> Result<Vec<ChannelNote>> {
        let query = ChannelLogParams { channel, limit: Some(limit.clamp(1, 1000)) };
        Ok(self.query(&LIST_CHANNEL_LOG, &[], &query).await?.items)
    }

    async fn account_code(&self, person: &str, channel: &str) -> Result<AccountCode> {
        self.call(&CREATE_ACCOUNT_CODE, &[person, channel]).await
    }

    async fn unlink_account(&self, person: &str, channel: &str) -> Result<()> {
        self.call(&UNLINK_ACCOUNT, &[person, channel]).await
    }
}
