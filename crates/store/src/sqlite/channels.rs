//! Messages and notes of channels in the embedded store.

use async_trait::async_trait;
use holdpoint_core::{DecisionId, Lane, Numbering, Span, Timestamp};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

use super::Sqlite;
use super::commit::Durability;
use crate::channels::REMEMBERED;
use crate::{ChannelNote, Channels, Happened, Result, TrackedMessage};

const PUT: &str = "INSERT INTO sent (id, decision, channel, address, place, message, digest, open, controls, at, remarks) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO UPDATE SET place = excluded.place, \
    message = excluded.message, digest = excluded.digest, open = excluded.open, controls = excluded.controls, \
    at = excluded.at, remarks = excluded.remarks";
const SENT: &str =
    "SELECT id, decision, channel, address, place, message, digest, open, controls, at, remarks FROM sent";
const WAITING: &str = "SELECT count(*) FROM sent WHERE channel = ?1 AND place = ?2 AND message = ?3 AND open";
const NOTE: &str = "INSERT INTO channel_log (id, at, channel, address, decision, what, words) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING";
const FORGET_NOTES: &str = "DELETE FROM channel_log WHERE at < ?1";
const NOTES: &str = "SELECT id, at, channel, address, decision, what, words FROM channel_log \
    WHERE ?1 IS NULL OR channel = ?1 ORDER BY at DESC, id DESC LIMIT ?2";
const RELEASE: &str = "UPDATE outbox SET not_before = 0 WHERE target = ?1 AND held IS NOT NULL AND state = 'queued' AND leased_by IS NULL";
const LISTEN: &str = "INSERT INTO channel_lease AS l (channel, holder, leased_until, position) VALUES (?1, ?2, ?4, ?5) \
    ON CONFLICT (channel) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until, \
    position = max(l.position, excluded.position) WHERE l.holder = ?2 OR l.leased_until <= ?3 RETURNING position";

#[async_trait]
impl Channels for Sqlite {
    async fn put_sent(&self, sent: &TrackedMessage) -> Result<()> {
        let sent = sent.clone();
        self.writer()
            .write_short(Durability::Synced, move |tx: &Connection, numbering| {
                tx.prepare_cached(PUT)?.execute(params![
                    sent.id,
                    numbering.number(sent.decision),
                    sent.channel.name(),
                    sent.address,
                    sent.place,
                    sent.message,
                    sent.digest,
                    sent.open,
                    sent.controls,
                    sent.at.as_millis(),
                    sent.remarks,
                ])?;
                Ok(())
            })
            .await
    }

    async fn sent(&self, id: i64) -> Result<Option<TrackedMessage>> {
        Ok(self.select("WHERE id = ?1", params![id])?.pop())
    }

    async fn sent_about(&self, channel: Lane, decision: DecisionId) -> Result<Vec<TrackedMessage>> {
        let number = self.read(|reader| Ok(reader.numbering.number(decision)))?;
        self.select("WHERE decision = ?1 AND channel = ?2 ORDER BY id DESC", params![number, channel.name()])
    }

    async fn sent_at(&self, channel: Lane, place: &str, message: &str) -> Result<Option<TrackedMessage>> {
        let key = params![channel.name(), place, message];
        let rows =
            self.select("WHERE channel = ?1 AND place = ?2 AND message = ?3 ORDER BY id DESC LIMIT 1", key)?;
        Ok(rows.into_iter().next())
    }

    async fn waiting_at(&self, channel: Lane, place: &str, message: &str) -> Result<usize> {
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(WAITING)?;
            Ok(statement.query_row(params![channel.name(), place, message], |row| row.get(0))?)
        })
    }

    async fn forget_sent(&self, id: i64) -> Result<()> {
        self.writer()
            .write(move |tx, _| Ok(tx.execute("DELETE FROM sent WHERE id = ?1", [id])?))
            .await
            .map(drop)
    }

    async fn note(&self, note: &ChannelNote) -> Result<()> {
        let note = note.clone();
        self.writer()
            .write(move |tx, numbering| {
                let oldest = note.at.as_millis().saturating_sub(REMEMBERED.as_millis());
                tx.prepare_cached(FORGET_NOTES)?.execute([oldest])?;
                tx.prepare_cached(NOTE)?.execute(params![
                    note.id,
                    note.at.as_millis(),
                    note.channel.name(),
                    note.address,
                    note.decision.map(|id| numbering.number(id)),
                    note.what.name(),
                    note.words,
                ])?;
                Ok(())
            })
            .await
    }

    async fn notes(&self, channel: Option<Lane>, limit: usize) -> Result<Vec<ChannelNote>> {
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(NOTES)?;
            let rows = statement
                .query_map(params![channel.map(Lane::name), limit], |row| note(row, reader.numbering))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn release(&self, person: &str) -> Result<()> {
        let person = person.to_owned();
        self.writer().write(move |tx, _| Ok(tx.execute(RELEASE, [person])?)).await.map(drop)
    }

    async fn listen(
        &self,
        channel: Lane,
        holder: &str,
        now: Timestamp,
        lasts: Span,
        position: i64,
    ) -> Result<Option<i64>> {
        let until = now.checked_add(lasts).unwrap_or(now);
        let holder = holder.to_owned();
        self.writer()
            .write(move |tx, _| {
                let key = params![channel.name(), holder, now.as_millis(), until.as_millis(), position];
                Ok(tx.prepare_cached(LISTEN)?.query_row(key, |row| row.get(0)).optional()?)
            })
            .await
    }
}

impl Sqlite {
    fn select(&self, only: &str, key: &[&dyn ToSql]) -> Result<Vec<TrackedMessage>> {
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(&format!("{SENT} {only}"))?;
            let rows = statement.query_map(key, |row| sent(row, reader.numbering))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn sent(row: &Row<'_>, numbering: Numbering) -> rusqlite::Result<TrackedMessage> {
    Ok(TrackedMessage {
        id: row.get(0)?,
        decision: numbering.id(row.get(1)?),
        channel: named(row, 2, Lane::from_name)?,
        address: row.get(3)?,
        place: row.get(4)?,
        message: row.get(5)?,
        digest: row.get(6)?,
        open: row.get(7)?,
        controls: row.get(8)?,
        at: Timestamp::from_millis(row.get(9)?),
        remarks: row.get(10)?,
    })
}

fn note(row: &Row<'_>, numbering: Numbering) -> rusqlite::Result<ChannelNote> {
    Ok(ChannelNote {
        id: row.get(0)?,
        at: Timestamp::from_millis(row.get(1)?),
        channel: named(row, 2, Lane::from_name)?,
        address: row.get(3)?,
        decision: row.get::<_, Option<i64>>(4)?.map(|number| numbering.id(number)),
        what: named(row, 5, Happened::from_name)?,
        words: row.get(6)?,
    })
}

fn named<T>(row: &Row<'_>, column: usize, find: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let name: String = row.get(column)?;
    let unknown = || rusqlite::Error::FromSqlConversionFailure(column, Type::Text, name.clone().into());
    find(&name).ok_or_else(unknown)
}
