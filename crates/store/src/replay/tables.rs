//! What the log as a whole makes known, against the tables beside the decisions.

use std::collections::BTreeMap;

use holdpoint_core::Thread;

use crate::Inspection;

/// Work items by project and id: title, and since when they are known.
pub(crate) type Items = BTreeMap<(String, String), (Option<String>, i64)>;
/// Threads, by id.
pub(crate) type Threads = BTreeMap<String, Thread>;
/// Projects' settings, by name: the shortest timeout, and who gives verdicts.
pub(crate) type Projects = BTreeMap<String, (i64, String)>;

/// What the log as a whole makes known.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) last: i64,
    pub(super) decisions: i64,
    pub(super) items: Items,
    pub(super) projects: Projects,
    pub(super) threads: Threads,
}

/// What is in the tables.
pub(crate) struct Tables {
    pub(crate) decisions: i64,
    pub(crate) last_number: i64,
    pub(crate) items: Items,
    pub(crate) projects: Projects,
    pub(crate) threads: Threads,
}

/// What should stand there instead, where it differs.
pub(crate) struct TableCorrections<'a> {
    pub(crate) last_number: Option<i64>,
    pub(crate) items: Option<&'a Items>,
    pub(crate) projects: Option<&'a Projects>,
    pub(crate) threads: Option<&'a Threads>,
}

pub(super) fn compare<'a>(
    seen: &'a Seen,
    tables: &Tables,
    rebuild: bool,
    inspection: &mut Inspection,
) -> TableCorrections<'a> {
    let findings = &mut inspection.findings;
    let rows = tables.decisions;
    // A rebuild has just taken out what is too much.
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
