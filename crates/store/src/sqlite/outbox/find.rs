//! Finds the rows for a claim by index alone, so that the cost does not grow with the number of queued rows.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, params};

use crate::{Claim, ClaimOrder, Result, Rotation};

/// How many rows that are too late are given up with one claim.
const LATE_AT_ONCE: usize = 500;

const LATE: &str = "SELECT id FROM outbox INDEXED BY outbox_late \
    WHERE state = 'queued' AND lane = ?1 AND not_after < ?2 AND not_before <= ?2 LIMIT ?3";
const OLDEST: &str = "SELECT id FROM outbox INDEXED BY outbox_due \
    WHERE state = 'queued' AND lane = ?1 AND not_before <= ?2 AND not_after >= ?2 \
    AND target NOT IN (SELECT value FROM json_each(?4)) \
    AND (?5 = '[]' OR target IN (SELECT value FROM json_each(?5))) ORDER BY not_before, id LIMIT ?3";
const FIRST_DUE: &str = "SELECT target FROM outbox INDEXED BY outbox_due \
    WHERE state = 'queued' AND lane = ?1 AND not_before <= ?2 AND not_after >= ?2 ORDER BY not_before, id LIMIT 1";
const OF_TARGET: &str = "SELECT id, not_before FROM outbox INDEXED BY outbox_turn \
    WHERE state = 'queued' AND lane = ?1 AND project = ?2 AND target = ?3 ORDER BY id LIMIT ?4";
const FIRST_PROJECT: &str = "SELECT project FROM outbox INDEXED BY outbox_turn \
    WHERE state = 'queued' AND lane = ?1 ORDER BY project LIMIT 1";
const NEXT_PROJECT: &str = "SELECT project FROM outbox INDEXED BY outbox_turn \
    WHERE state = 'queued' AND lane = ?1 AND project > ?2 ORDER BY project LIMIT 1";
const FIRST_TARGET: &str = "SELECT target FROM outbox INDEXED BY outbox_turn \
    WHERE state = 'queued' AND lane = ?1 AND project = ?2 ORDER BY target LIMIT 1";
const NEXT_TARGET: &str = "SELECT target FROM outbox INDEXED BY outbox_turn \
    WHERE state = 'queued' AND lane = ?1 AND project = ?2 AND target > ?3 ORDER BY target LIMIT 1";
const NEXT_ROW: &str = "SELECT not_before, id FROM outbox INDEXED BY outbox_turn \
    WHERE state = 'queued' AND lane = ?1 AND project = ?2 AND target = ?3 AND not_before <= ?4 AND not_after >= ?4 \
    AND (not_before, id) > (?5, ?6) ORDER BY not_before, id LIMIT 1";

/// The rows that were found.
#[derive(Debug, Default)]
pub(in crate::sqlite) struct FoundRows {
    /// The rows to claim, in this order.
    pub(super) due: Vec<i64>,
    /// The rows to give up.
    pub(super) late: Vec<i64>,
}

impl FoundRows {
    /// Returns whether there is nothing to do.
    pub(in crate::sqlite) fn is_empty(&self) -> bool {
        self.due.is_empty() && self.late.is_empty()
    }
}

/// Finds the rows for a claim.
pub(in crate::sqlite) fn find(connection: &Connection, claim: &Claim) -> Result<FoundRows> {
    let (lane, now) = (claim.lane.name(), claim.now.as_millis());
    let overdue = ids(connection, LATE, params![lane, now, LATE_AT_ONCE])?;
    let due = match &claim.pick {
        ClaimOrder::Oldest { only, but } => {
            let (only, but) = (serde_json::to_string(only)?, serde_json::to_string(but)?);
            ids(connection, OLDEST, params![lane, now, claim.limit, but, only])?
        }
        ClaimOrder::Together => {
            let mut statement = connection.prepare_cached(FIRST_DUE)?;
            let first: Option<String> =
                statement.query_row(params![lane, now], |row| row.get(0)).optional()?;
            match first {
                Some(target) => {
                    let only = serde_json::to_string(&[target])?;
                    ids(connection, OLDEST, params![lane, now, claim.limit, "[]", only])?
                }
                None => Vec::new(),
            }
        }
        ClaimOrder::InOrder { project, target } => {
            let mut statement = connection.prepare_cached(OF_TARGET)?;
            let rows = statement.query_map(params![lane, project, target, claim.limit], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
            })?;
            let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
            rows.into_iter().take_while(|(_, not_before)| *not_before <= now).map(|(id, _)| id).collect()
        }
        ClaimOrder::InTurn { each, busy, turns } => {
            let (busy, turns, read_to) = (busy.clone(), turns.clone(), HashMap::new());
            ClaimWalk { connection, claim, each: *each, busy, turns, read_to }.rows()?
        }
    };
    Ok(FoundRows { due, late: overdue })
}

