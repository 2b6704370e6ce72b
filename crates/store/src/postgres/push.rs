//! People's browsers and the key for them, in the shared store. Each change is one statement that may be repeated.

use async_trait::async_trait;
use holdpoint_core::Timestamp;
use tokio_postgres::Row;

use super::Postgres;
use super::connection::{bytes, get, int, text};
use super::decisions::most as limit;
use super::error::Result;
use crate::{Push, PushSubscription};

const KEY: &str = "SELECT pkcs8 FROM hp.push_key WHERE id = 1";
const KEEP_KEY: &str = "INSERT INTO hp.push_key (id, pkcs8) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
const PUT: &str = "INSERT INTO hp.push_subscription AS s (id, person, endpoint, p256dh, auth, browser, created_at) \
    SELECT $1, $2, $3, $4, $5, $6, $7 \
    WHERE (SELECT count(*) FROM hp.push_subscription WHERE person = $2 AND endpoint <> $3) < $8 \
    ON CONFLICT (endpoint) DO UPDATE SET person = excluded.person, browser = excluded.browser, \
    created_at = excluded.created_at WHERE s.p256dh = excluded.p256dh AND s.auth = excluded.auth RETURNING 1";
const LIST: &str = "SELECT id, person, endpoint, p256dh, auth, browser, created_at FROM hp.push_subscription \
    WHERE $1 IS NULL OR person = $1 ORDER BY created_at, id";
const FORGET: &str = "DELETE FROM hp.push_subscription WHERE id = $1 RETURNING 1";

#[async_trait]
impl Push for Postgres {
    async fn push_key(&self) -> crate::Result<Option<Vec<u8>>> {
        let rows = self.pool().query(KEY, &[]).await?;
        Ok(rows.first().map(|row| get(row, 0)).transpose()?)
    }

    async fn keep_push_key(&self, pkcs8: &[u8]) -> crate::Result<()> {
        self.pool().query(KEEP_KEY, &[bytes(&pkcs8)]).await?;
        Ok(())
    }

    async fn put_subscription(&self, new: &PushSubscription, most: usize) -> crate::Result<bool> {
        let (at, most) = (new.created_at.as_millis(), limit(most));
        let params = [
            text(&new.id),
            text(&new.person),
            text(&new.endpoint),
            text(&new.p256dh),
            text(&new.auth),
            text(&new.browser),
            int(&at),
            int(&most),
        ];
        Ok(!self.pool().query(PUT, &params).await?.is_empty())
    }

    async fn subscriptions(&self, person: Option<&str>) -> crate::Result<Vec<PushSubscription>> {
        let rows = self.pool().query(LIST, &[text(&person)]).await?;
        Ok(rows.iter().map(subscription).collect::<Result<_>>()?)
    }

    async fn forget_subscription(&self, id: &str) -> crate::Result<bool> {
        Ok(!self.pool().query(FORGET, &[text(&id)]).await?.is_empty())
    }
}

fn subscription(row: &Row) -> Result<PushSubscription> {
    Ok(PushSubscription {
        id: get(row, 0)?,
        person: get(row, 1)?,
        endpoint: get(row, 2)?,
        p256dh: get(row, 3)?,
        auth: get(row, 4)?,
        browser: get(row, 5)?,
        created_at: Timestamp::from_millis(get(row, 6)?),
    })
}
