//! Loads what a batch of commands needs into the snapshot: one round trip for most of it, one more if owners' streams
//! may be written.

use std::collections::{BTreeSet, HashMap};

use holdpoint_core::run::ObjectId;
use holdpoint_core::{Item, ItemStatus, Numbering, OwnerKind, Project, Span, Status, Timestamp};
use tokio_postgres::Row;

use super::connection::{Connection, Send, bools, get, ints, send, texts};
use super::error::{PgError, Result};
use super::{credentials, events, jobs, runs};
use crate::plan::{
    self, KeyScope, KeyUse, KnownRules, NamedCredential, Needs, OwnerScope, RuleNeeds, RulesOf, Snapshot,
    Stored, Usage, VotedOn,
};
use crate::{LogRow, Submission};

/// Everything that the commands of a batch need, as lists to bind.
#[derive(Default)]
pub(super) struct BatchNeeds {
    numbers: Vec<i64>,
    /// The streams of those decisions, to check the rows against.
    histories: Vec<String>,
    starts: Vec<i64>,
    siblings: (Vec<String>, Vec<String>, Vec<bool>),
    items: (Vec<String>, Vec<String>),
    projects: Vec<String>,
    /// The projects whose standing rules apply, and the decisions whose projects' rules may apply.
    rules: (Vec<String>, Vec<(i64, RulesOf)>),
    /// Whether the groups are needed, and the decisions whose votes may need them.
    roster: bool,
    voted: Vec<VotedOn>,
    keys: (Vec<String>, Vec<String>, Vec<String>),
    streams: Vec<String>,
    jobs: Vec<String>,
    threads: Vec<String>,
    credentials: credentials::CredentialNeeds,
    runs: Vec<ObjectId>,
    tasks: Vec<ObjectId>,
    usage: Vec<String>,
}

const DECISIONS: &str = "SELECT n, version, doc FROM hp.decision WHERE n = ANY($1)";
const SIBLINGS: &str = "SELECT d.n, d.version, d.doc FROM unnest($1, $2, $3) AS u (project, owner, whole) \
    JOIN hp.decision AS d ON d.owner = u.owner AND d.project = u.project \
    WHERE u.whole OR d.status = 'pending' ORDER BY d.n";
const ITEMS: &str = "SELECT i.project, i.id, i.title, i.pending, i.created_at \
    FROM unnest($1, $2) AS u (project, id) JOIN hp.item AS i ON i.project = u.project AND i.id = u.id";
const PROJECTS: &str = "SELECT name, min_timeout, verdicts FROM hp.project WHERE name = ANY($1)";
const KEYS: &str = "SELECT k.project, k.credential, k.key, k.digest, k.n, d.version, d.doc \
    FROM unnest($1, $2, $3) AS u (project, credential, key) \
    JOIN hp.idempotency AS k ON k.project = u.project AND k.credential = u.credential AND k.key = u.key \
    LEFT JOIN hp.decision AS d ON d.n = k.n";
const VERSIONS: &str = "SELECT u.stream, (SELECT coalesce(max(e.version), 0) FROM hp.event AS e WHERE e.stream = u.stream) \
    FROM unnest($1) AS u (stream)";
const USAGE: &str = "SELECT credential, decisions, bytes FROM hp.usage WHERE credential = ANY($1)";
const THREADS: &str = "SELECT id, doc FROM hp.thread WHERE id = ANY($1)";
/// Overdue decisions, most overdue first. The time is bound; none for the database's own.
pub(super) const OVERDUE: &str = "SELECT n, version, doc FROM hp.decision \
    WHERE status = 'pending' AND deadline <= greatest(coalesce($1, hp.clock()), (SELECT at FROM hp.head)) \
    ORDER BY deadline, n LIMIT $2";
/// How many kinds of data [`BatchNeeds::sends`] loads.
const KINDS: usize = 10;

impl BatchNeeds {
    /// Collects what the commands need.
    pub(super) fn of(batch: &[Submission], numbering: Numbering, known: &KnownRules) -> Self {
        let mut wanted = Self::default();
        for submission in batch {
            wanted.add(plan::needs(submission), numbering, known);
        }
        wanted
    }

