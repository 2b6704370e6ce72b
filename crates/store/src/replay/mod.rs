//! Replays the log, and compares the result with the projections.
//!
//! Shared by all drivers; without SQL, and without anything that waits. A driver feeds in the log stream by stream,
//! compares each decision's row with the result, and rewrites the rows it is told to.

mod credential;
mod job;
mod row;
mod run;
mod tables;

use holdpoint_core::{Decision, Event, Lane, Numbering, Project, Run, Thread, Timestamp, apply};

pub(crate) use credential::Correction;
pub(crate) use row::{Columns, Row, assignees};
pub(crate) use tables::{TableCorrections, Tables};

use self::credential::Credentials;
use self::job::Jobs;
use self::tables::LogTotals;
use crate::jobs::StoredJob;
use crate::plan::{self, Stored, number_of};
use crate::{Inspection, body, history};

/// Findings beyond this many are only counted.
const MOST_FINDINGS: usize = 100;

/// An event as stored in the log.
pub(crate) struct Entry<'a> {
    pub(crate) seq: i64,
    pub(crate) stream: &'a str,
    pub(crate) version: i64,
    pub(crate) tag: &'a str,
    pub(crate) at: i64,
    pub(crate) body: Option<&'a str>,
}

/// What the log makes of a decision: its row number, and what should stand there.
pub(crate) struct ReplayedRow {
    pub(crate) number: i64,
    pub(crate) stored: Option<Stored>,
}

/// Returns how many outbox rows no event can have ordered, given how many there are of each lane and type of event.
pub(crate) fn unordered(orders: &[(String, Option<String>, i64)]) -> i64 {
    let is_ordered = |lane: &str, tag: Option<&str>| {
        Lane::from_name(lane).zip(tag).is_some_and(|(lane, tag)| plan::may_order(tag, lane))
    };
    let wrong = orders.iter().filter(|(lane, tag, _)| !is_ordered(lane, tag.as_deref()));
    wrong.map(|(.., rows)| rows).sum()
}

/// A replay of the log, stream by stream, so that only one decision is in memory at a time.
pub(crate) struct Replay {
    numbering: Numbering,
    stream: Stream,
    seen: LogTotals,
    credentials: Credentials,
    jobs: Jobs,
    runs: run::Runs,
    inspection: Inspection,
}

impl Replay {
    pub(crate) fn new(numbering: Numbering) -> Self {
        Self {
            numbering,
            stream: Stream::default(),
            seen: LogTotals::default(),
            credentials: Credentials::default(),
            jobs: Jobs::default(),
            runs: run::Runs::default(),
            inspection: Inspection::default(),
        }
    }

    /// Adds a finding of the driver.
    pub(crate) fn found(&mut self, finding: String) {
        self.inspection.findings.push(finding);
    }

    /// Adds the finding that no event explains some rows, if there are any.
    pub(crate) fn unexplained(&mut self, what: &str, rows: i64) {
        if rows > 0 {
            self.found(format!("no event explains {rows} of the {what}"));
        }
    }

    /// Processes the next event, in the order of streams and versions; returns the decision whose stream has ended
    /// before it.
    pub(crate) fn step(&mut self, entry: &Entry<'_>) -> Option<ReplayedRow> {
        let done = if entry.stream == self.stream.name {
            None
        } else {
            let done = self.end();
            entry.stream.clone_into(&mut self.stream.name);
            done
        };
        self.inspection.events += 1;
        if let Some(event) = self.stream.step(entry, &mut self.inspection) {
            let at = Timestamp::from_millis(entry.at);
            self.credentials.apply(&event, at);
            self.jobs.apply(entry.stream, entry.version, &event, at);
            self.runs.apply(&event, at);
        }
        done
    }

    /// Ends the last stream.
    pub(crate) fn end(&mut self) -> Option<ReplayedRow> {
        std::mem::take(&mut self.stream).end(&mut self.seen, &mut self.inspection)
    }

    /// Compares a decision's row with what the log makes of it; returns whether the row is to be rewritten.
    pub(crate) fn compare(&mut self, right: &ReplayedRow, row: Option<&Row>) -> bool {
        let finding = row::differs(self.numbering.id(right.number), right.stored.as_ref(), row);
        let differs = finding.is_some();
        self.inspection.findings.extend(finding);
        differs
    }

