//! Writes the results of a batch: one statement for each table, whatever the number of rows.

use std::collections::BTreeMap;

use holdpoint_core::Item;

use super::connection::{Connection, Param, Send, byteas, int, ints, send, text, texts};
use super::decision_rows::Decisions;
use super::error::Result;
use super::jobs;
use super::threads;
use crate::plan::{DecisionWrite, ItemWrite, Snapshot, Usage, Withdrawals, Writes};

/// The rows of a batch, column by column.
#[derive(Default)]
pub(super) struct Rows {
    events: Events,
    inserted: Decisions,
    updated: Decisions,
    deleted: Vec<i64>,
    last_number: Option<i64>,
    skew: Option<i64>,
    items: Items,
    threads: threads::Rows,
    counts: (Vec<String>, Vec<String>, Vec<i64>),
    usage: (Vec<String>, Vec<i64>, Vec<i64>),
    outbox: Outbox,
    cleared: Vec<i64>,
    projects: (Vec<String>, Vec<i64>, Vec<String>),
    keys: Keys,
    jobs: jobs::Rows,
    erased: (Vec<String>, Vec<i64>),
    head: (i64, Vec<u8>, Option<i64>),
}

#[derive(Default)]
struct Events {
    seq: Vec<i64>,
    stream: Vec<String>,
    version: Vec<i64>,
    tag: Vec<&'static str>,
    at: Vec<i64>,
    body: Vec<String>,
    body_hash: Vec<Vec<u8>>,
    prev: Vec<Vec<u8>>,
    hash: Vec<Vec<u8>>,
    proof: Vec<Option<Vec<u8>>>,
}

#[derive(Default)]
struct Items {
    created: NewItems,
    deleted: (Vec<String>, Vec<String>),
    changed: (Vec<String>, Vec<String>, Vec<i64>),
}

#[derive(Default)]
struct NewItems {
    project: Vec<String>,
    id: Vec<String>,
    title: Vec<Option<String>>,
    pending: Vec<i64>,
    created_at: Vec<i64>,
}

#[derive(Default)]
struct Outbox {
    id: Vec<i64>,
    seq: Vec<i64>,
    lane: Vec<&'static str>,
    project: Vec<String>,
    target: Vec<String>,
    decision: Vec<Option<i64>>,
    not_before: Vec<i64>,
    not_after: Vec<i64>,
}

#[derive(Default)]
struct Keys {
    project: Vec<String>,
    credential: Vec<String>,
    key: Vec<String>,
    digest: Vec<String>,
    n: Vec<i64>,
    at: Vec<i64>,
}

const EVENTS: &str = "INSERT INTO hp.event (seq, stream, version, type, at, body, body_hash, prev, hash, proof) \
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const DELETE: &str = "DELETE FROM hp.decision WHERE n = ANY($1)";
const LAST_NUMBER: &str = "UPDATE hp.meta SET value = $1 WHERE name = 'last_number'";
const SKEW: &str = "INSERT INTO hp.meta (name, value) VALUES ('skew', $1) \
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const DELETE_ITEMS: &str = "DELETE FROM hp.item AS i USING unnest($1, $2) AS u (project, id) \
    WHERE i.project = u.project AND i.id = u.id";
const INSERT_ITEMS: &str = "INSERT INTO hp.item (project, id, title, pending, created_at) \
    SELECT * FROM unnest($1, $2, $3, $4, $5)";
const CHANGE_ITEMS: &str = "UPDATE hp.item AS i SET pending = greatest(i.pending + u.by, 0) \
    FROM unnest($1, $2, $3) AS u (project, id, by) WHERE i.project = u.project AND i.id = u.id";
const COUNTS: &str = "INSERT INTO hp.counter AS c (project, status, n) SELECT * FROM unnest($1, $2, $3) \
    ON CONFLICT (project, status) DO UPDATE SET n = c.n + excluded.n";
const USAGE: &str = "INSERT INTO hp.usage AS u (credential, decisions, bytes) SELECT * FROM unnest($1, $2, $3) \
    ON CONFLICT (credential) DO UPDATE SET decisions = u.decisions + excluded.decisions, \
    bytes = u.bytes + excluded.bytes";
const OUTBOX: &str = "INSERT INTO hp.outbox (id, seq, lane, project, target, decision, not_before, not_after) \
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)";
const WITHDRAW: &str = "INSERT INTO hp.outbox (id, seq, lane, project, target, decision, not_before, not_after) \
    SELECT $4 + row_number() OVER (ORDER BY s.decision DESC, s.channel) - 1, $3, 'follow', d.project, s.channel, \
    s.decision, $6, $7 FROM (SELECT DISTINCT decision, channel FROM hp.sent \
    WHERE address = $1 AND open <> 0 AND channel = ANY($2)) AS s \
    JOIN hp.decision AS d ON d.n = s.decision AND d.status = 'pending' ORDER BY s.decision DESC LIMIT $5";