    fn add(&mut self, needs: Needs, numbering: Numbering, known: &KnownRules) {
        self.roster |= needs.roster;
        self.voted.extend(needs.voted(numbering));
        for number in needs.decision.iter().chain(&needs.also).map(|id| numbering.number(*id)) {
            self.numbers.push(number);
            self.histories.push(plan::of_decision(number));
            self.starts.push(0);
        }
        self.threads.extend(needs.thread);
        if let Some((project, owner, reach)) = needs.siblings {
            self.siblings.0.push(project);
            self.siblings.1.push(owner.to_string());
            self.siblings.2.push(reach == OwnerScope::All);
        }
        for (project, id) in needs.items {
            self.items.0.push(project);
            self.items.1.push(id);
        }
        self.projects.extend(needs.project);
        self.rules.1.extend(needs.decision.map(|id| (numbering.number(id), needs.rules_of)));
        if let Some(project) = needs.rules.filter(|project| !self.rules.0.contains(project)) {
            let stream = plan::of_rules(&project);
            self.starts.push(known.version(&stream));
            self.histories.push(stream);
            self.rules.0.push(project);
        }
        if let Some(KeyScope { project, credential, key }) = needs.key {
            self.keys.0.push(project);
            self.keys.1.push(credential);
            self.keys.2.push(key);
        }
        if let Some(named) = &needs.credential {
            self.credentials.people.extend(named.person().map(str::to_owned));
            self.credentials.names.extend(named.name().map(str::to_owned));
        }
        if let Some(id) = needs.credential.as_ref().and_then(NamedCredential::token) {
            self.credentials.tokens.push(id.to_owned());
        }
        self.credentials.links.extend(needs.link);
        self.streams.extend(needs.streams);
        self.jobs.extend(needs.job);
        self.runs.extend(needs.runs);
        self.tasks.extend(needs.task);
        self.usage.extend(needs.usage);
    }

    /// Returns for each kind whether any of it is needed; most commands need two or three.
    fn needed(&self) -> [bool; KINDS] {
        [
            !self.numbers.is_empty(),
            !self.histories.is_empty(),
            !self.siblings.0.is_empty(),
            !self.items.0.is_empty(),
            !self.projects.is_empty(),
            !self.keys.0.is_empty(),
            !self.streams.is_empty(),
            !self.threads.is_empty(),
            !self.jobs.is_empty(),
            !self.usage.is_empty(),
        ]
    }