    /// Compares the other tables: counts of rows, work items, projects.
    pub(crate) fn compare_tables<'a>(&'a mut self, tables: &Tables, rebuild: bool) -> TableCorrections<'a> {
        tables::compare(&self.seen, tables, rebuild, &mut self.inspection)
    }

    /// Compares tokens, people and the authentication setting; returns what can be repaired from the log.
    pub(crate) fn compare_credentials(
        &mut self,
        tokens: Vec<holdpoint_core::Token>,
        people: Vec<holdpoint_core::Person>,
        auth_required: bool,
    ) -> Vec<Correction<'_>> {
        self.credentials.compare(tokens, people, auth_required, &mut self.inspection)
    }

    /// Compares jobs and crews; returns the correct values of rows that differ.
    pub(crate) fn compare_jobs(
        &mut self,
        found: Vec<(String, Option<StoredJob>)>,
    ) -> Vec<(String, Option<StoredJob>)> {
        self.jobs.compare(found, &mut self.inspection)
    }

    /// Compares runs; returns the correct values of rows that differ.
    pub(crate) fn compare_runs(&mut self, table: Vec<(String, String)>) -> Vec<(String, Option<&Run>)> {
        self.runs.compare(table, &mut self.inspection)
    }

    /// Returns the findings.
    pub(crate) fn finish(mut self, rebuilt: bool) -> Inspection {
        let findings = &mut self.inspection.findings;
        let found = findings.len();
        if found > MOST_FINDINGS {
            findings.truncate(MOST_FINDINGS);
            findings.push(format!("and {} more", found - MOST_FINDINGS));
        }
        self.inspection.rebuilt = rebuilt;
        self.inspection
    }
}

/// One stream, as far as it has been replayed.
#[derive(Default)]
struct Stream {
    name: String,
    version: i64,
    decision: Option<Decision>,
    /// The item that the stream adds: project, id, title and time.
    item: Option<(String, String, Option<String>, Timestamp)>,
    project: Option<Project>,
    thread: Option<Thread>,
    removed: bool,
    /// Whether an event could not be read, so that the outcome is unknown.
    broken: bool,
    /// Events without a body, which are valid only before a removal.
    gone: Vec<i64>,
}

impl Stream {
    fn step(&mut self, entry: &Entry<'_>, inspection: &mut Inspection) -> Option<Event> {
        let Entry { seq, version, .. } = *entry;
        if version != self.version + 1 {
            inspection
                .findings
                .push(format!("event {seq}: {} goes from version {} to {version}", self.name, self.version));
        }
        self.version = version;
        let Some(text) = entry.body else {
            self.gone.push(seq);
            return None;
        };
        match body::decode(entry.tag, text) {
            Ok(event) => {
                let impossible = history::impossible(self.decision.as_ref(), &event);
                inspection.findings.extend(impossible.map(|why| format!("event {seq}: {why}")));
                self.apply(&event, Timestamp::from_millis(entry.at));
                Some(event)
            }
            Err(error) => {
                inspection.findings.push(format!("event {seq} cannot be read: {error}"));
                self.broken = true;
                None
            }
        }
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::ItemCreated { id, project, title, .. } => {
                self.item = Some((project.clone(), id.clone(), title.clone(), at));
            }
            Event::ItemDeleted { .. } => self.item = None,
            Event::ProjectUpdated { project, min_timeout, verdicts, .. } => {
                let verdicts = verdicts.clone();
                let project = Project { name: project.clone(), min_timeout: *min_timeout, verdicts };
                self.project = Some(project);
            }
            Event::ThreadCreated(thread) => self.thread = Some((**thread).clone()),
            Event::ThreadRemoved { .. } => self.thread = None,
            Event::Removed { .. } => self.removed = true,
            _ => {}
        }
        self.decision = apply(self.decision.take(), event, at);
    }

    fn end(self, seen: &mut LogTotals, inspection: &mut Inspection) -> Option<ReplayedRow> {
        if let Some((project, id, title, at)) = self.item {
            seen.items.insert((project, id), (title, at.as_millis()));
        }
        if let Some(project) = self.project {
            let settings = (project.min_timeout.as_millis(), project.verdicts_text());
            seen.projects.insert(project.name, settings);
        }
        if let Some(thread) = self.thread {
            seen.threads.insert(thread.id.clone(), thread);
        }
        let number = number_of(&self.name)?;
        seen.last = seen.last.max(number);
        if !self.removed {
            for seq in &self.gone {
                inspection
                    .findings
                    .push(format!("event {seq} has no body, but its decision was not removed"));
            }
        }
        if self.broken || (!self.removed && !self.gone.is_empty()) {
            // The row is all that is left of the decision.
            seen.decisions += 1;
            return None;
        }
        let version = self.version;
        let stored = self.decision.map(|decision| Stored::new(decision, version, 0));
        seen.decisions += i64::from(stored.is_some());
        inspection.decisions += u64::from(stored.is_some());
        Some(ReplayedRow { number, stored })
    }
}
