//! Projects and their work items.

use holdpoint_core::{Item, Project, ProjectChange};
use serde::{Deserialize, Serialize};

use super::{Items, NoParams, ProjectParams, endpoints};

endpoints! {
    "projects" {
        /// Lists projects.
        LIST_PROJECTS = listProjects Known Get "/v1/projects"
            (NoParams, ()) => 200 Items<Project>, "Projects";
        /// Changes a project's settings.
        UPDATE_PROJECT = updateProject ProjectAdmins Put "/v1/projects/{name}"
            (NoParams, ProjectChange) => 200 Project, "The project";
    }
    "items" {
        /// Lists work items.
        LIST_ITEMS = listItems Known Get "/v1/items"
            (ProjectParams, ()) => 200 Items<Item>, "Work items";
        /// Makes a work item known.
        CREATE_ITEM = createItem Known Post "/v1/items"
            (NoParams, NewItem) => 201 Item, "The item";
        /// Deletes a work item and all decisions on it.
        DELETE_ITEM = deleteItem ProjectAdmins Delete "/v1/items/{id}"
            (ProjectParams, ()) => 200 Deleted, "How many decisions were deleted with it";
    }
}

/// What is sent to make an item known.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewItem {
    /// Its name.
    pub id: String,
    /// Where it belongs; `default` if not given.
    pub project: Option<String>,
    /// What it is about.
    pub title: Option<String>,
}

/// What was deleted with an item.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Deleted {
    /// How many decisions.
    pub removed: usize,
}