    /// Returns the statements that load it.
    pub(super) fn sends(&self) -> impl Iterator<Item = Send<'_>> {
        let (siblings, items, keys) = (&self.siblings, &self.items, &self.keys);
        let all: [Send<'_>; KINDS] = [
            send(DECISIONS, &[ints(&self.numbers)]),
            send(events::STREAMS, &[texts(&self.histories), ints(&self.starts)]),
            send(SIBLINGS, &[texts(&siblings.0), texts(&siblings.1), bools(&siblings.2)]),
            send(ITEMS, &[texts(&items.0), texts(&items.1)]),
            send(PROJECTS, &[texts(&self.projects)]),
            send(KEYS, &[texts(&keys.0), texts(&keys.1), texts(&keys.2)]),
            send(VERSIONS, &[texts(&self.streams)]),
            send(THREADS, &[texts(&self.threads)]),
            send(jobs::LOAD, &[texts(&self.jobs)]),
            send(USAGE, &[texts(&self.usage)]),
        ];
        all.into_iter().zip(self.needed()).filter_map(|(send, needed)| needed.then_some(send))
    }

    /// Puts the results of the statements into the snapshot, and loads what needs separate statements.
    pub(super) async fn put(
        mut self,
        connection: &Connection,
        loaded: &[Vec<Row>],
        snapshot: &mut Snapshot,
    ) -> Result<()> {
        credentials::load(connection, &mut snapshot.credentials, std::mem::take(&mut self.credentials))
            .await?;
        runs::load(connection, snapshot, std::mem::take(&mut self.runs), std::mem::take(&mut self.tasks))
            .await?;
        let mut loaded = loaded.iter();
        let [decisions, histories, siblings, items, projects, keys, versions, threads, jobs, usage] = self
            .needed()
            .map(|needed| if needed { loaded.next().map_or(&[][..], Vec::as_slice) } else { &[] });
        for row in decisions.iter().chain(siblings) {
            put_decision(snapshot, row)?;
        }
        for number in self.numbers {
            put_missing(snapshot, number);
        }
        for project in &self.rules.0 {
            snapshot.want_rules(project);
        }
        check_against(snapshot, self.histories.into_iter().zip(self.starts), histories)?;
        for (number, rules_of) in self.rules.1 {
            let decision = snapshot.decision(number).map(|stored| &*stored.decision);
            let project = decision.and_then(|decision| rules_of.project(decision)).map(str::to_owned);
            if let Some(project) = project {
                snapshot.want_rules(&project);
            }
        }
        if self.roster {
            snapshot.want_roster();
        }
        snapshot.want_votes(self.voted);
        for row in items {
            let item = item(row)?;
            snapshot.put_item(&item.project.clone(), &item.id.clone(), Some(item));
        }
        for (project, id) in self.items.0.iter().zip(&self.items.1) {
            if !snapshot.has_item(project, id) {
                snapshot.put_item(project, id, None);
            }
        }
        for row in projects {
            let name: String = get(row, 0)?;
            let unset = Project::new(name);
            let verdicts = Project::read_verdicts(&get::<String>(row, 2)?);
            snapshot.load_project(Project {
                min_timeout: Span::from_millis(get(row, 1)?),
                verdicts,
                ..unset
            });
        }
        for name in self.projects {
            if !snapshot.has_project(&name) {
                snapshot.load_unset_project(&name);
            }
        }
        for row in keys {
            put_key(snapshot, row)?;
        }
        let (projects, credentials, keys) = self.keys;
        for ((project, credential), key) in projects.into_iter().zip(credentials).zip(keys) {
            let scope = KeyScope { project, credential, key };
            if !snapshot.has_key(&scope) {
                snapshot.put_key(scope, None);
            }
        }
        for row in versions {
            snapshot.put_version(get(row, 0)?, get(row, 1)?);
        }
        for row in usage {
            snapshot.put_usage(get(row, 0)?, Usage { decisions: get(row, 1)?, bytes: get(row, 2)? });
        }
        for credential in self.usage {
            if !snapshot.has_usage(&credential) {
                snapshot.put_usage(credential, Usage::default());
            }
        }
        jobs::put_loaded(jobs, &self.jobs, snapshot)?;
        put_threads(snapshot, threads, self.threads)
    }
}

/// Puts overdue decisions into the snapshot; returns their row numbers.
pub(super) fn overdue(rows: &[Row], snapshot: &mut Snapshot) -> Result<Vec<i64>> {
    let mut numbers = Vec::new();
    for row in rows {
        match put_decision(snapshot, row) {
            // A damaged row that no command names must not block all other writes.
            Err(PgError::Final(why)) => tracing::warn!("An overdue decision cannot be read: {why}"),
            other => numbers.push(other?),
        }
    }
    Ok(numbers)
}

/// Loads the versions of owners' streams, because settling a decision of a job, crew or thread may write to them.
pub(super) async fn owners(connection: &Connection, snapshot: &mut Snapshot) -> Result<()> {
    let (mut streams, mut threads) = (BTreeSet::new(), BTreeSet::new());
    for stored in snapshot.decisions().filter(|stored| stored.decision.status == Status::Pending) {
        let decision = &stored.decision;
        if let Some(owner) = decision.owner.as_ref().filter(|owner| plan::is_told(owner)) {
            streams.insert(plan::of_owner(&decision.project, owner));
            if owner.kind == OwnerKind::Thread && !snapshot.has_thread(&owner.id) {
                threads.insert(owner.id.clone());
            }
        }
    }
    let streams: Vec<String> = streams
        .into_iter()
        .filter(|stream| !snapshot.has_version(stream) || !snapshot.has_job(stream))
        .collect();
    let threads: Vec<String> = threads.into_iter().collect();
    if !threads.is_empty() {
        let rows = connection.query(THREADS, &[texts(&threads)]).await?;
        put_threads(snapshot, &rows, threads)?;
    }
    if streams.is_empty() {
        return Ok(());
    }
    let rows = connection.query(jobs::LOAD, &[texts(&streams)]).await?;
    jobs::put_loaded(&rows, &streams, snapshot)?;
    for row in connection.query(VERSIONS, &[texts(&streams)]).await? {
        snapshot.put_version(get(&row, 0)?, get(&row, 1)?);
    }
    Ok(())
}

