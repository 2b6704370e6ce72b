//! Loads what a batch of commands needs into the snapshot.

use holdpoint_core::{Item, ItemStatus, Numbering, Owner, OwnerKind, Project, Span, Status, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::decisions::DUE;
use super::{credentials, events, jobs, runs, threads};
use crate::chain::{GENESIS, Hash};
use crate::plan::{self, KeyScope, KeyUse, Needs, OwnerScope, RuleNeeds, Snapshot, Stored, Usage};
use crate::vouch::CommittedEvent;
use crate::{Error, Result};

/// Starts a snapshot at the head of the log.
pub(super) fn snapshot(connection: &Connection, numbering: Numbering) -> Result<Snapshot> {
    let last_number = connection
        .prepare_cached("SELECT value FROM meta WHERE name = 'last_number'")?
        .query_row([], |row| row.get(0))?;
    let mut snapshot = match head(connection)? {
        Some((seq, hash, at)) => Snapshot::new(numbering, seq, hash, Some(at), last_number),
        None => Snapshot::new(numbering, 0, GENESIS, None, last_number),
    };
    snapshot.skew = skew(connection)?;
    snapshot.credentials.auth_required = credentials::auth_required(connection)?;
    Ok(snapshot)
}

/// Returns how far the log is ahead of the clock.
pub(super) fn skew(connection: &Connection) -> Result<Span> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE name = 'skew'")?;
    let skew = statement.query_row([], |row| row.get(0)).optional()?;
    Ok(Span::from_millis(skew.unwrap_or_default()))
}

/// Returns the last event's sequence number, hash and time.
pub(super) fn head(connection: &Connection) -> Result<Option<(i64, Hash, Timestamp)>> {
    let mut statement =
        connection.prepare_cached("SELECT seq, hash, at FROM event ORDER BY seq DESC LIMIT 1")?;
    let row =
        statement.query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?, row.get(2)?)));
    let Some((seq, hash, at)) = row.optional()? else { return Ok(None) };
    let hash =
        Hash::try_from(hash).map_err(|_| Error::Corrupt(format!("the hash of event {seq} is damaged")))?;
    Ok(Some((seq, hash, Timestamp::from_millis(at))))
}

/// Returns whether an event is in the log as it was committed.
pub(super) fn is_there(connection: &Connection, event: &CommittedEvent) -> Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM event WHERE seq = ?1 AND hash = ?2")?;
    Ok(statement.exists(params![event.seq, event.hash])?)
}

/// Loads what one command needs, except what is loaded already.
pub(super) fn needs(connection: &Connection, snapshot: &mut Snapshot, needs: &Needs) -> Result<()> {
    if let Some(id) = needs.decision {
        let number = snapshot.numbering().number(id);
        decision(connection, snapshot, number)?;
        owner_of(connection, snapshot, number)?;
    }
    for id in &needs.also {
        decision(connection, snapshot, snapshot.numbering().number(*id))?;
    }
    if let Some(id) = &needs.thread {
        thread(connection, snapshot, id)?;
    }
    if let Some((project, owner, reach)) = &needs.siblings {
        siblings(connection, snapshot, project, owner, *reach)?;
    }
    if let Some(stream) = &needs.job {
        jobs::load(connection, snapshot, stream)?;
    }
    for (project, id) in &needs.items {
        if !snapshot.has_item(project, id) {
            let item = item(connection, project, id)?;
            snapshot.put_item(project, id, item);
        }
    }
    if let Some(name) = &needs.project
        && !snapshot.has_project(name)
    {
        match project(connection, name)? {
            Some(project) => snapshot.load_project(project),
            None => snapshot.load_unset_project(name),
        }
    }
    let decision = needs.decision.and_then(|id| snapshot.decision(snapshot.numbering().number(id)));
    let rules = needs.rules_with(decision.map(|stored| &*stored.decision)).map(str::to_owned);
    if let Some(project) = rules {
        snapshot.want_rules(&project);
    }
    if needs.roster {
        snapshot.want_roster();
    }
    snapshot.want_votes(needs.voted(snapshot.numbering()));
    if let Some(scope) = &needs.key {
        key(connection, snapshot, scope)?;
    }
    if let Some(credential) = needs.usage.as_ref().filter(|credential| !snapshot.has_usage(credential)) {
        snapshot.put_usage(credential.clone(), usage(connection, credential)?);
    }
    runs::needs(connection, snapshot, needs)?;
    credentials::needs(connection, snapshot, needs)?;
    for stream in &needs.streams {
        version(connection, snapshot, stream)?;
    }
    Ok(())
}

