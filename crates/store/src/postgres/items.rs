//! Lists work items and projects.

use holdpoint_core::{Item, Project, Span};

use super::connection::{get, text};
use super::error::Result;
use super::load::item;
use super::pool::Pool;

/// Lists work items, by name.
pub(super) async fn items(pool: &Pool, project: Option<&str>) -> Result<Vec<Item>> {
    let sql = "SELECT project, id, title, pending, created_at FROM hp.item \
               WHERE $1 IS NULL OR project = $1 ORDER BY id, project";
    pool.query(sql, &[text(&project)]).await?.iter().map(item).collect()
}

/// Lists projects that have settings or decisions, by name.
pub(super) async fn projects(pool: &Pool) -> Result<Vec<Project>> {
    let sql = "SELECT name, max(min_timeout), max(verdicts) FROM (SELECT name, min_timeout, verdicts FROM hp.project \
               UNION ALL SELECT project, NULL, NULL FROM hp.counter WHERE n > 0) AS known GROUP BY name ORDER BY name";
    let mut projects = Vec::new();
    for row in pool.query(sql, &[]).await? {
        let unset = Project::new(get::<String>(&row, 0)?);
        let min_timeout: Option<i64> = get(&row, 1)?;
        let verdicts: Option<String> = get(&row, 2)?;
        let verdicts = Project::read_verdicts(verdicts.as_deref().unwrap_or_default());
        let min_timeout = min_timeout.map_or(unset.min_timeout, Span::from_millis);
        projects.push(Project { min_timeout, verdicts, ..unset });
    }
    Ok(projects)
}
