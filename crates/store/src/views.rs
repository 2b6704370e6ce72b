//! The part of the port that is about saved views: searches that a person gave names to.
//!
//! None of it is in the log, and no decision depends on it. It goes with the person.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What a store knows of saved views.
#[async_trait]
pub trait Views: Send + Sync {
    /// Lists the views of a person, by name.
    async fn views(&self, person: &str) -> Result<Vec<View>>;

    /// Keeps a view of a person, in the place of one that has the name.
    async fn put_view(&self, person: &str, view: &View) -> Result<()>;

    /// Removes a view of a person; returns whether there was one.
    async fn remove_view(&self, person: &str, name: &str) -> Result<bool>;
}

/// A search with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct View {
    /// Names it.
    pub name: String,
    /// What is looked for, as `q` of a list.
    pub q: String,
    /// In which statuses, as `status` of a list.
    pub status: String,
}
