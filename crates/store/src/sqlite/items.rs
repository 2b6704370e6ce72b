//! Lists work items and projects.

use holdpoint_core::{Item, ItemStatus, Project, Span, Timestamp};
use rusqlite::Connection;

use crate::Result;

/// Lists work items, by name.
pub(super) fn items(connection: &Connection, project: Option<&str>) -> Result<Vec<Item>> {
    let mut statement = connection.prepare_cached(
        "SELECT project, id, title, pending, created_at FROM item WHERE ?1 IS NULL OR project = ?1 ORDER BY id, project",
    )?;
    let items = statement.query_map([project], |row| {
        let pending = row.get(3)?;
        Ok(Item {
            project: row.get(0)?,
            id: row.get(1)?,
            title: row.get(2)?,
            status: ItemStatus::of(pending),
            pending,
            created_at: Timestamp::from_millis(row.get(4)?),
        })
    })?;
    Ok(items.collect::<rusqlite::Result<_>>()?)
}

/// Lists projects that have settings or decisions, by name.
pub(super) fn projects(connection: &Connection) -> Result<Vec<Project>> {
    let mut statement = connection.prepare_cached(
        "SELECT name, max(min_timeout), max(verdicts) FROM (\
             SELECT name, min_timeout, verdicts FROM project \
             UNION ALL SELECT project, NULL, NULL FROM counter WHERE n > 0) GROUP BY name ORDER BY name",
    )?;
    let projects = statement.query_map([], |row| {
        let unset = Project::new(row.get::<_, String>(0)?);
        let min_timeout: Option<i64> = row.get(1)?;
        let verdicts: Option<String> = row.get(2)?;
        let verdicts = Project::read_verdicts(verdicts.as_deref().unwrap_or_default());
        let min_timeout = min_timeout.map_or(unset.min_timeout, Span::from_millis);
        Ok(Project { min_timeout, verdicts, ..unset })
    })?;
    Ok(projects.collect::<rusqlite::Result<_>>()?)
}
