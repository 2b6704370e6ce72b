//! Compares runs with the log.

use std::collections::BTreeMap;

use holdpoint_core::run::{ObjectId, apply};
use holdpoint_core::{Event, Run, Timestamp};

use crate::Inspection;

/// Runs according to the log.
#[derive(Default)]
pub(super) struct Runs(BTreeMap<ObjectId, Run>);

impl Runs {
    pub(super) fn apply(&mut self, event: &Event, at: Timestamp) {
        if let Some((id, _)) = event.run() {
            let run = apply(self.0.remove(&id), event, at);
            self.0.extend(run.map(|run| (id, run)));
        }
    }

    pub(super) fn compare(
        &self,
        table: Vec<(String, String)>,
        inspection: &mut Inspection,
    ) -> Vec<(String, Option<&Run>)> {
        let mut table: BTreeMap<String, String> = table.into_iter().collect();
        let mut anew = Vec::new();
        for (id, right) in &self.0 {
            let row = table.remove(&id.to_string());
            if row.as_deref().and_then(|doc| serde_json::from_str::<Run>(doc).ok()).as_ref() != Some(right) {
                inspection.findings.push(format!("run {id} does not match the log"));
                anew.push((id.to_string(), Some(right)));
            }
        }
        for id in table.into_keys() {
            inspection.findings.push(format!("run {id:?} is in the table, but not in the log"));
            anew.push((id, None));
        }
        anew
    }
}
