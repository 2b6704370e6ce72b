//! The digest over a log's content as it is, even if that is not what was recorded: an admin accepts this log, and not
//! whatever replaces it later.

use sha2::{Digest as _, Sha256};

use crate::LogRow;
use crate::chain::{GENESIS, Hash, body_hash, event_hash, hex};

/// A digest over events, in their order.
pub(super) struct Content(Hash);

impl Content {
    pub(super) fn new() -> Self {
        Self(GENESIS)
    }

    /// Adds the next event, as stored. An erased body counts as the one that its hash stands for.
    pub(super) fn step(&mut self, link: &LogRow) {
        let LogRow { seq, stream, version, tag, at, prev, .. } = link;
        let body = link.body.as_ref().map_or_else(|| link.body_hash.clone(), |body| hex(&body_hash(body)));
        let said = event_hash(*seq, stream, *version, tag, *at, &body, prev);
        let stated = Sha256::digest(format!("{} {}", link.body_hash, link.hash));
        let proof = Sha256::digest(link.proof.as_deref().unwrap_or_default());
        let all = Sha256::new().chain_update(self.0).chain_update(said);
        self.0 = all.chain_update(stated).chain_update(proof).finalize().into();
    }

    /// Returns the digest over what was added so far.
    pub(super) fn digest(&self) -> String {
        hex(&self.0)
    }
}