const CLEAR: &str = "DELETE FROM hp.outbox WHERE decision = ANY($1)";
const PROJECTS: &str = "INSERT INTO hp.project (name, min_timeout, verdicts) SELECT * FROM unnest($1, $2, $3) \
    ON CONFLICT (name) DO UPDATE SET min_timeout = excluded.min_timeout, verdicts = excluded.verdicts";
const KEYS: &str = "INSERT INTO hp.idempotency (project, credential, key, digest, n, at) \
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6)";
const ERASE: &str = "UPDATE hp.event AS e SET body = NULL FROM unnest($1, $2) AS u (stream, before) \
    WHERE e.stream = u.stream AND e.version < u.before";
const HEAD: &str = "UPDATE hp.head SET seq = $1, hash = $2, at = $3";
const NOTIFY: &str = "SELECT pg_notify($1, $2)";

impl Rows {
    /// Turns the writes of a batch into rows.
    pub(super) fn of(snapshot: &Snapshot, writes: &Writes) -> Result<Self> {
        let at = snapshot.at().map(holdpoint_core::Timestamp::as_millis);
        let mut rows = Self {
            deleted: Vec::new(),
            last_number: writes.last_number,
            skew: writes.skew.map(holdpoint_core::Span::as_millis),
            cleared: writes.cleared.clone(),
            erased: writes.erased.iter().cloned().unzip(),
            jobs: jobs::Rows::of(snapshot, writes)?,
            head: (snapshot.seq(), snapshot.hash().to_vec(), at),
            ..Self::default()
        };
        for event in &writes.events {
            let to = &mut rows.events;
            to.seq.push(event.seq);
            to.stream.push(event.stream.clone());
            to.version.push(event.version);
            to.tag.push(event.tag);
            to.at.push(event.at.as_millis());
            to.body.push(event.body.clone());
            to.body_hash.push(event.body_hash.to_vec());
            to.prev.push(event.prev.to_vec());
            to.hash.push(event.hash.to_vec());
            to.proof.push(event.proof.clone());
        }
        for (number, write) in &writes.decisions {
            match (write, snapshot.decision(*number)) {
                (DecisionWrite::Insert { doc }, Some(stored)) => {
                    rows.inserted.push(*number, stored, doc.clone())?;
                }
                (DecisionWrite::Update, Some(stored)) => rows.updated.push(*number, stored, None)?,
                (DecisionWrite::Delete, _) | (_, None) => rows.deleted.push(*number),
            }
        }
        rows.items = Items::of(&writes.items);
        rows.threads = threads::Rows::of(&writes.threads)?;
        for ((project, status), by) in writes.counts.iter().filter(|(_, by)| **by != 0) {
            rows.counts.0.push(project.clone());
            rows.counts.1.push((*status).to_owned());
            rows.counts.2.push(*by);
        }
        for (credential, change) in writes.usage.iter().filter(|(_, change)| **change != Usage::default()) {
            rows.usage.0.push(credential.clone());
            rows.usage.1.push(change.decisions);
            rows.usage.2.push(change.bytes);
        }
        for entry in &writes.outbox {
            let to = &mut rows.outbox;
            to.id.push(entry.id);
            to.seq.push(entry.seq);
            to.lane.push(entry.lane.name());
            to.project.push(entry.project.clone());
            to.target.push(entry.target.clone());
            to.decision.push(entry.decision);
            to.not_before.push(entry.not_before.as_millis());
            to.not_after.push(entry.not_after.as_millis());
        }
        for project in writes.projects.values() {
            rows.projects.0.push(project.name.clone());
            rows.projects.1.push(project.min_timeout.as_millis());
            rows.projects.2.push(project.verdicts_text());
        }
        for (scope, used, at) in &writes.keys {
            let to = &mut rows.keys;
            to.project.push(scope.project.clone());
            to.credential.push(scope.credential.clone());
            to.key.push(scope.key.clone());
            to.digest.push(used.digest.clone());
            to.n.push(used.number);
            to.at.push(at.as_millis());
        }
        Ok(rows)
    }

