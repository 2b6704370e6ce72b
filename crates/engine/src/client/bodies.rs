//! What a server sends that is not a resource by itself.

use holdpoint_core::Decision;
use serde::{Deserialize, Serialize};

use super::AnsweredSame;

/// What an answer came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnswerBody {
    /// The decision as it stands now; after guidance, `next` is the next round.
    #[serde(flatten)]
    pub decision: Decision,
    /// What became of the others that were named as the same ask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<AnsweredSame>,
}

/// A list, or a page of one.
#[derive(Deserialize)]
pub(super) struct Items<T> {
    pub(super) items: Vec<T>,
    #[serde(default)]
    pub(super) next: Option<String>,
}

/// A link by which someone signs in.
#[derive(Deserialize)]
pub(super) struct SignInLink {
    pub(super) url: String,
}

/// Whether the store is written only by a server that checks who asks.
#[derive(Deserialize)]
pub(super) struct Authentication {
    pub(super) required: bool,
}