fn ids(connection: &Connection, sql: &str, params: &[&dyn rusqlite::ToSql]) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_map(params, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Rotates through the projects, and through the targets of each project.
struct ClaimWalk<'a> {
    connection: &'a Connection,
    claim: &'a Claim,
    each: usize,
    busy: BTreeMap<String, usize>,
    turns: Rotation,
    /// The last row found for each target of a project.
    read_to: HashMap<(String, String), (i64, i64)>,
}

impl ClaimWalk<'_> {
    fn rows(mut self) -> Result<Vec<i64>> {
        let mut rows = Vec::new();
        let mut spent = HashSet::new();
        let mut past = self.turns.project().map(str::to_owned);
        let mut any_found = true;
        while rows.len() < self.claim.limit {
            let Some(project) = self.project_after(past.as_deref())? else {
                // Start over, unless a whole round found nothing.
                if !any_found {
                    break;
                }
                (any_found, past) = (false, None);
                continue;
            };
            past = Some(project.clone());
            if spent.contains(&project) {
                continue;
            }
            match self.row_of(&project)? {
                Some(row) => {
                    any_found = true;
                    rows.push(row);
                }
                None => drop(spent.insert(project)),
            }
        }
        Ok(rows)
    }

    /// Finds a row of the next target of a project.
    fn row_of(&mut self, project: &str) -> Result<Option<i64>> {
        let first = self.turns.targets().get(project).cloned();
        let mut past = first.clone();
        let mut wrapped = first.is_none();
        loop {
            let Some(target) = self.target_after(project, past.as_deref())? else {
                if wrapped {
                    return Ok(None);
                }
                (wrapped, past) = (true, None);
                continue;
            };
            if wrapped && first.as_ref().is_some_and(|first| target > *first) {
                return Ok(None);
            }
            let under_way = self.busy.get(&target).copied().unwrap_or_default();
            if under_way < self.each
                && let Some(row) = self.next_row(project, &target)?
            {
                self.turns.passed(project, &target);
                self.busy.insert(target, under_way + 1);
                return Ok(Some(row));
            }
            past = Some(target);
        }
    }

    fn project_after(&self, past: Option<&str>) -> Result<Option<String>> {
        let lane = self.claim.lane.name();
        match past {
            None => self.name(FIRST_PROJECT, params![lane]),
            Some(past) => self.name(NEXT_PROJECT, params![lane, past]),
        }
    }

    fn target_after(&self, project: &str, past: Option<&str>) -> Result<Option<String>> {
        let lane = self.claim.lane.name();
        match past {
            None => self.name(FIRST_TARGET, params![lane, project]),
            Some(past) => self.name(NEXT_TARGET, params![lane, project, past]),
        }
    }

    fn name(&self, sql: &str, params: &[&dyn rusqlite::ToSql]) -> Result<Option<String>> {
        Ok(self.connection.prepare_cached(sql)?.query_row(params, |row| row.get(0)).optional()?)
    }

    fn next_row(&mut self, project: &str, target: &str) -> Result<Option<i64>> {
        let pair = (project.to_owned(), target.to_owned());
        let past = self.read_to.get(&pair).copied().unwrap_or((i64::MIN, i64::MIN));
        let (lane, now) = (self.claim.lane.name(), self.claim.now.as_millis());
        let mut statement = self.connection.prepare_cached(NEXT_ROW)?;
        let row = statement
            .query_row(params![lane, project, target, now, past.0, past.1], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let Some(row) = row else { return Ok(None) };
        self.read_to.insert(pair, row);
        Ok(Some(row.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrate::MIGRATIONS;

    /// A plan that reads or sorts all queued rows would let one burst delay everything else.
    #[test]
    fn nothing_is_scanned_or_sorted() {
        let connection = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            connection.execute_batch(migration).unwrap();
        }
        let walk = [FIRST_PROJECT, NEXT_PROJECT, FIRST_TARGET, NEXT_TARGET, NEXT_ROW];
        for sql in walk.into_iter().chain([LATE, OLDEST, FIRST_DUE]) {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let params = vec![rusqlite::types::Null; statement.parameter_count()];
            let lines = statement
                .query_map(rusqlite::params_from_iter(params), |row| row.get::<_, String>(3))
                .unwrap();
            let plan: Vec<String> = lines.map(|line| line.unwrap()).collect();
            let plan = plan.join("\n");
            assert!(plan.contains("SEARCH outbox USING"), "{sql}\n{plan}");
            assert!(!plan.contains("SCAN outbox") && !plan.contains("B-TREE"), "{sql}\n{plan}");
        }
    }
}
