//! Saved views in the shared store. Each change is one statement that may be repeated.

use async_trait::async_trait;

use super::Postgres;
use super::connection::{get, text};
use crate::{Result, View, Views};

const LIST: &str = "SELECT name, q, status FROM hp.saved_view WHERE person = $1 ORDER BY name";
const PUT: &str = "INSERT INTO hp.saved_view (person, name, q, status) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (person, name) DO UPDATE SET q = excluded.q, status = excluded.status";
const REMOVE: &str = "DELETE FROM hp.saved_view WHERE person = $1 AND name = $2 RETURNING 1";

#[async_trait]
impl Views for Postgres {
    async fn views(&self, person: &str) -> Result<Vec<View>> {
        let mut views = Vec::new();
        for row in self.pool().query(LIST, &[text(&person)]).await? {
            views.push(View { name: get(&row, 0)?, q: get(&row, 1)?, status: get(&row, 2)? });
        }
        Ok(views)
    }

    async fn put_view(&self, person: &str, view: &View) -> Result<()> {
        let params = [text(&person), text(&view.name), text(&view.q), text(&view.status)];
        self.pool().query(PUT, &params).await?;
        Ok(())
    }

    async fn remove_view(&self, person: &str, name: &str) -> Result<bool> {
        Ok(!self.pool().query(REMOVE, &[text(&person), text(&name)]).await?.is_empty())
    }
}
