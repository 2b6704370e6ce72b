//! The browsers of people and the key for them, in the embedded store.

use async_trait::async_trait;
use holdpoint_core::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use super::writer::Job;
use super::{Sqlite, migrate};
use crate::{Push, PushSubscription, Result};

const KEY: &str = "SELECT pkcs8 FROM push_key WHERE id = 1";
const KEEP_KEY: &str = "INSERT INTO push_key (id, pkcs8) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING";
const PUT: &str = "INSERT INTO push_subscription (id, person, endpoint, p256dh, auth, browser, created_at) \
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 \
    WHERE (SELECT count(*) FROM push_subscription WHERE person = ?2 AND endpoint <> ?3) < ?8 \
    ON CONFLICT (endpoint) DO UPDATE SET person = excluded.person, browser = excluded.browser, \
    created_at = excluded.created_at WHERE p256dh = excluded.p256dh AND auth = excluded.auth";
const LIST: &str = "SELECT id, person, endpoint, p256dh, auth, browser, created_at FROM push_subscription \
    WHERE ?1 IS NULL OR person = ?1 ORDER BY created_at, id";
const FORGET: &str = "DELETE FROM push_subscription WHERE id = ?1";

/// A change that is not a command.
pub(super) enum Write {
    Key(Vec<u8>),
    Put(PushSubscription, usize),
    Forget(String),
}

#[async_trait]
impl Push for Sqlite {
    async fn push_key(&self) -> Result<Option<Vec<u8>>> {
        self.read(|reader| Ok(reader.connection.query_row(KEY, [], |row| row.get(0)).optional()?))
    }

    async fn keep_push_key(&self, pkcs8: &[u8]) -> Result<()> {
        self.change_push(Write::Key(pkcs8.to_vec())).await.map(drop)
    }

    async fn put_subscription(&self, subscription: &PushSubscription, most: usize) -> Result<bool> {
        self.change_push(Write::Put(subscription.clone(), most)).await
    }

    async fn subscriptions(&self, person: Option<&str>) -> Result<Vec<PushSubscription>> {
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(LIST)?;
            let rows = statement.query_map([person], subscription)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn forget_subscription(&self, id: &str) -> Result<bool> {
        self.change_push(Write::Forget(id.to_owned())).await
    }
}

impl Sqlite {
    async fn change_push(&self, write: Write) -> Result<bool> {
        self.write(|reply| Job::Push(Box::new(write), reply)).await
    }
}

/// Carries a change out in a transaction of its own; returns whether it changed anything.
pub(super) fn carry_out(connection: &mut Connection, write: &Write) -> Result<bool> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let changed = match write {
        Write::Key(pkcs8) => tx.execute(KEEP_KEY, [pkcs8])?,
        Write::Put(new, most) => tx.execute(
            PUT,
            params![
                new.id,
                new.person,
                new.endpoint,
                new.p256dh,
                new.auth,
                new.browser,
                new.created_at.as_millis(),
                most,
            ],
        )?,
        Write::Forget(id) => tx.execute(FORGET, [id])?,
    };
    tx.commit()?;
    Ok(changed > 0)
}

fn subscription(row: &Row<'_>) -> rusqlite::Result<PushSubscription> {
    Ok(PushSubscription {
        id: row.get(0)?,
        person: row.get(1)?,
        endpoint: row.get(2)?,
        p256dh: row.get(3)?,
        auth: row.get(4)?,
        browser: row.get(5)?,
        created_at: Timestamp::from_millis(row.get(6)?),
    })
}
