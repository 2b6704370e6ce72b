//! The channel operations of a client.

use async_trait::async_trait;
use holdpoint_core::Lane;
use holdpoint_store::ChannelNote;

use super::Embedded;
use crate::auth::AccountCode;
use crate::error::{Error, Result};
use crate::notify::{ChannelState, ChannelTested};

/// What admins do with channels.
#[async_trait]
pub trait Channels: Send + Sync {
    /// Lists the channels that the settings name.
    async fn channels(&self) -> Result<Vec<ChannelState>>;

    /// Sends a person a message that only shows that messages arrive.
    async fn test_channel(&self, channel: &str, person: &str) -> Result<ChannelTested>;

    /// Lists what channels sent, took and refused, newest first.
    async fn channel_log(&self, channel: Option<Lane>, limit: usize) -> Result<Vec<ChannelNote>>;

    /// Makes a code by which a person links an account of a channel.
    async fn account_code(&self, person: &str, channel: &str) -> Result<AccountCode>;

    /// Unlinks a person's account of a channel, so that it can no longer answer for them.
    async fn unlink_account(&self, person: &str, channel: &str) -> Result<()>;
}

#[async_trait]
impl Channels for Embedded {
    async fn channels(&self) -> Result<Vec<ChannelState>> {
        self.engine().channels(self.caller()).await
    }

    async fn test_channel(&self, channel: &str, person: &str) -> Result<ChannelTested> {
        self.engine().test_channel(self.caller(), channel, person).await
    }

    async fn channel_log(&self, channel: Option<Lane>, limit: usize) -> Result<Vec<ChannelNote>> {
        self.engine().channel_log(self.caller(), channel, limit).await
    }

    async fn account_code(&self, _: &str, _: &str) -> Result<AccountCode> {
        // A code is of use only if a server receives it, and that server makes it.
        Err(Error::Settings("no server runs here to say a code to; start one with: hold serve".into()))
    }

    async fn unlink_account(&self, person: &str, channel: &str) -> Result<()> {
        self.engine().unlink_account(self.caller(), person, channel).await
    }
}