/// Checks the loaded rows against the log.
pub(super) fn check(connection: &Connection, snapshot: &mut Snapshot) -> Result<()> {
    loop {
        let unchecked = snapshot.unchecked();
        if unchecked.is_empty() {
            return Ok(());
        }
        for (stream, after) in unchecked {
            snapshot.check(&stream, after, &events::stream(connection, &stream, after)?);
        }
    }
}

/// Loads what is needed to apply the loaded rules.
pub(super) fn for_rules(connection: &Connection, snapshot: &mut Snapshot) -> Result<()> {
    loop {
        let needs = snapshot.rule_needs();
        if needs.are_met() {
            return Ok(());
        }
        let RuleNeeds { tokens, people, streams } = needs;
        credentials::authors(connection, snapshot, tokens, people)?;
        streams.iter().try_for_each(|stream| version(connection, snapshot, stream))?;
    }
}

/// Loads decisions that are overdue, most overdue first; returns their row numbers.
pub(super) fn overdue(
    connection: &Connection,
    snapshot: &mut Snapshot,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(DUE)?;
    let numbers = statement.query_map(params![now.as_millis(), limit], |row| row.get(0))?;
    let numbers: Vec<i64> = numbers.collect::<rusqlite::Result<_>>()?;
    for number in &numbers {
        match decision(connection, snapshot, *number) {
            // A damaged row that no command names must not block all other writes.
            Err(Error::Corrupt(why)) => tracing::warn!("An overdue decision cannot be read: {why}"),
            other => {
                other?;
                owner_of(connection, snapshot, *number)?;
            }
        }
    }
    Ok(numbers)
}