/// Loads what is needed to apply the loaded rules.
pub(super) async fn for_rules(connection: &Connection, snapshot: &mut Snapshot) -> Result<()> {
    loop {
        let needs = snapshot.rule_needs();
        if needs.are_met() {
            return Ok(());
        }
        let RuleNeeds { tokens, people, streams } = needs;
        let wanted =
            credentials::CredentialNeeds { tokens, people, ..credentials::CredentialNeeds::default() };
        credentials::load(connection, &mut snapshot.credentials, wanted).await?;
        if !streams.is_empty() {
            for row in connection.query(VERSIONS, &[texts(&streams)]).await? {
                snapshot.put_version(get(&row, 0)?, get(&row, 1)?);
            }
        }
    }
}

/// Checks the loaded rows against the log.
pub(super) async fn check(connection: &Connection, snapshot: &mut Snapshot) -> Result<()> {
    loop {
        let unchecked = snapshot.unchecked();
        if unchecked.is_empty() {
            return Ok(());
        }
        let (streams, after): (Vec<String>, Vec<i64>) = unchecked.iter().cloned().unzip();
        let rows = connection.query(events::STREAMS, &[texts(&streams), ints(&after)]).await?;
        check_against(snapshot, unchecked.into_iter(), &rows)?;
    }
}

fn check_against(
    snapshot: &mut Snapshot,
    streams: impl Iterator<Item = (String, i64)>,
    rows: &[Row],
) -> Result<()> {
    let mut links: HashMap<String, Vec<LogRow>> = HashMap::new();
    for row in rows {
        let link = events::link(row, 0)?;
        links.entry(link.stream.clone()).or_default().push(link);
    }
    for (stream, after) in streams {
        snapshot.check(&stream, after, links.get(&stream).map_or(&[], Vec::as_slice));
    }
    Ok(())
}

fn put_decision(snapshot: &mut Snapshot, row: &Row) -> Result<i64> {
    let number = get(row, 0)?;
    if !snapshot.has_decision(number) {
        let doc: &str = get(row, 2)?;
        let stored = Stored::read(doc, get(row, 1)?)?;
        snapshot.load_decision(number, Some(stored));
    }
    Ok(number)
}

fn put_threads(snapshot: &mut Snapshot, rows: &[Row], wanted: Vec<String>) -> Result<()> {
    for row in rows {
        snapshot.put_thread(get(row, 0)?, Some(serde_json::from_str(get(row, 1)?)?));
    }
    for id in wanted {
        if !snapshot.has_thread(&id) {
            snapshot.put_thread(id, None);
        }
    }
    Ok(())
}

fn put_missing(snapshot: &mut Snapshot, number: i64) {
    if !snapshot.has_decision(number) {
        snapshot.load_decision(number, None);
    }
}

fn put_key(snapshot: &mut Snapshot, row: &Row) -> Result<()> {
    let scope = KeyScope { project: get(row, 0)?, credential: get(row, 1)?, key: get(row, 2)? };
    let used = KeyUse { digest: get(row, 3)?, number: get(row, 4)? };
    if !snapshot.has_decision(used.number) {
        let stored = match (get::<Option<i64>>(row, 5)?, get::<Option<&str>>(row, 6)?) {
            (Some(version), Some(doc)) => Some(Stored::read(doc, version)?),
            _ => None,
        };
        snapshot.load_decision(used.number, stored);
    }
    snapshot.put_key(scope, Some(used));
    Ok(())
}

/// Reads a work item from `project, id, title, pending, created_at`.
pub(super) fn item(row: &Row) -> Result<Item> {
    let pending = u64::try_from(get::<i64>(row, 3)?).unwrap_or_default();
    let pending = pending.try_into().unwrap_or_default();
    Ok(Item {
        project: get(row, 0)?,
        id: get(row, 1)?,
        title: get(row, 2)?,
        status: ItemStatus::of(pending),
        pending,
        created_at: Timestamp::from_millis(get(row, 4)?),
    })
}
