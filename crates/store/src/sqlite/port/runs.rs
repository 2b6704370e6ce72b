//! Runs in the embedded store.

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::{self, ObjectId};

use crate::plan::of_owner;
use crate::runs::NamePart;
use crate::sqlite::runs::{list, named, one};
use crate::sqlite::{Sqlite, events};
use crate::{Logged, Result, RunQuery, Runs};

#[async_trait]
impl Runs for Sqlite {
    async fn run(&self, id: ObjectId) -> Result<Option<Run>> {
        self.read(move |reader| one(&reader.connection, id))
    }

    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>> {
        let query = query.clone();
        self.read(move |reader| list(&reader.connection, &query))
    }

    async fn runs_named(&self, part: &NamePart, after: Option<ObjectId>, limit: usize) -> Result<Vec<Run>> {
        let part = part.clone();
        self.read(move |reader| named(&reader.connection, &part, after, limit))
    }

    async fn run_events(&self, run: &Run) -> Result<Vec<Logged>> {
        let stream = of_owner(&run.project, &run::owner(run.id));
        self.read(move |reader| events::of_stream(&reader.connection, &stream))
    }
}
