//! Reads all rows of the file, and writes rows into an empty one.

use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, TransactionBehavior, params_from_iter};
use tokio::sync::mpsc;

use super::{Sqlite, connection, migrate};
use crate::transfer::{self, CHUNK, Cell, Chunk, TABLES, Table, Transfer};
use crate::{Error, Result};

#[async_trait]
impl Transfer for Sqlite {
    async fn take_out(&self, rows: mpsc::Sender<Chunk>) -> Result<()> {
        self.scan(move |reader| take_out(&reader.connection, &rows)).await
    }

    async fn put_in(&self, mut rows: mpsc::Receiver<Chunk>) -> Result<()> {
        let file = Arc::clone(&self.shared.file);
        let done = tokio::task::spawn_blocking(move || {
            let mut connection = connection::writer(&file)?;
            migrate::ready(&mut connection)?;
            put_in(&mut connection, &mut rows)
        });
        done.await.map_err(|why| Error::Unavailable(why.to_string()))?
    }
}

fn take_out(connection: &Connection, sender: &mpsc::Sender<Chunk>) -> Result<()> {
    // One snapshot for all tables, because other processes continue to write.
    let tx = connection.unchecked_transaction()?;
    for (at, table) in TABLES.iter().enumerate() {
        let sql = format!(
            "SELECT {} FROM {} WHERE {} ORDER BY {}",
            table.columns(),
            table.name,
            table.only,
            table.order
        );
        let mut statement = tx.prepare(&sql)?;
        let mut found = statement.query([])?;
        let mut rows = Vec::with_capacity(CHUNK);
        while let Some(row) = found.next()? {
            rows.push(
                (0..table.columns.len()).map(|column| cell(row.get_ref(column)?)).collect::<Result<_>>()?,
            );
            if rows.len() == CHUNK {
                send(sender, at, std::mem::take(&mut rows))?;
            }
        }
        send(sender, at, rows)?;
    }
    Ok(())
}

fn send(sender: &mpsc::Sender<Chunk>, table: usize, rows: Vec<Vec<Cell>>) -> Result<()> {
    sender.blocking_send(Chunk { table, rows }).map_err(|_| transfer::broken_off())
}

fn cell(value: ValueRef<'_>) -> Result<Cell> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Int(number),
        ValueRef::Text(text) => Cell::Text(
            String::from_utf8(text.to_vec())
                .map_err(|_| Error::Corrupt("a text is not in Unicode".into()))?,
        ),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        ValueRef::Real(_) => return Err(Error::Corrupt("a row holds a fraction; run hold doctor".into())),
    })
}

fn put_in(connection: &mut Connection, rows: &mut mpsc::Receiver<Chunk>) -> Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let events: i64 = tx.query_row("SELECT count(*) FROM event", [], |row| row.get(0))?;
    if events > 0 {
        return Err(transfer::not_empty(events));
    }
    tx.execute("DELETE FROM meta", [])?;
    while let Some(chunk) = rows.blocking_recv() {
        let Some(table) = chunk.table() else {
            tx.commit()?;
            return Ok(());
        };
        insert(&tx, table, chunk.rows)?;
    }
    Err(transfer::broken_off())
}

fn insert(connection: &Connection, table: &Table, rows: Vec<Vec<Cell>>) -> Result<()> {
    let marks = vec!["?"; table.columns.len()].join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({marks})", table.name, table.columns());
    let mut statement = connection.prepare_cached(&sql)?;
    for row in rows {
        statement.execute(params_from_iter(row.into_iter().map(|cell| match cell {
            Cell::Null => Value::Null,
            Cell::Int(number) => Value::Integer(number),
            Cell::Text(text) => Value::Text(text),
            Cell::Bytes(bytes) => Value::Blob(bytes),
        })))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column that is missing from the list of tables would be lost when a store is copied. Only the leases of
    /// running nodes are left out, and the search index, which is rebuilt.
    #[test]
    fn every_column_moves() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate::ready(&mut connection).unwrap();
        let columns = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'node' AND m.name NOT LIKE 'search%' ORDER BY 1, 2";
        let mut statement = connection.prepare(columns).unwrap();
        let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let moved = |table: &str, column: &str| {
            let mut known = TABLES.iter().filter(|known| known.name == table);
            known.any(|known| known.columns.iter().any(|(name, _)| *name == column))
        };
        let left: Vec<(String, String)> = found
            .map(std::result::Result::unwrap)
            .filter(|(table, column): &(String, String)| !moved(table, column))
            .collect();
        assert_eq!(left, []);
    }
}
