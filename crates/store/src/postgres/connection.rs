//! One connection: opens it, keeps its prepared statements, and pipelines statements.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use futures_util::future::join_all;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row, Statement};

use super::address::{Address, Statements};
use super::error::{PgError, Result};
use super::tls_stream::MakeTls;

/// How often a statement is sent as text before it is prepared. A command that runs once prepares nothing.
const WORTH_PREPARING: u32 = 2;

/// A value to bind, with its type.
pub(super) type Param<'a> = (&'a (dyn ToSql + Sync), Type);

/// A statement and its parameters. The schema is written `hp` and replaced when the statement is sent.
pub(super) struct Send<'a> {
    pub(super) sql: &'a str,
    pub(super) params: Vec<Param<'a>>,
}

/// Makes a statement with its parameters.
pub(super) fn send<'a>(sql: &'a str, params: &[Param<'a>]) -> Send<'a> {
    Send { sql, params: params.to_vec() }
}

pub(super) fn int(value: &i64) -> Param<'_> {
    (value, Type::INT8)
}

pub(super) fn maybe_int<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::INT8)
}

pub(super) fn text<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::TEXT)
}

pub(super) fn bytes<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::BYTEA)
}

pub(super) fn ints<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::INT8_ARRAY)
}

pub(super) fn texts<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::TEXT_ARRAY)
}

pub(super) fn bools<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::BOOL_ARRAY)
}

pub(super) fn byteas<T: ToSql + Sync>(value: &T) -> Param<'_> {
    (value, Type::BYTEA_ARRAY)
}

/// A connection to the database.
pub(super) struct Connection {
    client: Client,
    schema: String,
    statements: Statements,
    known: Mutex<HashMap<String, CachedStatement>>,
    in_flight: AtomicUsize,
}

#[derive(Default)]
struct CachedStatement {
    uses: u32,
    statement: Option<Statement>,
}

impl Connection {
    /// Opens a connection, and a task that drives it.
    pub(super) async fn open(address: &Address, tls: &MakeTls) -> Result<Self> {
        let (client, carrier) = address.config.connect(tls.clone()).await?;
        tokio::spawn(async move {
            // Errors are reported to the user of the connection.
            let _ = carrier.await;
        });
        Ok(Self::new(client, address))
    }

    pub(super) fn new(client: Client, address: &Address) -> Self {
        Self {
            client,
            schema: format!("\"{}\".", address.schema),
            statements: address.statements,
            known: Mutex::default(),
            in_flight: AtomicUsize::new(0),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Returns how many statements have not been answered yet.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Runs one statement.
    pub(super) async fn query(&self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>> {
        self.prepare(sql, params).await?;
        self.run(sql, params).await
    }

    /// Runs statements in order, all sent at once; returns the first error.
    pub(super) async fn pipeline(&self, sends: &[Send<'_>]) -> Result<Vec<Vec<Row>>> {
        for send in sends {
            self.prepare(send.sql, &send.params).await?;
        }
        // The futures are first polled in order, and each sends its statement when it is first polled.
        let done = join_all(sends.iter().map(|send| self.run(send.sql, &send.params))).await;
        done.into_iter().collect()
    }

    /// Runs one statement without preparing it.
    pub(super) async fn once(&self, sql: &str) -> Result<Vec<Row>> {
        Ok(self.client.query_typed(&self.placed(sql), &[]).await?)
    }

    /// Runs a script of several statements.
    pub(super) async fn script(&self, sql: &str) -> std::result::Result<(), tokio_postgres::Error> {
        self.client.batch_execute(&self.placed(sql)).await
    }

    async fn run(&self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>> {
        let _counted = InFlightGuard::new(&self.in_flight);
        let statement = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = known.get_mut(sql) {
                known.uses = known.uses.saturating_add(1);
                known.statement.clone()
            } else {
                known.insert(sql.to_owned(), CachedStatement { uses: 1, statement: None });
                None
            }
        };
        match statement {
            Some(statement) => {
                let values: Vec<_> = params.iter().map(|(value, _)| *value).collect();
                Ok(self.client.query(&statement, &values).await?)
            }
            None => Ok(self.client.query_typed(&self.placed(sql), params).await?),
        }
    }

    /// Prepares a statement on this connection, once it was used a few times.
    async fn prepare(&self, sql: &str, params: &[Param<'_>]) -> Result<()> {
        let worth = |known: &HashMap<String, CachedStatement>| {
            known.get(sql).is_some_and(|known| known.uses >= WORTH_PREPARING && known.statement.is_none())
        };
        if self.statements == Statements::Unnamed
            || !worth(&self.known.lock().unwrap_or_else(PoisonError::into_inner))
        {
            return Ok(());
        }
        let types: Vec<Type> = params.iter().map(|(_, kind)| kind.clone()).collect();
        let statement = self.client.prepare_typed(&self.placed(sql), &types).await?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(sql.to_owned()).or_default().statement = Some(statement);
        Ok(())
    }

    fn placed(&self, sql: &str) -> String {
        sql.replace("hp.", &self.schema)
    }
}

/// Counts a statement as long as it is in progress, even if its caller has been dropped.
struct InFlightGuard<'a>(&'a AtomicUsize);

impl<'a> InFlightGuard<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Reads a column; a wrong type is reported as damage.
pub(super) fn get<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(PgError::from)
}
