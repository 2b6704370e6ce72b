//! Checks the rows that a batch starts from against the log. A row only saves reading its stream: if an attacker
//! changes a table, no command may act on the change or turn it into events.

use std::collections::HashMap;
use std::sync::Arc;

use holdpoint_core::run::{self, ObjectId};
use holdpoint_core::{Event, Project, Refusal, Run, Timestamp};

use super::stream::{ROSTER, of_decision, of_owner, of_project, of_rules};
use super::{Needs, Snapshot, Stored};
use crate::LogRow;
use crate::history;
use crate::jobs::StoredJob;

/// The reason for an event that this process has not found proven, in a log that is broken.
const UNKNOWN: &str =
    "nobody answers for an event about it, and signing the log has stopped; see hold audit verify";
/// The reason for such an event about rules, policies or groups, which settle decisions by themselves.
const UNPROVEN: &str = "nobody answers for an event about them; see hold audit verify";
/// The reason for a row that was changed.
const DIFFERS: &str = "its row does not match the log";

/// The subject of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum RowSubject {
    /// A decision, by its row number.
    Decision(i64),
    /// A job or crew, by its stream.
    Job(String),
    /// A run.
    Run(ObjectId),
    /// A project's settings.
    Project(String),
    /// A project's standing rules, which have no row, only events.
    Rules(String),
    /// The groups of people, which have no row either.
    Roster,
}

/// The results of checking the loaded rows.
#[derive(Debug, Default)]
pub(super) struct RowChecks {
    /// The rows still to be checked, by stream.
    unchecked: HashMap<String, RowSubject>,
    /// The rows that do not match the log, with the reason.
    doubts: HashMap<RowSubject, String>,
}

impl Snapshot {
    /// Records a decision's row as loaded.
    pub(crate) fn load_decision(&mut self, number: i64, stored: Option<Stored>) {
        if stored.is_some() {
            self.loaded(of_decision(number), RowSubject::Decision(number));
        }
        self.put_decision(number, stored);
    }

    /// Records a job's row as loaded.
    pub(crate) fn load_job(&mut self, stream: String, stored: Option<StoredJob>) {
        self.loaded(stream.clone(), RowSubject::Job(stream.clone()));
        self.put_job(stream, stored);
    }

    /// Records a run's row as loaded.
    pub(crate) fn load_run(&mut self, id: ObjectId, run: Option<Arc<Run>>) {
        if let Some(run) = &run {
            self.loaded(of_owner(&run.project, &run::owner(id)), RowSubject::Run(id));
        }
        self.put_run(id, run);
    }

    /// Records a project's settings as loaded.
    pub(crate) fn load_project(&mut self, project: Project) {
        self.loaded(of_project(&project.name), RowSubject::Project(project.name.clone()));
        self.put_project(project);
    }

    /// Records that a project has no row. Its stream is read only if settings are known to have been recorded.
    pub(crate) fn load_unset_project(&mut self, name: &str) {
        let unset = Project::new(name);
        if self.vouching.has_reached(&of_project(name), 0) {
            self.put_project(unset);
        } else {
            self.load_project(unset);
        }
    }

    /// Requests a project's standing rules.
    pub(crate) fn want_rules(&mut self, project: &str) {
        if !self.has_rules(project) {
            self.loaded(of_rules(project), RowSubject::Rules(project.to_owned()));
        }
    }

    /// Requests the groups of people.
    pub(crate) fn want_roster(&mut self) {
        if self.roster.is_none() {
            self.loaded(ROSTER.to_owned(), RowSubject::Roster);
        }
    }

    fn loaded(&mut self, stream: String, row: RowSubject) {
        self.bound.unchecked.insert(stream, row);
    }

    /// Lists the streams to be read for [`Self::check`], each with the version to start after.
    pub(crate) fn unchecked(&self) -> Vec<(String, i64)> {
        let after = |(stream, row): (&String, &RowSubject)| match row {
            // Events of a job that were read before the log was found broken may be the cause, so they are read again.
            RowSubject::Job(_) if self.vouching.broken().is_some() => {
                self.known.jobs.forget(stream);
                (stream.clone(), 0)
            }
            RowSubject::Job(_) => (stream.clone(), self.known.jobs.version(stream)),
            RowSubject::Rules(_) if self.vouching.broken().is_some() => {
                self.known.rules.forget(stream);
                (stream.clone(), 0)
            }
            RowSubject::Rules(_) => (stream.clone(), self.known.rules.version(stream)),
            RowSubject::Roster if self.vouching.broken().is_some() => {
                self.known.roster.forget(stream);
                (stream.clone(), 0)
            }
            RowSubject::Roster => (stream.clone(), self.known.roster.version(stream)),
            _ => (stream.clone(), 0),
        };
        self.bound.unchecked.iter().map(after).collect()
    }

