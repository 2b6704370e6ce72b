//! Projects and their work items over HTTP.

use holdpoint_core::{Item, Project};
use holdpoint_engine::Projects as _;
use holdpoint_engine::api::projects::{
    CREATE_ITEM, DELETE_ITEM, Deleted, LIST_ITEMS, LIST_PROJECTS, UPDATE_PROJECT,
};
use holdpoint_engine::api::{Items, ProjectParams};

use super::routes::{Call, Routes};
use crate::http::problem::HandlerResult;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&LIST_PROJECTS, |call| async move { call.client().projects().await.map(Items::from) })
        .on(&UPDATE_PROJECT, |call| async move { call.client().update_project(&call.name, call.body).await })
        .on(&LIST_ITEMS, items)
        .on(&CREATE_ITEM, |call| async move {
            let project = call.body.project.as_deref().unwrap_or(Project::DEFAULT);
            call.client().create_item(project, &call.body.id, call.body.title).await
        })
        .on(&DELETE_ITEM, |call| async move {
            let project = call.query.project.as_deref().unwrap_or(Project::DEFAULT);
            call.client().delete_item(project, &call.name).await.map(|removed| Deleted { removed })
        })
}

async fn items(call: Call<ProjectParams>) -> HandlerResult<Items<Item>> {
    let project = call.query.project.as_deref();
    if let Some(project) = project {
        call.caller.may_use_project(project)?;
    }
    Ok(call.client().items(project).await?.into())
}
