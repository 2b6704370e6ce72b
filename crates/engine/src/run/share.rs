//! Exported runs: as git blobs on a ref without history.

use std::path::Path;

use holdpoint_core::Run;
use holdpoint_protocols::gitai::layout;

use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Repo;

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The commit that contains it.
    pub commit: Option<String>,
    /// How many objects there are.
    pub objects: usize,
}

impl Engine {
    /// Writes all attempts at a run's task to the repository, in the shared layout. Repeating it changes nothing.
    pub async fn export_task(&self, run: &Run) -> Result<Shared> {
        let mut files = std::collections::BTreeMap::new();
        let wrong =
            |why: String| Error::Settings(format!("run {} cannot be exported: {why}", run.id.short()));
        for attempt in self.attempts(run.task.id).await? {
            for object in self.run_objects(&attempt).await? {
                files.insert(layout::path(&object), object.text().map_err(wrong)?.into_bytes());
            }
        }
        let repo = Repo::open(Path::new(&run.repo)).await?;
        let files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
        let message = format!("Update task/{}", run.task.id);
        let commit = repo.add_files(layout::REF, &files, &message, layout::AUTHOR).await?;
        Ok(Shared { commit, objects: files.len() })
    }
}
