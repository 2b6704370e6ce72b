//! The settings for standing rules.

use holdpoint_core::rule::TRIP_LIMIT;
use serde::Deserialize;

/// Limits for standing rules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How often an allowing rule may answer in a minute before it trips; 30 if not set.
    pub trip_limit: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { trip_limit: TRIP_LIMIT }
    }
}
