//! Compares jobs and crews with the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use holdpoint_core::{Event, Job, Timestamp, job};

use crate::Inspection;
use crate::jobs::StoredJob;

/// Jobs and crews according to the log, by stream.
#[derive(Default)]
pub(super) struct Jobs {
    all: BTreeMap<String, StoredJob>,
}

impl Jobs {
    pub(super) fn apply(&mut self, stream: &str, version: i64, event: &Event, at: Timestamp) {
        if event.job().is_none() {
            return;
        }
        let before = self.all.remove(stream).map(|stored| Job::clone(&stored.job));
        if let Some(job) = job::apply(before, event, at) {
            self.all.insert(stream.to_owned(), StoredJob { job: Arc::new(job), version });
        }
    }

    /// Returns the correct value of each row that differs, by stream.
    pub(super) fn compare(
        &self,
        found: Vec<(String, Option<StoredJob>)>,
        inspection: &mut Inspection,
    ) -> Vec<(String, Option<StoredJob>)> {
        let mut missing: BTreeMap<&String, &StoredJob> = self.all.iter().collect();
        let mut wrong = Vec::new();
        for (stream, row) in found {
            let right = missing.remove(&stream);
            if right != row.as_ref() || right.is_none() {
                inspection.findings.push(format!("{stream} does not match the log"));
                wrong.push((stream, right.cloned()));
            }
        }
        for (stream, right) in missing {
            inspection.findings.push(format!("{stream} is in the log, but not in the table"));
            wrong.push((stream.clone(), Some(right.clone())));
        }
        wrong
    }
}