    /// Returns the statements; events come before erasures, which may affect them.
    pub(super) fn sends<'a>(&'a self, channel: &'a String, word: &'a String) -> Vec<Send<'a>> {
        let mut sends = Vec::with_capacity(12);
        sends.extend([self.inserted.insert(), self.updated.update()].into_iter().flatten());
        let mut add = |rows: usize, sql: &'static str, params: &[Param<'a>]| {
            if rows > 0 {
                sends.push(send(sql, params));
            }
        };
        let events = &self.events;
        let event = [
            ints(&events.seq),
            texts(&events.stream),
            ints(&events.version),
            texts(&events.tag),
            ints(&events.at),
            texts(&events.body),
            byteas(&events.body_hash),
            byteas(&events.prev),
            byteas(&events.hash),
            byteas(&events.proof),
        ];
        add(events.seq.len(), EVENTS, &event);
        add(self.deleted.len(), DELETE, &[ints(&self.deleted)]);
        if let Some(last) = &self.last_number {
            add(1, LAST_NUMBER, &[int(last)]);
        }
        if let Some(skew) = &self.skew {
            add(1, SKEW, &[int(skew)]);
        }
        let Items { created, deleted, changed } = &self.items;
        add(deleted.0.len(), DELETE_ITEMS, &[texts(&deleted.0), texts(&deleted.1)]);
        let item = [
            texts(&created.project),
            texts(&created.id),
            texts(&created.title),
            ints(&created.pending),
            ints(&created.created_at),
        ];
        add(created.id.len(), INSERT_ITEMS, &item);
        add(changed.0.len(), CHANGE_ITEMS, &[texts(&changed.0), texts(&changed.1), ints(&changed.2)]);
        let (project, status, by) = &self.counts;
        add(project.len(), COUNTS, &[texts(project), texts(status), ints(by)]);
        let (credential, decisions, bytes) = &self.usage;
        add(credential.len(), USAGE, &[texts(credential), ints(decisions), ints(bytes)]);
        let outbox = &self.outbox;
        let entry = [
            ints(&outbox.id),
            ints(&outbox.seq),
            texts(&outbox.lane),
            texts(&outbox.project),
            texts(&outbox.target),
            ints(&outbox.decision),
            ints(&outbox.not_before),
            ints(&outbox.not_after),
        ];
        add(outbox.id.len(), OUTBOX, &entry);
        add(self.cleared.len(), CLEAR, &[ints(&self.cleared)]);
        let (names, timeouts, verdicts) = &self.projects;
        add(names.len(), PROJECTS, &[texts(names), ints(timeouts), texts(verdicts)]);
        let keys = &self.keys;
        let key = [
            texts(&keys.project),
            texts(&keys.credential),
            texts(&keys.key),
            texts(&keys.digest),
            ints(&keys.n),
            ints(&keys.at),
        ];
        add(keys.key.len(), KEYS, &key);
        add(self.erased.0.len(), ERASE, &[texts(&self.erased.0), ints(&self.erased.1)]);
        self.threads.sends().into_iter().for_each(|send| sends.push(send));
        let mut add = |sql: &'static str, params: &[Param<'a>]| sends.push(send(sql, params));
        let (last, hash, at) = &self.head;
        add(HEAD, &[int(last), super::connection::bytes(hash), super::connection::maybe_int(at)]);
        // One notification for the whole batch: each node that gets it reads on from its position.
        add(NOTIFY, &[text(channel), text(word)]);
        sends.extend(self.jobs.sends());
        sends
    }
}

/// Adds the outbox rows for messages that a person may no longer see.
pub(super) async fn withdraw(connection: &Connection, withdrawals: &[Withdrawals]) -> Result<()> {
    for one in withdrawals {
        let (not_before, not_after) = (one.not_before.as_millis(), one.not_after.as_millis());
        let params = [
            text(&one.person),
            texts(&one.channels),
            int(&one.seq),
            int(&one.first),
            int(&one.most),
            int(&not_before),
            int(&not_after),
        ];
        connection.query(WITHDRAW, &params).await?;
    }
    Ok(())
}

impl Items {
    /// Combines successive changes into their net effect.
    fn of(writes: &[ItemWrite]) -> Self {
        #[derive(Default)]
        struct Net {
            deleted: bool,
            created: Option<Item>,
            by: i64,
        }
        let mut nets: BTreeMap<(&str, &str), Net> = BTreeMap::new();
        for write in writes {
            match write {
                ItemWrite::Create(item) => {
                    let net = nets.entry((&item.project, &item.id)).or_default();
                    (net.created, net.by) = (Some(item.clone()), 0);
                }
                ItemWrite::Delete { project, id } => {
                    nets.insert((project, id), Net { deleted: true, ..Net::default() });
                }
                ItemWrite::Pending { project, id, by } => nets.entry((project, id)).or_default().by += by,
            }
        }
        let mut items = Self::default();
        for ((project, id), net) in nets {
            if net.deleted {
                items.deleted.0.push(project.to_owned());
                items.deleted.1.push(id.to_owned());
            }
            if let Some(item) = net.created {
                items.created.project.push(item.project);
                items.created.id.push(item.id);
                items.created.title.push(item.title);
                items.created.pending.push(net.by.max(0));
                items.created.created_at.push(item.created_at.as_millis());
            } else if net.by != 0 && !net.deleted {
                items.changed.0.push(project.to_owned());
                items.changed.1.push(id.to_owned());
                items.changed.2.push(net.by);
            }
        }
        items
    }
}
