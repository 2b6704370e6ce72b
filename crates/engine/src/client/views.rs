//! Saved views, from this process or over HTTP.

use async_trait::async_trait;
use holdpoint_store::View;

use super::Embedded;
use crate::error::Result;
use crate::views::NewView;

/// The operations on the caller's own saved views.
#[async_trait]
pub trait Views: Send + Sync {
    /// Lists them by name.
    async fn views(&self) -> Result<Vec<View>>;

    /// Saves a view, replacing one of the same name.
    async fn save_view(&self, name: &str, new: NewView) -> Result<View>;

    /// Removes a view.
    async fn remove_view(&self, name: &str) -> Result<()>;
}

#[async_trait]
impl Views for Embedded {
    async fn views(&self) -> Result<Vec<View>> {
        self.engine().views(self.caller()).await
    }

    async fn save_view(&self, name: &str, new: NewView) -> Result<View> {
        self.engine().save_view(self.caller(), name, new).await
    }

    async fn remove_view(&self, name: &str) -> Result<()> {
        self.engine().remove_view(self.caller(), name).await
    }
}
