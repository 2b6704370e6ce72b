//! Records of what channels did, for people to read.

use holdpoint_core::{DecisionId, Lane};
use holdpoint_store::{ChannelNote, Happened};

use super::excerpt::excerpt;
use crate::auth::random;
use crate::engine::Engine;
use crate::error::Error;

/// How many characters of what happened are kept.
const WORDS: usize = 300;

impl Engine {
    /// Records what a channel did. The record is only for people: if it fails, nothing else does.
    pub(crate) async fn log_channel(
        &self,
        channel: Lane,
        address: &str,
        decision: Option<DecisionId>,
        what: Happened,
        words: &str,
    ) {
        let noted = async {
            let id = i64::try_from(u64::from_le_bytes(random()?) >> 1).unwrap_or_default();
            let (at, address) = (self.now().await?, excerpt(address, 200));
            let words = excerpt(words, WORDS);
            let note = ChannelNote { id, at, channel, address, decision, what, words };
            Ok::<_, Error>(self.store.note(&note).await?)
        };
        if let Err(error) = noted.await {
            tracing::warn!("Could not note what {} did: {error}", channel.name());
        }
    }

    /// Returns the last thing that a channel did, if that failed.
    pub(crate) async fn last_failure(&self, channel: Lane) -> Option<ChannelNote> {
        let last = self.store.notes(Some(channel), 1).await.ok()?.pop();
        last.filter(|note| note.what == Happened::Failed)
    }
}
