//! The part of the port about saved views: searches that a person has named.
//!
//! None of it is in the log, and no decision depends on it. Views are removed with their person.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What a store knows about saved views.
#[async_trait]
pub trait Views: Send + Sync {
    /// Lists the views of a person, by name.
    async fn views(&self, person: &str) -> Result<Vec<View>>;

    /// Saves a view of a person, replacing one of the same name.
    async fn put_view(&self, person: &str, view: &View) -> Result<()>;

    /// Removes a view of a person; returns whether there was one.
    async fn remove_view(&self, person: &str, name: &str) -> Result<bool>;
}

/// A search with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct View {
    /// The name.
    pub name: String,
    /// The search, as `q` of a list.
    pub q: String,
    /// The statuses, as `status` of a list.
    pub status: String,
}
