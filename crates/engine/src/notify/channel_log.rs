//! What channels did, noted for people to look at.

use holdpoint_core::{DecisionId, Lane};
use holdpoint_store::{ChannelNote, Happened};

use super::excerpt;
use super::send::random;
use crate::engine::Engine;
use crate::error::Error;

/// How many characters of what happened are kept.
const WORDS: usize = 300;

impl Engine {
    /// Notes what a channel did. It is for people to look at: if it cannot be noted, nothing else stops.
    pub(crate) async fn log_channel(
        &self,
        channel: Lane,
        address: &str,
        decision: Option<DecisionId>,
        what: Happened,
        words: &str,
    ) {
        let noted = async {
            let id = i64::try_from(random()? >> 1).unwrap_or_default();
            let (at, address) = (self.now().await?, excerpt(address, 200));
            let words = excerpt(words, WORDS);
            let note = ChannelNote { id, at, channel, address, decision, what, words };
            Ok::<_, Error>(self.store.note(&note).await?)
        };
        if let Err(error) = noted.await {
            tracing::warn!("Could not note what {} did: {error}", channel.name());
        }
    }
}
