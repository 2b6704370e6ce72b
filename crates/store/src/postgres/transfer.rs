//! Reads all rows of the schema, and writes rows into an empty one.

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::Postgres;
use super::commit::BEGIN;
use super::connection::{Connection, get, send};
use super::error::{PgError, Result};
use crate::transfer::{self, CHUNK, Cell, Chunk, Kind, TABLES, Table, Transfer};

const HEAD: &str = "UPDATE hp.head AS h SET seq = e.seq, hash = e.hash, at = e.at \
    FROM (SELECT seq, hash, at FROM hp.event ORDER BY seq DESC LIMIT 1) AS e";

#[async_trait]
impl Transfer for Postgres {
    async fn take_out(&self, rows: mpsc::Sender<Chunk>) -> crate::Result<()> {
        let connection = self.pool().open().await?;
        Ok(take_out(&connection, &rows).await?)
    }

    async fn put_in(&self, mut rows: mpsc::Receiver<Chunk>) -> crate::Result<()> {
        // Closed at the end, so that nothing stays unless it was committed.
        let connection = self.pool().open().await?;
        Ok(put_in(&connection, &mut rows).await?)
    }
}

async fn take_out(connection: &Connection, sender: &mpsc::Sender<Chunk>) -> Result<()> {
    // One snapshot for all tables, because other nodes continue to write.
    connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", &[]).await?;
    for (at, table) in TABLES.iter().enumerate() {
        let (columns, name, only, order) = (table.columns(), table.name, table.only, table.order);
        let declare =
            format!("DECLARE c CURSOR FOR SELECT {columns} FROM hp.{name} WHERE {only} ORDER BY {order}");
        connection.script(&declare).await?;
        let fetch = format!("FETCH {CHUNK} FROM c");
        loop {
            // Not prepared, because its result differs from table to table.
            let rows = connection.once(&fetch).await?;
            if rows.is_empty() {
                break;
            }
            let rows = rows.iter().map(|row| cells(table, row)).collect::<Result<_>>()?;
            sender.send(Chunk { table: at, rows }).await.map_err(|_| transfer::broken_off())?;
        }
        connection.script("CLOSE c").await?;
    }
    connection.query("COMMIT", &[]).await.map(drop)
}

fn cells(table: &Table, row: &Row) -> Result<Vec<Cell>> {
    let cell = |(column, (_, kind)): (usize, &(&str, Kind))| {
        Ok(match kind {
            Kind::Int => get::<Option<i64>>(row, column)?.map_or(Cell::Null, Cell::Int),
            Kind::Text => get::<Option<String>>(row, column)?.map_or(Cell::Null, Cell::Text),
            Kind::Bytes => get::<Option<Vec<u8>>>(row, column)?.map_or(Cell::Null, Cell::Bytes),
        })
    };
    table.columns.iter().enumerate().map(cell).collect()
}

async fn put_in(connection: &Connection, rows: &mut mpsc::Receiver<Chunk>) -> Result<()> {
    // Other nodes wait for the head row until everything is there.
    let begun = connection
        .pipeline(&[
            send(BEGIN, &[]),
            send("SELECT seq FROM hp.head FOR UPDATE", &[]),
            send("SELECT count(*) FROM hp.event", &[]),
        ])
        .await?;
    let events = begun[2].first().map_or(Ok(0), |row| get(row, 0))?;
    if events > 0 {
        return Err(transfer::not_empty(events).into());
    }
    connection.query("DELETE FROM hp.meta WHERE name <> 'schema'", &[]).await?;
    while let Some(chunk) = rows.recv().await {
        let Some(table) = chunk.table() else {
            connection.pipeline(&[send(HEAD, &[]), send("COMMIT", &[])]).await?;
            return Ok(());
        };
        insert(connection, table, chunk.rows).await?;
    }
    Err(transfer::broken_off().into())
}

async fn insert(connection: &Connection, table: &Table, rows: Vec<Vec<Cell>>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut columns: Vec<Column> = table.columns.iter().map(|(_, kind)| Column::new(*kind)).collect();
    for row in rows {
        for (column, cell) in columns.iter_mut().zip(row) {
            column.push(cell)?;
        }
    }
    let marks: Vec<String> = (1..=columns.len()).map(|at| format!("${at}")).collect();
    let sql = format!(
        "INSERT INTO hp.{} ({}) SELECT * FROM unnest({})",
        table.name,
        table.columns(),
        marks.join(", ")
    );
    let params: Vec<_> = columns.iter().map(Column::param).collect();
    connection.query(&sql, &params).await.map(drop)
}

/// One column of many rows.
enum Column {
    Ints(Vec<Option<i64>>),
    Texts(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Column {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Ints(Vec::new()),
            Kind::Text => Self::Texts(Vec::new()),
            Kind::Bytes => Self::Bytes(Vec::new()),
        }
    }

    fn push(&mut self, cell: Cell) -> Result<()> {
        match (self, cell) {
            (Self::Ints(column), Cell::Null) => column.push(None),
            (Self::Ints(column), Cell::Int(number)) => column.push(Some(number)),
            (Self::Texts(column), Cell::Null) => column.push(None),
            (Self::Texts(column), Cell::Text(text)) => column.push(Some(text)),
            (Self::Bytes(column), Cell::Null) => column.push(None),
            (Self::Bytes(column), Cell::Bytes(bytes)) => column.push(Some(bytes)),
            _ => {
                let why = "a column has a value of the wrong type; run hold doctor";
                return Err(PgError::Final(crate::Error::Corrupt(why.into())));
            }
        }
        Ok(())
    }

    fn param(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Self::Ints(column) => (column, Type::INT8_ARRAY),
            Self::Texts(column) => (column, Type::TEXT_ARRAY),
            Self::Bytes(column) => (column, Type::BYTEA_ARRAY),
        }
    }
}
