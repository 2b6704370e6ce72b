//! What a server sends that is not a resource by itself.

use serde::Deserialize;

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
