//! Saved views, as requests.

use async_trait::async_trait;
use holdpoint_store::View;

use super::Http;
use crate::api::views::{LIST_VIEWS, PUT_VIEW, REMOVE_VIEW};
use crate::client::Views;
use crate::error::Result;
use crate::views::{NewView, check_view_name};

#[async_trait]
impl Views for Http {
    async fn views(&self) -> Result<Vec<View>> {
        Ok(self.call(&LIST_VIEWS, &[]).await?.items)
    }

    async fn save_view(&self, name: &str, new: NewView) -> Result<View> {
        // A name that changes the path of the address would never reach the server.
        check_view_name(name)?;
        self.send(&PUT_VIEW, &[name], &new).await
    }

    async fn remove_view(&self, name: &str) -> Result<()> {
        check_view_name(name)?;
        self.call(&REMOVE_VIEW, &[name]).await.map(drop)
    }
}
