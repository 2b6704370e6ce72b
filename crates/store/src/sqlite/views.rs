//! Saved views in the embedded store.

use async_trait::async_trait;
use rusqlite::params;

use super::Sqlite;
use crate::{Result, View, Views};

const PUT: &str = "INSERT INTO saved_view (person, name, q, status) VALUES (?1, ?2, ?3, ?4) \
    ON CONFLICT (person, name) DO UPDATE SET q = excluded.q, status = excluded.status";
const REMOVE: &str = "DELETE FROM saved_view WHERE person = ?1 AND name = ?2";

#[async_trait]
impl Views for Sqlite {
    async fn views(&self, person: &str) -> Result<Vec<View>> {
        self.read(|reader| {
            let sql = "SELECT name, q, status FROM saved_view WHERE person = ?1 ORDER BY name";
            let mut statement = reader.connection.prepare_cached(sql)?;
            let view =
                |row: &rusqlite::Row<'_>| Ok(View { name: row.get(0)?, q: row.get(1)?, status: row.get(2)? });
            Ok(statement.query_map([person], view)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn put_view(&self, person: &str, view: &View) -> Result<()> {
        let (person, view) = (person.to_owned(), view.clone());
        self.writer()
            .write(move |tx, _| Ok(tx.execute(PUT, params![person, view.name, view.q, view.status])?))
            .await
            .map(drop)
    }

    async fn remove_view(&self, person: &str, name: &str) -> Result<bool> {
        let key = [person.to_owned(), name.to_owned()];
        self.writer().write(move |tx, _| Ok(tx.execute(REMOVE, key)? > 0)).await
    }
}
