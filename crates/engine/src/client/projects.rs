//! Projects and their work items, from this process or over HTTP.

use async_trait::async_trait;
use holdpoint_core::{Command, Item, ItemStatus, Owner, OwnerKind, Project, ProjectChange};

use super::Embedded;
use crate::error::Result;

/// The operations on projects and work items.
#[async_trait]
pub trait Projects: Send + Sync {
    /// Lists work items.
    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>>;

    /// Makes a work item known.
    async fn create_item(&self, project: &str, id: &str, title: Option<String>) -> Result<Item>;

    /// Deletes a work item and all decisions on it; returns how many decisions there were.
    async fn delete_item(&self, project: &str, id: &str) -> Result<usize>;

    /// Lists projects.
    async fn projects(&self) -> Result<Vec<Project>>;

    /// Changes a project's settings.
    async fn update_project(&self, name: &str, change: ProjectChange) -> Result<Project>;
}

/// The most unrecorded overdue decisions that are checked.
const MOST_DUE: usize = 1_000;

#[async_trait]
impl Projects for Embedded {
    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        let mut items = self.engine().store().items(project).await?;
        items.retain(|item| self.caller().may_use(&item.project));
        // A passed deadline no longer blocks anything, even before it is recorded.
        for id in self.engine().store().due(self.engine().now().await?, MOST_DUE).await? {
            let due = match self.engine().store().decision(id).await {
                Ok(Some(due)) => due,
                // A bad row must not keep the items from being listed.
                Ok(None) | Err(holdpoint_store::Error::Refused(_)) => continue,
                Err(error) => return Err(error.into()),
            };
            for item in items.iter_mut().filter(|item| {
                item.project == due.project && due.blocked_items().any(|blocked| blocked == item.id)
            }) {
                item.pending = item.pending.saturating_sub(1);
                item.status = ItemStatus::of(item.pending);
            }
        }
        Ok(items)
    }

    async fn create_item(&self, project: &str, id: &str, title: Option<String>) -> Result<Item> {
        let command = Command::CreateItem { project: project.into(), id: id.into(), title: title.clone() };
        let outcome = self.act(command).await?;
        let known = self.items(Some(project)).await?.into_iter().find(|item| item.id == id);
        Ok(known.unwrap_or(Item {
            id: id.into(),
            project: project.into(),
            title,
            status: ItemStatus::Open,
            pending: 0,
            created_at: outcome.now,
        }))
    }

    async fn delete_item(&self, project: &str, id: &str) -> Result<usize> {
        let owner = Owner::new(OwnerKind::Item, id);
        let outcome = self.act(Command::EndOwner { project: project.into(), owner, deleted: true }).await?;
        Ok(outcome.events.saturating_sub(1))
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        let mut projects = self.engine().store().projects().await?;
        projects.retain(|project| self.caller().may_use(&project.name));
        Ok(projects)
    }

    async fn update_project(&self, name: &str, change: ProjectChange) -> Result<Project> {
        self.act(Command::UpdateProject { name: name.into(), change: change.clone() }).await?;
        let known = self.engine().store().projects().await?.into_iter().find(|known| known.name == name);
        Ok(known.unwrap_or_else(|| Project::new(name).changed(&change)))
    }
}
