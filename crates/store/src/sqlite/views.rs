//! Saved views in the embedded store.

use async_trait::async_trait;
use rusqlite::{Connection, TransactionBehavior, params};

use super::writer::Job;
use super::{Sqlite, migrate};
use crate::{Result, View, Views};

const PUT: &str = "INSERT INTO saved_view (person, name, q, status) VALUES (?1, ?2, ?3, ?4) \
    ON CONFLICT (person, name) DO UPDATE SET q = excluded.q, status = excluded.status";

/// A change to somebody's views.
pub(super) enum Write {
    Put(View),
    Remove(String),
}

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
        let (person, write) = (person.to_owned(), Write::Put(view.clone()));
        self.write(|reply| Job::View { person, write, reply }).await.map(drop)
    }

    async fn remove_view(&self, person: &str, name: &str) -> Result<bool> {
        let (person, write) = (person.to_owned(), Write::Remove(name.to_owned()));
        Ok(self.write(|reply| Job::View { person, write, reply }).await? > 0)
    }
}

/// Carries a change out in a transaction of its own; returns how many rows it changed.
pub(super) fn carry_out(connection: &mut Connection, person: &str, write: &Write) -> Result<usize> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let changed = match write {
        Write::Put(view) => tx.execute(PUT, params![person, view.name, view.q, view.status])?,
        Write::Remove(name) => {
            tx.execute("DELETE FROM saved_view WHERE person = ?1 AND name = ?2", [person, name])?
        }
    };
    tx.commit()?;
    Ok(changed)
}
