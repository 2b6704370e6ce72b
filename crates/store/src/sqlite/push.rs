//! People's browsers and the key for them, in the embedded store.

use async_trait::async_trait;
use holdpoint_core::Timestamp;
use rusqlite::{OptionalExtension, Row, params};

use super::Sqlite;
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

#[async_trait]
impl Push for Sqlite {
    async fn push_key(&self) -> Result<Option<Vec<u8>>> {
        self.read(|reader| Ok(reader.connection.query_row(KEY, [], |row| row.get(0)).optional()?))
    }

    async fn keep_push_key(&self, pkcs8: &[u8]) -> Result<()> {
        let pkcs8 = pkcs8.to_vec();
        self.writer().write(move |tx, _| Ok(tx.execute(KEEP_KEY, [pkcs8])?)).await.map(drop)
    }

    async fn put_subscription(&self, subscription: &PushSubscription, most: usize) -> Result<bool> {
        let new = subscription.clone();
        self.writer()
            .write(move |tx, _| {
                let row = params![
                    new.id,
                    new.person,
                    new.endpoint,
                    new.p256dh,
                    new.auth,
                    new.browser,
                    new.created_at.as_millis(),
                    most,
                ];
                Ok(tx.execute(PUT, row)? > 0)
            })
            .await
    }

    async fn subscriptions(&self, person: Option<&str>) -> Result<Vec<PushSubscription>> {
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(LIST)?;
            let rows = statement.query_map([person], subscription)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn forget_subscription(&self, id: &str) -> Result<bool> {
        let id = id.to_owned();
        self.writer().write(move |tx, _| Ok(tx.execute(FORGET, [id])? > 0)).await
    }
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
