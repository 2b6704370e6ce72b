//! Projects and work items, as requests.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::{Item, Project, ProjectChange};

use super::Http;
use crate::api::ProjectParams;
use crate::api::projects::{
    CREATE_ITEM, DELETE_ITEM, Deleted, LIST_ITEMS, LIST_PROJECTS, NewItem, UPDATE_PROJECT,
};
use crate::client::Projects;
use crate::error::Result;

#[async_trait]
impl Projects for Http {
    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        Ok(self.query(&LIST_ITEMS, &[], &ProjectParams::of(project)).await?.items)
    }

    async fn create_item(&self, project: &str, id: &str, title: Option<String>) -> Result<Item> {
        let new = NewItem { id: id.to_owned(), project: Some(project.to_owned()), title };
        self.send(&CREATE_ITEM, &[], &new).await
    }

    async fn delete_item(&self, project: &str, id: &str) -> Result<usize> {
        // Sent only once: a second request would report that nothing was there.
        let query = ProjectParams::of(Some(project));
        let make = || self.request(&DELETE_ITEM, &[id]).query(&query);
        Ok(self.read::<Deleted>(self.persist(make, Duration::ZERO).await?).await?.removed)
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        Ok(self.call(&LIST_PROJECTS, &[]).await?.items)
    }

    async fn update_project(&self, name: &str, change: ProjectChange) -> Result<Project> {
        self.send(&UPDATE_PROJECT, &[name], &change).await
    }
}