    /// Checks the row of a stream against its events after a version. If the difference may be in the events known
    /// before, the stream stays unchecked, to be read from its start.
    pub(crate) fn check(&mut self, stream: &str, after: i64, links: &[LogRow]) {
        let Some(row) = self.bound.unchecked.get(stream).cloned() else { return };
        if after > 0
            && matches!(row, RowSubject::Rules(_) | RowSubject::Roster)
            && self.vouching.broken().is_some()
        {
            return;
        }
        let missed = self.vouching.compare_with_seen(stream, after, links).map(str::to_owned);
        if missed.is_some() {
            self.vouching.note_missed();
        }
        let doubt = match &row {
            _ if missed.is_some() => missed,
            RowSubject::Rules(_) | RowSubject::Roster | RowSubject::Project(_)
                if !self.vouching.knows_rules(links) =>
            {
                Some(UNPROVEN.into())
            }
            _ if !self.vouching.knows(links) => Some(UNKNOWN.into()),
            RowSubject::Decision(number) => match self.decision(*number) {
                None => None,
                Some(stored) => differs(history::fold(links).map(|folded| {
                    folded.as_ref() == Some(&*stored.decision)
                        && links.last().is_some_and(|link| link.version == stored.version)
                })),
            },
            RowSubject::Job(_) => {
                let folded = self.known.jobs.go_on(stream, links);
                let doubt = differs(folded.map(|(_, folded)| folded.as_ref() == self.job(stream)));
                if doubt.is_some() && after > 0 {
                    self.known.jobs.forget(stream);
                    return;
                }
                doubt
            }
            RowSubject::Run(id) => {
                let fold = |known, (_, event, at): (i64, Event, Timestamp)| run::apply(known, &event, at);
                let folded = history::events(links, None).map(|events| events.into_iter().fold(None, fold));
                differs(folded.map(|folded| folded.as_ref() == self.run(*id).map(|run| &**run)))
            }
            RowSubject::Rules(project) => match self.known.rules.go_on(stream, links) {
                Ok((version, rules)) => {
                    self.rules.insert(project.clone(), rules);
                    if !self.has_version(stream) {
                        self.put_version(stream.to_owned(), version);
                    }
                    None
                }
                Err(why) => Some(why),
            },
            RowSubject::Roster => match self.known.roster.go_on(stream, links) {
                Ok((version, roster)) => {
                    self.roster = Some(roster);
                    if !self.has_version(stream) {
                        self.put_version(stream.to_owned(), version);
                    }
                    None
                }
                Err(why) => Some(why),
            },
            RowSubject::Project(name) => differs(
                history::events(links, None).map(|events| settings(name, &events) == self.project(name)),
            ),
        };
        if let Some(row) = self.bound.unchecked.remove(stream)
            && let Some(why) = doubt
        {
            // An event that is not checked yet may be proven a moment later; the caller that asks for the check reports
            // the result.
            if [UNKNOWN, UNPROVEN].contains(&why.as_str()) {
                tracing::debug!("The row of {stream} waits for its proof: {why}");
            } else {
                tracing::error!("The row of {stream} is ignored: {why}; see hold doctor");
            }
            self.bound.doubts.insert(row, why);
        }
    }

    /// Returns whether a decision and the job or crew that owns it can be relied on.
    pub(super) fn is_bound(&self, number: i64) -> bool {
        self.doubt_of(number).is_none()
    }

    fn doubt_of(&self, number: i64) -> Option<&String> {
        let owner = || {
            let decision = &self.decision(number)?.decision;
            let owner = decision.owner.as_ref().filter(|owner| owner.supersedes())?;
            self.bound.doubts.get(&RowSubject::Job(of_owner(&decision.project, owner)))
        };
        self.bound.doubts.get(&RowSubject::Decision(number)).or_else(owner)
    }

    /// Refuses a command about a row that does not match the log.
    pub(super) fn check_bound(&self, needs: &Needs, named: Option<i64>) -> Result<(), Refusal> {
        if self.bound.doubts.is_empty() {
            return Ok(());
        }
        let also = needs.also.iter().map(|id| self.numbering().number(*id));
        let decisions = named.into_iter().chain(also);
        for number in decisions {
            if let Some(why) = self.doubt_of(number) {
                return Err(Refusal::unproven(self.numbering().id(number), why));
            }
        }
        let job = needs.job.clone().or_else(|| {
            let (project, owner, _) = needs.siblings.as_ref()?;
            Some(of_owner(project, owner))
        });
        let rows = job.map(|stream| (stream.clone(), RowSubject::Job(stream))).into_iter();
        let rows = rows.chain(needs.runs.iter().map(|id| (format!("run {id}"), RowSubject::Run(*id))));
        let project =
            needs.project.iter().map(|name| (format!("project {name}"), RowSubject::Project(name.clone())));
        let decision = named.and_then(|number| self.decision(number)).map(|stored| &*stored.decision);
        let rules = needs.rules_with(decision).into_iter();
        let rules = rules.map(|name| (format!("the rules of {name}"), RowSubject::Rules(name.to_owned())));
        let voted = needs.voted(self.numbering()).iter().any(|voted| self.takes_roster(voted));
        let roster = (needs.roster || voted).then(|| ("the groups of people".to_owned(), RowSubject::Roster));
        for (what, row) in rows.chain(project).chain(rules).chain(roster) {
            if let Some(why) = self.bound.doubts.get(&row) {
                return Err(Refusal::Unproven { what, why: why.clone() });
            }
        }
        Ok(())
    }

    /// Drops the doubts, and the decisions with doubts, which are read again when they are needed.
    pub(super) fn forget_doubts(&mut self) -> Vec<i64> {
        self.bound.unchecked.clear();
        let numbers = self.bound.doubts.drain().filter_map(|(row, _)| match row {
            RowSubject::Decision(number) => Some(number),
            _ => None,
        });
        numbers.collect()
    }
}

fn differs(is_same: Result<bool, String>) -> Option<String> {
    match is_same {
        Ok(true) => None,
        Ok(false) => Some(DIFFERS.into()),
        Err(why) => Some(why),
    }
}

/// Returns a project's settings according to the log.
fn settings(name: &str, events: &[(i64, Event, Timestamp)]) -> Project {
    let last = events.iter().rev().find_map(|(_, event, _)| match event {
        Event::ProjectUpdated { min_timeout, verdicts, .. } => Some((*min_timeout, verdicts.clone())),
        _ => None,
    });
    let unset = Project::new(name);
    match last {
        Some((min_timeout, verdicts)) => Project { min_timeout, verdicts, ..unset },
        None => unset,
    }
}
