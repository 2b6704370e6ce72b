//! The state of a conversation, as stored with the draft. Unreadable state is discarded, and what is read is bounded.

use holdpoint_core::text::start;
use serde_json::Value;

use super::{KEPT, State, offer};

/// How many names a list of fields, steps or tools may have.
const MOST: usize = 1_000;
/// How many characters of the last message are stored: enough to know what it asked.
const TOLD: usize = 20_000;
/// How high anything is counted.
const HIGHEST: u32 = 1_000;

impl State {
    /// Returns the state as JSON, without what follows from the log.
    pub fn to_value(&self) -> Value {
        let written = |state: &Self| serde_json::to_value(state).unwrap_or_default();
        let (mut kept, empty) = (written(&self.clone().bounded()), written(&Self::default()));
        // What is as it begins need not be written.
        if let Value::Object(map) = &mut kept {
            map.retain(|key, value| empty.get(key) != Some(value));
        }
        kept
    }

    /// Reads a state that was kept. None, if it is none.
    pub fn read(kept: &Value) -> Option<Self> {
        use serde::Deserialize as _;
        kept.is_object().then(|| Self::deserialize(kept).ok()).flatten().map(Self::bounded)
    }

    fn bounded(mut self) -> Self {
        for list in [&mut self.postponed, &mut self.barren] {
            list.truncate(MOST);
        }
        self.confirmed.truncate(MOST);
        self.passed_by.truncate(offer::MOST);
        self.offers.truncate(offer::MOST);
        while self.sources.len() > MOST {
            self.sources.pop_last();
        }
        for offer in &mut self.offers {
            offer.put = offer.put.min(HIGHEST);
            offer.words = start(&offer.words, KEPT).to_owned();
        }
        self.half = self.half.filter(|half| half.len() <= KEPT);
        self.heard = self.heard.map(|heard| start(&heard, KEPT).to_owned());
        self.said = start(&self.said, TOLD).to_owned();
        self.failures = self.failures.min(HIGHEST);
        self.rounds = self.rounds.min(HIGHEST);
        self
    }
}
