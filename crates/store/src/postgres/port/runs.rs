//! Runs in the shared store.

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::{self, ObjectId};

use crate::plan::of_owner;
use crate::postgres::connection::{int, text, texts};
use crate::postgres::error::Result;
use crate::postgres::runs::{LOAD, doc};
use crate::postgres::{Postgres, events};
use crate::runs::{BEYOND, NamePart};
use crate::{Logged, Order, RunQuery, Runs};

const STARTING: &str =
    "SELECT doc FROM hp.run WHERE id >= $1 AND id < least($2, $3) ORDER BY id DESC LIMIT $4";
const ENDING: &str = "SELECT doc FROM hp.run WHERE right(id, 4) = $1 AND right(id, length($2)) = $2 AND id < $3 \
    ORDER BY id DESC LIMIT $4";
/// Runs whose short id starts with a text, found by checking all ids.
const NAMED: &str = "SELECT doc FROM hp.run WHERE left(right(id, 8), length($1)) = $1 AND id < $2 \
    ORDER BY id DESC LIMIT $3";

#[async_trait]
impl Runs for Postgres {
    async fn run(&self, id: ObjectId) -> crate::Result<Option<Run>> {
        let ids = vec![id.to_string()];
        let rows = self.pool().query(LOAD, &[texts(&ids)]).await?;
        Ok(rows.first().map(doc).transpose()?)
    }

    async fn runs(&self, query: &RunQuery) -> crate::Result<Vec<Run>> {
        let (than, order, end) = match query.order {
            Order::OldestFirst => (">", "ASC", ""),
            Order::NewestFirst => ("<", "DESC", BEYOND),
        };
        let (only, of) = match (&query.task, &query.project) {
            (Some(task), _) => ("task = $1", task.to_string()),
            (None, Some(project)) => ("project = $1", project.clone()),
            (None, None) => ("$1 = ''", String::new()),
        };
        let sql =
            format!("SELECT doc FROM hp.run WHERE {only} AND id {than} $2 ORDER BY id {order} LIMIT $3");
        let after = query.after.map_or_else(|| end.to_owned(), |id| id.to_string());
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        let rows = self.pool().query(&sql, &[text(&of), text(&after), int(&limit)]).await?;
        Ok(rows.iter().map(doc).collect::<Result<_>>()?)
    }

    async fn runs_named(
        &self,
        part: &NamePart,
        after: Option<ObjectId>,
        limit: usize,
    ) -> crate::Result<Vec<Run>> {
        let before = after.map_or_else(|| BEYOND.to_owned(), |id| id.to_string());
        let (start, above, end) = (part.as_str().to_owned(), part.above(), part.end().to_owned());
        let count = i64::try_from(limit).unwrap_or(i64::MAX);
        let starting = [text(&start), text(&above), text(&before), int(&count)];
        let starting = self.pool().query(STARTING, &starting).await?;
        let ending = [text(&end), text(&start), text(&before), int(&count)];
        let ending = self.pool().query(ENDING, &ending).await?;
        let named = match part.start_of_name().map(str::to_owned) {
            Some(start) => self.pool().query(NAMED, &[text(&start), text(&before), int(&count)]).await?,
            None => Vec::new(),
        };
        let [starting, ending, named] =
            [starting, ending, named].map(|rows| rows.iter().map(doc).collect::<Result<Vec<Run>>>());
        Ok(NamePart::joined([starting?, ending?, named?], limit))
    }

    async fn run_events(&self, run: &Run) -> crate::Result<Vec<Logged>> {
        let stream = of_owner(&run.project, &run::owner(run.id));
        Ok(events::of_stream(self.pool(), &stream).await?)
    }
}