fn decision(connection: &Connection, snapshot: &mut Snapshot, number: i64) -> Result<()> {
    if snapshot.has_decision(number) {
        return Ok(());
    }
    let row = connection
        .prepare_cached("SELECT version, doc FROM decision WHERE n = ?1")?
        .query_row([number], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    let stored = row.map(|(version, doc)| stored(version, &doc)).transpose()?;
    load_decision(connection, snapshot, number, stored)
}

fn stored(version: i64, doc: &str) -> Result<Stored> {
    Ok(Stored::read(doc, version)?)
}

/// Puts a decision into the snapshot, with the version of its owner's stream, because settling a decision of a job,
/// crew or thread may write to that.
fn load_decision(
    connection: &Connection,
    snapshot: &mut Snapshot,
    number: i64,
    stored: Option<Stored>,
) -> Result<()> {
    if let Some(Stored { decision, .. }) = &stored
        && decision.status == Status::Pending
        && let Some(owner) = decision.owner.as_ref().filter(|owner| plan::is_told(owner))
    {
        version(connection, snapshot, &plan::of_owner(&decision.project, owner))?;
        if owner.kind == OwnerKind::Thread {
            thread(connection, snapshot, &owner.id)?;
        }
    }
    snapshot.load_decision(number, stored);
    Ok(())
}

/// Loads the job or crew that waits for a decision, which may change when the decision is settled.
fn owner_of(connection: &Connection, snapshot: &mut Snapshot, number: i64) -> Result<()> {
    let stream = snapshot.decision(number).and_then(|stored| {
        let decision = &stored.decision;
        let owner = decision.owner.as_ref().filter(|owner| owner.supersedes())?;
        (decision.status == Status::Pending).then(|| plan::of_owner(&decision.project, owner))
    });
    stream.map_or(Ok(()), |stream| jobs::load(connection, snapshot, &stream))
}

fn thread(connection: &Connection, snapshot: &mut Snapshot, id: &str) -> Result<()> {
    if !snapshot.has_thread(id) {
        let thread = threads::thread(connection, id)?;
        snapshot.put_thread(id.to_owned(), thread);
    }
    Ok(())
}

fn siblings(
    connection: &Connection,
    snapshot: &mut Snapshot,
    project: &str,
    owner: &Owner,
    reach: OwnerScope,
) -> Result<()> {
    let status = match reach {
        OwnerScope::Pending => Some(Status::Pending.name()),
        OwnerScope::All => None,
    };
    if owner.supersedes() {
        jobs::load(connection, snapshot, &plan::of_owner(project, owner))?;
    }
    let mut statement = connection.prepare_cached(
        "SELECT n, version, doc FROM decision \
         WHERE owner = ?1 AND project = ?2 AND (?3 IS NULL OR status = ?3) ORDER BY n",
    )?;
    let mut rows = statement.query(params![owner.to_string(), project, status])?;
    while let Some(row) = rows.next()? {
        let number = row.get(0)?;
        if !snapshot.has_decision(number) {
            let stored = stored(row.get(1)?, row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?)?;
            load_decision(connection, snapshot, number, Some(stored))?;
        }
    }
    Ok(())
}

fn item(connection: &Connection, project: &str, id: &str) -> Result<Option<Item>> {
    let mut statement = connection
        .prepare_cached("SELECT title, pending, created_at FROM item WHERE project = ?1 AND id = ?2")?;
    let item = statement.query_row([project, id], |row| {
        let pending = row.get(1)?;
        Ok(Item {
            id: id.to_owned(),
            project: project.to_owned(),
            title: row.get(0)?,
            status: ItemStatus::of(pending),
            pending,
            created_at: Timestamp::from_millis(row.get(2)?),
        })
    });
    Ok(item.optional()?)
}

fn project(connection: &Connection, name: &str) -> Result<Option<Project>> {
    let mut statement =
        connection.prepare_cached("SELECT min_timeout, verdicts FROM project WHERE name = ?1")?;
    let known = statement.query_row([name], |row| Ok((row.get(0)?, row.get::<_, String>(1)?))).optional()?;
    Ok(known.map(|(min_timeout, verdicts)| {
        let (min_timeout, verdicts) = (Span::from_millis(min_timeout), Project::read_verdicts(&verdicts));
        Project { min_timeout, verdicts, ..Project::new(name) }
    }))
}

fn usage(connection: &Connection, credential: &str) -> Result<Usage> {
    let mut statement =
        connection.prepare_cached("SELECT decisions, bytes FROM usage WHERE credential = ?1")?;
    let usage =
        statement.query_row([credential], |row| Ok(Usage { decisions: row.get(0)?, bytes: row.get(1)? }));
    Ok(usage.optional()?.unwrap_or_default())
}

fn key(connection: &Connection, snapshot: &mut Snapshot, scope: &KeyScope) -> Result<()> {
    if snapshot.has_key(scope) {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(
        "SELECT digest, n FROM idempotency WHERE project = ?1 AND credential = ?2 AND key = ?3",
    )?;
    let row = [&scope.project, &scope.credential, &scope.key];
    let used =
        statement.query_row(row, |row| Ok(KeyUse { digest: row.get(0)?, number: row.get(1)? })).optional()?;
    if let Some(used) = &used {
        decision(connection, snapshot, used.number)?;
    }
    snapshot.put_key(scope.clone(), used);
    Ok(())
}

fn version(connection: &Connection, snapshot: &mut Snapshot, stream: &str) -> Result<()> {
    if !snapshot.has_version(stream) {
        let mut statement =
            connection.prepare_cached("SELECT coalesce(max(version), 0) FROM event WHERE stream = ?1")?;
        let version = statement.query_row([stream], |row| row.get(0))?;
        snapshot.put_version(stream.to_owned(), version);
    }
    Ok(())
}
