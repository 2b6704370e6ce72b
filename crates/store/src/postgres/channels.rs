//! Messages and notes of channels in the shared store. Each change is one statement that may be repeated.

use async_trait::async_trait;
use holdpoint_core::{DecisionId, Lane, Span, Timestamp};
use tokio_postgres::Row;

use super::Postgres;
use super::connection::{Param, get, int, maybe_int, text};
use super::decisions::most;
use super::error::Result;
use super::shared::Shared;
use crate::channels::REMEMBERED;
use crate::{ChannelNote, Channels, Error, Happened, TrackedMessage};

const PUT: &str = "INSERT INTO hp.sent (id, decision, channel, address, place, message, digest, open, controls, at, remarks) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO UPDATE SET place = excluded.place, \
    message = excluded.message, digest = excluded.digest, open = excluded.open, controls = excluded.controls, \
    at = excluded.at, remarks = excluded.remarks";
const BY_ID: &str = "SELECT id, decision, channel, address, place, message, digest, open, controls, at, remarks FROM hp.sent WHERE id = $1";
const ABOUT: &str = "SELECT id, decision, channel, address, place, message, digest, open, controls, at, remarks FROM hp.sent \
    WHERE decision = $1 AND channel = $2 ORDER BY id DESC";
const AT: &str = "SELECT id, decision, channel, address, place, message, digest, open, controls, at, remarks FROM hp.sent \
    WHERE channel = $1 AND place = $2 AND message = $3 ORDER BY id DESC LIMIT 1";
const WAITING: &str =
    "SELECT count(*) FROM hp.sent WHERE channel = $1 AND place = $2 AND message = $3 AND open = 1";
const FORGET: &str = "DELETE FROM hp.sent WHERE id = $1";
const NOTE: &str = "WITH old AS (DELETE FROM hp.channel_log WHERE at < $2 - $8) \
    INSERT INTO hp.channel_log (id, at, channel, address, decision, what, words) VALUES ($1, $2, $3, $4, $5, $6, $7) \
    ON CONFLICT (id) DO NOTHING";
const NOTES: &str = "SELECT id, at, channel, address, decision, what, words FROM hp.channel_log \
    WHERE $1 IS NULL OR channel = $1 ORDER BY at DESC, id DESC LIMIT $2";
const RELEASE: &str = "UPDATE hp.outbox SET not_before = 0 \
    WHERE target = $1 AND held IS NOT NULL AND state = 'queued' AND leased_by IS NULL";
const LISTEN: &str = "INSERT INTO hp.channel_lease AS l (channel, holder, leased_until, position) \
    VALUES ($1, $2, coalesce($3, hp.clock()) + $4, $5) \
    ON CONFLICT (channel) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until, \
    position = greatest(l.position, excluded.position) \
    WHERE l.holder = $2 OR l.leased_until <= coalesce($3, hp.clock()) RETURNING position";

#[async_trait]
impl Channels for Postgres {
    async fn put_sent(&self, sent: &TrackedMessage) -> crate::Result<()> {
        let (number, channel) = (self.shared.numbering.number(sent.decision), sent.channel.name());
        let (open, at) = (i64::from(sent.open), sent.at.as_millis());
        let remarks = i64::try_from(sent.remarks).unwrap_or(i64::MAX);
        let params = [
            int(&sent.id),
            int(&number),
            text(&channel),
            text(&sent.address),
            text(&sent.place),
            text(&sent.message),
            text(&sent.digest),
            int(&open),
            text(&sent.controls),
            int(&at),
            int(&remarks),
        ];
        self.pool().query(PUT, &params).await?;
        Ok(())
    }

    async fn sent(&self, id: i64) -> crate::Result<Option<TrackedMessage>> {
        Ok(self.select(BY_ID, &[int(&id)]).await?.pop())
    }

    async fn sent_about(&self, channel: Lane, decision: DecisionId) -> crate::Result<Vec<TrackedMessage>> {
        let number = self.shared.numbering.number(decision);
        Ok(self.select(ABOUT, &[int(&number), text(&channel.name())]).await?)
    }

