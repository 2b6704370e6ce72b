//! Compares the tables beside the decisions with the log.

use std::collections::BTreeMap;

use holdpoint_core::Thread;

use crate::Inspection;

/// Work items by project and id, with title and creation time.
pub(crate) type Items = BTreeMap<(String, String), (Option<String>, i64)>;
/// Threads, by id.
pub(crate) type Threads = BTreeMap<String, Thread>;
/// Projects' settings, by name: the shortest timeout, and who gives verdicts.
pub(crate) type Projects = BTreeMap<String, (i64, String)>;

/// The totals of the log.
#[derive(Default)]
pub(super) struct LogTotals {
    pub(super) last: i64,
    pub(super) decisions: i64,
    pub(super) items: Items,
    pub(super) projects: Projects,
    pub(super) threads: Threads,
}

/// The contents of the tables.
pub(crate) struct Tables {
    pub(crate) decisions: i64,
    pub(crate) last_number: i64,
    pub(crate) items: Items,
    pub(crate) projects: Projects,
    pub(crate) threads: Threads,
}

/// The correct contents, for tables that differ.
pub(crate) struct TableCorrections<'a> {
    pub(crate) last_number: Option<i64>,
    pub(crate) items: Option<&'a Items>,
    pub(crate) projects: Option<&'a Projects>,
    pub(crate) threads: Option<&'a Threads>,
}

pub(super) fn compare<'a>(
    seen: &'a LogTotals,
    tables: &Tables,
    rebuild: bool,
    inspection: &mut Inspection,
) -> TableCorrections<'a> {
    let findings = &mut inspection.findings;
    let rows = tables.decisions;
    // A rebuild has just removed extra rows.
    if rows != seen.decisions && !rebuild {
        findings.push(format!("the table has {rows} decisions, the log {}", seen.decisions));
    }
    let mut corrections = TableCorrections { last_number: None, items: None, projects: None, threads: None };
    if tables.last_number < seen.last {
        findings.push(format!("the last number is {}, but {} was given", tables.last_number, seen.last));
        corrections.last_number = Some(seen.last);
    }
    if tables.items != seen.items {
        findings.push("the work items are not those of the log".into());
        corrections.items = Some(&seen.items);
    }
    if tables.projects != seen.projects {
        findings.push("the projects are not those of the log".into());
        corrections.projects = Some(&seen.projects);
    }
    if tables.threads != seen.threads {
        findings.push("the threads are not those of the log".into());
        corrections.threads = Some(&seen.threads);
    }
    corrections
}