    async fn sent_at(
        &self,
        channel: Lane,
        place: &str,
        message: &str,
    ) -> crate::Result<Option<TrackedMessage>> {
        let channel = channel.name();
        let params = [text(&channel), text(&place), text(&message)];
        Ok(self.select(AT, &params).await?.pop())
    }

    async fn waiting_at(&self, channel: Lane, place: &str, message: &str) -> crate::Result<usize> {
        let channel = channel.name();
        let params = [text(&channel), text(&place), text(&message)];
        let rows = self.pool().query(WAITING, &params).await?;
        let count: i64 = rows.first().map(|row| get(row, 0)).transpose()?.unwrap_or_default();
        Ok(usize::try_from(count).unwrap_or_default())
    }

    async fn forget_sent(&self, id: i64) -> crate::Result<()> {
        self.pool().query(FORGET, &[int(&id)]).await?;
        Ok(())
    }

    async fn note(&self, note: &ChannelNote) -> crate::Result<()> {
        let number = note.decision.map(|id| self.shared.numbering.number(id));
        let (at, remembered) = (note.at.as_millis(), REMEMBERED.as_millis());
        let (channel, what) = (note.channel.name(), note.what.name());
        let params = [
            int(&note.id),
            int(&at),
            text(&channel),
            text(&note.address),
            maybe_int(&number),
            text(&what),
            text(&note.words),
            int(&remembered),
        ];
        self.pool().query(NOTE, &params).await?;
        Ok(())
    }

    async fn notes(&self, channel: Option<Lane>, limit: usize) -> crate::Result<Vec<ChannelNote>> {
        let rows = self.pool().query(NOTES, &[text(&channel.map(Lane::name)), int(&most(limit))]).await?;
        Ok(rows.iter().map(|row| note(&self.shared, row)).collect::<Result<_>>()?)
    }

    async fn release(&self, person: &str) -> crate::Result<()> {
        self.pool().query(RELEASE, &[text(&person)]).await?;
        Ok(())
    }

    async fn listen(
        &self,
        channel: Lane,
        holder: &str,
        now: Timestamp,
        lasts: Span,
        position: i64,
    ) -> crate::Result<Option<i64>> {
        let (time, lasts) = (self.pool().address.time(now), lasts.as_millis());
        let channel = channel.name();
        let params = [text(&channel), text(&holder), maybe_int(&time), int(&lasts), int(&position)];
        let rows = self.pool().query(LISTEN, &params).await?;
        Ok(rows.first().map(|row| get(row, 0)).transpose()?)
    }
}

impl Postgres {
    async fn select(&self, sql: &str, key: &[Param<'_>]) -> Result<Vec<TrackedMessage>> {
        let rows = self.pool().query(sql, key).await?;
        rows.iter().map(|row| sent(&self.shared, row)).collect()
    }
}

fn sent(shared: &Shared, row: &Row) -> Result<TrackedMessage> {
    Ok(TrackedMessage {
        id: get(row, 0)?,
        decision: shared.numbering.id(get(row, 1)?),
        channel: named(row, 2, Lane::from_name)?,
        address: get(row, 3)?,
        place: get(row, 4)?,
        message: get(row, 5)?,
        digest: get(row, 6)?,
        open: get::<i64>(row, 7)? != 0,
        controls: get(row, 8)?,
        at: Timestamp::from_millis(get(row, 9)?),
        remarks: usize::try_from(get::<i64>(row, 10)?).unwrap_or_default(),
    })
}

fn note(shared: &Shared, row: &Row) -> Result<ChannelNote> {
    Ok(ChannelNote {
        id: get(row, 0)?,
        at: Timestamp::from_millis(get(row, 1)?),
        channel: named(row, 2, Lane::from_name)?,
        address: get(row, 3)?,
        decision: get::<Option<i64>>(row, 4)?.map(|number| shared.numbering.id(number)),
        what: named(row, 5, Happened::from_name)?,
        words: get(row, 6)?,
    })
}

fn named<T>(row: &Row, column: usize, find: fn(&str) -> Option<T>) -> Result<T> {
    let name: &str = get(row, column)?;
    let unknown = || Error::Corrupt(format!("a channel has a row with {name:?}; run hold doctor"));
    Ok(find(name).ok_or_else(unknown)?)
}
